"""Any set of pairs as targets: what it holds, who learns from it, how it is measured."""

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.model_selection import KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelrank_core import (
    ConformalLabelRanker,
    ConstraintClassificationRanker,
    KernelPairwiseRanker,
    KNeighborsLabelRanker,
    LogLinearRanker,
    PairPreferences,
    PairwiseForestRanker,
    PairwiseLabelRanker,
    PairwiseSVMRanker,
    StackedLabelRanker,
)
from labelrank_core.evaluation.abstention import partial_order
from labelrank_core.methods import ALGORITHMS
from labelrank_core.metrics import kendall_tau_score, pair_tau_score, tau_x_score
from labelrank_core.rankings import dense_positions
from tests import problems

LEARNERS = [
    ConstraintClassificationRanker(4),
    KernelPairwiseRanker(),
    KNeighborsLabelRanker(5),
    LogLinearRanker(),
    PairwiseForestRanker(10),
    PairwiseLabelRanker(),
    PairwiseSVMRanker(),
]
by_learner = pytest.mark.parametrize("learner", LEARNERS, ids=lambda each: type(each).__name__)
signs = st.integers(2, 4).flatmap(
    lambda m: st.lists(
        st.tuples(*[st.sampled_from([1.0, 0.0, -1.0, np.nan])] * (m * (m - 1) // 2)),
        min_size=1,
        max_size=4,
    )
)


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    utilities = X @ rng.normal(size=(3, 4)) + rng.normal(size=(60, 4)) / 4
    return X, utilities.argsort(axis=1)[:, ::-1].argsort(axis=1) + 1


def agrees(ranking, row, m):
    """Whether a ranking has every known pair of a row as it is."""
    pairs = combinations(range(m), 2)
    return all(
        np.isnan(sign) or np.sign(ranking[b] - ranking[a]) == sign
        for sign, (a, b) in zip(row, pairs, strict=True)
    )


@given(signs)
def test_a_cycle_is_what_no_ranking_with_ties_agrees_with(rows):
    preferences = PairPreferences(rows)
    m = preferences.n_labels
    places = [(p, *rest) for p in range(m) for rest in np.ndindex(*[m] * (m - 1))]
    for row, is_cyclic in zip(rows, preferences.cyclic, strict=True):
        assert is_cyclic == (not any(agrees(ranking, row, m) for ranking in places))


@given(signs)
def test_chains_say_every_known_pair_and_no_other(rows):
    preferences = PairPreferences(rows, [f"l{i}" for i in range(PairPreferences(rows).n_labels)])
    again = PairPreferences.from_words(preferences.to_words(), preferences.label_names)
    np.testing.assert_array_equal(again.signs, preferences.signs)


def test_whole_rankings_are_one_chain_each():
    rankings = [[3, 1, 2, 4], [1, 2, 2, 1], [1, np.nan, 2, np.nan]]
    preferences = PairPreferences.from_rankings(rankings, "abcd")
    assert preferences.to_words() == ["b>c>a>d", "a=d>b=c", "a>c"]


@given(signs)
def test_what_follows_is_what_all_agreeing_rankings_say(rows):
    preferences = PairPreferences(rows)
    if preferences.cyclic.any():
        with pytest.raises(ValueError, match="without a cycle, got one in row"):
            preferences.closed()
        return
    m = preferences.n_labels
    for row, closed in zip(rows, preferences.closed().signs, strict=True):
        agreeing = [ranking for ranking in np.ndindex(*[m] * m) if agrees(ranking, row, m)]
        for sign, (a, b) in zip(closed, combinations(range(m), 2), strict=True):
            said = {np.sign(ranking[b] - ranking[a]) for ranking in agreeing}
            assert (said == {sign}) if not np.isnan(sign) else len(said) > 1


def test_chains_are_read_as_xarff_writes_them():
    texts = ["a>b|c>d", "d > a = c", "", None, "?", "b>c|c>a|a>b"]
    preferences = PairPreferences.from_words(texts)
    assert preferences.label_names == ("a", "b", "c", "d")
    # Pairs: ab ac ad bc bd cd.
    nan = np.nan
    expected = [
        [1, nan, nan, nan, nan, 1],
        [nan, 0, -1, nan, nan, -1],
        *[[nan] * 6] * 3,
        [1, -1, nan, 1, nan, nan],
    ]
    np.testing.assert_array_equal(preferences.signs, expected)
    assert preferences.n_known.tolist() == [2, 3, 0, 0, 0, 3]
    assert preferences.cyclic.tolist() == [False] * 5 + [True]
    other = preferences.with_labels(["d", "c", "b", "a"])
    np.testing.assert_array_equal(other.with_labels("abcd").signs, expected)
    np.testing.assert_array_equal(
        other.signs, PairPreferences.from_words(texts, ["d", "c", "b", "a"]).signs
    )


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["a>b", "a>b|b>a"], "one preference for a pair in row 1"),
        (["a>b", "a>|b"], "in row 1: a name is missing"),
        ([3], "in row 0, got 3"),
        (["a"], "at least two labels"),
    ],
)
def test_texts_that_are_no_chains_are_refused_in_words(texts, message):
    with pytest.raises(ValueError, match=message):
        PairPreferences.from_words(texts)


