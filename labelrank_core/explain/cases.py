"""One case explained by a fitted model, bare or in a pipeline, in the names of its data."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from pandas.api.types import is_numeric_dtype
from scipy import sparse
from sklearn.pipeline import make_pipeline

from labelrank_core.data.dataset import Dataset
from labelrank_core.data.frames import encoded_frame, named_case
from labelrank_core.data.schema import numeric_schema
from labelrank_core.explain.capabilities import Ranker, SupportsExplanation, SupportsPath
from labelrank_core.explain.evidence import About, Explanation
from labelrank_core.explain.predictions import bare_model, feature_units, last_step, steps_before
from labelrank_core.explain.raw_columns import on_raw_columns
from labelrank_core.rankings import FloatArray


def explain_prediction(
    model: Ranker,
    x: Any,
    data: Dataset | None = None,
    *,
    rows: ArrayLike | None = None,
    label_names: Sequence[str] | None = None,
    **setting: Any,
) -> Explanation:
    """Explain the prediction of one case, in words and drawings with the names of the data.

    Parameters
    ----------
    model : estimator
        A fitted estimator of this package, a pipeline that ends in one, or a search over either;
        a guarantee around any of these.
    x : array-like of shape (n_features,), Series, DataFrame or sparse matrix of one row
        The case as the model gets it, before the pipeline's first step; with `data` also its
        encoded features where the model gets the columns of the data. A Series and a dictionary
        have the names of the columns.
    data : Dataset, default=None
        What the model has learned from; gives labels and features their names.
    rows : array-like of int or None, default=None
        The rows of `data` that it has learned from, from 0; None: all, or not known.
    label_names : sequence of str or None, default=None
        Names of the labels; None: those of `data`, of the fit, or numbers.
    **setting
        Parameters of the model's path, such as ``n_neighbors=3``, that need no new fit; of a
        guarantee ``alpha`` or ``level``.

    Returns
    -------
    Explanation
        Its prediction is what `predict` returns. It prints as text; in a notebook it is drawn.

    Raises
    ------
    TypeError
        If the last step does not explain its predictions.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from labelrank_core import KNeighborsLabelRanker, load_sample
    >>> data = load_sample("iris")
    >>> model = make_pipeline(StandardScaler(), KNeighborsLabelRanker(n_neighbors=5))
    >>> model = model.fit(data.X, data.rankings)
    >>> print(str(explain_prediction(model, data.X[0], data)).splitlines()[0])
    Predicted: setosa > versicolor > virginica
    """
    case = one_case(x)
    if data is not None and not isinstance(case, pd.DataFrame):
        model = on_raw_columns(model, data.schema)
    estimator, encoded = bare_model(model, case)
    if not isinstance(estimator, SupportsExplanation):
        raise TypeError(
            f"Expected an estimator that explains its predictions, got {type(estimator).__name__}."
        )
    if setting and isinstance(estimator, SupportsPath):
        explanation = estimator.path(encoded).at(**setting).explain(0)
    else:
        explanation = estimator.explain(encoded, **setting)
    about = _about(_explained(model), case, data)
    if label_names is None:
        label_names = label_names_of(estimator) if data is None else data.label_names
    learned_rows = explanation.about.training_rows  # a guarantee learns a part of its cases
    if rows is not None:
        learned_rows = np.asarray(rows) if learned_rows is None else np.asarray(rows)[learned_rows]
    about = replace(about, label_names=label_names, training_rows=learned_rows)
    if data is not None:
        about = replace(about, label_colors=data.label_colors, nouns=data.nouns)
    return replace(explanation, about=about)


def label_names_of(estimator: Any) -> tuple[str, ...] | None:
    """Return the names of the labels that an estimator was fitted with; None: it had none."""
    names = getattr(estimator, "label_names_in_", None)
    return None if names is None else tuple(names)


def one_case(x: Any) -> Any:
    """Return a case as one row: with names as a frame, sparse as it is, others as an array."""
    x = named_case(x)
    if not isinstance(x, pd.DataFrame) and not sparse.issparse(x):
        x = np.atleast_2d(np.asarray(x))
    if x.shape[0] != 1:
        raise ValueError(f"Expected one case, got {x.shape[0]} rows.")
    return x


def about_features(x: Any, names: Sequence[str] | None = None) -> About:
    """Return the schema of the features of one row as an estimator gets it."""
    if isinstance(x, pd.DataFrame) and not _holds_numbers(x):
        encoded, schema, _ = encoded_frame(x)
        return About(schema=schema, x=_dense(encoded))
    if not _holds_numbers(x):
        return About()
    if names is None and isinstance(x, pd.DataFrame):
        names = [str(name) for name in x.columns]
    values = _dense(x)
    return About(
        schema=numeric_schema(names or [f"feature {j}" for j in range(len(values))]), x=values
    )


def _explained(model: Ranker) -> Any:
    """Return the model whose steps an explanation has: in the place of a wrapper its own one."""
    inner = getattr(last_step(model), "explained_estimator_", None)
    if inner is None:
        return model
    return _explained(make_pipeline(*steps_before(model), inner))


def _about(model: Ranker, case: Any, data: Dataset | None) -> About:
    """Describe the case in units of the data where these are known, else as the model has it."""
    units = feature_units(model)
    if units is None:
        return about_features(bare_model(model, case)[1], _names_out(model))
    if not _holds_numbers(case):
        return about_features(case)
    if data is not None and len(units[0]) == len(data.feature_names):
        return About(schema=data.schema, x=_dense(case), units=units)
    return replace(about_features(case), units=units)


def _names_out(model: Ranker) -> list[str] | None:
    """Return the feature names that the steps of a pipeline report; None if they report none."""
    steps = steps_before(model)
    if not steps:
        return None
    try:
        return [str(name) for name in make_pipeline(*steps).get_feature_names_out()]
    except (AttributeError, ValueError):
        return None


def _holds_numbers(x: Any) -> bool:
    kinds = x.dtypes if isinstance(x, pd.DataFrame) else [x.dtype]
    return all(map(is_numeric_dtype, kinds))


def _dense(x: Any) -> FloatArray:
    values = x.toarray() if sparse.issparse(x) else np.asarray(x)
    return np.asarray(values, dtype=np.float64)[0]
