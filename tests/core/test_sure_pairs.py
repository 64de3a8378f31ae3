"""What a guarantee says of one case, and what it realises on test cases."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import betabinom

from labelrank_core.evaluation.guarantees import realise
from labelrank_core.evaluation.guarantees.calibration import calibrate
from labelrank_core.evaluation.guarantees.realised import first_labels
from labelrank_core.evaluation.guarantees.semiorder import score_gaps, sure_pairs
from labelrank_core.explain.evidence import SurePairs, positions_within
from labelrank_core.explain.render import LabelSelection, _scene
from labelrank_core.explain.render import sure_pairs as drawn
from labelrank_core.rankings import strict_positions
from tests.looped import seeds

NAMES = ("A", "B", "C", "D", "E", "F", "G", "H")


def of(scores, threshold, truth=None):
    scores = np.array([scores], dtype=float)
    order = sure_pairs(score_gaps(scores), threshold)[0]
    given = None if truth is None else np.array(truth, dtype=float)
    positions = strict_positions(-scores)[0]
    return SurePairs(order, positions, "With 90% guarantee", given, scores[0], threshold)


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        # B and C lie 1 apart, which is not enough; D follows B only by way of C.
        ([9, 5, 4, 1], "A before B and C before D. Left open: the order of B and C."),
        ([9, 1, 5], "A before C before B."),
        ([3, 3, 3], "no pair. All 3 pairs stay open."),
        # A is surely ahead of C, and nothing else is sure.
        ([3, 2, 1.4], "A before C. Left open: the order of A and B, B and C."),
        # A semiorder that is no ranking of groups: A before C and D, B only before D.
        (
            [5, 4, 3.4, 2],
            "A before C and D; B before D. Left open: the order of A and B, B and C, C and D.",
        ),
        (
            [9, 9, 9, 9, 1],
            "A, B, C and D before E. Left open: the order of A and B, A and C and 4 more pairs.",
        ),
        (
            [80, 70, 60, 50, 40, 30, 20, 10],
            "A before B before C before D before E before F before G; and more.",
        ),
    ],
)
def test_what_is_decided_in_words(scores, said):
    sure = of(scores, 1.5)
    assert sure.text.plain(NAMES) == f"With 90% guarantee: {said}"


def test_the_reason_for_open_pairs_has_the_numbers_of_the_pair_furthest_apart():
    # Open are A and B, 1 apart, and B and C, 0.6 apart.
    sure = replace(of([3, 2, 1.4], 1.5), score_title="sum of votes")
    assert sure.open_reason.plain(NAMES) == (
        "By its sum of votes, A and B lie 1.00 apart, too little for a decision, A and C 1.60. "
        "Pairs up to 1.50 apart were wrong too often to decide."
    )


def test_labels_keep_the_order_of_a_ranking_where_the_sure_pairs_allow():
    # A is surely before C, nothing else is sure: of C, B, A only C has to wait for A.
    order = of([3, 2, 1.4], 1.5).order
    assert positions_within(order, [2, 1, 0]).tolist() == [2, 1, 3]
    assert positions_within(order, [0, 2, 1]).tolist() == [1, 3, 2]


def test_names_with_braces_and_html_stay_text():
    sure = of([9, 1], 1)
    assert sure.text.plain(["{x}", "<b>"]) == "With 90% guarantee: {x} before <b>."
    assert "&lt;b&gt;" in sure.text.html(["{x}", "<b>"])
    markup = drawn(sure, ["{x}", "<b>"], LabelSelection()).markup
    assert "&lt;b&gt;" in markup
    assert "<b>" not in markup.replace('<b class="', "")


def test_pairs_in_another_order_than_that_of_another_ranking():
    # Here B, D, A, C by falling scores; neighbours lie 1 apart, which decides nothing.
    sure = of([2, 4, 1, 3], 1)
    assert sure.reversals_of([0, 1, 2, 3]) == [(1, 0), (3, 2)]
    assert sure.reversals_of([1, 3, 0, 2]) == []


def test_the_verdict_is_about_decided_pairs_only():
    # Truth: C, A, tie of B and D. Decided: A ahead of C, B and D; the rest is undecided.
    sure = of([9, 5, 4.5, 4], 1.5, [2, 3, 1, 3])
    assert sure.verdict.plain(NAMES) == "✗ 1 of 3 decided pairs are wrong: C is really before A."
    assert sure.reversed == [(0, 2)]
    assert (
        of([9, 5, 4.5, 4], 1.5, [1, 4, 3, 2]).verdict.plain(NAMES)
        == "✓ All 3 decided pairs are right here."
    )
    both = of([9, 5, 1], 1, [3, 2, 1])
    assert both.verdict.plain(NAMES).endswith("B is really before A, and 2 more.")


def test_intervals_as_a_table_and_drawn(monkeypatch):
    sure = of([9, 5, 4.5, 4], 1.5, [2, np.nan, 1, 3])
    expected = pd.DataFrame(
        {
            "position": [1, 2, 3, 4],
            "label": list("ABCD"),
            "first possible": [1, 2, 2, 2],
            "last possible": [1, 4, 4, 4],
            # B is not ranked: it may stand ahead of the others or behind them.
            "first true": [2, np.nan, 1, 3],
            "last true": [3, np.nan, 2, 4],
        }
    )
    pd.testing.assert_frame_equal(sure.frame("ABCD"), expected, check_dtype=False)
    with monkeypatch.context() as patch:
        patch.setattr(_scene, "SHOWN", 3)
        found = drawn(sure, NAMES, LabelSelection())
    assert found.alt == "positions that each label can have: A 1 to 1; B 2 to 4; C 2 to 4"
    # The label in place 2 of 4 spans three quarters from a quarter on; two truths are marked.
    assert "left:25.0%;width:calc(75.0%" in found.markup
    assert found.markup.count("real position") == 2
    # A is truly second or third of four.
    assert 'title="real position" style="left:37.5%;right:calc(100% - 62.5%)"' in found.markup
    assert found.caption.endswith(
        "White lines: the positions that the real ranking allows, which leaves out 1 label."
    )
    whole = of([9, 5, 4.5, 4], 1.5, [2, 4, 1, 3])
    assert whole.frame("ABCD")["true"].tolist() == [2, 4, 1, 3]
    found = drawn(whole, NAMES, LabelSelection())
    # A is surely first, and truly second of four.
    first = found.markup.partition("</li>")[2].partition("</li>")[0]
    marks = [cell.partition("</i>")[0][-1] for cell in first.split("<i ")[1:]]
    assert marks == [">", "✗", ">", ">"]
    assert found.caption.endswith("✓ or ✗ marks the real position.")
    assert "✓" not in drawn(of([2, 1], 0), NAMES, LabelSelection()).caption
    tied = drawn(of([9, 5, 4.5, 4], 1.5, [1, 2, 2, 3]), NAMES, LabelSelection())
    assert tied.caption.endswith(
        "Labels that tie in it share places, of which those are ticked that are possible."
    )
    # Of more positions than there is room for, bars are drawn, with diamonds on them.
    many = of(np.arange(11.0, 0, -1), 1.5, [2, 1, *range(3, 12)])
    found = drawn(many, [f"label {i}" for i in range(11)], LabelSelection())
    assert 'title="real position" style="left:13.6%"' in found.markup
    assert found.caption.endswith("Diamonds: the real positions.")


def test_what_is_realised_in_a_worked_example():
    # Three calibration cases, a > b > c in truth; their largest wrong gaps are 0, 2 and 3.
    truth = np.tile([1, 2, 3], (3, 1))
    held = calibrate(np.array([[3, 2, 1], [1, 3, 2], [9, 1, 4.0]]), truth, "any_pair")
    # Four test cases; of the first nothing is ordered. At alpha = 1/2 pairs 2 apart stay open:
    # all three pairs of the second are decided, rightly; the third decides two, one of them
    # wrongly; the fourth none.
    scores = [[1, 2, 3], [9, 6, 3], [5, 1, 6], [2, 1, 0]]
    tests = [[1, np.nan, np.nan], [1, 2, 3], [1, 3, 2], [1, 2, 3]]
    scores[2] = [1, 4, 2]  # b ahead of a by 3, wrong; b ahead of c by 2 and c of a by 1: open
    found = realise(held, scores, tests)
    frame = found.frame([0.5, 0.75])
    assert frame["realised"].tolist() == pytest.approx([2 / 3, 1])
    # 3 + 1 + 0 of 9 pairs lie more than 2 apart; above 3 there are only the 6 between a and c.
    assert frame["kept"].tolist() == pytest.approx([4 / 9, 1 / 9])
    # Widths at alpha = 1/2: 1, 1, 1; 2, 2, 3; 3, 3, 3.
    assert frame["width"].iloc[0] == pytest.approx((3 + 7 + 9) / 9)
    groups = found.groups(0.5, first_labels(scores, NAMES))
    assert groups["group"].tolist() == ["A first", "B first"]
    assert groups["cases"].tolist() == [2, 1]
    assert groups["realised"].tolist() == [1, 0]
    assert groups["kept"].tolist() == pytest.approx([3 / 6, 1 / 3])
    with pytest.raises(ValueError, match="orders two labels, got none"):
        realise(held, scores[:1], tests[:1])


def test_the_band_is_that_of_draws_without_ties():
    rng = np.random.default_rng(0)

    def largest_wrong(n):
        """Cases of two labels whose order is always wrong, by a gap that is uniform."""
        gap = rng.random(n)
        return np.stack([np.zeros(n), gap], axis=1), np.tile([1, 2], (n, 1))

    inside, n_draws = 0, 200
    for _ in range(n_draws):
        row = realise(calibrate(*largest_wrong(19), "any_pair"), *largest_wrong(25)).frame([0.8])
        inside += int(row["low"][0] - 1e-9 <= row["realised"][0] <= row["high"][0] + 1e-9)
    # At least 95 %, as the number of wrong cases is whole, and not always.
    assert 0.93 * n_draws < inside < n_draws


def test_the_band_is_an_interval_of_the_beta_binomial_distribution():
    truth = np.tile([1, 2], (40, 1))
    scores = np.stack([np.zeros(40), np.arange(40.0)], axis=1)
    frame = realise(calibrate(scores[:29], truth[:29], "any_pair"), scores, truth).frame([0.7, 0.9])
    for row, most in zip(frame.itertuples(), (9, 3), strict=True):
        fewest, largest = betabinom(40, most, 30 - most).interval(0.95)
        assert (row.low, row.high) == pytest.approx((1 - largest / 40, 1 - fewest / 40))


def test_no_band_where_none_is_known():
    scores, truth = np.zeros((4, 2)), np.tile([1, 2], (4, 1))
    shares = realise(calibrate(scores, truth, "share_of_pairs"), scores, truth).frame([0.5])
    few = realise(calibrate(scores, truth, "any_pair"), scores, truth).frame([0.9])
    assert np.isnan([*shares["low"], *few["high"]]).all()
    assert few["kept"][0] == 0


@seeds(60)
def test_a_label_is_crossed_only_where_a_decided_pair_is_wrong(seed):
    rng = np.random.default_rng(seed)
    scores, truth = rng.integers(0, 6, 5).astype(float), rng.integers(1, 4, 5)
    sure = of(scores, float(rng.integers(0, 3)), truth)
    squares = drawn(sure, NAMES, LabelSelection()).markup
    is_wrong = ((sure.order > 0) & (truth[:, None] > truth)).any()
    assert ("✗" in squares) <= is_wrong
    assert squares.count('title="real position"') >= 5
