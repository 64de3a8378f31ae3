"""Two rankings or label sets joined by lines, ties and the zero line included."""

from collections.abc import Sequence

from labelrank_core.explain.render.markup.elements import Html, element
from labelrank_core.explain.render.markup.layers import layer
from labelrank_core.explain.render.markup.palette import label_color
from labelrank_core.explain.render.markup.ranked_labels import RankedLabels, swapped_pairs
from labelrank_core.explain.render.markup.rankings import chip, tied_cell
from labelrank_core.explain.render.markup.text import percent, shorten_all

_ROW = 20
_LETTERS = 32


def side_by_side(first: RankedLabels, second: RankedLabels, names: Sequence[str]) -> Html:
    """Draw two rankings, each label joined: lines cross where two labels are swapped.

    Tied labels share a frame, in whose middle their lines end. Numbers of the first ranking stand
    where its lines begin.
    """
    swapped = {label for pair in swapped_pairs(first, second) for label in pair}
    n_rows = max(first.n_rows, second.n_rows)
    starts, ends = first.heights(), second.heights()
    lines = [
        _line(label, start, ends[label], n_rows, label in swapped)
        for label, start in starts.items()
        if label in ends
    ]
    heads = [element("span", ranking.title, class_="head") for ranking in (first, second)]
    columns = [_column(ranking, names, n_rows) for ranking in (first, second)]
    spoken = "; ".join(filter(None, (_spoken(first, second, names), _spoken_numbers(first, names))))
    numbers = _numbers(first, n_rows)
    joins = element("span", lines, numbers, class_="lines", role="img", aria_label=spoken)
    is_tied = any(len(bucket) > 1 for bucket in (*first.buckets, *second.buckets))
    note = element("p", "In one frame: tied labels", class_="muted") if is_tied else None
    numbers_head = element("span", first.numbers_title if numbers else "", class_="head of-numbers")
    grid = [heads[0], numbers_head, heads[1], columns[0], joins, columns[1]]
    return element("div", element("div", grid, class_="lr-joined lr-sides"), note, class_="lr")


def _spoken(first: RankedLabels, second: RankedLabels, names: Sequence[str]) -> str:
    pairs = swapped_pairs(first, second)
    listed = "; ".join(f"{names[a]} and {names[b]}" for a, b in pairs[:5])
    return f"swapped: {listed}{' …' if len(pairs) > 5 else ''}" if pairs else "no pair is swapped"


def _numbers(ranking: RankedLabels, n_rows: int) -> list[Html]:
    """Draw the number of each label at its height, those of tied labels below each other."""
    numbers, top = [], 0
    for row in ranking.rows:
        for label in row:
            if label in ranking.numbers:
                style = f"top:{percent(100 * (top + 0.5) / n_rows)}"
                numbers.append(element("small", ranking.numbers[label], style=style))
            top += 1
        top += not row
    return numbers


def _spoken_numbers(ranking: RankedLabels, names: Sequence[str]) -> str:
    numbers = [f"{names[label]} {n}" for label, n in ranking.numbers.items()]
    return f"{ranking.numbers_title}: {', '.join(numbers)}" if numbers else ""


def _line(label: int | None, start: float, end: float, n_rows: int, is_swapped: bool) -> Html:
    line = element(
        "line",
        x1=0,
        y1=f"{_ROW * start:.0f}",
        x2=100,
        y2=f"{_ROW * end:.0f}",
        stroke="#000",
        stroke_dasharray="3 3" if label is None else None,
        stroke_width=4 if is_swapped else 2,
        opacity=1 if is_swapped or label is None else 0.6,
        vector_effect="non-scaling-stroke",
    )
    color = "#808080" if label is None else label_color(label)
    return layer(line, color, f'viewBox="0 0 100 {_ROW * n_rows}" preserveAspectRatio="none"')


def _column(ranking: RankedLabels, names: Sequence[str], n_rows: int) -> Html:
    short = shorten_all(names, _LETTERS)
    cells = [
        element(
            "span",
            tied_cell([chip(label, short, full_name=names[label]) for label in row])
            if row
            else element("span", ranking.line, class_="lr-zero"),
            class_="lr-cell",
            data_labels=" ".join(map(str, row)),
            style=f"--fills:{max(1, len(row))}",
        )
        for row in ranking.rows
    ]
    cells += [element("span")] * (n_rows - ranking.n_rows)
    return element("div", cells, class_="side")
