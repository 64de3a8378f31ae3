"""The app's server and a visitor that notices what no test asks for."""

import http.client
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Dialog, Page, ViewportSize

from launch import HOST, server_command

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "test-results"
# Milliseconds. The machine may be busy; what is waited for comes at once on an idle one.
PATIENCE = 90_000
WINDOW: ViewportSize = {"width": 1280, "height": 900}
FLAGS = [
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A page is open for seconds: what compilers that optimise and frequent tidying up take, it does
    # not give back. Without them a page takes a quarter less of the processors.
    "--js-flags=--no-turbofan --no-maglev --min-semi-space-size=64 --max-semi-space-size=128",
]


def settled(page: Page) -> Page:
    """Wait, after opening a page, until the script has run and everything it sent is drawn.

    A click is different: Streamlit marks its run only later, so expect what the run shows.
    """
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
    return page


class Server:
    """The app, served by the Python that runs the tests, on a free port."""

    def __init__(
        self,
        log: Path,
        script: Path = ROOT / "app.py",
        *,
        environment: Mapping[str, str] | None = None,
        shell: str = "",
        hosts: Sequence[str] = (),
        frames: Sequence[str] = (),
    ) -> None:
        """Start it with more variables, and behind commands of a shell such as `ulimit`."""
        self.log = log
        self.port = free_port()
        self.url = f"http://{HOST}:{self.port}"
        self.home = log.parent / "home"
        with log.open("ab") as output:
            command = [
                str(script) if part == str(ROOT / "app.py") else part
                for part in server_command(sys.executable, self.port, hosts=hosts, frames=frames)
            ]
            if shell:
                command = ["sh", "-c", f'{shell}; exec "$@"', "sh", *command]
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                env={**os.environ, "LABELRANK_HOME": str(self.home), **(environment or {})},
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def wait(self) -> None:
        """Return when the server answers; what it said is the error when it does not."""
        deadline = time.monotonic() + 120
        while not self.is_healthy():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"The server did not start:\n{self.said()}")
            time.sleep(0.05)

    def is_healthy(self) -> bool:
        connection = http.client.HTTPConnection(HOST, self.port, timeout=10)
        try:
            connection.request("GET", "/_stcore/health")
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()

    def said(self, start: int = 0) -> str:
        """The log from a character on."""
        return self.log.read_text(encoding="utf-8", errors="replace")[start:]

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return probe.getsockname()[1]


def new_page(browser: Browser, server: Server, **options: Any) -> Page:
    """A page of the server in a context of its own."""
    context = browser.new_context(base_url=server.url, viewport=WINDOW, **options)
    context.set_default_timeout(PATIENCE)
    return context.new_page()


class Visit:
    """A page in a context of its own; `problems` lists what went wrong unasked in this visit."""

    def __init__(self, server: Server, page: Page) -> None:
        self.server, self.page = server, page
        self.problems: list[str] = []
        self.heard = len(server.said())
        self.handlers: list[tuple[Page | BrowserContext, str, Callable[[Any], None]]] = [
            (page, "pageerror", lambda error: self.problems.append(f"script error: {error}")),
            (page, "console", self.on_console),
            (page, "dialog", self.on_dialog),
            (page, "websocket", lambda socket: self.on_address(socket.url)),
            (page.context, "request", lambda request: self.on_address(request.url)),
        ]
        for source, event, handler in self.handlers:
            source.on(event, handler)

    def on_console(self, message: ConsoleMessage) -> None:
        # On a deep link Streamlit first asks for its own addresses below that path, in vain.
        probing = "/_stcore/" in message.location["url"] and "404" in message.text
        if message.type == "error" and not probing:
            self.problems.append(f"console error: {message.text}")

    def on_dialog(self, dialog: Dialog) -> None:
        self.problems.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def on_address(self, url: str) -> None:
        address = urlsplit(url)
        own = address.netloc == urlsplit(self.server.url).netloc
        if address.scheme in {"http", "https", "ws", "wss"} and not own:
            self.problems.append(f"request to another host: {url}")

    def end(self) -> list[str]:
        """Leave the app and return the problems, the server's tracebacks included."""
        # What leaving breaks off is no problem of the visit.
        for source, event, handler in self.handlers:
            source.remove_listener(event, handler)
        if self.page.url.startswith(self.server.url):
            self.page.evaluate("() => { localStorage.clear(); sessionStorage.clear() }")
        self.page.goto("about:blank")
        said = self.server.said(self.heard)
        if "Traceback" in said:
            self.problems.append(f"traceback in the server's log:\n{said}")
        return self.problems


class Visitors:
    """Pages, each in a context of its own, which later visits use again.

    A page that has loaded the app before loads it in half the time. The next visit gets it without
    cookies, storage and session, in the window it had at first.
    """

    def __init__(self, browser: Browser, server: Server) -> None:
        """Take the server to which addresses without a host belong."""
        self.browser, self.server = browser, server
        self.waiting: list[Page] = []

    def visit(self, server: Server) -> Visit:
        if self.waiting:
            return Visit(server, self.waiting.pop())
        # Without a graphics card, what moves while one waits takes most of the machine's time.
        return Visit(server, new_page(self.browser, self.server, reduced_motion="reduce"))

    def take_back(self, page: Page) -> None:
        page.context.clear_cookies()
        page.set_viewport_size(WINDOW)
        page.emulate_media(color_scheme="light")
        self.waiting.append(page)
