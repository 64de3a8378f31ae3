"""How long visitors wait who move a slider at once, and whether they see only what they asked for.

python tests/benchmarks/crowd.py           20 visitors
python tests/benchmarks/crowd.py 5         so many

Each visitor is a connection as a browser's: it opens Predict, and sends the next value of k as soon
as the page of the last has come. The server's processor time of a move is printed beside the waits,
for it does not depend on what else the machine does.
"""

import asyncio
import os
import re
import sys
import tempfile
from pathlib import Path

import numpy as np
from streamlit.proto.WidgetStates_pb2 import WidgetState

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / ".setup")]

from tests.benchmarks.connection import Connection, connected  # noqa: E402
from tests.browser.driver import Server  # noqa: E402

VISITORS = 20
MOVES = 10
BUDGET = 1.0
LABEL = "Similar cases (k)"


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
        if element.WhichOneof("type") == "slider" and element.slider.label == LABEL:
            self.slider = element.slider.id
        if "summary" in element.html.body:
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


def main(words):
    n_visitors = int(words[0]) if words else VISITORS
    print(f"{'moves of k on Predict at once':<44}    median      95 %   processor", flush=True)
    high = 0.0
    for title, query in (
        ("election, all look at one district", lambda _: "data=election"),
        ("election, each at a district of its own", lambda i: f"data=election&row={i + 1}"),
        ("yeast, each at a case of its own", lambda i: f"data=yeast&row={i + 1}"),
    ):
        with tempfile.TemporaryDirectory() as folder:
            server = Server(Path(folder) / "log.txt")
            try:
                server.wait()
                for n in (1, n_visitors):
                    seconds, cost = asyncio.run(crowd(server, n, query))
                    middle, high = np.percentile(seconds, (50, 95))
                    print(
                        f"{title + ', ' + str(n):<44} {middle:7.2f} s {high:7.2f} s "
                        f"{1000 * cost:8.0f} ms",
                        flush=True,
                    )
            finally:
                server.stop()
    return int(high > BUDGET)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
