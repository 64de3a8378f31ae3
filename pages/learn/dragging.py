"""Rankings whose labels are dragged to other places, or moved by the arrow keys."""

import operator
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from labelrank_core import Dataset
from labelrank_core.rankings import FloatArray
from pages.ui import state
from pages.ui.palette import ink, label_color

_HERE = Path(__file__).parent
_rows = st.components.v2.component(
    "labelrank_dragging",
    html="<ol></ol>",
    css=(_HERE / "dragging.css").read_text(encoding="utf-8"),
    js=(_HERE / "dragging.js").read_text(encoding="utf-8"),
)


def draggable_rankings(
    dataset: Dataset, key: str, on_move: Callable[[int, list[list[str]]], None]
) -> None:
    """Draw the rankings of a data set, one a row; `on_move` gets a row and its new order."""
    labels = [
        {"name": name, "color": label_color(i), "ink": ink(label_color(i))}
        for i, name in enumerate(dataset.label_names)
    ]
    rankings = [_groups(positions) for positions in dataset.rankings]
    _rows(
        key=key,
        data={"labels": labels, "rankings": rankings},
        on_moved_change=partial(pass_on, key, dataset, on_move),
    )


def _groups(positions: FloatArray) -> list[list[int]]:
    """Labels by place, tied ones together; a label without a position is left out."""
    places = np.unique(positions[~np.isnan(positions)])
    return [np.flatnonzero(positions == place).tolist() for place in places]


def pass_on(key: str, dataset: Dataset, on_move: Callable[[int, list[list[str]]], None]) -> None:
    """Pass on what was moved, unless the browser sent something else."""
    moved = state.get(key, {}).get("moved")
    if _is_move(moved, dataset):
        names = dataset.label_names
        order = [[names[label] for label in tied] for tied in moved["order"]]
        on_move(moved["ranking"], order)


def _is_move(moved: Any, dataset: Dataset) -> bool:
    try:
        labels = [operator.index(label) for tied in moved["order"] for label in tied]
        ranking = operator.index(moved["ranking"])
    except (TypeError, KeyError):
        return False
    known = set(range(dataset.n_labels)).issuperset(labels)
    return known and len(set(labels)) == len(labels) and 0 <= ranking < dataset.n_samples
