"""Methods that grow trees."""

from collections.abc import Mapping
from dataclasses import replace
from math import log2
from typing import Any

from labelrank_core.methods.algorithm import LABEL_RANKER, Algorithm, Size
from labelrank_core.methods.catalog.shared import THRESHOLDS, TIES, TREES
from labelrank_core.methods.params import Knob
from labelrank_core.methods.trees import (
    BaggedTreesLabelRanker,
    BoostedTreesLabelRanker,
    LabelRankingForest,
    RankingTreeLabelRanker,
)


def _forest_seconds(size: Size, params: Mapping[str, Any]) -> float:
    growing = size.n_samples * log2(size.n_samples + 1) * (size.n_labels + 10)
    return params["n_estimators"] * (1e-3 + 2e-8 * growing)


def _trees_seconds(size: Size, n_trees: int, n_features: float, per_cell: float) -> float:
    """Estimate the seconds to grow trees, with `n_features` tried per node, and to predict."""
    n, pairs = size.n_samples, size.n_labels * (size.n_labels - 1) / 2
    n_levels = 2 + 1.5 * log2(n + 1)
    n_cells = n * n_levels * n_features * (pairs + 10)
    return 3e-2 + n_trees * (per_cell * n_cells + 2e-7 * size.n_cases * (size.n_labels + 20))


def _lrt_seconds(size: Size, params: Mapping[str, Any]) -> float:  # noqa: ARG001
    return _trees_seconds(size, 1, size.n_features, 4e-8)


def _bag_seconds(size: Size, params: Mapping[str, Any]) -> float:
    return _trees_seconds(size, params["n_estimators"], size.n_features, 1.3e-8)


def _one_split_seconds(size: Size, params: Mapping[str, Any]) -> float:
    return _trees_seconds(size, params["n_estimators"], size.n_features, 6e-9)


def _boosted_seconds(size: Size, params: Mapping[str, Any]) -> float:
    # One tree after the other: every level of each is a pass of its own.
    passes = params["n_estimators"] * (size.n_features + 5) * 5e-5 * log2(size.n_samples + 1)
    return passes + _trees_seconds(size, params["n_estimators"], size.n_features, 1.3e-8)


def _entropy_seconds(size: Size, params: Mapping[str, Any]) -> float:
    return _trees_seconds(size, params["n_estimators"], size.n_features**0.5, 4e-8)


def _correlation_seconds(size: Size, params: Mapping[str, Any]) -> float:
    return _entropy_seconds(size, params) / 3


_FEWEST = Knob(
    "min_samples_split",
    "Fewest cases to split a node",
    "A node of a tree with fewer training cases is a leaf.",
    low=2,
    high=48,
    scale="doubling",
    none="twice the number of labels",
    basic=False,
)
_DEPTH = Knob(
    "max_depth",
    "Depth of the trees",
    "How many questions a tree may ask in a row.",
    low=1,
    high=20,
    none="no limit",
    on_path=True,
    up_to_fitted=True,
    tuned=(2, 4, 6, 8, 12, None),
)
_VOTE = Knob(
    "voting",
    "Vote of a tree",
    "Whether a tree says only the order of the labels, or also how far apart they are.",
    choices=(
        ("rankings", "one strict ranking (the paper)"),
        ("scores", "mean ranks in its leaf"),
    ),
    on_path=True,
    basic=False,
)
_IN_FORESTS = {"max_features": "sqrt", "min_samples_split": 2}
_IN_BAGS = (TREES, _DEPTH, _VOTE, _FEWEST, TIES)
_BAGGING = (
    "J. Aledo, J. Gámez, D. Molina: Tackling the supervised label ranking problem by bagging weak "
    "learners. Information Fusion 35, 2017.",
)
_FORESTS = (
    "C. de Sá, C. Soares, A. Knobbe, P. Cortez: Label ranking forests. Expert Systems 34(1), 2017.",
)
_BOOSTING = (
    "L. Dery, E. Shmueli: BoostLR: A boosting-based learning ensemble for label ranking tasks. "
    "IEEE Access 8, 2020.",
    "H. Drucker: Improving regressors using boosting techniques. ICML 1997.",
)
_TREES_INCOMPLETE = (
    "Rankings count on the pairs of labels that they compare; a case with no label left adds "
    "nothing."
)


