"""How long visitors wait who move a slider at once, and whether they see only what they asked for.

python tests/benchmarks/crowd.py           20 visitors
python tests/benchmarks/crowd.py 5         so many
python tests/benchmarks/crowd.py beside    beside an experiment, also with a number before it

Each visitor is a connection as a browser's: it opens Predict, and sends the next value of k as soon
as the page of the last has come. The server's processor time of a move is printed beside the waits,
for it does not depend on what else the machine does.
"""

import asyncio
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import numpy as np
from streamlit.proto.WidgetStates_pb2 import WidgetState

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / ".setup")]

from tests.benchmarks.connection import Connection, connected  # noqa: E402
from tests.browser.driver import Server  # noqa: E402

VISITORS = 20
MOVES = 10
# Seconds, alone and beside an experiment.
BUDGET, BUDGET_BESIDE = 1.0, 1.5
NICER = 19
# Runs for much longer than the crowd moves.
LONG = """{"data": ["vehicle"], "methods": [{"key": "forest"}, {"key": "knn"}],
 "protocol": {"n_folds": 10, "n_repeats": 1000}}"""
LABEL = re.compile(r"Similar [\w ]+ \(k\)")


class Visitor(Connection):
    """One session: its connection, the slider it moves, and what came last."""

    def __init__(self, socket, query):
        super().__init__(socket, "predict", query)
        self.slider = ""
        self.said = ""

    async def move(self, k):
        """Ask for another k; return the seconds until the last of the page has come."""
        moved = WidgetState(id=self.slider)
        moved.double_array_value.data.append(k)
        return await self.run(moved)

    def hear(self, element):
        if element.WhichOneof("type") == "slider" and LABEL.fullmatch(element.slider.label):
            self.slider = element.slider.id
        if 'class="summary"' in element.html.body:
            self.said = element.html.body


async def visit(server, number, query, opened):
    """Open the page, wait for all others, and move the slider; return the seconds of each move."""
    async with connected(server) as socket:
        visitor = Visitor(socket, query)
        await visitor.run()
        await opened.wait()
        seconds = []
        for move in range(MOVES):
            k = 2 + (7 * number + 3 * move) % 40
            seconds.append(await visitor.move(k))
            told = re.sub(r"<[^>]+>", "", visitor.said)
            if not re.search(rf"\b{k}\b (most similar|nearest|similar)", told):
                raise RuntimeError(f"Asked for k = {k}, was told: {told}")
        return seconds


async def crowd(server, n_visitors, query):
    """Return the seconds of all moves, and the server's processor seconds for one."""
    opened = asyncio.Barrier(n_visitors + 1)
    visits = [
        asyncio.ensure_future(visit(server, number, query(number), opened))
        for number in range(n_visitors)
    ]
    await opened.wait()
    before = processor_seconds(server)
    seconds = await asyncio.gather(*visits)
    spent = processor_seconds(server) - before
    return np.concatenate(seconds), spent / (n_visitors * MOVES)


def processor_seconds(server):
    stat = Path(f"/proc/{server.process.pid}/stat").read_text(encoding="utf-8")
    user, system = stat.rsplit(")", 1)[1].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


@contextmanager
def experiment(folder: Path) -> Iterator[None]:
    """Run a long experiment as a page starts it: with two workers, behind other work."""
    config = folder / "long.json"
    config.write_text(LONG, encoding="utf-8")
    command = [sys.executable, "-m", "labelrank_core", "--home", str(folder / "store")]
    command += ["run", str(config), "--workers", "2"]
    with (folder / "run.txt").open("wb") as said:
        process = subprocess.Popen(command, cwd=ROOT, stdout=said, stderr=said)
    os.setpriority(os.PRIO_PROCESS, process.pid, NICER)
    try:
        yield
        if process.poll() is not None:
            raise RuntimeError("The experiment has ended too early.")
    finally:
        process.terminate()
        process.wait()


def main(words):
    numbers = [int(word) for word in words if word.isdigit()]
    n_visitors = numbers[0] if numbers else VISITORS
    is_beside = "beside" in words
    print(f"{'moves of k on Predict at once':<44}    median      95 %   processor", flush=True)
    highest = 0.0
    for title, query in (
        ("election, all look at one district", lambda _: "data=election"),
        ("election, each at a district of its own", lambda i: f"data=election&row={i + 1}"),
        ("yeast, each at a case of its own", lambda i: f"data=yeast&row={i + 1}"),
    ):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            server = Server(folder / "log.txt")
            try:
                server.wait()
                with experiment(folder) if is_beside else nullcontext():
                    for n in (1, n_visitors):
                        seconds, cost = asyncio.run(crowd(server, n, query))
                        middle, high = np.percentile(seconds, (50, 95))
                        print(
                            f"{title + ', ' + str(n):<44} {middle:7.2f} s {high:7.2f} s "
                            f"{1000 * cost:8.0f} ms",
                            flush=True,
                        )
                    highest = max(highest, high)
            finally:
                server.stop()
    return int(highest > (BUDGET_BESIDE if is_beside else BUDGET))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
