"""Linear methods for label sets whose labels share directions in the features."""

from collections.abc import Mapping
from dataclasses import replace
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
    PLATT_PAPER,
    SHARED_SUBSPACE_PAPER,
    TUNED_THRESHOLD,
    threshold_seconds,
)
from labelrank_core.methods.linear import (
    ASOSVMClassifier,
    CCARidgeClassifier,
    CCASVMClassifier,
    SharedSubspaceClassifier,
)
from labelrank_core.methods.params import Knob

_HOTELLING = "H. Hotelling: Relations between two sets of variates. Biometrika 28, 1936."
_CCA_PENALTY = Knob(
    "cca_penalty",
    "Penalty on the subspace (γ)",
    "The larger, the less the directions follow features that vary little.",
    low=1e-6,
    high=10,
    scale="powers of 10",
    tuned=tuple(10.0**i for i in range(-6, 2)),
)
_DIRECTIONS = Knob(
    "n_components",
    "Shared dimensions (r)",
    "How many canonical directions are used, those that correlate most with the labels.",
    low=1,
    high=20,
    none="all",
    basic=False,
)
_PENALTIES = (0.0, *(10.0**i for i in range(-6, 1)))  # those of MLLS-08


def _subspace_seconds(size: Size, params: Mapping[str, Any]) -> float:
    n, d = size.n_samples, size.n_features
    if params["kernel"] != "linear":
        return 1e-9 * n**3
    if size.n_nonzero is None:
        return 1e-9 * n * d * min(n, d) + 2e-7 * n * (d + size.n_labels)
    # A Gram matrix of the smaller side, and one per fold: five, each of four fifths of the cases.
    folds = params["threshold"] != "zero"
    products = size.n_nonzero * (n * min(n, size.n_nonzero) if d <= n else 4e-1 * n * n)
    spectra = min(n, d) ** 3 * (1 + folds * 5 * (1 if d <= n else 0.8**3))
    return 1e-9 * products + 1.8e-10 * spectra + 2e-7 * n * size.n_labels


def _canonical_seconds(size: Size, params: Mapping[str, Any]) -> float:
    # Thresholds and probabilities both need the folds.
    return _subspace_seconds(size, {**params, "kernel": "linear", "threshold": "tuned"})


def _canonical_machine_seconds(size: Size, params: Mapping[str, Any]) -> float:
    step = 6e-8 * min(max(params["C"], 0.05), 100.0) ** (1 / 3)
    machine_seconds = 6 * size.n_labels * (1e-3 + step * size.n_samples * size.n_labels)
    return _canonical_seconds(size, params) + machine_seconds


def _alternation_seconds(size: Size, params: Mapping[str, Any]) -> float:
    n, values = size.n_samples, size.n_features if size.n_nonzero is None else size.n_nonzero
    # A smaller penalty takes more steps; all cases, and three folds of two thirds.
    steps = (0.1 / min(max(params["alpha"], 1e-3), 1.0)) ** 0.2
    fit_seconds = 3 * size.n_labels * steps * (4e-3 + 8e-9 * n * n) + 1e-9 * n * n * values
    return 2.3 * fit_seconds + 1e-9 * size.n_cases * values * size.n_labels


