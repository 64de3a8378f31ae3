"""What all measures share: the shape check, work in bounded chunks, the mean of the cases."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from labelrank_core.rankings import FloatArray

CHUNK_CELLS = 2**18

Array = NDArray[Any]


def paired(Y_true: ArrayLike, Y_pred: ArrayLike) -> tuple[Array, Array]:
    """Return both as arrays of one two-dimensional shape, or raise ValueError."""
    truth, prediction = np.asarray(Y_true), np.asarray(Y_pred)
    if truth.ndim != 2 or truth.shape != prediction.shape:
        raise ValueError(
            "Expected truth and prediction of one shape (n_samples, n_labels), "
            f"got {truth.shape} and {prediction.shape}."
        )
    return truth, prediction


def paired_complete(Y_true: ArrayLike, Y_pred: ArrayLike) -> tuple[Array, Array]:
    """Return both as arrays of one shape; a NaN in the prediction raises ValueError."""
    truth, prediction = paired(Y_true, Y_pred)
    if prediction.dtype.kind == "f":
        missing = np.isnan(prediction)
        if missing.any():
            row = int(np.argmax(missing.any(axis=1)))
            raise ValueError(
                f"Expected a prediction for every label, got row {row}: {prediction[row]}."
            )
    return truth, prediction


def in_chunks(
    measure: Callable[[Array, Array], FloatArray], truth: Array, prediction: Array
) -> FloatArray:
    """Measure blocks of rows, so that temporaries stay small however many rows there are."""
    n_samples, n_labels = truth.shape
    step = max(1, CHUNK_CELLS // max(1, n_labels))
    if n_samples <= step:
        return measure(truth, prediction)
    values = np.empty(n_samples)
    for start in range(0, n_samples, step):
        rows = slice(start, start + step)
        values[rows] = measure(truth[rows], prediction[rows])
    return values


def within(places: FloatArray, k: int) -> FloatArray:
    """Tell which places, counted from 0, are among the first k; NaN stays NaN."""
    if k < 1:
        raise ValueError(f"Expected k of at least 1, got {k}.")
    return np.where(np.isnan(places), np.nan, places < k)


def mean_of_cases(values: FloatArray) -> float:
    """Average the cases that have a value.

    Parameters
    ----------
    values : ndarray of shape (n_samples,)
        Values of the cases; NaN = none.

    Returns
    -------
    float
        The mean, NaN where no case has a value.

    Examples
    --------
    >>> mean_of_cases(np.array([1.0, np.nan, 2.0]))
    1.5
    """
    counted = values[~np.isnan(values)]
    return float(counted.mean()) if len(counted) else float("nan")
