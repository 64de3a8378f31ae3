"""The table of cases: a click chooses one."""

import numpy as np
import pyarrow as pa
import streamlit as st
from numpy.typing import NDArray

from labelrank_core import Dataset
from pages.ui import choices, compute, session, tables
from pages.ui.view import View

_SHOWN = 1000


def table(asked: View) -> None:
    """Offer the rows of the test set; a click on one makes it the case."""
    dataset, tests = asked.dataset, asked.split.test
    rows = tests[:_SHOWN]
    words = f"Choose a case from the test set ({len(tests)} rows)"
    place = st.expander(words, icon=":material/list:", key="choosing", on_change="rerun")
    if not place.open:
        return
    key = choices.table_key("cases", dataset.fingerprint, rows.tobytes())
    with place:
        st.dataframe(
            compute.once(
                compute.digest("cases", dataset.fingerprint, rows.tobytes()),
                "Tabulating the test cases",
                _table,
                dataset,
                rows,
            ),
            hide_index=True,
            height=260,
            key=key,
            selection_mode="single-row",
            on_select=lambda: session.take_ticked(key, rows),
        )
        tables.note_features_left_out(dataset)
        if len(tests) > _SHOWN:
            st.caption(f"The first {_SHOWN}; choose any other row by its number, beside the data.")


def _table(dataset: Dataset, rows: NDArray[np.int64]) -> pa.Table:
    """Tabulate cases as the browser gets them, which takes long where there are many columns."""
    table = tables.around_features(
        tables.features(dataset, rows),
        {"row": rows + 1},
        {"truth": dataset.targets_in_words(rows)},
    )
    return pa.Table.from_pandas(table)
