"""Names from files stay text, data stay with their session, and strangers are not let in."""

import csv
import http.client
import http.server
import io
import re
import socket
import threading

import numpy as np
import pytest
from playwright.sync_api import expect
from streamlit.proto.WidgetStates_pb2 import WidgetState

from launch import HOST
from pages.ui.wording.text import shorten, shorten_all
from tests.benchmarks.connection import Connection, connected
from tests.browser.driver import Server, settled
from tests.browser.visitor import (
    chart,
    go_to,
    open_chapter,
    open_expander,
    open_page,
    open_panel,
    status,
    summary,
    upload,
    use_these_data,
)
from tests.coroutines import run_apart

NASTY = [
    "<img src=x onerror=alert(1)>",
    "<b>x</b>",
    "<script>alert(2)</script>",
    "**x** _y_ ~~z~~",
    "[l](http://a.b)",
    "![i](http://a.b/x.png)",
    "# h",
    "`c`",
    r"$\alpha$ $$x$$ \(y\)",
    "a -> b <- c ~= d -- e >= f",
    ":smile: :material/home: :red[x]",
    "www.evil.example",
    "http://evil.example/x",
    "me@evil.example",
    "a<br>b",
    '<a href="http://evil.example">x</a>',
    "=1+1",
    "{0} %{x} {top}",
    "long " * 59 + "name!",
    "1. x",
    "&lt;b&gt; &amp;",
    "العربية",
    "中文标签",
]
FILE = "**f** <img src=x onerror=alert(3)> $y$ [l](http:a.b) :smile: -> `c`"
# What would show that a name has become more than text.
LIVE = (
    "img[src=x], [onerror], img[src*='a.b'], a[href*='//evil'], a[href*='//a.b'], "
    "a[href*='//www'], a[href^=mailto], .katex, [data-testid=stMain] :is(em, del, script), "
    "[data-testid=stSlider] :is(code, strong, h1, li)"
)


def table(labels: list[str], features: list[str], *, relevance: bool = False) -> bytes:
    """Thirty rows of random numbers and of random rankings or label sets."""
    rng = np.random.default_rng(0)
    lines = io.StringIO()
    writer = csv.writer(lines)
    writer.writerow([*labels, *features])
    for _ in range(30):
        permutation = rng.permutation(len(labels)) + 1
        targets = (permutation % 3 == 0).astype(int) if relevance else permutation
        writer.writerow([*targets.tolist(), *rng.normal(size=len(features)).round(3).tolist()])
    return lines.getvalue().encode()


def plain(text: str) -> str:
    """A text without what makes it safe or sets it apart: joiners, directions, spaces."""
    return re.sub(r"[\u2060\u200b\u200e\u200f\u2066-\u2069\s]+", "", text)


def expect_only_text(page) -> None:
    found = "elements => elements.map(element => element.outerHTML.slice(0, 200))"
    assert settled(page).locator(LIVE).evaluate_all(found) == []


def bring(page, content: bytes, *, name: str = f"{FILE}.csv") -> None:
    """Upload and use a file."""
    open_page(page, "/data")
    upload(page, name, content)
    ready = page.get_by_test_id("stAlert").last
    expect(ready).to_contain_text("30 rows")
    assert plain(name.removesuffix(".csv")) in plain(ready.inner_text())
    expect_only_text(page)
    use_these_data(page)
    expect(page.get_by_text("is in use.")).to_be_visible()
    assert plain(name.removesuffix(".csv")) in plain(status(page).inner_text())


def expect_labels_in(figure, names: list[str]) -> None:
    """Every name stands in a picture, whole or shortened, and in its text for the blind."""
    expect(figure).to_be_visible()
    spoken = plain(figure.get_attribute("aria-label"))
    assert [name for name in names if plain(name) not in spoken] == []
    shown = [plain(chip) for chip in figure.locator(".lr-chip").all_text_contents()]
    assert len(shown) == min(len(names), 15)
    assert set(shown) <= {plain(shorten(name, 24)) for name in names}


