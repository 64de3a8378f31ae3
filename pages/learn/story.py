"""The parts of lessons: examples, and steps that ask before they answer; draws nothing."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np

from labelrank_core import Dataset, Task
from labelrank_core.data.findings import count_of
from labelrank_core.data.nouns import CASE_AND_LABEL, Nouns
from labelrank_core.data.schema import decimal_text
from labelrank_core.explain import render as drawings
from labelrank_core.explain.evidence import Explanation, Text
from labelrank_core.explain.render import Picture
from labelrank_core.methods import ModelChoice
from labelrank_core.rankings import IntArray, strict_order
from pages.ui.results.models import Case

# What a screen may say, its question or its reason included.
MOST_WORDS = 40
_LETTERS_OF_ROW = 12


@dataclass(frozen=True, eq=False)
class LessonSetting:
    """The data, the method and the case of a lesson; `row` is None for a new case."""

    dataset: Dataset
    choice: ModelChoice
    case: Case
    # Lets the method, with other parameters, predict and explain the same case.
    case_with: Callable[[ModelChoice], Case]
    row: int | None = None

    @property
    def names(self) -> Sequence[str]:
        """The names of the labels."""
        return self.dataset.label_names

    @property
    def nouns(self) -> Nouns:
        """The nouns for rows and labels."""
        return self.dataset.nouns

    @property
    def explanation(self) -> Explanation:
        """The method's explanation of the case."""
        return self.case.explanation

    def explanation_with(self, **params: Any) -> Explanation:
        """Explain the same case with other parameters of the method."""
        return self.case_with(self.choice.with_params(**params)).explanation

    @cached_property
    def row_names(self) -> Sequence[str]:
        """The names of all rows: their own where these are short, else their numbers."""
        names = self.dataset.case_names or ()
        if names and len(set(names)) == len(names) and max(map(len, names)) <= _LETTERS_OF_ROW:
            return names
        return [f"#{row + 1}" for row in range(self.dataset.n_samples)]

    @cached_property
    def scene(self) -> drawings.Scene:
        """The context of drawings of evidence."""
        case, dataset = self.case, self.dataset
        return drawings.Scene(
            case.explanation, dataset.label_names, dataset.schema, case.x, case.training_rows,
            case.units,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Order:
    """Asks for the order of the labels; a guess lists some or all, the first one first."""

    positions: IntArray

    @property
    def order(self) -> list[int]:
        """The answer: the labels, the first one first."""
        return strict_order(self.positions)

    def is_right(self, guess: Sequence[int]) -> bool:
        """Tell whether a guess has no pair of labels the other way round than the answer."""
        guessed_positions = [self.positions[label] for label in guess]
        return bool(np.all(np.diff(guessed_positions) >= 0))

    def verdict(self, guess: Sequence[int]) -> str:
        """Compare a guess with the answer; of a single label there is nothing to say."""
        guessed_positions = [self.positions[label] for label in guess]
        pairs = [
            (a, b) for i, a in enumerate(guessed_positions) for b in guessed_positions[i + 1 :]
        ]
        if not pairs:
            return ""
        wrong = sum(a > b for a, b in pairs)
        if not wrong:
            return "You and the method agree."
        is_one, of = wrong == 1, count_of(len(pairs), "pair")
        return f"{wrong} of {of} {'is' if is_one else 'are'} the other way round."


@dataclass(frozen=True)
class Number:
    """Asks for a number between two others; whole ones have a step of 1."""

    value: float
    low: float
    high: float
    step: float = 0.01

    @property
    def choices(self) -> list[float]:
        """The numbers among which to choose."""
        count = round((self.high - self.low) / self.step) + 1
        return [round(self.low + step_index * self.step, 6) for step_index in range(count)]

    def text_of(self, value: float) -> str:
        """Write a number with no more digits than are asked for."""
        return f"{value:.0f}" if self.step >= 1 else decimal_text(value)

    def is_right(self, guess: float) -> bool:
        """Tell whether a guess is the answer, or at most a step away where that is a fraction."""
        return abs(guess - self.value) <= (0 if self.step >= 1 else self.step)

    def verdict(self, guess: float) -> str:
        """Compare a guess with the answer."""
        if self.is_right(guess):
            return f"Right: {self.text_of(self.value)}."
        return f"You said {self.text_of(guess)}, it is {self.text_of(self.value)}."


@dataclass(frozen=True)
class Pick:
    """Asks to tap all that counts, or one thing that is right; a guess is a set of places."""

    options: tuple[str, ...]
    right: frozenset[int]
    several: bool = True

    def is_right(self, guess: Collection[int]) -> bool:
        """Tell whether a guess has all that counts, or one thing that is right."""
        return set(guess) == self.right if self.several else self.right.issuperset(guess)

    def verdict(self, guess: Collection[int]) -> str:
        """Compare a guess with the answer."""
        if self.is_right(guess):
            return "Right."
        if not self.several:
            return "Not this one."
        n_found, n_extra = len(self.right & set(guess)), len(set(guess) - self.right)
        return f"{n_found} of {len(self.right)} found" + (
            f", {n_extra} too many." if n_extra else "."
        )


@dataclass(frozen=True, eq=False)
class Ask:
    """A question, and the reason and picture once it is answered; no picture: it stays the same.

    A guess that is kept is compared by the last step, so that the steps between give nothing away;
    `guessed` draws a guessed number into the picture. Where the picture `is_added`, it comes below
    that of the question, which stays as it is.
    """

    question: Text
    of: Order | Number | Pick
    reason: Text
    picture: Picture | None = None
    is_kept: bool = False
    is_added: bool = False
    guessed: Callable[[float], Picture] | None = None


@dataclass(frozen=True, eq=False)
class Stack(Picture):
    """Pictures below each other, which are one on the screen."""

    parts: tuple[Picture, ...] = ()
    is_abreast: bool = False


def stacked(first: Picture, second: Picture, *, is_abreast: bool = False) -> Picture:
    """Return one picture of two, the first above; its table is that of the second.

    Abreast: the first is on the left where there is room.
    """
    parts = (*parts_of(first), *parts_of(second))
    values = {entry.name: getattr(second, entry.name) for entry in fields(Picture)}
    values["alt"] = f"{first.alt}. {second.alt}"
    blocks = [block for picture in (first, second) for block in _blocks(picture)]
    first_place, *later_places = [block.markup for block in blocks]
    places = f"<div>{first_place}</div>" + "".join(
        f'<div class="later">{place}</div>' for place in later_places
    )
    abreast = " abreast" if is_abreast else ""
    values["markup"] = f'<div class="lr-stacked{abreast}">{places}</div>'
    return Stack(**values, parts=parts, is_abreast=is_abreast)


def _blocks(picture: Picture) -> tuple[Picture, ...]:
    """Return the pictures below each other; those abreast stay one."""
    return (picture,) if isinstance(picture, Stack) and picture.is_abreast else parts_of(picture)


def parts_of(picture: Picture) -> tuple[Picture, ...]:
    """Return the pictures of which one consists, from top to bottom."""
    return picture.parts if isinstance(picture, Stack) else (picture,)


@dataclass(frozen=True, eq=False)
class LessonStep:
    """One screen: a few words, one picture, and perhaps a question first."""

    title: str
    text: Text
    picture: Picture
    ask: Ask | None = None

    def texts(self, *, is_answered: bool) -> list[Text]:
        """Return the texts on the screen before its question is answered, or after."""
        if self.ask is None:
            return [self.text]
        return [self.ask.reason] if is_answered else [self.text, self.ask.question]

    def picture_shown(self, *, is_answered: bool) -> Picture:
        """Return the picture before the question is answered, or after."""
        later = self.ask.picture if self.ask is not None and is_answered else None
        if later is None or self.ask is None:
            return self.picture
        return stacked(self.picture, later) if self.ask.is_added else later


@dataclass(frozen=True)
class Example:
    """Rows, a case and parameters that a lesson can start from."""

    title: str
    rows: str
    case: tuple[float, ...]
    params: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    # What its rows and labels are called.
    nouns: Nouns = CASE_AND_LABEL


@dataclass(frozen=True)
class Lesson:
    """One lesson: its names, its method, its examples, and the function that makes its steps.

    `key` stands in links, `method` in the catalog; `params` can be changed beside the steps.
    """

    key: str
    name: str
    title: str
    idea: str
    method: str
    examples: tuple[Example, ...]
    params: tuple[str, ...]
    make_steps: Callable[[LessonSetting], Sequence[LessonStep]]
    # What the lesson can be about: rankings or label sets.
    task: Task = Task.LABEL_RANKING
    # Whether every row must rank every label.
    is_complete: bool = True
    # What one can do after it, in plain words, and how that goes on in the terms of the lesson.
    skill: str = ""
    skill_details: str = ""
    # Reading at 150 words a minute, and 10 seconds a stop.
    minutes: int = 4

    @property
    def learned(self) -> str:
        """The whole skill in a sentence."""
        return f"You can now {self.skill}{self.skill_details}."


@dataclass(frozen=True)
class StepStop:
    """Where one is in a lesson: a step, its question open or answered."""

    step: int
    is_answered: bool
    name: str


def stops(steps: Sequence[LessonStep]) -> list[StepStop]:
    """List where one can be; the names stand in links."""
    all_stops = []
    for i, step in enumerate(steps):
        all_stops.append(StepStop(i, is_answered=False, name=step.title))
        if step.ask is not None and not step.ask.is_kept:
            all_stops.append(StepStop(i, is_answered=True, name=f"{step.title}: answer"))
    return all_stops
