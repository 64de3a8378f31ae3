"""Rankings whose labels are dragged to other places, or moved by the arrow keys."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from labelrank_core import Dataset
from labelrank_core.rankings import label_buckets
from pages.ui import session
from pages.ui.wording.labels import label_chips

# Names of labels by place, tied ones together.
Order = Sequence[Sequence[str]]

_HERE = Path(__file__).parent
_rows = st.components.v2.component(
    "labelrank_dragging",
    html="<ol></ol>",
    css=(_HERE / "dragging.css").read_text(encoding="utf-8"),
    js=(_HERE / "dragging.js").read_text(encoding="utf-8"),
)


def draggable_rankings(
    dataset: Dataset, key: str, on_move: Callable[[Sequence[Order]], None]
) -> None:
    """Draw rankings, one a row; `on_move` gets all as they are then."""
    rankings = [label_buckets(positions) for positions in dataset.rankings]
    _rows(
        key=key,
        data={"labels": label_chips(dataset.label_names), "rankings": rankings},
        on_moved_change=partial(pass_on, key, dataset, on_move),
    )


def pass_on(key: str, dataset: Dataset, on_move: Callable[[Sequence[Order]], None]) -> None:
    """Pass on the rankings after a move, unless the browser sent something else."""
    moved = session.get_state(key, {}).get("moved")
    if _are_rankings(moved, dataset):
        on_move(moved)


def _are_rankings(moved: Any, dataset: Dataset) -> bool:
    if not isinstance(moved, list) or len(moved) != dataset.n_samples:
        return False
    return all(_is_order(order, set(dataset.label_names)) for order in moved)


def _is_order(order: Any, names: set[str]) -> bool:
    try:
        ranked = [name for tied in order for name in tied]
        are_known = names.issuperset(ranked)
    except TypeError:
        return False
    return are_known and len(set(ranked)) == len(ranked) and all(len(tied) > 0 for tied in order)
