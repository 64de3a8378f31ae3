"""Names of labels, from the targets of `fit` to the predictions."""

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from inspect import isfunction
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd

from labelrank_core.data.findings import listed
from labelrank_core.data.frames import as_pandas, named_targets
from labelrank_core.data.pair_preferences import PairPreferences
from labelrank_core.data.ranking_words import ZERO_LINE

_PREDICTIONS = ("predict", "predict_ranking", "predict_proba", "decision_function", "raw_scores")


class NamedLabelsMixin:
    """Frames in, frames out, for every estimator of this package.

    The methods that a class defines are wrapped, as scikit-learn's ``set_output`` wraps
    ``transform``. `fit` takes Y as an array, as a frame with a column per label, or as rankings in
    words (``"b > a = c"``); X and Y may be frames of pandas, Polars, PyArrow or Narwhals. If the
    columns of Y have names, or Y is in words, the fitted estimator has ``label_names_in_``, an
    ndarray of shape (n_labels,), and `predict`, `predict_ranking`, `predict_proba`,
    `decision_function` and `raw_scores` return pandas frames with these columns and the index of
    X (0, 1, ... if X has none). Otherwise they return arrays, whatever X is. `set_output` chooses
    arrays, pandas or Polars for both.
    """

    # Whether targets are label sets or calibrated rankings.
    _learns_label_sets: ClassVar[bool] = False
    # Whether `fit` takes `PairPreferences`, which are no positions.
    _learns_pair_preferences: ClassVar[bool] = False
    # What to do with such preferences where `fit` takes none, as sentences.
    _use_for_pairs: ClassVar[str] = (
        "Methods that compare pairs learn from those, such as PairwiseLabelRanker."
    )

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        wrappers = {"fit": _named_fit, **dict.fromkeys(_PREDICTIONS, name_predictions)}
        for name, wrap in wrappers.items():
            method = vars(cls).get(name)
            if isfunction(method):
                setattr(cls, name, wrap(method))

    def set_output(self, *, predict: str | None = None) -> Self:
        """Choose the container of predictions, as for scikit-learn's transformers.

        Parameters
        ----------
        predict : {"default", "pandas", "polars"} or None, default=None
            ``"default"``: arrays, even where labels have names. ``"pandas"``: frames, with columns
            0, 1, ... where labels have none. ``"polars"``: these as frames of Polars, which have
            no index. None: no change; before any choice, frames of pandas where labels have names.

        Returns
        -------
        self
            The estimator; clones keep the choice.
        """
        if predict not in ("default", "pandas", "polars", None):
            raise ValueError(
                f"Expected 'default', 'pandas', 'polars' or None in predict, got {predict!r}."
            )
        if predict is not None:
            # By this name, `clone` of scikit-learn copies it.
            self._sklearn_output_config = {"predict": predict}
        return self

    def _label_names_before_fit(self) -> tuple[str, ...] | None:
        """Return the names that `fit` must keep to, of a wrapper of a fitted model; None: any."""
        return None

    def _unnamed_targets(self, Y: Any) -> Any:
        """Return targets as an array, with the labels in the order of the fit."""
        values, names = named_targets(Y, getattr(self, "label_names_in_", None))
        if names and self._learns_label_sets:
            _require_zero_line(values, names)
        return values


def _require_zero_line(values: Any, names: tuple[str, ...]) -> None:
    """Refuse rankings whose last column is not called the zero line."""
    # A missing cell beside 0 and 1 is refused where targets are checked; words have no 0.
    is_binary = np.isin(values, (0, 1)) | (np.isnan(values) & np.any(values == 0))
    if names[-1] != ZERO_LINE and not is_binary.all():
        raise ValueError(
            f"Expected 0 and 1 in Y, or rankings whose last label is called {ZERO_LINE!r}, got "
            f"rankings of {listed(list(names))}."
        )


def _named_fit(fit: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(fit)
    def wrapper(self: Any, X: Any, *args: Any, **kwargs: Any) -> Any:
        names, names_before_fit = None, self._label_names_before_fit()
        if args:
            values, names = named_targets(args[0], names_before_fit)
            args = (values, *args[1:])
        elif "Y" in kwargs:
            kwargs["Y"], names = named_targets(kwargs["Y"], names_before_fit)
        targets = args[0] if args else kwargs.get("Y")
        if isinstance(targets, PairPreferences) and not self._learns_pair_preferences:
            raise ValueError(
                f"{type(self).__name__} learns from whole rankings: expected positions in Y, got "
                f"preferences between single pairs of labels. {self._use_for_pairs}"
            )
        if names and self._learns_label_sets:
            _require_zero_line(targets, names)
        # Predictions within the fit are arrays, also in a second fit.
        vars(self).pop("label_names_in_", None)
        output_config = vars(self).pop("_sklearn_output_config", None)
        try:
            result = fit(self, as_pandas(X), *args, **kwargs)
        finally:
            if output_config is not None:
                self._sklearn_output_config = output_config
        if names := names or names_before_fit:
            self.label_names_in_ = np.array(names[: self.n_labels_], dtype=object)
        return result

    return wrapper


def name_predictions(predict: Callable[..., Any]) -> Callable[..., Any]:
    """Let a method that predicts a column per label return frames where labels have names."""

    @wraps(predict)
    def wrapper(self: Any, X: Any, *args: Any, **kwargs: Any) -> Any:
        X = as_pandas(X)
        values = predict(self, X, *args, **kwargs)
        names = getattr(self, "label_names_in_", None)
        container = getattr(self, "_sklearn_output_config", {}).get("predict")
        if container == "default" or (container is None and names is None):
            return values
        if container == "polars":
            columns = np.asarray(values).T
            texts = map(str, range(len(columns)) if names is None else names)
            return import_module("polars").DataFrame(dict(zip(texts, columns, strict=True)))
        index = X.index if isinstance(X, pd.DataFrame) else None
        return pd.DataFrame(np.asarray(values), index=index, columns=names, copy=False)

    return wrapper
