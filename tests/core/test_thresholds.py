from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from labelrank_core import SharedSubspaceClassifier, load_sample
from labelrank_core.metrics.thresholds import RULES, label_macro_f1, label_micro_f1
from tests.oracles_subspace import cuts, f1, macro_f1

MEASURES = {"macro": macro_f1, "micro": f1}
LABEL_RULES = {"macro": label_macro_f1, "micro": label_micro_f1}

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
    thresholds = LABEL_RULES[measure](scores, relevance)
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
    assert label_macro_f1(scores, relevance) == pytest.approx([0.4])
    # 1 of 1 (F1 2/3) and 2 of 4 (2·2/(4+2) = 2/3) are equally good.
    scores = np.array([[0.9], [0.5], [0.4], [0.3]])
    relevance = np.array([[1], [0], [0], [1]])
    assert label_macro_f1(scores, relevance) == pytest.approx([0.7])
    # All are best: the cut lies below the lowest by half the mean gap.
    scores, relevance = np.array([[0.9], [0.1]]), np.array([[0], [1]])
    assert label_macro_f1(scores, relevance)[0] < 0.1


def test_few_positives_shrink_a_threshold_towards_the_global_one():
    rng = np.random.default_rng(0)
    scores, relevance = rng.normal(size=(40, 4)), np.zeros((40, 4), dtype=int)
    relevance[:1, 0], relevance[:20, 1], relevance[:38, 2] = 1, 1, 1
    for measure, rule in LABEL_RULES.items():
        own = rule(scores, relevance)
        common = RULES[f"global_{measure}_f1"](scores, relevance)[0]
        # 1 row has the first label, 20 have the second and 20 lack it, 2 lack the third; nobody
        # has the last.
        expected = [(own[j] * n + 3 * common) / (n + 3) for j, n in enumerate((1, 20, 2))]
        assert RULES[f"label_{measure}_f1"](scores, relevance) == pytest.approx([*expected, 0])


def test_a_label_with_three_positives_is_not_predicted_for_most_cases():
    data = load_sample("yeast")
    shares = []
    for seed in range(6):
        order = np.random.default_rng(seed).permutation(data.n_samples)
        train, test = order[:1000], order[1000:]
        Y = np.array(data.Y[train])
        Y[np.flatnonzero(Y[:, 0])[3:], 0] = 0
        model = SharedSubspaceClassifier().fit(data.X[train], Y)
        shares.append(model.predict(data.X[test])[:, 0].mean())
    # Without shrinkage it was predicted for 30 to 95 % of the cases in five of these draws.
    assert max(shares) < 0.01
