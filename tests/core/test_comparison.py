"""Average ranks and their tests against SciPy, printed constants and naive computation."""

import time
from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from labelrank_core import DatasetError
from labelrank_core.comparison.results_tables import (
    HEADING_UNCLEAR,
    find_discrepancies,
    read_result_table,
)
from labelrank_core.comparison.significance import (
    AverageRanks,
    average_ranks,
    cliques,
    critical_difference,
    friedman,
    holm,
    paired_difference,
    wilcoxon_pairs,
)
from labelrank_core.data.findings import Severity

tables = st.tuples(st.integers(2, 8), st.integers(3, 6)).flatmap(
    lambda shape: st.lists(
        st.lists(st.integers(0, 4).map(float), min_size=shape[1], max_size=shape[1]),
        min_size=shape[0],
        max_size=shape[0],
    )
)


@given(tables)
def test_friedman_is_scipys_where_ties_are_corrected(rows):
    ranks = average_ranks(rows)
    own = friedman(ranks)
    if np.isnan(own.chi2_corrected):
        assert all(len(set(row)) == 1 for row in rows)
        return
    expected = stats.friedmanchisquare(*np.array(rows).T).statistic
    assert own.chi2_corrected == pytest.approx(expected, abs=1e-9)
    if all(len(set(row)) == len(row) for row in rows):
        assert own.chi2 == pytest.approx(expected)


def test_ranks_by_hand():
    ranks = average_ranks([[0.9, 0.8, 0.8], [1, 2, 3]])
    assert ranks.ranks.tolist() == [[1, 2.5, 2.5], [3, 2, 1]]
    assert average_ranks([[1, 2, 3]], greater_is_better=False).ranks.tolist() == [[1, 2, 3]]
    for scores in ([[1.0], [2.0]], [1.0, 2.0], [[1.0, np.nan]]):
        with pytest.raises(ValueError, match="Expected"):
            average_ranks(scores)
    with pytest.raises(ValueError, match="two data sets"):
        friedman(ranks=AverageRanks(np.array([[1.0, 2.0]])))


def test_data_sets_that_all_agree_have_an_infinite_f_and_a_probability():
    # Five data sets of three methods: the first may rank as it likes, the others with 1/6 each.
    test = friedman(average_ranks([[3, 2, 1]] * 5))
    assert (test.f, test.p_from) == (float("inf"), "exact")
    assert test.p == pytest.approx(6**-4)


def naive_probability(ranks):
    """All permutations within all data sets, one by one."""

    def statistic(rows):
        return sum(sum(column) ** 2 for column in zip(*rows, strict=True))

    every = [statistic(rows) for rows in product(*(list(permutations(row)) for row in ranks))]
    return np.mean(np.array(every) >= statistic(ranks))


@given(st.sampled_from([(2, 3), (3, 3), (4, 3), (3, 2), (2, 4)]).flatmap(
    lambda shape: st.lists(
        st.lists(st.integers(0, 3), min_size=shape[1], max_size=shape[1]),
        min_size=shape[0], max_size=shape[0],
    )
))  # fmt: skip
def test_with_few_data_sets_the_probability_counts_all_permutations(rows):
    ranks = average_ranks(rows)
    test = friedman(ranks)
    assert test.p_from == "exact"
    assert test.p == pytest.approx(naive_probability(ranks.ranks.tolist()))


def test_three_data_sets_say_less_than_f_does():
    # 24^3 ways to rank four methods on three data sets, 19 / 576 of them at least as far apart.
    test = friedman(AverageRanks(np.array([[1.0, 2, 3, 4], [1, 2, 4, 3], [2, 1, 3, 4]])))
    assert round(stats.f.sf(test.f, *test.degrees), 3) == 0.011
    assert test.p == pytest.approx(19 / 576)
    assert "3 data sets are few" in test.caution


def test_many_methods_are_permuted_at_random_and_many_data_sets_take_f():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(10, 6)) + np.linspace(0, 1, 6)
    sampled = friedman(average_ranks(scores))
    assert sampled.p_from == "sampled"
    assert sampled == friedman(average_ranks(scores))
    assert sampled.p == pytest.approx(stats.f.sf(sampled.f, *sampled.degrees), rel=0.5)
    assert friedman(average_ranks(np.tile(np.arange(9.0), (10, 1)))).p == pytest.approx(1 / 20_001)
    many = friedman(average_ranks(rng.normal(size=(11, 3))))
    assert many.p_from == "f"
    assert many.p == stats.f.sf(many.f, *many.degrees)


