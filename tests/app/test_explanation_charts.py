"""Figures of what-if, gaps, trees and subspaces say what their values say."""

import re
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from labelrank_core import KNeighborsLabelRanker
from labelrank_core.data import Column, Schema
from labelrank_core.data.schema import numeric_schema
from labelrank_core.explain.evidence import Explanation, GapDial, Step, SubspaceView, Text
from labelrank_core.explain.figures.linear import subspace_view, unnamed_labels
from labelrank_core.explain.figures.names import names_at_ends, places_of_names
from labelrank_core.explain.markup.palette import ACCENT, color_class, label_color
from labelrank_core.explain.pictures import Scene, picture
from labelrank_core.explain.pictures._gap import gap_dial
from labelrank_core.explain.standing import ConfidenceStanding
from labelrank_core.explain.what_if import Feature, sweep, top_map
from pages.ui.charts.confidence import confidence_among
from pages.ui.charts.what_if import drawn_labels, first_label_map, rank_trajectory
from tests.app.plotted import Plotted

NAMES = ("tea", "<b>juice</b>", "water")


def swept(n_labels=3):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    Y = (X[:, :1] * np.arange(n_labels) + rng.normal(size=(40, n_labels))).argsort(axis=1)
    model = KNeighborsLabelRanker(3).fit(X, Y.argsort(axis=1) + 1)
    schema = Schema((Column("size"), Column("$w$")))
    features = [Feature(schema, j, float(X[:, j].min()), float(X[:, j].max())) for j in (0, 1)]
    return model, X[0], features


def test_a_trajectory_has_a_thick_line_a_label_along_its_pieces():
    model, x, (size, _) = swept()
    result = sweep(model, x, size)
    figure = rank_trajectory(result, NAMES)
    thick = [trace for trace in figure.data if trace.line.width > 1]
    assert len(thick) == 3
    by_color = {trace.line.color: trace for trace in thick}
    for label in range(3):
        trace = by_color[label_color(label)]
        ends = [each for each in trace.x if each is not None]
        assert ends == [end for piece in result.pieces for end in (piece.start, piece.end)]
        places = np.array(trace.y).reshape(-1, 3)
        assert (places == places[:, :1]).all()
        assert places[:, 0].tolist() == [int(piece.positions[label]) for piece in result.pieces]
    names = " ".join(each.text for each in figure.layout.annotations)
    assert "&lt;b&gt;juice" in names
    assert f"this case: {x[0]:.4g}" in names


def test_of_many_labels_those_near_the_top_are_drawn():
    model, x, (size, _) = swept(n_labels=20)
    result = sweep(model, x, size)
    drawn = drawn_labels(result)
    assert len(drawn) == 12
    best = np.min([piece.positions for piece in result.pieces], axis=0)
    assert max(best[drawn]) <= min(np.delete(best, drawn))


def test_a_map_has_the_colour_of_the_first_label_everywhere():
    model, x, features = swept()
    shown = top_map(model, x, *features, n_values=6)
    figure = first_label_map(shown, NAMES)
    heat, ring = figure.data
    labels = np.unique(shown.tops)
    colors = [color for _, color in heat.colorscale[::2]]
    assert colors == [label_color(int(label)) for label in labels]
    assert (labels[np.array(heat.z)] == shown.tops).all()
    assert (ring.x[0], ring.y[0]) == tuple(x)
    assert figure.layout.yaxis.title.text.startswith("$\u2060w$")


def test_labels_that_share_the_first_place_are_grey_on_a_map():
    model, x, features = swept()
    shown = replace(
        top_map(model, x, *features, n_values=2),
        tops=np.array([[0, 3], [3, 1]]),
        firsts=((0,), (1,), (2,), (0, 2)),
    )
    heat, _ = (figure := first_label_map(shown, NAMES)).data
    colors = [color for _, color in heat.colorscale[::2]]
    assert colors == [label_color(0), label_color(1), "#9a9a9a"]
    assert np.array(heat.z).tolist() == [[0, 2], [2, 1]]
    assert heat.customdata[0][1].endswith("share the first place")
    assert " = " in figure.layout.annotations[2].text


