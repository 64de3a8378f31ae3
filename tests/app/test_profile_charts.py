"""Pictures of a profile: what they hold, and which point stands for which cell or bar."""

import re

import numpy as np
import pytest

from labelrank_core.data.profile import LabelSetProfile, RankingProfile
from pages.data.count_rows import CountRow, count_rows
from pages.ui.render.charts.profile import (
    feature_histogram,
    pair_matrix,
    percent,
    position_matrix,
    together_matrix,
)
from tests.app.test_charts import numbers

NAMES = ["apple", "pear", "plum"]
NAN = float("nan")
VOTES = RankingProfile(np.array([[1.0, 2, 3], [3, 1, 2], [2, 3, 1], [1, NAN, NAN]]), NAMES)
SETS = LabelSetProfile(np.array([[1, 1, 0], [1, 0, 0], [1, 1, 0], [0, 0, 0]]), NAMES)


def points(figure):
    """The clickable layer: places and words, in the order in which a click counts them."""
    layer = figure.data[-1]
    assert layer.marker.opacity == 0
    assert all(trace.hoverinfo == "skip" for trace in figure.data[:-1])
    return list(zip(numbers(layer.x), numbers(layer.y), layer.customdata, strict=True))


def cells(figure):
    return [numbers(line) for line in figure.data[0].z]


def test_positions_are_shares_of_rows_with_a_point_a_cell_line_by_line():
    columns = ["1", "2", "3", "not ranked"]
    figure = position_matrix(VOTES, [0, 2, 1], columns, marked=5)
    assert cells(figure)[0] == pytest.approx([0.5, 0.25, 0.25, NAN], nan_ok=True)
    assert cells(figure)[1] == pytest.approx([0.25, 0.25, 0.25, 0.25])
    found = points(figure)
    assert [(x, y) for x, y, _ in found] == [(x, y) for y in range(3) for x in range(4)]
    assert found[0][2] == "apple at position 1: 2 rows (50.0%)"
    assert found[7][2] == "plum not ranked: 1 row (25.0%)"
    mark = figure.layout.shapes[0]
    assert (mark.x0, mark.x1, mark.y0, mark.y1) == (0.5, 1.5, 0.5, 1.5)
    assert "apple  <b>1.75</b>" in figure.layout.yaxis.ticktext


def test_preferences_are_shares_and_cycles_are_marked():
    cycle = RankingProfile(VOTES.positions[:3], NAMES)
    figure = pair_matrix(cycle, [0, 1, 2], marked=None)
    assert cells(figure)[0] == pytest.approx([NAN, 2 / 3, 1 / 3], nan_ok=True)
    diamonds = figure.data[1]
    marked = {
        (round(y), int(x)) for x, y in zip(numbers(diamonds.x), numbers(diamonds.y), strict=True)
    }
    assert marked == {(0, 1), (1, 2), (2, 0)}
    assert points(figure)[1][2] == "apple before pear: 2 rows (66.7%)"
    assert points(figure)[0][2] == ""


def test_without_a_cycle_nothing_is_marked():
    straight = RankingProfile(np.array([[1.0, 2, 3]]), NAMES)
    assert len(pair_matrix(straight, [0, 1, 2], marked=None).data) == 2


def test_labels_together_as_share_and_as_correlation():
    figure = together_matrix(SETS, [0, 1, 2], None, correlation=False)
    assert cells(figure)[0] == pytest.approx([NAN, 2 / 3, NAN], nan_ok=True)
    assert cells(figure)[1] == pytest.approx([1, NAN, NAN], nan_ok=True)
    # Nobody has pear and plum: no colour, but the number.
    assert [note.text for note in figure.layout.annotations] == [
        "67%", "0%", "100%", "0%"
    ]  # fmt: skip
    assert "2 rows have apple and pear: 66.7% of those with apple" in points(figure)[1][2]
    phi = together_matrix(SETS, [0, 1, 2], None, correlation=True)
    assert cells(phi)[0][1] == pytest.approx(SETS.correlation[0, 1])


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0, "0%"),
        (0.001, "<1%"),
        (0.006, "1%"),
        (0.5, "50%"),
        (0.994, "99%"),
        (0.999, ">99%"),
        (1, "100%"),
    ],
)
def test_a_share_that_is_rounded_is_neither_none_nor_all(share, text):
    assert percent(share) == text


def test_the_surprising_pair_is_framed():
    figure = pair_matrix(VOTES, [2, 0, 1], None, (0, 1))
    (frame,) = figure.layout.shapes
    assert (round(frame.x0), round(frame.y0)) == (2, 1)


def test_counts_are_buttons_with_the_bar_of_those_shown_upon_that_of_all():
    rows = [CountRow("a<b>", 3, 6), CountRow("c", 0, 3, "×2")]
    markup = count_rows(rows, 0)
    assert "a&lt;b&gt;" in markup
    assert re.findall(r'class="(all|part)" style="width:([\d.]+)%"', markup) == [
        ("all", "100.0"), ("part", "50.0"), ("all", "50.0"),
    ]  # fmt: skip
    assert re.findall(r'data-row="(\d)" aria-pressed="(\w+)"', markup) == [
        ("0", "true"), ("1", "false"),
    ]  # fmt: skip
    assert markup.count("disabled") == 2


def test_a_histogram_has_a_point_in_the_middle_of_each_interval():
    edges = np.array([0.0, 0.5, 1.0])
    figure = feature_histogram(edges, np.array([1, 2]), np.array([4, 2]), "x", 0, "rows")
    assert [(x, said) for x, _, said in points(figure)] == [
        (0.25, "0 to below 0.5: 1 row"),
        (0.75, "0.5 to below 1: 2 rows"),
    ]
    assert (figure.layout.shapes[0].x0, figure.layout.shapes[0].x1) == (0, 0.5)


def test_many_columns_are_called_by_numbers_not_all_of_them():
    many = LabelSetProfile(np.eye(20, dtype=int), [f"name {j}" for j in range(20)])
    figure = together_matrix(many, range(20), None, correlation=False)
    assert list(figure.layout.xaxis.ticktext) == ["1", "5", "10", "15", "20"]
    assert len(figure.layout.yaxis.ticktext) == 20
    assert len(points(figure)) == 400


@pytest.mark.parametrize("name", ["<b>x</b>", "a<br>b", "<a href='http://a.b'>x</a>", "$x$"])
def test_no_picture_takes_a_name_for_more_than_text(name):
    names = [name, "pear", "plum"]
    votes, sets = RankingProfile(VOTES.positions, names), LabelSetProfile(SETS.relevance, names)
    one = np.array([1])
    figures = [
        position_matrix(votes, [0, 1, 2], ["1"], None),
        pair_matrix(votes, [0, 1, 2], None),
        together_matrix(sets, [0, 1, 2], None, correlation=True),
        feature_histogram(np.array([0.0, 1.0]), one, one, name, None, name),
    ]
    for figure in figures:
        written = figure.to_json().replace("\\u003c", "<")
        for live in ("<br", "<a ", "<b>x", "$x$"):
            assert live not in written
