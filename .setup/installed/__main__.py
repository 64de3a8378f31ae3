"""`labelrank-lab`: start the app that is installed beside this file."""

import sys
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).with_name(".setup")))

from errors import SetupError, guarded
from launch import start

# What the extra `app` installs, by the names of modules.
APP_MODULES = ("streamlit", "plotly", "openpyxl", "pyarrow", "xlrd", "mapie", "segno")


def main():
    return guarded(lambda: start("labelrank-lab", require_app))


def require_app():
    """Return this Python, if it has what the app needs beside the library."""
    missing = [name for name in APP_MODULES if find_spec(name) is None]
    if missing:
        raise SetupError(
            f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing; "
            'write "[app]" behind the name of the wheel or folder that you install or run.'
        )
    return sys.executable


if __name__ == "__main__":
    sys.exit(main())
