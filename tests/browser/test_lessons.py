"""Lessons in a browser: guessing, going on by keyboard, by link, by itself, and for a room."""

import re
from contextlib import suppress
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from pages.learn.lessons import LESSONS
from pages.learn.story import stops
from tests.app.test_lessons import told
from tests.browser.driver import settled
from tests.browser.visitor import SLOW_ANSWERS, choose, open_page

# Whether the page needs no scrolling, neither down nor sideways.
FITS = """() => {
  const main = document.querySelector("[data-testid=stMain]")
  return main.scrollHeight <= main.clientHeight && main.scrollWidth <= main.clientWidth
}"""


def step(page):
    """The title of the step."""
    return page.get_by_test_id("stMain").get_by_role("heading", level=2)


def press_to(page, key, name):
    """Press a key; again if the page was not yet listening."""
    at = page.get_by_role("combobox", name="Step")
    for _ in range(4):
        page.keyboard.press(key)
        with suppress(AssertionError):
            expect(at).to_have_value(name, timeout=6_000)
            return
    expect(at).to_have_value(name)


def test_a_lesson_asks_first_goes_on_by_keyboard_and_its_link_opens_the_same_step(
    page, visit, app_server
):
    open_page(page, "/learn?x0_knn=21")
    expect(step(page)).to_have_text("The rows")
    label = page.get_by_role("button", name=re.compile(r"^water, .*place"))
    # No label has a place to begin with; a tap gives it the next one.
    expect(label).to_have_accessible_name("water, no place yet")
    tea = page.get_by_role("button", name=re.compile(r"^tea, .*place"))
    tea.click()
    expect(tea).to_have_accessible_name("tea, place 1")
    label.press("Enter")
    expect(label).to_have_accessible_name("water, place 2")
    label.press("ArrowLeft")
    expect(label).to_have_accessible_name("water, place 1")
    last = page.get_by_role("button", name=re.compile(r"^lemonade, .*place"))
    expect(last).to_have_accessible_name("lemonade, place 3")
    expect(step(page)).to_have_text("The rows")
    step(page).click()
    press_to(page, "ArrowRight", "Who counts?")
    expect(page.get_by_text("Step 2 of 9")).to_be_visible()
    press_to(page, "ArrowRight", "Who counts?: answer")
    press_to(page, "ArrowRight", "k = 1")
    press_to(page, "ArrowLeft", "Who counts?: answer")
    expect(page.get_by_text("the circle.")).to_be_visible()
    expect(page).to_have_url(re.compile("step_knn=Who"))
    other = visit(app_server)
    open_page(other, page.url.removeprefix(app_server.url))
    expect(step(other)).to_have_text("Who counts?")
    expect(other.get_by_text("Step 2 of 9")).to_be_visible()
    expect(other.get_by_text("the circle.")).to_be_visible()
    press_to(other, "ArrowRight", "k = 1")
    expect(step(other)).to_have_text("k = 1")
    choose(page, "Step", "The answer")
    expect(page.get_by_text("Your guess at the start: ")).to_be_visible()


def test_on_a_phone_the_question_stands_below_the_picture_that_it_is_about(page):
    page.set_viewport_size({"width": 390, "height": 844})
    open_page(page, "/learn")
    picture = page.locator(".st-key-lesson_picture").bounding_box()
    question = page.locator(".st-key-lesson_question").bounding_box()
    assert step(page).bounding_box()["y"] < picture["y"]
    assert picture["y"] + picture["height"] < question["y"]


def test_a_guess_is_slid_without_leaving_the_step(page):
    open_page(page, "/learn?lesson=Counts&step_mlknn=Prior")
    guess = page.get_by_role("slider", name="Your guess")
    for value in ("0.00", "0.01"):
        guess.press("ArrowRight")
        expect(guess).to_have_attribute("aria-valuetext", value)
        # A slider tells its value .2 s after a key; the page that comes then may take its focus.
        page.wait_for_timeout(500)
        settled(page)
    expect(step(page)).to_have_text("Prior")
    page.get_by_role("button", name="Show me").click()
    expect(page.get_by_text("You said 0.01, it is 0.40.")).to_be_visible()


# What moves in the picture, and what appears.
MOVES = """() => document.getAnimations()
  .filter(each => each.effect.target?.closest(".st-key-lesson_picture"))
  .map(each => [each.effect.target.className, each.effect.getKeyframes()[0].transform ?? "new"])"""


def answer(page, name, *, pressed):
    """One of the list of answers."""
    return page.get_by_role("button", name=name, exact=True, pressed=pressed)