def test_other_labels_signs_and_shapes_are_refused_in_words():
    with pytest.raises(ValueError, match=r"only labels in \['a', 'b'\], got 'c'"):
        PairPreferences.from_words(["a>c"], ["a", "b"])
    with pytest.raises(ValueError, match="signs of -1, 0, 1 or NaN"):
        PairPreferences([[2.0]])
    with pytest.raises(ValueError, match=r"got shape \(1, 2\)"):
        PairPreferences([[1.0, 1.0]])
    with pytest.raises(ValueError, match="3 different label names, got 2"):
        PairPreferences([[1.0, 1.0, 1.0]], ["a", "b"])
    with pytest.raises(ValueError, match="between 0 and 1, got 2"):
        PairPreferences([[1.0]]).without_pairs(2)


@by_learner
def test_the_pairs_of_rankings_teach_the_same_as_the_rankings(learner, data):
    X, Y = data
    partial = Y.astype(float)
    partial[np.random.default_rng(1).random(Y.shape) < 0.3] = np.nan
    for rankings in (Y, dense_positions(partial)):
        one = clone(learner).fit(X, rankings)
        two = clone(learner).fit(X, PairPreferences.from_rankings(rankings))
        np.testing.assert_array_equal(one.point(X).scores, two.point(X).scores)
        np.testing.assert_array_equal(one.predict(X), two.predict(X))
        assert two.score(X, PairPreferences.from_rankings(rankings)) == pytest.approx(
            one.score(X, rankings)
        )


@by_learner
def test_pairs_that_no_positions_can_hold_are_learned(learner, data):
    X, Y = data
    # Of the six pairs only ab and cd are known: 'a>b|c>d' and the like.
    whole = PairPreferences.from_rankings(Y)
    known = whole.signs.copy()
    known[:, 1:5] = np.nan
    model = clone(learner).fit(X, PairPreferences(known))
    assert model.score(X, PairPreferences(known)) > 0.7
    explanation = model.explain(X[0])
    np.testing.assert_array_equal(explanation.prediction, model.predict(X[:1])[0])


@by_learner
def test_cycles_are_learned_pair_by_pair(learner):
    preferences = PairPreferences.from_words(["a>b|b>c|c>a"] * 6 + ["a>b|b>c"] * 6)
    X = np.random.default_rng(0).normal(size=(12, 2))
    predicted = np.asarray(clone(learner).fit(X, preferences).predict(X))
    assert np.sort(predicted, axis=1).tolist() == [[1, 2, 3]] * 12


