"""What axe finds on a page, and what it does not look at: whether words of pictures are faint."""

from collections.abc import Callable
from dataclasses import dataclass

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, TimeoutError

from tests.browser.fitting import FOLLOWED

# Each element with a finding: rule, impact, how to find the element, what is wrong with it. Style
# sheets are read anew for one rule alone, which is an experiment and not looked at. To check
# the contrast of words takes nine tenths of the time. It depends on their style and on the colours
# behind them: where both are equal, two elements are checked.
FINDINGS = """async () => {
  const LOOKED_AT = 2
  const options = { resultTypes: ["violations"], preload: { assets: ["media"] } }
  const isText = node => node.nodeType === Node.TEXT_NODE && node.data.trim()
  const elements = root => [...root.querySelectorAll("*")].flatMap(
    element => [element, ...(element.shadowRoot ? elements(element.shadowRoot) : [])])
  const known = new Map()
  const groundsOf = element => {
    if (!element || element === document) return ""
    if (element instanceof ShadowRoot) return groundsOf(element.host)
    if (!known.has(element)) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element)
      const ground = `${backgroundColor} ${backgroundImage} ${opacity}|`
      const clear = "rgba(0, 0, 0, 0) none 1|"
      const behind = groundsOf(element.assignedSlot ?? element.parentNode)
      known.set(element, ground === clear ? behind : ground + behind)
    }
    return known.get(element)
  }
  const styleOf = element => {
    const { color, fontSize, fontWeight, position } = getComputedStyle(element)
    const look = [color, fontSize, fontWeight, position, groundsOf(element)]
    return [element.tagName, element.getAttribute("class"), ...look].join(";")
  }
  const alike = new Map()
  for (const element of elements(document)) {
    if (![...element.childNodes].some(isText) || !element.checkVisibility()) continue
    const style = styleOf(element)
    alike.set(style, [...(alike.get(style) ?? []), element].slice(0, LOOKED_AT))
  }
  const CONTRAST = "color-contrast"
  const found = [
    await axe.run(document, { ...options, rules: { [CONTRAST]: { enabled: false } } }),
    await axe.run({ include: [...alike.values()].flat() }, { ...options, runOnly: [CONTRAST] }),
  ]
  const violations = found.flatMap(({ violations }) => violations)
  return violations.flatMap(({ id, impact, nodes }) => nodes.map(({ target, failureSummary }) =>
    [id, impact, target.flat().join(" "), failureSummary.split("\\n").slice(1).join("; ").trim()]))
}"""
IS_IN = "([target, selector]) => !!document.querySelector(target)?.closest(selector)"
# Pure black or white is the ink on a mark's own colour; all other words lie on the page.
FAINT = """() => {
  const numbers = color => color.match(/[\\d.]+/g).map(Number)
  const light = channels => channels
    .map(each => each / 255)
    .map(each => each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4)
    .reduce((sum, each, i) => sum + [0.2126, 0.7152, 0.0722][i] * each, 0.05)
  const app = getComputedStyle(document.querySelector("[data-testid=stApp]"))
  const ground = numbers(app.backgroundColor)
  const faint = new Set()
  for (const text of document.querySelectorAll(".js-plotly-plot text")) {
    if (!/\\w/.test(text.textContent) || !text.getBoundingClientRect().width) continue
    if (!text.checkVisibility()) continue
    const { fill, fillOpacity } = getComputedStyle(text)
    const [ink, share] = [numbers(fill).slice(0, 3), Number(fillOpacity)]
    if (["0,0,0", "255,255,255"].includes(ink.join())) continue
    const seen = ink.map((each, i) => share * each + (1 - share) * ground[i])
    const [low, high] = [light(seen), light(ground)].sort((a, b) => a - b)
    if (high / low < 4.5) faint.add(`${text.textContent}: ${(high / low).toFixed(2)}`)
  }
  return [...faint]
}"""
# The theme follows the visitor's system, and so do the colours of the page.
IN_SCHEME = """scheme => {
  const { colorScheme, backgroundColor } = getComputedStyle(document.querySelector(".stApp"))
  const light = backgroundColor.match(/\\d+/g).slice(0, 3).reduce((sum, each) => sum + +each, 0)
  return colorScheme === scheme && (scheme === "dark" ? light < 200 : light > 600)
}"""


@dataclass(frozen=True)
class NotOurs:
    """A finding in elements that Streamlit makes and that nothing here can change."""

    rule: str
    selector: str
    reason: str


DROPZONE = NotOurs(
    "presentation-role-conflict",
    "[data-testid=stFileUploaderDropzone]",
    "It has a name beside role=presentation; the button in it can be reached, and says it all.",
)
NARROW, WIDE = 390, 1280
ALL_LOOKS = ((NARROW, "dark"), (NARROW, "light"), (WIDE, "light"), (WIDE, "dark"))
PAIRED_LOOKS = ((NARROW, "dark"), (WIDE, "light"))


def show(page: Page, width: int, scheme: str) -> None:
    """Show an open page in another width and theme."""
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function(IN_SCHEME, arg=scheme)
    page.wait_for_function(FOLLOWED)


def expect_no_faint_words(page: Page) -> None:
    """Wait until the words of all pictures are dark, or light, enough in the theme of now."""
    try:
        page.wait_for_function(f"!({FAINT})().length")
    except TimeoutError:
        raise AssertionError(f"{page.url}: {page.evaluate(FAINT)}") from None


def findings(
    page: Page, not_ours: frozenset[NotOurs] = frozenset()
) -> tuple[list[str], set[NotOurs]]:
    """Return what axe finds, one element a line, and which findings that are not ours are met."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    lines, met = [], set()
    for rule, impact, target, wrong in page.evaluate(FINDINGS):
        excused = [
            each
            for each in not_ours
            if each.rule == rule and page.evaluate(IS_IN, [target, each.selector])
        ]
        met.update(excused)
        if not excused:
            lines.append(f"{rule} ({impact}) {target}: {wrong}")
    return lines, met


def expect_nothing_found(
    page: Page,
    looks: tuple[tuple[int, str], ...],
    not_ours: frozenset[NotOurs] = frozenset(),
    expect_more: Callable[[Page], None] = lambda _: None,
) -> None:
    """Look at an open page in several widths and themes: nothing is found, no word is faint."""
    found = {}
    for look in looks:
        show(page, *look)
        for excused in not_ours:  # Streamlit loads the code of some widgets when they are drawn.
            page.wait_for_selector(excused.selector, state="attached")
        expect_more(page)
        expect_no_faint_words(page)
        found[look], met = findings(page, not_ours)
        assert met == not_ours, (look, "it need not be excused any longer")
    faults = {look: lines for look, lines in found.items() if lines}
    assert not faults, faults
