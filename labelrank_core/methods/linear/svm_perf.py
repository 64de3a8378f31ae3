"""Support vector machines learned for F1 itself, SVM-perf (Joachims 2005)."""

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from labelrank_core._sklearn import Interval, StrOptions
from labelrank_core.methods.few_labels import FewLabels, warn_of_few_labels
from labelrank_core.methods.linear._f1_machines import learn_for_f1
from labelrank_core.methods.linear._f1_penalty import PenaltyTrial, never_predicted, try_larger
from labelrank_core.methods.linear._tuned_machines import TunedMachines
from labelrank_core.methods.machines import Machines
from labelrank_core.metrics.thresholds import RULES
from labelrank_core.rankings import FloatArray


class SVMPerfClassifier(TunedMachines):
    r"""Predict label sets by one linear machine for every label, learned for the label's F1.

    The rival "SVM^perf" in section 6 of [ji2010]_. A label is learned from all n cases together
    [joachims2005]_: the true vector y of ±1 must score higher than every other vector y' by what y'
    loses, 1 - F1(y', y),

    .. math:: \tfrac{1}{2} \left\| w \right\|^2 + \tfrac{1}{2} b^2 + 100\, C\, \xi, \quad
        \frac{1}{2n} \sum_i (y_i - y'_i) (w \cdot x_i + b) \ge 1 - F_1(y', y) - \xi
        \text{ for every } y',

    with a single slack ξ. Of these 2ⁿ constraints, the most violated one is added until none is
    violated by more than `tol` [joachims2006]_. A label is relevant where its score w · x + b
    exceeds its threshold. Cases are sparse (CSR) or dense; sparse ones stay sparse.

    Parameters
    ----------
    C : float, default=1.0
        Inverse penalty on the weights, larger than 0. The paper sets 5000, which takes many times
        as long. With a small C rare labels are never predicted; then `fit` warns and names a
        better C.
    threshold : str, default="zero"
        How the thresholds that scores must exceed are found: ``"zero"``: 0 for all, which is what
        the machines are learned for; or a measure to maximise on out-of-fold scores, as for
        `OneVsRestSVMClassifier`.
    fit_intercept : bool, default=True
        Whether scores have an intercept b, which is penalised like a weight.
    cv : int, default=3
        Folds for the out-of-fold scores, at least 2: row i is held out by fold i modulo cv.
    tol : float, default=0.01
        By how much of F1 a constraint may be violated more than the slack; above 0.
    max_iter : int, default=1000
        The most rounds of new constraints per label, at least 1.

    Attributes
    ----------
    coef_ : ndarray of shape (n_labels, n_features)
        The weights w; zeros for labels that all or no training rows have.
    intercept_ : ndarray of shape (n_labels,)
        The intercepts b; 1 or -1 for labels that all or no training rows have.
    baseline_ : ndarray of shape (n_labels,)
        Score of the mean case.
    thresholds_ : ndarray of shape (n_labels,)
        The thresholds that scores must exceed.
    n_labels_ : int
        Number of labels.
    n_features_in_ : int
        Number of features.

    Notes
    -----
    Losses and margins are scaled as in the program SVM-perf, as far as its documentation says: with
    the error rate in place of 1 - F1, they would make the ordinary machine with 100 C / n.

    Differs from [joachims2006]_: each round adds a second constraint, the most violated one near
    the best weights so far [franc2008]_, and drops those without a multiplier.

    The slack is only a bound on 1 - F1. With a small C, and for a rare label whose cases lie among
    many others also with a large one, weights of 0 are the optimum; the label is never predicted.

    Learning stops after `max_iter` rounds with scikit-learn's ConvergenceWarning. With features
    beyond 1000 in size all are divided by one power of two before learning. Scores are rounded to
    12 decimals. A label whose score equals its threshold is irrelevant; ties in rankings are broken
    by label index.

    Of calibrated rankings only the relevance is learned, not the order among relevant labels or
    among the others.

    References
    ----------
    .. [ji2010] S. Ji, L. Tang, S. Yu, J. Ye: A shared-subspace learning framework for multi-label
       classification. ACM Transactions on Knowledge Discovery from Data 4(2), 2010.
    .. [joachims2005] T. Joachims: A support vector method for multivariate performance measures.
       ICML 2005.
    .. [joachims2006] T. Joachims: Training linear SVMs in linear time. KDD 2006.
    .. [franc2008] V. Franc, S. Sonnenburg: Optimized cutting plane algorithm for support vector
       machines. ICML 2008.
    .. [platt1999] J. Platt: Probabilistic outputs for support vector machines and comparisons to
       regularized likelihood methods. Advances in Large Margin Classifiers, 1999.

    Examples
    --------
    >>> X = [[0.0, 1.0], [0.2, 0.8], [0.9, 0.1], [1.0, 0.0]]
    >>> Y = [[0, 1, 1], [0, 1, 0], [1, 0, 0], [1, 0, 0]]
    >>> SVMPerfClassifier().fit(X, Y).predict([[0.0, 1.0], [0.8, 0.2]])
    array([[0, 1, 1],
           [1, 0, 0]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "C": [Interval(Real, 0, None, closed="neither")],
        "threshold": [StrOptions(set(RULES))],
        "fit_intercept": ["boolean"],
        "cv": [Interval(Integral, 2, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        C: float = 1.0,
        *,
        threshold: str = "zero",
        fit_intercept: bool = True,
        cv: int = 3,
        tol: float = 0.01,
        max_iter: int = 1000,
    ) -> None:
        self.C = C
        self.threshold = threshold
        self.fit_intercept = fit_intercept
        self.cv = cv
        self.tol = tol
        self.max_iter = max_iter

    def few_labels(self, *, threshold: str | None = None) -> FewLabels | None:
        """Tell whether most labels are never predicted, and with which C some of them are.

        A label is never predicted if no out-of-fold score exceeds its threshold. Labels that fewer
        than two training rows have do not count.

        Parameters
        ----------
        threshold : str or None, default=None
            Another rule for the thresholds; None: the model's.

        Returns
        -------
        FewLabels or None
            The numbers, and of the powers of ten above the model's C, up to 10000, the first after
            which mean F1 no longer rises: that of up to five labels of those never predicted, from
            common to rare, on every third of up to 1000 training rows, held out. None if fewer than
            half of the labels are never predicted, by this rule or by the model's own, or no larger
            C predicts them.
        """
        check_is_fitted(self)
        rule = self.threshold if threshold is None else threshold
        scores, trial = self._scores, self._trial
        if trial is None or scores.out_of_fold is None:
            return None
        signs = np.where(scores.relevance == 1, 1.0, -1.0)
        n_never = len(never_predicted(scores.out_of_fold, scores.thresholds(rule), signs))
        if not n_never:
            return None
        ratio = f"{trial.n_predicted} of the {trial.n_labels} tried"
        return FewLabels(
            symptom=f"{n_never} of {self.n_labels_} labels are never predicted.",
            reason=f"With C = {self.C:g}, the weights of rare labels stay near 0.",
            parameter="C",
            value=trial.C,
            effect=f"predict {ratio if trial.n_labels > 1 else 'the one tried'}",
        )

    def _check_learned(self, X: Any, signs: FloatArray) -> None:
        self._trial: PenaltyTrial | None = None
        scores = self._scores.out_of_fold
        if scores is None:
            return
        labels = never_predicted(scores, self.thresholds_, signs)
        if len(labels):
            self._trial = try_larger(self._learn_with, X, signs, labels, self.C)
            warn_of_few_labels(self)

    def _learn(self, X: Any, signs: FloatArray) -> Machines:
        return self._learn_with(X, signs, self.C)

    def _learn_with(self, X: Any, signs: FloatArray, C: float) -> Machines:
        return learn_for_f1(
            X,
            signs,
            100 * C,
            fit_intercept=self.fit_intercept,
            tol=self.tol,
            max_iter=self.max_iter,
        )
