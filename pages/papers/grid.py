"""Printed and recomputed numbers as a table, as they stand in print."""

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

import pandas as pd

from labelrank_core.explain.render import markup
from labelrank_core.papers.ledger import ABOVE, BELOW, DIFFERS, WITHIN, means
from labelrank_core.papers.table import Table
from pages.ui.render import drawing

_SAYS = {
    WITHIN: "within the tolerance",
    ABOVE: "better than the print",
    BELOW: "worse than the print",
    DIFFERS: "differs from the print",
}


def render_grid(table: Table, rows: pd.DataFrame) -> None:
    """Draw the numbers as they stand in print, without lines of which none is recomputed.

    Where nothing at all is recomputed, the print stands alone.
    """
    bare = rows["ours"].isna().all()
    across, down = ("data", "column") if table.rows == "columns" else ("column", "data")
    down = "block" if table.rows == "blocks" else down
    heads, lines = _titles(table, rows, across), _titles(table, rows, down)
    cells = {
        (title(table, row, down), title(table, row, across)): _markup_cell(table, row)
        for row in rows.to_dict("records")
    }
    table_lines = [
        (line, [cells.get((line, head)) for head in heads])
        for line in lines
        if bare or any(_is_there(cells.get((line, head))) for head in heads)
    ]
    if table.rows == "data" and table.facts is None and len(table_lines) > 1 and not bare:
        table_lines.append(_mean(table, rows, heads))
    filled = [
        j for j in range(len(heads)) if bare or any(_is_there(line[j]) for _, line in table_lines)
    ]
    drawing.render_markup(
        markup.numbers_table(
            f"{_name(table, rows)}: recomputed and printed numbers",
            [heads[j] for j in filled],
            [(line, [line_cells[j] for j in filled]) for line, line_cells in table_lines],
        )
    )
    if not bare:
        drawing.render_caption(
            _legend(table, rows, [line_cells[j] for _, line_cells in table_lines for j in filled])
        )


def _name(table: Table, rows: pd.DataFrame) -> str:
    """Name a table, or the one of its blocks that is drawn."""
    blocks = rows["block"].unique()
    is_part = len(table.blocks) > 1 and len(blocks) == 1
    return f"{table.name}, {blocks[0]}" if is_part else table.name


def _legend(table: Table, rows: pd.DataFrame, cells: Sequence[markup.LedgerNumber | None]) -> str:
    """Return the legend: the marks, the tolerance and the empty cells."""
    near = rows.loc[rows["ours"].notna(), "tolerance"]
    low, high = near.min(), near.max()
    reach = f"within ±{low:g}" if low == high else f"within ±{low:g} to {high:g}"
    if any(block.tolerance is None for block in table.blocks):
        reach = f"within the deviation printed beside each number, {reach.removeprefix('within ')}"
    if not high:
        reach = "the same number"
    unrounded = ", compared before rounding" if high else ""
    differing_marks = "≠ differs from" if table.facts is not None else "▲ better, ▼ worse than"
    legend = (
        f"✓ holds ({reach}{unrounded}), {differing_marks} the print. Last line: ours minus print."
    )
    if any(cell is not None and not cell.ours for cell in cells):
        legend += " Grey alone: printed, but not recomputed."
    if any(cell is None for cell in cells):
        legend += " –: not printed."
    return legend if table.facts is not None else f"{legend} Point at a number for the reason."


def _is_there(cell: markup.LedgerNumber | None) -> bool:
    return cell is not None and bool(cell.ours)


def _titles(table: Table, rows: pd.DataFrame, name: str) -> list[str]:
    return list(dict.fromkeys(title(table, row, name) for row in rows.to_dict("records")))


def title(table: Table, row: Mapping[str, Any], name: str) -> str:
    """Return the name on the screen of a data set, a column or a block."""
    name_on_screen = table.titles.get(str(row[name]), str(row[name]))
    if name != "column" or not row["reading"]:
        return name_on_screen
    return table.titles.get(row["reading"], f"{row['column']} ({row['reading']})")


def _markup_cell(table: Table, row: Mapping[str, Any]) -> markup.LedgerNumber:
    printed, digits = float(row["printed"]), table.decimals
    if isnan(row["ours"]):
        return markup.LedgerNumber("", f"{printed:,.{digits}f}")
    spread = ""
    if not isnan(row["deviation"]):
        spread = f", ± {row['deviation']:.3f} over {row['n_trainings']} trainings"
    reason = f"{_SAYS[row['verdict']]}{spread}. {row['reason']}".strip()
    return _number(float(row["ours"]), printed, digits, row["verdict"], reason)


def _number(
    ours: float, printed: float, digits: int, verdict: str, reason: str
) -> markup.LedgerNumber:
    """Return both numbers with the digits of print, and the difference of these."""
    gap = round(ours, digits) - round(printed, digits)
    difference = f"{gap:+,.{digits}f}".replace("-", "−") if round(gap, digits) else ""
    return markup.LedgerNumber(
        f"{ours:,.{digits}f}", f"{printed:,.{digits}f}", verdict, reason, difference
    )


def _mean(
    table: Table, rows: pd.DataFrame, heads: Sequence[str]
) -> tuple[str, list[markup.LedgerNumber | None]]:
    """Return the line of means over the data sets, of methods that have two or more."""
    row_by_head = {
        title(table, row, "column"): row for row in means(table, rows).to_dict("records")
    }
    return "mean", [
        _number(
            row["ours"],
            row["printed"],
            table.decimals,
            row["verdict"],
            f"{_SAYS[row['verdict']]}, over {row['n_sets']} data sets",
        )
        if row
        else None
        for row in map(row_by_head.get, heads)
    ]
