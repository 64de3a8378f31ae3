"""What a server holds while files are uploaded one after the other: memory, processes, open files.

python tests/benchmarks/uploads.py           1000 files
python tests/benchmarks/uploads.py 200       so many

One browser brings data of its own in every format in turn, and uses them; every tenth file is cut
off in its middle. It opens a new session for every fiftieth file. Linux only.
"""

import asyncio
import http.client
import re
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / ".setup")]

from labelrank_core import Dataset, Task  # noqa: E402
from labelrank_core.data.findings import Severity  # noqa: E402
from labelrank_core.io import format_losses  # noqa: E402
from labelrank_core.io.export import archive_name, write_archive  # noqa: E402
from labelrank_core.rankings import strict_positions  # noqa: E402
from pages.ui.uploads import COOKIE  # noqa: E402
from tests.benchmarks.connection import Connection, connected  # noqa: E402
from tests.browser.driver import Server  # noqa: E402

FILES, PER_SESSION, PER_LINE = 1000, 50, 100
ROWS, FEATURES, LABELS = 500, 8, 4
# The first hundreds load what is imported late and fill what is kept for a while.
WARM, MOST_GROWTH = 0.2, 50.0
XSRF = "_streamlit_xsrf"
KEY = re.compile(rf"'{COOKIE}', '([\w-]{{43}})'")


def problem(number):
    """Data unlike those of any other number."""
    random = np.random.default_rng(number)
    scores = random.normal(size=(ROWS, LABELS))
    task = (Task.LABEL_RANKING, Task.MULTILABEL)[number % 2]
    return Dataset(
        X=random.normal(size=(ROWS, FEATURES)),
        Y=strict_positions(scores) if task is Task.LABEL_RANKING else (scores > 0).astype(int),
        task=task,
        feature_names=[f"x{j}" for j in range(FEATURES)],
        label_names=[f"label {j}" for j in range(LABELS)],
        name=f"own{number}",
    )


