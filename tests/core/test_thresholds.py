from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from labelrank_core.metrics.thresholds import RULES
from tests.oracles_subspace import cuts, f1, macro_f1

MEASURES = {"macro": macro_f1, "micro": f1}

# Few values, so that scores tie often.
sizes = st.tuples(st.integers(2, 6), st.integers(1, 3))
tables = sizes.flatmap(
    lambda size: st.tuples(
        arrays.arrays(np.float64, size, elements=st.sampled_from([-1.5, -0.2, 0.0, 0.3, 1.0])),
        arrays.arrays(np.int64, size, elements=st.integers(0, 1)),
    )
)


@pytest.mark.parametrize("measure", MEASURES)
@given(tables)
def test_label_thresholds_reach_the_best_of_all_combinations(measure, table):
    scores, relevance = table
    varies = relevance.min(axis=0) < relevance.max(axis=0)
    thresholds = RULES[f"label_{measure}_f1"](scores, relevance)
    assert not thresholds[~varies].any()
    if not varies.any():
        return
    scores, relevance, thresholds = scores[:, varies], relevance[:, varies], thresholds[varies]
    value = MEASURES[measure](scores > thresholds, relevance)
    combinations = product(*(cuts(column) for column in scores.T))
    best = max(MEASURES[measure](scores > np.array(cut), relevance) for cut in combinations)
    assert value == pytest.approx(best)


@pytest.mark.parametrize("measure", MEASURES)
@given(tables)
def test_one_threshold_reaches_the_best_of_all_cuts(measure, table):
    scores, relevance = table
    thresholds = RULES[f"global_{measure}_f1"](scores, relevance)
    assert len(set(thresholds)) == 1
    if relevance.min() == relevance.max():
        assert not thresholds.any()
        return
    value = MEASURES[measure](scores > thresholds, relevance)
    best = max(MEASURES[measure](scores > cut, relevance) for cut in cuts(scores))
    assert value == pytest.approx(best)


def test_a_cut_lies_midway_and_takes_the_fewest():
    # Taking one or all three gives F1 = 2/2 or 2/4: the cut is between 0.6 and 0.2.
    scores, relevance = np.array([[0.2], [0.6], [0.1]]), np.array([[0], [1], [0]])
    assert RULES["label_macro_f1"](scores, relevance) == pytest.approx([0.4])
    # 1 of 1 (F1 2/3) and 2 of 4 (2·2/(4+2) = 2/3) are equally good.
    scores = np.array([[0.9], [0.5], [0.4], [0.3]])
    relevance = np.array([[1], [0], [0], [1]])
    assert RULES["label_macro_f1"](scores, relevance) == pytest.approx([0.7])
    # All are best: the cut lies below the lowest by half the mean gap.
    scores, relevance = np.array([[0.9], [0.1]]), np.array([[0], [1]])
    assert RULES["label_macro_f1"](scores, relevance)[0] < 0.1
