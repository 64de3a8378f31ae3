"""A test of pair probabilities: against plain loops, SciPy's t test, and by its own error rate."""

import numpy as np
import pytest
from scipy import stats

from labelrank_core.evaluation.pair_calibration import pair_calibration, reliability_with_chance
from labelrank_core.evaluation.pair_probabilities import PairProbabilities, joined


def drawn(rng, n_cases, n_pairs, *, cold=0.0):
    """Pairs of a calibrated model whose pairs of a case are right or wrong together.

    `cold`: by how much the model says more than it should.
    """
    true = rng.uniform(0.6, 0.95, n_cases * n_pairs)
    cases = np.repeat(np.arange(n_cases), n_pairs)
    # A case shares one draw in two of three pairs: each pair is right with its own probability.
    shared = rng.random(n_cases)[cases]
    draws = np.where(rng.random(len(true)) < 0.67, shared, rng.random(len(true)))
    return PairProbabilities(np.minimum(true + cold, 1.0), (draws < true).astype(float), cases)


def naive_p(pairs, weight_of):
    """Return the p of a test, summed case by case and pair by pair."""
    sums, variance_of_pairs = {}, 0.0
    for p, y, case in zip(pairs.probability, pairs.outcome, pairs.cases, strict=True):
        sums[case] = sums.get(case, 0.0) + weight_of(p) * (y - p)
        variance_of_pairs += weight_of(p) ** 2 * p * (1 - p)
    totals = list(sums.values())
    n, mean = len(totals), sum(totals) / len(totals)
    variance_of_cases = n / (n - 1) * sum((total - mean) ** 2 for total in totals)
    t = sum(totals) / max(variance_of_cases, variance_of_pairs) ** 0.5
    return 2 * stats.t.sf(abs(t), n - 1)


@pytest.mark.parametrize("seed", range(5))
def test_both_tests_are_those_of_summing_case_by_case(seed):
    pairs = drawn(np.random.default_rng(seed), 30, 6)
    found = pair_calibration(pairs)
    assert found.p == pytest.approx(naive_p(pairs, lambda _: 1.0))
    assert found.brier_p == pytest.approx(naive_p(pairs, lambda p: 1 - 2 * p))
    assert (found.n_cases, found.n_pairs) == (30, 180)


def test_where_cases_vary_more_than_their_pairs_it_is_the_t_test_of_the_cases():
    pairs = drawn(np.random.default_rng(1), 60, 8)
    sums = np.bincount(pairs.cases, pairs.outcome - pairs.probability)
    assert pair_calibration(pairs).p == pytest.approx(stats.ttest_1samp(sums, 0).pvalue)


def test_a_single_pair_a_case_is_spiegelhalters_z():
    # Table 1 of a letter on the Brier score (2009): p = (.2, .2), x = (1, 0) has z = 1.06.
    pairs = PairProbabilities(np.array([0.8, 0.8]), np.array([0.0, 1.0]))
    z = stats.t.isf(pair_calibration(pairs).brier_p / 2, 1)
    weights = (1 - 2 * pairs.probability) * (pairs.outcome - pairs.probability)
    expected = weights.sum() / np.sqrt(max(0.36 * 0.16 * 2, 2 * weights.var(ddof=1)))
    assert z == pytest.approx(expected)
    assert weights.sum() / np.sqrt(0.36 * 0.16 * 2) == pytest.approx(1.06, abs=0.005)


def test_a_calibrated_model_is_seldom_found_wrong_though_its_pairs_depend_on_each_other():
    rng = np.random.default_rng(0)
    found = [pair_calibration(drawn(rng, 50, 10)) for _ in range(200)]
    # 200 tests at the level .05: more than 20 have a probability below .5 %.
    assert sum(each.p <= 0.05 for each in found) <= 20
    assert sum(each.brier_p <= 0.05 for each in found) <= 20
    assert sum(each.low <= each.right <= each.high for each in found) >= 180
    # As if all pairs were independent far more are.
    alone = [PairProbabilities(each.probability, each.outcome) for each in
             (drawn(rng, 50, 10) for _ in range(200))]  # fmt: skip
    assert sum(pair_calibration(each).p <= 0.05 for each in alone) > 40


def test_a_model_that_is_too_sure_is_found_and_lies_outside_of_chance():
    found = pair_calibration(drawn(np.random.default_rng(3), 300, 6, cold=0.1))
    assert found.p < 0.01
    assert found.right < found.low


def test_a_model_that_is_right_on_average_alone_is_found_by_the_second_test():
    cases = np.repeat(np.arange(200), 2)
    # It says .6 and .9, and is right in three of four either way.
    pairs = PairProbabilities(
        np.tile([0.6, 0.9], 200), np.tile([1.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0], 50), cases
    )
    found = pair_calibration(pairs)
    assert found.p > 0.9
    assert found.brier_p < 0.01


def test_what_is_certain_and_right_or_says_nothing_is_not_found_wrong():
    sure = PairProbabilities(np.ones(8), np.ones(8), np.repeat(np.arange(4), 2))
    assert (pair_calibration(sure).p, pair_calibration(sure).brier_p) == (1, 1)
    even = PairProbabilities(np.full(4, 0.5), np.full(4, 0.5))
    assert pair_calibration(even).p == 1
    single = pair_calibration(PairProbabilities(np.array([0.9]), np.array([1.0])))
    assert np.isnan([single.low, single.high, single.p, single.brier_p]).all()


def test_the_range_of_chance_of_a_bin_is_that_of_its_pairs_alone():
    pairs = drawn(np.random.default_rng(4), 40, 5)
    table = reliability_with_chance(pairs)
    for i, row in enumerate(table.itertuples()):
        mask = (pairs.probability >= row.low) & (pairs.probability < row.high)
        alone = pair_calibration(pairs.chosen(mask))
        assert alone.n_pairs == row.pairs, i
        # The more bins there are, the less one of them proves.
        quantiles = stats.t.ppf([0.975, 1 - 0.025 / len(table)], alone.n_cases - 1)
        margin = (alone.probability - alone.low) * quantiles[1] / quantiles[0]
        ends = alone.probability - margin, min(1.0, alone.probability + margin)
        assert (row.chance_low, row.chance_high) == pytest.approx(ends)
    pd_columns = [*pairs.reliability(), "chance_low", "chance_high"]
    assert list(table) == pd_columns


def test_cases_of_parts_that_are_put_together_stay_apart():
    part = PairProbabilities(np.full(3, 0.8), np.ones(3), np.array([4, 4, 7]))
    assert joined([part, part]).cases.tolist() == [0, 0, 1, 2, 2, 3]
