"""Rankings drawn: a chip for each label, a ladder, a strip."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from labelrank_core.explain.render.markup.elements import Html, element, fragment
from labelrank_core.explain.render.markup.palette import color_class, label_color
from labelrank_core.explain.render.markup.text import percent, shorten_all

# Of more labels than these, names longer than these are cut.
_MOST_WHOLE, _LETTERS = 8, 32
# Of more labels than these, names are cut to stand in one line or two.
_MOST_ROOMY, _LETTERS_OF_MANY = 20, 16
# So many letters of all names make a ladder a tower in a narrow card.
_MOST_LETTERS = 360
_STRIP_LETTERS = 24


def chip(label: int, names: Sequence[str], kind: str = "", full_name: str = "") -> Html:
    """Draw a label's name on its colour; kind "small" for strips, "open" with a border only.

    `full_name`: the name that pointing at it says, where another one is drawn.
    """
    name = names[label]
    look = f"lr-chip {color_class(label)} {kind}".rstrip()
    return element("span", name, class_=look, title=full_name if full_name != name else "")


def first_labels_of(buckets: Sequence[Sequence[int]], n_labels: int) -> list[list[int]]:
    """Keep the first labels of buckets; the last bucket may be cut."""
    first_buckets, room = [], n_labels
    for bucket in buckets:
        if room <= 0:
            break
        first_buckets.append(list(bucket[:room]))
        room -= len(bucket)
    return first_buckets


def left_out(
    buckets: Sequence[Sequence[int]],
    n_drawn: int,
    n_ahead: int | None = None,
    line: Html | None = None,
) -> Html:
    """Write the number of labels behind the first ones drawn: "= +2" are tied with the last.

    A line behind the first `n_ahead` buckets keeps its place among them, unless it is drawn before.
    """
    ends = [0, *accumulate(map(len, buckets))]
    # Buckets that are drawn, the last of them maybe in part, and labels up to its end.
    n_cells = bisect_left(ends, min(n_drawn, ends[-1]))
    n_hidden = ends[-1] - ends[n_cells]
    parts = [_more(ends[n_cells] - min(n_drawn, ends[-1]), "further tied labels", "= ")]
    if n_ahead is not None and n_ahead >= n_cells:
        n_between = ends[min(n_ahead, len(buckets))] - ends[n_cells]
        n_hidden -= n_between
        parts += [_more(n_between), line or Html()]
    return fragment(parts, _more(n_hidden))


def _more(n_labels: int, kind: str = "further labels", sign: str = "") -> Html:
    if not n_labels:
        return Html()
    return element("small", f"{sign}+{n_labels}", class_="more", title=kind)


def place_of_line(buckets: Sequence[Sequence[int]], n_relevant: int) -> int:
    """Count the buckets ahead of the line below the relevant labels; it divides none."""
    return bisect_left(list(accumulate(map(len, buckets), initial=0)), n_relevant)


def tied_cell(cells: Sequence[Html], tag: str = "span", style: str = "") -> Html:
    """Draw the labels of a bucket in one cell, as equals; a single one stays as it is."""
    if len(cells) == 1:
        return cells[0]
    equals = [(element("i", "=") if i else None, cell) for i, cell in enumerate(cells)]
    return element(tag, equals, class_="lr-tied", style=style, title="tied")


def strip(
    buckets: Sequence[Sequence[int]],
    names: Sequence[str],
    n_relevant: int | None = None,
    *,
    n_labels: int | None = None,
) -> Html:
    """Draw a ranking as a row of chips, tied ones in one frame.

    Of more than `n_labels` labels the first are drawn, and the number of the others. With
    `n_relevant` a line stands behind so many labels.
    """
    chips = _bucket_chips(buckets, names, n_labels)
    n_ahead = None if n_relevant is None else place_of_line(buckets, n_relevant)
    line = element("span", class_="zero", role="img", aria_label="relevant up to here")
    if n_ahead is not None and n_ahead < len(chips):
        chips.insert(n_ahead, line)
        n_ahead = None
    behind = left_out(buckets, n_labels or len(names), n_ahead, line)
    return element("div", chips, behind, class_="lr-strip")


def first_chips(buckets: Sequence[Sequence[int]], names: Sequence[str], n_labels: int) -> Html:
    """Draw small chips for the first labels below each other, and the number of the others."""
    return fragment(_bucket_chips(buckets, names, n_labels), left_out(buckets, n_labels))


def _bucket_chips(
    buckets: Sequence[Sequence[int]], names: Sequence[str], n_labels: int | None
) -> list[Html]:
    short = shorten_all(names, _STRIP_LETTERS)
    return [
        tied_cell([chip(j, short, "small", names[j]) for j in bucket])
        for bucket in first_labels_of(buckets, n_labels or len(names))
    ]


@dataclass(frozen=True)
class Rung:
    """One label of a predicted ranking.

    Parameters
    ----------
    label : int
        The label.
    share : float or None
        How long its bar is, from 0 to 1; None: no bar.
    text : str
        The number behind the bar in words, such as "mean rank 1.4".
    verdict : str
        How the truth compares, such as "✓ right"; empty where it is not known.
    is_right : bool
        Whether the verdict is a good one.
    position : int or None
        Its place in the ranking; None: as many rungs are above it.
    line : float or None
        Where on the bar's scale, from 0 to 1, relevant labels begin.
    start : float or None
        Where on that scale the bar starts; None: at its left end.
    """

    label: int
    share: float | None = None
    text: str = ""
    verdict: str = ""
    is_right: bool = True
    position: int | None = None
    line: float | None = None
    start: float | None = None


def ladder(
    rungs: Sequence[Rung],
    names: Sequence[str],
    n_relevant: int | None = None,
    line_text: str = "",
    ends: Sequence[str] = (),
) -> Html:
    """Draw a predicted ranking, the first label at the top, and a line below the relevant ones.

    `line_text`: the words at that line. `ends`: the numbers at both ends of the scale of the bars.
    Of many labels, or where all are long, names are cut; hovering says them whole.
    """
    n_letters = sum(len(names[rung.label]) for rung in rungs)
    is_long = len(rungs) > _MOST_WHOLE or n_letters > _MOST_LETTERS
    most_letters = _LETTERS if len(rungs) <= _MOST_ROOMY else _LETTERS_OF_MANY
    short = shorten_all(names, most_letters) if is_long else names
    zero_line = element("li", element("span", line_text, class_="zero"))
    rows = []
    for position, rung in enumerate(rungs, start=1):
        if n_relevant == position - 1:
            rows.append(zero_line)
        full_name = names[rung.label] if short[rung.label] != names[rung.label] else ""
        rows.append(_rung(rung.position or position, rung, short, full_name))
    if n_relevant == len(rungs):
        rows.append(zero_line)
    if ends:
        numbers = [element("span", end) for end in ends]
        rows.append(element("li", element("span", numbers, class_="scale-ends muted")))
    kind = "lr-ladder many" if len(rungs) > _MOST_ROOMY else "lr-ladder"
    return element("div", element("ol", rows, class_=kind), class_="lr")


def _rung(position: int, rung: Rung, names: Sequence[str], full_name: str) -> Html:
    bar = line = number = None
    if rung.share is not None:
        start, end = sorted((rung.start or 0.0, min(1.0, rung.share)))
        look = f"margin-left:{percent(100 * start)};width:{percent(100 * (end - start))}"
        filled = element("span", style=f"{look};background:{label_color(rung.label)}")
        if rung.line is not None:
            line = element("i", style=f"left:{percent(100 * rung.line)}")
        bar = element("span", filled, line, class_="lr-bar")
    if rung.text:
        number = element("span", rung.text, class_="muted")
    return element(
        "li",
        element("span", position, class_="place"),
        chip(rung.label, names),
        element("span", bar, number),
        element("span", rung.verdict, class_="muted right" if rung.is_right else "muted wrong"),
        title=full_name,
        data_labels=rung.label,
    )
