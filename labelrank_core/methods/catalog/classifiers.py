"""Linear methods for label sets that learn a machine for each label, chains of them, or pairs."""

from collections.abc import Mapping
from dataclasses import replace
from math import comb, inf
from typing import Any

from labelrank_core.methods.algorithm import (
    MULTILABEL_RANKER,
    Algorithm,
    Size,
)
from labelrank_core.methods.catalog.shared import (
    COEF0,
    DEGREE,
    GAMMA,
    INVERSE_PENALTY,
    KERNEL,
    LOSS,
    MARGIN,
    PLATT_PAPER,
    SHARED_SUBSPACE_PAPER,
    SPREAD,
    TUNED_THRESHOLD,
    kernel_machine_seconds,
    separates_all,
    threshold_seconds,
)
from labelrank_core.methods.linear import (
    BinaryRelevanceClassifier,
    ClassifierChainsClassifier,
    OneVsRestSVMClassifier,
    RankSVMClassifier,
    SVMPerfClassifier,
)
from labelrank_core.methods.linear._rank_interior import MOST_WEIGHTS
from labelrank_core.methods.params import Knob


def _one_vs_rest_seconds(size: Size, params: Mapping[str, Any]) -> float:
    values = size.n_features if size.n_nonzero is None else size.n_nonzero
    # The larger C, the more steps, up to their limit.
    step = (1.4e-7 if size.n_nonzero is None else 6e-8) * min(max(params["C"], 0.05), 100.0) ** (
        1 / 3
    )
    # All cases, and five folds.
    fit_seconds = 6 * size.n_labels * (1e-3 + step * size.n_samples * values)
    return fit_seconds + 1e-9 * size.n_cases * values * size.n_labels


def _f1_seconds(size: Size, params: Mapping[str, Any]) -> float:
    values = size.n_features if size.n_nonzero is None else size.n_nonzero
    # The larger C, and the denser the cases, the more planes; all cases, and three folds.
    planes = 12 * min(max(params["C"], 1.0), 1e3) ** 0.5 * (1 if size.n_nonzero is None else 0.2)
    plane = 1e-4 + size.n_samples * (8e-7 + 4e-9 * values)
    return 4 * size.n_labels * planes * plane + 1e-9 * size.n_cases * values * size.n_labels


def _machine_seconds(size: Size, params: Mapping[str, Any]) -> float:
    n, m = size.n_samples, size.n_labels
    if params["kernel"] == "linear" and params["loss"] == "squared_hinge":
        step = 1.4e-7 * max(params["C"], 0.05) ** 0.25
        return m * (2.5e-3 + step * n * (size.n_nonzero or size.n_features))
    return m * kernel_machine_seconds(size, params)


def _chains_seconds(size: Size, params: Mapping[str, Any]) -> float:
    values = size.n_features if size.n_nonzero is None else size.n_nonzero
    # The larger C, the more steps.
    step = (5e-8 if size.n_nonzero is None else 2e-7) * max(params["C"], 0.1) ** (1 / 16)
    n_fits = params["n_chains"] * size.n_labels
    return n_fits * (1.5e-3 + step * size.n_samples * (values + size.n_labels / 2))


def _rank_seconds(size: Size, params: Mapping[str, Any]) -> float:
    n, m = size.n_samples, size.n_labels
    kernels = 2e-9 * n * (n + size.n_cases) * (4 + (size.n_nonzero or size.n_features) / 8)
    # Four passes over the cases, and about twenty products of the kernel and all weights.
    one_round = 4 * n * (4e-5 + 1e-9 * n * m) + 1e-8 * n**2 * m
    rounds = _rank_rounds(size, params)
    n_inputs = size.n_features + 1 if params["kernel"] == "linear" else n
    if n_inputs * m <= MOST_WEIGHTS:
        # Steps of the interior-point method, and rounds before it and after it.
        width = m * min(n, _n_dimensions(size, params))
        step = 1e-3 + 8e-12 * width**3 + 4e-11 * n * width**2
        is_large = size.mean_square > 1 or (params["kernel"] == "poly" and params["coef0"] > 1)
        fit_seconds = rounds * step + (100 if is_large else 5) * one_round
    else:
        fit_seconds = rounds * one_round
    return 1e-3 + kernels + fit_seconds + 1e-9 * size.n_cases * n * m


def _rank_rounds(size: Size, params: Mapping[str, Any]) -> float:
    """Estimate the rounds of the search, up to the limit, or the steps of its interior points."""
    C, scale = max(params["C"], 1.0), max(size.mean_square, 1.0)
    if params["kernel"] == "linear":
        rounds = 30 * C**0.1
    elif params["kernel"] == "rbf":
        rounds = 12 * C**0.5
    elif scale == 1 and separates_all(size, params["degree"]):
        rounds = 10
    else:
        rounds = 30 * (C * scale) ** 0.125
    return min(rounds, 200.0)


def _n_dimensions(size: Size, params: Mapping[str, Any]) -> float:
    degree = {"linear": 1, "poly": params["degree"]}.get(params["kernel"])
    return inf if degree is None else comb(size.n_features + degree, degree)


