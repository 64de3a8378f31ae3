"""Methods in a race, on one scale from everyone's average to perfect."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from labelrank_core.explain.render.markup.elements import Html, element
from labelrank_core.explain.render.markup.text import percent

# Percent of the scale between the line and what lies clearly behind it.
_GAP = 1.0
# Percent of the scale, within which a name beside an end points away from it.
_NEAR_END = 12.0


@dataclass(frozen=True)
class Standing:
    """A method in a race, whose interval ends before the line of the first one if it is behind.

    Parameters
    ----------
    name : str
        The method.
    value : str
        What it was worth, as it is shown.
    share, low, high : float
        Where it lies on the scale, from 0 to 1, with an interval; NaN or infinite where nothing is
        known.
    note : str
        What is said beside its name.
    kind : {"first", "level", "behind", "waiting"}
        How it is drawn: the first, not clearly different from it, clearly behind, or an empty lane.
    hint : str
        What the note says to those who point at it.
    dropped_out : bool
        Whether it no longer runs, which is drawn paler.
    time : str
        How long it took, as it is shown; empty: nothing is known yet.
    time_share : float
        How long it took as a share of the longest time.
    action : str
        The text of a button in its row; empty: none.
    summary : str
        What the method does, said to those who point at its name; empty: nothing.
    is_advised : bool
        Whether it is the one to use, which is drawn bold, with a tag.
    is_in_use : bool
        Whether it is in use, which stands in place of a button, filled as what is selected.
    """

    name: str
    value: str
    share: float
    low: float
    high: float
    note: str
    kind: str
    hint: str = ""
    dropped_out: bool = False
    time: str = ""
    time_share: float = 0.0
    action: str = ""
    summary: str = ""
    is_advised: bool = False
    is_in_use: bool = False


def standings(
    rows: Sequence[Standing],
    worst: str,
    perfect: str,
    *,
    ticks: Sequence[tuple[float, str]] = (),
    value_head: str = "score",
) -> Html:
    """Draw methods below each other on one scale, whose ends `worst` and `perfect` name.

    A tick is its place on the scale, from 0 to 1, and its number. A dotted line, named below, runs
    through the first of several methods. Beside it stand their times, and a button with the number
    of the row where rows have them. Those that wait have empty lanes of the same height.
    """
    line = next((row.share for row in rows if row.kind == "first"), float("nan"))
    tick_styles = [(f"left:{percent(_at(share))}", number) for share, number in ticks]
    numbers = [element("small", number, style=style) for style, number in tick_styles]
    gridlines = [element("u", style=style) for style, _ in tick_styles]
    heads = [
        element("span", class_="name"),
        element("span", value_head, class_="value"),
        element("span", element("em", worst), element("em", perfect), numbers, class_="scale"),
        element("span", "seconds to train", class_="time"),
        element("span", class_="action"),
    ]
    items = [element("li", heads, class_="heads", aria_hidden="true")]
    for number, row in enumerate(rows):
        items.append(
            element(
                "li",
                element(
                    "span",
                    _method(row.name, row.summary),
                    element("small", row.note, _tag(row), title=row.hint or None),
                    class_="name",
                ),
                element("span", row.value, class_="value"),
                element("span", gridlines, _marks(row, line), class_="track"),
                _time_and_button(number, row),
                class_=row.kind
                + (" out" if row.dropped_out else "")
                + (" advised" if row.is_advised else ""),
            )
        )
    if isfinite(line) and len(rows) > 1:
        items.append(element("li", _line_name(line), class_="heads", aria_hidden="true"))
    race = element("ol", items, class_="lr-race timed")
    # Its own width decides how it is laid out, not that of the screen.
    return element("div", race, class_="lr-race-room")


def method_families(families: Sequence[tuple[str, str, Sequence[tuple[str, str]]]]) -> Html:
    """Draw methods that are not measured by family: its name, its idea, its methods.

    A method says what it does to those who point at it.
    """
    items = [
        element(
            "li",
            element("b", name),
            element("span", idea, class_="muted"),
            element("span", [_method(*method) for method in methods], class_="methods"),
        )
        for name, idea, methods in families
    ]
    return element("div", element("ul", items, class_="lr-families"), class_="lr-race-room")


def _method(name: str, summary: str) -> Html:
    return element("span", name, title=summary or None)


def _tag(row: Standing) -> Html | None:
    """Draw the tag of the method to use."""
    tag = "keep" if row.is_in_use else "recommended"
    return element("em", tag, class_="tag") if row.is_advised else None


def _marks(row: Standing, line: float) -> list[Html]:
    """Draw the line of the first method, the interval and the dot of a row, as far as known."""
    marks = []
    if isfinite(line):
        marks.append(element("i", style=f"left:{percent(_at(line))}"))
    if isfinite(row.low) and isfinite(row.high) and row.kind != "first":
        start, right = _at(row.low), _at(row.high)
        if row.kind == "behind" and isfinite(line):
            # Rounding must not let it reach the line.
            right = max(start, min(right, _at(line) - _GAP))
        marks.append(element("span", style=f"left:{percent(start)};width:{percent(right - start)}"))
    if isfinite(row.share):
        marks.append(element("b", style=f"left:{percent(_at(row.share))}"))
    return marks


def _line_name(line: float) -> list[Html]:
    """Name the line of the first method below the tracks."""
    left = _at(line)
    side = "start" if left < _NEAR_END else "end" if left > 100 - _NEAR_END else "middle"
    name = element("em", "the best", style=f"left:{percent(left)}", class_=side)
    return [
        element("span", class_="name"),
        element("span", class_="value"),
        element("span", name, class_="line-name"),
        element("span", class_="time"),
        element("span", class_="action"),
    ]


def _at(share: float) -> float:
    """Return the place of a share in percent; beyond the ends of the scale, at its end."""
    return 100 * min(max(share, 0.0), 1.0)


def _time_and_button(number: int, row: Standing) -> list[Html]:
    """Draw the seconds that a method took, and the button of its row."""
    bar = element("i", style=f"width:{percent(100 * row.time_share)}") if row.time else None
    button = element("small", "in use") if row.is_in_use else None
    if row.action:
        name = f"{row.action}: {row.name}"
        button = element("button", row.action, type="button", data_row=number, aria_label=name)
    return [
        element("span", bar, element("small", row.time), class_="time"),
        element("span", button, class_="action"),
    ]
