"""Findings about single cells, worded the same everywhere."""

from collections.abc import Callable

import numpy as np

from labelrank_core.data.findings import shorten
from labelrank_core.io.build.ledger import Ledger
from labelrank_core.io.table import RawTable


def found(raw: RawTable, column: int, but: str) -> Callable[[int], str]:
    """Return what words a finding about one cell of a column.

    Parameters
    ----------
    raw : RawTable
        The table.
    column : int
        The column's index.
    but : str
        What is wrong, after 'found ..., '.

    Returns
    -------
    callable
        From a row's index to the message.
    """

    def message(row: int) -> str:
        cell = raw.cell(row, column)
        what = f"found '{shorten(cell)}'" if cell.strip() else "found an empty cell"
        return f"{what}, {but}"

    return message


def refuse_text(raw: RawTable, column: int, ledger: Ledger) -> None:
    """Note cells of a column of numbers that hold neither a number nor nothing.

    Parameters
    ----------
    raw : RawTable
        The table.
    column : int
        The column's index.
    ledger : Ledger
        Where to note them.
    """
    if not (raw.is_text(column) or raw.categories(column)):
        return
    hint = "Correct the value, or give the column another role."
    if raw.decimal == ",":
        hint = "Numbers in this file have a decimal comma: write 1,5 and no thousands separator."
    ledger.refuse(
        np.isnan(raw.numbers[:, column]) & ~raw.missing[:, column],
        code="not-a-number",
        message=found(raw, column, "which is not a number."),
        hint=hint,
        column=raw.names[column],
    )
