"""Consensus rules and losses against every order there is, in exact fractions."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelrank_core.aggregation import (
    CONSENSUS_RULES,
    aggregate,
    consensus_losses,
    kemeny,
    rules,
)
from labelrank_core.aggregation.rules import excess_bound
from labelrank_core.aggregation.table import RankTable
from labelrank_core.explain.consensus import every_rule, winners
from labelrank_core.explain.tally import tally_of
from labelrank_core.rankings import dense_positions, orderings_from_positions
from tests import oracles

NAN = float("nan")
SEEDS = range(100)


def random_rankings(seed, *, partial):
    """Small sets of rankings, with ties, duplicates and, if partial, labels left out."""
    rng = np.random.default_rng(seed)
    n, m = rng.integers(1, 7), rng.integers(2, 6)
    keys = rng.integers(0, rng.choice([2, m, 20]), size=(n, m)).astype(float)
    if partial:
        keys[rng.random((n, m)) < rng.choice([0.1, 0.5, 0.8])] = np.nan
    Y = dense_positions(keys)
    Y = Y[rng.integers(0, n, size=n)] if rng.random() < 0.5 else Y
    # Powers of two are kept exactly beside the largest.
    weights = None if rng.random() < 0.4 else 2.0 ** rng.integers(-3, 3, size=n)
    if weights is not None and n > 1:
        weights[rng.integers(0, n)] = 0
    return Y, weights


def cases(*, partial=(False, True)):
    """The random problems, each with what to say where it fails."""
    for seed in SEEDS:
        for each in partial:
            yield (*random_rankings(seed, partial=each), f"{seed=}, partial={each}")


def exact(weights, n):
    return [1] * n if weights is None else [Fraction(w) for w in weights.tolist()]


def consensus(Y, method, weights):
    """Label indices, best first."""
    positions = aggregate(Y, method=method, weights=weights)
    assert sorted(positions) == list(range(1, Y.shape[1] + 1))
    return tuple(orderings_from_positions(positions[None])[0].tolist())


def test_kemeny_is_the_first_of_the_orders_with_fewest_contradictions():
    for Y, weights, case in cases():
        expected = oracles.kemeny_order(Y.tolist(), exact(weights, len(Y)))
        assert consensus(Y, "kemeny", weights) == expected, case


def test_footrule_has_the_least_displacement_on_complete_rankings():
    for Y, weights, case in cases(partial=[False]):
        assert excess_displacement(Y, weights) <= 0, case


def test_footrule_is_the_first_of_the_orders_with_the_least_displacement():
    for Y, weights, case in cases(partial=[False]):
        expected = oracles.footrule_order(Y.tolist(), exact(weights, len(Y)))
        assert consensus(Y, "footrule", weights) == expected, case


def test_footrule_is_the_first_order_where_many_tie():
    # Two rankings that are each other's reverse: many orders displace as little.
    for n_labels in range(2, 7):
        rng = np.random.default_rng(n_labels)
        for _ in range(20):
            Y = np.array([rng.permutation(n_labels) + 1.0 for _ in range(2)])
            expected = oracles.footrule_order(Y.tolist(), [1, 1])
            assert consensus(Y, "footrule", None) == expected, Y


def test_footrule_has_the_least_displacement_on_partial_rankings_but_for_rounding():
    for Y, weights, case in cases(partial=[True]):
        # Expected ranks of partial rankings are kept to 2**-14.
        allowed = sum(exact(weights, len(Y))) * Y.shape[1] * Fraction(1, 2**12)
        assert excess_displacement(Y, weights) <= allowed, case


def excess_displacement(Y, weights):
    """How much more the footrule's order displaces than the best of all orders."""
    whole = exact(weights, len(Y))
    order = consensus(Y, "footrule", weights)
    reached = oracles.summed(oracles.displacement, order, Y.tolist(), whole)
    return reached - oracles.least_displacement(Y.tolist(), whole)


def test_borda_orders_by_summed_win_shares_which_on_complete_rankings_are_borda():
    for Y, weights, case in cases():
        shares = oracles.summed_win_shares(Y.tolist(), exact(weights, len(Y)))
        expected = tuple(oracles.order_by([-share for share in shares]))
        assert consensus(Y, "borda", weights) == expected, case


def test_median_orders_partial_rankings_by_lower_medians():
    for Y, weights, case in cases(partial=[True]):
        whole = exact(weights, len(Y))
        medians = [oracles.ranked_median(j, Y.tolist(), whole) for j in range(Y.shape[1])]
        assert consensus(Y, "median", weights) == tuple(oracles.order_by(medians)), case


