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
from pages.ui import choice_text, compute, models, session, tables, text, widgets
from pages.ui.view import View

_LARGEST_MB = 50
_SHOWN, _NAMED = 100, 4


def offer(asked: View) -> None:
    """Ask for a file of new cases; show and offer what is predicted for them."""
    place = st.expander(
        "Predict new cases from a file",
        icon=":material/playlist_add:",
        key="new_cases_open",
        on_change="rerun",
    )
    # A file that was brought stays, even while nobody looks.
    if not place.open and not session.get_state("new_cases"):
        return
    with place:
        columns = [column.name for column in asked.dataset.schema.columns]
        named = text.markdown(", ".join(columns[:_NAMED])) + ", …" * (len(columns) > _NAMED)
        file = st.file_uploader(
            f"A table with the {len(columns)} feature columns ({named}); others are kept",
            key="new_cases",
            max_upload_size=_LARGEST_MB,
            help="One row per case, columns found by name, no labels needed. Any format that Data "
            "reads.",
        )
        if file is not None:
            _predicted(asked, file)


def _predicted(asked: View, file: Any) -> None:
    try:
        own, X = compute.once(
            compute.digest("cases", asked.dataset.fingerprint, file.file_id),
            "Reading the cases",
            partial(
                read_cases,
                sparse=asked.dataset.is_sparse,
                max_bytes=_LARGEST_MB * 1_000_000,
            ),
            (file.name, file.getvalue()),
            asked.dataset.schema,
        )
    except DatasetError as error:
        st.error("These cases cannot be predicted.", icon=":material/block:")
        widgets.findings(error.findings, "new-cases")
        return
    model = models.fitted(asked.dataset, asked.choice, asked.split)
    with models.limits(asked.choice):
        found, _ = compute.once(
            compute.digest(
                "new cases", model.key, sorted(asked.choice.path_params.items()), file.file_id
            ),
            f"Predicting {count_of(len(own), 'case')}",
            timed_predictions,
            model.model,
            X,
            asked.dataset.task,
            dict(asked.choice.path_params),
            seconds=models.seconds_of_cases(asked, model, len(own)),
        )
    if own.columns.empty:  # a file of sparse features alone
        own = own.index.to_frame()
    table = with_predictions(own, found, asked.dataset.label_names)
    st.caption(
        f"{count_of(len(table), 'case')}, predicted by {choice_text.method_text(asked.choice)} "
        f"from {count_of(len(model.training_rows), 'training case')}."
    )
    first, *rest = table.columns[: len(own.columns)]
    order = [first, *table.columns[len(own.columns) :], *rest]
    st.dataframe(table.head(_SHOWN), hide_index=True, column_order=order)
    if len(table) > _SHOWN:
        st.caption(f"The first {_SHOWN} rows; the file has all of them.")
    widgets.download_csv("Predictions (CSV)", table, "predictions.csv", key="new-cases-csv")


def with_predictions(
    own: pd.DataFrame, found: Predictions, label_names: Sequence[str]
) -> pd.DataFrame:
    """Put ranking, relevant labels, confidence and positions behind a file's own columns."""
    new: dict[str, Any] = {}
    if found.positions is not None:
        new["predicted ranking"] = [format_ranking(row, label_names) for row in found.positions]
    if found.relevance is not None:
        new["predicted labels"] = found.texts(label_names)
    if found.confidence is not None:
        new["confidence"] = found.confidence
    if found.positions is not None:
        places = zip(label_names, found.positions.T, strict=True)
        new |= {f"position {name}": column for name, column in places}
    return tables.around_features(own.reset_index(drop=True), {}, new)
