"""Feature values changed by hand."""

from typing import Any

import pandas as pd
import streamlit as st

from labelrank_core import Dataset
from labelrank_core.data import Column
from labelrank_core.data.bounds import LARGEST_FEATURE
from pages.ui import session
from pages.ui.choose import choices
from pages.ui.view import MAX_WIDGETS, View, changeable_columns, encode_changes
from pages.ui.wording import text


def encoded(view: View) -> dict[int, float]:
    """Return the changed values that differ from the case's, encoded, by feature index."""
    changed = session.changed_values(view.dataset, view.row)
    return encode_changes(view.dataset, view.row, changed) if changed else {}


def render(view: View) -> None:
    """Draw an expander with a widget for every feature value of the case."""
    dataset, row = view.dataset, view.row
    key = f"whatif_{dataset.fingerprint[:8]}_{row}_{session.get_state('reset', 0)}"
    expander = st.expander("Change any value", key="changing", on_change="rerun", type="compact")
    if not expander.open:
        return
    with expander:
        if dataset.is_sparse:
            st.caption("Only features that are not 0 in this case.")
        columns = changeable_columns(dataset, row)
        values = dataset.feature_frame([row])
        render_inputs = _render_widgets if len(columns) <= MAX_WIDGETS else _render_table
        render_inputs(view, values, columns, key)


def render_changed(view: View) -> None:
    """List the changed values, with a button that restores them."""
    dataset, row = view.dataset, view.row
    changed = session.changed_values(dataset, row)
    if not changed:
        return
    columns, values = dataset.schema.columns, dataset.feature_frame([row])
    changes_text = ", ".join(
        f"{text.markdown(columns[j].name)} {_value_text(columns[j], values.iloc[0, j])} → "
        f"{_value_text(columns[j], value)}"
        for j, value in list(changed.items())[:4]
    )
    st.info(f"Changed: {changes_text}{' …' if len(changed) > 4 else ''}", icon=":material/tune:")
    st.button(
        "Restore the original values",
        on_click=_restore_originals,
        args=(view,),
        icon=":material/undo:",
    )


def _restore_originals(view: View) -> None:
    session.set_changed_values(view.dataset, view.row, {})
    session.reset_edits()


def _store_value(view: View, column: int, key: str) -> None:
    """Store the value of a widget, so that it outlives the widget."""
    session.change_values(view.dataset, view.row, {column: session.get_state(key)})


def _store_table(view: View, columns: list[int], key: str) -> None:
    edited = session.get_state(key)["edited_rows"]
    values = {columns[i]: float(cells["value"]) for i, cells in edited.items()}
    session.change_values(view.dataset, view.row, values)


def _value_text(column: Column, value: Any) -> str:
    return f"{value:g}" if column.kind == "numeric" else text.markdown(str(value))


def _ranges(dataset: Dataset, columns: list[int]) -> tuple[list[float], list[float]]:
    """Return the lowest and the highest value of some numeric columns."""
    values = dataset.X[:, [dataset.schema.starts[j] for j in columns]]
    ends = (values.min(axis=0), values.max(axis=0))
    if dataset.is_sparse:
        ends = (ends[0].toarray()[0], ends[1].toarray()[0])
    return ends[0].tolist(), ends[1].tolist()


def _split_by_kind(dataset: Dataset, columns: list[int]) -> tuple[list[int], list[int]]:
    """Return the numeric and the nominal ones of some columns."""
    schema_columns = dataset.schema.columns
    numeric = [j for j in columns if schema_columns[j].kind == "numeric"]
    return numeric, [j for j in columns if schema_columns[j].kind != "numeric"]


def _render_widgets(view: View, values: pd.DataFrame, columns: list[int], key: str) -> None:
    if not columns:
        return
    dataset, slots = view.dataset, st.columns(2)
    numeric, _ = _split_by_kind(dataset, columns)
    ranges = dict(zip(numeric, zip(*_ranges(dataset, numeric), strict=True), strict=True))
    for i, j in enumerate(columns):
        with slots[i % 2]:
            if j in ranges:
                _render_slider(view, j, float(values.iloc[0, j]), ranges[j], f"{key}_{j}")
            else:
                _render_selectbox(view, j, str(values.iloc[0, j]), f"{key}_{j}")


def _render_slider(
    view: View, column: int, value: float, range_: tuple[float, float], key: str
) -> None:
    low, high = range_
    name = text.markdown(view.dataset.schema.columns[column].name)
    if low == high:
        st.caption(f"{name}: always {low:g}")
        return
    _restore_widget(view, column, key)
    st.slider(
        *(name, low, high, value),
        step=(high - low) / 100,
        key=key,
        on_change=_store_value,
        args=(view, column, key),
    )


def _render_selectbox(view: View, column: int, value: str, key: str) -> None:
    schema_column = view.dataset.schema.columns[column]
    _restore_widget(view, column, key)
    choices.choose(
        st.selectbox,
        text.markdown(schema_column.name),
        schema_column.categories,
        value,
        key=key,
        on_change=_store_value,
        args=(view, column, key),
    )


def _restore_widget(view: View, column: int, key: str) -> None:
    """Give a widget that is drawn again the value that was stored for it."""
    changed = session.changed_values(view.dataset, view.row)
    if column in changed:
        session.begin(key, changed[column])


def _render_table(view: View, values: pd.DataFrame, columns: list[int], key: str) -> None:
    """Draw a table of the numeric columns, and below it a box for every nominal one."""
    dataset = view.dataset
    numeric, nominal = _split_by_kind(dataset, columns)
    lowest, highest = _ranges(dataset, numeric)
    originals = [float(values.iloc[0, j]) for j in numeric]
    changed = session.changed_values(dataset, view.row)
    table = pd.DataFrame(
        {
            "feature": [dataset.schema.columns[j].name for j in numeric],
            "original": originals,
            "value": [float(changed.get(j, values.iloc[0, j])) for j in numeric],
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
        on_change=_store_table,
        args=(view, numeric, key),
    )
    slots = st.columns(2)
    for i, j in enumerate(nominal):
        with slots[i % 2]:
            _render_selectbox(view, j, str(values.iloc[0, j]), f"{key}_{j}")
