"""Whether a page and the texts of its pictures, HTML or Plotly's, fit the window."""

from pathlib import Path

from playwright.sync_api import Page, TimeoutError, expect

FIND_FAULTS = Path(__file__).with_name("geometry.js").read_text(encoding="utf-8")
# Faults of all drawings of markup, on the ground on which they stand there.
FAULTS = f"() => ({FIND_FAULTS})('.stMain .lr:not(.lr .lr)')"
# Texts of charts that reach beyond their chart or the window by over a pixel.
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
# Words of the page itself that are longer than their place, and neither scroll nor end in dots.
HIDDEN = """() => [...document.querySelectorAll("[data-testid=stMain] *")].filter(each => {
  const { overflowX, textOverflow } = getComputedStyle(each)
  return overflowX === "hidden" && textOverflow !== "ellipsis" && each.clientWidth > 4 &&
    each.scrollWidth > each.clientWidth + 1 && each.innerText && each.checkVisibility() &&
    !each.closest(".js-plotly-plot, [data-testid=stDataFrame]")
}).map(each => each.innerText.slice(0, 80))"""
# Places of sentences that stayed unfilled, also in shadows of components: "{k} similar {rows}".
UNFILLED = """() => {
  const texts = []
  const visit = (root) => {
    for (const part of root.querySelectorAll("*")) {
      if (part.shadowRoot) visit(part.shadowRoot)
      const isProse = part.children.length < 9 && !part.closest("code, pre, style, script")
      if (isProse && /\\{\\w+\\}/.test(part.textContent)) texts.push(part.textContent.slice(0, 80))
    }
  }
  visit(document.querySelector("[data-testid=stMain]"))
  return texts
}"""
# Pictures follow the window some time later.
FOLLOWED = """() => [...document.querySelectorAll("[data-testid=stPlotlyChart]")].every(chart => {
  const drawn = chart.querySelector("svg.main-svg")
  return !drawn || Math.abs(drawn.clientWidth - chart.clientWidth) < 3
})"""
SIZES = {"phone, dark": (390, "dark"), "desk, light": (1280, "light")}


def expect_fitting(page: Page) -> None:
    """Wait until the page and its pictures fit the window, narrow and dark, wide and light.

    Colours take no room, so each width is looked at in one theme.
    """
    for width, scheme in SIZES.values():
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 900})
        expect_fits(page)


def expect_fits(page: Page) -> None:
    """Wait until the page and its pictures fit the window of now."""
    try:
        page.wait_for_function(
            f"({FOLLOWED})() && Math.max(...({OVERFLOW})()) <= 0 && "
            f"!({CUT_OFF})().length && !({HIDDEN})().length && !({UNFILLED})().length && "
            f"!({FAULTS})().length"
        )
    except TimeoutError:
        found = [
            page.evaluate(each) for each in (OVERFLOW, CUT_OFF, HIDDEN, UNFILLED, FOLLOWED, FAULTS)
        ]
        raise AssertionError(f"{page.url}, {page.viewport_size}: {found}") from None


def expect_pictures(page: Page, count: int) -> None:
    """Wait until so many pictures are drawn, each with words for those who cannot see it."""
    plots = page.locator(".js-plotly-plot svg.main-svg:first-child").filter(visible=True)
    drawings = page.locator("figure.lr").filter(visible=True)
    expect(plots.or_(drawings)).to_have_count(count)
    page.evaluate("document.fonts.ready")
    for figure in page.get_by_role("figure").all():
        assert len(figure.get_attribute("aria-label") or "") > 20, page.url
