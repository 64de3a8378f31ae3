"""Classes in memory: codes, keys, bounds, the hour; what counts as right; what a class gained."""

import math
import threading
from itertools import pairwise, product

import numpy as np
import pytest

from pages.learn.classroom import figures, gain, limiter, quiz, room, rooms
from pages.learn.classroom.questions import (
    ClassQuestion,
    LabelOrder,
    Options,
    Quantity,
    exercise_question,
    step_question,
)
from pages.learn.classroom.quiz import Phase, Quiz, QuizSheet
from pages.learn.classroom.room import ClassPart, Classroom, ClassScene
from pages.learn.classroom.rooms import Classrooms, Joined, JoinProblem
from pages.learn.exercises import TOPICS, sheet
from pages.learn.exercises.base import Choice, GivenTable, NumberAnswer
from pages.learn.lessons import LESSONS
from tests.app.test_lessons import told

WHICH = ClassQuestion("which", "Which?", Options(("tea", "water"), frozenset({1})), "Because.")


class Clock:
    """A clock that a test sets."""

    now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def classes(clock):
    return Classrooms(clock, ends_by_itself=False)


@pytest.fixture
def opened(classes):
    """The key and the room of a class."""
    key = classes.open("school")
    return key, classes.with_key(key)


def show_question(classroom, question=WHICH, **more):
    classroom.show(
        ClassScene(ClassPart.LESSON, "Neighbours", "Who?", "Step 1 of 9", question, **more)
    )


class TestCodesAndKeys:
    def test_a_phone_joins_by_the_code_as_people_type_it_and_comes_back_to_its_number(
        self, classes, opened
    ):
        _, classroom = opened
        typed = f" {classroom.code[:3].lower()} {classroom.code[3:]} "
        first = classes.join(typed, "browser 1", "school")
        assert first == Joined(classroom, 1)
        assert classes.join(classroom.code, "browser 2", "school") == Joined(classroom, 2)
        assert classes.join(classroom.code, "browser 1", "elsewhere") == first
        assert classroom.n_phones == 2

    def test_keys_have_256_bits_and_codes_no_letter_that_looks_like_another(self, classes):
        keys = [classes.open(f"school {i}") for i in range(20)]
        assert len(set(keys)) == 20
        assert all(len(key) == 43 for key in keys)
        codes = [classes.with_key(key).code for key in keys]
        assert len(set(codes)) == 20
        assert all(len(code) == 6 for code in codes)
        assert not set("".join(codes)) & set("AEIOULSZ0123456789")

    def test_neither_a_code_nor_another_key_opens_the_teachers_side(self, classes, opened):
        key, classroom = opened
        for wrong in (classroom.code, "", key[:-1], key + "x", key.lower()):
            assert classes.with_key(wrong) is None

    def test_wrong_codes_are_bounded_for_a_client_and_right_ones_are_refused_then(
        self, classes, opened, clock
    ):
        _, classroom = opened
        for _ in range(20):
            assert classes.join("XXXXXX", "stranger", "street") is JoinProblem.WRONG_CODE
        assert classes.join("XXXXXX", "stranger", "street") is JoinProblem.TOO_MANY_TRIES
        # Another browser at the same address is no way round.
        assert classes.join(classroom.code, "next", "street") is JoinProblem.TOO_MANY_TRIES
        assert isinstance(classes.join(classroom.code, "pupil", "school"), Joined)
        clock.now += 3
        assert isinstance(classes.join(classroom.code, "next", "street"), Joined)

    def test_wrong_codes_are_bounded_in_all_and_phones_in_the_class_do_not_notice(
        self, classes, opened
    ):
        _, classroom = opened
        joined = classes.join(classroom.code, "pupil", "school")
        tries = [classes.join("XXXXXX", "bot", f"bot {i}") for i in range(100)]
        assert tries.count(JoinProblem.WRONG_CODE) == 60
        assert classes.join(classroom.code, "late", "school") is JoinProblem.TOO_MANY_TRIES
        assert classes.join(classroom.code, "pupil", "school") == joined

    def test_forty_phones_of_one_school_join_at_once(self, classes, opened):
        _, classroom = opened
        for i in range(40):
            assert isinstance(classes.join(classroom.code, f"phone {i}", "school"), Joined)
        assert classroom.n_phones == 40

    def test_clients_that_failed_long_ago_are_forgotten(self, clock):
        bound = limiter.Limiter(2, 10**6, clock)
        for i in range(3 * limiter._MOST_CLIENTS):
            bound.take_token(f"client {i}")
        assert len(bound._clients) == limiter._MOST_CLIENTS


