"""The question of a step: a guess by dragging, sliding or tapping, and how it compares."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from labelrank_core.explain import markup
from labelrank_core.explain.markup import Side
from labelrank_core.explain.pictures import Picture
from labelrank_core.rankings import FloatArray
from pages.learn import dragging, motion
from pages.learn.story import Ask, Number, Order, Pick
from pages.ui import choices, drawing, session, text


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
            positions = _positions(session.get(key, []), len(names))
            dragging.draggable_rankings(
                Guessed(names, positions), f"{key}-drag", partial(_moved, key, names)
            )
            st.caption("Tap the labels, best first; drag them or press arrow keys to move them.")
        case Number() as asked:
            # Nothing is guessed to begin with: a number there would be a hint, or the answer.
            given = choices.choose(
                st.select_slider,
                f"Your guess ({asked.said(asked.low)} to {asked.said(asked.high)})",
                [None, *asked.choices],
                session.get(f"{key}-number"),
                format_func=lambda number: "?" if number is None else asked.said(number),
                key=f"{key}-slider",
            )
            session.put(f"{key}-number", given)
        case Pick(options=options, several=several):
            # Nothing may be right; to say so is an answer.
            shown = [text.markdown(option) for option in (*options, *["none of them"] * several)]
            session.begin(f"{key}-pills", session.get(f"{key}-picked", [] if several else None))
            given = choices.choose(
                st.pills,
                "Your answer",
                range(len(shown)),
                [] if several else None,
                selection_mode="multi" if several else "single",
                format_func=shown.__getitem__,
                key=f"{key}-pills",
            )
            session.put(f"{key}-picked", given)


def drawn(ask: Ask, key: str) -> Picture | None:
    """Return the picture with what has been guessed in it; None where nothing is drawn of it."""
    number = session.get(f"{key}-number")
    return None if ask.guessed is None or number is None else ask.guessed(number)


def in_picture(ask: Ask | None, key: str, name: str) -> None:
    """Let the picture move, and what is asked for be tapped in it as well as in the list."""
    asked = None if ask is None else ask.of
    if isinstance(asked, Pick):
        motion.tappable(name, asked, f"{key}-pills")
    else:
        motion.watch(name)


def compare(ask: Ask, key: str, names: Sequence[str]) -> None:
    """Show the answer beside the guess; without a guess the answer alone."""
    match ask.of:
        case Order() as asked:
            _compare_orders(asked, session.get(key), names)
        case Number(value=value) as asked:
            number = session.get(f"{key}-number")
            said = f"It is {asked.said(value)}." if number is None else asked.verdict(number)
            st.markdown(f"**{said}**")
        case Pick(options=options, several=several) as asked:
            picked = session.get(f"{key}-picked")
            own = picked if several else [] if picked is None else [picked]
            named = [place for place in own or () if place < len(options)]
            verdict = f" {asked.verdict(named)}" if own else ""
            st.markdown(f"**Answer: {text.markdown(answer_text(ask, names))}.**{verdict}")


def answer_text(ask: Ask, names: Sequence[str]) -> str:
    """Write the answer to a question as plain text."""
    match ask.of:
        case Order() as asked:
            return " > ".join(names[label] for label in asked.order)
        case Number(value=value) as asked:
            return asked.said(value)
        case Pick(options=options, right=right, several=several):
            among = ", " if several else " or "
            return among.join(options[place] for place in sorted(right)) or "none of them"


def recall(ask: Ask, key: str) -> None:
    """Compare a guess that was kept, in a line; without a guess there is nothing to say."""
    guessed = session.get(f"{key}-picked" if isinstance(ask.of, Pick) else key)
    if isinstance(ask.of, Number) or not guessed:
        return
    if isinstance(ask.of, Pick) and ask.of.several:
        guessed = [place for place in guessed if place < len(ask.of.options)]
    verdict = ask.of.verdict(guessed)
    if verdict:
        st.markdown(f"**Your guess at the start: {verdict[:1].lower()}{verdict[1:]}**")


def _positions(order: Sequence[int], n_labels: int) -> FloatArray:
    """Return the places of guessed labels; the others have none yet."""
    positions = np.full((1, n_labels), np.nan)
    positions[0, list(order)] = np.arange(1, len(order) + 1)
    return positions


def _moved(key: str, names: Sequence[str], rankings: Sequence[dragging.Order]) -> None:
    """Keep an order after a move; the only label that is left is the last one."""
    known = list(names)
    order = [known.index(name) for tied in rankings[0] for name in tied]
    left = [label for label in range(len(known)) if label not in order]
    session.put(key, [*order, *left] if len(left) == 1 else order)


def _compare_orders(asked: Order, guessed: Any, names: Sequence[str]) -> None:
    method = Side("Method", tuple((label,) for label in asked.order))
    if guessed:
        st.markdown(f"**{asked.verdict(guessed)}**")
    if guessed is None or len(guessed) != len(names):
        rungs = [markup.chip(label, names) for label in asked.order]
        drawing.show(f'<div class="lr"><div class="lr-strip">{"".join(rungs)}</div></div>')
        return
    own = Side("You", tuple((label,) for label in guessed))
    drawing.show(f'<figure class="lr">{markup.side_by_side(own, method, names)}</figure>')
