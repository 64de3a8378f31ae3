"""The app's server: who may talk to it, what they may say, and how it stays answering."""

import asyncio
import html
import http.client
import json
import os
import re
import subprocess
import sys
import time
from contextlib import AsyncExitStack, suppress
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

import guard
from descriptors import PER_SESSION
from labelrank_core import list_samples
from launch import HOST
from pages.ui import uploads
from tests.benchmarks.connection import Connection, connected
from tests.benchmarks.uploads import Browser, first_cookies
from tests.browser.driver import ROOT, Server, free_port
from tests.coroutines import run_apart

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals and limits of Unix")

# Says which process does the work that all sessions share, and whether an upload is still kept.
SCRIPT = """
import time
import streamlit as st
from labelrank_core import load_sample
from pages.ui import compute, uploads

KEY = "k" * 43
if st.context.cookies.get("role") == "owner" and uploads.WORKSPACES.find(KEY) is None:
    uploads.WORKSPACES.store(KEY, uploads.Workspace({"mine": load_sample("iris")}))
job = compute.started("long", time.sleep, 600)
job.keep()
st.text(f"{job.pid} {uploads.WORKSPACES.find(KEY) is not None}")
"""


class Page(Connection):
    """A session that notes the texts of its page."""

    def __init__(self, socket):
        super().__init__(socket, "")
        self.texts = []

    def hear(self, element):
        if element.WhichOneof("type") == "text":
            self.texts.append(element.text.body)


def start(folder, script="import streamlit as st; st.text('here')", **options):
    path = folder / "script.py"
    path.write_text(script)
    server = Server(folder / "log.txt", path, **options)
    server.wait()
    return server


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = start(tmp_path_factory.mktemp("server"), SCRIPT)
    yield server
    server.stop()


def status(server, path="/"):
    connection = http.client.HTTPConnection(HOST, server.port, timeout=30)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    finally:
        connection.close()


async def texts(server, **options):
    """The texts of the page in a new session."""
    async with connected(server, **options) as socket:
        page = Page(socket)
        await page.run()
        return page.texts


def test_no_message_of_a_client_takes_uploads_and_jobs_from_others(server):
    async def clear():
        async with connected(server) as socket:
            page = Page(socket)
            await page.run()
            await socket.send(BackMsg(clear_cache=True).SerializeToString())
            # Messages of a session are worked off in order.
            await page.run()

    before = run_apart(texts(server, cookies={"role": "owner"}))
    assert before[0].endswith(" True")
    run_apart(clear())
    assert run_apart(texts(server)) == before
    assert "Refused a message of a client: clear_cache" in server.said()


# Writes how many runs are in progress. The first one waits for work that never ends.
OVERLAPPING = """
import time
import streamlit as st
from pages.ui import compute, jobs

@st.cache_resource
def standing():
    return set()

@st.cache_resource
def begun():
    return []

jobs.UNNOTICED_SECONDS = 600.0
name = object()
standing().add(name)
begun().append(name)
st.text(len(standing()))
try:
    if len(begun()) == 1:
        compute.run(compute.digest("endless"), "Waiting", time.sleep, 600)
finally:
    # Long enough for a second run to begin, had it not to wait.
    time.sleep(0.2)
    standing().discard(name)
"""


def test_a_run_that_waits_ends_before_the_next_of_its_session_begins(tmp_path):
    server = start(tmp_path, OVERLAPPING)

    async def visit():
        async with connected(server) as socket, asyncio.timeout(120):
            page = Page(socket)
            for n_texts in (1, 2):
                run = asyncio.create_task(page.run())
                while len(page.texts) < n_texts:
                    await asyncio.sleep(0.01)
                run.cancel()
                with suppress(asyncio.CancelledError):
                    await run
            return page.texts

    try:
        assert run_apart(visit()) == ["1", "1"]
    finally:
        server.stop()


