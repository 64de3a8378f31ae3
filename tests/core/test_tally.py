"""What decides by each consensus rule, by hand and against every order there is."""

from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import pytest

from labelrank_core.aggregation import CONSENSUS_RULES, aggregate
from labelrank_core.explain.consensus import every_rule
from labelrank_core.explain.differing import differing_profile
from labelrank_core.explain.tally import tally_of
from labelrank_core.rankings import dense_positions
from tests import oracles, oracles_profile
from tests.core.test_majorities import copeland_ranks, counts_of, schulze_ranks
from tests.looped import seeds

RULES = list(CONSENSUS_RULES)


def profile(seed, *, partial):
    rng = np.random.default_rng(seed)
    n, m = rng.integers(1, 6), rng.integers(2, 5)
    keys = rng.integers(0, rng.choice([2, m, 20]), size=(n, m)).astype(float)
    if partial:
        keys[rng.random((n, m)) < 0.3] = np.nan
    return dense_positions(keys), rng.integers(1, 4, size=n)


def numbers(tally):
    return dict(zip(RULES, tally.numbers, strict=True))


def least_with(label, loss, rankings, counts):
    orders = permutations(range(len(rankings[0])))
    led = [order for order in orders if order[0] == label]
    return min(oracles.summed(loss, order, rankings, counts) for order in led)


def test_by_hand():
    # a > b > c twice, b > c > a once. Ranks of a 1, 1, 3, of b 2, 2, 1, of c 3, 3, 2.
    found = numbers(tally_of([[1, 2, 3], [3, 1, 2]], counts=np.array([2, 1])))
    assert [found[key].values.round(2).tolist() for key in RULES] == [
        [1.67, 1.67, 2.67],
        [1, 2, 3],
        # Moved: a > b > c by 4 in the last; b > a > c by 2 in each; c > b > a by 4, 4 and 2.
        [4, 6, 10],
        # Reversed: by a > b > c 2 in the last; by b > a > c 1 in each; by c > a > b 2 in each.
        [2, 3, 6],
        [2, 1, 0],
        # Majorities: a beats b and c, b beats c; no cycle, so every rule keeps them.
        [1, 2, 3],
        [1, 2, 3],
        [1, 2, 3],
    ]
    assert [each.first for each in found.values()] == [0] * 8
    assert [each.is_tied for each in found.values()] == [True, *[False] * 7]


def test_where_all_majorities_of_a_cycle_are_equal_each_label_may_come_first():
    found = numbers(tally_of([[1, 2, 3], [3, 1, 2], [2, 3, 1]]))
    assert [found[key].values.tolist() for key in ("copeland", "schulze", "ranked_pairs")] == [
        [2, 2, 2],
        [2, 2, 2],
        [1, 1, 1],
    ]
    assert all(found[key].is_tied for key in RULES)


@seeds(20)
def test_ranked_pairs_puts_a_label_first_only_if_some_order_of_equal_majorities_does(seed):
    Y, counts = profile(seed, partial=bool(seed % 2))
    everyone = np.repeat(Y, counts, axis=0)
    ahead = counts_of(everyone)
    possible = {places.index(1) for places in all_ranked_pairs(ahead)}
    values = numbers(tally_of(Y, counts=counts))["ranked_pairs"].values
    first = set(np.flatnonzero(values == 1).tolist())
    assert aggregate(everyone, method="ranked_pairs").argmin() in first
    assert first <= possible
    if Y.shape[1] <= 3:
        assert first == possible


def all_ranked_pairs(ahead):
    """Every order that ranked pairs may give, by each order of equal majorities."""
    labels = range(len(ahead))
    pairs = [(a, b) for a in labels for b in labels if ahead[a, b] > ahead[b, a]]
    sizes = {pair: (-ahead[pair], ahead[pair[::-1]]) for pair in pairs}
    groups = [[p for p in pairs if sizes[p] == size] for size in sorted(set(sizes.values()))]
    # The majorities kept that some order of those up to now leaves.
    kept = {()}
    for group in groups:
        kept = {
            keep_acyclic(before, order, labels) for before in kept for order in permutations(group)
        }
    return [
        [order.index(label) + 1 for label in labels]
        for pairs in kept
        for order in permutations(labels)
        if agrees(order, pairs)
    ]


def keep_acyclic(kept, pairs, labels):
    for pair in pairs:
        if any(agrees(order, (*kept, pair)) for order in permutations(labels)):
            kept = (*kept, pair)
    return tuple(sorted(kept))


