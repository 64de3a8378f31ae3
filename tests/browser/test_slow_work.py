"""Work that takes a while says so, can be cancelled, and does not come back by itself."""

import re
from urllib.parse import urlencode

from playwright.sync_api import expect

from tests.browser.visitor import go_to, summary

SLOW = {"data": "yeast", "method": "Shared-subspace least squares", "mlls_kernel": "Gaussian (rbf)"}


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
