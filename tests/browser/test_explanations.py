"""What if, comparing, taking along and lessons, as visitors use them."""

import json
import re
from contextlib import suppress
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.visitor import choices, choose, open_page, sentence, summary


def press_until(page, key, title):
    """Press a key; again if the page was not yet listening."""
    for _ in range(3):
        page.keyboard.press(key)
        with suppress(AssertionError):
            expect(page.get_by_role("heading", name=title)).to_be_visible(timeout=15_000)
            return
    expect(page.get_by_role("heading", name=title)).to_be_visible()


def test_another_feature_is_swept_and_the_link_keeps_the_view(page, visit, app_server):
    open_page(page, "/predict?data=iris")
    page.get_by_role("radio", name="What if").or_(
        page.get_by_role("button", name="What if", exact=True)
    ).first.click()
    expect(page.get_by_role("heading", name="Two features change")).to_be_visible()
    choose(page, "Feature", "petal width (cm)")
    expect(page.get_by_text("First place by petal width (cm)")).to_be_visible()
    expect(page).to_have_url(re.compile("view=What"))
    other = visit(app_server)
    open_page(other, page.url.removeprefix(app_server.url))
    expect(other.get_by_role("heading", name="Two features change")).to_be_visible()


def test_a_prediction_is_pinned_and_compared(page):
    open_page(page, "/predict?data=vehicle")
    page.get_by_role("button", name="Pin this prediction").click()
    page.get_by_text("Side by side", exact=True).first.click()
    expect(page.get_by_role("heading", name="Pinned and now")).to_be_visible()
    expect(page.get_by_role("img", name="no pair is swapped")).to_be_visible()
    choices(page).get_by_role("button", name="Random case").click()
    expect(page.get_by_text("Where the cases differ")).to_be_visible()


def test_an_explanation_taken_along_works_without_the_app(page, browser, tmp_path):
    open_page(page, "/predict?data=yeast")
    with page.expect_download() as download:
        page.get_by_role("button", name="Explanation (JSON)").click()
    whole = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
    assert whole["summary"] == summary(page).inner_text()
    with page.expect_download() as download:
        page.get_by_role("button", name="Explanation (web page)").click()
    path = tmp_path / "explanation.html"
    download.value.save_as(path)
    context = browser.new_context(offline=True)
    alone, asked, errors = context.new_page(), [], []
    alone.on("request", lambda request: asked.append(request.url))
    alone.on("pageerror", lambda error: errors.append(str(error)))
    alone.goto(path.as_uri())
    expect(alone.get_by_role("figure")).to_have_count(4)
    expect(alone.get_by_text(whole["summary"])).to_be_visible()
    assert asked == [path.as_uri()]
    assert errors == []
    context.close()


def test_a_lesson_goes_on_by_keyboard_and_its_link_opens_the_same_state(page, visit, app_server):
    open_page(page, "/learn")
    expect(page.get_by_role("heading", name="The rows")).to_be_visible()
    press_until(page, "ArrowRight", "Similar cases")
    press_until(page, "ArrowRight", "Ranks that decide")
    press_until(page, "ArrowLeft", "Similar cases")
    page.get_by_role("button", name="Edit the rows").or_(
        page.get_by_text("Edit the rows")
    ).first.click()
    rows = page.get_by_role("textbox", name="One row per line")
    rows.fill(rows.input_value().replace("17,5,tea>water>lemonade", "19,6,lemonade>water>tea"))
    rows.press("Control+Enter")
    expect(page).to_have_url(re.compile("rows_knn="))
    said = sentence(page).last
    expect(said).to_contain_text("most similar training cases")
    other = visit(app_server)
    open_page(other, page.url.removeprefix(app_server.url))
    expect(other.get_by_role("heading", name="Similar cases")).to_be_visible()
    expect(sentence(other).last).to_have_text(said.inner_text())


def label_chip(page, name, ranking):
    return page.get_by_role("button", name=re.compile(rf"^{name}, .* in ranking {ranking}$"))


def expect_rankings(page, *lines):
    expect(page.get_by_role("textbox", name="One ranking per line")).to_have_value("\n".join(lines))


def test_a_label_is_dragged_in_the_playground(page):
    open_page(page, "/learn?lesson=Aggregation+playground")
    label_chip(page, "a", 3).drag_to(
        label_chip(page, "b", 3), target_position={"x": 2, "y": 8}, steps=8
    )
    expect_rankings(page, "a > b > c > d", "a > b > c > d", "a > b > c > d")
    expect(page.get_by_text("Fewest squared rank differences: all rules")).to_be_visible()
    expect(page).to_have_url(re.compile("rankings_0="))
    label_chip(page, "a", 1).click()
    expect_rankings(page, "a > b > c > d", "a > b > c > d", "a > b > c > d")


def test_a_label_moves_by_arrow_keys_in_the_playground(page):
    open_page(page, "/learn?lesson=Aggregation+playground&rankings_of=Ties+and+gaps")
    label_chip(page, "a", 3).focus()
    page.keyboard.press("ArrowLeft")
    expect_rankings(page, "a = b > c", "c > a", "b > a > c")
    expect(label_chip(page, "a", 3)).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect_rankings(page, "a = b > c", "c > a", "b > c > a")
    label_chip(page, "b", 1).focus()
    page.keyboard.press("ArrowRight")
    expect_rankings(page, "a > b > c", "c > a", "b > c > a")
    expect(label_chip(page, "b", 2)).to_have_accessible_name("b, not ranked in ranking 2")
    label_chip(page, "b", 2).focus()
    page.keyboard.press("ArrowLeft")
    expect_rankings(page, "a > b > c", "c > b > a", "b > c > a")
