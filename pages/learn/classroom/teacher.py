"""The teacher's side of a class: its parts, the code for phones, answers as they come, the gain."""

import html
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import monotonic

import streamlit as st

from labelrank_core.data.findings import count_of
from pages.learn import presenting
from pages.learn.classroom.address import (
    CODE,
    client_address,
    is_on_this_machine,
    join_address,
    qr_image,
    spoken_address,
)
from pages.learn.classroom.figures import gain_markup, histogram_markup, progress_markup
from pages.learn.classroom.gain import answers_frame, gain_frame, measure_gain
from pages.learn.classroom.questions import step_question
from pages.learn.classroom.quiz import draw_sheets, has_quiz
from pages.learn.classroom.room import ClassPart, Classroom, ClassScene
from pages.learn.classroom.rooms import CLASSROOMS
from pages.learn.lessons import LESSONS
from pages.learn.story import LessonStep, StepStop
from pages.ui import session, toolbar
from pages.ui.choose import choices
from pages.ui.render import drawing, tables, widgets
from pages.ui.wording import text

_SECONDS_A_LOOK = 0.5
_PART, _LESSON = "class_part", "lesson"
# In the address, and in the session while another page has it not in its address.
KEY = toolbar.CLASS_KEY
_NOTICE, _NOTICE_SECONDS = "_class_notice", 20.0
_LOOK = Path(__file__).with_name("teacher.css").read_text(encoding="utf-8")
_ENDED = (
    "This class is over, and its answers are deleted. A class ends by itself one hour after you "
    "have last used it."
)
_NONE_LEFT = "Too many classes are open on this server now. Try again in some minutes."


def find_room() -> Classroom | None:
    """Return the room of the teacher's key, None without one; say so where it has ended."""
    key = st.query_params.get(KEY) or session.get_state(KEY)
    if not key:
        return None
    room = CLASSROOMS.with_key(key)
    if room is None:
        _forget_key()
        _set_notice(_ENDED)
        return None
    if session.get_state(KEY) != key:
        _follow_scene(room.scene)
        session.set_state(KEY, key)
    # Another page of the app has taken it out of the address.
    if st.query_params.get(KEY) != key:
        st.query_params[KEY] = key
    room.mark_used()
    return room


def _follow_scene(scene: ClassScene) -> None:
    """Begin a window where the class is, unless its address names another place.

    Otherwise opening it would take all phones back to the beginning.
    """
    keys = {lesson.name: f"step_{lesson.key}" for lesson in LESSONS}
    if scene.lesson in keys and _LESSON not in st.query_params:
        session.begin(_LESSON, scene.lesson)
        if scene.stop and keys[scene.lesson] not in st.query_params:
            session.begin(keys[scene.lesson], scene.stop)


def render_notice() -> None:
    """Report the end of a class, for a while: one click may run the page twice."""
    notice, end = session.get_state(_NOTICE, ("", 0.0))
    if monotonic() < end:
        st.info(notice, icon=":material/groups:")


def _set_notice(notice: str) -> None:
    session.set_state(_NOTICE, (notice, monotonic() + _NOTICE_SECONDS))


def render_open_button() -> None:
    """Draw the button that opens a class in this lesson."""
    with st.container(key="class_open", width="content"):
        st.button(
            "Teach a class",
            icon=":material/groups:",
            type="tertiary",
            key="class_open_button",
            on_click=_open,
            help="Phones join by a code and answer the questions of this lesson. There are no "
            "names, and nothing is stored.",
        )


def _open() -> None:
    key = CLASSROOMS.open(client_address())
    if key is None:
        _set_notice(_NONE_LEFT)
        return
    st.query_params[KEY] = key
    session.set_state(KEY, key)
    session.set_state(_PART, ClassPart.JOIN)
    presenting.turn(True)


def _end() -> None:
    key = session.get_state(KEY)
    if key:
        CLASSROOMS.end(key)
    _forget_key()
    _set_notice("The class is over. Its answers are deleted.")


def _forget_key() -> None:
    session.set_state(KEY, None)
    st.query_params.pop(KEY, None)


def choose_part(room: Classroom, lesson: str) -> ClassPart:
    """Draw the parts of a class and the button that ends it; return the current part."""
    st.html(f"<style>{_LOOK}</style>")
    session.begin(_PART, room.scene.part)
    parts = list(ClassPart) if has_quiz(lesson) else [ClassPart.JOIN, ClassPart.LESSON]
    with st.container(horizontal=True, vertical_alignment="center", key="class_parts"):
        part = choices.choose(
            st.segmented_control,
            "Part of the class",
            parts,
            required=True,
            key=_PART,
            label_visibility="collapsed",
        )
        with st.popover("Save answers or end", icon=":material/more_horiz:", type="tertiary"):
            _render_answers_download("class_answers_above")
            st.caption(
                "The address of this page is your key: it lets you come back to this class. "
                "Whoever has it can teach here, so show it to nobody. F11 hides it on a projector."
            )
            st.button("End the class, delete all answers", key="class_end", on_click=_end)
    if part.phase is not None:
        room.start_quiz(lesson, partial(draw_sheets, lesson))
    return part


