"""Forests whose trees share their questions between all labels."""

from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.ensemble import ExtraTreesRegressor, RandomForestRegressor

from labelrank_core._sklearn import Interval, StrOptions, fit_context, generate_sample_indices
from labelrank_core.methods.base import check_count
from labelrank_core.methods.label_sets._distribution import (
    SetDistributionClassifier,
    SetDistributionPoint,
)
from labelrank_core.rankings import FloatArray, IntArray

# Of 0 and 1 the variance, which these trees lower, is half of Gini's impurity.
_FORESTS = {"best": RandomForestRegressor, "random": ExtraTreesRegressor}


class LabelSetForestClassifier(SetDistributionClassifier):
    """Predict label sets by a forest of trees on all labels at once (RF-PCT) [kocev2013]_.

    Every tree is grown on a bootstrap sample; its questions lower the variance of the 0/1 labels,
    summed over all labels, the most. The label sets in the leaf of a case are one vote: their
    shares, averaged over the trees, are how likely each label set is. The trees are scikit-learn's.

    Parameters
    ----------
    n_estimators : int, default=50
        Number of trees, at least 1.
    decision : {"hamming", "f1", "subset"}, default="hamming"
        Which set is predicted: ``"hamming"`` the labels with a probability above one half, the
        rule of the paper; ``"f1"`` the set with the largest expected F1 [dembczynski2011]_, where
        F1 of two empty sets is 1; ``"subset"`` the likeliest set of the training cases. Ties as in
        `KNeighborsMultilabelRanker`.
    splitter : {"best", "random"}, default="best"
        ``"best"`` tries the best threshold of every feature drawn, ``"random"`` a random one (extra
        trees).
    max_features : {"sqrt", "log2", "all"} or float, default=0.3
        Features drawn for a question: their number or, as a number in (0, 1], their share.
    min_samples_leaf : int, default=2
        The fewest training cases in a leaf.
    random_state : int, RandomState instance or None, default=0
        Seed of the bootstrap samples and questions.
    n_jobs : int or None, default=None
        Threads that grow trees, as in scikit-learn.

    Attributes
    ----------
    forest_ : RandomForestRegressor or ExtraTreesRegressor
        The grown trees, on features divided by one power of two if any exceeds 1000 in size.
    sets_ : ndarray of shape (n_sets, n_labels)
        The different label sets of the training cases.
    n_labels_ : int
        Number of labels.
    n_features_in_ : int
        Number of features.

    Notes
    -----
    Probabilities of sets are in units of 2**-30. Sparse cases are made dense, which must not take
    more than 512 MB. Of calibrated rankings only the relevance is learned.

    References
    ----------
    .. [kocev2013] D. Kocev, C. Vens, J. Struyf, S. Džeroski: Tree ensembles for predicting
       structured outputs. Pattern Recognition 46(3), 2013.
    .. [dembczynski2011] K. Dembczyński, W. Waegeman, W. Cheng, E. Hüllermeier: An exact algorithm
       for F-measure maximization. NIPS 2011.

    Examples
    --------
    >>> X = [[0.0, 1.0], [0.2, 0.8], [0.9, 0.1], [1.0, 0.0]]
    >>> Y = [[0, 1, 1], [0, 1, 1], [1, 0, 0], [1, 0, 0]]
    >>> model = LabelSetForestClassifier(10).fit(X, Y)
    >>> model.predict([[0.0, 1.0], [0.8, 0.2]])
    array([[0, 1, 1],
           [1, 0, 0]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **SetDistributionClassifier._parameter_constraints,
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "splitter": [StrOptions(set(_FORESTS))],
        "max_features": [
            StrOptions({"sqrt", "log2", "all"}),
            Interval(Real, 0, 1, closed="right"),
        ],
        "min_samples_leaf": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        n_estimators: int = 50,
        *,
        decision: str = "hamming",
        splitter: str = "best",
        max_features: Any = 0.3,
        min_samples_leaf: int = 2,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.decision = decision
        self.splitter = splitter
        self.max_features = max_features
        self.min_samples_leaf = min_samples_leaf
        self.random_state = random_state
        self.n_jobs = n_jobs

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, Y: ArrayLike) -> Self:
        """Grow the trees.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training cases.
        Y : array-like of shape (n_samples, n_labels) or (n_samples, n_labels + 1)
            A matrix of nothing but 0 and 1, 1 = relevant; or calibrated rankings: positions of
            the labels and, last, of the virtual label, which is strictly behind the relevant
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
        checked, relevance = self._checked_label_sets(X, Y)
        cases, numbers = self._fit_sets(checked, relevance)
        self.forest_ = _FORESTS[self.splitter](
            bootstrap=True,
            n_estimators=self.n_estimators,
            max_features=1.0 if self.max_features == "all" else self.max_features,
            min_samples_leaf=self.min_samples_leaf,
            random_state=self.random_state,
            n_jobs=self.n_jobs,
        ).fit(cases, relevance.astype(np.float64))
        self._leaf_shares = [
            _leaf_shares(tree, cases, numbers, len(self.sets_)) for tree in self.forest_.estimators_
        ]
        return self

    def path(self, X: Any) -> "LabelSetForestPath":
        """Send cases down the trees once, then predict with fewer trees or by another decision.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        LabelSetForestPath
            ``path.at(n_estimators=n, decision="f1")`` equals a fresh fit with these.
        """
        return LabelSetForestPath(self, self._check_queries(X), self._leaf_shares)


def _leaf_shares(
    tree: Any, X: NDArray[np.float32], numbers: IntArray, n_sets: int
) -> sparse.csr_array:
    """Return the share of each label set in every node that is a leaf, (n_nodes, n_sets)."""
    sampled_rows = generate_sample_indices(tree.random_state, len(X), len(X))
    counts = np.bincount(sampled_rows, minlength=len(X)).astype(np.float64)
    leaves = tree.tree_.apply(X)
    sizes = np.bincount(leaves, counts, tree.tree_.node_count)
    rows = np.flatnonzero(counts)
    shares = counts[rows] / sizes[leaves[rows]]
    shape = (tree.tree_.node_count, n_sets)
    return sparse.csr_array((shares, (leaves[rows], numbers[rows])), shape=shape)


class LabelSetForestPath:
    """Cases in the leaves of a forest, to predict with its first trees."""

    def __init__(
        self,
        model: LabelSetForestClassifier,
        X: NDArray[np.float32],
        leaf_shares: Sequence[sparse.csr_array],
    ) -> None:
        self.model = model
        self.leaf_shares = leaf_shares
        self.leaves = np.array([tree.tree_.apply(X) for tree in model.forest_.estimators_])

    def at(
        self, *, n_estimators: int | None = None, decision: str | None = None
    ) -> SetDistributionPoint:
        """Predict with the first trees, at most those grown, and a decision; None: the model's."""
        n_grown = len(self.leaves)
        n = n_grown if n_estimators is None else n_estimators
        n = check_count("n_estimators", n, n_grown, "the trees grown")
        shares: FloatArray = np.zeros((self.leaves.shape[1], len(self.model.sets_)))
        for leaves, leaf_shares in zip(self.leaves[:n], self.leaf_shares, strict=False):
            shares += leaf_shares[leaves].toarray()
        decision = self.model.decision if decision is None else decision
        return SetDistributionPoint(self.model.sets_, shares / n, decision)
