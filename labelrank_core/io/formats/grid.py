"""Cells of a spreadsheet, each with a value of its own, as a table."""

from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np
import pandas as pd

from labelrank_core.data.findings import DatasetError, Finding, Severity, at_lines
from labelrank_core.io.formats.header import all_numbers, column_names, no_header
from labelrank_core.io.table import written

Cell = str | float | None
Row = tuple[int, Sequence[Cell]]

MAX_CELLS = 50_000_000


def read_grid(rows: Iterable[Sequence[Cell]]) -> tuple[pd.DataFrame | None, list[Finding]]:
    """Read rows of cells as a table.

    Empty rows are skipped, and so are empty columns beside the table and lines with a single cell
    above it. The first row names the columns unless it is a row of numbers.
    """
    filled, empty = _filled(rows)
    filled, findings = _without_titles(filled)
    if not filled:
        return None, findings
    places = [_span(cells) for _, cells in filled]
    start, stop = min(first for first, _ in places), max(last for _, last in places)
    if stop - start < 2:
        return None, findings
    if len(filled) * (stop - start) > MAX_CELLS:
        raise _too_large()
    header_line, first = filled[0][0], _cut(filled[0][1], start, stop)
    names, data = [written(cell) for cell in first], filled[1:]
    if all_numbers(names):
        names, data = [f"c{j + 1}" for j in range(len(names))], filled
        findings.append(no_header(len(names), header_line))
    else:
        names, issues = column_names(names, header_line)
        findings += issues
    if not data:
        return None, findings
    between = [line for line in empty if header_line < line < data[-1][0]]
    if between:
        issue = Finding("blank-lines", Severity.INFO, "an empty line was skipped.")
        findings.append(at_lines(issue, between))
    columns = zip(*(_cut(cells, start, stop) for _, cells in data), strict=True)
    frame = pd.DataFrame({name: _column(cells) for name, cells in zip(names, columns, strict=True)})
    frame.index = pd.Index([line for line, _ in data], name="line", dtype="int64")
    return frame, findings


def _filled(rows: Iterable[Sequence[Cell]]) -> tuple[list[Row], list[int]]:
    """Return the rows that hold anything, with their numbers, and the numbers of the others."""
    filled: list[Row] = []
    empty: list[int] = []
    n_cells = 0
    for line, cells in enumerate(rows, start=1):
        _, stop = _span(cells)
        if stop:
            filled.append((line, cells[:stop]))
            n_cells += stop
            if n_cells > MAX_CELLS:
                raise _too_large()
        else:
            empty.append(line)
    return filled, empty


def _span(cells: Sequence[Cell]) -> tuple[int, int]:
    """Return where the first cell stands that holds anything, and where the last one ends."""
    held = [j for j, cell in enumerate(cells) if cell is not None and cell != ""]
    return (held[0], held[-1] + 1) if held else (0, 0)


def _without_titles(rows: list[Row]) -> tuple[list[Row], list[Finding]]:
    n_held = [sum(cell not in (None, "") for cell in cells) for _, cells in rows]
    first = next((i for i, n in enumerate(n_held) if n > 1), 0)
    if not first:
        return rows, []
    issue = Finding(
        "title", Severity.INFO, "a line with a single cell above the table was skipped."
    )
    return rows[first:], [at_lines(issue, [line for line, _ in rows[:first]])]


def _cut(cells: Sequence[Cell], start: int, stop: int) -> Iterable[Cell]:
    missing = max(0, stop - max(start, len(cells)))
    return chain(cells[start:stop], [None] * missing)


def _column(cells: Sequence[Cell]) -> object:
    if any(isinstance(cell, str) for cell in cells):
        return pd.array([written(cell) for cell in cells], dtype="str")
    return np.array(cells, dtype=np.float64)  # None becomes NaN


def _too_large() -> DatasetError:
    message = f"the table has more than {MAX_CELLS} cells."
    hint = "Leave out columns that are not needed, or take a sample of the rows."
    return DatasetError([Finding("too-large", Severity.ERROR, message, hint)])
