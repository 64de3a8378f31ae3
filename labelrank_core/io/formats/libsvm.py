"""Multi-label libsvm files: ``1,5,7 3:0.5 10:1``, the labels of a case and its features."""

import io
import re
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse

from labelrank_core.data.findings import DatasetError, Finding, Severity, at_lines
from labelrank_core.io.build.orderings import MAX_LABELS, MAX_POSITIONS
from labelrank_core.io.formats.libsvm_names import is_named, read_names
from labelrank_core.io.formats.text import refuse_many_lines
from labelrank_core.io.sources import Source
from labelrank_core.io.table import BoolArray, RawTable, SparseFeatures
from labelrank_core.io.vocabulary import Role, TargetForm
from labelrank_core.rankings import FloatArray

MAX_FEATURES = 2_000_000

# Nothing here can match the same bytes in two ways: a pattern that can takes exponential time.
_EXPONENT = rb"(?:[eE][-+]?+\d++)?+"
_NUMBER = rb"[-+]?+(?:\d++(?:\.\d*+)?+" + _EXPONENT + rb"|\.\d++" + _EXPONENT + rb"|nan|inf)"
_LINE = re.compile(
    rb"((?:\d{1,15}+(?:,\d{1,15}+)*+(?=[ \t]|$))?+)((?:(?:^|[ \t]++)\d{1,15}+:"
    + _NUMBER
    + rb")*+)",
    re.IGNORECASE,
)
_HEADER = re.compile(rb"[ \t]*+(\d++)[ \t]++(\d++)[ \t]++(\d++)[ \t]*+")
_TO_COLUMN = bytes.maketrans(b" \t:,", b"\n\n\n\n")
_N_LOOKED_AT = 20
_LOOKED_AT = 1_000_000
_BLOCK_LINES = 50_000
_HIGHEST = 2**31 - 1
_HINT = "Write the labels' numbers with commas, a space, and index:value pairs with spaces."


def recognises_libsvm(source: Source) -> bool:
    """Tell whether most of the first lines of a file are labels and index:value pairs."""
    if is_named(source.data):
        return True
    start = source.data[:_LOOKED_AT]
    if len(source.data) > len(start):
        # What is cut off says nothing: the last line, or of a single one its last pair.
        start = start[: max(start.rfind(b"\n"), 0) or max(start.rfind(b" "), 0)]
    lines = [line for _, line in islice(_lines(start), _N_LOOKED_AT + 1)]
    if lines and _HEADER.fullmatch(lines[0]):
        del lines[0]
    found = [match for match in map(_match, lines) if match]
    labelled, paired = any(match[1] for match in found), any(match[2] for match in found)
    return labelled and paired and len(found) * 2 > len(lines)


def read_libsvm(source: Source, companions: Sequence[Source]) -> RawTable:  # noqa: ARG001
    """Read a multi-label libsvm file.

    Labels and features keep the numbers they have in the file in their names. They count from 0
    where 0 occurs, else from 1; with a first line ``rows features labels`` from 0 unless the
    highest number is as high as their count. What follows ``#`` is a comment; the first two may
    hold names.
    """
    refuse_many_lines(source.data)
    lines = _lines(source.data)
    first = next(lines, (1, b""))
    header = _HEADER.fullmatch(first[1])
    rows = _parse(lines if header else chain([first], lines))
    if not len(rows.lines):
        raise DatasetError([Finding("no-rows", Severity.ERROR, "no row can be read.", _HINT)])
    counts = [min(int(count[:16]), _HIGHEST) for count in header.groups()] if header else None
    labels = _numbering(rows.labels, counts[2] if counts else None)
    features = _numbering(rows.indices, counts[1] if counts else None)
    names = read_names(source.data, rows.labels, rows.indices)
    if names:
        labels, features = range(len(names[0])), range(1, len(names[1]) + 1)
    _refuse_too_many(labels, features, len(rows.lines))
    relevance, matrix = _relevance(rows, labels), _matrix(rows, features)
    repeats = np.diff(matrix.indptr) != rows.n_pairs
    frame = pd.DataFrame(
        relevance[~repeats],
        columns=[f"L{number}" for number in labels],
        index=pd.Index(rows.lines[~repeats], name="line"),
    )
    repeat_lines = rows.lines[repeats].tolist()
    return RawTable(
        name=source.stem,
        frame=frame,
        findings=_findings(labels, features, counts, len(rows.lines) + len(rows.bad_lines)),
        ragged=_ragged(rows.bad_lines, repeat_lines),
        ragged_lines=tuple(sorted(rows.bad_lines + repeat_lines)),
        format="multi-label libsvm",
        declared_roles=dict.fromkeys(frame.columns, Role.LABEL),
        declared_form=TargetForm.RELEVANCE,
        sparse=SparseFeatures(
            matrix[~repeats],
            tuple(names[1]) if names else tuple(f"f{number}" for number in features),
        ),
        titles=dict(zip(frame.columns, names[0], strict=True)) if names else {},
    )


def _match(line: bytes) -> re.Match[bytes] | None:
    return _LINE.fullmatch(line.strip(b" \t"))


