import dataclasses
from fractions import Fraction
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelrank_core.evaluation.confidence.curves import (
    accuracy_after_rejecting,
    accuracy_by_confidence,
)

NAN = float("nan")
COLUMNS = [
    "confidence",
    "confidence_from",
    "n_cases",
    "accuracy_at",
    "accuracy_at_least",
    "share_kept",
    "binned",
]


class TestLevels:
    def test_worked_by_hand(self):
        # Levels 0.5 (accuracy 0), 0.8 (0.4, 0.6) and 1.0 (1.0).
        table = accuracy_by_confidence([0.8, 1.0, 0.5, 0.8], [0.4, 1.0, 0.0, 0.6])
        expected = pd.DataFrame(
            {
                "confidence": [0.5, 0.8, 1.0],
                "confidence_from": [0.5, 0.8, 1.0],
                "n_cases": [1, 2, 1],
                "accuracy_at": [0.0, 0.5, 1.0],
                # Means of all four, of the upper three (2.0 in sum), of the last.
                "accuracy_at_least": [0.5, 2 / 3, 1.0],
                "share_kept": [1.0, 0.75, 0.25],
                "binned": [False, False, False],
            }
        )
        pd.testing.assert_frame_equal(table, expected)

    def test_confidences_that_differ_by_rounding_are_one_level(self):
        table = accuracy_by_confidence([0.1 + 0.2, 0.3], [0.0, 1.0])
        assert table["confidence"].tolist() == [0.3]

    def test_cases_without_accuracy_or_confidence_are_left_out(self):
        with_nan = accuracy_by_confidence([0.5, 0.9, NAN, 0.7], [0.2, 0.4, 0.9, NAN])
        pd.testing.assert_frame_equal(with_nan, accuracy_by_confidence([0.5, 0.9], [0.2, 0.4]))

    @pytest.mark.parametrize("accuracy", [[], [NAN, NAN]], ids=str)
    def test_no_case_gives_an_empty_table(self, accuracy):
        table = accuracy_by_confidence([0.5] * len(accuracy), accuracy)
        assert len(table) == 0
        assert list(table) == COLUMNS


class TestBins:
    def test_worked_by_hand(self):
        # Six cases at six levels in two bins of three.
        table = accuracy_by_confidence(
            [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], [0.0, 0.0, 0.3, 0.3, 0.6, 0.9], max_levels=2
        )
        assert table["confidence"].tolist() == pytest.approx([0.2, 0.5])
        assert table["confidence_from"].tolist() == [0.1, 0.4]
        assert table["n_cases"].tolist() == [3, 3]
        assert table["accuracy_at"].tolist() == pytest.approx([0.1, 0.6])
        assert table["accuracy_at_least"].tolist() == pytest.approx([0.35, 0.6])
        assert table["share_kept"].tolist() == [1.0, 0.5]
        assert table["binned"].all()

    def test_a_level_stays_in_one_bin(self):
        # Seven of nine cases at level 0.2: an equal division would cut through them.
        table = accuracy_by_confidence([0.1, *[0.2] * 7, 0.3], np.arange(9) / 8, max_levels=2)
        assert table["n_cases"].sum() == 9
        assert table["n_cases"].max() >= 7

    def test_as_many_levels_as_allowed_stay_levels(self):
        levels = np.linspace(0.1, 0.9, 40)
        assert not accuracy_by_confidence(levels, levels)["binned"].any()
        assert accuracy_by_confidence([*levels, 1.0], [*levels, 1.0])["binned"].all()

    def test_bins_of_many_levels_hold_equally_many_cases(self):
        confidence = np.random.default_rng(0).random(1000)
        table = accuracy_by_confidence(confidence, confidence, max_levels=20)
        assert table["n_cases"].tolist() == [50] * 20

    def test_one_bin_holds_everything(self):
        table = accuracy_by_confidence([0.1, 0.2, 0.6], [0.0, 0.5, 1.0], max_levels=1)
        assert table[["confidence", "accuracy_at", "share_kept"]].values.tolist() == [
            pytest.approx([0.3, 0.5, 1.0])
        ]


case_lists = st.lists(
    st.tuples(st.sampled_from([0.2, 0.4, 0.5, 0.75, 1.0]), st.sampled_from([-1.0, 0.0, 0.5, 1.0])),
    min_size=1,
    max_size=30,
)


