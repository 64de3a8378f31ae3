"""LRT, its bags and the forests of ranking trees: splits by search, leaves, limits."""

from functools import partial

import numpy as np
import pytest
from sklearn.base import clone

import labelrank_core
from labelrank_core.data.schema import Column, Schema
from labelrank_core.explain.evidence import Confidence, MallowsFit, Question, TreeVotes
from labelrank_core.methods import ALGORITHMS, trees
from labelrank_core.methods.trees import BaggedTreesLabelRanker, RankingTreeLabelRanker
from labelrank_core.methods.trees import _ranking_tree as grower
from labelrank_core.methods.trees._criteria import (
    KemenyDistance,
    MallowsSpread,
    RankCorrelation,
    RankingEntropy,
    SpreadWithTies,
)
from tests import oracles, oracles_trees, problems

NAN = np.nan
LEARN_PARTIAL = [ALGORITHMS[key] for key in ("lrt_bag", "w_lrt_bag", "f_lrt_bag")]
FORESTS = [ALGORITHMS[key] for key in ("lrf_rt", "lrf_ert")]
BAGS = [algorithm.build for algorithm in (*LEARN_PARTIAL, *FORESTS)]
BY_KEMENY = partial(BaggedTreesLabelRanker, criterion="kemeny")
FORMER_NAMES = {
    trees.WidthBaggedTreesLabelRanker: "w_lrt_bag",
    trees.FrequencyBaggedTreesLabelRanker: "f_lrt_bag",
    trees.RankingTreeForest: "lrf_rt",
    trees.EntropyRankingTreeForest: "lrf_ert",
}


def random_rankings(rng, n, n_labels, *, partial):
    rankings = problems.positions(rng, n, n_labels, tied=bool(rng.integers(2))).astype(float)
    if partial:
        rankings[rng.random(rankings.shape) < 0.3] = NAN
        rankings = np.array([dense(row) for row in rankings])
    return rankings


def dense(row):
    """Positions without gaps."""
    values = np.unique(row[~np.isnan(row)])
    return [NAN if np.isnan(place) else 1 + np.searchsorted(values, place) for place in row]


@pytest.mark.parametrize(
    ("criterion", "naive", "partial"),
    [
        (MallowsSpread, oracles_trees.mallows_spread, True),
        (SpreadWithTies, oracles_trees.spread_with_ties, True),
        (KemenyDistance, oracles_trees.minus_kemeny_distance, True),
        (RankCorrelation, oracles_trees.rank_correlation, True),
        (RankingEntropy, oracles_trees.minus_entropy, False),
    ],
)
def test_splits_are_those_of_an_exhaustive_search(criterion, naive, partial):
    rng = np.random.default_rng(0)
    for case in range(36):
        n, n_labels = int(rng.integers(2, 12)), int(rng.integers(2, 5))
        X = problems.features(rng, ("continuous", "integer")[case % 2], n, 3)
        Y = random_rankings(rng, n, n_labels, partial=partial and case % 4 > 1)
        growth = grower.Growth("all", 2, 1, 3)
        rule = criterion(Y)
        (tree,) = grower.grow_trees(X, [np.arange(n)], rule, growth, [0])
        expected = oracles_trees.best_split(X, Y, naive)
        gains = expected and (not rule.must_gain or expected[0] > naive(Y) + 1e-9)
        whole = grower.Parts.of(np.arange(n), np.array([n]))
        if rule.settled(rule.table, whole)[0] or not gains:
            assert tree.feature.tolist() == [grower.LEAF]
        else:
            assert (tree.feature[0], tree.threshold[0]) == (expected[1], pytest.approx(expected[2]))


def test_a_split_by_hand():
    # Only x separates the two kinds of rankings; w is noise.
    X = np.array([[5, 1], [1, 2], [4, 3], [2, 8], [3, 9], [6, 10]], dtype=float)
    Y = np.array([[1, 2, 3]] * 3 + [[3, 2, 1]] * 3)
    model = RankingTreeLabelRanker(min_samples_split=2).fit(X, Y)
    assert model.predict([[0, 5.4], [0, 5.6]]).tolist() == [[1, 2, 3], [3, 2, 1]]
    explanation = model.explain([0, 5.6])
    (way,) = explanation.evidence(TreeVotes).ways
    assert [(q.feature, q.threshold, q.is_above) for q in way] == [(1, 5.5, True)]
    assert explanation.evidence(MallowsFit).observed.tolist() == [3, 0, 0, 0]
    # 3 rankings of 3 pairs agree, an imaginary one reverses 1.5 of 3: 1 - 1.5 / 12.
    assert model.predict_confidence([[0, 5.6]]) == pytest.approx([1 - 1.5 / 12])