# Says which sessions have files on the server.
UPLOADER = """
import streamlit as st
from streamlit import runtime
from pages.ui import uploads

uploads._MAX_LEFT_BYTES = 25_000
st.file_uploader("Files", accept_multiple_files=True)
st.text(" ".join(runtime.get_instance().uploaded_file_mgr.file_storage))
"""


class Uploads(Page):
    """A session with an uploader, by a browser that can connect to it again."""

    def __init__(self, socket, server, cookies):
        super().__init__(socket)
        self.browser = Browser(socket, server, cookies)

    def has_ended(self, message):
        self.browser.has_ended(message)
        return super().has_ended(message)

    async def upload(self, n_bytes):
        """Bring a file, run, and return the number of the session."""
        _, state = await self.browser.upload("numbers.csv", b"1" * n_bytes)
        await self.run(state)
        return self.browser.session


def test_files_of_closed_tabs_are_let_go_of_beyond_a_bound(tmp_path):
    server = start(tmp_path, UPLOADER)
    cookies = first_cookies(server)

    async def bring(n_bytes):
        async with connected(server, cookies) as socket:
            page = Uploads(socket, server, cookies)
            await page.run()
            return await page.upload(n_bytes)

    async def bring_beside_an_open_tab():
        async with connected(server, cookies) as socket:
            page = Uploads(socket, server, cookies)
            await page.run()
            open_id = await page.upload(30_000)
            left_ids = [await bring(10_000) for _ in range(4)]
            await page.run()
            return open_id, left_ids, page.texts[-1].split()

    try:
        open_id, left_ids, kept_ids = run_apart(bring_beside_an_open_tab())
    finally:
        server.stop()
    # The open tab keeps its file whatever it takes, and of closed ones the last two fit in.
    assert kept_ids == [open_id, *left_ids[-2:]]


def test_pages_send_no_other_messages_than_are_let_through():
    kinds = {field.name for field in BackMsg.DESCRIPTOR.oneofs_by_name["type"].fields}
    refused = {kind for kind in kinds if not guard.is_allowed(filled(kind))}
    assert refused == {
        *("clear_cache", "set_run_on_save", "load_git_info"),
        *("debug_disconnect_websocket", "debug_shutdown_runtime"),
    }
    # Streamlit itself closes a session that sends what is no message.
    assert guard.is_allowed(b"\xff\xff")


def filled(kind):
    message = BackMsg()
    if BackMsg.DESCRIPTOR.fields_by_name[kind].message_type:
        getattr(message, kind).SetInParent()
    else:
        setattr(message, kind, True)
    return message.SerializeToString()


async def is_let_in(server, **options):
    address = f"ws://{HOST}:{server.port}/_stcore/stream"
    try:
        async with connect(address, subprotocols=["streamlit"], **options) as socket:
            await Page(socket).run()
            return True
    except (InvalidHandshake, ConnectionClosed):
        return False


def test_a_session_without_origin_is_for_programs_of_this_machine(server):
    assert run_apart(is_let_in(server))
    # A proxy on this machine connects for others.
    for name in ("X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"):
        headers = {name: "for=203.0.113.9" if name == "Forwarded" else "203.0.113.9"}
        assert not run_apart(is_let_in(server, additional_headers=headers)), name
        assert run_apart(is_let_in(server, additional_headers=headers, origin=server.url)), name
    assert not run_apart(is_let_in(server, origin="http://evil.example"))
    assert guard.is_local(("127.0.0.1", 1), {})
    assert guard.is_local(("::1", 1), {})
    for client in (None, ("203.0.113.9", 1), ("192.168.0.2", 1), ("unix", 0)):
        assert not guard.is_local(client, {})


def page_cookie(server, cookie=""):
    connection = http.client.HTTPConnection(HOST, server.port, timeout=30)
    try:
        connection.request("GET", "/", headers={"Cookie": cookie} if cookie else {})
        cookies = connection.getresponse().headers.get_all("Set-Cookie")
    finally:
        connection.close()
    (own,) = [each for each in cookies if each.startswith(uploads.COOKIE)]
    return own


