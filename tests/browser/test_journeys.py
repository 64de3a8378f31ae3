"""Three journeys, from the first look to what a visitor came for.

A newcomer understands one prediction and finds the way to own data; a specialist takes one
prediction with its reasons to somebody who never saw the app; a researcher compares methods on
files, comes back later, and follows a bad case down.

With LABELRANK_SCREENSHOTS set, pictures of what they see go to test-results/.
"""

import os
import re
import time

from playwright.sync_api import expect

from labelrank_core import load_sample
from labelrank_core.experiments.store import GOING, Store
from labelrank_core.methods import ALGORITHMS
from tests import core_says
from tests.app.test_formats import LABELS, MULAN, XARFF
from tests.browser.driver import PATIENCE, RESULTS, WINDOW, settled
from tests.browser.test_formats import ready, upload
from tests.browser.visitor import (
    chart,
    choose,
    download,
    expect_predict,
    go_to,
    heading,
    look_at_worst_case,
    open_chapter,
    open_expander,
    open_page,
    open_panel,
    press,
    status,
    summary,
    use_these_data,
)

ELECTION = load_sample("election")
OPENS = core_says.first_row("election")


def pictures(page, name):
    """Keep what is seen, on a desk and on a phone, light and dark, where pictures are wanted."""
    if not os.environ.get("LABELRANK_SCREENSHOTS"):
        return
    for width in (WINDOW["width"], 390):
        page.set_viewport_size({"width": width, "height": 900})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.wait_for_timeout(300)
            page.screenshot(path=RESULTS / f"{name}-{width}-{scheme}.png", full_page=True)
    page.set_viewport_size(WINDOW)
    page.emulate_media(color_scheme="light")


def order(row, **settings):
    """Names of the labels in the predicted order."""
    found = core_says.explanation(ELECTION, row, **settings)
    return [ELECTION.label_names[label] for label in found.order]


def test_a_newcomer_understands_one_prediction_and_finds_the_way_to_own_data(page):
    open_page(page, "/")
    expect(heading(page)).to_have_text("How did Hamburg rank the parties?")
    page.get_by_role("button", name="Show me without a guess").click()
    expect(page.locator(".subtitle")).to_contain_text(
        "5 similar districts put 10 of 10 pairs of parties in the right order."
    )
    expect(page.locator(".score-number")).to_have_text("10")
    pictures(page, "newcomer")
    # Fewer similar districts, until the order changes: the page says which party moves.
    k = next(k for k in range(4, 0, -1) if order(OPENS, n_neighbors=k) != order(OPENS))
    press(page, "Similar districts (k)", *["ArrowLeft"] * (5 - k))
    expect(page.locator(".knob-note")).to_contain_text("moves ahead of")
    page.get_by_role("link", name="Bring your own data").click()
    expect(heading(page)).to_have_text("Data")
    expect(page.get_by_test_id("stFileUploaderDropzone")).to_be_in_viewport()


CHAPTERS = (
    *("Who was asked?", "What made the difference?", "What if?", "Can I rely on it?"),
    "Would others say the same?",
)


def test_a_specialist_takes_one_prediction_to_somebody_who_never_saw_the_app(
    page, browser, tmp_path
):
    open_page(page, "/")
    page.get_by_role("link", name="Look closer").click()
    expect_predict(page)
    said = core_says.sentence(ELECTION, OPENS)
    expect(summary(page)).to_have_text(said)
    for title in CHAPTERS:
        expect(open_chapter(page, title)).to_be_in_viewport()
        expect(summary(page)).to_be_in_viewport()
    taken_along = open_panel(page, "Share").get_by_role("button", name="Report (web page)")
    # Until the page is drawn to its end, what the other view showed is still there.
    expect(taken_along).to_have_count(1)
    report = tmp_path / "report.html"
    download(page, taken_along).save_as(report)
    alone = browser.new_context(offline=True, viewport=WINDOW).new_page()
    alone.goto(report.as_uri())
    expect(alone.get_by_text(said)).to_be_visible()
    sections = ["What is predicted", "Who was asked?", "What made the difference?", "What if?"]
    for title in [*sections, "Can I rely on it?", "Glossary"]:
        expect(alone.get_by_role("heading", name=title, exact=True)).to_be_visible()
    pictures(alone, "specialist")
    alone.context.close()


def test_a_researcher_compares_methods_on_files_and_follows_a_bad_case_down(
    page, visit, app_server
):
    open_page(page, "/data")
    upload(page, birds_arff=MULAN.encode(), birds_xml=LABELS.encode())
    expect(ready(page)).to_contain_text("birds is multi-label data")
    use_these_data(page)
    expect(status(page)).to_contain_text("birds · multi-label ranking")
    page.get_by_role("tab", name="Bring your own").click()
    upload(page, trees_xarff=XARFF.encode())
    expect(ready(page)).to_contain_text("trees is a label ranking")
    use_these_data(page)
    expect(status(page)).to_contain_text("trees · label ranking")
    go_to(page, "Experiments")
    for name in ("Drinks by weather", "birds (mine)"):
        page.get_by_role("combobox", name="Data sets").fill(name)
        page.get_by_role("option", name=name, exact=True).click()
    page.keyboard.press("Escape")
    few = [ALGORITHMS[key].title for key in ("knn", "ib_pl", "mlknn")]
    page.get_by_role("radio", name="My choice").click()
    methods = page.get_by_test_id("stMultiSelect").filter(has_text="My methods")
    methods.get_by_role("button", name="Clear all").click()
    expect(page.get_by_text("Choose at least one method.")).to_be_visible()
    for name in few:
        # A run that ends meanwhile would close the list of options.
        settled(page).get_by_role("combobox", name="My methods").fill(name)
        page.get_by_role("option", name=name, exact=True).click()
    page.keyboard.press("Escape")
    expect(methods.get_by_role("button", name="Remove")).to_have_count(len(few))
    open_expander(page, "How it is tested")
    page.get_by_role("spinbutton", name="Folds").fill("2")
    page.keyboard.press("Enter")
    page.get_by_role("combobox", name="Labels missing").fill("60")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Start", exact=True).first.click()
    expect(page).to_have_url(re.compile(r"run=\w{32}"))
    link = page.url
    page.goto("about:blank")
    # Nobody looks meanwhile.
    store, run = Store(app_server.home), link.partition("run=")[2][:32]
    end = time.monotonic() + PATIENCE / 1000
    while store.status(run).state in GOING and time.monotonic() < end:
        time.sleep(0.2)

    later = visit(app_server)
    open_page(later, link)
    expect(later.get_by_test_id("stProgress")).to_contain_text("Finished")
    expect(chart(settled(later), "best first")).to_have_count(1)
    later.get_by_role("tab", name="Tests").click()
    # Beside the verdict, and with the choice of the test.
    expect(chart(later, "average ranks with the critical difference")).to_have_count(2)
    choose(later, "Data set", "Drinks by weather")
    later.get_by_role("button", name="Export").click()
    button = later.get_by_role("button", name="Table (LaTeX)")
    table = download(later, button).path().read_text(encoding="utf-8")
    assert table.startswith(r"\begin{tabular}")
    assert "trees" in table
    assert "Drinks by weather" in table
    # A case that a method gets wrong, in data that are at hand.
    look_at_worst_case(later)
    expect(status(later)).to_contain_text("drinks · ")
    expect(later.locator(".lr-verdict")).to_contain_text("✗")
    pictures(later, "researcher")
