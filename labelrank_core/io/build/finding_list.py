"""Where findings about the rows of a table are collected."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelrank_core.data.findings import Finding, Severity, at_lines

# A message, or what makes it from the index of the first row that it is about.
Message = str | Callable[[int], str]


class FindingList:
    """Findings about a table, and which of its rows have an error.

    `lines` holds the line of each row in its file, `files` the name of that file (None: there is
    only one). Leaving out the rows in `bad` removes every error that is not in `blocking`.
    """

    def __init__(self, lines: NDArray[np.int64], files: NDArray[Any] | None = None) -> None:
        self.lines = lines
        self.files = files
        self.blocking: list[Finding] = []
        self.others: list[Finding] = []
        self.bad: NDArray[np.bool_] = np.zeros(len(lines), dtype=bool)

    @property
    def findings(self) -> list[Finding]:
        """All findings, errors of the table as a whole first."""
        return [*self.blocking, *self.others]

    def block(self, code: str, message: str, hint: str, *, column: str | None = None) -> None:
        """Add an error that leaving out rows does not remove."""
        self.blocking.append(Finding(code, Severity.ERROR, message, hint, column=column))

    def refuse(
        self, rows: Any, code: str, message: Message, hint: str, *, column: str | None = None
    ) -> None:
        """Add an error in some rows, given by a boolean mask."""
        self._add(rows, Severity.ERROR, code, message, hint, column)
        self.bad |= rows

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

    def _add(
        self,
        rows: Any,
        severity: Severity,
        code: str,
        message: Message,
        hint: str,
        column: str | None,
    ) -> None:
        where = np.flatnonzero(rows)
        files = [None] if self.files is None else list(dict.fromkeys(self.files[where].tolist()))
        for file in files if len(where) else []:
            own = where if self.files is None else where[self.files[where] == file]
            text = message if isinstance(message, str) else message(int(own[0]))
            finding = Finding(code, severity, text, hint, column=column, file=file)
            self.others.append(at_lines(finding, self.lines[own].tolist()))
