"""What app.py runs when plain Python, not Streamlit, has started it."""

import sys

from bootstrap import ensure
from errors import guarded
from launch import start

sys.exit(guarded(lambda: start("python3 app.py", lambda: ensure("app"))))
