"""A class on its pages: what the teacher and the phones see, move by move."""

import html
import re
from urllib.parse import unquote

import pytest

from pages.learn.classroom import address, phone, quiz, rooms, teacher
from pages.learn.classroom.quiz import Phase
from pages.learn.lessons import LESSONS
from tests.app.visits import drawn, ran, session

LEARN = "pages/learn/page.py"


class Clock:
    """A clock that a test sets."""

    now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture(autouse=True)
def classes(monkeypatch, clock):
    """A server on which no class was opened before."""
    fresh = rooms.Classrooms(clock, ends_by_itself=False)
    for module in (teacher, phone):
        monkeypatch.setattr(module, "CLASSROOMS", fresh)
        # AppTest knows no network.
        monkeypatch.setattr(module, "client_address", lambda: "school")
    return fresh


def opened(lesson="Neighbours"):
    """A teacher who has opened a class in a lesson, and its code."""
    app = session(LEARN, lesson=lesson)
    ran(app.button(key="class_open_button").click().run())
    (code,) = re.findall(r'<p class="code">(\w+)</p>', page_text(app))
    return app, code


def parameter(app, name):
    """A query parameter, of which AppTest may have a list."""
    value = app.query_params[name]
    return value if isinstance(value, str) else value[0]


def joined(code):
    return session(LEARN, **{"class": code})


def page_text(app):
    """All sentences of a page, and the words on its buttons."""
    markdown = [element.value for element in (*app.markdown, *app.caption, *app.info)]
    alerts = [element.value for element in (*app.success, *app.warning)]
    return " ".join([*drawn(app), *markdown, *alerts])


def choose_part(app, part):
    return ran(app.segmented_control(key="class_part").set_value(part).run())


def go_on(app, key="knn"):
    return ran(app.button(key=f"step_{key}-Right").click().run())


def labels(app):
    return [button.label for button in app.button]


def tap(app, label):
    (button,) = [button for button in app.button if button.label == label]
    return ran(button.click().run())


def counts(app):
    """The histogram: the numbers of phones for each answer, in order."""
    return [int(n) for n in re.findall(r"<b>(\d+)</b></li>", page_text(app))]


def test_a_class_is_opened_in_a_lesson_and_its_key_is_in_no_link_that_is_shared(classes):
    app, code = opened()
    key = parameter(app, "class_key")
    assert classes.with_key(key).code == code
    assert parameter(app, "present") == "1"
    assert key not in "".join(str(element.proto) for element in app.main)
    assert "class_open_button" not in [button.key for button in app.button]


def test_phones_answer_the_step_the_teacher_reveals_and_all_go_on_together():
    app, code = opened()
    first, second = joined(code), joined(code)
    assert "You are in." in page_text(first)
    assert f"Class {code}, phone 2" in page_text(second)
    choose_part(app, "Lesson")
    first.run()
    assert "Which ranking do you expect for it?" in page_text(first)
    go_on(app)
    for device in (first, second):
        ran(device.run())
        assert "Step 2 of 9: Who counts?" in page_text(device)
    # Every tap is kept; no button has to be hit before the page is drawn anew.
    assert "Send" not in labels(first)
    ran(first.button_group[0].set_value([0, 3]).run())
    assert "Your answer: <b>Mon, Thu</b>. Wait for the teacher." in page_text(first)
    ran(second.button_group[0].set_value([0, 3, 4]).run())
    ran(app.run())
    assert "<b>2</b> of 2 phones have answered" in page_text(app)
    assert counts(app) == [2, 0, 0, 2, 1, 0, 0, 0, 0]
    assert 'class="right"' not in page_text(app)
    assert "Reveal" in labels(app)
    go_on(app)
    assert page_text(app).count('<li class="right">') == 3
    ran(first.run())
    assert "You answered Mon, Thu. The right answer is **Mon, Thu, Fri**." in page_text(first)
    ran(second.run())
    assert "Right: **Mon, Thu, Fri**." in page_text(second)