def test_a_browser_gets_a_key_that_its_scripts_cannot_read_and_keeps_it(server):
    first, other = page_cookie(server), page_cookie(server)
    pair, *attributes = first.split("; ")
    assert attributes == ["Path=/", "Max-Age=86400", "HttpOnly", "SameSite=Lax"]
    assert pair != other.split("; ")[0]
    assert uploads.is_key(pair.partition("=")[2])
    for cookies in (pair, f"a=b; {pair}", f"{pair}; _xsrf=2|1:0|x", f'q="a b"; {pair}; c'):
        assert page_cookie(server, cookies).startswith(pair + "; "), cookies
    forged = f"{uploads.COOKIE}=short"
    assert not page_cookie(server, forged).startswith(forged + ";")


def get(server, path, **headers):
    connection = http.client.HTTPConnection(HOST, server.port, timeout=30)
    try:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.headers, answer.read()
    finally:
        connection.close()


def test_the_page_brings_the_sheets_of_its_frame_behind_all_others(server):
    names = (
        *("ui/frame/page.css", "ui/frame/heights.css", "ui/frame/menu.css", "ui/toolbar/bar.css"),
        *("learn/lesson.css", "learn/path.css"),
    )
    sheets = [ROOT / "pages" / name for name in names]
    for path in ("/", "/predict"):
        headers, page = get(server, path, Accept="text/html,*/*", **{"Accept-Encoding": "gzip"})
        assert int(headers["Content-Length"]) == len(page)
        # A stored page must not outlive its sheets.
        assert not {"ETag", "Last-Modified"} & set(headers)
        places = [page.index(sheet.read_bytes()) for sheet in sheets]
        assert places == sorted(places)
        assert page.rindex(b"stylesheet") < places[0] < page.index(b"</body>")
    _, script = get(server, "/_stcore/health")
    assert b"<style>" not in script


def test_the_page_loads_the_parts_of_every_page_with_what_they_import(server):
    _, page = get(server, "/predict", Accept="text/html")
    links = re.findall(r'modulepreload" crossorigin href="./static/js/([^"]+)"', page.decode())
    for part in ("BidiComponent", "Html", "PageLink", "Selectbox", "Slider"):
        (name,) = (name for name in links if name.startswith(f"{part}."))
        source = get(server, f"/static/js/{name}")[1].decode()
        imported = re.findall(r"""from["']\./([\w.-]+\.js)["']""", source)
        assert imported
        assert set(imported) <= set(links)
    # What few pages need is large.
    assert not [name for name in links if name.startswith(("PlotlyChart.", "DataFrame."))]


def test_a_link_says_what_it_opens_and_has_a_picture(server):
    # The server has a script of its own, but the samples and the address are the app's.
    election = next(sample for sample in list_samples() if sample.name == "election")
    _, page = get(server, "/predict?data=election&row=3", Accept="text/html")
    head = page.decode().partition("</head>")[0]
    assert head.count("<title>") == 1
    assert f"<title>{election.question}</title>" in head
    assert f'<meta property="og:description" content="{html.escape(election.summary)}">' in head
    picture = re.search(r'og:image" content="([^"]+)"', head)[1]
    assert picture == f"http://{HOST}:{server.port}/preview.png?data=election"
    headers, content = get(server, picture.removeprefix(f"http://{HOST}:{server.port}"))
    assert headers["Content-Type"] == "image/png"
    with Image.open(BytesIO(content)) as drawn:
        assert drawn.size == (1200, 630)
        # The parties' own colours.
        colors = {color for _, color in drawn.getcolors(1 << 20)}
        own = [tuple(bytes.fromhex(light[1:])) for light, _ in election.label_colors]
        assert set(own) <= colors


def test_a_link_with_hostile_words_says_what_the_app_is(server):
    _, page = get(server, "/?data=%22%3E%3Cscript%3Ex()%3C/script%3E", Accept="text/html")
    head = page.decode().partition("</head>")[0]
    assert "x()" not in head
    assert re.search(r'og:image" content="[^"?]+/preview.png"', head)
    assert status(server, "/preview.png?data=../../etc/passwd") == 404


