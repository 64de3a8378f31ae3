"""An error that nobody has foreseen becomes a sentence, a number in the log and a way back."""

import re
import shutil

import pytest
from playwright.sync_api import expect

from tests.benchmarks.connection import Connection, connected
from tests.browser.driver import ROOT, Server, new_page, settled
from tests.coroutines import run_apart

PAGES = sorted(path.parent.name for path in (ROOT / "pages").glob("*/page.py"))
# A page that fails with one of the samples, as a whole, in a part of its own or in a callback.
PAGE = """
import streamlit as st
from pages.ui import session

def fail(*_):
    if session.get_state("data") == "yeast":
        raise ValueError("a secret of the server")
    st.text("nothing is wrong")

part = st.query_params.get("fails")
if part == "fragment":
    st.fragment(fail)()
elif part == "callback":
    st.button("press", on_click=fail, key="press")
else:
    fail()
"""


@pytest.fixture(scope="module")
def failing_server(tmp_path_factory):
    """The app with pages that fail."""
    folder = tmp_path_factory.mktemp("app")
    shutil.copy(ROOT / "app.py", folder)
    for name in PAGES:
        (folder / "pages" / name).mkdir(parents=True)
        (folder / "pages" / name / "page.py").write_text(PAGE, encoding="utf-8")
    shutil.copytree(ROOT / "pages" / "ui", folder / "pages" / "ui")
    server = Server(folder / "log.txt", folder / "app.py")
    server.wait()
    yield server
    server.stop()


class Page(Connection):
    """A session that notes what its page draws; a traceback among it is an error."""

    def __init__(self, socket, page, query):
        super().__init__(socket, page, query)
        self.messages, self.texts, self.buttons, self.links = [], [], {}, []

    def hear(self, element):
        kind = element.WhichOneof("type")
        if kind == "alert":
            self.messages.append(element.alert.body)
        elif kind == "text":
            self.texts.append(element.text.body)
        elif kind == "button":
            self.buttons[element.button.label] = element.button.id
        elif kind == "html":
            self.links += re.findall(r'<a href="./" target="_self">([^<]+)</a>', element.html.body)


def log_number(message):
    return re.search(r"the number ([0-9a-f]{8})\.", message)[1]


@pytest.mark.parametrize("part", ["page", "fragment"])
def test_no_page_ends_in_a_traceback(failing_server, part):
    async def look(name):
        async with connected(failing_server) as socket:
            page = Page(socket, "" if name == "start" else name, f"data=yeast&fails={part}")
            await page.run()
            return page

    for name in PAGES:
        page = run_apart(look(name))
        message = page.messages[-1]
        assert "could not be shown" in message, name
        assert "secret" not in message
        assert page.texts == []
        assert "Try again" in page.buttons
        assert "Start afresh" in page.links
        assert f"Error {log_number(message)}: the ValueError above" in failing_server.said()
    assert "a secret of the server" in failing_server.said()


def test_the_way_back_leads_to_a_page_that_works(browser, failing_server):
    page = new_page(browser, failing_server)
    page.goto("/data?data=yeast")
    message = settled(page).get_by_test_id("stAlert")
    expect(message).to_contain_text("could not be shown")
    first = log_number(message.inner_text())
    page.get_by_role("button", name="Try again").click()
    expect(message).not_to_contain_text(first)
    assert log_number(message.inner_text()) in failing_server.said()
    expect(page.get_by_text("This app has encountered an error")).to_have_count(0)
    page.get_by_role("link", name="Start afresh").click()
    expect(page.get_by_text("nothing is wrong")).to_be_visible()
    expect(message).to_have_count(0)
    assert page.url == f"{failing_server.url}/"
    # In a callback, before the page runs.
    page.goto("/data?data=yeast&fails=callback")
    settled(page).get_by_role("button", name="press").click()
    expect(message).to_contain_text("could not be shown")
    page.context.close()
