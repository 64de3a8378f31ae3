"""Models that choose columns of a data set by name: they get frames instead of encoded features."""

from collections.abc import Iterable, Sequence
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.compose import ColumnTransformer
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import Pipeline

from labelrank_core.data.frames import sparse_frame
from labelrank_core.data.schema import Schema
from labelrank_core.explain.capabilities import HasParams, Ranker


class RawColumns(TransformerMixin, BaseEstimator):
    """The first step of a pipeline: turns encoded features back into the columns of the data.

    Parameters
    ----------
    schema : Schema
        The columns.
    """

    def __init__(self, schema: Schema) -> None:
        self.schema = schema

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002
        """Learn nothing."""
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def transform(self, X: Any) -> pd.DataFrame:
        """Return a frame with a column for each column of the data, sparse if the features are."""
        if sparse.issparse(X) and self.schema.is_numeric:
            return sparse_frame(X, self.schema.feature_names)
        return self.schema.frame(X)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:  # noqa: ARG002
        """Return the names of the columns."""
        return np.array([column.name for column in self.schema.columns], dtype=object)


def on_raw_columns(model: Ranker, schema: Schema) -> Any:
    """Return a model that takes encoded features, also if the given one takes raw columns.

    That is one with a ColumnTransformer that chooses columns by name or by a function, or one
    fitted on a frame with the columns of the data that are not its features; others are returned.
    """
    if not (_chooses_by_name(model) or _learned_columns(model, schema)):
        return model
    steps = model.steps if isinstance(model, Pipeline) else [("model", model)]
    return Pipeline([("raw columns", RawColumns(schema)), *steps])


def _learned_columns(model: Ranker, schema: Schema) -> bool:
    names = getattr(model, "feature_names_in_", None)
    columns = [column.name for column in schema.columns]
    return not schema.is_numeric and names is not None and list(names) == columns


def _chooses_by_name(model: Ranker) -> bool:
    parts = model.get_params().values() if isinstance(model, HasParams) else ()
    frozen = [part.estimator for part in (model, *parts) if isinstance(part, FrozenEstimator)]
    choices = (
        columns
        for part in (model, *parts)
        if isinstance(part, ColumnTransformer)
        for _, _, columns in part.transformers
    )
    return any(map(_are_names, choices)) or any(map(_chooses_by_name, frozen))


def _are_names(columns: Any) -> bool:
    if isinstance(columns, str) or callable(columns):
        return True
    if isinstance(columns, slice):
        return isinstance(columns.start, str) or isinstance(columns.stop, str)
    is_list = isinstance(columns, (Sequence, np.ndarray, pd.Index))
    cells: Iterable[Any] = columns if is_list else ()
    return any(isinstance(cell, str) for cell in cells)
