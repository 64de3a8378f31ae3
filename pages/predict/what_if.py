"""Feature values changed by hand."""

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from labelrank_core import Dataset
from labelrank_core.dataset import Column
from pages.ui import state, text

_WIDGETS = 8


def ask(dataset: Dataset, row: int) -> dict[int, float]:
    """Let the user change feature values of the case.

    Parameters
    ----------
    dataset : Dataset
        The data; sliders run over the range of its values, boxes offer the categories.
    row : int
        The case, from 0.

    Returns
    -------
    dict
        The encoded values that differ from the case's own, by feature index.
    """
    key = f"whatif_{dataset.fingerprint[:8]}_{row}_{state.get('reset', 0)}"
    columns, own = dataset.schema.columns, dataset.feature_frame([row])
    with st.expander("What if? Change the feature values", icon=":material/tune:"):
        values = (_widgets if len(columns) <= _WIDGETS else _table)(dataset, own, key)
        changed = {
            column: value
            for column, value in zip(columns, values, strict=True)
            if value != own[column.name].iloc[0]
        }
        if changed:
            st.button(
                "Back to the original values", on_click=state.reset_edits, icon=":material/undo:"
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


def _value(column: Column, value: Any) -> str:
    return f"{value:g}" if column.kind == "numeric" else text.markdown(str(value))


def _widgets(dataset: Dataset, own: pd.DataFrame, key: str) -> list[Any]:
    places, values = st.columns(2), list[Any]()
    lowest, highest = dataset.X.min(axis=0), dataset.X.max(axis=0)
    for j, column in enumerate(dataset.schema.columns):
        place, value, start = places[j % 2], own.iloc[0, j], dataset.schema.starts[j]
        if column.kind == "nominal":
            values.append(_choice(place, column, str(value), f"{key}_{j}"))
        else:
            range_ = float(lowest[start]), float(highest[start])
            values.append(_slider(place, column, float(value), range_, f"{key}_{j}"))
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


def _table(dataset: Dataset, own: pd.DataFrame, key: str) -> list[Any]:
    """Offer a table of the numeric columns, and below it a box for every nominal one."""
    columns = dataset.schema.columns
    numeric = [j for j, column in enumerate(columns) if column.kind == "numeric"]
    starts = [dataset.schema.starts[j] for j in numeric]
    originals = [float(own.iloc[0, j]) for j in numeric]
    table = pd.DataFrame(
        {
            "feature": [columns[j].name for j in numeric],
            "original": originals,
            "value": originals,
            "lowest": dataset.X.min(axis=0)[starts],
            "highest": dataset.X.max(axis=0)[starts],
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
    nominal = [j for j in range(len(columns)) if j not in values]
    for place, j in enumerate(nominal):
        own_value = str(own.iloc[0, j])
        values[j] = _choice(places[place % 2], columns[j], own_value, f"{key}_{j}")
    return [values[j] for j in range(len(columns))]
