"""Every control of a page is reached by the tab key, and one sees where the keyboard is."""

from playwright.sync_api import Page, TimeoutError, expect

from tests.browser.axe import show
from tests.browser.driver import settled
from tests.browser.visitor import open_page

# Controls are what can be reached: not what is hidden, nor what arrow keys reach within a group.
# Looks are noted while nothing has the focus. Fields and sliders show it on the frame around them.
CONTROLS = """() => [...document.querySelectorAll(
    "a[href], button, input, select, textarea, summary, [tabindex]")]
  .filter(each => each.tabIndex >= 0 && !each.disabled && each.ariaChecked !== "false" &&
    each.checkVisibility({ visibilityProperty: true }))"""
ALL_THERE = f"""() => {{
  const count = ({CONTROLS})().length
  if (count !== window.count) [window.count, window.since] = [count, performance.now()]
  return performance.now() - window.since > 2000
}}"""
NOTE_LOOKS = f"""() => {{
  const style = each => {{
    const {{ outlineStyle, outlineWidth, boxShadow, borderColor }} = getComputedStyle(each)
    return [outlineStyle === "solid" && parseFloat(outlineWidth) >= 2, boxShadow, borderColor]
  }}
  window.look = control => {{
    const around = [control]
    while (control.matches("input, textarea") && around.length < 5)
      around.push(around.at(-1).parentElement)
    return around.map(each => style(each).join()).join(" / ")
  }}
  window.at_rest = new Map(({CONTROLS})().map(each => [each, window.look(each)]))
  window.reached = new Set()
}}"""
SHOWN = """() => {
  const now = document.activeElement
  return now === document.body || window.look(now) !== window.at_rest.get(now)
}"""
REACHED = "() => window.reached.add(document.activeElement).has(document.body)"
MISSED = f"() => ({CONTROLS})().filter(e => !window.reached.has(e)).map(e => e.outerHTML)"
IN_ORDER = """() => {
  const main = document.querySelector("[data-testid=stMain]")
  const own = [...window.reached].filter(each => main !== each && main.contains(each))
  return own.every((each, i) => !i ||
    own[i - 1].compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING)
}"""


def press_tab(page: Page) -> bool:
    """Go to the next control, whose frame must change; tell whether there is one."""
    page.keyboard.press("Tab")
    try:
        page.wait_for_function(SHOWN, timeout=20_000)
    except TimeoutError:
        where = page.evaluate("document.activeElement.outerHTML")
        raise AssertionError(f"one does not see that the keyboard is here: {where}") from None
    return not page.evaluate(REACHED)


def test_the_tab_key_reaches_every_control_of_predict_and_shows_where_it_is(page):
    # All chapters are drawn, so that none comes while one goes from control to control.
    open_page(page, "/predict?view=All+methods")
    expect(page.locator(".lr-groups-of-methods")).to_be_visible()
    settled(page)
    for scheme in ("light", "dark"):
        show(page, 1280, scheme)
        page.wait_for_function(ALL_THERE)
        page.evaluate(NOTE_LOOKS)
        n_reached = 0
        while press_tab(page):
            n_reached += 1
            assert n_reached < 100
        assert page.evaluate(MISSED) == []
        assert page.evaluate(IN_ORDER)
        assert n_reached > 30
