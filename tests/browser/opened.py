"""What is opened on a page, for a look at it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from playwright.sync_api import Page, expect

from tests.browser.axe import DROPZONE, PAIRED_LOOKS, NotOurs
from tests.browser.visitor import choices, open_expander, open_panel, open_settings


def open_dialog(name: str) -> Callable[[Page], None]:
    def click(page: Page) -> None:
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        panels = {"Browse the methods": "Method", "Choose from a table": "Case"}
        open_panel(page, panels.get(name, "Data"))
        choices(page).get_by_role("button", name=name).click()
        expect(page.get_by_role("dialog")).to_be_visible()

    return click


def open_list(name: str) -> Callable[[Page], None]:
    def click(page: Page) -> None:
        page.get_by_test_id("stMain").get_by_role("button", name=name).first.click()
        expect(page.get_by_test_id("stPopoverBody")).to_be_visible()

    return click


def propose(page: Page) -> None:
    page.get_by_role("tab", name="Bring your own").click()
    page.get_by_role("button", name="Open", exact=True).nth(1).click()
    expect(page.get_by_role("button", name="Use these data")).to_be_visible()


def look_at_data_in_use(page: Page) -> None:
    page.get_by_role("tab", name="In use now").click()
    expect(page.locator(".st-key-filters")).to_be_visible()


def open_code(page: Page) -> None:
    expect(open_expander(page, "Python code").get_by_test_id("stCode")).to_be_visible()


def compute_by_hand(page: Page) -> None:
    """Open all that explains a prediction in detail."""
    for key in ("fold_computed", "fold_difference_computed", "fold_smallest", "changing"):
        open_expander(page, "", f".st-key-{key}")


def open_errata(page: Page) -> None:
    open_expander(page, "What the paper defines")
    expect(page.get_by_text("Definition 1.")).to_be_visible()


def ask_the_look_alikes(page: Page) -> None:
    """Reveal the answer of the first page."""
    page.get_by_role("button", name="Show me without a guess").click()
    expect(page.get_by_role("heading", name="The most similar")).to_be_visible()
    expect(page.locator(".score")).to_be_visible()


@dataclass(frozen=True)
class Opened:
    """Something that is opened on a page which is looked at."""

    prepare: Callable[[Page], object]
    looks: tuple[tuple[int, str], ...] = PAIRED_LOOKS
    not_ours: frozenset[NotOurs] = frozenset()


# One after the other.
OPENED = {
    "/": (
        Opened(ask_the_look_alikes),
        Opened(partial(open_panel, name="Data")),
        Opened(partial(open_panel, name="Case")),
        Opened(open_settings),
        Opened(partial(open_panel, name="Share")),
        Opened(open_dialog("Browse the methods")),
        Opened(open_dialog("Browse the samples")),
    ),
    "/data": (
        Opened(propose, PAIRED_LOOKS, frozenset({DROPZONE})),
        Opened(look_at_data_in_use),
    ),
    "/predict?view=All+methods&data=songs": (
        Opened(compute_by_hand),
        Opened(open_list("Glossary")),
        Opened(open_dialog("Choose from a table")),
    ),
    "/predict?view=All+methods&method=Label-ranking+random+forest": (Opened(open_code),),
    "/papers?paper=LRRF&table_lrrf=Table+4": (Opened(open_errata),),
}
