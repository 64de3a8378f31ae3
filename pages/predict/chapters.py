"""The chapters of the page: a question each, drawn once it comes near the window."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from pages.ui import drawing, session

# What is drawn from the start; the others as they are scrolled to.
_FIRST = 2
LAST = 5
# Where the views of links of earlier versions stand now.
_CHAPTER_OF_VIEW = {"Why": 1, "What if": 3, "How sure": 4, "All methods": 5, "Side by side": 5}
_KEY = "chapters"

_watch = st.components.v2.component(
    "labelrank_chapters",
    html='<span class="watch"></span>',
    js=Path(__file__).with_name("chapters.js").read_text(encoding="utf-8"),
)


@dataclass
class Progress:
    """How far a visitor has come on the page, and which chapter the link asks for."""

    n_seen: int = _FIRST
    linked: int | None = None


def progress() -> Progress:
    """Return how far the visitor of this session has come."""
    return session.live_value("chapters", Progress)


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
def chapter(number: int, title: str) -> Iterator[None]:
    """Draw a chapter: its number comes from the style sheet, the card is as high as usual."""
    with st.container(border=True, key=f"chapter-{number}"), drawing.together():
        drawing.heading(title)
        yield


def render_wait() -> None:
    """Hold the place of a chapter that is drawn once it comes near the window."""
    drawing.render_markup('<div class="lr lr-wait"></div>')


def watch() -> None:
    """Let the browser say when the next chapter comes near the window."""
    now = progress()
    data = {"n_seen": now.n_seen, "last": LAST, "scroll_to": now.linked}
    _watch(key=_KEY, data=data, on_seen_change=_see, height=1)


def _see() -> None:
    seen = session.get_state(_KEY, {}).get("seen")
    if isinstance(seen, int):
        progress().n_seen = max(progress().n_seen, min(seen, LAST))
