"""Consensus by hand, Borda and median against their definition, many consensuses at once.

The other rules, and partial rankings, have their oracles in `test_consensus_rules`.
"""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelrank_core.aggregation import CONSENSUS_RULES, LOSSES, aggregate, sums, win_shares
from labelrank_core.aggregation.losses import losses_to
from labelrank_core.aggregation.table import RankTable
from labelrank_core.rankings import dense_positions, strict_positions
from tests import oracles, problems

RULES = list(CONSENSUS_RULES)


def random_rankings(rng, *, tied):
    return problems.positions(rng, int(rng.integers(1, 8)), int(rng.integers(2, 6)), tied=tied)


class TestWorkedByHand:
    # Ranks of a: 1, 1, 3, 3; of b: 2, 3, 1, 2; of c: 3, 2, 2, 1.
    RANKINGS = ((1, 2, 3), (1, 3, 2), (3, 1, 2), (3, 2, 1))

    def test_borda_orders_by_mean_rank(self):
        # Means 2, 2, 2: by index.
        assert aggregate(self.RANKINGS).tolist() == [1, 2, 3]
        # Without the last: 5/3, 2, 7/3.
        assert aggregate(self.RANKINGS[:3]).tolist() == [1, 2, 3]
        # Without the first: 7/3, 2, 5/3.
        assert aggregate(self.RANKINGS[1:]).tolist() == [3, 2, 1]

    def test_the_median_is_the_lower_one(self):
        # Sorted 1 1 3 3, 1 2 2 3, 1 2 2 3: lower medians 1, 2, 2 (middle means 2, 2, 2).
        assert aggregate(self.RANKINGS, method="median").tolist() == [1, 2, 3]
        # Weight 2 on the last: half is 2.5; a: 1 1 3 3 3 -> 3, b: 1 2 2 2 3 -> 2, c: 1 1 -> 2.
        assert aggregate(self.RANKINGS, method="median", weights=[1, 1, 1, 2]).tolist() == [3, 1, 2]

    def test_tied_labels_have_their_mean_place(self):
        # a = b > c and c > a > b: a 1.5 + 2, b 1.5 + 3, c 3 + 1.
        assert aggregate([[1, 1, 2], [2, 3, 1]]).tolist() == [1, 3, 2]

    def test_a_weight_counts_as_so_many_copies(self):
        assert aggregate([[1, 2], [2, 1]], weights=[1, 2]).tolist() == [2, 1]

    def test_a_zero_weight_counts_nothing(self):
        assert aggregate([[2, 1], [1, 2]], weights=[0, 1]).tolist() == [1, 2]
        # One vote each: the first of those that vote.
        rankings = [[2, 1], [1, 2], [2, 1]]
        assert aggregate(rankings, method="majority", weights=[0, 1, 1]).tolist() == [1, 2]


class TestAgainstTheDefinition:
    @pytest.mark.parametrize("weighted", [False, True])
    @pytest.mark.parametrize("tied", [False, True])
    @pytest.mark.parametrize("rule", ["borda", "median"])
    def test_keys_in_fractions(self, rule, tied, weighted):
        rng = np.random.default_rng(0)
        for _ in range(100):
            rankings = random_rankings(rng, tied=tied)
            # Parts of the largest that are whole in units of 2**-30.
            weights = [1] * len(rankings)
            if weighted:
                weights = [8, *rng.integers(0, 9, size=len(rankings) - 1).tolist()]
            keys = oracles.consensus_keys(rule, rankings.tolist(), weights)
            found = aggregate(rankings, method=rule, weights=weights if weighted else None)
            assert found.tolist() == oracles.strict_order(keys)

    @pytest.mark.parametrize("tied", [False, True])
    def test_borda_is_optimal_for_the_squared_loss(self, tied):
        rng = np.random.default_rng(1)
        for _ in range(20):
            rankings = random_rankings(rng, tied=tied)
            self.assert_best("borda", rankings.tolist(), aggregate(rankings).tolist())

    @pytest.mark.parametrize("tied", [False, True])
    def test_the_median_is_optimal_for_the_footrule_where_medians_are_a_ranking(self, tied):
        rng = np.random.default_rng(2)
        n_tried = 0
        for _ in range(450 if tied else 100):
            rankings = random_rankings(rng, tied=tied)
            medians = oracles.consensus_keys("median", rankings.tolist(), [1] * len(rankings))
            found = aggregate(rankings, method="median").tolist()
            unique = len(set(medians)) == len(medians)
            if unique and (not tied or medians == found):
                self.assert_best("median", rankings.tolist(), found)
                n_tried += 1
        assert n_tried > 25

    @staticmethod
    def assert_best(rule, rankings, found):
        orders = permutations(range(1, len(found) + 1))
        best = min(oracles.summed_loss(rule, order, rankings) for order in orders)
        assert oracles.summed_loss(rule, found, rankings) == best

    @pytest.mark.parametrize("loss", LOSSES)
    def test_largest_losses_by_trying_all(self, loss):
        for n_labels in range(2, 7):
            orders = list(permutations(range(1, n_labels + 1)))
            losses = [oracles.restricted_loss(loss, range(n_labels), order)[0] for order in orders]
            assert LOSSES[loss].largest(n_labels) == max(losses)
            # The best consensus agrees with one of k rankings at least: 1 - 1/k.
            mean = Fraction(1, 2) if loss == "contradicted" else Fraction(sum(losses), len(losses))
            assert LOSSES[loss].largest_mean(n_labels, 2) == pytest.approx(float(mean))


