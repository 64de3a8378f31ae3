"""The risk-coverage curve, the bootstrap band and the confident mistakes."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelrank_core.evaluation.confidence.band import accuracy_band
from labelrank_core.evaluation.confidence.curves import (
    accuracy_after_rejecting,
    accuracy_by_confidence,
)
from labelrank_core.evaluation.confidence.mistakes import confident_mistakes
from labelrank_core.evaluation.confidence.risk import risk_coverage

NAN = float("nan")
case_lists = st.lists(
    st.tuples(st.sampled_from([0.2, 0.4, 0.5, 0.75, 1.0]), st.sampled_from([-1.0, 0.0, 0.5, 1.0])),
    min_size=1,
    max_size=30,
)


def naive_area(accuracies):
    """Mean over i of the mean loss of the first i, in exact fractions."""
    losses = [1 - Fraction(right) for right in accuracies]
    risks = [sum(losses[:i]) / i for i in range(1, len(losses) + 1)]
    return sum(risks) / len(risks)


class TestRiskCoverage:
    def test_worked_by_hand(self):
        # By falling confidence the losses are 0, 0.5, 0, 1: means 0, 1/4, 1/6, 3/8.
        curve = risk_coverage([0.7, 0.9, 0.6, 0.8], [1.0, 1.0, 0.0, 0.5])
        assert curve.risk.tolist() == pytest.approx([0, 1 / 4, 1 / 6, 3 / 8])
        # The best order has the losses 0, 0, 0.5, 1: means 0, 0, 1/6, 3/8.
        assert curve.best.tolist() == pytest.approx([0, 0, 1 / 6, 3 / 8])
        assert curve.area == pytest.approx((1 / 4 + 1 / 6 + 3 / 8) / 4)
        assert curve.best_area == pytest.approx((1 / 6 + 3 / 8) / 4)
        assert curve.random_area == pytest.approx(3 / 8)
        assert curve.excess == pytest.approx(1 / 16)
        # (36 - 19) / (36 - 13) ninety-sixths above.
        assert curve.gain == pytest.approx(17 / 23)
        assert curve.frame()["share_kept"].tolist() == [0.25, 0.5, 0.75, 1]

    def test_ties_give_the_mean_over_all_ways_to_break_them(self):
        cases = [(2, 5), (1, 0), (2, 7), (1, 3), (2, 1), (3, 9)]
        areas = [
            naive_area([right for _, right in sorted(order, key=lambda case: -case[0])])
            for order in permutations(cases)
        ]
        curve = risk_coverage(*zip(*cases, strict=True))
        assert curve.area == pytest.approx(float(sum(areas) / len(areas)))
        assert curve.best_area == pytest.approx(float(naive_area([9, 7, 5, 3, 1, 0])))

    def test_a_random_order_is_expected_at_the_mean_loss(self):
        areas = [naive_area(order) for order in permutations([0, 1, 4, 9, 2])]
        curve = risk_coverage([0.5] * 5, [0, 1, 4, 9, 2])
        assert curve.random_area == pytest.approx(float(sum(areas) / len(areas)))
        assert curve.area == pytest.approx(curve.random_area)
        assert curve.gain == pytest.approx(0)

    @given(cases=case_lists)
    def test_no_order_is_better_than_the_best_one(self, cases):
        confidence, accuracy = np.array(cases).T
        curve = risk_coverage(confidence, accuracy)
        assert (curve.best <= curve.risk + 1e-12).all()
        again = risk_coverage(confidence[::-1], accuracy[::-1])
        assert again.area == pytest.approx(curve.area)
        by_accuracy = risk_coverage(accuracy, accuracy)
        assert by_accuracy.excess == pytest.approx(0)
        assert np.isnan(by_accuracy.gain) or by_accuracy.gain == pytest.approx(1)
        worst = risk_coverage(-accuracy, accuracy)
        assert np.isnan(worst.gain) or worst.gain < 0

    def test_cases_without_accuracy_or_confidence_are_left_out(self):
        with_nan = risk_coverage([0.5, 0.9, 0.1, NAN], [0.2, 0.4, NAN, 1.0])
        assert with_nan.risk.tolist() == risk_coverage([0.5, 0.9], [0.2, 0.4]).risk.tolist()

    def test_without_a_case_areas_are_nan_and_the_table_is_empty(self):
        curve = risk_coverage([0.5], [NAN])
        assert np.isnan([curve.area, curve.best_area, curve.random_area, curve.gain]).all()
        assert len(curve.frame()) == 0

    def test_equally_accurate_cases_have_nothing_to_gain(self):
        curve = risk_coverage([0.5, 0.6], [1.0, 1.0])
        assert curve.area == curve.excess == 0
        assert np.isnan(curve.gain)

    def test_long_curves_are_tabulated_at_few_coverages_with_both_ends(self):
        table = risk_coverage(np.arange(1000), np.arange(1000) / 1000).frame(max_rows=11)
        assert len(table) == 11
        assert table["share_kept"].iloc[[0, -1]].tolist() == [0.001, 1]


class TestBand:
    def test_each_resample_is_what_a_loop_over_its_cases_says(self):
        random = np.random.default_rng(5)
        confidence, accuracy = random.integers(1, 4, 40) / 4, random.random(40)
        band = accuracy_band(
            confidence, accuracy, levels=[0.25, 0.5, 0.75], coverage=0.8, n_resamples=50, seed=3
        )
        drawn = np.random.default_rng(3).integers(40, size=(50, 40))
        for row in band.itertuples():
            means = []
            for cases in drawn:
                kept = [accuracy[i] for i in cases if confidence[i] >= row.confidence_from]
                means.append(sum(kept) / len(kept))
            assert row.low == pytest.approx(np.quantile(means, 0.1))
            assert row.high == pytest.approx(np.quantile(means, 0.9))
            assert row.n_cases == (confidence >= row.confidence_from).sum()

    def test_for_a_plain_mean_it_is_near_the_normal_interval(self):
        accuracy = np.random.default_rng(0).random(400)
        (row,) = accuracy_band(np.ones(400), accuracy, levels=[1.0], n_resamples=4000).itertuples()
        half = 1.96 * accuracy.std() / np.sqrt(400)
        assert (row.low, row.high) == pytest.approx(
            (accuracy.mean() - half, accuracy.mean() + half), abs=half / 10
        )

    def test_chunks_do_not_change_it(self, monkeypatch):
        confidence = np.linspace(0, 1, 30)
        whole = accuracy_band(confidence, confidence**2, levels=[0, 0.5], n_resamples=20)
        monkeypatch.setattr("labelrank_core.evaluation.confidence.band._CHUNK_CELLS", 100)
        assert accuracy_band(confidence, confidence**2, levels=[0, 0.5], n_resamples=20).equals(
            whole
        )

    def test_no_band_for_fewer_than_ten_cases(self):
        confidence = np.arange(20) / 20
        band = accuracy_band(confidence, confidence, levels=[0, 0.5, 0.55])
        assert band["n_cases"].tolist() == [20, 10, 9]
        assert band["low"].isna().tolist() == [False, False, True]

    def test_it_holds_the_curve_it_is_for(self):
        random = np.random.default_rng(1)
        confidence, accuracy = random.random(500), random.random(500)
        curve = accuracy_by_confidence(confidence, accuracy)
        band = accuracy_band(confidence, accuracy, levels=curve["confidence_from"])
        told = band["low"].notna()
        assert told.sum() > 30
        assert (band["low"] <= curve["accuracy_at_least"])[told].all()
        assert (band["high"] >= curve["accuracy_at_least"])[told].all()

    def test_without_a_case_there_is_no_band(self):
        assert accuracy_band([NAN], [1.0], levels=[0.5])["low"].isna().all()
        assert len(accuracy_band([], [], levels=[])) == 0

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            ({"levels": [0.5, 0.5]}, "levels that rise"),
            ({"levels": [0.5], "coverage": 1}, "between 0 and 1"),
            ({"levels": [0.5], "n_resamples": 0}, "at least 1, got 0"),
        ],
    )
    def test_what_is_out_of_range_is_refused(self, given, message):
        with pytest.raises(ValueError, match=message):
            accuracy_band([0.5], [0.5], **given)


class TestMistakes:
    def test_worked_by_hand(self):
        cases = [0.9, 0.7, 0.1, 0.9, 0.7, 0.8], [0.9, 0.2, 0.2, 1.0, 0.1, 0.5]
        # Half of six cases: one of accuracy 0.1 and two of 0.2.
        table = confident_mistakes(*cases, share=0.5)
        assert table["case"].tolist() == [4, 1, 2]
        # Of five others one is less sure than 0.7, and one as sure.
        assert table["surer_than"].tolist() == pytest.approx([1 / 5, 1 / 5, 0])
        # A third is two cases: the two of 0.2 would be too many.
        assert confident_mistakes(*cases, share=1 / 3)["case"].tolist() == [4]

    def test_the_lowest_accuracy_is_listed_however_many_have_it(self):
        table = confident_mistakes([0.5, 0.6, 0.7], [0.0, 0.0, 1.0])
        assert table["case"].tolist() == [1, 0]

    @given(cases=case_lists, n_cases=st.integers(0, 5), tenths=st.integers(1, 10))
    def test_a_loop_says_the_same(self, cases, n_cases, tenths):
        mean = sum(right for _, right in cases) / len(cases)
        limit = -(-tenths * len(cases) // 10)
        accuracies = [right for _, right in cases]
        few = [a for a in accuracies if sum(other <= a for other in accuracies) <= limit]
        last = max([min(accuracies), *few])
        found = sorted(
            (-sure, right, i)
            for i, (sure, right) in enumerate(cases)
            if right <= last and right < mean
        )
        table = confident_mistakes(*np.array(cases).T, share=tenths / 10, n_cases=n_cases)
        assert table["case"].tolist() == [i for _, _, i in found[:n_cases]]

    def test_nothing_is_a_mistake_where_all_are_right(self):
        assert len(confident_mistakes([0.1, 0.5, 0.9], [1.0, 1.0, 1.0])) == 0

    def test_cases_without_accuracy_keep_the_numbers_of_the_others(self):
        table = confident_mistakes([NAN, 0.9, 0.5, 0.4], [0.0, 0.1, 1.0, 0.9])
        assert table["case"].tolist() == [1]
        assert len(confident_mistakes([0.5], [NAN])) == 0

    @pytest.mark.parametrize("share", [0, 1.1, NAN])
    def test_the_share_must_be_one(self, share):
        with pytest.raises(ValueError, match="above 0 and at most 1"):
            confident_mistakes([0.5], [0.5], share=share)


@pytest.mark.parametrize("seed", range(40))
def test_what_rejecting_leaves_in_words_lies_on_the_curve_that_is_drawn(seed):
    rng = np.random.default_rng(seed)
    n_cases = int(rng.integers(5, 80))
    confidence = rng.random(n_cases).round(int(rng.integers(1, 4)))
    accuracy = rng.random(n_cases).round(2)
    curve = risk_coverage(confidence, accuracy).frame()
    for share in (0.05, 0.3, 0.9):
        rejection = accuracy_after_rejecting(confidence, accuracy, share=share)
        (point,) = curve[np.isclose(curve["share_kept"], rejection.share_kept)].itertuples()
        assert 1 - point.risk == pytest.approx(rejection.accuracy_after)
