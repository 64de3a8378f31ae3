"""How much the parts of a page move while it is opened: the cumulative layout shift."""

from typing import Any

from playwright.sync_api import Browser, Page

from tests.browser.driver import Server, new_page, settled

# What moved, from where to where, as long as the page stays open.
_RECORD = """
window.layoutShifts = []
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) {
    if (entry.hadRecentInput) continue
    const moved = entry.sources.map(({ node, previousRect, currentRect }) => {
      const element = node?.nodeType === 1 ? node : node?.parentElement
      const keyed = element?.closest("[class*='st-key-']")
      const key = keyed?.className.match(/st-key-[\\w-]+/)?.[0] ?? ""
      const name = element?.dataset?.testid || element?.className?.baseVal || element?.className
      const rects = [previousRect, currentRect].map(rect =>
        [rect.x, rect.y, rect.width, rect.height].map(Math.round).join(" "))
      const words = (element?.innerText ?? "").slice(0, 30).replaceAll("\\n", " ")
      return `${key} ${element?.tagName}.${name}: ${rects.join(" -> ")} '${words}'`
    })
    window.layoutShifts.push({ value: entry.value, time: entry.startTime, moved })
  }
}).observe({ type: "layout-shift", buffered: true })
"""
# Milliseconds: a window of shifts ends after such a pause, and takes no longer than this.
_PAUSE, _LONGEST = 1000, 5000
# So long may a part still come after the script has ended.
_LATE = 2000


def open_recorded(browser: Browser, server: Server, width: int, height: int, address: str) -> Page:
    """Open a page in a context of its own, which keeps what moves."""
    page = new_page(browser, server, reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": height})
    page.add_init_script(_RECORD)
    page.goto(address)
    settled(page)
    page.wait_for_timeout(_LATE)
    return page


def shifts_of(page: Page) -> list[dict[str, Any]]:
    """Return every shift so far: its value, its time, and what moved."""
    return page.evaluate("window.layoutShifts")


def cumulative(shifts: list[dict[str, Any]]) -> float:
    """Return the cumulative layout shift: the largest sum of the shifts of a window."""
    sums: list[float] = []
    first = last = float("-inf")
    for shift in shifts:
        if shift["time"] - last > _PAUSE or shift["time"] - first > _LONGEST:
            sums.append(0.0)
            first = shift["time"]
        last = shift["time"]
        sums[-1] += shift["value"]
    return max(sums, default=0.0)
