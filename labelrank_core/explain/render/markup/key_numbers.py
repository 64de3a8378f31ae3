"""A few large numbers beside each other, each with its name above and what it counts below."""

from collections.abc import Sequence
from dataclasses import dataclass

from labelrank_core.explain.render.markup.elements import Html, element


@dataclass(frozen=True)
class KeyNumber:
    """A number that is read first.

    Parameters
    ----------
    name : str
        What it is, in a word or two.
    value : str
        The number.
    meaning : str
        What it counts, in a sentence or a clause.
    """

    name: str
    value: str
    meaning: str


def key_numbers(numbers: Sequence[KeyNumber]) -> Html:
    """Draw numbers beside each other, in a narrow place below each other."""
    items = [
        element(
            "div",
            element("dt", number.name),
            element("dd", element("b", number.value), element("span", number.meaning)),
        )
        for number in numbers
    ]
    return element("div", element("dl", items, class_="lr-key-numbers"), class_="lr")
