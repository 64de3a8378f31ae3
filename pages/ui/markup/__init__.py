"""Drawings without axes as HTML and SVG: the same on pages, in lessons and in reports.

Pure functions from plain values to markup; no Streamlit. Names are escaped here and nowhere else.
They need the style sheet `STYLE` once a page. Lines and muted words take the colour of the text
around them, so that they fit both themes and paper.
"""

from pages.ui.markup.bars import contributions, gauge, signed
from pages.ui.markup.dots import dot_rows
from pages.ui.markup.grids import label_sets, matrix
from pages.ui.markup.rankings import chip, ladder, strip
from pages.ui.markup.side_by_side import Side, side_by_side
from pages.ui.markup.strips import strips
from pages.ui.markup.style import STYLE
from pages.ui.markup.tables import cases_table, methods_table
from pages.ui.markup.trees import way

__all__ = [
    "STYLE",
    "Side",
    "cases_table",
    "chip",
    "contributions",
    "dot_rows",
    "gauge",
    "label_sets",
    "ladder",
    "matrix",
    "methods_table",
    "side_by_side",
    "signed",
    "strip",
    "strips",
    "way",
]
