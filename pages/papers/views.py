"""The views of a printed table, one tab each: picture, numbers, reasons, errors in print."""

from collections.abc import Callable
from functools import partial

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from labelrank_core.papers.curves import Curves
from labelrank_core.papers.table import Paper, Table
from pages.papers import curves, numbers, printed, rivals
from pages.ui.render import widgets


def choose_numbers(paper: Paper) -> tuple[Table | Curves, pd.DataFrame]:
    """Draw the choice of a table and, in the same line, of its section; return both.

    A figure without printed numbers has no rows.
    """
    with st.container(horizontal=True, gap="large", vertical_alignment="top", key="papers_numbers"):
        table = printed.choose_table(paper)
        if isinstance(table, Curves):
            return table, pd.DataFrame()
        rows = numbers.of_table(table)
        if table.rows == "blocks":
            return table, rows
        return table, printed.choose_block_rows(table, rows, "printed")


def render_views(
    paper: Paper, table: Table | Curves, block_rows: pd.DataFrame
) -> DeltaGenerator | None:
    """Draw the verdict on a table and its views; return the tab to recompute it in, if drawn.

    A figure without printed numbers is not recomputed here.
    """
    views: dict[str, Callable[[], None]] = {}
    if isinstance(table, Curves):
        views["Picture"] = partial(curves.render_curves, table)
    else:
        rows = numbers.of_table(table)
        printed.render_verdict(table, rows)
        views |= _views_of_numbers(paper, table, block_rows, rows)
        views["How we recompute"] = partial(printed.render_notes, paper, table, rows)
    tabs = widgets.tabs([*views], f"views_{table.slug}")
    for (tab, is_drawn), render in zip(tabs, views.values(), strict=True):
        if is_drawn:
            with tab:
                render()
    last_tab, is_last_drawn = tabs[-1]
    return last_tab if is_last_drawn and not isinstance(table, Curves) else None


def _views_of_numbers(
    paper: Paper, table: Table, block_rows: pd.DataFrame, rows: pd.DataFrame
) -> dict[str, Callable[[], None]]:
    """Return the views of a table's numbers by their titles."""
    views: dict[str, Callable[[], None]] = {}
    if rows["ours"].notna().any():
        views["Picture"] = partial(printed.render_picture, table, block_rows, "printed")
    views["Numbers"] = partial(printed.render_numbers, table, block_rows, rows, "printed")
    n_differing = len(printed.differing_rows(rows))
    if n_differing:
        views[f"Why {n_differing} differ"] = partial(printed.render_reasons, table, rows)
    if rivals.has_rivals(table, block_rows):
        views["Single methods"] = partial(rivals.render_rivals, table, block_rows)
    if paper.promises is not None:
        views["Guarantee"] = partial(rivals.render_promises, paper.promises)
    return views
