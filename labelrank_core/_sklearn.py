"""The private names of scikit-learn this package uses, all of them, in one place."""

from sklearn.base import _fit_context as fit_context
from sklearn.ensemble._forest import _generate_sample_indices as generate_sample_indices
from sklearn.utils import _safe_indexing as rows_of
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.sparsefuncs import sparse_matmul_to_dense

__all__ = [
    "Interval",
    "StrOptions",
    "fit_context",
    "generate_sample_indices",
    "rows_of",
    "sparse_matmul_to_dense",
]
