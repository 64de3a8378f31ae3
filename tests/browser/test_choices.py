"""What a choice shows after a change of data, method or case is what it returns and offers."""

import re
from contextlib import suppress

import pytest
from playwright.sync_api import expect

from tests.browser.driver import settled
from tests.browser.visitor import (
    case_number,
    choices,
    choose,
    choose_in,
    close_panels,
    facts_of,
    go_to,
    open_chapter,
    open_expander,
    open_page,
    status,
)

PARTS = ("One feature in detail", "Two features as a map")
ELECTION, IRIS, SONGS = "/predict?data=election", "iris", "songs"


def boxes(page):
    """The choices of the page itself, by their names."""
    found = settled(page).locator("[data-testid=stSelectbox]:not(.st-key-bar *)")
    return {
        (box.locator("label").inner_text(), place): box.get_by_role("combobox")
        for place, box in enumerate(found.all())
    }


def shown(page):
    return {name: box.input_value() for name, box in boxes(page).items()}


def offered(page, box):
    """List the options of a selectbox; while the page moves, its list closes."""
    options = page.get_by_role("option")
    for _ in range(10):
        box.click()
        with suppress(AssertionError):
            expect(options.first).to_be_visible(timeout=5_000)
        texts = options.all_inner_texts()
        page.keyboard.press("Escape")
        expect(options).to_have_count(0)
        if texts:
            return texts
    return pytest.fail("no option was offered")


def expect_in_bar(page, words):
    """Wait until the bar says so; while the script runs, the bar of the last run stands, too."""
    expect(status(page).filter(has_text=words)).to_be_visible()


def change_data(page, name):
    choose(page, "Data", name)
    expect_in_bar(page, f"{name} · ")


def change_method(page, title):
    choose(page, "Method", title)
    expect_in_bar(page, title)


def change_case(page):
    before = facts_of(page)
    choices(page).get_by_role("button", name="Random case").click()
    expect(status(page)).not_to_have_text(before)


def change_to_songs(page):
    change_data(page, SONGS)


# Pages without all choices of the bar.
PAGE_TITLES = {
    "evaluate": "How good?", "sensitivity": "Sensitivity", "experiments": "Experiments",
}  # fmt: skip
# Pages that fold choices.
FOLDS = {"experiments": "How it is tested", "sensitivity": "Measure, folds and CSV"}
CHANGES = (
    lambda page: change_data(page, IRIS),
    lambda page: change_method(page, "Label-ranking tree (LRT)"),
    change_case,
)


def test_the_pair_of_labels_is_one_of_the_data_in_use(page):
    open_page(page, ELECTION)
    pair = page.get_by_role("combobox", name="What to explain")
    expect(pair).to_have_value("Greens ahead of FDP")
    change_data(page, IRIS)
    expect(pair).to_have_value(re.compile("^(setosa|versicolor|virginica) ahead of "))


def test_every_choice_shows_what_the_page_opened_anew_shows(page):
    # Nothing was chosen, so all show what they show at first.
    open_page(page, f"{ELECTION}&view=What+if")
    for title in PARTS:
        open_expander(page, title)
    for change in (*CHANGES, change_to_songs):
        change(page)
    before = shown(page)
    assert len(before) == 3
    settled(page).reload()
    expect(page.get_by_role("combobox", name="What to explain")).to_be_visible()
    open_chapter(page, "What if?")
    for title in PARTS:
        open_expander(page, title)
    assert shown(page) == before


def open_fold(page, name):
    """Open the fold of a page, if it has one that is closed."""
    fold = settled(page).get_by_test_id("stExpander").filter(has_text=FOLDS.get(name, "none"))
    if name in FOLDS and not fold.get_by_test_id("stExpanderDetails").is_visible():
        open_expander(page, FOLDS[name])


