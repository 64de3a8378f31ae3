"""What if, comparing, taking along and lessons, as visitors use them."""

import html
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.fitting import SIZES
from tests.browser.visitor import choices, choose, open_page, press, status, summary


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
    expect(page.get_by_role("img", name="no pair is swapped").last).to_be_visible()
    choices(page).get_by_role("button", name="Random case").click()
    expect(page.get_by_text("Where the cases differ")).to_be_visible()


def taken_along(page, address, folder):
    """The report of what a page shows, as a file."""
    open_page(page, address)
    with page.expect_download() as download:
        page.get_by_role("button", name="Report (web page)").click()
    path = folder / "explanation.html"
    download.value.save_as(path)
    return path


@pytest.mark.parametrize(
    ("link", "figures"),
    [
        ("data=election&row=16", 4),
        ("data=yeast&mlr_n_neighbors=7", 5),
        ("data=glass&method=Label-ranking+random+forest", 5),
    ],
)
def test_a_report_stands_alone_on_a_phone_and_a_desk_and_prints_on_two_pages(
    page, browser, tmp_path, link, figures
):
    path = taken_along(page, f"/predict?{link}", tmp_path)
    said = summary(page).inner_text()
    assert path.stat().st_size < 200_000
    for (width, scheme), dark in zip(SIZES.values(), (True, False), strict=True):
        context = browser.new_context(
            offline=True,
            java_script_enabled=False,
            color_scheme=scheme,
            viewport={"width": width, "height": 900},
        )
        alone, asked = context.new_page(), []
        alone.on("request", lambda request, asked=asked: asked.append(request.url))
        alone.goto(path.as_uri())
        expect(alone.get_by_role("figure")).to_have_count(figures)
        expect(alone.get_by_text(said)).to_be_visible()
        assert [url for url in asked if not url.startswith("data:")] == [path.as_uri()]
        body = alone.locator("body")
        assert alone.locator("html").evaluate("e => e.scrollWidth") <= width
        color = body.evaluate("e => getComputedStyle(e).backgroundColor")
        assert (sum(map(int, re.findall(r"\d+", color))) < 200) == dark
        if not dark:
            printed = alone.pdf(prefer_css_page_size=True)
            assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 2
        context.close()


def test_how_sure_to_be_goes_into_links_and_report(page):
    open_page(page, "/predict?data=election&row=16&view=How sure")
    expect(page.get_by_text("With 90% guarantee: ")).to_be_visible()
    press(page, "How sure (%)", "ArrowLeft")
    expect(page.get_by_text("With 89% guarantee: ")).to_be_visible()
    expect(page).to_have_url(re.compile("sure=89"))
    with page.expect_download() as download:
        page.get_by_role("button", name="Report (web page)").click()
    report = Path(download.value.path()).read_text(encoding="utf-8")
    assert "With 89% guarantee: " in report
    link = html.unescape(re.search('<a href="([^"]+)"', report)[1])
    assert "sure=89" in link
    page.get_by_role("button", name="Copy link").click()
    copied = page.get_by_role("textbox", name=re.compile("^Opens this page"))
    expect(copied).to_have_value(re.compile("sure=89"))


def test_a_report_leads_back_to_the_state_it_is_about(page, visit, app_server, tmp_path):
    path = taken_along(page, "/predict?data=election&row=16&knn_n_neighbors=8", tmp_path)
    said = summary(page).inner_text()
    link = re.search('<a href="([^"]+)"', path.read_text(encoding="utf-8"))[1]
    other = visit(app_server)
    other.goto(html.unescape(link))
    expect(summary(other)).to_have_text(said)
    expect(status(other)).to_contain_text("Similar cases (k) 8")


def test_an_explanation_as_data_says_what_the_page_says(page):
    open_page(page, "/predict?data=yeast")
    with page.expect_download() as download:
        page.get_by_role("button", name="JSON").click()
    whole = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
    assert whole["summary"] == summary(page).inner_text()


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
    # Two keys at once: the second finds the label where the first has put it.
    for key in ("ArrowLeft", "ArrowLeft"):
        page.keyboard.press(key)
    expect_rankings(page, "a = b > c", "c > a", "a > b > c")
    for key in ("ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    expect_rankings(page, "a = b > c", "c > a", "b > c > a")
    # Two rankings at once: neither move is lost.
    label_chip(page, "a", 3).press("ArrowLeft")
    label_chip(page, "a", 2).press("ArrowLeft")
    expect_rankings(page, "a = b > c", "a > c", "b > a > c")
    label_chip(page, "a", 2).press("ArrowRight")
    label_chip(page, "a", 3).press("ArrowRight")
    expect_rankings(page, "a = b > c", "c > a", "b > c > a")
    label_chip(page, "b", 1).focus()
    page.keyboard.press("ArrowRight")
    expect_rankings(page, "a > b > c", "c > a", "b > c > a")
    expect(label_chip(page, "b", 2)).to_have_accessible_name("b, not ranked in ranking 2")
    label_chip(page, "b", 2).focus()
    page.keyboard.press("ArrowLeft")
    expect_rankings(page, "a > b > c", "c > b > a", "b > c > a")
