"""The menu at the top of every page, and the one that Evaluate opens."""

from collections.abc import Mapping

import streamlit as st

from pages.ui.render import assistants


def render(titles: Mapping[str, str], of_evaluate: Mapping[str, str], current: str) -> None:
    """Draw the links to pages, by their folders; the current one, or Evaluate, stands out.

    An assistant has a list of the pages already.
    """
    if assistants.is_reading():
        return
    # What the style sheet has for one page holds as soon as the page's first element is there.
    with st.container(key=f"page_{current}"), st.container(horizontal=True, key="menu"):
        _render_links(titles, "evaluate" if current in of_evaluate else current)


def render_evaluate(titles: Mapping[str, str], current: str) -> None:
    """Draw the links to the pages of Evaluate, on these."""
    if current not in titles or assistants.is_reading():
        # In its place, so that it is gone at once, and nothing of the page is where it was.
        st.empty()
        return
    with st.container(horizontal=True, key="evaluate_menu"):
        _render_links(titles, current)


def _render_links(titles: Mapping[str, str], current: str) -> None:
    for name, title in titles.items():
        label = f"**{title}**" if name == current else title
        st.page_link(f"pages/{name}/page.py", label=label)
