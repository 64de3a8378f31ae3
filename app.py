"""The app's entry: `python3 app.py` installs and starts it, Streamlit then runs this file."""

import runpy
import sys
from pathlib import Path

# Streamlit, its tests included, is loaded before it runs this file; in plain Python it is not.
if __name__ == "__main__" and "streamlit" not in sys.modules:
    runpy.run_path(str(Path(__file__).resolve().parent / ".setup"), run_name="__main__")

import streamlit as st

from pages.ui import compute, params, parts

st.set_page_config(page_title="LabelRank Lab", page_icon="🏷️", layout="wide")
# Without icons all names fit into 1280 pixels.
page = st.navigation(
    [
        st.Page("pages/start/start.py", title="Start", default=True),
        st.Page("pages/data/data.py", title="Data"),
        st.Page("pages/predict/predict.py", title="Predict"),
        st.Page("pages/evaluate/evaluate.py", title="Evaluate"),
        st.Page("pages/evaluate/confidence.py", title="Confidence"),
        st.Page("pages/evaluate/sensitivity.py", title="Sensitivity"),
        st.Page("pages/evaluate/compare.py", title="Compare"),
        st.Page("pages/evaluate/experiments.py", title="Experiments"),
        st.Page("pages/learn/learn.py", title="Learn"),
    ],
    position="top",
)
compute.settle_memory()
params.draw()
parts.status_bar(shown=page.url_path not in ("learn", "compare", "experiments"))
page.run()
