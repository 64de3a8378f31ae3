"""One-against-rest linear support vector machines with thresholds tuned out of fold (MLLS-08)."""

from numbers import Integral, Real
from typing import Any, ClassVar

from labelrank_core._sklearn import Interval, StrOptions
from labelrank_core.methods.linear._tuned_machines import TunedMachines
from labelrank_core.methods.machines import Machines, learn_linear
from labelrank_core.metrics.thresholds import RULES
from labelrank_core.rankings import FloatArray


class OneVsRestSVMClassifier(TunedMachines):
    r"""Predict label sets by one linear support vector machine for every label.

    The rival "SVM" in section 6 of [ji2010]_: label j is learned against the rest,

    .. math:: \tfrac{1}{2} \left\| w_j \right\|^2 + \tfrac{1}{2} b_j^2
        + C \sum_i \max\bigl(0, 1 - y_{ij} (w_j \cdot x_i + b_j)\bigr)^2, \quad y_{ij} = \pm 1,

    and is relevant where its score w_j · x + b_j exceeds a threshold tuned for F1, here on
    out-of-fold scores. Cases are sparse (CSR) or dense; sparse ones stay sparse.

    Parameters
    ----------
    C : float, default=1.0
        Inverse penalty on the weights, larger than 0, as in scikit-learn. The paper tunes it on
        10⁻⁵, 10⁻⁴ … 10⁵.
    threshold : str, default="label_macro_f1"
        How the thresholds that scores must exceed are found: the rules of
        `SharedSubspaceClassifier`. Four maximise a measure on out-of-fold scores:
        ``"label_macro_f1"``, ``"label_micro_f1"``, ``"global_macro_f1"`` and
        ``"global_micro_f1"``; ``"zero"``: 0 for all, as plain support vector machines decide.
        A label that all or no training rows have keeps 0; so do all labels with a single training
        row.
    fit_intercept : bool, default=True
        Whether scores have an intercept b, which is penalised like a weight.
    cv : int, default=5
        Folds for the out-of-fold scores, at least 2: row i is held out by fold i modulo cv.

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
    Differs from the paper, which used LIBSVM: the hinge loss is squared and intercepts are
    penalised, as in scikit-learn's ``LinearSVC``, which learns each label: on the primal, or on
    the dual, in a random order with a fixed seed, where features outnumber cases. And the paper
    tunes thresholds on training scores, which overfit.

    A large C with strongly correlated features may stop short of the minimum, with scikit-learn's
    ConvergenceWarning.

    With features beyond 1000 in size all are divided by one power of two before learning. Scores
    are rounded to 12 decimals. A label whose score equals its threshold is irrelevant; ties in
    rankings are broken by label index.

    Of calibrated rankings only the relevance is learned, not the order among relevant labels or
    among the others.

    References
    ----------
    .. [ji2010] S. Ji, L. Tang, S. Yu, J. Ye: A shared-subspace learning framework for multi-label
       classification. ACM Transactions on Knowledge Discovery from Data 4(2), 2010.
    .. [platt1999] J. Platt: Probabilistic outputs for support vector machines and comparisons to
       regularized likelihood methods. Advances in Large Margin Classifiers, 1999.

    Examples
    --------
    >>> X = [[0.0, 1.0], [0.2, 0.8], [0.9, 0.1], [1.0, 0.0]]
    >>> Y = [[0, 1, 1], [0, 1, 0], [1, 0, 0], [1, 0, 0]]
    >>> model = OneVsRestSVMClassifier(threshold="zero").fit(X, Y)
    >>> model.predict([[0.0, 1.0], [0.8, 0.2]])
    array([[0, 1, 1],
           [1, 0, 0]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "C": [Interval(Real, 0, None, closed="neither")],
        "threshold": [StrOptions(set(RULES))],
        "fit_intercept": ["boolean"],
        "cv": [Interval(Integral, 2, None, closed="left")],
    }

    def __init__(
        self,
        C: float = 1.0,
        *,
        threshold: str = "label_macro_f1",
        fit_intercept: bool = True,
        cv: int = 5,
    ) -> None:
        self.C = C
        self.threshold = threshold
        self.fit_intercept = fit_intercept
        self.cv = cv

    def _learn(self, X: Any, signs: FloatArray) -> Machines:
        return learn_linear(X, signs, self.C, fit_intercept=self.fit_intercept)
