"""Capabilities of only some estimators and points, as types that `isinstance` tells apart."""

from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

from numpy.typing import NDArray

from labelrank_core.explain.evidence import Explanation
from labelrank_core.rankings import FloatArray, IntArray


def method_of(estimator: Any, *names: str) -> Callable[..., Any] | None:
    """Return the first of some methods of scikit-learn's classifiers that an estimator has.

    Its meta-estimators have ``predict_proba`` and ``decision_function`` only if their own estimator
    has them, which `isinstance` does not see on every version of Python.
    """
    methods = (getattr(estimator, name, None) for name in names)
    return next((method for method in methods if method is not None), None)


class Ranker(Protocol):
    """An estimator that ranks labels or chooses sets of them, alone or at the end of a pipeline.

    Any estimator of scikit-learn's interface is one; what else it can, its capabilities tell.
    """

    def fit(self, X: Any, Y: Any) -> Any:
        """Learn from cases and their targets; return itself."""

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict a row of targets for each case, (n_cases, n_labels)."""


@runtime_checkable
class HasParams(Protocol):
    """An estimator whose parameters are known."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name."""


class Point(Protocol):
    """The predictions of some cases at one setting of a path; `PathPoint` says more of each."""

    @property
    def prediction(self) -> IntArray:
        """The targets that `predict` returns at this setting, (n_cases, n_labels)."""

    @property
    def positions(self) -> IntArray:
        """The predicted rankings, strict also where ties are predicted."""

    @property
    def scores(self) -> FloatArray:
        """One number per case and label, higher = better."""

    @property
    def raw_scores(self) -> FloatArray:
        """The scores before thresholds, where these decide on labels."""

    @property
    def confidence(self) -> FloatArray:
        """One number per case, between 0 and 1."""

    @property
    def probabilities(self) -> FloatArray | None:
        """That each label is relevant; None unless the method has ``predict_proba``."""

    @property
    def thresholds(self) -> FloatArray:
        """The number that each label's raw score must exceed, (n_labels,)."""

    @property
    def label_support(self) -> tuple[FloatArray, FloatArray | None]:
        """The support of each label, and of each case the one from which labels are relevant."""

    @property
    def predicts_ties(self) -> bool:
        """Whether the prediction is a ranking in which labels may share a position."""

    @property
    def decides_whole_sets(self) -> bool:
        """Whether no thresholds on the raw scores give the predicted sets."""

    def breakpoints(
        self, x: FloatArray, feature: int, ends: tuple[float, float]
    ) -> FloatArray | None:
        """List the values between the ends at which the prediction can change; None: unknown."""

    def explain(self, case: int) -> Explanation:
        """Explain the prediction of one case."""


class Path(Protocol):
    """Some cases, to predict at every setting of the parameters that need no new fit."""

    @property
    def at(self) -> Callable[..., Point]:
        """Predict at a setting; parameters that are not named have the model's own values."""


@runtime_checkable
class SupportsPath(Protocol):
    """An estimator whose path predicts at every setting without a new fit."""

    def path(self, X: Any, **limits: Any) -> Path:
        """Return the path of some cases."""


@runtime_checkable
class SupportsPoint(Protocol):
    """An estimator that predicts everything for some cases at one setting of its path."""

    def point(self, X: Any, **setting: Any) -> Point:
        """Return prediction, positions, scores, confidence and explanations."""


@runtime_checkable
class SupportsExplanation(Protocol):
    """An estimator that explains its predictions."""

    def explain(self, x: Any) -> Explanation:
        """Explain the prediction of one case."""


@runtime_checkable
class SupportsLabelOrder(Protocol):
    """A classifier of label sets that orders the labels, too."""

    def predict_ranking(self, X: Any) -> IntArray:
        """Predict positions of the labels, (n_cases, n_labels)."""


@runtime_checkable
class SupportsPairSupport(Protocol):
    """A label ranker with the support for each label over each other."""

    def predict_pair_support(self, X: Any) -> FloatArray:
        """Return the support for each label to be ahead of each other, (n_cases, m, m)."""


@runtime_checkable
class HasRawScores(Protocol):
    """A linear classifier with the scores that its thresholds are compared with."""

    def raw_scores(self, X: Any) -> FloatArray:
        """Return the scores, (n_cases, n_labels)."""


@runtime_checkable
class SupportsPairs(Protocol):
    """A point with the support for each label over each other."""

    def pair_support(self, cases: slice = slice(None)) -> FloatArray:
        """Return the support for each label to be ahead of each other, (n_cases, m, m)."""


@runtime_checkable
class HasVoteBar(Protocol):
    """A point that decides on labels by the share of votes they have."""

    def bar(self, case: int) -> float:
        """Return the share of votes that a label must exceed to be relevant."""
