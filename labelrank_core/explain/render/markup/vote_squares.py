"""Votes as squares in a row, each in the colour of the label that it is for."""

from collections.abc import Sequence

from labelrank_core.explain.render.markup.elements import Html, element
from labelrank_core.explain.render.markup.palette import mark_class
from labelrank_core.explain.render.markup.rankings import chip
from labelrank_core.explain.render.markup.text import percent, shorten_all

_LETTERS = 16
# More squares in a row are too small to be counted.
_MOST_SQUARES = 100


def vote_squares(votes: Sequence[tuple[int, int]], names: Sequence[str]) -> Html:
    """Draw labels with a number of votes each: a square a vote, or a bar where there are many.

    Parameters
    ----------
    votes : sequence of (int, int)
        Labels, and how many votes each has.
    names : sequence of str
        The names of all labels.
    """
    short = shorten_all(names, _LETTERS)
    total = sum(n for _, n in votes)
    rows = []
    for label, n in votes:
        if total > _MOST_SQUARES:
            width = f"width:{percent(100 * n / total)}"
            marks = [element("i", class_=mark_class(label), style=width)]
        else:
            marks = [element("i", class_=mark_class(label))] * n
        rows.append(
            element(
                "li",
                chip(label, short, "small"),
                element("b", n),
                element("span", marks, class_="squares", aria_hidden="true"),
            )
        )
    return element("ul", rows, class_="lr lr-votes")
