"""Every label against the zero line, for every number of virtual labels."""

from collections.abc import Collection, Sequence

import numpy as np

from labelrank_core.explain.evidence import Crossing, GapDial
from labelrank_core.explain.render.markup.palette import LINE, label_color, mark_class
from labelrank_core.explain.render.markup.plot import Axis, Plot
from labelrank_core.explain.render.markup.plot_names import names_at_ends
from labelrank_core.explain.render.markup.text import shorten_all
from labelrank_core.rankings import FloatArray

# In pixels: of the drawing with its key, of the key, and beside the drawing.
_HEIGHT, _KEY, _NAMES = 340, 22, 140
_LETTERS, _HEADROOM = 12, 0.12
_MOST_WRITTEN = 5
# More lines with dots and names are a tangle.
_MOST_MARKED, _MOST_NAMED = 8, 16
_UNNAMED = "rgba(136, 136, 136, 0.5)"
# How much of the height a name beside the drawing takes.
_NAME = 0.07


def gap_dial(
    dial: GapDial, label_names: Sequence[str], label_indices: Collection[int] | None = None
) -> str:
    """Draw labels and zero line over p on a logarithmic axis, a dot where a marked label crosses.

    `label_indices`: the labels to draw; None: all. Of many, those without a mark are grey and not
    named, if any has one.
    """
    labels = range(len(label_names)) if label_indices is None else label_indices
    bars = np.zeros(len(dial.gaps)) if dial.bars is None else dial.bars
    heights = dial.leads if dial.shares is None else np.array([dial.shares])
    x, ends = np.log2(dial.gaps), np.append(heights.ravel(), bars)
    # On a narrow screen there is room for few numbers: every second power is written then.
    step = 1 if x[-1] <= _MOST_WRITTEN else 2
    ticks = [(float(power), str(2**power)) for power in range(0, int(x[-1]) + 1, step)]
    title = "positions ahead of the zero line" if dial.bars is None else "share of similar cases"
    # Above all lines there is room for what is said of p.
    room = ends.max() + _HEADROOM * (ends.max() - ends.min())
    up = Axis.around(np.append(ends, room), title)
    plot = Plot(Axis(0.0, float(x[-1]) or 1.0, ticks, "virtual labels p"), up)
    marked = marked_labels(dial, labels)
    crossings = [crossing for crossing in dial.crossings if crossing.label in marked]
    named_labels = marked if marked and len(labels) > _MOST_NAMED else labels
    colors = {label: label_color(label) if label in named_labels else _UNNAMED for label in labels}
    # Of labels on one line the first is drawn last: it is the one that is seen, and named first.
    for label in sorted(labels, key=lambda label: (label in marked, -label)):
        y = np.broadcast_to(heights[:, label], len(x))
        # A level line needs its two ends only.
        points = slice(None) if len(heights) > 1 else slice(None, None, len(x) - 1 or 1)
        plot.curve(x[points], y[points], colors[label], 4 if label in marked else 1.5)
    plot.curve(x, bars, LINE, 6)
    for crossing in crossings:
        verb = "enters" if crossing.enters else "leaves"
        text = f"p = {crossing.gap}: {label_names[crossing.label]} {verb}"
        look = f"near edged {mark_class(crossing.label)}"
        plot.spot(*_meeting(crossing, x, heights[:, crossing.label], bars), look, text)
    plot.upright(float(np.log2(dial.gap_in_use)), f"p = {dial.gap_in_use}")
    # Behind a name of many stands how many others end there, such as "+15".
    short = shorten_all(label_names, _LETTERS if len(named_labels) <= _MOST_NAMED else _LETTERS - 3)
    last = {label: float(heights[-1, label]) for label in named_labels}
    for height, text, label in names_at_ends(last, short, _NAME * (up.high - up.low)):
        plot.beside(height, text, colors[label])
    # Lines and dots would lie on the words anywhere in the drawing.
    key = '<div class="lr-key"><span><i class="line bar"></i>zero line</span></div>'
    return f"{key}{plot.drawn(_HEIGHT - _KEY, free_right=_NAMES)}"


def marked_labels(dial: GapDial, labels: Collection[int]) -> list[int]:
    """List the labels that cross the zero line, of many those that do so nearest to the p in use.

    On the axis, which is logarithmic; of equally near ones the first by index.
    """
    away: dict[int, float] = {}
    for crossing in dial.crossings:
        if crossing.label in labels:
            distance = abs(float(np.log2(crossing.gap / dial.gap_in_use)))
            away[crossing.label] = min(distance, away.get(crossing.label, distance))
    return sorted(away, key=lambda label: (away[label], label))[:_MOST_MARKED]


def _meeting(
    crossing: Crossing, x: FloatArray, y: FloatArray, bars: FloatArray
) -> tuple[float, float]:
    """Return where the lines of a label and of the zero line meet, as they are drawn."""
    i = int(np.searchsorted(x, np.log2(crossing.gap)))
    ends = slice(i - 1, i + 1)
    leads = (np.broadcast_to(y, len(x)) - bars)[ends]
    part = min(1.0, max(0.0, float(leads[0] / (leads[0] - leads[1]))))
    across, down = (float(np.interp(part, (0, 1), line[ends])) for line in (x, bars))
    return across, down