def test_behind_a_proxy_with_https_the_picture_has_its_address(server):
    forwarded = {"Accept": "text/html", "X-Forwarded-Proto": "https"}
    _, page = get(server, "/", **forwarded)
    assert f'content="https://{HOST}:{server.port}/preview.png"'.encode() in page


def test_hosts_and_frames_are_settings(tmp_path):
    server = start(tmp_path, hosts=["lab.example.org"], frames=["https://course.example"])
    try:
        headers = answer(server, host="lab.example.org").headers
        assert "frame-ancestors 'self' https://course.example" in headers["Content-Security-Policy"]
        assert headers["X-Frame-Options"] is None
        assert answer(server, host="lab.example.org").status == 200
        assert answer(server, host="elsewhere.example.org").status == 400
    finally:
        server.stop()


def test_streamlit_run_serves_the_same_app(tmp_path):
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", ROOT / "app.py", f"--server.port={port}"]
    with (tmp_path / "log.txt").open("w") as log:
        process = subprocess.Popen(command, cwd=tmp_path, stdout=log, stderr=log)
    try:
        page, headers = first_page(port)
    finally:
        process.terminate()
        process.wait(30)
    sheet = (ROOT / "pages" / "ui" / "toolbar" / "bar.css").read_text(encoding="utf-8")
    assert sheet in page
    assert headers["Content-Security-Policy"].endswith("frame-ancestors 'self'")
    assert headers["Set-Cookie"].startswith("labelrank_visitor=")


def first_page(port):
    """The text of the page, once the server answers, and its headers."""
    end = time.monotonic() + 60
    while True:
        connection = http.client.HTTPConnection(HOST, port, timeout=30)
        try:
            connection.request("GET", "/", headers={"Accept": "text/html"})
            response = connection.getresponse()
            return response.read().decode(), response.headers
        except OSError:
            assert time.monotonic() < end
            time.sleep(0.2)
        finally:
            connection.close()


def answer(server, host):
    connection = http.client.HTTPConnection(HOST, server.port, timeout=30)
    try:
        connection.request("GET", "/", headers={"Host": host})
        return connection.getresponse()
    finally:
        connection.close()


def test_numbers_about_the_server_are_not_for_visitors(server):
    assert status(server, "/_stcore/health") == 200
    assert status(server, "/_stcore/metrics") == 404
    assert status(server, "/_stcore/metrics/") == 404


SETTINGS = {
    "server.baseUrlPath": "elsewhere",
    "server.port": 1,
    "server.address": "203.0.113.9",
    "server.sslCertFile": "/none.pem",
    "server.sslKeyFile": "/none.key",
    "server.allowedHosts": ["elsewhere.example"],
    "server.maxMessageSize": 0,
    "server.enableStaticServing": True,
    "global.developmentMode": True,
    "browser.serverAddress": "elsewhere.example",
    "theme.base": "/none.toml",
}


def test_the_printed_address_answers_whatever_a_user_has_set_for_streamlit(tmp_path):
    settings, environment = tmp_path / "home" / ".streamlit", {"HOME": str(tmp_path / "home")}
    settings.mkdir(parents=True)
    lines = [f"{name} = {json.dumps(value)}" for name, value in SETTINGS.items()]
    (settings / "config.toml").write_text("\n".join(lines))
    for name, value in SETTINGS.items():
        variable = re.sub("([A-Z])", r"_\1", name.replace(".", "_"))
        environment[f"STREAMLIT_{variable}".upper()] = str(value)
    server = start(tmp_path, environment=environment)
    try:
        assert status(server) == 200
        assert run_apart(texts(server)) == ["here"]
    finally:
        server.stop()


