"""Every page fits its window, wide and narrow, light and dark; pictures have words.

With LABELRANK_SCREENSHOTS set, pictures of all pages go to test-results/.
"""

import os
import re

import pytest
from playwright.sync_api import expect

from tests.browser.driver import RESULTS, settled
from tests.browser.visitor import PAGES, heading

N_CHARTS = {
    "/": 1,
    "/data": 0,
    "/predict": 6,
    "/predict?view=What+if": 2,
    "/predict?view=How+sure": 2,
    "/evaluate": 1,
    "/evaluate?data=outings": 1,
    "/evaluate?data=yeast&good=Rare+labels+too": 3,
    "/confidence": 2,
    "/confidence?held_back=Pairs+of+labels": 2,
    "/sensitivity": 1,
    "/sensitivity?data=yeast": 1,
    "/sensitivity?data=yeast&method=Shared-subspace+least+squares": 1,
    "/compare": 1,
    "/experiments": 0,
    "/learn": 0,
    "/learn?step_knn=Similar+cases": 1,
    "/learn?lesson=Aggregation+playground": 1,
}
LABELS = {
    "iris": ["setosa", "versicolor", "virginica"],
    "outings": ["swimming", "hiking", "museum", "cinema", "cycling"],
    "glass": ["float window", "headlamp", "tableware", "container"],
}
# Texts of pictures that reach beyond their picture or the window, by more than a pixel.
CUT_OFF = """() => {
  const cut = []
  for (const chart of document.querySelectorAll(".js-plotly-plot")) {
    const frame = chart.querySelector("svg.main-svg").getBoundingClientRect()
    for (const text of chart.querySelectorAll("text")) {
      const box = text.getBoundingClientRect()
      if (!text.textContent.trim() || !box.width) continue
      const inside = box.left >= frame.left - 1 && box.right <= frame.right + 1 &&
        box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1
      if (!inside || box.right > window.innerWidth + 1) cut.push(text.textContent)
    }
  }
  return cut
}"""
OVERFLOW = """() => {
  const main = document.querySelector("[data-testid=stMain]")
  return [document.documentElement.scrollWidth - window.innerWidth,
          main.scrollWidth - main.clientWidth]
}"""


# Colours take no room, so each width is looked at in one theme.
@pytest.fixture(params=[(1280, "light"), (390, "dark")], ids=["1280-light", "390-dark"])
def looks(visit, app_server, request):
    page = visit(app_server)
    width, scheme = request.param
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    return page


def drawn(page, address, count):
    """Open a page and wait for all its pictures."""
    page.goto(address)
    settled(page)
    expect(heading(page)).to_be_visible()
    expect(page.locator(".js-plotly-plot svg.main-svg:first-child")).to_have_count(count)
    page.evaluate("document.fonts.ready")


def test_every_page_fits_the_window_and_has_words_for_its_pictures(looks):
    page = looks
    for address, count in N_CHARTS.items():
        drawn(page, address, count)
        assert max(page.evaluate(OVERFLOW)) <= 0, address
        assert page.evaluate(CUT_OFF) == [], address
        figures = page.get_by_test_id("stPlotlyChart")
        for figure in figures.all():
            assert len(figure.get_attribute("aria-label") or "") > 20, address
        if os.environ.get("LABELRANK_SCREENSHOTS"):
            RESULTS.mkdir(exist_ok=True)
            height = page.get_by_test_id("stMain").evaluate("main => main.scrollHeight")
            page.set_viewport_size({**page.viewport_size, "height": height})
            title = re.sub(r"\W+", "-", address.strip("/")) or "start"
            for scheme in ("dark", "light"):
                page.emulate_media(color_scheme=scheme)
                name = f"{title}-{page.viewport_size['width']}-{scheme}.png"
                page.screenshot(path=RESULTS / name)
            page.set_viewport_size({**page.viewport_size, "height": 900})


@pytest.mark.parametrize(
    ("data", "link", "count"),
    [
        ("glass", "", 6),
        ("glass", "&view=What+if", 2),
        ("glass", "&method=Label-ranking+random+forest", 7),
        ("outings", "", 6),
        ("yeast", "", 6),
        ("yeast", "&view=What+if", 2),
        ("yeast", "&method=Shared-subspace+least+squares", 5),
    ],
)
def test_labels_of_other_samples_are_not_cut_off(page, data, link, count):
    page.set_viewport_size({"width": 390, "height": 900})
    drawn(page, f"/predict?data={data}{link}", count)
    page.wait_for_function(f"Math.max(...({OVERFLOW})()) <= 0 && !({CUT_OFF})().length")
    page.set_viewport_size({"width": 1280, "height": 900})
    # Pictures follow the window some time later.
    page.wait_for_function(f"Math.max(...({OVERFLOW})()) <= 0 && !({CUT_OFF})().length")
    texts = " ".join(page.locator(".js-plotly-plot text").all_text_contents())
    if not link:
        assert [label for label in LABELS.get(data, []) if label not in texts] == []


def test_the_theme_follows_the_visitors_system(visit, app_server):
    backgrounds = []
    for scheme in ("light", "dark"):
        page = visit(app_server)
        page.emulate_media(color_scheme=scheme)
        drawn(page, "/", N_CHARTS["/"])
        color = page.get_by_test_id("stApp").evaluate(
            "app => getComputedStyle(app).backgroundColor"
        )
        backgrounds.append(sum(map(int, color.removeprefix("rgb(").rstrip(")").split(","))))
    assert backgrounds[0] > 600
    assert backgrounds[1] < 200


def test_the_menu_of_a_narrow_window_reaches_every_page(page):
    page.set_viewport_size({"width": 390, "height": 900})
    drawn(page, "/", N_CHARTS["/"])
    page.get_by_test_id("stExpandSidebarButton").click()
    expect(page.get_by_test_id("stSidebar").get_by_role("link")).to_have_count(len(PAGES))
    page.get_by_test_id("stSidebar").get_by_role("link", name="Evaluate").click()
    expect(heading(page)).to_have_text(PAGES["/evaluate"])