def test_fewer_than_five_data_sets_are_cautioned():
    rng = np.random.default_rng(0)
    assert friedman(average_ranks(rng.normal(size=(5, 3)))).caution == ""
    few = friedman(average_ranks(rng.normal(size=(4, 2)))).caution
    assert few.startswith("4 data sets are few")
    assert "0.12" in few  # 2!^(1 - 4)
    assert "agreed" not in friedman(average_ranks(rng.normal(size=(3, 5)))).caution


@pytest.mark.parametrize(
    ("k", "q"), [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (6, 2.850), (7, 2.949),
                 (8, 3.031), (9, 3.102), (10, 3.164)]
)  # fmt: skip
def test_nemenyis_constants_are_those_of_demsars_table_5(k, q):
    found = critical_difference(10, k) / np.sqrt(k * (k + 1) / 60)
    assert round(found, 3) == pytest.approx(q, abs=0.0011)


@pytest.mark.parametrize(
    ("k", "q"), [(2, 1.960), (3, 2.241), (4, 2.394), (5, 2.498), (6, 2.576), (7, 2.638),
                 (8, 2.690), (10, 2.773)]
)  # fmt: skip
def test_bonferroni_dunns_constants_are_those_of_demsars_table_5(k, q):
    found = critical_difference(10, k, test="bonferroni-dunn") / np.sqrt(k * (k + 1) / 60)
    assert round(found, 3) == pytest.approx(q, abs=0.0015)


def test_levels_and_tests_that_are_none_are_refused():
    for alpha in (0, 1, -1):
        with pytest.raises(ValueError, match="alpha"):
            critical_difference(5, 3, alpha=alpha)
    with pytest.raises(ValueError, match="nemenyi"):
        critical_difference(5, 3, test="other")


@given(st.lists(st.integers(0, 20).map(lambda n: n / 4), min_size=2, max_size=8),
       st.integers(0, 12).map(lambda n: n / 4))  # fmt: skip
def test_cliques_are_the_largest_groups_alike(means, difference):
    found = [set(group) for group in cliques(means, difference)]
    indices = range(len(means))
    alike = [
        set(group)
        for size in range(2, len(means) + 1)
        for group in combinations(indices, size)
        if max(means[i] for i in group) - min(means[i] for i in group) <= difference
    ]
    largest = [group for group in alike if not any(group < other for other in alike)]
    assert sorted(map(sorted, found)) == sorted(map(sorted, largest))


def test_holm_step_by_step():
    scores = np.random.default_rng(0).normal(size=(12, 4)) + np.array([0, 0.5, 1, 2])
    ranks = average_ranks(scores)
    table = holm(ranks, 3)
    z = [(ranks.means[j] - ranks.means[3]) / np.sqrt(4 * 5 / 72) for j in range(3)]
    p = sorted((2 * stats.norm.sf(abs(each)), j) for j, each in enumerate(z))
    assert table["method"].tolist() == [j for _, j in p]
    adjusted, highest = [], 0.0
    for i, (each, _) in enumerate(p):
        highest = max(highest, min(1.0, (3 - i) * each))
        adjusted.append(highest)
    assert table["adjusted p"].tolist() == pytest.approx(adjusted)


def test_the_corrected_t_by_hand():
    first, second = [0.8, 0.9, 0.7, 0.85], [0.7, 0.85, 0.7, 0.8]
    # Differences 0.1, 0.05, 0, 0.05: mean 0.05, sd 0.0408; error 0.0408 sqrt(1/4 + 1/9).
    found = paired_difference(first, second, test_share=1 / 9)
    error = np.sqrt(0.005 / 3) * np.sqrt(1 / 4 + 1 / 9)
    assert found.mean == pytest.approx(0.05)
    assert found.t == pytest.approx(0.05 / error)
    assert found.p == pytest.approx(2 * stats.t.sf(0.05 / error, 3))
    assert (found.low + found.high) / 2 == pytest.approx(0.05)
    independent = paired_difference(first, second, test_share=0)
    assert independent.p == pytest.approx(stats.ttest_rel(first, second).pvalue)
    same = paired_difference(first, first, test_share=0.1)
    assert (same.t, same.p) == (0.0, 1.0)
    assert np.isnan(paired_difference([1.0, 1.0], [0.0, 0.0], test_share=0.1).t)
    for arguments in (([1.0], [1.0], 0.1), ([1.0, 2], [1.0], 0.1), ([1.0, 2], [1.0, 2], -0.1)):
        with pytest.raises(ValueError, match="Expected"):
            paired_difference(*arguments[:2], test_share=arguments[2])


