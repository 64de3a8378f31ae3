"""Dots in rows: one number for each label, with the bar that it must beat."""

from collections.abc import Sequence
from dataclasses import dataclass

from labelrank_core.data.schema import decimal_text, number_text
from labelrank_core.explain.render.markup.elements import Html, element
from labelrank_core.explain.render.markup.palette import mark_class
from labelrank_core.explain.render.markup.rankings import chip
from labelrank_core.explain.render.markup.text import percent, shorten_all

# Below bars names leave more room.
_LETTERS, _FEW_LETTERS = 24, 12


@dataclass(frozen=True)
class Bar:
    """A bar that a label must beat.

    Parameters
    ----------
    value : float
        Where it stands.
    name : str
        What it is called, such as "zero line".
    """

    value: float
    name: str


def dot_rows(
    values: Sequence[tuple[int, int, float]],
    names: Sequence[str],
    bar: Bar | None = None,
    ends: Sequence[float] = (),
    above: Html | None = None,
) -> Html:
    """Draw places, labels and a number for each as dots above each other on one scale.

    The scale reaches from the least to the greatest number, and to its `ends` if they lie beyond;
    a scale with ends says them. `above`: rows that stand above on the same scale.
    """
    short = shorten_all(names, _LETTERS if above is None else _FEW_LETTERS)
    reached = [*ends, *(value for _, _, value in values), *([bar.value] if bar else [])]
    low, high = min(reached), max(reached)
    # The scale of equal numbers reaches from them to the next whole number.
    high = high if high > low else low + 1.0
    reach = high - low

    def at(value: float) -> str:
        return f"left:{percent(100 * (value - low) / reach)}"

    line = element("i", style=at(bar.value)) if bar else None
    rows = [
        element(
            "li",
            element("span", position, class_="place"),
            chip(label, short, "small"),
            element("b", decimal_text(value)),
            element(
                "span",
                line,
                element("span", class_=mark_class(label), style=at(value)),
                class_="track",
            ),
            data_key=names[label],
        )
        for position, label, value in values
    ]
    head = None if bar is None else _head(bar, (bar.value - low) / reach)
    foot = None
    if ends:
        numbers = zip(("low", "high"), _ends(low, high), strict=True)
        marks = [element("span", number, class_=end) for end, number in numbers]
        foot = element("li", element("span", marks, class_="track"), class_="foot")
    return element("ol", above, head, rows, foot, class_="lr-dots")


def _head(bar: Bar, share: float) -> Html:
    """Write the name above the line; it stays within the scale, or ends where the scale ends."""
    space_before, space_after = (
        element("i", style=f"flex:{part:.3f} 0 0") for part in (share, 1 - share)
    )
    text = element("span", f"{bar.name}: {decimal_text(bar.value)}")
    return element(
        "li", element("span", space_before, text, space_after, class_="track"), class_="head"
    )


def _ends(low: float, high: float) -> tuple[str, str]:
    """Write both ends of the scale so that they differ, whole numbers as such."""
    first, last = (f"{end:.0f}" if end == round(end) else decimal_text(end) for end in (low, high))
    if float(first) == float(last):
        return number_text(low), number_text(high)
    return first, last
