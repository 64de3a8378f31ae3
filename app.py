"""The app's entry: `python3 app.py` installs and starts it, Streamlit then runs this file.

`streamlit run app.py` starts what is installed: it takes `app`, and that runs this file as well.
"""

import runpy
import sys
from importlib import import_module
from pathlib import Path

# Streamlit, its tests included, is loaded before it runs this file; in plain Python it is not.
if __name__ == "__main__" and "streamlit" not in sys.modules:
    runpy.run_path(str(Path(__file__).resolve().parent / ".setup"), run_name="__main__")

import streamlit as st

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

if __name__ == "app":
    FOLDER = Path(__file__).resolve().parent
    sys.path.insert(0, str(FOLDER / ".setup"))
    app_arguments = import_module("hosting").app_arguments
    sys.path.pop(0)
    app = st.App(__file__, **app_arguments(FOLDER, Path(__file__)))
else:
    # The server imports this in a thread (.setup/hosting.py): imports that go on at the same time
    # in another order could wait for each other.
    import_module("pages.ui.results.models")
    # Not before the server runs: the modules with components of their own must know it.
    from pages.learn.classroom import phone
    from pages.ui.frame import shell

    shell.render(PAGES, EVALUATE_PAGES, phone.render_alone)
