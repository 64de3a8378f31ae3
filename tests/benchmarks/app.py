"""What a visitor waits for, and what the server's part of it is.

python tests/benchmarks/app.py

A new picture is there when its sentence has changed, the script has ended and nothing on the page
has changed for a while. It is compared with an app that has one picture, in turns, and the server's
cost of a run with that of an empty script.
"""

import logging
import re
import sys
import tempfile
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from time import perf_counter

import numpy as np
import pandas as pd

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / ".setup")]

from playwright.sync_api import sync_playwright  # noqa: E402
from streamlit.testing.v1 import AppTest  # noqa: E402

import browsers  # noqa: E402
from bootstrap import is_root  # noqa: E402
from tests.benchmarks.measure import Line, Task, main  # noqa: E402
from tests.browser.driver import FLAGS, Server, new_page  # noqa: E402
from tests.browser.visitor import (  # noqa: E402
    go_to,
    menu,
    open_chapter,
    start_experiment,
    upload,
    use_these_data,
)

REPEATS = 20
ROUNDS = 3
LONG = """{"data": ["vehicle"], "methods": [{"key": "forest"}, {"key": "knn"}],
 "protocol": {"n_folds": 10, "n_repeats": 100}}"""
SENTENCE = "document.querySelector('[data-testid=stMain] p.summary')?.textContent"
PICTURE = "document.querySelector('[data-testid=stMain] :is(figure, svg.main-svg)')"
FIRST_PICTURE = ".look-alikes h1"
IDLE = "document.querySelector('[data-test-script-state=notRunning]')"
# Times of the last key and of the last change on the page.
CLOCK = """() => {
  window.pressed = 0
  window.drawn = 0
  addEventListener("keydown", () => { window.pressed = performance.now() }, true)
  new MutationObserver(changes => {
    if (changes.some(change => change.target.closest?.("[data-testid=stMain]"))) {
      window.drawn = performance.now()
    }
  }).observe(document.body, { subtree: true, childList: true, attributes: true })
}"""
NEW_PICTURE = f"""before => {SENTENCE} != before && {IDLE} && window.drawn > window.pressed &&
  performance.now() - window.drawn > 250"""


def line(name, seconds):
    """Print median and 95th percentile in milliseconds."""
    middle, high = (1000 * np.percentile(seconds, share) for share in (50, 95))
    print(f"{name:<58} {middle:8.0f} ms {high:8.0f} ms", flush=True)


def press(page, key):
    """Seconds from a key on the slider to the last change of the page."""
    before = page.evaluate(SENTENCE)
    page.keyboard.press(key)
    page.wait_for_function(NEW_PICTURE, arg=before, polling=20)
    return page.evaluate("(window.drawn - window.pressed) / 1000")


def slider(page, server, link):
    """Seconds of every move of k up and down again, on a page opened by a link."""
    page.goto(f"{server.url}/predict?{link}")
    page.wait_for_function(f"{PICTURE} && {IDLE}")
    return moves(page)


def compared_with_one_picture(browser, server, folder):
    """Moves of k on yeast and in an app with one picture, in turns."""
    other = Server(Path(folder) / "one.txt", ROOT / "tests" / "benchmarks" / "one_picture.py")
    try:
        other.wait()
        page, floor = new_page(browser, server), new_page(browser, other)
        page.goto("/predict?data=yeast")
        floor.goto("/")
        for each in (page, floor):
            each.wait_for_function(f"{PICTURE} && {IDLE}")
        turns = [(moves(floor), moves(page)) for _ in range(ROUNDS)]
    finally:
        other.stop()
    least, own = (np.concatenate(part) for part in zip(*turns, strict=True))
    line("key press to new picture, one picture", least)
    line("key press to new picture, yeast", own)
    middle, high = (np.percentile(own, at) / np.percentile(least, at) for at in (50, 95))
    print(f"{'yeast over one picture (budgets 2 and 2.5)':<58} {middle:8.2f} x  {high:8.2f} x")


