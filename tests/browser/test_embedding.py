"""The app in the page of another site: shown where its origin is allowed, refused elsewhere."""

import html
import re
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import expect

from launch import HOST
from tests.browser.driver import PATIENCE, Server, free_port, new_page, settled

QUESTION = "How did Hamburg rank the parties?"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def sites(tmp_path_factory):
    """An app, and the addresses of a site that may show it and of one that may not."""
    ports = [free_port(), free_port()]
    server = Server(
        tmp_path_factory.mktemp("embedding") / "log.txt", frames=[f"http://{HOST}:{ports[0]}"]
    )
    server.wait()
    folder = tmp_path_factory.mktemp("site")
    (folder / "index.html").write_text(
        "<!doctype html><title>A course</title>"
        f'<iframe src="{server.url}/?data=election&amp;embed=true" width="900" height="900">'
        "</iframe>"
    )
    hosts = [ThreadingHTTPServer((HOST, port), partial(Quiet, directory=folder)) for port in ports]
    for host in hosts:
        Thread(target=host.serve_forever, daemon=True).start()
    yield server, *(f"http://{HOST}:{port}/" for port in ports)
    for host in hosts:
        host.shutdown()
        host.server_close()
    server.stop()


def test_an_allowed_page_shows_the_picture_with_its_source_and_nothing_around_it(browser, sites):
    server, allowed, _ = sites
    page = new_page(browser, server)
    page.goto(allowed)
    frame = page.frame_locator("iframe")
    expect(frame.get_by_role("heading", name=QUESTION)).to_be_visible(timeout=PATIENCE)
    source = frame.get_by_role("link", name="Open in LabelRank Lab")
    expect(source).to_be_visible()
    assert re.match(rf"{server.url}/?\?data=election", source.get_attribute("href"))
    expect(frame.get_by_text("Source: german2009.xarff")).to_be_visible()
    for hidden in ("[data-testid=stHeader]", ".st-key-menu", ".st-key-bar", ".st-key-doors"):
        expect(frame.locator(hidden)).to_be_hidden()
    # It is alive: the answer comes when it is asked for.
    frame.get_by_role("button", name="Show me without a guess").click()
    expect(frame.get_by_role("slider", name="Similar districts (k)")).to_have_attribute(
        "aria-disabled", "false"
    )
    page.context.close()


def test_another_page_is_refused(browser, sites):
    server, _, other = sites
    page = new_page(browser, server)
    refusals = []
    page.on("console", lambda line: refusals.append(line.text))
    page.goto(other)
    page.wait_for_timeout(1000)
    frame = page.frame_locator("iframe")
    assert frame.get_by_role("heading", name=QUESTION).count() == 0
    assert any("frame-ancestors" in text for text in refusals)
    page.context.close()


def test_share_has_the_line_that_shows_the_picture_of_now(browser, sites):
    server, *_ = sites
    page = new_page(browser, server)
    page.goto("/predict?data=iris&row=5")
    settled(page)
    page.get_by_role("button", name="Share").click()
    page.get_by_text("Show it in a page of your own").click()
    line = page.locator(".embed .frame-line").inner_text()
    address = html.unescape(re.search(r'<iframe src="([^"]*)"', line)[1])
    assert address.startswith(f"{server.url}/predict?data=iris")
    assert "row=5" in address
    assert address.endswith("embed=true")
    page.goto(address)
    settled(page)
    expect(page.get_by_role("link", name="Open in LabelRank Lab")).to_be_visible()
    expect(page.locator(".st-key-bar")).to_be_hidden()
    page.context.close()
