"""axe finds nothing in what is opened on a page, narrow and wide, light and dark.

`test_looks.py` looks at the pages as they open.
"""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import (
    ALL_LOOKS,
    DROPZONE,
    FAINT,
    NARROW,
    PAIRED_LOOKS,
    NotOurs,
    expect_no_faint_words,
    expect_nothing_found,
    findings,
)
from tests.browser.driver import settled
from tests.browser.visitor import choices, heading, open_expander, open_page


@dataclass(frozen=True)
class Scene:
    """A page, with something opened on it, and then something else."""

    address: str
    prepare: tuple[Callable[[Page], object], ...]
    not_ours: frozenset[NotOurs] = frozenset()
    looks: tuple[tuple[int, str], ...] = PAIRED_LOOKS


def open_sidebar(page: Page) -> None:
    page.get_by_test_id("stExpandSidebarButton").click()
    open_expander(page, "More settings")


def open_dialog(name: str) -> Callable[[Page], None]:
    def click(page: Page) -> None:
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        # A window that becomes narrow hides it.
        if page.get_by_test_id("stExpandSidebarButton").is_visible():
            page.get_by_test_id("stExpandSidebarButton").click()
        choices(page).get_by_role("button", name=name).click()
        expect(page.get_by_role("dialog")).to_be_visible()

    return click


def open_list(name: str) -> Callable[[Page], None]:
    def click(page: Page) -> None:
        page.get_by_test_id("stMain").get_by_role("button", name=name).first.click()
        expect(page.get_by_test_id("stPopoverBody")).to_be_visible()

    return click


def propose(page: Page) -> None:
    page.get_by_role("button", name="Example: Positions").click()
    page.get_by_role("button", name="Try this example").click()
    expect(page.get_by_role("button", name="Use these data")).to_be_visible()


def look_at_data_in_use(page: Page) -> None:
    page.get_by_role("tab", name="In use now").click()
    expect(page.get_by_role("heading", name="The rows")).to_be_visible()


def open_code(page: Page) -> None:
    expect(open_expander(page, "Python code").get_by_test_id("stCode")).to_be_visible()


def open_errata(page: Page) -> None:
    expect(open_expander(page, "What is wrong").get_by_text("Definition 1.")).to_be_visible()


def point_at(name: str) -> Callable[[Page], None]:
    return lambda page: page.get_by_role("button", name=name).hover()


def stop_race(page: Page) -> None:
    page.get_by_role("button", name="Find the best method").click()
    expect(page.get_by_text("not clearly different").first).to_be_visible()
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_role("button", name="Continue the race")).to_be_visible()


SCENES = {
    "start, table": Scene("/?data=songs", (open_list("Table"),)),
    "sidebar, methods and samples": Scene(
        "/",
        (open_sidebar, open_dialog("Browse the methods"), open_dialog("Browse the samples")),
    ),
    "data, proposal": Scene("/data", (propose,), frozenset({DROPZONE}), ALL_LOOKS),
    "data, in use": Scene("/data", (look_at_data_in_use,)),
    "predict, trees and code": Scene("/predict?method=Label-ranking+random+forest", (open_code,)),
    "predict, all methods": Scene("/predict?view=All+methods&data=drinks", (settled,)),
    "evaluate, button": Scene(
        "/evaluate", (point_at("Find the best method"),), looks=((NARROW, "dark"),)
    ),
    "evaluate, race": Scene("/evaluate?data=songs", (stop_race,)),
    "papers, errata": Scene("/papers?paper=LRRF", (open_errata,)),
    "predict, glossary": Scene("/predict?view=How+sure&data=songs", (open_list("Glossary"),)),
}


@pytest.mark.parametrize("name", list(SCENES))
def test_axe_finds_nothing_in_what_is_opened(page, name):
    scene = SCENES[name]
    page.set_viewport_size({"width": NARROW, "height": 900})
    page.emulate_media(color_scheme="dark")
    expect(heading(open_page(page, scene.address))).to_be_visible()
    looks = scene.looks
    for prepare in scene.prepare:
        prepare(page)
        settled(page)
        expect_nothing_found(page, looks, scene.not_ours)
        looks = looks[::-1]


def test_what_is_wrong_on_a_page_is_noticed(page):
    open_page(page, "/sensitivity")
    heading(page).evaluate(
        "title => title.insertAdjacentHTML('afterend',"
        " '<h5>Title</h5><p style=\"color: #999\">faint words</p><p><img src=data:,></p>')"
    )
    lines, _ = findings(page)
    for start in ("heading-order", "color-contrast (serious)", "image-alt"):
        assert any(line.startswith(start) for line in lines), lines
    expect_no_faint_words(page)
    page.locator(".xtick text").first.evaluate(
        "text => text.style.setProperty('fill', '#999', 'important')"
    )
    assert page.evaluate(FAINT) == ["1: 2.85"]
