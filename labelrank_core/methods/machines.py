"""Support vector machines by the dozen: one for every column of a matrix of signs."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.svm import SVC, LinearSVC

from labelrank_core.methods.pair_ranker import common_scale
from labelrank_core.rankings import FloatArray, IntArray

# Without a limit some machines that can hardly be learned take for ever.
_MOST_STEPS = 1_000_000


@dataclass(frozen=True, eq=False)
class Machines:
    """The margins of all columns: weighted sums over features, or over training cases.

    Parameters
    ----------
    weights : ndarray of shape (n_features, n_columns) or (n_samples, n_columns)
        0 in columns with one sign.
    intercept : ndarray of shape (n_columns,)
        In columns with one sign that sign, which costs no loss; 0 in columns without a sign.
    is_constant : ndarray of bool of shape (n_columns,)
        The columns with one sign.
    """

    weights: FloatArray
    intercept: FloatArray
    is_constant: NDArray[np.bool_]


def learn_linear(X: Any, signs: FloatArray, C: float, *, fit_intercept: bool = True) -> Machines:
    """Learn every column by liblinear, from the rows where its sign is 1 or -1.

    Features, sparse or dense, are divided by one power of two if any exceeds 1000 in size.
    """
    scale = common_scale(X.data if sparse.issparse(X) else X)
    X = _readable(X / scale if scale > 1 else X)
    # Newton's method on the primal does not depend on a random order, as the dual does; but where
    # features outnumber cases, as in text, it takes a hundred times as long.
    dual = X.shape[1] > X.shape[0]
    machine = LinearSVC(
        C=C, dual=dual, tol=1e-6, max_iter=1000, random_state=0, fit_intercept=fit_intercept
    )
    found = _unlearned(X.shape[1], signs)
    for column, rows in _with_both(signs):
        machine.fit(X if len(rows) == X.shape[0] else X[rows], signs[rows, column])
        found.weights[:, column] = machine.coef_[0] / scale
        found.intercept[column] = np.ravel(machine.intercept_)[0]
    return found


def _readable(X: Any) -> Any:
    """Return cases with the only type of indices that liblinear reads."""
    if not sparse.issparse(X):
        return X
    X = sparse.csr_matrix(X)
    X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)
    return X


def learn_kernel(gram: FloatArray, signs: FloatArray, C: float) -> Machines:
    """Learn every column by libsvm, from the kernel of the training cases with each other.

    It stops after a million steps for a column, with scikit-learn's ``ConvergenceWarning``.
    """
    found = _unlearned(len(gram), signs)
    for column, rows in _with_both(signs):
        machine = SVC(C=C, kernel="precomputed", max_iter=_MOST_STEPS, random_state=0)
        machine.fit(gram[np.ix_(rows, rows)], signs[rows, column])
        found.weights[rows[machine.support_], column] = machine.dual_coef_[0]
        found.intercept[column] = machine.intercept_[0]
    return found


def _unlearned(n_carriers: int, signs: FloatArray) -> Machines:
    above, below = (signs > 0).any(axis=0), (signs < 0).any(axis=0)
    only: FloatArray = np.subtract(above, below, dtype=np.float64)
    return Machines(np.zeros((n_carriers, signs.shape[1])), only, only != 0)


def _with_both(signs: FloatArray) -> Iterator[tuple[int, IntArray]]:
    """List every column with both signs, and the rows that have one."""
    for column in np.flatnonzero((signs > 0).any(axis=0) & (signs < 0).any(axis=0)):
        yield int(column), np.flatnonzero(np.abs(signs[:, column]) == 1)
