"""Rankings drawn: a chip for each label, a ladder, a strip, two rankings joined by lines."""

import html
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass

from pages.ui.palette import ink, label_color

_ZERO_LINE = '<li><span class="zero">zero line: labels above it are relevant</span></li>'

# Height of a zero line between two rankings that are joined, in rows.
_LINE_ROOM = 0.5


def chip(label: int, names: Sequence[str], kind: str = "") -> str:
    """Draw a label's name on its colour; kind "small" for strips, "open" with a border only."""
    color = label_color(label)
    look = f"background:{color};color:{ink(color)};border-color:{color}"
    return f'<span class="lr-chip {kind}" style="{look}">{html.escape(names[label])}</span>'


def strip(order: Sequence[int], names: Sequence[str], n_relevant: int | None = None) -> str:
    """Draw a ranking as a row of chips; with `n_relevant` the zero line stands behind so many."""
    chips = [chip(label, names, "small") for label in order]
    if n_relevant is not None:
        chips.insert(n_relevant, '<span class="zero" role="img" aria-label="zero line"></span>')
    return f'<div class="lr-strip">{"".join(chips)}</div>'


@dataclass(frozen=True)
class Rung:
    """One label of a predicted ranking.

    Parameters
    ----------
    label : int
        The label.
    share : float or None
        How long its bar is, from 0 to 1; None: no bar.
    said : str
        The number behind the bar in words, such as "mean rank 1.4".
    verdict : str
        How the truth compares, such as "✓ right"; empty where it is not known.
    is_right : bool
        Whether the verdict is a good one.
    """

    label: int
    share: float | None = None
    said: str = ""
    verdict: str = ""
    is_right: bool = True


def ladder(rungs: Sequence[Rung], names: Sequence[str], n_relevant: int | None = None) -> str:
    """Draw a predicted ranking, the first label at the top."""
    rows = []
    for place, rung in enumerate(rungs, start=1):
        if n_relevant == place - 1:
            rows.append(_ZERO_LINE)
        rows.append(_rung(place, rung, names))
    if n_relevant == len(rungs):
        rows.append(_ZERO_LINE)
    return f'<div class="lr"><ol class="lr-ladder">{"".join(rows)}</ol></div>'


def _rung(place: int, rung: Rung, names: Sequence[str]) -> str:
    bar = ""
    if rung.share is not None:
        width = 100 * min(1.0, max(0.02, rung.share))
        look = f"width:{width:.0f}%;background:{label_color(rung.label)}"
        bar = f'<span class="lr-bar"><span style="{look}"></span></span>'
    said = f'<span class="muted">{html.escape(rung.said)}</span>' if rung.said else ""
    kind = "right" if rung.is_right else "wrong"
    verdict = f'<span class="muted {kind}">{html.escape(rung.verdict)}</span>'
    return (
        f'<li><span class="place">{place}</span>{chip(rung.label, names)}'
        f"<span>{bar}{said}</span>{verdict}</li>"
    )


def joined(
    left: Sequence[int],
    right: Sequence[int],
    names: Sequence[str],
    heads: tuple[str, str],
    n_relevant: tuple[int | None, int | None] = (None, None),
) -> str:
    """Draw two rankings side by side, each label joined: lines that cross are pairs that differ.

    `n_relevant` is how many labels of each are ahead of its zero line, None: there is none.
    """
    rows = max(len(left), len(right))
    room = rows + (_LINE_ROOM if any(each is not None for each in n_relevant) else 0)
    heights = [_heights(order, n) for order, n in zip((left, right), n_relevant, strict=True)]
    lines = "".join(
        f'<line x1="0" y1="{20 * y:g}" x2="100" y2="{20 * heights[1][label]:g}" '
        f'stroke="{label_color(label)}" stroke-width="3" vector-effect="non-scaling-stroke"/>'
        for label, y in heights[0].items()
        if label in heights[1]
    )
    sides = [
        _side(order, names, kind, n, room)
        for order, kind, n in zip((left, right), ("", "open"), n_relevant, strict=True)
    ]
    # As an image: Streamlit's filter of markup takes bare SVG out.
    drawn = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 {20 * room:g}" '
        f'preserveAspectRatio="none">{lines}</svg>'
    )
    source = "data:image/svg+xml;base64," + b64encode(drawn.encode()).decode()
    first, second = (html.escape(head) for head in heads)
    return (
        f'<div class="lr"><div class="lr-joined"><span class="head">{first}</span><span></span>'
        f'<span class="head">{second}</span>{sides[0]}<img src="{source}" alt="">{sides[1]}'
        "</div></div>"
    )


def _heights(order: Sequence[int], n_relevant: int | None) -> dict[int, float]:
    """Give every label the height of its middle, in rows; below a zero line a little lower."""
    line = len(order) if n_relevant is None else n_relevant
    return {
        label: place + 0.5 + (_LINE_ROOM if place >= line else 0)
        for place, label in enumerate(order)
    }


def _side(
    order: Sequence[int], names: Sequence[str], kind: str, n_relevant: int | None, room: float
) -> str:
    """Draw one of two rankings in rows of one height, with its zero line."""
    chips = [chip(label, names, kind) for label in order]
    rows = ["1fr"] * len(chips)
    if n_relevant is not None:
        chips.insert(n_relevant, '<span class="zero" role="img" aria-label="zero line"></span>')
        rows.insert(n_relevant, f"{_LINE_ROOM}fr")
    used = len(order) + (_LINE_ROOM if n_relevant is not None else 0)
    if room > used:
        rows.append(f"{room - used:g}fr")
    return f'<div class="side" style="grid-template-rows:{" ".join(rows)}">{"".join(chips)}</div>'
