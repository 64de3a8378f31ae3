"""The front page: one explorable that answers by itself, and a card for every other page."""

import html
from collections.abc import Sequence

from labelrank_core import list_samples
from pages.explorables import samples
from pages.explorables.document import Page

_SUMMARY = (
    "Label ranking predicts an order. Every picture here shows which known cases an answer comes "
    "from, and moves under your finger."
)


def page(
    sample_name: str,
    n_cases: int,
    groups: Sequence[tuple[str, str, str, Sequence[Page]]],
    app_address: str,
) -> Page:
    """Make the front page: a sample's explorable, then groups of a key, a title, a line, pages."""
    sample = next(sample for sample in list_samples() if sample.name == sample_name)
    component, texts = samples.component(sample, n_cases, app_address, is_open=True)
    sections = "".join(
        f'<section class="group" id="{key}"><h2>{html.escape(title)}</h2>'
        f'<p>{html.escape(line)}</p><div class="cards">'
        f"{''.join(page.card for page in pages)}</div></section>"
        for key, title, line, pages in groups
    )
    return Page(
        "index.html",
        "LabelRank Lab: which order, and why?",
        _SUMMARY,
        f'<p class="lead">{_SUMMARY}</p>{component}{texts}{sections}',
        scripts=samples.scripts(),
    )
