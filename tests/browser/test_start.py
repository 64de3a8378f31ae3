"""The first page, and what every visit of a browser notices."""

import re
from itertools import combinations

import numpy as np
from playwright.sync_api import expect

from labelrank_core import load_sample
from tests import core_says
from tests.browser.driver import WINDOW, settled
from tests.browser.visitor import go_to, heading, open_page, status


def test_the_app_opens_with_its_title(page):
    page.goto("/")
    settled(page)
    expect(page).to_have_title("LabelRank Lab")


def test_an_answer_that_was_seen_is_there_when_the_page_is_drawn_anew(page):
    open_page(page, "/")
    page.get_by_role("button", name="Show me without a guess").click()
    expect(page.locator(".score-number")).to_have_text("10")
    go_to(page, "Predict")
    go_to(page, "Start")
    expect(page.locator(".score-number")).to_have_text("10")
    page.reload()
    expect(page.get_by_role("button", name="Show me without a guess")).to_be_visible()


def test_a_visit_notices_errors_dialogs_and_requests_to_other_hosts(visitors, app_server):
    visit = visitors.visit(app_server)
    visit.page.goto("/_stcore/health")
    visit.page.evaluate("console.error('complaint')")
    visit.page.evaluate("alert('question')")
    thrown = "new Promise(on => setTimeout(() => { setTimeout(on); throw new Error('thrown') }))"
    visit.page.evaluate(thrown)
    visit.page.evaluate("fetch('http://elsewhere.invalid/').catch(() => 0)")
    with app_server.log.open("a", encoding="utf-8") as log:
        log.write("Traceback of a test\n")
    problems = "\n".join(visit.end())
    visitors.take_back(visit.page)
    for part in ("complaint", "question", "thrown", "elsewhere.invalid", "Traceback of a test"):
        assert part in problems


def test_the_next_visit_finds_nothing_of_the_one_before(visitors, app_server):
    before = visitors.visit(app_server)
    before.page.goto("/data?data=glass")
    settled(before.page)
    before.page.evaluate("() => { document.cookie = localStorage.a = sessionStorage.a = 'left' }")
    before.page.set_viewport_size({"width": 390, "height": 500})
    before.page.emulate_media(color_scheme="dark")
    assert before.end() == []
    visitors.take_back(before.page)

    visit = visitors.visit(app_server)
    assert visit.page is before.page
    visit.page.goto("/data")
    expect(status(settled(visit.page))).to_contain_text("election")
    left = "[document.cookie, localStorage.a, sessionStorage.a].join()"
    assert "left" not in visit.page.evaluate(left)
    assert visit.page.viewport_size == WINDOW
    assert not visit.page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    visit.page.evaluate("console.error('complaint')")
    assert visit.end() == ["console error: complaint"]
    assert before.problems == []
    visitors.take_back(visit.page)


ELECTION = load_sample("election")
PARTIES = ELECTION.label_names
HAMBURG = core_says.first_row("election")
SHIFTS = """
window.shifts = []
new PerformanceObserver((list) => {
  const entries = list.getEntries().filter((entry) => !entry.hadRecentInput)
  window.shifts.push(...entries.map((entry) => entry.value))
}).observe({ type: "layout-shift", buffered: false })
"""
FROM_TOP = """chips => {
  const top = chip => Number(chip.style.transform.match(/, (.*)px/)[1])
  const isPlaced = chip => chip.tagName !== "BUTTON" || /position/.test(chip.ariaLabel)
  const seen = chips.filter(chip => chip.style.visibility === "visible" && isPlaced(chip))
  return seen.sort((a, b) => top(a) - top(b)).map(chip => chip.textContent)
}"""
COUNT_SENT = """() => {
  const send = WebSocket.prototype.send
  window.nSent = 0
  WebSocket.prototype.send = function (data) {
    window.nSent += 1
    return send.call(this, data)
  }
}"""


def starting_with(name):
    return re.compile("^" + re.escape(name).replace("/", r"\/"))


def names_from_top(page, column):
    """The labels of a column of the board that are seen, from top to bottom."""
    return page.locator(f".chip.{column}").evaluate_all(FROM_TOP)


