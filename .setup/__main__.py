"""What app.py runs when plain Python, not Streamlit, has started it."""

import sys

from bootstrap import guarded
from launch import main

sys.exit(guarded(main))
