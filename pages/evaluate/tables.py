"""Tables of measures and predictions."""

from collections.abc import Iterable, Sequence
from functools import partial
from math import isnan

import numpy as np
import pandas as pd
import streamlit as st

from labelrank_core import Dataset
from labelrank_core.comparison.cases import FEWEST, case_difference
from labelrank_core.data.splits import Split
from labelrank_core.evaluation.evaluate import Evaluation
from labelrank_core.metrics import METRICS, Measure
from labelrank_core.rankings import equal_up_to_rounding, format_ranking
from pages.evaluate import breakdown
from pages.ui import choices, session, tables, text, widgets


def render_headline(evaluations: Sequence[Evaluation], split: Split) -> None:
    """Draw a sentence on the method's main measure and the baselines it clearly beats."""
    evaluation, *baselines = evaluations
    measure = METRICS[next(iter(evaluation.values))]
    split_text = (
        "the published split" if split.kind == "published" else f"a random split, seed {split.seed}"
    )
    st.markdown(
        f"On the {len(split.test)} test rows ({split_text}; {len(split.train)} training rows) the "
        f"method has a {measure.title} of **{evaluation.totals[measure.key]:.3f}** "
        f"({measure.better} is better). "
        f"{' '.join(_verdict(evaluation, baseline, measure) for baseline in baselines)}"
    )


def _verdict(evaluation: Evaluation, baseline: Evaluation, measure: Measure) -> str:
    difference = case_difference(
        evaluation.values[measure.key], baseline.values[measure.key], measure
    )
    name = f"{baseline.method} ({baseline.totals[measure.key]:.3f})"
    if difference.verdict == "unclear":
        sentence = f"The difference from {name} is **not clear**: {difference.gain:+.3f}"
        if difference.n_different < FEWEST:
            return f"{sentence} (only {difference.n_different} test rows differ)."
        return (
            f"{sentence} (95% interval {difference.low:+.3f} to {difference.high:+.3f}; above 0 "
            "is better)."
        )
    size, *ends = (abs(number) for number in (difference.gain, difference.low, difference.high))
    interval = (
        "" if isnan(difference.low) else f" (95% interval {min(ends):.3f} to {max(ends):.3f})"
    )
    word = "**beats**" if difference.verdict == "better" else "is **worse than**"
    return f"It {word} {name} by {size:.3f}{interval}."


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


def shown_measures(dataset: Dataset, keys: Iterable[str]) -> list[str]:
    """Leave out further measures, which are in the downloads only."""
    return [key for key in keys if METRICS[key].is_shown(dataset)]


def render_measures(dataset: Dataset, evaluations: Sequence[Evaluation]) -> None:
    """Draw a table of measures, one row each; a click on a number opens its cases."""
    keys = shown_measures(dataset, evaluations[0].totals)
    methods = [evaluation.method for evaluation in evaluations]
    table = pd.DataFrame({"measure": [METRICS[key].title_with_arrow for key in keys]})
    for evaluation in evaluations:
        table[evaluation.method] = [evaluation.totals[key] for key in keys]
    table["range"] = [text.value_range(*METRICS[key].value_range) for key in keys]
    table_key = choices.table_key("measures", keys, methods)
    higher = [METRICS[key].greater_is_better for key in keys]
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


def render_definitions(dataset: Dataset, evaluation: Evaluation) -> None:
    """Draw the definitions of the measures, for touch screens and for reading."""
    with st.expander("What the measures mean", icon=":material/menu_book:"):
        for key in shown_measures(dataset, evaluation.totals):
            measure = METRICS[key]
            values = text.value_range(*measure.value_range)
            st.markdown(
                f"**{measure.title}** ({values}, {measure.better} is better). {measure.definition}",
                help=measure.reference,
            )


def render_downloads(dataset: Dataset, evaluations: Sequence[Evaluation], key: str) -> None:
    """Draw the downloads: measures of all methods, and predictions of the first.

    `key` is that of the first on these test rows.
    """
    left_column, right_column = st.columns(2)
    with left_column:
        name = f"{dataset.name}-measures.csv"
        widgets.render_csv_download("Table of measures (CSV)", _mean_frame(evaluations), name)
    with right_column:
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
    parts["target"] = dataset.Y[evaluation.rows]
    columns = {
        f"{quantity} {name}": values[:, j]
        for quantity, values in parts.items()
        if values is not None
        for j, name in enumerate([*names, "(zero)"][: values.shape[1]])
    }
    return pd.concat([table, pd.DataFrame(columns)], axis=1)
