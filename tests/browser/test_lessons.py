"""Lessons in a browser: guessing, going on by keyboard, by link, by itself, and for a room."""

import re
from contextlib import suppress

from playwright.sync_api import expect

from tests.browser.visitor import open_page


def step(page):
    """The title of the step."""
    return page.get_by_test_id("stMain").get_by_role("heading", level=2)


def press_until(page, key, title):
    """Press a key; again if the page was not yet listening."""
    for _ in range(4):
        page.keyboard.press(key)
        with suppress(AssertionError):
            expect(step(page)).to_have_text(title, timeout=3_000)
            return
    expect(step(page)).to_have_text(title)


def test_a_lesson_asks_first_goes_on_by_keyboard_and_its_link_opens_the_same_step(
    page, visit, app_server
):
    open_page(page, "/learn?x0_knn=21")
    expect(step(page)).to_have_text("The rows")
    label = page.get_by_role("button", name=re.compile(r"^water, .* in ranking 1$"))
    label.press("ArrowLeft")
    expect(label).to_have_accessible_name("water, place 2 in ranking 1")
    label.press("ArrowLeft")
    expect(label).to_have_accessible_name("water, place 1 in ranking 1")
    expect(step(page)).to_have_text("The rows")
    page.get_by_role("button", name="Show me").click()
    expect(page.get_by_text("You and the method agree.")).to_be_visible()
    step(page).click()
    press_until(page, "ArrowRight", "Who counts?")
    expect(page.get_by_text("Step 2 of 9")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("the circle shows it")).to_be_visible()
    press_until(page, "ArrowRight", "k = 1")
    press_until(page, "ArrowLeft", "Who counts?")
    expect(page.get_by_text("the circle shows it")).to_be_visible()
    expect(page).to_have_url(re.compile("step_knn=Who"))
    other = visit(app_server)
    open_page(other, page.url.removeprefix(app_server.url))
    expect(step(other)).to_have_text("Who counts?")
    expect(other.get_by_text("Step 2 of 9")).to_be_visible()
    expect(other.get_by_text("the circle shows it")).to_be_visible()
    press_until(other, "ArrowRight", "k = 1")


def test_a_guess_is_slid_without_leaving_the_step(page):
    open_page(page, "/learn?lesson=Counts&step_mlknn=Prior")
    guess = page.get_by_role("slider", name="Your guess")
    guess.focus()
    page.keyboard.press("ArrowRight")
    expect(guess).to_have_value("0.01")
    expect(step(page)).to_have_text("Prior")
    page.get_by_role("button", name="Show me").click()
    expect(page.get_by_text("You said 0.01, it is 0.40.")).to_be_visible()


def test_the_presenters_view_is_one_large_picture_on_one_screen(page):
    page.set_viewport_size({"width": 1024, "height": 768})
    open_page(page, "/learn?step_knn=Mean+ranks&present=1")
    expect(step(page)).to_have_text("Mean ranks")
    expect(page.get_by_test_id("stHeader")).to_be_hidden()
    expect(page.get_by_role("textbox")).to_have_count(0)
    expect(page.get_by_text("On my data")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("The lowest mean rank comes first.")).to_be_visible()
    assert fits(page)
    page.get_by_role("button", name="Leave presenter view").click()
    expect(page.get_by_text("On my data")).to_be_visible()
    expect(page).not_to_have_url(re.compile("present="))


def fits(page):
    """Whether the page needs no scrolling, neither down nor sideways."""
    main = page.get_by_test_id("stMain")
    return main.evaluate("e => e.scrollHeight <= e.clientHeight && e.scrollWidth <= e.clientWidth")
