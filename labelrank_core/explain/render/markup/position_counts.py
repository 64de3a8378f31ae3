"""Counts of the rankings that put each label at each position, as stacked bars."""

from collections.abc import Sequence
from math import ceil

import numpy as np

from labelrank_core.data.schema import number_text
from labelrank_core.explain.render.markup.elements import Html, element
from labelrank_core.explain.render.markup.palette import color_class
from labelrank_core.explain.render.markup.text import percent, shorten_all
from labelrank_core.rankings import FloatArray, place_ranges

# The style sheet has a class for every even number of letters up to these.
_LETTERS = 10


def position_counts(rankings: FloatArray, names: Sequence[str]) -> Html:
    """Draw a bar for each position, its segments as long as the numbers of rankings.

    A label that is tied over some positions counts for equal parts at each of them; one that is not
    ranked counts nowhere.
    """
    counts, short = counts_by_position(rankings), shorten_all(names, _LETTERS)
    rows = [
        element(
            "li",
            element("span", position, class_="place"),
            element("span", _segments(row, short, names), class_="bar"),
        )
        for position, row in enumerate(counts, start=1)
        if row.any()
    ]
    return element("ol", rows, class_="lr-counts")


def counts_by_position(rankings: FloatArray) -> FloatArray:
    """Count the rankings that put a label at a position, shape (n_labels, n_labels).

    >>> counts_by_position(np.array([[1.0, 2.0], [1.0, 2.0], [1.5, 1.5]])).tolist()
    [[2.5, 0.5], [0.5, 2.5]]
    """
    n_labels = rankings.shape[1]
    counts = np.zeros((n_labels, n_labels))
    for ranking, first, last in zip(rankings, *place_ranges(rankings), strict=True):
        for label in np.flatnonzero(~np.isnan(ranking)):
            positions = slice(int(first[label]) - 1, int(last[label]))
            counts[positions, label] += 1 / (last[label] - first[label] + 1)
    return counts


def _segments(counts: FloatArray, short: Sequence[str], names: Sequence[str]) -> list[Html]:
    """Draw a bar; the style sheet leaves out numbers and names that have no room."""
    total = counts.sum()
    segments = []
    for label in np.argsort(-counts, kind="stable"):
        if counts[label] <= 0:
            break
        share, number = counts[label] / total, number_text(round(float(counts[label]), 1))
        n_letters = 2 * ceil(len(short[label]) / 2)
        segments.append(
            element(
                "i",
                element("span", short[label], class_=f"name letters-{n_letters}"),
                element("span", number, class_="number"),
                class_=color_class(int(label)),
                style=f"width:{percent(100 * share)}",
                title=f"{names[label]}: {number}",
            )
        )
    return segments
