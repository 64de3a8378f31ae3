"""The gain of a class: shares of right answers before and after a lesson, phone by phone."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import t

from labelrank_core.data.findings import count_of
from labelrank_core.rankings import FloatArray
from pages.learn.classroom.quiz import Phase, Quiz
from pages.learn.classroom.room import Poll

# With fewer phones an interval is wider than any gain that a lesson can have.
LEAST_PHONES = 5
_LEVEL = 0.95


@dataclass(frozen=True)
class QuestionShares:
    """The shares of phones that had a question right, before and after; one sheet's question."""

    title: str
    example: str
    before: float
    after: float


@dataclass(frozen=True)
class Gain:
    """The gain of a class in one lesson, over the phones that took both tests.

    Shares are from 0 to 1; `low` and `high` are the ends of the 95 % interval of the gain, NaN with
    too few phones. `n_before` and `n_after` count all phones that have finished a test.
    """

    lesson: str
    n_phones: int
    n_before: int
    n_after: int
    before: float
    after: float
    low: float
    high: float
    questions: tuple[QuestionShares, ...]

    @property
    def difference(self) -> float:
        """The gain as a share."""
        return self.after - self.before

    @property
    def points(self) -> int:
        """The gain in percentage points, as the rounded shares that are shown have it."""
        return round(100 * self.after) - round(100 * self.before)

    @property
    def direction(self) -> str:
        """'up' or 'down' where the whole interval says so, '' otherwise."""
        return "up" if self.low > 0 else "down" if self.high < 0 else ""

    @property
    def has_interval(self) -> bool:
        """Whether there are enough phones for an interval."""
        return math.isfinite(self.low)

    @property
    def verdict(self) -> str:
        """The gain in one sentence."""
        if not self.n_phones:
            return "No phone has finished both tests yet."
        if not self.has_interval:
            phones = count_of(self.n_phones, "phone")
            return f"{phones} took both tests. That is too few to measure a gain."
        if self.direction == "up":
            return f"The class gained {self.points} percentage points."
        if self.direction == "down":
            return f"The class lost {-self.points} percentage points."
        return "The tests do not show whether the class gained or lost."

    @property
    def interval_sentence(self) -> str:
        """The shares, the number of phones and the interval in words."""
        if not self.n_phones:
            first = count_of(self.n_before, "phone")
            return f"{first} finished the first test, and {self.n_after} the second one."
        shares = (
            f"{count_of(self.n_phones, 'phone')}: {100 * self.before:.0f}% of the answers were "
            f"right before the lesson, {100 * self.after:.0f}% after it."
        )
        if not self.has_interval:
            return f"{shares} A gain needs {LEAST_PHONES} phones or more."
        ends = f"{signed(100 * self.low)} and {signed(100 * self.high)} points"
        return f"{shares} The true gain lies between {ends} ({_LEVEL:.0%} interval)."


def measure_gain(lesson: str, quiz: Quiz) -> Gain:
    """Measure the gain of a class in one lesson."""
    finished = {
        phase: {phone for phone in quiz.responses[phase] if quiz.has_finished(phone, phase)}
        for phase in Phase
    }
    phones = sorted(finished[Phase.BEFORE] & finished[Phase.AFTER])
    n_questions = len(quiz.sheets[0].questions)
    before, after = (
        np.array([quiz.marks(phone, phase) for phone in phones], float).reshape(-1, n_questions)
        for phase in Phase
    )
    low, high = gain_interval(after.mean(axis=1) - before.mean(axis=1))
    return Gain(
        lesson,
        len(phones),
        len(finished[Phase.BEFORE]),
        len(finished[Phase.AFTER]),
        float(before.mean()) if phones else math.nan,
        float(after.mean()) if phones else math.nan,
        low,
        high,
        tuple(
            QuestionShares(
                f"Question {j + 1}",
                quiz.sheets[0].questions[j].text,
                float(before[:, j].mean()),
                float(after[:, j].mean()),
            )
            for j in range(n_questions)
            if phones
        ),
    )


def gain_interval(differences: FloatArray) -> tuple[float, float]:
    """Return the 95 % interval of the mean of differences of shares; NaN with too few.

    Student's interval, with one more phone that gained everything and one that lost everything:
    what Bonett and Price (J. Educ. Behav. Stat. 37, 2012) add to paired proportions. Without
    them, phones that all gain the same would have an interval of no width.
    """
    if len(differences) < LEAST_PHONES:
        return math.nan, math.nan
    padded = np.append(differences, [1.0, -1.0])
    error = float(padded.std(ddof=1)) / math.sqrt(len(padded))
    reach = float(t.ppf((1 + _LEVEL) / 2, len(padded) - 1)) * error
    middle = float(padded.mean())
    return max(middle - reach, -1.0), min(middle + reach, 1.0)


def gain_frame(gain: Gain) -> pd.DataFrame:
    """Tabulate the shares of a lesson in percent."""
    rows = [
        (f"{shares.title}, such as: {shares.example}", shares.before, shares.after)
        for shares in gain.questions
    ]
    rows.append(("All questions", gain.before, gain.after))
    return pd.DataFrame(
        {
            "question": [title for title, _, _ in rows],
            "right before (%)": [round(100 * before, 1) for _, before, _ in rows],
            "right after (%)": [round(100 * after, 1) for _, _, after in rows],
            "gain (percentage points)": [
                round(100 * (after - before), 1) for _, before, after in rows
            ],
        }
    )


def answers_frame(quizzes: Mapping[str, Quiz], polls: list[Poll]) -> pd.DataFrame:
    """Tabulate all answers of a class, a row for each; phones have numbers, no names."""
    rows = [
        (phone, lesson, phase.value, question.text, question.title_of(response),
         question.answer.right_title, question.is_right(response))
        for lesson, quiz in quizzes.items()
        for phase in Phase
        for phone, responses in sorted(quiz.responses[phase].items())
        for question, response in zip(
            quiz.sheet_of(phone, phase).questions, responses, strict=False
        )
    ]  # fmt: skip
    rows += [
        (phone, poll.lesson, "lesson", poll.question.text, poll.question.title_of(response),
         poll.question.answer.right_title, poll.question.is_right(response))
        for poll in polls
        for phone, response in sorted(poll.responses.items())
    ]  # fmt: skip
    columns = ["phone", "lesson", "phase", "question", "answer", "right answer", "is right"]
    return pd.DataFrame(rows, columns=columns)


def signed(points: float) -> str:
    """Write a number of points with its sign.

    >>> signed(12.4), signed(-3), signed(0)
    ('+12', '−3', '0')
    """
    text = f"{points:+.0f}"
    return "0" if text in ("+0", "-0") else text.replace("-", "−")
