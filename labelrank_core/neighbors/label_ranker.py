"""k-NN label ranking: the consensus of the rankings of the most similar cases."""

from typing import Any, ClassVar, Self

from numpy.typing import ArrayLike

from labelrank_core._sklearn import StrOptions, fit_context
from labelrank_core.aggregation import CONSENSUS_RULES, doubled_ranks
from labelrank_core.base import LabelRankerMixin, require_targets
from labelrank_core.neighbors._base import NeighborsEstimator
from labelrank_core.neighbors._label_path import LabelRankingPath
from labelrank_core.rankings import FloatArray, IntArray, check_rankings


class KNeighborsLabelRanker(LabelRankerMixin, NeighborsEstimator):
    """Predict the consensus of the rankings of the k nearest training cases [brinker2006]_.

    Neighbours are ordered by (distance, row), also where distances tie at the k-th place.

    Parameters
    ----------
    n_neighbors : int, default=5
        How many cases to ask, k; at most the number of training cases.
    aggregation : {"borda", "median"}, default="borda"
        ``"borda"`` orders labels by mean rank, which minimises the squared rank differences to
        the neighbours; ``"median"`` by the lower median rank, which minimises the absolute ones
        where the medians are a ranking themselves. Differs from the paper in its ties: labels with
        equal keys stand by label index, not at random.
    weights : {"uniform", "distance"}, default="uniform"
        ``"distance"`` weighs neighbour i by d_1 / d_i, the nearest one's distance over its own.
        Where the nearest is at distance 0, only neighbours at distance 0 count, all the same.
        The paper (section 6) gives no formula.
    metric : {"euclidean", "manhattan", "chebyshev", "canberra"}, default="euclidean"
        How distances are measured.
    n_jobs : int or None, default=None
        Threads for the search, as in scikit-learn.

    Attributes
    ----------
    n_labels_ : int
        Number of labels.
    n_features_in_ : int
        Number of features.
    n_samples_fit_ : int
        Number of training cases.

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
    }

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        aggregation: str = "borda",
        weights: str = "uniform",
        metric: str = "euclidean",
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.aggregation = aggregation
        self.weights = weights
        self.metric = metric
        self.n_jobs = n_jobs

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, Y: ArrayLike) -> Self:
        """Keep the training cases.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training cases.
        Y : array-like of shape (n_samples, n_labels)
            Their positions, complete; labels may tie.

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
        rankings = check_rankings(Y)
        self._fit_search(X, len(rankings))
        self.n_labels_ = rankings.shape[1]
        self._ranks = doubled_ranks(rankings)
        return self

    def predict(self, X: ArrayLike) -> IntArray:
        """Predict a complete strict ranking for every case.

        Parameters
        ----------
        X : array-like of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases, n_labels)
            Positions.
        """
        return self.point(X).prediction

    def predict_confidence(self, X: ArrayLike) -> FloatArray:
        """Return how far the neighbours agree with each prediction, eq. 5 of [brinker2006]_.

        1 - mean loss between the prediction and the neighbours' rankings / largest loss; the loss
        is the squared one for ``"borda"``, the absolute one for ``"median"``. With one neighbour
        it is always 1 and says nothing.

        Parameters
        ----------
        X : array-like of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases,)
            Between 0 and 1.
        """
        return self.point(X).confidence

    def path(self, X: ArrayLike, *, n_neighbors: int | None = None) -> LabelRankingPath:
        """Search once, then predict at any number of neighbours.

        Parameters
        ----------
        X : array-like of shape (n_cases, n_features)
            Cases.
        n_neighbors : int or None, default=None
            The largest k to search for; None: 151 or all training cases, whichever is less.

        Returns
        -------
        LabelRankingPath
            ``path.at(n_neighbors=k)`` equals a fresh fit with that k.
        """
        return LabelRankingPath(self, self._check_queries(X), n_neighbors)
