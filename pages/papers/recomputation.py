"""A table recomputed on the samples, as a job with progress and Cancel."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import pandas as pd
import streamlit as st

from labelrank_core.experiments.database import StoreError
from labelrank_core.experiments.plan import expected_seconds
from labelrank_core.papers import ledger, recompute
from labelrank_core.papers.data_sets import LocatedDataset
from labelrank_core.papers.ledger import WITHIN
from labelrank_core.papers.reproduce import at_hand, plan
from labelrank_core.papers.table import Table
from pages.papers import printed
from pages.ui import compute, session
from pages.ui.choose import choices
from pages.ui.wording import text

# Methods that take longer together are left to the command.
_MOST_SECONDS = 180.0
_FACTS_SECONDS = 5.0
_ASKED = "_papers_again"
_OWN_RANKINGS = "We derived the sample's rankings as the paper says. Its authors derived their own."


@dataclass(frozen=True)
class Work:
    """A recomputation: one data set, the quicker methods, and the seconds expected."""

    data: str
    columns: tuple[str, ...]
    left_out: tuple[str, ...]
    seconds: float


def render_recomputation(table: Table) -> None:
    """Draw the button to recompute a table from the samples, and the result."""
    samples = _samples(table)
    if table.source != "none" and not samples:
        st.caption(
            "None of the samples is one of these data sets. The command above recomputes the table."
        )
        return
    name = next(iter(samples), "")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if len(samples) > 1:
            name = choices.choose(
                st.selectbox, "Sample", list(samples), key=f"again_{table.slug}", width=200
            )
        work = _work(table, name)
        if not work.columns and table.facts is None:
            st.caption("No method of this table is here yet.")
            return
        st.button(
            f"Recompute now ({text.duration(work.seconds)})",
            icon=":material/replay:",
            key=f"recompute_{table.slug}",
            on_click=session.set_state,
            args=(_ASKED, (table.slug, work)),
        )
    _render_notes(table, work)
    if session.get_state(_ASKED) == (table.slug, work):
        _render_ledger(table, work)


def _render_notes(table: Table, work: Work) -> None:
    if work.left_out:
        left_out = text.markdown(", ".join(work.left_out))
        st.caption(f"These methods take longer, so the command recomputes them: {left_out}.")
    if _has_own_rankings(table):
        st.caption(f"{_OWN_RANKINGS} So a number that holds on the paper's data may differ here.")


def _has_own_rankings(table: Table) -> bool:
    """Tell whether numbers depend on rankings of the samples; sizes do not."""
    return table.source == "rankings" and table.decimals > 0


def _samples(table: Table) -> Mapping[str, LocatedDataset]:
    if table.source == "none":
        return {}
    key = compute.digest("papers at hand", table.slug)
    return compute.once(key, "Looking for the data sets", at_hand, table, table.data_sets)


def _work(table: Table, name: str) -> Work:
    if table.facts is not None:
        return Work(name, (), (), _FACTS_SECONDS if name else 1.0)
    key = compute.digest("papers work", table.slug, name)
    return compute.once(key, "Estimating the time", _quicker, table, name)


def _quicker(table: Table, name: str) -> Work:
    """Take the quickest methods first, as many as take three minutes together."""
    seconds_by_column = {
        column.name: _seconds(table, name, column.name) for column in table.columns if column.exists
    }
    total = 0.0
    columns: list[str] = []
    for column in sorted(seconds_by_column, key=lambda column_name: seconds_by_column[column_name]):
        if not columns or total + seconds_by_column[column] <= _MOST_SECONDS:
            columns.append(column)
            total += seconds_by_column[column]
    return Work(
        name,
        tuple(column for column in seconds_by_column if column in columns),
        tuple(column for column in seconds_by_column if column not in columns),
        total,
    )


def _seconds(table: Table, name: str, column: str) -> float:
    parts = plan(table, sets=[name], columns=[column], repeats=1).parts
    data = {part.located.dataset.fingerprint: part.located.dataset for part in parts}
    return expected_seconds([unit for part in parts for unit in part.units()], data, 1)


def _render_ledger(table: Table, work: Work) -> None:
    sets = (work.data,) if work.data else ()
    try:
        recomputed: pd.DataFrame = compute.once(
            compute.digest("papers again", table.slug, work),
            f"{table.name}, recomputed",
            partial(recompute, repeats=1, sets=sets, columns=work.columns),
            table.paper,
            table.key,
            seconds=work.seconds,
            reports="on_progress",
        )
    except StoreError as error:
        st.error(text.markdown(text.error_message(error)), icon=":material/hard_drive:")
        return
    if recomputed.empty:
        st.warning("Every training failed, so there is nothing to compare.")
        return
    rows = ledger(table, recomputed)
    if _has_own_rankings(table):
        # The reasons that are known are of the paper's data.
        rows["reason"] = rows["reason"].where(rows["verdict"] == WITHIN, _OWN_RANKINGS)
    rows = rows[rows["data"].isin(set(recomputed["data"]))]
    st.subheader(
        f"Recomputed now: {text.lowered(printed.verdict(rows))}",
        anchor=False,
    )
    is_of_blocks = table.rows == "blocks"
    block_rows = rows if is_of_blocks else printed.choose_block_rows(table, rows, "again")
    printed.render_picture(table, block_rows, "again")
    printed.render_numbers(table, block_rows, rows, "again")
    printed.render_reasons(table, rows)
