"""Calibrated ranking by pairwise comparison, with support vector machines or any classifiers."""

from numbers import Integral, Real
from typing import Any, ClassVar, Self

from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from labelrank_core._sklearn import Interval, StrOptions, fit_context
from labelrank_core.aggregation.virtual_labels import calibrated_of_targets
from labelrank_core.methods.base import (
    LabelSetsMixin,
    PathMixin,
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
)
from labelrank_core.methods.machines import Margins, kernel_of, learn_margins
from labelrank_core.methods.pairs import observed_shares, pair_signs
from labelrank_core.methods.pairwise._calibrated_point import (
    CalibratedPath,
    line_pairs,
)
from labelrank_core.rankings import FloatArray, relevance_from_calibrated


class CalibratedPairwiseClassifier(BaseClassifierMixin, PathMixin, LabelSetsMixin, BaseEstimator):
    """Predict label sets by the votes of a machine for every pair of labels and the zero line.

    Calibrated ranking by pairwise comparison [brinker2006]_, as CRPC in [brinker2007]_: a virtual
    label marks the zero line. For every pair of labels, and for every label against the zero line,
    a support vector machine votes which one is ahead; all are ordered by the number of their votes,
    and labels ahead of the zero line are relevant. The machines against the zero line are those of
    binary relevance. Any other classifier may take the place of the machines.

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
        Unfitted scikit-learn classifier to learn each pair from 0/1 targets, with
        ``predict_proba`` or else ``decision_function``; None: the support vector machine that the
        other parameters describe, which have no effect if an estimator is given.

    Attributes
    ----------
    coef_ : ndarray of shape (n_pairs, n_features)
        Weights of the margins, pairs as in ``numpy.triu_indices(n_labels + 1, 1)`` with the zero
        line last; linear kernel without an estimator only.
    dual_coef_ : ndarray of shape (n_samples, n_pairs)
        Weights of the training cases, 0 for all but support cases; other kernels only.
    intercept_ : ndarray of shape (n_pairs,)
        Intercepts; without an estimator only.
    estimators_ : list of classifier or None
        The fitted classifiers; None for pairs without one, whose outcome is constant. With an
        estimator only.
    n_labels_ : int
        Number of labels.
    n_features_in_ : int
        Number of features.

    Notes
    -----
    A pair learns from the cases that do not tie both: of label sets, those with exactly one of the
    two labels. A pair that all of them order alike always has that outcome; a pair that none orders
    counts one half for both, as does a margin of 0. Labels with equal votes are ranked by label
    index; a label with as many votes as the zero line is irrelevant.

    Cases are sparse (CSR) or dense; sparse ones stay sparse. With the linear kernel all features
    are divided by one power of two if any exceeds 1000 in size. Other kernels need the square of
    n_samples in memory; the matrix is computed once for all pairs. libsvm stops after a million
    steps for a pair, with scikit-learn's ``ConvergenceWarning``.

    An estimator gets the cases as they are, sparse ones too, and what `fit` is given for it by
    scikit-learn's metadata routing, such as weights of cases. A probability p is the margin
    2 p - 1. Explanations do not say what these margins are made of.

    References
    ----------
    .. [brinker2006] K. Brinker, J. Fürnkranz, E. Hüllermeier: A unified model for multilabel
       classification and ranking. ECAI 2006.
    .. [brinker2007] K. Brinker, E. Hüllermeier: Case-based multilabel ranking. IJCAI 2007.

    Examples
    --------
    >>> X = [[0.0, 1.0], [0.2, 0.8], [0.9, 0.1], [1.0, 0.0]]
    >>> Y = [[0, 1, 1], [0, 1, 0], [1, 0, 0], [1, 0, 0]]
    >>> model = CalibratedPairwiseClassifier(10.0).fit(X, Y)
    >>> model.predict([[0.0, 1.0], [0.8, 0.2]])
    array([[0, 1, 1],
           [1, 0, 0]])
    >>> model.decision_function([[0.8, 0.2]])
    array([[ 1., -1., -2.]])

    With another classifier for every pair:

    >>> from sklearn.naive_bayes import GaussianNB
    >>> model = CalibratedPairwiseClassifier(estimator=GaussianNB()).fit(X, Y)
    >>> model.predict([[0.1, 0.8], [0.8, 0.2]])
    array([[0, 1, 0],
           [1, 0, 0]])
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
        """Learn the machine of every pair.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training cases.
        Y : array-like of shape (n_samples, n_labels) or (n_samples, n_labels + 1)
            A matrix of nothing but 0 and 1, 1 = relevant; or calibrated rankings: positions of
            the labels and, last, of the virtual label, which is strictly behind the relevant
            labels. Labels may tie.
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
        calibrated = calibrated_of_targets(Y)
        cases = self._checked(X, reset=True, copy=True)
        require_as_many_rows(cases, len(calibrated))
        self.n_labels_ = calibrated.shape[1] - 1
        signs = pair_signs(calibrated)
        # A label that ties with the zero line is irrelevant, as if behind it.
        signs[:, line_pairs(self.n_labels_)] = 2.0 * relevance_from_calibrated(calibrated) - 1
        self._observed = observed_shares(signs, self.n_labels_ + 1)
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

    def decision_function(self, X: Any) -> FloatArray:
        """Return the votes of each label minus those of the zero line.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases, n_labels)
            Multiples of one half between -n_labels and n_labels; above 0 for relevant labels.
        """
        return self.point(X).scores

    def predict_confidence(self, X: Any) -> FloatArray:
        """Return the share of the pairs that the margins expect to be ordered correctly.

        The squared hinge loss is least where the margin f of a pair is
        2 p - 1, p being the probability that its first is ahead; so f stands for (1 + f) / 2,
        clipped to [0, 1]. The confidence is the mean over all pairs, of labels and of labels with
        the zero line, of the probability of the order predicted. Margins of the hinge loss are read
        alike, but it is least at 1 or -1: their confidence is too high, and only its
        order counts, as with any other ``decision_function``. Probabilities of an estimator are
        taken as they are. The papers define no confidence.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases,)
            Between 0 and 1.
        """
        return self.point(X).confidence

    def path(self, X: Any) -> CalibratedPath:
        """Prepare cases for predictions; no parameter can be changed without another fit.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        CalibratedPath
            ``path.at()`` predicts.
        """
        check_is_fitted(self)
        return CalibratedPath(self, self._checked(X, reset=False), self._margins, self._observed)
