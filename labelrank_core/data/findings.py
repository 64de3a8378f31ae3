"""Findings: what is noteworthy or wrong in a file or a data set, where, and what to do."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
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
    count : int, default=1
        How many findings of this kind it stands for; `row` is the first one's line.
    file : str or None
        Name of the file, where the data come from several.
    """

    code: str
    severity: Severity
    message: str
    hint: str = ""
    row: int | None = None
    column: str | None = None
    count: int = 1
    file: str | None = None

    def __str__(self) -> str:
        place = [f"file '{self.file}'"] if self.file is not None else []
        place += [f"line {self.row}"] if self.row is not None else []
        place += [f"column '{self.column}'"] if self.column is not None else []
        where = ", ".join(place)
        text = f"{where}: {self.message}" if where else self.message
        return f"{text[:1].upper()}{text[1:]} {self.hint}".strip()


def at_lines(issue: Issue, lines: Sequence[int], *, n_shown: int = 5) -> Issue:
    """Return one finding that stands for equal ones in several lines.

    Parameters
    ----------
    issue : Issue
        The finding in the first of the lines.
    lines : sequence of int
        The lines, ascending, at least one.
    n_shown : int, default=5
        How many lines the message names; it counts the rest.

    Returns
    -------
    Issue
        The finding with ``row`` and ``count`` set and the further lines in its message.

    Examples
    --------
    >>> print(at_lines(Issue("gap", Severity.ERROR, "position 2 is missing."), [4, 9, 12]))
    Line 4: position 2 is missing. The same in 2 more lines: 9, 12.
    """
    rest = [str(int(line)) for line in lines[1:n_shown]]
    message, n_more = issue.message, len(lines) - 1
    if rest:
        dots = ", ..." if n_more > len(rest) else ""
        what = "1 more line" if n_more == 1 else f"{n_more} more lines"
        message = f"{message} The same in {what}: {', '.join(rest)}{dots}."
    return replace(issue, message=message, row=int(lines[0]), count=len(lines))


def group_issues(issues: Iterable[Issue]) -> tuple[Issue, ...]:
    """Merge findings that differ only in their line and in the value found.

    Parameters
    ----------
    issues : iterable of Issue
        The findings.

    Returns
    -------
    tuple of Issue
        Errors first, then warnings, then the rest, each in the order of first appearance.
        Findings that share code, column and wording (quoted text and numbers aside) are one,
        with the first one's value, their `count` and their first lines.

    Examples
    --------
    >>> found = [Issue("gap", Severity.ERROR, f"found {v}.", row=v) for v in (7, 8, 9)]
    >>> [str(issue) for issue in group_issues(found)]
    ['Line 7: found 7. The same in 2 more lines: 8, 9.']
    """
    groups: dict[tuple[object, ...], list[Issue]] = {}
    for issue in issues:
        wording = re.sub(r"'[^']*'|\d+(?:\.\d+)?", "#", issue.message)
        # What already stands for several lines has them in its message and stays as it is.
        own = id(issue) if issue.row is None or issue.count > 1 else None
        key = (issue.code, issue.severity, issue.column, issue.file, wording, issue.hint, own)
        groups.setdefault(key, []).append(issue)
    order = list(Severity)
    merged = [_merged(group) for group in groups.values()]
    return tuple(sorted(merged, key=lambda issue: order.index(issue.severity)))


def _merged(group: list[Issue]) -> Issue:
    if len(group) == 1:
        return group[0]
    group = sorted(group, key=lambda issue: issue.row or 0)
    return at_lines(group[0], [issue.row for issue in group if issue.row is not None])


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

    def __reduce__(self) -> tuple[type["DatasetError"], tuple[tuple[Issue, ...]]]:
        return type(self), (self.issues,)


def issue_frame(issues: Sequence[Issue]) -> pd.DataFrame:
    """Table of findings: severity, line, column, message, hint, code.

    Parameters
    ----------
    issues : sequence of Issue
        The findings.

    Returns
    -------
    DataFrame
        One row a finding, in the order given; with a column of files where one names its file.
    """
    table = pd.DataFrame(
        {
            "severity": [str(issue.severity) for issue in issues],
            "line": pd.array([issue.row for issue in issues], dtype="Int64"),
            "column": [issue.column or "" for issue in issues],
            "message": [issue.message for issue in issues],
            "what to do": [issue.hint for issue in issues],
            "code": [issue.code for issue in issues],
        }
    )
    if any(issue.file for issue in issues):
        table.insert(1, "file", [issue.file or "" for issue in issues])
    return table
