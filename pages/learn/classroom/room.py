"""A class in memory: where it is in the lesson, its phones by number, and their answers."""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import blake2b
from threading import RLock

from pages.learn.classroom.questions import ClassQuestion, Response
from pages.learn.classroom.quiz import Phase, Quiz, QuizSheet

MOST_PHONES = 150
# The answers to the oldest question of the lesson go when there are more; tests stay.
MOST_QUESTIONS = 40
MOST_QUIZZES = 12


class ClassPart(StrEnum):
    """A part of a class, by its title on the screen."""

    JOIN = "Join"
    BEFORE = "Test before"
    LESSON = "Lesson"
    AFTER = "Test after"
    GAIN = "Gain"

    @property
    def phase(self) -> Phase | None:
        """The time of the test, None where there is none."""
        return {ClassPart.BEFORE: Phase.BEFORE, ClassPart.AFTER: Phase.AFTER}.get(self)


@dataclass(frozen=True)
class ClassScene:
    """The state of all phones: a part, and in a lesson the step with its question.

    `stop` is the name of the stop in links, for other windows of the teacher.
    """

    part: ClassPart = ClassPart.JOIN
    lesson: str = ""
    step_title: str = ""
    step_text: str = ""
    question: ClassQuestion | None = None
    is_revealed: bool = False
    stop: str = ""


@dataclass(frozen=True)
class Poll:
    """The answers to one question of a lesson, by the numbers of phones."""

    lesson: str
    question: ClassQuestion
    responses: Mapping[int, Response]


@dataclass(frozen=True)
class QuizPage:
    """The next question of a phone's test, None when it is done; the number counts from 0.

    `kept` is the response to it that is not sent yet.
    """

    sheet: QuizSheet
    number: int
    kept: Response = None

    @property
    def question(self) -> ClassQuestion | None:
        """The question to answer now."""
        questions = self.sheet.questions
        return questions[self.number] if self.number < len(questions) else None


