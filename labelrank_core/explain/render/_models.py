"""Statistical models of rankings drawn: choices from the top, distances from a centre."""

import numpy as np

from labelrank_core.explain.evidence import ChoiceChances, MallowsFit
from labelrank_core.explain.render import markup
from labelrank_core.explain.render._scene import Picture, Scene, picture
from labelrank_core.explain.render.markup.bar_rows import color_key
from labelrank_core.explain.render.markup.palette import ACCENT
from labelrank_core.explain.render.markup.plot import Axis, Plot
from labelrank_core.explain.render.markup.ticks import round_numbers
from labelrank_core.rankings import format_ranking

_HEIGHT, _MOST_BARS, _TICKS = 200, 50, 8
_PALE = f"color-mix(in srgb, {ACCENT} 45%, transparent)"
_WIDTHS = tuple(factor * 10**power for power in range(9) for factor in (1, 2, 5))


@picture.register
def _choice_chances(evidence: ChoiceChances, scene: Scene) -> Picture:
    names = scene.label_names
    order, chances = evidence.order, evidence.chances
    spoken = "; ".join(
        f"choice {i + 1}: {names[int(order[i])]} {chances[i, i]:.2f}"
        for i in range(min(10, len(chances)))
    )
    return Picture(
        "choices",
        spoken,
        evidence.frame(names),
        "A row is one choice, shared out among the labels that are still left.",
        _choices(evidence, scene),
    )


def _choices(evidence: ChoiceChances, scene: Scene) -> str:
    """Draw each choice as a whole that the labels that are left share."""
    order = [int(label) for label in evidence.order]
    return markup.choice_bars(evidence.chances, order, scene.label_names, len(scene.shown))


@picture.register
def _mallows_fit(evidence: MallowsFit, scene: Scene) -> Picture:
    names = scene.label_names
    return Picture(
        "spread",
        f"rankings by their distance from {format_ranking(evidence.centre, names)}; "
        f"mean distance {evidence.mean_distance:.2f} pairs, theta {evidence.theta:.2f}",
        evidence.frame(names),
        markup=_distances(evidence),
    )


def _distances(fit: MallowsFit) -> str:
    """Draw the numbers of rankings at each distance from the centre, observed and expected.

    Of more distances than bars can be seen, so many together.
    """
    distances = np.flatnonzero((fit.observed > 0) | (fit.expected >= 0.05))
    last = max(int(distances[-1]), 1)
    width = next(width for width in _WIDTHS if last < width * _MOST_BARS)
    starts = np.arange(0, last + 1, width)
    middles = (starts + (width - 1) / 2).tolist()
    observed, expected = (
        np.add.reduceat(counts[: last + 1], starts).tolist()
        for counts in (fit.observed, fit.expected)
    )
    title = "pairs in reverse order of the centre"
    if width > 1:
        title = f"reversed pairs, {width} numbers per bar"
    numbers = [n for n in round_numbers(0, middles[-1], _TICKS).tolist() if n == int(n)]
    across = Axis(
        middles[0] - 0.6 * width,
        middles[-1] + 0.6 * width,
        [(number, f"{number:.0f}") for number in numbers],
        title,
    )
    highest = 1.05 * max(*observed, *expected)
    counts = [(n, f"{n:.6g}") for n in round_numbers(0, highest, _TICKS // 2).tolist()]
    plot = Plot(across, Axis(0.0, highest, counts, "rankings"))
    for middle, start, count in zip(middles, starts.tolist(), observed, strict=True):
        distance = str(start) if width == 1 else f"{start} to {start + width - 1}"
        ends = middle - 0.4 * width, middle + 0.4 * width
        plot.bar(ends, count, _PALE, f"{count} rankings reverse {distance} pairs")
    # Bars are pale, so that the line is seen through them.
    plot.curve(middles, expected, "currentColor", 2, "2 3")
    for middle, count in zip(middles, expected, strict=True):
        plot.spot(middle, count, "point other model", f"{count:.2f} expected")
    key = color_key([("■", _PALE, "rankings"), ("●", "", "expected by the model")])
    return key + plot.drawn(_HEIGHT)
