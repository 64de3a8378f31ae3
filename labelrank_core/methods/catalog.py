"""The one list to extend: every method with its task, estimator, knobs and references."""

from collections.abc import Mapping
from math import log2
from typing import Any

from labelrank_core.data.dataset import Task
from labelrank_core.methods.algorithm import Algorithm, Size
from labelrank_core.methods.linear import SharedSubspaceClassifier
from labelrank_core.methods.neighbors import (
    KNeighborsLabelRanker,
    KNeighborsMultilabelRanker,
    MLkNNClassifier,
)
from labelrank_core.methods.params import Knob
from labelrank_core.methods.trees import LabelRankingForest

BRINKER_2006 = "K. Brinker, E. Hüllermeier: Case-based label ranking. ECML 2006."
BRINKER_2007 = "K. Brinker, E. Hüllermeier: Case-based multilabel ranking. IJCAI 2007."
ZHANG_2005 = (
    "M.-L. Zhang, Z.-H. Zhou: A k-nearest neighbor based algorithm for multi-label classification. "
    "IEEE International Conference on Granular Computing 2005."
)
ZHOU_2018 = (
    "Y. Zhou, G. Qiu: Random forest for label ranking. Expert Systems with Applications 112, 2018."
)
JI_2010 = (
    "S. Ji, L. Tang, S. Yu, J. Ye: A shared-subspace learning framework for multi-label "
    "classification. ACM Transactions on Knowledge Discovery from Data 4(2), 2010."
)


def _search_seconds(size: Size, params: Mapping[str, Any]) -> float:  # noqa: ARG001
    return 2e-9 * size.n_samples * size.n_cases * (1 + size.n_features / 60)


def _forest_seconds(size: Size, params: Mapping[str, Any]) -> float:
    growing = size.n_samples * log2(size.n_samples + 1) * (size.n_labels + 10)
    return 2e-8 * params["n_estimators"] * growing


def _ml_knn_seconds(size: Size, params: Mapping[str, Any]) -> float:
    among_themselves = Size(size.n_samples, size.n_samples, size.n_features, size.n_labels)
    return _search_seconds(size, params) + _search_seconds(among_themselves, params)