def show_part(room: Classroom, part: ClassPart, lesson: str) -> None:
    """Take all phones to a part that is not the lesson, and draw it as large as the page."""
    room.show(ClassScene(part, lesson))
    with st.container(key="class_card"):
        if part is ClassPart.GAIN:
            _render_gain(room, lesson)
            return
        if part is ClassPart.JOIN:
            st.html("<h2>Join with your phone</h2>")
        else:
            when = "before" if part is ClassPart.BEFORE else "after"
            st.html(f"<h2>Test {when} the lesson: answer on your phone</h2>")
        _render_join(room)
        if is_on_this_machine(st.context.url or ""):
            st.caption(
                "Phones cannot reach this address, because it leads every device to itself. README "
                "says how to start the app for a class."
            )
        if part is ClassPart.JOIN:
            _run_live(_render_phones)
        else:
            _run_live(partial(_render_progress, part, lesson))


def show_step(
    room: Classroom,
    lesson: str,
    steps: Sequence[LessonStep],
    at: StepStop,
    case_key: str,
    names: Sequence[str],
) -> None:
    """Take all phones to a step of the lesson, and draw its answers as they come.

    A question whose answer the last step gives is revealed there.
    """
    index, is_revealed = at.step, at.is_answered
    if steps[index].ask is None and index == len(steps) - 1:
        kept = [i for i, step in enumerate(steps) if step.ask is not None and step.ask.is_kept]
        index, is_revealed = (kept[-1], True) if kept else (index, is_revealed)
    question = step_question(steps[index], f"{case_key}-{index}", names, session.nouns())
    scene = ClassScene(
        ClassPart.LESSON,
        lesson,
        steps[at.step].title,
        f"Step {at.step + 1} of {len(steps)}",
        question,
        is_revealed,
        at.name,
    )
    room.show(scene)
    with st.container(key="class_rail"):
        _render_join(room)
        _run_live(partial(_render_answers, scene))


def show_page(room: Classroom, title: str) -> None:
    """Take all phones to a page without questions."""
    room.show(ClassScene(ClassPart.LESSON, title))


def _render_join(room: Classroom) -> None:
    """Draw the address, the code and the QR code by which phones join."""
    address = join_address(st.context.url, room.code)
    source = html.escape(qr_image(address))
    st.html(
        f'<div class="class-join"><img alt="QR code of the class" src="{source}">'
        f"<div><p>Scan the code, or open "
        f"<b>{html.escape(spoken_address(address))}?{CODE}</b> and enter</p>"
        f'<p class="code">{html.escape(room.code)}</p></div></div>'
    )


def _run_live(render: Callable[[Classroom], None]) -> None:
    """Draw a part of the page again and again by itself, as long as the class is there."""
    key = session.get_state(KEY)

    # The page keeps the key, not the room, which would be there as long as the page otherwise.
    def look() -> None:
        room = CLASSROOMS.with_key(key)
        if room is None:
            st.rerun()
        render(room)

    st.fragment(look, run_every=_SECONDS_A_LOOK)()


def _render_phones(room: Classroom) -> None:
    st.html(_phones_markup(room.n_phones))


def _render_progress(part: ClassPart, lesson: str, room: Classroom) -> None:
    phase = part.phase
    if phase is not None:
        st.html(progress_markup(room.n_finished(lesson, phase), room.n_phones))


def _render_answers(scene: ClassScene, room: Classroom) -> None:
    """Draw the number of phones and the histogram of the step's question."""
    if scene.question is None:
        st.html(_phones_markup(room.n_phones))
        return
    responses = room.poll(scene.question).values()
    bars = scene.question.count(responses)
    counts = f"<b>{len(responses)}</b> of {count_of(room.n_phones, 'phone')} have answered"
    histogram = histogram_markup(bars, is_revealed=scene.is_revealed)
    st.html(f'<p class="class-number">{counts}</p>{histogram}')


def _phones_markup(number: int) -> str:
    phones = "phone has" if number == 1 else "phones have"
    return f'<p class="class-number"><b>{number}</b> {phones} joined</p>'


def _render_gain(room: Classroom, lesson: str) -> None:
    """Draw the gain of the class in this lesson, and those in others below it."""
    quizzes = room.quizzes
    gains = [measure_gain(name, quiz) for name, quiz in quizzes.items()]
    gains.sort(key=lambda gain: gain.lesson != lesson)
    if not gains or gains[0].lesson != lesson:
        st.html("<h2>No test was taken in this lesson yet.</h2>")
    for gain in gains:
        st.html(f"<h2>{html.escape(gain.lesson)}: {html.escape(text.lowered(gain.verdict))}</h2>")
        st.markdown(gain.interval_sentence)
        if gain.n_phones:
            drawing.render_figure(
                gain_markup(gain),
                key=f"class-gain-{gain.lesson}",
                alt=f"{gain.verdict} {gain.interval_sentence}",
                table=gain_frame(gain),
                caption="Part of a gain can come from seeing such questions a second time.",
            )
    _render_answers_download("class_answers")


def _render_answers_download(widget_key: str) -> None:
    """Offer all answers of the class as a CSV file, made when it is asked for."""
    widgets.render_download(
        "All answers (CSV)",
        partial(_answers_file, session.get_state(KEY)),
        "class-answers.csv",
        "text/csv",
        key=widget_key,
    )


def _answers_file(key: str) -> bytes:
    """Write all answers of a class; without answers once it has ended."""
    room = CLASSROOMS.with_key(key)
    quizzes, polls = ({}, []) if room is None else (room.quizzes, room.polls)
    return tables.csv_bytes(answers_frame(quizzes, polls))
