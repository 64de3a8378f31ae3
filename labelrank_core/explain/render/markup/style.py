"""The one style sheet of all markup, and that of a data set's own colours."""

import re
from collections.abc import Sequence
from pathlib import Path

from labelrank_core.explain.render.markup.palette import color_properties, color_rules


def compact(sheet: str) -> str:
    """Return a style sheet without comments, and without spaces that stand for nothing."""
    rules = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)
    rules = re.sub(r"\s*([{};])\s*", r"\1", re.sub(r"\s*\n\s*", " ", rules)).strip()
    # A selector may have a space before its colon, never behind it.
    return rules.replace(": ", ":")


_SHEET = compact(Path(__file__).with_name("style.css").read_text(encoding="utf-8"))
STYLE = f"<style>{_SHEET}{color_rules()}</style>"
# The rest of it where a page has the sheet already.
COLOR_STYLE = f"<style>{color_rules()}</style>"


def label_colors_style(colors: Sequence[tuple[str, str]]) -> str:
    """Return the style element that gives the labels of a whole page colours of their own."""
    return f"<style>:root {{{color_properties(colors)}}}</style>"
