"""Methods that fit a probability model to the rankings of the most similar cases."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from labelrank_core.methods.algorithm import LABEL_RANKER, Algorithm, Size
from labelrank_core.methods.catalog.shared import METRIC, NEIGHBORS, TIES, search_seconds
from labelrank_core.methods.params import Knob
from labelrank_core.methods.probabilistic import MallowsLabelRanker, PlackettLuceLabelRanker

_FAMILY = "probabilistic"
_NEIGHBORS = replace(NEIGHBORS, tuned=(5, 10, 15, 20))  # those of the papers


def _fitting_seconds(size: Size, params: Mapping[str, Any]) -> float:
    # Ten steps, each comparing all pairs of labels in all rankings.
    k, m = params["n_neighbors"], size.n_labels
    return 1.5e-2 + size.n_cases * (2e-7 * k * m * (m + 8) + 5e-7 * m**2)


def _plackett_luce_seconds(size: Size, params: Mapping[str, Any]) -> float:
    return search_seconds(size, params) + _fitting_seconds(size, params)


def _centre_seconds(size: Size, params: Mapping[str, Any]) -> float:
    k, m = params["n_neighbors"], size.n_labels
    kemeny = 1.5e-6 * 2 ** min(m, 11) * (params["aggregation"] == "kemeny")
    return 5e-3 + size.n_cases * (5e-8 * k * m * (m + 4) + kemeny)


def _mallows_seconds(size: Size, params: Mapping[str, Any]) -> float:
    return search_seconds(size, params) + _centre_seconds(size, params)


METHODS = (
    Algorithm(
        key="ib_pl",
        title="Plackett–Luce of similar cases (IB-PL)",
        family=_FAMILY,
        tasks=LABEL_RANKER,
        estimator=PlackettLuceLabelRanker,
        knobs=(
            _NEIGHBORS,
            Knob(
                "smoothing",
                "Smoothing (s)",
                "How many wins against every other label are added for each label, so that one "
                "that always wins does not become infinitely strong.",
                low=0.01,
                high=10,
                scale="powers of 10",
                on_path=True,
                basic=False,
            ),
            TIES,
            METRIC,
        ),
        references=(
            "W. Cheng, K. Dembczyński, E. Hüllermeier: Label ranking methods based on the "
            "Plackett-Luce model. ICML 2010.",
        ),
        summary=(
            "Looks up the training cases most similar to yours and gives every label a strength: "
            "a ranking is drawn choice by choice, each time the stronger labels more probably. "
            "The strengths that explain the rankings of the similar cases best order the labels."
        ),
        seconds=_plackett_luce_seconds,
        setting_seconds=_fitting_seconds,
        incomplete=(
            "A label that a case does not rank is left out of its choices; a case with no label "
            "left counts as a similar case, but adds nothing."
        ),
        votes="model's choices between two labels",
        support="probability",
    ),
    Algorithm(
        key="ib_m",
        title="Mallows model of similar cases (IB-M)",
        family=_FAMILY,
        tasks=LABEL_RANKER,
        estimator=MallowsLabelRanker,
        knobs=(
            _NEIGHBORS,
            Knob(
                "aggregation",
                "Centre",
                "How the ranking in the middle is found: by mean rank, or with the fewest reversed "
                "pairs, which is the most probable centre.",
                choices=(("borda", "mean rank (the paper)"), ("kemeny", "fewest reversed pairs")),
                on_path=True,
                basic=False,
            ),
            TIES,
            METRIC,
        ),
        references=(
            "W. Cheng, J. Hühn, E. Hüllermeier: Decision tree and instance-based learning for "
            "label ranking. ICML 2009.",
        ),
        summary=(
            "Looks up the training cases most similar to yours and describes their rankings by a "
            "centre and a spread: a ranking is the less probable, the more pairs of labels it "
            "reverses. The centre is predicted, and the spread says how far to trust it."
        ),
        seconds=_mallows_seconds,
        setting_seconds=_centre_seconds,
        incomplete=(
            "Each ranking is completed as the centre makes most probable; a case with fewer than "
            "two labels left adds nothing."
        ),
        votes="model's orders of two labels",
        support="probability",
    ),
)
