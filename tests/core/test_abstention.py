"""Partial orders from the support of label pairs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelrank_core import KNeighborsLabelRanker, LabelRankingForest, load_sample
from labelrank_core.data.splits import delete_labels, holdout_split
from labelrank_core.evaluation.abstention import (
    abstention_curve,
    acyclic_thresholds,
    partial_order,
    transitive_closure,
    withhold_pairs,
)
from labelrank_core.explain.evidence import WinShares
from labelrank_core.methods import ALGORITHMS
from labelrank_core.metrics import kendall_tau_score
from tests.problems import positions

NAN = float("nan")
VOTING = [key for key, algorithm in ALGORITHMS.items() if algorithm.votes]


def from_votes(rankings):
    """Support among complete rankings, by the definition."""
    m = len(rankings[0])
    return [
        [
            sum((r[i] < r[j]) + (r[i] == r[j]) / 2 for r in rankings) / len(rankings)
            for j in range(m)
        ]
        for i in range(m)
    ]


def closure(relation):
    """Warshall's algorithm."""
    m = len(relation)
    reached = [list(row) for row in relation]
    for k in range(m):
        for i in range(m):
            for j in range(m):
                reached[i][j] = reached[i][j] or (reached[i][k] and reached[k][j])
    return reached


def naive_order(support, threshold):
    """Raise the threshold through all supports until the transitive closure has no cycle."""
    m = len(support)
    levels = sorted({threshold, *(s for row in support for s in row if s > threshold)})
    for level in levels:
        reached = closure([[i != j and support[i][j] > level for j in range(m)] for i in range(m)])
        if not any(reached[i][i] for i in range(m)):
            return np.array(reached, dtype=bool).reshape(m, m), level
    raise AssertionError("nothing is above the highest level")


class Point:
    """A point with given supports."""

    def __init__(self, supports):
        self.supports = np.array(supports, dtype=float)

    def pair_support(self, cases):
        return self.supports[cases]


votes = st.integers(1, 5).flatmap(
    lambda m: st.lists(st.permutations(range(m)), min_size=1, max_size=7)
)
# Supports that no rankings need to have: more and longer cycles.
reciprocal = st.integers(2, 6).flatmap(
    lambda m: st.lists(
        st.sampled_from([0, 0.1, 0.3, 0.4, 0.5, 0.6, 0.7, 0.9, 1]),
        min_size=m * (m - 1) // 2,
        max_size=m * (m - 1) // 2,
    ).map(lambda shares: square(m, shares))
)


def square(m, shares):
    support = np.full((m, m), 0.5)
    support[np.triu_indices(m, 1)] = shares
    support[np.tril_indices(m, -1)] = 1 - support.T[np.tril_indices(m, -1)]
    return support.round(12).tolist()


