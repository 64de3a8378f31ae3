"""The choice of a case."""

import streamlit as st

from labelrank_core import Dataset
from pages.ui import compute, session
from pages.ui.view import ROW, SPLIT_KIND, default_split_kind


def choose_row(dataset: Dataset) -> None:
    """Let a case be chosen by its number."""
    st.number_input(
        f"Case (row 1 to {dataset.n_samples})",
        1,
        dataset.n_samples,
        first_row(dataset) + 1,
        key=ROW,
        bind="query-params",
        help="The row of the data to predict. A row of the training set is predicted by a model "
        "that has not seen it.",
    )


def case_title(dataset: Dataset, row: int) -> str:
    """Return the text of a case's button: its name, or its number where it has none."""
    names = dataset.case_names
    return f"row {row + 1}" if names is None else str(names[row])


def start(dataset: Dataset, row: int | None = None) -> None:
    """Begin with other data: a case, their own split if they have one; for callbacks."""
    has_row = row is not None and row < dataset.n_samples
    begin_row = row if row is not None and has_row else first_row(dataset)
    session.begin_data({ROW: begin_row + 1, SPLIT_KIND: default_split_kind(dataset)})


def first_row(dataset: Dataset) -> int:
    """Choose the case to open with: the sample's own, or the first test row."""
    sample = compute.known_sample(dataset)
    start_row = sample.start_row if sample else None
    return start_row - 1 if start_row else int(compute.split(dataset).test[0])
