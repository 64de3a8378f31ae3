"""Methods in a race: the lead of the first over each, with the interval of the difference."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

from labelrank_core.explain.render.markup.elements import Html, element
from labelrank_core.explain.render.markup.text import percent

# Percent of the scale between the line and what lies clearly behind it.
_GAP = 1.0
# And where the line is farther to the right than this, there is room for both ends of the scale.
_ROOM_FOR_TWO = 75.0


@dataclass(frozen=True)
class Standing:
    """A method in a race, whose interval ends before the line of the first one if it is behind.

    Parameters
    ----------
    name : str
        The method.
    value : str
        What it was worth, as it is shown.
    gain, low, high : float
        How far it is ahead of the first (behind: below 0), with an interval; NaN or infinite
        where nothing is known.
    dropped_out : bool
        Whether it no longer runs, which is drawn paler.
    note : str
        What is said under its name.
    kind : {"first", "level", "behind", "waiting"}
        How it is drawn: the first, not clearly different from it, clearly behind, or an empty lane.
    time : str
        How long it took, as it is shown; empty: not drawn.
    time_share : float
        How long it took as a share of the longest time.
    action : str
        The text of a button in its row; empty: none.
    """

    name: str
    value: str
    gain: float
    low: float
    high: float
    note: str
    kind: str
    dropped_out: bool = False
    time: str = ""
    time_share: float = 0.0
    action: str = ""


def standings(rows: Sequence[Standing]) -> Html:
    """Draw methods below each other, the best first, on one scale from the first one back.

    Beside it stands how long they took, and a button with the number of the row, where rows have
    them. As long as nothing is known of any of them, their lanes are empty.
    """
    is_known = any(isfinite(row.gain) for row in rows)
    ends = [end for row in rows for end in (row.gain, row.low, row.high) if isfinite(end)] or [0.0]
    # Wide intervals must not press the differences together.
    gains = [row.gain for row in rows if isfinite(row.gain)] or [0.0]
    reach = 2 * (max(gains) - min(gains)) or max(ends) - min(ends) or 1.0
    low, high = max(min(ends), min(gains) - reach), min(max(ends), max(gains) + reach)
    width = high - low or 1.0

    def at(value: float) -> float:
        return 100 * (min(max(value, low), high) - low) / width

    is_timed = any(row.time for row in rows)
    items = []
    if is_timed:
        scale = _scale(low, at(0.0)) if is_known else ""
        heads = ("", "", scale, "time a round", "")
        spans = [element("span", head) for head in heads]
        items.append(element("li", spans, class_="heads", aria_hidden="true"))
    for number, row in enumerate(rows):
        bar = mark = None
        if isfinite(row.gain):
            mark = element("b", style=f"left:{percent(at(row.gain))}")
        if isfinite(row.low) and isfinite(row.high) and row.kind != "first":
            start, right = at(row.low), at(row.high)
            if row.kind == "behind":
                # Rounding must not let it reach the line.
                right = max(start, min(right, at(0.0) - _GAP))
            bar = element("span", style=f"left:{percent(start)};width:{percent(right - start)}")
        note = element("small", row.note) if row.note else None
        first = element("i", style=f"left:{percent(at(0.0))}") if is_known else None
        items.append(
            element(
                "li",
                element("span", row.name, note, class_="name"),
                element("span", row.value, class_="value"),
                element("span", first, bar, mark, class_="track"),
                _time_and_button(number, row) if is_timed else None,
                class_=f"{row.kind} out" if row.dropped_out else row.kind,
            )
        )
    names = ["lr-race", "timed" if is_timed else "", "" if is_known else "waiting"]
    return element("ol", items, class_=" ".join(filter(None, names)))


def race_field(
    families: Mapping[str, Sequence[tuple[str, bool]]],
    ideas: Mapping[str, str],
    title: str,
    legend: Sequence[Standing],
) -> Html:
    """Name the methods of a race by family, those in use marked, beside a legend of its picture.

    `ideas`: a few words on each family.
    """
    groups = [
        element(
            "li",
            element("div", element("b", family), _idea(ideas.get(family, ""))),
            element("ul", [_runner(name, is_used=is_used) for name, is_used in members]),
        )
        for family, members in families.items()
    ]
    return element(
        "div",
        element("ul", groups, class_="families"),
        element("div", element("b", title), standings(legend), class_="legend"),
        class_="lr-race-field",
    )


def _idea(idea: str) -> Html | None:
    return element("small", idea) if idea else None


def _runner(name: str, *, is_used: bool) -> Html:
    note = element("small", "in use") if is_used else None
    return element("li", name, note, class_="used" if is_used else "")


def _scale(low: float, zero: float) -> list[Html]:
    """Name the line of the first method, and how far behind it the scale begins."""
    shift = f"left:{percent(zero)};transform:translateX(-{percent(zero)})"
    names = [element("em", "the first", style=shift)]
    if zero > _ROOM_FOR_TWO:
        names.insert(0, element("em", f"{-low:.3f} behind", class_="far"))
    return names


def _time_and_button(number: int, row: Standing) -> list[Html]:
    """Draw the seconds that a method took, and the button of its row."""
    bar = element("i", style=f"width:{percent(100 * row.time_share)}") if row.time else None
    button = None
    if row.action:
        name = f"{row.action}: {row.name}"
        button = element("button", row.action, type="button", data_row=number, aria_label=name)
    return [
        element("span", bar, element("small", row.time), class_="time"),
        element("span", button, class_="action"),
    ]
