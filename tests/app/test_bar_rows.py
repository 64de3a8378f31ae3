"""Rows of bars and marks say what the evidence says: scores, contributions, probabilities."""

from dataclasses import replace

import numpy as np
import pytest

from labelrank_core.data.schema import numeric_schema
from labelrank_core.explain.evidence import (
    Explanation,
    PairParts,
    ScoreParts,
    Text,
    VotedProbabilities,
)
from labelrank_core.explain.render import (
    LabelSelection,
    Scene,
    contributions,
    pair_parts,
    picture,
)
from labelrank_core.explain.render.markup.bar_rows import BarRow, bar_rows, signed_number, stacked
from tests.app.plotted import Rows

NAMES = ("tea", "<b>juice</b>", "water")
ALIKE = tuple(f"a name that all labels begin with {number}" for number in (1, 2, 3))


def scene_of(positions=(1, 2, 3), names=NAMES, wanted=None, n_features=4):
    positions = np.array(positions)
    explanation = Explanation(positions, positions, Text("Words."), ())
    schema = numeric_schema([f"x{j}" for j in range(n_features)])
    return Scene(explanation, names, schema, None, label_selection=wanted or LabelSelection())


def parts_of_scores(weights=("own part", "shared part")):
    whole = {
        "own part": np.array([[0.0, -0.5, 0.0], [0.25, 0, 0], [0, 0, 0], [0, 0, 0]]),
        "shared part": np.array([[1.0, 0, -0.5], [-0.5, 0, 0], [0, 0, 0], [0, 0, 0]]),
    }
    return ScoreParts(
        baseline=np.array([-0.5, 0.0, 0.25]),
        thresholds=np.array([0.0, -0.25, 0.5]),
        inputs=np.ones(4),
        weights={name: whole[name] for name in weights},
    )


def lengths_of(rows, label_bars):
    """Lengths of bars in the units of the scale."""
    (low, at_low), *_, (high, at_high) = sorted(rows.ticks.items())
    unit = (at_high - at_low) / (high - low)
    return {bar.title.rsplit(" ", 1)[0]: bar.width / unit for bar in label_bars}


def test_the_parts_of_scores_are_as_long_as_they_are_and_marks_stand_where_they_are():
    evidence = parts_of_scores()
    drawn = Rows(picture(evidence, scene_of()).markup)
    assert drawn.names == ["1tea", "2<b>juice</b>", "3water"]
    assert drawn.numbers == ["0.25", "-0.50", "-0.25"]
    assert drawn.title == "score"
    assert drawn.key == ["■ baseline", "■ own part", "■ shared part", "◆ score", "▎ threshold"]
    lengths = lengths_of(drawn, drawn.bars[0])
    assert lengths == pytest.approx(
        {"baseline": 0.5, "own part": 0.25, "shared part": 0.5}, abs=0.02
    )
    (low, at_low), *_, (high, at_high) = sorted(drawn.ticks.items())
    unit = (at_high - at_low) / (high - low)
    for marks, score, threshold in zip(
        drawn.marks, evidence.scores, evidence.thresholds, strict=True
    ):
        assert marks["diamond"] - marks["even"] == pytest.approx(score * unit, abs=0.2)
        assert marks["threshold"] - marks["even"] == pytest.approx(threshold * unit, abs=0.2)


def test_parts_follow_each_other_to_both_sides_of_zero():
    first, second, third = stacked([("a", 0.5, ""), ("b", -0.25, ""), ("c", 0.25, "")])
    assert (first.start, first.end) == (0.0, 0.5)
    assert (second.start, second.end) == (0.0, -0.25)
    assert (third.start, third.end) == (0.5, 0.75)


def test_bars_and_marks_stay_within_the_scale():
    rows = [BarRow("a", "", stacked([("", 3, ""), ("", 4, ""), ("", -1, "")])),
            BarRow("b", "", stacked([("", -2, ""), ("", -5, ""), ("", 1, "")]))]  # fmt: skip
    bars = [bar for row in Rows(bar_rows(rows, "score")).bars for bar in row]
    assert min(bar.left for bar in bars) >= 0
    assert max(bar.right for bar in bars) <= 100
    assert bars[0].width + bars[1].width == pytest.approx(7 * bars[2].width, abs=0.1)


