"""Rankings drawn: a chip for each label, a ladder, a strip."""

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from labelrank_core.explain.render.markup.elements import Html, element, fragment
from labelrank_core.explain.render.markup.palette import color_class, label_color
from labelrank_core.explain.render.markup.ranked_labels import RankedLabels
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


def tied_cell(cells: Sequence[Html], tag: str = "span", style: str = "") -> Html:
    """Draw the labels of a bucket in one cell, as equals; a single one stays as it is."""
    if len(cells) == 1:
        return cells[0]
    equals = [(element("i", "=") if i else None, cell) for i, cell in enumerate(cells)]
    return element(tag, equals, class_="lr-tied", style=style, title="tied")


def strip(ranking: RankedLabels, names: Sequence[str], *, n_labels: int | None = None) -> Html:
    """Draw a ranking as a row of chips, tied ones in one frame.

    Of more than `n_labels` labels the first are drawn, and the number of the others.
    """
    chips = _bucket_chips(ranking, names, n_labels)
    n_ahead = ranking.n_ahead
    line = element("span", class_="zero", role="img", aria_label="relevant up to here")
    if n_ahead is not None and n_ahead < len(chips):
        chips.insert(n_ahead, line)
        n_ahead = None
    behind = left_out(ranking.buckets, n_labels or len(names), n_ahead, line)
    return element("div", chips, behind, class_="lr-strip")


def first_chips(ranking: RankedLabels, names: Sequence[str], n_labels: int) -> Html:
    """Draw small chips for the first labels below each other, and the number of the others."""
    return fragment(_bucket_chips(ranking, names, n_labels), left_out(ranking.buckets, n_labels))


def _bucket_chips(ranking: RankedLabels, names: Sequence[str], n_labels: int | None) -> list[Html]:
    short = shorten_all(names, _STRIP_LETTERS)
    return [
        tied_cell([chip(j, short, "small", names[j]) for j in bucket])
        for bucket in ranking.head(n_labels or len(names)).buckets
    ]


@dataclass(frozen=True)
class LabelBar:
    """The bar, the number and the verdict that a ladder draws beside a label.

    Parameters
    ----------
    share : float or None
        How long the bar is, from 0 to 1; None: no bar.
    text : str
        The number behind the bar in words, such as "mean rank 1.4".
    verdict : str
        How the truth compares, such as "✓ right"; empty where it is not known.
    is_right : bool
        Whether the verdict is a good one.
    line : float or None
        Where on the bar's scale, from 0 to 1, relevant labels begin.
    start : float or None
        Where on that scale the bar starts; None: at its left end.
    """

    share: float | None = None
    text: str = ""
    verdict: str = ""
    is_right: bool = True
    line: float | None = None
    start: float | None = None


def ladder(
    ranking: RankedLabels,
    names: Sequence[str],
    bars: Mapping[int, LabelBar] | None = None,
    *,
    labels: Collection[int] | None = None,
    line_text: str = "",
    ends: Sequence[str] = (),
) -> Html:
    """Draw a predicted ranking, the first label at the top, and a line below the relevant ones.

    `labels`: the only ones to draw, all relevant ones among them. `line_text`: the words at the
    line. `ends`: the numbers at both ends of the scale of the bars.
    Of many labels, or where all are long, names are cut; hovering says them whole.
    """
    rungs = [
        (position, label)
        for position, label in enumerate(ranking.order, start=1)
        if labels is None or label in labels
    ]
    n_letters = sum(len(names[label]) for _, label in rungs)
    is_long = len(rungs) > _MOST_WHOLE or n_letters > _MOST_LETTERS
    most_letters = _LETTERS if len(rungs) <= _MOST_ROOMY else _LETTERS_OF_MANY
    short = shorten_all(names, most_letters) if is_long else names
    rows = [
        _rung(position, label, short, names, (bars or {}).get(label, LabelBar()))
        for position, label in rungs
    ]
    if ranking.n_relevant is not None:
        rows.insert(ranking.n_relevant, element("li", element("span", line_text, class_="zero")))
    if ends:
        numbers = [element("span", end) for end in ends]
        rows.append(element("li", element("span", numbers, class_="scale-ends muted")))
    kind = "lr-ladder many" if len(rungs) > _MOST_ROOMY else "lr-ladder"
    return element("div", element("ol", rows, class_=kind), class_="lr")


def _rung(
    position: int, label: int, short: Sequence[str], names: Sequence[str], label_bar: LabelBar
) -> Html:
    bar = line = number = None
    if label_bar.share is not None:
        start, end = sorted((label_bar.start or 0.0, min(1.0, label_bar.share)))
        look = f"margin-left:{percent(100 * start)};width:{percent(100 * (end - start))}"
        filled = element("span", style=f"{look};background:{label_color(label)}")
        if label_bar.line is not None:
            line = element("i", style=f"left:{percent(100 * label_bar.line)}")
        bar = element("span", filled, line, class_="lr-bar")
    if label_bar.text:
        number = element("span", label_bar.text, class_="muted")
    return element(
        "li",
        element("span", position, class_="place"),
        chip(label, short),
        element("span", bar, number),
        element(
            "span",
            label_bar.verdict,
            class_="muted right" if label_bar.is_right else "muted wrong",
        ),
        title=names[label] if short[label] != names[label] else "",
        data_labels=label,
    )
