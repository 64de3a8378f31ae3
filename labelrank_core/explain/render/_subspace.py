"""A case among the directions of the labels, in the main plane of their shared subspace."""

from collections.abc import Sequence

import numpy as np

from labelrank_core.explain.evidence import SubspaceView
from labelrank_core.explain.render._scene import Picture, Scene, picture
from labelrank_core.explain.render.markup.elements import Html, element
from labelrank_core.explain.render.markup.palette import LINE, label_color, mark_class
from labelrank_core.explain.render.markup.plot import Axis, Plot
from labelrank_core.explain.render.markup.plot_names import joined_names, places_of_names
from labelrank_core.explain.render.markup.rankings import chip
from labelrank_core.explain.render.markup.text import shorten_all
from labelrank_core.explain.render.markup.ticks import round_numbers
from labelrank_core.rankings import FloatArray

_LETTERS, _LETTERS_BELOW = 14, 24
# Shorter directions lie on each other; their names stand below the drawing.
_NAMED_LENGTH = 0.3
# In pixels: of the plane, and where it is narrowest.
_HEIGHT, _NARROWEST = 330, 250.0
# How far the plane reaches, as a multiple of the distance of the case from the origin.
_REACH, _TICKS = 1.5, 5


@picture.register
def subspace(evidence: SubspaceView, scene: Scene) -> Picture:
    """Draw a case and the directions of the labels shown; those without a name stand below."""
    names, labels = scene.label_names, scene.shown
    table = evidence.frame(names)
    spoken = "; ".join(
        f"{label} {value:+z.2f}"
        for label, value in zip(table["label"], table["shared part"], strict=True)
    )
    reach, ends = _ends(evidence)
    joined, sides = _named_ends(evidence, names, labels)
    plot = Plot(*(_axis(reach, f"dimension {number}") for number in (1, 2)))
    end = _REACH * reach
    plot.curve([-end, end], [0, 0], LINE, 0.5)
    plot.curve([0, 0], [-end, end], LINE, 0.5)
    for label in sorted(labels):
        x, y = ends[label].tolist()
        plot.curve([0, x], [0, y], label_color(label), 3)
        tooltip = f"{names[label]}: shared part {evidence.shared[label]:+.3f}"
        plot.spot(x, y, f"near {mark_class(label)}", tooltip)
        if joined[label] and (side := sides[label]):
            plot.name(x, y, joined[label], side)
    plot.spot(evidence.case[0], evidence.case[1], "case", "this case")
    unnamed = _unnamed_labels(joined, sides, names, labels)
    return Picture(
        "subspace",
        f"shared parts: {spoken}",
        table,
        "◆ this case; lines: the labels' directions, on a scale of their own. In all "
        f"{evidence.n_components} dimensions, labels on its side get a positive shared part.",
        plot.drawn(_HEIGHT, aspect=1.0) + _names_below(unnamed, names),
    )


def _axis(reach: float, title: str) -> Axis:
    low, high = -_REACH * reach, _REACH * reach
    ticks = [(value, f"{value:.6g}") for value in round_numbers(low, high, _TICKS).tolist()]
    return Axis(low, high, ticks, title)


def _ends(evidence: SubspaceView) -> tuple[float, FloatArray]:
    """Return the distance of the case from the origin, and the directions scaled to it."""
    longest = float(np.linalg.norm(evidence.directions, axis=1).max())
    reach = float(np.linalg.norm(evidence.case)) or 1.0
    return reach, evidence.directions * (reach / longest if longest > 0 else 1.0)


def _named_ends(
    evidence: SubspaceView, names: Sequence[str], labels: Sequence[int]
) -> tuple[list[str], list[str | None]]:
    """Return the words at each end, "" for none, and where they stand; None: there is no room."""
    reach, ends = _ends(evidence)
    lengths = np.linalg.norm(ends, axis=1)
    own_names = [
        name if length >= _NAMED_LENGTH * reach and label in labels else ""
        for label, (name, length) in enumerate(
            zip(shorten_all(names, _LETTERS), lengths, strict=True)
        )
    ]
    scale = _NARROWEST / (2 * _REACH * reach)
    for is_whole in (True, False):
        joined = joined_names(own_names, ends * scale, is_whole=is_whole)
        sides = places_of_names(ends, joined, evidence.case[None], (scale, scale), _NARROWEST / 2)
        if all(sides[i] for i, name in enumerate(joined) if name not in ("", own_names[i])):
            break
    return joined, sides


def _unnamed_labels(
    joined: Sequence[str],
    sides: Sequence[str | None],
    names: Sequence[str],
    labels: Sequence[int],
) -> list[int]:
    """Return the labels shown whose names have no room in the plane."""
    written = {
        name
        for text, side in zip(joined, sides, strict=True)
        if side
        for name in (text, text.rpartition(" +")[0], *text.split(", "))
    }
    short = shorten_all(names, _LETTERS)
    return [label for label in sorted(labels) if short[label] not in written]


def _names_below(labels: Sequence[int], names: Sequence[str]) -> Html:
    """Name labels in the colours of their lines."""
    if not labels:
        return Html()
    short = shorten_all(names, _LETTERS_BELOW)
    title = element("span", "not named in the picture:", class_="muted")
    chips = [chip(label, short, "small", names[label]) for label in labels]
    return element("p", title, chips, class_="lr-strip")
