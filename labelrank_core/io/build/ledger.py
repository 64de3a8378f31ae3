"""Where findings about the rows of a table are collected."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelrank_core.data.findings import Finding, Severity, at_lines
from labelrank_core.io.table import BoolArray


class Ledger:
    """Findings about a table's rows, and which rows have an error.

    Parameters
    ----------
    lines : ndarray of int of shape (n_rows,)
        The line in the file of each row.
    files : ndarray of str of shape (n_rows,) or None
        The file of each row; None: there is only one.

    Attributes
    ----------
    issues : list of Finding
        The findings, equal ones as one.
    bad : ndarray of bool of shape (n_rows,)
        Rows with an error. Leaving them out mends every error that is not in `blocking`.
    blocking : list of Finding
        Errors of the table as a whole.
    """

    def __init__(self, lines: NDArray[np.int64], files: NDArray[Any] | None = None) -> None:
        self.lines = lines
        self.files = files
        self.issues: list[Finding] = []
        self.blocking: list[Finding] = []
        self.bad: BoolArray = np.zeros(len(lines), dtype=bool)

    @property
    def findings(self) -> list[Finding]:
        """All findings, those of the table first."""
        return [*self.blocking, *self.issues]

    def refuse(
        self,
        rows: Any,
        *,
        code: str,
        message: str | Callable[[int], str],
        hint: str,
        column: str | None = None,
    ) -> None:
        """Note an error in some rows.

        Parameters
        ----------
        rows : ndarray of bool of shape (n_rows,)
            Which.
        code : str
            Kind of finding.
        message : str or callable
            The message, or what makes it from the index of the first such row.
        hint : str
            What to do.
        column : str or None
            The column.
        """
        self._note(rows, Severity.ERROR, code, message, hint, column)
        self.bad |= rows

    def note(
        self,
        rows: Any,
        *,
        code: str,
        message: str | Callable[[int], str],
        hint: str = "",
        severity: Severity = Severity.WARNING,
        column: str | None = None,
    ) -> None:
        """Note something in some rows that is no error; the arguments are those of `refuse`."""
        self._note(rows, severity, code, message, hint, column)

    def block(self, code: str, message: str, hint: str, *, column: str | None = None) -> None:
        """Note an error that does not lie in single rows; the arguments are those of `refuse`."""
        self.blocking.append(Finding(code, Severity.ERROR, message, hint, column=column))

    def _note(
        self,
        rows: Any,
        severity: Severity,
        code: str,
        message: str | Callable[[int], str],
        hint: str,
        column: str | None,
    ) -> None:
        where = np.flatnonzero(rows)
        if not len(where):
            return
        for file, rows_there in self._by_file(where):
            text = message if isinstance(message, str) else message(int(rows_there[0]))
            issue = Finding(code, severity, text, hint, column=column, file=file)
            self.issues.append(at_lines(issue, self.lines[rows_there].tolist()))

    def _by_file(self, rows: NDArray[np.int64]) -> list[tuple[str | None, NDArray[np.int64]]]:
        if self.files is None:
            return [(None, rows)]
        names = self.files[rows]
        return [(file, rows[names == file]) for file in dict.fromkeys(names.tolist())]
