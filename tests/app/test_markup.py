"""Drawings made of HTML: strips, label sets, dots in rows, matrices, ladders."""

import html
import re
from base64 import b64decode
from dataclasses import replace
from itertools import combinations, pairwise
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelrank_core import (
    KNeighborsMultilabelRanker,
    PairPreferences,
    PairwiseLabelRanker,
    load_sample,
)
from labelrank_core.data.schema import decimal_text
from labelrank_core.explain import explain_prediction
from labelrank_core.explain import render as drawings
from labelrank_core.explain.evidence import (
    ChoiceChances,
    LabelScores,
    PairMatrix,
    Step,
    Text,
    WinShares,
)
from labelrank_core.explain.render import LabelSelection, Scene, markup, picture
from labelrank_core.explain.render._answer import _lengths
from labelrank_core.explain.render._labels import pair_shares
from labelrank_core.explain.render._models import _choices
from labelrank_core.explain.render._trees import _changes
from labelrank_core.explain.render.markup import (
    LabelBar,
    MethodGroup,
    RankedLabels,
    Waterfall,
    ranked_rows,
)
from labelrank_core.explain.render.markup.dots import Bar
from labelrank_core.explain.render.markup.grids import Tinted
from labelrank_core.explain.render.markup.palette import (
    N_COLORS,
    color_class,
    ink,
    label_color,
    mark_class,
    palette_color,
)
from labelrank_core.explain.render.markup.spread import spread

NAMES = ["apple", "pear", "plum"]
NASTY = ["<b>x</b>", "a<br>b", "<a href='http://a.b'>x</a>", "$x$", '"><script>alert(1)</script>']


_SVG = "{http://www.w3.org/2000/svg}"


def tree(drawn):
    """The elements of a drawing, which must be well-formed."""
    return ElementTree.fromstring(re.sub(r"(<img[^>]*)>", r"\1/>", drawn))


def said(element):
    return " ".join("".join(element.itertext()).split())


def strip_rows(drawn):
    """The name and the cells of every row of strips."""
    rows = [row for row in tree(drawn) if row.get("class") != "head"]
    return {said(row.find("span")): [said(cell) for cell in row.find("ol")] for row in rows}


def table_rows(drawn):
    """The column names of a table, and its rows by their names."""
    whole = tree(drawn)
    heads = [said(cell) for cell in whole.findall("./thead/tr/th")]
    rows = {
        said(row.find("th")): [said(cell) for cell in row.findall("td")]
        for row in whole.findall("./tbody/tr")
    }
    return heads, rows


def test_strips_hold_one_cell_a_place_nearest_case_first():
    drawn = markup.strips(ranked_rows(np.array([[2, 1, 3], [1, 2, 3]]), ["#7", "#4"]), NAMES)
    rows = strip_rows(drawn)
    assert list(rows) == ["#7", "#4"]
    assert rows["#7"] == ["pear", "apple", "plum"]
    assert rows["#4"] == ["apple", "pear", "plum"]
    assert [said(place) for place in tree(drawn)[0]][1:] == ["1", "2", "3"]


def test_known_pairs_are_chips_with_before_between_them():
    preferences = PairPreferences.from_words(["apple>pear|plum>pear", "plum>apple=pear", ""], NAMES)
    rows = [preferences.chains(row) for row in range(3)]
    drawn = markup.known_pairs_rows(rows, ["#7", "#4", "#9"], NAMES)
    said_rows = {said(row[0]): [said(chain) for chain in row[1]] for row in tree(drawn)}
    assert said_rows == {
        "#7": ["apple before pear", "plum before pear"],
        "#4": ["plum before apple=pear"],
        "#9": ["no pair known"],
    }
    few = markup.known_pairs(rows[0], NAMES, max_chains=1)
    assert [said(part) for part in tree(few)] == ["apple before pear", "+1"]


def test_strips_leave_labels_that_are_not_ranked_empty():
    rankings = np.array([[2.0, np.nan, 1.0], [np.nan, 1.0, np.nan], [1.0, 2.0, 3.0]])
    drawn = markup.strips(ranked_rows(rankings, ["a", "b", "c"]), NAMES)
    assert strip_rows(drawn) == {
        "a": ["plum", "apple", ""],
        "b": ["pear", "", ""],
        "c": ["apple", "pear", "plum"],
    }
    empty = [cell for cell in tree(drawn).iter("li") if cell.get("class") == "none"]
    assert [cell.get("title") for cell in empty] == ["no further label is ranked"] * 3


def test_strips_show_the_zero_line_as_a_cell():
    drawn = markup.strips(
        ranked_rows(np.array([[1.0, 4.0, 3.0, 2.0]]), ["#1"]), NAMES, n_zero_lines=1
    )
    assert strip_rows(drawn)["#1"] == ["apple", "zero", "plum", "pear"]


def test_strips_show_the_first_places_where_asked():
    drawn = markup.strips(ranked_rows(np.array([[3, 1, 2]]), ["tree 1"]), NAMES, n_places=2)
    assert strip_rows(drawn)["tree 1"] == ["pear", "plum", "+1"]
    assert "--n:2" in drawn


