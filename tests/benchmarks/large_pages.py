"""How long every page takes on large data: the first time, again, and for another case.

python tests/benchmarks/large_pages.py           100 000 rows x 50 features, 10 labels
python tests/benchmarks/large_pages.py 20000     so many rows
python tests/benchmarks/large_pages.py 100000 forest    only by this method

The data are brought as a file by a browser, whose later sessions find them again. What is computed
first may take as long as it needs if one sees how far it is and can cancel it: `cancel` says after
how many seconds the button was there. A page that takes longer than ten minutes is cancelled, as
somebody would, and not asked again. The processor time of the server, without its child programs,
stands in brackets: it does not depend on what else the machine does.
"""

import asyncio
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from urllib.parse import urlencode

import numpy as np
from streamlit.proto.WidgetStates_pb2 import WidgetState

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / ".setup")]

from labelrank_core import Dataset, Task  # noqa: E402
from labelrank_core.io import write_archive  # noqa: E402
from labelrank_core.methods import ALGORITHMS  # noqa: E402
from labelrank_core.rankings import strict_positions  # noqa: E402
from tests.benchmarks.connection import connected  # noqa: E402
from tests.benchmarks.crowd import processor_seconds  # noqa: E402
from tests.benchmarks.uploads import Browser, first_cookies, megabytes  # noqa: E402
from tests.browser.driver import Server  # noqa: E402

ROWS, FEATURES, LABELS = 100_000, 50, 10
METHODS = ("knn", "forest")
BUDGET, PATIENCE = 2.0, 600.0
OTHER_CASE = 7
PAGES = (
    ("start", {}),
    ("data", {}),
    *(
        ("predict", {"view": view})
        for view in ("Why", "All methods", "What if", "How sure", "Side by side")
    ),
    ("evaluate", {}),
    ("confidence", {"held_back": "Whole cases"}),
    ("confidence", {"held_back": "Pairs of labels"}),
    ("sensitivity", {}),
    ("compare", {}),
    ("experiments", {}),
    ("papers", {}),
    ("learn", {}),
)


class Visitor(Browser):
    """A session on any page, which sees when a run can be cancelled."""

    def __init__(self, socket, server, cookies, page, query):
        super().__init__(socket, server, cookies)
        self.page, self.query = page, query
        self.begun, self.cancel, self.case = 0.0, None, ""

    async def run(self, *states):
        self.begun, self.cancel = perf_counter(), None
        return await super().run(*states)

    def hear(self, element):
        super().hear(element)
        kind = element.WhichOneof("type")
        if kind == "button" and element.button.label == "Cancel" and self.cancel is None:
            self.cancel = perf_counter() - self.begun
        if kind == "number_input" and element.number_input.label.startswith("Case (row"):
            self.case = element.number_input.id


def problem(n_rows):
    """Data whose rankings follow from the features, with noise."""
    random = np.random.default_rng(0)
    X = random.normal(size=(n_rows, FEATURES)).round(3)
    scores = X @ random.normal(size=(FEATURES, LABELS)) + random.normal(size=(n_rows, LABELS))
    return Dataset(
        X=X,
        Y=strict_positions(scores),
        task=Task.LABEL_RANKING,
        feature_names=[f"x{j}" for j in range(FEATURES)],
        label_names=[f"label {j}" for j in range(LABELS)],
        name="large",
    )


async def bring(server, cookies, n_rows):
    """Upload the data and use them; return the seconds of it."""
    content = write_archive(problem(n_rows), "parquet")
    async with connected(server, cookies) as socket:
        browser = Browser(socket, server, cookies)
        await browser.run()
        start = perf_counter()
        if not await browser.bring("large.parquet", content):
            raise RuntimeError("The data were not offered for use.")
        return perf_counter() - start


async def visit(server, cookies, page, query):
    """Return seconds and processor seconds of a page at first, again and for another case.

    With these, after how many seconds the first could be cancelled.
    """

    async def timed(*states):
        before = processor_seconds(server)
        return await visitor.run(*states), processor_seconds(server) - before

    async with connected(server, cookies) as socket:
        visitor = Visitor(socket, server, cookies, page, urlencode(query))
        try:
            runs = [await asyncio.wait_for(timed(), PATIENCE)]
        except TimeoutError:
            return [(PATIENCE, 0.0)], visitor.cancel
        cancel = visitor.cancel
        runs.append(await timed())
        if visitor.case:
            runs.append(await timed(WidgetState(id=visitor.case, double_value=OTHER_CASE)))
        return runs, cancel


def row(name, runs, cancel):
    """Print one line of the table; return whether it misses something."""
    cells = [f"{wall:9.2f} ({processor:5.2f})" for wall, processor in runs]
    cells += [f"{'-':>17}"] * (3 - len(runs)) + [f"{'-' if cancel is None else f'{cancel:.2f}':>8}"]
    slow = max((wall for wall, _ in runs[1:]), default=0.0) > BUDGET
    silent = runs[0][0] > BUDGET and cancel is None
    said = [words for words, is_so in (("slow later", slow), ("no Cancel", silent)) if is_so]
    print(f"{name:<38}" + "".join(cells) + f"  {', '.join(said)}", flush=True)
    return bool(said)


async def measure(server, n_rows, methods):
    """Print the table; return how many lines miss something."""
    cookies = first_cookies(server)
    seconds = await bring(server, cookies, n_rows)
    print(f"{n_rows} x {FEATURES}, {LABELS} labels: file to data in use {seconds:.1f} s")
    heads = "".join(f"{name:>17}" for name in ("first", "again", "another case"))
    print(f"{'seconds of a page (processor)':<38}{heads}{'Cancel':>8}", flush=True)
    missed = 0
    for key in methods:
        for page, choices in PAGES:
            query = {"data": "large (mine)", "method": ALGORITHMS[key].title, **choices}
            found = await visit(server, cookies, page, query)
            missed += row(" ".join((key, page, *choices.values())), *found)
    return missed


def main(words):
    n_rows = int(words[0]) if words else ROWS
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "log.txt")
        try:
            server.wait()
            missed = asyncio.run(measure(server, n_rows, words[1:] or METHODS))
            print(f"\nserver at the end: {megabytes(server.process.pid):.0f} MB")
        except RuntimeError as error:
            raise RuntimeError(server.said()) from error
        finally:
            server.stop()
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
