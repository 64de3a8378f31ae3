"""Pictures drawn from tidy values."""

import base64
import html
import json
import re
import tomllib

import numpy as np
import pandas as pd
import pytest
from streamlit.runtime.context import ContextProxy, StreamlitTheme

from labelrank_core import Dataset, Task, load_sample
from labelrank_core.data.samples import list_samples
from labelrank_core.explain.render import markup, predicted_ranking, true_ranking
from labelrank_core.explain.render.markup import RankedLabels
from labelrank_core.explain.render.markup.palette import (
    ACCENT,
    N_COLORS,
    color_properties,
    contrast,
    ink,
    label_color,
    mark_color,
    palette_color,
    plain_colors,
)
from pages.ui.render.charts.base import picture
from pages.ui.render.charts.confidence import (
    abstention_curve,
    confidence_curves,
    possible_positions,
)
from tests import core_says
from tests.app.visits import ROOT, session

NAMES = ["apple", "pear", "plum"]


@pytest.mark.parametrize(
    "wrong", [{"traces": [{"colour": "red"}]}, {"traces": (), "x": {"tickwords": ["a"]}}]
)
def test_a_picture_is_checked_by_plotly(wrong):
    with pytest.raises(ValueError, match="Invalid property"):
        picture(100, **wrong)


def test_labels_have_colours_of_their_own():
    colors = [label_color(label) for label in range(24)]
    assert len(set(colors)) == 24


def truth_column(task, Y, predicted):
    dataset = Dataset(
        X=[[0.0]] * len(Y), Y=Y, task=task, feature_names=["x"], label_names=NAMES, name="t"
    )
    return true_ranking(dataset, 0, "Real", RankedLabels.from_positions(predicted))


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
    predicted = predicted_ranking(explanation)
    true = true_ranking(dataset, row - 1, "Real", predicted)
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
    predicted = predicted_ranking(explanation)
    true = true_ranking(dataset, 8, "Real", predicted)
    assert predicted.n_relevant is None
    assert true.n_relevant == dataset.relevance[8].sum()


def test_confidence_is_drawn_on_the_range_it_can_have():
    drawn = markup.gauge(0.9, 0.5)
    assert 'class="range" style="left:50.0%"' in drawn
    assert 'class="mark" style="left:90.0%"' in drawn
    assert "confidence 0.90, from 0.50 (least) to 1 (most)" in drawn


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
    figure = confidence_curves(curve, "Spearman's rho")
    # Every part has its name, so that no legend is needed.
    assert [note.text for note in figure.layout.annotations] == [
        "(a) at this confidence", "(b) at least this confidence", "cases kept",
    ]  # fmt: skip
    assert not figure.layout.showlegend
    columns = ("accuracy_at", "accuracy_at_least", "share_kept")
    for trace, column in zip(figure.data, columns, strict=True):
        assert numbers(trace.y) == curve[column].tolist()
        assert numbers(trace.x) == curve["confidence"].tolist()


def numbers(values):
    if isinstance(values, dict):
        return np.frombuffer(base64.b64decode(values["bdata"]), values["dtype"]).tolist()
    return list(values)


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


def test_the_withheld_pairs_hold_the_numbers_of_their_table():
    pairs = pd.DataFrame(
        {"threshold": [0.5, 0.7], "share_predicted": [1.0, 0.6], "share_right": [0.5, 0.8]}
    )
    line, mark = abstention_curve(pairs, pairs.iloc[1]).data
    assert numbers(line.x) == [1.0, 0.6]
    assert numbers(line.y) == [0.5, 0.8]
    assert (mark.x[0], mark.y[0]) == (0.6, 0.8)


