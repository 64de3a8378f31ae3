"""IB-M: a Mallows model of the rankings of the most similar cases."""

from functools import cached_property
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from labelrank_core._sklearn import Interval, StrOptions, fit_context
from labelrank_core.aggregation.bucket_orders import PairVotes, bucket_orders, cut_orders
from labelrank_core.aggregation.mallows import (
    distance_probabilities,
    largest_distance,
    pair_probabilities,
)
from labelrank_core.explain.closest import CLOSEST_PAIR_OF_SIMILAR, closest_pair
from labelrank_core.explain.evidence import (
    Explanation,
    LabelScores,
    MallowsFit,
    Step,
    Text,
    WinShares,
)
from labelrank_core.methods.probabilistic._base import (
    CERTAIN,
    NeighborModel,
    NeighborModelPath,
    NeighborModelPoint,
)
from labelrank_core.methods.probabilistic._centres import CENTRES, Centres, find_centres
from labelrank_core.methods.tied_labels import LISTED
from labelrank_core.rankings import FloatArray, IntArray


class MallowsLabelRanker(NeighborModel):
    r"""Predict the centre of a Mallows model of the k nearest cases' rankings (IB-M) [cheng2009]_.

    The more label pairs of the centre a ranking reverses, the less probable it is under the model;
    the spread theta says how fast:

    .. math:: P(\text{ranking}) = \frac{e^{-\theta d}}{\prod_{j = 1}^{m}
        (1 + e^{-\theta} + \cdots + e^{-(j - 1) \theta})}

    for a ranking of m labels that reverses d pairs of the centre. Neighbours are ordered by
    (distance, row).

    Parameters
    ----------
    n_neighbors : int, default=10
        k, the number of nearest training cases to use; at most all of them.
    aggregation : {"borda", "kemeny"}, default="borda"
        How the centre is found: ``"borda"`` orders labels by mean rank, as the paper does;
        ``"kemeny"`` finds the ranking that reverses the fewest pairs, which has the greatest
        likelihood (exactly unless more than 13 labels form one strongly connected component of
        the majority graph).
    ties : {"break", "predict"}, default="break"
        ``"predict"``: labels may share a position. The centre is then a bucket order, and a ranking
        the less probable, the larger its Kemeny distance from it (a reversed pair costs 2, one that
        only one of both ties costs 1). With ``"kemeny"`` it has the least summed distance to the
        neighbours' rankings, and so the greatest likelihood: exactly for up to 8 labels, beyond by
        local search; ``"borda"`` cuts the order by mean rank into the buckets with the least such
        distance. The confidence is then 1 - mean distance / largest distance. Not in the paper.
    metric : str, default="euclidean"
        The distance, as in `KNeighborsLabelRanker`.
    metric_params : dict or None, default=None
        Parameters of the metric, as in `KNeighborsLabelRanker`.
    n_jobs : int or None, default=None
        Threads for the search, as in scikit-learn; sparse cases are searched by one thread.

    Attributes
    ----------
    n_labels_ : int
        Number of labels.
    n_features_in_ : int
        Number of features.
    n_samples_fit_ : int
        Number of training cases.

    Notes
    -----
    Incomplete rankings, and ties, are completed to their most probable extension under the centre,
    and the centre is computed again, until it no longer changes. After 200 times prediction stops
    with scikit-learn's ``ConvergenceWarning``. The first centre comes from the pairs that are
    ranked. Differs from the paper in that rankings of fewer than two labels, which agree with any
    centre, are ignored. Predictions are always complete; ties are broken by label index.

    With ``ties="predict"`` rankings are not completed, and tied labels stay tied: each votes on the
    pairs that it ranks. So predictions of complete rankings are those of `KNeighborsLabelRanker`
    with ``ties="predict"`` and the same rule. `predict_spread` is that of strict rankings as ever.

    References
    ----------
    .. [cheng2009] W. Cheng, J. Hühn, E. Hüllermeier: Decision tree and instance-based learning for
       label ranking. ICML 2009.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0]]
    >>> Y = [[1, 2, 3], [1, 3, 2], [3, 2, 1]]
    >>> MallowsLabelRanker(n_neighbors=2).fit(X, Y).predict([[0.4]])
    array([[1, 2, 3]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **NeighborModel._parameter_constraints,
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "aggregation": [StrOptions(set(CENTRES))],
    }

    def __init__(
        self,
        n_neighbors: int = 10,
        *,
        aggregation: str = "borda",
        ties: str = "break",
        metric: str = "euclidean",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.aggregation = aggregation
        self.ties = ties
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, Y: ArrayLike) -> Self:
        """Keep the training cases.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training cases. Sparse ones stay so if `metric` is Euclidean or cosine; else they are
            made dense, which must not take more than 512 MB.
        Y : array-like of shape (n_samples, n_labels)
            Their positions; labels may tie, NaN = not ranked.

        Returns
        -------
        self
            Fitted.

        Raises
        ------
        ValueError
            If a parameter or an array is not as described.
        """
        self._fit_rankings(X, Y)
        return self

    def predict_confidence(self, X: ArrayLike) -> FloatArray:
        """Return the share of label pairs that the model expects in each predicted order.

        1 - expected distance from the centre / number of pairs, which depends on the spread theta
        alone: 0.5 for theta = 0, 1 for an infinite one. With one neighbour it is always 1, which
        has no meaning. With ``ties="predict"`` 1 - mean Kemeny distance to the neighbours' rankings
        / largest distance.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases,)
            Between 0.5 and 1; with ``ties="predict"`` and incomplete rankings between 0 and 1.
        """
        return self.point(X).confidence

    def predict_spread(self, X: ArrayLike) -> FloatArray:
        """Return the spread theta of the model of each case.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases,)
            From 0 (all rankings are equally probable) to infinity (all neighbours agree).
        """
        return self.point(X).theta

    def predict_pair_support(self, X: ArrayLike) -> FloatArray:
        """Return the model's probability of each label being ahead of each other.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases, n_labels, n_labels)
            ``[c, i, j]``: depends on theta and on how many places the two are apart in the
            centre; with ``ties="predict"`` the share of the neighbours, ties counted one half;
            0.5 on the diagonal.
        """
        return self.point(X).pair_support()

    def path(self, X: ArrayLike, *, n_neighbors: int | None = None) -> "MallowsPath":
        """Search once, then predict at any number of neighbours.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.
        n_neighbors : int or None, default=None
            The largest k to search for; None: 151 or all training cases, whichever is less.

        Returns
        -------
        MallowsPath
            ``path.at(n_neighbors=k, aggregation=...)`` equals a fresh fit with these.
        """
        cases = self._check_queries(X)
        return MallowsPath(self, cases, self._search, self._rankings, self._table, n_neighbors)


class MallowsPath(NeighborModelPath):
    """The neighbours of some cases, searched once."""

    def at(
        self, *, n_neighbors: int | None = None, aggregation: str | None = None
    ) -> "MallowsPoint":
        """Predict with k neighbours, up to the path's largest; None: the model's own."""
        aggregation = self.model.aggregation if aggregation is None else aggregation
        if aggregation not in CENTRES:
            raise ValueError(f"Expected aggregation in {sorted(CENTRES)}, got {aggregation!r}.")
        return MallowsPoint(self, self.check_k(n_neighbors), aggregation)


class MallowsPoint(NeighborModelPoint):
    """Predictions of some cases at one setting."""

    def __init__(self, path: MallowsPath, n_neighbors: int, aggregation: str) -> None:
        super().__init__(path, n_neighbors)
        self.aggregation = aggregation

    @cached_property
    def _centres(self) -> Centres:
        rows, _ = self.path.first(self.n_neighbors)
        return find_centres(self.path.rankings, rows, self.aggregation)

    @property
    def scores(self) -> FloatArray:
        """The number of labels beaten, n_labels - mean rank (or place): higher = better."""
        return self._centres.positions.shape[1] - self._centres.ranks

    def pair_votes(self, cases: slice) -> PairVotes:
        """Return the votes of the neighbours on every pair of labels."""
        return self.neighbor_votes(cases)

    @cached_property
    def bucketed(self) -> IntArray:
        """The centres among bucket orders, as positions."""
        gains = self.neighbor_votes(slice(None)).gains
        if self.aggregation == "kemeny":
            return bucket_orders(gains)
        return cut_orders(self._centres.ranks, gains)

    @property
    def theta(self) -> FloatArray:
        """The spread of each model, shape (n_cases,)."""
        return self._centres.theta

    @property
    def confidence(self) -> FloatArray:
        """The share of label pairs expected in the predicted order, shape (n_cases,)."""
        if self.predicts_ties:
            return self.agreement_with_ties
        largest = largest_distance(self._centres.positions.shape[1])
        return 1 - np.minimum(self._centres.mean_distances / largest, 0.5)

    def pair_support(self, cases: slice = slice(None)) -> FloatArray:
        """Return the probability of each label being ahead of each other, (n_cases, m, m)."""
        if self.predicts_ties:
            return self.pair_votes(cases).win_shares
        return pair_probabilities(self.theta[cases], self.positions[cases])

    def explain(self, case: int) -> Explanation:
        """Explain the prediction of one of the path's cases."""
        if self.predicts_ties:
            return self._explain_ties(case)
        neighbors, positions, centres = self.neighbors(case), self.positions[case], self._centres
        distances = centres.distances[case][centres.is_counted[case]]
        theta = float(centres.theta[case])
        expected = distance_probabilities(theta, len(positions)) * max(1, len(distances))
        fit = MallowsFit(
            positions, theta, np.bincount(distances, minlength=len(expected)), expected
        )
        ranks = centres.ranks[case]
        best = np.sort(ranks)
        values = self.values(case, neighbors) | {
            "theta": theta,
            "distance": float(centres.mean_distances[case]),
            "pairs": largest_distance(len(positions)),
            "known": len(distances),
            "title": _TITLES[self.aggregation],
            "top_rank": float(best[0]),
            "second_rank": float(best[1]),
        }
        shares = WinShares(self.pair_support(slice(case, case + 1))[0], positions)
        certain = self.confidence_of(case, _DEFINITION, defined=len(distances) > 1)
        return Explanation(
            prediction=self.prediction[case],
            positions=positions,
            summary=Text(_TIE if best[0] == best[1] else _TOP, values),
            steps=(
                Step("Similar cases", Text(CLOSEST_PAIR_OF_SIMILAR, values), neighbors),
                Step(
                    "The centre",
                    Text(_CENTRES_TEXT[self.aggregation], values),
                    LabelScores(_TITLES[self.aggregation], ranks, positions),
                ),
                Step("The spread", Text(_spread_text(theta), values), fit),
                Step("Pair by pair", Text(_PAIRS, values), shares),
                Step("Confidence", Text(CERTAIN, values), certain),
            ),
            closest_pair=closest_pair(self, case),
        )

    def _explain_ties(self, case: int) -> Explanation:
        title = _TITLES[self.aggregation]
        is_cut = self.aggregation == "borda"
        return self.explain_ties(
            case,
            LabelScores(title, self._centres.ranks[case], self.positions[case]),
            voters=f"the {self.n_neighbors} most similar cases",
            order=_CUT_ORDER if is_cut else LISTED,
            reason=Text(_CUT, {}) if is_cut else None,
            fits_best=True,
            # All labels tied are among the rankings to choose from, and half of that fits any vote.
            lowest=0.5 if self.path.table.complete else 0.0,
            defined=self.n_neighbors > 1,
        )


