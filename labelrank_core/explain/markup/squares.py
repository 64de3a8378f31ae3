"""A predicted ranking with the positions that each label can have, a square each."""

import html
from collections.abc import Sequence
from math import ceil, floor

from labelrank_core.explain.markup.intervals import Span
from labelrank_core.explain.markup.palette import color_class
from labelrank_core.explain.markup.rankings import chip
from labelrank_core.explain.markup.text import attribute, shorten_all

# Names of more letters than these stand above their squares where there is little room.
_LETTERS, _LETTERS_BESIDE = 24, 6


def squares(spans: Sequence[Span], names: Sequence[str], n_positions: int) -> str:
    """Draw a row of squares for each label, those coloured where it can stand.

    The true position, which must be known, has a tick in a coloured square and a cross in an empty
    one; where the truth ties an even number of labels, the two squares in their middle have it.
    """
    short = shorten_all(names, _LETTERS)
    heads = "".join(f"<span>{position}</span>" for position in range(1, n_positions + 1))
    head = f'<li class="head" aria-hidden="true"><span></span>{heads}<span></span></li>'
    rows = "".join(_row(span, short, names, n_positions) for span in spans)
    is_long = any(len(short[span.label]) > _LETTERS_BESIDE for span in spans)
    kind = "lr-squares long" if is_long else "lr-squares"
    return f'<div class="lr"><ol class="{kind}" style="--n:{n_positions}">{head}{rows}</ol></div>'


def _row(span: Span, short: Sequence[str], names: Sequence[str], n_positions: int) -> str:
    true = set() if span.truth is None else {floor(span.truth[0]), ceil(span.truth[1])}
    cells = []
    for position in range(1, n_positions + 1):
        is_possible = span.first <= position <= span.last
        mark = ("✓" if is_possible else "✗") if position in true else ""
        kind = color_class(span.label) if is_possible else "none"
        title = ' title="real position"' if mark else ""
        cells.append(f'<i class="{kind}"{title}>{mark}</i>')
    cut = short[span.label] != names[span.label]
    title = f' title="{attribute(names[span.label])}"' if cut else ""
    extent = str(span.first) if span.first == span.last else f"{span.first} to {span.last}"
    return (
        f'<li{title}><span class="name">{chip(span.label, short)}</span>{"".join(cells)}'
        f'<span class="muted extent">{html.escape(extent)}</span></li>'
    )
