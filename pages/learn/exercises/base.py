"""The parts of an exercise: a question whose answer can be checked, and the reason for it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, TypeAlias

import numpy as np

from labelrank_core.data.schema import decimal_text
from labelrank_core.rankings import IntArray, format_ranking

DRINKS = ("tea", "cola", "juice")
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MUSIC = ("rock", "jazz", "folk", "soul")


@dataclass(frozen=True)
class Choice:
    """One of some options is right."""

    options: tuple[str, ...]
    right: int

    def is_right(self, response: str | None) -> bool:
        """Tell whether an option is the right one."""
        return response == self.options[self.right]

    @property
    def text(self) -> str:
        """The right answer as text."""
        return self.options[self.right]


@dataclass(frozen=True)
class Several:
    """Any number of the options are right, in any order."""

    options: tuple[str, ...]
    right: frozenset[int]

    def is_right(self, response: Sequence[str]) -> bool:
        """Tell whether these are all that are right, and no others."""
        return set(response) == {self.options[option] for option in self.right}

    @property
    def text(self) -> str:
        """The right answer as text."""
        return ", ".join(self.options[option] for option in sorted(self.right)) or "none"


@dataclass(frozen=True)
class NumberAnswer:
    """A number, rounded to some decimals; an error of one in the last place is forgiven."""

    value: float
    decimals: int = 2

    def is_right(self, response: float | None) -> bool:
        """Tell whether a number is near enough; whole numbers must be equal."""
        allowed = 10.0**-self.decimals if self.decimals else 0.0
        return response is not None and abs(response - self.value) <= allowed + 1e-9

    @property
    def text(self) -> str:
        """The right answer as text."""
        return decimal(self.value, self.decimals)


Answer: TypeAlias = Choice | Several | NumberAnswer


@dataclass(frozen=True)
class Exercise:
    """A question in plain text, its answer, a hint towards it, and the arithmetic."""

    question: str
    answer: Answer
    hint: str
    reason: str


@dataclass(frozen=True)
class GivenTable:
    """A small table of the data of a sheet."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Sheet:
    """Three exercises on one table, in plain text."""

    story: str
    table: GivenTable
    exercises: tuple[Exercise, Exercise, Exercise]


@dataclass(frozen=True)
class Topic:
    """A topic: `draw_situation` finds a situation at random, `make_sheet` asks about it."""

    name: str
    draw_situation: Callable[[np.random.Generator], Any]
    make_sheet: Callable[[Any], Sheet]


def decimal(value: float, decimals: int = 2) -> str:
    """Write a number with a minus sign instead of a hyphen.

    >>> decimal(-0.5, 1), decimal(-0.001)
    ('−0.5', '0.00')
    """
    text = f"{value:.{decimals}f}"
    return text.replace("-", "−") if float(text) else text.removeprefix("-")


def orders(n_labels: int, rng: np.random.Generator, n_rankings: int) -> IntArray:
    """Draw strict rankings, positions of shape (n_rankings, n_labels)."""
    return np.array([rng.permutation(n_labels) + 1 for _ in range(n_rankings)])


def all_orders(names: Sequence[str], right: Sequence[int]) -> Choice:
    """Offer every order of a few labels; `right` are the positions of the right one."""
    options = [
        format_ranking(positions, names) for positions in permutations(range(1, len(names) + 1))
    ]
    return Choice(tuple(options), options.index(format_ranking(right, names)))


def mean(values: Sequence[float]) -> str:
    """Write a mean with its terms: '(1 + 3 + 2) / 3 = 2.00'."""
    terms = " + ".join(f"{value:g}" for value in values)
    return f"({terms}) / {len(values)} = {decimal_text(float(np.mean(values)))}"