@pytest.mark.parametrize("ties", ["break", "predict"])
def test_the_criterion_chooses_the_splits_of_a_tree(ties):
    rng = np.random.default_rng(4)
    X = problems.features(rng, "continuous", 40, 4)
    Y = random_rankings(rng, 40, 4, partial=True)
    naive = {
        "kemeny": oracles_trees.minus_kemeny_distance,
        "correlation": oracles_trees.rank_correlation,
        "mallows": (
            oracles_trees.spread_with_ties if ties == "predict" else oracles_trees.mallows_spread
        ),
    }
    roots = {}
    for criterion, value in naive.items():
        (table,) = RankingTreeLabelRanker(1, criterion=criterion, ties=ties).fit(X, Y)._trees
        roots[criterion] = (table.tree.feature[0], table.tree.threshold[0])
        assert roots[criterion] == oracles_trees.best_split(X, Y, value)[1:]
    # They differ, so that the parameter has an effect.
    assert len(set(roots.values())) > 1


def test_a_leaf_of_a_kemeny_tree_predicts_the_median_ranking():
    rng = np.random.default_rng(7)
    X = problems.features(rng, "continuous", 40, 3)
    Y = random_rankings(rng, 40, 4, partial=False)
    model = RankingTreeLabelRanker(2, criterion="kemeny", ties="predict").fit(X, Y)
    (table,) = model._trees
    for row, end in enumerate(table.tree.chains(X)[:, -1]):
        rows = table.tree.rows[table.tree.start[end] : table.tree.end[end]]
        best = oracles.least_kemeny_distance(Y[rows].tolist(), [1] * len(rows))[1]
        assert tuple(model.predict(X[[row]])[0]) in {tuple(order) for order in best}


def test_few_cases_and_agreeing_ones_are_not_split():
    X = np.arange(5.0)[:, None]
    mixed = [[1, 2, 3], [3, 2, 1], [1, 3, 2], [2, 1, 3], [2, 3, 1]]
    # 5 < 2 * 3 labels.
    assert RankingTreeLabelRanker().fit(X, mixed)._trees[0].tree.max_depth == 0
    assert RankingTreeLabelRanker(min_samples_split=5).fit(X, mixed)._trees[0].tree.max_depth > 0
    # Partial rankings that contradict nobody are one leaf, whose centre all agree with.
    agreeing = [[1, 2, NAN], [NAN, 1, 2], [1, NAN, 2], [NAN] * 3, [NAN, NAN, 1]]
    model = RankingTreeLabelRanker(min_samples_split=2).fit(X, agreeing)
    assert model._trees[0].tree.max_depth == 0
    assert model.predict([[2.0]]).tolist() == [[1, 2, 3]]


def test_leaves_hold_their_rows_and_rank_by_summed_shares():
    rng = np.random.default_rng(3)
    for _ in range(6):
        X = problems.features(rng, "continuous", 60, 3)
        Y = problems.positions(rng, 60, 4)
        (table,) = RankingTreeLabelRanker(3).fit(X, Y)._trees
        ends = table.tree.chains(X)[:, -1]
        for end in np.unique(ends):
            rows = table.tree.rows[table.tree.start[end] : table.tree.end[end]]
            assert sorted(rows) == np.flatnonzero(ends == end).tolist()
            expected = oracles_trees.label_sums(Y[rows])
            np.testing.assert_allclose(table.scores[end], expected, atol=1e-8)


def test_a_pair_open_in_a_leaf_is_decided_above():
    # On the right nobody compares b and c; on the left all have c ahead of b.
    X = [[0.0], [0.1], [0.2], [1.0], [1.1], [1.2]]
    Y = [[1, 3, 2], [1, 3, 2], [1, 3, 2], [2, 1, NAN], [2, 1, NAN], [2, 1, NAN]]
    model = RankingTreeLabelRanker(min_samples_split=2).fit(X, Y)
    shares = model._trees[0]
    end = int(shares.tree.chains(np.array([[1.2]]))[0, -1])
    wins = shares.sums[end]
    assert wins.tolist() == [0, 0, 0, 3, 0, 0]
    # b/a: (3 + 1/2) / 4; a/c: (0 + 1) / 1; b/c: (0 + 0) / 1.
    assert shares.scores[end] == pytest.approx([0.125 + 1, 0.875 + 0, 0 + 1])


def test_middle_and_median_splits():
    parts = grower.Parts.of(np.arange(8), np.array([4, 4]))
    # Of the second part more than half have the largest value.
    ascending = np.array([0.0, 1, 2, 10, 4, 5, 5, 5])
    assert grower._middle(ascending, parts, "middle").tolist() == [5, 4.5]
    assert grower._middle(ascending, parts, "median").tolist() == [1.5, 4]


