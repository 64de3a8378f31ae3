"""The one list to extend: every method with its task, estimator, knobs and references.

A method listed here gets its widgets, page, comparison and tests without further code.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from inspect import signature
from typing import Any

from sklearn.base import BaseEstimator
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from labelrank_core.dataset import Dataset, Task
from labelrank_core.dummy import ConsensusLabelRanker, ConsensusMultilabelRanker
from labelrank_core.neighbors import KNeighborsLabelRanker, KNeighborsMultilabelRanker
from labelrank_core.params import Knob
from labelrank_core.trees import LabelRankingForest

BRINKER_2006 = "K. Brinker, E. Hüllermeier: Case-based label ranking. ECML 2006."
BRINKER_2007 = "K. Brinker, E. Hüllermeier: Case-based multilabel ranking. IJCAI 2007."
ZHOU_2018 = (
    "Y. Zhou, G. Qiu: Random forest for label ranking. Expert Systems with Applications 112, 2018."
)


@dataclass(frozen=True)
class Algorithm:
    """A method as interfaces offer it.

    Parameters
    ----------
    key : str
        Short stable name, used in links.
    title : str
        What a person calls it.
    tasks : tuple of Task
        What it can learn from.
    estimator : type
        The class.
    knobs : tuple of Knob
        The parameters to offer.
    references : tuple of str
        The papers.
    summary : str
        One paragraph for a newcomer.
    """

    key: str
    title: str
    tasks: tuple[Task, ...]
    estimator: type[BaseEstimator]
    knobs: tuple[Knob, ...]
    references: tuple[str, ...]
    summary: str

    @property
    def defaults(self) -> dict[str, Any]:
        """The estimator's own default of every knob."""
        parameters = signature(self.estimator).parameters
        return {knob.name: parameters[knob.name].default for knob in self.knobs}

    def targets(self, dataset: Dataset) -> Any:
        """Return the targets of a data set in the form the estimator learns from.

        Parameters
        ----------
        dataset : Dataset
            Of one of the method's tasks.

        Returns
        -------
        ndarray
            Positions of the labels for label rankers; 0/1 or calibrated rankings for methods that
            predict a zero line.
        """
        ranks_only = not hasattr(self.estimator, "predict_ranking")
        return dataset.rankings if ranks_only else dataset.Y


_NEIGHBORS = Knob(
    "n_neighbors",
    "Similar cases (k)",
    "How many of the most similar training cases are asked.",
    low=1,
    high=50,
    at_most_cases=True,
    on_path=True,
)
_WEIGHTS = Knob(
    "weights",
    "Weight of a case",
    "Whether nearer cases count more: d₁/dᵢ, the nearest one's distance over the case's own.",
    choices=(("uniform", "all the same"), ("distance", "nearer counts more")),
    basic=False,
)
_METRIC = Knob(
    "metric",
    "Distance",
    "How the distance between two cases is measured.",
    choices=(
        ("euclidean", "Euclidean"),
        ("manhattan", "Manhattan"),
        ("chebyshev", "Chebyshev"),
        ("canberra", "Canberra"),
    ),
    basic=False,
)

