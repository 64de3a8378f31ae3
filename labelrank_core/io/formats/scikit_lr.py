"""The CSV files of scikit-lr: a first line of counts and names, then features and positions."""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from labelrank_core.data.findings import Finding, Severity
from labelrank_core.io.cells import MAX_COLUMNS, Cells
from labelrank_core.io.formats import delimited
from labelrank_core.io.formats.base import Export, Format, Writer, one_file
from labelrank_core.io.header import FEATURE, POSITION, may_run
from labelrank_core.io.sources import Source
from labelrank_core.io.vocabulary import Role, TargetForm

_COUNTS = re.compile(rb"\d{1,9},\d{1,9},\d{1,9}[,\r\n]")
_MAX_HEADER = 10_000_000


def recognises(source: Source) -> bool:
    """Tell whether the first line announces the fields of the second.

    It reads ``rows,features,labels`` with at least two labels, and then nothing or a name for every
    column; where there are three fields in all lines, the number of rows must be right.
    """
    return _COUNTS.match(source.data) is not None and _header(source.data) is not None


def read(source: Source, _: Sequence[Source] = ()) -> Cells:
    """Read features and positions; without names they are called A1, A2, ... and L1, L2, ..."""
    header = _header(source.data)
    assert header is not None
    (n_rows, n_features, n_labels), declared_names, end = header
    labels = [f"L{j + 1}" for j in range(n_labels)]
    names = [*(f"A{j + 1}" for j in range(n_features)), *labels]
    roles = dict.fromkeys(labels, Role.LABEL)
    if declared_names:
        # A feature may be called like a label: marks tell them apart, and are read afterwards.
        marks = [FEATURE] * n_features + [POSITION] * n_labels
        names, roles = [mark + name for mark, name in zip(marks, declared_names, strict=True)], {}
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(names)
    first = line.getvalue().encode("utf-8", errors="surrogateescape")
    cells = delimited.read(replace(source, data=first + source.data[end:]))
    findings, n_found = list(cells.findings), len(cells.lines) + len(cells.ragged_lines)
    if n_found != n_rows:
        message = f"the first line announces {n_rows} rows; found {n_found}."
        hint = "Check that the file is complete."
        findings.append(Finding("other-count", Severity.WARNING, message, hint, row=1))
    form, kind = TargetForm.POSITIONS, "scikit-lr's CSV"
    return replace(cells, findings=findings, format=kind, roles=roles, form=form)


def _header(data: bytes) -> tuple[list[int], list[str], int] | None:
    """Return the counts of the first line, the names behind them, and where the rows begin."""
    text = data[:_MAX_HEADER].decode("utf-8", errors="surrogateescape")
    lines = io.StringIO(text, newline="")
    reader = csv.reader(lines, strict=True)
    try:
        cells = next(reader)
        end = len(text[: lines.tell()].encode("utf-8", errors="surrogateescape"))
        n_fields = len(next(reader))
    except (csv.Error, StopIteration):
        return None
    counts, names = [*map(int, cells[:3])], cells[3:]
    n_rows, n_features, n_labels = counts
    # Without features, other tables may begin alike: names settle it.
    fits = (
        (n_features or names) and n_labels > 1 and n_fields == n_features + n_labels <= MAX_COLUMNS
    )
    all_named = len(names) in (0, n_fields)
    counted = n_fields != 3 or names or data[end:].rstrip().count(b"\n") + 1 == n_rows
    return (counts, names, end) if fits and all_named and counted else None


def _losses(data: Export) -> list[Finding]:
    dataset, findings = data.dataset, data.no_rankings()
    n_partial = int(np.isnan(dataset.Y).any(axis=1).sum())
    if n_partial and not findings:
        message = f"every label needs a position, and {n_partial} rows leave labels out."
        findings = [Finding("partial-rankings", Severity.ERROR, message, "Choose another format.")]
    names = [*dataset.label_names, *dataset.feature_names]
    problem = "holds a carriage return, or begins like a formula, which a spreadsheet would run"
    return [
        *findings,
        *data.odd_text(),
        *data.refused_names(
            names, lambda name: not ("\r" in name or may_run(name)), problem, noun="column or label"
        ),
        *data.no_categories(),
        *data.no_split(),
        *data.too_large_to_read(),
    ]


def _content(data: Export) -> Iterator[bytes]:
    dataset, head = data.dataset, io.StringIO()
    sizes = (dataset.n_samples, dataset.n_features, dataset.n_labels)
    names = (*dataset.feature_names, *dataset.label_names)
    csv.writer(head, lineterminator="\n").writerow([*sizes, *names])
    yield head.getvalue().encode()
    for rows in data.blocks():
        columns = [*data.dense(dataset.X[rows]).T, *dataset.rankings[rows].T]
        yield data.lines(map(data.numbers, columns))


FORMAT = Format(
    "scikit-lr's CSV",
    recognises,
    read,
    writers=(
        Writer(
            "scikit-lr",
            "scikit-lr's CSV",
            "Numbers of rows, features and labels and all names first, then numbers only.",
            _losses,
            partial(one_file, ".csv", _content),
        ),
    ),
)
