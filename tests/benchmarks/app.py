"""What a visitor waits for, and what the server's part of it is.

python tests/benchmarks/app.py

A new picture is there when its sentence has changed, the script has ended and Plotly has drawn
after the key was pressed. The server's cost of a run is compared with that of an empty script.
"""

import statistics
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / ".setup")]

from playwright.sync_api import sync_playwright  # noqa: E402
from streamlit.testing.v1 import AppTest  # noqa: E402

import browsers  # noqa: E402
from bootstrap import is_root  # noqa: E402
from tests.browser.driver import FLAGS, Server, open_visit  # noqa: E402

REPEATS = 20
SENTENCE = "document.querySelector('[data-testid=stMain] [data-testid=stHtml] p')?.textContent"
PICTURE = "document.querySelector('[data-testid=stMain] .js-plotly-plot svg.main-svg')"
IDLE = "document.querySelector('[data-test-script-state=notRunning]')"
# Times of the last key and of the last change in any picture.
CLOCK = """() => {
  window.pressed = 0
  window.drawn = 0
  addEventListener("keydown", () => { window.pressed = performance.now() }, true)
  new MutationObserver(changes => {
    if (changes.some(change => change.target.closest?.(".js-plotly-plot"))) {
      window.drawn = performance.now()
    }
  }).observe(document.body, { subtree: true, childList: true, attributes: true })
}"""
NEW_PICTURE = f"""before => {SENTENCE} != before && {IDLE} && window.drawn > window.pressed &&
  performance.now() - window.drawn > 250"""


def line(name, seconds):
    """Print median and 95th percentile in milliseconds."""
    middle, high = (1000 * np.percentile(seconds, share) for share in (50, 95))
    sys.stdout.write(f"{name:<58} {middle:8.0f} ms {high:8.0f} ms" + "\n")


def press(page, key):
    """Seconds from a key on the slider to the last change of a picture."""
    before = page.evaluate(SENTENCE)
    page.keyboard.press(key)
    page.wait_for_function(NEW_PICTURE, arg=before, polling=20)
    return page.evaluate("(window.drawn - window.pressed) / 1000")


def slider(page, server, data):
    """Seconds of every move of k up and down again."""
    page.goto(f"{server.url}/predict?data={data}")
    page.wait_for_function(f"{PICTURE} && {IDLE}")
    page.evaluate(CLOCK)
    page.get_by_role("slider", name="Similar cases (k)").focus()
    keys = ["ArrowRight"] * (REPEATS // 2) + ["ArrowLeft"] * (REPEATS // 2)
    for key in keys[:2]:
        press(page, key)
    return [press(page, key) for key in keys]


def switches(page):
    """Seconds from a click in the menu to the other page's heading and pictures."""
    seconds = []
    for _ in range(REPEATS // 2):
        for title, words in (("Evaluate", "How good is it?"), ("Predict", "Predict & explain")):
            start = perf_counter()
            page.get_by_test_id("stHeader").get_by_role("link", name=title).click()
            page.get_by_role("heading", level=1, name=words).wait_for()
            page.wait_for_function(IDLE)
            if title == "Predict":
                page.wait_for_function(PICTURE)
            seconds.append(perf_counter() - start)
    return seconds


def in_the_browser(folder):
    """Start, moves of the slider and page switches as a visitor meets them."""
    start = perf_counter()
    server = Server(Path(folder) / "log.txt")
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=browsers.find(), args=FLAGS, chromium_sandbox=not is_root()
            )
            server.wait()
            line("process start to healthy server", [perf_counter() - start])
            visit = open_visit(browser, server)
            visit.page.goto("/")
            visit.page.wait_for_function(f"{PICTURE} && {IDLE}")
            line("process start to first picture", [perf_counter() - start])
            start = perf_counter()
            second = open_visit(browser, server)
            second.page.goto("/")
            second.page.wait_for_function(f"{PICTURE} && {IDLE}")
            line("second visitor, first picture", [perf_counter() - start])
            for data in ("iris", "yeast"):
                line(f"key press to new picture, {data}", slider(visit.page, server, data))
            line("page switch, yeast", switches(visit.page))
            browser.close()
    finally:
        server.stop()


def rerun_seconds(app, change):
    """Server-side seconds of runs, each with another value of the slider."""
    seconds = []
    for step in range(REPEATS + 3):
        change(app, 5 + step)
        start = perf_counter()
        app.run()
        seconds.append(perf_counter() - start)
    return seconds[3:]


def empty_script():
    """Draw one slider and nothing else."""
    import streamlit as st

    st.slider("k", 1, 50, 5, key="k")


def on_the_server():
    """Cost of a run on yeast beside that of an empty script."""
    empty = AppTest.from_function(empty_script, default_timeout=60).run()
    floor = rerun_seconds(empty, lambda app, k: app.slider(key="k").set_value(k))
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params["data"] = "yeast"
    app.run().switch_page("pages/predict/predict.py").run()
    own = rerun_seconds(app, lambda app, k: app.slider(key="mlr_n_neighbors").set_value(k))
    line("run of an empty script on the server", floor)
    line("run of Predict & explain on yeast, k moved", own)
    more = 1000 * (statistics.median(own) - statistics.median(floor))
    sys.stdout.write(f"{'more than the empty script (budget 150 ms)':<58} {more:8.0f} ms" + "\n")


def main():
    """Print the table."""
    sys.stdout.write(f"{'':<58} {'median':>11} {'95 %':>11}" + "\n")
    with tempfile.TemporaryDirectory() as folder:
        in_the_browser(folder)
    on_the_server()


if __name__ == "__main__":
    main()
