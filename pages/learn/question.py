"""The question of a step: a guess by dragging, sliding or tapping, and its comparison."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from labelrank_core.explain.render import Picture, markup
from labelrank_core.explain.render.markup import RankedLabels
from pages.learn import motion, places
from pages.learn.story import Ask, Number, Order, Pick
from pages.ui import session
from pages.ui.choose import choices
from pages.ui.render import assistants, drawing
from pages.ui.wording import text


def choose_guess(ask: Ask, key: str, names: Sequence[str]) -> None:
    """Draw the widget for a guess."""
    match ask.of:
        case Order():
            places.render_places(
                names,
                session.get_state(key, []),
                f"{key}-places",
                partial(session.set_state, key),
            )
            st.caption(drawing.with_nouns("Drag or tap the labels, best first."))
        case Number() as question:
            # Nothing is guessed to begin with: a number there would be a hint, or the answer.
            slider_value = choices.choose(
                st.select_slider,
                f"Your guess ({question.text_of(question.low)} to "
                f"{question.text_of(question.high)})",
                [None, *question.choices],
                session.get_state(f"{key}-number"),
                format_func=lambda number: "?" if number is None else question.text_of(number),
                key=f"{key}-slider",
            )
            session.set_state(f"{key}-number", slider_value)
        case Pick(options=options, several=several):
            # Nothing may be right; to say so is an answer.
            titles = [text.markdown(option) for option in (*options, *["none of them"] * several)]
            session.begin(
                f"{key}-pills", session.get_state(f"{key}-picked", [] if several else None)
            )
            picked = choices.choose(
                st.pills,
                "Your answer",
                range(len(titles)),
                [] if several else None,
                selection_mode="multi" if several else "single",
                format_func=titles.__getitem__,
                key=f"{key}-pills",
            )
            session.set_state(f"{key}-picked", picked)


def guess_picture(ask: Ask, key: str) -> Picture | None:
    """Return the picture with the guess in it; None where nothing is drawn of it."""
    number = session.get_state(f"{key}-number")
    return None if ask.guessed is None or number is None else ask.guessed(number)


def mount_motion(ask: Ask | None, key: str, name: str) -> None:
    """Let the picture move, and options be tapped in it as well as in the list."""
    if assistants.is_reading():
        return
    question = None if ask is None else ask.of
    if isinstance(question, Pick):
        motion.tappable(name, question, f"{key}-pills")
    else:
        motion.watch(name)


def is_right(ask: Ask, key: str) -> bool | None:
    """Tell whether a guess is right; None where nothing was guessed."""
    match ask.of:
        case Order() as question:
            order = session.get_state(key)
            return question.is_right(order) if order else None
        case Number() as question:
            number = session.get_state(f"{key}-number")
            return None if number is None else question.is_right(number)
        case Pick() as question:
            picks = _picks(question, key)
            return question.is_right(_valid(question, picks)) if picks else None


def _picks(question: Pick, key: str) -> Sequence[int]:
    picked = session.get_state(f"{key}-picked")
    if question.several:
        return picked or ()
    return [] if picked is None else [picked]


def _valid(question: Pick, picks: Sequence[int]) -> list[int]:
    """Leave out the option that none of the others is right."""
    return [option for option in picks if option < len(question.options)]


def render_comparison(ask: Ask, key: str, names: Sequence[str]) -> None:
    """Draw the answer beside the guess, tinted by it; without a guess the answer alone."""
    tint = {True: "right", False: "wrong", None: "open"}[is_right(ask, key)]
    with st.container(key=f"lesson_verdict_{tint}"):
        _render_verdict(ask, key, names)


def _render_verdict(ask: Ask, key: str, names: Sequence[str]) -> None:
    match ask.of:
        case Order() as question:
            _render_orders(question, session.get_state(key), names)
        case Number(value=value) as question:
            number = session.get_state(f"{key}-number")
            sentence = (
                f"It is {question.text_of(value)}." if number is None else question.verdict(number)
            )
            st.markdown(f"**{sentence}**")
        case Pick() as question:
            picks = _picks(question, key)
            verdict = f" {question.verdict(_valid(question, picks))}" if picks else ""
            st.markdown(f"**Answer: {text.markdown(answer_text(ask, names))}.**{verdict}")


def answer_text(ask: Ask, names: Sequence[str]) -> str:
    """Write the answer to a question as plain text."""
    match ask.of:
        case Order() as question:
            return " > ".join(names[label] for label in question.order)
        case Number(value=value) as question:
            return question.text_of(value)
        case Pick(options=options, right=right, several=several):
            among = ", " if several else " or "
            return among.join(options[option] for option in sorted(right)) or "none of them"


def render_recall(ask: Ask, key: str) -> None:
    """Draw a line that compares a guess that was kept; without a guess nothing."""
    guessed = session.get_state(f"{key}-picked" if isinstance(ask.of, Pick) else key)
    if isinstance(ask.of, Number) or not guessed:
        return
    if isinstance(ask.of, Pick) and ask.of.several:
        guessed = [option for option in guessed if option < len(ask.of.options)]
    verdict = ask.of.verdict(guessed)
    if verdict:
        st.markdown(f"**Your guess at the start: {verdict[:1].lower()}{verdict[1:]}**")


def _render_orders(question: Order, guessed: Any, names: Sequence[str]) -> None:
    method = RankedLabels.from_order(question.order, "Method")
    if guessed:
        st.markdown(f"**{question.verdict(guessed)}**")
    if guessed is None or len(guessed) != len(names):
        rungs = [markup.chip(label, names) for label in question.order]
        drawing.render_markup(f'<div class="lr"><div class="lr-strip">{"".join(rungs)}</div></div>')
        return
    guess = RankedLabels.from_order(guessed, "You")
    drawing.render_markup(
        f'<figure class="lr">{markup.side_by_side(guess, method, names)}</figure>'
    )