class TestTheHour:
    def test_a_room_is_gone_an_hour_after_the_teacher_and_phones_are_told(
        self, classes, opened, clock
    ):
        key, classroom = opened
        classes.join(classroom.code, "pupil", "school")
        clock.now += 3599
        assert classes.with_key(key) is classroom
        classroom.mark_used()
        clock.now += 3599
        # Phones do not keep it alive.
        assert isinstance(classes.join(classroom.code, "pupil", "school"), Joined)
        assert classes.version(classroom.code) == 0
        clock.now += 1
        assert classes.version(classroom.code) is None
        assert classes.with_key(key) is None
        assert classes.join(classroom.code, "pupil", "school") is JoinProblem.ENDED
        assert len(classes) == 0

    def test_it_is_gone_by_itself_when_nobody_asks(self, monkeypatch):
        monkeypatch.setattr(rooms, "SECONDS_WITHOUT_TEACHER", 0.05)
        classes = Classrooms()
        classes.open("school")
        deadline = threading.Event()
        for _ in range(100):
            deadline.wait(0.02)
            if not classes._by_code:
                break
        assert not classes._by_code
        assert not classes._codes

    def test_the_teacher_ends_it_at_once(self, classes, opened):
        key, classroom = opened
        classes.end(key)
        classes.end(key)
        assert classes.join(classroom.code, "pupil", "school") is JoinProblem.ENDED
        assert classes.with_key(key) is None


class TestFloods:
    def test_rooms_are_bounded_for_a_client(self, classes, clock):
        keys = [classes.open("one") for _ in range(20)]
        assert sum(key is not None for key in keys) == 8
        clock.now += 60
        assert classes.open("one") is not None

    def test_rooms_are_bounded_and_empty_ones_go_first(self, classes, clock):
        key = classes.open("teacher")
        classroom = classes.with_key(key)
        classes.join(classroom.code, "pupil", "school")
        for i in range(100):
            clock.now += 10
            classes.open(f"bot {i}")
        assert len(classes) == rooms.MOST_ROOMS
        assert classes.with_key(key) is classroom

    def test_with_rooms_full_of_phones_no_other_is_opened(self, classes, clock):
        for i in range(rooms.MOST_ROOMS):
            clock.now += 10
            code = classes.with_key(classes.open(f"teacher {i}")).code
            classes.join(code, "pupil", "school")
        clock.now += 10
        assert classes.open("one more") is None

    def test_phones_are_bounded(self, classes, opened):
        _, classroom = opened
        for i in range(room.MOST_PHONES):
            classes.join(classroom.code, f"phone {i}", "school")
        assert classes.join(classroom.code, "one more", "school") is JoinProblem.FULL
        assert isinstance(classes.join(classroom.code, "phone 0", "school"), Joined)

    def test_answers_are_kept_to_the_last_forty_questions(self, opened):
        _, classroom = opened
        phone = classroom.join("pupil")
        for i in range(2 * room.MOST_QUESTIONS):
            question = ClassQuestion(str(i), "Which?", WHICH.answer)
            show_question(classroom, question)
            assert classroom.answer(phone, question.key, (0,))
        polls = classroom.polls
        assert len(polls) == room.MOST_QUESTIONS
        assert polls[-1].question.key == "79"

    def test_the_last_answer_counts_and_none_counts_twice(self, opened):
        _, classroom = opened
        phone = classroom.join("pupil")
        show_question(classroom)
        for response in ((0,), (1,), (1,)):
            assert classroom.answer(phone, "which", response)
        assert classroom.poll(WHICH) == {1: (1,)}

    def test_nothing_but_answers_is_kept(self, opened):
        _, classroom = opened
        phone = classroom.join("pupil")
        show_question(classroom)
        for response in ((2,), (0, 1), (), (-1,), (0, 0), "tea" * 10**6, 1.0, [0], {"a": 1}):
            assert not classroom.answer(phone, "which", response)
        assert not classroom.answer(99, "which", (0,))
        assert not classroom.answer(phone, "other", (0,))
        assert classroom.poll(WHICH) == {}

    def test_no_answer_counts_once_it_is_revealed_or_the_class_has_gone_on(self, opened):
        _, classroom = opened
        phone = classroom.join("pupil")
        show_question(classroom)
        classroom.answer(phone, "which", (0,))
        show_question(classroom, is_revealed=True)
        assert not classroom.answer(phone, "which", (1,))
        assert classroom.response_of(phone) == (True, (0,))
        show_question(classroom, ClassQuestion("next", "And now?", WHICH.answer))
        assert not classroom.answer(phone, "which", (1,))
        assert classroom.response_of(phone) == (False, None)

    def test_changed_rows_make_it_another_question(self, opened):
        _, classroom = opened
        phone = classroom.join("pupil")
        show_question(classroom)
        classroom.answer(phone, "which", (0,))
        other = ClassQuestion("which", "Which?", Options(("milk", "water"), frozenset({0})))
        show_question(classroom, other)
        assert classroom.poll(other) == {}
        assert classroom.answer(phone, "which", (1,))
        assert classroom.poll(other) == {1: (1,)}

    def test_what_is_shown_again_moves_no_phone(self, opened):
        _, classroom = opened
        show_question(classroom)
        version = classroom.version
        show_question(classroom)
        assert classroom.version == version
        show_question(classroom, is_revealed=True)
        assert classroom.version == version + 1


