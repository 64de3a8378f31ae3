"""RAkEL: label powersets of a few labels at a time, drawn at random."""

from collections.abc import Sequence
from functools import cached_property
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from labelrank_core._sklearn import Interval, fit_context
from labelrank_core.explain.evidence import Explanation, Label, SetValues, Step, Text
from labelrank_core.methods.base import check_count, dense_cases
from labelrank_core.methods.label_probabilities import (
    LabelProbabilitiesMixin,
    LabelProbabilitiesPoint,
    probability_values,
)
from labelrank_core.methods.label_sets.powerset import LabelPowersetClassifier
from labelrank_core.metrics.thresholds import DECIMALS
from labelrank_core.rankings import FloatArray, IntArray


class RAkELClassifier(LabelProbabilitiesMixin, BaseEstimator):
    """Predict label sets by label powersets of few labels each, drawn at random [tsoumakas2011]_.

    Every model is a `LabelPowersetClassifier`, a forest, of k labels: it learns which of these go
    together, from many cases for each of their sets, where a powerset of all labels has few. The
    probability of a label is the mean over the models that have it among theirs; it is relevant
    above one half.

    Parameters
    ----------
    n_estimators : int, default=10
        Number of models, at least 1; the authors take about twice as many as there are labels.
    n_labels_each : int, default=3
        k, the labels of a model, at least 2; at most all.
    n_trees : int, default=20
        Number of trees of a model, at least 1.
    random_state : int, RandomState instance or None, default=0
        Seed of the labels of the models, and of their forests.

    Attributes
    ----------
    label_sets_ : list of ndarray
        The labels of each model, by index from 0.
    n_labels_ : int
        Number of labels.
    n_features_in_ : int
        Number of features.

    Notes
    -----
    Labels are dealt out in random orders, one after the other, so that all are in about as many
    models; the paper draws each model's labels independently. It counts the models' decisions,
    where here probabilities are averaged. A label in no model has the share of the training cases
    that have it. Probabilities are rounded to 12 decimals; labels with equal ones are ranked by
    label index. Sparse cases are made dense, which must not take more than 512 MB. Of calibrated
    rankings only the relevance is learned.

    References
    ----------
    .. [tsoumakas2011] G. Tsoumakas, I. Katakis, I. Vlahavas: Random k-labelsets for multilabel
       classification. IEEE Transactions on Knowledge and Data Engineering 23(7), 2011.

    Examples
    --------
    >>> X = [[0.0, 1.0], [0.2, 0.8], [0.9, 0.1], [1.0, 0.0]]
    >>> Y = [[0, 1, 1], [0, 1, 1], [1, 0, 0], [1, 0, 0]]
    >>> model = RAkELClassifier(4, n_labels_each=2).fit(X, Y)
    >>> model.predict([[0.0, 1.0], [0.8, 0.2]])
    array([[0, 1, 1],
           [1, 0, 0]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "n_labels_each": [Interval(Integral, 2, None, closed="left")],
        "n_trees": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_estimators: int = 10,
        *,
        n_labels_each: int = 3,
        n_trees: int = 20,
        random_state: Any = 0,
    ) -> None:
        self.n_estimators = n_estimators
        self.n_labels_each = n_labels_each
        self.n_trees = n_trees
        self.random_state = random_state

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, Y: ArrayLike) -> Self:
        """Learn all models.

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
        cases = dense_cases(checked, self)
        random = check_random_state(self.random_state)
        self.n_labels_ = relevance.shape[1]
        self._shares = relevance.mean(axis=0)
        # Sorted by their columns, so that the models do not depend on how labels are listed.
        listed = np.lexsort(relevance)
        size = min(self.n_labels_, self.n_labels_each)
        queue: list[int] = []
        self.label_sets_, self._models = [], []
        for _ in range(self.n_estimators):
            labels = listed[_deal(queue, self.n_labels_, size, random)]
            seed = int(random.randint(2**31 - 1))
            model = LabelPowersetClassifier(n_estimators=self.n_trees, random_state=seed)
            self.label_sets_.append(labels)
            self._models.append(model.fit(cases, relevance[:, labels]))
        return self

    def path(self, X: Any) -> "RAkELPath":
        """Predict with every model once, then with any number of them.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        RAkELPath
            ``path.at(n_estimators=n)`` equals a fresh fit with n models, if `random_state` is a
            number.
        """
        check_is_fitted(self)
        checked = self._checked(X, reset=False)
        cases = checked.toarray() if sparse.issparse(checked) else checked
        return RAkELPath(self, cases, self._models, self._shares)


