"""The table of an exercise drawn, its labels in their colours, for the page and the handout."""

import re

from labelrank_core.explain.render import markup
from labelrank_core.explain.render.markup.elements import Html, fragment
from pages.learn.exercises.base import MUSIC, Sheet

# Tea has the colour that it has in lessons.
_COLORED = (("cola", "tea", "juice"), MUSIC)
_NAMES = {name: (label, names) for names in _COLORED for label, name in enumerate(names)}
_NAME = re.compile(rf"\b({'|'.join(_NAMES)})\b")


def given_table(sheet: Sheet) -> Html:
    """Draw the table of a sheet; each name of a label in it stands on the label's colour."""
    rows = [[with_chips(cell) for cell in row] for row in sheet.table.rows]
    return markup.plain_table("What is given", [*map(with_chips, sheet.table.heads)], rows)


def with_chips(words: str) -> Html:
    """Put the names of labels among words on their colours."""
    # Every second part is a name.
    parts = _NAME.split(words)
    return fragment(
        markup.chip(*_NAMES[part], "small") if place % 2 else part
        for place, part in enumerate(parts)
    )
