"""Feature values changed by hand."""

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from labelrank_core import Dataset
from labelrank_core.data import Column
from pages.ui import state, text
from pages.ui.state import Query

_WIDGETS = 8


def ask(asked: Query) -> dict[int, float]:
    """Let the user change feature values; return those that differ, encoded, by feature index."""
    dataset, row = asked.dataset, asked.row
    key = f"whatif_{dataset.fingerprint[:8]}_{row}_{state.get('reset', 0)}"
    columns, own = dataset.schema.columns, dataset.feature_frame([row])
    with st.expander("What if? Change the feature values", icon=":material/tune:"):
        offered = _changeable(dataset, row)
        values = (_widgets if len(offered) <= _WIDGETS else _table)(dataset, own, offered, key)
        changed = {columns[j]: value for j, value in values.items() if value != own.iloc[0, j]}
        if changed:
            st.button(
                "Restore the original values", on_click=state.reset_edits, icon=":material/undo:"
            )
    if not changed:
        return {}
    shown = ", ".join(
        f"{text.markdown(column.name)} {_value(column, own[column.name].iloc[0])} → "
        f"{_value(column, value)}"
        for column, value in list(changed.items())[:4]
    )
    st.info(f"Changed: {shown}{' …' if len(changed) > 4 else ''}", icon=":material/tune:")
    edited = own.copy()
    for column, value in changed.items():
        edited[column.name] = [value]
    before, after = dataset.schema.encode(own)[0], dataset.schema.encode(edited)[0]
    return {int(j): float(after[j]) for j in np.flatnonzero(before != after)}


def _changeable(dataset: Dataset, row: int) -> list[int]:
    """List the columns to change: of sparse data those that are not 0 in the case."""
    if not dataset.is_sparse:
        return list(range(len(dataset.schema.columns)))
    st.caption("Only features that are not 0 in this case.")
    features = dataset.X[[row]].nonzero()[1]
    return [int(j) for j in np.unique(dataset.schema.column_of_feature[features])]


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


def _widgets(dataset: Dataset, own: pd.DataFrame, columns: list[int], key: str) -> dict[int, Any]:
    if not columns:
        return {}
    places, values = st.columns(2), dict[int, Any]()
    numeric, _ = _parted(dataset, columns)
    ranges = dict(zip(numeric, zip(*_ranges(dataset, numeric), strict=True), strict=True))
    for i, j in enumerate(columns):
        place, column, value = places[i % 2], dataset.schema.columns[j], own.iloc[0, j]
        if j in ranges:
            values[j] = _slider(place, column, float(value), ranges[j], f"{key}_{j}")
        else:
            values[j] = _choice(place, column, str(value), f"{key}_{j}")
    return values


def _slider(
    place: st.delta_generator.DeltaGenerator,
    column: Column,
    value: float,
    range_: tuple[float, float],
    key: str,
) -> float:
    low, high = range_
    name = text.markdown(column.name)
    if low == high:
        place.caption(f"{name}: always {low:g}")
        return value
    return place.slider(name, low, high, value, step=(high - low) / 100, key=key)


def _choice(place: st.delta_generator.DeltaGenerator, column: Column, value: str, key: str) -> str:
    categories = column.categories
    return place.selectbox(
        text.markdown(column.name), categories, index=categories.index(value), key=key
    )


def _table(dataset: Dataset, own: pd.DataFrame, columns: list[int], key: str) -> dict[int, Any]:
    """Offer a table of the numeric columns, and below it a box for every nominal one."""
    numeric, nominal = _parted(dataset, columns)
    lowest, highest = _ranges(dataset, numeric)
    originals = [float(own.iloc[0, j]) for j in numeric]
    table = pd.DataFrame(
        {
            "feature": [dataset.schema.columns[j].name for j in numeric],
            "original": originals,
            "value": originals,
            "lowest": lowest,
            "highest": highest,
        }
    )
    edited = st.data_editor(
        table,
        hide_index=True,
        height=300,
        key=key,
        disabled=["feature", "original", "lowest", "highest"],
        column_config={"value": st.column_config.NumberColumn(required=True)},
    )
    values: dict[int, Any] = dict(zip(numeric, map(float, edited["value"]), strict=True))
    places = st.columns(2)
    for place, j in enumerate(nominal):
        column, own_value = dataset.schema.columns[j], str(own.iloc[0, j])
        values[j] = _choice(places[place % 2], column, own_value, f"{key}_{j}")
    return values