def _deal(queue: list[int], n_labels: int, size: int, random: Any) -> IntArray:
    """Take the next labels, all different, from a queue that random orders of all labels fill."""
    labels: list[int] = []
    while len(labels) < size:
        if not set(queue) - set(labels):
            queue += random.permutation(n_labels).tolist()
        label = next(label for label in queue if label not in labels)
        queue.remove(label)
        labels.append(label)
    return np.array(labels)


class RAkELPath:
    """The predictions of all models for some cases."""

    def __init__(
        self,
        model: RAkELClassifier,
        X: FloatArray,
        set_models: Sequence[LabelPowersetClassifier],
        label_shares: FloatArray,
    ) -> None:
        self.model = model
        self.points = [set_model.point(X) for set_model in set_models]
        # Of the training cases, for labels without a model.
        self.label_shares = label_shares
        self.n_cases = len(X)

    def at(self, *, n_estimators: int | None = None) -> "RAkELPoint":
        """Predict with the first models, at most those learned; None: all."""
        n_learned = len(self.points)
        n = n_learned if n_estimators is None else n_estimators
        return RAkELPoint(self, check_count("n_estimators", n, n_learned, "the models learned"))


class RAkELPoint(LabelProbabilitiesPoint):
    """Label sets of some cases by the first models, computed when first needed."""

    def __init__(self, path: RAkELPath, n_estimators: int) -> None:
        self.path = path
        self.n_estimators = n_estimators

    @cached_property
    def probabilities(self) -> FloatArray:
        """The probability that each label is relevant, shape (n_cases, n_labels)."""
        model = self.path.model
        sums = np.zeros((self.path.n_cases, model.n_labels_))
        counts = np.zeros(model.n_labels_)
        for labels, point in zip(
            model.label_sets_[: self.n_estimators], self.path.points, strict=False
        ):
            sums[:, labels] += point.probabilities
            counts[labels] += 1
        means: FloatArray = np.tile(self.path.label_shares, (self.path.n_cases, 1))
        shares: FloatArray = np.divide(sums, counts, out=means, where=counts > 0)
        return shares.round(DECIMALS)

    def explain(self, case: int) -> Explanation:
        """Explain one case: the probabilities, a model of the decisive label, the confidence."""
        values = probability_values(self, case)
        steps = self._model_steps(case, values["edge"].index)
        return self.explain_probabilities(case, values, stands_for=_STANDS_FOR, middle_steps=steps)

    def _model_steps(self, case: int, label: int) -> list[Step]:
        """Show the prediction of a label's first model for its own labels, if there is one."""
        model = self.path.model
        having = [i for i in range(self.n_estimators) if label in model.label_sets_[i]]
        if not having:
            return []
        point, labels = self.path.points[having[0]], model.label_sets_[having[0]]
        likely = point.set_probabilities[case]
        order = np.argsort(-likely, kind="stable")
        order = order[likely[order] > 0]
        sets = np.zeros((len(order), model.n_labels_), dtype=bool)
        sets[:, labels] = point.sets[order] == 1
        values = {
            "edge": Label(label),
            "n": len(having),
            "total": self.n_estimators,
            "model": having[0] + 1,
            "labels": tuple(Label(int(member)) for member in labels),
            "best": float(likely[order[0]]),
        }
        evidence = SetValues("probability", sets, likely[order], self.positions[case])
        return [Step("Labels together", Text(_ONE_MODEL, values), evidence)]


_ONE_MODEL = (
    "{n} of the {total} models have {edge} among their labels. Model {model} is one of them: it "
    "compares the sets of {labels}; the likeliest has a probability of {best}."
)
_STANDS_FOR = "the probability that a label is relevant is the mean over its models"
