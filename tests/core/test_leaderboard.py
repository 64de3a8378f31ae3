"""The folds of an experiment as a leaderboard, against examples worked by hand."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from labelrank_core.comparison.leaderboard import curve, leaderboard, levels, worst_cases
from labelrank_core.comparison.significance import paired_difference

TAU = "kendall_tau_score"


def results(values, *, data="d", measure=TAU, missing=0.0, train_share=1.0, n_folds=2):
    """Results of methods by name: one value a fold, None where it is still to come."""
    rows = [
        (data, method, missing, train_share, i // n_folds, i % n_folds, measure, value, 1.0, 2.0, 3)
        for method, folds in values.items()
        for i, value in enumerate(folds)
        if value is not None
    ]
    columns = ["data", "method", "missing", "train_share", "repeat", "fold", "measure", "value"]
    return pd.DataFrame(
        rows, columns=[*columns, "seconds_tune", "seconds_fit", "seconds_predict"]
    )  # fmt: skip


def test_means_deviations_seconds_and_ranks():
    # A: (0.2 + 0.4) / 2 = 0.3, deviation sqrt(2 * 0.1^2 / 1) = 0.1414; B and C: 0.5.
    board = leaderboard(results({"A": [0.2, 0.4], "B": [0.5, 0.5], "C": [0.25, 0.75]}), TAU)
    table = board.frame()
    assert table["method"].tolist() == ["B", "C", "A"]
    assert table["mean"].tolist() == pytest.approx([0.5, 0.5, 0.3])
    assert table["sd"].tolist() == pytest.approx([0, 0.353553, 0.141421], abs=1e-6)
    assert table["rank"].tolist() == [1.5, 1.5, 3]
    assert table["seconds"].tolist() == [6, 6, 6]
    assert (board.n_left_out, board.n_folds("d"), board.data_sets) == (0, 2, ("d",))


def test_a_board_prints_as_its_table():
    board = leaderboard(results({"A": [0.5], "<B>": [0.7]}), TAU)
    first, *lines = repr(board).splitlines()
    assert first == "Kendall's tau"
    assert [line.split()[1] for line in lines] == ["method", "<B>", "A"]
    assert "&lt;B&gt;" in board._repr_html_()
    assert "<B>" not in board._repr_html_()


def test_for_a_loss_the_least_is_best():
    board = leaderboard(results({"A": [0.2], "B": [0.5]}, measure="hamming_loss"), "hamming_loss")
    assert board.frame()["method"].tolist() == ["A", "B"]
    assert board.frame()["rank"].tolist() == [1, 2]


def test_only_folds_that_all_methods_have_are_compared():
    # A would lead with all three of its folds, (0.5 + 0.5 + 1.0) / 3; B lacks the easy one.
    table = results({"A": [0.5, 0.5, 1.0], "B": [0.6, 0.6, None]}, n_folds=3)
    board = leaderboard(table, TAU)
    assert board.frame()["method"].tolist() == ["B", "A"]
    assert board.frame()["mean"].tolist() == pytest.approx([0.6, 0.5])
    assert (board.n_folds("d"), board.n_left_out) == (2, 1)
    # A fold without a value is as good as one that is not there.
    table.loc[table["method"].eq("A") & table["fold"].eq(0), "value"] = np.nan
    assert leaderboard(table, TAU).single_folds("d", "B")["fold"].tolist() == [1]


def test_a_method_without_any_value_takes_no_folds_from_others():
    table = results({"A": [0.5, 0.6], "B": [np.nan, np.nan]})
    board = leaderboard(table, TAU)
    assert (board.methods, board.n_folds("d")) == (("A",), 2)


def test_deviations_stand_as_the_scores_do_or_not_at_all():
    # Deviations of two values are their distance over the root of 2: 0.1414 and 0.2828.
    both = results({"A": [0.2, 0.4], "B": [0.5, 0.1]})
    board = leaderboard(both, TAU)
    found = board.deviations(board.scores())
    assert found.columns.tolist() == board.scores().columns.tolist()
    found = found.loc["d"].to_dict()
    assert found == pytest.approx({"A": 0.141421, "B": 0.282843}, abs=1e-6)
    alone = leaderboard(both[both["fold"] == 0], TAU)
    assert alone.deviations(alone.scores()) is None


def test_data_sets_without_all_methods_stay_out_of_the_statistics():
    table = pd.concat(
        [
            results({"A": [0.5], "B": [0.4]}, data="x"),
            results({"A": [0.9]}, data="y"),
            results({"A": [0.1], "B": [0.2]}, data="z"),
        ]
    )
    board = leaderboard(table, TAU)
    assert board.data_sets == ("x", "y", "z")
    scores = board.scores()
    assert list(scores.index) == ["x", "z"]
    assert scores.to_numpy().tolist() == [[0.5, 0.4], [0.1, 0.2]]


def test_a_tuned_method_and_its_untuned_twin_are_one_method_in_tests_over_data_sets():
    folds = {"A": [0.5], "A tuned": [0.6], "B": [0.4]}
    table = pd.concat([results(folds, data=data) for data in "xy"])
    board = leaderboard(table, TAU, variants={"A", "C"})
    assert board.variants == ("A",)
    assert list(board.scores()) == ["A", "A tuned", "B"]
    assert list(board.distinct_scores()) == ["A tuned", "B"]
    assert len(board.frame()) == 6
    # Folds that only the twin lacks stay.
    table = table[~(table["data"].eq("y") & table["method"].eq("A"))]
    assert list(leaderboard(table, TAU, variants={"A"}).distinct_scores().index) == ["x", "y"]


def test_differences_against_one_method():
    # A - B = 0.1, 0.3: mean 0.2, deviation 0.141421; with test / train = 1 / 4 the error is
    # 0.141421 sqrt(1/2 + 1/4) = 0.122474, t = 1.632993 with 1 degree of freedom, whose 97.5 %
    # point is 12.706205: 0.2 -+ 1.556187.
    board = leaderboard(results({"A": [0.6, 0.9], "B": [0.5, 0.6], "C": [0.5, 0.6]}), TAU)
    table = board.against("d", "B", 0.25)
    assert table["method"].tolist() == ["A", "C"]
    first = table.iloc[0]
    assert first[["mean", "sd", "t"]].tolist() == pytest.approx([0.2, 0.141421, 1.632993], rel=1e-5)
    assert [first["low"], first["high"]] == pytest.approx([-1.356187, 1.756187], rel=1e-5)
    assert table["verdict"].tolist() == ["unclear", "unclear"]
    # Where all differences are 0, there is nothing to tell apart.
    assert table.iloc[1][["mean", "t", "p"]].tolist() == [0, 0, 1]


@pytest.mark.parametrize(("measure", "verdict"), [(TAU, "better"), ("hamming_loss", "worse")])
def test_a_clear_difference_is_better_or_worse_as_the_measure_says(measure, verdict):
    values = {"A": [0.9, 0.91, 0.92, 0.9], "B": [0.1, 0.11, 0.1, 0.1]}
    board = leaderboard(results(values, measure=measure, n_folds=4), measure)
    assert board.against("d", "B", 1 / 3)["verdict"].tolist() == [verdict]
    assert board.against("d", "A", 1 / 3)["verdict"].iloc[0] != verdict


def test_equal_differences_are_no_sure_difference():
    board = leaderboard(results({"A": [0.9, 0.8], "B": [0.8, 0.7]}), TAU)
    (row,) = board.against("d", "B", 1 / 9).to_dict("records")
    assert (round(row["mean"], 9), row["verdict"]) == (0.1, "unclear")


def test_means_that_are_equal_but_for_rounding_share_their_rank():
    # (0.1 + 0.2) / 2 is not 0.3 / 2 in floating-point numbers.
    board = leaderboard(results({"A": [0.1, 0.2], "B": [0.3, 0.0], "C": [0.0, 0.0]}), TAU)
    assert board.frame()["rank"].tolist() == [1.5, 1.5, 3]


def test_one_fold_has_a_difference_and_no_interval():
    (row,) = leaderboard(results({"A": [0.5], "B": [0.25]}), TAU).against("d", "B", 0.5).to_dict(
        "records"
    )  # fmt: skip
    assert (row["mean"], row["n_folds"], row["verdict"]) == (0.25, 1, "unclear")
    assert np.isnan(row["low"])


def test_a_control_is_compared_on_every_data_set_as_on_each():
    first = results({"A": [0.5, 0.6, 0.9], "B": [0.25, 0.2, 0.3]})
    second = results({"A": [0.5, 0.4, 0.1], "B": [0.25, 0.8, 0.3]}).assign(data="e")
    board = leaderboard(pd.concat([first, second]), TAU)
    shares = {"d": 0.5, "e": 0.25}
    table = board.against_everywhere("A", shares)
    assert table["data"].tolist() == ["d", "e"]
    for data, share in shares.items():
        of_one = table[table["data"] == data].drop(columns="data").reset_index(drop=True)
        pd.testing.assert_frame_equal(of_one, board.against(data, "A", share))
    assert board.against_everywhere("none", shares).empty


def test_every_pair_stands_once():
    values = {"A": [0.1, 0.2], "B": [0.3, 0.1], "C": [0.2, 0.6]}
    board = leaderboard(results(values), TAU)
    table = board.every_pair(1.0)
    pairs = {frozenset(pair) for pair in zip(table["method"], table["control"], strict=True)}
    assert len(table) == 3
    assert pairs == {frozenset("AB"), frozenset("AC"), frozenset("BC")}
    for row in table.itertuples():
        alone = paired_difference(values[row.method], values[row.control], test_share=1.0)
        assert (row.mean, row.low, row.p) == pytest.approx((alone.mean, alone.low, alone.p))


def test_levels_are_kept_apart_and_followed():
    table = pd.concat(
        [
            results({"A": [0.8, 0.6], "B": [0.5, 0.5]}),
            results({"A": [0.4, 0.4], "B": [0.5, 0.1]}, missing=0.3),
            results({"A": [0.9, 0.9]}, train_share=0.5),
        ]
    )
    assert levels(table, "missing") == [0.0, 0.3]
    assert leaderboard(table, TAU, missing=0.3).frame()["method"].tolist() == ["A", "B"]
    followed = curve(table, TAU, "missing", other=1.0)
    own = followed[followed["method"] == "A"]
    assert own["level"].tolist() == [0.0, 0.3]
    # sqrt(0.1^2 + 0.1^2) = 0.141421.
    assert own["low"].tolist() == pytest.approx([0.7 - 0.141421, 0.4], rel=1e-5)
    assert own["high"].tolist() == pytest.approx([0.7 + 0.141421, 0.4], rel=1e-5)
    assert curve(table, TAU, "train_share", other=0.0)["level"].tolist() == [0.5, 1.0, 1.0]


def test_worst_cases_are_means_over_the_folds_that_test_a_row():
    folds = [
        (1, {"row": np.array([0, 2]), TAU: np.array([0.5, -1.0])}),
        (2, {"row": np.array([0, 1]), TAU: np.array([-0.5, np.nan])}),
    ]
    # Row 0: (0.5 - 0.5) / 2 = 0; row 1 has no value.
    table = worst_cases(folds, TAU)
    assert table[["row", "value", "n_tests"]].to_numpy().tolist() == [[2, -1, 1], [0, 0, 2]]
    assert table["folds"].tolist() == ["1", "1, 2"]
    assert worst_cases(folds, TAU, n=1)["row"].tolist() == [2]
    loss = [(1, {"row": np.array([3, 4]), "hamming_loss": np.array([0.1, 0.9])})]
    assert worst_cases(loss, "hamming_loss")["row"].tolist() == [4, 3]
    assert worst_cases(loss, TAU).empty


def test_rows_that_are_right_are_not_among_those_it_gets_most_wrong():
    tau = [(1, {"row": np.arange(3), TAU: np.array([1.0, 0.9, 1 - 1e-12])})]
    assert worst_cases(tau, TAU)["row"].tolist() == [1]
    loss = [(1, {"row": np.arange(2), "hamming_loss": np.array([0.0, 0.1])})]
    assert worst_cases(loss, "hamming_loss")["row"].tolist() == [1]


def test_nothing_yet_is_an_empty_leaderboard():
    board = leaderboard(results({}), TAU)
    assert board.frame().empty
    assert board.scores().empty
    assert board.every_pair(0.5).empty
    assert curve(results({}), TAU, "missing", other=1.0).empty


@settings(max_examples=20)
@given(st.lists(st.lists(st.integers(0, 5), min_size=3, max_size=3), min_size=1, max_size=6))
def test_ranks_are_those_of_the_comparison(means):
    table = pd.concat(
        [results({m: [v] for m, v in zip("ABC", row, strict=True)}, data=str(i))
         for i, row in enumerate(means)]
    )  # fmt: skip
    board = leaderboard(table, TAU).frame()
    for i, row in enumerate(means):
        own = board.query("data == @i", local_dict={"i": str(i)}).set_index("method")
        assert own.loc[list("ABC"), "rank"].tolist() == stats.rankdata([-v for v in row]).tolist()
