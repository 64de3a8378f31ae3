"""Questions to a class: which responses phones may send, which are right, and their counts."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import TypeAlias

from labelrank_core.data.nouns import CASE_AND_LABEL, Nouns
from pages.learn.exercises.base import Choice, Exercise, NumberAnswer, decimal
from pages.learn.story import LessonStep, Number, Order, Pick

# Indices of options, labels in order, or a number; None stands for 'I do not know'.
Response: TypeAlias = tuple[int, ...] | float | None

NOT_KNOWN = "I do not know"
NONE_OF_THEM = "none of them"
# Of so few labels every order is a button of its own, and a bar.
_MOST_LABELS_AT_ONCE = 3
# Of so few numbers each is a button of its own, and a bar.
_MOST_NUMBERS_AT_ONCE = 8
_BINS = 6
_LARGEST_NUMBER = 1e6


@dataclass(frozen=True)
class Options:
    """One of some options is right, or any number of them."""

    titles: tuple[str, ...]
    right: frozenset[int]
    several: bool = False

    def accepts(self, response: Response) -> bool:
        """Tell whether a response is a choice of these options."""
        if not isinstance(response, tuple) or not set(response) <= set(range(len(self.titles))):
            return False
        is_distinct = len(set(response)) == len(response)
        return is_distinct and (self.several or len(response) == 1)

    def is_right(self, response: Response) -> bool:
        """Tell whether the chosen options are the right ones."""
        chosen = set(response) if isinstance(response, tuple) else None
        if chosen is None:
            return False
        return chosen == self.right if self.several else chosen <= self.right

    def title_of(self, response: Response) -> str:
        """Write the chosen options."""
        chosen = response if isinstance(response, tuple) else ()
        return ", ".join(self.titles[option] for option in sorted(chosen)) or NONE_OF_THEM

    @property
    def right_title(self) -> str:
        """The right answer as text."""
        joiner = ", " if self.several else " or "
        return joiner.join(self.titles[option] for option in sorted(self.right)) or NONE_OF_THEM

    def count(self, responses: Sequence[Response]) -> list["AnswerBar"]:
        """Count the phones that chose each option."""
        chosen = Counter(
            option for response in responses if isinstance(response, tuple) for option in response
        )
        bars = [
            AnswerBar(title, chosen[option], option in self.right)
            for option, title in enumerate(self.titles)
        ]
        if self.several:
            bars.append(AnswerBar(NONE_OF_THEM, sum(r == () for r in responses), not self.right))
        return bars


@dataclass(frozen=True)
class LabelOrder:
    """All labels in the right order are right, the first one first."""

    names: tuple[str, ...]
    order: tuple[int, ...]

    @property
    def is_at_once(self) -> bool:
        """Whether an order is chosen by one tap, because there are few of them."""
        return len(self.names) <= _MOST_LABELS_AT_ONCE

    @property
    def orders(self) -> list[tuple[int, ...]]:
        """All orders of few labels."""
        return list(permutations(range(len(self.names))))

    def accepts(self, response: Response) -> bool:
        """Tell whether a response has every label once."""
        return isinstance(response, tuple) and sorted(response) == list(range(len(self.names)))

    def is_right(self, response: Response) -> bool:
        """Tell whether an order is the right one."""
        return response == self.order

    def title_of(self, response: Response) -> str:
        """Write an order."""
        labels = response if isinstance(response, tuple) else ()
        return " > ".join(self.names[label] for label in labels)

    @property
    def right_title(self) -> str:
        """The right answer as text."""
        return self.title_of(self.order)

    def count(self, responses: Sequence[Response]) -> list["AnswerBar"]:
        """Count the phones for each order; of many labels, for each label that is put first."""
        if self.is_at_once:
            counts = Counter(responses)
            return [
                AnswerBar(self.title_of(order), counts[order], order == self.order)
                for order in self.orders
            ]
        firsts = Counter(response[0] for response in responses if isinstance(response, tuple))
        return [
            AnswerBar(f"{name} first", firsts[label], label == self.order[0])
            for label, name in enumerate(self.names)
        ]


@dataclass(frozen=True)
class Quantity:
    """A number is right, or one that is near enough; a range, if there is one, has both ends."""

    value: float
    tolerance: float
    decimals: int
    low: float | None = None
    high: float | None = None
    step: float = 1.0

    @property
    def choices(self) -> list[float]:
        """The numbers among which one tap chooses; empty where they are too many."""
        if self.low is None or self.high is None:
            return []
        n_choices = round((self.high - self.low) / self.step) + 1
        if n_choices > _MOST_NUMBERS_AT_ONCE:
            return []
        return [round(self.low + self.step * i, 6) for i in range(n_choices)]

    def accepts(self, response: Response) -> bool:
        """Tell whether a response is a number in the range."""
        if isinstance(response, tuple) or response is None or not math.isfinite(response):
            return False
        low = -_LARGEST_NUMBER if self.low is None else self.low
        high = _LARGEST_NUMBER if self.high is None else self.high
        return low - 1e-9 <= response <= high + 1e-9

    def is_right(self, response: Response) -> bool:
        """Tell whether a number is near enough."""
        if isinstance(response, tuple) or response is None:
            return False
        return abs(response - self.value) <= self.tolerance + 1e-9

    def title_of(self, response: Response) -> str:
        """Write a number with no more digits than are asked for."""
        number = response if isinstance(response, int | float) else math.nan
        return decimal(number, self.decimals)

    @property
    def right_title(self) -> str:
        """The right answer as text."""
        return self.title_of(self.value)

    def count(self, responses: Sequence[Response]) -> list["AnswerBar"]:
        """Count the phones for each number, or in ranges of one width."""
        numbers = [r for r in responses if isinstance(r, int | float)]
        if self.choices:
            counts = Counter(round(number, 6) for number in numbers)
            return [AnswerBar(self.title_of(n), counts[n], self.is_right(n)) for n in self.choices]
        ends = [*numbers, self.value]
        low = min(ends) if self.low is None else self.low
        high = max(ends) if self.high is None else self.high
        width = (high - low) / _BINS or 1.0

        def bin_of(number: float) -> int:
            return min(int((number - low) / width + 1e-9), _BINS - 1)

        counts = Counter(map(bin_of, numbers))
        return [
            AnswerBar(
                f"{self.title_of(low + width * i)} to {self.title_of(low + width * (i + 1))}",
                counts[i],
                i == bin_of(self.value),
            )
            for i in range(_BINS)
        ]


AnswerKind: TypeAlias = Options | LabelOrder | Quantity


@dataclass(frozen=True)
class AnswerBar:
    """One bar of a histogram: its title, its number of phones, and its correctness."""

    title: str
    count: int
    is_right: bool


@dataclass(frozen=True)
class ClassQuestion:
    """A question in plain text, its answer, and the reason for it; the key tells it from others."""

    key: str
    text: str
    answer: AnswerKind
    reason: str = ""

    def accepts(self, response: Response) -> bool:
        """Tell whether a phone may send this response."""
        return response is None or self.answer.accepts(response)

    def is_right(self, response: Response) -> bool:
        """Tell whether a response is right; not to know is not."""
        return self.answer.is_right(response)

    def title_of(self, response: Response) -> str:
        """Write a response."""
        return NOT_KNOWN if response is None else self.answer.title_of(response)

    def count(self, responses: Iterable[Response]) -> list[AnswerBar]:
        """Count the responses for a histogram."""
        all_responses = list(responses)
        bars = self.answer.count(all_responses)
        n_unknown = sum(response is None for response in all_responses)
        return [*bars, AnswerBar(NOT_KNOWN, n_unknown, False)] if n_unknown else bars


def step_question(
    step: LessonStep, key: str, names: Sequence[str], nouns: Nouns = CASE_AND_LABEL
) -> ClassQuestion | None:
    """Return the question of a step of a lesson, None where it asks nothing."""
    if step.ask is None:
        return None
    answer: AnswerKind
    match step.ask.of:
        case Order() as order:
            answer = LabelOrder(tuple(names), tuple(map(int, order.order)))
        case Number(value=value, low=low, high=high, step=width):
            is_whole = width >= 1
            answer = Quantity(
                float(value), 0.0 if is_whole else width, 0 if is_whole else 2, low, high, width
            )
        case Pick(options=options, right=right, several=several):
            answer = Options(options, right, several)
    reason = step.ask.reason.plain(names, nouns)
    return ClassQuestion(key, step.ask.question.plain(names, nouns), answer, reason)


def exercise_question(exercise: Exercise, key: str) -> ClassQuestion:
    """Return the question of an exercise."""
    answer: AnswerKind
    match exercise.answer:
        case NumberAnswer(value=value, decimals=decimals):
            tolerance = 10.0**-decimals if decimals else 0.0
            answer = Quantity(value, tolerance, decimals, step=10.0**-decimals)
        case Choice(options=options, right=right):
            answer = Options(options, frozenset({right}))
        case several:
            answer = Options(several.options, several.right, several=True)
    return ClassQuestion(key, exercise.question, answer, exercise.reason)
