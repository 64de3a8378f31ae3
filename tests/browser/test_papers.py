"""The page Papers in a browser: its links, and a table that is recomputed."""

import re

from playwright.sync_api import expect

from tests.browser.driver import settled
from tests.browser.visitor import heading, open_page


def test_a_link_opens_the_app_in_the_state_it_asks_for(page):
    open_page(page, "/papers?paper=MLR-07")
    page.get_by_role("link", name="The worked example, step by step").click()
    expect(heading(page)).to_have_text("Learn")
    settled(page)
    expect(page.get_by_role("combobox", name="Example")).to_have_value(re.compile("p = 1, 2, 3"))


def test_a_click_on_the_row_of_a_paper_opens_it(page):
    open_page(page, "/papers")
    row = page.get_by_role("button", name="Zhang, Zhou 2005")
    expect(row).to_have_attribute("aria-pressed", "false")
    row.click()
    title = "A k-nearest neighbor based algorithm for multi-label classification"
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    expect(row).to_have_attribute("aria-pressed", "true")
    expect(page).to_have_url(re.compile(r"publication=Zhang"))


def test_a_table_of_a_paper_is_recomputed_with_progress_cancelled_and_goes_on(page):
    open_page(page, "/papers?publication=Brinker,+Hüllermeier+2006")
    page.get_by_role("tab", name="Recompute").click()
    page.get_by_role("button", name="Recompute now").click()
    expect(page.get_by_text(re.compile(r"Table 1, recomputed: \d+ of \d+ done"))).to_be_visible()
    page.get_by_role("button", name="Cancel", exact=True).click()
    expect(page.get_by_text("Cancelled: Table 1, recomputed.")).to_be_visible()
    # What stands below is still there.
    expect(page.get_by_text("What the paper defines")).to_be_visible()
    page.get_by_role("button", name="Start again").click()
    again = page.get_by_text(re.compile(r"Table 1, recomputed: [1-9]\d* of \d+ done"))
    expect(again).to_be_visible()
    page.get_by_role("button", name="Cancel", exact=True).click()
    expect(page.get_by_text("Cancelled: Table 1, recomputed.")).to_be_visible()
