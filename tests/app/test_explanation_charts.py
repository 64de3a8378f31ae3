"""Figures of what-if, gaps, trees and subspaces say what their values say."""

import re
from dataclasses import replace

import numpy as np
import pytest

from labelrank_core import KNeighborsLabelRanker
from labelrank_core.data import Column, Schema
from labelrank_core.data.schema import numeric_schema
from labelrank_core.explain.evidence import (
    CountEvidence,
    Explanation,
    GapDial,
    MallowsFit,
    Question,
    RuleVotes,
    Step,
    SubspaceView,
    Text,
)
from labelrank_core.explain.render import Scene, count_evidence, picture, rule_votes
from labelrank_core.explain.render._gap import gap_dial
from labelrank_core.explain.render.markup.palette import ACCENT, LINE, color_class, label_color
from labelrank_core.explain.render.markup.plot_names import names_at_ends, places_of_names
from labelrank_core.explain.standing import ConfidenceStanding
from labelrank_core.explain.what_if import Feature, Sweep, sweep, top_map
from labelrank_core.explain.what_if.sweeps import Piece
from pages.ui.render.charts.confidence import confidence_among
from pages.ui.render.charts.what_if import drawn_labels, first_label_map, rank_trajectory
from tests.app.plotted import Plotted

NAMES = ("tea", "<b>juice</b>", "water")
INITIALS = ("T", "J", "W")


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


def test_lines_of_tied_labels_run_side_by_side_in_the_places_they_share():
    _, _, (size, _) = swept()
    strict = Piece(0, 1, 0.5, np.array([2, 1, 3]), np.array([2, 1, 3]))
    tied = Piece(1, 2, 1.5, np.array([2, 3, 1]), np.array([2, 2, 1]), has_ties=True)
    figure = rank_trajectory(Sweep(size, strict, (strict, tied), 0), NAMES)
    by_color = {trace.line.color: trace for trace in figure.data if trace.line.width > 1}
    lines = [by_color[label_color(label)] for label in range(3)]
    tea, juice, water = (line.y[::3] for line in lines)
    assert (tea[0], juice[0], water[0]) == (2, 1, 3)
    assert water[1] == 1
    assert (tea[1] + juice[1]) / 2 == pytest.approx(2.5)
    # So near that lines of six pixels touch, and far enough that both are seen.
    assert 0.1 < juice[1] - tea[1] < 0.3
    assert lines[0].customdata[0] == "tea: place 2"
    assert lines[0].customdata[3] == "tea and &lt;b&gt;juice&lt;/b&gt; share places 2 to 3"
    names = {note.y: note.text for note in figure.layout.annotations if note.xref == "paper"}
    assert names.keys() == {1, 2.5}
    assert re.findall("tea|juice|water| =", names[2.5]) == ["tea", " =", "juice"]


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
    figure = first_label_map(shown, NAMES, INITIALS)
    heat, _, ring = figure.data
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
    heat, borders, _ = (figure := first_label_map(shown, NAMES, INITIALS)).data
    colors = [color for _, color in heat.colorscale[::2]]
    assert colors == [label_color(0), label_color(1), "#9a9a9a"]
    assert np.array(heat.z).tolist() == [[0, 2], [2, 1]]
    assert heat.customdata[0][1].endswith("share the first place")
    assert " = " in figure.layout.annotations[2].text
    # Another tie would be as grey: a line parts cells that differ, here all four from the middle.
    middle = [np.mean(values) for values in (shown.x_values, shown.y_values)]
    ends = np.array(
        [pair[:2] for pair in np.reshape([*zip(borders.x, borders.y, strict=True)], (-1, 3, 2))]
    )
    assert len(ends) == 4
    assert all((np.isclose(pair, middle).all(axis=0)).any() for pair in ends.astype(float))


def test_many_labels_that_tie_are_written_as_initials_on_a_map():
    model, x, features = swept()
    shown = replace(
        top_map(model, x, *features, n_values=2),
        tops=np.array([[0, 3], [3, 1]]),
        firsts=((0,), (1,), (2,), (0, 1, 2)),
    )
    figure = first_label_map(shown, ("long " * 3,) * 3, INITIALS)
    assert figure.layout.annotations[2].text == "<b>T=J=W</b>"


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


