"""The chapters of the page: a question each, drawn once it comes near the window."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from labelrank_core.explain.render.markup.elements import element
from pages.ui import session
from pages.ui.render import assistants, drawing

# These chapters are drawn from the start, the later ones as they are scrolled to.
_FIRST = 2
LAST = 5
# Links of earlier versions name a view; these are the chapters that replaced the views.
_CHAPTER_OF_VIEW = {"Why": 1, "What if": 3, "How sure": 4, "All methods": 5, "Side by side": 5}
_KEY = "chapters"
# The first chapter is named after the method.
TITLES = {
    2: "What made the difference?",
    3: "What if?",
    4: "Can I rely on it?",
    5: "Would others say the same?",
}

_watch = st.components.v2.component(
    "labelrank_chapters",
    html='<span class="watch"></span>',
    js=Path(__file__).with_name("chapters.js").read_text(encoding="utf-8"),
)


@dataclass
class ChapterProgress:
    """The number of chapters drawn so far, and the chapter that the link asks for."""

    n_seen: int = _FIRST
    linked: int | None = None


def progress() -> ChapterProgress:
    """Return the progress of this session on the page."""
    return session.live_value("chapters", ChapterProgress)


def begin() -> None:
    """Start anew for a visitor who opens the page, at the chapter that the link asks for."""
    view = st.query_params.get("view")
    if session.opens_page() or view is not None:
        linked = _CHAPTER_OF_VIEW.get(view or "")
        progress().n_seen, progress().linked = max(_FIRST, linked or 0), linked
    if view is not None:
        del st.query_params["view"]


def is_seen(number: int) -> bool:
    """Whether a chapter is drawn."""
    return number <= progress().n_seen


@contextmanager
def chapter(number: int, title: str = "") -> Iterator[None]:
    """Draw a chapter: its number comes from the style sheet, the card is as high as usual."""
    with st.container(border=True, key=f"chapter-{number}"), drawing.together():
        drawing.render_heading(title or TITLES[number])
        yield


def render_jumps(first_title: str, *, without: Collection[int] = ()) -> None:
    """Draw buttons that lead to the chapters, except to those that are left out."""
    if assistants.is_reading():
        return
    titles = {1: first_title, **TITLES}
    buttons = [
        element(
            "button", f"{number}\u2002{drawing.with_nouns(title)}", type="button", data_jump=number
        )
        for number, title in titles.items()
        if number not in without
    ]
    drawing.render_markup(element("nav", buttons, class_="lr lr-jumps", aria_label="Chapters"))


def render_wait() -> None:
    """Draw a placeholder of a chapter that is drawn once it comes near the window."""
    drawing.render_markup('<div class="lr lr-wait"></div>')


def render_watch() -> None:
    """Draw the component that reports when the next chapter comes near the window.

    An assistant does not scroll: it has a button.
    """
    if assistants.is_reading():
        if progress().n_seen < LAST:
            st.button("Next chapter", key="next_chapter", on_click=_draw_next)
        return
    data = {"n_seen": progress().n_seen, "last": LAST, "scroll_to": progress().linked}
    _watch(key=_KEY, data=data, on_seen_change=_update_progress, height=1)


def _draw_next() -> None:
    progress().n_seen += 1


def _update_progress() -> None:
    n_seen = session.get_state(_KEY, {}).get("seen")
    if isinstance(n_seen, int):
        progress().n_seen = max(progress().n_seen, min(n_seen, LAST))
