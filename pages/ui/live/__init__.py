"""Scripts for pictures that follow the finger, joined into components without a build step."""

from pathlib import Path

_FOLDER = Path(__file__).parent
PARTS = ("dom", "slider", "board", "plane")


def script(main: Path) -> str:
    """Return the script of a component: all parts, then its own file, as one module."""
    files = [*(_FOLDER / f"{part}.js" for part in PARTS), main]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)
