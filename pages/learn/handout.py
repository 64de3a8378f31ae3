"""A lesson as it is set now, to print: questions for pupils, and the answers for teachers."""

import html
import re
from collections.abc import Sequence
from pathlib import Path

import labelrank_core
from labelrank_core.explain.evidence import Neighbors
from labelrank_core.explain.render import markup
from labelrank_core.io.content import file_stem
from pages.learn import teaching
from pages.learn.exercises import base
from pages.learn.exercises.base import Exercise, Several, Sheet
from pages.learn.exercises.drawn import given_table
from pages.learn.question import answer_text
from pages.learn.story import (
    Ask,
    Lesson,
    LessonSetting,
    LessonStep,
    Number,
    Order,
    Pick,
    parts_of,
)
from pages.ui import session, toolbar
from pages.ui.render import drawing, widgets
from pages.ui.render.fonts import font_faces

# With more rows or labels the print is smaller, in three columns.
_MOST_ROWS, _MOST_LABELS = 10, 5
# And yet smaller, in four, with many labels of many neighbours.
_MANY_LABELS, _MANY_NEIGHBORS = 12, 15
# Fewer steps have room for two columns.
_MOST_WIDE = 6
# So few questions are printed large.
_MOST_LARGE = 4
# Of more labels not all places are asked for.
_MOST_PLACES = 8
# Numbers are the same if they are with two decimals.
_ROUNDING = 0.005
_BLANK = '<p>Answer: <span class="blank"></span></p>'
_SHEET = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")


def render_downloads(
    lesson: Lesson, setting: LessonSetting, steps: Sequence[LessonStep], sheet: Sheet
) -> None:
    """Draw the downloads of a lesson's questions and exercises to print, and the teachers' key."""
    link, _ = toolbar.link(session.view())
    widgets.render_download(
        "Handout (2 pages)",
        lambda: web_page(lesson, setting, steps, sheet, link),
        f"{file_stem(lesson.name)}.html",
        "text/html",
        icon=":material/print:",
        help="The questions of this lesson and these exercises, with room to write.",
    )
    if teaching.is_teacher():
        widgets.render_download(
            "Teacher's key (2 pages)",
            lambda: key_page(lesson, setting, steps, sheet, link),
            f"{file_stem(lesson.name)}-key.html",
            "text/html",
            icon=":material/key:",
            help="The answers to all questions of the handout, with reasons.",
        )


def web_page(
    lesson: Lesson, setting: LessonSetting, steps: Sequence[LessonStep], sheet: Sheet, link: str
) -> str:
    """Write the questions, without an answer, as one web page that needs nothing else."""
    idea = f"{html.escape(lesson.idea)} {_case(setting)}"
    asking_steps = _asking_steps(steps, setting)
    questions = _questions(asking_steps, setting)
    look = f"asks {_look(setting, steps)}"
    if len(asking_steps) <= _MOST_LARGE and "dense" not in look:
        look += " large"
    first = _page(lesson.title, idea, questions, look, link)
    return _document(lesson.title, setting, [first, _exercises(lesson, sheet)])


def key_page(
    lesson: Lesson, setting: LessonSetting, steps: Sequence[LessonStep], sheet: Sheet, link: str
) -> str:
    """Write all steps with their answers, and those of the exercises, as one web page."""
    title, look = f"Key: {lesson.title}", _look(setting, steps)
    first = _page(title, _case(setting), _answers(steps, setting), look, link)
    return _document(title, setting, [first, _key(lesson, sheet)])


def _document(title: str, setting: LessonSetting, pages: Sequence[str]) -> str:
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{html.escape(title)}</title>{markup.STYLE}",
            markup.label_colors_style(setting.dataset.label_colors),
            f"<style>{font_faces()}{_SHEET}</style></head><body>",
            *pages,
            "</body></html>",
        ]
    )


def _page(title: str, about: str, steps: str, look: str, link: str) -> str:
    """Write a page of steps; `about` and `steps` are HTML."""
    address = html.escape(link)
    return (
        f'<section class="page {look}"><h1>{html.escape(title)}</h1><p>{about}</p>'
        f'<div class="steps">{steps}</div>'
        f'<footer>LabelRank Lab {labelrank_core.__version__}. <a href="{address}">Open this '
        "lesson in the app</a></footer></section>"
    )


def _look(setting: LessonSetting, steps: Sequence[LessonStep]) -> str:
    """Choose the size of the print, so that all steps fit on one page."""
    n_labels, near = len(setting.names), setting.explanation.find(Neighbors)
    if n_labels > _MANY_LABELS and near is not None and len(near.rows) > _MANY_NEIGHBORS:
        return "dense small"
    if setting.dataset.n_samples > _MOST_ROWS or n_labels > _MOST_LABELS:
        return "dense"
    return "wide" if len(steps) <= _MOST_WIDE else ""


def _case(setting: LessonSetting) -> str:
    """Return the subject of the lesson as HTML: the case, and the method with its parameters."""
    values = setting.dataset.schema.frame(setting.case.x[None]).iloc[0]
    values_text = ", ".join(
        f"{name} {value if isinstance(value, str) else format(value, 'g')}"
        for name, value in list(values.items())[:4]
    )
    return f"The case: <b>{html.escape(values_text)}</b>."


