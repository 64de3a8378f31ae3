"""The CSV files of scikit-lr: a first line of counts, then features and positions."""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from labelrank_core.data.findings import Finding, Severity
from labelrank_core.io.formats.delimited import MAX_COLUMNS, read_delimited
from labelrank_core.io.marks import FEATURE, POSITION
from labelrank_core.io.sources import Source
from labelrank_core.io.table import RawTable
from labelrank_core.io.vocabulary import Role, TargetForm

_COUNTS = re.compile(rb"\d{1,9},\d{1,9},\d{1,9}[,\r\n]")
_MAX_HEADER = 10_000_000


@dataclass(frozen=True)
class _Header:
    """The first line."""

    n_rows: int
    n_features: int
    n_labels: int
    names: list[str]
    end: int


def recognises_scikit_lr(source: Source) -> bool:
    """Tell whether the first line announces the fields of the second."""
    return _COUNTS.match(source.data) is not None and _header(source.data) is not None


def read_scikit_lr(source: Source, companions: Sequence[Source]) -> RawTable:  # noqa: ARG001
    """Read a file of scikit-lr."""
    header = _header(source.data)
    assert header is not None
    labels = [f"L{j + 1}" for j in range(header.n_labels)]
    names = [*(f"A{j + 1}" for j in range(header.n_features)), *labels]
    roles = dict.fromkeys(labels, Role.LABEL)
    if header.names:
        # A feature may be called like a label: marks tell them apart, and are read afterwards.
        marks = [FEATURE] * header.n_features + [POSITION] * header.n_labels
        names = [mark + name for mark, name in zip(marks, header.names, strict=True)]
        roles = {}
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(names)
    first = line.getvalue().encode("utf-8", errors="surrogateescape")
    data = first + source.data[header.end :]
    raw = read_delimited(replace(source, data=data))
    findings = raw.findings
    n_found = raw.n_rows + len(raw.ragged_lines)
    if n_found != header.n_rows:
        message = f"the first line announces {header.n_rows} rows; found {n_found}."
        hint = "Check that the file is complete."
        findings = (*findings, Finding("other-count", Severity.WARNING, message, hint, row=1))
    return replace(
        raw,
        findings=findings,
        format="scikit-lr's CSV",
        declared_roles=roles,
        declared_form=TargetForm.POSITIONS,
    )


def _header(data: bytes) -> _Header | None:
    text = data[:_MAX_HEADER].decode("utf-8", errors="surrogateescape")
    lines = io.StringIO(text, newline="")
    reader = csv.reader(lines, strict=True)
    try:
        cells = next(reader)
        end = len(text[: lines.tell()].encode("utf-8", errors="surrogateescape"))
        n_fields = len(next(reader))
    except (csv.Error, StopIteration):
        return None
    n_rows, n_features, n_labels = map(int, cells[:3])
    header = _Header(n_rows, n_features, n_labels, cells[3:], end)
    fits = n_features and n_labels > 1 and n_fields == n_features + n_labels <= MAX_COLUMNS
    named = len(header.names) in (0, n_fields)
    counted = n_fields != 3 or header.names or data[end:].rstrip().count(b"\n") + 1 == n_rows
    return header if fits and named and counted else None
