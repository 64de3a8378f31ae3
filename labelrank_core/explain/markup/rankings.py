"""Rankings drawn: a chip for each label, a ladder, a strip."""

import html
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from labelrank_core.explain.markup.palette import ink, label_color
from labelrank_core.explain.markup.text import attribute, percent, shorten_all

# Of more labels than these, names longer than these are cut.
_MOST_WHOLE, _LETTERS = 8, 32
# So many letters of all names make a ladder a tower in a narrow card.
_MOST_LETTERS = 360
_STRIP_LETTERS = 24


def chip(label: int, names: Sequence[str], kind: str = "", whole: str = "") -> str:
    """Draw a label's name on its colour; kind "small" for strips, "open" with a border only.

    `whole`: the name that pointing at it says, where another one is drawn.
    """
    color = label_color(label)
    look = f"background:{color};color:{ink(color)};border-color:{color}"
    name = names[label]
    title = f' title="{attribute(whole)}"' if whole not in ("", name) else ""
    return f'<span class="lr-chip {kind}" style="{look}"{title}>{html.escape(name)}</span>'


def first_labels_of(buckets: Sequence[Sequence[int]], n_labels: int) -> list[tuple[list[int], int]]:
    """Keep the first labels of buckets, each with the number of tied labels that were left out."""
    kept, room = [], n_labels
    for bucket in buckets:
        if room <= 0:
            break
        kept.append((list(bucket[:room]), max(0, len(bucket) - room)))
        room -= len(bucket)
    return kept


def place_of_line(buckets: Sequence[Sequence[int]], n_relevant: int) -> int:
    """Count the buckets ahead of the line below the relevant labels; it divides none."""
    return bisect_left(list(accumulate(map(len, buckets), initial=0)), n_relevant)


def tied_cell(cells: Sequence[str], n_left_out: int = 0, tag: str = "span", look: str = "") -> str:
    """Draw the labels of a bucket in one cell, as equals; a single one stays as it is."""
    if len(cells) + n_left_out == 1:
        return cells[0]
    more = f'<small title="further tied labels">+{n_left_out}</small>' if n_left_out else ""
    equals = "<i>=</i>".join(cells)
    return f'<{tag} class="lr-tied"{look} title="tied">{equals}{more}</{tag}>'


def bucket_chips(
    buckets: Sequence[Sequence[int]], names: Sequence[str], n_labels: int | None = None
) -> list[str]:
    """Draw a small chip for each label, or for the first ones; tied labels share an element."""
    short = shorten_all(names, _STRIP_LETTERS)
    shown = first_labels_of(buckets, len(names) if n_labels is None else n_labels)
    return [
        tied_cell([chip(j, short, "small", names[j]) for j in bucket], more)
        for bucket, more in shown
    ]


def strip(
    buckets: Sequence[Sequence[int]],
    names: Sequence[str],
    n_relevant: int | None = None,
    *,
    n_labels: int | None = None,
) -> str:
    """Draw a ranking as a row of chips, or its first labels, tied ones in one frame.

    With `n_relevant` a line stands behind so many labels.
    """
    chips = bucket_chips(buckets, names, n_labels)
    if n_relevant is not None:
        line = '<span class="zero" role="img" aria-label="relevant up to here"></span>'
        chips.insert(place_of_line(buckets, n_relevant), line)
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
        look = f"margin-left:{percent(100 * start)};width:{percent(100 * (end - start))};"
        look += f"background:{label_color(rung.label)}"
        line = "" if rung.line is None else f'<i style="left:{percent(100 * rung.line)}"></i>'
        bar = f'<span class="lr-bar"><span style="{look}"></span>{line}</span>'
    said = f'<span class="muted">{html.escape(rung.said)}</span>' if rung.said else ""
    kind = "right" if rung.is_right else "wrong"
    title = f' title="{attribute(whole)}"' if whole else ""
    verdict = f'<span class="muted {kind}">{html.escape(rung.verdict)}</span>'
    return (
        f'<li{title}><span class="place">{place}</span>{chip(rung.label, names)}'
        f"<span>{bar}{said}</span>{verdict}</li>"
    )
