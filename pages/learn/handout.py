"""A lesson as it is set now, on two pages to print: its steps answered, and three exercises."""

import html
from collections.abc import Sequence
from pathlib import Path

import labelrank_core
from labelrank_core.explain import markup
from labelrank_core.explain.evidence import Neighbors
from labelrank_core.io.content import file_stem
from pages.learn.exercises.base import Exercise, Number, Several, Sheet
from pages.learn.story import Lesson, Setting, Step
from pages.ui import drawing, links, widgets

# With more rows or labels the print is smaller, in three columns.
_MOST_ROWS, _MOST_LABELS = 10, 5
# And yet smaller, in four, with many labels of many neighbours.
_MANY_LABELS, _MANY_NEIGHBORS = 12, 15
# Fewer steps have room for two columns.
_MOST_WIDE = 6
_SHEET = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")


def offer(lesson: Lesson, setting: Setting, steps: Sequence[Step], found: Sheet) -> None:
    """Offer a lesson and its exercises as a web page to print, with the key or without."""
    link = links.whole()[0]
    widgets.download(
        "Handout (2 pages)",
        lambda: web_page(lesson, setting, steps, found, link),
        f"{file_stem(lesson.name)}.html",
        "text/html",
        icon=":material/print:",
        help="The worked steps and these exercises in one file, to print or mail.",
    )
    widgets.download(
        "With key",
        lambda: web_page(lesson, setting, steps, found, link, with_key=True),
        f"{file_stem(lesson.name)}-key.html",
        "text/html",
        icon=":material/print:",
        help="The same, with the key on a third sheet.",
    )


def web_page(
    lesson: Lesson,
    setting: Setting,
    steps: Sequence[Step],
    found: Sheet,
    link: str,
    *,
    with_key: bool = False,
) -> str:
    """Write the handout as one web page that needs nothing else."""
    title, address = html.escape(lesson.title), html.escape(link)
    look = _look(setting, steps)
    pages = [
        f'<section class="page {look}"><h1>{title}</h1><p>{html.escape(lesson.idea)} '
        f'{_case(setting)}</p><div class="steps">{_steps(steps, setting)}</div>'
        f'<footer>LabelRank Lab {labelrank_core.__version__}. <a href="{address}">Open this '
        "lesson in the app</a></footer></section>",
        _exercises(lesson, found),
        *([_key(lesson, found)] if with_key else []),
    ]
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title>{markup.STYLE}<style>{_SHEET}</style></head><body>",
            *pages,
            "</body></html>",
        ]
    )


def _look(setting: Setting, steps: Sequence[Step]) -> str:
    """Choose the size of the print, so that all steps fit on one page."""
    n_labels, near = len(setting.names), setting.explanation.find(Neighbors)
    if n_labels > _MANY_LABELS and near is not None and len(near.rows) > _MANY_NEIGHBORS:
        return "dense small"
    if setting.dataset.n_samples > _MOST_ROWS or n_labels > _MOST_LABELS:
        return "dense"
    return "wide" if len(steps) <= _MOST_WIDE else ""


def _case(setting: Setting) -> str:
    """Say what the lesson is about: the case, and the method with its parameters."""
    values = setting.dataset.schema.frame(setting.case.x[None]).iloc[0]
    own = ", ".join(
        f"{name} {value if isinstance(value, str) else format(value, 'g')}"
        for name, value in list(values.items())[:4]
    )
    return f"The case: <b>{html.escape(own)}</b>."


def _steps(steps: Sequence[Step], setting: Setting) -> str:
    """Draw the steps; a reason is given, and a picture drawn, only once."""
    reasons = [step.ask.reason if step.ask else step.words for step in steps]
    seen: set[str] = set()
    sections = []
    for i, (step, reason) in enumerate(zip(steps, reasons, strict=True)):
        with drawing.on_paper() as drawn:
            drawing.shown(step.shown(is_answered=True), key="handout")
        picture = "".join(drawn)
        said = [step.words, *([step.ask.question] if step.ask else [])]
        above = "".join(f"<p>{each.html(setting.names)}</p>" for each in said)
        is_last = step.ask is not None and not step.ask.is_kept and reason not in reasons[i + 1 :]
        below = f"<p>{reason.html(setting.names)}</p>" if is_last else ""
        shown = "" if picture in seen else picture
        sections.append(
            f"<section><h2>{html.escape(step.title)}</h2>{above}{shown}{below}</section>"
        )
        seen.add(picture)
    return "".join(sections)


def _exercises(lesson: Lesson, sheet: Sheet) -> str:
    questions = "".join(
        f"<li><p><b>{i}.</b> {html.escape(each.question)}</p>{_room(each)}</li>"
        for i, each in enumerate(sheet.exercises, start=1)
    )
    return (
        f'<section class="page sheet"><h1>Exercises: {html.escape(lesson.name.lower())} '
        '<span class="name">Name <span class="blank"></span></span></h1>'
        f"<p>{html.escape(sheet.story)}</p>{_given(sheet)}<ol>{questions}</ol>"
        "</section>"
    )


def _given(sheet: Sheet) -> str:
    table = markup.plain_table("What is given", sheet.given.heads, sheet.given.rows)
    return f'<figure class="lr">{table}</figure>'


def _room(exercise: Exercise) -> str:
    """Leave room for an answer."""
    answer = exercise.answer
    if isinstance(answer, Number):
        return '<p>Answer: <span class="blank"></span></p><div class="working"></div>'
    boxes = "".join(f"<li>{html.escape(option)}</li>" for option in answer.options)
    how = "Tick all that apply." if isinstance(answer, Several) else "Tick one."
    return f'<p>{how}</p><ul class="options">{boxes}</ul><div class="working"></div>'


def _key(lesson: Lesson, sheet: Sheet) -> str:
    answers = "".join(
        f"<li><p><b>{i}.</b> {html.escape(each.question)}</p>"
        f"<p><b>{html.escape(each.answer.said)}</b> {html.escape(each.reason)}</p></li>"
        for i, each in enumerate(sheet.exercises, start=1)
    )
    return (
        f'<section class="page sheet"><h1>Key: {html.escape(lesson.name.lower())}</h1>'
        f"{_given(sheet)}<ol>{answers}</ol></section>"
    )
