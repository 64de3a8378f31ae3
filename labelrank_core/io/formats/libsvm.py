"""Multi-label libsvm files: ``1,5,7 3:0.5 10:1``, the labels of a case and its features.

What follows ``#`` is a comment. This package writes names into comments in the first two lines.
"""

import io
import json
import re
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelrank_core.data.findings import (
    DatasetError,
    Finding,
    Severity,
    count_of,
    refusal,
    too_large,
)
from labelrank_core.io.archives import gzipped
from labelrank_core.io.cells import MAX_LABELS, BadRows, Cells, SparseCells
from labelrank_core.io.formats.base import Export, Format, Rows, Writer, file_per_part
from labelrank_core.io.formats.text import check_lines
from labelrank_core.io.limits import max_features, max_positions
from labelrank_core.io.sources import Source
from labelrank_core.io.vocabulary import Role, TargetForm

# A few bytes can name the highest number: all up to it become features.
MAX_FEATURES = 500_000
_LABEL_LINE, _FEATURE_LINE = "# labels: ", "# features: "
_MAX_NAMES = 20_000_000

# Nothing here can match the same bytes in two ways: a pattern that can takes exponential time.
_EXPONENT = rb"(?>(?:[eE][-+]?+\d++)?)"
_NUMBER = rb"[-+]?+(?:\d++(?>(?:\.\d*+)?)" + _EXPONENT + rb"|\.\d++" + _EXPONENT + rb"|nan|inf)"
_LABELS = rb"(?>(?:\d{1,15}+(?>(?:,\d{1,15}+)*)(?=[ \t]|$))?)"
_LINE = re.compile(
    rb"(" + _LABELS + rb")((?>(?:(?:^|[ \t]++)\d{1,15}+:" + _NUMBER + rb")*))", re.IGNORECASE
)
_HEADER = re.compile(rb"[ \t]*+(\d++)[ \t]++(\d++)[ \t]++(\d++)[ \t]*+")
_TO_SPACE = bytes.maketrans(b"\t:,", b"   ")
_N_LOOKED_AT = 20
_LOOKED_AT = 1_000_000
_BLOCK_LINES = 50_000
_HIGHEST = 2**31 - 1
_HINT = "Write the labels' numbers with commas, a space, and index:value pairs with spaces."


def recognises(source: Source) -> bool:
    """Tell whether most of the first lines of a file are index:value pairs, labelled or not."""
    if source.data.startswith(_LABEL_LINE.encode()):
        return True
    start = source.data[:_LOOKED_AT]
    if len(source.data) > len(start):
        # What is cut off says nothing: the last line, or of a single one its last pair.
        start = start[: max(start.rfind(b"\n"), 0) or max(start.rfind(b" "), 0)]
    lines = [line for _, line in islice(_lines(start), _N_LOOKED_AT + 1)]
    if lines and _HEADER.fullmatch(lines[0]):
        del lines[0]
    matches = [match for match in map(_match, lines) if match]
    return any(match[2] for match in matches) and len(matches) * 2 > len(lines)


