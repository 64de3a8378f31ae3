"""Every page fits its window, wide and narrow, light and dark; axe finds nothing on it.

Nor in what is opened on it. Pictures have words, and words of pictures are dark enough.

With LABELRANK_SCREENSHOTS set, pictures of all pages go to test-results/.
"""

import os
import re

import pytest
from playwright.sync_api import expect

from tests.browser.axe import ALL_LOOKS, PAIRED_LOOKS, expect_nothing_found, show
from tests.browser.driver import RESULTS, settled
from tests.browser.fitting import expect_fits, expect_fitting, expect_pictures
from tests.browser.opened import OPENED
from tests.browser.visitor import (
    choices,
    go_to,
    heading,
    in_menu,
    menu,
    open_expander,
    open_page,
)

N_CHARTS = {
    "/": 0,
    "/data": 1,
    "/predict?view=All+methods": 4,
    "/predict?view=All+methods&data=songs": 3,
    "/predict?view=All+methods&data=yeast": 3,
    "/predict?view=All+methods&method=Label-ranking+random+forest": 3,
    "/evaluate": 2,
    "/evaluate?data=yeast&good=Rare+labels+too": 5,
    "/confidence": 0,
    "/confidence?held_back=Pairs": 2,
    "/confidence?held_back=Guarantee": 2,
    "/confidence?held_back=Rankings": 1,
    "/best_method": 1,
    "/sensitivity": 0,
    "/sensitivity?data=outings&method=Shared-subspace+least+squares&vary_mlls=α+and+β": 1,
    "/compare": 1,
    "/experiments": 1,
    "/papers": 2,
    "/papers?paper=LRRF&table_lrrf=Table+4": 2,
    "/learn": 1,
    "/learn?lesson=Zero+line&step_mlr=The+line+moves:+answer&present=1": 1,
    "/learn?lesson=Aggregation+playground": 3,
    "/learn?exercises=true": 1,
}
# All four looks; the others are looked at in two of them.
DENSEST = "/predict?view=All+methods"
LABELS = {
    "iris": ["setosa", "versicolor", "virginica"],
    "outings": ["swimming", "hiking", "museum", "cinema", "cycling"],
    "glass": ["float window", "headlamp", "tableware", "container"],
}


def drawn(page, address, count):
    """Open a page and wait for all its pictures."""
    page.goto(address)
    settled(page)
    expect(heading(page)).to_be_visible()
    expect_pictures(page, count)


@pytest.mark.parametrize("address", list(N_CHARTS))
def test_every_page_fits_the_window_and_axe_finds_nothing(page, address):
    page.set_viewport_size({"width": 390, "height": 900})
    page.emulate_media(color_scheme="dark")
    drawn(page, address, N_CHARTS[address])
    looks = ALL_LOOKS if address == DENSEST else PAIRED_LOOKS
    expect_nothing_found(page, looks, frozenset(), expect_fits)
    keep_pictures(page, address)
    for opened in OPENED.get(address, ()):
        show(page, *opened.looks[0])
        opened.prepare(page)
        settled(page)
        expect_nothing_found(page, opened.looks, opened.not_ours)


def keep_pictures(page, address):
    """Keep what is seen, where pictures are wanted."""
    if os.environ.get("LABELRANK_SCREENSHOTS"):
        RESULTS.mkdir(exist_ok=True)
        title = re.sub(r"\W+", "-", address.strip("/")) or "start"
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 900})
            height = page.get_by_test_id("stMain").evaluate("main => main.scrollHeight")
            page.set_viewport_size({"width": width, "height": height})
            for scheme in ("dark", "light"):
                page.emulate_media(color_scheme=scheme)
                page.screenshot(path=RESULTS / f"{title}-{width}-{scheme}.png")


@pytest.mark.parametrize(
    ("data", "link", "count"),
    [
        ("glass", "", 4),
        ("outings", "", 3),
        ("yeast", "&method=Shared-subspace+least+squares", 3),
    ],
)
def test_labels_of_other_samples_are_not_cut_off(page, data, link, count):
    page.set_viewport_size({"width": 390, "height": 900})
    drawn(page, f"/predict?view=How+sure&data={data}{link}", count)
    expect_fitting(page)
    texts = " ".join(page.locator("figure.lr").all_text_contents())
    if not link:
        assert [label for label in LABELS.get(data, []) if label not in texts] == []
    if data == "glass":
        for title in ("One feature in detail", "Two features as a map"):
            open_expander(page, title)
        expect_pictures(page, count + 2)
        expect_fitting(page)


