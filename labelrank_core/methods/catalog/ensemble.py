"""Methods that compare others out of fold and blend the best of them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from labelrank_core.methods.algorithm import LABEL_RANKER, MULTILABEL_RANKER, Algorithm, Size
from labelrank_core.methods.catalog.shared import TIES
from labelrank_core.methods.ensemble import StackedLabelRanker, StackedMultilabelClassifier
from labelrank_core.methods.ensemble._candidates import LABEL_RANKERS, LABEL_SETS
from labelrank_core.methods.params import Knob

_FAMILY = "combination"


_REFERENCES = (
    "L. Breiman: Stacked regressions. Machine Learning 24, 1996.",
    "M. van der Laan, E. Polley, A. Hubbard: Super learner. Statistical Applications in "
    "Genetics and Molecular Biology 6(1), 2007.",
)
_WHICH = Knob(
    "candidates",
    "Methods to compare",
    "Which methods learn from parts of the training cases and predict the rest. More take longer "
    "and often predict better.",
)
_BLENDING = (
    Knob(
        "n_members",
        "Methods in the blend",
        "How many of them may be blended at most; with one, the best one decides alone.",
        low=1,
        high=4,
        on_path=True,
        up_to_fitted=True,
    ),
    Knob(
        "inner_folds",
        "Folds",
        "Into how many parts the training cases are divided to compare the methods.",
        low=2,
        high=10,
        basic=False,
    ),
    Knob(
        "time_budget",
        "Time to compare (seconds)",
        "No further fold is begun after it. With a limit, the result depends on how fast "
        "the computer is.",
        low=1,
        high=1000,
        scale="powers of 10",
        none="no limit",
        basic=False,
    ),
)


def _stacked_seconds(
    candidate_sets: Mapping[str, Sequence[Any]], size: Size, params: Mapping[str, Any]
) -> float:
    n = params["inner_folds"]
    part = replace(
        size, n_samples=size.n_samples * (n - 1) // n, n_cases=max(1, size.n_samples // n)
    )
    entries = candidate_sets[params["candidates"]]
    return sum(n * entry.seconds(part) + entry.seconds(size) for entry in entries)


METHODS = (
    Algorithm(
        key="stacked",
        title="Best blend of methods",
        family=_FAMILY,
        tasks=LABEL_RANKER,
        estimator=StackedLabelRanker,
        knobs=(
            replace(_WHICH, choices=(("quick", "four quick ones"), ("thorough", "eight"))),
            *_BLENDING,
            TIES,
        ),
        references=_REFERENCES,
        summary=(
            "Lets several methods learn from a part of the training cases and predict the rest, "
            "and blends those that rank pairs of labels best together. If no blend is clearly "
            "better, the best single method decides."
        ),
        seconds=partial(_stacked_seconds, LABEL_RANKERS),
        incomplete="Each method learns incomplete rankings in its own way; see there.",
        votes="blended methods",
        support="blended support",
    ),
    Algorithm(
        key="stacked_multilabel",
        title="Best blend for label sets",
        family=_FAMILY,
        tasks=MULTILABEL_RANKER,
        estimator=StackedMultilabelClassifier,
        knobs=(
            replace(_WHICH, choices=(("quick", "three quick ones"), ("thorough", "six"))),
            *_BLENDING,
        ),
        references=_REFERENCES,
        summary=(
            "Lets several methods learn from a part of the training cases and predict the rest, "
            "and blends those whose probabilities are best together. If no blend is clearly "
            "better, the best single method decides."
        ),
        has_probabilities=True,
        seconds=partial(_stacked_seconds, LABEL_SETS),
        is_interruptible=False,
    ),
)
