"""Work that takes a while says so, can be cancelled, and does not come back by itself."""

import re
from contextlib import suppress
from urllib.parse import urlencode

from playwright.sync_api import TimeoutError, expect

from tests.browser.axe import NARROW, PAIRED_LOOKS, expect_nothing_found
from tests.browser.fitting import expect_fitting
from tests.browser.visitor import chart, go_to, open_page, status, summary
from tests.fuzz.bombs import slow_workbook

# No other test learns from this split: a model that is there already is not learned again.
SLOW = {"data": "yeast", "method": "Rank-SVM", "split": "random", "seed": 4711}


def test_slow_learning_is_shown_cancelled_and_started_again(page):
    page.goto(f"/predict?{urlencode(SLOW)}")
    expect(page.get_by_text(re.compile(r"Training on \d+ cases: \d+ s so far"))).to_be_visible()
    page.get_by_role("button", name="Cancel", exact=True).click()
    expect(page.get_by_text(re.compile(r"Cancelled: Training on \d+ cases"))).to_be_visible()
    go_to(page, "Data")
    go_to(page, "Predict")
    expect(page.get_by_text("Cancelled:")).to_be_visible()
    page.get_by_role("button", name="Start again").click()
    expect(page.get_by_text("s so far")).to_be_visible()
    # Another method is there at once, while the slow one is given up.
    page.goto("/predict?data=yeast")
    expect(summary(page)).to_be_visible()


def test_methods_race_live_until_stopped_and_one_is_used(page):
    page.set_viewport_size({"width": NARROW, "height": 900})
    page.emulate_media(color_scheme="dark")
    # Large enough for the race to go on until it is stopped.
    open_page(page, "/best_method?data=glass")
    measured = page.get_by_text(re.compile(r"Round \d of 5: \d+ of \d+ methods measured"))
    start = page.get_by_role("button", name=re.compile("Measure .* more method"))
    stop = page.get_by_role("button", name="Stop", exact=True)
    expect(start.or_(stop)).to_be_visible()
    for _ in range(5):
        # The server may still be busy with what a test before gave up, and begin later.
        if start.is_visible():
            with suppress(TimeoutError):
                start.click(timeout=8_000)
        with suppress(AssertionError):
            expect(stop).to_be_visible(timeout=8_000)
            break
    expect(measured).to_be_visible()
    race = chart(page, "methods by Kendall's tau")
    expect(race).to_contain_text("Kernel pairwise ridge")
    page.get_by_role("button", name="Stop", exact=True).click()
    go_on = page.get_by_role("button", name="Continue the race")
    expect(go_on).to_be_visible()
    expect_nothing_found(page, PAIRED_LOOKS)
    use = race.get_by_role("button", name="Use: Kernel pairwise ridge")
    use.click()
    expect(status(page)).to_contain_text("Kernel pairwise ridge")
    expect(use).to_have_count(0)
    expect(race).to_contain_text("in use")
    expect_fitting(page)
    expect(measured).to_have_count(0)
    go_on.click()
    expect(measured).to_be_visible()


def test_while_a_file_is_looked_at_nothing_else_is_offered_but_cancel(page):
    open_page(page, "/data?data=iris&data_tab=Bring+your+own")
    example = page.get_by_role("button", name="Open", exact=True).first
    expect(example).to_be_visible()
    slow = {"name": "slow.xlsx", "mimeType": "application/x", "buffer": slow_workbook()}
    page.locator("input[type=file]").set_input_files(slow)
    expect(page.get_by_text(re.compile("Reading, [1-9] s so far"))).to_be_visible()
    expect(example).to_have_count(0)
    page.get_by_role("button", name="Cancel", exact=True).click()
    expect(page.get_by_text("Cancelled: reading the file.")).to_be_visible()
    expect(page.get_by_role("button", name="Start again")).to_be_visible()
    expect(example).to_have_count(0)