METHODS = (
    Algorithm(
        key="mlls",
        title="Shared-subspace least squares",
        family="linear",
        tasks=MULTILABEL_RANKER,
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
                ends=("ridge", "PLS"),
                on_path=True,
                tuned=_PENALTIES,
            ),
            Knob(
                "beta",
                "Penalty on all weights (β)",
                "The larger, the closer every score stays to the mean of all cases.",
                low=1e-6,
                high=100,
                scale="powers of 10",
                zero=True,
                ends=("Ando–Zhang", ""),
                on_path=True,
                tuned=_PENALTIES,
            ),
            Knob(
                "n_components",
                "Shared dimensions (r)",
                "How many combinations of features all labels share. With as many as there are "
                "labels, or more, α has no effect.",
                low=1,
                high=20,
                none="automatic",
                on_path=True,
                basic=False,
            ),
            KERNEL,
            GAMMA,
            DEGREE,
            COEF0,
            TUNED_THRESHOLD,
        ),
        references=(SHARED_SUBSPACE_PAPER,),
        summary=(
            "Scores every label by a weighted sum of the features. The weights are found for all "
            "labels together: part of them is the label's own, part lies in a small subspace that "
            "all labels share, so that rare labels benefit from the others."
        ),
        seconds=_subspace_seconds,
        setting_seconds=threshold_seconds,
        figures={
            ("alpha", "beta"): (
                "Fig. 3 of Ji, Tang, Yu and Ye 2010, on your data. Its edges are methods of their "
                "own: without α (left) every label learns for itself, **ridge** regression; as α "
                "grows (right) labels keep nothing of their own, orthonormalised partial least "
                "squares (**PLS**); without β (bottom) it is the alternating structure of **Ando "
                "and Zhang**. With as many shared dimensions as labels nothing is a label's own, "
                "and α changes nothing."
            ),
        },
    ),
    Algorithm(
        key="cca_ridge",
        title="CCA and ridge regression",
        family="linear",
        tasks=MULTILABEL_RANKER,
        estimator=CCARidgeClassifier,
        knobs=(
            replace(_CCA_PENALTY, on_path=True),
            Knob(
                "ridge_penalty",
                "Penalty on the weights (λ)",
                "The larger, the closer every score stays to the mean of all cases.",
                low=1e-6,
                high=1,
                scale="powers of 10",
                on_path=True,
                tuned=tuple(10.0**i for i in range(-6, 1)),
            ),
            replace(_DIRECTIONS, on_path=True),
            TUNED_THRESHOLD,
        ),
        references=(SHARED_SUBSPACE_PAPER, _HOTELLING),
        summary=(
            "Looks for the directions of the features that correlate most with combinations of the "
            "labels (canonical correlation analysis), and scores every label by ridge regression "
            "on where a case lies along them: all that is learned goes through this subspace."
        ),
        seconds=_canonical_seconds,
        setting_seconds=threshold_seconds,
    ),
    Algorithm(
        key="cca_svm",
        title="CCA and SVM",
        family="linear",
        tasks=MULTILABEL_RANKER,
        estimator=CCASVMClassifier,
        knobs=(
            _CCA_PENALTY,
            Knob(
                "C",
                "Fit to the data (C)",
                INVERSE_PENALTY,
                low=1e-4,
                high=1e5,
                scale="powers of 10",
                tuned=tuple(10.0**i for i in range(-4, 6)),
            ),
            _DIRECTIONS,
            TUNED_THRESHOLD,
        ),
        references=(SHARED_SUBSPACE_PAPER, _HOTELLING, PLATT_PAPER),
        summary=(
            "Looks for the directions of the features that correlate most with combinations of the "
            "labels (canonical correlation analysis); a linear support vector machine for every "
            "label then separates the cases by where they lie along them."
        ),
        seconds=_canonical_machine_seconds,
        is_interruptible=False,
        setting_seconds=threshold_seconds,
    ),
    Algorithm(
        key="aso_svm",
        title="ASO-SVM",
        family="linear",
        tasks=MULTILABEL_RANKER,
        estimator=ASOSVMClassifier,
        knobs=(
            Knob(
                "alpha",
                "Penalty on a label's own part (α)",
                "The larger, the more the labels must share what they learn.",
                low=1e-3,
                high=1e3,
                scale="powers of 10",
                tuned=(1e-3, 1e-2, 1e-1, 1.0),
            ),
            Knob(
                "n_components",
                "Shared dimensions (r)",
                "How many combinations of features all labels share at a hundredth of the penalty.",
                low=1,
                high=20,
                none="automatic",
                basic=False,
            ),
            TUNED_THRESHOLD,
        ),
        references=(
            "R. Ando, T. Zhang: A framework for learning predictive structures from multiple tasks "
            "and unlabeled data. Journal of Machine Learning Research 6, 2005.",
            SHARED_SUBSPACE_PAPER,
        ),
        summary=(
            "Scores every label by a weighted sum of the features: a part of its own and one in "
            "a subspace of few combinations of features that all labels share. Support vector "
            "machines and the subspace are learned alternately. A label is relevant where its "
            "score exceeds a threshold that is tuned on training cases."
        ),
        seconds=_alternation_seconds,
        is_interruptible=False,
        setting_seconds=threshold_seconds,
    ),
)
