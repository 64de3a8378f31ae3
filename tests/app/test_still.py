"""Figures as SVG without scripts: every point, bar and word where Plotly has it."""

from xml.etree import ElementTree

import numpy as np
import plotly.graph_objects as go
import pytest

from labelrank_core.explain.evidence import MallowsFit, RuleVotes, ScoreParts
from labelrank_core.explain.figures.linear import score_parts
from labelrank_core.explain.figures.ranking_models import mallows_fit
from labelrank_core.explain.figures.rules import running_scores
from labelrank_core.explain.markup.figures import dot, said_above, upright
from labelrank_core.explain.markup.palette import label_color
from labelrank_core.explain.markup.still import still
from labelrank_core.explain.markup.text import plotly
from pages.ui.charts.base import picture

NAMES = ("tea", "<b>juice</b>", "water")
SVG = "{http://www.w3.org/2000/svg}"


def parts(figure, tag):
    """Elements of a figure as SVG, which must be well-formed."""
    return list(ElementTree.fromstring(still(figure)).iter(SVG + tag))


def words(figure):
    return [" ".join("".join(each.itertext()).split()) for each in parts(figure, "text")]


def numbers(elements, *names):
    return np.array([[float(each.get(name)) for name in names] for each in elements])


def test_points_keep_their_distances_and_larger_values_stand_higher():
    dots = {"x": [1, 2, 4], "y": [10, 20, 15], "mode": "markers", "marker": {"color": "#0072b2"}}
    found = parts(picture(200, [dots]), "circle")
    assert [each.get("fill") for each in found] == ["#0072b2"] * 3
    places = numbers(found, "cx", "cy")
    steps = np.diff(places, axis=0)
    assert steps[1, 0] == pytest.approx(2 * steps[0, 0], abs=0.2)
    assert steps[0, 0] > 0
    assert steps[0, 1] == pytest.approx(-2 * steps[1, 1], abs=0.2)
    assert steps[0, 1] < 0


def test_a_line_is_broken_where_a_point_is_missing():
    line = {"x": [1, 2, 3, 4, 5], "y": [1, 2, np.nan, 3, 4], "mode": "lines",
            "line": {"color": "#d55e00"}}  # fmt: skip
    drawn = [
        each for each in parts(picture(200, [line]), "line") if each.get("stroke") == "#d55e00"
    ]
    assert len(drawn) == 2


def test_equal_steps_of_a_logarithm_are_equal_steps_of_the_drawing():
    dots = {"x": [1, 10, 100], "y": [0, 0, 0], "mode": "markers"}
    figure = picture(200, [dots], x={"type": "log"})
    across = numbers(parts(figure, "circle"), "cx")[:, 0]
    assert np.diff(across)[0] == pytest.approx(np.diff(across)[1], abs=0.2)


def test_parts_of_a_score_follow_each_other_to_both_sides_of_zero():
    evidence = ScoreParts(
        baseline=np.array([0.5]),
        thresholds=np.array([0.0]), inputs=np.ones(1),
        weights={"own part": np.array([[0.25]]), "shared part": np.array([[-0.5]])},
    )  # fmt: skip
    found = parts(score_parts(evidence, [0], NAMES), "rect")
    baseline, own, shared = numbers(found[:3], "x", "width")
    assert own[0] == pytest.approx(sum(baseline), abs=0.2)
    assert sum(shared) == pytest.approx(baseline[0], abs=0.2)
    assert baseline[1] == pytest.approx(2 * own[1], abs=0.2)
    assert shared[1] == pytest.approx(baseline[1], abs=0.2)


def test_bars_stand_on_zero_and_are_as_high_as_their_counts():
    fit = MallowsFit(np.array([1, 2, 3]), 1.0, np.array([4, 2, 0, 0]), np.array([3.0, 2, 0, 0]))
    figure = mallows_fit(fit)
    bars = numbers(parts(figure, "rect")[:2], "y", "height")
    assert bars[0, 1] == pytest.approx(2 * bars[1, 1], abs=0.2)
    assert bars.sum(axis=1) == pytest.approx(bars.sum(axis=1)[0], abs=0.2)
    assert "rankings" in words(figure)
    assert "label pairs in reverse order of the centre" in words(figure)


def test_no_more_pairs_than_there_are_stand_below_the_bars():
    fit = MallowsFit(np.array([1, 2]), 1.0, np.array([4, 2]), np.array([4.0, 2.0]))
    low, high = mallows_fit(fit)["layout"]["xaxis"]["range"]
    assert -1 < low < 0
    assert 1 < high < 2


