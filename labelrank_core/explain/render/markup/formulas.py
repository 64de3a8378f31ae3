"""Formulas as pictures: a whole that is cut in two or shared out, and the curve of sums."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

import numpy as np

from labelrank_core.explain.render.markup.elements import Html, element, fragment
from labelrank_core.explain.render.markup.palette import LINE, color_class
from labelrank_core.explain.render.markup.plot import Axis, Plot
from labelrank_core.explain.render.markup.text import percent, shorten, shorten_all
from labelrank_core.rankings import FloatArray

# Shorter parts have no room for a sign of their number, a share, or a name and each letter of it.
_SHORTEST_SIGN, _SHORTEST_CHANCE, _SHORTEST_NAMED, _SHORTEST_LETTER = 0.055, 0.12, 0.17, 0.0125
_LETTERS, _LETTERS_OF_WHOLE, _LETTERS_OF_KEY = 16, 24, 40
# Longer names of wholes take two lines.
_LETTERS_ABREAST = 11
_LEAST_REACH, _N_POINTS, _HEIGHT = 4.0, 60, 96


@dataclass(frozen=True)
class CutBar:
    """A bar of lengths, cut in two.

    Parameters
    ----------
    name, value : str
        The words before it, and the share of its length that lies left of the cut.
    left, right : sequence of (float, str, {"without", "line", "with"})
        The parts to the left and to the right of the cut: length, number, and the kind of part.
    line : float or None
        The share of its length at which a line is drawn.
    """

    name: str
    value: str
    left: Sequence[tuple[float, str, str]]
    right: Sequence[tuple[float, str, str]]
    line: float | None


def cut_rows(bars: Sequence[CutBar], key: Sequence[tuple[str, str]]) -> Html:
    """Draw bars as rows above dots, as long as their scale from 0 to 1.

    A bar's cut stands above the same share in the rows of dots below. `key` names the kinds of
    parts: kind and words.
    """
    kinds = [element("span", element("i", class_=kind), text) for kind, text in key]
    rows = [
        element(
            "li",
            element("span", bar.name, class_="name"),
            element("b", bar.value),
            element("span", _parts(bar), class_="track"),
            class_="cut",
        )
        for bar in bars
    ]
    return fragment(element("li", element("p", kinds, class_="lr-group-keys"), class_="cut"), rows)


def _parts(bar: CutBar) -> list[Html]:
    lengths = [length for length, _, _ in (*bar.left, *bar.right)]
    parts = [
        element(
            "i",
            number if length >= _SHORTEST_SIGN * len(number) * sum(lengths) else "",
            class_=kind,
            title=number,
            style=f"width:{percent(100 * length / sum(lengths), 2)}",
        )
        for length, number, kind in (*bar.left, *bar.right)
    ]
    if bar.line is None:
        return parts
    return [*parts, element("b", style=f"left:{percent(100 * bar.line, 2)}")]


def choice_bars(
    chances: FloatArray, labels: Sequence[int], names: Sequence[str], n_drawn: int
) -> Html:
    """Draw each choice as a whole, divided among the labels that are left to choose from.

    Parameters
    ----------
    chances : ndarray of shape (n_choices, n_labels)
        The probability of each label at each choice, in the order of `labels`; NaN once taken.
    labels : sequence of int
        The labels in the order in which they are taken.
    names : sequence of str
        Names of all labels.
    n_drawn : int
        So many choices are drawn, and so many labels have a part of their own.
    """
    short = shorten_all([names[label] for label in labels[:n_drawn]], _LETTERS)
    rows = []
    for choice, row in enumerate(chances[:n_drawn], start=1):
        parts = [
            BarPart(
                share,
                f"{share:.0%}",
                f"{names[labels[place]]} {share:.1%}",
                short[place],
                class_=color_class(labels[place]),
            )
            for place, share in enumerate(row[:n_drawn].tolist())
            if share == share
        ]
        others = float(row[n_drawn:].sum())
        if others > 0:
            parts.append(BarPart(others, "", f"others {others:.1%}", class_="rest"))
        rows.append((str(choice), parts))
    return part_rows(rows)


@dataclass(frozen=True)
class BarPart:
    """A part of a whole.

    Parameters
    ----------
    share : float
        Its share of the whole.
    number : str
        Its number, written where there is room.
    title : str
        What pointing at it says.
    name : str, default=""
        Its name, written before the number where there is room.
    class_, background : str, default=""
        The class of its look, or its colour.
    """

    share: float
    number: str
    title: str
    name: str = ""
    class_: str = ""
    background: str = ""

    @property
    def style(self) -> str:
        """Its colour for a style sheet."""
        return f"background:{self.background}" if self.background else ""


def part_rows(
    rows: Sequence[tuple[str, Sequence[BarPart]]], key: Sequence[tuple[BarPart, str]] = ()
) -> Html:
    """Draw wholes below each other, each with its name and divided into parts.

    `key` says what parts that look like some of them are.
    """
    drawn_rows = [
        element(
            "li",
            element("span", shorten(name, _LETTERS_OF_WHOLE), class_="name"),
            element("span", [_drawn_part(part) for part in parts], class_="whole"),
            data_key="whole",
        )
        for name, parts in rows
    ]
    room = min(_LETTERS_ABREAST, 1 + max((len(name) for name, _ in rows), default=0))
    entries = [
        element(
            "span",
            element("i", class_=part.class_, style=part.style),
            shorten(text, _LETTERS_OF_KEY),
        )
        for part, text in key
    ]
    key_line = element("p", entries, class_="lr-group-keys") if entries else None
    wholes = element("ol", drawn_rows, style=f"--name:{room}ch")
    return element("div", key_line, wholes, class_="lr-wholes")


def _drawn_part(part: BarPart) -> Html:
    width = f"width:{percent(100 * part.share, 2)}"
    name = shorten(part.name, _LETTERS)
    has_name = name and part.share >= _SHORTEST_NAMED + _SHORTEST_LETTER * len(name)
    return element(
        "i",
        element("span", name) if has_name else None,
        element("b", part.number) if part.share >= _SHORTEST_CHANCE else None,
        class_=part.class_,
        title=part.title,
        style=";".join(filter(None, (width, part.style))),
    )


def logistic_curve(total: float, share: float, name: str) -> str:
    """Draw the curve 1 / (1 + e^-sum) with a dot at a sum, joined to the probability of a name."""
    reach = max(_LEAST_REACH, 1.2 * abs(total))
    sums = np.linspace(-reach, reach, _N_POINTS)
    end = int(reach)
    across = Axis(-reach, reach, [(-end, f"−{end}"), (0, "0"), (end, str(end))], "sum")
    title = f"probability of {shorten(name)}"
    plot = Plot(across, Axis(0.0, 1.05, [(0, "0"), (0.5, "0.5"), (1, "1")], title))
    plot.curve(sums.tolist(), [1 / (1 + exp(-value)) for value in sums.tolist()], LINE, 3)
    plot.curve([total, total, -reach], [0.0, share, share], "currentColor", 1.5, "3 3")
    plot.spot(total, share, "point model", f"sum {total:+.2f}: {share:.2f}", f"{share:.2f}")
    return plot.drawn(_HEIGHT)
