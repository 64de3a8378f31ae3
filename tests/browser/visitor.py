"""What a visitor sees and does on every page.

What an action causes is waited for by what the test then expects to see: a quick run of the script
leaves no other trace that can be waited for.
"""

import re
from contextlib import suppress

from playwright.sync_api import Download, Locator, Page, TimeoutError, expect

from tests.browser.driver import PATIENCE, settled

expect.set_options(timeout=PATIENCE)

# What is asked about a case; the first page and Predict have no other title.
QUESTION = re.compile(r"^(Which|What|How) .*\?$")
PAGES = {
    "/": QUESTION,
    "/data": "Data",
    "/predict": QUESTION,
    "/evaluate": "How good?",
    "/learn": "Learn",
    "/papers": "Papers",
    "/confidence": "Confidence",
    "/sensitivity": "Sensitivity",
    "/best_method": "Best method",
    "/experiments": "Experiments",
    "/compare": "Significance",
}
# What the menu of Evaluate calls its own page.
HOW_GOOD = "How good?"


# Lets answers of the server come later by `window.delay` milliseconds.
SLOW_ANSWERS = """(() => {
  window.delay = 0
  window.WebSocket = class extends WebSocket {
    addEventListener(type, listen, options) {
      if (type !== "message") return super.addEventListener(type, listen, options)
      super.addEventListener(type, event => setTimeout(() => listen(event), window.delay), options)
    }
    set onmessage(listen) {
      super.onmessage = event => setTimeout(() => listen(event), window.delay)
    }
  }
})()"""


def open_page(page: Page, address: str = "/predict?data=iris") -> Page:
    page.goto(address)
    return settled(page)


def go_to(page: Page, title: str) -> None:
    """Click a page in the menu at the top, or in that of Evaluate."""
    in_menu(page, title).click()
    addresses = {heading: address for address, heading in PAGES.items()}
    address = {"Start": "/", "Predict": "/predict", "Evaluate": "/evaluate"}.get(
        title
    ) or addresses[title]
    expect(heading(page)).to_have_text(PAGES[address])
    if address == "/predict":
        expect_predict(page)
    # Until the page is drawn to its end, what stood on the one before is still there.
    settled(page)


def expect_predict(page: Page) -> None:
    """Wait for the answer that stays in view on Predict."""
    expect(page.locator(".st-key-answer").get_by_role("heading", level=1)).to_be_visible()


def open_chapter(page: Page, title: str) -> Locator:
    """Scroll to a chapter of Predict, and return it once it is drawn."""
    chapter = page.locator("[class*=st-key-chapter-]").filter(
        has=page.get_by_role("heading", name=title, exact=True)
    )
    for _ in range(5):
        # A chapter before it that is drawn meanwhile moves it away.
        chapter.last.scroll_into_view_if_needed()
        with suppress(AssertionError):
            expect(chapter.locator(".lr-wait")).to_have_count(0, timeout=10_000)
            break
    settled(page)
    return chapter.last


def menu(page: Page) -> Locator:
    """The links of the menu at the top."""
    return page.locator(".st-key-menu").get_by_role("link")


def in_menu(page: Page, title: str) -> Locator:
    """The link to a page; those of Evaluate have a menu of their own, which is opened first."""
    expect(menu(page).first).to_be_visible()
    link = menu(page).filter(has_text=title)
    if link.count():
        return link
    of_evaluate = page.locator(".st-key-evaluate_menu").get_by_role("link")
    if not of_evaluate.count():
        go_to(page, "Evaluate")
    return of_evaluate.filter(has_text=title)


def sentence(page: Page) -> Locator:
    return page.get_by_test_id("stMain").get_by_test_id("stHtml").locator("p")


def summary(page: Page) -> Locator:
    """The sentence that sums the prediction up."""
    return page.get_by_test_id("stMain").locator("p.summary")


def predicted_order(page: Page) -> Locator:
    """The labels that the first page says are predicted, in the order of the document."""
    return page.locator(".look-alikes .chip.predicted")


