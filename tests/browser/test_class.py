"""A class in a browser: a teacher and two phones, and another class at the same time."""

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import connect

from pages.learn.lessons import LESSONS
from tests.benchmarks.connection import Connection
from tests.browser.axe import expect_nothing_found
from tests.browser.driver import settled
from tests.browser.test_lessons import places
from tests.browser.visitor import open_page
from tests.coroutines import run_apart

PHONE = {"width": 390, "height": 844}
PROJECTOR = {"width": 1024, "height": 768}
# Whether the page needs no scrolling, neither down nor sideways.
FITS = """() => {
  const main = document.querySelector("[data-testid=stMain]")
  return main.scrollHeight <= main.clientHeight && main.scrollWidth <= main.clientWidth
}"""

# What lies under the buttons between the steps.
COVERED = """() => {
  const top = document.querySelector(".st-key-lesson_steps").getBoundingClientRect().top
  return [...document.querySelectorAll(
      ".st-key-lesson_stage :is(p, figure, h2), .st-key-class_rail :is(li, p)")]
    .filter(each => !each.closest(".st-key-lesson_steps") && each.checkVisibility())
    .filter(each => each.getBoundingClientRect().bottom > top + 1)
    .map(each => each.innerText.slice(0, 60))
}"""


def open_class(page, address="/learn"):
    """Open a class on a projector; return its code."""
    page.set_viewport_size(PROJECTOR)
    open_page(page, address)
    page.get_by_role("button", name="Teach a class").click()
    code = page.locator(".class-join .code")
    expect(code).to_have_text(re.compile(r"^[A-Z]{6}$"))
    expect(page.get_by_role("img", name="QR code of the class")).to_be_visible()
    return code.inner_text()


def join(page, code):
    page.set_viewport_size(PHONE)
    open_page(page, f"/learn?class={code}")
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile(f"Class {code}, phone"))


def choose_part(page, part):
    page.locator(".st-key-class_parts").get_by_text(part, exact=True).click()


def bar(page, title):
    """The number of phones with an answer, in the teacher's histogram."""
    return page.locator(".class-bars li").filter(has_text=title).locator("b").last


def test_a_teacher_and_two_phones_while_another_class_goes_on(page, visit, app_server):
    first, second, other_teacher, other_phone = (visit(app_server) for _ in range(4))
    code, other_code = open_class(page), open_class(other_teacher, "/learn?lesson=Counts")
    assert code != other_code
    join(first, code)
    # The address as people type it, and the code in small letters.
    second.set_viewport_size(PHONE)
    open_page(second, "/learn?class")
    second.get_by_role("textbox").fill(code.lower())
    second.get_by_role("button", name="Join").click()
    expect(second.get_by_role("heading", level=1)).to_have_text(f"Class {code}, phone 2")
    join(other_phone, other_code)
    expect(page.get_by_text("2 phones have joined")).to_be_visible()
    expect(other_teacher.get_by_text("1 phone has joined")).to_be_visible()
    choose_part(page, "Lesson")
    order = first.get_by_role("button", name=re.compile("^tea.*water.*lemonade"))
    expect(order).to_be_visible()
    assert order.bounding_box()["height"] >= 48
    assert first.get_by_test_id("stMain").evaluate("e => e.scrollWidth <= e.clientWidth")
    order.click()
    expect(first.get_by_text("Your answer: tea > water > lemonade")).to_be_visible()
    second.get_by_role("button", name=re.compile("^tea.*water.*lemonade")).click()
    expect(bar(page, "tea > water > lemonade")).to_have_text("2")
    page.wait_for_function(FITS)
    # A reload keeps the phone, its number and its answer.
    first.reload()
    expect(first.get_by_role("heading", level=1)).to_have_text(f"Class {code}, phone 1")
    expect(first.get_by_text("Your answer: tea > water > lemonade")).to_be_visible()
    # The next step moves the phones.
    page.get_by_role("button", name="Next").click()
    for phone in (first, second):
        expect(phone.get_by_role("heading", level=2)).to_have_text(
            "Which days are among the 3 nearest?"
        )
    for number in ("Mon", "Thu"):
        first.get_by_role("button", name=number, exact=True).click()
    expect(first.get_by_text("Your answer: Mon, Thu")).to_be_visible()
    expect(bar(page, "Thu")).to_have_text("1")
    expect(page.locator(".class-bars .right")).to_have_count(0)
    page.get_by_role("button", name="Reveal").click()
    expect(page.locator(".class-bars .right")).to_have_count(3)
    expect(first.get_by_text("You answered Mon, Thu. The right answer is")).to_be_visible()
    expect(second.get_by_text("The right answer is Mon, Thu, Fri.")).to_be_visible()
    # Nothing of it has reached the other class.
    expect(other_phone.get_by_text("You are in.")).to_be_visible()
    expect(other_teacher.get_by_text("1 phone has joined")).to_be_visible()
    # Ended here, it goes on there.
    page.get_by_role("button", name="Save answers or end").click()
    page.get_by_role("button", name="End the class").click()
    expect(page.get_by_text("The class is over.")).to_be_visible()
    expect(first.get_by_text("This class is over.")).to_be_visible()
    choose_part(other_teacher, "Lesson")
    expect(other_phone.get_by_text("Step 1 of")).to_be_visible()