class TestPartialOrders:
    # Five judges of labels a, b, c: a before b 4 of 5, a before c 4 of 5, b before c 3 of 5.
    JUDGES = ((1, 2, 3), (1, 2, 3), (1, 3, 2), (1, 3, 2), (3, 1, 2))
    SUPPORT = from_votes(JUDGES)

    def test_worked_by_hand(self):
        assert self.SUPPORT[0][1:] == [0.8, 0.8]
        assert self.SUPPORT[1][2] == 0.6
        everything = partial_order(self.SUPPORT, threshold=0.5)
        assert everything.n_predicted == everything.n_pairs == 3
        assert everything.withheld == []
        assert [p.tolist() for p in everything.positions] == [[1, 2, 3], [1, 2, 3]]
        # A support of just the threshold is not enough.
        some = partial_order(self.SUPPORT, threshold=0.6)
        assert np.argwhere(some.before).tolist() == [[0, 1], [0, 2]]
        assert some.withheld == [(1, 2, 0.6)]
        assert [p.tolist() for p in some.positions] == [[1, 2, 2], [1, 3, 3]]
        assert partial_order(self.SUPPORT, threshold=0.8).n_predicted == 0

    def test_pairs_that_follow_from_others_are_predicted_too(self):
        # a before b and b before c by 0.8; a before c only by 0.6 itself.
        order = partial_order(square(3, [0.8, 0.6, 0.8]), threshold=0.7)
        assert order.before[0, 2]
        assert order.withheld == []

    def test_a_cycle_raises_the_threshold_of_its_case_only(self):
        # Condorcet's cycle: a before b, b before c, c before a, each by 2 of 3.
        cycle = from_votes([(1, 2, 3), (3, 1, 2), (2, 3, 1)])
        order = partial_order(cycle, threshold=0.5)
        assert order.threshold == pytest.approx(2 / 3)
        assert order.n_predicted == 0
        assert [(i, j) for i, j, _ in order.withheld] == [(0, 1), (1, 2), (2, 0)]
        both = abstention_curve(Point([cycle, self.SUPPORT]), [[1, 2, 3]] * 2, thresholds=[0.5])
        assert (both.n_right + both.n_wrong)[:, 0].tolist() == [0, 3]

    def test_ties_are_withheld_and_listed_once(self):
        order = partial_order(from_votes([(1, 2), (2, 1)]), threshold=0.5)
        assert order.withheld == [(0, 1, 0.5)]

    @given(support=reciprocal, threshold=st.sampled_from([0.5, 0.55, 0.6, 0.7, 0.9, 0.95]))
    def test_warshall_and_a_search_say_the_same(self, support, threshold):
        expected, level = naive_order(support, threshold)
        order = partial_order(support, threshold=threshold)
        np.testing.assert_array_equal(order.before, expected)
        assert order.threshold == pytest.approx(level)

    @given(rankings=votes, threshold=st.sampled_from([0.5, 0.6, 0.75]))
    def test_it_is_transitive_without_a_cycle_and_partitions_the_pairs(self, rankings, threshold):
        order = partial_order(from_votes(rankings), threshold=threshold)
        before = order.before
        assert not (before & before.T).any()
        assert not np.diagonal(before).any()
        np.testing.assert_array_equal(before, closure(before.tolist()))
        assert order.n_predicted + len(order.withheld) == order.n_pairs
        first, last = order.positions
        assert (first <= last).all()

    @given(support=reciprocal)
    def test_paths_are_as_strong_as_their_weakest_pair(self, support):
        m = len(support)

        def strongest(i, j, passed=()):
            links = [support[i][j]] if i != j else []
            links += [
                min(support[i][k], strongest(k, j, (*passed, i, k)))
                for k in range(m)
                if k not in (i, j, *passed)
            ]
            return max(links, default=0)

        found = transitive_closure([support])[0]
        for i in range(min(m, 4)):
            for j in range(min(m, 4)):
                if i != j:
                    assert found[i, j] == strongest(i, j)

    @pytest.mark.parametrize("threshold", [0.49, 1, NAN])
    def test_thresholds_out_of_range_are_refused(self, threshold):
        with pytest.raises(ValueError, match=r"at least 0\.5 and below 1"):
            partial_order(self.SUPPORT, threshold=threshold)