def expect_column(page, column, names):
    """Wait until a column of the board shows these labels from top to bottom."""
    for _ in range(300):
        if names_from_top(page, column) == names:
            return
        page.wait_for_timeout(100)
    assert names_from_top(page, column) == names


def predicted(row, **settings):
    explanation = core_says.explanation(ELECTION, row, **settings)
    return [ELECTION.label_names[label] for label in explanation.order]


def real(row):
    order = np.argsort(ELECTION.rankings[row - 1], kind="stable")
    return [ELECTION.label_names[label] for label in order]


def n_right(order, row):
    names = ELECTION.label_names
    positions = [ELECTION.rankings[row - 1][names.index(name)] for name in order]
    return sum(a < b for a, b in combinations(positions, 2))


def test_a_newcomer_guesses_asks_and_moves_k(page):
    open_page(page, "/")
    expect(heading(page)).to_have_text("How did Hamburg rank the parties?")
    for way_on in ("Look closer", "Bring your own data", "Learn how it works"):
        expect(page.get_by_role("link", name=way_on)).to_be_visible()
    ask = page.get_by_role("button", name="Ask the similar districts")
    expect(ask).to_be_disabled()
    # Clicked too early, the button answers with what is missing.
    ask.dispatch_event("click")
    hint = page.get_by_text("Place all 5 parties before you ask.")
    expect(hint).to_have_class(re.compile(r"\bdue\b"))
    assert names_from_top(page, "real") == []
    # What only the answer makes sense of is not there yet.
    expect(page.get_by_role("slider", name="Similar districts (k)")).to_be_hidden()
    expect(page.get_by_role("heading", name="Which parties are often first?")).to_be_visible()
    expect(page.get_by_role("heading", name="Do they agree?")).to_have_count(0)
    chip = {name: page.get_by_role("button", name=starting_with(name)) for name in PARTIES}
    # By tapping, by the keys and by dragging; the last one has only one place left.
    chip["CDU/CSU"].click()
    chip["SPD"].focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    expect_column(page, "guess", ["SPD", "CDU/CSU"])
    chip["Greens"].click()
    box = chip["FDP"].bounding_box()
    page.mouse.move(box["x"] + 40, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] - 60, box["y"] + 60, steps=4)
    page.mouse.move(box["x"] - box["width"] - 20, box["y"] + 140, steps=4)
    page.mouse.up()
    guess = names_from_top(page, "guess")
    assert guess[:2] == ["SPD", "CDU/CSU"]
    assert sorted(guess) == sorted(ELECTION.label_names)
    expect(ask).to_be_enabled()
    ask.click()
    expect_column(page, "real", real(HAMBURG))
    expect_column(page, "predicted", predicted(HAMBURG))
    scores = page.locator(".score-number")
    expect(scores).to_have_text(
        [str(n_right(guess, HAMBURG)), str(n_right(predicted(HAMBURG), HAMBURG))]
    )
    # Under the finger: every k is there at once, and the rest follows when it is released.
    slider = page.get_by_role("slider", name="Similar districts (k)")
    slider.focus()
    for k in (4, 3, 2, 1):
        page.keyboard.press("ArrowLeft")
        expect_column(page, "predicted", predicted(HAMBURG, n_neighbors=k))
        expect(scores.last).to_have_text(str(n_right(predicted(HAMBURG, n_neighbors=k), HAMBURG)))
    expect(page.get_by_role("heading", name="Ask 1 similar district")).to_be_visible()
    expect(page).to_have_url(re.compile("knn_n_neighbors=1(&|$)"))
    expect(status(page)).to_contain_text("(k) 1")
    expect(slider).to_have_attribute("aria-valuetext", "1")