def test_folds_pipelines_and_names(data):
    X, Y = data
    preferences = PairPreferences.from_rankings(Y, ["d", "c", "b", "a"]).without_pairs(0.4)
    assert 0.5 < preferences.n_known.sum() / (6 * len(Y)) < 0.7
    model = make_pipeline(StandardScaler(), PairwiseLabelRanker())
    folds = KFold(3, shuffle=True, random_state=0)
    scores = cross_val_score(model, X, preferences, cv=folds)
    expected = [
        clone(model).fit(X[a], preferences[a]).score(X[b], preferences[b])
        for a, b in folds.split(X)
    ]
    assert scores == pytest.approx(expected)
    assert scores.mean() > 0.8
    assert list(model.fit(X, preferences).predict(X[:2]).columns) == ["d", "c", "b", "a"]
    other = preferences.with_labels(["a", "b", "c", "d"])
    assert model.score(X, other) == pytest.approx(model.score(X, preferences))


def test_weights_of_cases_count_for_pairs(data):
    X, Y = data
    preferences = PairPreferences.from_rankings(Y).without_pairs(0.5)
    weights = np.tile([0.0, 1.0, 2.0], 20)
    rows = np.repeat(np.arange(60), weights.astype(int))
    one = PairwiseLabelRanker().fit(X, preferences, sample_weight=weights)
    two = PairwiseLabelRanker().fit(X[rows], preferences[rows])
    np.testing.assert_allclose(one.coef_, two.coef_, atol=1e-6)


def test_methods_that_need_rankings_say_so(data):
    X, Y = data
    preferences = PairPreferences.from_rankings(Y)
    taught = {type(learner) for learner in LEARNERS}
    others = [each.build() for each in ALGORITHMS.values() if each.estimator not in taught]
    assert any(isinstance(each, StackedLabelRanker) for each in others)
    for model in (*others, ConformalLabelRanker(PairwiseLabelRanker())):
        with pytest.raises(ValueError, match="learns from whole rankings: expected positions"):
            model.fit(X, preferences)


def test_a_guarantee_refuses_pairs_and_names_what_can_be_used(data):
    X, Y = data
    preferences = PairPreferences.from_rankings(Y)
    with pytest.raises(ValueError, match="There is no guarantee for those") as error:
        ConformalLabelRanker(PairwiseLabelRanker()).fit(X, preferences)
    assert "abstention.partial_order(model.predict_pair_support(X)[0], thre" in str(error.value)
    model = PairwiseLabelRanker().fit(X, preferences)
    support = model.predict_pair_support(X)[0]
    order = partial_order(support, threshold=0.8)
    assert (support[order.before] > 0.5).all()


def test_known_pairs_are_measured_as_rankings_are():
    rng = np.random.default_rng(4)
    prediction = problems.positions(rng, 30, 4)
    strict, tied = problems.positions(rng, 30, 4), problems.positions(rng, 30, 4, tied=True)
    partial = strict.astype(float)
    partial[rng.random(strict.shape) < 0.4] = np.nan
    for truth, measure in (
        (strict, kendall_tau_score),
        (dense_positions(partial), kendall_tau_score),
        (tied, tau_x_score),
    ):
        pairs = PairPreferences.from_rankings(truth)
        found = pair_tau_score(pairs, prediction, average=None)
        np.testing.assert_allclose(found, measure(truth, prediction, average=None))
        assert pair_tau_score(pairs, prediction) == pytest.approx(measure(truth, prediction))
    # a>b right, c>d reversed, and b=c tied only in truth: (1 - 1 + 0) / 3.
    truth = PairPreferences.from_words(["a>b|c>d|b=c"])
    assert pair_tau_score(truth, [[1, 2, 4, 3]]) == 0
    best = max(
        pair_tau_score(PairPreferences.from_words(["a>b|b>c|c>a"]), [p])
        for p in permutations([1, 2, 3])
    )
    assert best == pytest.approx(1 / 3)
    with pytest.raises(ValueError, match=r"shape \(1, 4\), got \(1, 3\)"):
        pair_tau_score(truth, [[1, 2, 3]])
