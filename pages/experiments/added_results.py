"""Results from a file beside those of an experiment, on one leaderboard."""

import io
from dataclasses import replace
from typing import Any

import streamlit as st

from labelrank_core.experiments import ResultsError, join_results, read_results
from pages.experiments.results import Results
from pages.ui import compute
from pages.ui.wording import text

_LARGEST_MB = 10


def choose_added_results(results: Results) -> Results:
    """Draw the choice of a file of results; return them joined to those of the experiment."""
    with st.expander("Add results from a file"):
        file = st.file_uploader(
            "CSV with columns data, method, measure, value, repeat, fold",
            key=f"ex_added_{results.run}",
            type="csv",
            max_upload_size=_LARGEST_MB,
            help="Of another experiment, of your own estimator (`results_of` in "
            "`labelrank_core.experiments`) or of any program, on the same folds. Measures by their "
            "keys, such as kendall_tau_score; repeat and fold count from 0. Nothing is kept.",
        )
        if file is None:
            return results
        try:
            return _joined(results, file)
        except ResultsError as error:
            st.error(text.markdown(text.error_message(error)), icon=":material/error:")
            return results


def _joined(results: Results, file: Any) -> Results:
    key = compute.digest("added results", file.file_id)
    added = compute.once(key, "Reading the results", read_results, io.BytesIO(file.getvalue()))
    comparable = added[added["data"].isin(results.frame["data"])]
    if comparable.empty:
        names = ", ".join(dict.fromkeys(results.frame["data"]))
        raise ResultsError(f"Expected results on {names}, found none in the file.")
    joined = join_results(results.frame, comparable)
    methods = ", ".join(dict.fromkeys(comparable["method"]))
    sentence = f"Added: {text.markdown(methods)}."
    if n_left := len(added) - len(comparable):
        sentence += f" Rows left out, on other data: {n_left:,}."
    st.caption(sentence)
    return replace(results, frame=joined)
