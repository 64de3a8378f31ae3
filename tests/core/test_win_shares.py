"""Win shares against their definition, in exact fractions."""

import tracemalloc
from fractions import Fraction
from math import isnan

import numpy as np
import pytest

from labelrank_core.aggregation import win_shares
from labelrank_core.aggregation.win_shares import SHARE_UNIT, PairTable, win_share_sums
from labelrank_core.rankings import dense_positions, generalised_ranks
from tests.looped import seeds


def share(rankings, weights, a, b):
    """Share of the rankings that rank both labels and prefer a; a tie is half; None: nobody."""
    wins, total = Fraction(0), Fraction(0)
    for row, weight in zip(rankings, weights, strict=True):
        if not isnan(row[a]) and not isnan(row[b]):
            total += weight
            wins += weight * (Fraction(1, 2) if row[a] == row[b] else int(row[a] < row[b]))
    return wins / total if total else None


def summed(everyone, rankings, weights):
    labels, sums = range(len(everyone[0])), []
    for a in labels:
        shares = []
        for b in labels:
            if a != b:
                found = share(rankings, weights, a, b)
                overall = share(everyone, [1] * len(everyone), a, b)
                shares.append(next((s for s in (found, overall) if s is not None), Fraction(1, 2)))
        sums.append(sum(shares))
    return sums


def problem(seed, missing):
    random = np.random.default_rng(seed)
    keys = random.integers(0, 4, (int(random.integers(1, 15)), int(random.integers(2, 6))))
    return dense_positions(np.where(random.random(keys.shape) < missing, np.nan, keys))


@pytest.mark.parametrize("missing", [0.0, 0.3, 0.7])
@seeds(30)
def test_sums_are_those_of_the_definition(seed, missing):
    Y = problem(seed, missing)
    random = np.random.default_rng(seed)
    rows = random.integers(0, len(Y), (4, int(random.integers(1, 7))))
    for weights in (None, random.integers(1, 4, rows.shape)):
        found = win_share_sums(PairTable.from_rankings(Y), rows, weights)
        for query, named in enumerate(rows):
            times = [1] * len(named) if weights is None else weights[query].tolist()
            exact = summed(Y.tolist(), Y[named].tolist(), times)
            assert found[query].tolist() == [value * SHARE_UNIT for value in exact]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("cells", [1, 1 << 18])
def test_a_table_of_all_comparisons_would_give_the_same(cells, weighted, monkeypatch):
    monkeypatch.setattr(win_shares, "_CHUNK_CELLS", cells)
    random = np.random.default_rng(5)
    keys = random.integers(0, 9, (400, 7)).astype(float)
    Y = dense_positions(np.where(random.random(keys.shape) < 0.5, np.nan, keys))
    rows = random.integers(0, 400, (30, 200))
    weights = random.integers(0, 1 << 30, rows.shape) if weighted else None
    first, second = np.triu_indices(7, 1)
    gaps = Y[:, second] - Y[:, first]
    known = ~np.isnan(gaps)
    wins = np.where(known, 1 + np.sign(np.nan_to_num(gaps)), 0)
    times = np.ones(rows.shape) if weights is None else weights
    shares = np.einsum("qk,qkp->qp", times, wins[rows]) / np.einsum(
        "qk,qkp->qp", 2 * times, known[rows]
    )
    units = np.rint(shares * SHARE_UNIT)
    expected = np.zeros((30, 7))
    np.add.at(expected.T, first, units.T)
    np.add.at(expected.T, second, SHARE_UNIT - units.T)
    table = PairTable.from_rankings(Y)
    np.testing.assert_array_equal(win_share_sums(table, rows, weights), expected)
    np.testing.assert_allclose(table.overall, wins.sum(axis=0) / (2 * known.sum(axis=0)))


def test_many_labels_take_no_memory_for_every_pair_of_every_ranking():
    # All comparisons at once would be 2 bytes x 4000 x 19 900 = 159 MB.
    random = np.random.default_rng(0)
    Y = random.random((4000, 200))
    Y[random.random(Y.shape) < 0.5] = np.nan
    table = PairTable.from_rankings(dense_positions(Y))
    tracemalloc.start()
    win_share_sums(table, random.integers(0, 4000, (20, 5)), None)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20e6


def in_circles(everyone, rankings, weights, circles, a, b):
    """The nearest circle's votes and one more: the share in the next wider circle."""
    if not circles:
        overall = share(everyone, [1] * len(everyone), a, b)
        return Fraction(1, 2) if overall is None else overall
    wins, total = Fraction(0), Fraction(0)
    for row, weight in zip(rankings[: circles[0]], weights, strict=False):
        if not isnan(row[a]) and not isnan(row[b]):
            total += weight
            wins += weight * (Fraction(1, 2) if row[a] == row[b] else int(row[a] < row[b]))
    wider = in_circles(everyone, rankings, weights, circles[1:], a, b)
    return (wins + weights[0] * wider) / (total + weights[0])


@pytest.mark.parametrize("circles", [(3,), (1, 4), (2, 5, 9)])
@seeds(20)
def test_wider_circles_add_one_vote(seed, circles):
    Y = problem(seed, 0.5)
    random = np.random.default_rng(seed)
    table, labels = PairTable.from_rankings(Y), range(Y.shape[1])
    rows = random.integers(0, len(Y), (4, circles[-1]))
    for weights in (None, np.sort(random.integers(1, 9, rows.shape), axis=1)[:, ::-1]):
        found = win_share_sums(table, rows, weights, circles)
        for query, named in enumerate(rows):
            times = [1] * len(named) if weights is None else weights[query].tolist()
            for a in labels:
                shares = (
                    in_circles(Y.tolist(), Y[named].tolist(), times, circles, a, b)
                    for b in labels
                    if b != a
                )
                assert found[query, a] == pytest.approx(float(sum(shares) * SHARE_UNIT), abs=5)


def test_complete_rankings_are_ordered_as_by_mean_rank():
    Y = dense_positions(np.random.default_rng(0).integers(0, 3, (17, 5)))
    sums = win_share_sums(PairTable.from_rankings(Y), np.arange(17)[None], None)[0]
    assert sums / SHARE_UNIT == pytest.approx(5 - generalised_ranks(Y).mean(axis=0))


def test_the_middle_score_would_prefer_another_label():
    # Label 0 beats 1 whenever both are ranked; 1 is always there, 0 once: 0 goes first.
    nan = float("nan")
    Y = dense_positions(np.array([[1, 2, 3], [nan, 1, 2], [nan, 1, 2], [nan, 1, 2]]))
    sums = win_share_sums(PairTable.from_rankings(Y), np.arange(4)[None], None)[0]
    assert sums.tolist() == [2 * SHARE_UNIT, SHARE_UNIT, 0]
