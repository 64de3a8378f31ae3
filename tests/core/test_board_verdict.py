"""The verdict on a leaderboard: heading and sentence come from one comparison, by hand here."""

import numpy as np
import pandas as pd
import pytest

from labelrank_core.comparison.board_verdict import board_verdict
from labelrank_core.comparison.leaderboard import leaderboard


def board_of(values):
    """Return the leaderboard of values by data set and method, one per fold."""
    rows = [
        (data, method, 0, fold, value)
        for data, by_method in values.items()
        for method, folds in by_method.items()
        for fold, value in enumerate(folds)
    ]
    results = pd.DataFrame(rows, columns=["data", "method", "repeat", "fold", "value"])
    seconds = dict.fromkeys(("seconds_tune", "seconds_fit", "seconds_predict"), 0.1)
    results = results.assign(measure="kendall_tau_score", missing=0.0, train_share=1.0, **seconds)
    return leaderboard(results, "kendall_tau_score")


def test_methods_whose_interval_reaches_zero_are_not_called_behind():
    board = board_of(
        {
            "drinks": {
                "A": [0.90, 0.91, 0.92],
                # B is a tenth behind on every fold, C by a mean that its folds contradict.
                "B": [0.80, 0.82, 0.82],
                "C": [0.95, 0.80, 0.95],
            }
        }
    )
    verdict = board_verdict(board, "drinks", 0.5)
    assert (verdict.first, verdict.level, verdict.behind) == ("A", ("C",), ("B",))
    assert verdict.heading == "A is first on drinks, and 1 of 2 other methods is clearly behind"
    assert verdict.sentence == (
        "With 95% confidence each, the 3 folds of drinks put B behind A, but they cannot tell A "
        "from C and say nothing about other data."
    )


def test_one_fold_and_one_method_say_nothing_of_differences():
    verdict = board_verdict(board_of({"tea": {"A": [0.9], "B": [0.1]}}), "tea", 0.5)
    assert verdict.behind == ()
    assert verdict.heading == "A is first on tea"
    assert "cannot say" in verdict.sentence
    alone = board_verdict(board_of({"tea": {"A": [0.9, 0.8]}}), "tea", 0.5)
    assert alone.heading == "A is the only method on tea"


def test_nobody_is_behind_over_data_sets_where_friedmans_test_finds_no_difference():
    # Two data sets that contradict each other: the average ranks are equal.
    values = {"a": {"A": [0.9, 0.9], "B": [0.1, 0.1]}, "b": {"A": [0.1, 0.1], "B": [0.9, 0.9]}}
    verdict = board_verdict(board_of(values), "a", 0.5)
    assert verdict.behind == ()
    assert verdict.heading.endswith("on 2 data sets, but the methods do not differ clearly")
    assert "cannot say which method is best" in verdict.sentence
    assert verdict.caution.startswith("2 data sets are few")


def test_nemenyis_test_decides_over_data_sets():
    # Ranks 1, 2, 3 on each of twelve data sets. The critical difference of three methods at the
    # level .05 is 2.343 sqrt(3 * 4 / (6 * 12)) = 0.957, so both others are behind.
    values = {f"d{i}": {"A": [0.9], "B": [0.8], "C": [0.7]} for i in range(12)}
    verdict = board_verdict(board_of(values), "d0", 0.5)
    assert (verdict.level, verdict.behind, verdict.caution) == ((), ("B", "C"), "")
    assert verdict.heading == (
        "A has the best average rank on 12 data sets, and all 2 other methods are clearly behind"
    )
    # On ten it is 1.048: B is 1 behind, which is not enough, C is 2 behind.
    values = {f"d{i}": {"A": [0.9], "B": [0.8], "C": [0.7]} for i in range(10)}
    verdict = board_verdict(board_of(values), "d0", 0.5)
    assert (verdict.level, verdict.behind) == (("B",), ("C",))
    assert verdict.sentence == (
        "With 95% confidence, Nemenyi's test over 10 data sets puts C behind A, but it cannot tell "
        "A from B."
    )


@pytest.mark.parametrize("n_methods", [2, 6])
def test_heading_and_sentence_count_the_same_methods(n_methods):
    rng = np.random.default_rng(n_methods)
    names = [f"M{i}" for i in range(n_methods)]
    for _ in range(20):
        folds = {name: rng.normal(0.05 * i, 0.05, 5).tolist() for i, name in enumerate(names)}
        verdict = board_verdict(board_of({"d": folds}), "d", 0.25)
        assert {verdict.first, *verdict.level, *verdict.behind} == set(names)
        if verdict.level and verdict.behind:
            assert f"{len(verdict.behind)} of {n_methods - 1} other methods" in verdict.heading
        assert ("no other method" in verdict.heading) == (not verdict.behind)
        assert ("put no method behind" in verdict.sentence) == (not verdict.behind)
        assert ("cannot tell" in verdict.sentence) == bool(verdict.level and verdict.behind)
