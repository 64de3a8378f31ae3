"""Feature values changed by hand."""

import pandas as pd
import streamlit as st

from labelrank_core import Dataset
from pages.ui import state, text

_SLIDERS = 8


def ask(dataset: Dataset, row: int) -> dict[int, float]:
    """Let the user change feature values of the case.

    Parameters
    ----------
    dataset : Dataset
        The data; sliders run over the range of its values.
    row : int
        The case, from 0.

    Returns
    -------
    dict
        The values that differ from the case's own, by feature index.
    """
    key = f"whatif_{dataset.fingerprint[:8]}_{row}_{state.get('reset', 0)}"
    with st.expander("What if? Change the feature values", icon=":material/tune:"):
        values = (_sliders if dataset.n_features <= _SLIDERS else _table)(dataset, row, key)
        edits = {j: value for j, value in enumerate(values) if value != dataset.X[row, j]}
        if edits:
            st.button(
                "Back to the original values", on_click=state.reset_edits, icon=":material/undo:"
            )
    if edits:
        changed = ", ".join(
            f"{text.markdown(dataset.feature_names[j])} {dataset.X[row, j]:g} → {value:g}"
            for j, value in list(edits.items())[:4]
        )
        st.info(f"Changed: {changed}{' …' if len(edits) > 4 else ''}", icon=":material/tune:")
    return edits


def _sliders(dataset: Dataset, row: int, key: str) -> list[float]:
    places = st.columns(2)
    return [_slider(places[j % 2], dataset, row, j, key) for j in range(dataset.n_features)]


def _slider(
    place: st.delta_generator.DeltaGenerator, dataset: Dataset, row: int, j: int, key: str
) -> float:
    column = dataset.X[:, j]
    low, high, own = float(column.min()), float(column.max()), float(dataset.X[row, j])
    name = text.markdown(dataset.feature_names[j])
    if low == high:
        place.caption(f"{name}: always {low:g}")
        return own
    return place.slider(name, low, high, own, step=(high - low) / 100, key=f"{key}_{j}")


def _table(dataset: Dataset, row: int, key: str) -> list[float]:
    table = pd.DataFrame(
        {
            "feature": dataset.feature_names,
            "original": dataset.X[row],
            "value": dataset.X[row],
            "lowest": dataset.X.min(axis=0),
            "highest": dataset.X.max(axis=0),
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
    return [float(value) for value in edited["value"]]
