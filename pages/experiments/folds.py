"""What is behind a mean: its single folds, and the cases a method gets most wrong."""

from collections.abc import Mapping

import streamlit as st

from labelrank_core import Dataset
from labelrank_core.comparison.leaderboard import Leaderboard, worst_cases
from labelrank_core.experiments import Unit
from pages.experiments.results import Results
from pages.ui import choices, compute, session, tables, text, toolbar, widgets


def behind_the_means(
    results: Results, board: Leaderboard, data: str, method: str | None, level: Mapping[str, float]
) -> None:
    """Draw the single folds of a method and the cases it gets most wrong."""
    st.header("Behind the means", anchor=False)
    known = [name for name in board.methods if len(board.single_folds(data, name))]
    if method not in known:
        method = choices.choose(st.selectbox, "Method", known, key="ex_behind")
    st.markdown(f"**{text.markdown(str(method))}** on **{text.markdown(data)}**")
    left, right = st.columns(2, gap="large")
    with left:
        st.caption("Single folds, counted from 1")
        folds = board.single_folds(data, str(method))
        folds[["repeat", "fold"]] += 1
        st.dataframe(folds, hide_index=True, height=tables.height(len(folds)))
    with right:
        units = [
            unit
            for unit in results.units
            if (unit.data_name, unit.method.name) == (data, method)
            and unit.missing == level["missing"]
            and unit.train_share == level["train_share"]
        ]
        if units:
            _worst(results, board, units)
        else:
            st.caption("Results from a file have no single cases.")


def _worst(results: Results, board: Leaderboard, units: list[Unit]) -> None:
    cases = []
    for number, unit in enumerate(units, 1):
        try:
            cases.append((number, results.store.cases(unit)))
        except KeyError:
            continue
    table = worst_cases(cases, board.measure.key)
    if not any(board.measure.key in each for _, each in cases):
        st.caption("This measure has no values of single cases.")
        return
    if table.empty:
        st.caption("It gets every test row right.")
        return
    st.caption("The test rows it gets most wrong, with their test fold (1, 2, …)")
    shown = table.assign(row=table["row"] + 1)
    shown = shown.rename(columns={"folds": "test folds", "n_tests": "tested"})
    dataset, choice = results.datasets[units[0].fingerprint], units[0].method.choice
    option = _at_hand(dataset)
    if option is None:
        st.dataframe(shown, hide_index=True, height=tables.height(len(shown)))
        st.caption("These data are not loaded in this session, so their rows cannot be opened.")
        return
    key = choices.table_key("ex_worst", units[0].key, table["row"].tolist())

    def take() -> None:
        place = session.ticked(key)
        if place is not None:
            toolbar.set_case(option, choice, int(table["row"].iloc[place]))

    event = st.dataframe(
        shown,
        hide_index=True,
        height=tables.height(len(shown)),
        on_select=take,
        selection_mode="single-row",
        key=key,
    )
    rows = event["selection"]["rows"]
    if not rows or rows[0] >= len(table):
        st.caption("Tick a row to choose it, with its data and method, on every page.")
        return
    words = f"Look at row {shown['row'].iloc[rows[0]]} on Predict"
    widgets.link("predict", words, ":material/search:")
    st.caption("There the training rows differ from those of a fold, so the prediction may differ.")


def _at_hand(dataset: Dataset) -> str | None:
    """Return what the toolbar calls data, if it offers them."""
    if compute.known_sample(dataset):
        return dataset.name
    own = session.own_data().items()
    return next((name for name, each in own if each.fingerprint == dataset.fingerprint), None)
