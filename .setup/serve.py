"""Streamlit's command line, for the Python in `.venv`."""

from streamlit.runtime.pages_manager import PagesManager
from streamlit.web.cli import main

# Beside a folder `pages`, a server's first visitor by a deep link is told 'Page not found',
# because st.navigation has not yet been called to say otherwise.
PagesManager.uses_pages_directory = False

main(prog_name="streamlit")