class TestProperties:
    @given(cases=case_lists, max_levels=st.integers(1, 6))
    def test_every_row_is_the_mean_it_says(self, cases, max_levels):
        confidence, accuracy = np.array(cases).T
        table = accuracy_by_confidence(confidence, accuracy, max_levels=max_levels)
        assert len(table) <= max_levels
        ends = [*table["confidence_from"].iloc[1:], np.inf]
        for row, end in zip(table.itertuples(), ends, strict=True):
            kept = confidence >= row.confidence_from
            here = kept & (confidence < end)
            assert row.n_cases == here.sum()
            assert row.confidence == pytest.approx(confidence[here].mean())
            assert row.accuracy_at == pytest.approx(accuracy[here].mean())
            assert row.accuracy_at_least == pytest.approx(accuracy[kept].mean())
            assert row.share_kept == pytest.approx(kept.mean())

    @given(cases=case_lists, max_levels=st.integers(1, 6), share=st.floats(0, 0.99))
    def test_the_order_of_the_cases_does_not_matter(self, cases, max_levels, share):
        confidence, accuracy = np.array(cases).T
        pd.testing.assert_frame_equal(
            accuracy_by_confidence(confidence, accuracy, max_levels=max_levels),
            accuracy_by_confidence(confidence[::-1], accuracy[::-1], max_levels=max_levels),
        )
        assert dataclasses.astuple(
            accuracy_after_rejecting(confidence, accuracy, share=share)
        ) == pytest.approx(
            dataclasses.astuple(
                accuracy_after_rejecting(confidence[::-1], accuracy[::-1], share=share)
            )
        )


class TestRejecting:
    CONFIDENCE, ACCURACY = [0.9, 0.5, 0.9, 0.7, 1.0], [0.8, -0.5, 0.4, 0.3, 1.0]

    @pytest.mark.parametrize(
        ("share", "kept", "threshold", "after"),
        [
            (0.0, 1.0, 0.5, 0.4),  # (0.8 - 0.5 + 0.4 + 0.3 + 1) / 5
            (0.2, 0.8, 0.7, 0.625),  # (0.8 + 0.4 + 0.3 + 1) / 4
            (0.39, 0.8, 0.7, 0.625),  # 1.95 cases: one
            (0.6, 0.4, 0.9, 0.8),  # one of the two at 0.9 stays, as their mean: (0.6 + 1) / 2
            (0.99, 0.2, 1.0, 1.0),
        ],
    )
    def test_worked_by_hand(self, share, kept, threshold, after):
        summary = accuracy_after_rejecting(self.CONFIDENCE, self.ACCURACY, share=share)
        assert summary.share == share
        assert summary.share_kept == pytest.approx(kept)
        assert summary.threshold == threshold
        assert summary.accuracy_before == pytest.approx(0.4)
        assert summary.accuracy_after == pytest.approx(after)

    @pytest.mark.parametrize("share", [0, 0.2, 0.4, 0.5, 0.8])
    def test_ties_give_the_mean_over_all_ways_to_break_them(self, share):
        cases = [(2, 5), (1, 0), (2, 7), (1, 3), (2, 1), (3, 9)]
        n_rejected = int(share * len(cases))
        afters = []
        for order in permutations(cases):
            remaining = sorted(order, key=lambda case: case[0])[n_rejected:]
            afters.append(Fraction(sum(right for _, right in remaining), len(remaining)))
        expected = float(sum(afters) / len(afters))
        summary = accuracy_after_rejecting(*zip(*cases, strict=True), share=share)
        assert summary.accuracy_after == pytest.approx(expected)

    def test_a_share_short_of_a_whole_number_by_rounding_rejects_it(self):
        # 0.29 * 100 is 28.999999999999996 in floating point.
        summary = accuracy_after_rejecting(np.arange(100), np.arange(100), share=0.29)
        assert summary.threshold == 29

    def test_something_always_remains(self):
        assert accuracy_after_rejecting([0.5], [0.3], share=1 - 1e-12).accuracy_after == 0.3

    def test_cases_without_accuracy_or_confidence_are_left_out(self):
        with_nan = accuracy_after_rejecting([0.5, 0.9, 0.1, NAN], [0.2, 0.4, NAN, 1.0], share=0.5)
        assert with_nan == accuracy_after_rejecting([0.5, 0.9], [0.2, 0.4], share=0.5)

    @pytest.mark.parametrize("accuracy", [[], [NAN]], ids=str)
    def test_no_case_gives_nan(self, accuracy):
        summary = accuracy_after_rejecting([0.5] * len(accuracy), accuracy, share=0.1)
        assert summary.share == 0.1
        assert np.isnan(dataclasses.astuple(summary)[1:]).all()


class TestInput:
    @pytest.mark.parametrize("share", [-0.1, 1, 1.5, NAN])
    def test_the_share_must_leave_something(self, share):
        with pytest.raises(ValueError, match="at least 0 and below 1"):
            accuracy_after_rejecting([0.5], [0.5], share=share)

    @pytest.mark.parametrize("accuracy", [[0.1], [[0.1, 0.2]]], ids=str)
    def test_lengths_must_agree(self, accuracy):
        with pytest.raises(ValueError, match=r"one shape \(n_samples,\)"):
            accuracy_by_confidence([0.5, 0.6], accuracy)

    def test_there_must_be_a_level(self):
        with pytest.raises(ValueError, match="max_levels of at least 1, got 0"):
            accuracy_by_confidence([0.5], [0.5], max_levels=0)
