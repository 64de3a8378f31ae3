"""IB-PL: a Plackett-Luce model of the rankings of the most similar cases."""

from functools import cached_property
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from labelrank_core._sklearn import Interval, fit_context
from labelrank_core.aggregation.bucket_orders import PairVotes
from labelrank_core.aggregation.table import RankTable
from labelrank_core.explain.closest import CLOSEST_PAIR_OF_SIMILAR, closest_pair
from labelrank_core.explain.evidence import (
    ChoiceChances,
    Explanation,
    LabelScores,
    Step,
    Text,
    WinShares,
)
from labelrank_core.methods.nearest.searches import Search
from labelrank_core.methods.probabilistic._base import (
    CERTAIN,
    NeighborModel,
    NeighborModelPath,
    NeighborModelPoint,
)
from labelrank_core.methods.probabilistic._strengths import ChoiceTable
from labelrank_core.methods.tie_thresholds import likeliest_thresholds
from labelrank_core.rankings import FloatArray, without_rounding


class PlackettLuceLabelRanker(NeighborModel):
    r"""Order labels by Plackett-Luce strengths among the k nearest cases (IB-PL) [cheng2010]_.

    The model draws a ranking from the top: each next label is chosen among those left with a
    probability proportional to its strength v. The probability of a ranking, its labels being
    1, ..., m from the top, is

    .. math:: \prod_{i = 1}^{m} \frac{v_i}{v_i + v_{i + 1} + \cdots + v_m}.

    Neighbours are ordered by (distance, row).

    Parameters
    ----------
    n_neighbors : int, default=10
        k, the number of nearest training cases to use; at most all of them.
    smoothing : float, default=0.1
        The number of wins added for each label against every other one, above 0. Without it a label
        that always wins, or always loses, has no finite strength. With two labels ahead of each
        other a and b times, the ratio of the strengths is (a + smoothing) / (b + smoothing). Not in
        the paper.
    ties : {"break", "predict"}, default="break"
        ``"predict"``: labels may share a position. The strengths stay as they are. A threshold, the
        one under which the neighbours' pairs and their ties are most probable, gives two labels the
        probability of a tie [rao1967]_; the prediction is the bucket order with the least expected
        Kemeny distance: exactly for up to 8 labels, beyond by local search. The confidence is then
        1 - expected distance / largest one. Not in the paper.
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
    Training rankings may be partial: a label that is not ranked is not available in its choices.
    Tied labels are not preferred to each other: each is chosen among itself and the labels behind
    both. A label that no neighbour ranks gets a middle strength from the added wins.
    Predictions are always complete; ties are broken by label index. The maximum of the likelihood
    is found by Newton's method; Hunter's MM iteration of the paper converges to the same one.

    References
    ----------
    .. [cheng2010] W. Cheng, K. Dembczyński, E. Hüllermeier: Label ranking methods based on the
       Plackett-Luce model. ICML 2010.
    .. [rao1967] P. Rao, L. Kupper: Ties in paired-comparison experiments: a generalization of the
       Bradley-Terry model. Journal of the American Statistical Association 62, 1967.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0]]
    >>> Y = [[1, 2, 3], [1, 3, 2], [3, 2, 1]]
    >>> PlackettLuceLabelRanker(n_neighbors=2).fit(X, Y).predict([[0.4]])
    array([[1, 2, 3]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **NeighborModel._parameter_constraints,
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "smoothing": [Interval(Real, 0, None, closed="neither")],
    }

    def __init__(
        self,
        n_neighbors: int = 10,
        *,
        smoothing: float = 0.1,
        ties: str = "break",
        metric: str = "euclidean",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.smoothing = smoothing
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
        self._choices = ChoiceTable.from_rankings(self._fit_rankings(X, Y))
        return self

    def predict_confidence(self, X: ArrayLike) -> FloatArray:
        """Return the share of label pairs that the model expects in each predicted order.

        The mean of v_i / (v_i + v_j) over all pairs with i predicted ahead of j. The paper has no
        confidence. With ``ties="predict"`` 1 - expected Kemeny distance / largest one.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases,)
            Between 0.5 and 1.
        """
        return self.point(X).confidence

    def predict_pair_support(self, X: ArrayLike) -> FloatArray:
        """Return the model's probability of each label being ahead of each other.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases, n_labels, n_labels)
            ``[c, i, j]``: v_i / (v_i + v_j); 0.5 for a label and itself.
        """
        return self.point(X).pair_support()

    def path(self, X: ArrayLike, *, n_neighbors: int | None = None) -> "PlackettLucePath":
        """Search once, then predict at any number of neighbours.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.
        n_neighbors : int or None, default=None
            The largest k to search for; None: 151 or all training cases, whichever is less.

        Returns
        -------
        PlackettLucePath
            ``path.at(n_neighbors=k, smoothing=s)`` equals a fresh fit with these.
        """
        cases = self._check_queries(X)
        learned = self._rankings, self._table, self._choices
        return PlackettLucePath(self, cases, self._search, *learned, n_neighbors)


class PlackettLucePath(NeighborModelPath):
    """The neighbours of some cases, searched once."""

    def __init__(
        self,
        model: PlackettLuceLabelRanker,
        X: Any,
        search: Search,
        rankings: FloatArray,
        table: RankTable,
        choices: ChoiceTable,
        n_neighbors: int | None,
    ) -> None:
        super().__init__(model, X, search, rankings, table, n_neighbors)
        self.choices = choices

    def at(
        self, *, n_neighbors: int | None = None, smoothing: float | None = None
    ) -> "PlackettLucePoint":
        """Predict with k neighbours, up to the path's largest, and a prior; None: the model's."""
        smoothing = self.model.smoothing if smoothing is None else smoothing
        if not (isinstance(smoothing, Real) and 0 < float(smoothing) < np.inf):
            raise ValueError(f"Expected smoothing above 0, got {smoothing!r}.")
        return PlackettLucePoint(self, self.check_k(n_neighbors), float(smoothing))


class PlackettLucePoint(NeighborModelPoint):
    """Predictions of some cases at one setting."""

    def __init__(self, path: PlackettLucePath, n_neighbors: int, smoothing: float) -> None:
        super().__init__(path, n_neighbors)
        self.smoothing = smoothing

    @cached_property
    def scores(self) -> FloatArray:
        """Strengths, which are the probabilities of being first, shape (n_cases, n_labels)."""
        rows, _ = self.path.first(self.n_neighbors)
        strengths = self.path.choices.strengths(rows, self.smoothing)
        return np.exp(without_rounding(np.log(strengths)))

    @cached_property
    def tie_thresholds(self) -> FloatArray:
        """The lead in log strength from which a label is likelier ahead than not."""
        votes = self.neighbor_votes(slice(None))
        behind = votes.ahead.transpose(0, 2, 1)
        ahead = votes.ahead + self.smoothing
        return likeliest_thresholds(self._leads, ahead, votes.compared - votes.ahead - behind)

    @property
    def _leads(self) -> FloatArray:
        """The log strength of each label less that of each other, (n_cases, m, m)."""
        logs = np.log(self.scores)
        return logs[:, :, None] - logs[:, None, :]

    def pair_votes(self, cases: slice) -> PairVotes:
        """Return the probabilities that each label is strictly ahead of each other, as votes."""
        ahead = expit(self._leads[cases] - self.tie_thresholds[cases, None, None])
        labels = np.arange(ahead.shape[1])
        ahead[:, labels, labels] = 0
        return PairVotes.of_shares(ahead)

    @cached_property
    def confidence(self) -> FloatArray:
        """The mean probability of the predicted order of two labels, shape (n_cases,)."""
        if self.predicts_ties:
            return self.agreement_with_ties
        ordered = -np.sort(-self.scores, axis=1)
        first, second = np.triu_indices(ordered.shape[1], 1)
        ahead = ordered[:, first]
        return np.ascontiguousarray(ahead / (ahead + ordered[:, second])).mean(axis=1)

    def pair_support(self, cases: slice = slice(None)) -> FloatArray:
        """Return the probability of each label being ahead of each other, (n_cases, m, m)."""
        strengths = self.scores[cases]
        return strengths[:, :, None] / (strengths[:, :, None] + strengths[:, None, :])

    def explain(self, case: int) -> Explanation:
        """Explain the prediction of one of the path's cases."""
        if self.predicts_ties:
            return self._explain_ties(case)
        neighbors = self.neighbors(case)
        strengths, positions = self.scores[case], self.positions[case]
        values = self.values(case, neighbors)
        values["top_strength"], values["second_strength"] = -np.sort(-strengths)[:2].astype(float)
        scores = LabelScores("strength", strengths, positions, greater_is_better=True)
        shares = WinShares(self.pair_support(slice(case, case + 1))[0], positions)
        tie = values["top_strength"] == values["second_strength"]
        return Explanation(
            prediction=self.prediction[case],
            positions=positions,
            summary=Text(_TIE if tie else _TOP, values),
            steps=(
                Step("Similar cases", Text(CLOSEST_PAIR_OF_SIMILAR, values), neighbors),
                Step("Strengths", Text(_STRENGTHS, values), scores),
                Step(
                    "Choice by choice", Text(_CHOICES, values), ChoiceChances(strengths, positions)
                ),
                Step("Pair by pair", Text(_PAIRS, values), shares),
                Step("Confidence", Text(CERTAIN, values), self.confidence_of(case, _DEFINITION)),
            ),
            closest_pair=closest_pair(self, case),
        )

    def _explain_ties(self, case: int) -> Explanation:
        values = {"threshold": float(self.tie_thresholds[case]), "voters": _VOTERS}
        return self.explain_ties(
            case,
            LabelScores(
                "strength", self.scores[case], self.positions[case], greater_is_better=True
            ),
            voters=_VOTERS,
            reason=Text(_THRESHOLD, values),
        )


_TOP = (
    "{top} comes first because the rankings of the {k} most similar cases give it the greatest "
    "strength, {top_strength}, ahead of {second} with {second_strength}."
)
_TIE = (
    "{top} and {second} share the greatest strength, {top_strength}, among the {k} most similar "
    "cases; the tie goes to the first in the list of labels."
)
_STRENGTHS = (
    "The strengths under which these rankings are most probable. They add up to 1: a label's "
    "strength is its probability of being first."
)
_CHOICES = (
    "The ranking as choices from the top: {top} is chosen first with probability {top_strength}; "
    "then the strengths of the labels left decide."
)
_PAIRS = "The probability that one label is ahead of another: its strength over the sum of both."
_VOTERS = "the model's probability"
_THRESHOLD = (
    "A strength must be more than e^{threshold} times another one for its label to be likelier "
    "ahead than not. That makes the similar cases' rankings, with their ties, most probable. No "
    "ranking was found that fits {voters} better. In the table a tie counts one half."
)
_DEFINITION = (
    "the mean of v_i / (v_i + v_j) over the label pairs with i predicted ahead of j, where v are "
    "the strengths"
)