def test_of_many_labels_those_shown_keep_their_places():
    names = [f"label {j}" for j in range(20)]
    votes = np.full((2, 20), 0.25)
    evidence = VotedProbabilities("chain", votes, np.arange(1, 21))
    scene = scene_of(np.arange(1, 21), names, LabelSelection(frozenset([18])))
    drawn = Rows(picture(evidence, scene).markup)
    assert drawn.names[-2:] == ["15label 14", "19label 18"]
    assert len(drawn.names) == 16


def test_a_part_that_scores_do_not_have_is_neither_drawn_nor_explained():
    evidence = parts_of_scores(["own part"])
    drawn = Rows(picture(evidence, scene_of()).markup)
    assert drawn.key == ["■ baseline", "■ own part", "◆ score", "▎ threshold"]
    drawn = contributions(evidence, scene_of(), 0)
    assert drawn.table["sum"].tolist() == pytest.approx(sorted(drawn.table["sum"], key=abs)[::-1])
    rows = Rows(drawn.markup)
    assert rows.key == []
    assert rows.numbers[0] == "+0.25"


def test_contributions_with_two_parts_say_what_both_add_together():
    rows = Rows(contributions(parts_of_scores(), scene_of(), 0).markup)
    assert rows.key == ["■ own part", "■ shared part"]
    assert rows.names[:2] == ["x0", "x1"]
    assert rows.numbers[:2] == ["+1.00", "-0.25"]
    assert lengths_of(rows, rows.bars[1]) == pytest.approx(
        {"own part": 0.25, "shared part": 0.5}, abs=0.02
    )


def test_contributions_keep_inputs_of_the_same_name_apart():
    schema = numeric_schema(["x", "x", "y", "y"])
    scene = replace(scene_of(), schema=schema)
    rows = Rows(contributions(parts_of_scores(), scene, 0).markup)
    assert rows.names[:2] == ["x", "x"]
    assert rows.numbers[:2] == ["+1.00", "-0.25"]


def test_contributions_point_to_the_label_they_are_for():
    parts = PairParts(
        "log-odds",
        np.zeros(3),
        np.array([2.0, 1.0]),
        np.array([[1.0, 0, 0], [-3.0, 0, 0]]),
        np.array([1, 2, 3]),
    )
    drawn = Rows(pair_parts(parts, scene_of(n_features=2), (0, 1)).markup)
    assert drawn.numbers == ["-3.00", "+2.00"]
    (against,), (ahead,) = drawn.bars
    zero = drawn.marks[0]["even"]
    assert against.right == pytest.approx(zero, abs=0.1)
    assert ahead.left == pytest.approx(zero, abs=0.1)
    assert against.color != ahead.color
    assert drawn.title == "← <b>juice</b> · tea"


def test_every_vote_is_drawn_and_their_mean_on_a_scale_from_0_to_1():
    evidence = VotedProbabilities("chain", np.array([[0.0, 1.0], [0.5, 1.0]]), np.array([2, 1]))
    drawn = Rows(picture(evidence, scene_of((2, 1), NAMES[:2])).markup)
    assert drawn.names == ["1<b>juice</b>", "2tea"]
    assert drawn.numbers == ["1.00", "0.25"]
    zero, half, one = (drawn.ticks[tick] for tick in (0.0, 0.5, 1.0))
    assert drawn.votes[0] == pytest.approx([one, one], abs=0.1)
    assert drawn.votes[1] == pytest.approx([zero, half], abs=0.1)
    assert drawn.marks[1]["diamond"] == pytest.approx((zero + half) / 2, abs=0.1)
    assert drawn.marks[1]["even"] == pytest.approx(half, abs=0.1)


def test_labels_whose_names_begin_alike_are_told_apart():
    drawn = Rows(picture(parts_of_scores(), scene_of(names=ALIKE)).markup)
    assert drawn.names == ["11", "22", "33"]
    parts = PairParts("log-odds", np.zeros(3), np.ones(1), np.ones((1, 3)), np.array([1, 2, 3]))
    drawn = Rows(pair_parts(parts, scene_of(names=ALIKE, n_features=1), (0, 1)).markup)
    assert drawn.title == "← a nam…with 2 · a nam…with 1"


def test_small_contributions_are_no_zeros():
    assert [signed_number(value) for value in (0.005, 4.9e-3, -2e-5, 0.0)] == [
        "+0.01",
        "+0.0049",
        "-2e-05",
        "0",
    ]
