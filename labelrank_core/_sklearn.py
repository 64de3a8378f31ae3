"""The private names of scikit-learn this package uses, all of them, in one place."""

import sys
import warnings
from collections.abc import Callable
from functools import wraps
from inspect import signature
from math import isfinite
from numbers import Integral, Real
from typing import Any, TypeVar, cast

from sklearn.base import _fit_context
from sklearn.ensemble._forest import _generate_sample_indices
from sklearn.utils import _safe_indexing as rows_of
from sklearn.utils._param_validation import (
    HasMethods,
    Interval,
    StrOptions,
    validate_parameter_constraints,
)
from sklearn.utils.sparsefuncs import sparse_matmul_to_dense

__all__ = [
    "HasMethods",
    "Interval",
    "StrOptions",
    "fit_context",
    "generate_sample_indices",
    "rows_of",
    "sparse_matmul_to_dense",
    "validate_params",
    "warn",
]

# A method `fit`, whose types stay.
_Fit = TypeVar("_Fit", bound=Callable[..., Any])

# The largest whole number that all libraries take.
_LARGEST_WHOLE = 2**31 - 1
# Beyond these, products with numbers of the data overflow or vanish, and solvers may run for ever.
_SMALLEST, _LARGEST = 1e-100, 1e100
# scikit-learn 1.9 added the weights of the samples.
_NO_WEIGHTS = (None,) * (len(signature(_generate_sample_indices).parameters) - 3)


def generate_sample_indices(random_state: int, n_samples: int, n_drawn: int) -> Any:
    """Return the indices of the rows that a forest draws for the tree of this seed."""
    return _generate_sample_indices(random_state, n_samples, n_drawn, *_NO_WEIGHTS)


def fit_context(*, prefer_skip_nested_validation: bool) -> Callable[[_Fit], _Fit]:
    """Return scikit-learn's decorator of `fit`, which also refuses numbers of no sensible size."""
    decorate = _fit_context(prefer_skip_nested_validation=prefer_skip_nested_validation)

    def decorated(fit: _Fit) -> _Fit:
        validated = decorate(fit)

        @wraps(fit)
        def wrapper(estimator: Any, *args: Any, **kwargs: Any) -> Any:
            for name, value in estimator.get_params(deep=False).items():
                # Seeds are 32-bit numbers without a sign, which scikit-learn checks.
                if name != "random_state":
                    _require_sensible_size(name, value)
            return validated(estimator, *args, **kwargs)

        return cast(_Fit, wrapper)

    return decorated


def validate_params(estimator: Any) -> None:
    """Raise a ValueError for parameters that an estimator's constraints exclude."""
    validate_parameter_constraints(
        estimator._parameter_constraints,
        estimator.get_params(deep=False),
        caller_name=type(estimator).__name__,
    )


def _require_sensible_size(name: str, value: Any) -> None:
    """Raise a ValueError for a number beyond all counting or measuring."""
    if isinstance(value, Integral):
        if abs(int(value)) > _LARGEST_WHOLE:
            raise ValueError(f"Expected {name} of at most {_LARGEST_WHOLE} in size, got {value}.")
        if name == "n_jobs" and value == 0:
            raise ValueError("Expected n_jobs of 1 or more, or below 0 for all threads, got 0.")
    elif (
        isinstance(value, Real)
        and isfinite(value)
        and value != 0
        and not _SMALLEST <= abs(float(value)) <= _LARGEST
    ):
        raise ValueError(
            f"Expected {name} of 0, or between {_SMALLEST:g} and {_LARGEST:g} in size, got {value}."
        )


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Issue a warning of the line outside this package and scikit-learn that led to it."""
    packages = {__name__.partition(".")[0], "sklearn"}
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None:
        if frame.f_globals.get("__name__", "").partition(".")[0] not in packages:
            break
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
