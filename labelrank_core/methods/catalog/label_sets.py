"""Methods that predict the probabilities of whole label sets."""

from collections.abc import Mapping
from dataclasses import replace
from math import log2
from typing import Any

from labelrank_core.methods.algorithm import MULTILABEL_RANKER, Algorithm, Size
from labelrank_core.methods.catalog.shared import INVERSE_PENALTY, SET_DECISION, THRESHOLDS, TREES
from labelrank_core.methods.label_sets import (
    LabelPowersetClassifier,
    LabelSetForestClassifier,
    ProbabilisticChainsClassifier,
    RAkELClassifier,
)
from labelrank_core.methods.params import Knob

_FAMILY = "label sets"
_F_MEASURE_PAPER = (
    "K. Dembczyński, W. Waegeman, W. Cheng, E. Hüllermeier: An exact algorithm for F-measure "
    "maximization. NIPS 2011."
)
_C = Knob(
    "C",
    "Fit to the data (C)",
    INVERSE_PENALTY,
    low=1e-3,
    high=1e3,
    scale="powers of 10",
    tuned=(0.01, 0.1, 1.0, 10.0),
)


def _n_sets(size: Size) -> float:
    """Estimate the number of different label sets of the training cases."""
    return min(size.n_samples, 2.0 ** min(size.n_labels, 20))


def _decision_seconds(size: Size, params: Mapping[str, Any]) -> float:
    n_numbers = size.n_cases * min(_n_sets(size), 500)
    work = {"hamming": 1e-9 * size.n_labels, "subset": 1e-7, "f1": 1e-9 * size.n_labels**2}
    return 1e-3 + n_numbers * work[params["decision"]]


def _forest_seconds(size: Size, params: Mapping[str, Any]) -> float:
    n, depth = size.n_samples, log2(size.n_samples + 2)
    tried = 0.3 if params["splitter"] == "best" else 0.03
    fit_seconds = 2e-8 * n * depth * (1 + tried * size.n_features) * (1 + size.n_labels / 8)
    predict_seconds = 1e-6 * size.n_cases * depth
    forest_seconds = params["n_estimators"] * (2e-3 + fit_seconds + predict_seconds)
    return forest_seconds + _decision_seconds(size, params)


def _powerset_seconds(size: Size, params: Mapping[str, Any]) -> float:
    n, n_sets = size.n_samples, min(_n_sets(size), 200)
    if params["classifier"] == "logistic":
        seconds = 2e-7 * n * size.n_features * n_sets + 1e-2
    else:
        depth = log2(n + 2)
        tree = 2e-3 + 5e-9 * n * depth * size.n_features**0.5 * (10 + n_sets)
        seconds = params["n_estimators"] * (tree + 1e-8 * size.n_cases * n_sets)
    return seconds + _decision_seconds(size, params)


def _rakel_seconds(size: Size, params: Mapping[str, Any]) -> float:
    n_sets = 2 ** min(params["n_labels_each"], 8)
    fit_seconds = (
        6e-4 + 5e-9 * size.n_samples * log2(size.n_samples + 2) * size.n_features**0.5 * n_sets
    )
    predict_seconds = 2e-3 + 2e-8 * size.n_cases * n_sets * params["n_trees"]
    return params["n_estimators"] * (params["n_trees"] * fit_seconds + predict_seconds)


def _chains_seconds(size: Size, params: Mapping[str, Any]) -> float:
    step = 3e-8 * max(params["C"], 0.1) ** 0.25
    one = size.n_labels * (2e-3 + step * 20 * size.n_samples * (size.n_features + size.n_labels))
    compared = 5e-8 * size.n_cases * min(_n_sets(size), 1000) * size.n_labels
    return params["n_chains"] * (one + compared) + _decision_seconds(size, params)


