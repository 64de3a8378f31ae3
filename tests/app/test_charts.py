"""Pictures drawn from tidy values."""

import base64
import html
import re

import numpy as np
import pandas as pd
import pytest

from labelrank_core import Dataset, Task, load_sample
from labelrank_core.data.samples import list_samples
from labelrank_core.explain.evidence import LabelScores, Neighbors
from pages.ui import evidence, markup
from pages.ui.charts.base import picture
from pages.ui.charts.confidence import (
    abstention_curve,
    confidence_curves,
    possible_positions,
    risk_coverage_curve,
)
from pages.ui.charts.rankings import LadderColumn, label_set_grid, ladder, ranking_strips
from pages.ui.charts.scores import label_scores
from pages.ui.evidence import _ladder
from pages.ui.palette import label_color
from tests import core_says

NAMES = ["apple", "pear", "plum"]


def neighbors(rankings, *, has_zero_line=False):
    rankings = np.asarray(rankings, dtype=float)
    n = len(rankings)
    return Neighbors(np.arange(n), np.arange(n) / 2, np.ones(n), rankings, has_zero_line)


def shapes(figure):
    return [(shape.x0, shape.x1, shape.y0, shape.y1) for shape in figure.layout.shapes]


def heights(figure):
    """The height of every label in every column it stands in."""
    return {
        NAMES[label]: dict(zip(trace.x, trace.y, strict=True))
        for label, trace in enumerate(figure.data)
    }


@pytest.mark.parametrize(
    "wrong", [{"traces": [{"colour": "red"}]}, {"traces": (), "x": {"tickwords": ["a"]}}]
)
def test_a_picture_is_checked_by_plotly(wrong):
    with pytest.raises(ValueError, match="Invalid property"):
        picture(100, **wrong)


def test_labels_have_colours_of_their_own():
    colors = [label_color(label) for label in range(24)]
    assert len(set(colors)) == 24


def test_a_label_has_the_same_colour_in_every_picture():
    found = neighbors([[1, 2, 3], [3, 1, 2]])
    relevant = np.array([[True, False, False], [False, True, False]])
    scores = LabelScores("mean rank", np.array([2.0, 1.5, 2.5]), np.array([2, 1, 3]))
    expected = {name: label_color(label) for label, name in enumerate(NAMES)}

    drawn = ladder([LadderColumn("Predicted", [1, 0, 2])], NAMES)
    assert {t.text[0].split()[-1]: t.marker.color for t in drawn.data} == expected
    strips = ranking_strips(found.rankings, ["#1", "#2"], NAMES)
    shown = {
        (text, color)
        for trace in strips.data
        for text, color in zip(trace.text, trace.marker.color, strict=True)
    }
    assert shown == set(expected.items())
    sets = label_set_grid(relevant, ["#1", "#2"], NAMES, [2, 0, 1])
    (cells,) = sets.data
    names = [sets.layout.xaxis.ticktext[x] for x in cells.x]
    for name, color in zip(names, cells.marker.color, strict=True):
        assert color in (expected[name], "rgba(0, 0, 0, 0)")
    dots = label_scores(scores, NAMES).data[0]
    assert {y.split()[1]: color for y, color in zip(dots.y, dots.marker.color, strict=True)} == (
        expected
    )


def test_a_ladder_joins_the_same_label_at_its_places():
    figure = ladder([LadderColumn("Predicted", [1, 0, 2]), LadderColumn("True", [0, 1, 2])], NAMES)
    assert heights(figure) == {
        "apple": {0: 2, 1: 1},
        "pear": {0: 1, 1: 2},
        "plum": {0: 3, 1: 3},
    }
    assert list(figure.layout.xaxis.ticktext) == ["<b>Predicted</b>", "<b>True</b>"]
    assert not figure.layout.shapes


