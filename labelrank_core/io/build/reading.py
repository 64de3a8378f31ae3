"""A table read under given choices: features, targets, split, and every finding about them."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from labelrank_core.data.findings import Finding, Severity, at_lines, count_of, shorten
from labelrank_core.data.schema import Schema
from labelrank_core.io.build.features import note_unused, read_features
from labelrank_core.io.build.finding_list import FindingList
from labelrank_core.io.build.targets import Targets, read_targets
from labelrank_core.io.table import BoolArray, RawTable
from labelrank_core.io.vocabulary import TEST_WORDS, TRAIN_WORDS, Choices, Missing, Role

_NO_VALUE = "this row was left out because a feature has no value."


@dataclass(frozen=True, eq=False)
class Reading:
    """A table under given choices, meaningful where nothing is an error; not to be changed."""

    report: FindingList
    X: Any
    schema: Schema
    targets: Targets
    split: BoolArray | None
    case_names: tuple[str, ...] | None

    @property
    def n_bytes(self) -> int:
        """The memory of features and targets in bytes."""
        features = self.X if isinstance(self.X, np.ndarray) else self.X.data
        return int(features.nbytes + self.targets.Y.nbytes)


def read_table(raw: RawTable, choices: Choices) -> Reading:
    """Read a table, or take the reading that it keeps."""
    return raw.once(choices, lambda: _read(raw, choices))


def _read(raw: RawTable, choices: Choices) -> Reading:
    report = FindingList(raw)
    if raw.n_rows < 2:
        message = f"found {count_of(raw.n_rows, 'row')} of data."
        report.refuse("one-row", message, "At least two are needed.")
    split = _read_split(raw, choices, report)
    training = np.ones(raw.n_rows, dtype=bool) if split is None else ~split
    X, schema = read_features(raw, choices, report, training)
    note_unused(raw, choices, report)
    targets, case_names = read_targets(raw, choices, report), _read_names(raw, choices, report)
    return Reading(report, X, schema, targets, split, case_names)


def read_rows(
    raw: RawTable, choices: Choices, *, skip_bad_rows: bool
) -> tuple[Reading, list[Finding]]:
    """Read a table with all findings, without incomplete or bad rows if they are to be left out."""
    dropped: list[Finding] = []
    if choices.missing is Missing.DROP_ROWS:
        first, features = FindingList(raw), choices.columns(raw.names, Role.FEATURE)
        lacking = np.asarray(raw.missing[:, features].any(axis=1))
        first.note("rows-dropped", _NO_VALUE, rows=lacking)
        if lacking.all():
            first.refuse("no-rows", "in every row a feature has no value.", "Ignore its column.")
        elif lacking.any():
            raw = raw.subset(~lacking)
        dropped = first.findings
    reading = read_table(raw, choices)
    report = reading.report
    if not skip_bad_rows or not (raw.file.ragged_lines or report.bad.any()):
        return reading, [*raw.file.ragged, *dropped, *report.findings]
    if report.bad.all():
        error = Finding("no-rows", Severity.ERROR, "every row has an error.", "Correct the file.")
        return reading, [error, *raw.file.ragged, *dropped, *report.findings]
    smaller = raw.once((choices, "rest"), lambda: read_table(raw.subset(~report.bad), choices))
    return smaller, [*_left_out(raw, report), *dropped, *smaller.report.findings]


def _left_out(raw: RawTable, report: FindingList) -> list[Finding]:
    """Name the rows left out, each file's on their own, with the first error of each kind."""
    errors = [f for f in report.findings if f.severity is Severity.ERROR and f.row is not None]
    kinds: dict[str, str] = {}
    for error in (*raw.file.ragged, *errors):
        kinds.setdefault(error.code, error.message.split(" The same in ")[0].rstrip("."))
    message = f"this row was left out. Errors in the rows left out: {'; '.join(kinds.values())}."
    bad_lines = raw.lines[report.bad].tolist()
    files: list[Any] = list(raw.file.ragged_files)
    files = files or [None] * len(raw.file.ragged_lines)
    of_rows = raw.row_files
    files.extend([None] * len(bad_lines) if of_rows is None else of_rows[report.bad].tolist())
    lines: dict[str | None, list[int]] = {}
    for file, line in zip(files, [*raw.file.ragged_lines, *bad_lines], strict=True):
        lines.setdefault(file, []).append(line)
    return [
        at_lines(
            Finding("rows-left-out", Severity.WARNING, message, file=file, unit=raw.line_unit),
            sorted(line_numbers),
        )
        for file, line_numbers in lines.items()
    ]


def _read_names(raw: RawTable, choices: Choices, report: FindingList) -> tuple[str, ...] | None:
    """Return what the cases are called; a case without a name by its number."""
    columns = choices.columns(raw.names, Role.NAME)
    if len(columns) > 1:
        message = f"found {len(columns)} columns with the role 'name'."
        report.refuse("two-names", message, "Keep one and ignore the others.")
    if len(columns) != 1:
        return None
    texts = [shorten(str(cell).strip()) for cell in raw.cells(columns[0]).tolist()]
    return tuple(name or f"row {row}" for row, name in enumerate(texts, 1))


def _is_one_of(vocabulary: Collection[str], text: str) -> bool:
    return text.strip().lower() in vocabulary


def _read_split(raw: RawTable, choices: Choices, report: FindingList) -> BoolArray | None:
    """Return which rows are test rows, None if nothing says so."""
    columns = choices.columns(raw.names, Role.SPLIT)
    if raw.file.split is not None and (raw.file.split.all() or not raw.file.split.any()):
        part = "training" if raw.file.split.all() else "test"
        hint = "Correct the file, or read the other one alone."
        report.refuse("split-part", f"no row of the {part} file can be used.", hint)
    if len(columns) > 1 or (columns and raw.file.split is not None):
        count = f"{count_of(len(columns), 'column')} with the role 'split'"
        files = "" if raw.file.split is None else " beside separate training and test files"
        report.refuse("two-splits", f"found {count}{files}.", "Keep one and ignore the others.")
    if len(columns) != 1 or raw.file.split is not None:
        return raw.file.split
    name = raw.names[columns[0]]
    test, train = (
        raw.map_texts(columns[0], partial(_is_one_of, vocabulary), bool)
        for vocabulary in (TEST_WORDS, TRAIN_WORDS)
    )
    report.refuse(
        "split-word",
        lambda i: f"found '{shorten(raw.cell(i, columns[0]))}' where train or test is expected.",
        "Write train or test in every row.",
        ~(test | train),
        name,
    )
    if not (test.any() and train.any()):
        message = f"the split has no {'test' if train.any() else 'training'} rows."
        hint = "Mark some rows as train and some as test, or ignore the column."
        report.refuse("split-part", message, hint, column=name)
    return test