def test_names_and_colours_of_a_figure_are_kept_as_text():
    line = {"x": [1, 128], "y": [0.1, 0.9], "mode": "lines"}
    beside = [
        {"x": 1, "xref": "paper", "y": 0.1 + 0.4 * label, "text": f" {dot(label)} {plotly(name)}"}
        for label, name in enumerate(NAMES)
    ]
    ticks = {"tickvals": [1, 2, 128], "ticktext": ["1", "2", "128"]}
    axis = {"type": "log", "title": "labels p", **ticks}
    figure = picture(200, [line], x=axis, y={"title": "share"}, annotations=beside)
    said = words(figure)
    assert [each for each in said if each.startswith("■")] == [f"■ {name}" for name in NAMES]
    squares = [each.get("fill") for each in parts(figure, "tspan")]
    assert squares == [label_color(label) for label in range(3)]
    assert {"1", "2", "128", "labels p", "share"} <= set(said)


def test_what_is_said_above_stands_over_its_place():
    dots = {"x": [0, 10], "y": [0, 1], "mode": "markers"}
    figure = picture(200, [dots], x={"range": [0, 10]}, shapes=[upright(5, 2)],
                     annotations=[said_above(5, "<b>here</b>")])  # fmt: skip
    assert isinstance(figure, go.Figure)
    (here,) = [each for each in parts(figure, "text") if "here" in "".join(each.itertext())]
    (line,) = [each for each in parts(figure, "line") if each.get("stroke-dasharray")]
    places = numbers(parts(figure, "circle"), "cx")[:, 0]
    assert float(here.get("x")) == pytest.approx(places.mean(), abs=0.2)
    assert float(line.get("x1")) == pytest.approx(places.mean(), abs=0.2)


def test_bars_that_follow_each_other_stay_within_the_axes():
    rows = ["a", "b"]
    bars = [
        {"type": "bar", "orientation": "h", "y": rows, "x": lengths, "marker": {"color": "#0072b2"}}
        for lengths in ([3.0, -2.0], [4.0, -5.0], [-1.0, 1.0])
    ]
    places = numbers(parts(picture(200, bars), "rect"), "x", "width")
    (width,) = {float(svg.get("viewBox").split()[2]) for svg in parts(picture(200, bars), "svg")}
    assert places[:, 0].min() >= 0
    assert places.sum(axis=1).max() <= width
    # 3 and 4 to the right of zero are 7 times as wide as the 1 to its left.
    assert places[0, 1] + places[2, 1] == pytest.approx(7 * places[4, 1], abs=0.5)


@pytest.mark.parametrize(
    ("side", "anchor"), [("left", "start"), ("right", "end"), (None, "middle")]
)
def test_words_above_a_figure_end_where_they_are_said_to(side, anchor):
    dots = {"x": [0, 1], "y": [0, 1], "mode": "markers"}
    said = said_above(1, "this case", **({"xanchor": side} if side else {}))
    (words_above,) = (
        each
        for each in parts(picture(200, [dots], annotations=[said]), "text")
        if each.text == "this case"
    )
    assert words_above.get("text-anchor") == anchor


def test_of_many_distances_several_share_a_bar_and_none_is_lost():
    observed = np.zeros(12562, dtype=np.int64)
    observed[[0, 6000, 6001, 12000]] = [1, 2, 3, 4]
    fit = MallowsFit(np.arange(1, 160), 0.1, observed, observed / 2)
    bars, curve = mallows_fit(fit)["data"]
    assert len(bars["y"]) <= 50
    assert sum(bars["y"]) == 10
    assert sum(curve["y"]) == 5
    assert sorted(count for count in bars["y"] if count) == [1, 4, 5]


@pytest.mark.parametrize(("start", "end"), [(-3.0, -1.0), (2.0, 5.0), (-1.0, 2.0)])
def test_the_zero_line_of_votes_is_drawn_also_if_all_scores_are_on_one_side(start, end):
    nobody = np.array([-1])
    votes = RuleVotes(
        np.array([start]), np.array([1]), (), nobody, np.array([[end - start]]), 1, is_tree=False
    )
    figure = running_scores(votes, [0], ["tea"])
    (line,) = (each for each in parts(figure, "line") if each.get("stroke-dasharray") == "2 3")
    (tick,) = (
        each
        for each in parts(figure, "text")
        if each.text == "0" and each.get("text-anchor") == "end"
    )
    assert line.get("y1") == line.get("y2") == f"{float(tick.get('y')) - 4:.1f}"
