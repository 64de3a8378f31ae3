from playwright.sync_api import expect

from tests.browser.driver import open_visit, settled


def test_the_app_opens_with_its_title(page):
    page.goto("/")
    settled(page)
    expect(page).to_have_title("LabelRank Lab")


def test_the_first_visitor_by_a_deep_link_sees_that_page(cold_server, visit):
    page = visit(cold_server())
    page.goto("/data")
    settled(page)
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("heading", name="Data", level=1)).to_be_visible()


def test_a_visit_notices_errors_and_requests_to_other_hosts(browser, app_server):
    visit = open_visit(browser, app_server)
    visit.page.goto("/_stcore/health")
    visit.page.evaluate("console.error('complaint')")
    visit.page.evaluate("setTimeout(() => { throw new Error('thrown') })")
    visit.page.evaluate("fetch('http://elsewhere.invalid/').catch(() => 0)")
    with app_server.log.open("a", encoding="utf-8") as log:
        log.write("Traceback of a test\n")
    problems = "\n".join(visit.close())
    for part in ("complaint", "thrown", "http://elsewhere.invalid/", "Traceback of a test"):
        assert part in problems
