"""Tables of cases: features beside the columns of a page, and as files."""

import io
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from labelrank_core import Dataset
from labelrank_core.io.spreadsheets import defused_table

_SPARSE_SHOWN = 50
# Streamlit's rows are 2.1875 times as high as the font of the theme, 15 pixels.
_ROW_HEIGHT = _HEAD_HEIGHT = 33
_HIGHEST = 400


def height(n_rows: int, *, row_height: int = _ROW_HEIGHT, shows_all: bool = False) -> int:
    """Return the height of a table in pixels, so that its place has it before it is drawn.

    Of many rows the first ones are seen, unless it shows all.
    """
    full_height = _HEAD_HEIGHT + row_height * max(1, n_rows) + 2
    return full_height if shows_all else min(_HIGHEST, full_height)


def features(dataset: Dataset, rows: Any) -> pd.DataFrame:
    """Tabulate the features of some rows; of sparse ones those that most of the rows have."""
    if not dataset.is_sparse:
        return dataset.feature_frame(rows)
    part = dataset.X[rows]
    columns = np.sort(np.argsort(-part.getnnz(axis=0), kind="stable")[:_SPARSE_SHOWN])
    names = [dataset.feature_names[j] for j in columns]
    return pd.DataFrame(part[:, columns].toarray(), columns=names)


def case_name(dataset: Dataset, row: int) -> str:
    """Write the number of a row, and its name where it has one."""
    names = dataset.case_names
    return f"row {row + 1}" if names is None else f"{row + 1}: {names[row]}"


def note_features_left_out(dataset: Dataset) -> None:
    """Say where a table holds only some of the features."""
    if dataset.is_sparse and dataset.n_features > _SPARSE_SHOWN:
        st.caption(
            f"Of the {dataset.n_features} features, only the {_SPARSE_SHOWN} that are most often "
            "not 0 in these rows."
        )


def around_features(
    feature_frame: pd.DataFrame,
    first_columns: Mapping[Any, Any],
    last_columns: Mapping[Any, Any] | None = None,
) -> pd.DataFrame:
    """Put columns around those of the features, which may have the same names."""
    last_columns = last_columns or {}
    added_names = {*first_columns, *last_columns}
    names = [f"{name} (feature)" if name in added_names else name for name in feature_frame.columns]
    middle = feature_frame.set_axis(names, axis=1)
    sides = [
        pd.DataFrame(dict(columns), index=middle.index) for columns in (first_columns, last_columns)
    ]
    return pd.concat([sides[0], middle, sides[1]], axis=1)


def csv_bytes(table: pd.DataFrame) -> bytes:
    """Write a table as CSV that a spreadsheet opens without running anything in it."""
    buffer = io.StringIO()
    # With this line end, single carriage returns in a text are quoted too.
    defused_table(table).to_csv(buffer, index=False, lineterminator="\r\n")
    return buffer.getvalue().encode("utf-8-sig")
