"""Consensus by majorities against their definitions, and Kemeny's optima counted one by one."""

from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from labelrank_core.aggregation import aggregate, count_kemeny_optima, kemeny
from labelrank_core.aggregation.kemeny import OptimaCount, count_optima
from labelrank_core.rankings import dense_positions

# Wikipedia's example of Schulze's method: 45 voters, labels A to E.
SCHULZE = [
    (5, "ACBED"),
    (5, "ADECB"),
    (8, "BEDAC"),
    (3, "CABED"),
    (7, "CAEBD"),
    (2, "CBADE"),
    (7, "DCEBA"),
    (8, "EBADC"),
]
# That of ranked pairs: Memphis, Nashville, Chattanooga, Knoxville.
TENNESSEE = [(42, "MNCK"), (26, "NCKM"), (15, "CKNM"), (17, "KCNM")]

rankings = (
    st.tuples(st.integers(2, 5), st.integers(1, 6))
    .flatmap(
        lambda size: arrays.arrays(
            np.float64,
            (size[1], size[0]),
            elements=st.sampled_from([1.0, 2.0, 3.0, 4.0, 5.0, np.nan]),
        )
    )
    .map(dense_positions)
)


def voters(profile, names):
    positions = [[order.index(name) + 1 for name in names] for _, order in profile]
    return positions, [times for times, _ in profile]


def counts_of(positions):
    with np.errstate(invalid="ignore"):
        return (positions[:, :, None] < positions[:, None, :]).sum(axis=0)


def copeland_ranks(counts):
    m = len(counts)
    return [
        1
        + sum(
            (counts[j, i] > counts[i, j]) + (j != i and counts[j, i] == counts[i, j]) / 2
            for j in range(m)
        )
        for i in range(m)
    ]


def schulze_ranks(counts):
    m = len(counts)

    def strength(a, b):
        """The strongest of all simple paths."""
        others = [label for label in range(m) if label not in (a, b)]
        best = 0
        for n in range(len(others) + 1):
            for between in permutations(others, n):
                path = [a, *between, b]
                steps = list(pairwise(path))
                if all(counts[x, y] > counts[y, x] for x, y in steps):
                    best = max(best, min(counts[x, y] for x, y in steps))
        return best

    strengths = np.array([[strength(a, b) if a != b else 0 for b in range(m)] for a in range(m)])
    return copeland_ranks(strengths)


def ranked_pairs_order(counts):
    m = len(counts)
    pairs = [(a, b) for a in range(m) for b in range(m) if counts[a, b] > counts[b, a]]
    pairs.sort(key=lambda pair: (-counts[pair], counts[pair[::-1]], pair))
    kept = []
    for pair in pairs:
        if any(
            all(o.index(a) < o.index(b) for a, b in [*kept, pair]) for o in permutations(range(m))
        ):
            kept.append(pair)
    # Permutations come in the order of the labels.
    order = next(o for o in permutations(range(m)) if all(o.index(a) < o.index(b) for a, b in kept))
    return [order.index(label) + 1 for label in range(m)]


RANKS = {"copeland": copeland_ranks, "schulze": schulze_ranks, "ranked_pairs": ranked_pairs_order}


@pytest.mark.parametrize("rule", RANKS)
@given(rankings)
def test_a_rule_is_what_its_definition_says(rule, rankings):
    ranks = RANKS[rule](counts_of(rankings))
    expected = np.argsort(np.argsort(ranks, kind="stable")) + 1
    assert aggregate(rankings, method=rule).tolist() == expected.tolist()
    if rule != "ranked_pairs":
        tied = aggregate(rankings, method=rule, ties="predict")
        assert tied.tolist() == dense_positions([ranks])[0].tolist()


def test_the_example_of_schulze():
    positions, weights = voters(SCHULZE, "ABCDE")
    # E > A > C > B > D.
    assert aggregate(positions, method="schulze", weights=weights).tolist() == [2, 4, 3, 5, 1]


@pytest.mark.parametrize("rule", RANKS)
def test_the_label_that_beats_all_others_comes_first(rule):
    positions, weights = voters(TENNESSEE, "MNCK")
    # Nashville beats all; then Chattanooga, Knoxville and Memphis, whatever the rule.
    assert aggregate(positions, method=rule, weights=weights).tolist() == [4, 1, 2, 3]


def test_weights_that_are_whole_numbers_tie_where_their_sums_do():
    # 3 voters against 1 + 1 + 1; in shares of the largest weight three thirds would be less.
    for rule in ("copeland", "schulze", "ranked_pairs"):
        found = aggregate(
            [[2, 1], [1, 2], [1, 2], [1, 2]], method=rule, weights=[3, 1, 1, 1], ties="predict"
        )
        assert found.tolist() == [1, 1]


@given(rankings)
def test_every_optimal_order_is_counted(rankings):
    counts, m = counts_of(rankings), rankings.shape[1]
    lost = [
        sum(counts[b, a] for i, a in enumerate(order) for b in order[i + 1 :])
        for order in permutations(range(m))
    ]
    n_optimal = lost.count(min(lost))
    assert count_kemeny_optima(rankings) == n_optimal
    assert count_optima(counts) == OptimaCount(n_optimal)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kemeny, "_QUICKLY_COUNTED", 1)
        bound = count_optima(counts)
    assert 1 <= bound.number <= n_optimal
    assert not bound.is_exact


def test_of_many_labels_the_optima_are_bounded_or_not_counted():
    # Labels 0 to 13 in that order but for two pairs that are level.
    twice = np.array([np.arange(14), [1, 0, 2, 3, 5, 4, *range(6, 14)]]) + 1.0
    assert count_optima(counts_of(twice)) == OptimaCount(3, is_exact=False)
    assert OptimaCount(3, is_exact=False).sentence() == (
        "By Kemeny's rule at least 3 orders do equally well, and the list of labels decides."
    )
    # A cycle of 15 labels is too long to prove that an order is optimal.
    cycle = np.array([np.roll(np.arange(15), i) for i in range(15)]) + 1.0
    assert count_optima(counts_of(cycle)) is None


def test_a_cycle_has_as_many_optima_as_labels():
    cycle = [[1, 2, 3], [3, 1, 2], [2, 3, 1]]
    assert count_kemeny_optima(cycle) == 3
    assert count_kemeny_optima(cycle, weights=[2, 1, 1]) == 1
    assert count_kemeny_optima([[1] * 10]) == 3628800
    with pytest.raises(ValueError, match="at most 16 labels, got 17"):
        count_kemeny_optima([[1] * 17])