def test_an_answer_of_the_test_is_kept_before_its_button_is_hit(page, visit, app_server):
    phone = visit(app_server)
    code = open_class(page)
    join(phone, code)
    choose_part(page, "Test before")
    expect(phone.get_by_text("question 1 of 3")).to_be_visible()
    phone.get_by_role("button", name="Tue", exact=True).click()
    tuesday = phone.get_by_role("button", name="Tue", exact=True, pressed=True)
    expect(phone.get_by_role("button", name="Next")).to_be_enabled()
    phone.reload()
    expect(tuesday).to_be_visible()
    phone.get_by_role("button", name="Next").click()
    expect(phone.get_by_text("question 2 of 3")).to_be_visible()
    number = phone.get_by_role("spinbutton")
    number.fill("1.67")
    number.press("Enter")
    settled(phone)
    expect(phone.get_by_text("question 2 of 3")).to_be_visible()
    phone.reload()
    expect(number).to_have_value("1.67")
    # One tap that leaves the field and goes on.
    number.fill("2.33")
    phone.get_by_role("button", name="Next").click()
    expect(phone.get_by_text("question 3 of 3")).to_be_visible()


def test_phones_and_the_teachers_view_are_accessible_in_both_themes(page, visit, app_server):
    phone = visit(app_server)
    code = open_class(page)
    join(phone, code)
    for part, expected in (("Lesson", "Step 1 of 9"), ("Test before", "question 1 of 3")):
        choose_part(page, part)
        expect(phone.get_by_text(re.compile(expected))).to_be_visible()
        expect_nothing_found(settled(phone), ((390, "light"), (390, "dark")))
        expect_nothing_found(settled(page), ((1024, "light"), (1920, "dark")))


@pytest.mark.slow
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)
def test_every_step_that_is_taught_fits_on_a_projector(page, lesson):
    open_class(page, f"/learn?{urlencode({'lesson': lesson.name})}")
    choose_part(page, "Lesson")
    next_button = page.get_by_role("button", name=re.compile("^.*(Next(?! lesson)|Reveal)"))
    expect(next_button).to_be_visible()
    for stop in places(lesson, 0):
        expect(page.get_by_role("combobox", name="Step")).to_have_value(stop[0])
        expect(page.locator(".class-number")).to_be_visible()
        page.wait_for_function(FITS)
        covered = page.evaluate(COVERED)
        assert not covered, (stop, covered)
        if next_button.is_enabled():
            next_button.click()


class Device(Connection):
    """A phone by its connection alone."""

    said = ""

    def hear(self, element):
        self.said += element.alert.body + element.html.body


def test_behind_a_proxy_wrong_codes_are_bounded_for_each_client(app_server):
    async def attempt(client, n_tries):
        headers = {"X-Forwarded-For": client}
        url = f"ws://{app_server.url.removeprefix('http://')}/_stcore/stream"
        async with connect(
            url,
            origin=app_server.url,
            subprotocols=["streamlit"],
            additional_headers=headers,
            max_size=None,
        ) as socket:
            device = Device(socket, "learn", "class=XXXXXX")
            for _ in range(n_tries):
                device.said = ""
                await device.run(WidgetState(id="none"))
            return device.said

    assert "No class has this code." in run_apart(attempt("203.0.113.1", 3))
    assert "Too many wrong codes" in run_apart(attempt("203.0.113.2", 25))
    assert "No class has this code." in run_apart(attempt("203.0.113.3", 1))
