"""Feature values changed by hand."""

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

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
        x, features = dataset.case(row), _changeable(dataset, row)
        values = (_sliders if len(features) <= _SLIDERS else _table)(dataset, x, features, key)
        edits = {j: v for j, v in zip(features, values, strict=True) if v != x[j]}
        if edits:
            st.button(
                "Back to the original values", on_click=state.reset_edits, icon=":material/undo:"
            )
    if edits:
        changed = ", ".join(
            f"{text.markdown(dataset.feature_names[j])} {x[j]:g} → {value:g}"
            for j, value in list(edits.items())[:4]
        )
        st.info(f"Changed: {changed}{' …' if len(edits) > 4 else ''}", icon=":material/tune:")
    return edits


def _changeable(dataset: Dataset, row: int) -> list[int]:
    """List the features to change: of sparse data those that are not 0 in the case."""
    if not dataset.is_sparse:
        return list(range(dataset.n_features))
    st.caption("The features that are not 0 in this case.")
    return [int(j) for j in np.sort(dataset.X[[row]].nonzero()[1])]


def _ranges(dataset: Dataset, features: list[int]) -> tuple[list[float], list[float]]:
    """Return the lowest and the highest value of some features."""
    columns = dataset.X[:, features]
    ends = (columns.min(axis=0), columns.max(axis=0))
    if dataset.is_sparse:
        ends = (ends[0].toarray()[0], ends[1].toarray()[0])
    return ends[0].tolist(), ends[1].tolist()


def _sliders(
    dataset: Dataset, x: NDArray[np.float64], features: list[int], key: str
) -> list[float]:
    if not features:
        return []
    places = st.columns(2)
    values = []
    for i, (j, low, high) in enumerate(zip(features, *_ranges(dataset, features), strict=True)):
        name = text.markdown(dataset.feature_names[j])
        place, own = places[i % 2], float(x[j])
        if low == high:
            place.caption(f"{name}: always {low:g}")
            values.append(own)
        else:
            step = (high - low) / 100
            values.append(place.slider(name, low, high, own, step=step, key=f"{key}_{j}"))
    return values


def _table(dataset: Dataset, x: NDArray[np.float64], features: list[int], key: str) -> list[float]:
    lowest, highest = _ranges(dataset, features)
    table = pd.DataFrame(
        {
            "feature": [dataset.feature_names[j] for j in features],
            "original": x[features],
            "value": x[features],
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
    return [float(value) for value in edited["value"]]