def test_a_ranking_that_is_cut_differs_from_one_that_ends():
    nan = np.nan
    rankings = np.array([[1, 2, 3, 4, 5], [1, 2, nan, nan, nan], [1, 2, 3, nan, nan]])
    drawn = markup.strips(
        ranked_rows(rankings, ["whole", "two", "three"]), [*NAMES, "fig", "date"], n_places=2
    )
    assert strip_rows(drawn) == {
        "whole": ["apple", "pear", "+3"],
        "two": ["apple", "pear", ""],
        "three": ["apple", "pear", "+1"],
    }


def test_the_zero_line_is_not_cut_off_a_ranking():
    # The zero line is the last column.
    rankings = np.array(
        [[1, 2, 3, 4.5, 4.5], [3, 4, 5, 1, 2], [1, 2, 4.5, 4.5, 3], [1, 2, 3, 5, 4]]
    )
    names = [*NAMES, "fig"]
    drawn = markup.strips(ranked_rows(rankings, list("abcd")), names, n_zero_lines=1, n_places=2)
    assert [said(row.find("ol")[-1]) for row in tree(drawn)[1:]] == [
        "+1zero+1", "+3", "zero+2", "+1zero+1",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("n_relevant", "behind"), [(None, "+3"), (1, "+3"), (2, "|+3"), (4, "+2|+1"), (5, "+3|")]
)
def test_a_strip_that_is_cut_says_what_it_leaves_out(n_relevant, behind):
    names = [*NAMES, "fig", "date"]
    row = tree(
        markup.strip(RankedLabels.from_order(range(5), n_relevant=n_relevant), names, n_labels=2)
    )
    parts = [said(part) if part.get("class") != "zero" else "|" for part in row]
    assert "".join(parts[-behind.count("+") - behind.count("|") :]) == behind
    assert parts.count("|") == (n_relevant is not None)


@pytest.mark.parametrize(
    ("n_labels", "kind"), [(4, ""), (6, "many"), (10, "short"), (16, "wrapped")]
)
def test_cut_names_are_whole_where_one_hovers(n_labels, kind):
    names = [f"Class number {j}" for j in range(n_labels)]
    drawn = markup.strips(ranked_rows(np.arange(1, n_labels + 1)[None], ["#1"]), names)
    assert tree(drawn).get("class") == f"lr-strips {kind}"
    cells = tree(drawn)[-1].find("ol")
    assert [cell.get("title", said(cell)) for cell in cells] == names
    assert len({said(cell) for cell in cells}) == n_labels


def test_a_label_has_the_same_colour_in_every_drawing():
    expected = {name: color_class(label) for label, name in enumerate(NAMES)}
    chips = [tree(markup.chip(label, NAMES)).get("class").split() for label in range(3)]
    assert chips == [["lr-chip", color] for color in expected.values()]
    strips = tree(markup.strips(ranked_rows(np.array([[2, 1, 3]]), ["#1"]), NAMES))
    shown = {said(cell): cell.get("class") for cell in strips[-1].find("ol")}
    assert shown == expected
    sets = tree(markup.label_sets(np.ones((1, 3), dtype=bool), ["#1"], NAMES, [2, 0, 1]))
    heads = [said(cell) for cell in sets.findall("./thead/tr/th")]
    cells = sets.findall("./tbody/tr/td")
    assert {n: c.get("class") for n, c in zip(heads, cells, strict=True)} == expected
    dots = tree(markup.dot_rows([(1, 0, 2.0), (2, 1, 1.5), (3, 2, 2.5)], NAMES))
    rows = [row for row in dots if row.get("class") != "head"]
    found = {}
    for row in rows:
        (dot,) = [each for each in row.iter("span") if each.get("class", "").startswith("m")]
        found[said(row[1])] = dot.get("class")
    assert found == {name: mark_class(label) for label, name in enumerate(NAMES)}
    for label in range(N_COLORS):
        color = palette_color(label)
        number = color_class(label)[1:]
        written = f"background: var(--l{number}, {color}); color: var(--i{number}, {ink(color)})"
        assert f", .lr .{color_class(label)} {{{written}}}" in markup.STYLE
        assert label_color(label) == f"var(--m{number}, {color})"
        # A mark has the colour of the chips, and an edge that stands out from the ground.
        mark = f"background: var(--l{number}, {color}); border: 1px solid {label_color(label)}"
        assert f".lr .{mark_class(label)} {{{mark}; box-sizing: border-box}}" in markup.STYLE
    assert color_class(N_COLORS) == color_class(0)


def test_the_style_sheet_has_nothing_for_which_a_page_would_drop_it_whole():
    # Streamlit cleans HTML, and takes a style with an angle bracket for a hidden element.
    assert markup.STYLE.count("<") == 2


def test_label_sets_mark_the_cells_of_relevant_labels_without_colour_too():
    relevant = np.array([[True, False, False], [True, True, False]])
    heads, rows = table_rows(markup.label_sets(relevant, ["#1", "#2"], NAMES, [1, 0, 2]))
    assert heads == ["pear", "apple", "plum"]
    assert rows == {"#1": ["", "✓", ""], "#2": ["✓", "✓", ""]}


