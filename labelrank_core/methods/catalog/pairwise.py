"""Methods that learn a preference for every pair of labels."""

from collections.abc import Mapping
from dataclasses import replace
from math import log2
from typing import Any

from labelrank_core.methods.algorithm import MULTILABEL_RANKER, PAIR_RANKER, Algorithm, Size
from labelrank_core.methods.catalog.shared import (
    DEGREE,
    KERNEL,
    LOSS,
    MARGIN,
    SPREAD,
    THRESHOLDS,
    TIES,
    TREES,
    kernel_machine_seconds,
)
from labelrank_core.methods.pairwise import (
    CalibratedPairwiseClassifier,
    KernelPairwiseRanker,
    PairwiseForestRanker,
    PairwiseLabelRanker,
    PairwiseSVMRanker,
)
from labelrank_core.methods.params import Knob

_FAMILY = "pairwise"
_ADDS_NOTHING = "A pair learns from the cases that rank both labels; other cases add nothing to it."
_LINEAR_OR_GAUSSIAN = replace(KERNEL, choices=(("linear", "linear"), ("rbf", "Gaussian (rbf)")))
_PAIRS = (
    "E. Hüllermeier, J. Fürnkranz, W. Cheng, K. Brinker: Label ranking by learning pairwise "
    "preferences. Artificial Intelligence 172, 2008."
)


def _n_pairs(size: Size) -> float:
    return size.n_labels * (size.n_labels - 1) / 2


def _logistic_seconds(size: Size, params: Mapping[str, Any]) -> float:
    columns = size.n_features * (1 if params["n_knots"] is None else params["n_knots"] + 2)
    return _n_pairs(size) * (6e-3 + 1.3e-7 * size.n_samples * columns)


def _kernel_seconds(size: Size, params: Mapping[str, Any]) -> float:  # noqa: ARG001
    n, pairs = size.n_samples, _n_pairs(size)
    return 5e-3 + 7e-10 * n**3 + 2e-9 * n * pairs * (n + size.n_cases)


def _machine_seconds(size: Size, params: Mapping[str, Any]) -> float:
    n, pairs = size.n_samples, _n_pairs(size)
    if params["kernel"] == "linear" and params["loss"] == "squared_hinge":
        return pairs * (2.5e-3 + 1e-7 * n * size.n_features)
    return pairs * kernel_machine_seconds(size, params)


def _calibrated_seconds(size: Size, params: Mapping[str, Any]) -> float:
    n, pairs = size.n_samples, size.n_labels * (size.n_labels + 1) / 2
    if params["kernel"] == "linear" and params["loss"] == "squared_hinge":
        # A pair learns from the cases that tell its labels apart.
        per_value = 7e-8 * size.n_features if size.n_nonzero is None else 3e-8 * size.n_nonzero
        return pairs * (1.5e-3 + per_value * n)
    return pairs * kernel_machine_seconds(size, params)


def _forest_seconds(size: Size, params: Mapping[str, Any]) -> float:
    growing = size.n_samples * log2(size.n_samples + 1) * (1 + size.n_features / 4)
    tree = 1.5e-3 + 3.5e-9 * growing * (_n_pairs(size) + 5) + 1e-8 * size.n_cases * _n_pairs(size)
    return params["n_estimators"] * tree


