"""Bucket orders against every one there is, in exact fractions."""

from fractions import Fraction

import numpy as np
import pytest

from labelrank_core.aggregation import CONSENSUS_RULES, aggregate
from labelrank_core.aggregation import bucket_orders as module
from labelrank_core.aggregation.bucket_orders import (
    PairVotes,
    bucket_orders,
    buckets_within,
    cut_orders,
    most_gains,
    summed_gains,
)
from labelrank_core.aggregation.table import RankTable
from labelrank_core.metrics import kemeny_distance, tau_x_score
from tests import oracles
from tests.core.test_consensus_rules import cases, exact
from tests.looped import seeds

NAN = float("nan")


def random_gains(seed, n_queries, n_labels, largest=4):
    gains = np.random.default_rng(seed).integers(
        -largest, largest, size=(n_queries, n_labels, n_labels)
    )
    gains[:, np.arange(n_labels), np.arange(n_labels)] = 0
    return gains


def enumerated(gains):
    """The bucket orders with the most gains, found among all."""
    orders = np.array(oracles.bucket_orders(len(gains)))
    sums = (gains * (orders[:, :, None] < orders[:, None, :])).sum(axis=(1, 2))
    return sums.max(), [tuple(order) for order in orders[sums == sums.max()].tolist()]


def votes_of(rankings, weights=None):
    rankings = np.asarray(rankings, dtype=float)
    rows = np.arange(len(rankings))[None]
    own = None if weights is None else np.asarray(weights)[None]
    return PairVotes.of_rankings(RankTable.from_rankings(rankings), rows, own)


class TestWorkedByHand:
    # Three voters for a > b, one against, one tie: the order gains 3 - 1 - 1 = 1 over a tie. Two
    # of them for a > c, three ties: 2 - 0 - 3 = -1, so these tie, and b > c is as a > b.
    RANKINGS = ((1, 2, 1), (1, 2, 1), (1, 2, 1), (2, 1, 3), (1, 1, 2))

    def test_the_gain_of_an_order_is_what_it_saves_over_a_tie(self):
        gains = votes_of(self.RANKINGS).gains[0]
        assert gains.tolist() == [[0, 1, -1], [-3, 0, -1], [-5, 1, 0]]

    def test_the_best_bucket_order_may_tie_labels_that_few_tie(self):
        # a and c ahead of b gains 1 + 1.
        assert bucket_orders(votes_of(self.RANKINGS).gains).tolist() == [[1, 2, 1]]
        consensus = aggregate(self.RANKINGS, method="kemeny", ties="predict")
        assert consensus.tolist() == [1, 2, 1]

    def test_half_of_the_votes_are_not_enough_for_an_order(self):
        assert aggregate([[1, 2], [1, 1]], method="kemeny", ties="predict").tolist() == [1, 1]
        assert aggregate([[1, 2], [2, 1]], method="kemeny", ties="predict").tolist() == [1, 1]

    def test_a_gap_ties_labels_with_the_first_of_their_bucket(self):
        # b and c are within the gap of a, d of c but not of a.
        keys = np.array([[10, 14, 15, 19]])
        assert buckets_within(keys, 5).tolist() == [[1, 1, 1, 2]]
        assert buckets_within(keys, 4).tolist() == [[1, 1, 2, 2]]
        assert buckets_within(keys, 0).tolist() == [[1, 2, 3, 4]]

    def test_agreement_is_the_mean_tau_x_on_the_scale_of_shares(self):
        votes = votes_of(self.RANKINGS)
        order = np.array([[1, 2, 1]])
        tau = tau_x_score(self.RANKINGS, np.repeat(order, 5, axis=0))
        assert votes.agreement(order) == pytest.approx((1 + tau) / 2)


@pytest.mark.parametrize("n_labels", [2, 3, 4, 5])
def test_up_to_eight_labels_they_are_the_best_of_all(n_labels):
    gains = random_gains(n_labels, 60, n_labels)
    for own, order in zip(gains, bucket_orders(gains).tolist(), strict=True):
        assert tuple(order) == oracles.preferred_bucket_order(enumerated(own)[1])


@seeds(3)
def test_local_search_finds_most_of_the_best_and_never_claims_more(seed):
    gains = random_gains(seed, 100, 8)
    best = summed_gains(gains, bucket_orders(gains))
    found = module._improved_orders(gains)
    reached = summed_gains(gains, found)
    assert (reached <= best).all()
    assert (best <= most_gains(gains)).all()
    assert np.mean(reached == best) > 0.8
    assert reached.sum() > 0.98 * best.sum()


def test_beyond_eight_labels_no_move_of_a_label_gains():
    gains = random_gains(0, 20, 11)
    positions = bucket_orders(gains)
    for own, order in zip(gains, positions, strict=True):
        assert sorted(set(order.tolist())) == list(range(1, order.max() + 1))
        reached = summed_gains(own[None], order[None])[0]
        for label in range(11):
            moved = np.repeat(2.0 * order[None], 25, axis=0)
            moved[:, label] = np.arange(25)
            assert summed_gains(np.repeat(own[None], 25, axis=0), moved).max() <= reached


