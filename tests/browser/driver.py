"""The app's server and a visitor that notices what no test asks for."""

import http.client
import os
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Page

from launch import HOST, server_command

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "test-results"
FLAGS = [
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def settled(page: Page) -> Page:
    """Wait, after opening a page, until the script has run and everything it sent is drawn.

    A click is different: Streamlit marks its run only later, so expect what the run shows.
    """
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
    return page


class Server:
    """The app, served by the Python that runs the tests, on a free port."""

    def __init__(self, log: Path) -> None:
        self.log = log
        self.port = free_port()
        self.url = f"http://{HOST}:{self.port}"
        with log.open("ab") as output:
            self.process = subprocess.Popen(
                server_command(sys.executable, self.port),
                cwd=ROOT,
                env={**os.environ, "LABELRANK_HOME": str(log.parent / "home")},
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


@dataclass
class Visit:
    """One page in a context of its own; `problems` lists what went wrong unasked."""

    server: Server
    page: Page
    problems: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.heard = len(self.server.said())
        self.page.on("pageerror", lambda error: self.problems.append(f"script error: {error}"))
        self.page.on("console", self.on_console)
        self.page.on("websocket", lambda socket: self.on_address(socket.url))
        self.page.context.on("request", lambda request: self.on_address(request.url))

    def on_console(self, message: ConsoleMessage) -> None:
        # On a deep link Streamlit first asks for its own addresses below that path, in vain.
        probing = "/_stcore/" in message.location["url"] and "404" in message.text
        if message.type == "error" and not probing:
            self.problems.append(f"console error: {message.text}")

    def on_address(self, url: str) -> None:
        address = urlsplit(url)
        own = address.netloc == urlsplit(self.server.url).netloc
        if address.scheme in {"http", "https", "ws", "wss"} and not own:
            self.problems.append(f"request to another host: {url}")

    def close(self) -> list[str]:
        """Close the page and return the problems, the server's tracebacks included."""
        self.page.context.close()
        said = self.server.said(self.heard)
        if "Traceback" in said:
            self.problems.append(f"traceback in the server's log:\n{said}")
        return self.problems


def open_visit(browser: Browser, server: Server) -> Visit:
    context = browser.new_context(
        base_url=server.url,
        viewport={"width": 1280, "height": 900},
        # Without a graphics card, what moves while one waits takes most of the machine's time.
        reduced_motion="reduce",
    )
    # A first page on a busy machine takes its time; nothing waits that long on an idle one.
    context.set_default_timeout(90_000)
    return Visit(server, context.new_page())