def large_data():
    """A CSV file of 20 000 rankings with 50 features."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 50))
    ranks = (X[:, :5] + rng.normal(size=(20_000, 5))).argsort(axis=1).argsort(axis=1) + 1
    frame = pd.DataFrame(X.round(4), columns=[f"x{j}" for j in range(50)])
    for j in range(5):
        frame[f"L{j + 1}"] = ranks[:, j]
    return frame.to_csv(index=False).encode()


def bring_large_data(page):
    """Upload the large file and open the page Predict."""
    page.goto("/data")
    upload(page, "large.csv", large_data())
    page.get_by_text(re.compile("^positions: ")).click()
    use_these_data(page)
    menu(page).filter(has_text="Predict").click()
    page.wait_for_function(f"{PICTURE} && {IDLE}")


def moves(page):
    """Seconds of every move of k up and down again."""
    page.evaluate(CLOCK)
    page.get_by_role("slider", name=re.compile(r"Similar [\w ]+ \(k\)")).focus()
    keys = ["ArrowRight"] * (REPEATS // 2) + ["ArrowLeft"] * (REPEATS // 2)
    for key in keys[:2]:
        press(page, key)
    return [press(page, key) for key in keys]


def switches(page):
    """Seconds from a click in the menu to the other page's heading and pictures."""
    seconds = []
    for _ in range(REPEATS // 2):
        for title in ("Evaluate", "Predict"):
            start = perf_counter()
            go_to(page, title)
            if title == "Predict":
                page.wait_for_function(PICTURE)
            seconds.append(perf_counter() - start)
    return seconds


def beside_an_experiment(page, other, server):
    """Moves of the slider and page switches while an experiment runs and is watched."""
    start_experiment(other, LONG)
    running = other.get_by_text(re.compile(r"Running · [1-9]"))
    running.wait_for()
    line("key press to new picture, iris, beside an experiment", slider(page, server, "data=iris"))
    line("page switch, iris, beside an experiment", switches(page))
    assert running.is_visible(), "The experiment has ended too early."
    other.get_by_role("button", name="Cancel", exact=True).click()
    other.get_by_text("Cancelled").wait_for()


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
            page = new_page(browser, server)
            page.goto("/")
            page.locator(FIRST_PICTURE).wait_for()
            line("process start to first picture", [perf_counter() - start])
            start = perf_counter()
            second = new_page(browser, server)
            second.goto("/")
            second.locator(FIRST_PICTURE).wait_for()
            line("second visitor, first picture", [perf_counter() - start])
            for words, link in (
                ("iris", "data=iris"),
                ("yeast, what if", "data=yeast&view=What+if"),
            ):
                line(f"key press to new picture, {words}", slider(page, server, link))
            line("page switch, yeast", switches(page))
            compared_with_one_picture(browser, server, folder)
            beside_an_experiment(page, second, server)
            bring_large_data(second)
            line("key press to new picture, 20 000 x 50", moves(second))
            open_chapter(second, "What if?")
            line("key press to new picture, 20 000 x 50, what if", moves(second))
            browser.close()
    finally:
        server.stop()


def empty_script():
    """Draw one slider and nothing else."""
    import streamlit as st

    st.slider("k", 1, 50, 5, key="k")


def rerun(app, key):
    """Return a run of an app with another value of a slider than before."""
    # The widgets as a browser reports them: a move draws only some of them again.
    values, states = cycle(range(1, 51)), app._tree.get_widget_states()
    id_ = app.slider(key=key).id
    moved = next(state for state in states.widgets if state.id == id_)

    def run():
        moved.double_array_value.data[:] = [next(values)]
        app._run(states)

    return run


def move():
    """A move of k on the page Predict, and the same of an empty script."""
    # It warns of every session that no browser has opened.
    logging.getLogger("streamlit.runtime.scriptrunner_utils.script_run_context").disabled = True
    empty = AppTest.from_function(empty_script, default_timeout=60).run()
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params["data"] = "yeast"
    app.run().switch_page("pages/predict/page.py").run()
    own = rerun(app, "mlr_n_neighbors")
    for _ in range(3):
        own()
    return Task(own, {"empty script": rerun(empty, "k")})


def budget_lines() -> Iterator[Line]:
    name = "a slider move on yeast, server side"
    yield Line(name, move, 150, "ms more", clock="processor", fewest_pairs=20)


def visits():
    """Print what a visitor waits for."""
    problem = browsers.problem()
    if problem:
        print(f"\nWhat a visitor waits for: not available. {problem}", flush=True)
        return
    print(f"\n{'What a visitor waits for':<58} {'median':>11} {'95 %':>11}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        in_the_browser(folder)


if __name__ == "__main__":
    visits()
    sys.exit(main(budget_lines(), (), sys.argv[1:]))
