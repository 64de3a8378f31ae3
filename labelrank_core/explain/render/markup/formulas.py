"""Formulas as pictures: a whole that a line cuts in two, and the curve from sums to shares."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

import numpy as np

from labelrank_core.explain.render.markup.elements import Html, element
from labelrank_core.explain.render.markup.palette import LINE
from labelrank_core.explain.render.markup.plot import Axis, Plot
from labelrank_core.explain.render.markup.text import percent, shorten

# Shorter parts have no room for their number: share of the bar.
_SHORTEST_WRITTEN = 0.07
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
    has_line : bool, default=True
        Whether a line is drawn where the bar is cut.
    """

    name: str
    value: str
    left: Sequence[tuple[float, str, str]]
    right: Sequence[tuple[float, str, str]]
    has_line: bool = True


def cut_bars(bars: Sequence[CutBar], key: Sequence[tuple[str, str]]) -> Html:
    """Draw bars below each other, all of one length, with a line where each is cut.

    `key` names the kinds of parts: kind and words.
    """
    kinds = [element("span", element("i", class_=kind), text) for kind, text in key]
    rows = [
        element(
            "li",
            element("span", bar.name, class_="name"),
            element("b", bar.value),
            element("span", _parts(bar), class_="track"),
        )
        for bar in bars
    ]
    return element(
        "div",
        element("p", kinds, class_="lr-group-keys"),
        element("ol", rows),
        class_="lr-cut",
    )


def _parts(bar: CutBar) -> list[Html]:
    lengths = [length for length, _, _ in (*bar.left, *bar.right)]
    parts = [
        element(
            "i",
            number if length >= _SHORTEST_WRITTEN * sum(lengths) else "",
            class_=kind,
            title=number,
            style=f"width:{percent(100 * length / sum(lengths), 2)}",
        )
        for length, number, kind in (*bar.left, *bar.right)
    ]
    if not bar.has_line:
        return parts
    cut = sum(lengths[: len(bar.left)]) / sum(lengths)
    return [*parts, element("b", style=f"left:{percent(100 * cut, 2)}")]


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
