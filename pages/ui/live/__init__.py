"""Scripts for pictures that follow the finger, joined into components without a build step."""

from pathlib import Path

_FOLDER = Path(__file__).parent


def style(main: Path, *parts: str) -> str:
    """Return the style sheet of a component: those of the parts it needs, then its own."""
    files = [*(_FOLDER / f"{part}.css" for part in parts), main]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def script(main: Path, *parts: str) -> str:
    """Return the script of a component: the parts it needs, then its own file, as one module."""
    files = [*(_FOLDER / f"{part}.js" for part in parts), main]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)