def test_two_classes_do_not_cross(classes):
    first, second = (classes.with_key(classes.open("school")) for _ in range(2))
    phone = classes.join(first.code, "pupil", "school").phone
    assert classes.join(second.code, "pupil", "school").room is second
    show_question(first)
    show_question(second)
    first.answer(phone, "which", (0,))
    assert first.poll(WHICH) == {1: (0,)}
    assert second.poll(WHICH) == {}
    # The same browser has another digest in every room.
    assert not set(first._phones) & set(second._phones)


def test_many_threads_at_once_lose_nothing(classes, opened):
    _, classroom = opened
    show_question(classroom)
    start = threading.Barrier(8)
    numbers = [set() for _ in range(8)]

    def work(thread):
        start.wait()
        for i in range(100):
            joined = classes.join(classroom.code, f"phone {i}", "school")
            numbers[thread].add((i, joined.phone))
            joined.room.answer(joined.phone, "which", (i % 2,))
            classes.version(classroom.code)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # Every phone has one number, whichever thread it came from.
    assert all(pairs == numbers[0] for pairs in numbers)
    assert sorted(number for _, number in numbers[0]) == list(range(1, 101))
    assert len(classroom.poll(WHICH)) == 100


@pytest.mark.parametrize(
    ("lesson", "place"),
    [(lesson, place) for lesson in LESSONS for place in range(len(lesson.examples))],
    ids=lambda value: getattr(value, "key", value),
)
def test_every_question_of_a_lesson_can_be_answered_right_on_a_phone(lesson, place):
    setting, steps = told(lesson.key, place)
    questions = [step_question(step, str(i), setting.names) for i, step in enumerate(steps)]
    assert sum(question is not None for question in questions) > len(steps) / 2
    for question in filter(None, questions):
        right = {
            Options: lambda answer: tuple(sorted(answer.right)),
            LabelOrder: lambda answer: answer.order,
            Quantity: lambda answer: answer.value,
        }[type(question.answer)](question.answer)
        if isinstance(question.answer, Options) and not question.answer.several:
            right = right[:1]
        assert question.accepts(right), question
        assert question.is_right(right)
        assert not question.is_right(None)
        assert question.reason
        bars = question.count([right, right, None])
        assert any(bar.is_right and bar.count == 2 for bar in bars), (question, bars)
        assert bars[-1].count == 1
        assert bars[-1].title == "I do not know"


def test_of_several_options_none_may_be_right_and_is_an_answer():
    question = ClassQuestion("q", "Which?", Options(("a", "b"), frozenset(), several=True))
    assert question.is_right(())
    assert not question.is_right((0,))
    assert not question.is_right(None)
    assert [bar.count for bar in question.count([(), (), (0, 1)])] == [1, 1, 2]