def test_trees_grown_together_are_those_grown_alone(monkeypatch):
    rng = np.random.default_rng(5)
    X, Y = problems.features(rng, "integer", 40, 4), problems.positions(rng, 40, 4)
    for estimator in BAGS:
        together = estimator(n_estimators=6).fit(X, Y)
        with monkeypatch.context() as patch:
            patch.setattr(grower, "_CELLS", 1)
            alone = estimator(n_estimators=6).fit(X, Y)
        for one, other in zip(together._trees, alone._trees, strict=True):
            np.testing.assert_array_equal(one.tree.feature, other.tree.feature)
            np.testing.assert_array_equal(one.tree.threshold, other.tree.threshold)
            np.testing.assert_array_equal(one.tree.rows, other.tree.rows)


@pytest.mark.parametrize("estimator", [*BAGS, BY_KEMENY])
def test_points_equal_fresh_fits(estimator):
    rng = np.random.default_rng(1)
    X = problems.features(rng, "continuous", 50, 4)
    Y = random_rankings(rng, 50, 4, partial=estimator in (*BAGS[:3], BY_KEMENY))
    model = estimator(n_estimators=8, min_samples_split=4).fit(X, Y)
    path = model.path(X)
    for n_trees in (1, 5, 8):
        for depth in (1, 3, None):
            for voting in ("rankings", "scores"):
                params = {"n_estimators": n_trees, "max_depth": depth, "voting": voting}
                fresh = estimator(min_samples_split=4, **params).fit(X, Y)
                point = path.at(**params)
                np.testing.assert_array_equal(point.prediction, fresh.predict(X))
                np.testing.assert_allclose(point.confidence, fresh.predict_confidence(X))
    votes = model.explain(X[0]).evidence(TreeVotes)
    np.testing.assert_array_equal(votes.prediction, model.predict(X[:1])[0])
    # The order by mean places is never further from the trees than half of the largest loss.
    assert model.explain(X[0]).evidence(Confidence).lowest == 0.5
    assert model.predict_confidence(X).min() >= 0.5


@pytest.mark.parametrize("estimator", BAGS)
def test_unanimous_data_and_two_labels(estimator):
    X = np.arange(20.0)[:, None]
    model = estimator(n_estimators=5).fit(X, np.tile([2, 1, 3], (20, 1)))
    assert (model.predict(X) == [2, 1, 3]).all()
    assert (model.predict_confidence(X) == 1).all()
    Y = np.where(X < 10, [1, 2], [2, 1])
    pair = estimator(n_estimators=25, min_samples_split=2).fit(X, Y)
    assert pair.predict([[1.0], [18.0]]).tolist() == [[1, 2], [2, 1]]
    support = pair.predict_pair_support([[1.0]])[0]
    assert support[0, 1] + support[1, 0] == 1
    assert support[0, 1] > 0.5


def test_forests_need_complete_rankings():
    for forest in FORESTS:
        with pytest.raises(ValueError, match="complete rankings"):
            forest.build(n_estimators=2).fit([[0.0], [1.0]], [[1, 2], [1, NAN]])


@pytest.mark.parametrize(("former", "key"), FORMER_NAMES.items())
def test_a_former_name_is_a_setting_and_says_so(former, key):
    rng = np.random.default_rng(3)
    X, Y = problems.features(rng, "integer", 40, 4), problems.positions(rng, 40, 4)
    with pytest.warns(FutureWarning, match=f"{former.__name__} is BaggedTreesLabelRanker"):
        model = clone(former(6, random_state=4))
    expected = ALGORITHMS[key].build(n_estimators=6, random_state=4)
    assert getattr(labelrank_core, former.__name__) is former
    assert model.get_params() == {
        name: value for name, value in expected.get_params().items() if name in model.get_params()
    }
    np.testing.assert_array_equal(model.fit(X, Y).predict(X), expected.fit(X, Y).predict(X))


def test_a_label_never_ranked_stays_in_the_middle():
    X = np.arange(30.0)[:, None]
    Y = np.where(X < 15, [1, NAN, 2, 3], [3, NAN, 2, 1])
    for estimator in BAGS[:3]:
        positions = (
            estimator(n_estimators=10, min_samples_split=2).fit(X, Y).predict([[2.0], [28.0]])
        )
        assert positions[0, 0] < positions[0, 3]
        assert positions[1, 3] < positions[1, 0]
        assert set(positions[:, 1]) <= {2, 3}


def test_answers_are_written_in_the_units_and_words_of_the_data():
    schema = Schema(
        (
            Column("size"),
            Column("colour", "nominal", ("blue", "red", "green")),
            Column("sex", "nominal", ("f", "m")),
        )
    )
    said = [
        Question(0, 0.5, True).words(schema),
        Question(0, 0.5, False).words(schema, shift=10, scale=4),
        Question(2, 0.5, True).words(schema),
        Question(2, 0.5, False).words(schema),
        Question(4, 0.5, True).words(schema),
        Question(4, 0.5, False).words(schema),
    ]
    assert said == [
        "size > 0.5",
        "size ≤ 12",
        "colour is red",
        "colour is not red",
        "sex is m",
        "sex is f",
    ]
