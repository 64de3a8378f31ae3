"""Kernel pairwise ridge: kernel regression on the sign of every pair of labels."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg
from scipy.spatial.distance import cdist

from labelrank_core._sklearn import Interval, StrOptions, fit_context
from labelrank_core.aggregation import TIES
from labelrank_core.aggregation.bucket_orders import PairVotes, bucket_orders
from labelrank_core.aggregation.sums import chunks
from labelrank_core.data.pair_preferences import PairPreferences
from labelrank_core.explain.evidence import (
    PairParts,
    agreement_with,
)
from labelrank_core.methods.pair_ranker import PairwiseRanker, common_scale
from labelrank_core.methods.pairs import (
    DECIMALS,
    PairPath,
    PairPoint,
    PairTerms,
    ahead_of,
    split_signs,
    summed,
)
from labelrank_core.rankings import FloatArray, IntArray, strict_positions

# The choices of leave-one-out, largest first, so that the largest of equally good ones wins.
PENALTIES = tuple(10.0**power for power in range(2, -5, -1))
# Eigenvectors of up to this many numbers are kept (128 MB), others computed again when needed.
_KEPT_CELLS = 1 << 24
# Kernels with the training cases are computed for this many numbers at once (32 MB).
_BLOCK_CELLS = 1 << 22
_TERMS = PairTerms(
    score="sum of predicted preferences",
    pair="{ahead} ahead of {behind}: the predicted preference is {share}.",
    meaning=agreement_with("this ranking", "the predicted preferences"),
    definition=(
        "mean over all pairs of labels of the predicted preference, cut to 0 to 1, for the label "
        "that is predicted ahead"
    ),
    voters="the weighted votes of the training cases",
)


@dataclass(frozen=True, eq=False)
class _Group:
    """Pairs that the same training cases rank, with the kernel of these cases factorised."""

    pairs: IntArray
    rows: IntArray
    values: FloatArray
    vectors: FloatArray
    projected: FloatArray

    def duals(self, penalty: float) -> FloatArray:
        """Return the weights of these cases, (n_rows, n_pairs of the group)."""
        return self.vectors @ (self.projected / (self.values + penalty)[:, None])

    def left_out(self, penalty: float, targets: FloatArray) -> FloatArray:
        """Predict each of these cases from the others: y - dual / diagonal of the inverse."""
        inverse = (self.vectors**2) @ (1 / (self.values + penalty))
        return targets - self.duals(penalty) / inverse[:, None]


class KernelPairwiseRanker(PairwiseRanker):
    """Rank labels by kernel ridge regression on the sign of every pair [korba2018]_.

    The target of a pair i < j is 1 where i is preferred, -1 where j is, 0 where they tie (the
    'Kemeny embedding'). Labels are ordered by the sums of the predictions for their pairs.

    Parameters
    ----------
    penalty : float or None, default=None
        Added to the diagonal of the kernel, larger than 0; as ``alpha`` of scikit-learn's
        ``KernelRidge``. None: the one of 1e-4, 1e-3, ..., 100 with the largest leave-one-out
        Kendall's tau on the training cases, computed in closed form.
    kernel : {"rbf", "linear"}, default="rbf"
        As in scikit-learn.
    gamma : float or None, default=None
        Parameter of the rbf kernel, larger than 0; None: 1 / (2 n_features).
    ties : {"break", "predict"}, default="break"
        ``"predict"``: labels may share a position. The targets of a pair are then two, each
        1 where one of both labels is strictly ahead, else -1, and the penalty is that with the
        largest leave-one-out tau_x.
        The prediction is the bucket order with the least expected Kemeny distance, and so with
        the largest expected tau_x: exactly for up to 8 labels, beyond by local search. The
        confidence is 1 - expected distance / largest one.

    Attributes
    ----------
    penalty_ : float
        The penalty in use.
    dual_coef_ : ndarray of shape (n_samples, n_pairs)
        Weights of the training cases, pairs as in ``numpy.triu_indices(n_labels, 1)``. With
        ``ties="predict"`` twice as many: for the first label of every pair, then for the second.
    n_labels_ : int
        Number of labels.
    n_features_in_ : int
        Number of features.

    Notes
    -----
    Targets are not centred: far from all training cases neither label of a pair is preferred.

    Complete rankings need one eigendecomposition of the kernel, for all pairs and penalties.
    Partial ones need one for every set of cases that rank both labels of some pair, up to
    m (m - 1) / 2 of them; leaving a case out of a pair that it does not rank changes nothing.
    Numbers are rounded to 12 decimals; ties are broken by label index. With the linear kernel all
    features are divided by one power of two if any exceeds 1000 in size. Sparse cases are made
    dense.

    The penalty by leave-one-out, and targets of 0 for ties, are our own choice.

    References
    ----------
    .. [korba2018] A. Korba, A. Garcia, F. d'Alché-Buc: A structured prediction approach for label
       ranking. NeurIPS 2018.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> Y = [[1, 2, 3], [1, 2, 3], [3, 2, 1], [3, 2, 1]]
    >>> model = KernelPairwiseRanker(0.1).fit(X, Y)
    >>> model.predict([[0.4], [2.9]])
    array([[1, 2, 3],
           [3, 2, 1]])
    >>> model.path([[0.4]]).at(penalty=10.0).confidence.round(1)
    array([0.6])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "penalty": [Interval(Real, 0, None, closed="neither"), None],
        "kernel": [StrOptions({"rbf", "linear"})],
        "gamma": [Interval(Real, 0, None, closed="neither"), None],
        "ties": [StrOptions(set(TIES))],
    }

    def __init__(
        self,
        penalty: float | None = None,
        *,
        kernel: str = "rbf",
        gamma: float | None = None,
        ties: str = "break",
    ) -> None:
        self.penalty = penalty
        self.kernel = kernel
        self.gamma = gamma
        self.ties = ties

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, Y: ArrayLike) -> Self:
        """Factorise the kernel of the training cases and solve for every pair.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training cases. Sparse ones are made dense, which must not take more than 512 MB.
        Y : array-like of shape (n_samples, n_labels) or PairPreferences
            Their positions; labels may tie, NaN = not ranked. Or preferences between any pairs
            of labels.

        Returns
        -------
        self
            Fitted.

        Raises
        ------
        ValueError
            If a parameter or an array is not as described.
        """
        self._cases_learned, signs = self._training_data(X, Y)
        self._signs = split_signs(signs) if self.ties == "predict" else signs
        self._scale = common_scale(self._cases_learned) if self.kernel == "linear" else 1.0
        self._gamma = 0.5 / self.n_features_in_ if self.gamma is None else float(self.gamma)
        self._stored: list[_Group] | None = None
        self._duals: dict[float, FloatArray] = {}
        truth = Y if isinstance(Y, PairPreferences) else np.asarray(Y, dtype=np.float64)
        self.penalty_ = self._choose(truth) if self.penalty is None else float(self.penalty)
        self.dual_coef_ = self._dual_of(self.penalty_)
        return self

    def _kernel(self, X: FloatArray) -> FloatArray:
        """Return the kernel of some cases with the training cases."""
        if self.kernel == "linear":
            return (X / self._scale) @ (self._cases_learned / self._scale).T
        # Unlike inner products, cdist does not depend on the other cases in the batch.
        kernel: FloatArray = cdist(X, self._cases_learned, "sqeuclidean")
        np.exp(np.multiply(kernel, -self._gamma, out=kernel), out=kernel)
        return kernel

    def _groups(self) -> Iterator[_Group]:
        """Factorise the kernel for every set of cases that rank both labels of some pair."""
        if self._stored is not None:
            yield from self._stored
            return
        ranked = ~np.isnan(self._signs)
        patterns, group_of = np.unique(ranked, axis=1, return_inverse=True)
        groups: list[_Group] | None = []
        sizes = patterns.sum(axis=0, dtype=np.int64)
        if sizes @ sizes > _KEPT_CELLS:
            groups = None
        gram = self._kernel(self._cases_learned)
        for i, pattern in enumerate(patterns.T):
            pairs, rows = np.flatnonzero(group_of.ravel() == i), np.flatnonzero(pattern)
            if not len(rows):
                continue
            values, vectors = linalg.eigh(gram[np.ix_(rows, rows)], driver="evd")
            projected = vectors.T @ self._signs[np.ix_(rows, pairs)]
            group = _Group(pairs, rows, np.maximum(values, 0), vectors, projected)
            if groups is not None:
                groups.append(group)
            yield group
        self._stored = groups

    def _choose(self, truth: FloatArray | PairPreferences) -> float:
        """Return the penalty with the best leave-one-out Kendall's tau, or tau_x with ties."""
        gram = self._kernel(self._cases_learned)
        signs = np.zeros((len(PENALTIES), *self._signs.shape))
        duals = np.zeros_like(signs)
        for group in self._groups():
            targets = self._signs[np.ix_(group.rows, group.pairs)]
            for i, penalty in enumerate(PENALTIES):
                group_duals = group.duals(penalty)
                duals[i][np.ix_(group.rows, group.pairs)] = group_duals
                signs[i][:, group.pairs] = gram[:, group.rows] @ group_duals
                signs[i][np.ix_(group.rows, group.pairs)] = group.left_out(penalty, targets)
        self._duals = dict(zip(PENALTIES, duals, strict=True))
        taus = [self._tau(truth, self._ranked((1 + predicted) / 2)) for predicted in signs]
        best = int(np.argmax(np.nan_to_num(np.round(taus, DECIMALS), nan=-1.0)))
        return PENALTIES[best]

    def _ranked(self, preferences: FloatArray) -> IntArray:
        """Rank the labels by the preferences predicted for the pairs."""
        m = self.n_labels_
        if self.ties == "break":
            return strict_positions(-summed(preferences, m).round(DECIMALS))
        votes = PairVotes.of_shares(ahead_of(np.clip(preferences, 0.0, 1.0), m))
        return bucket_orders(votes.gains)

    def _dual_of(self, penalty: float) -> FloatArray:
        """Return the weights of the training cases at a penalty, (n_samples, n_pairs)."""
        if penalty in self._duals:
            return self._duals[penalty]
        duals = np.zeros(self._signs.shape)
        for group in self._groups():
            duals[np.ix_(group.rows, group.pairs)] = group.duals(penalty)
        return duals

    def path(self, X: ArrayLike) -> "KernelPath":
        """Compare some cases with the training cases once, then predict at any penalty.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        KernelPath
            ``path.at(penalty=...)`` equals a fresh fit.
        """
        cases, n_training = self._cases(X), len(self._signs)
        return KernelPath(self, cases, self._observed, self._kernel, self._dual_of, n_training)


