"""Writes the static site, for a Python that has what the app needs; its arguments are passed on."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The app's modules are found, and those of this folder are not.
sys.path[:] = [str(ROOT), *(path for path in sys.path if path != str(ROOT / ".setup"))]
os.environ.setdefault("STREAMLIT_LOGGER_LEVEL", "error")

from pages.explorables.command import main  # noqa: E402

sys.exit(main())
