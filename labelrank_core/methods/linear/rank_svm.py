"""Rank-SVM: margins between the relevant and the irrelevant labels of a case."""

from collections.abc import Callable
from functools import cached_property
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from labelrank_core._sklearn import Interval, StrOptions, fit_context
from labelrank_core.aggregation.sums import chunks
from labelrank_core.explain.evidence import Explanation, ScoreParts, Step, Text
from labelrank_core.methods.base import (
    LabelSetPoint,
    LabelSetsMixin,
    PathMixin,
    checked_cases,
)
from labelrank_core.methods.kernels import Kernel
from labelrank_core.methods.linear._rank_interior import MOST_WEIGHTS
from labelrank_core.methods.linear._rank_margins import fit_thresholds, learn_margins
from labelrank_core.methods.linear._solution import probabilities
from labelrank_core.methods.pair_ranker import common_scale
from labelrank_core.methods.score_steps import (
    THRESHOLDS,
    confidence_step,
    scores_step,
    summary,
    values_of,
)
from labelrank_core.rankings import FloatArray

# Kernels with the training cases are computed for this many numbers at once (32 MB).
_BLOCK_CELLS = 1 << 22


class RankSVMClassifier(PathMixin, LabelSetsMixin, BaseEstimator):
    """Predict label sets by Rank-SVM [elisseeff2001]_.

    One score per label, learned for all labels together: every relevant label of a training case is
    to score 1 more than every irrelevant one. What is missing, averaged over these pairs of the
    case and times C, is minimised together with half the squared weights of all scores. Where a
    case's label set ends is a linear function of its scores, fitted by least squares to where
    the training cases' sets end best.

    Parameters
    ----------
    C : float, default=1.0
        Price of pairs with less margin, larger than 0. [zhang2005]_ has 1.
    kernel : {"poly", "rbf", "linear"}, default="poly"
        As in scikit-learn.
    degree : int, default=8
        Degree of the polynomial kernel (gamma x · z + coef0)^degree, at least 1. [zhang2005]_ has
        8, without a formula.
    gamma : float or None, default=None
        Parameter of the rbf and polynomial kernels, larger than 0; None: 1 / n_features.
    coef0 : float, default=1
        Constant of the polynomial kernel, at least 0.
    tol : float, default=1e-6
        The search ends when the duality gap is at most this share of the objective, at least 0.
    max_iter : int, default=200
        The most rounds and steps of the search, at least 1.

    Attributes
    ----------
    dual_coef_ : ndarray of shape (n_samples, n_labels)
        Weights of the training cases in the scores; of a case they sum to 0.
    intercept_ : ndarray of shape (n_labels,)
        What is added to the scores.
    threshold_coef_ : ndarray of shape (n_labels,)
        Weights of the scores in a case's threshold.
    threshold_intercept_ : float
        What is added to thresholds.
    n_iter_ : int
        Rounds of the search and steps of the interior-point method.
    gap_ : float
        How much larger the dual objective may at most become.
    objective_ : float
        The dual objective.
    n_labels_ : int
        Number of labels.
    n_features_in_ : int
        Number of features.

    Notes
    -----
    A round of the search raises the dual by four passes of projected gradient steps, case by case,
    and then by conjugate gradients over all multipliers at neither end; the paper takes
    Frank-Wolfe steps. With few weights (n_labels times n_features + 1, or times n_samples for
    curved kernels, is at most 2000) an interior-point method helps. If the search ends before
    `tol` is reached, as it may with many features, a linear kernel and a large C, scikit-learn's
    ConvergenceWarning says so. The order of the training cases changes scores by no more than
    `tol` allows: their squared distance from the best ones is at most twice the gap times the
    kernel of the case with itself.
    A constant feature takes the place of the paper's bias: its weight is penalised as the others,
    so cases do not depend on each other through a constraint.

    Of thresholds with equally few errors on a training case the lowest is taken, in the middle
    between two scores; half a margin beyond the scores where all or no labels are relevant. A case
    with all or no labels has no pairs, but counts for the thresholds.

    A pair has its margin if it misses it by less than the rounding of its scores, which are rounded
    to 9 decimals, or to as few as 3 where the kernel is huge; equal ones are ranked by label index,
    and a label at the threshold is irrelevant. If any feature exceeds 1000 in size, all are divided
    by one power of two. The kernel of the training cases needs the square of n_samples in memory,
    and the search about ten numbers per pair of a relevant and an irrelevant label of a case.
    Cases are sparse (CSR) or dense; sparse ones stay sparse. Of calibrated rankings only the
    relevance is learned.

    References
    ----------
    .. [elisseeff2001] A. Elisseeff, J. Weston: A kernel method for multi-labelled classification.
       NIPS 2001.
    .. [zhang2005] M.-L. Zhang, Z.-H. Zhou: A k-nearest neighbor based algorithm for multi-label
       classification. IEEE International Conference on Granular Computing 2005.

    Examples
    --------
    >>> X = [[0.0, 1.0], [0.2, 0.8], [0.9, 0.1], [1.0, 0.0]]
    >>> Y = [[0, 1, 1], [0, 1, 0], [1, 0, 0], [1, 0, 0]]
    >>> model = RankSVMClassifier().fit(X, Y)
    >>> model.predict([[0.0, 1.0], [0.8, 0.2]])
    array([[0, 1, 1],
           [1, 0, 0]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "C": [Interval(Real, 0, None, closed="neither")],
        "kernel": [StrOptions({"linear", "rbf", "poly"})],
        "degree": [Interval(Integral, 1, None, closed="left")],
        "gamma": [Interval(Real, 0, None, closed="neither"), None],
        "coef0": [Interval(Real, 0, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        C: float = 1.0,
        *,
        kernel: str = "poly",
        degree: int = 8,
        gamma: float | None = None,
        coef0: float = 1,
        tol: float = 1e-6,
        max_iter: int = 200,
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.max_iter = max_iter

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, Y: ArrayLike) -> Self:
        """Learn the scores and the thresholds.

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
        cases, relevance = self._checked_label_sets(X, Y)
        self.n_labels_ = relevance.shape[1]
        params = {"gamma": self.gamma, "degree": self.degree, "coef0": self.coef0}
        self._kernel = Kernel(self.kernel, params)
        self._scale = common_scale(cases.data if sparse.issparse(cases) else cases)
        # A copy, so that the caller may change the cases.
        self._cases = cases / self._scale
        gram = self._kernel(self._cases) + 1
        margins = learn_margins(
            gram,
            relevance,
            self.C,
            tol=self.tol,
            max_iter=self.max_iter,
            features=self._linear_features(),
        )
        self.dual_coef_ = margins.weights
        self.intercept_ = margins.weights.sum(axis=0)
        # Sums over many similarities keep fewer digits than their parts.
        self._decimals = int(np.floor(-np.log10(margins.rounding)))
        self.n_iter_, self.gap_, self.objective_ = margins.n_iter, margins.gap, margins.objective
        weights, constant = fit_thresholds(margins.scores, relevance)
        self.threshold_coef_, self.threshold_intercept_ = weights, constant
        return self

    def _linear_features(self) -> FloatArray | None:
        """Return the training cases with the constant feature; None for other kernels or many."""
        n_features = self._cases.shape[1] + 1
        if self.kernel != "linear" or n_features * self.n_labels_ > MOST_WEIGHTS:
            return None
        dense = self._cases.toarray() if sparse.issparse(self._cases) else self._cases
        return np.column_stack([dense, np.ones(len(dense))])

    def _checked(self, X: Any, *, reset: bool) -> Any:
        return checked_cases(self, X, reset=reset)

    def _similarities(self, X: Any) -> FloatArray:
        """Return the kernel of checked cases with the training cases."""
        return self._kernel(X / self._scale, self._cases)

    def decision_function(self, X: Any) -> FloatArray:
        """Return the score of every label minus the case's threshold.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases, n_labels)
            Above 0 = relevant.
        """
        return self.point(X).scores

    def predict_confidence(self, X: Any) -> FloatArray:
        """Return the share of each case's label decisions that the margins expect to be right.

        Labels are to lie half a margin from the threshold. A label above it by f stands for the
        probability 1/2 + f, clipped to [0, 1]; the confidence is the mean over labels of the
        probability of the decision made. Only its order counts. Not from the paper.

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

    def path(self, X: Any) -> "RankSVMPath":
        """Prepare cases for predictions; no parameter can be changed without another fit.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        RankSVMPath
            ``path.at()`` predicts.
        """
        check_is_fitted(self)
        return RankSVMPath(self, self._checked(X, reset=False), self._similarities, self._decimals)


class RankSVMPath:
    """Checked cases to predict."""

    def __init__(
        self,
        model: RankSVMClassifier,
        X: Any,
        similarities: Callable[[Any], FloatArray],
        decimals: int,
    ) -> None:
        self.model = model
        self.X = X
        # To the training cases.
        self.similarities = similarities
        self.decimals = decimals

    def scores(self) -> FloatArray:
        """Return the scores before thresholds, (n_cases, n_labels)."""
        weights = self.model.dual_coef_
        blocks = chunks(self.X.shape[0], len(weights), at_once=_BLOCK_CELLS)
        scores = [self.similarities(self.X[part]) @ weights for part in blocks]
        return (np.concatenate(scores) + self.model.intercept_).round(self.decimals)

    def at(self) -> "RankSVMPoint":
        """Predict the cases."""
        return RankSVMPoint(self)


class RankSVMPoint(LabelSetPoint):
    """Predictions of some cases, computed when first needed."""

    def __init__(self, path: RankSVMPath) -> None:
        self.path = path

    @property
    def decides_whole_sets(self) -> bool:
        """Always: the threshold is another one for each case."""
        return True

    @cached_property
    def raw_scores(self) -> FloatArray:
        """Scores before thresholds, shape (n_cases, n_labels)."""
        return self.path.scores()

    @cached_property
    def case_thresholds(self) -> FloatArray:
        """The threshold of each case, shape (n_cases,)."""
        model = self.path.model
        # Added up label by label: products of matrices differ with the number of cases.
        weighted = (self.raw_scores * model.threshold_coef_).sum(axis=1)
        return (weighted + model.threshold_intercept_).round(self.path.decimals)

    @cached_property
    def scores(self) -> FloatArray:
        """Each score minus the threshold, shape (n_cases, n_labels)."""
        return (self.raw_scores - self.case_thresholds[:, None]).round(self.path.decimals)

    @cached_property
    def confidence(self) -> FloatArray:
        """Estimated share of the label decisions that are right, shape (n_cases,)."""
        return _probabilities(np.abs(self.scores)).mean(axis=1)

    def explain(self, case: int) -> Explanation:
        """Explain one case: the support cases of each score, the threshold, the confidence."""
        parts = self._parts(case)
        values = values_of(self, case, parts)
        weights = self.path.model.dual_coef_[:, values["edge"].index]
        values |= {"n": len(weights), "n_support": int(np.count_nonzero(weights))}
        sure = self.confidence[case]
        return Explanation(
            prediction=self.prediction[case],
            positions=self.positions[case],
            summary=summary(THRESHOLDS, values),
            steps=(
                Step("Support cases", Text(_SUPPORT, values), parts),
                scores_step(THRESHOLDS, self, case, values),
                confidence_step(THRESHOLDS, sure, np.zeros(1), _probabilities, _STANDS_FOR),
            ),
        )

    def _parts(self, case: int) -> ScoreParts:
        model = self.path.model
        return ScoreParts(
            baseline=model.intercept_,
            thresholds=np.full(model.n_labels_, self.case_thresholds[case]),
            inputs=self.path.similarities(self.path.X[case : case + 1])[0],
            weights={"own part": model.dual_coef_},
            input_kind="training row",
        )


def _probabilities(scores: FloatArray) -> FloatArray:
    """Return the probability that a label is relevant, for each score above the threshold."""
    return probabilities(2 * scores)


_SUPPORT = (
    "{edge} scores {score}: {baseline} for a case similar to none, plus the similarity of each "
    "training case times its weight. {n_support} of the {n} training cases have a weight: the "
    "support cases. This case's threshold, {threshold}, follows from all scores."
)
_STANDS_FOR = (
    "a label whose score is above the threshold by f is relevant with probability 1/2 + f, at "
    "least 0 and at most 1; only the order of confidences counts"
)