class KernelPath(PairPath):
    """The kernel of some cases with the training cases, for predictions at every penalty."""

    # Kept for few cases; for many it is computed again, block by block.
    def __init__(
        self,
        model: Any,
        X: FloatArray,
        observed: FloatArray,
        kernel: Callable[[FloatArray], FloatArray],
        duals_at: Callable[[float], FloatArray],
        n_training: int,
    ) -> None:
        super().__init__(model, X, observed)
        self.kernel = kernel
        # The weights of the training cases at a penalty, (n_samples, n_pairs).
        self.duals_at = duals_at
        blocks = chunks(len(X), n_training, at_once=_BLOCK_CELLS)
        self._blocks = [X[part] for part in blocks]
        self._stored = [kernel(X)] if len(self._blocks) == 1 else None

    def similarities(self) -> Iterator[FloatArray]:
        """Return the kernel, block by block."""
        yield from self._stored or (self.kernel(block) for block in self._blocks)

    def signs(self, duals: FloatArray) -> FloatArray:
        """Return the prediction for every pair, (n_cases, n_pairs)."""
        # Case by case: with small penalties weights are large, and the rounding of a product of
        # matrices depends on the number of cases.
        return np.array([row @ duals for block in self.similarities() for row in block])

    def at(self, *, penalty: float | None = None) -> "KernelPoint":
        """Predict at a penalty; None: the model's own. ValueError unless it is above 0."""
        penalty = self.model.penalty_ if penalty is None else penalty
        if not 0 < penalty < np.inf:
            raise ValueError(f"Expected penalty above 0, got {penalty!r}.")
        return KernelPoint(self, float(penalty))

    def parts(self, point: Any, case: int) -> PairParts:
        """Split the predicted signs of one case into contributions of the training cases."""
        return PairParts(
            "predicted sign",
            np.zeros(point.duals.shape[1]),
            self.kernel(self.X[case : case + 1])[0],
            point.duals,
            point.positions[case],
            "training row",
        )


class KernelPoint(PairPoint):
    """Predictions at one penalty."""

    def __init__(self, path: KernelPath, penalty: float) -> None:
        self.duals: FloatArray = path.duals_at(penalty)
        # Predictions may exceed -1 and 1; labels are ordered by them without clipping.
        preferences = (1 + path.signs(self.duals)) / 2
        with_ties = path.model.ties == "predict"
        scores = None if with_ties else summed(preferences, path.model.n_labels_)
        super().__init__(path, np.clip(preferences, 0.0, 1.0), _TERMS, scores)
