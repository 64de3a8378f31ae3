"""Pages that follow their main parameter: a move of it runs the page alone, nothing beside it."""

from collections.abc import Callable
from contextlib import nullcontext
from contextvars import ContextVar
from typing import Any

import streamlit as st

from pages.ui import jobs, links, params, state, turns

PAGES = {"Start", "Predict"}
# What is chosen in words, and the link to it, have their places above the page; and whether the
# page can be drawn again without what stands above them.
_ABOVE: ContextVar[tuple[Any, Any, bool]] = ContextVar("above")


def begin(page: str, said: Any, link: Any, told: bool) -> None:
    """Say what is chosen and offer the link to it; a page that follows does so itself."""
    if page in PAGES and state.dataset().n_features:
        _ABOVE.set((said, link, told))
    else:
        _say(said, link)


def _say(said: Any, link: Any) -> None:
    said.caption(params.facts_line(state.query()))
    links.offer(link)


def page(draw: Callable[[], None]) -> None:
    """Draw a page; what is moved or clicked in it, and the main parameter, draw it again alone."""
    said, link, told = _ABOVE.get()
    is_whole = True

    @st.fragment(key=params.PAGE)
    def again() -> None:
        nonlocal is_whole
        if not is_whole and not params.follow():
            st.rerun()
        links.follow(is_whole)
        # The first time much is computed, later little: such runs do not hold each other up.
        turn = nullcontext() if is_whole else turns.MOVES.wait()
        is_whole = False
        token = jobs.ALONE.set(True)
        try:
            with turn:
                _say(said, link)
                draw()
        finally:
            jobs.ALONE.reset(token)

    # While somebody waits for slow work, which a button cancels, all is one run.
    if state.run_whole(False):
        _say(said, link)
        draw()
        return
    again()
    # Not before: a run that ends early has not drawn everything.
    state.follow_alone(not told)