def test_numbers_are_counted_in_ranges_of_one_width_and_few_numbers_each():
    # 2.0 to 3.0 in six: 2, 2.17, 2.33, 2.5, 2.67, 2.83; the end belongs to the last.
    wide = ClassQuestion("q", "How many?", Quantity(2.4, 0.05, 2, 2.0, 3.0, 0.05))
    bars = wide.count([2.0, 2.1, 2.4, 3.0])
    assert [bar.count for bar in bars] == [2, 0, 1, 0, 0, 1]
    assert [bar.is_right for bar in bars] == [False, False, True, False, False, False]
    few = ClassQuestion("q", "How many?", Quantity(2.0, 0.0, 0, 1.0, 4.0, 1.0))
    assert [(bar.title, bar.count) for bar in few.count([2.0, 2.0, 4.0])] == [
        *(("1", 0), ("2", 2), ("3", 0), ("4", 1)),
    ]
    assert not few.accepts(5.0)
    assert not few.accepts(math.nan)


def test_of_many_labels_the_first_is_counted():
    names = ("a", "b", "c", "d")
    question = ClassQuestion("q", "Order?", LabelOrder(names, (2, 0, 1, 3)))
    bars = question.count([(2, 0, 1, 3), (2, 1, 0, 3), (0, 1, 2, 3)])
    assert [(bar.title, bar.count, bar.is_right) for bar in bars] == [
        ("a first", 1, False), ("b first", 0, False), ("c first", 2, True), ("d first", 0, False),
    ]  # fmt: skip
    assert question.title_of((2, 0, 1, 3)) == "c > a > b > d"
    assert not question.accepts((2, 0, 1))


