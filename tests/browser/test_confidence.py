"""The picture of Confidence in a browser: its point follows pointer and keys, and is kept."""

import re

from playwright.sync_api import expect

from tests.browser.driver import settled
from tests.browser.visitor import open_page


def test_the_point_follows_keys_and_pointer_and_the_address_keeps_it(page):
    open_page(page, "/confidence?data=vehicle")
    handle = page.get_by_role("slider", name="Vehicles kept")
    sentence = page.locator(".kept-curve .sentence")
    expect(sentence).to_contain_text("the surest 45% of the vehicles")
    handle.focus()
    page.keyboard.press("ArrowRight")
    # The sentence follows at once, the address once the key has come to rest.
    expect(sentence).not_to_contain_text("the surest 45%")
    expect(page).to_have_url(re.compile(r"threshold=0\.\d+"))
    settled(page)
    expect(handle).to_be_focused()
    before = page.url
    page.keyboard.press("End")
    expect(sentence).to_contain_text("the surest 100% of the vehicles")
    expect(handle).to_have_attribute("aria-valuenow", "100")
    # The picture is drawn anew once the level was sent, which takes some tenths of a second.
    expect(page).not_to_have_url(before)
    settled(page)
    box, start = page.locator(".kept-curve svg").bounding_box(), handle.bounding_box()
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.5 * box["height"], steps=5)
    expect(sentence).not_to_contain_text("100%")
    page.mouse.up()
    chosen = sentence.inner_text()
    confidence = re.search(r"at least (\d\.\d+)", chosen)[1]
    expect(page).to_have_url(re.compile(f"threshold={confidence}"))
    page.reload()
    settled(page)
    expect(sentence).to_have_text(chosen)
