"""Every drawing × awkward data: rows and columns are aligned, nothing overlaps or is cut."""

import html
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from labelrank_core.explain import markup
from labelrank_core.explain.markup import Span

FIND_FAULTS = Path(__file__).with_name("geometry.js").read_text(encoding="utf-8")
WIDTHS = (390, 1280)
CARD = ".card {margin: 8px; padding: 8px; max-width: 40rem; border: 1px solid}"


@pytest.fixture(scope="module")
def canvas(browser: Browser) -> Iterator[Page]:
    """A page without the app."""
    page = browser.new_page()
    yield page
    page.close()


def draw_intervals(n_labels: int, letters: int) -> str:
    names = [f"{label:d}" if letters == 1 else f"{label} " + "w" * letters for label in range(9)]
    spans = [
        Span(label, label + 1, max(1, label), min(n_labels, label + 1 + label % 3), label + 1.0)
        for label in range(n_labels)
    ]
    return markup.intervals(spans, names, n_labels)


DRAWINGS = {
    f"intervals, {n_labels} labels, {letters} letters": draw_intervals(n_labels, letters)
    for n_labels in (1, 2, 5)
    for letters in (1, 80)
}


def write_page(drawings: Mapping[str, str], style: str = "") -> str:
    cards = "".join(
        f'<section class="card" data-name="{html.escape(name)}">{drawing}</section>'
        for name, drawing in drawings.items()
    )
    return f"<!doctype html>{markup.STYLE}<style>{CARD}{style}</style><main>{cards}</main>"


@pytest.mark.parametrize("width", WIDTHS)
def test_the_rows_and_columns_of_every_drawing_are_aligned(canvas, width):
    canvas.set_viewport_size({"width": width, "height": 900})
    canvas.set_content(write_page(DRAWINGS))
    assert canvas.evaluate(FIND_FAULTS) == []


# What went wrong once: a rule of another drawing's "ends" held for the last column of intervals.
BROKEN = {
    "do not stand on one line": ".lr-spans .extent {grid-column: 3; display: flex}",
    "column 2 is not aligned": ".lr-spans li:nth-child(3) .lr-chip {margin-left: 1rem}",
    "a bar has 20 px": ".lr-spans .track {width: 20px}",
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_drawing_that_is_not_aligned_is_found(canvas, fault):
    canvas.set_viewport_size({"width": 1280, "height": 900})
    canvas.set_content(write_page(DRAWINGS, BROKEN[fault]))
    assert any(fault in found for found in canvas.evaluate(FIND_FAULTS))
