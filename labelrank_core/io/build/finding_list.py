"""Where findings about the rows, cells and columns of a table are collected."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelrank_core.data.findings import Finding, Severity, at_lines, listed, shorten
from labelrank_core.io.table import RawTable

# A message, or what makes it from the index of the first row that it is about.
Message = str | Callable[[int], str]
_Rows = NDArray[np.int64] | None
# So many findings about rows that differ in their column alone become one.
_SEVERAL = 3


class FindingList:
    """Findings about a table, and its rows with errors; `blocked`: others have errors too."""

    def __init__(self, raw: RawTable) -> None:
        # A table keeps its readings with their findings, so these do not keep the table.
        self._lines, self._line_unit, self._row_files = raw.lines, raw.line_unit, raw.row_files
        self.blocked = False
        self.bad: NDArray[np.bool_] = np.zeros(raw.n_rows, dtype=bool)
        self._entries: list[tuple[Finding, str | None, _Rows]] = []
        # Thousands of columns can be told the same: each finding stands once.
        self._known: dict[Finding, Finding] = {}

    @property
    def findings(self) -> list[Finding]:
        """All findings, errors of the table as a whole first; of many alike columns one."""
        alike: dict[Finding, dict[str, _Rows]] = {}
        for finding, column, rows in self._entries:
            alike.setdefault(finding, {})[column or ""] = rows
        merged = []
        for finding, column, rows in self._entries:
            rows_of = alike[finding]
            if column is None or len(rows_of) < (2 if rows is None else _SEVERAL):
                merged.append(self._at(replace(finding, column=column), [rows]))
            elif column == next(iter(rows_of)):
                message = f"{len(rows_of)} columns ({listed([*rows_of])}): {finding.message}"
                merged.append(self._at(replace(finding, message=message), [*rows_of.values()]))
        return sorted(
            merged, key=lambda finding: finding.severity is not Severity.ERROR or bool(finding.row)
        )

    def _at(self, finding: Finding, row_sets: Sequence[_Rows]) -> Finding:
        """Return a finding with the lines and the number of its places."""
        rows = [of_column for of_column in row_sets if of_column is not None]
        if not rows:
            return replace(finding, count=len(row_sets))
        lines = self._lines[np.unique(np.concatenate(rows))].tolist()
        finding = replace(finding, unit=self._line_unit)
        return replace(at_lines(finding, lines), count=sum(map(len, rows)))

    def refuse(
        self, code: str, message: Message, hint: str, rows: Any = None, column: str | None = None
    ) -> None:
        """Add an error in some rows, a boolean mask; None: leaving out rows does not remove it."""
        if rows is None:
            self.blocked = True
        else:
            self.bad |= rows
        self.note(code, message, hint, rows, column, Severity.ERROR)

    def note(
        self,
        code: str,
        message: Message,
        hint: str = "",
        rows: Any = None,
        column: str | None = None,
        severity: Severity = Severity.WARNING,
    ) -> None:
        """Add a finding about some rows, or the table or a column as a whole; no row: nothing."""
        if rows is None:
            self._add(Finding(code, severity, str(message), hint), column, None)
            return
        indices, of_rows = np.flatnonzero(rows), self._row_files
        files = [None] if of_rows is None else list(dict.fromkeys(of_rows[indices].tolist()))
        for file in files if len(indices) else []:
            file_rows = indices if of_rows is None else indices[of_rows[indices] == file]
            text = message if isinstance(message, str) else message(int(file_rows[0]))
            self._add(Finding(code, severity, text, hint, file=file), column, file_rows)

    def _add(self, finding: Finding, column: str | None, rows: _Rows) -> None:
        self._entries.append((self._known.setdefault(finding, finding), column, rows))

    def refuse_cells(
        self, raw: RawTable, code: str, problem: str, hint: str, rows: Any, column: int
    ) -> None:
        """Add an error about cells of a column, with the content of the first one and the error."""

        def message(row: int) -> str:
            cell = raw.cell(row, column)
            content = f"found '{shorten(cell)}'" if cell.strip() else "found an empty cell"
            return f"{content}, {problem}"

        self.refuse(code, message, hint, rows, raw.names[column])

    def refuse_text(self, raw: RawTable, column: int) -> None:
        """Add an error for cells of a column of numbers that hold something else."""
        hint = "Correct the value, or give the column another role."
        if raw.decimal_comma:
            hint = (
                "Numbers in this file have a decimal comma: write 1,5 and no thousands separator."
            )
        rows = np.isnan(raw.numbers[:, column]) & ~raw.missing[:, column]
        self.refuse_cells(raw, "not-a-number", "which is not a number.", hint, rows, column)