def test_few_short_names_of_columns_lie_flat():
    relevant = np.ones((1, 8), dtype=bool)
    few = markup.label_sets(relevant, ["#1"], [*"abcdefgh"], range(4))
    many = markup.label_sets(relevant, ["#1"], [*"abcdefgh"], range(8))
    long = markup.label_sets(relevant, ["#1"], ["a" * 13, *"bcdefgh"], range(2))
    beside = markup.label_sets(relevant, ["#1"], ["lemonade", *"bcdefgh"], range(4))
    assert [tree(each).get("class") for each in (few, many, long, beside)] == [
        "lr-sets few", "lr-sets upright", "lr-sets few upright",
        # They lie flat where there is room.
        "lr-sets few upright short",
    ]  # fmt: skip


def dot_places(drawn):
    """How far right each row's number stands, and how far what it must beat, in percent."""
    places, bars = {}, set()
    for row in tree(drawn):
        if row.get("class") in ("head", "foot"):
            continue
        *line, dot = row[3]
        places[said(row[1])] = float(re.search(r"left:([\d.]+)%", dot.get("style"))[1])
        bars |= {float(re.search(r"left:([\d.]+)%", each.get("style"))[1]) for each in line}
    return places, bars


@pytest.mark.parametrize("name", ["threshold", "zero line"])
def test_numbers_are_marked_with_the_bar_they_must_beat(name):
    values = [(1, 1, 1.5), (2, 0, 2.0), (17, 2, 2.5)]
    drawn = markup.dot_rows(values, NAMES, Bar(1.75, name))
    assert dot_places(drawn) == ({"pear": 0, "apple": 50, "plum": 100}, {25})
    assert said(tree(drawn)).startswith(f"{name}: 1.75")
    rows = [row for row in tree(drawn) if row.get("class") != "head"]
    assert [[said(cell) for cell in row][:3] for row in rows] == [
        ["1", "pear", "1.50"],
        ["2", "apple", "2.00"],
        ["17", "plum", "2.50"],
    ]


@pytest.mark.parametrize(
    ("values", "more_is_better", "ends"),
    [
        # Mean ranks of four labels: the first place is a whole bar, the last none.
        ([1.5, 2.5, 2.5, 3.5], False, [5 / 6, 1 / 2, 1 / 2, 1 / 6]),
        # Probabilities: twice as probable is twice as long.
        ([0.6, 0.3, 0.1], True, [1.0, 1 / 2, 1 / 6]),
        # Scores on both sides of 0.
        ([1.0, -1.0, 0.0], True, [1.0, 0.0, 1 / 2]),
    ],
)
def test_bars_begin_where_nothing_is_and_not_at_the_worst_label(values, more_is_better, ends):
    order = np.argsort(np.argsort(values)) + 1
    scores = LabelScores("number", np.array(values), order, more_is_better)
    assert _lengths(scores)[0] == pytest.approx(ends)


def test_bars_reach_the_end_only_where_nothing_more_can_occur():
    order = np.array([1, 2])
    scores = LabelScores("posterior", np.array([0.6, 0.0]), order, True, 0.5, highest=1.0)
    ends, line = _lengths(scores)
    assert ends == pytest.approx([0.6, 0.0])
    assert line == 0.5


def test_a_label_with_0_has_no_bar_and_the_ends_of_the_scale_are_said():
    ranking, bars = RankedLabels.from_order([0, 1]), {0: LabelBar(1.0), 1: LabelBar(0.0)}
    drawn = tree(markup.ladder(ranking, NAMES, bars, ends=("0", "2.50")))
    widths = re.findall(r"width:([\d.]+)%", markup.ladder(ranking, NAMES, bars))
    assert widths == ["100.0", "0.0"]
    assert [said(end) for end in drawn[0][-1].iter("span")][1:] == ["0", "2.50"]
    assert len(tree(markup.ladder(ranking, NAMES, bars))[0]) == 2


def test_dots_lie_on_the_whole_scale_where_its_ends_are_given():
    values = [(1, 1, 1.5), (2, 0, 2.0)]
    drawn = markup.dot_rows(values, NAMES, ends=(1, 3))
    assert dot_places(drawn)[0] == {"pear": 25, "apple": 50}
    # The ends are said below.
    assert [said(each) for each in tree(drawn)[-1].iter("span")][1:] == ["1", "3"]
    assert "foot" not in markup.dot_rows(values, NAMES)


def test_numbers_that_are_all_equal_can_be_drawn():
    assert "<b>0.00</b>" in markup.dot_rows([(1, 0, 2.0), (2, 1, -0.001)], NAMES)
    places, bars = dot_places(markup.dot_rows([(1, 0, 2.0), (2, 1, 2.0)], NAMES))
    assert places == {"apple": 0, "pear": 0}
    assert not bars


def test_of_many_labels_long_names_are_cut_and_said_whole_on_hovering():
    names = [f"regional administrative responsibility number {i} and more" for i in range(9)]
    few, many = (tree(markup.ladder(RankedLabels.from_order(range(n)), names)) for n in (6, 9))
    assert [said(row[1]) for row in few.iter("li")] == names[:6]
    assert [said(row[1]) for row in many.iter("li")] == [f"{i} and more" for i in range(9)]
    assert [row.get("title") for row in many.iter("li")] == names
    assert {row.get("title") for row in few.iter("li")} == {None}