def expect_features(page, features: list[str]) -> None:
    """Names of features stand on Predict as they are written, and nothing there is live."""
    open_chapter(page, "What if?")
    what_if = open_expander(page, "Change any value")
    sliders = what_if.get_by_test_id("stWidgetLabel")
    expect(sliders).to_have_count(len(features))
    labels = {plain(label) for label in sliders.all_inner_texts()}
    assert labels == {plain(name) for name in features}
    what_if.get_by_role("slider").first.focus()
    page.keyboard.press("End")
    changed = page.get_by_test_id("stAlert").filter(has_text="Changed:")
    expect(changed).to_be_visible()
    assert plain(features[0]) in plain(changed.inner_text())
    expect(open_expander(page, "Python code").get_by_test_id("stCode")).to_be_visible()
    expect_only_text(page)
    open_panel(page, "Case").get_by_role("button", name="Choose from a table").click()
    expect(page.get_by_role("dialog").get_by_test_id("stDataFrame")).to_be_visible()
    expect_only_text(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


# A page has no more sliders than these at once.
FEATURES = [[f"{name} f" for name in NASTY[part::3]] for part in range(3)]


def test_names_are_shown_as_they_are_written(page):
    bring(page, table(NASTY, FEATURES[0]))
    for title in ("Start", "Evaluate", "Confidence", "Data", "Predict"):
        go_to(page, title)
        expect_only_text(page)
        expect(page.get_by_test_id("stException")).to_have_count(0)
    open_expander(page, "How is this computed?", ".st-key-chapter-1")
    expect_labels_in(chart(page, "mean rank of each label"), NASTY)

    # Long names are cut in the picture of both rankings, and whole on hovering; the first is the
    # one explained.
    chips = page.locator(".lr-joined .lr-chip")
    expect(chips).to_have_count(2 * min(len(NASTY), 15))
    names = chips.evaluate_all("chips => chips.map(chip => chip.title || chip.innerText)")
    assert {plain(name) for name in names} <= {plain(name) for name in NASTY}
    assert plain(names[0]) in plain(summary(page).inner_text())
    expect_features(page, FEATURES[0])


@pytest.mark.parametrize("features", FEATURES[1:])
def test_names_of_features_are_shown_as_they_are_written(page, features):
    bring(page, table(["a", "b", "c"], features))
    go_to(page, "Predict")
    expect_only_text(page)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect_features(page, features)


def test_names_of_relevant_labels_are_shown_as_they_are_written(page):
    bring(page, table(NASTY, ["x", "y"], relevance=True))
    go_to(page, "Start")
    # More labels than a guess is asked for: the answer comes by itself.
    expect(page.locator(".score-number")).to_be_visible()
    on_board = page.locator(".chip.predicted").all_text_contents()
    assert {plain(name) for name in on_board} <= {plain(name) for name in NASTY}
    expect_only_text(page)
    # The first ones and all relevant ones; long names are cut, and whole on hovering.
    go_to(page, "Predict")
    chips = page.locator(".lr-ladder .lr-chip")
    expect(chips.nth(min(len(NASTY), 15) - 1)).to_be_visible()
    names = page.locator(".lr-ladder > li:has(.lr-chip)").evaluate_all(
        "rows => rows.map(row => row.title || row.querySelector('.lr-chip').innerText)"
    )
    assert {plain(name) for name in names} <= {plain(name) for name in NASTY}
    expect_only_text(page)
    columns = chart(page, "similar cases, nearest first").locator("thead th")
    expect(columns).to_have_count(chips.count())
    shown = {plain(text) for text in columns.all_text_contents()}
    assert shown <= {plain(short) for short in shorten_all(NASTY, 18)}
    titles = {plain(column.get_attribute("title")) for column in columns.all()}
    assert titles <= {plain(name) for name in NASTY}


def test_two_visitors_do_not_see_each_others_data(visit, app_server):
    first, second = visit(app_server), visit(app_server)
    bring(first, table(["a", "b", "c"], ["x"]), name="mine.csv")
    bring(second, table(["d", "e", "f"], ["x"]), name="yours.csv")
    for page, own, others in ((first, "mine", "yours"), (second, "yours", "mine")):
        open_panel(page, "Data").get_by_role("combobox", name="Data", exact=True).click()
        expect(page.get_by_role("option", name=f"{own} (mine)")).to_have_count(1)
        expect(page.get_by_role("option", name=f"{others} (mine)")).to_have_count(0)
        page.keyboard.press("Escape")
    go_to(second, "Predict")
    expect(status(second)).to_contain_text("yours · ")
    expect(settled(second).get_by_text("mine ·")).to_have_count(0)


def handshake(port: int, host: str) -> int:
    """Ask for the connection that carries a session, as a page of that host would."""
    connection = http.client.HTTPConnection(HOST, port, timeout=20)
    headers = {
        "Host": host,
        "Origin": f"http://{host}",
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    }
    try:
        connection.request("GET", "/_stcore/stream", headers=headers)
        return connection.getresponse().status
    finally:
        connection.close()


def test_a_page_of_another_host_gets_no_session(app_server):
    own = f"{HOST}:{app_server.port}"
    assert handshake(app_server.port, own) == 101
    for host in ("evil.example", f"evil.example:{app_server.port}", f"{HOST}.evil.example"):
        assert handshake(app_server.port, host) in range(400, 500)


def answer(port: int, host: str, path: str = "/") -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection(HOST, port, timeout=20)
    try:
        connection.request("GET", path, headers={"Host": host})
        return connection.getresponse()
    finally:
        connection.close()


def test_only_known_hosts_are_answered_and_other_sites_cannot_frame_the_app(app_server):
    for path in ("/", "/predict", "/_stcore/health", "/static/none.js"):
        for host in (f"{HOST}:{app_server.port}", "localhost", "[::1]:8501"):
            found = answer(app_server.port, host, path)
            assert found.status in ((200, 404) if "none" in path else (200,)), (host, path)
            assert "frame-ancestors 'self'" in found.headers["Content-Security-Policy"]
            assert found.headers["X-Frame-Options"] == "SAMEORIGIN"
            assert found.headers["X-Content-Type-Options"] == "nosniff"
            assert found.headers["Referrer-Policy"] == "no-referrer"
        for host in ("evil.example", f"{HOST}.evil.example", f"evil.example:{app_server.port}", ""):
            assert answer(app_server.port, host, path).status == 400, (host, path)


def test_the_server_listens_at_one_address_of_this_machine(app_server):
    assert HOST == "127.0.0.1"
    # Another address of the same machine: a server that listens at all addresses answers there.
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", app_server.port), timeout=10)


class Forger(Connection):
    """A session that says it has uploaded a file, of which the server knows nothing."""

    def __init__(self, socket):
        super().__init__(socket, "data")
        self.uploader, self.messages = "", []

    def hear(self, element):
        kind = element.WhichOneof("type")
        if kind == "file_uploader":
            self.uploader = element.file_uploader.id
        elif kind == "alert":
            self.messages.append(element.alert.body)


def test_an_upload_that_is_not_there_is_none(app_server):
    async def forge():
        async with connected(app_server) as socket:
            session = Forger(socket)
            await session.run()
            state = WidgetState(id=session.uploader)
            info = state.file_uploader_state_value.uploaded_file_info.add()
            info.file_id, info.name, info.size = "forged", "a.csv", 10
            info.file_urls.file_id = "forged"
            await session.run(state)
            return session.messages

    said = len(app_server.said())
    assert not [message for message in run_apart(forge()) if "could not be shown" in message]
    assert "Traceback" not in app_server.said(said)


class Framing(http.server.BaseHTTPRequestHandler):
    """Serves a page that shows the app in a frame."""

    address = ""

    def do_GET(self):
        body = f'<title>course</title><iframe src="{self.address}" width=900 height=700></iframe>'
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_):
        """Say nothing."""


def test_only_pages_of_an_allowed_origin_show_the_app_in_a_frame(browser, tmp_path):
    framing = http.server.ThreadingHTTPServer((HOST, 0), Framing)
    threading.Thread(target=framing.serve_forever, daemon=True).start()
    port = framing.server_address[1]
    server = Server(tmp_path / "log.txt", frames=[f"http://localhost:{port}"])
    try:
        server.wait()
        Framing.address = server.url
        page = browser.new_page()
        page.goto(f"http://localhost:{port}")
        inside = page.frame_locator("iframe").get_by_role("heading", level=1)
        expect(inside).to_have_text("How did Hamburg rank the parties?")
        # The same server by another name is another origin.
        page.goto(f"http://{HOST}:{port}")
        page.wait_for_timeout(1_000)
        expect(inside).to_have_count(0)
        page.close()
    finally:
        server.stop()
        framing.shutdown()
        framing.server_close()