class FirstPage(Connection):
    """A session that notes the question of the first page."""

    def __init__(self, socket):
        super().__init__(socket, "")
        self.question = None

    def hear(self, element):
        component = element.bidi_component
        if component.component_name == "labelrank_look_alikes":
            self.question = json.loads(component.json)["question"]


async def heading(server):
    """The question of the first page in a new session."""
    async with connected(server) as socket:
        page = FirstPage(socket)
        await page.run()
        return page.question


async def load(server, n):
    """Load a page so many times after each other; return how often that was refused."""
    n_refused = 0
    for _ in range(n):
        try:
            assert status(server) in (200, 503)
            await texts(server)
        except (InvalidHandshake, OSError):
            n_refused += 1
            await asyncio.sleep(0.1)
    return n_refused


async def crowd(server, n):
    """Let so many sessions come and stay; return how many were let in."""
    async with AsyncExitStack() as sessions:
        n_let_in = 0
        for _ in range(n):
            with suppress(InvalidHandshake, OSError):
                await sessions.enter_async_context(connected(server))
                n_let_in += 1
        return n_let_in


async def silent_connections(server, n):
    """Open so many connections that say nothing; return how many are still open."""
    async with AsyncExitStack() as stack:
        readers = []
        for _ in range(n):
            reader, writer = await asyncio.open_connection(HOST, server.port)
            stack.callback(writer.close)
            readers.append(reader)
        closed = await asyncio.gather(*(is_closed(reader) for reader in readers))
        return closed.count(False)


async def is_closed(reader):
    try:
        return await asyncio.wait_for(reader.read(1), 1) == b""
    except ConnectionError:
        return True
    except TimeoutError:
        return False


async def rush(server, n):
    """Let so many sessions come at the same moment; some may be let in."""
    sockets = await asyncio.gather(*(connected(server) for _ in range(n)), return_exceptions=True)
    for socket in sockets:
        if not isinstance(socket, BaseException):
            await socket.close()


def test_256_descriptors_are_enough_for_any_number_of_visits(tmp_path):
    server = start(tmp_path, shell="ulimit -n 256")
    try:
        assert run_apart(load(server, 150)) < 15
        assert 20 <= run_apart(crowd(server, 60)) <= 256 // PER_SESSION
        assert run_apart(silent_connections(server, 100)) <= 256 // 4
        run_apart(rush(server, 300))
        assert run_apart(load(server, 10)) < 10
        assert status(server) == 200
        assert run_apart(texts(server)) == ["here"]
        assert "allows this program 256 open files" in server.said()
        assert server.said().count("\n") < 20
    finally:
        server.stop()


def test_a_soft_limit_is_raised_and_nothing_is_said():
    code = "import resource, descriptors; print(descriptors.raise_limit())"
    shell = f'ulimit -S -n 256; exec "{sys.executable}" -c "{code}"'
    setup = str(guard.__file__).rpartition("/")[0]
    said = subprocess.check_output(
        ["sh", "-c", shell], text=True, env={**os.environ, "PYTHONPATH": setup}
    )
    assert int(said) > 256


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="needs /proc")
def test_the_libraries_of_the_app_are_loaded_before_the_first_visit(tmp_path):
    server = Server(tmp_path / "log.txt")
    try:
        server.wait()
        maps = Path(f"/proc/{server.process.pid}/maps")
        end = time.monotonic() + 60
        while "sklearn" not in maps.read_text():
            assert time.monotonic() < end
            time.sleep(0.1)
        assert run_apart(heading(server)) == "How did Hamburg rank the parties?"
        assert server.said() == ""
    finally:
        server.stop()


def test_the_server_ends_on_sigterm_with_pages_open_and_control_c_ignored(tmp_path):
    server = start(tmp_path, shell="trap '' INT HUP")

    async def end():
        async with connected(server) as socket:
            await Page(socket).run()
            server.process.terminate()
            return await asyncio.to_thread(server.process.wait, 20)

    try:
        assert run_apart(end()) == 0
        assert "Traceback" not in server.said()
    finally:
        server.stop()
