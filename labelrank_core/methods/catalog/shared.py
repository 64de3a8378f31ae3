"""Knobs and costs that methods of several families share."""

from collections.abc import Mapping
from dataclasses import replace
from math import comb
from typing import Any

from labelrank_core.methods.algorithm import Size, ordering_seconds
from labelrank_core.methods.machines import MOST_STEPS
from labelrank_core.methods.nearest.searches import SPARSE_METRICS
from labelrank_core.methods.params import Knob

NEIGHBORS = Knob(
    "n_neighbors",
    "Similar cases (k)",
    "How many of the most similar training cases are used.",
    low=1,
    high=50,
    at_most_cases=True,
    on_path=True,
    up_to_fitted=True,
    tuned=(1, 3, 5, 7, 9, 11, 13, 15, 21),  # odd k, as LR-06 tunes
)
WEIGHTS = Knob(
    "weights",
    "Weight of a case",
    "Whether nearer cases count more: d₁/dᵢ, the nearest one's distance over the case's own.",
    choices=(("uniform", "all the same"), ("distance", "nearer counts more")),
    basic=False,
)
METRIC = Knob(
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
TREES = Knob(
    "n_estimators",
    "Trees",
    "How many random trees vote.",
    low=1,
    high=50,
    on_path=True,
    up_to_fitted=True,
)
TIES = Knob(
    "ties",
    "Ties in predictions",
    "Whether a prediction may give several labels the same position, as rankings of these data do.",
    choices=(("break", "no, one label goes first"), ("predict", "yes, a tie is an answer")),
    basic=False,
    for_ties=True,
)
SET_DECISION = Knob(
    "decision",
    "Relevant labels",
    "Which label set is predicted, by how likely each set is: the one that is best by a measure.",
    choices=(
        ("hamming", "likelier than not (Hamming loss)"),
        ("f1", "the set with the best F1"),
        ("subset", "the likeliest set (whole sets)"),
    ),
    serves=(
        ("hamming", "hamming_loss"),
        ("f1", "samples_f1_score"),
        ("subset", "subset_accuracy_score"),
    ),
    on_path=True,
    basic=False,
)
THRESHOLDS = Knob(
    "splitter",
    "Thresholds of the questions",
    "Whether a question has the best threshold for its feature, or a random one.",
    choices=(("best", "best (random forest)"), ("random", "random (extra trees)")),
    basic=False,
)
MARGIN = Knob(
    "C",
    "Fit to the data (C)",
    "The inverse of the penalty: the larger, the fewer training cases may lie on the wrong side.",
    low=1e-3,
    high=1e3,
    scale="powers of 10",
    tuned=(0.01, 0.1, 1.0, 10.0, 100.0),
)
KERNEL = Knob(
    "kernel",
    "Kernel",
    "Whether scores are linear in the features or curved.",
    choices=(
        ("linear", "linear"),
        ("rbf", "Gaussian (rbf)"),
        ("poly", "polynomial"),
    ),
    basic=False,
)
LOSS = Knob(
    "loss",
    "Price of a wrong side",
    "Whether a training case on the wrong side costs by its distance or by the square of it.",
    choices=(
        ("squared_hinge", "distance squared"),
        ("hinge", "distance (hinge, the papers)"),
    ),
    basic=False,
    depends_on=("kernel", ("linear",)),
)
GAMMA = Knob(
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
)
SPREAD = replace(
    GAMMA,
    help="The larger, the sooner the similarity of two cases fades with their distance.",
    depends_on=("kernel", ("rbf",)),
)
DEGREE = Knob(
    "degree",
    "Degree",
    "How many features a curved score may multiply with each other.",
    low=1,
    high=6,
    basic=False,
    depends_on=("kernel", ("poly",)),
)
COEF0 = Knob(
    "coef0",
    "Constant (c)",
    "The larger, the more products of few features count against those of many; at 0 "
    "only products of as many features as the degree count.",
    low=0,
    high=10,
    basic=False,
    depends_on=("kernel", ("poly",)),
)
SHARED_SUBSPACE_PAPER = (
    "S. Ji, L. Tang, S. Yu, J. Ye: A shared-subspace learning framework for multi-label "
    "classification. ACM Transactions on Knowledge Discovery from Data 4(2), 2010."
)
TUNED_THRESHOLD = Knob(
    "threshold",
    "Threshold",
    "What a label's score must exceed; tuned on training cases whose scores come from "
    "models that have not seen them.",
    choices=(
        ("label_macro_f1", "one per label, for macro F1"),
        ("label_micro_f1", "one per label, for micro F1"),
        ("global_macro_f1", "one for all, for macro F1"),
        ("global_micro_f1", "one for all, for micro F1"),
        ("zero", "0 for all labels"),
    ),
    serves=(
        ("label_macro_f1", "macro_f1_score"),
        ("label_micro_f1", "micro_f1_score"),
        ("global_macro_f1", "macro_f1_score"),
        ("global_micro_f1", "micro_f1_score"),
    ),
    on_path=True,
    basic=False,
)
INVERSE_PENALTY = (
    "The inverse of the penalty on weights: the smaller, the closer every score stays to the same "
    "for all cases."
)
PLATT_PAPER = (
    "J. Platt: Probabilistic outputs for support vector machines and comparisons to regularized "
    "likelihood methods. Advances in Large Margin Classifiers, 1999."
)

# Of metrics that are not computed by products of matrices.
_SECONDS_OF_PAIR = {
    "manhattan": (5e-9, 6e-10),
    "chebyshev": (5e-9, 6e-10),
    "canberra": (5e-9, 1.3e-9),
    "hamming": (1e-7, 1.6e-9),
}
# A Gaussian similarity fades so slowly by default that it curves about as much as a cube, and
# higher powers hardly help to separate cases.
_CUBIC = 3
# Steps per case after which more penalty changes nothing, as no case is on the wrong side.
_STEPS_TO_SEPARATE = 12


def search_seconds(size: Size, params: Mapping[str, Any]) -> float:
    """Estimate the seconds to find the neighbours of all cases."""
    pairs = size.n_samples * size.n_cases
    if size.n_nonzero is None or params["metric"] not in SPARSE_METRICS:
        per_pair, per_feature = _SECONDS_OF_PAIR.get(params["metric"], (4e-9, 7e-11))
        return pairs * (per_pair + per_feature * size.n_features)
    prepared = 1e-7 * size.n_nonzero * (size.n_samples + size.n_cases)
    # The longer texts are, the more words two of them share.
    return prepared + 6e-9 * pairs * (1 + size.n_nonzero / 100)


def kernel_machine_seconds(size: Size, params: Mapping[str, Any]) -> float:
    """Estimate the seconds that libsvm takes for one machine, beside those for the kernel."""
    n = size.n_samples
    steps = min(n * _steps_per_case(size, params), MOST_STEPS)
    return 2.5e-3 + 8e-9 * n**2 + 4e-9 * n * steps + 1e-9 * n * size.n_cases


def _steps_per_case(size: Size, params: Mapping[str, Any]) -> float:
    """Estimate the steps of libsvm per training case, up to its limit.

    They grow with C times the size of the similarities, which features that are not scaled make
    large, unless the machine has so many dimensions that it separates all cases.
    """
    kernel, C, scale = params["kernel"], params["C"], size.mean_square
    degree = {"linear": 1, "poly": params.get("degree", 1)}.get(kernel, _CUBIC)
    steps = {
        "linear": 0.7 * C * size.n_features * scale,
        "poly": 0.4 * C * (1 + scale) ** degree,
    }.get(kernel, 0.5 * C**0.75)
    # Large features leave most dimensions next to nothing, but similarities that fade none.
    is_separable = (kernel == "rbf" or scale <= 1) and separates_all(size, degree)
    return 1 + (min(steps, _STEPS_TO_SEPARATE) if is_separable else steps)


def separates_all(size: Size, degree: int) -> bool:
    """Tell whether products of up to `degree` features are many enough to separate all cases."""
    degree = min(degree, _CUBIC)
    return comb(size.n_features + degree, degree) >= 2 * size.n_samples


def threshold_seconds(size: Size, params: Mapping[str, Any]) -> float:
    """Estimate the seconds to order all cases' labels and, unless it is 0, to tune a threshold."""
    # Thresholds are tuned on the scores of all training cases.
    n_tuned = size.n_samples * (params["threshold"] != "zero")
    return ordering_seconds(size, params) + 6e-8 * size.n_labels * n_tuned