def read(source: Source, _: Sequence[Source] = ()) -> Cells:
    """Read a file into a 0/1 column per label, and sparse features.

    Labels and features keep the numbers they have in the file in their names. They count from 0
    where 0 occurs, else from 1; with a first line ``rows features labels`` from 0 unless the
    highest number is as high as their count. Those that never occur are 0 in every row.
    """
    check_lines(source.data.count(b"\n"))
    lines = _lines(source.data)
    first = next(lines, (1, b""))
    header = _HEADER.fullmatch(first[1])
    rows = _parse(lines if header else chain([first], lines))
    if not len(rows.lines):
        raise refusal("no-rows", "no row can be read.", _HINT)
    counts = [min(int(count[:16]), _HIGHEST) for count in header.groups()] if header else None
    labels = _numbering(rows.labels, counts[2] if counts else None)
    features = _numbering(rows.indices, counts[1] if counts else None)
    names = _read_names(source.data, rows)
    if names:
        labels, features = range(len(names[0])), range(1, len(names[1]) + 1)
    n_labels, n_features, n_rows = len(labels), len(features), len(rows.lines)
    size = len(source.data)
    n_given, too_many = n_rows + len(rows.bad.lines), n_labels * n_rows > max_positions(size)
    if too_many or n_labels > MAX_LABELS or n_features > min(MAX_FEATURES, max_features(size)):
        content = (
            f"{count_of(n_labels, 'label')}, {count_of(n_features, 'feature')} and "
            f"{count_of(n_rows, 'row')}"
        )
        hint = "Take a sample of the rows, or leave out rare labels and features."
        raise DatasetError([too_large(f"there are {content}, more than can be read.", hint)])
    repeats, sparse = _sparse(rows, features, names[1] if names else None)
    relevance = np.zeros((n_rows, n_labels))
    row_of_label = np.repeat(np.arange(n_rows), rows.n_labels)
    relevance[row_of_label, rows.labels.astype(np.int64) - labels.start] = 1
    relevance = relevance[~repeats]
    message, hint = "a feature stands twice in this line.", "Give every feature one value."
    rows.bad.add("repeated-feature", rows.lines[repeats].tolist(), message, hint)
    columns = {f"L{number}": relevance[:, j] for j, number in enumerate(labels)}
    return Cells(
        source.stem,
        columns,
        rows.lines[~repeats],
        "multi-label libsvm",
        findings=_findings(labels, features, counts, n_given),
        ragged=rows.bad.findings,
        ragged_lines=sorted(rows.bad.lines),
        roles=dict.fromkeys(columns, Role.LABEL),
        form=TargetForm.RELEVANCE,
        sparse=sparse,
        titles=dict(zip(columns, names[0], strict=True)) if names else {},
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
class _SparseRows:
    """The rows that are as they should be: all labels, indices and values, in turn."""

    lines: NDArray[np.int64]
    n_labels: NDArray[np.int64]
    n_pairs: NDArray[np.int64]
    labels: NDArray[np.float64]
    indices: NDArray[np.int32]
    values: NDArray[np.float64]
    bad: BadRows


def _parse(lines: Iterator[tuple[int, bytes]]) -> _SparseRows:
    bad, good = BadRows(), list[int]()
    message = "this line does not hold labels such as 1,5 and pairs such as 3:0.5."
    n_labels: list[int] = []
    n_pairs: list[int] = []
    labels, indices, values = [np.empty(0)], [np.empty(0, dtype=np.int32)], [np.empty(0)]
    while block := list(islice(lines, _BLOCK_LINES)):
        matches = [(number, _match(line)) for number, line in block]
        wrong = [number for number, match in matches if match is None]
        bad.add("not-libsvm", wrong, message, _HINT)
        good += [number for number, match in matches if match is not None]
        texts, pairs = ([match[k] for _, match in matches if match] for k in (1, 2))
        n_labels += [text.count(b",") + bool(text) for text in texts]
        n_pairs += [text.count(b":") for text in pairs]
        labels.append(_numbers(texts))
        numbers = _numbers(pairs)
        indices.append(np.minimum(numbers[::2], _HIGHEST).astype(np.int32))
        values.append(numbers[1::2].copy())
    return _SparseRows(
        lines=np.array(good, dtype=np.int64),
        n_labels=np.array(n_labels, dtype=np.int64),
        n_pairs=np.array(n_pairs, dtype=np.int64),
        labels=np.concatenate(labels),
        indices=np.concatenate(indices),
        values=np.concatenate(values),
        bad=bad,
    )


def _numbers(texts: list[bytes]) -> NDArray[np.float64]:
    """Read the numbers of all texts; they are known to be numbers."""
    text = b" ".join(texts).translate(_TO_SPACE)
    return np.fromstring(text.decode(), sep=" ") if text.strip() else np.empty(0)


def _numbering(numbers: NDArray[Any], count: int | None) -> range:
    """Return which numbers labels or features have, from those that occur and a declared count."""
    lowest, highest = (int(numbers.min()), int(numbers.max())) if len(numbers) else (1, 0)
    if count is None:
        return range(min(lowest, 1), highest + 1)
    start = int(lowest > 0 and highest == count)
    return range(start, max(start + count, highest + 1))


def _sparse(
    rows: _SparseRows, features: range, names: Sequence[str] | None
) -> tuple[NDArray[np.bool_], SparseCells]:
    """Return which rows give a feature twice, and the features of the others."""
    of_row = np.repeat(np.arange(len(rows.lines)), rows.n_pairs)
    indices, values = rows.indices - np.int32(features.start), rows.values
    keys = of_row * len(features) + indices
    if (np.diff(keys) <= 0).any():
        order = np.argsort(keys, kind="stable")
        of_row, indices, values, keys = of_row[order], indices[order], values[order], keys[order]
    repeats = np.zeros(len(rows.lines), dtype=bool)
    repeats[of_row[1:][np.diff(keys) == 0]] = True
    is_valid = ~repeats[of_row]
    starts = np.concatenate([[0], np.cumsum(rows.n_pairs[~repeats])])
    feature_names = tuple(names or (f"f{number}" for number in features))
    return repeats, SparseCells(
        feature_names, values[is_valid], indices[is_valid], starts, is_open=names is None
    )


def _findings(
    labels: range, features: range, counts: list[int] | None, n_rows: int
) -> list[Finding]:
    message = f"as in the file, labels count from {labels.start}, features from {features.start}."
    findings = [Finding("numbering", Severity.INFO, message)]
    actual = [n_rows, len(features), len(labels)]
    if counts is not None and counts != actual:
        rows, columns, names = counts
        announced = (
            f"announces {count_of(rows, 'row')}, {count_of(columns, 'feature')} and "
            f"{count_of(names, 'label')}"
        )
        message = f"the first line {announced}; found {actual[0]}, {actual[1]} and {actual[2]}."
        hint = "Check that the file is complete."
        findings.append(Finding("other-count", Severity.WARNING, message, hint, row=1))
    return findings


def _read_names(data: bytes, rows: _SparseRows) -> list[list[str]] | None:
    """Return the names of labels, from 0, and features, from 1, if all that occur have one."""
    names = []
    occurring: tuple[NDArray[Any], ...] = (rows.labels, rows.indices)
    starts = zip((_LABEL_LINE, _FEATURE_LINE), occurring, (0, 1), strict=True)
    lines = data[:_MAX_NAMES].split(b"\n", 2)
    for line, (start, numbers, first) in zip(lines, starts, strict=False):
        try:
            line_names = json.loads(line.removeprefix(start.encode()))
        except (ValueError, RecursionError):
            return None
        if not isinstance(line_names, list) or not all(
            isinstance(name, str) for name in line_names
        ):
            return None
        all_named = (
            first <= numbers.min() <= numbers.max() < first + len(line_names)
            if len(numbers)
            else True
        )
        if not all_named or len(set(line_names)) < len(line_names):
            return None
        names.append(line_names)
    return names if len(names) == 2 else None


def _losses(data: Export) -> list[Finding]:
    return [
        *data.no_relevance(),
        *data.odd_text(),
        *data.no_categories(),
        *data.row_order(),
    ]


def _compressed_losses(data: Export) -> list[Finding]:
    if data.dataset.split is None:
        return _losses(data)
    message = "the split makes two files, which are packed together without this."
    hint = "Choose libsvm that is not compressed."
    return [Finding("two-files", Severity.ERROR, message, hint), *_losses(data)]


def _content(data: Export, rows: Rows) -> Iterator[bytes]:
    dataset = data.dataset
    yield f"{_LABEL_LINE}{json.dumps(dataset.label_names)}\n".encode()
    yield f"{_FEATURE_LINE}{json.dumps(dataset.feature_names)}\n".encode()
    for block in data.blocks(rows):
        pairs = data.sparse_cells(dataset.X[block], " {}:{}", first=1)
        for relevant, features in zip(dataset.relevance[block], pairs, strict=True):
            labels = ",".join(map(str, np.flatnonzero(relevant).tolist()))
            # A row without anything is a space: an empty line would be none.
            yield ((labels + "".join(features) or " ") + "\n").encode()


def _compressed(data: Export, rows: Rows) -> list[bytes]:
    return [gzipped(b"".join(_content(data, rows)))]


FORMAT = Format(
    "multi-label libsvm",
    recognises,
    read,
    writers=(
        Writer(
            "libsvm",
            "Multi-label libsvm",
            "Labels from 0, features from 1; names in comments, which LIBSVM's own programs "
            "refuse.",
            _losses,
            partial(file_per_part, ".svm", _content),
        ),
        Writer(
            "libsvm-gz",
            "Multi-label libsvm, compressed",
            "The same, as .gz.",
            _compressed_losses,
            partial(file_per_part, ".svm.gz", _compressed),
        ),
    ),
)
