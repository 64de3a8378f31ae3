"""Binary relevance: one support vector machine, or any classifier, per label."""

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from labelrank_core._sklearn import Interval, StrOptions, fit_context
from labelrank_core.aggregation.virtual_labels import relevance_of_targets
from labelrank_core.methods.base import (
    checked_cases,
    require_as_many_rows,
    require_targets,
)
from labelrank_core.methods.base_classifiers import (
    BASE_CLASSIFIER,
    BaseClassifierMixin,
    BaseClassifiers,
    checked_parameters,
    learn_classifiers,
    predicts_probabilities,
)
from labelrank_core.methods.label_probabilities import LabelProbabilitiesMixin
from labelrank_core.methods.linear._estimated_labels import EstimatedLabelsPath
from labelrank_core.methods.linear._margin_path import MarginPath
from labelrank_core.methods.machines import Margins, kernel_of, learn_margins
from labelrank_core.rankings import FloatArray


def _has_probabilities(model: Any) -> bool:
    return model.estimator is not None and predicts_probabilities(model.estimator)


class BinaryRelevanceClassifier(BaseClassifierMixin, LabelProbabilitiesMixin, BaseEstimator):
    """Predict label sets by one support vector machine, or other classifier, for every label.

    Binary relevance as in section 3 of [brinker2007]_: the machine of a label learns its relevant
    cases against all others; a label is relevant where its margin is above 0, and labels are
    ranked by their margins. With an estimator that predicts probabilities, a label is relevant
    where its probability is above one half, and labels are ranked by these.

    Parameters
    ----------
    C : float, default=1.0
        Inverse penalty, larger than 0, as in scikit-learn. The paper tries 2^-4 to 2^4 with the
        linear kernel and 2^-2 to 2^2 with polynomial ones.
    kernel : {"linear", "rbf", "poly"}, default="linear"
        The polynomial kernel is (x · z / n_features + 1)^degree; the paper gives no formula. Other
        kernels than the linear one: by libsvm (scikit-learn's ``SVC``).
    degree : int, default=3
        Degree of the polynomial kernel, at least 1; the paper tries 1 to 5.
    gamma : float or None, default=None
        Parameter of the rbf kernel, larger than 0; None: 1 / n_features.
    loss : {"squared_hinge", "hinge"}, default="squared_hinge"
        The loss of the linear kernel. ``"squared_hinge"``: by liblinear (scikit-learn's
        ``LinearSVC``, whose penalty includes the intercept); ``"hinge"``, as in the papers: by
        libsvm (``SVC``), with the square of n_samples in memory. Other kernels have the hinge
        loss.
    estimator : classifier or None, default=None
        Unfitted scikit-learn classifier to learn each label from 0/1 targets, with
        ``predict_proba`` or else ``decision_function``; None: the support vector machine that the
        other parameters describe, which have no effect if an estimator is given.

    Attributes
    ----------
    coef_ : ndarray of shape (n_labels, n_features)
        Weights of the margins; linear kernel without an estimator only.
    dual_coef_ : ndarray of shape (n_samples, n_labels)
        Weights of the training cases, 0 for all but support cases; other kernels only.
    intercept_ : ndarray of shape (n_labels,)
        Intercepts; without an estimator only.
    estimators_ : list of classifier or None
        The fitted classifiers; None for labels that all or no training cases have. With an
        estimator only.
    n_labels_ : int
        Number of labels.
    n_features_in_ : int
        Number of features.

    Notes
    -----
    A label that all or no training cases have gets the margin 1 or -1 for every case: without
    weights, that is where the loss is 0; with an estimator that predicts probabilities it gets the
    probability 1 or 0. Margins are rounded to 12 decimals; labels with equal
    margins are ranked by label index, and a label with margin 0 is irrelevant. Margins of different
    machines have no common scale, so a ranking by them is ad hoc, as the paper says.

    Of calibrated rankings only the relevance is learned, not the order among relevant labels or
    among the others.

    Cases are sparse (CSR) or dense; sparse ones stay sparse. With the linear kernel all features
    are divided by one power of two if any exceeds 1000 in size. Other kernels need the square of
    n_samples in memory; the matrix is computed once for all labels. libsvm stops after a million
    steps for a label, with scikit-learn's ``ConvergenceWarning``.

    `OneVsRestSVMClassifier` learns the linear machines in the same way, but decides by thresholds
    that are tuned out of fold.

    An estimator gets the cases as they are, sparse ones too, and what `fit` is given for it by
    scikit-learn's metadata routing, such as weights of cases. Its explanations do not say what its
    scores are made of.

    References
    ----------
    .. [brinker2007] K. Brinker, E. Hüllermeier: Case-based multilabel ranking. IJCAI 2007.

    Examples
    --------
    >>> X = [[0.0, 1.0], [0.2, 0.8], [0.9, 0.1], [1.0, 0.0]]
    >>> Y = [[0, 1, 1], [0, 1, 0], [1, 0, 0], [1, 0, 0]]
    >>> model = BinaryRelevanceClassifier(10.0).fit(X, Y)
    >>> model.predict([[0.0, 1.0], [0.8, 0.2]])
    array([[0, 1, 1],
           [1, 0, 0]])
    >>> model.predict_ranking([[0.8, 0.2]])
    array([[1, 2, 3]])

    With trees, whose leaves have probabilities:

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> tree = DecisionTreeClassifier(min_samples_leaf=2, random_state=0)
    >>> BinaryRelevanceClassifier(estimator=tree).fit(X, Y).predict_proba([[0.0, 1.0]])
    array([[0. , 1. , 0.5]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "C": [Interval(Real, 0, None, closed="neither")],
        "kernel": [StrOptions({"linear", "rbf", "poly"})],
        "degree": [Interval(Integral, 1, None, closed="left")],
        "gamma": [Interval(Real, 0, None, closed="neither"), None],
        "loss": [StrOptions({"squared_hinge", "hinge"})],
        "estimator": BASE_CLASSIFIER,
    }

    def __init__(
        self,
        C: float = 1.0,
        *,
        kernel: str = "linear",
        degree: int = 3,
        gamma: float | None = None,
        loss: str = "squared_hinge",
        estimator: Any = None,
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.loss = loss
        self.estimator = estimator

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, Y: ArrayLike, **params: Any) -> Self:
        """Learn the machine of every label.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training cases.
        Y : array-like of shape (n_samples, n_labels) or (n_samples, n_labels + 1)
            A matrix of nothing but 0 and 1, 1 = relevant; or calibrated rankings: positions of
            the labels and, last, of the virtual label, which is strictly behind the relevant
            labels.
        **params
            Metadata, such as ``sample_weight``, for an estimator that asks for it, with
            scikit-learn's metadata routing.

        Returns
        -------
        self
            Fitted.

        Raises
        ------
        ValueError
            If a parameter or an array is not as described.
        """
        routed = self._routed(params)
        require_targets(self, Y)
        signs = np.where(relevance_of_targets(Y) == 1, 1.0, -1.0)
        cases = self._checked(X, reset=True, copy=True)
        require_as_many_rows(cases, len(signs))
        self.n_labels_ = signs.shape[1]
        if self.estimator is not None:
            with checked_parameters():
                self._margins: Margins | BaseClassifiers = learn_classifiers(
                    self.estimator, cases, signs, routed["estimator"]
                )
            self.estimators_ = self._margins.estimators
            return self
        kernel = kernel_of(self.kernel, degree=self.degree, gamma=self.gamma)
        self._margins = learn_margins(cases, signs, self.C, kernel, loss=self.loss)
        machines = self._margins.machines
        if kernel is None:
            self.coef_ = machines.weights.T
        else:
            self.dual_coef_ = machines.weights
        self.intercept_ = machines.intercept
        return self

    def _checked(self, X: Any, **options: bool) -> Any:
        return checked_cases(self, X, **options)

    predict_proba = available_if(_has_probabilities)(LabelProbabilitiesMixin.predict_proba)

    def decision_function(self, X: Any) -> FloatArray:
        """Return the margin, or probability minus 0.5, of every label, above 0 if relevant.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases, n_labels)
            Rounded to 12 decimals.
        """
        return self.point(X).scores

    def predict_confidence(self, X: Any) -> FloatArray:
        """Return the share of each case's label decisions that the margins expect to be right.

        The squared hinge loss is least where the margin f of a label of
        probability p is 2 p - 1, so f stands for the probability (1 + f) / 2, clipped to [0, 1].
        The confidence is the mean over labels of the probability of the decision made. It
        estimates 1 - Hamming loss of the case. Margins of the hinge loss are read alike, but it is
        least at 1 or -1: their confidence is too high, and only its order counts, as with any other
        ``decision_function``. Probabilities of an estimator are taken as they are.
        The paper defines no confidence.

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

    def path(self, X: Any) -> MarginPath | EstimatedLabelsPath:
        """Prepare cases for predictions; no parameter can be changed without another fit.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        MarginPath or EstimatedLabelsPath
            ``path.at()`` predicts.
        """
        check_is_fitted(self)
        cases, margins = self._checked(X, reset=False), self._margins
        if isinstance(margins, BaseClassifiers) and margins.has_probabilities:
            return EstimatedLabelsPath(self, cases, margins)
        return MarginPath(self, cases, margins)
