"""Support vector machines that share a subspace: ASO with the hinge loss (Ando and Zhang 2005)."""

from numbers import Integral, Real
from typing import Any, ClassVar

from labelrank_core._sklearn import Interval, StrOptions
from labelrank_core.methods.linear._alternation import (
    SharedMachines,
    leading_directions,
    learn_sharing,
)
from labelrank_core.methods.linear._linear_scores import Subspace
from labelrank_core.methods.linear._tuned_machines import TunedMachines
from labelrank_core.metrics.thresholds import RULES
from labelrank_core.rankings import FloatArray


class ASOSVMClassifier(TunedMachines):
    r"""Predict label sets by linear machines whose weights lie near a subspace that labels share.

    The rival "ASO_SVM" in section 6 of [ji2010]_: alternating structure optimisation [ando2005]_ of
    its eq. 28 with the hinge loss,

    .. math:: \sum_l \Bigl( \frac{1}{n} \sum_i \max\bigl(0, 1 - y_{il} (u_l \cdot x_i + b_l)\bigr)
        + \alpha \left\| u_l - \Theta^T v_l \right\|^2 \Bigr), \quad \Theta \Theta^T = I,

    over weights u_l, directions v_l and the subspace Θ of r dimensions. Given Θ, every label is a
    support vector machine; given all weights, Θ are their r leading left singular vectors and
    v_l = Θ u_l. Both take turns. Cases are sparse (CSR) or dense; sparse ones stay sparse.

    Parameters
    ----------
    alpha : float, default=0.1
        Penalty α on the part of the weights outside the subspace, larger than 0. The paper tunes it
        on 10⁻⁴, 10⁻³ … 10³.
    n_components : int or None, default=None
        Dimensions r of the subspace, at least 1; at most as many as there are independent weights.
        None: a third of the number of labels, at least 1. The paper states none.
    threshold : str, default="label_macro_f1"
        How the thresholds that scores must exceed are found, as for `OneVsRestSVMClassifier`.
    cv : int, default=3
        Folds for the out-of-fold scores, at least 2: row i is held out by fold i modulo cv.
    tol : float, default=0.01
        It stops when a round lowers the objective by less than this share. The paper: 0.001.
    max_iter : int, default=100
        The most rounds, at least 1, as in the paper.

    Attributes
    ----------
    coef_ : ndarray of shape (n_labels, n_features)
        The weights u; zeros for labels that all or no training rows have.
    intercept_ : ndarray of shape (n_labels,)
        The intercepts b; 1 or -1 for labels that all or no training rows have.
    components_ : ndarray of shape (n_components, n_features)
        The subspace Θ.
    n_components_ : int
        Its dimensions.
    baseline_ : ndarray of shape (n_labels,)
        Score of the mean case.
    thresholds_ : ndarray of shape (n_labels,)
        The thresholds that scores must exceed.
    objective_ : float
        The objective reached, with features of the size that is learned.
    n_iter_ : int
        Rounds.
    n_labels_ : int
        Number of labels.
    n_features_in_ : int
        Number of features.

    Notes
    -----
    The problem is not convex: what is found depends on the start, which is machines without a
    subspace.

    Differs from the paper in four points. Weights within the subspace cost a hundredth of α, not
    nothing: without any cost a machine need not have a solution. All features are divided by one
    number before learning, so that the mean squared distance of the training cases from their mean
    is 1; it is about 1 for the paper's web pages, which have unit length. Thresholds are tuned out
    of fold. And it stops sooner. The paper gives its programs to MOSEK; here each machine is
    learned by LIBSVM from the inner products of the training cases, of which n² are held in memory.
    With an α below 0.001 a machine may stop early, with scikit-learn's ConvergenceWarning.

    Scores are rounded to 12 decimals. A label whose score equals its threshold is irrelevant; ties
    in rankings are broken by label index.

    Of calibrated rankings only the relevance is learned, not the order among relevant labels or
    among the others.

    References
    ----------
    .. [ji2010] S. Ji, L. Tang, S. Yu, J. Ye: A shared-subspace learning framework for multi-label
       classification. ACM Transactions on Knowledge Discovery from Data 4(2), 2010.
    .. [ando2005] R. Ando, T. Zhang: A framework for learning predictive structures from multiple
       tasks and unlabeled data. Journal of Machine Learning Research 6, 2005.

    Examples
    --------
    >>> X = [[0.0, 1.0], [0.2, 0.8], [0.9, 0.1], [1.0, 0.0]]
    >>> Y = [[0, 1, 1], [0, 1, 0], [1, 0, 0], [1, 0, 0]]
    >>> model = ASOSVMClassifier(threshold="zero").fit(X, Y)
    >>> model.predict([[0.0, 1.0], [0.8, 0.2]])[:, :2]
    array([[0, 1],
           [1, 0]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "alpha": [Interval(Real, 0, None, closed="neither")],
        "n_components": [Interval(Integral, 1, None, closed="left"), None],
        "threshold": [StrOptions(set(RULES))],
        "cv": [Interval(Integral, 2, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        alpha: float = 0.1,
        *,
        n_components: int | None = None,
        threshold: str = "label_macro_f1",
        cv: int = 3,
        tol: float = 1e-2,
        max_iter: int = 100,
    ) -> None:
        self.alpha = alpha
        self.n_components = n_components
        self.threshold = threshold
        self.cv = cv
        self.tol = tol
        self.max_iter = max_iter

    def _learn(self, X: Any, signs: FloatArray) -> SharedMachines:
        r = self._most_components(signs.shape[1])
        return learn_sharing(X, signs, self.alpha, r, tol=self.tol, max_iter=self.max_iter)

    def _shared(self, machines: SharedMachines) -> tuple[Subspace, FloatArray]:
        self.objective_, self.n_iter_ = machines.objective, machines.n_rounds
        r = self._most_components(machines.weights.shape[1])
        inside = leading_directions(machines.weights, r)
        directions = inside.T @ machines.weights
        return Subspace(inside, directions), machines.weights - inside @ directions

    def _most_components(self, n_labels: int) -> int:
        return max(1, n_labels // 3) if self.n_components is None else self.n_components