class TestTheTest:
    """The test before and after a lesson."""

    def test_every_lesson_has_one(self):
        assert all(quiz.has_quiz(lesson.name) for lesson in LESSONS)
        assert not quiz.has_quiz("Aggregation playground")

    @pytest.mark.parametrize("topic", TOPICS)
    def test_it_asks_what_the_exercises_ask_and_takes_the_same_answers_as_right(self, topic):
        exercises = sheet(topic, 12).exercises
        for exercise in exercises:
            question = exercise_question(exercise, "q")
            assert question.text == exercise.question
            match exercise.answer:
                case NumberAnswer(value=value, decimals=decimals):
                    near = value + 10.0**-decimals
                    tries = [value, near, value + 10 * 10.0**-decimals]
                    expected = [exercise.answer.is_right(number) for number in tries]
                case Choice(options=options):
                    tries = [(i,) for i in range(len(options))]
                    expected = [exercise.answer.is_right(option) for option in options]
                case several:
                    chosen = product((False, True), repeat=len(several.options))
                    tries = [tuple(i for i, has in enumerate(c) if has) for c in chosen]
                    names = several.options
                    expected = [several.is_right([names[i] for i in c]) for c in tries]
            assert [question.is_right(response) for response in tries] == expected
            assert all(question.accepts(response) for response in tries)

    def test_sheets_are_drawn_fresh_from_seeds_that_no_exercise_has(self):
        sheets = [quiz.draw_sheets("Measures") for _ in range(2)]
        assert all(len(drawn) == quiz.N_SHEETS for drawn in sheets)
        assert sheets[0] != sheets[1]
        assert min(quiz._draw_seeds()) > 9999

    def test_every_sheet_is_before_for_some_and_after_for_as_many_others(self):
        test = Quiz(tuple(range(quiz.N_SHEETS)))
        phones = range(1, 41)
        before = [test.sheet_of(phone, Phase.BEFORE) for phone in phones]
        after = [test.sheet_of(phone, Phase.AFTER) for phone in phones]
        assert sorted(before) == sorted(after)
        assert all(a != b for a, b in zip(before, after, strict=True))
        assert all(a != b for a, b in pairwise(before))

    def test_phones_go_through_it_in_order_and_once(self, opened):
        _, classroom = opened
        phone = classroom.join("pupil")
        classroom.start_quiz("Neighbours", lambda: SHEETS)
        assert not classroom.answer_quiz(phone, Phase.BEFORE, 0, (0,))
        classroom.show(ClassScene(ClassPart.BEFORE, "Neighbours"))
        assert classroom.quiz_page(phone).question is SHEETS[0].questions[0]
        assert not classroom.answer_quiz(phone, Phase.AFTER, 0, (0,))
        assert not classroom.answer_quiz(phone, Phase.BEFORE, 1, (0,))
        assert not classroom.answer_quiz(phone, Phase.BEFORE, 0, (7,))
        assert classroom.answer_quiz(phone, Phase.BEFORE, 0, (1,))
        assert not classroom.answer_quiz(phone, Phase.BEFORE, 0, (0,))
        assert classroom.answer_quiz(phone, Phase.BEFORE, 1, None)
        assert classroom.n_finished("Neighbours", Phase.BEFORE) == 1
        assert classroom.quiz_page(phone).question is None
        assert not classroom.answer_quiz(phone, Phase.BEFORE, 2, (0,))
        assert classroom.marks(phone, Phase.BEFORE) == [True, False]

    def test_what_is_kept_counts_and_can_be_changed_until_the_phone_goes_on(self, opened):
        _, classroom = opened
        phone = classroom.join("pupil")
        classroom.start_quiz("Neighbours", lambda: SHEETS)
        classroom.show(ClassScene(ClassPart.BEFORE, "Neighbours"))
        assert classroom.answer_quiz(phone, Phase.BEFORE, 0, (0,), is_final=False)
        assert classroom.answer_quiz(phone, Phase.BEFORE, 0, (1,), is_final=False)
        assert classroom.quiz_page(phone).number == 0
        assert classroom.quiz_page(phone).kept == (1,)
        assert classroom.marks(phone, Phase.BEFORE) == [True]
        assert classroom.answer_quiz(phone, Phase.BEFORE, 0, (0,))
        # What comes late is about a question that the phone has done with.
        assert not classroom.answer_quiz(phone, Phase.BEFORE, 0, (1,), is_final=False)
        assert classroom.quiz_page(phone).number == 1
        assert classroom.quiz_page(phone).kept is None
        assert classroom.answer_quiz(phone, Phase.BEFORE, 1, (1,), is_final=False)
        assert classroom.n_finished("Neighbours", Phase.BEFORE) == 0
        assert classroom.quizzes["Neighbours"].has_finished(phone, Phase.BEFORE)
        assert classroom.marks(phone, Phase.BEFORE) == [False, True]

    def test_its_sheets_stay_when_the_teacher_comes_back_to_it(self, opened):
        _, classroom = opened
        classroom.start_quiz("Neighbours", lambda: SHEETS)
        classroom.start_quiz("Neighbours", lambda: pytest.fail("drawn again"))
        assert classroom.quizzes["Neighbours"].sheets is SHEETS


SHEETS = tuple(
    QuizSheet("A story.", GivenTable(("a",), (("1",),)), (WHICH, WHICH)) for _ in range(8)
)


def taken(before, after):
    """A test of two questions: how many phones had which answers right, before and after."""
    test = Quiz(SHEETS)
    for phase, marks in ((Phase.BEFORE, before), (Phase.AFTER, after)):
        for phone, right in marks.items():
            test.responses[phase][phone] = [(int(one),) for one in right]
    return test