METHODS = (
    Algorithm(
        key="rpc",
        title="Ranking by pairwise comparison",
        family=_FAMILY,
        tasks=PAIR_RANKER,
        estimator=PairwiseLabelRanker,
        knobs=(
            Knob(
                "C",
                "Fit to the data (C)",
                "The inverse of the penalty on weights: the larger, the closer the model follows "
                "the training cases; the smaller, the closer every probability stays to the "
                "average over them.",
                low=1e-3,
                high=1e3,
                scale="powers of 10",
                tuned=(0.01, 0.1, 1.0, 10.0, 100.0),
            ),
            Knob(
                "voting",
                "Votes of the pairs",
                "Whether a pair of labels votes with its probability, or with 0 or 1.",
                choices=(
                    ("weighted", "probabilities"),
                    ("binary", "0 or 1"),
                ),
                on_path=True,
                basic=False,
            ),
            Knob(
                "n_knots",
                "Bends of the curves",
                "How many places each feature's curve may bend at. Curves often predict better "
                "where a medium value of a feature favours a label.",
                low=3,
                high=10,
                none="straight lines",
                tuned=(None, 3, 8),
            ),
            TIES,
        ),
        references=(_PAIRS,),
        summary=(
            "Learns for every pair of labels how likely the first is preferred to the second "
            "(logistic regression), and adds up these probabilities for each label. Their mean in "
            "favour of the predicted order is the confidence."
        ),
        seconds=_logistic_seconds,
        incomplete=_ADDS_NOTHING,
        votes="pairwise models",
        support="probability",
    ),
    Algorithm(
        key="kernel_pairwise",
        title="Kernel pairwise ridge",
        family=_FAMILY,
        tasks=PAIR_RANKER,
        estimator=KernelPairwiseRanker,
        knobs=(
            Knob(
                "penalty",
                "Penalty (λ)",
                "The larger, the more training cases share in every prediction, and the weaker "
                "all preferences.",
                low=1e-4,
                high=100,
                scale="powers of 10",
                none="by leave-one-out",
                on_path=True,
                tuned=(1e-3, 1e-2, 0.1, 1.0, 10.0),
            ),
            replace(_LINEAR_OR_GAUSSIAN, choices=_LINEAR_OR_GAUSSIAN.choices[::-1]),
            replace(SPREAD, none="1 / (2 × number of features)"),
            TIES,
        ),
        references=(
            "A. Korba, A. Garcia, F. d'Alché-Buc: A structured prediction approach for label "
            "ranking. NeurIPS 2018.",
        ),
        summary=(
            "Predicts for every pair of labels which one is ahead, as a sum over the training "
            "cases: similar ones pull towards their own order. The sums of a label over all its "
            "pairs order the labels. How far the pairs agree with that order is the confidence."
        ),
        seconds=_kernel_seconds,
        incomplete=_ADDS_NOTHING,
        votes="pairwise models",
        support="predicted preference",
    ),
    Algorithm(
        key="pairwise_svm",
        title="Pairwise support vector machines",
        family=_FAMILY,
        tasks=PAIR_RANKER,
        estimator=PairwiseSVMRanker,
        knobs=(
            MARGIN,
            _LINEAR_OR_GAUSSIAN,
            LOSS,
            SPREAD,
            TIES,
        ),
        references=(
            _PAIRS,
            "K. Brinker, E. Hüllermeier: Case-based label ranking. ECML 2006.",
        ),
        summary=(
            "Learns for every pair of labels which one is ahead (a support vector machine) and "
            "counts for each label the pairs it wins. The share of the pairs that agree with the "
            "predicted order is the confidence."
        ),
        seconds=_machine_seconds,
        is_interruptible=False,
        incomplete=_ADDS_NOTHING,
        votes="pairwise models",
        support="vote",
    ),
    Algorithm(
        key="crpc",
        title="Calibrated pairwise comparison",
        family=_FAMILY,
        tasks=MULTILABEL_RANKER,
        estimator=CalibratedPairwiseClassifier,
        knobs=(
            # Tuned over the values of MLR-07.
            replace(MARGIN, tuned=tuple(2.0**i for i in range(-4, 5))),
            KERNEL,
            LOSS,
            DEGREE,
            SPREAD,
        ),
        references=(
            "K. Brinker, J. Fürnkranz, E. Hüllermeier: A unified model for multilabel "
            "classification and ranking. ECAI 2006.",
            "K. Brinker, E. Hüllermeier: Case-based multilabel ranking. IJCAI 2007.",
        ),
        summary=(
            "Learns for every pair of labels which one is ahead, and for every label whether it is "
            "ahead of a zero line (support vector machines). Labels with more votes than the zero "
            "line are relevant. It learns the order among labels too, where the data have one."
        ),
        seconds=_calibrated_seconds,
        is_interruptible=False,
    ),
    Algorithm(
        key="pairwise_forest",
        title="Pairwise forest",
        family=_FAMILY,
        tasks=PAIR_RANKER,
        estimator=PairwiseForestRanker,
        knobs=(
            TREES,
            THRESHOLDS,
            TIES,
        ),
        references=(
            "G. Gkrinias: Label ranking with pairwise and label-wise random forests. Diploma "
            "thesis, National Technical University of Athens, 2023.",
        ),
        summary=(
            "Grows one forest whose trees predict for every pair of labels which one is ahead, all "
            "pairs at once. The sums of a label over all its pairs order the labels. How far the "
            "pairs agree with that order is the confidence."
        ),
        seconds=_forest_seconds,
        incomplete="A leaf counts its cases that rank both labels of a pair; others add nothing.",
        votes="trees",
        support="mean preference",
    ),
)
