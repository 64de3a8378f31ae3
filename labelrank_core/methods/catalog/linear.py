"""Methods that score labels by weighted sums of the features, or of similarities."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from labelrank_core.methods.algorithm import (
    LABEL_RANKER,
    MULTILABEL_RANKER,
    Algorithm,
    Size,
    ordering_seconds,
)
from labelrank_core.methods.catalog.shared import COEF0, DEGREE, GAMMA, KERNEL, MARGIN, SPREAD
from labelrank_core.methods.linear import (
    ASOSVMClassifier,
    BinaryRelevanceClassifier,
    CCARidgeClassifier,
    CCASVMClassifier,
    ClassifierChainsClassifier,
    ConstraintClassificationRanker,
    LogLinearRanker,
    OneVsRestSVMClassifier,
    RankSVMClassifier,
    SharedSubspaceClassifier,
    SVMPerfClassifier,
)
from labelrank_core.methods.params import Knob

_SHARED_SUBSPACE = (
    "S. Ji, L. Tang, S. Yu, J. Ye: A shared-subspace learning framework for multi-label "
    "classification. ACM Transactions on Knowledge Discovery from Data 4(2), 2010."
)
_THRESHOLD = Knob(
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
_FREEDOM = (
    "The inverse of the penalty on weights: the smaller, the closer every score stays to the same "
    "for all cases."
)
_PLATT = (
    "J. Platt: Probabilistic outputs for support vector machines and comparisons to regularized "
    "likelihood methods. Advances in Large Margin Classifiers, 1999."
)
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


def _threshold_seconds(size: Size, params: Mapping[str, Any]) -> float:
    # Thresholds are tuned on the scores of all training cases.
    n_tuned = size.n_samples * (params["threshold"] != "zero")
    return ordering_seconds(size, params) + 6e-8 * size.n_labels * n_tuned


def _canonical_seconds(size: Size, params: Mapping[str, Any]) -> float:
    # Thresholds and probabilities both need the folds.
    return _subspace_seconds(size, {**params, "kernel": "linear", "threshold": "tuned"})


def _canonical_machine_seconds(size: Size, params: Mapping[str, Any]) -> float:
    step = 6e-8 * min(max(params["C"], 0.05), 100.0) ** (1 / 3)
    learned = 6 * size.n_labels * (1e-3 + step * size.n_samples * size.n_labels)
    return _canonical_seconds(size, params) + learned


def _one_vs_rest_seconds(size: Size, params: Mapping[str, Any]) -> float:
    values = size.n_features if size.n_nonzero is None else size.n_nonzero
    # The larger C, the more steps, up to their limit.
    step = (1.4e-7 if size.n_nonzero is None else 6e-8) * min(max(params["C"], 0.05), 100.0) ** (
        1 / 3
    )
    # All cases, and five folds.
    learned = 6 * size.n_labels * (1e-3 + step * size.n_samples * values)
    return learned + 1e-9 * size.n_cases * values * size.n_labels


def _f1_seconds(size: Size, params: Mapping[str, Any]) -> float:
    values = size.n_features if size.n_nonzero is None else size.n_nonzero
    # The larger C, and the denser the cases, the more planes; all cases, and three folds.
    planes = 12 * min(params["C"], 1e3) ** 0.5 * (1 if size.n_nonzero is None else 0.2)
    plane = 1e-4 + size.n_samples * (8e-7 + 4e-9 * values)
    return 4 * size.n_labels * planes * plane + 1e-9 * size.n_cases * values * size.n_labels


def _alternation_seconds(size: Size, params: Mapping[str, Any]) -> float:
    n, values = size.n_samples, size.n_features if size.n_nonzero is None else size.n_nonzero
    # A smaller penalty takes more steps; all cases, and three folds of two thirds.
    steps = (0.1 / min(max(params["alpha"], 1e-3), 1.0)) ** 0.2
    learned = 3 * size.n_labels * steps * (4e-3 + 8e-9 * n * n) + 1e-9 * n * n * values
    return 2.3 * learned + 1e-9 * size.n_cases * values * size.n_labels


def _log_linear_seconds(size: Size, params: Mapping[str, Any]) -> float:  # noqa: ARG001
    pairs = size.n_labels * (size.n_labels - 1) / 2
    step = 1e-4 + size.n_samples * (2.2e-8 * pairs + 3e-10 * size.n_features * size.n_labels)
    return 400 * step


def _perceptron_seconds(size: Size, params: Mapping[str, Any]) -> float:
    pairs = size.n_labels * (size.n_labels - 1) / 2
    step = 2e-5 + 2e-9 * size.n_labels * (pairs + size.n_features)
    return params["n_epochs"] * size.n_samples * step


def _machine_seconds(size: Size, params: Mapping[str, Any]) -> float:
    n, m = size.n_samples, size.n_labels
    if params["kernel"] == "linear":
        return m * (2.5e-3 + 1e-7 * n * (size.n_nonzero or size.n_features))
    return m * (2.5e-3 + 1.2e-8 * n**2 + 1e-9 * n * size.n_cases)


def _chains_seconds(size: Size, params: Mapping[str, Any]) -> float:
    values = size.n_features if size.n_nonzero is None else size.n_nonzero
    # The larger C, the more steps.
    step = (5e-8 if size.n_nonzero is None else 2e-7) * max(params["C"], 0.1) ** (1 / 16)
    n_fits = params["n_chains"] * size.n_labels
    return n_fits * (1.5e-3 + step * size.n_samples * (values + size.n_labels / 2))


def _rank_seconds(size: Size, params: Mapping[str, Any]) -> float:  # noqa: ARG001
    n, m = size.n_samples, size.n_labels
    kernels = 2e-9 * n * (n + size.n_cases) * (4 + (size.n_nonzero or size.n_features) / 8)
    # Ten passes at most.
    return 1e-3 + kernels + 10 * n * (5e-5 + 1e-9 * n * m) + 1e-9 * size.n_cases * n * m


_NO_PREFERENCE = "A case adds one preference for every pair that it ranks; other cases add nothing."
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
            _THRESHOLD,
        ),
        references=(_SHARED_SUBSPACE,),
        summary=(
            "Scores every label by a weighted sum of the features. The weights are found for all "
            "labels together: part of them is the label's own, part lies in a small subspace that "
            "all labels share, so that rare labels profit from the others."
        ),
        seconds=_subspace_seconds,
        setting_seconds=_threshold_seconds,
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
            _THRESHOLD,
        ),
        references=(_SHARED_SUBSPACE, _HOTELLING),
        summary=(
            "Looks for the directions of the features that correlate most with combinations of the "
            "labels (canonical correlation analysis), and scores every label by ridge regression "
            "on where a case lies along them: all that is learned goes through this subspace."
        ),
        seconds=_canonical_seconds,
        setting_seconds=_threshold_seconds,
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
                "Freedom of the weights (C)",
                _FREEDOM,
                low=1e-4,
                high=1e5,
                scale="powers of 10",
                tuned=tuple(10.0**i for i in range(-4, 6)),
            ),
            _DIRECTIONS,
            _THRESHOLD,
        ),
        references=(_SHARED_SUBSPACE, _HOTELLING, _PLATT),
        summary=(
            "Looks for the directions of the features that correlate most with combinations of the "
            "labels (canonical correlation analysis); a linear support vector machine for every "
            "label then separates the cases by where they lie along them."
        ),
        seconds=_canonical_machine_seconds,
        setting_seconds=_threshold_seconds,
    ),
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
            "its other labels, by a margin where possible. Scores are sums over the most telling "
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
                "Freedom of the weights (C)",
                _FREEDOM,
                low=1e-5,
                high=1e5,
                scale="powers of 10",
                tuned=tuple(10.0**i for i in range(-3, 3)),
            ),
            _THRESHOLD,
        ),
        references=(
            _SHARED_SUBSPACE,
            _PLATT,
        ),
        summary=(
            "Scores every label by a weighted sum of the features, learned for that label alone: a "
            "linear support vector machine separates the cases that have it from the rest. A label "
            "is relevant where its score exceeds a threshold that is tuned on training cases."
        ),
        seconds=_one_vs_rest_seconds,
        setting_seconds=_threshold_seconds,
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
                "Freedom of the weights (C)",
                _FREEDOM,
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
                "Freedom of the weights (C)",
                f"{_FREEDOM} With a small one, rare labels are never predicted.",
                low=0.1,
                high=1e4,
                scale="powers of 10",
                tuned=(0.1, 1.0, 10.0, 100.0),
            ),
            _THRESHOLD,
        ),
        references=(
            "T. Joachims: A support vector method for multivariate performance measures. ICML "
            "2005.",
            "T. Joachims: Training linear SVMs in linear time. KDD 2006.",
            _SHARED_SUBSPACE,
        ),
        summary=(
            "Scores every label by a weighted sum of the features, learned for that label's F1: "
            "the true labels of all training cases together must score higher than any other "
            "choice of cases, by what that choice loses of F1. A label is relevant where its "
            "score exceeds its threshold."
        ),
        seconds=_f1_seconds,
        setting_seconds=_threshold_seconds,
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
            _THRESHOLD,
        ),
        references=(
            "R. Ando, T. Zhang: A framework for learning predictive structures from multiple tasks "
            "and unlabeled data. Journal of Machine Learning Research 6, 2005.",
            _SHARED_SUBSPACE,
        ),
        summary=(
            "Scores every label by a weighted sum of the features: an own part, and one in a "
            "subspace of few combinations of features that all labels share. Support vector "
            "machines and the subspace are learned in turns. A label is relevant where its score "
            "exceeds a threshold that is tuned on training cases."
        ),
        seconds=_alternation_seconds,
        setting_seconds=_threshold_seconds,
    ),
    Algorithm(
        key="ll",
        title="Log-linear label ranking",
        family="linear",
        tasks=LABEL_RANKER,
        estimator=LogLinearRanker,
        knobs=(
            Knob(
                "penalty",
                "Penalty on weights (λ)",
                "The larger, the closer the utilities of all labels stay together.",
                low=1e-6,
                high=1,
                scale="powers of 10",
                tuned=tuple(10.0**i for i in range(-5, 0)),
            ),
        ),
        references=(
            "O. Dekel, C. Manning, Y. Singer: Log-linear models for label ranking. NIPS 2003.",
        ),
        summary=(
            "Gives every label a utility, a weighted sum of the features, and orders the labels by "
            "it. The difference of two utilities says how likely one label is preferred to the "
            "other; the weights make the preferences of the training cases most likely. The mean "
            "of these probabilities in favour of the predicted order is the confidence."
        ),
        seconds=_log_linear_seconds,
        incomplete=_NO_PREFERENCE,
        votes="pairs of utilities",
        support="probability",
    ),
    Algorithm(
        key="cc",
        title="Constraint classification",
        family="linear",
        tasks=LABEL_RANKER,
        estimator=ConstraintClassificationRanker,
        knobs=(
            Knob(
                "n_epochs",
                "Passes",
                "How often the perceptron goes through the training cases.",
                low=1,
                high=200,
                scale="doubling",
                tuned=(8, 32, 128),
            ),
            Knob(
                "max_updates",
                "Most changes by one preference (α)",
                "A preference that has changed the weights so often is ignored as noise.",
                low=1,
                high=128,
                scale="doubling",
                none="any number",
                basic=False,
            ),
        ),
        references=(
            "S. Har-Peled, D. Roth, D. Zimak: Constraint classification: a new approach to "
            "multiclass classification and ranking. NIPS 2002.",
            "R. Khardon, G. Wachman: Noise tolerant variants of the perceptron algorithm. Journal "
            "of Machine Learning Research 8, 2007.",
        ),
        summary=(
            "Gives every label a utility, a weighted sum of the features, and orders the labels by "
            "it. Every preference of a training case is a constraint; a perceptron corrects the "
            "weights wherever one is violated. How far the utilities lie apart is the confidence."
        ),
        seconds=_perceptron_seconds,
        incomplete=_NO_PREFERENCE,
        votes="pairs of utilities",
        support="probability",
    ),
)
