from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelrank_core import aggregation
from labelrank_core.aggregation import CONSENSUS_RULES, aggregate
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


class TestAgainstTheDefinition:
    @pytest.mark.parametrize("weighted", [False, True])
    @pytest.mark.parametrize("tied", [False, True])
    @pytest.mark.parametrize("rule", RULES)
    def test_keys_in_fractions(self, rule, tied, weighted):
        rng = np.random.default_rng(0)
        for _ in range(300):
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
        for _ in range(60):
            rankings = random_rankings(rng, tied=tied)
            self.assert_best("borda", rankings.tolist(), aggregate(rankings).tolist())

    @pytest.mark.parametrize("tied", [False, True])
    def test_the_median_is_optimal_for_the_footrule_where_medians_are_a_ranking(self, tied):
        rng = np.random.default_rng(2)
        n_tried = 0
        for _ in range(900 if tied else 200):
            rankings = random_rankings(rng, tied=tied)
            medians = oracles.consensus_keys("median", rankings.tolist(), [1] * len(rankings))
            found = aggregate(rankings, method="median").tolist()
            unique = len(set(medians)) == len(medians)
            if unique and (not tied or medians == found):
                self.assert_best("median", rankings.tolist(), found)
                n_tried += 1
        assert n_tried > 50

    @staticmethod
    def assert_best(rule, rankings, found):
        orders = permutations(range(1, len(found) + 1))
        best = min(oracles.summed_loss(rule, order, rankings) for order in orders)
        assert oracles.summed_loss(rule, found, rankings) == best

    @pytest.mark.parametrize("rule", RULES)
    def test_largest_losses_by_trying_all(self, rule):
        for n_labels in range(2, 7):
            orders = list(permutations(range(1, n_labels + 1)))
            losses = [oracles.summed_loss(rule, orders[0], [order]) for order in orders]
            assert CONSENSUS_RULES[rule].largest_loss(n_labels) == max(losses)
            mean = Fraction(sum(losses), len(losses))
            assert CONSENSUS_RULES[rule].largest_mean_loss(n_labels) == pytest.approx(float(mean))


class TestManyAtOnce:
    @pytest.mark.parametrize("cells", [1, 64, 1 << 16])
    @pytest.mark.parametrize("weighted", [False, True])
    @pytest.mark.parametrize("rule", RULES)
    def test_every_query_is_as_alone_however_work_is_cut(self, rule, weighted, cells, monkeypatch):
        monkeypatch.setattr(aggregation, "_CHUNK_CELLS", cells)
        rng = np.random.default_rng(3)
        rankings = problems.positions(rng, 30, 5, tied=True)
        rows = np.array([rng.permutation(30)[:6] for _ in range(25)])
        weights = rng.integers(1, 5, size=rows.shape) if weighted else None
        ranks = aggregation.doubled_ranks(rankings)
        keys = CONSENSUS_RULES[rule].keys(ranks, rows, weights)
        found = aggregation.strict_positions(keys)
        losses = aggregation.mean_loss(CONSENSUS_RULES[rule], found, ranks, rows, weights)
        for query, own in enumerate(rows):
            given_weights = [1] * 6 if weights is None else weights[query].tolist()
            expected = oracles.consensus_keys(rule, rankings[own].tolist(), given_weights)
            assert found[query].tolist() == oracles.strict_order(expected)
            single = [
                oracles.summed_loss(rule, found[query].tolist(), [rankings[row].tolist()])
                for row in own
            ]
            mean = oracles.weighted_mean(single, given_weights)
            assert losses[query] == pytest.approx(float(mean))


class TestProperties:
    @given(
        rankings=st.integers(2, 5).flatmap(
            lambda m: st.lists(st.permutations(range(1, m + 1)), min_size=1, max_size=7)
        ),
        rule=st.sampled_from(RULES),
    )
    def test_the_order_of_the_rankings_does_not_matter(self, rankings, rule):
        found = aggregate(rankings, method=rule)
        assert sorted(found) == list(range(1, len(rankings[0]) + 1))
        assert found.tolist() == aggregate(rankings[::-1], method=rule).tolist()

    @given(order=st.integers(2, 6).flatmap(lambda m: st.permutations(range(1, m + 1))))
    def test_unanimous_rankings_are_the_consensus(self, order):
        for rule in RULES:
            assert aggregate([order] * 3, method=rule).tolist() == order


class TestInput:
    @pytest.mark.parametrize("weights", [[1], [1, -1], [1, np.nan], [1, np.inf], [[1, 1]]], ids=str)
    def test_other_weights_are_refused(self, weights):
        with pytest.raises(ValueError, match="one finite weight"):
            aggregate([[1, 2], [2, 1]], weights=weights)

    def test_weights_must_not_all_be_zero(self):
        with pytest.raises(ValueError, match="above zero"):
            aggregate([[1, 2], [2, 1]], weights=[0, 0])

    def test_other_methods_are_refused(self):
        with pytest.raises(ValueError, match=r"'borda', 'median'.*got 'mean'"):
            aggregate([[1, 2]], method="mean")

    def test_partial_rankings_are_refused(self):
        with pytest.raises(ValueError, match="complete rankings in rankings"):
            aggregate([[1, np.nan]])
