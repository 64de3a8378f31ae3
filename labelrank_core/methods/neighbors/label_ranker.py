"""k-NN label ranking: the consensus of the rankings of the most similar cases."""

from numbers import Integral, Real
from typing import Any, ClassVar, Self

from numpy.typing import ArrayLike

from labelrank_core._sklearn import Interval, StrOptions, fit_context
from labelrank_core.aggregation import CONSENSUS_RULES, TIES
from labelrank_core.aggregation.table import RankTable
from labelrank_core.aggregation.win_shares import SignTable, require_win_shares
from labelrank_core.data.pair_preferences import PairPreferences
from labelrank_core.methods.base import LabelRankerMixin, require_few_pairs, require_targets
from labelrank_core.methods.nearest.base import NeighborsEstimator
from labelrank_core.methods.neighbors._label_path import LabelRankingPath, LabelRankingPoint
from labelrank_core.methods.neighbors._pair_path import (
    PairPreferencePath,
    PairPreferencePoint,
)
from labelrank_core.rankings import FloatArray, check_rankings


class KNeighborsLabelRanker(LabelRankerMixin, NeighborsEstimator):
    """Predict the consensus of the rankings of the k nearest training cases [brinker2006]_.

    Neighbours are ordered by (distance, row): where distances tie, lower row indices come first.

    Parameters
    ----------
    n_neighbors : int, default=5
        k, the number of nearest training cases to use; at most all of them.
    aggregation : {"borda", "median", "footrule", "kemeny", "majority", "copeland", "schulze", \
            "ranked_pairs"}, default="borda"
        ``"borda"`` orders labels by mean rank, which minimises the squared rank differences to
        the neighbours; ``"median"`` by the lower median rank, which minimises the absolute ones
        where the medians are a ranking themselves; ``"footrule"`` always minimises those;
        ``"kemeny"`` minimises the pairs in reverse order, exactly unless more than 13 labels form
        one strongly connected component of the majority graph; ``"majority"`` takes the most
        frequent ranking (the paper's baseline), of equally frequent ones the nearest case's;
        ``"copeland"``, ``"schulze"`` and ``"ranked_pairs"`` start from the majorities of pairs
        (see `labelrank_core.aggregation.majorities`), are not in the paper and minimise no loss.
        See `labelrank_core.aggregation.aggregate`.
    weights : {"uniform", "distance"}, default="uniform"
        ``"distance"`` weighs neighbour i by d_1 / d_i, the distance of the nearest over its own.
        If the nearest is at distance 0, only neighbours at distance 0 count, equally. The paper
        (section 6) gives no formula.
    ties : {"break", "predict"}, default="break"
        ``"predict"``: labels may share a position. With ``"kemeny"`` the prediction is the bucket
        order with the least summed Kemeny distance to the neighbours' rankings, and so with the
        largest mean tau_x: exactly for up to 8 labels, beyond by local search; with ``"majority"``
        the most frequent ranking keeps its ties; with ``"copeland"`` and ``"schulze"`` labels of
        the same rank tie; the other rules cut their order into the buckets with the least such
        distance, or by `tie_gap`. The confidence is then 1 - mean distance /
        largest distance. See `labelrank_core.aggregation.aggregate`; nothing is drawn at random
        among equally good bucket orders. Only the k neighbours vote, also on incomplete rankings.
    tie_gap : float or None, default=None
        For ``ties="predict"`` with ``"borda"``, ``"median"``, ``"footrule"`` and
        ``"ranked_pairs"``: labels share a position whose ranks differ by at most that from the
        best of them. None: the best cuts.
    metric : str, default="euclidean"
        The distance, by scikit-learn's names: "euclidean" or "l2", "sqeuclidean"
        (differs in distance weights only), "manhattan", "cityblock" or "l1", "chebyshev",
        "minkowski", "canberra", "braycurtis", "seuclidean", "mahalanobis", "hamming" (the share of
        features that differ), "cosine" or "correlation"; for features of 0 and 1 "jaccard",
        "dice", "rogerstanimoto", "russellrao", "sokalsneath" or "yule". A row without a direction
        (all zero; for correlation constant) is at cosine or correlation distance 1 from every row,
        as in scikit-learn; a distance 0 / 0 is 0. Cosine and correlation distances tie where they
        are equal without rounding, dense or sparse. Not supported: "haversine",
        "nan_euclidean", "precomputed" and functions.
    metric_params : dict or None, default=None
        Parameters of the metric, as in scikit-learn: p and w of "minkowski", V of "seuclidean" and
        VI of "mahalanobis", which must be given.
    random_state : int or None, default=None
        Seed that breaks ties at random, as the paper does: of the labels for every consensus rule,
        of several optimal orders for ``"footrule"`` and ``"kemeny"`` (as far as it is exact), and
        of equally frequent rankings for ``"majority"``. All labels have the same chance. The draw
        depends on the seed and the case alone, so that a case is predicted alike in any batch.
        None: ties are broken by label index, and of equally frequent rankings the nearest case's
        is taken.
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
    Training rankings may be partial (section 6 of the paper names no aggregate for them). Mean
    observed ranks would be biased, and a middle rank for missing labels would pull every consensus
    to the middle. So ``"borda"`` compares two labels by the neighbours that rank both, and orders
    labels by their summed win shares, which is the order by mean rank for complete rankings. The
    votes of the k neighbours on a pair are smoothed by one pseudo-vote, the share in the next wider
    neighbourhood: of the 4 k nearest, smoothed in turn by the 16 k nearest, and so on up to 100 and
    finally all training cases. Predictions are always complete.

    Preferences between single pairs of labels (`PairPreferences`) are learned by the same win
    shares: a neighbour votes on the pairs it knows, and ``"borda"`` is the only rule. Without
    unknown pairs no wider neighbourhood counts. The confidence is the share of the neighbours'
    known pairs that are predicted in their order, ties counting one half; 0 without a known pair.

    References
    ----------
    .. [brinker2006] K. Brinker, E. Hüllermeier: Case-based label ranking. ECML 2006.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0]]
    >>> Y = [[1, 2, 3], [1, 3, 2], [3, 2, 1]]
    >>> KNeighborsLabelRanker(n_neighbors=2).fit(X, Y).predict([[0.4]])
    array([[1, 2, 3]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **NeighborsEstimator._parameter_constraints,
        "aggregation": [StrOptions(set(CONSENSUS_RULES))],
        "weights": [StrOptions({"uniform", "distance"})],
        "ties": [StrOptions(set(TIES))],
        "tie_gap": [Interval(Real, 0, None, closed="left"), None],
        "random_state": [Interval(Integral, 0, None, closed="left"), None],
    }
    _learns_pair_preferences = True
    n_labels_: int
    _table: RankTable | SignTable

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        aggregation: str = "borda",
        weights: str = "uniform",
        ties: str = "break",
        tie_gap: float | None = None,
        metric: str = "euclidean",
        metric_params: dict[str, Any] | None = None,
        random_state: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.aggregation = aggregation
        self.weights = weights
        self.ties = ties
        self.tie_gap = tie_gap
        self.metric = metric
        self.metric_params = metric_params
        self.random_state = random_state
        self.n_jobs = n_jobs

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, Y: ArrayLike) -> Self:
        """Keep the training cases.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training cases. Sparse ones stay so if `metric` is Euclidean or cosine; else they are
            made dense, which must not take more than 512 MB.
        Y : array-like of shape (n_samples, n_labels) or PairPreferences
            Their positions; labels may tie, NaN = not ranked. Or preferences between any pairs of
            labels.

        Returns
        -------
        self
            Fitted.

        Raises
        ------
        ValueError
            If a parameter or an array is not as described.
        """
        require_targets(self, Y)
        if isinstance(Y, PairPreferences):
            require_win_shares(self.aggregation)
            require_few_pairs(Y.n_labels, len(Y))
            self._fit_search(X, len(Y))
            self.n_labels_ = Y.n_labels
            self._table = SignTable.from_rankings(Y.signs)
            return self
        rankings = check_rankings(Y, allow_partial=True)
        self._fit_search(X, len(rankings))
        self.n_labels_ = rankings.shape[1]
        self._table = RankTable.from_rankings(rankings)
        return self

    def predict_confidence(self, X: ArrayLike, *, loss: str | None = None) -> FloatArray:
        """Return the agreement of the neighbours with each prediction, eq. 5 of [brinker2006]_.

        1 - mean loss between the prediction and the neighbours' rankings / largest loss. With a
        single complete neighbour it is always 1, which has no meaning. Incomplete rankings are
        compared on the labels they rank; 0 if no neighbour ranks two labels.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.
        loss : {"squared", "footrule", "kendall", "contradicted"} or None, default=None
            ``"contradicted"`` counts the neighbours with any pair in reverse order. None: the loss
            that the consensus rule minimises: squared for ``"borda"``, footrule for ``"median"``
            and ``"footrule"``, Kendall for ``"kemeny"``, contradicted for ``"majority"``; Kendall
            for the rules by majorities, which minimise none; with ``ties="predict"`` Kemeny's
            distance. A loss that is named compares the strict order
            by the rule, also where ties are predicted. A model of pairs has no other than None.

        Returns
        -------
        ndarray of shape (n_cases,)
            Between 0 and 1.

        Raises
        ------
        ValueError
            If there is no such loss.
        """
        point = self.point(X)
        return point.confidence if loss is None else point.confidence_by(loss)

    def predict_pair_support(self, X: ArrayLike) -> FloatArray:
        """Return the share of the neighbours that prefer each label to each other.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases, n_labels, n_labels)
            ``[c, i, j]``: the (weighted) share of the neighbours that rank both with label i ahead
            of j; ties count one half, 0.5 on the diagonal. For incomplete training rankings
            smoothed by wider neighbourhoods, as for ``"borda"``.
        """
        return self.point(X).pair_support()

    def path(
        self, X: ArrayLike, *, n_neighbors: int | None = None
    ) -> LabelRankingPath | PairPreferencePath:
        """Search once, then predict at any number of neighbours.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.
        n_neighbors : int or None, default=None
            The largest k to search for; None: 151 or all training cases, whichever is less.

        Returns
        -------
        LabelRankingPath or PairPreferencePath
            ``path.at(n_neighbors=k)`` equals a fresh fit with that k.
        """
        return self._path(X, n_neighbors)

    def _path(
        self, X: ArrayLike, n_neighbors: int | None, aggregation: str | None = None
    ) -> LabelRankingPath | PairPreferencePath:
        cases = self._check_queries(X)
        if isinstance(self._table, SignTable):
            return PairPreferencePath(self, cases, self._search, self._table, n_neighbors)
        return LabelRankingPath(self, cases, self._search, self._table, n_neighbors, aggregation)

    def point(self, X: Any, **setting: Any) -> LabelRankingPoint | PairPreferencePoint:
        """Predict everything for some cases with one search.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.
        **setting
            Parameters of the path; others have the model's own values.

        Returns
        -------
        LabelRankingPoint or PairPreferencePoint
            Prediction, positions, scores, confidence and explanations.
        """
        defaults: dict[str, Any] = {
            "n_neighbors": self.n_neighbors,
            "aggregation": self.aggregation,
        }
        setting = defaults | setting
        return self._path(X, **setting).at(**setting)