def file(number):
    """Name and content of a file; those of each task take its formats in turn."""
    data = problem(number)
    writers = [
        writer
        for writer, losses in format_losses(data)
        if all(loss.severity is not Severity.ERROR for loss in losses)
    ]
    writer = writers[number // 2 % len(writers)]
    content = write_archive(data, writer)
    return archive_name(data, writer), content[: len(content) // 2] if is_cut(number) else content


def is_cut(number):
    return number % 10 == 9


class Browser(Connection):
    """A session on the page Data, with the cookies of its browser."""

    def __init__(self, socket, server, cookies):
        super().__init__(socket, "data")
        self.server = server
        self.cookies = cookies
        self.session = self.uploader = ""
        self.buttons = {}

    def has_ended(self, message):
        if message.WhichOneof("type") == "new_session":
            self.session = message.new_session.initialize.session_id
            self.buttons = {}
        return super().has_ended(message)

    def hear(self, element):
        kind = element.WhichOneof("type")
        if kind == "file_uploader":
            self.uploader = element.file_uploader.id
        if kind == "button":
            self.buttons[element.button.label] = element.button.id
        if key := KEY.search(element.html.body):
            self.cookies[COOKIE] = key[1]

    async def bring(self, name, content):
        """Upload a file, use it if that is offered, and take it away; tell whether it was used."""
        urls, state = await self.upload(name, content)
        await self.run(state)
        use = [label for label in self.buttons if label.startswith("Use ")]
        if use:
            await self.run(state, WidgetState(id=self.buttons[use[0]], trigger_value=True))
        self.request("DELETE", urls.delete_url)
        empty = WidgetState(id=self.uploader)
        empty.file_uploader_state_value.SetInParent()
        await self.run(empty)
        return bool(use)

    async def look(self, name, content):
        """Upload a file; return the seconds from then until the last of the page has come."""
        _, state = await self.upload(name, content)
        return await self.run(state)

    async def upload(self, name, content):
        """Upload a file; return its addresses, and the state of the uploader that holds it."""
        urls = await self.urls(name)
        await asyncio.to_thread(self.request, "PUT", urls.upload_url, name, content)
        state = WidgetState(id=self.uploader)
        state.file_uploader_state_value.uploaded_file_info.add(
            name=name, size=len(content), file_id=urls.file_id, file_urls=urls
        )
        return urls, state

    async def urls(self, name):
        message = BackMsg()
        message.file_urls_request.request_id = name
        message.file_urls_request.session_id = self.session
        message.file_urls_request.file_names.append(name)
        await self.socket.send(message.SerializeToString())
        async for received in self.socket:
            answer = ForwardMsg.FromString(received)
            if answer.WhichOneof("type") == "file_urls_response":
                return answer.file_urls_response.file_urls[0]
        raise RuntimeError("The server has hung up.")

    def request(self, method, url, name=None, content=b""):
        edge = "edge-of-the-file"
        head = f'--{edge}\r\nContent-Disposition: form-data; name="f"; filename="{name}"\r\n\r\n'
        body = head.encode() + content + f"\r\n--{edge}--\r\n".encode() if name else None
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        try:
            headers = {
                "Content-Type": f"multipart/form-data; boundary={edge}",
                "Cookie": f"{XSRF}={self.cookies[XSRF]}",
                "X-Xsrftoken": self.cookies[XSRF],
            }
            connection.request(method, url, body, headers)
            if connection.getresponse().status != 204:
                raise RuntimeError(f"The server refuses to {method} {name}.")
        finally:
            connection.close()


def first_cookies(server):
    """The cookie against forged requests, which the server gives with its first answer."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.request("GET", "/_stcore/health")
    answer = connection.getresponse()
    connection.close()
    found = re.search(rf"{XSRF}=([^;]+)", answer.getheader("Set-Cookie") or "")
    return {XSRF: found[1] if found else ""}


async def bring_all(server, n_files, told):
    """Bring files one after the other; tell each that has been brought, and if it was used."""
    cookies = first_cookies(server)
    for first in range(0, n_files, PER_SESSION):
        async with connected(server, cookies) as socket:
            browser = Browser(socket, server, cookies)
            await browser.run()
            for number in range(first, min(first + PER_SESSION, n_files)):
                name, content = file(number)
                is_used = await browser.bring(name, content)
                if not (is_used or is_cut(number)):
                    raise RuntimeError(f"{name} was not offered for use.")
                told(number + 1, is_used)


def held(server):
    """What a server holds: MB of itself, its programs, MB of these, its open files."""
    own = server.process.pid
    children = pids_of(own)
    n_files = len(list(Path(f"/proc/{own}/fd").iterdir()))
    return megabytes(own), len(children), sum(map(megabytes, children)), n_files


def pids_of(parent):
    """The numbers of the programs that a program has started."""
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int(
                (folder / "stat").read_text().rsplit(")", 1)[1].split()[1]
            )
        except OSError:
            continue
    return [pid for pid, its_parent in parents.items() if its_parent == parent]


def megabytes(pid):
    """The resident memory of a program, 0 if it has ended."""
    try:
        said = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return 0.0
    found = re.search(r"VmRSS:\s+(\d+)", said)
    return int(found[1]) * 1.024e-3 if found else 0.0


def main(words):
    n_files = int(words[0]) if words else FILES
    sizes, used, start = {}, [], perf_counter()
    print(
        f"{'files brought':>13} {'used':>6} {'server MB':>10} {'programs':>9} {'their MB':>9} "
        f"{'open files':>11} {'seconds':>8}",
        flush=True,
    )

    def told(n, is_used):
        used.append(is_used)
        if n % PER_LINE == 0 or n in (10, n_files):
            sizes[n], n_programs, theirs, n_open = held(server)
            print(
                f"{n:13} {sum(used):6} {sizes[n]:10.0f} {n_programs:9} {theirs:9.0f} "
                f"{n_open:11} {perf_counter() - start:8.0f}",
                flush=True,
            )

    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "log.txt")
        try:
            server.wait()
            asyncio.run(bring_all(server, n_files, told))
            traceback = "Traceback" in server.said()
        finally:
            server.stop()
    late = [size for n, size in sizes.items() if n >= WARM * n_files]
    growth = late[-1] - late[0]
    print(f"\ngrowth after the first fifth: {growth:.0f} MB, at most {MOST_GROWTH:.0f} MB allowed")
    return int(growth > MOST_GROWTH or traceback)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