def test_differences_that_are_equal_but_for_rounding_have_no_sure_mean():
    # 0.9 - 0.8 and 0.8 - 0.7 differ by 8e-17: no spread to judge a mean of 0.1 by.
    found = paired_difference([0.9, 0.8], [0.8, 0.7], test_share=1 / 9)
    assert found.mean == pytest.approx(0.1)
    assert found.sd == 0
    assert np.isnan([found.t, found.p, found.low, found.high]).all()
    # 0.1 + 0.2 is 0.3 but for rounding: no difference at all.
    same = paired_difference([0.1 + 0.2, 0.5], [0.3, 0.5], test_share=1 / 9)
    assert (same.mean, same.t, same.p) == (0, 0, 1)


def test_scores_that_are_equal_but_for_rounding_share_their_place():
    scores = np.array([[0.1 + 0.2, 0.3, 0.5], [0.4, 0.3, 0.1 + 0.3]])
    assert average_ranks(scores).ranks.tolist() == [[2.5, 2.5, 1], [1.5, 3, 1.5]]


def all_signs_p(differences):
    """The signed-rank test by its definition: every combination of signs is as likely."""
    nonzero = differences[differences != 0]
    ranks = stats.rankdata(np.abs(nonzero))
    sums = [ranks[list(signs)].sum() for signs in product([False, True], repeat=len(ranks))]
    observed = ranks[nonzero > 0].sum()
    tails = np.mean(np.array(sums) <= observed), np.mean(np.array(sums) >= observed)
    return min(1.0, 2 * min(tails))


@pytest.mark.parametrize("n_data_sets", [2, 5, 8])
def test_wilcoxon_tries_all_signs_where_few_differences_tie(n_data_sets):
    halves = np.random.default_rng(n_data_sets).integers(0, 5, (n_data_sets, 5)) / 2
    table = wilcoxon_pairs(halves, list("abcde"))
    for row, (i, j) in zip(table.itertuples(), combinations(range(5), 2), strict=True):
        differences = halves[:, i] - halves[:, j]
        expected = all_signs_p(differences) if differences.any() else np.nan
        assert row.p == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("n_data_sets", [20, 60])
def test_wilcoxon_of_many_pairs_is_scipys_of_each(n_data_sets):
    rng = np.random.default_rng(0)
    # Some pairs tie and others do not, for which SciPy goes different ways.
    scores = np.hstack([rng.integers(0, 9, (n_data_sets, 3)) / 2, rng.random((n_data_sets, 3))])
    table = wilcoxon_pairs(scores, list("abcdef"))
    for row, (i, j) in zip(table.itertuples(), combinations(range(6), 2), strict=True):
        assert row.p == pytest.approx(stats.wilcoxon(scores[:, i] - scores[:, j]).pvalue)


def test_wilcoxon_is_scipys_on_exact_differences():
    # In tenths, so that SciPy gets differences without rounding and sees every tie.
    tenths = (np.random.default_rng(1).normal(size=(10, 3)) * 10).round()
    table = wilcoxon_pairs(tenths / 10, ["a", "b", "c"])
    for row in table.itertuples():
        i, j = "abc".index(row.first), "abc".index(row.second)
        differences = tenths[:, i] - tenths[:, j]
        assert row.p == pytest.approx(stats.wilcoxon(differences).pvalue)
        counts = [(differences > 0).sum(), (differences < 0).sum(), (differences == 0).sum()]
        assert list(row[3:6]) == counts
    assert np.isnan(wilcoxon_pairs([[1, 1], [2, 2]], "ab")["p"].iloc[0])


