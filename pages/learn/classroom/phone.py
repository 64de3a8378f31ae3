"""A phone in a class: the question that is open now, and nothing else of the app."""

import html
from functools import partial
from pathlib import Path

import streamlit as st

from pages.learn.classroom.address import CODE, client_address
from pages.learn.classroom.answering import choose_answer
from pages.learn.classroom.figures import table_markup
from pages.learn.classroom.questions import ClassQuestion, Response
from pages.learn.classroom.quiz import Phase
from pages.learn.classroom.room import ClassPart, Classroom, ClassScene
from pages.learn.classroom.rooms import CLASSROOMS, CODE_LENGTH, JoinProblem, clean_code
from pages.ui import session
from pages.ui.wording import text

_SECONDS_A_POLL = 1
_JOINED_AT = "_class_joined_at"
_LOOK = Path(__file__).with_name("phone.css").read_text(encoding="utf-8")
_PROBLEMS = {
    JoinProblem.WRONG_CODE: "No class has this code. Compare it with the screen in front.",
    JoinProblem.ENDED: "This class is over. Its answers are deleted.",
    JoinProblem.FULL: "This class is full. Ask the teacher to open another one.",
    JoinProblem.TOO_MANY_TRIES: "Too many wrong codes were tried. Wait a minute, then try again.",
}
_WAIT = "Wait for the teacher."


def render_alone() -> None:
    """Draw nothing but a phone's page, and end the run, where the address is that of a class."""
    if CODE in st.query_params:
        _render_phone()
        st.stop()


def _render_phone() -> None:
    """Draw the question of a phone's class, or the reason why the phone is in no class."""
    st.html(f"<style>{_LOOK}</style>")
    code = clean_code(st.query_params[CODE])
    # Before the scene: what changes meanwhile is drawn at the next poll.
    version = CLASSROOMS.version(code) if code else None
    joined = CLASSROOMS.join(code, session.visitor(), client_address()) if code else None
    if joined is None or isinstance(joined, JoinProblem):
        _render_entry(code, joined)
        return
    room, phone = joined.room, joined.phone
    session.begin(_JOINED_AT, (code, version))
    _render_heading(f"Class {code}, phone {phone}")
    scene = room.scene
    is_late = session.get_state(_JOINED_AT) == (code, version) and scene.part is not ClassPart.JOIN
    with st.container(key="class_phone"):
        _render_scene(room, phone, scene, is_late=is_late)
    st.fragment(partial(_poll, [], code, version), run_every=_SECONDS_A_POLL)()


def _poll(polls: list[bool], code: str, version: int | None) -> None:
    """Draw the page anew when the class shows something else; the first poll is the page's own."""
    if polls and CLASSROOMS.version(code) != version:
        st.rerun()
    polls.append(True)
    del polls[1:]


def _render_entry(code: str, problem: JoinProblem | None) -> None:
    """Say why the phone is in no class, and ask for a code."""
    _render_heading("Join a class")
    with st.container(key="class_phone"):
        if problem is not None:
            st.warning(_PROBLEMS[problem], icon=":material/info:")
        st.text_input(
            "The code on the screen in front",
            code,
            max_chars=2 * CODE_LENGTH,
            key="class_code",
            placeholder=f"{CODE_LENGTH} letters",
        )
        st.button("Join", type="primary", width="stretch", key="class_join", on_click=_enter)


def _enter() -> None:
    st.query_params[CODE] = clean_code(session.get_state("class_code") or "")


def _render_scene(room: Classroom, phone: int, scene: ClassScene, *, is_late: bool) -> None:
    match scene.part:
        case ClassPart.JOIN:
            _render_line("You are in.", _WAIT)
        case ClassPart.BEFORE | ClassPart.AFTER:
            _render_quiz(room, phone, scene)
        case ClassPart.LESSON:
            if is_late and scene.step_text:
                st.info(
                    f"You are in. The class is at {scene.step_text[:1].lower()}"
                    f"{scene.step_text[1:]} already.",
                    icon=":material/schedule:",
                )
            _render_step(room, phone, scene)
        case ClassPart.GAIN:
            _render_marks(room, phone)