def status(page: Page) -> Locator:
    """What the bar says of data, task, method and case to those who do not see its buttons."""
    return choices(page).get_by_role("status")


def facts_of(page: Page) -> str:
    """Return what the bar says, once it says something."""
    expect(status(page)).not_to_be_empty()
    return status(page).inner_text()


def heading(page: Page) -> Locator:
    return page.get_by_role("heading", level=1)


def chart(page: Page, spoken: str) -> Locator:
    """The picture whose text for those who cannot see it holds some words."""
    return page.get_by_role("figure", name=re.compile(re.escape(spoken)))


SHOWS_ROWS = """([figure, rows]) => {
  const names = figure.querySelectorAll(".lr-strips > li:not(.head) > .name, tbody th")
  return [...names].map(name => name.textContent.match(/#(\\d+)/)[1]).join() == rows.join()
}"""


def expect_neighbors(page: Page, rows: list[int]) -> None:
    """Wait for the neighbours' picture to show these rows from top to bottom."""
    figure = chart(page, f"{len(rows)} similar cases, nearest first")
    expect(figure).to_be_visible()
    # Of more rankings than can be read the first ones are drawn, and all are counted.
    shown = rows[:5] if len(rows) > 8 else rows
    page.wait_for_function(SHOWS_ROWS, arg=[figure.element_handle(), shown])


def choices(page: Page) -> Locator:
    """The bar with the choices of data, case and method."""
    return page.locator(".st-key-bar")


def open_panel(page: Page, name: str) -> Locator:
    """Open a part of the bar, and return it."""
    button = settled(page).locator(f".st-key-bar [data-panel={name.lower()}]").last
    if button.get_attribute("aria-expanded") == "false":
        button.click()
    panel = page.locator(f".st-key-bar_{name.lower()}")
    expect(panel).to_be_visible()
    return panel


def close_panels(page: Page) -> None:
    """Close what is open of the bar."""
    opened = choices(page).locator("[data-panel][aria-expanded=true]").filter(visible=True)
    for _ in range(5):
        # A list of options that is still open takes the first key.
        if opened.count():
            page.keyboard.press("Escape")
        with suppress(AssertionError):
            expect(opened).to_have_count(0, timeout=2_000)
            return
    expect(opened).to_have_count(0)


def copied_link(page: Page) -> str:
    """Click Share, and return the link that it says it has copied."""
    panel = open_panel(page, "Share")
    expect(panel.get_by_text("The link is copied.")).to_be_visible()
    link = panel.locator(".link").inner_text()
    close_panels(page)
    return link


def open_settings(page: Page) -> Locator:
    """Open what the bar has of the method, its rarer settings included."""
    panel = open_panel(page, "Method")
    open_expander(page, "More settings")
    return panel


def case_number(page: Page) -> Locator:
    """The number of the case."""
    return open_panel(page, "Case").get_by_role("spinbutton", name="Case")


def download(page: Page, button: Locator) -> Download:
    """Click a button that makes a file, and return the file.

    A button that a run draws anew hears no click until the browser has the new one, and a run that
    a choice starts is marked only after a while.
    """
    expect(button).to_be_visible()
    page.wait_for_timeout(500)
    settled(page)
    with page.expect_download() as started:
        button.click()
    return started.value


def choose(page: Page, label: str, option: str) -> None:
    """Choose an option of the selectbox with a label; where it is in the bar, open that first."""
    box = page.get_by_role("combobox", name=label, exact=True, include_hidden=True)
    expect(box.first).to_be_attached()
    if not choices(page).locator(box).count():
        choose_in(page.get_by_role("combobox", name=label, exact=True), option)
        return
    panel = open_panel(page, "Data" if label == "Data" else "Method")
    choose_in(panel.get_by_role("combobox", name=label, exact=True), option)
    close_panels(page)


def choose_in(box: Locator, option: str) -> None:
    """Choose an option of a selectbox; while the page moves, its list closes or hears no click."""
    place = box.page.get_by_role("option", name=option, exact=True)
    for _ in range(10):
        box.click()
        with suppress(AssertionError, TimeoutError):
            place.click(timeout=5_000)
            expect(box).to_have_value(option, timeout=5_000)
            return
        box.page.keyboard.press("Escape")
    expect(box).to_have_value(option)