class TestCurve:
    def test_worked_by_hand(self):
        support = TestPartialOrders.SUPPORT
        # The truths: as predicted; b first; only b before a known; nothing known.
        truth = [[1, 2, 3], [2, 1, 3], [2, 1, NAN], [NAN, 1, NAN]]
        curve = abstention_curve(Point([support] * 4), truth, thresholds=[0.5, 0.7, 0.8])
        assert curve.n_pairs.tolist() == [3, 3, 1, 0]
        # At 0.5 all pairs are predicted, at 0.7 a before b and a before c, at 0.8 none.
        assert curve.n_right.tolist() == [[3, 2, 0], [2, 1, 0], [0, 0, 0], [0, 0, 0]]
        assert curve.n_wrong.tolist() == [[0, 0, 0], [1, 1, 0], [1, 1, 0], [0, 0, 0]]
        table = curve.frame()
        # Gammas 1, 1/3, -1, then 1, 0, -1; shares of pairs 1, 1, 1, then 2/3, 2/3, 1.
        assert table["correctness"].tolist() == pytest.approx([1 / 9, 0, NAN], nan_ok=True)
        assert table["completeness"].tolist() == pytest.approx([1, 7 / 9, 0])
        assert table["n_answered"].tolist() == [3, 3, 0]
        assert table["share_predicted"].tolist() == pytest.approx([1, 5 / 7, 0])
        assert table["share_right"].tolist() == pytest.approx([5 / 7, 3 / 5, NAN], nan_ok=True)

    @given(supports=st.lists(reciprocal, min_size=1, max_size=4), seed=st.integers(0, 99))
    def test_a_loop_over_cases_thresholds_and_pairs_counts_the_same(self, supports, seed):
        m = min(len(support) for support in supports)
        supports = [[row[:m] for row in support[:m]] for support in supports]
        random = np.random.default_rng(seed)
        truth = random.integers(1, m + 1, (len(supports), m)).astype(float)
        truth[random.random(truth.shape) < 0.2] = NAN
        thresholds = [0.5, 0.6, 0.65, 0.9]
        curve = abstention_curve(Point(supports), truth, thresholds=thresholds)
        for c, (support, ranks) in enumerate(zip(supports, truth, strict=True)):
            for t, threshold in enumerate(thresholds):
                before, _ = naive_order(support, threshold)
                pairs = [(i, j) for i in range(m) for j in range(m) if ranks[i] < ranks[j]]
                assert curve.n_pairs[c] == len(pairs)
                assert curve.n_right[c, t] == sum(before[i, j] for i, j in pairs)
                assert curve.n_wrong[c, t] == sum(before[j, i] for i, j in pairs)

    def test_without_a_pair_to_compare_shares_are_nan(self):
        table = abstention_curve(Point([TestPartialOrders.SUPPORT]), [[NAN, 1, NAN]]).frame()
        assert table[["correctness", "completeness", "share_predicted"]].isna().all(axis=None)

    @pytest.mark.parametrize("thresholds", [[0.6, 0.6], [0.4, 0.6], [0.5, 1.0]])
    def test_thresholds_must_rise_within_the_range(self, thresholds):
        with pytest.raises(ValueError, match="Expected"):
            abstention_curve(Point([[[0.5]]]), [[1.0]], thresholds=thresholds)

    @pytest.mark.parametrize("key", VOTING)
    def test_chunks_do_not_change_it_and_completeness_falls(self, key, monkeypatch):
        data = load_sample("iris")
        split = holdout_split(data)
        model = ALGORITHMS[key].build().fit(data.X[split.train], data.rankings[split.train])
        curve = withhold_pairs(model, data, split.test)
        monkeypatch.setattr("labelrank_core.evaluation.pairs._CHUNK_CELLS", 50)
        again = withhold_pairs(model, data, split.test)
        np.testing.assert_array_equal(curve.n_right, again.n_right)
        np.testing.assert_array_equal(curve.n_wrong, again.n_wrong)
        for counts in (curve.n_right, curve.n_wrong):
            assert (np.diff(counts, axis=1) <= 0).all()

    def test_one_neighbour_withholds_nothing_and_is_as_right_as_kendalls_tau(self):
        data = load_sample("iris")
        split = holdout_split(data)
        model = KNeighborsLabelRanker(1).fit(data.X[split.train], data.rankings[split.train])
        table = withhold_pairs(model, data, split.test).frame()
        tau = kendall_tau_score(data.rankings[split.test], model.predict(data.X[split.test]))
        assert table["correctness"].tolist() == pytest.approx([tau] * len(table))
        assert (table["completeness"] == 1).all()

    def test_methods_of_label_sets_have_no_support(self):
        for method in ALGORITHMS.values():
            assert bool(method.votes) == hasattr(method.estimator, "predict_pair_support")