def test_neighbours_are_tapped_in_the_picture_or_in_the_list(page):
    open_page(page, "/learn?step_knn=Who+counts%3F")
    picture = page.get_by_role("figure", name=re.compile("all cases"))
    for name in ("Mon", "Wed", "Thu", "Wed"):
        picture.locator(f'i.tappable[data-key="{name}"]').click()
    expect(answer(page, "Thu", pressed=True)).to_be_visible()
    expect(answer(page, "Wed", pressed=False)).to_be_visible()
    answer(page, "Sat", pressed=False).click()
    expect(picture.locator("i.chosen")).to_have_count(3)
    for name in ("Mon", "Thu", "Sat"):
        expect(answer(page, name, pressed=True)).to_be_visible()
    page.get_by_role("button", name="Show me").click()
    expect(page.get_by_text("2 of 3 found, 1 too many.")).to_be_visible()
    expect(page.locator(".st-key-lesson_picture .tappable")).to_have_count(0)


def test_the_circle_grows_from_step_to_step_unless_motion_is_unwanted(page):
    page.emulate_media(reduced_motion="no-preference")
    open_page(page, "/learn?step_knn=k+%3D+1")
    expect(step(page)).to_have_text("k = 1")
    page.wait_for_selector(".st-key-lesson_stage[data-watched]")
    expect(page.locator(".lr-plot .reach")).to_have_count(1)
    # Slower than the machine is.
    page.evaluate("""() => {
      const animate = Element.prototype.animate
      Element.prototype.animate = function (frames, how) {
        return animate.call(this, frames, { ...how, duration: 60_000 })
      }
    }""")
    press_to(page, "ArrowRight", "k = 2")
    page.wait_for_function(f"({MOVES})().length > 0")
    moves = dict(page.evaluate(MOVES))
    scale = re.search(r"scale\(([\d.]+)", moves["reach"])[1]
    # From the distance to Thu, 2, to that to Mon, the square root of 10.
    assert float(scale) == pytest.approx(2 / 10**0.5, abs=0.02)
    page.emulate_media(reduced_motion="reduce")
    press_to(page, "ArrowRight", "k = 2: answer")
    press_to(page, "ArrowRight", "k = 3")
    expect(step(settled(page))).to_have_text("k = 3")
    expect(page.locator(".lr-plot .reach")).to_have_count(1)
    assert not page.evaluate(MOVES)


WHERE = """([selector, at]) => {
  const moved = document.getAnimations()
    .filter(each => each.effect.target?.closest(".st-key-lesson_picture"))
  for (const each of moved) { each.pause(); each.currentTime = at }
  const box = document.querySelector(`.st-key-lesson_picture figure:not(.leaving) ${selector}`)
    .getBoundingClientRect()
  return [box.x + box.width / 2, box.y + box.height / 2]
}"""


def test_a_day_and_its_ranking_move_from_their_old_places_to_their_new_ones(page):
    page.emulate_media(reduced_motion="no-preference")
    open_page(page, "/learn?step_knn=Who+counts%3F:+answer")
    page.wait_for_selector(".st-key-lesson_stage[data-watched]")
    dot = page.locator('i[data-object="dot Thu"]').bounding_box()
    start = (dot["x"] + dot["width"] / 2, dot["y"] + dot["height"] / 2)
    # Where they are held, nothing ends while it is looked at.
    page.evaluate("""() => {
      const animate = Element.prototype.animate
      Element.prototype.animate = function (frames, how) {
        const animation = animate.call(this, frames, how)
        animation.pause()
        return animation
      }
    }""")
    press_to(page, "ArrowRight", "k = 1")
    page.wait_for_function(f"({MOVES})().length > 0")
    durations = page.evaluate("""() => document.getAnimations()
      .filter(each => !(each instanceof CSSTransition))
      .filter(each => each.effect.target?.closest(".st-key-lesson_picture"))
      .map(each => each.effect.getTiming().duration)""")
    assert set(durations) == {350}
    expect(page.locator("figure.leaving")).to_have_count(1)
    chip = '[data-object^="Thu label"]'
    first, middle, last = (page.evaluate(WHERE, [chip, at]) for at in (0, 175, 349))
    # The ranking comes out of its day.
    assert first == pytest.approx(start, abs=2)
    for before, between, after in zip(first, middle, last, strict=True):
        assert min(before, after) + 5 < between < max(before, after) - 5
    page.evaluate("() => document.getAnimations().forEach(each => each.finish())")
    expect(page.locator("figure.leaving")).to_have_count(0)


def test_answers_to_earlier_keys_undo_none_of_the_later_ones(page):
    page.add_init_script(SLOW_ANSWERS)
    open_page(page, "/learn")
    labels = {
        name: page.get_by_role("button", name=re.compile(rf"^{name}, .*place"))
        for name in ("tea", "water", "lemonade")
    }
    page.evaluate("window.delay = 700")
    labels["tea"].click()
    expect(labels["tea"]).to_have_accessible_name("tea, place 1")
    page.wait_for_timeout(500)
    labels["water"].press("Enter")
    expect(labels["lemonade"]).to_have_accessible_name("lemonade, place 3")
    # The answer to the first key, in which two labels have no place, comes meanwhile.
    for _ in range(20):
        page.wait_for_timeout(100)
        names = {name: label.get_attribute("aria-label") for name, label in labels.items()}
        assert names == {
            "tea": "tea, place 1", "water": "water, place 2", "lemonade": "lemonade, place 3"
        }  # fmt: skip
    labels["water"].press("ArrowLeft")
    expect(labels["water"]).to_have_accessible_name("water, place 1")