def test_a_bar_of_a_label_set_starts_at_what_a_label_must_beat():
    """Ranks 1, 2 and 4 against a zero line at 3: from 0 for the last place to 1 for the first."""
    scores = LabelScores("rank", np.array([1.0, 2.0, 4.0]), np.array([1, 2, 3]), False, 3.0)
    ends, line = _lengths(scores)
    assert ends == pytest.approx([1.0, 2 / 3, 0.0])
    assert line == pytest.approx(1 / 3)
    ranking = RankedLabels.from_order([0, 2], n_relevant=1)
    shares = {0: 1.0, 2: 0.1}
    label_bars = {j: LabelBar(share, line=0.4, start=0.4) for j, share in shares.items()}
    drawn = tree(
        markup.ladder(ranking, NAMES, label_bars, line_text="Above the threshold: predicted.")
    )
    bars = [each for each in drawn.iter("span") if each.get("class") == "lr-bar"]
    looks = [
        re.findall(r"(?:left|width):([\d.]+)%", part.get("style")) for bar in bars for part in bar
    ]
    assert looks == [["40.0", "60.0"], ["40.0"], ["10.0", "30.0"], ["40.0"]]
    assert "Above the threshold: predicted." in said(drawn)


def test_a_bar_of_a_share_starts_at_zero_and_says_the_votes():
    scores = LabelScores(
        "share", np.array([0.9, 0.4]), np.array([1, 2]), True, 0.39, "zero line", highest=1.0,
        n_votes=10,
    )  # fmt: skip
    model = KNeighborsMultilabelRanker(10).fit(np.zeros((10, 1)), [[1, 0]] * 4 + [[1, 1]] * 6)
    explanation = replace(model.explain([0.0]), steps=(Step("", Text(""), scores),))
    drawn = tree(drawings.answer(Scene(explanation, NAMES, None, None)))
    bars = [bar for bar in drawn.iter("span") if bar.get("class") == "lr-bar"]
    assert [re.findall(r"([\d.]+)%", bar[0].get("style")) for bar in bars] == [
        ["0.0", "90.0"], ["0.0", "40.0"],
    ]  # fmt: skip
    assert "9 of 10" in said(drawn)
    assert "Above this line: predicted." in said(drawn)


def test_pairs_stand_in_the_predicted_order():
    shares = np.array([[0.5, 0.2, 0.1], [0.8, 0.5, 0.6], [0.9, 0.4, 0.5]])
    evidence = WinShares(shares, np.array([3, 1, 2]))
    drawn = pair_shares(evidence.shares, [1, 2, 0], NAMES)
    heads, rows = table_rows(drawn)
    assert heads == ["pear", "plum", "apple"]
    assert rows == {
        "1 pear": ["", "0.60", "0.80"],
        "2 plum": ["0.40", "", "0.90"],
        "3 apple": ["0.20", "0.10", ""],
    }
    # A share of one half has no colour, 0 and 1 have the deepest.
    cells = [cell.get("style") for cell in tree(drawn).iter("td") if cell.get("style")]
    assert [style.partition(";")[0] for style in cells] == [
        "--t:20%", "--t:60%", "--t:20%", "--t:80%", "--t:60%", "--t:80%"]  # fmt: skip
    # It tells whether the label of the row is preferred: pear to both others, plum to apple.
    kinds = [cell.get("class") for cell in tree(drawn).iter("td") if cell.get("style")]
    assert kinds == ["up", "up", "down", "up", "down", "down"]
    # The labels' own colours stand at the names of the rows.
    assert [key.get("class") for key in tree(drawn).iter("i")] == ["m1", "m2", "m0"]
    assert (shares[0, 0], shares[1, 1]) == (0.5, 0.5)


def test_pairs_against_the_ranking_are_framed_on_both_sides_of_the_diagonal():
    preferences = np.array([[0.5, 0.6, 0.3], [0.4, 0.5, 0.7], [0.7, 0.3, 0.5]])
    matrix = PairMatrix(preferences, np.array([1, 2, 3]), preferences)
    assert matrix.against == [(0, 2)]
    drawn = pair_shares(preferences, [0, 1, 2], NAMES, matrix.against)
    framed = [
        (i, j)
        for i, row in enumerate(tree(drawn).findall("./tbody/tr"))
        for j, cell in enumerate(row.findall("td"))
        if "wrong" in (cell.get("class") or "")
    ]
    assert framed == [(0, 2), (2, 0)]


def test_the_sum_of_each_row_is_the_score_that_orders_its_label():
    data = load_sample("iris")
    model = PairwiseLabelRanker().fit(data.X, data.rankings)
    explanation = explain_prediction(model, data.X[0], label_names=data.label_names)
    scene = Scene(explanation, data.label_names, data.schema, None)
    drawn = picture(explanation.evidence(PairMatrix), scene)
    assert "The sum orders the labels." in drawn.caption
    heads, rows = table_rows(drawn.markup[drawn.markup.index("<table") :])
    assert heads[-1] == "Sum"
    scores = explanation.evidence(LabelScores)
    written = [decimal_text(scores.values[label]) for label in explanation.order]
    assert [cells[-1] for cells in rows.values()] == written
    for (name, cells), label in zip(rows.items(), explanation.order, strict=True):
        assert name.endswith(data.label_names[label])
        assert sum(float(cell) for cell in cells[:-1] if cell) == pytest.approx(
            scores.values[label], abs=0.01
        )


