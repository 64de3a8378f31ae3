"""Handouts: two pages on paper with all that is on them, whatever the lesson."""

import html
import re

import numpy as np
import pytest
from playwright.sync_api import expect

from labelrank_core import Task, load_sample
from labelrank_core.methods import ModelChoice
from pages.learn import handout, rows
from pages.learn.exercises import sheet
from pages.learn.lessons import LESSONS
from tests.browser.visitor import open_page

LINK = "http://localhost/learn?lesson=a&step=%3Cb%3E"
# What of a page, and of the columns of its steps, is beyond their ends.
BEYOND = """() => [...document.querySelectorAll('.page, .steps')].map(
  part => Math.max(part.scrollHeight - part.clientHeight, part.scrollWidth - part.clientWidth))"""


def written(n_rows, n_labels, task):
    """Rows of a lesson at random."""
    rng = np.random.default_rng(0)
    lines = ["temperature,sunshine,wind,target"]
    for _ in range(n_rows):
        order = [f"label {label}" for label in rng.permutation(n_labels)]
        targets = (
            ">".join(order) if task is Task.LABEL_RANKING else ";".join(order[: n_labels // 2])
        )
        lines.append(",".join(map(str, rng.integers(0, 40, 3))) + "," + targets)
    return "\n".join([*lines, ""])


def settings(lesson):
    """A lesson on its own rows, and on a sample that it can be about."""
    for example in lesson.examples:
        choice = ModelChoice(lesson.method, (), scaled=False).with_params(**example.params)
        yield rows.taught(rows.read_rows(example.rows, lesson), choice, np.array(example.case))
    # As many rows and labels as are printed large, or else with many neighbours as small as can be.
    if lesson.name in ("Neighbours", "Zero line"):
        for n_rows, n_labels, k in ((10, 5, 9), (60, 14, 30)):
            data = rows.read_rows(written(n_rows, n_labels, lesson.task), lesson)
            choice = ModelChoice(lesson.method, (), scaled=False).with_params(n_neighbors=k)
            yield rows.taught(data, choice, data.X[1] + 1)
    # Fourteen labels are the most that samples have; other lessons need more time for them.
    for name in ("yeast" if lesson.name == "Zero line" else "songs", "glass"):
        data = load_sample(name)
        if rows.learns(lesson, data):
            yield rows.taught(data, ModelChoice(lesson.method, (), scaled=True), data.X[3])
            return


@pytest.fixture(scope="module")
def paper(browser):
    """A page as it is laid out on paper, without scripts and without a network."""
    context = browser.new_context(
        offline=True, java_script_enabled=False, viewport={"width": 710, "height": 1040}
    )
    page = context.new_page()
    page.emulate_media(media="print")
    yield page
    context.close()


@pytest.mark.parametrize("lesson", LESSONS, ids=[lesson.name for lesson in LESSONS])
def test_every_handout_is_printed_on_two_pages_and_nothing_is_cut_off(lesson, paper, tmp_path):
    path = tmp_path / "handout.html"
    for setting in settings(lesson):
        steps = lesson.tell(setting)
        drawn = handout.web_page(lesson, setting, steps, sheet(lesson.name, 5), LINK)
        path.write_text(drawn, encoding="utf-8")
        assert path.stat().st_size < 300_000
        paper.goto(path.as_uri())
        assert max(paper.evaluate(BEYOND)) <= 6
        said = [each.inner_text() for each in paper.get_by_role("heading", level=2).all()]
        assert said == [step.title for step in steps]
        for step in steps:
            words = step.ask.reason if step.ask else step.words
            assert words.plain(setting.names) in " ".join(paper.inner_text("body").split())
    # A page that is not overfull is one on paper, whatever is on it: the last is printed.
    pages = paper.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", pages)) == 2


def test_the_key_is_on_a_sheet_of_its_own(paper, tmp_path):
    lesson, path, found = LESSONS[0], tmp_path / "handout.html", sheet(LESSONS[0].name, 5)
    setting = next(settings(lesson))
    for with_key in (False, True):
        drawn = handout.web_page(
            lesson, setting, lesson.tell(setting), found, LINK, with_key=with_key
        )
        path.write_text(drawn, encoding="utf-8")
        paper.goto(path.as_uri())
        pages = paper.pdf(prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b", pages)) == 2 + with_key
        said = " ".join(paper.inner_text("body").split())
        assert [each.reason in said for each in found.exercises] == [with_key] * 3
    assert max(paper.evaluate(BEYOND)) <= 6


def test_a_handout_is_of_the_lesson_as_it_is_set(page, visit, app_server, tmp_path):
    open_page(page, "/learn?lesson=Zero+line&n_virtual_labels_mlr=3&exercises=true&exercise_seed=7")
    with page.expect_download() as download:
        page.get_by_role("button", name="Handout (2 pages)").click()
    path = tmp_path / "handout.html"
    download.value.save_as(path)
    written = path.read_text(encoding="utf-8")
    assert all(html.escape(each.question) in written for each in sheet("Zero line", 7).exercises)
    link = html.unescape(re.search('<a href="([^"]+)"', written)[1])
    other = visit(app_server)
    other.goto(link)
    expect(other.get_by_role("spinbutton", name="Exercise sheet")).to_have_value("7")
    assert "n_virtual_labels_mlr=3" in link