def _asking_steps(steps: Sequence[LessonStep], setting: LessonSetting) -> list[LessonStep]:
    """Return the steps that ask, without those that say or draw the answer of an earlier one."""
    asking_steps: list[LessonStep] = []
    answers: set[str] = set()
    answer_values: list[float] = []
    for step in steps:
        if step.ask is None:
            continue
        texts = (step.text, step.ask.question)
        text = " ".join(part.plain(setting.names, setting.nouns) for part in texts)
        stated = [float(number) for number in re.findall(r"\d+\.\d+", text)]
        if any(abs(number - value) < _ROUNDING for number in stated for value in answer_values):
            continue
        question_pictures = _pictures(step, is_answered=False)
        if not answers.isdisjoint(question_pictures):
            continue
        asking_steps.append(step)
        answers.update(set(_pictures(step, is_answered=True)).difference(question_pictures))
        if isinstance(step.ask.of, Number) and step.ask.of.step < 1:
            answer_values.append(step.ask.of.value)
    return asking_steps


def _questions(steps: Sequence[LessonStep], setting: LessonSetting) -> str:
    """Draw the questions, each picture once, with room for the answers."""
    drawn_pictures: set[str] = set()
    sections = []
    for number, step in enumerate(steps, start=1):
        assert step.ask is not None
        texts = (step.text, step.ask.question)
        text_html = "".join(f"<p>{text.html(setting.names, setting.nouns)}</p>" for text in texts)
        pictures = _pictures(step, is_answered=False)
        new_pictures = "".join(picture for picture in pictures if picture not in drawn_pictures)
        title = html.escape(f"{number}. {step.title}")
        room = _room_for(step.ask, setting.names)
        sections.append(
            f"<section><h2>{title}</h2>{text_html}{new_pictures}{room}"
            '<div class="working"></div></section>'
        )
        drawn_pictures.update(pictures)
    return "".join(sections)


def _answers(steps: Sequence[LessonStep], setting: LessonSetting) -> str:
    """Draw the steps answered, numbered as they are asked; a reason and a picture come once."""
    reasons = [step.ask.reason if step.ask else step.text for step in steps]
    drawn_pictures: set[str] = set()
    sections = []
    numbers = {id(step): i for i, step in enumerate(_asking_steps(steps, setting), start=1)}
    for i, (step, reason) in enumerate(zip(steps, reasons, strict=True)):
        title = step.title
        parts = [f"<p>{step.text.html(setting.names, setting.nouns)}</p>"]
        if step.ask is not None:
            title = f"{numbers[id(step)]}. {title}" if id(step) in numbers else title
            answer = html.escape(answer_text(step.ask, setting.names))
            parts = [
                f"<p>{step.ask.question.html(setting.names, setting.nouns)} <b>{answer}</b></p>"
            ]
        pictures = _pictures(step, is_answered=True)
        parts += [picture for picture in pictures if picture not in drawn_pictures]
        if step.ask is not None and not step.ask.is_kept and reason not in reasons[i + 1 :]:
            parts.append(f"<p>{reason.html(setting.names, setting.nouns)}</p>")
        sections.append(f"<section><h2>{html.escape(title)}</h2>{''.join(parts)}</section>")
        drawn_pictures.update(pictures)
    return "".join(sections)


def _pictures(step: LessonStep, *, is_answered: bool) -> list[str]:
    """Draw the pictures of a step, from top to bottom."""
    pictures = []
    for part in parts_of(step.picture_shown(is_answered=is_answered)):
        with drawing.on_paper() as html_parts:
            drawing.render_picture(part, key="handout")
        pictures.append("".join(html_parts))
    return pictures


def _room_for(ask: Ask, names: Sequence[str]) -> str:
    """Leave room for the answer to the question of a step."""
    match ask.of:
        case Order():
            blanks = "".join(
                f'<span class="place">{position}. <span class="blank short"></span></span>'
                for position in range(1, min(len(names), _MOST_PLACES) + 1)
            )
            return f'<p class="places">{blanks}</p>'
        case Pick(options=options, several=several):
            return _options(options, several=several)
        case _:
            return _BLANK


def _exercises(lesson: Lesson, sheet: Sheet) -> str:
    questions = "".join(
        f"<li><p><b>{i}.</b> {html.escape(exercise.question)}</p>{_room(exercise)}</li>"
        for i, exercise in enumerate(sheet.exercises, start=1)
    )
    return (
        f'<section class="page sheet"><h1>Exercises: {html.escape(lesson.name.lower())} '
        '<span class="name">Name <span class="blank"></span></span></h1>'
        f"<p>{html.escape(sheet.story)}</p>{_table(sheet)}<ol>{questions}</ol>"
        "</section>"
    )


def _table(sheet: Sheet) -> str:
    return f'<figure class="lr">{given_table(sheet)}</figure>'


def _room(exercise: Exercise) -> str:
    """Leave room for the answer to an exercise."""
    answer = exercise.answer
    if isinstance(answer, base.NumberAnswer):
        return f'{_BLANK}<div class="working"></div>'
    options = _options(answer.options, several=isinstance(answer, Several))
    return f'{options}<div class="working"></div>'


def _options(options: Sequence[str], *, several: bool) -> str:
    boxes = "".join(f"<li>{html.escape(option)}</li>" for option in options)
    instruction = "Mark all that apply." if several else "Mark one."
    return f'<p>{instruction}</p><ul class="options">{boxes}</ul>'


def _key(lesson: Lesson, sheet: Sheet) -> str:
    answers = "".join(
        f"<li><p><b>{i}.</b> {html.escape(exercise.question)}</p>"
        f"<p><b>{html.escape(exercise.answer.text)}</b> {html.escape(exercise.reason)}</p></li>"
        for i, exercise in enumerate(sheet.exercises, start=1)
    )
    return (
        f'<section class="page sheet"><h1>Key: {html.escape(lesson.name.lower())}</h1>'
        f"{_table(sheet)}<ol>{answers}</ol></section>"
    )
