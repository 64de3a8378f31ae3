"""The labels and cases behind a measure of an evaluation."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from labelrank_core import Dataset, Task
from labelrank_core.evaluation.error_analysis import (
    case_texts,
    label_cases,
    label_frame,
    worst_cases,
)
from labelrank_core.evaluation.evaluate import Evaluation
from labelrank_core.metrics import METRICS, Measure
from pages.ui import session
from pages.ui.choose import choices
from pages.ui.render import drawing, widgets
from pages.ui.render.charts.labels import label_quality, place_errors
from pages.ui.wording import text

ALL_LABELS = "All labels"
_SHOWN, _METHOD = "behind", "of"
_BY, _LABEL = "Cases by ", "Cases with a wrong "
_SHOWN_CASES, _SHOWN_LABELS = 200, 30
# Of more labels the table has room for all.
_MOST_BUTTONS = 12
_COLUMNS = {
    "known_pairs": "known pairs",
    "wrong_pairs": "pairs in another order",
    "share": "cases that have it",
    "predicted_share": "cases predicted",
    "f1": "F1",
    "auc": "AUC",
    "first_share": "truly first",
    "predicted_first_share": "predicted first",
    "mean_error": "mean position error",
    "mean_shift": "too far back",
    "n_wrong": "wrong cases",
}
# The caption of a figure and its help text, by the measure that the figure shows.
_EXPLAINED = {
    "f1": (
        "Precision, recall, F1 and AUC of each label; grey bar: the share of cases that have it.",
        "Precision: the share of the cases it is predicted for that have it. Recall: the share of "
        "the cases that have it that it is predicted for. F1 balances both; AUC depends on the "
        "order of the scores only. Macro F1 and AUC are the means of these columns.",
    ),
    "mean_error": (
        "Left: by how many positions a prediction misses on average. Right: how often "
        "a label comes first.",
        "Too far back: the same with its sign, negative if the label is predicted too far ahead. "
        "Labels that tie share their places: each of those is right for them, and each of them "
        "comes first if the tie does.",
    ),
}
_SHARES = ("share", "predicted_share", "first_share", "predicted_first_share")
_MISTAKES = {1.0: "included wrongly", -1.0: "missed"}


def open_measure(key: str, method: str) -> None:
    """Select a measure's cases, or all labels where it has none; for callbacks."""
    measure = METRICS[key]
    session.set_state(_METHOD, method)
    session.set_state(_SHOWN, _BY + measure.title if measure.has_cases else ALL_LABELS)


def render_labels_and_cases(
    dataset: Dataset,
    measures: Sequence[Measure],
    evaluations: Sequence[Evaluation],
    tests_key: str,
) -> None:
    """Draw the labels, or the cases of a measure or label, of one of the methods.

    `tests_key` is that of the first method on these test rows.
    """
    st.header("Behind the numbers", anchor=False)
    by_method = {evaluation.method: evaluation for evaluation in evaluations}
    with st.container(horizontal=True):
        method = choices.choose(
            st.selectbox,
            "Predictions of",
            list(by_method),
            key=_METHOD,
            bind="query-params",
            width=260,
        )
        evaluation = by_method[method]
        keys = {
            _BY + measure.title: measure.key
            for measure in measures
            if measure.key in evaluation.values
        }
        labels = {_LABEL + name: label for label, name in enumerate(dataset.label_names)}
        insert = dataset.nouns.insert
        # Measures and labels keep their own words.
        titles = {ALL_LABELS: insert(ALL_LABELS)}
        titles |= {option: insert(_BY) + option.removeprefix(_BY) for option in keys}
        titles |= {option: insert(_LABEL) + option.removeprefix(_LABEL) for option in labels}
        selected = choices.choose(
            st.selectbox,
            "What to show",
            list(titles),
            key=_SHOWN,
            bind="query-params",
            width=400,
            format_func=titles.__getitem__,
        )
    if selected in keys:
        _render_cases_of_measure(dataset, evaluation, keys[selected], tests_key)
    elif selected in labels:
        _render_cases_of_label(dataset, evaluation, labels[selected], tests_key)
    else:
        _render_labels(dataset, evaluation)


def _render_labels(dataset: Dataset, evaluation: Evaluation) -> None:
    table = label_frame(dataset, evaluation)
    if "wrong_pairs" in table:
        table = table.sort_values("wrong_pairs", ascending=False, kind="stable")
        st.caption("In how many of the known pairs of a label it is not in the order predicted.")
        _render_label_table(table)
        return
    by, ascending = ("f1", True) if "f1" in table else ("mean_error", False)
    if by not in table:
        st.info("This method predicts nothing that can be compared label by label.")
        return
    table = table.sort_values(by, ascending=ascending, kind="stable")
    known = table.dropna(subset=[by])
    if len(known) > 1:
        st.markdown(_finding(known, by))
    worst_labels = table.head(_SHOWN_LABELS)
    figure = label_quality if by == "f1" else place_errors
    quantity = "F1" if by == "f1" else "mean position error"
    notice = f"The {_SHOWN_LABELS} worst of {len(table)} labels are drawn. "
    caption, explained = _EXPLAINED[by]
    drawing.render_chart(
        figure(worst_labels),
        key="labels",
        alt=f"{quantity} of each label, the worst first: "
        + "; ".join(
            f"{name} {value:.2f}"
            for name, value in zip(worst_labels["label"], worst_labels[by], strict=True)
        ),
        table=_renamed_columns(table),
        caption=drawing.with_nouns((notice if len(table) > len(worst_labels) else "") + caption),
        more=explained,
    )
    if len(table) > _MOST_BUTTONS or "n_wrong" not in table:
        _render_label_table(table)
    else:
        _render_label_buttons(table)


