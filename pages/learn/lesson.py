"""One lesson on the page: a step at a time, the buttons between steps, and the parameters."""

import html
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from labelrank_core.data.findings import count_of
from labelrank_core.explain.render import Picture
from pages.learn import objects, path, presenting, question, rows, scenes
from pages.learn.classroom import teacher
from pages.learn.classroom.room import ClassPart, Classroom
from pages.learn.lessons import LESSONS
from pages.learn.story import Lesson, LessonSetting, LessonStep, StepStop, stops
from pages.ui import compute, session
from pages.ui.choose import choices
from pages.ui.render import drawing

_SECONDS_A_STOP = 8
_PLAYING = "_lesson_plays"


def render_lesson(
    lesson: Lesson, room: Classroom | None
) -> tuple[LessonSetting, Sequence[LessonStep]] | None:
    """Draw a lesson: its step, and below its data and parameters; return its setting and steps.

    With a room it is taught to a class.
    """
    part = None if room is None else teacher.choose_part(room, lesson.name)
    stage_slot, rail_slot = st.container(), st.container()
    if part is ClassPart.LESSON:
        with stage_slot:
            stage_slot, rail_slot = st.columns([3.6, 1], gap="medium")
    stage = stage_slot.container(key="lesson_stage")
    # What is empty has no place.
    stage.empty()
    with st.container(key="lesson_changes"):
        setting = rows.choose_setting(lesson)
    if setting is None:
        return None
    drawing.use_label_colors(setting.dataset)
    drawing.use_nouns(setting.dataset)
    steps = lesson.make_steps(setting)
    with stage:
        at = _choose_stop(lesson, steps, _guess_keys(steps, lesson, setting), part)
        is_done = part is None and at == stops(steps)[-1]
        path.render_ticks(lesson.name if is_done else None)
        if part in (None, ClassPart.LESSON):
            _render_step(steps, at, lesson, setting, asks_here=part is None)
    if room is not None and part is not None:
        with rail_slot:
            if part is ClassPart.LESSON:
                case_key = f"{lesson.key}-{_digest(setting)}"
                teacher.show_step(room, lesson.name, steps, at, case_key, setting.names)
            else:
                teacher.show_part(room, part, lesson.name)
    return setting, steps


def _render_step(
    steps: Sequence[LessonStep],
    at: StepStop,
    lesson: Lesson,
    setting: LessonSetting,
    *,
    asks_here: bool,
) -> None:
    """Draw the text, the picture and the question of a step, or the verdict on a kept guess.

    A class guesses on phones, not here.
    """
    step = steps[at.step]
    # The same places in all steps, so that one picture turns into the next. The words are read
    # first; where there is room they stand on the right.
    text_column, picture_column = st.columns([1, 1.86], gap="medium")
    keys = _guess_keys(steps, lesson, setting)
    key, open_question = keys[at.step], step.ask if asks_here and not at.is_answered else None
    picture = step.picture_shown(is_answered=at.is_answered)
    with text_column, st.container(border=True, key="lesson_words"):
        # Not `st.header`, which is there before the style that hides what does not listen yet.
        st.html(f'<p class="lesson-name">{html.escape(lesson.title)}</p>')
        # In front of a class its parts stand where the presenter's view has the title.
        if asks_here or not presenting.is_on():
            st.html(f"<h2>{html.escape(drawing.with_nouns(step.title))}</h2>")
        if at.step == 0 and not at.is_answered:
            st.html(f'<p class="lesson-goal">{html.escape(_goal(lesson))}</p>')
        if step.ask is not None and at.is_answered:
            question.render_comparison(step.ask, key, setting.names)
        text, *question_text = step.texts(is_answered=at.is_answered)
        drawing.render_sentence(text, setting.dataset)
        # On a phone the question is read below the picture that it is about.
        with st.container(key="lesson_question") if question_text else nullcontext():
            for sentence in question_text:
                drawing.render_sentence(sentence, setting.dataset)
            if open_question is not None:
                question.choose_guess(open_question, key, setting.names)
                picture = question.guess_picture(open_question, key) or picture
        if at.step == len(steps) - 1 and open_question is None:
            _render_recalls(steps, keys)
            _render_score(steps, keys)
            _render_end(lesson)
    with picture_column, st.container(key="lesson_picture"):
        _render_picture(picture, lesson, setting)
    question.mount_motion(open_question, key, f"motion-{lesson.key}")


def _guess_keys(steps: Sequence[LessonStep], lesson: Lesson, setting: LessonSetting) -> list[str]:
    """Return the key of the guess of each step."""
    case_key = _digest(setting)
    return [f"guess-{lesson.key}-{step_index}-{case_key}" for step_index in range(len(steps))]


def _digest(setting: LessonSetting) -> str:
    """Return a key that rows and case of a lesson share."""
    return compute.digest(setting.dataset.fingerprint, setting.case.x.tolist())[:8]


def _render_recalls(steps: Sequence[LessonStep], keys: Sequence[str]) -> None:
    """Draw the verdicts on guesses that were kept."""
    for step, key in zip(steps, keys, strict=True):
        if step.ask is not None and step.ask.is_kept:
            question.render_recall(step.ask, key)