def _spread_text(theta: float) -> str:
    if theta == 0:
        return _NO_CENTRE
    return _SPREAD if np.isfinite(theta) else _NO_SPREAD


_TITLES = {"borda": "mean rank", "kemeny": "place in the centre"}
_TOP = (
    "{top} comes first. Among the {k} most similar cases its {title} is {top_rank}, that of "
    "{second} is {second_rank}."
)
_TIE = (
    "{top} and {second} share the best {title}, {top_rank}, among the {k} most similar cases; the "
    "tie goes to the first in the list of labels."
)
_CENTRES_TEXT = {
    "borda": (
        "The centre orders labels by mean rank. What a ranking leaves open is completed as the "
        "centre makes most probable, until neither changes."
    ),
    "kemeny": (
        "The centre reverses the fewest label pairs of these rankings. What a ranking leaves open "
        "is completed as the centre makes most probable, until neither changes."
    ),
}
_SPREAD = (
    "On average the {known} rankings reverse {distance} of the {pairs} label pairs of the centre. "
    "That is expected at θ = {theta}: each reversed pair makes a ranking e^θ times less probable."
)
_NO_SPREAD = "All {known} rankings agree with the centre: there is no spread (θ is infinite)."
_NO_CENTRE = (
    "The rankings reverse as many of the {pairs} label pairs as random ones: no ranking is more "
    "probable than others (θ = 0)."
)
_PAIRS = "The probability that one label is ahead of another under this centre and spread."
_CUT_ORDER = "Labels are ordered by their {title}."
_CUT = (
    "Labels in this order share a position where no cut between them fits the rankings of the "
    "similar cases better. In the table a tie counts one half."
)
_DEFINITION = (
    "1 - expected number of reversed label pairs / number of pairs, under the Mallows model with "
    "the θ of greatest likelihood"
)