@pytest.mark.parametrize("binary", [True, False])
def test_the_gap_dial_marks_where_labels_cross(binary):
    gaps = np.arange(1, 129)
    bars = 0.5 + 0.3 / gaps
    shares = np.array([0.9, 0.6, 0.1])
    leads = shares - bars[:, None]
    dial = GapDial(gaps, leads, bars if binary else None, shares if binary else None, 2)
    drawn = Plotted(gap_dial(dial, NAMES))
    assert "".join(drawn.root.find("div/span").itertext()) == "zero line"
    (crossing,) = dial.crossings
    assert crossing.label == 1
    assert crossing.enters
    assert bars[crossing.gap - 1] < 0.6 <= bars[crossing.gap - 2]
    (spot,) = drawn.spots("near")
    assert spot.said == f"p = {crossing.gap}: {NAMES[1]} enters"
    assert "m1" in spot.looks
    # p is on a logarithmic axis from 1 to 128; the label enters on the way to its p.
    before, entered = 100 * np.log2([crossing.gap - 1, crossing.gap]) / 7
    assert before - 0.1 <= spot.place[0] < entered
    lines = {each.get("stroke-width"): each for each in drawn.behind("polyline")}
    assert lines["4"].get("color") == label_color(1)
    ends = [tuple(map(float, place.split(","))) for place in lines["6"].get("points").split()]
    assert len(ends) == 128
    bar = np.array(ends)[:, 1]
    assert (np.diff(bar) >= 0).all()
    assert (bar[-1] > bar[0]) == binary
    # The dot stands where the line of its label meets the zero line.
    own = [tuple(map(float, place.split(","))) for place in lines["4"].get("points").split()]
    for line in (own, ends):
        height = np.interp(spot.place[0], *np.array(line).T)
        assert spot.place[1] == pytest.approx(height, abs=0.1)
    assert drawn.words("by-line") == "p = 2"
    assert drawn.texts("name") == [f"■ {NAMES[label]}" for label in (2, 1, 0)]
    assert drawn.words("title-x") == "virtual labels p →"


def test_labels_on_one_line_are_named_below_each_other_where_there_is_room():
    gaps, bars = np.arange(1, 9), np.full(8, 0.5)

    def named(shares):
        leads = np.array(shares) - bars[:, None]
        drawn = Plotted(gap_dial(GapDial(gaps, leads, bars, np.array(shares), 1), NAMES))
        # What is drawn last is seen.
        colors = [each.get("color") for each in drawn.behind("polyline")]
        return drawn.texts("name"), colors[-2]

    beside = [f"■ {name}" for name in (NAMES[0], NAMES[2], NAMES[1])]
    assert named([0.0, 1.0, 0.0]) == (beside, label_color(0))
    assert named([0.02, 0.06, 0.02])[0] == [f"■ {NAMES[0]} +1", f"■ {NAMES[1]}"]


def test_names_without_room_are_counted_behind_the_first_of_them():
    heights = {0: 0.0, 1: 0.01, 2: 0.5, 3: 0.51, 4: 0.52, 5: 1.0}
    named = names_at_ends(heights, "abcdef", 0.1)
    assert [words for _, words, _ in named] == ["a +1", "c +2", "f"]
    gaps = np.diff([height for height, _, _ in named])
    assert (gaps >= 0.065).all()


def test_of_many_crossings_the_first_are_said_and_the_others_counted():
    gaps, names = np.arange(1, 9), [f"a label with a long name, number {i}" for i in range(40)]
    leads = np.tile(np.where(gaps < 4, 1.0, -1.0)[:, None], 40)
    dial = GapDial(gaps, leads, None, None, 2)
    order = np.arange(1, 41)
    explanation = Explanation((order <= 2) * 1, order, Text("Words."), (Step("", Text(""), dial),))
    found = picture(dial, Scene(explanation, names, numeric_schema(["x"]), None))
    assert "At p = 4, 0, 1, 2, 3 and 4 leave; 35 more in the table. " in found.caption
    assert len(found.table) == len(gaps)


def test_of_many_labels_that_cross_those_nearest_to_the_own_p_alone_are_marked():
    gaps = np.arange(1, 129)
    crossed = np.arange(40) * 3 + 2.5
    dial = GapDial(gaps, gaps[:, None] - crossed, None, None, 32)
    order = np.arange(1, 41)
    explanation = Explanation((order <= 2) * 1, order, Text("Words."), (Step("", Text(""), dial),))
    scene = Scene(explanation, [f"label {i}" for i in range(40)], numeric_schema(["x"]), None)
    drawn = Plotted(f"<div>{picture(dial, scene).markup}</div>")
    nearest = np.argsort(np.abs(np.log2(np.floor(crossed) + 1) - 5))[:8]
    marked = {spot.said.split(": ")[1].removesuffix(" enters") for spot in drawn.spots("near")}
    assert marked == {f"label {i}" for i in nearest}
    thick = [line for line in drawn.behind("polyline") if line.get("stroke-width") == "4"]
    assert {line.get("color") for line in thick} == {label_color(int(i)) for i in nearest}
    assert picture(dial, scene).caption.endswith(
        "Lines with a dot: the 8 of these 40 labels that cross the zero line nearest to p = 32"
    )


