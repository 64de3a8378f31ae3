"""The common parts of measures of cases: shape check, bounded chunks, mean over cases."""

from collections.abc import Callable
from functools import partial, wraps
from inspect import Parameter, signature
from typing import Any, Literal, Protocol, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from labelrank_core.rankings import FloatArray, strict_positions

CHUNK_CELLS = 2**18

Array = NDArray[Any]


class CaseMeasure(Protocol):
    """A measure of single cases: their mean, or one value per case with ``average=None``."""

    @overload
    def __call__(
        self,
        Y_true: ArrayLike,
        Y_pred: ArrayLike,
        *,
        average: Literal["mean"] = "mean",
        **options: Any,
    ) -> float: ...

    @overload
    def __call__(
        self, Y_true: ArrayLike, Y_pred: ArrayLike, *, average: None, **options: Any
    ) -> FloatArray: ...


def measure_of_cases(values: Callable[..., FloatArray]) -> CaseMeasure:
    """Turn a function of checked arrays, one value per case, into a public measure."""

    @wraps(values)
    def measure(
        Y_true: ArrayLike, Y_pred: ArrayLike, *, average: str | None = "mean", **options: Any
    ) -> float | FloatArray:
        if average not in ("mean", None):
            raise ValueError(f"Expected average to be 'mean' or None, got {average!r}.")
        case_values = _in_chunks(partial(values, **options), *paired(Y_true, Y_pred))
        return case_values if average is None else mean_of_cases(case_values)

    core_signature = signature(values)
    added = Parameter("average", Parameter.KEYWORD_ONLY, default="mean")
    public = core_signature.replace(parameters=[*core_signature.parameters.values(), added])
    measure.__signature__ = public  # type: ignore[attr-defined]
    return measure  # type: ignore[return-value]


def paired(Y_true: ArrayLike, Y_pred: ArrayLike) -> tuple[Array, Array]:
    """Check and return truth and prediction: one shape (n_samples, n_labels), no NaN predicted."""
    truth, prediction = np.asarray(Y_true), np.asarray(Y_pred)
    if truth.ndim != 2 or truth.shape != prediction.shape:
        raise ValueError(
            "Expected truth and prediction of one shape (n_samples, n_labels), "
            f"got {truth.shape} and {prediction.shape}."
        )
    if prediction.dtype.kind == "f":
        missing = np.isnan(prediction)
        if missing.any():
            row = int(np.argmax(missing.any(axis=1)))
            raise ValueError(
                f"Expected a prediction for every label, got row {row}: {prediction[row]}."
            )
    return truth, prediction


def _in_chunks(
    values: Callable[[Array, Array], FloatArray], truth: Array, prediction: Array
) -> FloatArray:
    """Measure blocks of rows, so that temporaries stay small."""
    n_samples, n_labels = truth.shape
    step = max(1, CHUNK_CELLS // max(1, n_labels))
    if n_samples <= step:
        return values(truth, prediction)
    case_values = np.empty(n_samples)
    for start in range(0, n_samples, step):
        rows = slice(start, start + step)
        case_values[rows] = values(truth[rows], prediction[rows])
    return case_values


def best_place(targets: NDArray[np.bool_], keys: Array) -> FloatArray:
    """Return the place, from 0, of the first target by rising key; ties by label index."""
    positions = np.where(targets, strict_positions(keys), np.inf)
    return positions.min(axis=1) - 1


def within(indices: FloatArray, k: int) -> FloatArray:
    """Tell which places, counted from 0, are among the first k; NaN stays NaN."""
    return np.where(np.isnan(indices), np.nan, indices < at_least_one(k))


def at_least_one(k: int) -> int:
    """Return k, or raise a ValueError if it is below 1."""
    if k < 1:
        raise ValueError(f"Expected k of at least 1, got {k}.")
    return k


def orders_nothing(truth: Array) -> NDArray[np.bool_]:
    """Tell in which rows fewer than two labels are ranked, or all of them tie."""
    missing = np.isnan(truth)
    first = np.where(missing, np.inf, truth).min(axis=1)
    last = np.where(missing, -np.inf, truth).max(axis=1)
    return np.asarray(first >= last)


def mean_of_cases(values: FloatArray) -> float:
    """Average the cases that have a value.

    Parameters
    ----------
    values : ndarray of shape (n_samples,)
        One value per case; NaN = none.

    Returns
    -------
    float
        The mean; NaN where no case has a value.

    Examples
    --------
    >>> mean_of_cases(np.array([1.0, np.nan, 2.0]))
    1.5
    """
    counted = values[~np.isnan(values)]
    return float(counted.mean()) if len(counted) else float("nan")