def test_a_label_that_is_not_ranked_is_missing_in_that_column_alone():
    figure = ladder([LadderColumn("Predicted", [1, 0, 2]), LadderColumn("True", [2, 1])], NAMES)
    assert [list(trace.x) for trace in figure.data] == [[0], [0, 1], [0, 1]]


@pytest.mark.parametrize(("n_relevant", "line"), [(0, 0.85), (1, 1.85), (3, 3.85)])
def test_the_zero_line_stands_between_relevant_and_other_labels(n_relevant, line):
    figure = ladder([LadderColumn("Predicted", [2, 0, 1], n_relevant)], NAMES)
    assert shapes(figure) == [(-0.3, 0.3, line, line)]
    order = ["plum", "apple", "pear"]
    places = [heights(figure)[name][0] for name in order]
    assert all(place < line for place in places[:n_relevant])
    assert all(place > line for place in places[n_relevant:])
    assert places == sorted(places)


def truth_column(task, Y, predicted):
    dataset = Dataset(
        X=[[0.0]] * len(Y), Y=Y, task=task, feature_names=["x"], label_names=NAMES, name="t"
    )
    return _ladder._truth(dataset, 0, np.asarray(predicted))


def test_the_true_column_leaves_out_what_is_not_ranked():
    column = truth_column(Task.LABEL_RANKING, [[2, np.nan, 1]], [1, 2, 3])
    assert column.order == [2, 0]
    assert column.n_relevant is None


def test_tied_true_labels_stand_as_the_prediction_has_them():
    assert truth_column(Task.LABEL_RANKING, [[1, 1, 2]], [3, 1, 2]).order == [1, 0, 2]


def test_true_label_sets_have_a_zero_line_behind_the_relevant_labels():
    column = truth_column(Task.MULTILABEL, [[0, 1, 1]], [1, 3, 2])
    assert column.order == [2, 1, 0]
    assert column.n_relevant == 2


def test_a_calibrated_truth_has_its_zero_line():
    column = truth_column(Task.CALIBRATED_RANKING, [[3, 1, 4, 2]], [1, 2, 3])
    assert column.order == [1, 0, 2]
    assert column.n_relevant == 1


@pytest.mark.parametrize(
    ("name", "multilabel"), [("outings", True), ("drinks_calibrated", True), ("iris", False)]
)
def test_the_predicted_column_is_the_prediction(name, multilabel):
    dataset, row = load_sample(name), core_says.first_row(name)
    explanation = core_says.explanation(dataset, row, multilabel=multilabel, n_neighbors=3)
    predicted, true = evidence.ladder_of(explanation, dataset, row - 1, earlier=None)
    assert predicted.order == np.argsort(explanation.positions).tolist()
    if multilabel:
        relevant = {int(label) for label in np.flatnonzero(explanation.prediction)}
        assert set(predicted.order[: predicted.n_relevant]) == relevant
        assert true.n_relevant == dataset.relevance[row - 1].sum()
    else:
        assert predicted.n_relevant is None


def test_a_ranking_without_zero_line_of_data_with_one_has_none():
    dataset = load_sample("drinks_calibrated")
    explanation = core_says.explanation(dataset, 9, multilabel=False, n_neighbors=3)
    predicted, true = evidence.ladder_of(explanation, dataset, 8, earlier=None)
    assert predicted.n_relevant is None
    assert true.n_relevant == dataset.relevance[8].sum()


def test_strips_hold_one_cell_a_place_nearest_case_first():
    figure = ranking_strips(neighbors([[2, 1, 3], [1, 2, 3]]).rankings, ["#7", "#4"], NAMES)
    assert [list(trace.text) for trace in figure.data] == [
        ["pear", "apple"],
        ["apple", "pear"],
        ["plum", "plum"],
    ]
    assert [trace.base for trace in figure.data] == [0, 1, 2]
    assert list(figure.data[0].y) == ["#7", "#4"]
    assert figure.layout.yaxis.autorange == "reversed"


