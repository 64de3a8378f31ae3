"""Three exercises on a lesson: asked, checked with a reason, and the key for the teacher."""

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from pages.learn import teaching
from pages.learn.exercises import TOPICS, sheet
from pages.learn.exercises.base import Choice, Exercise, NumberAnswer, Several, Sheet
from pages.learn.exercises.drawn import given_table
from pages.ui import compute, session
from pages.ui.choose import choices
from pages.ui.render import drawing
from pages.ui.wording import text

_MOST_SEEDS = 9999


def render_exercises(topic: str, more: Callable[[Sheet], None] | None = None) -> None:
    """Draw the exercises of a lesson, if it has some, and `more` beside them, once opened."""
    if topic not in TOPICS:
        return
    expander = st.expander(
        "Three exercises" + (" and a handout" if more else ""),
        key="exercises",
        on_change="rerun",
        bind="query-params",
    )
    if expander.open:
        with expander:
            _render_sheet(topic, more)


def _render_sheet(topic: str, more: Callable[[Sheet], None] | None) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        seed = st.number_input(
            "Exercise sheet",
            1,
            _MOST_SEEDS,
            1,
            key="exercise_seed",
            bind="query-params",
            width=170,
            help="The same number gives everybody the same exercises. It is part of the link.",
        )
        exercise_sheet: Sheet = compute.once(
            compute.digest("exercises", topic, seed), "Making the exercises", sheet, topic, seed
        )
        if teaching.is_teacher():
            with st.popover("Key for the teacher", icon=":material/key:"):
                for number, exercise in enumerate(exercise_sheet.exercises, start=1):
                    st.markdown(f"**{number}.** {text.markdown(exercise.answer.text)}")
                    st.caption(text.markdown(exercise.reason))
        if more is not None:
            more(exercise_sheet)
    table_column, questions_column = st.columns([1, 1.2], gap="large")
    with table_column:
        st.markdown(text.markdown(exercise_sheet.story))
        drawing.render_markup(given_table(exercise_sheet))
    with questions_column:
        keys = [f"exercise-{topic}-{seed}-{i}" for i in range(len(exercise_sheet.exercises))]
        for key, exercise in zip(keys, exercise_sheet.exercises, strict=True):
            with st.container(border=True):
                _render_exercise(key, exercise)
        n_right = sum(
            exercise.answer.is_right(session.get_state(_checked(key)))
            for key, exercise in zip(keys, exercise_sheet.exercises, strict=True)
            if session.get_state(_checked(key)) is not None
        )
        st.caption(
            f"{n_right} of {len(keys)} right. Answers are kept only while this window is open."
        )


def _render_exercise(key: str, exercise: Exercise) -> None:
    """Draw a question, and the verdict on the answer that was checked last."""
    response = _choose_answer(key, exercise)
    with st.container(horizontal=True):
        st.button(
            "Check",
            key=f"{key}-check",
            type="primary",
            disabled=response is None,
            on_click=_check,
            args=(key,),
        )
        st.button(
            "Show me", key=f"{key}-show", on_click=partial(session.set_state, f"{key}-shown", True)
        )
    checked = session.get_state(_checked(key))
    if checked is not None and checked == response:
        if exercise.answer.is_right(checked):
            st.success(f"Right. {text.markdown(exercise.reason)}", icon=":material/check:")
        else:
            st.warning(f"Not right. {text.markdown(exercise.hint)}", icon=":material/close:")
    if session.get_state(f"{key}-shown") and not (
        checked == response and exercise.answer.is_right(checked)
    ):
        answer_text = text.markdown(exercise.answer.text)
        st.info(f"**{answer_text}.** {text.markdown(exercise.reason)}", icon=":material/lightbulb:")


def _check(key: str) -> None:
    """Keep the answer that stands in the widget now, which may be newer than the last run."""
    session.set_state(_checked(key), session.get_state(key))


def _checked(key: str) -> str:
    return f"{key}-checked"


def _choose_answer(key: str, exercise: Exercise) -> Any:
    """Draw the widget for an answer."""
    question = text.markdown(exercise.question)
    match exercise.answer:
        case Choice(options=options):
            return choices.choose(
                st.pills, question, options, None, format_func=text.markdown, key=key
            )
        case Several(options=options):
            return choices.choose(
                st.pills,
                question,
                options,
                [],
                selection_mode="multi",
                format_func=text.markdown,
                key=key,
            )
        case NumberAnswer(decimals=decimals):
            return st.number_input(
                question,
                value=None,
                step=10.0**-decimals,
                format=f"%.{decimals}f",
                key=key,
                width=420,
                placeholder="a number",
            )