@pytest.mark.parametrize("width", [390, 1280])
def test_the_menu_is_in_sight_and_reaches_every_page(page, width):
    page.set_viewport_size({"width": width, "height": 900})
    drawn(page, "/", N_CHARTS["/"])
    for link in menu(page).all():
        expect(link).to_be_in_viewport(ratio=1)
    for title in ("Data", "Evaluate", "Confidence", "Significance", "Learn", "Start"):
        go_to(page, title)
        expect(in_menu(page, title)).to_be_in_viewport(ratio=1)
    assert page.locator("[data-testid=stSidebar], [data-testid=stExpandSidebarButton]").count() == 0


def places(page):
    """Where the first and the last button of the bar are."""
    names = ("[data-panel=data]", "[data-panel=share]")
    boxes = [choices(page).locator(name).filter(visible=True).bounding_box() for name in names]
    return [(round(box["x"]), round(box["y"]), round(box["height"])) for box in boxes]


@pytest.mark.parametrize("width", [390, 1280])
def test_the_bar_is_the_same_line_at_the_same_place_on_every_page(page, width):
    page.set_viewport_size({"width": width, "height": 900})
    drawn(page, "/predict", 2)
    of_predict = places(page)
    for title in ("Evaluate", "Confidence", "Sensitivity", "Best method", "Data"):
        go_to(page, title)
        assert places(page) == of_predict, title
    # Where the bar does nothing it is not seen, and the page begins in its place.
    go_to(page, "Papers")
    expect(choices(page).locator("[data-panel=data]")).to_be_hidden()
    _, bar_top, bar_height = of_predict[0]
    assert heading(page).bounding_box()["y"] < bar_top + bar_height


def test_the_bar_has_the_choices_that_a_page_uses(page):
    drawn(page, "/predict", 2)
    for title, used in {
        "Evaluate": ["data", "method", "share"],
        "Confidence": ["data", "method", "share"],
        "Sensitivity": ["data", "method", "share"],
        "Best method": ["data", "method", "share"],
        "Data": ["data", "case", "share"],
        "Start": ["data", "case", "method", "share"],
        "Learn": [],
        "Papers": [],
    }.items():
        go_to(page, title)
        buttons = choices(page).locator("[data-panel]").filter(visible=True)
        names = buttons.evaluate_all("buttons => buttons.map(button => button.dataset.panel)")
        assert names == used, title


def color_of(locator, of="backgroundColor"):
    return locator.evaluate(f"element => getComputedStyle(element).{of}")


def test_a_party_has_its_colour_on_every_page_and_in_charts_when_the_theme_changes(page):
    red = {"light": "rgb(208, 31, 39)", "dark": "rgb(255, 112, 116)"}
    page.goto("/predict?data=election&view=What+if")
    settled(page)
    open_expander(page, "One feature in detail")
    expect(page.locator(".js-plotly-plot .scatterlayer path.js-line").first).to_be_attached()
    settled(page)
    chip = page.locator(".lr-chip", has_text="SPD").first
    lines = page.locator(".js-plotly-plot .scatterlayer path.js-line")
    squares = page.locator(".js-plotly-plot tspan", has_text="■")
    for theme in ("light", "dark", "light"):
        page.emulate_media(color_scheme=theme)
        page.wait_for_function(
            f"matchMedia('(prefers-color-scheme: {theme})').matches &&"
            f" getComputedStyle(document.querySelector('.stApp')).colorScheme == '{theme}'"
        )
        assert color_of(chip) == red[theme]
        assert red[theme] in [color_of(line, "stroke") for line in lines.all()]
        assert red[theme] in [color_of(square, "fill") for square in squares.all()]
    page.goto("/?data=election")
    settled(page)
    assert color_of(page.locator(".look-alikes .chip", has_text="SPD").first) == red["light"]
    # Of other data the first label is blue, as before.
    page.goto("/predict?data=iris")
    settled(page)
    assert color_of(page.locator(".lr-chip", has_text="setosa").first) == "rgb(0, 114, 178)"


def test_the_menu_of_evaluate_has_room_for_its_second_line_on_a_phone(page):
    page.set_viewport_size({"width": 390, "height": 900})
    open_page(page, "/evaluate?data=iris")
    links = page.locator(".st-key-evaluate_menu a")
    expect(links).to_have_count(6)
    boxes = [link.bounding_box() for link in links.all()]
    tops = sorted({round(box["y"]) for box in boxes})
    assert len(tops) == 2
    # The line under the page of now is the lower edge of its link.
    assert tops[1] >= tops[0] + boxes[0]["height"] - 1