def test_strips_show_the_zero_line_as_a_cell():
    rankings = neighbors([[1, 4, 3, 2]], has_zero_line=True).rankings
    figure = ranking_strips(rankings, ["#1"], NAMES, has_zero_line=True)
    assert [trace.text[0] for trace in figure.data] == ["apple", "zero", "plum", "pear"]


def test_label_sets_fill_the_cells_of_relevant_labels():
    relevant = np.array([[True, False, False], [True, True, False]])
    figure = label_set_grid(relevant, ["#1", "#2"], NAMES, [1, 0, 2])
    (cells,) = figure.data
    filled = {
        (x, y)
        for x, y, color in zip(cells.x, cells.y, cells.marker.color, strict=True)
        if color != "rgba(0, 0, 0, 0)"
    }
    assert filled == {(1, "#1"), (0, "#2"), (1, "#2")}
    assert [text.split()[0] for text in cells.customdata] == [
        "does", "has", "has", "has", "does", "does",
    ]  # fmt: skip


@pytest.mark.parametrize(("greater", "words"), [(True, "bar 1.75"), (False, "zero line 1.75")])
def test_scores_are_marked_with_the_bar_they_must_beat(greater, words):
    scores = LabelScores("rank", np.array([2.0, 1.5, 2.5]), np.array([2, 1, 3]), greater, 1.75)
    figure = label_scores(scores, NAMES)
    assert [label.split("<")[0].split() for label in figure.data[0].y] == [
        ["1", "pear"],
        ["2", "apple"],
        ["3", "plum"],
    ]
    assert list(figure.data[0].x) == [1.5, 2.0, 2.5]
    assert figure.layout.shapes[0].x0 == figure.layout.shapes[0].x1 == 1.75
    assert figure.layout.annotations[0].text == words
    low, high = figure.layout.xaxis.range
    assert low < 1.5
    assert high > 2.5


def test_scores_that_are_all_equal_can_be_drawn():
    scores = LabelScores("rank", np.array([2.0, 2.0, 2.0]), np.array([1, 2, 3]))
    low, high = label_scores(scores, NAMES).layout.xaxis.range
    assert low < 2 < high


def test_confidence_is_drawn_on_the_range_it_can_have():
    drawn = markup.gauge(0.9, 0.5)
    assert 'class="range" style="left:50.0%"' in drawn
    assert 'class="mark" style="left:90.0%"' in drawn
    assert "confidence 0.90, possible from 0.50 to 1" in drawn


def test_a_way_through_a_tree_ends_in_its_leaf_and_names_are_text():
    drawn = markup.way([("<b>size</b> > 2.5", "3"), ("colour is not red", "<blue>")], "leaf")
    said = [html.unescape(re.sub("<[^>]+>", " ", row)) for row in re.findall("<li.*?</li>", drawn)]
    assert [" ".join(each.split()) for each in said] == [
        "<b>size</b> > 2.5 here 3",
        "colour is not red here <blue>",
        "leaf",
    ]


def test_curves_hold_the_numbers_of_their_table():
    curve = pd.DataFrame(
        {
            "confidence": [0.5, 0.9],
            "accuracy_at": [0.0, 0.75],
            "accuracy_at_least": [0.5, 0.75],
            "share_kept": [1.0, 2 / 3],
            "n_cases": [1, 2],
        }
    )
    figure = confidence_curves(curve, "Spearman's rho", 0.9)
    columns = ("accuracy_at", "accuracy_at_least", "share_kept")
    for trace, column in zip(figure.data, columns, strict=True):
        assert numbers(trace.y) == curve[column].tolist()
        assert numbers(trace.x) == curve["confidence"].tolist()
    assert {shape.x0 for shape in figure.layout.shapes} == {0.9}


def numbers(values):
    if isinstance(values, dict):
        return np.frombuffer(base64.b64decode(values["bdata"]), values["dtype"]).tolist()
    return list(values)


