"""Results compared: which methods differ, the tested table, Friedman's test, the audit."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from labelrank_core import DatasetError
from labelrank_core.comparison.results_tables import (
    HEADING_UNCLEAR,
    Discrepancy,
    ResultTable,
    find_discrepancies,
    read_result_table,
)
from labelrank_core.comparison.significance import (
    AverageRanks,
    average_ranks,
    f_of_chi2,
    friedman,
    friedman_chi2,
)
from labelrank_core.data.findings import count_of
from labelrank_core.metrics import METRICS
from labelrank_core.papers import find_table
from pages.ui import compute
from pages.ui.render import significance, tables, widgets

_SOURCE = "[Zhou, Qiu 2018, Table 3](papers?publication=Zhou%2C+Qiu+2018&table_lrrf=Table+3)"


def render_comparison() -> None:
    """Draw a pasted table of results, its significance tests and its audit."""
    example_table = find_table("lrrf", "3")
    example = example_table.printed
    with st.container(horizontal=True, vertical_alignment="center"):
        source_slot = st.container(width="content")
        with st.popover("Paste your own table", icon=":material/content_paste:"):
            pasted = st.text_area(
                "Results: one line per data set, one column per method",
                example,
                height=360,
                width=640,
                key="results",
                help="Columns separated by tabs, &, |, semicolons or blanks; ranks in parentheses "
                "and a line avg.rank are checked where they are given.",
            )
            better = st.toggle("Higher is better", value=True, key="higher", bind="query-params")
        export_slot = st.container(width="content")
    table = _choose_table(pasted)
    if table is None:
        return
    ranks = average_ranks(table.scores, greater_is_better=better)
    is_example = pasted == example
    # The titles tell readings apart that are not in the print.
    plain_names = replace(example_table, titles={}).plain_names() if is_example else {}
    names = [plain_names.get((method, ""), method) for method in table.methods]
    scores = pd.DataFrame(table.scores, index=list(table.data_sets), columns=names).rename_axis(
        index=None
    )
    counts = f"{count_of(ranks.n_methods, 'method')} on {count_of(ranks.n_data_sets, 'data set')}"
    source = f"Published example, {_SOURCE}" if is_example else "Your table"
    source_slot.markdown(f"{source}: {counts}.")
    # Lines that are left out count for all that follows.
    widgets.render_findings(table.findings, "results")
    with st.container(key="significance_tests"):
        tests = significance.render_pairwise_tests(scores, ranks)
        measure = METRICS[example_table.blocks[0].measure].title if is_example else "scores"
        is_better = f"{'higher' if better else 'lower'} is better"
        discrepancies = find_discrepancies(table, greater_is_better=better)
        n_differing = len(discrepancies)
        differing = f", {count_of(n_differing, 'printed rank')} wrong" if discrepancies else ""
        title = f"Tested table: {measure}, {is_better}{differing}"
        significance.render_friedman_test(ranks)
        with widgets.expander(title, "tested_table", is_open=bool(discrepancies)) as is_drawn:
            if is_drawn:
                st.markdown("Shaded: the best method on a data set.")
                significance.render_scores(scores, ranks, greater_is_better=better)
                _render_audit(table, ranks, discrepancies)
        if tests is not None:
            significance.render_all_pairs(tests)
            with export_slot, st.popover("Export", icon=":material/download:", key="export_tests"):
                significance.render_test_downloads(tests)
                significance.render_diagram_download(tests)


_HEADINGS = {"the heading of the names below it": True, "a method": False}


def _choose_table(pasted: str) -> ResultTable | None:
    """Read the table; ask where the first name may be a heading or a method."""
    try:
        return _read_table(pasted)
    except DatasetError as error:
        unclear = HEADING_UNCLEAR in [finding.code for finding in error.findings]
        findings = error.findings
    if unclear:
        heading_choice = st.radio("The first name is", list(_HEADINGS), index=None, key="heading")
        if heading_choice is not None:
            try:
                return _read_table(pasted, heading=_HEADINGS[heading_choice])
            except DatasetError as error:
                findings = error.findings
    if unclear:
        st.info("Choose what the first name is; then this table is read.")
    else:
        st.error("This table cannot be read.", icon=":material/error:")
    widgets.render_findings(findings, "results")
    return None


def _read_table(pasted: str, *, heading: bool | None = None) -> ResultTable:
    key = compute.digest("pasted results", pasted, heading)
    read = partial(read_result_table, heading=heading)
    return compute.once(key, "Reading the results", read, pasted)


def _render_audit(
    table: ResultTable, ranks: AverageRanks, discrepancies: Sequence[Discrepancy]
) -> None:
    """Draw which printed ranks of a table are not those of its scores, where ranks are printed."""
    n_checked = int((~np.isnan(table.ranks)).sum() + (~np.isnan(table.averages)).sum())
    if n_checked and not discrepancies:
        st.caption(
            f"All {n_checked} printed ranks and average ranks are right.",
            help=_rounding_note(table, ranks),
        )
    elif discrepancies:
        st.warning(
            f"{len(discrepancies)} of {n_checked} printed ranks and average ranks differ from the "
            "recomputed values."
        )
        st.dataframe(
            pd.DataFrame(
                {
                    "where": [discrepancy.where for discrepancy in discrepancies],
                    "printed": [discrepancy.printed for discrepancy in discrepancies],
                    "recomputed": [discrepancy.recomputed for discrepancy in discrepancies],
                }
            ),
            hide_index=True,
            height=tables.height(len(discrepancies)),
        )


def _rounding_note(table: ResultTable, ranks: AverageRanks) -> str | None:
    """Return a note on F with the rounded average ranks in print; None unless all are printed."""
    if ranks.n_data_sets < 2 or np.isnan(table.averages).any():
        return None
    chi2 = friedman_chi2(table.averages, ranks.n_data_sets)
    printed = f_of_chi2(chi2, ranks.n_data_sets, ranks.n_methods)
    return (
        "The printed average ranks are rounded. With them, F would be "
        f"{printed:.2f} instead of {friedman(ranks).f:.2f}."
    )
