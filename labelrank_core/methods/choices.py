"""A method with its parameters, and the baselines."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from sklearn.base import BaseEstimator, clone
from sklearn.pipeline import Pipeline, make_pipeline

from labelrank_core.data.dataset import Dataset
from labelrank_core.methods.algorithm import Algorithm, Size
from labelrank_core.methods.catalog import ALGORITHMS
from labelrank_core.methods.dummy import ConsensusLabelRanker, ConsensusMultilabelRanker
from labelrank_core.methods.neighbors import KNeighborsLabelRanker, KNeighborsMultilabelRanker
from labelrank_core.methods.preparation import preparation


def tie_labels(dataset: Dataset, *choices: "ModelChoice") -> bool:
    """Tell whether rankings tie labels: those of the data, or those that a method may predict.

    Parameters
    ----------
    dataset : Dataset
        The data.
    *choices : ModelChoice
        The methods that are to be measured.

    Returns
    -------
    bool
        Whether to judge by a measure for which a tie is an answer (`measures_for`).

    Examples
    --------
    >>> from labelrank_core import load_sample
    >>> iris, nearest = load_sample("iris"), ModelChoice("knn")
    >>> tie_labels(iris, nearest), tie_labels(iris, nearest.with_params(ties="predict"))
    (False, True)
    """
    return dataset.has_ties or any(choice.predicts_ties for choice in choices)


@dataclass(frozen=True)
class ModelChoice:
    """A method, its parameters and the preparation of features; hashable.

    Parameters
    ----------
    key : str
        The method's key in `ALGORITHMS`.
    params : tuple of (str, value)
        Parameters that are set; others keep the estimator's default.
    scaled : bool, default=True
        Whether every feature is scaled to mean 0 and standard deviation 1 (of the training set); of
        sparse data, which must keep their zeros, every case to length 1 instead: text predicts
        clearly worse with each feature scaled.
    tfidf : bool, default=False
        Whether features, which must be counts such as those of words, are weighted by TF-IDF (of
        the training set), so that rare words count more; every case is then scaled to length 1 if
        `scaled`. Text has better neighbours with it: the average precision of
        `KNeighborsMultilabelRanker` on Yahoo's Arts is 0.61 with and 0.57 without.
    """

    key: str
    params: tuple[tuple[str, Any], ...] = ()
    scaled: bool = True
    tfidf: bool = False

    @property
    def algorithm(self) -> Algorithm:
        """The method."""
        return ALGORITHMS[self.key]

    def is_same_model(self, other: "ModelChoice") -> bool:
        """Tell whether both build the same method with equal parameters.

        Parameters
        ----------
        other : ModelChoice
            The other choice.

        Returns
        -------
        bool
            Whether keys and values agree; features may be prepared differently.
        """
        return (self.key, self.values) == (other.key, other.values)

    def with_params(self, **params: Any) -> "ModelChoice":
        """Return the choice with some parameters set.

        Parameters
        ----------
        **params
            Parameters of the estimator.

        Returns
        -------
        ModelChoice
            A new choice.
        """
        merged = {**dict(self.params), **params}
        return replace(self, params=tuple(sorted(merged.items())))

    @property
    def values(self) -> dict[str, Any]:
        """All parameters offered, with the estimator's defaults for those that are not set."""
        return {**self.algorithm.defaults, **dict(self.params)}

    @property
    def can_tie(self) -> bool:
        """Whether the method can predict ties."""
        return any(knob.for_ties for knob in self.algorithm.knobs)

    @property
    def predicts_ties(self) -> bool:
        """Whether predictions may tie labels; by default methods break ties."""
        return self.can_tie and bool(self.values["ties"] == "predict")

    def with_ties(self, predicted: bool) -> "ModelChoice":
        """Return the choice that predicts ties or breaks them, or the same where its method cannot.

        Parameters
        ----------
        predicted : bool
            Whether to predict ties.

        Returns
        -------
        ModelChoice
            A choice with the parameter ``ties`` set, where it differs from the default.
        """
        if not self.can_tie:
            return self
        return self.with_params(ties="predict") if predicted else self.without(["ties"])

    @property
    def path_params(self) -> dict[str, Any]:
        """The parameters set that are on the path, so that they need no new fit."""
        on_path = self.algorithm.path_knobs
        return {name: value for name, value in self.params if name in on_path}

    @property
    def path_limits(self) -> dict[str, Any]:
        """The counts of training cases in use, up to which a path must prepare."""
        values, on_path = self.values, self.algorithm.path_knobs
        return {name: values[name] for name, knob in on_path.items() if knob.at_most_cases}

    def without(self, names: Collection[str]) -> "ModelChoice":
        """Return the choice with some parameters back at the estimator's default.

        Parameters
        ----------
        names : collection of str
            Parameters of the estimator.

        Returns
        -------
        ModelChoice
            A new choice.
        """
        params = tuple(item for item in self.params if item[0] not in names)
        return replace(self, params=params)

    def within(self, n_cases: int) -> "ModelChoice":
        """Return the choice with no count of training cases larger than there are.

        Parameters
        ----------
        n_cases : int
            Number of training cases.

        Returns
        -------
        ModelChoice
            The choice, with larger counts set to the number of training cases.
        """
        return self.with_params(
            **{
                knob.name: n_cases
                for knob in self.algorithm.knobs
                if knob.at_most_cases and self.values[knob.name] > n_cases
            }
        )

    def starting(self, n_cases: int) -> "ModelChoice":
        """Return the choice with smaller values to start with, where defaults are too large.

        Parameters
        ----------
        n_cases : int
            Number of training cases.

        Returns
        -------
        ModelChoice
            The choice, with counts of at most half of the training cases.
        """
        starts = {
            knob.name: knob.start(self.values[knob.name], n_cases) for knob in self.algorithm.knobs
        }
        return self.with_params(
            **{name: value for name, value in starts.items() if value != self.values[name]}
        )

    def for_any_path(self, n_cases: int) -> "ModelChoice":
        """Return the choice to fit once for all settings of its path that are offered.

        Parameters
        ----------
        n_cases : int
            Number of training cases.

        Returns
        -------
        ModelChoice
            Parameters of the path have the estimator's defaults, from which every offered setting
            can be reached: fewer trees and a smaller depth, another threshold, any k and penalty.
        """
        return self.without(self.path_params).within(n_cases)

    def seconds(self, size: Size) -> float:
        """Estimate the seconds of learning and predicting.

        Parameters
        ----------
        size : Size
            The size of the data.

        Returns
        -------
        float
            Seconds, within a factor of about three; of support vector machines with a kernel on
            features that are not scaled, or with a large C, the most they may take.
        """
        if self.scaled or self.tfidf:
            # Of sparse data every case has length 1, not every feature variance 1.
            is_dense = size.n_nonzero is None
            size = replace(size, mean_square=1.0 if is_dense else 1 / max(1, size.n_features))
        return self.algorithm.seconds(size, self.values)

    def build(self, *, is_sparse: bool = False) -> Pipeline:
        """Return the unfitted model.

        Parameters
        ----------
        is_sparse : bool, default=False
            Whether the features are a sparse matrix.

        Returns
        -------
        Pipeline
            Preparation, where chosen, and the estimator.
        """
        return self.pipeline(self.algorithm.build(**dict(self.params)), is_sparse=is_sparse)

    def pipeline(self, estimator: BaseEstimator, *, is_sparse: bool) -> Pipeline:
        """Put the preparation, where chosen, in front of an estimator.

        Parameters
        ----------
        estimator : BaseEstimator
            Unfitted.
        is_sparse : bool
            Whether the features are a sparse matrix.

        Returns
        -------
        Pipeline
            Unfitted.
        """
        steps = preparation(scaled=self.scaled, tfidf=self.tfidf, is_sparse=is_sparse)
        return make_pipeline(*steps, estimator)


