"""Widgets for an answer on a phone: large buttons, and one tap where one tap can answer."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeAlias

import streamlit as st

from pages.learn.classroom.questions import (
    NONE_OF_THEM,
    NOT_KNOWN,
    ClassQuestion,
    LabelOrder,
    Options,
    Quantity,
    Response,
)
from pages.ui import session
from pages.ui.choose import choices
from pages.ui.wording import text

Send: TypeAlias = Callable[[Response], None]


def choose_answer(
    question: ClassQuestion,
    key: str,
    response: Response,
    send: Send,
    *,
    keep: Send | None = None,
    may_not_know: bool,
) -> None:
    """Draw the widgets for an answer; the response that was sent or kept before stands out.

    Every tap and every number is kept at once: none waits for a button that the next scene may
    redraw under the finger. `keep` does so without sending, as in a test, which goes on when an
    answer is sent; None: `send` does it, as in a lesson.
    """
    match question.answer:
        case Options(titles=titles, several=False):
            _choose_by_tap([((i,), title) for i, title in enumerate(titles)], key, response, send)
        case Options(titles=titles):
            _choose_several(titles, key, response, send, keep)
        case LabelOrder(is_at_once=True) as answer:
            orders = [(order, answer.title_of(order)) for order in answer.orders]
            _choose_by_tap(orders, key, response, send)
        case LabelOrder(names=names):
            _choose_order(names, key, send)
        case Quantity() as answer if answer.choices:
            numbers = [(number, answer.title_of(number)) for number in answer.choices]
            _choose_by_tap(numbers, key, response, send)
        case Quantity() as answer:
            _choose_number(answer, key, response, send, keep)
    if may_not_know:
        st.button(NOT_KNOWN, key=f"{key}-unknown", width="stretch", on_click=send, args=(None,))


def _choose_by_tap(
    options: Sequence[tuple[Response, str]], key: str, response: Response, send: Send
) -> None:
    for i, (option, title) in enumerate(options):
        st.button(
            text.markdown(title),
            key=f"{key}-{i}",
            type="primary" if option == response else "secondary",
            width="stretch",
            on_click=send,
            args=(option,),
        )


def _choose_several(
    titles: Sequence[str], key: str, response: Response, send: Send, keep: Send | None
) -> None:
    chosen = choices.choose(
        st.pills,
        "Tap all that are right.",
        range(len(titles)),
        list(response) if isinstance(response, tuple) else [],
        selection_mode="multi",
        format_func=lambda option: text.markdown(titles[option]),
        key=f"{key}-several",
        on_change=partial(_send_several, f"{key}-several", keep or send),
    )
    if keep is not None:
        on_send = partial(_send_several, f"{key}-several", send)
        _render_send("Next", on_send, key, disabled=not chosen)
    # Not what is sent while nothing is chosen yet, which may be a slip.
    st.button(
        NONE_OF_THEM.capitalize(),
        key=f"{key}-none",
        type="primary" if response == () else "secondary",
        width="stretch",
        on_click=send,
        args=((),),
    )


def _choose_order(names: Sequence[str], key: str, send: Send) -> None:
    """Let the labels be tapped one after the other, the first one first."""
    order: list[int] = session.get_state(f"{key}-order", [])
    if order:
        st.markdown(" > ".join(text.markdown(names[label]) for label in order))
    remaining = [label for label in range(len(names)) if label not in order]
    if len(remaining) > 1:
        st.caption(f"Tap the label in position {len(order) + 1}.")
        for label in remaining:
            st.button(
                text.markdown(names[label]),
                key=f"{key}-label-{label}",
                width="stretch",
                on_click=_add_to_order,
                args=(f"{key}-order", len(names), label, send),
            )
    if order:
        st.button(
            "Start again",
            key=f"{key}-again",
            icon=":material/restart_alt:",
            on_click=session.set_state,
            args=(f"{key}-order", []),
        )


def _add_to_order(key: str, n_labels: int, label: int, send: Send) -> None:
    """Put a label behind the others; when one is left, it is the last, and the order is sent."""
    order = [*session.get_state(key, []), label]
    remaining = [other for other in range(n_labels) if other not in order]
    if len(remaining) == 1:
        order += remaining
        send(tuple(order))
    session.set_state(key, order)


def _choose_number(
    answer: Quantity, key: str, response: Response, send: Send, keep: Send | None
) -> None:
    limits: dict[str, Any] = {}
    label = "Your answer"
    if answer.low is not None and answer.high is not None:
        limits = {"min_value": answer.low, "max_value": answer.high}
        label += f" ({answer.title_of(answer.low)} to {answer.title_of(answer.high)})"
    st.number_input(
        label,
        value=response if isinstance(response, float) else None,
        step=10.0**-answer.decimals,
        format=f"%.{answer.decimals}f",
        key=f"{key}-number",
        placeholder="a number",
        on_change=partial(_send_number, f"{key}-number", keep or send),
        **limits,
    )
    # Not every keyboard of a phone has Enter: a tap on the button leaves the field.
    title = "Send" if keep is None else "Next"
    _render_send(title, partial(_send_number, f"{key}-number", send), key)


def _render_send(
    title: str, on_click: Callable[[], None], key: str, *, disabled: bool = False
) -> None:
    st.button(
        title,
        key=f"{key}-send",
        type="primary",
        width="stretch",
        disabled=disabled,
        on_click=on_click,
    )


def _send_several(key: str, send: Send) -> None:
    chosen = session.get_state(key)
    # Nothing is no answer; that none is right has a button of its own.
    if chosen:
        send(tuple(sorted(chosen)))


def _send_number(key: str, send: Send) -> None:
    number = session.get_state(key)
    if number is not None:
        send(float(number))
