"""Exercises and the playground's search: answered by hand, and the same by link for others."""

import re

from playwright.sync_api import expect

from pages.learn.exercises import sheet
from tests.browser.driver import settled
from tests.browser.visitor import open_page

EXERCISES = "/learn?lesson=Measures&exercises=true&exercise_seed=11"


def exercises(page):
    return page.locator(".st-key-lesson_exercises")


def test_exercises_are_answered_by_hand_and_are_the_same_for_others(page, visit, app_server):
    number, tau, choice = sheet("Measures", 11).exercises
    open_page(page, EXERCISES)
    field = page.get_by_role("spinbutton", name=number.question)
    field.fill(f"{number.answer.value + 1:.0f}")
    field.press("Enter")
    exercises(page).get_by_role("button", name="Check").first.click()
    expect(page.get_by_text("Not right.")).to_be_visible()
    field.fill(number.answer.text)
    field.press("Enter")
    exercises(page).get_by_role("button", name="Check").first.click()
    expect(page.get_by_text(re.compile(r"^Right\. "))).to_be_visible()
    exercises(page).get_by_role("button", name="Show me").nth(1).click()
    expect(page.get_by_text(f"{tau.answer.text}.", exact=True)).to_be_visible()
    exercises(page).get_by_text(choice.answer.text, exact=True).click()
    exercises(page).get_by_role("button", name="Check").nth(2).click()
    expect(page.get_by_text("2 of 3 right.")).to_be_visible()
    other = visit(app_server)
    open_page(other, page.url.removeprefix(app_server.url))
    expect(other.get_by_role("spinbutton", name=number.question)).to_have_value("")
    expect(other.get_by_text("0 of 3 right.")).to_be_visible()
    open_page(other, EXERCISES + "&present=1")
    expect(exercises(other)).to_be_hidden()


def test_rankings_on_which_two_rules_differ_are_the_same_by_link(page, visit, app_server):
    open_page(page, "/learn?lesson=Aggregation+playground")
    typed = page.get_by_role("textbox", name="One ranking per line")
    for found in (1, 2):
        page.get_by_role("button", name="Find where two rules differ").click()
        settled(page)
        expect(page.get_by_role("spinbutton", name="Profile")).to_have_value(str(found))
    expect(page).to_have_url(re.compile("differ_number=2"))
    other = visit(app_server)
    open_page(other, page.url.removeprefix(app_server.url))
    expect(other.get_by_role("textbox", name="One ranking per line")).to_have_value(
        typed.input_value()
    )