def test_what_is_seen_listens(page):
    page.goto("/learn")
    expect(step(page)).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("combobox", name="Step")).to_have_value("Who counts?")


def test_the_presenters_view_is_one_large_picture_on_one_screen(page):
    page.set_viewport_size({"width": 1024, "height": 768})
    open_page(page, "/learn?step_knn=Mean+ranks&present=1")
    expect(step(page)).to_have_text("Mean ranks")
    expect(page.get_by_test_id("stHeader")).to_be_hidden()
    expect(page.get_by_role("textbox")).to_have_count(0)
    expect(page.get_by_text("Change the example")).to_be_hidden()
    press_to(page, "ArrowRight", "Mean ranks: answer")
    expect(page.get_by_text("The lowest mean rank comes first.")).to_be_visible()
    page.wait_for_function(FITS)
    page.get_by_role("button", name="Leave presenter view").click()
    expect(page.get_by_text("Change the example")).to_be_visible()
    expect(page).not_to_have_url(re.compile("present="))


VIEWS = {
    "desk": ({"width": 1280, "height": 900}, "light", ""),
    "projector": ({"width": 1024, "height": 768}, "dark", "&present=1"),
    "projector, light": ({"width": 1024, "height": 768}, "light", "&present=1"),
    "phone": ({"width": 390, "height": 844}, "dark", ""),
}


def places(lesson, place):
    """What every stop of an example shows: its name in a link, its step's title and number."""
    steps = told(lesson.key, place)[1]
    return [(stop.name, steps[stop.step].title, stop.step + 1) for stop in stops(steps)]


def link(lesson, place, name):
    """The address of a stop."""
    asked = {"lesson": lesson.name, f"step_{lesson.key}": name}
    if len(lesson.examples) > 1:
        asked[f"example_{lesson.key}"] = lesson.examples[place].title
    return f"/learn?{urlencode(asked)}"


def expect_at(page, title, number, view):
    expect(step(page)).to_have_text(title)
    expect(page.get_by_text(re.compile(rf"^Step {number} of \d+$"))).to_have_count(1)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    main = page.get_by_test_id("stMain")
    assert main.evaluate("e => e.scrollWidth <= e.clientWidth")
    if "present" in VIEWS[view][2]:
        page.wait_for_function(FITS)


@pytest.mark.slow
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize(
    ("lesson", "place"),
    [(lesson, place) for lesson in LESSONS for place in range(len(lesson.examples))],
    ids=lambda value: getattr(value, "key", value),
)
def test_every_step_forward_back_and_by_link(page, visit, app_server, lesson, place, view):
    size, scheme, present = VIEWS[view]
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=scheme)
    found = places(lesson, place)
    open_page(page, link(lesson, place, found[0][0]) + present)
    expect_at(page, *found[0][1:], view)
    for key, way in (("ArrowRight", found[1:]), ("ArrowLeft", found[-2::-1])):
        for name, title, number in way:
            press_to(page, key, name)
            expect_at(page, title, number, view)
    name, title, number = found[len(found) // 2]
    other = visit(app_server)
    other.set_viewport_size(size)
    open_page(other, link(lesson, place, name) + present)
    expect_at(other, title, number, view)


def test_a_lesson_gone_through_to_its_end_has_a_tick_in_this_browser(page):
    open_page(page, "/learn?lesson=Ties&step_ties=The+answer")
    ties = page.get_by_role("radio", name="Ties")
    expect(ties).to_have_attribute("data-done", "")
    expect(page.get_by_role("radio", name="Counts")).not_to_have_attribute("data-done", "")
    open_page(page, "/learn?lesson=Counts")
    expect(ties).to_have_attribute("data-done", "")
    expect(ties).to_have_accessible_name(re.compile("done"))
    count = page.locator(".lesson-progress")
    expect(count).to_have_text(re.compile("minutes · 1 done$"))
    # It may be another tab, or this one after a reload.
    page.evaluate("localStorage.setItem('labelrank_lessons_done', 'not a list')")
    open_page(page, "/learn?lesson=Counts")
    expect(page.get_by_role("radio", name="Counts")).to_be_visible()
    expect(ties).not_to_have_attribute("data-done", "")
    # Counted again after a change of the cards.
    count.evaluate("each => each.parentElement.append('')")
    page.wait_for_timeout(200)
    expect(count).to_have_text(re.compile("minutes$"))
    page.evaluate("localStorage.clear()")