def test_pairs_of_many_labels_have_their_numbers_where_one_hovers():
    m = 11
    names = [f"label {j}" for j in range(m)]
    drawn = pair_shares(np.full((m, m), 0.25), range(m), names)
    _, rows = table_rows(drawn)
    assert set(rows["1 label 0"]) == {""}
    titles = {cell.get("title") for cell in tree(drawn).iter("td")} - {None}
    assert titles == {"0.25"}


def test_two_rankings_are_joined_with_their_zero_lines():
    rankings = [
        RankedLabels.from_order([2, 0, 1], "Before", 1),
        RankedLabels.from_order([2, 0], "Predicted", 2),
    ]
    drawn = tree(markup.side_by_side(*rankings, NAMES))
    sides = [each for each in drawn.iter("div") if each.get("class") == "side"]
    assert [[said(cell) for cell in side] for side in sides] == [
        ["plum", "zero line", "apple", "pear"],
        ["plum", "apple", "zero line", ""],
    ]


def test_one_ranking_is_a_ladder_with_its_zero_line():
    ranking = RankedLabels.from_order([2, 0, 1], n_relevant=2)
    drawn = markup.ladder(ranking, NAMES, line_text="Above the zero line: predicted.")
    rungs = tree(drawn).find("ol")
    assert [said(rung) for rung in rungs] == [
        "1plum", "2apple", "Above the zero line: predicted.", "3pear",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("values", "ends"),
    [
        ((0.0, 0.0), ["0", "1"]),
        ((0.001, 0.004), ["0.001", "0.004"]),
        ((0.0, 0.004), ["0", "0.004"]),
        ((0.25, 3.0), ["0.25", "3"]),
    ],
)
def test_the_ends_of_a_scale_of_dots_differ(values, ends):
    rows = [(place, place, value) for place, value in enumerate(values)]
    foot = tree(markup.dot_rows(rows, NAMES, ends=values))[-1]
    assert [said(end) for end in foot.iter("span") if end.get("class") != "track"] == ends


@pytest.mark.parametrize("name", NASTY)
def test_no_drawing_takes_a_name_for_more_than_text(name):
    names = [name, "pear", "plum"]
    tints = Tinted(np.ones((1, 2)), [[name, "1"]], [name], [name, "pear"], frozenset({(0, 0)}))
    for drawn in (
        markup.ladder(RankedLabels.from_order([0, 1, 2]), names),
        markup.side_by_side(
            RankedLabels.from_order([0, 1]), RankedLabels.from_order([1, 0]), names
        ),
        markup.strips(ranked_rows(np.array([[1, 2, 3]]), [name]), names),
        markup.strips(ranked_rows(np.array([[1, 2, 3]]), [name]), names, is_dense=True),
        markup.label_sets(np.array([[True, False, False]]), [name], names, [0, 1, 2]),
        markup.dot_rows([(1, 0, 1.0), (2, 1, 2.0)], names, Bar(1.5, name)),
        markup.matrix(tints),
        markup.deciding_table(names, [("1", name, [("2", name), ("3", ""), ("4", "")])]),
        markup.plain_table("given", [name], [[name]]),
    ):
        whole = tree(drawn)
        tags = {element.tag for element in whole.iter()}
        assert tags.isdisjoint({"a", "br", "script"})
        bold = [said(each) for each in whole.iter("b")]
        assert all(re.fullmatch(r"[\d.]+", each) for each in bold)
        titles = {element.get("title") for element in whole.iter()}
        assert any(name[:4] in text for text in (*whole.itertext(), *filter(None, titles)))


def scene(n_labels, relevant, order=None):
    found = SimpleNamespace(
        order=order or list(range(n_labels)),
        relevance=None if relevant is None else np.isin(range(n_labels), relevant),
    )
    data = load_sample("iris")
    return Scene(found, data.label_names, data.schema, data.X[0])


def test_of_many_labels_the_first_ones_and_all_relevant_ones_are_drawn():
    assert scene(40, [0, 2, 30, 39]).shown == [*range(15), 30, 39]
    assert scene(40, None).shown == [*range(15)]
    assert scene(3, [2]).shown == [0, 1, 2]


def test_labels_that_are_searched_for_are_drawn_in_their_places_and_all_where_asked():
    order = [*range(39, -1, -1)]
    assert LabelSelection(frozenset([3, 20])).of(order, [1]) == [*range(39, 24, -1), 20, 3, 1]
    assert LabelSelection(everything=True).of(order) == order
    found = replace(scene(40, None), label_selection=LabelSelection(frozenset([22])))
    assert (found.shown, found.n_places) == ([*range(15), 22], 10)
    assert replace(found, label_selection=LabelSelection(everything=True)).n_places == 40


