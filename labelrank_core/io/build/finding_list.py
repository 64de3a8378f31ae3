"""Where findings about the rows, cells and columns of a table are collected."""

import weakref
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelrank_core.data.findings import Finding, Severity, at_lines, listed, shorten
from labelrank_core.io.table import RawTable

# A message, or what makes it from the index of the first row that it is about.
Message = str | Callable[[int], str]


# So many findings that differ in their column alone become one.
_SEVERAL = 3


class FindingList:
    """Findings about a table, and its rows with errors; without these only `blocking` ones stay."""

    def __init__(self, raw: RawTable) -> None:
        # A table keeps its readings with their findings: it must not be kept by these in turn.
        self.raw: RawTable = weakref.proxy(raw)
        self.blocking: list[Finding] = []
        self.others: list[Finding] = []
        self.bad: NDArray[np.bool_] = np.zeros(raw.n_rows, dtype=bool)
        # What is said alike of columns: where in `others`, and of which rows.
        self._alike: dict[Finding, list[tuple[int, NDArray[np.int64]]]] = {}

    @property
    def findings(self) -> list[Finding]:
        """All findings, errors of the table as a whole first; of many alike columns one."""
        others: list[Finding | None] = list(self.others)
        for finding, places in self._alike.items():
            if len(places) >= _SEVERAL:
                whole = self._of_columns(finding, places)
                for place, _ in places:
                    others[place] = None
                others[places[0][0]] = whole
        return [*self.blocking, *(each for each in others if each is not None)]

    def _of_columns(
        self, finding: Finding, places: Sequence[tuple[int, NDArray[np.int64]]]
    ) -> Finding:
        """Return one finding for those that say the same of several columns."""
        names = [self.others[place].column or "" for place, _ in places]
        rows = np.unique(np.concatenate([of_column for _, of_column in places]))
        message = f"{len(names)} columns ({listed(names)}): {finding.message}"
        whole = at_lines(replace(finding, message=message), self.raw.lines[rows].tolist())
        return replace(whole, count=sum(len(of_column) for _, of_column in places))

    def block(self, code: str, message: str, hint: str, *, column: str | None = None) -> None:
        """Add an error that leaving out rows does not remove."""
        self.blocking.append(Finding(code, Severity.ERROR, message, hint, column=column))

    def refuse(
        self, rows: Any, code: str, message: Message, hint: str, *, column: str | None = None
    ) -> None:
        """Add an error in some rows, given by a boolean mask."""
        self._add(rows, Severity.ERROR, code, message, hint, column)
        self.bad |= rows

    def refuse_cells(self, rows: Any, column: int, code: str, but: str, hint: str) -> None:
        """Add an error about cells of a column: what they hold, and what is wrong with it."""

        def message(row: int) -> str:
            cell = self.raw.cell(row, column)
            what = f"found '{shorten(cell)}'" if cell.strip() else "found an empty cell"
            return f"{what}, {but}"

        self.refuse(rows, code, message, hint, column=self.raw.names[column])

    def refuse_text(self, column: int) -> None:
        """Add an error for cells of a column of numbers that hold something else."""
        raw = self.raw
        hint = "Correct the value, or give the column another role."
        if raw.decimal_comma:
            hint = (
                "Numbers in this file have a decimal comma: write 1,5 and no thousands separator."
            )
        rows = np.isnan(raw.numbers[:, column]) & ~raw.missing[:, column]
        self.refuse_cells(rows, column, "not-a-number", "which is not a number.", hint)

    def note(
        self,
        rows: Any,
        code: str,
        message: Message,
        hint: str = "",
        *,
        severity: Severity = Severity.WARNING,
        column: str | None = None,
    ) -> None:
        """Add a finding about some rows that is no error."""
        self._add(rows, severity, code, message, hint, column)

    def note_columns(
        self,
        names: Sequence[str],
        code: str,
        what: str,
        hint: str,
        *,
        severity: Severity = Severity.WARNING,
    ) -> None:
        """Add one finding about several columns, with their names; none: nothing is added."""
        if len(names) == 1:
            self.others.append(Finding(code, severity, f"holds {what}.", hint, column=names[0]))
        elif names:
            message = f"{len(names)} columns hold {what}: {listed(names)}."
            self.others.append(Finding(code, severity, message, hint, count=len(names)))

    def _add(
        self,
        rows: Any,
        severity: Severity,
        code: str,
        message: Message,
        hint: str,
        column: str | None,
    ) -> None:
        where, of_rows = np.flatnonzero(rows), self.raw.row_files
        files = [None] if of_rows is None else list(dict.fromkeys(of_rows[where].tolist()))
        for file in files if len(where) else []:
            own = where if of_rows is None else where[of_rows[where] == file]
            text = message if isinstance(message, str) else message(int(own[0]))
            finding = Finding(code, severity, text, hint, file=file)
            if column is not None:
                self._alike.setdefault(finding, []).append((len(self.others), own))
            finding = replace(finding, column=column)
            self.others.append(at_lines(finding, self.raw.lines[own].tolist()))