@seeds(3)
def test_votes_that_agree_are_found_by_local_search_too(seed):
    rng = np.random.default_rng(seed)
    keys = rng.integers(0, 6, size=(50, 12))
    truth = np.array([np.unique(row, return_inverse=True)[1] + 1 for row in keys])
    ahead = truth[:, :, None] < truth[:, None, :]
    assert np.array_equal(bucket_orders(PairVotes.of_shares(ahead * 0.9).gains), truth)


@seeds(5)
def test_cuts_are_the_best_of_all_cuts_of_an_order(seed):
    gains = random_gains(seed, 20, 5)
    keys = np.random.default_rng(seed).integers(0, 4, size=(20, 5))
    found = cut_orders(keys, gains)
    for own, key, order in zip(gains, keys.tolist(), found.tolist(), strict=True):
        all_cuts = np.array(list(oracles.cuts(key)))
        sums = summed_gains(np.repeat(own[None], len(all_cuts), axis=0), all_cuts)
        best = [tuple(cut) for cut in all_cuts[sums == sums.max()].tolist()]
        assert tuple(order) == oracles.preferred_bucket_order(best)


def test_kemeny_with_ties_has_the_least_distance_to_partial_and_weighted_rankings():
    for Y, weights, case in cases():
        least, orders = oracles.least_kemeny_distance(Y.tolist(), exact(weights, len(Y)))
        found = aggregate(Y, method="kemeny", weights=weights, ties="predict")
        assert tuple(found.tolist()) == oracles.preferred_bucket_order(orders), (case, least)


@pytest.mark.parametrize("rule", ["borda", "median", "footrule"])
def test_other_rules_cut_their_order_where_that_is_nearest(rule):
    for Y, weights, case in cases():
        table = RankTable.from_rankings(Y)
        whole = None if weights is None else (weights * 64).astype(np.int64)[None]
        keys = CONSENSUS_RULES[rule].rank(table, np.arange(len(Y))[None], whole).keys[0]
        found = tuple(aggregate(Y, method=rule, weights=weights, ties="predict").tolist())
        distances = {}
        for cut in oracles.cuts(keys.tolist()):
            own = kemeny_distance(Y, np.repeat([cut], len(Y), axis=0), average=None)
            counts = np.ones(len(Y)) if weights is None else weights
            distances[cut] = np.nansum(own * counts)
        least = min(distances.values())
        best = [cut for cut, own in distances.items() if own == pytest.approx(least)]
        assert found == oracles.preferred_bucket_order(best), case


def test_the_most_frequent_ranking_keeps_its_ties():
    Y = [[1, 2, 2], [2, 1, 3], [1, 2, 2]]
    assert aggregate(Y, method="majority", ties="predict").tolist() == [1, 2, 2]


@pytest.mark.parametrize(("gap", "expected"), [(0.25, [1, 2, 2]), (0.2, [1, 2, 3]), (2, [1, 1, 1])])
def test_scores_with_a_gap(gap, expected):
    # Mean ranks 1.5, 2.125 and 2.375.
    Y = [[1, 2, 3], [1, 2, 3], [1, 2, 2], [3, 2, 1]]
    assert aggregate(Y, ties="predict", tie_gap=gap).tolist() == expected


def test_a_seed_draws_one_of_equally_good_bucket_orders():
    # a > b, b > c and c > a, each by two of three: an order with the cycle gains 1 + 1 - 1.
    Y = [[1, 2, 3], [3, 1, 2], [2, 3, 1]]
    assert aggregate(Y, method="kemeny", ties="predict").tolist() == [1, 2, 3]
    best = oracles.least_kemeny_distance(Y, [Fraction(1)] * 3)[1]
    drawn = {
        tuple(aggregate(Y, method="kemeny", ties="predict", random_state=seed).tolist())
        for seed in range(30)
    }
    assert drawn == set(best) == {(1, 2, 3), (3, 1, 2), (2, 3, 1)}


def test_a_query_is_as_alone_however_work_is_cut(monkeypatch):
    for n_labels in (5, 10):
        gains = random_gains(1, 40, n_labels)
        together = bucket_orders(gains)
        assert np.array_equal(np.vstack([bucket_orders(one[None]) for one in gains]), together)
        monkeypatch.setattr(module, "_CELLS", 1000)
        assert np.array_equal(bucket_orders(gains), together)


def test_pairs_that_no_ranking_compares_tie():
    Y = [[1, 2, NAN, NAN], [NAN, NAN, 1, NAN]]
    assert aggregate(Y, method="kemeny", ties="predict").tolist() == [1, 2, 1, 1]
    assert votes_of([[1, NAN], [NAN, NAN]]).agreement(np.array([[1, 1]])).tolist() == [0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ties": "keep"}, r"Expected ties in \['break', 'predict'\], got 'keep'."),
        ({"tie_gap": -1}, "Expected tie_gap of at least 0, or None, got -1."),
        ({"tie_gap": NAN}, "Expected tie_gap of at least 0, or None, got nan."),
    ],
)
def test_other_parameters_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        aggregate([[1, 2]], **options)
