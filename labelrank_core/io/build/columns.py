"""Findings about columns and their cells, worded the same everywhere."""

from collections.abc import Callable, Sequence

import numpy as np

from labelrank_core.data.findings import Finding, Severity, listed, shorten
from labelrank_core.io.build.finding_list import FindingList
from labelrank_core.io.table import RawTable


def found_cell(raw: RawTable, column: int, but: str) -> Callable[[int], str]:
    """Return what makes the message about one row's cell: 'found ..., ' and what is wrong."""

    def message(row: int) -> str:
        cell = raw.cell(row, column)
        what = f"found '{shorten(cell)}'" if cell.strip() else "found an empty cell"
        return f"{what}, {but}"

    return message


def refuse_text(raw: RawTable, column: int, found: FindingList) -> None:
    """Add an error for cells of a column of numbers that hold something else."""
    if not (raw.is_text(column) or raw.categories(column)):
        return
    hint = "Correct the value, or give the column another role."
    if raw.parsed.decimal == ",":
        hint = "Numbers in this file have a decimal comma: write 1,5 and no thousands separator."
    found.refuse(
        np.isnan(raw.numbers[:, column]) & ~raw.missing[:, column],
        "not-a-number",
        found_cell(raw, column, "which is not a number."),
        hint,
        column=raw.names[column],
    )


def note_columns(
    found: FindingList,
    names: Sequence[str],
    code: str,
    what: str,
    hint: str,
    *,
    severity: Severity = Severity.WARNING,
) -> None:
    """Add one finding about several columns, with their names; none: nothing is added."""
    if len(names) == 1:
        found.others.append(Finding(code, severity, f"holds {what}.", hint, column=names[0]))
    elif names:
        message = f"{len(names)} columns hold {what}: {listed(names)}."
        found.others.append(Finding(code, severity, message, hint, count=len(names)))
