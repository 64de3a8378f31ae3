"""Linear utilities of labels, for rankings."""

from collections.abc import Mapping
from typing import Any

from labelrank_core.methods.algorithm import (
    PAIR_RANKER,
    Algorithm,
    Size,
)
from labelrank_core.methods.catalog.shared import TIES
from labelrank_core.methods.linear import (
    ConstraintClassificationRanker,
    LogLinearRanker,
)
from labelrank_core.methods.params import Knob


def _log_linear_seconds(size: Size, params: Mapping[str, Any]) -> float:  # noqa: ARG001
    pairs = size.n_labels * (size.n_labels - 1) / 2
    step = 1e-4 + size.n_samples * (2.2e-8 * pairs + 3e-10 * size.n_features * size.n_labels)
    return 400 * step


def _perceptron_seconds(size: Size, params: Mapping[str, Any]) -> float:
    pairs = size.n_labels * (size.n_labels - 1) / 2
    step = 2e-5 + 2e-9 * size.n_labels * (pairs + size.n_features)
    return params["n_epochs"] * size.n_samples * step


_NO_PREFERENCE = "A case adds one preference for every pair that it ranks; other cases add nothing."


METHODS = (
    Algorithm(
        key="ll",
        title="Log-linear label ranking",
        family="linear",
        tasks=PAIR_RANKER,
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
            TIES,
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
        tasks=PAIR_RANKER,
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
            TIES,
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
