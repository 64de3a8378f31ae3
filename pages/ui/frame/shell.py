"""The frame of a page: the menu, the bar, and the start of a session."""

from collections.abc import Callable, Mapping
from pathlib import Path

import streamlit as st

from pages.ui import compute, session, toolbar
from pages.ui.frame import menu
from pages.ui.render import drawing


def render(
    menu_pages: Mapping[str, str],
    evaluate_pages: Mapping[str, str],
    render_alone: Callable[[], None],
) -> None:
    """Draw the page that the address names, below the menu and the bar.

    `render_alone` draws what stands in place of all of it, if the address asks for that, and ends
    the run.
    """
    st.set_page_config(page_title="LabelRank Lab", page_icon="🏷️", layout="wide")
    st.logo(Path(__file__).with_name("logo.svg"), size="large")
    pages = {
        name: st.Page(f"pages/{name}/page.py", title=title, url_path=name, default=name == "start")
        for name, title in {**evaluate_pages, **menu_pages}.items()
    }
    page = st.navigation(list(pages.values()), position="hidden")
    current = next(name for name, candidate in pages.items() if candidate is page)
    compute.prepare_process()
    compute.tidy()
    session.run_deferred()
    session.restore_workspace()
    render_alone()
    drawing.new_page()
    toolbar.read_address()
    toolbar.restore_choices(page.title)
    menu.render(menu_pages, evaluate_pages, current)
    bar = toolbar.render(page.title)
    is_new = session.is_new_page(page.title)
    toolbar.mend_address(bar.view)
    if not bar.is_followed:
        bar.render_view(bar.view)
    menu.render_evaluate(evaluate_pages, current)
    if st.context.is_embedded:
        drawing.without_frame()
    page.run()
    if st.context.is_embedded:
        toolbar.render_source(session.view())
    if is_new:
        # The address may get lost among the new page's first messages, so it is sent after them.
        st.query_params.update()