def _render_score(steps: Sequence[LessonStep], keys: Sequence[str]) -> None:
    """Count the questions that were answered on the way, and those answered right."""
    asks = [
        (step.ask, key)
        for step, key in zip(steps, keys, strict=True)
        if step.ask is not None and not step.ask.is_kept
    ]
    verdicts = [question.is_right(ask, key) for ask, key in asks]
    n_answered = sum(verdict is not None for verdict in verdicts)
    if n_answered:
        st.markdown(
            f"You answered {n_answered} of {count_of(len(asks), 'question')}, "
            f"{verdicts.count(True)} of them right."
        )


def _render_end(lesson: Lesson) -> None:
    """List the skills that a lesson gives, and link the next one."""
    st.markdown(f"**{lesson.learned}**")
    place = LESSONS.index(lesson) + 1
    if place < len(LESSONS):
        st.button(
            f"Next lesson: {LESSONS[place].name}",
            icon=":material/arrow_forward:",
            key=f"{lesson.key}-next-lesson",
            on_click=session.set_state,
            args=(path.LESSON_KEY, LESSONS[place].name),
        )


def _goal(lesson: Lesson) -> str:
    """Announce the skill, without the terms of the lesson."""
    return f"You will learn to {lesson.skill}."


def _render_picture(picture: Picture, lesson: Lesson, setting: LessonSetting) -> None:
    keyed_markup = objects.with_keys(picture.markup, setting.names, setting.row_names)
    keyed = replace(picture, markup=keyed_markup)
    if keyed.key in scenes.TABLES:
        # What is a table needs no other.
        drawing.render_markup(keyed.html())
    else:
        drawing.render_picture(keyed, key=f"lesson-{lesson.key}")


def _choose_stop(
    lesson: Lesson,
    steps: Sequence[LessonStep],
    guess_keys: Sequence[str],
    part: ClassPart | None,
) -> StepStop:
    """Draw the buttons between the steps: back, on, to any, or by itself; return the stop.

    In the other parts of a class there are none, but the stop is kept. `guess_keys`: of the steps.
    """
    all_stops = stops(steps)
    names, key = [stop.name for stop in all_stops], f"step_{lesson.key}"
    with st.container(horizontal=True, vertical_alignment="center", key="lesson_steps"):
        back, on, play = (st.container(width="content") for _ in range(3))
        # Drawn before the buttons, which go on from what a link says.
        index = names.index(
            choices.choose(
                st.selectbox,
                "Step",
                names,
                key=key,
                format_func=session.nouns().insert,
                bind="query-params",
                label_visibility="collapsed",
                width=260,
            )
        )
        step_text = f"Step {all_stops[index].step + 1} of {all_stops[-1].step + 1}"
        st.caption(step_text, width="content")
        with st.container(horizontal=True, horizontal_alignment="right", key="lesson_for_a_class"):
            if part is None:
                teacher.render_open_button()
            presenting.render_toggle()
    presenting.render_position(f"{lesson.name}, {step_text.lower()}")
    if part not in (None, ClassPart.LESSON):
        return all_stops[index]
    at, is_last = all_stops[index], index == len(all_stops) - 1
    asks = not is_last and all_stops[index + 1].step == at.step
    ask = None if part is not None or at.is_answered else steps[at.step].ask
    # What is asked comes first; the way on stands back until something is guessed.
    is_open = ask is not None and question.is_right(ask, guess_keys[at.step]) is None
    _render_button(back, "Back", None, "Left", key, names, index - 1, is_primary=False)
    reveal_text = "Show me" if part is None else "Reveal"
    # Its key, an arrow, stands in each of the buttons.
    button_text, icon = (reveal_text, ":material/visibility:") if asks else ("Next", None)
    _render_button(on, button_text, icon, "Right", key, names, index + 1, is_primary=not is_open)
    # A class goes on when its teacher does.
    if part is None:
        with play:
            _render_play(key, "" if is_last else names[index + 1], names[0])
    return at


def _render_button(
    container: DeltaGenerator,
    title: str,
    icon: str | None,
    arrow: str,
    key: str,
    names: Sequence[str],
    target: int,
    *,
    is_primary: bool,
) -> None:
    with container:
        st.button(
            title,
            icon=icon,
            key=f"{key}-{arrow}",
            type="primary" if is_primary else "secondary",
            disabled=not 0 <= target < len(names),
            on_click=_move,
            args=(key, names[min(max(target, 0), len(names) - 1)]),
            shortcut=arrow,
        )


def _move(key: str, name: str) -> None:
    session.set_state(_PLAYING, False)
    session.set_state(key, name)


def _render_play(key: str, following: str, first: str) -> None:
    """Let the steps follow each other by themselves."""
    playing = bool(session.get_state(_PLAYING)) and following != ""
    st.button(
        "Pause" if playing else "Play",
        icon=":material/pause:" if playing else ":material/play_arrow:",
        key=f"{key}-play",
        on_click=_start,
        args=(key, not playing, first if not following else ""),
    )
    if playing:
        ticks: list[bool] = []
        st.fragment(partial(_tick, ticks, key, following), run_every=_SECONDS_A_STOP)()


def _start(key: str, playing: bool, at: str) -> None:
    session.set_state(_PLAYING, playing)
    if at:
        session.set_state(key, at)


def _tick(ticks: list[bool], key: str, following: str) -> None:
    """Go on; the first time it is the page that runs, not the clock."""
    if ticks:
        session.run_again(partial(session.set_state, key, following))
    ticks.append(True)
