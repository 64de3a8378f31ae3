"""One lesson on the page: a step at a time, what leads through them, and what can be changed."""

import html
from collections.abc import Sequence
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from labelrank_core.explain.pictures import Picture
from pages.learn import asking, presenting, rows
from pages.learn.story import Lesson, Setting, Step, Stop, stops
from pages.ui import choices, compute, drawing, session

_SECONDS_A_STOP = 8
_PLAYING = "_lesson_plays"


def teach(lesson: Lesson) -> tuple[Setting, Sequence[Step]] | None:
    """Show a lesson: its step, and below what can be changed; return what it is about."""
    stage = st.container(key="lesson_stage")
    # What is empty has no place.
    stage.empty()
    with st.container(border=True, key="lesson_changes"):
        setting = rows.ask(lesson)
    if setting is None:
        return None
    drawing.use_label_colors(setting.dataset)
    steps = lesson.tell(setting)
    with stage:
        at = _go(lesson, stops(steps))
        _show(steps, at, lesson, setting)
    return setting, steps


def _show(steps: Sequence[Step], at: Stop, lesson: Lesson, setting: Setting) -> None:
    """Show the words, the picture and the question of a step, or what became of a kept guess."""
    step = steps[at.step]
    # Not `st.header`, which is there before the style that hides what does not listen yet.
    st.html(f"<h2>{html.escape(step.title)}</h2>")
    # The same places in all steps, so that one picture turns into the next.
    left, right = st.columns([1.6, 1], gap="medium", vertical_alignment="center")
    case = compute.digest(setting.dataset.fingerprint, setting.case.x.tolist())[:8]
    keys = [f"guess-{lesson.key}-{place}-{case}" for place in range(len(steps))]
    key, asked = keys[at.step], None if at.is_answered else step.ask
    drawn = step.shown(is_answered=at.is_answered)
    with right:
        if step.ask is not None and at.is_answered:
            asking.compare(step.ask, key, setting.names)
        _say(step, at, setting)
        if asked is not None:
            asking.guess(asked, key, setting.names)
            drawn = asking.drawn(asked, key) or drawn
        if at.step == len(steps) - 1:
            _recall(steps, keys)
    with left, st.container(key="lesson_picture"):
        _draw(drawn, lesson)
    asking.in_picture(asked, key, f"motion-{lesson.key}")


def _recall(steps: Sequence[Step], keys: Sequence[str]) -> None:
    """Say what became of guesses that were kept."""
    for step, key in zip(steps, keys, strict=True):
        if step.ask is not None and step.ask.is_kept:
            asking.recall(step.ask, key)


def _say(step: Step, at: Stop, setting: Setting) -> None:
    for words in step.said(is_answered=at.is_answered):
        drawing.say(words, setting.dataset)


def _draw(picture: Picture, lesson: Lesson) -> None:
    drawing.shown(presenting.fitting(picture), key=f"lesson-{lesson.key}")


def _go(lesson: Lesson, all_stops: Sequence[Stop]) -> Stop:
    """Lead through the steps: back, on, to any, or by itself; return where one is."""
    names, key = [stop.name for stop in all_stops], f"step_{lesson.key}"
    with st.container(horizontal=True, vertical_alignment="center", key="lesson_steps"):
        back, on, play = (st.container(width="content") for _ in range(3))
        # Drawn before the buttons, which go on from what a link says.
        now = names.index(
            choices.choose(
                st.selectbox,
                "Step",
                names,
                key=key,
                bind="query-params",
                label_visibility="collapsed",
                width=260,
            )
        )
        place = f"Step {all_stops[now].step + 1} of {all_stops[-1].step + 1}"
        st.caption(place, width="content")
        presenting.offer()
    presenting.where(f"{lesson.name}, {place.lower()}")
    at, is_last = all_stops[now], now == len(all_stops) - 1
    asks = not is_last and all_stops[now + 1].step == at.step
    _button(back, "Back", ":material/arrow_back:", "Left", key, names, now - 1)
    words, icon = (
        ("Show me", ":material/visibility:") if asks else ("Next", ":material/arrow_forward:")
    )
    _button(on, words, icon, "Right", key, names, now + 1)
    with play:
        _play(key, "" if is_last else names[now + 1], names[0])
    return at


def _button(
    place: DeltaGenerator,
    words: str,
    icon: str,
    arrow: str,
    key: str,
    names: Sequence[str],
    target: int,
) -> None:
    with place:
        st.button(
            words,
            icon=icon,
            key=f"{key}-{arrow}",
            type="primary" if arrow == "Right" else "secondary",
            disabled=not 0 <= target < len(names),
            on_click=_move,
            args=(key, names[min(max(target, 0), len(names) - 1)]),
            shortcut=arrow,
        )


def _move(key: str, name: str) -> None:
    session.put(_PLAYING, False)
    session.put(key, name)


def _play(key: str, following: str, first: str) -> None:
    """Let the steps follow each other by themselves."""
    playing = bool(session.get(_PLAYING)) and following != ""
    st.button(
        "Pause" if playing else "Play",
        icon=":material/pause:" if playing else ":material/play_arrow:",
        key=f"{key}-play",
        on_click=_start,
        args=(key, not playing, first if not following else ""),
    )
    if playing:
        seen: list[bool] = []
        st.fragment(partial(_tick, seen, key, following), run_every=_SECONDS_A_STOP)()


def _start(key: str, playing: bool, at: str) -> None:
    session.put(_PLAYING, playing)
    if at:
        session.put(key, at)


def _tick(seen: list[bool], key: str, following: str) -> None:
    """Go on; the first time it is the page that runs, not the clock."""
    if seen:
        session.run_again(partial(session.put, key, following))
    seen.append(True)
