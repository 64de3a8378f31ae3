"""The static site in a browser, opened from a folder: seen at once, moved, linked, read by all."""

import gzip
import http.server
import json
import threading
from functools import partial

import pytest
from playwright.sync_api import expect

from labelrank_core import list_samples
from labelrank_core.aggregation import CONSENSUS_RULES
from labelrank_core.papers import PAPERS
from pages.explorables import command, local_data, local_data_program
from pages.learn import rows
from pages.learn.lessons import LESSONS
from tests.browser.axe import NARROW, WIDE, findings

MOST_PACKED, MOST_SCRIPT = 150_000, 30_000
SCRIPT_BYTES = """[...document.scripts].filter(script => !script.type)
  .reduce((sum, script) => sum + new Blob([script.text]).size, 0)"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    for page in command.site(["drinks", "songs"], 2, "https://lab.example/app/"):
        folder.joinpath(page.file).write_text(page.html(), encoding="utf-8")
    return folder


@pytest.fixture
def open_page(browser, folder):
    """Open a page of the site; what a page says of errors, or asks of others, fails the test."""
    contexts, wrong = [], []

    def open_in(file, width=WIDE, scheme="light", site=folder):
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
        page.on(
            "request",
            lambda asked: None if asked.url.startswith(("file:", "data:")) else wrong.append(asked),
        )
        page.goto(f"{site.as_uri()}/{file}")
        return page

    yield open_in
    for context in contexts:
        context.close()
    assert wrong == []


def tops(page):
    """The predicted labels from top to bottom."""
    return page.evaluate(
        """() => [...document.querySelector(".explorable").shadowRoot
          .querySelectorAll(".chip.predicted")]
          .sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
          .map(chip => chip.textContent)"""
    )


def test_a_guess_comes_first_and_then_the_slider_moves_the_answer(open_page):
    page = open_page("drinks.html")
    slider = page.get_by_role("slider")
    expect(slider).to_be_hidden()
    page.get_by_role("button", name="Show me without a guess").click()
    expect(slider).to_have_attribute("aria-disabled", "false")
    before = tops(page)
    slider.focus()
    page.keyboard.press("End")
    page.wait_for_url("**#case=1&k=*")
    k = page.url.rpartition("=")[2]
    assert slider.get_attribute("aria-valuetext") == k
    page.keyboard.press("Home")
    page.wait_for_url("**#case=1&k=1")
    assert sorted(tops(page)) == sorted(before)


def test_a_link_opens_its_case_and_value_with_the_answer(open_page):
    page = open_page("songs.html#case=130&k=7")
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuetext", "7")
    expect(page.get_by_text("7 similar songs", exact=False).first).to_be_visible()
    link = page.get_by_role("link", name="Open in the app").get_attribute("href")
    assert link.startswith("https://lab.example/app?data=songs")
    assert "row=130" in link
    assert link.endswith("mlr_n_neighbors=7")


def test_another_case_is_another_question(open_page):
    page = open_page("songs.html")
    page.get_by_role("button", name="Another song").click()
    page.wait_for_url("**#case=130&k=*")
    expect(page.get_by_role("slider")).to_be_hidden()


def steps_of(key):
    lesson = next(lesson for lesson in LESSONS if lesson.key == key)
    return lesson.make_steps(rows.example_setting(lesson, lesson.examples[0]))


def test_a_lesson_asks_first_and_compares_the_guess_as_the_app_does(open_page):
    page = open_page("lesson-mlr.html#step=4")
    question = steps_of("mlr")[3].ask.of
    step = page.locator(".step.current")
    for picked in ([0], [2, 3], [*question.right], []):
        pressed = step.get_by_role("button", pressed=True)
        while pressed.count():
            pressed.first.click()
        for option in picked or [len(question.options)]:
            step.get_by_role("button").nth(option).click()
        assert step.locator(".words .after").is_hidden()
        page.get_by_role("button", name="Show me").click()
        expect(step.locator(".verdict")).to_have_text(question.verdict(picked))
        assert page.url.endswith("#step=4&answer")
        page.get_by_role("button", name="Back").click()


def test_a_lesson_compares_the_guess_of_its_beginning_at_its_end(open_page):
    page = open_page("lesson-knn.html")
    steps = steps_of("knn")
    order = [2, 1, 0]
    for label in order:
        page.locator(".step.current").get_by_role("button").nth(label).click()
    assert page.locator(".end").is_hidden()
    for _ in range(2 * len(steps)):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".recall")).to_have_text(
        f"Your guess at the start: {steps[0].ask.of.verdict(order)}"
    )
    expect(page.get_by_role("link", name="Next lesson: Consensus rules")).to_be_visible()
    assert page.url.endswith(f"#step={len(steps)}")


def test_a_guessed_number_is_compared_and_a_link_opens_its_step(open_page):
    page = open_page("lesson-mlr.html#step=2")
    question = steps_of("mlr")[1].ask.of
    slider = page.get_by_role("slider", name="Your guess")
    slider.focus()
    page.keyboard.press("Home")
    page.get_by_role("button", name="Show me").click()
    expect(page.locator(".step.current .verdict")).to_have_text(question.verdict(question.low))
    assert "lab.example/app/learn?lesson=Zero+line" in page.get_by_role(
        "link", name="Open in the app"
    ).get_attribute("href")


def test_people_move_the_judges_and_the_link_opens_the_same(open_page):
    page = open_page("playground.html")
    heading, n = page.locator(".answer h2"), len(CONSENSUS_RULES)
    expect(heading).to_have_text(
        f"{n - 1} of {n} rules put pizza first. Borda (mean rank) puts sushi first."
    )
    slider = page.get_by_role("slider").first
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(heading).to_have_text(f"All {n} rules put pizza first.")
    page.wait_for_url("**#example=1&people=4,1")
    again = open_page(f"playground.html#{page.url.partition('#')[2]}")
    expect(again.locator(".answer h2")).to_have_text(f"All {n} rules put pizza first.")
    link = again.get_by_role("link", name="Open in the app").get_attribute("href")
    assert link.endswith(
        "rankings_0=4%3A%20pizza%20%3E%20sushi%20%3E%20curry%20%3E%20salad"
        "%0A1%3A%20sushi%20%3E%20curry%20%3E%20salad%20%3E%20pizza"
    )


@pytest.fixture(scope="module")
def whole_site(tmp_path_factory):
    """The site with every sample, as the command writes it."""
    folder = tmp_path_factory.mktemp("whole")
    none = folder / "no-reference"
    command.main([str(folder), "--app=https://lab.example/app", f"--reference={none}"])
    return folder


def test_every_page_of_the_whole_site_is_small_whole_and_open_to_all(open_page, whole_site):
    files = sorted(path.name for path in whole_site.iterdir())
    assert {f"{sample.name}.html" for sample in list_samples()} <= set(files)
    assert len(files) == len(list_samples()) + len(LESSONS) + len(PAPERS) + 3
    wrong = []
    for file in files:
        n_packed = len(gzip.compress(whole_site.joinpath(file).read_bytes()))
        if n_packed > MOST_PACKED:
            wrong.append((file, n_packed))
        for width, scheme in [(NARROW, "dark"), (WIDE, "light")]:
            page = open_page(file, width, scheme, whole_site)
            n_script = page.evaluate(SCRIPT_BYTES)
            if page.locator(".explorable").count():
                page.locator(".explorable .board").first.wait_for()
            for summary in page.locator("summary:visible").all():
                summary.click()
            is_cut = page.evaluate("document.documentElement.scrollWidth > innerWidth")
            found = findings(page)[0]
            if n_script > MOST_SCRIPT or is_cut or found:
                wrong.append((file, width, n_script, is_cut, found))
            page.context.close()
    assert wrong == []


@pytest.mark.parametrize("file", ["index.html", "songs.html"])
def test_the_picture_is_there_with_the_first_paint(browser, folder, file):
    context = browser.new_context(viewport={"width": NARROW, "height": 844}, bypass_csp=True)
    page = context.new_page()
    page.goto(f"{folder.as_uri()}/{file}")
    page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length")
    assert page.evaluate(
        "!!document.querySelector('.explorable').shadowRoot.querySelector('.chip')"
    )
    context.close()


def test_on_paper_the_page_is_light_and_says_its_text(open_page):
    page = open_page("songs.html", scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    # Of a closed fold too.
    height = "document.querySelector('.as-text section').getBoundingClientRect().height"
    assert page.evaluate(height) > 50


# Stands for Pyodide, which cannot be had here: it gives the answers of the program that it is asked
# for, as Python gave them before.
RUNTIME = """
const answers = ANSWERS
export async function loadPyodide() {
  window.calls = []
  return {
    loadPackage: async (names) => window.calls.push(["packages", ...names]),
    unpackArchive: (buffer, format) => window.calls.push([format, buffer.byteLength]),
    runPythonAsync: async (program) => window.calls.push(["program", program.length > 1000]),
    toPy: (value) => value,
    globals: { get: (name) => name },
    runPython: () => (call, [name, content, ...more]) => {
      window.calls.push([call, name, content.length, ...more])
      return answers[name][call]
    },
  }
}
"""
STARS = b"age,Cola,Tea,Milk\n20,5,3,3\n31,2,4,1\n44,1,5,2\n52,4,1,1\n"
LABELS = ["Cola", "Tea", "Milk"]


@pytest.fixture(scope="module")
def site_with_python(tmp_path_factory):
    """Serve the page for a file of the reader; return its address."""
    folder = tmp_path_factory.mktemp("with-python")
    look, explain_row = local_data_program.look, local_data_program.explain_row
    stars = explain_row("stars.csv", STARS, LABELS, "ratings", 2, 3)
    answers = {
        "stars.csv": {"look": look("stars.csv", STARS), "explain_row": stars},
        "<i>.csv": {"look": json.dumps({"problem": "<i>no</i> table"})},
    }
    folder.joinpath("pyodide").mkdir()
    runtime = RUNTIME.replace("ANSWERS", json.dumps(answers))
    folder.joinpath("pyodide", "pyodide.mjs").write_text(runtime, encoding="utf-8")
    folder.joinpath("labelrank_core.zip").write_bytes(b"zip")
    folder.joinpath("your-data.html").write_text(local_data.page().html(), encoding="utf-8")
    handler = partial(http.server.SimpleHTTPRequestHandler, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/your-data.html"
        server.shutdown()


@pytest.mark.parametrize(("width", "scheme"), [(NARROW, "dark"), (WIDE, "light")])
def test_a_file_of_the_reader_is_explained_without_a_byte_sent(
    browser, site_with_python, width, scheme
):
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    requests, errors = [], []
    page.on("request", lambda asked: requests.append((asked.method, asked.url, asked.post_data)))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(site_with_python)
    # Python comes once a file was chosen.
    assert len(requests) == 1
    files = page.locator("input[type=file]")
    files.set_input_files({"name": "<i>.csv", "mimeType": "text/csv", "buffer": b"?"})
    expect(page.get_by_role("status")).to_have_text("<i>no</i> table")
    expect(page.get_by_role("button", name="Explain")).to_be_hidden()

    files.set_input_files({"name": "stars.csv", "mimeType": "text/csv", "buffer": STARS})
    expect(page.get_by_role("checkbox", name="Tea")).to_be_checked()
    expect(page.get_by_role("checkbox", name="age")).not_to_be_checked()
    expect(page.get_by_role("combobox")).to_have_value("ratings")
    page.get_by_role("spinbutton", name="Row").first.fill("2")
    page.get_by_role("button", name="Explain").click()
    expect(page.get_by_role("heading", name="Row 2 of 4")).to_be_visible()
    expect(page.get_by_text("In the file: Tea > Cola > Milk")).to_be_visible()
    expect(page.get_by_role("heading", name="Similar cases")).to_be_visible()
    calls = page.evaluate("window.calls")
    assert calls[0] == ["packages", "numpy", "scipy", "pandas", "scikit-learn"]
    assert calls[1:3] == [["zip", 3], ["program", True]]
    assert calls[-1] == ["explain_row", "stars.csv", len(STARS), LABELS, "ratings", 2, 5]
    root = site_with_python.rpartition("/")[0]
    assert {(method, url.removeprefix(root), sent) for method, url, sent in requests} == {
        ("GET", path, None)
        for path in ("/your-data.html", "/pyodide/pyodide.mjs", "/labelrank_core.zip")
    }
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    lines = findings(page)[0]
    assert lines == [], "\n".join(lines)
    assert errors == []
    context.close()
