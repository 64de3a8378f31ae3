"""The first line of a table: what the columns are called."""

import re
from collections.abc import Sequence

from labelrank_core.data.findings import Finding, Severity, count_of, listed
from labelrank_core.io.cells import is_missing
from labelrank_core.io.marks import is_marked

NUMBER = re.compile(r"\s*+[+-]?(\d++([.,]\d*+)?+|[.,]\d++)([eE][+-]?\d++)?+\s*+")


def read_header(header: Sequence[str], line: int) -> tuple[bool, list[str], list[Finding]]:
    """Return whether the first line names the columns, their names, and what was found about it.

    A line of numbers, beside them at most orderings, is a row of data.
    """
    if not _is_data(header):
        return True, *column_names(header, line)
    message = (
        "the first line holds numbers, no names; it was read as data and the columns are called "
        f"c1 to c{len(header)}."
    )
    hint = "Add a line with the names of the columns at the top."
    finding = Finding("no-header", Severity.WARNING, message, hint, row=line)
    return False, [f"c{j + 1}" for j in range(len(header))], [finding]


def _is_data(header: Sequence[str]) -> bool:
    if is_marked(header):
        return False
    other = [cell for cell in header if NUMBER.fullmatch(cell) is None]
    return len(other) < len(header) and all(is_missing(cell) or ">" in cell for cell in other)


def column_names(header: Sequence[str], line: int) -> tuple[list[str], list[Finding]]:
    """Return unique names for the columns and what had to be changed for that.

    A repeated name is an error and gets its place added; an empty one is made up. Marked names are
    kept to the letter.
    """
    if is_marked(header):
        return list(header), []
    names = [" ".join(cell.split()) for cell in header]
    findings = []
    n_trimmed = sum(name != cell for name, cell in zip(names, header, strict=True))
    if n_trimmed:
        message = f"spaces around or inside {count_of(n_trimmed, 'column name')} were removed."
        findings.append(Finding("trimmed-names", Severity.INFO, message, row=line))
    unnamed = [j for j, name in enumerate(names) if not name]
    for j in unnamed:
        names[j] = f"column {j + 1}"
    if unnamed:
        called = listed([names[j] for j in unnamed], quote="")
        message = f"{count_of(len(unnamed), 'column')} without a name: called {called}."
        hint = "Write a name into the first line."
        findings.append(Finding("unnamed-column", Severity.INFO, message, hint, row=line))
    return names, findings + _rename_repeats(names, line)


def _rename_repeats(names: list[str], line: int) -> list[Finding]:
    places: dict[str, list[int]] = {}
    for j, name in enumerate(names):
        places.setdefault(name, []).append(j)
    taken, findings = set(names), []
    for name, columns in places.items():
        if len(columns) == 1:
            continue
        numbers = ", ".join(str(j + 1) for j in columns[:10])
        message = f"the name stands {len(columns)} times, over columns {numbers}."
        hint = "Give every column a name of its own."
        findings.append(
            Finding("duplicate-column", Severity.ERROR, message, hint, row=line, column=name)
        )
        for j in columns[1:]:
            names[j] = f"{name} (column {j + 1})"
            while names[j] in taken:
                names[j] += "'"
            taken.add(names[j])
    return findings
