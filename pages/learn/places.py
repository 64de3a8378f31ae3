"""Guess a ranking: labels are dragged or tapped into numbered places, empty to begin with."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from pages.ui import session
from pages.ui.wording.labels import label_chips

_HERE = Path(__file__)
_places = st.components.v2.component(
    "labelrank_places",
    html='<div class="board"></div>',
    css=_HERE.with_suffix(".css").read_text(encoding="utf-8"),
    js=_HERE.with_suffix(".js").read_text(encoding="utf-8"),
)


def render_places(
    names: Sequence[str],
    order: Sequence[int],
    key: str,
    on_place: Callable[[Sequence[int]], None],
) -> None:
    """Draw a place per label and the labels; `on_place` gets the order of the placed ones."""
    _places(
        key=key,
        data={"labels": label_chips(names), "order": list(order)},
        on_placed_change=partial(pass_on, key, len(names), on_place),
    )


def pass_on(key: str, n_labels: int, on_place: Callable[[Sequence[int]], None]) -> None:
    """Pass on the order of the placed labels, unless the browser sent something else."""
    order = session.get_state(key, {}).get("placed")
    if _is_order(order, n_labels):
        on_place(order)


def _is_order(order: Any, n_labels: int) -> bool:
    if not isinstance(order, list) or len(set(map(str, order))) != len(order):
        return False
    return all(type(label) is int and 0 <= label < n_labels for label in order)