class TestManyAtOnce:
    @pytest.mark.parametrize("cells", [1, 64, 1 << 16])
    @pytest.mark.parametrize("partial", [False, True])
    @pytest.mark.parametrize("weighted", [False, True])
    @pytest.mark.parametrize("rule", RULES)
    def test_every_query_is_as_alone_however_work_is_cut(
        self, rule, weighted, partial, cells, monkeypatch
    ):
        for module in (sums, win_shares):
            monkeypatch.setattr(module, "_CHUNK_CELLS", cells)
        rng = np.random.default_rng(3)
        keys = rng.integers(0, 5, size=(30, 5)).astype(float)
        keys[rng.random(keys.shape) < (0.4 if partial else 0)] = np.nan
        rankings = dense_positions(keys)
        rows = np.array([np.sort(rng.permutation(30)[:6]) for _ in range(25)])
        weights = rng.integers(1, 5, size=rows.shape) if weighted else None
        table = RankTable.from_rankings(rankings)
        found = strict_positions(CONSENSUS_RULES[rule].rank(table, rows, weights).keys)
        losses = losses_to(CONSENSUS_RULES[rule].measure, found, table, rows, weights)
        for query, own in enumerate(rows):
            given_weights = np.zeros(30, dtype=int)
            given_weights[own] = 1 if weights is None else weights[query]
            alone = aggregate(rankings, method=rule, weights=given_weights)
            assert found[query].tolist() == alone.tolist()
            expected = self.mean_loss(rule, alone, rankings.tolist(), given_weights.tolist())
            assert losses.mean[query] == pytest.approx(float(expected))

    @staticmethod
    def mean_loss(rule, positions, rankings, weights):
        order = np.argsort(positions).tolist()
        losses = [
            (oracles.restricted_loss(CONSENSUS_RULES[rule].loss, order, ranking)[0], weight)
            for ranking, weight in zip(rankings, weights, strict=True)
            if oracles.compares(ranking)
        ]
        return oracles.weighted_mean(*zip(*losses, strict=True))


class TestProperties:
    @given(
        rankings=st.integers(2, 5).flatmap(
            lambda m: st.lists(st.permutations(range(1, m + 1)), min_size=1, max_size=7)
        ),
        # Of equally frequent rankings "majority" takes the first.
        rule=st.sampled_from([rule for rule in RULES if rule != "majority"]),
    )
    def test_the_order_of_the_rankings_does_not_matter(self, rankings, rule):
        found = aggregate(rankings, method=rule)
        assert sorted(found) == list(range(1, len(rankings[0]) + 1))
        assert found.tolist() == aggregate(rankings[::-1], method=rule).tolist()

    @given(order=st.integers(2, 6).flatmap(lambda m: st.permutations(range(1, m + 1))))
    def test_unanimous_rankings_are_the_consensus(self, order):
        for rule in RULES:
            assert aggregate([order] * 3, method=rule).tolist() == order


class TestTiesAtRandom:
    @pytest.mark.parametrize("rule", CONSENSUS_RULES)
    def test_every_order_of_tied_labels_is_as_likely(self, rule):
        # All six rankings of three labels, each once: labels 0, 1 and 2 tie under every rule.
        rankings = np.array(list(permutations([1, 2, 3])))
        orders = [tuple(aggregate(rankings, method=rule, random_state=i)) for i in range(1200)]
        counts = [orders.count(order) for order in permutations([1, 2, 3])]
        # 200 of each are expected, with a standard deviation of 12.9.
        assert min(counts) > 130
        assert max(counts) < 270

    @pytest.mark.parametrize("rule", CONSENSUS_RULES)
    def test_a_seed_decides_once_and_only_among_ties(self, rule):
        rng = np.random.default_rng(3)
        for seed in range(40):
            order = rng.permutation(5) + 1
            rankings = np.vstack([np.tile(order, (4, 1)), problems.positions(rng, 3, 5)])
            assert aggregate(rankings[:4], method=rule, random_state=seed).tolist() == [*order]
            twice = [aggregate(rankings, method=rule, random_state=seed) for _ in range(2)]
            assert twice[0].tolist() == twice[1].tolist()
            # The weights go with their rankings.
            weights = [0, 0, 0, 0, 1, 0, 0]
            alone = aggregate(rankings, method=rule, weights=weights, random_state=seed)
            assert alone.tolist() == rankings[4].tolist()

    def test_weights_that_do_not_fit_are_refused(self):
        with pytest.raises(ValueError, match="one finite weight"):
            aggregate([[1, 2], [2, 1]], weights=[1.0], random_state=0)


class TestInput:
    @pytest.mark.parametrize("weights", [[1], [1, -1], [1, np.nan], [1, np.inf], [[1, 1]]], ids=str)
    def test_other_weights_are_refused(self, weights):
        with pytest.raises(ValueError, match="one finite weight"):
            aggregate([[1, 2], [2, 1]], weights=weights)

    def test_weights_must_not_all_be_zero(self):
        with pytest.raises(ValueError, match="above zero"):
            aggregate([[1, 2], [2, 1]], weights=[0, 0])

    def test_other_methods_are_refused(self):
        with pytest.raises(ValueError, match=r"'borda'.*'median'.*got 'mean'"):
            aggregate([[1, 2]], method="mean")
