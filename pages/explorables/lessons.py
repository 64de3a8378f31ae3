"""A page for each lesson: one picture and one question at a time, answered in the page."""

import html
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from labelrank_core.explain.evidence import Text
from labelrank_core.explain.render.markup.palette import color_properties
from pages.explorables.document import Page, data_element, script, style_sheet
from pages.learn import rows
from pages.learn.lessons import LESSONS
from pages.learn.question import answer_text
from pages.learn.story import Ask, Lesson, LessonSetting, LessonStep, Number, Order, Pick
from pages.ui.render import drawing

_THUMBNAILS = Path(rows.__file__).with_name("thumbnails")
_NONE = "none of them"


def pages(app_address: str) -> list[Page]:
    """Make the pages of all lessons, each with its first example."""
    return [_page(lesson, app_address) for lesson in LESSONS]


def file_of(lesson: Lesson) -> str:
    """Return the name of the file of a lesson."""
    return f"lesson-{lesson.key}.html"


def _page(lesson: Lesson, app_address: str) -> Page:
    setting = rows.example_setting(lesson, lesson.examples[0])
    drawing.use_nouns(setting.dataset)
    steps = lesson.make_steps(setting)
    sections = "".join(
        _section(i, step, setting, is_last=i == len(steps)) for i, step in enumerate(steps, start=1)
    )
    data = {
        "steps": [None if step.ask is None else _guess(step.ask, setting.names) for step in steps],
        "links": [_app_link(lesson, step, app_address) for step in steps],
    }
    colors = color_properties(setting.dataset.label_colors)
    dots = "".join(
        f'<a href="#step={i}" title="{html.escape(step.title)}" '
        f'aria-label="Step {i}: {html.escape(step.title)}"></a>'
        for i, step in enumerate(steps, start=1)
    )
    body = (
        f"<h1>{html.escape(lesson.title)}</h1>"
        f'<p class="lead">{html.escape(lesson.idea)}</p>'
        f'<nav class="dots-of-steps" aria-label="Steps" hidden>{dots}</nav>'
        f'<div class="steps" style="{colors}">{sections}{_end(lesson)}</div>'
        '<div class="moves" hidden><button class="button back">← Back</button>'
        '<button class="button primary on">Next →</button></div>'
        '<p class="in-app" hidden><a href="#">Open in the app</a></p>'
        f"{data_element('lesson', data)}"
    )
    return Page(
        file_of(lesson),
        lesson.title,
        f"{lesson.idea} A lesson of {lesson.minutes} minutes that asks before it tells.",
        body,
        style_sheet("lesson.css"),
        script("lesson.js"),
        _card(lesson),
    )


def _section(number: int, step: LessonStep, setting: LessonSetting, *, is_last: bool) -> str:
    """Write a step; its parts before and after the answer to its question have classes."""
    ask = step.ask
    open_picture = _picture(step, is_answered=False)
    recall = '<p class="recall" hidden></p>' * is_last
    if ask is None:
        section_text = f"{_paragraphs([step.text], setting)}{recall}"
        pictures = f'<div class="picture">{open_picture}</div>'
    else:
        task_text = _paragraphs([step.text], setting) + _paragraphs(
            [ask.question], setting, "asked"
        )
        section_text = f'<div class="before">{task_text}<div class="guess"></div></div>'
        pictures = f'<div class="picture">{open_picture}</div>'
        if not ask.is_kept:
            answer = html.escape(answer_text(ask, setting.names))
            section_text += (
                f'<div class="after"><p class="answer"><b>{answer}</b> '
                f'<span class="verdict"></span></p>{_paragraphs([ask.reason], setting)}</div>'
            )
            answered_picture = _picture(step, is_answered=True)
            if answered_picture != open_picture:
                pictures = (
                    f'<div class="picture before">{open_picture}</div>'
                    f'<div class="picture after">{answered_picture}</div>'
                )
        section_text += recall
    return (
        f'<section class="step" aria-label="Step {number}"><h2>{html.escape(step.title)}</h2>'
        f'<div class="pictures">{pictures}</div><div class="words" aria-live="polite">'
        f"{section_text}</div></section>"
    )


def _picture(step: LessonStep, *, is_answered: bool) -> str:
    with drawing.on_paper() as parts:
        drawing.render_picture(step.picture_shown(is_answered=is_answered), key="site")
    return "".join(parts)


def _paragraphs(texts: Sequence[Text], setting: LessonSetting, kind: str = "") -> str:
    attribute = f' class="{kind}"' if kind else ""
    return "".join(f"<p{attribute}>{t.html(setting.names, setting.nouns)}</p>" for t in texts)


def _guess(ask: Ask, names: Sequence[str]) -> dict[str, Any]:
    """Describe a question for the script: its kind, its options and its verdicts."""
    question = ask.of
    data: dict[str, Any] = {"isKept": ask.is_kept}
    match question:
        case Order():
            data |= {"kind": "order", "options": list(names)}
            data["positions"] = [int(position) for position in question.positions]
        case Number():
            data |= {"kind": "number", "options": list(map(question.text_of, question.choices))}
            data["verdicts"] = list(map(question.verdict, question.choices))
        case Pick(options=options, several=True):
            data |= {"kind": "several", "options": [*options, _NONE]}
            data["right"] = sorted(question.right)
        case Pick(options=options):
            data |= {"kind": "one", "options": list(options)}
            data["verdicts"] = [question.verdict([i]) for i in range(len(options))]
    return data


def _app_link(lesson: Lesson, step: LessonStep, app_address: str) -> str:
    query = urlencode({"lesson": lesson.name, f"step_{lesson.key}": step.title})
    return f"{app_address}/learn?{query}" if app_address else ""


def _end(lesson: Lesson) -> str:
    """Write the goal that a lesson has reached, and a link to the next one."""
    number = LESSONS.index(lesson) + 1
    following = ""
    if number < len(LESSONS):
        next_lesson = LESSONS[number]
        following = (
            f'<p><a class="button" href="{file_of(next_lesson)}">'
            f"Next lesson: {html.escape(next_lesson.name)}</a></p>"
        )
    return f'<div class="end"><p><b>{html.escape(lesson.learned)}</b></p>{following}</div>'


def _card(lesson: Lesson) -> str:
    source = (_THUMBNAILS / f"{lesson.key}.svg").read_text(encoding="utf-8").strip()
    url = f"data:image/svg+xml,{quote(source)}"
    return (
        f'<a class="card lesson-card" href="{file_of(lesson)}">'
        f'<span class="thumb" style="--picture:url({url});--moving:url({url}#moving)"></span>'
        f"<b>{html.escape(lesson.title)}</b>"
        f"<small>{html.escape(lesson.name)}, {lesson.minutes} min</small></a>"
    )