def scene_of(names=NAMES, positions=(1, 2, 3)):
    explanation = Explanation(np.array([1, 0, 0]), np.array(positions), Text("Words."), ())
    return Scene(explanation, names, numeric_schema(["x"]), None)


def points_of(line):
    return np.array([place.split(",") for place in line.get("points").split()], dtype=float)


def test_a_subspace_shows_directions_and_the_case():
    view = SubspaceView(
        np.array([3.0, 4.0]), np.array([[1.0, 0.0], [0.0, -2.0], [0.1, 0.1]]),
        np.array([3.0, -8.0, 0.7]), 2, 1.0,
    )  # fmt: skip
    shown = picture(view, scene_of()).markup
    drawn = Plotted(f"<div>{shown}</div>")
    # The plane reaches 1.5 times as far as the case, whose distance is 5, to every side.
    (case,) = drawn.spots("case")
    assert case.place == pytest.approx((100 * (7.5 + 3) / 15, 100 * (7.5 - 4) / 15), abs=0.1)
    ends = 2.5 * view.directions
    for label, spot in enumerate(drawn.spots("near")):
        assert f"m{label}" in spot.looks
        across, up = ends[label]
        place = (100 * (7.5 + across) / 15, 100 * (7.5 - up) / 15)
        assert spot.place == pytest.approx(place, abs=0.1)
        assert spot.said.startswith(NAMES[label])
    lines = {each.get("color"): points_of(each) for each in drawn.behind("polyline")}
    for label in range(3):
        assert lines[label_color(label)][0] == pytest.approx([50, 50])
    assert drawn.texts("at") == ["tea", NAMES[1]]
    # The name that has no room stands below, in the colour of its line.
    assert re.findall('class="lr-chip (\\w+) small".*?>([^<]+)<', shown) == [
        (color_class(2), NAMES[2])
    ]


def test_directions_that_hide_each_other_are_named_together_where_both_are_seen():
    directions = np.array([[1.0, 0.0], [0.0, -2.0], [1.0, 0.0]])
    view = SubspaceView(np.array([3.0, 4.0]), directions, np.ones(3), 2, 1.0)
    long = ("a long name", "milk", "another long name")
    for names, named, below in (
        (NAMES, "tea, water", []),
        (long, "another long… +1", ["a long name"]),
    ):
        shown = picture(view, scene_of(names)).markup
        drawn = Plotted(f"<div>{shown}</div>")
        assert named in drawn.texts("at")
        assert re.findall("lr-chip[^>]*>([^<]+)<", shown) == below


@pytest.mark.parametrize("own", [0, 2])
def test_likelihoods_are_drawn_with_the_counts_behind_them_and_the_own_count_marked(own):
    table = np.array([[3, 2, 1]] * 3)
    evidence = CountEvidence(
        np.full(3, own), np.array([0.5, 0.25, 0.75]), table, table[:, ::-1],
        (table + 1) / 9, (table[:, ::-1] + 1) / 9, np.array([0.5, 0.1, 0.9]),
    )  # fmt: skip
    drawn = Plotted(f"<div>{count_evidence(evidence, scene_of(), 2).markup}</div>")
    with_it, without = (drawn.spots(look) for look in ("m2", "crossed"))
    assert [spot.said for spot in with_it] == [
        f"with water: {value:.3f} ({n} training cases)"
        for value, n in zip(evidence.likelihood_with[2], (3, 2, 1), strict=True)
    ]
    assert [spot.said.split("(")[1][0] for spot in without] == ["1", "2", "3"]
    # Likelihoods 4, 3 and 2 ninths: equal steps down; those without are the same backwards.
    heights = [spot.place[1] for spot in with_it]
    assert np.diff(heights)[0] == pytest.approx(np.diff(heights)[1], abs=0.11)
    assert [spot.place[1] for spot in without] == heights[::-1]
    assert ["near" in spot.looks for spot in with_it] == [count == own for count in range(3)]
    assert drawn.words("by-line" if own == 0 else "last") == f"counted here: {own}"
    (band,) = drawn.behind("rect")
    left, width = (float(band.get(end).rstrip("%")) for end in ("x", "width"))
    assert left + width / 2 == pytest.approx(with_it[own].place[0], abs=0.1)
    assert drawn.words("title-x") == "water among the 2 nearest →"


