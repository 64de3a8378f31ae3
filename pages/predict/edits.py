"""Feature values changed by hand."""

from typing import Any

import pandas as pd
import streamlit as st

from labelrank_core import Dataset
from labelrank_core.data import Column
from labelrank_core.data.bounds import LARGEST_FEATURE
from pages.ui import choices, session, text
from pages.ui.view import MAX_WIDGETS, View, changeable_columns, encode_changes


def ask(asked: View) -> dict[int, float]:
    """Let the user change feature values; return those that differ, encoded, by feature index."""
    dataset, row = asked.dataset, asked.row
    key = f"whatif_{dataset.fingerprint[:8]}_{row}_{session.get('reset', 0)}"
    columns, own = dataset.schema.columns, dataset.feature_frame([row])
    place = st.expander(
        "What if? Change the feature values",
        icon=":material/tune:",
        key="changing",
        on_change="rerun",
    )
    with place:
        if place.open:
            if dataset.is_sparse:
                st.caption("Only features that are not 0 in this case.")
            offered = changeable_columns(dataset, row)
            (_widgets if len(offered) <= MAX_WIDGETS else _table)(asked, own, offered, key)
        changed = session.changed_values(dataset, row)
        if changed:
            st.button(
                "Restore the original values",
                on_click=_restore,
                args=(asked,),
                icon=":material/undo:",
            )
    if not changed:
        return {}
    shown = ", ".join(
        f"{text.markdown(columns[j].name)} {_value(columns[j], own.iloc[0, j])} → "
        f"{_value(columns[j], value)}"
        for j, value in list(changed.items())[:4]
    )
    st.info(f"Changed: {shown}{' …' if len(changed) > 4 else ''}", icon=":material/tune:")
    return encode_changes(dataset, row, changed)


def _restore(asked: View) -> None:
    session.set_changed_values(asked.dataset, asked.row, {})
    session.reset_edits()


def _take(asked: View, column: int, key: str) -> None:
    """Keep what a widget says, so that it outlives the widget."""
    session.change_values(asked.dataset, asked.row, {column: session.get(key)})


def _take_table(asked: View, columns: list[int], key: str) -> None:
    edited = session.get(key)["edited_rows"]
    values = {columns[place]: float(cells["value"]) for place, cells in edited.items()}
    session.change_values(asked.dataset, asked.row, values)


def _value(column: Column, value: Any) -> str:
    return f"{value:g}" if column.kind == "numeric" else text.markdown(str(value))


def _ranges(dataset: Dataset, columns: list[int]) -> tuple[list[float], list[float]]:
    """Return the lowest and the highest value of some numeric columns."""
    values = dataset.X[:, [dataset.schema.starts[j] for j in columns]]
    ends = (values.min(axis=0), values.max(axis=0))
    if dataset.is_sparse:
        ends = (ends[0].toarray()[0], ends[1].toarray()[0])
    return ends[0].tolist(), ends[1].tolist()


def _parted(dataset: Dataset, columns: list[int]) -> tuple[list[int], list[int]]:
    """Return the numeric and the nominal ones of some columns."""
    kinds = dataset.schema.columns
    numeric = [j for j in columns if kinds[j].kind == "numeric"]
    return numeric, [j for j in columns if kinds[j].kind != "numeric"]


def _widgets(asked: View, own: pd.DataFrame, columns: list[int], key: str) -> None:
    if not columns:
        return
    dataset, places = asked.dataset, st.columns(2)
    numeric, _ = _parted(dataset, columns)
    ranges = dict(zip(numeric, zip(*_ranges(dataset, numeric), strict=True), strict=True))
    for i, j in enumerate(columns):
        with places[i % 2]:
            if j in ranges:
                _slider(asked, j, float(own.iloc[0, j]), ranges[j], f"{key}_{j}")
            else:
                _choice(asked, j, str(own.iloc[0, j]), f"{key}_{j}")


def _slider(asked: View, column: int, value: float, range_: tuple[float, float], key: str) -> None:
    low, high = range_
    name = text.markdown(asked.dataset.schema.columns[column].name)
    if low == high:
        st.caption(f"{name}: always {low:g}")
        return
    _begin(asked, column, key)
    st.slider(
        *(name, low, high, value),
        step=(high - low) / 100,
        key=key,
        on_change=_take,
        args=(asked, column, key),
    )


def _choice(asked: View, column: int, value: str, key: str) -> None:
    kind = asked.dataset.schema.columns[column]
    _begin(asked, column, key)
    choices.choose(
        st.selectbox,
        text.markdown(kind.name),
        kind.categories,
        value,
        key=key,
        on_change=_take,
        args=(asked, column, key),
    )


def _begin(asked: View, column: int, key: str) -> None:
    """Give a widget that was not there the value it had when it was left."""
    changed = session.changed_values(asked.dataset, asked.row)
    if column in changed:
        session.begin(key, changed[column])


def _table(asked: View, own: pd.DataFrame, columns: list[int], key: str) -> None:
    """Offer a table of the numeric columns, and below it a box for every nominal one."""
    dataset = asked.dataset
    numeric, nominal = _parted(dataset, columns)
    lowest, highest = _ranges(dataset, numeric)
    originals = [float(own.iloc[0, j]) for j in numeric]
    changed = session.changed_values(dataset, asked.row)
    table = pd.DataFrame(
        {
            "feature": [dataset.schema.columns[j].name for j in numeric],
            "original": originals,
            "value": [float(changed.get(j, own.iloc[0, j])) for j in numeric],
            "lowest": lowest,
            "highest": highest,
        }
    )
    st.data_editor(
        table,
        hide_index=True,
        height=300,
        key=key,
        disabled=["feature", "original", "lowest", "highest"],
        column_config={
            "value": st.column_config.NumberColumn(
                required=True, min_value=-LARGEST_FEATURE, max_value=LARGEST_FEATURE
            )
        },
        on_change=_take_table,
        args=(asked, numeric, key),
    )
    places = st.columns(2)
    for place, j in enumerate(nominal):
        with places[place % 2]:
            _choice(asked, j, str(own.iloc[0, j]), f"{key}_{j}")