def _finding(table: pd.DataFrame, by: str) -> str:
    """Say of which label, the first of the table, predictions are worst, and of which best."""
    worst, best = table.iloc[0], table.iloc[-1]
    names = [f"**{text.markdown(row['label'])}**" for row in (worst, best)]
    if by == "f1":
        return f"Predicted worst: {names[0]}, F1 {worst[by]:.2f}. Best: {names[1]}, {best[by]:.2f}."
    return (
        f"Predictions miss {names[0]} most, by {worst[by]:.2f} positions on average, and "
        f"{names[1]} least, by {best[by]:.2f}."
    )


def _render_label_buttons(table: pd.DataFrame) -> None:
    """Draw a button per label, with the number of the cases that it opens."""
    n_wrong = dict(zip(table["label"], table["n_wrong"], strict=True))
    key = choices.table_key("label_buttons", list(n_wrong))

    def counted(n_cases: int) -> str:
        return drawing.with_nouns(f"{n_cases} case{'' if n_cases == 1 else 's'}")

    def open_label() -> None:
        label = session.get_state(key)
        if label in n_wrong:
            session.set_state(_SHOWN, _LABEL + label)

    choices.choose(
        st.pills,
        drawing.with_nouns("Show the cases in which this label is wrong"),
        list(n_wrong),
        None,
        key=key,
        format_func=lambda label: f"{text.markdown(label)}: {counted(n_wrong[label])}",
        on_change=open_label,
    )


def _render_label_table(table: pd.DataFrame) -> None:
    st.markdown(drawing.with_nouns("Tick a label to see the cases in which it is wrong."))
    names = list(table["label"])
    key = choices.table_key("labels", names)
    st.dataframe(
        _renamed_columns(table),
        hide_index=True,
        height=min(38 + 35 * len(table), 320),
        key=key,
        selection_mode="single-row",
        on_select=lambda: _open_label(names, key),
        column_config={
            _COLUMNS[name]: st.column_config.NumberColumn(format="percent") for name in _SHARES
        },
    )


def _renamed_columns(table: pd.DataFrame) -> pd.DataFrame:
    return table.rename(columns=_COLUMNS).round(3)


def _open_label(names: list[str], key: str) -> None:
    position = session.ticked_row(key)
    if position is not None:
        session.set_state(_SHOWN, _LABEL + names[position])


def _render_cases_of_measure(
    dataset: Dataset, evaluation: Evaluation, key: str, tests_key: str
) -> None:
    measure, cases = METRICS[key], worst_cases(dataset, evaluation, key)
    n_cases = int(np.count_nonzero(~np.isnan(evaluation.values[key])))
    left_out = len(evaluation.rows) - n_cases
    skipped_text = f" ({left_out} others have nothing to compare)" if left_out else ""
    n_right = n_cases - len(cases)
    right = f" {n_right} of them are perfect and are not listed." if n_right else ""
    st.markdown(
        f"**{measure.title}** is **{evaluation.totals[key]:.3f}**, the mean of {n_cases} "
        f"cases{skipped_text}; {measure.better} is better. {measure.definition}{right}"
    )
    _render_case_table(
        dataset, evaluation, cases.rename(columns={"value": measure.title}), key, tests_key
    )


def _render_cases_of_label(
    dataset: Dataset, evaluation: Evaluation, label: int, tests_key: str
) -> None:
    cases, name = label_cases(dataset, evaluation, label), dataset.label_names[label]
    st.markdown(
        f"**{text.markdown(name)}** is wrong in **{len(cases)}** of {len(evaluation.rows)} cases."
    )
    if evaluation.predictions.relevance is None:
        is_pairs = dataset.task is Task.PAIR_PREFERENCES
        title = "pairs in another order" if is_pairs else "positions too far back"
        cases = cases.rename(columns={"value": title})
    else:
        cases = cases.assign(value=cases["value"].map(_MISTAKES))
        cases = cases.rename(columns={"value": "mistake"})
    _render_case_table(dataset, evaluation, cases, f"label {label}", tests_key)


def _render_case_table(
    dataset: Dataset, evaluation: Evaluation, cases: pd.DataFrame, name: str, tests_key: str
) -> None:
    if cases.empty:
        return

    def numbered_rows(part: pd.DataFrame) -> pd.DataFrame:
        texts = case_texts(dataset, evaluation, part["case"]).replace("", "–")
        numbered = part.drop(columns="case").assign(row=part["row"] + 1)
        return pd.concat([numbered.reset_index(drop=True), texts], axis=1)

    worst_rows = cases.head(_SHOWN_CASES)
    key = choices.table_key("worst", evaluation.method, name, worst_rows["row"].tolist())
    event = st.dataframe(
        numbered_rows(worst_rows),
        hide_index=True,
        height=min(38 + 35 * len(worst_rows), 390),
        key=key,
        selection_mode="single-row",
        on_select=lambda: session.set_ticked_row(key, worst_rows["row"].to_numpy()),
    )
    st.caption(
        "Worst first. Tick a case to open it on Predict."
        + (
            f" The first {len(worst_rows)} of {len(cases)}; the file has all."
            if len(cases) > len(worst_rows)
            else ""
        )
    )
    if event["selection"]["rows"]:
        link_text = f"Look closer at row {session.row() + 1}"
        widgets.render_link_card(st, "predict", link_text, ":material/search:")
    widgets.render_large_csv_download(
        "Cases (CSV)",
        partial(numbered_rows, cases),
        f"{dataset.name}-cases.csv",
        *(tests_key, evaluation.method, name),
        # Both rankings are written in words.
        n_cells=len(cases) * (4 + 2 * dataset.n_labels),
        key="cases-csv",
    )
