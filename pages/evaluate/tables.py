"""Tables of measures and predictions."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from labelrank_core import Dataset, Task
from labelrank_core.evaluation.evaluate import Evaluation
from labelrank_core.metrics import Measure
from labelrank_core.rankings import equal_up_to_rounding, format_ranking
from pages.evaluate import breakdown
from pages.evaluate.example import example_of
from pages.ui import session
from pages.ui.choose import choices
from pages.ui.render import drawing, tables, widgets
from pages.ui.wording import text


def _mean_frame(evaluations: Sequence[Evaluation]) -> pd.DataFrame:
    """Put the means side by side, one row per method, one column per measure."""
    rows = []
    for evaluation in evaluations:
        frame = evaluation.frame()
        seconds = evaluation.seconds_fit + evaluation.seconds_predict
        rows.append(
            {"method": evaluation.method}
            | dict(zip(frame["measure"], frame["value"], strict=True))
            | {"seconds": seconds}
        )
    return pd.DataFrame(rows)


def render_measures(measures: Sequence[Measure], evaluations: Sequence[Evaluation]) -> None:
    """Draw a table of measures, one row each; a click on a number opens its cases."""
    keys = [measure.key for measure in measures]
    methods = [evaluation.method for evaluation in evaluations]
    table = pd.DataFrame({"measure": [measure.title_with_arrow for measure in measures]})
    for evaluation in evaluations:
        table[evaluation.method] = [evaluation.totals[key] for key in keys]
    table["range"] = [text.value_range(*measure.value_range) for measure in measures]
    table_key = choices.table_key("measures", keys, methods)
    higher = [measure.greater_is_better for measure in measures]
    st.dataframe(
        table.style.format("{:.3f}", methods, na_rep="–").apply(
            bold_best, axis=None, methods=methods, higher=higher
        ),
        hide_index=True,
        height=tables.height(len(table), shows_all=True),
        key=table_key,
        selection_mode="single-cell",
        on_select=lambda: _go_behind(table_key, keys, methods),
        column_config={
            "measure": st.column_config.TextColumn(pinned=True, width=195),
            **{method: st.column_config.NumberColumn(width=130) for method in methods},
            "range": st.column_config.TextColumn(width=90),
        },
    )
    took = " · ".join(
        f"{evaluation.method} {evaluation.seconds_fit + evaluation.seconds_predict:.2f} s"
        for evaluation in evaluations
    )
    st.caption(
        "↑ higher is better · ↓ lower is better · best value in bold · **click a number to see the "
        f"cases behind it** · time to learn and predict: {took}"
    )


def bold_best(table: pd.DataFrame, methods: list[str], higher: list[bool]) -> pd.DataFrame:
    """Return the styles that make the best values bold."""
    values = table[methods]
    best = values.max(axis=1).where(pd.Series(higher), values.min(axis=1))
    styles = pd.DataFrame("", index=table.index, columns=table.columns)
    shared = equal_up_to_rounding(values, best.to_numpy()[:, None])
    styles[methods] = np.where(shared, "font-weight: bold", "")
    return styles


def _go_behind(table_key: str, keys: list[str], methods: list[str]) -> None:
    cells = session.get_state(table_key)["selection"]["cells"]
    if cells:
        row, column = cells[0]
        breakdown.open_measure(keys[row], column if column in methods else methods[0])


def render_definitions(dataset: Dataset, measures: Sequence[Measure]) -> None:
    """Draw the definitions of the measures, with their values of one small prediction."""
    example = example_of(dataset)
    values = {} if example is None else example.values
    if example is not None:
        drawing.render_markup(example.markup)
    for measure in measures:
        key = measure.key
        reach = text.value_range(*measure.value_range)
        example_value = f" In the example: **{values[key]:.2f}**." if key in values else ""
        st.markdown(
            f"**{measure.title}** ({reach}, {measure.better} is better). {measure.definition}"
            f"{example_value}",
            help=measure.reference,
        )


def render_downloads(dataset: Dataset, evaluations: Sequence[Evaluation], key: str) -> None:
    """Draw the downloads: measures of all methods, and predictions of the first.

    `key` is that of the first on these test rows.
    """
    with st.container(horizontal=True):
        name = f"{dataset.name}-measures.csv"
        widgets.render_csv_download("Table of measures (CSV)", _mean_frame(evaluations), name)
        evaluation = evaluations[0]
        n_cells = len(evaluation.rows) * (3 + 3 * dataset.n_labels)
        widgets.render_large_csv_download(
            "Predictions of the test set (CSV)",
            partial(_prediction_frame, dataset, evaluation),
            f"{dataset.name}-predictions.csv",
            key,
            n_cells=n_cells,
            key="predictions-csv",
        )


def _prediction_frame(dataset: Dataset, evaluation: Evaluation) -> pd.DataFrame:
    """Tabulate ranking, confidence and, for each label, prediction and target."""
    predicted, names = evaluation.predictions, dataset.label_names
    table = pd.DataFrame({"row": evaluation.rows + 1})
    if predicted.positions is not None:
        table["ranking"] = [format_ranking(row, names) for row in predicted.positions]
    if predicted.confidence is not None:
        table["confidence"] = predicted.confidence
    parts = {"position": predicted.positions, "relevant": predicted.relevance}
    if dataset.task is Task.PAIR_PREFERENCES:
        table["known pairs"] = dataset.preferences[evaluation.rows].to_words()
    else:
        parts["target"] = dataset.Y[evaluation.rows]
    columns = {
        f"{quantity} {name}": values[:, j]
        for quantity, values in parts.items()
        if values is not None
        for j, name in enumerate([*names, "(zero)"][: values.shape[1]])
    }
    return pd.concat([table, pd.DataFrame(columns)], axis=1)