def test_a_rung_is_numbered_by_its_place_in_the_whole_ranking():
    ranking = RankedLabels.from_order([0, 1, 2], n_relevant=1)
    drawn = tree(markup.ladder(ranking, NAMES, labels=[0, 2], line_text="Above the line"))
    assert [said(rung) for rung in drawn.find("ol")] == ["1apple", "Above the line", "3plum"]


def test_what_questions_change_is_drawn_in_the_predicted_order():
    changes = np.array([[-0.5, 0.3, 0.2], [0.0, 0.001, -0.1]])
    drawn = _changes(changes, ["<i>x</i> = 1", "y = 2"], scene(3, None, order=[2, 0, 1]))
    heads, rows = table_rows(drawn)
    assert heads == ["virginica", "setosa", "versicolor"]
    assert rows == {"<i>x</i> = 1": ["+0.20", "-0.50", "+0.30"], "y = 2": ["-0.10", "0", "0"]}
    # A label that moves up is blue, one that moves down orange, the largest change the deepest.
    first = [(c.get("class"), c.get("style")) for c in tree(drawn).findall("./tbody/tr")[0][1:]]
    assert first == [("down", "--t:40%"), ("up", "--t:100%"), ("down", "--t:60%")]


def wholes(drawn):
    """The parts of every whole."""
    return [each.findall("i") for each in tree(drawn).iter("span") if each.get("class") == "whole"]


def test_choices_leave_out_the_labels_taken_before():
    chances = ChoiceChances(np.array([1.0, 6.0, 3.0]), np.array([3, 1, 2]))
    rows = wholes(_choices(chances, scene(3, None, order=[1, 2, 0])))
    parts = [[(part.get("title"), part.get("style")) for part in row] for row in rows]
    # 6, 3 and 1 of 10; then 3 and 1 of 4.
    assert parts == [
        [
            ("versicolor 60.0%", "width:60.00%"),
            ("virginica 30.0%", "width:30.00%"),
            ("setosa 10.0%", "width:10.00%"),
        ],
        [("virginica 75.0%", "width:75.00%"), ("setosa 25.0%", "width:25.00%")],
    ]
    # The shortest part has room for nothing.
    assert [said(part) for part in rows[0]] == ["versicolor60%", "virginica30%", ""]


def test_choices_of_many_labels_leave_the_rest_together():
    chances = np.array([[0.4, 0.3, 0.2, 0.1], [np.nan, 0.5, 0.3, 0.2], [np.nan, np.nan, 0.6, 0.4]])
    rows = wholes(markup.choice_bars(chances, [2, 0, 3, 1], ["a", "b", "c", "d"], 2))
    titles = [[part.get("title") for part in row] for row in rows]
    assert titles == [["c 40.0%", "a 30.0%", "others 30.0%"], ["a 50.0%", "others 50.0%"]]
    assert [part.get("class") for part in rows[0]] == ["l2", "l0", "rest"]


def test_arrows_of_a_cycle_lead_from_each_label_to_the_next():
    shares = np.array([[0.5, 0.79, 0.37], [0.21, 0.5, 0.79], [0.63, 0.21, 0.5]])
    drawn = markup.cycle_of([0, 1, 2], ["a", "b", "c"], shares, [(2, 0)])
    words = [said(place) for place in tree(drawn).iter("span") if place.get("class") == "placed"]
    assert words == ["0.79", "0.79", "0.63", "a", "b", "c"]
    images = [b64decode(image).decode() for image in re.findall(r"base64,([^)]*)\)", drawn)]
    places = {
        said(place): (3.6 * float(left), 1.9 * float(top))
        for place in tree(drawn).iter("span")
        if place.get("class") == "placed"
        for left, top in [re.findall(r"([\d.]+)%", place.get("style"))]
    }
    ends = []
    for image in images:
        svg = tree(image)
        for line, head in zip(svg.iter(f"{_SVG}line"), svg.iter(f"{_SVG}polygon"), strict=True):
            tip = head.get("points").split()[0].split(",")
            ends.append([(float(line.get("x1")), float(line.get("y1"))), tuple(map(float, tip))])

    def nearest(point):
        return min("abc", key=lambda name: np.hypot(*np.subtract(places[name], point)))

    assert [tuple(map(nearest, end)) for end in ends] == [("a", "b"), ("b", "c"), ("c", "a")]
    # That which the order contradicts stands alone, dashed.
    assert ["stroke-dasharray" in image for image in images] == [False, True]


def test_scores_of_a_method_are_drawn_as_they_are():
    scores = LabelScores(
        "mean rank", np.array([2.0, 1.5, 2.5]), np.array([2, 1, 3]), False, 1.75, "zero line"
    )
    found = picture(scores, scene(3, [1]))
    assert dot_places(found.markup) == ({"versicolor": 0, "setosa": 50, "virginica": 100}, {25})
    assert "zero line: 1.75" in html.unescape(found.markup)
    assert found.alt.startswith("mean rank of each label: versicolor 1.50")


