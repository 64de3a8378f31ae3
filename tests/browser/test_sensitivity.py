"""The picture of Sensitivity in a browser: its ring sets the parameter, by pointer or keys."""

import re

from playwright.sync_api import expect

from tests.browser.driver import settled
from tests.browser.visitor import open_page, status


def test_the_parameter_has_the_value_at_which_the_ring_is_let_go(page):
    open_page(page, "/sensitivity?data=iris&tested_on=2+folds&vary_knn=Similar+flowers+(k)")
    ring = page.get_by_role("slider", name="Similar flowers (k), in use")
    sentence = page.locator(".value-curve .sentence")
    expect(sentence).to_contain_text("With k = 5,")
    ring.focus()
    page.keyboard.press("ArrowRight")
    # The sentence follows at once, the parameter once the key has come to rest.
    expect(sentence).to_contain_text("With k = 6,")
    expect(page).to_have_url(re.compile("knn_n_neighbors=6"))
    settled(page)
    expect(ring).to_be_focused()
    # The same value is sent again after another one was chosen elsewhere.
    page.keyboard.press("ArrowLeft")
    expect(status(page)).to_contain_text("(k) 5")
    page.keyboard.press("ArrowRight")
    expect(status(page)).to_contain_text("(k) 6")
    settled(page)
    box, start = page.locator(".value-curve svg").bounding_box(), ring.bounding_box()
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.5 * box["height"], steps=5)
    expect(sentence).not_to_contain_text("With k = 6,")
    page.mouse.up()
    value = re.search(r"With k = (\d+),", sentence.inner_text())[1]
    expect(page).to_have_url(re.compile(f"knn_n_neighbors={value}"))
    settled(page)
    verdict = re.compile(rf"Keep k = {value}:|Try k = \d+: it is better than k = {value}$")
    expect(page.locator("h2")).to_contain_text(verdict)
    expect(status(page)).to_contain_text(f"(k) {value}")
