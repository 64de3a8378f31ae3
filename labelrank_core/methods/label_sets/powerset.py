"""Label powerset: every label set of the training cases is a class of its own."""

import warnings
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression

from labelrank_core._sklearn import Interval, StrOptions, fit_context
from labelrank_core.methods.convergence import one_warning_for_all, warn_of_stopped
from labelrank_core.methods.label_sets._distribution import (
    SetDistributionClassifier,
    SetDistributionPoint,
)
from labelrank_core.rankings import FloatArray

_MOST_STEPS = 1000
_REMEDY = "Scale the features, or lower C."


class LabelPowersetClassifier(SetDistributionClassifier):
    """Predict label sets by a classifier with a class for every label set seen (LP).

    The reduction of label sets to classes [boutell2004]_, [tsoumakas2007]_: no other sets can be
    predicted as the likeliest, and labels that go together are predicted together. The classifier
    is scikit-learn's random forest or logistic regression.

    Parameters
    ----------
    classifier : {"forest", "logistic"}, default="forest"
        A random forest or multinomial logistic regression.
    n_estimators : int, default=50
        Number of trees of the forest, at least 1.
    C : float, default=1.0
        Inverse penalty of the logistic regression, larger than 0.
    decision : {"hamming", "f1", "subset"}, default="subset"
        Which set is predicted: ``"subset"`` the likeliest one, the rule of the papers; ``"f1"`` the
        one with the largest expected F1 [dembczynski2011]_, where F1 of two empty sets is 1;
        ``"hamming"`` the labels with a probability above one half. The latter need not be sets of
        training cases. Ties as in `KNeighborsMultilabelRanker`.
    random_state : int, RandomState instance or None, default=0
        Seed of the forest.
    n_jobs : int or None, default=None
        Threads that grow trees, as in scikit-learn.

    Attributes
    ----------
    sets_ : ndarray of shape (n_sets, n_labels)
        The different label sets of the training cases, the classes.
    n_labels_ : int
        Number of labels.
    n_features_in_ : int
        Number of features.

    Notes
    -----
    Probabilities of sets are in units of 2**-30. All features are divided by one power of two if
    any exceeds 1000 in size. Sparse cases are made dense, which must not take more than 512 MB. Of
    calibrated rankings only the relevance is learned.

    References
    ----------
    .. [boutell2004] M. Boutell, J. Luo, X. Shen, C. Brown: Learning multi-label scene
       classification. Pattern Recognition 37(9), 2004.
    .. [tsoumakas2007] G. Tsoumakas, I. Katakis: Multi-label classification: an overview.
       International Journal of Data Warehousing and Mining 3(3), 2007.
    .. [dembczynski2011] K. Dembczyński, W. Waegeman, W. Cheng, E. Hüllermeier: An exact algorithm
       for F-measure maximization. NIPS 2011.

    Examples
    --------
    >>> X = [[0.0, 1.0], [0.2, 0.8], [0.9, 0.1], [1.0, 0.0]]
    >>> Y = [[0, 1, 1], [0, 1, 1], [1, 0, 0], [1, 0, 0]]
    >>> LabelPowersetClassifier(n_estimators=10).fit(X, Y).predict([[0.0, 1.0], [0.8, 0.2]])
    array([[0, 1, 1],
           [1, 0, 0]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **SetDistributionClassifier._parameter_constraints,
        "classifier": [StrOptions({"forest", "logistic"})],
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "C": [Interval(Real, 0, None, closed="neither")],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        *,
        classifier: str = "forest",
        n_estimators: int = 50,
        C: float = 1.0,
        decision: str = "subset",
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.classifier = classifier
        self.n_estimators = n_estimators
        self.C = C
        self.decision = decision
        self.random_state = random_state
        self.n_jobs = n_jobs

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, Y: ArrayLike) -> Self:
        """Learn the classes.

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
        self._fitted = None
        if len(self.sets_) > 1:
            self._fitted = self._unfitted()
            with one_warning_for_all(), warnings.catch_warnings():
                # Almost every label set may be a class of its own, on purpose.
                warnings.filterwarnings("ignore", "The number of unique classes", UserWarning)
                self._fitted.fit(cases, numbers)
            if self.classifier == "logistic":
                n_stopped = int(self._fitted.n_iter_.max() >= _MOST_STEPS)
                warn_of_stopped(n_stopped, "regression", _MOST_STEPS, _REMEDY)
        return self

    def _unfitted(self) -> Any:
        if self.classifier == "logistic":
            return LogisticRegression(C=self.C, max_iter=_MOST_STEPS)
        return RandomForestClassifier(
            self.n_estimators, random_state=self.random_state, n_jobs=self.n_jobs
        )

    def path(self, X: Any) -> "LabelPowersetPath":
        """Predict the probabilities of all sets once, then decide in any way.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        LabelPowersetPath
            ``path.at(decision="f1")`` equals a fresh fit with this decision.
        """
        cases = self._check_queries(X)
        if self._fitted is None:
            return LabelPowersetPath(self, np.ones((len(cases), 1)))
        return LabelPowersetPath(self, self._fitted.predict_proba(cases))


class LabelPowersetPath:
    """Probabilities of the label sets of some cases."""

    def __init__(self, model: LabelPowersetClassifier, shares: FloatArray) -> None:
        self.model = model
        self.shares = shares

    def at(self, *, decision: str | None = None) -> SetDistributionPoint:
        """Predict by a decision; None: the model's."""
        decision = self.model.decision if decision is None else decision
        return SetDistributionPoint(self.model.sets_, self.shares, decision)
