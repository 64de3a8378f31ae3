"""The profile of the data in use, looked at and clicked at."""

import pytest
from playwright.sync_api import expect

from labelrank_core import load_sample
from labelrank_core.data.profile import Profile
from labelrank_core.data.profile.conditions import HasLabels, Prefers, RankedAt, matching_rows
from tests.browser.fitting import expect_fits, expect_fitting, expect_pictures
from tests.browser.test_safety import NASTY, bring, expect_only_text, plain, table
from tests.browser.visitor import chart, choose, open_page, status

IRIS, YEAST = load_sample("iris"), load_sample("yeast")


def open_profile(page, name):
    open_page(page, f"/data?data={name}")
    page.get_by_role("tab", name="In use now").click()
    expect(filters(page)).to_be_visible()


def test_the_page_has_one_row_of_tabs_and_its_halves_are_buttons(page):
    open_profile(page, "iris")
    lines = page.locator("[role=tab][aria-selected=true] .react-aria-SelectionIndicator")
    expect(lines).to_have_count(2)
    expect(lines.filter(visible=True)).to_have_count(1)
    button = page.get_by_role("tab", name="In use now")
    assert button.evaluate("tab => getComputedStyle(tab).borderTopWidth") == "1px"


def open_tab(page, name):
    page.get_by_role("tab", name=name, exact=True).click()
    expect(page.get_by_role("tab", name=name, exact=True, selected=True)).to_be_visible()


def click_cell(figure, row, column, *, of):
    """Click near a corner of a cell, not at its middle."""
    area = figure.locator(".nsewdrag").first
    expect(area).to_be_visible()
    # While a picture is drawn again it has no place for a moment.
    box = next(
        box for _ in range(100) if (box := area.bounding_box()) or area.page.wait_for_timeout(50)
    )
    n_rows, n_columns = of
    x, y = (column + 0.2) * box["width"] / n_columns, (row + 0.8) * box["height"] / n_rows
    area.hover(position={"x": x, "y": y})
    expect(figure.locator(".hoverlayer .hovertext")).to_be_visible()
    area.click(position={"x": x, "y": y})


def filters(page):
    return page.locator(".st-key-filters")


def expect_first_rows(page, rows):
    table = page.get_by_test_id("stDataFrame").filter(visible=True).last
    listed = table.locator("table[role=grid] tbody tr")
    for place, row in enumerate(rows[:5].tolist()):
        expect(listed.nth(place).locator("td").first).to_have_text(str(row + 1))


def test_a_click_in_a_chart_shows_its_rows_and_changes_the_others_until_the_data_change(page):
    open_profile(page, "iris")
    expect(filters(page)).to_contain_text("All 150 flowers")
    open_tab(page, "Positions")
    # Labels by mean rank: versicolor, virginica, setosa.
    positions = chart(page, "positions of each label")
    click_cell(positions, 1, 0, of=(3, 3))
    expect(filters(page)).to_contain_text("50 of 150 flowers")
    expect(page.get_by_role("button", name="virginica at position 1")).to_be_visible()
    rows = matching_rows(IRIS, [RankedAt(2, 1)])
    expect_first_rows(page, rows)
    # Of these rows all prefer virginica to setosa, so nobody is left who does not.
    open_tab(page, "Majorities")
    pairs = chart(page, "shares in which one label is before another")
    click_cell(pairs, 1, 2, of=(3, 3))
    expect(page.get_by_role("button", name="virginica before setosa")).to_be_visible()
    both = matching_rows(IRIS, [RankedAt(2, 1), Prefers(2, 0)])
    expect(filters(page)).to_contain_text(f"{len(both)} of 150 flowers")

    page.get_by_role("button", name="virginica at position 1").click()
    one = matching_rows(IRIS, [Prefers(2, 0)])
    expect(filters(page)).to_contain_text(f"{len(one)} of 150 flowers")
    # A second click at the same cell undoes the first.
    click_cell(chart(page, "shares in which one label"), 1, 2, of=(3, 3))
    expect(filters(page)).to_contain_text("All 150 flowers")

    # A row of counts is a button that filters, too.
    open_tab(page, "Rankings")
    page.locator(".lr-tally button").first.click()
    most = Profile(IRIS).rankings.groups.counts[0]
    expect(filters(page)).to_contain_text(f"{most} of 150 flowers")
    expect(page.locator(".lr-tally button").first).to_have_attribute("aria-pressed", "true")
    page.locator(".lr-tally button").first.click()
    expect(filters(page)).to_contain_text("All 150 flowers")

    # Another data set has no filter of the one before.
    open_tab(page, "Positions")
    click_cell(chart(page, "positions of each label"), 0, 0, of=(3, 3))
    expect(filters(page)).to_contain_text("50 of 150 flowers")
    choose(page, "Data", "wine")
    expect(status(page)).to_contain_text("wine")
    expect(filters(page)).to_contain_text("All 178 wines")


def expect_tabs_to_fit(page, tabs):
    for tab, n_charts in tabs.items():
        page.get_by_role("tab", name=tab, exact=True).click()
        expect(page.get_by_role("tab", name=tab, exact=True, selected=True)).to_be_visible()
        expect_pictures(page, n_charts)
        expect_fitting(page)


def test_the_profile_fits_the_window(page):
    open_profile(page, "diabetes")
    expect_tabs_to_fit(page, {"Positions": 1, "Majorities": 1, "Together": 1, "Features": 1})


def test_a_click_at_two_labels_that_go_together_shows_rows_with_both(page):
    open_profile(page, "yeast")
    expect_tabs_to_fit(page, {"Together": 1})
    page.set_viewport_size({"width": 390, "height": 900})
    expect_fits(page)
    click_cell(chart(page, "labels that occur together"), 2, 0, of=(14, 14))
    # By frequency: Class12, Class13, Class2.
    rows = matching_rows(YEAST, [HasLabels((1, 11))])
    expect(filters(page)).to_contain_text(f"{len(rows)} of 2417 genes")
    expect(page.get_by_role("button", name="has Class2 and Class12")).to_be_visible()
    expect_first_rows(page, rows)


@pytest.mark.parametrize("relevance", [False, True])
def test_names_are_only_text_in_the_profile(page, relevance):
    bring(page, table(NASTY, [f"{name} f" for name in NASTY], relevance=relevance))
    page.get_by_role("tab", name="In use now").click()
    expect(filters(page)).to_be_visible()
    expect_only_text(page)
    open_tab(page, "Together" if relevance else "Majorities")
    spoken = "labels that occur together" if relevance else "shares in which one label"
    click_cell(chart(page, spoken), 0, 1, of=(len(NASTY), len(NASTY)))
    chip = filters(page).get_by_role("button")
    expect(filters(page)).not_to_contain_text("All 30 cases")
    said = plain(chip.inner_text())
    assert sum(plain(name)[:20] in said for name in NASTY) >= 1
    expect_only_text(page)
    for tab in ("Features", "Duplicates"):
        page.get_by_role("tab", name=tab).click()
        expect(
            page.get_by_role("heading", name="Copies" if tab[0] == "D" else "All")
        ).to_be_visible()
        expect_only_text(page)