def _render_step(room: Classroom, phone: int, scene: ClassScene) -> None:
    """Draw a step of a lesson: its question, or its answer once the teacher has revealed it."""
    question = scene.question
    where = f"{scene.step_text}: {scene.step_title}" if scene.step_text else scene.lesson
    st.html(f'<p class="where">{html.escape(where)}</p>')
    if question is None:
        _render_line("Look at the screen in front.", _WAIT)
        return
    st.html(f"<h2>{html.escape(question.text)}</h2>")
    has_answered, response = room.response_of(phone)
    if scene.is_revealed:
        _render_verdict(question, has_answered=has_answered, response=response)
        return
    choose_answer(
        question,
        f"class-{room.code}-{question.key}",
        response,
        partial(_send, room.code, question.key),
        may_not_know=False,
    )
    if has_answered:
        st.html(
            f'<p class="sent">Your answer: <b>{html.escape(question.title_of(response))}</b>. '
            f"{_WAIT} Until then you can change your answer.</p>"
        )


def _send(code: str, key: str, response: Response) -> None:
    """Send an answer to the lesson's question; for callbacks."""
    joined = CLASSROOMS.join(code, session.visitor(), client_address())
    if not isinstance(joined, JoinProblem):
        joined.room.answer(joined.phone, key, response)


def _render_verdict(question: ClassQuestion, *, has_answered: bool, response: Response) -> None:
    right_title = text.markdown(question.answer.right_title)
    if has_answered and question.is_right(response):
        st.success(f"Right: **{right_title}**.", icon=":material/check:")
    elif has_answered:
        sent_title = text.markdown(question.title_of(response))
        st.warning(
            f"You answered {sent_title}. The right answer is **{right_title}**.",
            icon=":material/close:",
        )
    else:
        st.info(f"The right answer is **{right_title}**.", icon=":material/lightbulb:")
    st.markdown(text.markdown(question.reason))
    st.html(f'<p class="sent">{_WAIT}</p>')


def _render_quiz(room: Classroom, phone: int, scene: ClassScene) -> None:
    """Draw the next question of the test; at the end say so."""
    phase, page = scene.part.phase, room.quiz_page(phone)
    if phase is None or page is None:
        _render_line("The test begins soon.", _WAIT)
        return
    n_questions = len(page.sheet.questions)
    if page.question is None:
        _render_line("Thank you. All your answers are in.", _WAIT)
        return
    title = "Test before the lesson" if phase is Phase.BEFORE else "Test after the lesson"
    where = f"{title}: question {page.number + 1} of {n_questions}"
    st.html(f'<p class="where">{html.escape(where)}</p>')
    if phase is Phase.AFTER and not room.marks(phone, Phase.BEFORE):
        st.caption("You have not taken the first test, so this one does not count for the class.")
    if page.number == 0:
        st.caption("Nobody sees who answered what. If you do not know, say so.")
    st.html(f"<p>{html.escape(page.sheet.story)}</p>{table_markup(page.sheet.table)}")
    st.html(f"<h2>{html.escape(page.question.text)}</h2>")
    choose_answer(
        page.question,
        f"class-{room.code}-{phase.value}-{page.question.key}",
        page.kept,
        partial(_send_quiz, room.code, phase, page.number),
        keep=partial(_send_quiz, room.code, phase, page.number, is_final=False),
        may_not_know=True,
    )


def _send_quiz(
    code: str, phase: Phase, number: int, response: Response, *, is_final: bool = True
) -> None:
    """Send the answer to a question of the test, or only keep it; for callbacks."""
    joined = CLASSROOMS.join(code, session.visitor(), client_address())
    if not isinstance(joined, JoinProblem):
        joined.room.answer_quiz(joined.phone, phase, number, response, is_final=is_final)


def _render_marks(room: Classroom, phone: int) -> None:
    """Draw the numbers of right answers of this phone, before and after."""
    before, after = room.marks(phone, Phase.BEFORE), room.marks(phone, Phase.AFTER)
    sentences = [
        f"{time} the lesson you had {sum(marks)} of {len(marks)} right."
        for time, marks in (("Before", before), ("After", after))
        if marks
    ]
    _render_line(" ".join(sentences) or "Look at the screen in front.", "Only this phone shows it.")


def _render_line(sentence: str, more: str) -> None:
    st.html(f'<p class="line">{html.escape(sentence)}</p><p class="sent">{html.escape(more)}</p>')


def _render_heading(title: str) -> None:
    st.html(f"<h1>{html.escape(title)}</h1>")
