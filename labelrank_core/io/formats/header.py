"""The first line of a table: what the columns are called."""

import re

from labelrank_core.data.findings import Finding, Severity, count_of
from labelrank_core.io.marks import is_marked
from labelrank_core.io.table import is_missing

_NUMBER = re.compile(r"\s*[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?\s*")


def all_numbers(header: list[str]) -> bool:
    """Tell whether the first line is a row of data: numbers, beside them at most orderings."""
    if is_marked(header):
        return False
    numbers = [_NUMBER.fullmatch(cell) is not None for cell in header]
    other = [cell for cell, number in zip(header, numbers, strict=True) if not number]
    return any(numbers) and all(is_missing(cell) or ">" in cell for cell in other)


def column_names(header: list[str], line: int) -> tuple[list[str], list[Finding]]:
    """Return unique names for the columns and what had to be done for that."""
    if is_marked(header):
        return list(header), []
    names = [" ".join(cell.split()) for cell in header]
    issues = []
    n_trimmed = sum(name != cell for name, cell in zip(names, header, strict=True))
    if n_trimmed:
        message = f"spaces around or inside {count_of(n_trimmed, 'column name')} were removed."
        issues.append(Finding("trimmed-names", Severity.INFO, message, row=line))
    unnamed = [j for j, name in enumerate(names) if not name]
    for j in unnamed:
        names[j] = f"column {j + 1}"
    if unnamed:
        message = (
            f"{count_of(len(unnamed), 'column')} without a name: called "
            f"{', '.join(names[j] for j in unnamed[:5])}{', ...' if len(unnamed) > 5 else ''}."
        )
        hint = "Write a name into the first line."
        issues.append(Finding("unnamed-column", Severity.INFO, message, hint, row=line))
    numeric = [name for name in names if _NUMBER.fullmatch(name)]
    if numeric:
        message = f"{count_of(len(numeric), 'column name')} are numbers, such as '{numeric[0]}'."
        hint = "If the first line is data, add a line with the names of the columns above it."
        issues.append(Finding("numeric-names", Severity.INFO, message, hint, row=line))
    issues += _rename_repeats(names, line)
    return names, issues


def _rename_repeats(names: list[str], line: int) -> list[Finding]:
    places: dict[str, list[int]] = {}
    for j, name in enumerate(names):
        places.setdefault(name, []).append(j)
    taken, issues = set(names), []
    for name, columns in places.items():
        if len(columns) == 1:
            continue
        numbers = ", ".join(str(j + 1) for j in columns[:10])
        message = f"the name stands {len(columns)} times, over columns {numbers}."
        hint = "Give every column a name of its own."
        issues.append(
            Finding("duplicate-column", Severity.ERROR, message, hint, row=line, column=name)
        )
        for j in columns[1:]:
            names[j] = f"{name} (column {j + 1})"
            while names[j] in taken:
                names[j] += "'"
            taken.add(names[j])
    return issues


def no_header(n_columns: int, line: int) -> Finding:
    """Return the finding that the first line of a table is data."""
    return Finding(
        "no-header",
        Severity.WARNING,
        "the first line holds numbers, no names; it was read as data and the columns are called "
        f"c1 to c{n_columns}.",
        "Add a line with the names of the columns at the top.",
        row=line,
    )