def test_a_typed_number_is_kept_at_once():
    app, code = opened()
    device = joined(code)
    choose_part(app, "Lesson")
    ran(app.selectbox(key="step_knn").set_value("Mean ranks").run())
    ran(device.run())
    ran(device.number_input[0].set_value(2.5).run())
    assert "Your answer: <b>2.50</b>." in page_text(device)
    ran(app.run())
    assert sum(counts(app)) == 1
    ran(device.number_input[0].set_value(2.33).run())
    tap(device, "Send")
    assert "Your answer: <b>2.33</b>." in page_text(device)
    ran(app.run())
    assert sum(counts(app)) == 1


def test_nothing_is_sent_by_a_slip_and_none_of_them_is_an_answer():
    app, code = opened()
    device = joined(code)
    choose_part(app, "Lesson")
    go_on(app)
    ran(device.run())
    ran(device.button_group[0].set_value([2]).run())
    ran(device.button_group[0].set_value([]).run())
    assert "Your answer: <b>Wed</b>." in page_text(device)
    tap(device, "None of them")
    ran(app.run())
    assert counts(app)[-1] == 1
    assert "Your answer: <b>none of them</b>." in page_text(device)


def test_one_tap_is_an_answer_and_another_tap_changes_it():
    app, code = opened()
    device = joined(code)
    choose_part(app, "Lesson")
    ran(device.run())
    orders = [label for label in labels(device) if "tea" in label]
    assert len(orders) == 6
    for order in orders[:2]:
        tap(device, order)
    ran(app.run())
    assert counts(app) == [0, 1, 0, 0, 0, 0]


def test_a_guess_that_is_compared_at_the_end_is_revealed_there():
    app, code = opened()
    device = joined(code)
    choose_part(app, "Lesson")
    ran(device.run())
    tap(device, next(label for label in labels(device) if "tea" in label))
    ran(app.selectbox(key="step_knn").set_value("The answer").run())
    ran(device.run())
    assert "Step 9 of 9: The answer" in page_text(device)
    assert "Which ranking do you expect" in page_text(device)
    assert "The right answer is" in page_text(device)
    assert counts(app)[0] == 1


def test_two_classes_at_once_do_not_cross():
    (app, code), (other, other_code) = opened(), opened("Trees")
    device, other_device = joined(code), joined(other_code)
    choose_part(app, "Lesson")
    choose_part(other, "Lesson")
    ran(device.run())
    ran(other_device.run())
    tap(device, next(label for label in labels(device) if "tea" in label))
    ran(app.run())
    ran(other.run())
    assert sum(counts(app)) == 1
    assert sum(counts(other)) == 0
    assert code not in page_text(other_device)


def test_a_phone_of_no_class_is_told_why_and_can_type_a_code():
    _app, code = opened()
    device = joined("XXXXXX")
    assert "No class has this code." in page_text(device)
    device.text_input(key="class_code").set_value(f" {code.lower()} ")
    ran(device.button(key="class_join").click().run())
    assert "You are in." in page_text(device)
    assert parameter(device, "class") == code
    empty = joined("")
    assert "Join a class" in page_text(empty)
    assert not empty.warning


def test_a_late_phone_is_told_where_the_class_is():
    app, code = opened()
    choose_part(app, "Lesson")
    go_on(app)
    late = joined(code)
    assert "You are in. The class is at step 2 of 9 already." in page_text(late)
    go_on(app)
    assert "already" not in page_text(ran(late.run()))


def test_a_class_that_has_ended_says_so_to_the_teacher_and_to_phones(clock):
    app, code = opened()
    device = joined(code)
    clock.now += rooms.SECONDS_WITHOUT_TEACHER + 1
    assert "This class is over. Its answers are deleted." in page_text(ran(device.run()))
    ran(app.run())
    assert "A class ends by itself one hour after you have last used it." in page_text(app)
    assert "class_key" not in app.query_params
    assert "class_open_button" in [button.key for button in app.button]


def test_the_teacher_ends_it_by_a_button():
    app, code = opened()
    device = joined(code)
    ran(app.button(key="class_end").click().run())
    assert "The class is over. Its answers are deleted." in page_text(app)
    assert "This class is over." in page_text(ran(device.run()))


