"""Methods that add up the votes of many simple rules."""

from collections.abc import Mapping
from typing import Any

from labelrank_core.methods.algorithm import MULTILABEL_RANKER, Algorithm, Size
from labelrank_core.methods.boosting import (
    AdaBoostMHClassifier,
    ADTBoostMHClassifier,
    GradientBoostingLabelsClassifier,
)
from labelrank_core.methods.params import Knob


def _search_seconds(size: Size, params: Mapping[str, Any]) -> float:
    """Estimate the seconds to find the best question of all training cases."""
    n_thresholds = params["max_thresholds"] or size.n_samples
    values = size.n_samples * (size.n_nonzero or size.n_features)
    cells = size.n_features * min(n_thresholds, size.n_samples)
    if size.n_nonzero:
        # Between the different values that a word has lies a threshold each; most words are rare.
        cells = min(cells, round(size.n_features + values))
    return 3e-4 + 1e-9 * size.n_labels * (values + 25 * cells)


def _voting_seconds(size: Size, params: Mapping[str, Any]) -> float:
    return params["n_estimators"] * (1e-5 + 2e-9 * size.n_cases * size.n_labels)


def _rounds_seconds(size: Size, params: Mapping[str, Any]) -> float:
    searches = params["n_estimators"] * _search_seconds(size, params)
    return searches + _voting_seconds(size, params)


def _tree_seconds(size: Size, params: Mapping[str, Any]) -> float:
    # Every question that is added makes most nodes search again, each among its own cases.
    searches = params["n_estimators"] ** 2 * _search_seconds(size, params) * 0.6
    return searches + _voting_seconds(size, params)


def _gradient_seconds(size: Size, params: Mapping[str, Any]) -> float:
    # Leaves are split by the counts of up to 255 bins of every feature.
    leaf = 1e-5 + 2e-7 * size.n_features + 2e-10 * size.n_samples * size.n_features
    grown = params["n_estimators"] * (5e-4 + params["max_leaf_nodes"] * leaf)
    binned = 1e-2 + 1e-7 * size.n_samples * size.n_features
    return size.n_labels * (binned + grown) + _staged_seconds(size, params)


def _staged_seconds(size: Size, params: Mapping[str, Any]) -> float:
    return size.n_labels * params["n_estimators"] * (5e-5 + 5e-8 * size.n_cases)


_THRESHOLDS = Knob(
    "max_thresholds",
    "Thresholds per feature",
    "How many values of a feature are tried as the threshold of a question.",
    low=1,
    high=256,
    scale="doubling",
    none="all",
    basic=False,
)
METHODS = (
    Algorithm(
        key="adaboost_mh",
        title="AdaBoost.MH",
        family="boosting",
        tasks=MULTILABEL_RANKER,
        estimator=AdaBoostMHClassifier,
        knobs=(
            Knob(
                "n_estimators",
                "Rounds (T)",
                "How many questions vote. The more, the closer to the training cases.",
                low=1,
                high=64,
                on_path=True,
                up_to_fitted=True,
            ),
            _THRESHOLDS,
        ),
        references=(
            "R. Schapire, Y. Singer: BoosTexter: a boosting-based system for text categorization. "
            "Machine Learning 39(2/3), 2000.",
        ),
        summary=(
            "Asks one question after the other, each whether one feature is above a value. The "
            "answer votes on all labels; then what the votes so far get wrong counts more, and the "
            "next question is chosen. Labels with more votes for them than against are relevant."
        ),
        seconds=_rounds_seconds,
        setting_seconds=_voting_seconds,
    ),
    Algorithm(
        key="adt_boost_mh",
        title="ADTBoost.MH",
        family="boosting",
        tasks=MULTILABEL_RANKER,
        estimator=ADTBoostMHClassifier,
        knobs=(
            Knob(
                "n_estimators",
                "Questions (T)",
                "How many questions the tree has.",
                low=1,
                high=30,
                on_path=True,
                up_to_fitted=True,
            ),
            _THRESHOLDS,
        ),
        references=(
            "F. De Comité, R. Gilleron, M. Tommasi: Learning multi-label alternating decision "
            "trees from texts and data. Machine Learning and Data Mining in Pattern Recognition, "
            "2003.",
        ),
        summary=(
            "Grows a tree of questions in which a case follows every question that applies to it, "
            "not only one path. Each answer votes on all labels; labels with more votes for them "
            "than against are relevant."
        ),
        seconds=_tree_seconds,
        setting_seconds=_voting_seconds,
    ),
    Algorithm(
        key="gradient_boosting",
        title="Gradient boosting for each label",
        family="boosting",
        tasks=MULTILABEL_RANKER,
        estimator=GradientBoostingLabelsClassifier,
        knobs=(
            Knob(
                "n_estimators",
                "Rounds (T)",
                "How many trees each label has. The more, the closer to the training cases.",
                low=1,
                high=200,
                on_path=True,
                up_to_fitted=True,
            ),
            Knob(
                "learning_rate",
                "Learning rate",
                "What a tree's answer is multiplied by: the smaller, the more rounds are needed.",
                low=1e-2,
                high=1,
                scale="powers of 10",
                tuned=(0.01, 0.1, 1.0),
            ),
            Knob(
                "max_leaf_nodes",
                "Leaves of a tree",
                "How many groups of cases a tree may tell apart.",
                low=2,
                high=63,
                basic=False,
            ),
            Knob(
                "min_samples_leaf",
                "Cases in a leaf",
                "How many training cases a leaf must have at least.",
                low=1,
                high=50,
                basic=False,
            ),
        ),
        references=(
            "J. Friedman: Greedy function approximation: a gradient boosting machine. Annals of "
            "Statistics 29(5), 2001.",
        ),
        summary=(
            "Learns every label for itself: small trees are grown one after the other, each on "
            "what those before it leave open, and their answers add up to the label's "
            "probability. Labels above one half are relevant."
        ),
        has_probabilities=True,
        seconds=_gradient_seconds,
        setting_seconds=_staged_seconds,
    ),
)