def test_a_page_of_its_own_has_the_rules_of_its_drawings_alone():
    everything = " ".join(re.findall(r"lr-[\w-]+", markup.STYLE))
    assert markup.style_for(everything) == markup.STYLE
    few = markup.style_for('<ol class="lr-dots"></ol>')
    assert len(few) < len(markup.STYLE) / 2
    rules = [rule for rule in markup.STYLE.split("}") if ".lr-dots" in rule.split("{")[0]]
    assert rules
    assert all(rule.rpartition(";")[2] in few for rule in rules)
    # Those in a condition lose it only with all of its rules.
    assert ".lr-held" not in few
    # A list of selectors is kept for one of them.
    assert "figure.lr tbody th,figure.lr td.corner" in few.replace(", ", ",")
    assert few.count("{") == few.count("}")


def waterfall_rows(chart):
    """The name, the number and the left end and width of the bar of each row."""
    axis, *rows, scale = tree(markup.waterfall(chart)).iter("li")
    if chart.is_share and chart.scale == (0, 1):
        assert [each.text for each in scale.iter("small")] == ["0", "50", "100"]
    assert said(axis) == f"even: {'50%support in %' if chart.is_share else 0}"
    found = []
    for row in rows:
        look = next(row.iter("b")).get("style")
        name, _, number = row.findall("span")
        # A dot has no width.
        left, width = [*map(float, re.findall(r"(?:left|width):([\d.]+)%", look)), 0.0][:2]
        found.append((f"{said(name)} {said(number)}", left, width))
    return found


def test_a_waterfall_leads_from_the_average_to_the_case():
    steps = [("<b>size</b>", "4", 0.4), ("hue", "", -0.1), ("rest", "", -0.004)]
    chart = Waterfall((0, 1), ("average", 0.2), steps, "case", 0.0, is_share=False)
    assert chart.levels == pytest.approx([0.2, 0.6, 0.5, 0.496])
    rows = waterfall_rows(chart)
    texts = [text for text, _, _ in rows]
    assert [text.split()[-1] for text in texts] == ["+0.20", "+0.40", "-0.10", "0", "+0.50"]
    assert "<b>size</b>" in texts[1]
    # Of the scale from 0 to 0.6 each bar takes what it adds, and begins where the one before ends.
    ends = [(left, left + width) for _, left, width in rows]
    expected = [(33.3, 33.3), (33.3, 100), (83.3, 100), (82.7, 83.3), (82.7, 82.7)]
    assert ends == [pytest.approx(each, abs=0.11) for each in expected]
    drawn = markup.waterfall(chart)
    assert re.findall(r'<b class="(m\d)"', drawn) == ["m0", "m0", "m1", "m1", "m0"]


def test_a_waterfall_of_shares_is_in_per_cent():
    chart = Waterfall((3, 2), ("average", 0.3), [("size", "", 0.45)], "case", 0.5, is_share=True)
    (_, left, width), (_, *up), last = waterfall_rows(chart)
    assert [text.split()[-1] for text, _, _ in waterfall_rows(chart)] == ["30", "+45", "75"]
    # On the whole scale from 0 to 100 %: a dot at 30 %, up to 75 %, a dot there.
    assert (left, width) == pytest.approx((30, 0), abs=0.11)
    assert up == pytest.approx([30, 45], abs=0.11)
    assert last[1:] == pytest.approx((75, 0), abs=0.11)
    # Where all lies from 40 to 75 %, on the scale from 40 to 80 %.
    near = replace(chart, average=("average", 0.4), steps=[("size", "", 0.35)])
    (_, left, width), (_, *up), last = waterfall_rows(near)
    assert (left, width) == pytest.approx((0, 0), abs=0.11)
    assert up == pytest.approx([0, 87.5], abs=0.11)
    assert last[1:] == pytest.approx((87.5, 0), abs=0.11)
    *_, scale = tree(markup.waterfall(near)).iter("li")
    assert [each.text for each in scale.iter("small")] == ["40", "60", "80"]
    assert re.findall(r'<b class="(m\d)"', markup.waterfall(chart)) == ["m2", "m3", "m3"]


def test_the_scale_of_a_waterfall_has_round_numbers_at_their_places():
    chart = Waterfall((0, 1), ("average", -0.3), [("size", "", 1.5)], "case", 0.0, is_share=False)
    *_, scale = tree(markup.waterfall(chart)).iter("li")
    assert [(each.text, each.get("style")) for each in scale.iter("small")] == [
        ("0", "left:20.0%"), ("+0.50", "left:53.3%"), ("+1.00", "left:86.7%")]  # fmt: skip
    # Steps of shares that leave the scale in every order do so least: then 100 % is no end.
    beyond = Waterfall((0, 1), ("average", 0.5), [("a", "", 0.75), ("b", "", -0.85)], "case", 0.5,
                       is_share=True)  # fmt: skip
    *_, scale = tree(markup.waterfall(beyond)).iter("li")
    assert [each.get("style") for each in scale.iter("small")] == [
        "left:0.0%", "left:40.0%", "left:80.0%"]  # fmt: skip


@given(st.lists(st.floats(0, 1), min_size=2, max_size=7), st.randoms())
def test_no_step_of_a_waterfall_of_shares_leaves_the_scale_where_one_order_stays_on_it(
    levels, random
):
    steps = [(str(i), "", after - before) for i, (before, after) in enumerate(pairwise(levels))]
    random.shuffle(steps)
    chart = Waterfall((0, 1), ("average", levels[0]), steps, "case", 0.5, is_share=True)
    assert sorted(chart.drawn_steps) == sorted(steps)
    assert min(chart.levels) >= -1e-6
    assert max(chart.levels) <= 1 + 1e-6
    assert chart.levels[-1] == pytest.approx(levels[-1], abs=1e-6)


