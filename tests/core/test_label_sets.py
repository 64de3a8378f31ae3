"""Label sets that are best by a measure, against all label sets there are."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelrank_core import KNeighborsMultilabelRanker
from labelrank_core.aggregation.label_sets import SET_RULES, f1_by_size
from labelrank_core.explain.evidence import LabelScores, LeaveOneOutSets, SetValues
from labelrank_core.rankings import strict_positions
from tests import problems


def f1(one, other):
    size = sum(one) + sum(other)
    return 2 * sum(a and b for a, b in zip(one, other, strict=True)) / size if size else 1.0


VALUES = {
    "hamming": lambda one, other: np.mean(np.equal(one, other)),
    "f1": f1,
    "subset": lambda one, other: float(np.array_equal(one, other)),
}
voters = st.tuples(st.integers(1, 6), st.integers(1, 7)).flatmap(
    lambda size: st.tuples(
        st.lists(st.tuples(*[st.integers(0, 1)] * size[0]), min_size=size[1], max_size=size[1]),
        st.lists(st.integers(0, 3), min_size=size[1] - 1, max_size=size[1] - 1),
    )
)


def mean_value(measure, label_set, sets, weights):
    values = [VALUES[measure](label_set, other) for other in sets]
    return np.average(values, weights=weights)


@pytest.mark.parametrize("measure", SET_RULES)
@given(voters)
def test_no_label_set_has_a_larger_mean(measure, voters):
    sets, weights = voters[0], [2, *voters[1]]
    relevance, rows = np.array(sets), np.arange(len(sets))[None]
    for own in (None, weights):
        votes = None if own is None else np.array([own])
        chosen = SET_RULES[measure](relevance, rows, votes)[0]
        best = max(
            mean_value(measure, each, sets, own) for each in product([0, 1], repeat=len(sets[0]))
        )
        assert mean_value(measure, chosen, sets, own) == pytest.approx(best, abs=1e-12)


@given(voters)
def test_sets_of_every_size_have_the_largest_mean_f1_of_that_size(voters):
    sets = voters[0]
    by_size = f1_by_size(np.array(sets), np.arange(len(sets))[None], None)
    for size, value in enumerate(by_size.values[0]):
        of_size = [each for each in product([0, 1], repeat=len(sets[0])) if sum(each) == size]
        best = max(mean_value("f1", each, sets, None) for each in of_size)
        assert value == pytest.approx(best, abs=1e-11)
        chosen = by_size.sets_of(np.array([size]))[0]
        assert chosen.sum() == size
        assert mean_value("f1", chosen, sets, None) == pytest.approx(best, abs=1e-11)


def test_a_worked_example():
    # Labels a, b, c; cases nearest first: a b, c, a b c, a, c.
    sets = np.array([[1, 1, 0], [0, 0, 1], [1, 1, 1], [1, 0, 0], [0, 0, 1]])
    rows = np.arange(5)[None]
    # a and c are in three of five.
    assert SET_RULES["hamming"](sets, rows, None).tolist() == [[True, False, True]]
    # {c} twice.
    assert SET_RULES["subset"](sets, rows, None).tolist() == [[False, False, True]]
    # Five times F1: {a} 2/3 + 1/2 + 1 = 13/6; {c} 1 + 1/2 + 1 = 5/2;
    # {a, c} 1/2 + 2/3 + 4/5 + 2/3 + 2/3 = 3.3; all 4/5 + 1/2 + 1 + 1/2 + 1/2 = 3.3. The smaller.
    by_size = f1_by_size(sets, rows, None)
    assert 5 * by_size.values[0] == pytest.approx([0, 5 / 2, 3.3, 3.3])
    assert SET_RULES["f1"](sets, rows, None).tolist() == [[True, False, True]]


def test_equally_frequent_sets_are_decided_by_agreement_then_by_distance():
    # Each set once: c agrees with most decisions of the others; b and c tie in the second table.
    sets = np.array([[1, 1, 1], [1, 0, 0], [0, 0, 0]])
    assert SET_RULES["subset"](sets, np.array([[0, 1, 2]]), None).tolist() == [[True, False, False]]
    pair = np.array([[1, 0], [0, 1]])
    for nearest in (0, 1):
        rows = np.array([[nearest, 1 - nearest]])
        assert SET_RULES["subset"](pair, rows, None)[0].tolist() == (pair[nearest] == 1).tolist()


@pytest.mark.parametrize("task", ["multilabel", "calibrated_ranking"])
@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("decision", SET_RULES)
def test_predictions_rankings_scores_and_explanations_agree(decision, weights, task):
    rng = np.random.default_rng(5)
    X, Y = problems.features(rng, "continuous", 40, 3), problems.targets(rng, task, 40, 4)
    model = KNeighborsMultilabelRanker(9, decision=decision, weights=weights).fit(X, Y)
    point = model.path(X[:12], n_neighbors=9).at()
    sets, scores = model.predict(X[:12]), model.decision_function(X[:12])
    relevance = model._targets.relevance
    np.testing.assert_array_equal(sets, SET_RULES[decision](relevance, *point.path.first(9)))
    np.testing.assert_array_equal(sets, scores > 0)
    assert np.abs(scores).max() < 1
    np.testing.assert_array_equal(model.predict_ranking(X[:12]), point.positions)
    lined = model.path(X[:12]).at(decision="zero_line")
    np.testing.assert_array_equal(model.raw_scores(X[:12]), lined.scores)
    np.testing.assert_array_equal(point.positions, strict_positions(-sets, lined.positions))
    for case in range(12):
        explanation = point.explain(case)
        without = explanation.evidence(LeaveOneOutSets)
        np.testing.assert_array_equal(without.running[-1], sets[case] == 1)
        shown = explanation.evidence(LabelScores if decision == "hamming" else SetValues)
        if decision == "hamming":
            np.testing.assert_array_equal(shown.values > shown.bar, sets[case] == 1)
        else:
            np.testing.assert_array_equal(shown.sets[0], sets[case] == 1)
            assert (np.diff(shown.values) <= 0).all()
            rows, votes = point.path.first(9)
            votes = None if votes is None else votes[case]
            for label_set, value in zip(shown.sets, shown.values, strict=True):
                mean = mean_value(decision, label_set, relevance[rows[case]], votes)
                assert value == pytest.approx(mean)


def test_few_labels_warn_only_of_a_zero_line():
    # Each case has one of 30 labels, seven of ten that of its group, while a zero line demands
    # nearly all of the similar cases.
    groups = np.repeat(np.arange(6), 10)
    labels = np.where(np.tile(np.arange(10) < 7, 6), groups, 6 + np.arange(60) % 24)
    X, Y = groups[:, None] + np.tile(np.arange(10), 6)[:, None] / 100, np.eye(30, dtype=int)[labels]
    model = KNeighborsMultilabelRanker(9, decision="subset").fit(X, Y)
    assert model.predict(X).sum(axis=1).tolist() == [1] * 60
    assert model.few_labels() is None
    assert model.few_labels(decision="zero_line") is not None
