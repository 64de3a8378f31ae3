"""Two rankings joined by lines: swapped pairs cross, ties and zero lines are drawn as such."""

import re
from itertools import chain

import numpy as np
import pytest

from labelrank_core import load_sample
from labelrank_core.explain.render.markup import RankedLabels, side_by_side
from labelrank_core.explain.render.markup.ranked_labels import swapped_pairs
from labelrank_core.explain.standing import orders_otherwise, wrong_pairs
from labelrank_core.methods import ALGORITHMS
from pages.predict.side_by_side import shown_labels
from tests.app.plotted import layers
from tests.app.test_markup import tree
from tests.app.visits import ran, session

NAMES = ["a", "b", "<i>c</i>", "d"]


def ends(markup):
    """Where the lines begin and end, in rows."""
    lines = [image[0] for _, image in layers(tree(markup))]
    assert {line.get("x2") for line in lines} <= {"100"}
    return [tuple(int(line.get(y)) / 20 - 0.5 for y in ("y1", "y2")) for line in lines]


def test_lines_cross_where_two_labels_are_swapped():
    left, right = RankedLabels.from_order([0, 1, 2]), RankedLabels.from_order([0, 2, 1])
    assert swapped_pairs(left, right) == [(1, 2)]
    drawn = side_by_side(left, right, NAMES)
    assert ends(drawn) == [(0, 0), (1, 2), (2, 1)]
    assert 'aria-label="swapped: b and &lt;\u2060i\u2060&gt;c&lt;\u2060/i\u2060&gt;"' in drawn
    assert "<i>" not in drawn


def test_labels_that_tie_on_one_side_are_not_swapped():
    left, right = RankedLabels.from_order([0, 1, 2]), RankedLabels([[0, 1], [2]])
    assert swapped_pairs(left, right) == []
    drawn = side_by_side(left, right, NAMES)
    assert ends(drawn) == [(0, 0.5), (1, 0.5), (2, 2)]
    assert drawn.count('class="lr-tied"') == 1
    assert "tied labels" in drawn


def test_a_zero_line_has_a_row_and_a_label_of_one_side_no_line():
    left = RankedLabels.from_order([0, 1], n_relevant=1)
    right = RankedLabels.from_order([1, 0, 3], n_relevant=2)
    assert ends(side_by_side(left, right, NAMES)) == [(0, 1), (1, 2), (2, 0)]


def test_of_many_labels_none_is_drawn_for_a_tie_that_only_the_index_decides():
    rng = np.random.default_rng(0)
    n_labels, relevant = 40, [3, 30]
    own = rng.permutation(n_labels) + 1.0
    truth = np.full(n_labels, 2.0)
    truth[relevant] = 1.0

    def shown(positions, n_relevant):
        ranking = RankedLabels.from_positions(positions, n_relevant=n_relevant)
        return shown_labels(ranking, n_labels)

    assert shown(own, 1) == set(np.flatnonzero(own <= 10))
    assert shown(own, 20) == set(np.flatnonzero(own <= 20))
    assert shown(truth, 2) == set(relevant)
    own[own == 1] = np.nan
    assert shown(own, None) == set(np.flatnonzero(own <= 11))


def test_a_ranking_orders_otherwise_exactly_where_a_pair_is_reversed():
    rng = np.random.default_rng(0)
    rankings = rng.integers(1, 4, size=(300, 4)).astype(float)
    rankings[rng.random(rankings.shape) < 0.3] = np.nan
    for positions in ([1, 2, 3, 4], [3, 1, 4, 2]):
        expected = [bool(wrong_pairs(np.array(positions), row)[0]) for row in rankings]
        assert orders_otherwise(np.array(positions), rankings).tolist() == expected
        assert 0 < sum(expected) < len(expected)


@pytest.mark.usefixtures("everything_open")
@pytest.mark.parametrize("name", ["iris", "outings", "drinks_calibrated", "drinks"])
def test_the_most_similar_case_with_another_truth_is_offered_and_can_be_looked_at(name, request):
    # Calibrated rankings are learned by every method.
    if name != "drinks_calibrated":
        request.getfixturevalue("all_methods_are_some")
    app = session("pages/predict/page.py", data=name, view="All methods")
    drawn = [e.value for e in app.main if "lr-sides" in str(getattr(e, "value", ""))]
    true = next(each for each in drawn if "True in" in each)
    row = int(re.search(r"True in (?:row )?(\d+)", true)[1])
    data = load_sample(name)
    if name == "drinks_calibrated":
        titles = {each.title for each in ALGORITHMS.values()}
        assert len({*app.selectbox(key="against_method").options} & titles) == len(titles) - 1
    ran(next(b for b in app.button if b.key == "nearest").click().run())
    assert app.number_input(key="row").value == row
    shown = re.findall(r">([^<>]+)</span></span>", true.rpartition("lr-layer")[2])
    order = [data.label_names[label] for label in chain(*data.label_buckets(row - 1))]
    assert shown[: len(order)] == order if name in ("iris", "drinks") else set(order) <= set(shown)