def bars_of(drawn):
    return [
        (float(style["height"].rstrip("%")), bar.said)
        for bar, style in (
            (bar, dict(part.split(":", 1) for part in element.get("style").split(";")))
            for element, bar in zip(
                [each for each in drawn.root.iter("i") if each.get("class") == "bar"],
                drawn.spots("bar"),
                strict=True,
            )
        )
    ]


def test_bars_stand_on_zero_and_are_as_high_as_their_counts():
    fit = MallowsFit(np.array([1, 2, 3]), 1.0, np.array([4, 2, 0, 0]), np.array([3.0, 2, 0, 0]))
    drawn = Plotted(f"<div>{picture(fit, scene_of()).markup}</div>")
    (first, said), (second, _) = bars_of(drawn)
    assert first == pytest.approx(2 * second, abs=0.1)
    assert said == "4 rankings reverse 0 pairs"
    expected = [100 - spot.place[1] for spot in drawn.spots("other")]
    assert expected[0] == pytest.approx(first * 3 / 4, abs=0.1)
    assert expected[1] == pytest.approx(second, abs=0.1)
    assert drawn.words("title-x") == "pairs in reverse order of the centre →"
    assert drawn.texts("tick-x") == ["0", "1"]


def test_of_many_distances_several_share_a_bar_and_none_is_lost():
    observed = np.zeros(12562, dtype=np.int64)
    observed[[0, 6000, 6001, 12000]] = [1, 2, 3, 4]
    fit = MallowsFit(np.arange(1, 160), 0.1, observed, observed / 2)
    names = [f"label {j}" for j in range(159)]
    drawn = Plotted(f"<div>{picture(fit, scene_of(names, range(1, 160))).markup}</div>")
    counts = [int(said.split()[0]) for _, said in bars_of(drawn)]
    assert len(counts) <= 50
    assert sorted(count for count in counts if count) == [1, 4, 5]
    assert sum(float(spot.said.split()[0]) for spot in drawn.spots("other")) == 5


@pytest.mark.parametrize(("start", "end"), [(-3.0, -1.0), (2.0, 5.0), (-1.0, 2.0)])
def test_the_zero_line_of_votes_is_drawn_also_if_all_scores_are_on_one_side(start, end):
    nobody = np.array([-1])
    votes = RuleVotes(
        np.array([start]), np.array([1]), (Question(0, 0.5, True),), nobody,
        np.array([[end - start]]), 1, is_tree=True,
    )  # fmt: skip
    explanation = Explanation(np.array([1]), np.array([1]), Text("Words."), ())
    scene = Scene(explanation, ["tea"], numeric_schema(["x"]), None)
    drawn = Plotted(f"<div>{rule_votes(votes, scene, 'running').markup}</div>")
    lines = {each.get("color"): points_of(each) for each in drawn.behind("polyline")}
    zero, scores = lines[LINE][0, 1], lines[label_color(0)][:, 1]
    assert 0 <= zero <= 100
    assert (zero - scores[0]) / (zero - scores[-1]) == pytest.approx(start / end, abs=0.01)
    assert [each.said for each in drawn.spots("column")] == [
        f"after {n} round{'s' * (n != 1)}: tea {score:.2f}" for n, score in enumerate((start, end))
    ]


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


def test_the_bars_of_less_sure_cases_have_the_accent():
    values = np.array([0.2, 0.4, 0.6, 0.6, 0.8, 1.0])
    standing = ConfidenceStanding(0.6, values)
    (bars,) = confidence_among(standing, "flowers", "flower").data
    colors, counts = np.array(bars.marker.color), np.array(bars.y)
    assert counts.sum() == 6
    assert counts[colors == ACCENT].sum() == 2
    # As sure up to rounding is as sure.
    (rounded,) = confidence_among(ConfidenceStanding(0.6, values - 1e-15), "flowers", "flower").data
    counts = np.array(rounded.y)
    assert counts[np.array(rounded.marker.color) == ACCENT].sum() == 2
    same = confidence_among(ConfidenceStanding(1.0, np.ones(5)), "flowers", "flower")
    assert np.array(same.data[0].y).sum() == 5