class TestSupport:
    @pytest.mark.parametrize("weights", ["uniform", "distance"])
    def test_neighbours_are_counted_pair_by_pair(self, weights):
        rng = np.random.default_rng(0)
        X, Y, queries = rng.random((30, 2)), positions(rng, 30, 4, tied=True), rng.random((5, 2))
        model = KNeighborsLabelRanker(6, weights=weights).fit(X, Y)
        found = model.predict_pair_support(queries)
        for x, support in zip(queries, found, strict=True):
            distances = np.sqrt(((X - x) ** 2).sum(axis=1))
            near = np.argsort(distances, kind="stable")[:6]
            own = distances[near[0]] / distances[near] if weights == "distance" else np.ones(6)
            for i in range(4):
                for j in range(4):
                    wins = (Y[near, i] < Y[near, j]) + (Y[near, i] == Y[near, j]) / 2
                    assert support[i, j] == pytest.approx((own * wins).sum() / own.sum())

    def test_partial_neighbours_count_where_they_rank_both(self):
        X, Y = [[0.0], [1.0], [2.0], [9.0]], [[1, 2, NAN], [2, 1, NAN], [1, NAN, 2], [NAN, 2, 1]]
        model = KNeighborsLabelRanker(3, aggregation="kemeny").fit(X, Y)
        (support,) = model.predict_pair_support([[0.5]])
        # a, b: 1 of 2; a, c: the third only; b, c: none of the three, so the fourth.
        assert support.tolist() == [[0.5, 0.5, 1], [0.5, 0.5, 0], [0, 1, 0.5]]

    @pytest.mark.parametrize("aggregation", ["borda", "kemeny"])
    def test_it_is_what_the_explanation_of_partial_rankings_shows(self, aggregation):
        data = load_sample("vehicle")
        rankings = delete_labels(data.rankings, 0.5, seed=1)
        model = KNeighborsLabelRanker(4, aggregation=aggregation).fit(data.X, rankings)
        point = model.point(data.X[:3])
        for case, support in enumerate(point.pair_support()):
            shown = point.explain(case).evidence(WinShares)
            np.testing.assert_array_equal(support, shown.shares)

    @pytest.mark.parametrize("params", [{}, {"max_depth": 2}, {"min_entropy": 1.0}])
    @pytest.mark.parametrize("voting", ["scores", "rankings"])
    def test_trees_are_counted_one_by_one(self, params, voting):
        data = load_sample("iris")
        model = LabelRankingForest(7, voting=voting, **params).fit(data.X, data.rankings)
        queries = data.X[::30] + 0.1
        found = model.predict_pair_support(queries)
        path, wins, before = model.path(queries), 0, 0
        for n_trees in range(1, 8):
            point = path.at(n_estimators=n_trees, voting="scores")
            summed = point.ranks * n_trees
            own, before = summed - before, summed
            first, second = own[:, :, None], own[:, None, :]
            equal = np.isclose(first, second, atol=1e-9)
            wins = wins + np.where(equal, 0.5, first < second)
        np.testing.assert_allclose(found, wins / 7)
        fewer = path.at(n_estimators=3).pair_support(slice(1, 3))
        assert fewer.shape == (2, 3, 3)

    @pytest.mark.parametrize("key", VOTING)
    def test_a_pair_and_its_reverse_share_everything(self, key):
        data = load_sample("iris")
        model = ALGORITHMS[key].build().fit(data.X, data.rankings)
        support = model.predict_pair_support(data.X)
        np.testing.assert_allclose(support + support.transpose(0, 2, 1), 1)
        assert (acyclic_thresholds(transitive_closure(support)) >= 0.5).all()
