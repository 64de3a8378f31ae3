r"""Names of columns: unique ones, and the marks of roles that this package writes.

A mark stands before the name: ``label_position:apple``. A table with such label columns is read
without a question, and its names are those behind the marks. In its text, an apostrophe that keeps
a spreadsheet from running a cell as a formula is taken away.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from labelrank_core.data.findings import Finding, Severity, count_of, listed
from labelrank_core.data.ranking_words import natural_order
from labelrank_core.io.cells import Cells, Coded, as_text, is_missing
from labelrank_core.io.vocabulary import Role, TargetForm

NUMBER = re.compile(r"\s*+[+-]?(\d++(?>([.,]\d*+)?)|[.,]\d++)(?>([eE][+-]?\d++)?)\s*+")
POSITION, RELEVANT = "label_position:", "label_relevant:"
RANKING, ZERO, SPLIT = "label_ranking:", "label_zero:", "split:"
NOMINAL, FEATURE = "nominal:", "feature:"
ROLES = {
    POSITION: Role.LABEL,
    RELEVANT: Role.LABEL,
    RANKING: Role.RANKING,
    ZERO: Role.ZERO,
    SPLIT: Role.SPLIT,
    NOMINAL: Role.FEATURE,
    FEATURE: Role.FEATURE,
}
FORMS = {
    POSITION: TargetForm.POSITIONS,
    RELEVANT: TargetForm.RELEVANCE,
    RANKING: TargetForm.ORDERING_STRINGS,
}
# What spreadsheets take for a formula, also in the wide letters of East Asian keyboards.
_FORMULA = re.compile(r"'*+(\s*[=+\-@＝＋－＠]|[\t\r\n])")


def read_header(header: Sequence[str], line: int) -> tuple[bool, list[str], list[Finding]]:
    """Return True if the first line names the columns, the names, and the findings about them.

    A line of numbers, beside them at most orderings, is a row of data.
    """
    non_numbers = [cell for cell in header if NUMBER.fullmatch(cell) is None]
    in_words = all(is_missing(cell) or ">" in cell for cell in non_numbers)
    if len(non_numbers) == len(header) or not in_words or is_marked(header):
        return True, *column_names(header, line)
    message = (
        "the first line holds numbers, no names; it was read as data and the columns are called "
        f"c1 to c{len(header)}."
    )
    hint = "Add a line with the names of the columns at the top."
    finding = Finding("no-header", Severity.WARNING, message, hint, row=line)
    return False, [f"c{j + 1}" for j in range(len(header))], [finding]


def column_names(header: Sequence[str], line: int) -> tuple[list[str], list[Finding]]:
    """Return unique names for the columns, and findings about those that were changed.

    A repeated name is an error and gets its place added; an empty one is made up. Marked names are
    kept to the letter.
    """
    if is_marked(header):
        return list(header), []
    names = [" ".join(cell.split()) for cell in header]
    findings = []
    unnamed = [f"column {j + 1}" for j, name in enumerate(names) if not name]
    names = [name or f"column {j + 1}" for j, name in enumerate(names)]
    if unnamed:
        substitutes = listed(unnamed, quote="")
        message = f"{count_of(len(unnamed), 'column')} without a name: called {substitutes}."
        hint = "Write a name into the first line."
        findings.append(Finding("unnamed-column", Severity.INFO, message, hint, row=line))
    used_names = set(names)
    indices_of: dict[str, list[int]] = {}
    for j, name in enumerate(names):
        indices_of.setdefault(name, []).append(j)
    for name, columns in indices_of.items():
        for j in columns[1:]:
            names[j] = f"{name} (column {j + 1})"
            while names[j] in used_names:
                names[j] += "'"
            used_names.add(names[j])
        if len(columns) > 1:
            numbers = ", ".join(str(j + 1) for j in columns[:10])
            message = f"the name stands {len(columns)} times, over columns {numbers}."
            hint = "Give every column a name of its own."
            error = Finding("duplicate-column", Severity.ERROR, message, hint, line, name)
            findings.append(error)
    return names, findings


def split_mark(name: str) -> tuple[str, str]:
    """Return the mark of a column's name, empty where it has none, and the name behind it."""
    mark = next((mark for mark in ROLES if name.startswith(mark)), "")
    return mark, name.removeprefix(mark)


def may_run(text: str) -> bool:
    """Tell whether a spreadsheet may take text for a formula, apostrophes left out."""
    return _FORMULA.match(text) is not None


def defused(text: str) -> str:
    """Put an apostrophe before text that a spreadsheet may take for a formula.

    >>> [defused(text) for text in ("=1+1", "'=1+1", "a=1")]
    ["'=1+1", "''=1+1", 'a=1']
    """
    return f"'{text}" if may_run(text) else text


def restored(text: str) -> str:
    """Take away the apostrophe that `defused` has put before text."""
    return text[1:] if text.startswith("'") and may_run(text[1:]) else text


def is_marked(header: Sequence[str]) -> bool:
    """Return True if the names of columns bear marks of their roles without contradiction."""
    marks = [split_mark(name) for name in header]
    targets = {mark for mark, _ in marks if mark in FORMS}
    n_marks = Counter(mark for mark, _ in marks)
    if len(targets) != 1 or any(n_marks[mark] > 1 for mark in (RANKING, ZERO, SPLIT)):
        return False
    labels = _labels_of(marks)
    features = [name for mark, name in marks if mark in ("", NOMINAL, FEATURE)]
    unique = all(len(set(names)) == len(names) for names in (labels, features))
    return unique and len(labels) > 1 and (targets == {POSITION} or not n_marks[ZERO])


def _labels_of(marks: Sequence[tuple[str, str]]) -> list[str]:
    """Return the labels of marked names; a column of rankings has them in its name, tied."""
    labels = [
        name.split("=") if mark == RANKING else [name] for mark, name in marks if mark in FORMS
    ]
    return list(chain(*labels))


def read_marks(cells: Cells) -> Cells:
    """Take marks for declarations of a table's format; escaped text is restored."""
    if cells.columns is None or cells.roles or not is_marked(list(cells.columns)):
        return cells
    marks = {name: split_mark(name) for name in cells.columns}
    form = next(FORMS[mark] for mark, _ in marks.values() if mark in FORMS)
    # Only text files need, and have, an apostrophe before what may run.
    restore = restored if cells.encoding else str
    columns = dict(cells.columns)
    for name, (mark, _) in marks.items():
        if not isinstance(columns[name], Coded) and mark in (NOMINAL, RANKING):
            texts = [restore(text) for text in as_text(columns[name])]
            columns[name] = texts if mark == RANKING else _coded(texts)
    return replace(
        cells,
        columns=columns,
        roles={name: ROLES.get(mark, Role.FEATURE) for name, (mark, _) in marks.items()},
        form=form,
        labels=_labels_of(list(marks.values())) if form is TargetForm.ORDERING_STRINGS else (),
        nominal=[name for name, (mark, _) in marks.items() if mark == NOMINAL],
        titles={name: title for name, (mark, title) in marks.items() if mark},
    )


def _coded(texts: list[str]) -> Coded:
    categories = sorted(filter(None, set(texts)), key=natural_order)
    codes = {category: code for code, category in enumerate(categories)}
    return Coded(np.array([codes.get(text, -1) for text in texts], dtype=np.int32), categories)
