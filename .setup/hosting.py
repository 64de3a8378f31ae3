"""What `st.App` needs beside the script, for `serve.py` and for `streamlit run app.py` alike."""

import sys
import threading
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from streamlit.runtime.pages_manager import PagesManager

from frame import Frame, preload_links, read_sheets
from guard import Guard
from previews import Previews, read_samples
from reference import routes

STATIC = Path(st.__file__).parent / "static" / "static"


def app_arguments(root, script, frame_origins=()):
    """Return the arguments of `st.App` for a script of the checkout or package in `root`."""
    # Beside a folder `pages`, a server's first visitor by a deep link is told 'Page not found',
    # because st.navigation has not yet been called to say otherwise.
    PagesManager.uses_pages_directory = False
    previews = Previews(read_samples(root))
    return {
        "routes": [*routes(root / ".reference" / "html"), previews.route()],
        "middleware": [
            Middleware(Guard, frame_origins, on_disconnect=release_files),
            Middleware(Frame, preload_links(STATIC) + read_sheets(root), previews.head),
        ],
        "on_script_error": show_script_error,
        "lifespan": warm_up if script.resolve() == root / "app.py" else None,
    }


@asynccontextmanager
async def warm_up(_app):
    """Import, while the browser of the first visitor loads the page, what the page will need."""
    threading.Thread(target=import_app, daemon=True).start()
    yield


def import_app():
    # Not the modules with components of their own: these know the server that runs by then.
    import plotly.graph_objects  # noqa: F401

    import pages.ui.results.models  # noqa: F401


def release_files():
    """Let go of what browsers that have left had brought, beyond a bound."""
    # Loaded with the app: without it nobody has brought a file.
    uploads = sys.modules.get("pages.ui.uploads")
    if uploads is not None and uploads.release_left_files():
        threading.Thread(target=uploads.free_memory, daemon=True).start()


def show_script_error(error):
    """Say on the page what to do after an unforeseen error; return that it is shown."""
    # Loaded with the app, not before the server answers.
    from pages.ui.frame.unforeseen import render_error

    return render_error(error)