@pytest.mark.parametrize("name", ["<b>x</b>", "a<br>b", "<a href='http://a.b'>x</a>", "$x$"])
def test_no_picture_takes_a_name_for_more_than_text(name):
    names = [name, "pear", "plum"]
    found = neighbors([[1, 2, 3]])
    scores = LabelScores("rank", np.array([1.0, 2.0, 3.0]), np.array([1, 2, 3]))
    column = LadderColumn("Predicted", [0, 1, 2])
    drawn = [
        ladder([column, LadderColumn("True", [0, 1, 2])], names),
        ranking_strips(found.rankings, ["#1"], names),
        label_set_grid(np.array([[True, False, False]]), ["#1"], names, [0, 1, 2]),
        label_scores(scores, names),
    ]
    for figure in drawn:
        assert name not in html.unescape(figure.to_json()) or "$" not in name
        for tag in ("<br", "<a ", "<b>x"):
            assert tag not in figure.to_json().replace("\\u003c", "<")


def test_every_sample_has_labels_that_can_be_told_apart():
    for sample in list_samples():
        colors = {label_color(label) for label in range(len(sample.label_names))}
        assert len(colors) == len(sample.label_names)


def test_the_band_is_drawn_where_it_is_known_around_its_curve():
    curve = pd.DataFrame(
        {
            "confidence": [0.5, 0.7, 0.9],
            "accuracy_at": [0.0, 0.5, 0.75],
            "accuracy_at_least": [0.5, 0.6, 0.75],
            "share_kept": [1.0, 0.8, 0.3],
            "n_cases": [2, 5, 3],
            "low": [0.4, 0.5, np.nan],
            "high": [0.6, 0.7, np.nan],
        }
    )
    figure = confidence_curves(curve, "Spearman's rho")
    *_, curve_b, _, low, high = figure.data
    assert [numbers(trace.y) for trace in (low, high)] == [[0.4, 0.5], [0.6, 0.7]]
    assert numbers(low.x) == numbers(high.x) == [0.5, 0.7]
    assert high.fill == "tonexty"
    assert low.yaxis == high.yaxis == curve_b.yaxis


def test_the_order_curves_and_the_withheld_pairs_hold_the_numbers_of_their_tables():
    order = pd.DataFrame(
        {"share_kept": [0.5, 1.0], "risk": [0.1, 0.3], "best": [0.0, 0.3], "random": [0.3, 0.3]}
    )
    figure = risk_coverage_curve(order, "loss")
    columns = ("random", "risk", "best")
    assert [numbers(trace.y) for trace in figure.data] == [order[c].tolist() for c in columns]

    pairs = pd.DataFrame(
        {"threshold": [0.5, 0.7], "completeness": [1.0, 0.6], "correctness": [0.5, 0.8]}
    )
    line, mark = abstention_curve(pairs, 1).data
    assert numbers(line.x) == [1.0, 0.6]
    assert numbers(line.y) == [0.5, 0.8]
    assert (mark.x[0], mark.y[0]) == (0.6, 0.8)


def test_a_label_is_drawn_from_its_best_to_its_worst_position_with_the_true_one():
    positions = np.array([2, 1, 2]), np.array([3, 1, 3])
    figure = possible_positions(positions, np.array([2.0, 1.0, np.nan]), ["<b>a</b>", "b", "c"])
    bars, truth = figure.data
    assert figure.layout.yaxis.ticktext == ("b", "&lt;b&gt;a&lt;/b&gt;", "c")
    assert numbers(bars.base) == pytest.approx([0.65, 1.65, 1.65])
    ends = np.array(numbers(bars.base)) + numbers(bars.x)
    assert ends.tolist() == pytest.approx([1.35, 3.35, 3.35])
    assert numbers(truth.x) == [1.0, 2.0]
    assert list(truth.y) == [0, 1]
