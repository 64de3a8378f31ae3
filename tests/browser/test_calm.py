"""Pages do not jump while they are opened."""

import pytest

from tests.browser.shifts import cumulative, open_recorded, shifts_of

# More than this is not good any more (web.dev/cls).
MOST = 0.1
# On a machine that is busy with other tests a part may come late once.
N_VISITS = 3


@pytest.mark.parametrize(
    ("address", "width"),
    [
        ("/", 1280),
        ("/", 390),
        ("/data", 1280),
        ("/data", 390),
        ("/predict", 1280),
        ("/predict", 390),
        ("/evaluate", 390),
        ("/confidence", 1280),
        ("/experiments", 390),
        ("/learn", 1280),
        ("/learn", 390),
        ("/papers", 390),
    ],
)
def test_little_moves_while_a_page_is_opened(browser, app_server, address, width):
    for _ in range(N_VISITS):
        page = open_recorded(browser, app_server, width, 844, address)
        shifts = shifts_of(page)
        page.context.close()
        if cumulative(shifts) <= MOST:
            return
    pytest.fail(f"{cumulative(shifts):.3f} at every visit, the last time by {shifts}")


SMALLEST = 13
# Texts that can be seen, in the shadows of components too, and are smaller. Icons are letters, and
# the theme's letters of charts have 11 px.
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
      if (parent.closest(".js-plotly-plot")) continue
      const { fontSize, fontFamily } = getComputedStyle(parent)
      if (parent.matches("style, script, noscript") || fontFamily.includes("Material")) continue
      if (parseFloat(fontSize) < smallest) small.add(`${text.textContent.trim()}: ${fontSize}`)
    }
  }
  return [...small]
}"""


@pytest.mark.parametrize("address", ["/", "/data", "/predict", "/evaluate", "/learn", "/papers"])
def test_no_letters_are_small(browser, app_server, address):
    page = open_recorded(browser, app_server, 1280, 844, address)
    small = page.evaluate(SMALL, SMALLEST)
    assert page.evaluate(SMALL, 40), "a size that hardly any text has is found"
    page.context.close()
    assert small == []


def test_a_window_of_shifts_ends_with_a_pause_or_after_five_seconds():
    def shifted(*times):
        return [{"time": 1000 * time, "value": 0.1, "moved": []} for time in times]

    assert cumulative([]) == 0
    assert cumulative(shifted(1, 1.5, 2.4)) == pytest.approx(0.3)
    assert cumulative(shifted(1, 1.5, 2.6, 5)) == pytest.approx(0.2)
    assert cumulative(shifted(0, 0.9, 1.8, 2.7, 3.6, 4.5, 5.4)) == pytest.approx(0.6)