@pytest.mark.parametrize("most_compared", [64, 0])
def test_majority_is_the_most_frequent_ranking(most_compared, monkeypatch):
    monkeypatch.setattr(rules, "_MOST_COMPARED", most_compared)
    for Y, weights, case in cases():
        whole = exact(weights, len(Y))
        shown = [str(row) if oracles.compares(row) else "" for row in Y.tolist()]
        votes = [
            sum(w for other, w in zip(shown, whole, strict=True) if other == own)
            if own and mine
            else 0
            for own, mine in zip(shown, whole, strict=True)
        ]
        # Where no ranking that compares labels has a weight, nothing is known of any label.
        first = Y[votes.index(max(votes))].tolist() if max(votes) else [NAN] * Y.shape[1]
        ranks = oracles.expected_ranks(first)
        middle = Fraction(Y.shape[1] + 1, 2)
        keys = [middle if rank is None else rank for rank in ranks]
        assert consensus(Y, "majority", weights) == tuple(oracles.order_by(keys)), case


def test_every_rule_takes_as_many_rankings_as_a_file_may_hold():
    # All pairs of 120 000 rankings would have filled 50 GiB.
    Y = np.argsort(np.random.default_rng(0).random((120_000, 5)), axis=1) + 1.0
    numbers = {each.title: each for each in tally_of(Y).numbers}
    frequent, count = Counter(map(tuple, Y.tolist())).most_common(1)[0]
    first = frequent.index(1.0)
    assert numbers["most frequent ranking"].first == first
    assert numbers["most frequent ranking"].values.max() == count


def test_losses_and_confidences_of_any_order():
    for seed in SEEDS:
        for partial in (False, True):
            Y, weights = random_rankings(seed, partial=partial)
            whole = exact(weights, len(Y))
            order = np.random.default_rng(seed).permutation(Y.shape[1]).tolist()
            positions = [order.index(label) + 1 for label in range(Y.shape[1])]
            losses = consensus_losses(Y, positions, weights=weights)
            for loss in ("squared", "footrule", "kendall"):
                expected = oracles.agreement(loss, order, Y.tolist(), whole)
                found = getattr(losses, f"{loss}_confidence")
                expected = pytest.approx(float(expected or 0), abs=1e-12)
                assert found == expected, (loss, seed, partial)


def test_counts_of_rankings_are_as_many_rankings():
    rng = np.random.default_rng(0)
    for n_labels in (3, 4, 7):
        rankings = np.argsort(rng.normal(size=(6, n_labels)), axis=1) + 1.0
        rankings[:, 0] = np.where(rng.random(6) < 0.4, np.nan, rankings[:, 0])
        rankings, counts = dense_positions(rankings), rng.integers(1, 5, 6)
        found = every_rule(rankings, counts=counts)
        expected = every_rule(np.repeat(rankings, counts, axis=0))
        for own, other in zip(found.rules, expected.rules, strict=True):
            assert own.positions == other.positions
            losses = [(each.squared, each.footrule, each.kendall) for each in (own, other)]
            assert losses[0] == pytest.approx(losses[1])


def test_winners_are_the_rules_with_the_smallest_mean_loss():
    # Two of three want a > b > c, which the median takes; the means are 5/3, 2 and 7/3.
    orders = every_rule([[1, 2, 3], [1, 2, 3], [3, 2, 1]])
    found = winners(orders)
    assert len(found) == 3
    for loss, (smallest, keys) in zip(
        ("squared", "footrule", "kendall"), found.values(), strict=True
    ):
        losses = {rule.key: getattr(rule, loss) for rule in orders.rules}
        assert smallest == min(losses.values())
        assert keys == [key for key, value in losses.items() if value == smallest]
    assert found[next(iter(found))][0] == pytest.approx(8 / 3)


def test_losses_of_a_worked_example():
    # a > b > c against itself and c > b > a: squared 0 and 4 + 0 + 4, absolute 0 and 2 + 0 + 2,
    # pairs 0 and 3; largest 8, 4 and 3.
    losses = consensus_losses([[1, 2, 3], [3, 2, 1]], [1, 2, 3])
    assert (losses.squared, losses.footrule, losses.kendall) == (4, 2, 1.5)
    assert losses.squared_confidence == losses.footrule_confidence == 0.5
    assert losses.kendall_confidence == 0.5