class TestGain:
    def test_only_phones_that_finished_both_tests_count(self):
        # Phones 1 to 5 took both: before 0, 0, 1, 0, 1 of 2 right, after 2, 1, 2, 1, 2 of 2.
        before = {1: "00", 2: "00", 3: "10", 4: "00", 5: "01", 6: "11", 7: "1"}
        after = {1: "11", 2: "10", 3: "11", 4: "01", 5: "11", 7: "11", 8: "00"}
        measured = gain.measure_gain("Neighbours", taken(*map(as_bits, (before, after))))
        assert (measured.n_phones, measured.n_before, measured.n_after) == (5, 6, 7)
        # 2 of 10 right, then 8 of 10.
        assert (measured.before, measured.after) == (0.2, 0.8)
        assert measured.difference == pytest.approx(0.6)
        assert [(s.before, s.after) for s in measured.questions] == [(0.2, 0.8), (0.2, 0.8)]
        # Differences 1, 1/2, 1/2, 1/2, 1/2 and the two added, 1 and -1: mean 3/7,
        # variance (4 * (1/14)^2 + 2 * (4/7)^2 + (10/7)^2) / 6 = 0.4524, so 2.447 * 0.2542 = 0.622.
        assert measured.low == pytest.approx(3 / 7 - 0.622, abs=1e-3)
        assert measured.high == 1.0
        assert measured.verdict == "The tests do not show whether the class gained or lost."

    def test_the_picture_and_the_sentence_take_one_direction(self):
        phones = range(1, 21)
        low, high = (as_bits(dict.fromkeys(phones, bits)) for bits in ("00", "11"))
        for before, after, direction, verb in (
            (low, high, "up", "gained 100"), (high, low, "down", "lost 100"),
            (low, low, "", "do not show"),
        ):  # fmt: skip
            measured = gain.measure_gain("x", taken(before, after))
            assert verb in measured.verdict
            drawn = figures.gain_markup(measured)
            assert f'<li class="interval {direction}">' in drawn
            assert f"<b>{gain.signed(measured.points)}</b> points" in drawn
        assert "interval" not in figures.gain_markup(
            gain.measure_gain("x", taken(as_bits({1: "00"}), as_bits({1: "11"})))
        )

    def test_a_clear_gain_is_one_sentence_and_so_is_a_loss(self):
        phones = range(1, 21)
        low, high = (dict.fromkeys(phones, bits) for bits in ("00", "11"))
        measured = gain.measure_gain("x", taken(*map(as_bits, (low, high))))
        assert measured.verdict == "The class gained 100 percentage points."
        assert 0.5 < measured.low < 1
        assert measured.interval_sentence.startswith(
            "20 phones: 0% of the answers were right before the lesson, 100% after it."
        )
        lost = gain.measure_gain("x", taken(*map(as_bits, (high, low))))
        assert lost.verdict == "The class lost 100 percentage points."

    def test_with_few_phones_no_interval_is_promised(self):
        four = as_bits(dict.fromkeys(range(1, 5), "00"))
        measured = gain.measure_gain("x", taken(four, as_bits(dict.fromkeys(four, "11"))))
        assert not measured.has_interval
        assert measured.verdict == "4 phones took both tests. That is too few to measure a gain."
        assert "A gain needs 5 phones or more." in measured.interval_sentence
        nobody = gain.measure_gain("x", taken({}, {}))
        assert nobody.verdict == "No phone has finished both tests yet."
        assert nobody.questions == ()

    @pytest.mark.parametrize("n_phones", [5, 8, 20, 40])
    @pytest.mark.parametrize(("before", "after"), [(0.2, 0.9), (0.5, 0.5), (0.4, 0.6), (0.9, 0.97)])
    def test_the_interval_holds_the_true_gain_in_95_of_100_classes(self, n_phones, before, after):
        rng = np.random.default_rng(0)
        held = []
        for _ in range(1000):
            marks = [rng.random((n_phones, 3)) < share for share in (before, after)]
            low, high = gain.gain_interval(marks[1].mean(axis=1) - marks[0].mean(axis=1))
            held.append(low <= after - before <= high)
        assert np.mean(held) >= 0.95

    def test_the_answers_to_take_along_have_numbers_and_no_names(self, opened):
        _, classroom = opened
        phone = classroom.join("a secret cookie")
        show_question(classroom)
        classroom.answer(phone, "which", (1,))
        test = taken(as_bits({1: "01"}), as_bits({1: "11"}))
        frame = gain.answers_frame({"Neighbours": test}, classroom.polls)
        assert frame.columns.tolist() == [
            *("phone", "lesson", "phase", "question", "answer", "right answer", "is right"),
        ]
        assert frame["phase"].tolist() == ["before", "before", "after", "after", "lesson"]
        assert frame["answer"].tolist() == ["tea", "water", "water", "water", "water"]
        assert frame["is right"].tolist() == [False, True, True, True, True]
        assert "cookie" not in frame.to_csv()


def as_bits(marks):
    return {phone: [bit == "1" for bit in bits] for phone, bits in marks.items()}


def test_a_room_keeps_no_cookie():
    classroom = Classroom("CODE", b"salt", lambda: 0.0)
    classroom.join("a secret cookie")
    assert "a secret cookie" not in repr(vars(classroom))
