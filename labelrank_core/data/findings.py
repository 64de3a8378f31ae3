"""Findings: problems and remarks about a file or a data set, with place and hint."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

_N_LINES_SHOWN = 5


class Severity(StrEnum):
    """The severity of a finding: an error keeps the data from being used."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True)
class Finding:
    """Something noteworthy or wrong in a file or a data set.

    Parameters
    ----------
    code : str
        Short stable name of the kind of finding, such as ``"not-a-number"``.
    severity : Severity
        Error, warning or info.
    message : str
        What was found, in plain words, with the value.
    hint : str
        What to do about it; empty where nothing needs to be done.
    row : int or None
        The line in the user's file, as an editor or spreadsheet counts it (the header is line 1);
        in a data frame the row, counted from 0.
    column : str or None
        Name of the column in the user's file.
    count : int, default=1
        How many equal findings it stands for; `row` is the line of the first.
    file : str or None
        Name of the file, where the data come from several.
    unit : {"line", "row"}
        What `row` counts: lines of a file or rows of a data frame.
    """

    code: str
    severity: Severity
    message: str
    hint: str = ""
    row: int | None = None
    column: str | None = None
    count: int = 1
    file: str | None = None
    unit: str = "line"

    def __str__(self) -> str:
        parts = [f"file '{self.file}'"] if self.file is not None else []
        parts += [f"{self.unit} {self.row}"] if self.row is not None else []
        parts += [f"column '{self.column}'"] if self.column is not None else []
        location = ", ".join(parts)
        text = f"{location}: {self.message}" if location else self.message
        return f"{text[:1].upper()}{text[1:]} {self.hint}".strip()


class DatasetError(ValueError):
    """Raised where data cannot be used; holds every finding, not only the first.

    Parameters
    ----------
    findings : iterable of Finding
        The findings, at least one of them an error.
    """

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        errors = [str(finding) for finding in self.findings if finding.severity is Severity.ERROR]
        message = "\n".join(errors[:20])
        more = f"\n... and {len(errors) - 20} more." if len(errors) > 20 else ""
        super().__init__(message + more)

    def __reduce__(self) -> tuple[type["DatasetError"], tuple[tuple[Finding, ...]]]:
        return type(self), (self.findings,)


def refusal(code: str, message: str, hint: str, *, row: int | None = None) -> DatasetError:
    """Return the exception for a single error."""
    return DatasetError([Finding(code, Severity.ERROR, message, hint, row=row)])


def too_large(message: str, hint: str = "", *, row: int | None = None) -> Finding:
    """Return the error that a file exceeds a limit."""
    hint = hint or "Leave out columns that are not needed, or take a sample of the rows."
    return Finding("too-large", Severity.ERROR, message, hint, row=row)


def too_much_text(n_characters: int) -> Finding:
    """Return the error that cells hold more characters together than a limit."""
    message = f"the cells hold more than {n_characters // 1_000_000} million characters together."
    return too_large(message, "Leave out columns of long text, or take a sample of the rows.")


def at_lines(finding: Finding, lines: Sequence[int]) -> Finding:
    """Return one finding for equal ones in several lines, ascending; it names the first lines."""
    line_numbers = [str(int(line)) for line in lines[1:_N_LINES_SHOWN]]
    message, n_more = finding.message, len(lines) - 1
    if line_numbers:
        dots = ", ..." if n_more > len(line_numbers) else ""
        count = count_of(n_more, f"more {finding.unit}")
        message = f"{message} The same in {count}: {', '.join(line_numbers)}{dots}."
    return replace(finding, message=message, row=int(lines[0]), count=len(lines))


def group_findings(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Merge findings that differ only in their line and in the value found.

    Errors come first, then warnings, then the rest, each in the order of first appearance. Findings
    of the same code, column and wording (quoted text and numbers aside) become one, with the first
    value, the `count` and the first lines.

    >>> findings = [Finding("gap", Severity.ERROR, f"found {v}.", row=v) for v in (7, 8, 9)]
    >>> [str(finding) for finding in group_findings(findings)]
    ['Line 7: found 7. The same in 2 more lines: 8, 9.']
    """
    groups: dict[tuple[object, ...], list[Finding]] = {}
    for finding in findings:
        wording = re.sub(r"'[^']*'|\d+(?:\.\d+)?", "#", finding.message)
        # A finding that already names several lines stays as it is.
        identity = id(finding) if finding.row is None or finding.count > 1 else None
        key = (finding.code, finding.severity, finding.column, finding.file, wording, finding.hint)
        groups.setdefault((*key, identity), []).append(finding)
    order = list(Severity)
    merged = [_merged(group) for group in groups.values()]
    return tuple(sorted(merged, key=lambda finding: order.index(finding.severity)))


def _merged(group: list[Finding]) -> Finding:
    if len(group) == 1:
        return group[0]
    group = sorted(group, key=lambda finding: finding.row or 0)
    return at_lines(group[0], [finding.row for finding in group if finding.row is not None])


def findings_frame(findings: Sequence[Finding]) -> "pd.DataFrame":
    """Tabulate findings, one row each; with a column of files where one names its file."""
    import pandas as pd  # slow to import, and not needed where files are read

    table = pd.DataFrame(
        {
            "severity": [str(finding.severity) for finding in findings],
            "line": pd.array([finding.row for finding in findings], dtype="Int64"),
            "column": [finding.column or "" for finding in findings],
            "message": [finding.message for finding in findings],
            "what to do": [finding.hint for finding in findings],
            "code": [finding.code for finding in findings],
        }
    )
    if any(finding.file for finding in findings):
        table.insert(1, "file", [finding.file or "" for finding in findings])
    return table


def shorten(text: str, length: int = 40) -> str:
    """Put text from a file on one line, cut to a length that a message can hold."""
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 3] + "..."


def listed(names: Sequence[str], *, limit: int = 5, quote: str = "'") -> str:
    """Name the first few of several things, and the number of the others.

    >>> listed(["a", "b", "c", "d"], limit=2), listed(["a", "b"], quote="")
    ("'a', 'b' and 2 more", 'a, b')
    """
    first = ", ".join(f"{quote}{shorten(name)}{quote}" for name in names[:limit])
    return f"{first} and {len(names) - limit} more" if len(names) > limit else first


def count_of(count: int, noun: str) -> str:
    """Return '1 row' or '2 rows'."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