# The slider of k says what the data call a case.
K_SLIDER = re.compile(r"Similar [\w ]+ \(k\)")


def press(page: Page, slider: str | re.Pattern[str], *keys: str) -> None:
    """Move a slider by keys."""
    page.get_by_role("slider", name=slider).focus()
    for key in keys:
        page.keyboard.press(key)


GROWN = "e => Promise.allSettled(e.getAnimations({ subtree: true }).map(one => one.finished))"


def open_expander(page: Page, words: str, within: str = "") -> Locator:
    """Open an expander, of a part of the page with a selector, and return what is in it.

    Only once it has grown: lists of options that are opened before are closed again.
    """
    # While the page is drawn, one may be put in the place of another, and is closed then.
    whole = settled(page)
    place = whole.locator(within) if within else whole
    expander = place.get_by_test_id("stExpander").filter(has_text=words)
    expander.locator("summary").click()
    expect(expander.get_by_test_id("stExpanderDetails")).to_be_visible()
    expander.evaluate(GROWN)
    return expander


def cells(table: Locator) -> list[list[str]]:
    """Texts of a table, row by row, once it is drawn; columns out of sight are not among them."""
    rows = table.locator("table[role=grid] tbody tr")
    expect(rows.first).to_be_attached()
    return [row.locator("td").all_text_contents() for row in rows.all()]


def at_cell(table: Locator, row: int, x: int) -> dict[str, float]:
    """Place of a cell, rows from 0, to click at: tables are painted, not made of elements."""
    expect(table.locator("table[role=grid] tbody tr").first).to_be_attached()
    return {"x": x, "y": 34 + 33 * row + 16}


def tick_row(table: Locator, row: int) -> None:
    """Tick the box in front of a row."""
    table.locator(".dvn-scroller").click(position=at_cell(table, row, 18))


def look_at_worst_case(page: Page) -> None:
    """Tick the first of the worst cases of an experiment, and look at it on Predict."""
    link = page.get_by_role("link", name=re.compile(r"Look at row \d+ on Predict"))
    page.get_by_role("tab", name="Single folds").click()
    for _ in range(5):
        # A table that is drawn anew meanwhile does not hear a click.
        tick_row(settled(page).get_by_test_id("stDataFrame").filter(visible=True).last, 0)
        with suppress(AssertionError):
            expect(link).to_be_visible(timeout=10_000)
            break
    link.click()
    expect_predict(page)


def pick(page: Page, option: str) -> None:
    """Choose in the menu of a cell; while the menu still opens, it does not hear a click."""
    place = page.locator("#portal").get_by_text(option, exact=True)
    for _ in range(10):
        place.click()
        with suppress(AssertionError):
            expect(place).to_have_count(0, timeout=3_000)
            return
    expect(place).to_have_count(0)


def upload(page: Page, name: str, content: bytes) -> None:
    """Give a file to the uploader of the page Data."""
    page.get_by_role("tab", name="Bring your own").click()
    # Opening the tab is a run. Streamlit clears what it has queued as a run begins, and with it the
    # address at which a file that came that moment was to be uploaded.
    settled(page)
    file = {"name": name, "mimeType": "text/csv", "buffer": content}
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(file)


def use_these_data(page: Page) -> None:
    page.get_by_role("button", name="Use these data").click()


def start_experiment(page: Page, config: str) -> str:
    """Start an experiment from a config, and return its link."""
    open_page(page, "/experiments")
    page.get_by_text("Configuration file", exact=True).click()
    page.get_by_role("textbox", name="Paste a config to start it").fill(config)
    page.keyboard.press("Control+Enter")
    starts = page.get_by_test_id("stMain").get_by_role("button", name="Start", exact=True)
    expect(starts).to_have_count(2)
    # While the rest of the page is drawn, a button that is put in another's place hears no click.
    settled(page)
    starts.last.click()
    expect(page).to_have_url(re.compile(r"run=\w{32}"))
    return page.url