def _lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that hold anything, with their numbers and without comments."""
    for number, line in enumerate(io.BytesIO(data.removeprefix(BOM_UTF8)), start=1):
        content = line.split(b"#", 1)[0].rstrip(b"\r\n")
        # A line of spaces is a case without labels whose features are all 0.
        if content:
            yield number, content


@dataclass(frozen=True, eq=False)
class _Rows:
    """The rows that are as they should be: all labels, indices and values, in turn."""

    lines: NDArray[np.int64]
    n_labels: NDArray[np.int64]
    n_pairs: NDArray[np.int64]
    labels: FloatArray
    indices: NDArray[np.int32]
    values: FloatArray
    bad_lines: list[int]


def _parse(lines: Iterator[tuple[int, bytes]]) -> _Rows:
    good: list[int] = []
    bad: list[int] = []
    n_labels: list[int] = []
    n_pairs: list[int] = []
    labels, indices, values = [np.empty(0)], [np.empty(0, dtype=np.int32)], [np.empty(0)]
    while block := list(islice(lines, _BLOCK_LINES)):
        texts: list[bytes] = []
        pairs: list[bytes] = []
        for number, line in block:
            match = _match(line)
            (bad if match is None else good).append(number)
            if match is not None:
                texts.append(match[1])
                pairs.append(match[2])
        n_labels += [text.count(b",") + bool(text) for text in texts]
        n_pairs += [text.count(b":") for text in pairs]
        labels.append(_numbers(texts))
        numbers = _numbers(pairs)
        indices.append(np.minimum(numbers[::2], _HIGHEST).astype(np.int32))
        values.append(numbers[1::2].copy())
    return _Rows(
        lines=np.array(good, dtype=np.int64),
        n_labels=np.array(n_labels, dtype=np.int64),
        n_pairs=np.array(n_pairs, dtype=np.int64),
        labels=np.concatenate(labels),
        indices=np.concatenate(indices),
        values=np.concatenate(values),
        bad_lines=bad,
    )


def _numbers(texts: list[bytes]) -> FloatArray:
    """Read the numbers of all texts; they are known to be numbers."""
    column = b" ".join(texts).translate(_TO_COLUMN).strip()
    if not column:
        return np.empty(0)
    read = pd.read_csv(io.BytesIO(column), header=None, dtype=np.float64)
    return read[0].to_numpy()


def _numbering(numbers: NDArray[Any], count: int | None) -> range:
    """Return which numbers labels or features have, from those that occur and a declared count."""
    lowest, highest = (int(numbers.min()), int(numbers.max())) if len(numbers) else (1, 0)
    if count is None:
        return range(min(lowest, 1), highest + 1)
    start = int(lowest > 0 and highest == count)
    return range(start, max(start + count, highest + 1))


def _refuse_too_many(labels: range, features: range, n_rows: int) -> None:
    if len(features) > MAX_FEATURES:
        raise _too_large(f"features have numbers above {MAX_FEATURES}, more than can be read.")
    if len(labels) > MAX_LABELS or len(labels) * n_rows > MAX_POSITIONS:
        raise _too_large(
            f"found label numbers up to {labels[-1]} in {n_rows} rows, more than can be read."
        )


def _too_large(message: str) -> DatasetError:
    hint = "Take a sample of the rows, or leave out rare labels and features."
    return DatasetError([Finding("too-large", Severity.ERROR, message, hint)])


def _relevance(rows: _Rows, labels: range) -> BoolArray:
    relevance = np.zeros((len(rows.lines), len(labels)), dtype=bool)
    where = np.repeat(np.arange(len(rows.lines)), rows.n_labels)
    relevance[where, rows.labels.astype(np.int64) - labels.start] = True
    return relevance


def _matrix(rows: _Rows, features: range) -> sparse.csr_matrix:
    """Return the features; a row in which one stands twice has fewer entries than pairs."""
    indptr = np.concatenate([[0], np.cumsum(rows.n_pairs)])
    indices = rows.indices - np.int32(features.start)
    shape = (len(rows.lines), len(features))
    matrix = sparse.csr_matrix((rows.values, indices, indptr), shape=shape)
    matrix.sum_duplicates()
    return matrix


def _findings(
    labels: range, features: range, counts: list[int] | None, n_rows: int
) -> tuple[Finding, ...]:
    message = (
        f"labels are numbered from {labels.start}, features from {features.start}, as in the file."
    )
    issues = [Finding("numbering", Severity.INFO, message)]
    found = [n_rows, len(features), len(labels)]
    if counts is not None and counts != found:
        rows, columns, names = counts
        message = (
            f"the first line announces {rows} rows, {columns} features and {names} labels; found "
            f"{n_rows}, {len(features)} and {len(labels)}."
        )
        hint = "Check that the file is complete."
        issues.append(Finding("other-count", Severity.WARNING, message, hint, row=1))
    return tuple(issues)


def _ragged(bad: list[int], repeats: list[int]) -> tuple[Finding, ...]:
    message = "this line does not hold labels such as 1,5 and pairs such as 3:0.5."
    twice = "a feature stands twice in this line."
    issues = []
    if bad:
        issues.append(at_lines(Finding("not-libsvm", Severity.ERROR, message, _HINT), bad))
    if repeats:
        hint = "Give every feature of a row one value."
        issues.append(at_lines(Finding("repeated-feature", Severity.ERROR, twice, hint), repeats))
    return tuple(issues)
