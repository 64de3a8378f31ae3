"""A predicted ranking with the positions that each label can have, a square each."""

from collections.abc import Sequence

from labelrank_core.explain.render.markup.elements import Html, element
from labelrank_core.explain.render.markup.intervals import Span
from labelrank_core.explain.render.markup.palette import color_class
from labelrank_core.explain.render.markup.rankings import chip
from labelrank_core.explain.render.markup.text import shorten_all

# Names of more letters than these are cut.
_LETTERS = 24
# Where there is little room, the letters of the longest name and the positions, which are wider.
_MOST_BESIDE, _LETTERS_OF_POSITION = 27, 3.3


def squares(spans: Sequence[Span], names: Sequence[str], n_positions: int) -> Html:
    """Draw a row of squares for each label, those coloured where it can stand.

    The true position, which must be known, has a tick in a coloured square and a cross in an empty
    one. Where the truth ties labels, all coloured squares of the places that they share have a
    tick, or all of these places a cross.
    """
    short = shorten_all(names, _LETTERS)
    heads = [element("span", position) for position in range(1, n_positions + 1)]
    ends = element("span")
    head = element("li", ends, heads, ends, class_="head", aria_hidden="true")
    rows = [_row(span, short, names, n_positions) for span in spans]
    most_letters = max((len(short[span.label]) for span in spans), default=0)
    # Names stand above their squares on a phone.
    is_long = most_letters + _LETTERS_OF_POSITION * n_positions > _MOST_BESIDE
    kind = "lr-squares long" if is_long else "lr-squares"
    grid = element("ol", head, rows, class_=kind, style=f"--n:{n_positions}")
    return element("div", grid, class_="lr")


def _row(span: Span, short: Sequence[str], names: Sequence[str], n_positions: int) -> Html:
    possible = range(span.first, span.last + 1)
    shared = range(0)
    if span.truth is not None:
        shared = range(int(span.truth[0]), int(span.truth[1]) + 1)
    true = {*shared} & {*possible} or {*shared}
    cells = []
    for position in range(1, n_positions + 1):
        is_possible = position in possible
        mark = ("✓" if is_possible else "✗") if position in true else ""
        kind = color_class(span.label) if is_possible else "none"
        cells.append(element("i", mark, class_=kind, title="real position" if mark else ""))
    is_cut = short[span.label] != names[span.label]
    return element(
        "li",
        element("span", chip(span.label, short), class_="name"),
        cells,
        element("span", span.extent, class_="muted extent"),
        title=names[span.label] if is_cut else "",
    )