ALGORITHMS: Mapping[str, Algorithm] = {
    algorithm.key: algorithm
    for algorithm in (
        Algorithm(
            key="knn",
            title="k-NN label ranking",
            tasks=(Task.LABEL_RANKING, Task.CALIBRATED_RANKING),
            estimator=KNeighborsLabelRanker,
            knobs=(
                _NEIGHBORS,
                Knob(
                    "aggregation",
                    "Consensus",
                    "How the rankings of the similar cases become one: by mean or median rank.",
                    choices=(("borda", "Borda (mean rank)"), ("median", "median rank")),
                    on_path=True,
                ),
                _WEIGHTS,
                _METRIC,
            ),
            references=(BRINKER_2006,),
            summary=(
                "Looks up the training cases most similar to yours and merges their rankings "
                "into one consensus. How far they agree with it is the confidence."
            ),
        ),
        Algorithm(
            key="mlr",
            title="k-NN multilabel ranking",
            tasks=(Task.MULTILABEL, Task.CALIBRATED_RANKING),
            estimator=KNeighborsMultilabelRanker,
            knobs=(
                _NEIGHBORS,
                Knob(
                    "n_virtual_labels",
                    "Virtual labels (p)",
                    "How wide the zero line is. With more virtual labels the decision comes "
                    "closer to a majority vote of the similar cases.",
                    low=1,
                    high=128,
                    scale="powers of 2",
                    on_path=True,
                ),
                _WEIGHTS,
                _METRIC,
            ),
            references=(BRINKER_2007,),
            summary=(
                "Looks up the most similar training cases and ranks the labels together with a "
                "zero line: labels ahead of it are relevant."
            ),
        ),
        Algorithm(
            key="forest",
            title="Label-ranking random forest",
            tasks=(Task.LABEL_RANKING, Task.CALIBRATED_RANKING),
            estimator=LabelRankingForest,
            knobs=(
                Knob(
                    "n_estimators",
                    "Trees",
                    "How many random trees are asked.",
                    low=1,
                    high=50,
                    on_path=True,
                ),
                Knob(
                    "max_depth",
                    "Depth of the trees",
                    "How many questions a tree may ask in a row. Shallow trees ask many similar "
                    "cases, deep ones only the most similar. The paper has 8.",
                    low=1,
                    high=20,
                    none="as deep as they grow",
                    on_path=True,
                ),
                Knob(
                    "split_on",
                    "What the questions separate",
                    "What a tree's questions try to tell apart. The paper's text uses the first "
                    "label, its authors' program whole rankings; ranks of all labels predict best "
                    "on the paper's data.",
                    choices=(
                        ("borda", "ranks of all labels"),
                        ("top_label", "first label (the paper)"),
                        ("ranking", "whole rankings (its program)"),
                    ),
                    basic=False,
                ),
                Knob(
                    "voting",
                    "Vote of a tree",
                    "Whether a tree says how far apart labels are, or only their order.",
                    choices=(
                        ("scores", "mean ranks in its leaf"),
                        ("rankings", "one strict ranking (the paper)"),
                    ),
                    on_path=True,
                    basic=False,
                ),
            ),
            references=(ZHOU_2018,),
            summary=(
                "Grows random decision trees, each on another draw of the training cases. Your "
                "case falls into one leaf of every tree; the rankings of the training cases found "
                "there are merged. How far the trees agree is the confidence."
            ),
        ),
    )
}


@dataclass(frozen=True)
class ModelChoice:
    """A method, its parameters and whether features are scaled first; hashable.

    Parameters
    ----------
    key : str
        Of the method in `ALGORITHMS`.
    params : tuple of (str, value)
        Parameters that are set; others keep the estimator's default.
    scaled : bool, default=True
        Whether every feature is brought to mean 0 and standard deviation 1 (of the training part).
    """

    key: str
    params: tuple[tuple[str, Any], ...] = ()
    scaled: bool = True

    @property
    def algorithm(self) -> Algorithm:
        """The method."""
        return ALGORITHMS[self.key]

    def with_params(self, **params: Any) -> "ModelChoice":
        """Return the choice with some parameters set anew.

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
        return ModelChoice(self.key, tuple(sorted(merged.items())), self.scaled)

    def build(self) -> Pipeline:
        """Make the unfitted model.

        Returns
        -------
        Pipeline
            Scaling, where chosen, and the estimator.
        """
        estimator = self.algorithm.estimator(**dict(self.params))
        return make_pipeline(*([StandardScaler()] if self.scaled else []), estimator)


@dataclass(frozen=True)
class Baseline:
    """What a method should beat, without parameters to choose.

    Parameters
    ----------
    title : str
        What a person calls it.
    summary : str
        One sentence.
    label_ranker, multilabel_ranker : BaseEstimator
        Unfitted, for either kind of method.
    """

    title: str
    summary: str
    label_ranker: BaseEstimator
    multilabel_ranker: BaseEstimator

    def build(self, choice: ModelChoice) -> Pipeline:
        """Make the unfitted baseline that fits beside a chosen method.

        Parameters
        ----------
        choice : ModelChoice
            The method; its scaling is used too.

        Returns
        -------
        Pipeline
            Scaling, where chosen, and the baseline.
        """
        multilabel = hasattr(choice.algorithm.estimator, "predict_ranking")
        estimator = self.multilabel_ranker if multilabel else self.label_ranker
        return make_pipeline(*([StandardScaler()] if choice.scaled else []), estimator)


BASELINES = (
    Baseline(
        "Consensus of all",
        "Predicts the consensus of all training cases, whatever the case.",
        ConsensusLabelRanker(),
        ConsensusMultilabelRanker(),
    ),
    Baseline(
        "Nearest single case",
        "Copies the most similar training case.",
        KNeighborsLabelRanker(n_neighbors=1),
        KNeighborsMultilabelRanker(n_neighbors=1),
    ),
)


def algorithms_for(task: Task) -> list[Algorithm]:
    """List the methods that can learn a task.

    Parameters
    ----------
    task : Task
        What the targets are.

    Returns
    -------
    list of Algorithm
        In the catalog's order.
    """
    return [algorithm for algorithm in ALGORITHMS.values() if task in algorithm.tasks]
