"""The table of cases: a click chooses one."""

import numpy as np
import pyarrow as pa
import streamlit as st
from numpy.typing import NDArray

from labelrank_core import Dataset
from labelrank_core.data.splits import Split
from pages.ui import compute, parts, state

_SHOWN = 1000


def choose(dataset: Dataset, split: Split, row: int) -> None:
    """Offer the rows of the test part; a click on one makes it the case."""
    rows = split.test[:_SHOWN]
    with st.expander(
        f"Choose a case from the test part ({len(split.test)} rows)", icon=":material/list:"
    ):
        st.dataframe(
            compute.kept(
                compute.digest("cases", dataset.fingerprint, rows.tobytes()),
                lambda: _table(dataset, rows),
            ),
            hide_index=True,
            height=260,
            key="cases",
            selection_mode="single-row",
            on_select=lambda: _take(rows),
        )
        parts.note_on_features(dataset)
        if len(split.test) > _SHOWN:
            st.caption(f"The first {_SHOWN}; any other row by its number in the sidebar.")
    if row in split.test:
        return
    st.caption("This row belongs to the training part; the model shown was trained without it.")


def _table(dataset: Dataset, rows: NDArray[np.int64]) -> pa.Table:
    """Tabulate cases as the browser gets them, which takes long where there are many columns."""
    table = parts.around_features(
        parts.feature_table(dataset, rows),
        {"row": rows + 1},
        {"truth": dataset.targets_in_words(rows)},
    )
    return pa.Table.from_pandas(table)


def _take(rows: NDArray[np.int64]) -> None:
    chosen = state.get("cases")["selection"]["rows"]
    if chosen:
        state.set_row(int(rows[chosen[0]]) + 1)
