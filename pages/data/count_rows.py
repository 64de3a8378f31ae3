"""Counts of cases as rows: a number, what is counted as chips or words, and a bar; to click at."""

from collections.abc import Sequence
from dataclasses import dataclass

from labelrank_core import Dataset
from labelrank_core.explain.render import markup, target_ranking
from labelrank_core.explain.render.markup.elements import Child, Html, element

# Of a ranking or a label set, more labels than these are left out.
_N_CHIPS = 8
# In rankings of so few labels with short names, without ties, a position has its place in all rows.
_N_ALIGNED, _LETTERS_ALIGNED = 6, 12


@dataclass(frozen=True)
class CountRow:
    """A row of the picture.

    Parameters
    ----------
    head : Html or str
        What is counted.
    count, full_count : int
        Cases that are shown, and those of the whole data, which the bar shows pale.
    note : str
        A few words behind the head.
    color : str
        A colour of the bar; empty: that of the text.
    """

    head: Child
    count: int
    full_count: int
    note: str = ""
    color: str = ""


def count_rows(rows: Sequence[CountRow], marked: int | None = None) -> Html:
    """Return the rows as a list of buttons; `marked`: the one that is chosen."""
    longest = max((row.full_count for row in rows), default=1) or 1
    items = [
        element(
            "li",
            element(
                "button",
                element("span", row.count, class_="number"),
                element(
                    "span",
                    element(
                        "span",
                        row.head,
                        element("span", row.note, class_="muted") if row.note else None,
                        class_="head",
                    ),
                    element("span", _bar(row, longest), class_="bars"),
                    class_="counted",
                ),
                type="button",
                data_row=number,
                aria_pressed="true" if number == marked else "false",
                disabled=None if row.count else "disabled",
            ),
        )
        for number, row in enumerate(rows)
    ]
    return element("ol", items, class_="lr lr-tally")


def target_strip(dataset: Dataset, row: int) -> Html:
    """Return the ranking or the labels of a row as chips."""
    ranking = target_ranking(dataset, row)
    if not ranking.buckets:
        return element("span", "none", class_="muted")
    strip = Html(markup.strip(ranking, dataset.label_names, n_labels=_N_CHIPS))
    is_strict = len(ranking.buckets) == dataset.n_labels <= _N_ALIGNED
    are_short = max(map(len, dataset.label_names)) <= _LETTERS_ALIGNED
    has_columns = is_strict and are_short and ranking.n_ahead is None
    return element("div", strip, class_="aligned") if has_columns else strip


def _bar(row: CountRow, longest: int) -> list[Html]:
    """Return the bar of all rows, pale, and upon it that of those shown."""
    return [
        element(
            "span",
            class_=kind,
            style=f"width:{100 * count / longest:.1f}%" + (f";color:{row.color}" * bool(row.color)),
        )
        for kind, count in (("all", row.full_count), ("part", row.count))
        if count
    ]