METHODS = (
    Algorithm(
        key="forest",
        title="Label-ranking random forest",
        family="trees",
        tasks=LABEL_RANKER,
        estimator=LabelRankingForest,
        knobs=(
            TREES,
            Knob(
                "max_depth",
                "Depth of the trees",
                "How many questions a tree may ask in a row. Shallow trees use many similar "
                "cases, deep ones only the most similar. The paper has 8. Moving it cuts the trees "
                "that are grown; trees grown anew at that depth would draw other features.",
                low=1,
                high=20,
                none="no limit",
                on_path=True,
                up_to_fitted=True,
                tuned=(2, 4, 6, 8, 12, None),
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
                "Among how many features, drawn at random, each question is chosen. Fewer make the "
                "trees differ more.",
                choices=(
                    ("log2+1", "log2 of all, plus one (the paper)"),
                    ("sqrt", "square root of all"),
                    ("log2", "log2 of all"),
                    ("all", "all"),
                ),
                basic=False,
            ),
            THRESHOLDS,
            Knob(
                "min_entropy",
                "Minimum entropy (bits) to split",
                "A tree asks no further where the entropy of the rankings is below this; at 0 it "
                "always asks.",
                low=0,
                high=5,
                on_path=True,
                basic=False,
            ),
            Knob(
                "min_samples_leaf",
                "Fewest cases in a leaf",
                "A question is only asked if each answer leaves at least this many training cases.",
                low=1,
                high=30,
                basic=False,
            ),
            TIES,
        ),
        references=(
            "Y. Zhou, G. Qiu: Random forest for label ranking. Expert Systems with Applications "
            "112, 2018.",
        ),
        summary=(
            "Grows random decision trees, each on another draw of the training cases. Your case "
            "falls into one leaf of every tree; the rankings of the training cases found there "
            "are merged. How far the trees agree is the confidence."
        ),
        seconds=_forest_seconds,
        incomplete=(
            "The forest estimates what is missing from similar cases, also for a case with no "
            "label left."
        ),
        votes="trees",
        figures={
            ("n_estimators",): "Fig. 3 of Zhou and Qiu 2018, on your data.",
            ("max_depth",): (
                "Fig. 4 of Zhou and Qiu 2018, on your data: the same trees cut at every depth."
            ),
        },
    ),
    Algorithm(
        key="lrt",
        title="Label-ranking tree (LRT)",
        family="trees",
        tasks=LABEL_RANKER,
        estimator=RankingTreeLabelRanker,
        knobs=(
            _DEPTH,
            Knob(
                "criterion",
                "What the questions make alike",
                "By what a question is chosen: how alike the rankings on each side of it are.",
                choices=(
                    ("mallows", "spread of a Mallows model"),
                    ("kemeny", "Kemeny distance between rankings"),
                    ("correlation", "rank correlation with the mean ranking"),
                ),
                basic=False,
            ),
            _FEWEST,
            TIES,
        ),
        references=(
            "W. Cheng, J. Hühn, E. Hüllermeier: Decision tree and instance-based learning for "
            "label ranking. ICML 2009.",
            "A. D'Ambrosio, W. Heiser: A recursive partitioning method for the prediction of "
            "preference rankings based upon Kemeny distances. Psychometrika 81(3), 2016.",
            "C. de Sá, C. Rebelo, C. Soares, A. Knobbe: Distance-based decision tree algorithms "
            "for label ranking. EPIA 2015.",
        ),
        summary=(
            "Grows one decision tree whose questions separate cases with dissimilar rankings. Your "
            "case falls into one leaf, and the consensus of the training rankings there is "
            "predicted. The whole path to it can be read."
        ),
        seconds=_lrt_seconds,
        incomplete=_TREES_INCOMPLETE,
    ),
    Algorithm(
        key="lrt_bag",
        title="Bagged label-ranking trees (LRT+bag)",
        family="trees",
        tasks=LABEL_RANKER,
        estimator=BaggedTreesLabelRanker,
        knobs=_IN_BAGS,
        references=_BAGGING,
        summary=(
            "Grows label-ranking trees on different draws of the training cases. Each predicts a "
            "ranking, and these are merged: the average of many varies less than one."
        ),
        seconds=_bag_seconds,
        incomplete=_TREES_INCOMPLETE,
        votes="trees",
    ),
    Algorithm(
        key="w_lrt_bag",
        title="Bagged trees with middle splits (W-LRT+bag)",
        family="trees",
        tasks=LABEL_RANKER,
        estimator=BaggedTreesLabelRanker,
        fixed={"thresholds": "middle"},
        knobs=_IN_BAGS,
        references=_BAGGING,
        summary=(
            "Like bagged label-ranking trees, but a question may only cut the range of a feature "
            "in the middle. That is quicker, and the trees differ more."
        ),
        seconds=_one_split_seconds,
        incomplete=_TREES_INCOMPLETE,
        votes="trees",
    ),
    Algorithm(
        key="f_lrt_bag",
        title="Bagged trees with median splits (F-LRT+bag)",
        family="trees",
        tasks=LABEL_RANKER,
        estimator=BaggedTreesLabelRanker,
        fixed={"thresholds": "median"},
        knobs=_IN_BAGS,
        references=_BAGGING,
        summary=(
            "Like bagged label-ranking trees, but a question may only put half of the cases on "
            "either side, by the median of a feature. That is quicker, and outliers do not matter."
        ),
        seconds=_one_split_seconds,
        incomplete=_TREES_INCOMPLETE,
        votes="trees",
    ),
    Algorithm(
        key="lr_boost",
        title="Boosted label-ranking trees (LR boosting)",
        family="trees",
        tasks=LABEL_RANKER,
        estimator=BoostedTreesLabelRanker,
        knobs=(
            replace(
                TREES,
                label="Rounds",
                help="How many trees are grown, one after the other. Each looks more at the cases "
                "that those before it rank badly.",
            ),
            replace(
                _DEPTH,
                help=f"{_DEPTH.help} Shallow trees leave more to the rounds that follow.",
                on_path=False,
                up_to_fitted=False,
            ),
            Knob(
                "loss",
                "Loss of a tree",
                "How badly a tree ranks a training case, which decides how much weight the case "
                "gains.",
                choices=(
                    ("share", "share of reversed pairs"),
                    ("largest", "divided by the worst case (AdaBoost.R2)"),
                    ("sum", "divided by the sum of all cases"),
                ),
                basic=False,
            ),
            _VOTE,
            _FEWEST,
            TIES,
        ),
        references=_BOOSTING,
        summary=(
            "Grows label-ranking trees one after the other. Each is grown on a draw in which the "
            "cases that the trees before it rank badly are more frequent. The rankings of all "
            "trees are merged, and those of the better trees count more."
        ),
        seconds=_boosted_seconds,
        incomplete=_TREES_INCOMPLETE,
        votes="trees",
    ),
    Algorithm(
        key="lrf_rt",
        title="Forest of ranking trees (LRF-RT)",
        family="trees",
        tasks=LABEL_RANKER,
        estimator=BaggedTreesLabelRanker,
        fixed={"criterion": "correlation", **_IN_FORESTS},
        knobs=_IN_BAGS,
        references=_FORESTS,
        summary=(
            "Grows random trees whose questions put cases with correlated rankings together. Each "
            "predicts a ranking, and these are merged. It needs complete rankings."
        ),
        seconds=_correlation_seconds,
        votes="trees",
    ),
    Algorithm(
        key="lrf_ert",
        title="Forest of entropy ranking trees (LRF-ERT)",
        family="trees",
        tasks=LABEL_RANKER,
        estimator=BaggedTreesLabelRanker,
        fixed={"criterion": "entropy", **_IN_FORESTS},
        knobs=_IN_BAGS,
        references=_FORESTS,
        summary=(
            "Grows random trees whose questions lower the entropy of the rankings; dissimilar "
            "rankings count more. Each predicts a ranking, and these are merged. It needs complete "
            "rankings."
        ),
        seconds=_entropy_seconds,
        votes="trees",
    ),
)
