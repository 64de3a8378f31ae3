"""The verdict on a method: sentence, intervals and places of the picture are of one comparison."""

import re

import numpy as np
import pytest

from labelrank_core.comparison.cases import case_difference
from labelrank_core.comparison.quality import Comparison, Quality
from labelrank_core.explain.render import markup
from labelrank_core.metrics import METRICS

TAU, LOSS = METRICS["kendall_tau_score"], METRICS["hamming_loss"]
OWN = np.tile([0.8, 0.9, 1.0, 0.7], 10)
NOISE = np.tile([0.1, -0.1, 0.15, -0.05], 10)


def quality(measure, *others):
    values = OWN if measure.greater_is_better else 1 - OWN
    return Quality(
        "k-NN",
        measure,
        float(values.mean()),
        len(values),
        [
            Comparison(name, name, float(other.mean()), case_difference(values, other, measure))
            for name, other in others
        ],
    )


def test_the_verdict_names_what_is_beaten_and_what_is_not():
    made = quality(TAU, ("the average", OWN - 0.3), ("the nearest", OWN + NOISE / 10))
    assert (
        made.verdict
        == "Clearly better than the average, but not clearly different from the nearest."
    )
    assert (
        quality(TAU, ("a", OWN - 0.3), ("b", OWN - 0.2)).verdict == "Clearly better than a and b."
    )
    assert quality(LOSS, ("a", 1 - OWN - 0.1)).verdict == "Clearly worse than a."


@pytest.mark.parametrize("measure", [TAU, LOSS])
@pytest.mark.parametrize("shift", [-0.2, -0.05, -0.01, 0.0, 0.01, 0.05])
def test_an_interval_reaches_the_method_exactly_where_the_verdict_is_not_clear(measure, shift):
    values = np.clip((OWN if measure.greater_is_better else 1 - OWN) + shift + NOISE, 0, 1)
    made = quality(measure, ("other", values))
    (other,) = made.others
    low, high = made.interval(other)
    assert (low <= made.total <= high) == (other.difference.verdict == "unclear")
    assert low <= other.total <= high
    assert ("not clearly" in other.sentence) == (other.difference.verdict == "unclear")
    is_behind = measure.greater_is_better == (other.total < made.total)
    assert ("behind" in other.sentence) == is_behind
    number = float(re.search(r"by (\d\.\d+)", other.sentence)[1])
    assert number == pytest.approx(abs(made.total - other.total), abs=6e-4)


@pytest.mark.parametrize("measure", [TAU, LOSS])
def test_places_run_from_a_round_number_not_better_than_the_worst_to_perfect(measure):
    values = OWN - 0.3 if measure.greater_is_better else 1 - OWN + 0.3
    made = quality(measure, ("other", values))
    (other,) = made.others
    assert made.share(made.perfect) == pytest.approx(1)
    assert 0 <= made.share(other.total) < made.share(made.total) < 1
    assert made.share(made.scale_start) == pytest.approx(0)
    # The start has few digits, and lies less than one of its steps away.
    reach = abs(made.perfect - made.worst)
    assert made.share(made.worst) >= 0
    assert abs(made.scale_start - made.worst) < 0.5 * 10 ** np.floor(np.log10(reach))
    assert len(f"{made.scale_start:g}") <= 4


def test_few_cases_that_differ_have_no_interval():
    few = OWN.copy()
    few[:2] = 0
    made = quality(TAU, ("other", few), ("same", OWN))
    other, same = made.others
    assert np.isnan(made.interval(other)).all()
    assert other.sentence == "not clear: only 2 cases differ"
    assert same.sentence == "the same in every case"


def test_of_cases_without_a_value_nothing_is_known():
    nothing = np.full(40, np.nan)
    difference = case_difference(nothing, nothing, TAU)
    other = Comparison("other", "other", float("nan"), difference)
    made = Quality("k-NN", TAU, float("nan"), 0, [other])
    assert np.isnan(made.share(made.total))
    assert np.isnan(made.interval(other)).all()


def test_a_clear_interval_does_not_touch_the_dotted_line_by_rounding():
    rows = [
        markup.QualityRow("a", "", "1", 0.5, float("nan"), float("nan"), "first"),
        markup.QualityRow("<b>", "", "2", 0.4, 0.3, 0.49999, "behind"),
    ]
    drawn = markup.quality_plot(rows, "0.12", "perfect: 1")
    assert ">0.12</small>" in drawn
    assert drawn.index(">0.12<") < drawn.index(">perfect: 1<")
    assert "left:30.0%;width:19.6%" in drawn
    assert "&lt;b&gt;" in drawn
