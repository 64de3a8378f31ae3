"""Every label against the zero line, for every number of virtual labels."""

from collections.abc import Sequence

import numpy as np

from labelrank_core.explain.evidence import GapDial
from labelrank_core.explain.markup.figures import LINE
from labelrank_core.explain.markup.palette import color_class, label_color
from labelrank_core.explain.markup.plot import Axis, Plot
from labelrank_core.explain.markup.text import shorten

_HEIGHT, _NAMES, _LETTERS, _HEADROOM = 340, 115, 12, 0.12


def gap_dial(dial: GapDial, label_names: Sequence[str]) -> str:
    """Draw labels and zero line over p on a logarithmic axis, a dot where a label crosses."""
    bars = np.zeros(len(dial.gaps)) if dial.bars is None else dial.bars
    heights = dial.leads if dial.shares is None else np.array([dial.shares])
    x, ends = np.log2(dial.gaps), np.append(heights.ravel(), bars)
    ticks = [(float(power), str(2**power)) for power in range(int(x[-1]) + 1)]
    title = "positions ahead of the zero line" if dial.bars is None else "share of similar cases"
    # Above all lines there is room for what is said of p.
    room = ends.max() + _HEADROOM * (ends.max() - ends.min())
    up = Axis.around(np.append(ends, room), title)
    plot = Plot(Axis(0.0, float(x[-1]) or 1.0, ticks, "virtual labels p"), up)
    crossing = {each.label for each in dial.crossings}
    for label in sorted(range(len(label_names)), key=lambda label: label in crossing):
        y = np.broadcast_to(heights[:, label], len(x))
        # A level line needs its two ends only.
        some = slice(None) if len(heights) > 1 else slice(None, None, len(x) - 1 or 1)
        plot.curve(x[some], y[some], label_color(label), 4 if label in crossing else 1.5)
    plot.curve(x, bars, LINE, 6)
    for each in dial.crossings:
        place, y = each.gap - dial.gaps[0], heights[:, each.label]
        said = f"p = {each.gap}: {label_names[each.label]} {'enters' if each.enters else 'leaves'}"
        look = f"near edged {color_class(each.label)}"
        plot.spot(x[place], y[min(place, len(y) - 1)], look, said)
    plot.upright(float(np.log2(dial.own)), f"p = {dial.own}")
    middle = int(np.argmin(np.abs(x - x[-1] / 2)))
    plot.above(float(x[middle]), float(bars[middle]), "zero line")
    for height in np.unique(heights[-1]):
        first, *others = np.flatnonzero(heights[-1] == height).tolist()
        more = f" +{len(others)}" if others else ""
        name = f"{shorten(label_names[first], _LETTERS)}{more}"
        plot.beside(float(height), name, label_color(first))
    return plot.drawn(_HEIGHT, beside=_NAMES)
