"""The test cases as a table, to choose one."""

import numpy as np
import pyarrow as pa
import streamlit as st
from numpy.typing import NDArray

from labelrank_core import Dataset
from labelrank_core.data.splits import Split
from pages.ui import compute, session
from pages.ui.choose import choices
from pages.ui.render import tables
from pages.ui.wording.subject import subject_of

_MOST_ROWS = 1000


@st.dialog("Choose a case", width="large")
def choose(dataset: Dataset, split: Split) -> None:
    """List the test cases; a click on one makes it the case."""
    rows = split.test[:_MOST_ROWS]
    subject = subject_of(dataset)
    st.caption(
        f"{len(split.test)} {subject.rows} are held out for the test. Click one to choose it."
    )
    key = choices.table_key("cases", dataset.fingerprint, rows.tobytes())
    table = compute.once(
        compute.digest("cases", dataset.fingerprint, rows.tobytes()),
        "Tabulating the test cases",
        _table,
        dataset,
        rows,
    )
    event = st.dataframe(
        table,
        hide_index=True,
        height=420,
        key=key,
        selection_mode="single-row",
        on_select=lambda: session.set_ticked_row(key, rows),
    )
    tables.note_features_left_out(dataset)
    if len(split.test) > _MOST_ROWS:
        st.caption(f"These are the first {_MOST_ROWS}. Choose any other one by its number.")
    if event.selection.rows:
        st.rerun()


def _table(dataset: Dataset, rows: NDArray[np.int64]) -> pa.Table:
    """Tabulate cases as the browser gets them, which takes long where there are many columns."""
    table = tables.around_features(
        tables.features(dataset, rows),
        {"row": rows + 1},
        {"truth": dataset.targets_in_words(rows)},
    )
    return pa.Table.from_pandas(table)
