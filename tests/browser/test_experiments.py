"""An experiment goes on while nobody looks, and whoever has its link finds it."""

import re

from playwright.sync_api import expect

from tests.browser.driver import settled
from tests.browser.fitting import expect_fitting
from tests.browser.visitor import (
    chart,
    choose,
    in_menu,
    look_at_worst_case,
    open_page,
    start_experiment,
    status,
    summary,
)

CONFIG = """{"name": "long enough", "data": ["vehicle"],
 "methods": [{"key": "knn"}, {"key": "forest", "params": {"n_estimators": 60}}],
 "protocol": {"n_folds": 5, "n_repeats": %d}}"""


def progress(page):
    return page.get_by_test_id("stProgress")


def test_it_goes_on_while_its_page_is_left_and_ends_with_its_results(page, visit, app_server):
    link = start_experiment(page, CONFIG % 1)
    expect(progress(page)).to_be_visible()
    in_menu(page, "Predict").click()
    expect(summary(page)).to_be_visible()
    other = visit(app_server)
    open_page(other, link)
    expect(progress(other)).to_contain_text("of 10 trainings done")
    expect(chart(other, "on Vehicle silhouettes, best first").last).to_be_visible()
    in_menu(page, "Experiments").click()
    for each in (page, other):
        expect(each.get_by_role("button", name="Export")).to_be_visible()
        expect(progress(each)).to_contain_text("Finished · 10 of 10 trainings done")
        # Until the page is drawn to its end, what the running experiment showed is still there.
        expect(chart(each, "on Vehicle silhouettes, best first").last).to_be_visible()
    expect(page).to_have_url(link)
    expect_fitting(other)
    expect(chart(other, "on Vehicle silhouettes, best first").last).to_be_visible()
    # From the table to a case, and back.
    look_at_worst_case(page)
    expect(status(page)).to_contain_text("vehicle · ")
    # Who goes back before the page is drawn is sent on to it again.
    expect(summary(page)).to_be_visible()
    expect(page).to_have_url(re.compile("data=vehicle.*row="))
    settled(page).go_back()
    expect(progress(page)).to_contain_text("Finished")
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete permanently").click()
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_visible()
    expect(page).not_to_have_url(re.compile("run="))
    open_page(other, link)
    expect(other.get_by_text("leads to no experiment")).to_be_visible()


def test_it_is_cancelled_at_once_and_goes_on_where_it_stopped(page):
    start_experiment(page, CONFIG % 200)
    expect(progress(page)).to_be_visible()
    # The button to start stood further down than the progress stands.
    expect(page.get_by_role("heading", name="Experiments")).to_be_in_viewport()
    expect(progress(page)).to_contain_text(re.compile(r"[1-9]\d* of 2,000 trainings done"))
    page.get_by_role("button", name="Cancel", exact=True).click()
    expect(progress(page)).to_contain_text("Cancelled")
    expect(page.get_by_role("button", name="Continue")).to_be_visible()
    # Until the page is drawn to its end, what stood there while it ran is still there.
    expect(page.get_by_role("combobox", name="Measure", exact=True)).to_have_count(1)
    choose(page, "Measure", "Spearman's rho")
    expect(page.get_by_text("Spearman's rho: -1 to 1, higher is better")).to_be_visible()
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("button", name="Continue")).to_have_count(0)
    expect(progress(page)).to_contain_text("Running")
    page.get_by_role("button", name="Cancel", exact=True).click()
    expect(progress(page)).to_contain_text("Cancelled")
