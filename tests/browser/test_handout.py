"""Handouts: questions for pupils and a key for teachers, each on two pages, of every lesson."""

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
from tests.browser.visitor import download, open_page

LINK = "http://localhost/learn?lesson=a&step=%3Cb%3E"
# What of a page, and of the columns of its steps, is beyond their ends.
BEYOND = """() => [...document.querySelectorAll('.page, .steps')].map(
  part => Math.max(part.scrollHeight - part.clientHeight, part.scrollWidth - part.clientWidth))"""
# Words beside dots on which a dot or other words lie.
COVERED = """() => [...document.querySelectorAll('.lr-plot')].flatMap(plot => {
  const box = part => part.getBoundingClientRect()
  const meet = (a, b) => a.left + 1 < b.right && b.left + 1 < a.right
    && a.top + 1 < b.bottom && b.top + 1 < a.bottom
  const words = [...plot.querySelectorAll('.number')]
  const dots = [...plot.querySelectorAll('i.near, i.own')]
  return words.filter(own => [...dots, ...words].some(
    other => other !== own && meet(box(own), box(other)))).map(own => own.textContent)
})"""


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
        yield rows.make_setting(
            rows.read_rows(example.rows, lesson), choice, np.array(example.case)
        )
    # As many rows and labels as are printed large, or else with many neighbours as small as can be.
    if lesson.name in ("Neighbours", "Zero line"):
        for n_rows, n_labels, k in ((10, 5, 9), (60, 14, 30)):
            data = rows.read_rows(written(n_rows, n_labels, lesson.task), lesson)
            choice = ModelChoice(lesson.method, (), scaled=False).with_params(n_neighbors=k)
            yield rows.make_setting(data, choice, data.X[1] + 1)
    # Fourteen labels are the most that samples have; other lessons need more time for them.
    for name in ("yeast" if lesson.name == "Zero line" else "songs", "glass"):
        data = load_sample(name)
        if rows.learns(lesson, data):
            yield rows.make_setting(data, ModelChoice(lesson.method, (), scaled=True), data.X[3])
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


def opened(paper, path, document):
    """Open a document, and return what it says in one line."""
    path.write_text(document, encoding="utf-8")
    assert path.stat().st_size < 300_000
    paper.goto(path.as_uri())
    assert max(paper.evaluate(BEYOND)) <= 6
    return " ".join(paper.inner_text("body").split())


def n_pages(paper):
    # A page that is not overfull is one on paper, whatever is on it: the last is printed.
    return len(re.findall(rb"/Type\s*/Page\b", paper.pdf(prefer_css_page_size=True)))


@pytest.mark.parametrize("lesson", LESSONS, ids=[lesson.name for lesson in LESSONS])
def test_handout_and_key_are_two_pages_each_and_only_the_key_answers(lesson, paper, tmp_path):
    path, exercises = tmp_path / "handout.html", sheet(lesson.name, 5)
    for place, setting in enumerate(settings(lesson)):
        steps = lesson.make_steps(setting)
        asks = [step.ask for step in steps if step.ask is not None]
        said = opened(paper, path, handout.web_page(lesson, setting, steps, exercises, LINK))
        questions = [
            ask for ask in asks if ask.question.plain(setting.names, setting.nouns) in said
        ]
        assert len(questions) >= 2
        for ask in asks:
            assert ask.reason.plain(setting.names, setting.nouns) not in said
        for exercise in exercises.exercises:
            assert exercise.question in said
            assert exercise.reason not in said
        assert not re.search(r"\b(tap|click|drag)\b", said, re.IGNORECASE)
        if place == 0:
            assert paper.evaluate(COVERED) == []
        for step in steps:
            answer = step.ask.picture.markup if step.ask in questions and step.ask.picture else ""
            if answer and answer != step.picture.markup:
                assert answer not in path.read_text(encoding="utf-8")
        titles = [each.inner_text() for each in paper.get_by_role("heading", level=2).all()]

        said = opened(paper, path, handout.key_page(lesson, setting, steps, exercises, LINK))
        key_titles = [each.inner_text() for each in paper.get_by_role("heading", level=2).all()]
        assert len(key_titles) == len(steps)
        assert [title for title in key_titles if title in titles] == titles
        for step in steps:
            words = step.ask.reason if step.ask else step.text
            assert words.plain(setting.names, setting.nouns) in said
        for exercise in exercises.exercises:
            assert exercise.reason in said
        if place == 0:
            assert paper.evaluate(COVERED) == []
        assert n_pages(paper) == 2


def test_the_pupils_handout_is_two_pages(paper, tmp_path):
    lesson = LESSONS[0]
    setting = next(settings(lesson))
    steps, exercises = lesson.make_steps(setting), sheet(lesson.name, 5)
    opened(paper, tmp_path / "a.html", handout.web_page(lesson, setting, steps, exercises, LINK))
    assert n_pages(paper) == 2


def test_only_the_teachers_link_leads_to_the_key_and_no_copied_link_is_one(page):
    open_page(page, "/learn?lesson=Zero+line&exercises=true")
    expect(page.get_by_role("button", name="Handout (2 pages)")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile(r"\bkey\b", re.IGNORECASE))).to_have_count(0)
    open_page(page, "/learn?lesson=Zero+line&exercises=true&teacher=1")
    expect(page.get_by_role("button", name="Key for the teacher")).to_be_visible()
    key = download(page, page.get_by_role("button", name="Teacher's key"))
    assert sheet("Zero line", 1).exercises[0].reason in html.unescape(text_of(key))
    handout = download(page, page.get_by_role("button", name="Handout (2 pages)"))
    assert "teacher" not in text_of(handout)


def text_of(download):
    return download.path().read_text(encoding="utf-8")


def test_a_handout_is_of_the_lesson_as_it_is_set(page, visit, app_server, tmp_path):
    open_page(page, "/learn?lesson=Zero+line&n_virtual_labels_mlr=3&exercises=true&exercise_seed=7")
    path = tmp_path / "handout.html"
    download(page, page.get_by_role("button", name="Handout (2 pages)")).save_as(path)
    written = path.read_text(encoding="utf-8")
    assert all(html.escape(each.question) in written for each in sheet("Zero line", 7).exercises)
    link = html.unescape(re.search('<a href="([^"]+)"', written)[1])
    other = visit(app_server)
    other.goto(link)
    expect(other.get_by_role("spinbutton", name="Exercise sheet")).to_have_value("7")
    assert "n_virtual_labels_mlr=3" in link