@dataclass(frozen=True)
class Baseline:
    """A baseline that a method should beat, without parameters.

    Parameters
    ----------
    title : str
        Its name on the screen.
    phrase : str
        What it predicts, in a sentence about another method.
    summary : str
        One sentence.
    label_ranker, multilabel_ranker : BaseEstimator
        Unfitted, for either kind of method.
    """

    title: str
    phrase: str
    summary: str
    label_ranker: BaseEstimator
    multilabel_ranker: BaseEstimator

    def build(self, choice: ModelChoice, *, is_sparse: bool = False) -> Pipeline:
        """Return the unfitted baseline to compare a chosen method with.

        It predicts ties if the method does.

        Parameters
        ----------
        choice : ModelChoice
            The method; its preparation is used too.
        is_sparse : bool, default=False
            Whether the features are a sparse matrix.

        Returns
        -------
        Pipeline
            Preparation, where chosen, and the baseline.
        """
        rankings = choice.algorithm.learns_rankings
        estimator = self.label_ranker if rankings else self.multilabel_ranker
        if choice.values.get("ties") == "predict":
            estimator = clone(estimator).set_params(ties="predict")
        return choice.pipeline(estimator, is_sparse=is_sparse)


BASELINES = (
    Baseline(
        "Everyone's average",
        "everyone's average",
        "Predicts the consensus of all training cases, whatever the case.",
        ConsensusLabelRanker(),
        ConsensusMultilabelRanker(),
    ),
    Baseline(
        "Nearest single case",
        "the nearest single case",
        "Copies the most similar training case.",
        KNeighborsLabelRanker(n_neighbors=1),
        KNeighborsMultilabelRanker(n_neighbors=1, tie_breaking="label_index"),
    ),
)