def test_condorcet_winner_leads_kemeny_and_may_lose_borda():
    # Three say a > b > c, two b > c > a: a beats both 3 to 2; mean ranks a 9/5, b 8/5.
    Y = [[1, 2, 3]] * 3 + [[3, 1, 2]] * 2
    assert aggregate(Y, method="kemeny").tolist() == [1, 2, 3]
    assert aggregate(Y, method="borda").tolist() == [2, 1, 3]
    assert aggregate(Y, method="majority").tolist() == [1, 2, 3]


def test_equal_medians_need_not_be_optimal_and_footrule_is():
    # Lower medians of [[2, 3, 1], [1, 1, 1]] (ranks 2, 3, 1 and 2, 2, 2) are 2, 2, 1.
    Y = [[2, 3, 1], [3, 1, 2], [1, 1, 1], [1, 2, 3]]
    best = oracles.least_displacement(Y, [1] * 4)
    order = consensus(np.array(Y, dtype=float), "footrule", None)
    assert oracles.summed(oracles.displacement, order, Y, [1] * 4) == best


def test_majorities_in_a_circle_are_broken_where_it_costs_least():
    # a > b 4 to 3, b > c 5 to 2, c > a 5 to 2: giving up a > b costs 1, the others 3 each.
    Y = [[1, 2, 3]] * 2 + [[2, 3, 1]] * 2 + [[3, 1, 2]] * 3
    assert aggregate(Y, method="kemeny").tolist() == [3, 1, 2]


def test_where_everything_ties_labels_stand_by_index():
    Y = [[1, 2, 3, 4], [4, 3, 2, 1]]
    for method in ("borda", "footrule", "kemeny", "majority"):
        assert aggregate(Y, method=method).tolist() == [1, 2, 3, 4], method
    assert aggregate([[1, 1, 1]] * 3, method="footrule").tolist() == [1, 2, 3]


def test_rankings_without_any_label_leave_the_order_of_the_data():
    for method in CONSENSUS_RULES:
        positions = aggregate([[NAN, NAN, NAN], [NAN, 1, NAN]], method=method)
        assert positions.tolist() == [1, 2, 3], method


def test_missing_labels_do_not_pull_to_the_middle():
    # b is ranked once, ahead of a; a comes first in two rankings of three labels without b.
    Y = [[2, 1, NAN, NAN], [1, NAN, 2, 3], [1, NAN, 2, 3]]
    # Shares: b over a 1; a over c, d 1, 1; c over d 1; b and c, d were never compared: 1/2 each.
    assert aggregate(Y, method="borda").tolist() == [1, 2, 3, 4]
    table = RankTable.from_rankings(np.array(Y))
    shares = table.win_shares(np.arange(3)[None], None)[0]
    assert shares[1].tolist() == [1, 0.5, 0.5, 0.5]


def test_long_circles_are_ordered_well_and_the_excess_is_bounded(monkeypatch):
    rng = np.random.default_rng(0)
    table = RankTable.from_rankings(dense_positions(rng.random((300, 9))))
    rows = rng.integers(0, 300, size=(60, 7))
    counts = kemeny.preference_counts(table, rows, None)
    best = [cost(c, kemeny.kemeny_order(c).ordering) for c in counts]
    assert not excess_bound(table, rows, None).any()
    monkeypatch.setitem(kemeny.kemeny_order.__globals__, "EXACT_LABELS", 2)
    found = [kemeny.kemeny_order(c) for c in counts]
    excess = np.array([cost(c, o.ordering) for c, o in zip(counts, found, strict=True)]) - best
    assert (excess >= 0).all()
    assert (excess <= [order.excess for order in found]).all()
    assert excess.sum() <= 0.02 * sum(best)
    for order, c in zip(found, counts, strict=True):
        assert cost(c, order.ordering) <= cost(c, order.ordering[::-1])


def cost(counts, ordering):
    return int(np.tril(counts[np.ix_(ordering, ordering)], -1).sum())


@given(st.integers(0, 10**6), st.permutations(range(4)))
def test_renaming_labels_renames_optimal_losses(seed, shuffled):
    rng = np.random.default_rng(seed)
    Y = dense_positions(rng.random((5, 4)))
    for method, loss in (("kemeny", "kendall"), ("footrule", "footrule"), ("borda", "squared")):
        own = consensus_losses(Y, aggregate(Y, method=method))
        renamed = consensus_losses(Y[:, shuffled], aggregate(Y[:, shuffled], method=method))
        assert getattr(own, loss) == pytest.approx(getattr(renamed, loss))


def test_a_consensus_of_other_labels_is_refused():
    with pytest.raises(ValueError, match="as many labels"):
        consensus_losses([[1, 2]], [1, 2, 3])
    with pytest.raises(ValueError, match="without ties"):
        consensus_losses([[1, 2]], [1, 1])
