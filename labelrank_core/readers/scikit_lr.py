"""CSV files as scikit-lr publishes its data: sizes and names in the first line, then numbers."""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import replace

from labelrank_core.readers.delimited import MAX_COLUMNS, read_delimited
from labelrank_core.readers.marks import FEATURE, POSITION
from labelrank_core.readers.sources import Source
from labelrank_core.readers.table import RawTable

_START = re.compile(rb"\d{1,9},\d{1,9},\d{1,9}[,\r\n]")
_MAX_HEADER = 10_000_000


def recognises_scikit_lr(source: Source) -> bool:
    """Tell whether a file begins with the numbers of its rows, features and labels.

    Parameters
    ----------
    source : Source
        The file.

    Returns
    -------
    bool
        Whether they are right: as many rows follow, and as many columns or none are named.
    """
    return _START.match(source.data) is not None and _header(source.data) is not None


def read_scikit_lr(source: Source, companions: Sequence[Source]) -> RawTable:  # noqa: ARG001
    """Read positions with numbers before them; the first line says how many columns are which.

    Parameters
    ----------
    source : Source
        The file.
    companions : sequence of Source
        None.

    Returns
    -------
    RawTable
        The table, its columns marked as features and labels.
    """
    header = _header(source.data)
    assert header is not None
    names, end = header
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(names)
    raw = read_delimited(replace(source, data=line.getvalue().encode() + source.data[end:]))
    return replace(raw, format="scikit-lr's CSV")


def _header(data: bytes) -> tuple[list[str], int] | None:
    """Return marked names for the columns and where the rows begin; None: not this format."""
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
    if not 2 < n_columns <= MAX_COLUMNS or len(second) != n_columns:
        return None
    rows = data[end:].rstrip(b"\r\n")
    if rows.count(b"\n") + 1 != n_rows:
        return None
    names = cells[3:] or [
        *(f"A{j + 1}" for j in range(n_features)),
        *(f"L{j + 1}" for j in range(n_labels)),
    ]
    if len(names) != n_columns:
        return None
    marks = [FEATURE] * n_features + [POSITION] * n_labels
    return [mark + name for mark, name in zip(marks, names, strict=True)], end
