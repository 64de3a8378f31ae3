"""The statistics of Tables 3 to 6 of Zhou and Qiu (2018), and the discrepancies in them."""

import numpy as np
import pytest

from labelrank_core.comparison.results_tables import find_discrepancies
from labelrank_core.comparison.significance import (
    average_ranks,
    critical_difference,
    f_of_chi2,
    friedman,
    friedman_chi2,
)
from labelrank_core.papers.facts import printed_results


def test_table_3_has_f_of_2_86_exact_and_2_93_with_rounded_ranks():
    table = printed_results("lrrf-3")
    ranks = average_ranks(table.scores)
    assert find_discrepancies(table) == []
    assert round(friedman(ranks).f, 2) == 2.86
    assert friedman(ranks).degrees == (6, 90)
    rounded = friedman_chi2(table.averages, 16)
    assert round(f_of_chi2(rounded, 16, 7), 2) == 2.93
    assert round(critical_difference(16, 7, test="bonferroni-dunn"), 3) == 2.015
    assert table.averages.tolist() == ranks.means.round(2).tolist()


@pytest.mark.parametrize(
    ("slug", "computed", "printed"),
    [("lrrf-4", 4.22, 4.18), ("lrrf-5", 6.65, 6.67), ("lrrf-6", 9.61, 9.34)],
)
def test_the_f_of_the_other_tables_from_values_and_from_printed_averages(slug, computed, printed):
    table = printed_results(slug)
    n, k = table.scores.shape
    assert round(friedman(average_ranks(table.scores)).f, 2) == computed
    assert round(f_of_chi2(friedman_chi2(table.averages, n), n, k), 2) == printed


def test_the_critical_difference_of_12_methods_is_3_74_not_3_78():
    assert round(critical_difference(15, 12, test="bonferroni-dunn"), 2) == 3.74


@pytest.mark.parametrize(
    ("slug", "data_sets"),
    [
        ("lrrf-4", {"wisconsin"}),
        ("lrrf-5", {"elevators", "housing"}),
        ("lrrf-6", {"vehicle", "wine"}),
    ],
)
def test_misprinted_ranks_are_found(slug, data_sets):
    table = printed_results(slug)
    found = find_discrepancies(table)
    ranks = [each for each in found if not each.where.startswith("average")]
    assert {each.where.split(",")[0] for each in ranks} == data_sets
    wrong = {each.where.split(", ")[1] for each in ranks}
    averages = {each.where.split(", ")[1] for each in found if each.where.startswith("average")}
    assert averages <= wrong
    computed = average_ranks(table.scores)
    assert (np.abs(computed.ranks - table.ranks) > 0.05).sum() == len(ranks)
