"""The one check of features, before anything is computed from them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

# Distances square features, and linear methods multiply two such squares: summed over many features
# and cases, these may overflow with larger ones.
LARGEST_FEATURE = 1e70
# Squares of smaller features, and products of two such squares, vanish; solvers of support vector
# machines then run for ever.
SMALLEST_FEATURE = 1e-70


def require_sound_indices(X: Any) -> None:
    """Raise a ValueError for a sparse matrix whose indices point outside of it."""
    if not sparse.issparse(X) or X.format not in ("csr", "csc", "bsr"):
        return
    try:
        X.check_format(full_check=True)
    except ValueError as error:
        raise ValueError(
            f"Expected indices within the shape {X.shape} of a sparse matrix, got others: {error}."
        ) from None


def require_moderate_features(X: Any, *, allow_tiny: bool = False) -> None:
    """Raise a ValueError for features with which computations overflow or, all of them, vanish.

    Parameters
    ----------
    X : ndarray or sparse matrix
        Finite features.
    allow_tiny : bool, default=False
        Whether all may be smaller than `SMALLEST_FEATURE`, as they may be in cases to predict.
    """
    largest = largest_size(X)
    if largest > LARGEST_FEATURE:
        raise ValueError(
            f"Expected features of at most {LARGEST_FEATURE:g} in size, got {largest:g}. "
            "Scale them."
        )
    if 0 < largest < SMALLEST_FEATURE and not allow_tiny:
        raise ValueError(
            f"Expected features of at least {SMALLEST_FEATURE:g} in size, at least one of them, "
            f"got none above {largest:g}. Multiply them."
        )


def are_large(values: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell which finite numbers are larger than `LARGEST_FEATURE` in size."""
    return np.isfinite(values) & (np.abs(values) > LARGEST_FEATURE)


def largest_size(X: Any) -> float:
    """Return the largest absolute value of an array or a sparse matrix, without NaN; or 0.0."""
    values = X.data if sparse.issparse(X) else X
    high = np.fmax.reduce(values, axis=None, initial=0.0)
    return max(float(high), -float(np.fmin.reduce(values, axis=None, initial=0.0)))
