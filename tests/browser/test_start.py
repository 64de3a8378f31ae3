from playwright.sync_api import expect

from tests.browser.driver import WINDOW, settled
from tests.browser.visitor import status


def test_the_app_opens_with_its_title(page):
    page.goto("/")
    settled(page)
    expect(page).to_have_title("LabelRank Lab")


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
