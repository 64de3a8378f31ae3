"""Results compared: the audit of a printed table, Friedman's test, who can be told apart."""

import numpy as np
import pandas as pd
import streamlit as st

from labelrank_core import DatasetError
from labelrank_core.comparison.results_tables import ResultTable, find_slips, read_results
from labelrank_core.comparison.significance import (
    AverageRanks,
    average_ranks,
    f_of_chi2,
    friedman_chi2,
)
from pages.compare.example_results import SOURCE, TABLE
from pages.ui import parts, statistics


def draw() -> None:
    """Draw a table of results and what follows from it."""
    left, right = st.columns([1.15, 1], gap="large")
    with left:
        pasted = st.text_area(
            "Results",
            TABLE,
            height=330,
            key="results",
            help="Columns set apart by tabs, &, |, semicolons or blanks; ranks in parentheses and "
            "a line avg.rank are checked where they are given.",
        )
        if pasted == TABLE:
            st.caption(f"Example: {SOURCE}.")
        better = st.toggle("Higher is better", value=True, key="higher", bind="query-params")
    try:
        table = read_results(pasted)
        ranks = average_ranks(table.scores, greater_is_better=better)
    except DatasetError as error:
        with right:
            st.error("This table cannot be read.", icon=":material/error:")
            parts.findings(error.findings, "results")
        return
    scores = pd.DataFrame(
        table.scores, index=list(table.data_sets), columns=list(table.methods)
    ).rename_axis(index=None)
    with right:
        _slips(table, greater_is_better=better)
        statistics.alike(ranks)
        _printed_averages(table, ranks)
    statistics.draw(scores, ranks)


def _slips(table: ResultTable, *, greater_is_better: bool) -> None:
    st.subheader("The audit", anchor=False)
    slips = find_slips(table, greater_is_better=greater_is_better)
    checked = int((~np.isnan(table.ranks)).sum() + (~np.isnan(table.averages)).sum())
    if not checked:
        st.markdown("No ranks are printed, so there is nothing to check.")
    elif not slips:
        st.success(f"All {checked} printed ranks and average ranks are right.")
    else:
        st.warning(f"{len(slips)} of {checked} printed ranks and average ranks are others.")
        st.dataframe(
            pd.DataFrame(
                {
                    "where": [slip.where for slip in slips],
                    "printed": [slip.printed for slip in slips],
                    "computed": [slip.computed for slip in slips],
                }
            ),
            hide_index=True,
        )


def _printed_averages(table: ResultTable, ranks: AverageRanks) -> None:
    if ranks.n_data_sets > 1 and not np.isnan(table.averages).any():
        chi2 = friedman_chi2(table.averages, ranks.n_data_sets)
        printed = f_of_chi2(chi2, ranks.n_data_sets, ranks.n_methods)
        st.caption(f"From the printed average ranks F is {printed:.2f}.")
