"""The question of a step: a guess by dragging, sliding or tapping, and how it compares."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from labelrank_core.explain import markup
from labelrank_core.explain.markup import Side
from labelrank_core.rankings import FloatArray
from pages.learn import dragging
from pages.learn.story import Ask, Number, Order, Pick
from pages.ui import drawing, state, text


@dataclass(frozen=True, eq=False)
class Guessed:
    """One ranking of labels, as somebody guesses it."""

    label_names: Sequence[str]
    rankings: FloatArray

    @property
    def n_samples(self) -> int:
        """One."""
        return len(self.rankings)


def guess(ask: Ask, key: str, names: Sequence[str]) -> None:
    """Let somebody guess the answer."""
    match ask.of:
        case Order():
            order = _order(key, len(names))
            dragging.draggable_rankings(
                Guessed(names, _positions(order)), f"{key}-drag", partial(_moved, key, names)
            )
            st.caption("Drag labels, or move them with the arrow keys.")
        case Number(low=low, high=high, step=step):
            start = state.get(f"{key}-number", low)
            moved = st.slider("Your guess", low, high, start, step, key=f"{key}-slider")
            if moved != start:
                state.put(f"{key}-number", moved)
        case Pick(options=options, several=several):
            shown = [text.markdown(option) for option in options]
            given = st.pills(
                "Your answer",
                range(len(options)),
                selection_mode="multi" if several else "single",
                format_func=shown.__getitem__,
                default=state.get(f"{key}-picked", [] if several else None),
                key=f"{key}-pills",
            )
            state.put(f"{key}-picked", given)


def compare(ask: Ask, key: str, names: Sequence[str]) -> None:
    """Show the answer beside the guess; without a guess the answer alone."""
    match ask.of:
        case Order() as asked:
            _compare_orders(asked, state.get(key), names)
        case Number(value=value) as asked:
            number = state.get(f"{key}-number")
            said = f"It is {asked.said(value)}." if number is None else asked.verdict(number)
            st.markdown(f"**{said}**")
        case Pick(options=options, right=right, several=several) as asked:
            picked = state.get(f"{key}-picked")
            own = picked if several else [] if picked is None else [picked]
            among = ", " if several else " or "
            answer = among.join(options[i] for i in sorted(right)) or "none of them"
            verdict = f" {asked.verdict(own)}" if own else ""
            st.markdown(f"**Answer: {text.markdown(answer)}.**{verdict}")


def _order(key: str, n_labels: int) -> list[int]:
    """Return the guessed order; the order of the data before there is one."""
    guessed: list[int] = state.get(key, [])
    return guessed if len(guessed) == n_labels else list(range(n_labels))


def _positions(order: Sequence[int]) -> FloatArray:
    positions = np.empty((1, len(order)))
    positions[0, list(order)] = np.arange(1, len(order) + 1)
    return positions


def _moved(key: str, names: Sequence[str], rankings: Sequence[dragging.Order]) -> None:
    """Keep an order after a move. Labels dropped on each other keep the order of the data."""
    known = list(names)
    named = [name for tied in rankings[0] for name in tied]
    order = [known.index(name) for name in named]
    state.put(key, [*order, *(label for label in range(len(known)) if label not in order)])


def _compare_orders(asked: Order, guessed: Any, names: Sequence[str]) -> None:
    method = Side("Method", tuple((label,) for label in asked.order))
    if guessed is None or len(guessed) != len(names):
        rungs = [markup.chip(label, names) for label in asked.order]
        drawing.show(f'<div class="lr"><div class="lr-strip">{"".join(rungs)}</div></div>')
        return
    st.markdown(f"**{asked.verdict(guessed)}**")
    own = Side("You", tuple((label,) for label in guessed))
    drawing.show(f'<figure class="lr">{markup.side_by_side(own, method, names)}</figure>')
