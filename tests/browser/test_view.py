"""What a visitor changed, pinned and chose, in an address and on the way back."""

import re

from playwright.sync_api import expect

from labelrank_core import load_sample
from tests import core_says
from tests.browser.driver import settled
from tests.browser.visitor import (
    K_SLIDER,
    SLOW_ANSWERS,
    case_number,
    choose,
    close_panels,
    copied_link,
    expect_predict,
    go_to,
    open_chapter,
    open_expander,
    open_page,
    open_panel,
    press,
    status,
    summary,
    upload,
    use_these_data,
)

IRIS = load_sample("iris")


def test_the_copied_link_opens_changed_values_pins_and_cases(page, visit, app_server):
    open_page(page, "/predict?data=glass&row=7")
    choose(page, "Data", "iris")
    expect(status(page)).to_contain_text("iris")
    # While the page is drawn anew, the button of the last data set stands beside the new one.
    expect(page.get_by_role("button", name="Pin this prediction")).to_have_count(1)
    settled(page).get_by_role("button", name="Pin this prediction").click()
    expect(page.get_by_role("button", name="Pinned")).to_be_disabled()
    open_chapter(page, "What if?")
    open_expander(page, "Change any value")
    press(page, "petal length (cm)", "End")
    expected = core_says.sentence(IRIS, 73, edits={2: IRIS.X[:, 2].max()})
    expect(summary(page)).to_have_text(expected)
    link = copied_link(page)
    assert link.endswith("changed=2~6.9&pins=73~knn&cases=glass~7")
    # They are restored after a reload, too, though the address does not say them.
    settled(page).reload()
    expect(summary(page)).to_have_text(expected)
    expect(page.get_by_role("button", name="Pinned")).to_have_count(0)
    expect(page).not_to_have_url(re.compile("changed|pins|cases"))
    open_chapter(page, "Would others say the same?")
    expect(page.get_by_role("heading", name="Pinned and now")).to_be_visible()

    other = open_page(visit(app_server), link)
    expect(summary(other)).to_have_text(expected)
    expect(other).not_to_have_url(re.compile("changed|pins|cases"))
    expect(other.get_by_test_id("stAlert")).to_contain_text("petal length (cm) 4.9 → 6.9")
    open_chapter(other, "Would others say the same?")
    expect(other.get_by_role("heading", name="Pinned and now")).to_be_visible()
    choose(other, "Data", "glass")
    expect(case_number(other)).to_have_value("7")
    choose(other, "Data", "iris")
    expect(summary(other)).to_have_text(expected)


def test_back_and_forward_keep_what_is_in_use(page):
    open_page(page, "/")
    go_to(page, "Predict")
    choose(page, "Data", "iris")
    expect(status(page)).to_contain_text("iris")
    press(page, K_SLIDER, "ArrowRight", "ArrowRight")
    expect(status(page)).to_contain_text("(k) 7")
    expected = core_says.sentence(IRIS, 73, n_neighbors=7)
    go_to(page, "Evaluate")
    expect(status(page)).to_contain_text("(k) 7")
    page.go_back()
    expect_predict(page)
    expect(summary(page)).to_have_text(expected)
    page.go_back()
    # Predict asks the same question: the first page is there once its board is.
    expect(page.locator(".look-alikes h1")).to_have_text("Which species is this flower?")
    expect(status(page)).to_contain_text("(k) 7")
    expect(page).to_have_url(re.compile("data=iris"))
    settled(page).go_forward()
    expect_predict(page)
    expect(summary(settled(page))).to_have_text(expected)


def test_a_move_before_other_data_have_come_does_not_bring_back_the_row_of_the_data_before(page):
    page.add_init_script(SLOW_ANSWERS)
    open_page(page, "/predict")
    panel = open_panel(page, "Data")
    page.evaluate("window.delay = 1500")
    panel.get_by_role("combobox", name="Data", exact=True).click()
    page.get_by_role("option", name="iris", exact=True).click()
    close_panels(page)
    press(page, K_SLIDER, "ArrowRight", "ArrowRight")
    expect(status(page)).to_contain_text("iris")
    expect(summary(page)).to_have_text(core_says.sentence(IRIS, 73, n_neighbors=7))
    page.evaluate("window.delay = 0")
    expect(page).not_to_have_url(re.compile("row="))
    # The number of the case before can still be asked for.
    number = case_number(page)
    number.fill("16")
    number.press("Enter")
    expect(summary(page)).to_have_text(core_says.sentence(IRIS, 15, n_neighbors=7))


LEAVE_WHILE_CHAPTERS_COME = """() => {
  document.querySelector("[data-testid=stMain]").scrollTo(0, 1e6)
  history.back()
}"""


def test_chapters_that_come_near_do_not_hold_back_who_leaves(page):
    for _ in range(5):
        open_page(page, "/")
        go_to(page, "Predict")
        page.evaluate(LEAVE_WHILE_CHAPTERS_COME)
        expect(page.locator(".look-alikes h1")).to_be_visible()


def test_an_upload_outlives_a_reload_for_its_browser_alone(page, visit, app_server):
    open_page(page, "/data")
    upload(page, "small.csv", b"x,ranking\n1,b>a\n2,a>b\n3,b>a\n4,a>b\n5,b>a\n")
    use_these_data(page)
    expect(status(page)).to_contain_text("small · label ranking")
    expect(page).to_have_url(re.compile("data=small"))
    expect(open_panel(page, "Data").get_by_text("are not part of the link")).to_be_visible()
    settled(page).reload()
    expect(status(page)).to_contain_text("small · label ranking")
    go_to(page, "Predict")
    expect(status(page)).to_contain_text("small · label ranking")

    other = open_page(visit(app_server), page.url)
    expect(status(other)).to_contain_text("election")
    expect(other.get_by_test_id("stException")).to_have_count(0)

    go_to(page, "Data")
    page.get_by_role("button", name="Remove these data").click()
    expect(status(page)).to_contain_text("election")
    settled(page).reload()
    expect(status(page)).to_contain_text("election")
    open_panel(page, "Data").get_by_role("combobox", name="Data", exact=True).click()
    expect(page.get_by_role("option", name="iris", exact=True)).to_be_visible()
    expect(page.get_by_role("option", name="small (mine)")).to_have_count(0)
    page.keyboard.press("Escape")