def _subspace_seconds(size: Size, params: Mapping[str, Any]) -> float:
    n, d = size.n_samples, size.n_features
    linear = 1e-9 * n * d * min(n, d) + 2e-7 * n * (d + size.n_labels)
    return linear if params["kernel"] == "linear" else 1e-9 * n**3


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
        ("cosine", "cosine (direction only)"),
        ("correlation", "correlation (shape only)"),
        ("hamming", "share of differing features"),
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
                    "How the rankings of the similar cases become one: labels ordered by mean or "
                    "median rank, the order with the least rank differences (footrule) or the "
                    "fewest contradicted pairs (Kemeny), or the most frequent ranking.",
                    choices=(
                        ("borda", "Borda (mean rank)"),
                        ("median", "median rank"),
                        ("footrule", "footrule optimum"),
                        ("kemeny", "Kemeny optimum"),
                        ("majority", "most frequent ranking"),
                    ),
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
            seconds=_search_seconds,
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
                Knob(
                    "max_features",
                    "Features per question",
                    "Among how many features, drawn anew for each question, the best is sought. "
                    "Fewer make the trees differ more.",
                    choices=(
                        ("log2+1", "log2 of all, and one (the paper)"),
                        ("sqrt", "square root of all"),
                        ("log2", "log2 of all"),
                    ),
                    basic=False,
                ),
                Knob(
                    "min_entropy",
                    "Bits left to ask for",
                    "A tree asks no further where the entropy of the rankings is below this many "
                    "bits. 0: it always asks.",
                    low=0,
                    high=5,
                    on_path=True,
                    basic=False,
                ),
                Knob(
                    "min_samples_leaf",
                    "Fewest cases behind an answer",
                    "A question is only asked if each answer leaves at least this many training "
                    "cases.",
                    low=1,
                    high=30,
                    basic=False,
                ),
            ),
            references=(ZHOU_2018,),
            summary=(
                "Grows random decision trees, each on another draw of the training cases. Your "
                "case falls into one leaf of every tree; the rankings of the training cases found "
                "there are merged. How far the trees agree is the confidence."
            ),
            seconds=_forest_seconds,
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
                    scale="doubling",
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
            seconds=_search_seconds,
        ),
        Algorithm(
            key="mlknn",
            title="ML-kNN",
            tasks=(Task.MULTILABEL, Task.CALIBRATED_RANKING),
            estimator=MLkNNClassifier,
            knobs=(
                _NEIGHBORS,
                Knob(
                    "smoothing",
                    "Smoothing (s)",
                    "How many made-up cases are added to every count, so that rare counts do not "
                    "decide too boldly.",
                    low=0.01,
                    high=100,
                    scale="powers of 10",
                    on_path=True,
                ),
                _METRIC,
            ),
            references=(ZHANG_2005,),
            summary=(
                "Counts how many of the most similar training cases have a label and asks what "
                "such a count meant for the training cases themselves: that gives each label a "
                "probability. Labels above one half are relevant."
            ),
            seconds=_ml_knn_seconds,
        ),
        Algorithm(
            key="mlls",
            title="Shared-subspace least squares",
            tasks=(Task.MULTILABEL, Task.CALIBRATED_RANKING),
            estimator=SharedSubspaceClassifier,
            knobs=(
                Knob(
                    "alpha",
                    "Penalty on a label's own part (α)",
                    "The larger, the more the labels must share what they learn; at 0 every label "
                    "learns for itself (ridge regression).",
                    low=1e-6,
                    high=100,
                    scale="powers of 10",
                    zero=True,
                    on_path=True,
                ),
                Knob(
                    "beta",
                    "Penalty on all weights (β)",
                    "The larger, the closer every score stays to the mean of all cases.",
                    low=1e-6,
                    high=100,
                    scale="powers of 10",
                    zero=True,
                    on_path=True,
                ),
                Knob(
                    "n_components",
                    "Shared dimensions (r)",
                    "How many combinations of features all labels share. From as many as there "
                    "are labels on, α does nothing.",
                    low=1,
                    high=20,
                    none="automatic",
                    on_path=True,
                    basic=False,
                ),
                Knob(
                    "kernel",
                    "Kernel",
                    "Whether scores are linear in the features or curved.",
                    choices=(
                        ("linear", "linear"),
                        ("rbf", "Gaussian (rbf)"),
                        ("poly", "polynomial"),
                    ),
                    basic=False,
                ),
                Knob(
                    "gamma",
                    "Steepness (γ)",
                    "The larger, the sooner the similarity of two cases fades with their distance "
                    "(Gaussian), or the more their common features count (polynomial).",
                    low=1e-4,
                    high=100,
                    scale="powers of 10",
                    none="1 / number of features",
                    basic=False,
                    depends_on=("kernel", ("rbf", "poly")),
                ),
                Knob(
                    "degree",
                    "Degree",
                    "How many features a curved score may multiply with each other.",
                    low=1,
                    high=6,
                    basic=False,
                    depends_on=("kernel", ("poly",)),
                ),
                Knob(
                    "coef0",
                    "Constant (c)",
                    "The larger, the more products of few features count against those of many; "
                    "at 0 only products of as many features as the degree count.",
                    low=0,
                    high=10,
                    basic=False,
                    depends_on=("kernel", ("poly",)),
                ),
                Knob(
                    "threshold",
                    "Threshold",
                    "What a label's score must exceed; tuned on training cases that the scores "
                    "have not seen.",
                    choices=(
                        ("label_macro_f1", "one a label, for macro F1"),
                        ("label_micro_f1", "one a label, for micro F1"),
                        ("global_macro_f1", "one for all, for macro F1"),
                        ("global_micro_f1", "one for all, for micro F1"),
                        ("zero", "0 for all labels"),
                    ),
                    on_path=True,
                    basic=False,
                ),
            ),
            references=(JI_2010,),
            summary=(
                "Scores every label by a weighted sum of the features. The weights are found for "
                "all labels together: part of them is the label's own, part lies in a small "
                "subspace that all labels share, so that rare labels profit from the others."
            ),
            seconds=_subspace_seconds,
        ),
    )
}


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