def test_while_k_is_dragged_nothing_is_sent(page):
    open_page(page, "/")
    page.get_by_role("button", name="Show me without a guess").click()
    expect(page.locator(".score-number")).to_be_visible()
    slider = page.get_by_role("slider", name="Similar districts (k)")
    box = slider.bounding_box()
    page.evaluate(COUNT_SENT)
    y = box["y"] + 18
    page.mouse.move(box["x"] + box["width"] * 4 / 49, y)
    page.mouse.down()
    for k in (10, 20, 39, 45):
        page.mouse.move(box["x"] + box["width"] * (k - 1) / 49, y, steps=5)
        expect_column(page, "predicted", predicted(HAMBURG, n_neighbors=k))
    assert page.evaluate("window.nSent") == 0
    page.mouse.up()
    expect(page).to_have_url(re.compile("knn_n_neighbors=45"))


def test_the_marks_under_k_stand_where_the_answer_changes(page):
    open_page(page, "/")
    page.get_by_role("button", name="Show me without a guess").click()
    expect(page.locator(".score-number")).to_be_visible()
    orders = [predicted(HAMBURG, n_neighbors=k) for k in range(1, 51)]
    flips = [k for k in range(2, 51) if orders[k - 1] != orders[k - 2]]
    lefts = page.locator(".slider-marks i").evaluate_all("all => all.map(one => one.style.left)")
    assert [round(float(left.rstrip("%")) * 49 / 100) + 1 for left in lefts] == flips


def test_a_district_clicked_on_the_map_or_in_the_table_is_the_next_one(page):
    open_page(page, "/")
    page.get_by_role("button", name="Show me without a guess").click()
    expect(page.locator(".score-number")).to_be_visible()
    rows = core_says.neighbor_rows(ELECTION, HAMBURG)
    name = ELECTION.case_names[rows[1] - 1]
    page.get_by_role("button", name=name).click()
    expect(status(page)).to_contain_text(f"row {rows[1]}")
    # Who has seen one answer gets the next one at once.
    expect_column(page, "real", real(rows[1]))
    expect_column(page, "predicted", predicted(rows[1]))
    page.get_by_role("img", name=re.compile("Arrow keys move")).focus()
    page.keyboard.press("ArrowDown")
    card = page.locator(".plane-card b").inner_text()
    page.keyboard.press("Enter")
    row = list(ELECTION.case_names).index(card)
    expect(status(page)).to_contain_text(f"row {row + 1}")
    page.get_by_role("button", name="Random case").click()
    expect(status(page)).not_to_contain_text(f"row {row + 1}")


def test_moods_of_a_song_are_marked_and_counted(page):
    songs, row = load_sample("songs"), core_says.first_row("songs")
    open_page(page, "/?data=songs")
    expect(heading(page)).to_have_text("Which moods does this song have?")
    page.get_by_role("button", name="happy").click()
    page.get_by_role("button", name="quiet").click()
    page.get_by_role("button", name="Ask the similar songs").click()
    explanation = core_says.explanation(songs, row, multilabel=True, n_neighbors=10)
    expect_column(page, "predicted", [songs.label_names[label] for label in explanation.order])
    expect(page.locator(".chip.predicted:not(.out)")).to_have_count(explanation.n_relevant)
    expect(page.locator(".chip.real:not(.out)")).to_have_count(int(songs.relevance[row - 1].sum()))
    guess = [name in ("happy", "quiet") for name in songs.label_names]
    expect(page.locator(".score-number")).to_have_text(
        [
            str(int((np.array(guess) == songs.relevance[row - 1]).sum())),
            str(int((explanation.relevance == songs.relevance[row - 1]).sum())),
        ]
    )


def test_a_door_leads_to_a_sample_of_the_other_kind(page):
    open_page(page, "/")
    page.get_by_role("button", name="Try songs and moods").click()
    expect(heading(page)).to_have_text("Which moods does this song have?")
    page.get_by_role("button", name="Try an election").click()
    expect(heading(page)).to_have_text("How did Hamburg rank the parties?")


def test_nothing_jumps_when_the_answer_comes(page):
    page.set_viewport_size({"width": 1280, "height": 800})
    open_page(page, "/")
    expect(page.get_by_role("button", name="Show me without a guess")).to_be_visible()
    page.evaluate(SHIFTS)
    page.get_by_role("button", name="Show me without a guess").click()
    expect(page.locator(".score-number")).to_be_visible()
    assert sum(page.evaluate("window.shifts")) <= 0.1
