"""How long every page takes on large data: the first time, again, and for other cases.

python tests/benchmarks/large_pages.py           100 000 rows x 50 features, 10 labels
python tests/benchmarks/large_pages.py 20000     so many rows
python tests/benchmarks/large_pages.py 100000 forest    only by this method

The data are brought as a file by a browser, whose later sessions find them again. What is computed
first may take as long as it needs if one sees how far it is and can cancel it; that is so of a page
at first, and of a training case at first, which has a model without it. In brackets: after how many
seconds the button Cancel was there. A page that takes longer than three minutes is cancelled, as
somebody would, and not asked again. The processor time of the server, without its child programs,
does not depend on what else the machine does.
"""

import asyncio
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import NamedTuple
from urllib.parse import urlencode

import numpy as np
from streamlit.proto.WidgetStates_pb2 import WidgetState

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / ".setup")]

from labelrank_core import Dataset, Task  # noqa: E402
from labelrank_core.data.splits import holdout_split  # noqa: E402
from labelrank_core.io.export import write_archive  # noqa: E402
from labelrank_core.methods import ALGORITHMS  # noqa: E402
from labelrank_core.rankings import strict_positions  # noqa: E402
from tests.benchmarks.connection import connected  # noqa: E402
from tests.benchmarks.crowd import processor_seconds  # noqa: E402
from tests.benchmarks.uploads import Browser, first_cookies, megabytes  # noqa: E402
from tests.browser.driver import Server  # noqa: E402

ROWS, FEATURES, LABELS = 100_000, 50, 10
METHODS = ("knn", "forest")
BUDGET, PATIENCE = 2.0, 180.0
PAGES = (
    ("start", {}),
    ("data", {}),
    *(
        ("predict", {"view": view})
        for view in ("Why", "All methods", "What if", "How sure", "Side by side")
    ),
    ("evaluate", {}),
    ("confidence", {"held_back": "Cases"}),
    ("confidence", {"held_back": "Pairs"}),
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


class Run(NamedTuple):
    """How long a page took: seconds, those of the processor, and until it could be cancelled."""

    seconds: float
    processor: float
    cancel: float | None

    def __str__(self):
        cancel = "-" if self.cancel is None else f"{self.cancel:.2f}"
        return f"{self.seconds:8.2f} {self.processor:5.2f} ({cancel})".ljust(24)


async def visit(server, cookies, page, query, cases):
    """Return the runs of a page: at first, again, for another test case and a training case."""

    async def timed(*states):
        before = processor_seconds(server)
        try:
            seconds = await asyncio.wait_for(visitor.run(*states), PATIENCE)
        except TimeoutError:
            seconds = PATIENCE
        return Run(seconds, processor_seconds(server) - before, visitor.cancel)

    async with connected(server, cookies) as socket:
        visitor = Visitor(socket, server, cookies, page, urlencode(query))
        runs = [await timed()]
        if runs[0].seconds < PATIENCE:
            runs.append(await timed())
            states = [WidgetState(id=visitor.case, double_value=number) for number in cases]
            runs += [await timed(state) for state in states if visitor.case]
        return runs


def row(name, runs, *, has_trained):
    """Print one line of the table; return whether it misses something."""
    may_be_slow = {0} if has_trained else {0, 3}
    slow = any(run.seconds > BUDGET for i, run in enumerate(runs) if i not in may_be_slow)
    silent = any(run.seconds > BUDGET and run.cancel is None for run in runs)
    said = [words for words, is_so in (("slow later", slow), ("no Cancel", silent)) if is_so]
    print(f"{name:<36}" + "".join(map(str, runs)) + ", ".join(said), flush=True)
    return bool(said)


async def measure(server, n_rows, methods):
    """Print the table; return how many lines miss something."""
    cookies = first_cookies(server)
    seconds = await bring(server, cookies, n_rows)
    print(f"{n_rows} x {FEATURES}, {LABELS} labels: file to data in use {seconds:.1f} s")
    heads = ("first", "again", "another test case", "a training case")
    title = "seconds, of the processor, (Cancel)"
    print(f"{title:<36}" + "".join(f"{name:>17}".ljust(24) for name in heads), flush=True)
    split = holdout_split(problem(n_rows))
    cases = (int(split.test[1]) + 1, int(split.train[0]) + 1)
    missed = 0
    for key in methods:
        has_trained = False
        for page, choices in PAGES:
            query = {"data": "large (mine)", "method": ALGORITHMS[key].title, **choices}
            found = await visit(server, cookies, page, query, cases)
            name = " ".join((key, page, *choices.values()))
            missed += row(name, found, has_trained=has_trained)
            has_trained |= len(found) > 3
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