def agrees(order, pairs):
    return all(order.index(a) < order.index(b) for a, b in pairs)


@pytest.mark.parametrize("partial", [False, True])
@seeds(8)
def test_the_numbers_are_those_of_the_definitions(seed, partial):
    Y, counts = profile(seed, partial=partial)
    tally, rows, weights = tally_of(Y, counts=counts), Y.tolist(), counts.tolist()
    found, labels = numbers(tally), range(Y.shape[1])
    shares = oracles.summed_win_shares(rows, weights)
    expected = {
        "borda": [len(labels) - share for share in shares],
        "median": [oracles.ranked_median(label, rows, weights) for label in labels],
        "footrule": [least_with(label, oracles.displacement, rows, weights) for label in labels],
        "kemeny": [
            least_with(label, oracles.contradicted_pairs, rows, weights) for label in labels
        ],
        "copeland": copeland_ranks(tally.ahead),
        "schulze": schulze_ranks(tally.ahead),
    }
    for key, values in expected.items():
        assert found[key].values == pytest.approx(np.array(values, dtype=float), abs=1e-2), key
    orders = {rule.key: rule.positions for rule in every_rule(Y, counts=counts).rules}
    for key in RULES:
        values, first = found[key].values, found[key].first
        best = values.max() if found[key].is_highest else values.min()
        assert values[first] == best
        assert first == orders[key].index(1)
    everyone = np.repeat(Y, counts, axis=0).tolist()
    for i in labels:
        assert tally.ahead[i].tolist() == [sum(r[i] < r[j] for r in everyone) for j in labels]


@seeds(12)
def test_the_votes_are_those_of_the_most_frequent_ranking_that_a_label_leads(seed):
    rng = np.random.default_rng(seed)
    Y = np.array([rng.permutation(3) + 1 for _ in range(9)])
    rows = [tuple(row) for row in Y.tolist()]
    votes = [max((rows.count(row) for row in rows if row[i] == 1), default=0) for i in range(3)]
    assert numbers(tally_of(Y))["majority"].values.tolist() == votes


@seeds(20)
def test_condorcets_winner_and_a_shortest_cycle_are_found(seed):
    rng = np.random.default_rng(seed)
    Y = np.array([rng.permutation(4) + 1 for _ in range(rng.integers(2, 6))])
    tally, beat = tally_of(Y), oracles_profile.beats(Y.tolist(), 4)
    winners = [i for i in range(4) if all(beat[i][j] for j in range(4) if j != i)]
    assert [tally.beats_all] == (winners or [None])
    assert len(tally.cycle) == (oracles_profile.shortest_cycle(Y.tolist(), 4) or 0)


def test_of_many_labels_only_the_deciding_number_is_computed():
    found = numbers(tally_of([np.arange(1, 31), np.roll(np.arange(1, 31), 1)]))
    for key in ("footrule", "kemeny"):
        assert np.flatnonzero(~np.isnan(found[key].values)).tolist() == [found[key].first]
        assert not found[key].is_tied


@pytest.mark.parametrize(("one", "other"), list(combinations(RULES[:4], 2)))
def test_on_the_profile_found_two_rules_differ_without_a_tie(one, other):
    Y = differing_profile(one, other, seed=3)
    assert len(Y) <= 7
    assert np.array_equal(Y, differing_profile(one, other, seed=3))
    rows, weights, labels = Y.tolist(), [1] * len(Y), range(Y.shape[1])
    compared = {
        "borda": lambda label: Fraction(sum(row[label] for row in rows), len(rows)),
        "median": lambda label: oracles.lower_median([row[label] for row in rows], weights),
        "footrule": lambda label: least_with(label, oracles.displacement, rows, weights),
        "kemeny": lambda label: least_with(label, oracles.contradicted_pairs, rows, weights),
    }
    leaders = []
    for key in (one, other):
        values = [compared[key](label) for label in labels]
        assert values.count(min(values)) == 1
        leaders.append(values.index(min(values)))
    assert leaders[0] != leaders[1]


def test_a_profile_is_found_for_every_pair_of_rules():
    for one, other in combinations(RULES, 2):
        Y = differing_profile(one, other, seed=8)
        assert aggregate(Y, method=one).argmin() != aggregate(Y, method=other).argmin()
    with pytest.raises(ValueError, match="two different consensus rules, got 'borda' twice"):
        differing_profile("borda", "borda", seed=0)
