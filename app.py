"""The app's entry: `python3 app.py` installs and starts it, Streamlit then runs this file."""

import runpy
import sys
from pathlib import Path

# Streamlit, its tests included, is loaded before it runs this file; in plain Python it is not.
if __name__ == "__main__" and "streamlit" not in sys.modules:
    runpy.run_path(str(Path(__file__).resolve().parent / ".setup"), run_name="__main__")

import streamlit as st

from pages.learn.classroom import phone
from pages.ui import compute, drawing, menu, session, toolbar

st.set_page_config(page_title="LabelRank Lab", page_icon="🏷️", layout="wide")
st.logo(Path(__file__).parent / "pages" / "ui" / "logo.svg", size="large")
# A page is a folder with a page.py, and its line here: the address and the title.
PAGES = {
    "start": "Start",
    "data": "Data",
    "predict": "Predict",
    "evaluate": "Evaluate",
    "learn": "Learn",
    "papers": "Papers",
}
EVALUATE_PAGES = {
    "evaluate": "How good?",
    "confidence": "Confidence",
    "sensitivity": "Sensitivity",
    "best_method": "Best method",
    "experiments": "Experiments",
    "compare": "Significance",
}
pages = {
    name: st.Page(f"pages/{name}/page.py", title=title, url_path=name, default=name == "start")
    for name, title in (EVALUATE_PAGES | PAGES).items()
}
page = st.navigation(list(pages.values()), position="hidden")
current = next(name for name, each in pages.items() if each is page)
compute.prepare_process()
compute.tidy()
session.run_deferred()
session.restore_workspace()
phone.render_alone()
drawing.new_page()
toolbar.read_address()
toolbar.restore_choices(page.title)
menu.render(PAGES, EVALUATE_PAGES, current)
bar = toolbar.render(page.title)
is_new = session.is_new_page(page.title)
toolbar.mend_address(bar.view)
if not bar.is_followed:
    bar.render_view(bar.view)
menu.render_evaluate(EVALUATE_PAGES, current)
page.run()
if is_new:
    # The address may get lost among the new page's first messages, so it is sent after them.
    st.query_params.update()
