"""The pages of the papers: printed numbers beside the recomputed ones, and errors in print."""

import html
from collections.abc import Sequence
from urllib.parse import urlencode

import pandas as pd

from labelrank_core.papers import PAPERS
from labelrank_core.papers.table import Paper, Table
from pages.explorables.document import Page, style_sheet
from pages.papers import grid, numbers, printed, story
from pages.ui.render import drawing


def pages(app_address: str) -> list[Page]:
    """Make the overview, then a page for each paper."""
    return [_overview(app_address), *(_page(paper, app_address) for paper in PAPERS.values())]


def _app_link(app_address: str, query: str = "") -> str:
    if not app_address:
        return ""
    address = html.escape(f"{app_address}/papers{query}")
    return f'<p class="in-app"><a href="{address}">Open in the app</a></p>'


def _file(paper: Paper) -> str:
    return f"paper-{paper.key}.html"


def _overview(app_address: str) -> Page:
    overview = story.Overview.of_papers()
    cards = "".join(
        f'<a class="card" href="{_file(paper)}"><b>{html.escape(paper.title)}</b>'
        f"<small>{html.escape(paper.citation)}</small></a>"
        for paper in PAPERS.values()
    )
    title = "Which numbers of the papers hold?"
    lead = f"We recomputed {overview.verdict}."
    body = (
        f"<h1>{title}</h1>"
        f'<p class="lead">{html.escape(lead)}</p>'
        f'<div class="sheet">{overview.figure}</div><section class="group">'
        f'<h2>Paper by paper</h2><div class="cards">{cards}</div>'
        f"</section>{_app_link(app_address)}"
    )
    description = f"We recomputed {overview.verdict}."
    return Page(
        "papers.html",
        "Which numbers of the papers hold?",
        description,
        body,
        style_sheet("papers.css"),
    )


def _page(paper: Paper, app_address: str) -> Page:
    definitions = "".join(
        f"<li><b>{html.escape(name)}</b>: {html.escape(definition)}</li>"
        for name, definition in paper.defines
    )
    errata = "".join(
        f"<li><b>{html.escape(erratum.where)}.</b> {html.escape(erratum.instead)} "
        f'<span class="quiet">How we know: {html.escape(erratum.evidence)}</span></li>'
        for erratum in paper.errata
    )
    wrong = f"<section><h2>Misprints</h2><ul>{errata}</ul></section>" if errata else ""
    body = (
        f"<h1>{html.escape(paper.title)}</h1>"
        f'<p class="quiet">{html.escape(f"{paper.authors}, {paper.where} {paper.year}")}</p>'
        f'<p class="lead">{html.escape(" ".join(paper.sentences))}</p>'
        + (f"<h2>It defines</h2><ul>{definitions}</ul>" if definitions else "")
        + "".join(_table(table) for table in paper.tables)
        + wrong
        + '<p><a href="papers.html">All papers</a></p>'
        + _app_link(app_address, f"?{urlencode({story.PAPER_PARAMETER: paper.citation})}")
    )
    sentences = " ".join(paper.sentences[:1])
    return Page(_file(paper), paper.title, sentences, body, style_sheet("papers.css"))


def _table(table: Table) -> str:
    """Write a table of print: its verdict, its numbers, and the reasons for differences."""
    rows = numbers.of_table(table)
    blocks: list[tuple[str, pd.DataFrame]] = [("", rows)]
    if table.rows != "blocks" and len(table.blocks) > 1:
        blocks = [(block.name, rows[rows["block"] == block.name]) for block in table.blocks]
    parts = []
    for name, block_rows in blocks:
        with drawing.on_paper() as drawn:
            grid.render_grid(table, block_rows)
        heading = f"<h3>{html.escape(name)}</h3>" if name else ""
        parts.append(f"{heading}{''.join(drawn)}")
    return (
        f'<section class="sheet"><h2>{html.escape(printed.heading(table, rows))}</h2>'
        f"<p>{html.escape(f'{table.title}.')} {html.escape(table.remark)}</p>"
        f"{''.join(parts)}{_reasons(table, rows)}</section>"
    )


def _reasons(table: Table, rows: pd.DataFrame) -> str:
    reasons: Sequence[tuple[str, str]] = printed.reasons(table, rows)
    if not reasons:
        return ""
    listed = "".join(
        f'<li>{html.escape(reason)} <span class="quiet">{html.escape(numbers_text)}</span></li>'
        for reason, numbers_text in reasons
    )
    return f"<details><summary>Why some differ</summary><ul>{listed}</ul></details>"
