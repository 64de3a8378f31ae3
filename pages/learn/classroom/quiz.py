"""The test before and after a lesson: sheets drawn fresh from the lesson's exercises.

Phones get different sheets, so that neighbours cannot copy. Every sheet is somebody's test before
the lesson and somebody else's after it, so that hard sheets weigh alike on both sides of the gain.
"""

import secrets
from dataclasses import dataclass, field
from enum import StrEnum

from pages.learn.classroom.questions import ClassQuestion, Response, exercise_question
from pages.learn.exercises import TOPICS, sheet
from pages.learn.exercises.base import GivenTable

N_SHEETS = 8
# Sheets of pupils who practise have lower numbers.
_FIRST_SEED, _LAST_SEED = 10_000, 2**31


class Phase(StrEnum):
    """The two times of the test."""

    BEFORE = "before"
    AFTER = "after"


@dataclass(frozen=True)
class QuizSheet:
    """A story with a table, and the questions on them."""

    story: str
    table: GivenTable
    questions: tuple[ClassQuestion, ...]


def has_quiz(topic: str) -> bool:
    """Tell whether a lesson has exercises to draw a test from."""
    return topic in TOPICS


def draw_sheets(topic: str) -> tuple[QuizSheet, ...]:
    """Draw the sheets of a lesson from seeds that nobody knows."""
    return tuple(make_sheet(topic, seed) for seed in _draw_seeds())


def make_sheet(topic: str, seed: int) -> QuizSheet:
    """Return the sheet of a seed."""
    exercise_sheet = sheet(topic, seed)
    questions = tuple(
        exercise_question(exercise, f"{topic}-{number}")
        for number, exercise in enumerate(exercise_sheet.exercises, start=1)
    )
    return QuizSheet(exercise_sheet.story, exercise_sheet.table, questions)


def _draw_seeds() -> list[int]:
    seeds: dict[int, None] = {}
    while len(seeds) < N_SHEETS:
        seeds[_FIRST_SEED + secrets.randbelow(_LAST_SEED - _FIRST_SEED)] = None
    return list(seeds)


@dataclass
class Quiz:
    """The test of one lesson: its sheets, and the responses of phones in both phases, in order.

    The last response of the phones that are `open` can still be changed.
    """

    sheets: tuple[QuizSheet, ...]
    responses: dict[Phase, dict[int, list[Response]]] = field(
        default_factory=lambda: {phase: {} for phase in Phase}
    )
    open: set[tuple[int, Phase]] = field(default_factory=set)

    def sheet_of(self, phone: int, phase: Phase) -> QuizSheet:
        """Return the sheet of a phone; the second one is never the first."""
        shift = len(self.sheets) // 2 if phase is Phase.AFTER else 0
        return self.sheets[(phone - 1 + shift) % len(self.sheets)]

    def n_answered(self, phone: int, phase: Phase) -> int:
        """Count the questions that a phone has done with."""
        return len(self.responses[phase].get(phone, ())) - ((phone, phase) in self.open)

    def kept_response(self, phone: int, phase: Phase) -> Response:
        """Return the response of a phone that can still be changed; None without one."""
        return self.responses[phase][phone][-1] if (phone, phase) in self.open else None

    def has_finished(self, phone: int, phase: Phase) -> bool:
        """Tell whether a phone has answered all questions."""
        return self.n_answered(phone, phase) == len(self.sheet_of(phone, phase).questions)

    def add(
        self, phone: int, phase: Phase, index: int, response: Response, *, is_final: bool = True
    ) -> bool:
        """Take the response to the next question of a phone; False for any other question."""
        if index != self.n_answered(phone, phase) or self.has_finished(phone, phase):
            return False
        if not self.sheet_of(phone, phase).questions[index].accepts(response):
            return False
        self.responses[phase].setdefault(phone, [])[index:] = [response]
        (self.open.discard if is_final else self.open.add)((phone, phase))
        return True

    def marks(self, phone: int, phase: Phase) -> list[bool]:
        """Return the correctness of each answered question."""
        questions = self.sheet_of(phone, phase).questions
        responses = self.responses[phase].get(phone, [])
        return [q.is_right(r) for q, r in zip(questions, responses, strict=False)]