@pytest.mark.parametrize("is_share", [True, False])
def test_the_written_steps_of_a_waterfall_add_up(is_share):
    changes = [0.214, 0.066, -0.066, 0.056, 0.054, -0.045, 0.144]
    for base in (0.177, 0.184, 0.995, -0.005):
        steps = [("feature", "", change) for change in changes]
        chart = Waterfall((0, 1), ("average", base), steps, "case", 0.5, is_share=is_share)
        first, *written, last = (float(text.split()[-1]) for text, _, _ in waterfall_rows(chart))
        assert first + sum(written) == pytest.approx(last)
        unit = 1 if is_share else 0.01
        for number, (_, _, change) in zip(written, chart.drawn_steps, strict=True):
            assert abs(number / unit - 100 * change) <= 1


def test_a_waterfall_of_one_label_says_what_helps_it():
    names = ("<b>happy</b>", "")
    chart = Waterfall((1, None), ("average", 0.2), [("size", "", 0.4), ("age", "", -0.1)], "case",
                      0.39, is_share=True, label_names=names)  # fmt: skip
    drawn = markup.waterfall(chart)
    texts = said(tree(drawn))
    assert texts.startswith("helps <b>happy</b>against <b>happy</b>needed: 39%")
    assert re.findall(r'<b class="(\w+)" style', drawn) == ["against", "m1", "against", "m1"]
    in_votes = Waterfall((1, None), ("average", 0.2), [], "case", 0.39, True, names, "4 of 10")
    assert "needed: 4 of 10" in said(tree(markup.waterfall(in_votes)))


def test_methods_that_say_the_same_are_listed_under_one_ranking():
    strip = markup.strip(RankedLabels.from_order([0, 1]), ["a", "<b>"])
    groups = [
        MethodGroup("2 methods: this answer", strip, "1 of 1 pairs right", [(0, "k-NN", "0.9"),
                    (3, "<i>forest</i>", "")], "k-NN"),
        MethodGroup("1 method: the reverse", strip, "", [(4, "tree", "0.5")]),
    ]  # fmt: skip
    drawn = tree(markup.method_groups(groups))
    listed = [[said(each) for each in group.iter("li")] for group in drawn.findall("./ul/li/ul")]
    assert listed == [["k-NN0.9", "<i>forest</i>"], ["tree0.5"]]
    assert [said(each) for each in drawn.iter("li") if each.get("class") == "own"] == ["k-NN0.9"]
    assert [said(each) for each in drawn.iter("h3")] == [group.title for group in groups]


def test_methods_that_have_not_answered_yet_stand_below_those_that_have():
    group = MethodGroup(
        "Only the method in use: this answer", "A", "", [(0, "k-NN", "0.9")], "k-NN"
    )
    waiting = {"Trees": ["tree", "<i>forest</i>"], "Linear": ["log-linear"]}
    items = tree(markup.method_groups([group], waiting)).findall("./ul/li")
    assert said(items[1].find("h3")) == "3 methods still running"
    families = {said(family.find("h4")): family for family in items[1].findall("./ul/li")}
    names = {title: [said(row) for row in item.iter("li")][1:] for title, item in families.items()}
    assert names == waiting
    # The place of the number is free.
    assert all(row.find("i") is not None for row in items[1].findall("./ul/li/ul/li"))
    assert len(tree(markup.method_groups([group])).findall("./ul/li")) == 1


def test_eight_very_long_names_do_not_make_a_ladder_a_tower():
    names = [f"{j}: species of the very long named habitat of the north" for j in range(8)]
    rungs = list(tree(markup.ladder(RankedLabels.from_order(range(8)), names)).iter("li"))
    assert [rung.get("title") for rung in rungs] == names
    assert all(len(said(rung)) <= 34 for rung in rungs)


def test_what_a_method_name_has_in_brackets_stays_on_one_line():
    methods = [(0, "Bagged trees (W-LRT+bag)", "0.90"), (1, "k-NN", "")]
    drawn = tree(markup.method_groups([markup.MethodGroup("2 methods", "", "", methods)]))
    buttons = list(drawn.iter("button"))
    assert [said(button) for button in buttons] == ["Bagged trees (W-LRT+bag)", "k-NN"]
    assert [whole.text for whole in drawn.iter("span") if whole.get("class") == "whole"] == [
        "(W-LRT+bag)"
    ]


def test_marks_are_spread_until_none_lies_on_another():
    places = np.random.default_rng(0).uniform(20, 60, (8, 2))
    fixed, distance, size = np.array([[40.0, 40.0]]), 12.0, np.array([200.0, 200.0])
    spread_places = np.vstack([places + spread(places, fixed, distance, size), fixed])
    apart = [np.hypot(*(a - b)) for a, b in combinations(spread_places, 2)]
    assert min(apart) >= 0.99 * distance
    assert min(np.hypot(*(a - b)) for a, b in combinations(places, 2)) < distance
    assert len(spread(places[:0], fixed, distance, size)) == 0
