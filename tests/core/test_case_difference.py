"""Two methods on the same test cases: who is better, and whether that is clear."""

import numpy as np
import pytest
from scipy import stats

from labelrank_core.comparison.cases import FEWEST, case_difference
from labelrank_core.metrics import METRICS

TAU, LOSS = METRICS["kendall_tau_score"], METRICS["hamming_loss"]
NAN = float("nan")


def test_two_wrong_pairs_against_three_are_no_clear_difference():
    # Three test cases of three pairs each: one wrong pair is a tau of 1/3.
    own, other = np.array([1, 1 / 3, 1 / 3]), np.array([1 / 3, 1 / 3, 1 / 3])
    found = case_difference(own, other, TAU)
    assert found.gain == pytest.approx(2 / 9)
    assert (found.n_different, found.verdict) == (1, "unclear")


def test_the_interval_is_that_of_the_paired_t_test():
    rng = np.random.default_rng(0)
    own = rng.random(40)
    other = own - 0.1 + 0.2 * rng.random(40)
    found = case_difference(own, other, TAU)
    expected = stats.ttest_rel(own, other).confidence_interval()
    assert (found.low, found.high) == pytest.approx(expected)


def test_the_verdict_follows_the_direction_of_the_measure():
    other = np.linspace(0, 0.5, 30)
    more = other + 0.1 + np.linspace(0, 0.02, 30)
    assert case_difference(more, other, TAU).verdict == "better"
    assert case_difference(more, other, LOSS).verdict == "worse"
    assert case_difference(other, more, LOSS).gain == case_difference(more, other, TAU).gain > 0


def test_fewer_than_six_cases_that_differ_decide_nothing():
    # A toss of signs lets all of five fall the same way in 2 of 32 cases, of six in 2 of 64.
    assert 2 / 2 ** (FEWEST - 1) > 0.05 > 2 / 2**FEWEST
    for n, verdict in ((FEWEST - 1, "unclear"), (FEWEST, "better")):
        own = np.ones(n)
        found = case_difference(own, own - 0.5 + np.linspace(0, 0.01, n), TAU)
        assert found.low > 0
        assert found.verdict == verdict


def test_differences_without_a_spread_are_clear_if_there_are_enough():
    found = case_difference(np.full(9, 0.9), np.full(9, 0.8), TAU)
    assert np.isnan([found.low, found.high]).all()
    assert found.verdict == "better"
    rounding = case_difference(np.full(9, 0.1 + 0.2), np.full(9, 0.3), TAU)
    assert (rounding.gain, rounding.n_different, rounding.verdict) == (0, 0, "unclear")


@pytest.mark.parametrize("own", [[], [NAN], [0.5], [0.5, NAN]], ids=str)
def test_a_single_case_with_a_value_has_no_interval(own):
    found = case_difference(np.array(own), np.zeros(len(own)), TAU)
    assert np.isnan(found.low)
    assert found.verdict == "unclear"