@pytest.mark.parametrize("name", ["predict", "evaluate", "sensitivity", "experiments"])
def test_what_was_chosen_is_shown_only_as_long_as_it_is_offered(page, name):
    # Tall enough for every widget: a list of options closes when what holds it is scrolled.
    page.set_viewport_size({"width": 1280, "height": 2400})
    open_page(page, f"/{name}?data=election&view=What+if")
    open_fold(page, name)
    for box in boxes(page).values():
        text = offered(page, box)[-1]
        choose_in(box, text)
    for change in CHANGES:
        # Experiments have no bar of their own, and what is measured on many cases has no case.
        is_elsewhere = name == "experiments" or (change is change_case and name in PAGE_TITLES)
        if is_elsewhere:
            go_to(page, "Start")
        change(page)
        if is_elsewhere:
            go_to(page, PAGE_TITLES[name])
        open_fold(page, name)
        for title, box in boxes(page).items():
            assert box.input_value() in offered(page, box), title


def test_a_list_stays_open_while_chapters_wait_to_come(page):
    # All chapters are near in so tall a window, so they come one after the other.
    page.set_viewport_size({"width": 1280, "height": 2400})
    waiting, n_waiting = page.locator(".lr-wait"), 0
    for _ in range(5):
        open_page(page, "/predict?data=election")
        page.get_by_role("combobox", name="What to explain").click()
        # A chapter that was asked for before the click still comes.
        page.wait_for_timeout(1_000)
        n_waiting = waiting.count()
        if n_waiting:
            break
    assert n_waiting
    page.wait_for_timeout(3_000)
    assert waiting.count() == n_waiting
    expect(page.get_by_role("option").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(waiting).to_have_count(0)


USE_OLD_AND_NEW_BUTTONS = """() => {
  const buttons = () => [...document.querySelectorAll(".st-key-bar [data-panel=data]")]
  new MutationObserver((_, observer) => {
    if (buttons().length < 2) return
    observer.disconnect()
    buttons().at(-1).click()
    window.afterClick = buttons().map(button => button.ariaExpanded)
    document.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape"}))
    window.afterEscape = buttons().map(button => button.ariaExpanded)
  }).observe(document.body, {childList: true, subtree: true})
}"""


def test_buttons_of_the_page_before_say_the_same_as_the_new_ones(page):
    open_page(page, "/evaluate")
    page.evaluate(USE_OLD_AND_NEW_BUTTONS)
    for _ in range(10):
        # Both sets are on the page only while the script runs.
        go_to(page, "Predict")
        if page.evaluate("window.afterClick"):
            break
        go_to(page, "Evaluate")
    assert page.evaluate("window.afterClick") == ["true", "true"]
    assert page.evaluate("window.afterEscape") == ["false", "false"]


def test_the_bar_outlives_a_change_of_the_page(page):
    # A container whose key changes is made anew, and what is typed or dragged in it is lost.
    open_page(page, ELECTION)
    expect_in_bar(page, "k-NN label ranking")
    page.evaluate(
        "document.querySelectorAll('.st-key-bar, .st-key-bar input').forEach(n => {n.isOld = true})"
    )
    for title in ("Evaluate", "Data", "Learn", "Predict"):
        go_to(page, title)
        kept = page.locator(".st-key-bar").evaluate("bar => bar.isOld === true")
        knob = page.locator(".st-key-bar_knob input").first
        assert (title, kept, knob.evaluate("input => input.isOld === true")) == (title, True, True)


def test_the_data_and_the_case_of_the_first_visit_can_be_chosen_again(page):
    # What widgets start with is not in the address.
    open_page(page, "/predict")
    change_data(page, SONGS)
    change_data(page, "election")
    case = case_number(page)
    for row in ("5", "16"):
        case.fill(row)
        case.press("Enter")
        expect_in_bar(page, f"row {row}")
    close_panels(page)
    change_method(page, "Label-ranking tree (LRT)")
    change_method(page, "k-NN label ranking")
    expect(settled(page)).to_have_url(re.compile("/predict$"))
