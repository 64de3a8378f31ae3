"""One support vector machine for every column of a matrix of signs."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn import config_context
from sklearn.svm import SVC, LinearSVC

from labelrank_core.aggregation.sums import chunks
from labelrank_core.explain.evidence import ScoreParts
from labelrank_core.methods.convergence import one_warning_for_all, warn_of_stopped
from labelrank_core.methods.kernels import Kernel
from labelrank_core.methods.pair_ranker import common_scale
from labelrank_core.rankings import FloatArray, IntArray

# Kernels with the training cases are computed for this many numbers at once (32 MB).
_BLOCK_CELLS = 1 << 22
# Without a limit some machines hardly converge.
MOST_STEPS = 1_000_000
_MOST_PASSES = 1000


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


@dataclass(frozen=True, eq=False)
class Margins:
    """Machines of all columns with the data that scoring cases needs.

    Parameters
    ----------
    machines : Machines
        What was learned.
    kernel : Kernel or None
        None: linear.
    cases : ndarray or sparse matrix
        With a kernel the training cases, else their mean.
    """

    machines: Machines
    kernel: Kernel | None
    cases: Any

    def of(self, X: Any) -> FloatArray:
        """Return the margins of some cases, (n_cases, n_columns)."""
        weights, intercept = self.machines.weights, self.machines.intercept
        if self.kernel is None:
            return np.asarray(X @ weights) + intercept
        blocks = chunks(X.shape[0], self.cases.shape[0], at_once=_BLOCK_CELLS)
        margins = [self.kernel(X[part], self.cases) @ weights for part in blocks]
        return np.concatenate(margins) + intercept

    def split(self, x: Any) -> tuple[FloatArray, FloatArray]:
        """Return the inputs of one case, a matrix of one row, and the columns' baselines.

        Features minus their means, and the margins of the mean case; or similarities to the
        training cases, and the intercepts.
        """
        if self.kernel is not None:
            return self.kernel(x, self.cases)[0], self.machines.intercept
        values = x.toarray()[0] if sparse.issparse(x) else x[0]
        return values - self.cases, self.cases @ self.machines.weights + self.machines.intercept

    def parts(self, x: Any, columns: Any = slice(None)) -> ScoreParts:
        """Split the margins of one case, a matrix of one row, over the zero line."""
        inputs, baseline = self.split(x)
        return ScoreParts(
            baseline=baseline[columns],
            thresholds=np.zeros(len(baseline[columns])),
            inputs=inputs,
            weights={"own part": self.machines.weights[:, columns]},
            input_kind=self.input_kind,
        )

    @property
    def input_kind(self) -> Literal["feature", "training row"]:
        """The kind of input that has weights in the margins."""
        return "feature" if self.kernel is None else "training row"


def kernel_of(name: str, *, degree: int, gamma: float | None) -> Kernel | None:
    """Return a kernel; None: linear. The polynomial one is (x · z / n_features + 1)^degree."""
    if name == "linear":
        return None
    return Kernel(name, {"gamma": gamma if name == "rbf" else None, "degree": degree, "coef0": 1})


def learn_margins(
    X: Any, signs: FloatArray, C: float, kernel: Kernel | None, *, loss: str
) -> Margins:
    """Learn every column from the rows where its sign is 1 or -1; the cases are kept.

    `loss`: ``"squared_hinge"`` or ``"hinge"``, of linear machines; kernels have the hinge loss.
    """
    if kernel is None:
        mean = np.asarray(X.mean(axis=0), dtype=np.float64).ravel()
        learn = learn_linear if loss == "squared_hinge" else learn_linear_hinge
        return Margins(learn(X, signs, C), None, mean)
    return Margins(learn_kernel(kernel(X), signs, C), kernel, X)


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
        C=C, dual=dual, tol=1e-6, max_iter=_MOST_PASSES, random_state=0, fit_intercept=fit_intercept
    )
    machines, n_stopped = _unlearned(X.shape[1], signs), 0
    with one_warning_for_all():
        for column, rows in columns_with_both(signs):
            machine.fit(X if len(rows) == X.shape[0] else X[rows], signs[rows, column])
            machines.weights[:, column] = machine.coef_[0] / scale
            machines.intercept[column] = np.ravel(machine.intercept_)[0]
            n_stopped += int(np.max(machine.n_iter_)) >= _MOST_PASSES
    _warn_of_machines(n_stopped, _MOST_PASSES)
    return machines


def learn_linear_hinge(X: Any, signs: FloatArray, C: float) -> Machines:
    """Learn every column by libsvm with the hinge loss, from the rows where its sign is 1 or -1.

    Features are divided as in `learn_linear`. The inner products of all cases are in memory.
    """
    scale = common_scale(X.data if sparse.issparse(X) else X)
    X = X / scale if scale > 1 else X
    gram = X @ X.T
    machines = learn_kernel(gram.toarray() if sparse.issparse(gram) else gram, signs, C)
    return replace(machines, weights=np.asarray(X.T @ machines.weights) / scale)


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
    machines, n_stopped = _unlearned(len(gram), signs), 0
    # Of small machines a good part of the time went into checking the parameters again.
    with config_context(skip_parameter_validation=True), one_warning_for_all():
        for column, rows in columns_with_both(signs):
            machine = SVC(C=C, kernel="precomputed", max_iter=MOST_STEPS, random_state=0)
            row_gram = gram if len(rows) == len(gram) else gram[np.ix_(rows, rows)]
            machine.fit(row_gram, signs[rows, column])
            machines.weights[rows[machine.support_], column] = machine.dual_coef_[0]
            machines.intercept[column] = machine.intercept_[0]
            n_stopped += machine.fit_status_ != 0
    _warn_of_machines(n_stopped, MOST_STEPS)
    return machines


def _warn_of_machines(n_stopped: int, most_steps: int) -> None:
    remedy = "Scale the features, or take a smaller C (a larger alpha)."
    warn_of_stopped(n_stopped, "support vector machine", most_steps, remedy)


def _unlearned(n_inputs: int, signs: FloatArray) -> Machines:
    intercept = constant_signs(signs)
    return Machines(np.zeros((n_inputs, signs.shape[1])), intercept, intercept != 0)


def constant_signs(signs: FloatArray) -> FloatArray:
    """Return the sign of every column with one sign, 0 for those with both or none."""
    has_positive, has_negative = (signs > 0).any(axis=0), (signs < 0).any(axis=0)
    constant: FloatArray = np.subtract(has_positive, has_negative, dtype=np.float64)
    return constant


def columns_with_both(signs: FloatArray) -> Iterator[tuple[int, IntArray]]:
    """List every column with both signs, and the rows that have one."""
    for column in np.flatnonzero((signs > 0).any(axis=0) & (signs < 0).any(axis=0)):
        yield int(column), np.flatnonzero(np.abs(signs[:, column]) == 1)