class Classroom:
    """One class. Every method may be called by any thread; nothing of it is on disk.

    A browser is known by a digest that only this room can make, and has a number; no names.
    """

    def __init__(self, code: str, salt: bytes, clock: Callable[[], float]) -> None:
        """Open a room with a code for phones; the clock counts seconds."""
        self.code = code
        self._salt, self._clock = salt, clock
        self._lock = RLock()
        self._used_at = clock()
        self._scene, self._version = ClassScene(), 0
        self._phones: dict[bytes, int] = {}
        self._polls: OrderedDict[str, Poll] = OrderedDict()
        self._quizzes: dict[str, Quiz] = {}

    def mark_used(self) -> None:
        """Start the hour again after which the room is gone."""
        with self._lock:
            self._used_at = self._clock()

    @property
    def used_at(self) -> float:
        """When the teacher has last done something, by the clock."""
        with self._lock:
            return self._used_at

    @property
    def n_phones(self) -> int:
        """The number of phones that have joined."""
        with self._lock:
            return len(self._phones)

    @property
    def version(self) -> int:
        """The number of changes of the scene."""
        with self._lock:
            return self._version

    @property
    def scene(self) -> ClassScene:
        """The scene that all phones show now."""
        with self._lock:
            return self._scene

    def show(self, scene: ClassScene) -> None:
        """Let all phones show a scene."""
        with self._lock:
            if scene != self._scene:
                self._scene = scene
                self._version += 1

    def start_quiz(self, lesson: str, make_sheets: Callable[[], tuple[QuizSheet, ...]]) -> None:
        """Give a lesson its test, if it has none yet."""
        with self._lock:
            if lesson in self._quizzes:
                return
        sheets = make_sheets()
        with self._lock:
            if len(self._quizzes) < MOST_QUIZZES:
                self._quizzes.setdefault(lesson, Quiz(sheets))

    def poll(self, question: ClassQuestion) -> dict[int, Response]:
        """Return the answers to a question of the lesson, by the numbers of phones."""
        with self._lock:
            poll = self._polls.get(question.key)
            return dict(poll.responses) if poll is not None and poll.question == question else {}

    @property
    def polls(self) -> list[Poll]:
        """The questions of the lessons with their answers, the oldest first."""
        with self._lock:
            return list(self._polls.values())

    def n_finished(self, lesson: str, phase: Phase) -> int:
        """Count the phones that have answered the whole test."""
        with self._lock:
            quiz = self._quizzes.get(lesson)
            if quiz is None:
                return 0
            return sum(quiz.has_finished(phone, phase) for phone in quiz.responses[phase])

    @property
    def quizzes(self) -> dict[str, Quiz]:
        """Copies of the tests, by lesson."""
        with self._lock:
            return {
                lesson: Quiz(
                    quiz.sheets,
                    {
                        phase: {phone: list(responses) for phone, responses in by_phone.items()}
                        for phase, by_phone in quiz.responses.items()
                    },
                )
                for lesson, quiz in self._quizzes.items()
            }

    def knows(self, visitor: str) -> bool:
        """Tell whether a browser has joined."""
        with self._lock:
            return self._digest(visitor) in self._phones

    def join(self, visitor: str) -> int | None:
        """Return the number of a browser, a new one for a new browser; None: the room is full."""
        digest = self._digest(visitor)
        with self._lock:
            if digest not in self._phones:
                if len(self._phones) >= MOST_PHONES:
                    return None
                self._phones[digest] = len(self._phones) + 1
            return self._phones[digest]

    def answer(self, phone: int, key: str, response: Response) -> bool:
        """Take an answer to the question that is open now, in place of an earlier one.

        False: another question is open by now, or none, or the response cannot be one.
        """
        with self._lock:
            scene = self._scene
            question = scene.question
            if (
                question is None
                or question.key != key
                or scene.is_revealed
                or scene.part is not ClassPart.LESSON
                or not 1 <= phone <= len(self._phones)
                or not question.accepts(response)
            ):
                return False
            poll = self._polls.get(key)
            # Rows that the teacher has changed since make it another question.
            if poll is None or poll.question != question:
                poll = Poll(scene.lesson, question, {})
                self._polls.pop(key, None)
            self._polls[key] = replace(poll, responses={**poll.responses, phone: response})
            if len(self._polls) > MOST_QUESTIONS:
                self._polls.popitem(last=False)
            return True

    def response_of(self, phone: int) -> tuple[bool, Response]:
        """Tell whether a phone has answered the question that is shown, and its response."""
        with self._lock:
            question = self._scene.question
            responses = {} if question is None else self.poll(question)
            return phone in responses, responses.get(phone)

    def quiz_page(self, phone: int) -> QuizPage | None:
        """Return where a phone is in the test that is open now, None without one."""
        with self._lock:
            phase, quiz = self._scene.part.phase, self._quizzes.get(self._scene.lesson)
            if phase is None or quiz is None:
                return None
            kept = quiz.kept_response(phone, phase)
            return QuizPage(quiz.sheet_of(phone, phase), quiz.n_answered(phone, phase), kept)

    def answer_quiz(
        self, phone: int, phase: Phase, number: int, response: Response, *, is_final: bool = True
    ) -> bool:
        """Take the answer to the next question of a phone's test, if that test is open now.

        One that is not final can be changed until the phone goes on; it counts as well.
        """
        with self._lock:
            quiz = self._quizzes.get(self._scene.lesson)
            if self._scene.part.phase is not phase or quiz is None:
                return False
            if not 1 <= phone <= len(self._phones):
                return False
            return quiz.add(phone, phase, number, response, is_final=is_final)

    def marks(self, phone: int, phase: Phase) -> list[bool]:
        """Tell of a phone's answers in the test of this lesson whether they are right."""
        with self._lock:
            quiz = self._quizzes.get(self._scene.lesson)
            return [] if quiz is None else quiz.marks(phone, phase)

    def _digest(self, visitor: str) -> bytes:
        return blake2b(visitor.encode(), key=self._salt, digest_size=16).digest()