METHODS = (
    Algorithm(
        key="br",
        title="Binary relevance",
        family="linear",
        tasks=MULTILABEL_RANKER,
        estimator=BinaryRelevanceClassifier,
        knobs=(
            # Tuned over the values of MLR-07.
            replace(MARGIN, tuned=tuple(2.0**i for i in range(-4, 5))),
            KERNEL,
            LOSS,
            DEGREE,
            SPREAD,
        ),
        references=("K. Brinker, E. Hüllermeier: Case-based multilabel ranking. IJCAI 2007.",),
        summary=(
            "Learns every label for itself: a support vector machine separates the cases that have "
            "it from those that do not. How far a case lies on the right side of the border is the "
            "label's margin; labels with a margin above 0 are relevant."
        ),
        seconds=_machine_seconds,
        is_interruptible=False,
    ),
    Algorithm(
        key="rank_svm",
        title="Rank-SVM",
        family="linear",
        tasks=MULTILABEL_RANKER,
        estimator=RankSVMClassifier,
        knobs=(
            MARGIN,
            KERNEL,
            replace(DEGREE, high=9),
            GAMMA,
            COEF0,
        ),
        references=(
            "A. Elisseeff, J. Weston: A kernel method for multi-labelled classification. NIPS "
            "2001.",
            "M.-L. Zhang, Z.-H. Zhou: A k-nearest neighbor based algorithm for multi-label "
            "classification. IEEE International Conference on Granular Computing 2005.",
        ),
        summary=(
            "Learns one score per label so that the labels of a training case score higher than "
            "its other labels, by a margin where possible. Scores are sums over a part of the "
            "training cases, the support cases. How many labels are relevant is learned from the "
            "scores."
        ),
        seconds=_rank_seconds,
    ),
    Algorithm(
        key="ovr_svm",
        title="One-against-rest SVM",
        family="linear",
        tasks=MULTILABEL_RANKER,
        estimator=OneVsRestSVMClassifier,
        knobs=(
            Knob(
                "C",
                "Fit to the data (C)",
                INVERSE_PENALTY,
                low=1e-5,
                high=1e5,
                scale="powers of 10",
                tuned=tuple(10.0**i for i in range(-3, 3)),
            ),
            TUNED_THRESHOLD,
        ),
        references=(
            SHARED_SUBSPACE_PAPER,
            PLATT_PAPER,
        ),
        summary=(
            "Scores every label by a weighted sum of the features, learned for that label alone: a "
            "linear support vector machine separates the cases that have it from the rest. A label "
            "is relevant where its score exceeds a threshold that is tuned on training cases."
        ),
        seconds=_one_vs_rest_seconds,
        is_interruptible=False,
        setting_seconds=threshold_seconds,
    ),
    Algorithm(
        key="chains",
        title="Classifier chains",
        family="linear",
        tasks=MULTILABEL_RANKER,
        estimator=ClassifierChainsClassifier,
        knobs=(
            Knob(
                "n_chains",
                "Chains",
                "How many chains, each in a random order of the labels, are averaged.",
                low=1,
                high=50,
                on_path=True,
                up_to_fitted=True,
            ),
            Knob(
                "C",
                "Fit to the data (C)",
                INVERSE_PENALTY,
                low=1e-4,
                high=1e4,
                scale="powers of 10",
                tuned=tuple(10.0**i for i in range(-3, 3)),
            ),
        ),
        references=(
            "J. Read, B. Pfahringer, G. Holmes, E. Frank: Classifier chains for multi-label "
            "classification. Machine Learning 85, 2011.",
        ),
        summary=(
            "Decides the labels one after the other: the labels already decided help to decide the "
            "next, each by logistic regression. What comes first depends on the order of the "
            "labels, so several chains with random orders are averaged."
        ),
        has_probabilities=True,
        seconds=_chains_seconds,
    ),
    Algorithm(
        key="svm_perf",
        title="SVM-perf for F1",
        family="linear",
        tasks=MULTILABEL_RANKER,
        estimator=SVMPerfClassifier,
        knobs=(
            Knob(
                "C",
                "Fit to the data (C)",
                f"{INVERSE_PENALTY} With a small one, rare labels are never predicted.",
                low=0.1,
                high=1e4,
                scale="powers of 10",
                tuned=(0.1, 1.0, 10.0, 100.0),
            ),
            TUNED_THRESHOLD,
        ),
        references=(
            "T. Joachims: A support vector method for multivariate performance measures. ICML "
            "2005.",
            "T. Joachims: Training linear SVMs in linear time. KDD 2006.",
            SHARED_SUBSPACE_PAPER,
        ),
        summary=(
            "Scores every label by a weighted sum of the features, learned for that label's F1: "
            "the true labels of all training cases together must score higher than any other "
            "choice of cases, by what that choice loses of F1. A label is relevant where its "
            "score exceeds its threshold."
        ),
        seconds=_f1_seconds,
        setting_seconds=threshold_seconds,
    ),
)