METHODS = (
    Algorithm(
        key="set_forest",
        title="Forest of label sets",
        family=_FAMILY,
        tasks=MULTILABEL_RANKER,
        estimator=LabelSetForestClassifier,
        knobs=(TREES, SET_DECISION, THRESHOLDS),
        references=(
            "D. Kocev, C. Vens, J. Struyf, S. Džeroski: Tree ensembles for predicting structured "
            "outputs. Pattern Recognition 46(3), 2013.",
            _F_MEASURE_PAPER,
        ),
        summary=(
            "Random trees ask questions that separate the training cases by all their labels at "
            "once. The label sets in the leaves that a case falls into say how likely each set is."
        ),
        has_probabilities=True,
        seconds=_forest_seconds,
        setting_seconds=_decision_seconds,
    ),
    Algorithm(
        key="powerset",
        title="Label powerset",
        family=_FAMILY,
        tasks=MULTILABEL_RANKER,
        estimator=LabelPowersetClassifier,
        knobs=(
            Knob(
                "classifier",
                "Classifier",
                "What learns the label sets as classes: a random forest, or logistic regression.",
                choices=(("forest", "random forest"), ("logistic", "logistic regression")),
            ),
            replace(
                TREES, on_path=False, up_to_fitted=False, depends_on=("classifier", ("forest",))
            ),
            replace(_C, depends_on=("classifier", ("logistic",))),
            SET_DECISION,
        ),
        references=(
            "M. Boutell, J. Luo, X. Shen, C. Brown: Learning multi-label scene classification. "
            "Pattern Recognition 37(9), 2004.",
            "G. Tsoumakas, I. Katakis: Multi-label classification: an overview. International "
            "Journal of Data Warehousing and Mining 3(3), 2007.",
            _F_MEASURE_PAPER,
        ),
        summary=(
            "Takes every label set of the training cases as a class of its own and learns to tell "
            "these classes apart, so that labels that go together are predicted together."
        ),
        has_probabilities=True,
        seconds=_powerset_seconds,
        setting_seconds=_decision_seconds,
    ),
    Algorithm(
        key="probabilistic_chains",
        title="Probabilistic classifier chains",
        family=_FAMILY,
        tasks=MULTILABEL_RANKER,
        estimator=ProbabilisticChainsClassifier,
        knobs=(
            Knob(
                "n_chains",
                "Chains",
                "How many chains, each in a random order of the labels, are averaged.",
                low=1,
                high=20,
                on_path=True,
                up_to_fitted=True,
            ),
            SET_DECISION,
            _C,
        ),
        references=(
            "K. Dembczyński, W. Cheng, E. Hüllermeier: Bayes optimal multilabel classification via "
            "probabilistic classifier chains. ICML 2010.",
            _F_MEASURE_PAPER,
        ),
        summary=(
            "Gives every label set a probability, one label after the other, each by logistic "
            "regression with the labels before it. The set that is best by a measure is predicted."
        ),
        has_probabilities=True,
        seconds=_chains_seconds,
        setting_seconds=_decision_seconds,
    ),
    Algorithm(
        key="rakel",
        title="Random label sets (RAkEL)",
        family=_FAMILY,
        tasks=MULTILABEL_RANKER,
        estimator=RAkELClassifier,
        knobs=(
            Knob(
                "n_estimators",
                "Models",
                "How many models are averaged, each of a few labels.",
                low=1,
                high=50,
                on_path=True,
                up_to_fitted=True,
            ),
            Knob(
                "n_labels_each",
                "Labels of a model (k)",
                "How many labels a model learns together.",
                low=2,
                high=8,
                tuned=(2, 3, 5),
            ),
            Knob(
                "n_trees",
                "Trees of a model",
                "How many random trees each model has.",
                low=1,
                high=50,
                basic=False,
            ),
        ),
        references=(
            "G. Tsoumakas, I. Katakis, I. Vlahavas: Random k-labelsets for multilabel "
            "classification. IEEE Transactions on Knowledge and Data Engineering 23(7), 2011.",
        ),
        summary=(
            "Lets every model learn which of a few labels, drawn at random, go together. The "
            "probability of a label is the mean over the models that know it; labels above one "
            "half are relevant."
        ),
        has_probabilities=True,
        seconds=_rakel_seconds,
    ),
)
