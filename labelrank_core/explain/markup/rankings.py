"""Rankings drawn: a chip for each label, a ladder, a strip."""

import html
from collections.abc import Sequence
from dataclasses import dataclass

from labelrank_core.explain.markup.palette import ink, label_color
from labelrank_core.explain.markup.text import attribute, shorten_all

# Of more labels than these, names longer than these are cut.
_MOST_WHOLE, _LETTERS = 8, 32
# So many letters of all names make a ladder a tower in a narrow card.
_MOST_LETTERS = 360


def chip(label: int, names: Sequence[str], kind: str = "") -> str:
    """Draw a label's name on its colour; kind "small" for strips, "open" with a border only."""
    color = label_color(label)
    look = f"background:{color};color:{ink(color)};border-color:{color}"
    return f'<span class="lr-chip {kind}" style="{look}">{html.escape(names[label])}</span>'


def strip(order: Sequence[int], names: Sequence[str], n_relevant: int | None = None) -> str:
    """Draw a ranking as a row of chips; with `n_relevant` a line stands behind so many."""
    chips = [chip(label, names, "small") for label in order]
    if n_relevant is not None:
        chips.insert(
            n_relevant, '<span class="zero" role="img" aria-label="relevant up to here"></span>'
        )
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
    place : int or None
        Its place in the ranking; None: as many rungs are above it.
    line : float or None
        Where on the bar's scale, from 0 to 1, relevant labels begin: the bar starts there.
    """

    label: int
    share: float | None = None
    said: str = ""
    verdict: str = ""
    is_right: bool = True
    place: int | None = None
    line: float | None = None


def ladder(
    rungs: Sequence[Rung],
    names: Sequence[str],
    n_relevant: int | None = None,
    line: str = "zero line",
    ends: Sequence[str] = (),
) -> str:
    """Draw a predicted ranking, the first label at the top, and a line below the relevant ones.

    Of many labels, or where all are long, names are cut; hovering says them whole. `ends`: the
    numbers at both ends of the scale of the bars.
    """
    n_letters = sum(len(names[rung.label]) for rung in rungs)
    is_long = len(rungs) > _MOST_WHOLE or n_letters > _MOST_LETTERS
    short = shorten_all(names, _LETTERS) if is_long else names
    bars = "" if all(rung.line is None for rung in rungs) else "; their bars run right from it"
    below = f'<li><span class="zero">{line}: labels above it are relevant{bars}</span></li>'
    rows = []
    for place, rung in enumerate(rungs, start=1):
        if n_relevant == place - 1:
            rows.append(below)
        whole = names[rung.label] if short[rung.label] != names[rung.label] else ""
        rows.append(_rung(rung.place or place, rung, short, whole))
    if n_relevant == len(rungs):
        rows.append(below)
    if ends:
        said = "".join(f"<span>{html.escape(end)}</span>" for end in ends)
        rows.append(f'<li><span class="scale-ends muted">{said}</span></li>')
    return f'<div class="lr"><ol class="lr-ladder">{"".join(rows)}</ol></div>'


def _rung(place: int, rung: Rung, names: Sequence[str], whole: str) -> str:
    bar = ""
    if rung.share is not None:
        start, end = sorted((rung.line or 0.0, min(1.0, rung.share)))
        look = f"margin-left:{100 * start:.1f}%;width:{100 * (end - start):.1f}%;"
        look += f"background:{label_color(rung.label)}"
        line = "" if rung.line is None else f'<i style="left:{100 * rung.line:.1f}%"></i>'
        bar = f'<span class="lr-bar"><span style="{look}"></span>{line}</span>'
    said = f'<span class="muted">{html.escape(rung.said)}</span>' if rung.said else ""
    kind = "right" if rung.is_right else "wrong"
    title = f' title="{attribute(whole)}"' if whole else ""
    verdict = f'<span class="muted {kind}">{html.escape(rung.verdict)}</span>'
    return (
        f'<li{title}><span class="place">{place}</span>{chip(rung.label, names)}'
        f"<span>{bar}{said}</span>{verdict}</li>"
    )
