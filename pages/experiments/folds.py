"""The single folds behind a mean, and the cases a method gets most wrong."""

from collections.abc import Mapping

import streamlit as st

from labelrank_core import Dataset
from labelrank_core.comparison.leaderboard import Leaderboard, worst_cases
from labelrank_core.experiments import Unit
from pages.experiments.results import Results
from pages.ui import compute, session, toolbar
from pages.ui.choose import choices
from pages.ui.render import tables, widgets


def render_folds(
    results: Results, board: Leaderboard, data: str, level: Mapping[str, float]
) -> None:
    """Draw the single folds of a method and the cases it gets most wrong."""
    measured_methods = [name for name in board.methods if len(board.single_folds(data, name))]
    method = choices.choose(st.selectbox, "Method", measured_methods, key="ex_behind")
    folds_column, cases_column = st.columns(2, gap="large")
    with folds_column:
        st.caption("Single folds, counted from 1")
        folds = board.single_folds(data, str(method))
        folds[["repeat", "fold"]] += 1
        st.dataframe(folds, hide_index=True, height=tables.height(len(folds)))
    with cases_column:
        units = [
            unit
            for unit in results.units
            if (results.title_of(unit), unit.method.name) == (data, method)
            and unit.missing == level["missing"]
            and unit.train_share == level["train_share"]
        ]
        if units:
            _render_worst_cases(results, board, units)
        else:
            st.caption("Results from a file have no single cases.")


def _render_worst_cases(results: Results, board: Leaderboard, units: list[Unit]) -> None:
    cases = []
    for number, unit in enumerate(units, 1):
        try:
            cases.append((number, results.store.cases(unit)))
        except KeyError:
            continue
    table = worst_cases(cases, board.measure.key)
    if not any(board.measure.key in case_values for _, case_values in cases):
        st.caption("This measure has no values of single cases.")
        return
    if table.empty:
        st.caption("It gets every test row right.")
        return
    st.caption("The test rows it gets most wrong, with their test fold (1, 2, …)")
    numbered = table.assign(row=table["row"] + 1)
    numbered = numbered.rename(columns={"folds": "test folds", "n_tests": "tested"})
    dataset, choice = results.datasets[units[0].fingerprint], units[0].method.choice
    option = _name_in_toolbar(dataset)
    if option is None:
        st.dataframe(numbered, hide_index=True, height=tables.height(len(numbered)))
        st.caption("These data are not loaded in this session, so their rows cannot be opened.")
        return
    key = choices.table_key("ex_worst", units[0].key, table["row"].tolist())

    def take() -> None:
        position = session.ticked_row(key)
        if position is not None:
            toolbar.set_case(option, choice, int(table["row"].iloc[position]))

    event = st.dataframe(
        numbered,
        hide_index=True,
        height=tables.height(len(numbered)),
        on_select=take,
        selection_mode="single-row",
        key=key,
    )
    rows = event["selection"]["rows"]
    if not rows or rows[0] >= len(table):
        st.caption("Tick a row to choose it, with its data and method, on every page.")
        return
    link_text = f"Look at row {numbered['row'].iloc[rows[0]]} on Predict"
    widgets.render_link("predict", link_text, ":material/search:")
    st.caption("There the training rows differ from those of a fold, so the prediction may differ.")


def _name_in_toolbar(dataset: Dataset) -> str | None:
    """Return the name of data in the toolbar; None where it does not list them."""
    if compute.known_sample(dataset):
        return dataset.name
    uploads = session.own_data().items()
    return next(
        (name for name, uploaded in uploads if uploaded.fingerprint == dataset.fingerprint), None
    )
