"""Pages stand still while they are opened, and their first view is easy to read."""

import pytest
from playwright.sync_api import expect

from tests.browser.shifts import cumulative, open_recorded, shifts_of

# More than this is not good any more (web.dev/cls).
MOST = 0.1
# On a machine that is busy with other tests a part may come late once.
N_VISITS = 3
# A drawing of each page, and the most words and controls of its first view at 1280 x 800.
FIRST_VIEWS = {
    "/": (".plane-picture", 170, 30),
    "/?data=songs": (".plane-picture", 170, 30),
    "/data": (".lr-example", 170, 30),
    "/predict": (".lr-waterfall", 260, 40),
    "/predict?data=songs": (".lr-waterfall", 260, 40),
    "/evaluate": (".lr-quality", 150, 40),
    "/best_method": (".lr-race", 170, 40),
    "/confidence": (".kept-curve svg", 170, 40),
    "/sensitivity": (".value-curve svg", 170, 40),
    "/experiments": (".st-key-ex_folds", 170, 50),
    "/compare": (".lr-cd", 200, 30),
    "/papers": (".lr-held", 300, 30),
    "/learn": (".st-key-lesson_picture .lr", 180, 40),
}
SMALLEST = 13
# Texts that can be seen and are smaller, also in shadows of components and in drawings that are
# scaled down. Icons are letters.
SMALL = """smallest => {
  const roots = [document.body]
  for (const root of roots)
    for (const part of root.querySelectorAll("*")) if (part.shadowRoot) roots.push(part.shadowRoot)
  const small = new Set()
  for (const root of roots) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    for (let text; (text = walker.nextNode());) {
      const parent = text.parentElement
      if (!text.textContent.trim()) continue
      if (!parent?.checkVisibility({ visibilityProperty: true })) continue
      const { fontSize, fontFamily } = getComputedStyle(parent)
      if (parent.matches("style, script, noscript, title")) continue
      if (fontFamily.includes("Material")) continue
      const matrix = parent.ownerSVGElement ? parent.getScreenCTM() : null
      const size = parseFloat(fontSize) * (matrix ? Math.hypot(matrix.a, matrix.b) : 1)
      if (size < smallest - 0.05) small.add(`${text.textContent.trim()}: ${size}px`)
    }
  }
  return [...small]
}"""
IN_VIEW = """() => {
  const seen = (element) => {
    const box = element.getBoundingClientRect()
    const isVisible = element.checkVisibility({visibilityProperty: true, opacityProperty: true})
    return box.width > 1 && box.bottom > 0 && box.top < innerHeight && isVisible
  }
  // Components have their texts in shadows.
  const roots = [document.body]
  for (const root of roots)
    for (const part of root.querySelectorAll("*")) if (part.shadowRoot) roots.push(part.shadowRoot)
  // Nor is a table that a visitor pastes a text of the page.
  const isHidden =
    "style, script, textarea, [data-testid=stIconMaterial], .st-key-bar > :not(:first-child)"
  let words = 0
  let controls = 0
  for (const root of roots) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const text = walker.currentNode.textContent.trim()
      const parent = walker.currentNode.parentElement
      const isRead = text && parent && !parent.closest(isHidden) && seen(parent)
      if (isRead) words += text.split(/\\s+/).length
    }
    controls += [...root.querySelectorAll(
      "button, a, input, summary, [role=slider], [role=combobox]")].filter(seen).length
  }
  return {words, controls}
}"""


def open_still(browser, server, address, width, height):
    """Open a page until little moves meanwhile, and return it; its letters are not small."""
    for _ in range(N_VISITS):
        page = open_recorded(browser, server, width, height, address)
        expect(page.locator(FIRST_VIEWS[address][0]).first).to_be_attached()
        shifts = shifts_of(page)
        if cumulative(shifts) <= MOST:
            assert page.evaluate(SMALL, 40), "a size that hardly any text has is found"
            assert page.evaluate(SMALL, SMALLEST) == []
            return page
        page.context.close()
    pytest.fail(f"{cumulative(shifts):.3f} at every visit, the last time by {shifts}")


@pytest.mark.parametrize("address", FIRST_VIEWS)
def test_a_page_stands_still_and_its_first_view_is_no_wall_of_text(
    browser, app_server, cold_server, address
):
    # What other tests have run would stand in a list of earlier experiments.
    server = cold_server() if address == "/experiments" else app_server
    page = open_still(browser, server, address, 1280, 800)
    seen = page.evaluate(IN_VIEW)
    page.context.close()
    _, n_words, n_controls = FIRST_VIEWS[address]
    assert seen["words"] <= n_words, seen
    assert seen["controls"] <= n_controls, seen


@pytest.mark.parametrize("address", FIRST_VIEWS)
def test_a_page_stands_still_on_a_phone_and_its_letters_are_not_small(browser, app_server, address):
    open_still(browser, app_server, address, 390, 844).context.close()


def test_a_window_of_shifts_ends_with_a_pause_or_after_five_seconds():
    def shifted(*times):
        return [{"time": 1000 * time, "value": 0.1, "moved": []} for time in times]

    assert cumulative([]) == 0
    assert cumulative(shifted(1, 1.5, 2.4)) == pytest.approx(0.3)
    assert cumulative(shifted(1, 1.5, 2.6, 5)) == pytest.approx(0.2)
    assert cumulative(shifted(0, 0.9, 1.8, 2.7, 3.6, 4.5, 5.4)) == pytest.approx(0.6)
