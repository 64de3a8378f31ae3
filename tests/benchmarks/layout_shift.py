"""How much the parts of every page move while it is opened.

python tests/benchmarks/layout_shift.py            every page on a screen and on a phone
python tests/benchmarks/layout_shift.py predict    only pages whose address has the word, and why

Of some visits, each with a browser's empty cache, the one in which most moves counts.
"""

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / ".setup")]

from playwright.sync_api import sync_playwright  # noqa: E402

import browsers  # noqa: E402
from bootstrap import is_root  # noqa: E402
from tests.browser.driver import FLAGS, Server  # noqa: E402
from tests.browser.shifts import cumulative, open_recorded, shifts_of  # noqa: E402

ADDRESSES = (
    *("/", "/?data=songs", "/data", "/predict", "/predict?view=What+if", "/predict?view=How+sure"),
    *("/predict?view=All+methods", "/evaluate", "/confidence", "/sensitivity", "/best_method"),
    *("/experiments", "/compare", "/learn", "/learn?lesson=Aggregation+playground", "/papers"),
)
WINDOWS = ((1280, 800), (390, 844))
N_VISITS = 3
# More than this is not good any more (web.dev/cls).
MOST = 0.1


def print_shifts(server, word):
    """Print the shift of every page, and with a word what moved; return the pages that jump."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browsers.find(), args=FLAGS, chromium_sandbox=not is_root()
        )
        jumping = 0
        for address in ADDRESSES:
            if word not in address:
                continue
            for width, height in WINDOWS:
                visits = []
                for _ in range(N_VISITS):
                    page = open_recorded(browser, server, width, height, address)
                    visits.append(shifts_of(page))
                    page.context.close()
                most = max(visits, key=cumulative)
                jumping += cumulative(most) > MOST
                values = " ".join(f"{cumulative(visit):.3f}" for visit in visits)
                print(f"{address:<40} {width:>5} {cumulative(most):.3f}   ({values})", flush=True)
                for shift in most if word else ():
                    print(f"    {shift['time']:7.0f} ms {shift['value']:.3f}")
                    print("".join(f"        {moved}\n" for moved in shift["moved"]), end="")
        browser.close()
    return jumping


def main(word=""):
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "log.txt")
        try:
            server.wait()
            return 1 if print_shifts(server, word) else 0
        finally:
            server.stop()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
