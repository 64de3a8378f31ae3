"""Findings: what is noteworthy or wrong in a file or a data set, where, and what to do."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import pandas as pd


class Severity(StrEnum):
    """How much a finding matters: an error keeps the data from being used."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True)
class Issue:
    """One finding.

    Parameters
    ----------
    code : str
        Short stable name of the kind of finding, such as ``"not-a-number"``.
    severity : Severity
        Error, warning or info.
    message : str
        What was found, in plain words, with the value.
    hint : str
        What to do about it; empty where nothing need be done.
    row : int or None
        The line in the user's file, as an editor or spreadsheet counts it (the header is line 1).
    column : str or None
        Name of the column in the user's file.
    """

    code: str
    severity: Severity
    message: str
    hint: str = ""
    row: int | None = None
    column: str | None = None

    def __str__(self) -> str:
        place = [f"line {self.row}"] if self.row is not None else []
        place += [f"column '{self.column}'"] if self.column is not None else []
        where = ", ".join(place)
        text = f"{where}: {self.message}" if where else self.message
        return f"{text[:1].upper()}{text[1:]} {self.hint}".strip()


class DatasetError(ValueError):
    """Raised where data cannot be used; holds every finding, not only the first.

    Parameters
    ----------
    issues : iterable of Issue
        The findings, at least one an error.
    """

    def __init__(self, issues: Iterable[Issue]) -> None:
        self.issues = tuple(issues)
        errors = [str(issue) for issue in self.issues if issue.severity is Severity.ERROR]
        shown = "\n".join(errors[:20])
        more = f"\n... and {len(errors) - 20} more." if len(errors) > 20 else ""
        super().__init__(shown + more)


def issue_frame(issues: Sequence[Issue]) -> pd.DataFrame:
    """Table of findings: severity, line, column, message, hint, code.

    Parameters
    ----------
    issues : sequence of Issue
        The findings.

    Returns
    -------
    DataFrame
        One row a finding, in the order given.
    """
    return pd.DataFrame(
        {
            "severity": [str(issue.severity) for issue in issues],
            "line": pd.array([issue.row for issue in issues], dtype="Int64"),
            "column": [issue.column or "" for issue in issues],
            "message": [issue.message for issue in issues],
            "what to do": [issue.hint for issue in issues],
            "code": [issue.code for issue in issues],
        }
    )