def test_a_label_is_drawn_from_its_best_to_its_worst_position_with_the_true_one():
    positions = np.array([2, 1, 2]), np.array([3, 1, 3])
    known = np.array([[2.0, 2.0], [1.0, 1.0], [np.nan, np.nan]])
    figure = possible_positions(positions, known, ["<b>a</b>", "b", "c"])
    bars, truth = figure.data
    assert figure.layout.yaxis.ticktext == ("b", "&lt;b&gt;a&lt;/b&gt;", "c")
    assert numbers(bars.base) == pytest.approx([0.65, 1.65, 1.65])
    ends = np.array(numbers(bars.base)) + numbers(bars.x)
    assert ends.tolist() == pytest.approx([1.35, 3.35, 3.35])
    assert numbers(truth.x) == [1.0, 2.0]
    assert list(truth.y) == [0, 1]


@pytest.mark.usefixtures("everything_open")
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_chart_has_the_colours_of_the_data_in_the_theme_of_the_page(theme, monkeypatch):
    chosen = StreamlitTheme({"type": theme})
    monkeypatch.setattr(ContextProxy, "theme", property(lambda _: chosen))
    app = session(data="election", view="What if")
    specs = [chart.proto.spec for chart in app.get("plotly_chart")]
    assert not any("var(" in spec for spec in specs)
    colors = load_sample("election").label_colors
    expected = {mark_color(pair, is_dark=theme == "dark") for pair in colors}
    lines = [trace["line"]["color"] for trace in json.loads(specs[0])["data"]]
    assert set(lines) == expected
    sheet = " ".join(element.value for element in app.get("html"))
    assert "--l0:light-dark(#2B2B2B,#B9C0CE)" in sheet


@pytest.mark.usefixtures("everything_open")
def test_charts_of_data_without_colours_have_those_of_the_palette():
    app = session(data="iris", view="What if")
    (trace, *_) = json.loads(app.get("plotly_chart")[0].proto.spec)["data"]
    assert trace["line"]["color"] in {palette_color(label) for label in range(3)}


def test_own_colours_of_labels_are_read_and_stand_out_in_both_themes():
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    for sample in list_samples():
        for is_dark, theme in enumerate(("light", "dark")):
            grounds = [
                config["theme"][theme][name]
                for name in ("backgroundColor", "secondaryBackgroundColor")
            ]
            for pair in sample.label_colors:
                mark = mark_color(pair, is_dark=bool(is_dark))
                assert min(contrast(mark, ground) for ground in grounds) >= 3
                assert contrast(ink(pair[is_dark]), pair[is_dark]) >= 4.5
    # Yellow is darker as a line on white, and as it is where it stands out.
    assert mark_color(("#f2c200", "#f5cf45"), is_dark=False) < "#f2c200"
    assert mark_color(("#f2c200", "#f5cf45"), is_dark=True) == "#f5cf45"


def test_more_labels_than_the_palette_has_colours_have_those_of_the_palette():
    colors = [("#101010", "#e0e0e0")] * (N_COLORS + 1)
    assert color_properties(colors) == ""
    assert plain_colors(label_color(3), colors, is_dark=True) == palette_color(3)
    assert plain_colors(label_color(3), colors[:4], is_dark=True) == "#e0e0e0"


def test_where_a_truth_leaves_labels_out_the_others_have_ranges_of_true_positions():
    positions = np.array([2, 1, 2]), np.array([3, 1, 3])
    known = np.array([[2.0, 3.0], [1.0, 2.0], [np.nan, np.nan]])
    _, edge, line, truth = possible_positions(positions, known, ["a", "b", "c"]).data
    for trace in (edge, line):
        assert numbers(trace.x)[:2] == [1.0, 2.0]
        assert numbers(trace.x)[3:5] == [2.0, 3.0]
        assert list(trace.y) == [0, 0, 0, 1, 1, 1]
    assert not len(truth.x)


def test_no_picture_uses_the_colour_of_a_label_for_anything_else():
    labels = {palette_color(i) for i in range(N_COLORS)}
    assert ACCENT.lower() not in labels
    for path in (ROOT / "pages" / "ui" / "render" / "charts").glob("*.py"):
        said = path.read_text(encoding="utf-8").lower()
        assert not labels & set(re.findall("#[0-9a-f]{6}", said)), path