def test_with_its_key_another_window_teaches_the_same_class():
    app, code = opened()
    choose_part(app, "Lesson")
    key = parameter(app, "class_key")
    other = session(LEARN, class_key=key)
    assert code in page_text(other)
    assert other.segmented_control(key="class_part").value == "Lesson"
    stranger = session(LEARN, class_key=key[:-1])
    assert code not in page_text(stranger)


def test_another_window_begins_where_the_class_is_and_moves_no_phone(classes):
    app, _ = opened()
    choose_part(app, "Lesson")
    ran(app.segmented_control(key="lesson").set_value("Counts").run())
    for _ in range(3):
        go_on(app, "mlknn")
    key = parameter(app, "class_key")
    classroom = classes.with_key(key)
    scene, version = classroom.scene, classroom.version
    assert scene.step_text != "Step 1 of 7"
    other = session(LEARN, class_key=key)
    assert (classroom.scene, classroom.version) == (scene, version)
    assert other.selectbox(key="step_mlknn").value == scene.stop
    # An address that names a place has its way.
    session(LEARN, class_key=key, lesson="Trees")
    assert classroom.scene.lesson == "Trees"


def test_too_many_classes_are_refused_in_words():
    for _ in range(8):
        opened()
    app = session(LEARN)
    ran(app.button(key="class_open_button").click().run())
    assert "Too many classes are open on this server now." in page_text(app)
    assert "class_key" not in app.query_params


def test_parts_of_a_class_keep_the_step_of_the_lesson():
    app, _ = opened()
    choose_part(app, "Lesson")
    go_on(app)
    choose_part(app, "Join")
    assert "Next" not in labels(app)
    choose_part(app, "Lesson")
    assert app.selectbox(key="step_knn").value == "Who counts?"


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)
def test_every_step_of_every_lesson_can_be_taught(lesson, classes):
    app, code = opened(lesson.name)
    classroom = classes.with_key(parameter(app, "class_key"))
    device = joined(code)
    choose_part(app, "Lesson")
    n_questions = 0
    for _ in range(30):
        ran(device.run())
        question = classroom.scene.question
        if question is not None:
            assert html.escape(question.text) in page_text(device)
            n_questions += 1
        button = app.button(key=f"step_{lesson.key}-Right")
        if button.disabled:
            break
        ran(button.click().run())
    assert n_questions > 3


def test_a_class_goes_from_lesson_to_lesson_and_to_the_playground():
    app, code = opened()
    device = joined(code)
    choose_part(app, "Lesson")
    ran(app.segmented_control(key="lesson").set_value("Trees").run())
    assert "Step 1 of" in page_text(ran(device.run()))
    ran(app.segmented_control(key="lesson").set_value("Aggregation playground").run())
    assert "Look at the screen in front." in page_text(ran(device.run()))