def test_a_subspace_shows_directions_and_the_case():
    view = SubspaceView(
        np.array([3.0, 4.0]), np.array([[1.0, 0.0], [0.0, -2.0], [0.1, 0.1]]),
        np.array([3.0, -8.0, 0.7]), 2, 1.0,
    )  # fmt: skip
    figure = go.Figure(subspace_view(view, NAMES))
    *lines, case = figure.data
    assert (case.x[0], case.y[0]) == (3.0, 4.0)
    ends = np.array([(line.x[1], line.y[1]) for line in lines])
    assert np.allclose(ends, 2.5 * view.directions)
    assert [line.text[1] for line in lines] == ["tea", "&lt;b&gt;juice&lt;/b&gt;", ""]
    # The name that has no room stands below, in the colour of its line.
    assert unnamed_labels(view, NAMES) == [2]
    assert unnamed_labels(view, NAMES, [0, 1]) == []
    explanation = Explanation(np.array([1, 0, 0]), np.array([1, 2, 3]), Text("Words."), ())
    legend = picture(view, Scene(explanation, NAMES, numeric_schema(["x"]), None)).legend
    assert re.findall('class="lr-chip (\\w+) small".*?>([^<]+)<', legend) == [
        (color_class(2), NAMES[2])
    ]


def test_directions_that_hide_each_other_are_named_together_where_both_are_seen():
    directions = np.array([[1.0, 0.0], [0.0, -2.0], [1.0, 0.0]])
    view = SubspaceView(np.array([3.0, 4.0]), directions, np.ones(3), 2, 1.0)
    long = ("a long name", "milk", "another long name")
    for names, named in ((NAMES, "tea, water"), (long, "another long… +1")):
        *lines, _ = go.Figure(subspace_view(view, names)).data
        assert [line.text[1] for line in lines][::2] == ["", named]
    assert unnamed_labels(view, NAMES) == []
    assert unnamed_labels(view, long) == [0]


def test_names_in_a_plane_do_not_lie_on_each_other():
    # Six directions, two of them the same, with long names, at a scale of 20 pixels a unit.
    ends = np.array([[3.0, 0.0], [3.0, 0.1], [2.9, 0.2], [0.0, 3.0], [0.1, 3.0], [3.0, 0.0]])
    names, case = ["a name of some length"] * 6, np.array([[3.5, 0.0]])
    places = places_of_names(ends, names, case, (20.0, 20.0))
    boxes = [_box(20 * x, 20 * y, 21, way) for (x, y), way in zip(ends, places, strict=True) if way]
    assert len(boxes) >= 3
    lines = np.linspace(0, 1, 200)[:, None, None] * 20 * ends
    for i, box in enumerate(boxes):
        low, high = np.array(box[:2]), np.array(box[2:])
        assert not ((lines > low) & (lines < high)).all(axis=2).any()
        # The case's mark is 18 pixels wide.
        assert not overlap(box, (61, -9, 79, 9))
        assert not any(overlap(box, other) for other in boxes[:i])
    alone = places_of_names(ends[[0, 3]], ["east", "north"], case[:0], (20.0, 20.0))
    assert alone == ["middle right", "top center"]
    assert places_of_names(ends[:1], [""], case, (20.0, 20.0)) == [None]


def overlap(a, b):
    return min(a[2], b[2]) > max(a[0], b[0]) and min(a[3], b[3]) > max(a[1], b[1])


def _box(x, y, letters, way):
    """Where Plotly writes a name: letters of 6 pixels, 12 high, next to a mark of 9."""
    up, across = way.split()
    left = x + {"left": -6 - 6 * letters, "center": -3 * letters, "right": 6}[across]
    bottom = y + {"top": 6, "middle": -6, "bottom": -18}[up]
    return left, bottom, left + 6 * letters, bottom + 12


def test_the_bars_at_least_as_sure_have_the_accent():
    values = np.array([0.2, 0.4, 0.6, 0.6, 0.8, 1.0])
    standing = ConfidenceStanding(0.6, values)
    (bars,) = confidence_among(standing, "flowers", "flower").data
    colors, counts = np.array(bars.marker.color), np.array(bars.y)
    assert counts.sum() == 6
    assert counts[colors == ACCENT].sum() == 4
    # As sure up to rounding is as sure.
    (rounded,) = confidence_among(ConfidenceStanding(0.6, values - 1e-15), "flowers", "flower").data
    counts = np.array(rounded.y)
    assert counts[np.array(rounded.marker.color) == ACCENT].sum() == 4
    same = confidence_among(ConfidenceStanding(1.0, np.ones(5)), "flowers", "flower")
    assert np.array(same.data[0].y).sum() == 5
