"""Pairwise support vector machines: a vote for every pair of labels."""

from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from labelrank_core._sklearn import Interval, StrOptions, fit_context
from labelrank_core.aggregation import TIES
from labelrank_core.explain.evidence import PairParts
from labelrank_core.methods.machines import Margins, kernel_of, learn_margins
from labelrank_core.methods.pair_ranker import (
    PAIR_TERMS,
    PairwiseRanker,
    votes_of,
)
from labelrank_core.methods.pairs import PairPath, PairPoint, linear_crossings, split_signs
from labelrank_core.rankings import FloatArray


class PairwiseSVMRanker(PairwiseRanker):
    """Rank labels by the votes of one support vector machine for every pair of them.

    Ranking by pairwise comparison [hullermeier2008]_ with binary votes, as PW-SVM-LIN and
    PW-SVM-RBF in [brinker2006]_: labels are ordered by the number of pairs they win.

    Parameters
    ----------
    C : float, default=1.0
        Inverse penalty, larger than 0, as in scikit-learn.
    kernel : {"linear", "rbf"}, default="linear"
        ``"rbf"``: by libsvm (scikit-learn's ``SVC``).
    gamma : float or None, default=None
        Parameter of the rbf kernel, larger than 0; None: 1 / n_features.
    loss : {"squared_hinge", "hinge"}, default="squared_hinge"
        The loss of the linear kernel. ``"squared_hinge"``: by liblinear (scikit-learn's
        ``LinearSVC``, whose penalty includes the intercept); ``"hinge"``, as in the papers: by
        libsvm (``SVC``), with the square of n_samples in memory. Other kernels have the hinge
        loss.
    ties : {"break", "predict"}, default="break"
        ``"predict"``: labels may share a position. A pair then has two machines, which vote on
        whether one of both labels is strictly ahead of the other, and learn it from all cases that
        rank both. The prediction is the bucket order with the least Kemeny distance to the votes:
        exactly for up to 8 labels, beyond by local search. The confidence is 1 - distance /
        largest one.

    Attributes
    ----------
    coef_ : ndarray of shape (n_pairs, n_features)
        Weights of the margins, pairs as in ``numpy.triu_indices(n_labels, 1)``; linear kernel
        only.
    dual_coef_ : ndarray of shape (n_samples, n_pairs)
        Weights of the training cases; rbf kernel only.
    intercept_ : ndarray of shape (n_pairs,)
        Intercepts; infinite where all training cases agree on a pair. With ``ties="predict"`` all
        three have twice as many pairs: for the first label of every pair, then for the second.
    n_labels_ : int
        Number of labels.
    n_features_in_ : int
        Number of features.

    Notes
    -----
    Incomplete rankings: a pair learns from the cases that rank both of its labels. Ties are ignored
    unless they are predicted. A pair that no case orders counts one half, as does a margin of 0;
    one that all cases order alike always has that outcome. Ties are broken by label index.

    One fit for each of the m (m - 1) / 2 pairs; the rbf kernel is computed once for all. With the
    linear kernel all features are divided by one power of two if any exceeds 1000 in size. Sparse
    cases are made dense.

    References
    ----------
    .. [brinker2006] K. Brinker, E. Hüllermeier: Case-based label ranking. ECML 2006.
    .. [hullermeier2008] E. Hüllermeier, J. Fürnkranz, W. Cheng, K. Brinker: Label ranking by
       learning pairwise preferences. Artificial Intelligence 172, 2008.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> Y = [[1, 2, 3], [1, 2, 3], [3, 2, 1], [3, 2, 1]]
    >>> PairwiseSVMRanker().fit(X, Y).predict([[0.4], [2.9]])
    array([[1, 2, 3],
           [3, 2, 1]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "C": [Interval(Real, 0, None, closed="neither")],
        "kernel": [StrOptions({"linear", "rbf"})],
        "gamma": [Interval(Real, 0, None, closed="neither"), None],
        "loss": [StrOptions({"squared_hinge", "hinge"})],
        "ties": [StrOptions(set(TIES))],
    }

    def __init__(
        self,
        C: float = 1.0,
        *,
        kernel: str = "linear",
        gamma: float | None = None,
        loss: str = "squared_hinge",
        ties: str = "break",
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.loss = loss
        self.ties = ties

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, Y: ArrayLike) -> Self:
        """Learn every pair of labels.

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
        features, signs = self._training_data(X, Y)
        if self.ties == "predict":
            signs = split_signs(signs)
        kernel = kernel_of(self.kernel, degree=1, gamma=self.gamma)
        self._margins = learn_margins(features, signs, self.C, kernel, loss=self.loss)
        machines = self._margins.machines
        # An infinite margin stands for a constant outcome, 0 for no preference.
        machines.intercept[machines.is_constant] *= np.inf
        self.intercept_ = machines.intercept
        if kernel is None:
            self.coef_ = machines.weights.T
        else:
            self.dual_coef_ = machines.weights
        return self

    def path(self, X: ArrayLike) -> "MachinePath":
        """Prepare cases for predictions; no parameter can be changed without another fit.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        MachinePath
            ``path.at()`` predicts.
        """
        return MachinePath(self, self._cases(X), self._observed, self._margins)


class MachinePath(PairPath):
    """The margins of all pairs for some cases."""

    def __init__(self, model: Any, X: FloatArray, observed: FloatArray, margins: Margins) -> None:
        super().__init__(model, X, observed)
        self.margins = margins

    def at(self) -> "MachinePoint":
        """Predict the cases."""
        return MachinePoint(self)

    def parts(self, point: PairPoint, case: int) -> PairParts:
        """Split the margins of one case into contributions of its features or training cases."""
        margins = self.margins
        inputs, baseline = margins.split(self.X[case : case + 1])
        weights = margins.machines.weights
        return PairParts(
            "margin", baseline, inputs, weights, point.positions[case], margins.input_kind
        )


class MachinePoint(PairPoint):
    """Predictions by votes."""

    def __init__(self, path: MachinePath) -> None:
        super().__init__(path, votes_of(path.margins.of(path.X)), PAIR_TERMS["binary"])

    def breakpoints(
        self, x: FloatArray, feature: int, ends: tuple[float, float]
    ) -> FloatArray | None:
        """List where a pair's vote changes; None for the rbf kernel."""
        margins = self.path.margins
        if margins.kernel is not None:
            return None
        slopes = margins.machines.weights[feature]
        return linear_crossings(margins.of(x[None])[0], slopes, float(x[feature]), ends)
