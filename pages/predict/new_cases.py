"""Cases of a file whose labels are not known: predicted, and given back with its own columns."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from labelrank_core.data.findings import DatasetError, count_of
from labelrank_core.explain.predictions import Predictions, timed_predictions
from labelrank_core.io import read_cases
from labelrank_core.rankings import format_ranking
from pages.ui import compute, session
from pages.ui.render import tables, widgets
from pages.ui.results import models
from pages.ui.view import View
from pages.ui.wording import choice_text, text

_LARGEST_MB = 50
_ROWS_SHOWN, _COLUMNS_NAMED = 100, 4


def render(view: View) -> None:
    """Draw the upload of new cases, and their predictions with a download."""
    expander = st.expander(
        "Predict new cases from a file",
        key="new_cases_open",
        on_change="rerun",
        type="compact",
    )
    # A file that was brought stays, even while nobody looks.
    if not expander.open and not session.get_state("new_cases"):
        return
    with expander:
        columns = [column.name for column in view.dataset.schema.columns]
        ellipsis = ", …" if len(columns) > _COLUMNS_NAMED else ""
        names_text = text.markdown(", ".join(columns[:_COLUMNS_NAMED])) + ellipsis
        file = st.file_uploader(
            f"A table with the {len(columns)} feature columns ({names_text}); others are kept",
            key="new_cases",
            max_upload_size=_LARGEST_MB,
            help="One row per case, columns found by name, no labels needed. Any format that Data "
            "reads.",
        )
        if file is not None:
            _render_predictions(view, file)


def _render_predictions(view: View, file: Any) -> None:
    try:
        cases, X = compute.once(
            compute.digest("cases", view.dataset.fingerprint, file.file_id),
            "Reading the cases",
            partial(
                read_cases,
                sparse=view.dataset.is_sparse,
                max_bytes=_LARGEST_MB * 1_000_000,
            ),
            (file.name, file.getvalue()),
            view.dataset.schema,
        )
    except DatasetError as error:
        st.error("These cases cannot be predicted.", icon=":material/block:")
        widgets.render_findings(error.findings, "new-cases")
        return
    fitted = models.fitted(view.dataset, view.choice, view.split)
    setting = sorted(view.choice.path_params.items())
    key = compute.digest("new cases", fitted.key, setting, file.file_id)
    with models.limits(view.choice):
        predictions, _ = compute.once(
            key,
            f"Predicting {count_of(len(cases), 'case')}",
            timed_predictions,
            fitted.model,
            X,
            view.dataset.task,
            dict(view.choice.path_params),
            seconds=models.seconds_of_cases(view, fitted, len(cases)),
        )
    if cases.columns.empty:  # a file of sparse features alone
        cases = cases.index.to_frame()
    table = compute.once(
        compute.digest("new cases as a table", key),
        "Writing rankings",
        with_predictions,
        *(cases, predictions, view.dataset.label_names),
    )
    st.caption(
        f"{count_of(len(table), 'case')}, predicted by {choice_text.method_text(view.choice)} "
        f"from {count_of(len(fitted.training_rows), 'training case')}."
    )
    first_column, *later_columns = table.columns[: len(cases.columns)]
    column_order = [first_column, *table.columns[len(cases.columns) :], *later_columns]
    st.dataframe(table.head(_ROWS_SHOWN), hide_index=True, column_order=column_order)
    if len(table) > _ROWS_SHOWN:
        st.caption(f"The first {_ROWS_SHOWN} rows; the file has all of them.")
    widgets.render_large_csv_download(
        "Predictions (CSV)",
        lambda: table,
        "predictions.csv",
        key,
        n_cells=table.size,
        key="new-cases-csv",
    )


def with_predictions(
    cases: pd.DataFrame, predictions: Predictions, label_names: Sequence[str]
) -> pd.DataFrame:
    """Put ranking, relevant labels, confidence and positions behind the columns of a file."""
    added_columns: dict[str, Any] = {}
    if predictions.positions is not None:
        added_columns["predicted ranking"] = [
            format_ranking(row, label_names) for row in predictions.positions
        ]
    if predictions.relevance is not None:
        added_columns["predicted labels"] = predictions.texts(label_names)
    if predictions.confidence is not None:
        added_columns["confidence"] = predictions.confidence
    if predictions.positions is not None:
        columns = zip(label_names, predictions.positions.T, strict=True)
        added_columns |= {f"position {name}": column for name, column in columns}
    return tables.around_features(cases.reset_index(drop=True), {}, added_columns)
