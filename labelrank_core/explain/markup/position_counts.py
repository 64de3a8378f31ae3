"""How many of many rankings put which label at each position, as stacked bars."""

import html
from collections.abc import Sequence
from math import ceil

import numpy as np

from labelrank_core.data.schema import number_text
from labelrank_core.explain.markup.palette import color_class
from labelrank_core.explain.markup.text import attribute, percent, shorten_all
from labelrank_core.rankings import FloatArray, place_ranges

# The style sheet has a class for every even number of letters up to these.
_LETTERS = 10


def position_counts(rankings: FloatArray, names: Sequence[str]) -> str:
    """Draw a bar for each position, its segments as long as the numbers of rankings.

    A label that is tied over some positions counts for equal parts at each of them; one that is not
    ranked counts nowhere.
    """
    counts, short = counts_by_position(rankings), shorten_all(names, _LETTERS)
    rows = "".join(
        f'<li><span class="place">{place}</span>'
        f'<span class="bar">{_segments(row, short, names)}</span></li>'
        for place, row in enumerate(counts, start=1)
        if row.any()
    )
    return f'<ol class="lr-counts">{rows}</ol>'


def counts_by_position(rankings: FloatArray) -> FloatArray:
    """Count the rankings that put a label at a position, shape (n_labels, n_labels).

    >>> counts_by_position(np.array([[1.0, 2.0], [1.0, 2.0], [1.5, 1.5]])).tolist()
    [[2.5, 0.5], [0.5, 2.5]]
    """
    n_labels = rankings.shape[1]
    counts = np.zeros((n_labels, n_labels))
    for ranking, first, last in zip(rankings, *place_ranges(rankings), strict=True):
        for label in np.flatnonzero(~np.isnan(ranking)):
            places = slice(int(first[label]) - 1, int(last[label]))
            counts[places, label] += 1 / (last[label] - first[label] + 1)
    return counts


def _segments(counts: FloatArray, short: Sequence[str], names: Sequence[str]) -> str:
    """Draw a bar; the style sheet leaves out numbers and names that have no room."""
    total = counts.sum()
    segments = []
    for label in np.argsort(-counts, kind="stable"):
        if counts[label] <= 0:
            break
        share, number = counts[label] / total, number_text(round(float(counts[label]), 1))
        n_letters = 2 * ceil(len(short[label]) / 2)
        segments.append(
            f'<i class="{color_class(int(label))}" style="width:{percent(100 * share)}" '
            f'title="{attribute(names[label])}: {number}"><span class="name letters-{n_letters}">'
            f'{html.escape(short[label])}</span><span class="number">{number}</span></i>'
        )
    return "".join(segments)