class TestTheTest:
    """Before and after the lesson."""

    def take(self, device, right):
        """Answer the three questions, so many of them right."""
        for number in range(3):
            ran(device.run())
            assert f"question {number + 1} of 3" in page_text(device)
            if number < right:
                self.answer_right(device)
            else:
                tap(device, "I do not know")
        assert "All your answers are in." in page_text(device)

    def answer_right(self, device):
        page = self.room.quiz_page(self.number)
        answer = page.question.answer
        if device.number_input:
            device.number_input[0].set_value(round(answer.value, answer.decimals))
            tap(device, "Next")
        elif device.button_group:
            ran(device.button_group[0].set_value(sorted(answer.right)).run())
            tap(device, "Next")
        else:
            (option,) = answer.right
            (button,) = [b for b in device.button if b.key.endswith(f"-{option}")]
            ran(button.click().run())

    def test_a_phone_takes_both_and_the_teacher_sees_the_gain(self, classes):
        app, code = opened()
        self.room = classes.with_key(parameter(app, "class_key"))
        devices = [joined(code) for _ in range(9)]
        choose_part(app, "Gain")
        assert "No test was taken in this lesson yet." in page_text(app)
        before, after = (0, 0, 1, 0, 1, 0, 0, 0, 0), (3, 3, 3, 2, 3, 3, 3, 3)
        for part, right in (("Test before", before), ("Test after", after)):
            choose_part(app, part)
            for self.number, (device, n_right) in enumerate(
                zip(devices, right, strict=False), start=1
            ):
                self.take(device, n_right)
            ran(app.run())
            assert f"<b>{len(right)}</b> of 9 phones have finished." in page_text(app)
        late = ran(devices[8].run())
        assert "question 1 of 3" in page_text(late)
        choose_part(app, "Gain")
        # Phones 1 to 8: before 2 of 24 right, after 23 of 24.
        assert "Neighbours: the class gained 88 percentage points." in page_text(app)
        assert "8 phones: 8% of the answers were right before the lesson, 96% after it." in (
            page_text(app)
        )
        assert "Before the lesson you had 1 of 3 right. After the lesson you had 3 of 3" in (
            page_text(ran(devices[2].run()))
        )
        frame = teacher.answers_frame(self.room.quizzes, self.room.polls)
        assert len(frame) == 27 + 24
        assert frame["is right"].sum() == 2 + 23

    def test_an_answer_counts_before_its_button_is_hit_and_can_be_changed_until_then(self, classes):
        app, code = opened()
        self.room, self.number = classes.with_key(parameter(app, "class_key")), 1
        device = joined(code)
        choose_part(app, "Test before")
        ran(device.run())
        right = sorted(self.room.quiz_page(1).question.answer.right)
        ran(device.button_group[0].set_value([right[0]]).run())
        ran(device.button_group[0].set_value(right).run())
        assert "question 1 of 3" in page_text(device)
        assert self.room.marks(1, Phase.BEFORE) == [True]
        tap(device, "Next")
        answer = self.room.quiz_page(1).question.answer
        ran(device.number_input[0].set_value(round(answer.value, answer.decimals)).run())
        assert "question 2 of 3" in page_text(device)
        choose_part(app, "Lesson")
        assert self.room.quizzes["Neighbours"].marks(1, Phase.BEFORE) == [True, True]

    def test_who_has_missed_the_first_one_takes_the_second_for_himself(self):
        app, code = opened()
        choose_part(app, "Test after")
        assert "You have not taken the first test, so" in page_text(joined(code))

    def test_sheets_differ_between_neighbours_and_from_before_to_after(self, classes):
        app, code = opened()
        classroom = classes.with_key(parameter(app, "class_key"))
        choose_part(app, "Test before")
        test = classroom.quizzes["Neighbours"]
        stories = {sheet.table for sheet in test.sheets}
        assert len(stories) == quiz.N_SHEETS
        first = joined(code)
        assert html.escape(test.sheet_of(1, Phase.BEFORE).story) in page_text(first)
        choose_part(app, "Test after")
        assert html.escape(test.sheet_of(1, Phase.AFTER).story) in page_text(ran(first.run()))


class TestAddress:
    @pytest.mark.parametrize(
        ("url", "is_local"),
        [
            ("http://localhost:8501/learn", True),
            ("http://127.0.0.1:8501/learn", True),
            ("http://[::1]:8501/learn", True),
            ("https://lab.school.de/learn", False),
            ("http://192.168.1.7:8501/learn", False),
            ("", False),
        ],
    )
    def test_phones_cannot_follow_an_address_of_this_machine(self, url, is_local):
        assert address.is_on_this_machine(url) == is_local

    def test_it_is_the_browsers_own_whatever_proxy_is_between(self):
        url = "https://school.de/lab/learn"
        assert address.join_address(url, "BCDFGH") == f"{url}?class=BCDFGH"
        assert address.spoken_address(url) == "school.de/lab/learn"

    def test_the_picture_has_the_modules_of_the_code_and_room_around_them(self):
        link = "https://lab.school.de/learn?class=BCDFGH"
        source = address.qr_image(link)
        assert source.startswith("data:image/svg+xml")
        # Version 3 has 29 modules a side, and 4 of quiet zone on each.
        assert "viewBox='0 0 37 37'" in unquote(source)
