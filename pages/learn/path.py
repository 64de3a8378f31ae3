"""The path of lessons: cards with a picture, the minutes, and a tick for those that are done."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from urllib.parse import quote

import streamlit as st

from pages.learn.lessons import LESSONS
from pages.ui.choose import choices
from pages.ui.render import assistants

# Of the widget, which a link sets.
LESSON_KEY = "lesson"
PLAYGROUND = "Aggregation playground"
_PLAYGROUND_KEY = "playground"
_FOLDER = Path(__file__).parent
_ticks = st.components.v2.component(
    "labelrank_lesson_path",
    js=(_FOLDER / "path.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def choose_lesson() -> str:
    """Draw the cards of the lessons and of the playground; return the name of the chosen one."""
    names = [lesson.name for lesson in LESSONS]
    total = sum(lesson.minutes for lesson in LESSONS)
    progress = f'<p class="lesson-progress">{len(LESSONS)} lessons, {total} minutes</p>'
    # Alone, a style sheet is nothing that an assistant reads.
    st.html(f"<style>{_card_style()}</style>")
    with st.container(key="lesson_choice"):
        st.html(progress)
        return str(
            choices.choose(
                st.segmented_control,
                "Lesson",
                [*names, PLAYGROUND],
                required=True,
                key=LESSON_KEY,
                bind="query-params",
                label_visibility="collapsed",
            )
        )


def render_ticks(done: str | None) -> None:
    """Tick the lessons that this browser has gone through, with the one that ends here, if any."""
    if assistants.is_reading():
        return
    with st.container(key="lesson_path"):
        _ticks(key="lesson_ticks", data={"done": done})


@cache
def _card_style() -> str:
    """Return the rules that give each card its picture and its minutes."""
    minutes = [f"{lesson.minutes} min" for lesson in LESSONS]
    keys = [lesson.key for lesson in LESSONS]
    return "".join(_card_rules([*keys, _PLAYGROUND_KEY], [*minutes, "to play"]))


def _card_rules(keys: Sequence[str], notes: Sequence[str]) -> list[str]:
    rules = []
    for number, (key, note) in enumerate(zip(keys, notes, strict=True), start=1):
        source = (_FOLDER / "thumbnails" / f"{key}.svg").read_text(encoding="utf-8").strip()
        url = f"data:image/svg+xml,{quote(source)}"
        # The picture moves where its address names the part that moves.
        rules.append(
            f".st-key-lesson_choice [role=radio]:nth-of-type({number}) "
            f'{{--picture: url("{url}"); --moving: url("{url}#moving"); --minutes: "{note}"}}'
        )
    return rules
