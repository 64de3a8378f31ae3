"""CSV files as scikit-lr publishes its data: sizes and names in the first line, then numbers."""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from labelrank_core.issues import Issue, Severity
from labelrank_core.readers.delimited import MAX_COLUMNS, read_delimited
from labelrank_core.readers.marks import FEATURE, POSITION
from labelrank_core.readers.sources import Source
from labelrank_core.readers.table import RawTable
from labelrank_core.readers.vocabulary import Role, TargetForm

_START = re.compile(rb"\d{1,9},\d{1,9},\d{1,9}[,\r\n]")
_MAX_HEADER = 10_000_000


@dataclass(frozen=True)
class _Header:
    n_rows: int
    n_features: int
    n_labels: int
    names: tuple[str, ...]
    end: int


def recognises_scikit_lr(source: Source) -> bool:
    """Tell whether the first line announces the fields of the second.

    Parameters
    ----------
    source : Source
        The file.

    Returns
    -------
    bool
        Whether it begins with the numbers of rows, features and at least two labels; where three
        fields without names follow, the number of rows must be right.
    """
    return _START.match(source.data) is not None and _header(source.data) is not None


def read_scikit_lr(source: Source, companions: Sequence[Source]) -> RawTable:  # noqa: ARG001
    """Read features and positions; the first line says how many columns are which.

    Parameters
    ----------
    source : Source
        The file.
    companions : sequence of Source
        None.

    Returns
    -------
    RawTable
        The features and the labels' positions, called as the first line says, else A1, A2 and so
        on and L1, L2 and so on.
    """
    header = _header(source.data)
    assert header is not None
    features = [f"A{j + 1}" for j in range(header.n_features)]
    labels = [f"L{j + 1}" for j in range(header.n_labels)]
    names = features + labels
    if header.names:
        marks = [FEATURE] * header.n_features + [POSITION] * header.n_labels
        names = [mark + name for mark, name in zip(marks, header.names, strict=True)]
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(names)
    raw = read_delimited(replace(source, data=line.getvalue().encode() + source.data[header.end :]))
    raw = replace(raw, format="scikit-lr's CSV")
    n_found = raw.n_rows + len(raw.ragged_lines)
    if n_found != header.n_rows:
        message = f"the first line announces {header.n_rows} rows; found {n_found}."
        hint = "Check that the file is complete."
        issue = Issue("other-count", Severity.WARNING, message, hint, row=1)
        raw = replace(raw, findings=(*raw.findings, issue))
    if header.names:
        return raw
    roles = dict.fromkeys(labels, Role.LABEL)
    return replace(raw, declared_roles=roles, declared_form=TargetForm.POSITIONS)


def _header(data: bytes) -> _Header | None:
    """Return what the first line says; None: not this format."""
    text = data[:_MAX_HEADER].decode("utf-8", errors="surrogateescape")
    lines = io.StringIO(text, newline="")
    reader = csv.reader(lines, strict=True)
    try:
        cells = next(reader)
        end = len(text[: lines.tell()].encode("utf-8", errors="surrogateescape"))
        second = next(reader)
    except (csv.Error, StopIteration):
        return None
    n_rows, n_features, n_labels = map(int, cells[:3])
    n_columns = n_features + n_labels
    if n_labels < 2 or not n_features or n_columns > MAX_COLUMNS or len(second) != n_columns:
        return None
    names = tuple(cells[3:])
    if names and len(names) != n_columns:
        return None
    # Three numbers and rows of three numbers may as well be a table without names.
    if n_columns == 3 and not names and data[end:].rstrip(b"\r\n").count(b"\n") + 1 != n_rows:
        return None
    return _Header(n_rows, n_features, n_labels, names, end)