class TestReading:
    rows = "data{0}A{0}B\niris{0}0.9 (1){0}0.8 (2)\nwine{0}0.7{0}0.7\nAvg. rank{0}1.0{0}2.0"

    @pytest.mark.parametrize("separator", ["\t", " & ", " | ", ";", "  "])
    def test_columns_are_set_apart_in_many_ways(self, separator):
        table = read_result_table(self.rows.format(separator))
        assert table.methods == ("A", "B")
        assert table.data_sets == ("iris", "wine")
        assert table.scores.tolist() == [[0.9, 0.8], [0.7, 0.7]]
        assert table.ranks[0].tolist() == [1, 2]
        assert np.isnan(table.ranks[1]).all()

    def test_deviations_stars_and_latex_ends_are_read_past(self):
        table = read_result_table(
            "A & B \\\\\niris & *0.9* ± 0.1 & 0,8 \\\\\nw & −0.1 & .5(1) \\\\"
        )
        assert table.methods == ("A", "B")
        assert table.scores.tolist() == [[0.9, 0.8], [-0.1, 0.5]]

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("", "a line of names"),
            ("data A B", "a line of names"),
            ("data A B\niris 0.9 high", "Line 2: found 'high'"),
            ("data A B\nwine 0.7", "2 names for 1 column"),
            ("data A B\n" + "iris 0.9 0.8\n" * 501, "501 data sets"),
            ("data A B\niris 0.9 0.8" + " " * 1_000_000, "more than 1,000,000 characters"),
            ("data k NN forest\niris 0.9 0.8", "3 names for 2 columns"),
            ("data A\niris 0.9 0.8", "found 0.9"),
            ("A\niris 0.9 0.8 0.7", "1 name for 3"),
            ("data A\niris 0.9", "2 to 60"),
            ("data A B\navg.rank 1 2", "no data set"),
        ],
    )
    def test_what_is_no_table_is_said_so(self, text, said):
        if said == "found 0.9":
            said = "1 name for 2"
            text = "A\niris 0.9 0.8"
        with pytest.raises(DatasetError, match=said):
            read_result_table(text)

    @given(st.text(max_size=200))
    def test_any_text_is_a_table_or_findings(self, text):
        try:
            find_discrepancies(read_result_table(text))
        except DatasetError as error:
            assert len(error.findings) > 0  # noqa: PT017

    def test_a_line_that_cannot_be_read_is_left_out_with_a_finding(self):
        for separator in "\t", "  ":
            lines = "data A B", "iris 0.9 0.8", "wine 0.7", "glass high 0.1", "vehicle 1 2"
            table = read_result_table("\n".join(lines).replace(" ", separator))
            assert table.data_sets == ("iris", "vehicle")
            assert table.scores.tolist() == [[0.9, 0.8], [1, 2]]
            assert [(each.row, each.severity) for each in table.findings] == [
                (3, Severity.WARNING),
                (4, Severity.WARNING),
            ]
            assert "1 scores, but 2 methods" in str(table.findings[0])
            assert "'high'" in str(table.findings[1])

    def test_names_that_end_in_numbers_are_no_scores_of_a_method_called_data(self):
        for text in ("data A B\nSet 1 0.9 0.8", "Data sets  A  B\nSet 1  0.9  0.8"):
            table = read_result_table(text)
            assert (table.methods, table.data_sets) == (("A", "B"), ("Set 1",))
            assert table.scores.tolist() == [[0.9, 0.8]]

    @pytest.mark.parametrize("more", ["", "\niris 0.5 0.4", "\nSet 2 0.7 0.6"])
    def test_what_may_be_a_name_or_a_score_is_asked(self, more):
        text = "task A B\nSet 1 0.9 0.8" + more
        with pytest.raises(DatasetError, match="'task' may be a method, or the heading") as error:
            read_result_table(text)
        assert [each.code for each in error.value.findings] == [HEADING_UNCLEAR]
        table = read_result_table(text, heading=True)
        assert (table.methods, table.data_sets[0]) == (("A", "B"), "Set 1")
        if "iris" not in more:
            table = read_result_table(text, heading=False)
            assert (table.methods, table.data_sets[0]) == (("task", "A", "B"), "Set")
            assert table.scores[0].tolist() == [1, 0.9, 0.8]

    def test_an_indented_first_line_and_separated_columns_need_no_question(self):
        table = read_result_table("  A B C\nSet 1 0.9 0.8")
        assert (table.methods, table.data_sets) == (("A", "B", "C"), ("Set",))
        for text in ("task;A;B\nSet 1;0.9;0.8", "\tA\tB\nSet 1\t0.9\t0.8"):
            table = read_result_table(text)
            assert (table.methods, table.data_sets) == (("A", "B"), ("Set 1",))

    @pytest.mark.parametrize("text", ["1" * 500_000 + "x", " " * 500_000 + "x", "± " * 250_000])
    def test_long_lines_take_no_longer_than_their_length(self, text):
        start = time.monotonic()
        with pytest.raises(DatasetError):
            read_result_table(f"A B C\n{text} 1 2\n{text}\t1\t2\nx 1 {text}")
        assert time.monotonic() - start < 5

    def test_discrepancies_are_found_and_rounding_is_none(self):
        table = read_result_table("d A B\nx 0.9(1) 0.8(2)\ny 0.7(1) 0.7(2)\navg 1.3 1.75")
        found = find_discrepancies(table)
        assert [(s.where, s.printed, s.recomputed) for s in found] == [
            ("y, A", 1.0, 1.5), ("y, B", 2.0, 1.5), ("average rank, A", 1.3, 1.25),
        ]  # fmt: skip
        lower = read_result_table("d A B\nx 0.9(2) 0.8(1)\ny 0.7(1) 0.9(2)")
        assert find_discrepancies(lower, greater_is_better=False) == []
