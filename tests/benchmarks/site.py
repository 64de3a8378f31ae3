"""How long a slow phone works until a page of the static site shows its picture.

python tests/benchmarks/site.py            every page
python tests/benchmarks/site.py lesson     only pages whose file has the word

Seconds of the page's own thread, times 4: how busy this machine is hardly counts. The median of
some visits.
"""

import sys
import tempfile
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / ".setup")]

from playwright.sync_api import sync_playwright  # noqa: E402

import browsers  # noqa: E402
from bootstrap import is_root  # noqa: E402
from labelrank_core import list_samples  # noqa: E402
from pages.explorables import command  # noqa: E402
from tests.browser.driver import FLAGS  # noqa: E402

SLOWER, N_VISITS = 4, 9
MOST_SECONDS = 1.0


def seconds_to_picture(browser, address):
    """Return for how many seconds the thread of a page works until something is painted."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, bypass_csp=True)
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
    start = task_seconds(devtools)
    page.goto(address)
    page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length")
    seconds = task_seconds(devtools) - start
    context.close()
    return SLOWER * seconds


def task_seconds(devtools):
    """Return for how many seconds the thread of a page has worked."""
    metrics = devtools.send("Performance.getMetrics")["metrics"]
    return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")


def main(word=""):
    sample_names = [sample.name for sample in list_samples()]
    n_slow = 0
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browsers.find(), args=FLAGS, chromium_sandbox=not is_root()
        )
        for page in command.site(sample_names, command.N_CASES):
            if word not in page.file:
                continue
            path = Path(folder) / page.file
            path.write_text(page.html(), encoding="utf-8")
            seconds = median(seconds_to_picture(browser, path.as_uri()) for _ in range(N_VISITS))
            n_slow += seconds > MOST_SECONDS
            print(f"{page.file:<28} {seconds:.2f} s", flush=True)
        browser.close()
    return 1 if n_slow else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
