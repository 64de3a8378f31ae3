"""A training and a test file as one table that keeps the split."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from scipy import sparse

from labelrank_core.data.findings import DatasetError, Finding, Severity, shorten
from labelrank_core.io.sources import Source
from labelrank_core.io.table import RawTable, SparseFeatures
from labelrank_core.io.vocabulary import TEST_WORDS, TRAIN_WORDS

_SAME_COLUMNS = "Give both files the same columns in the same order, or choose one of them."


@dataclass(frozen=True)
class Parts:
    """The two files of a split."""

    name: str
    sources: tuple[Source, Source]
    findings: tuple[Finding, ...] = ()


def train_and_test(tables: Sequence[Source]) -> Parts | None:
    """Find out by their names whether files are the parts of a split."""
    train, test, whole = (
        [(file, rest) for file, part, rest in map(_part_of, tables) if part == wanted]
        for wanted in ("train", "test", "")
    )
    if len(train) != 1 or len(test) != 1 or len(whole) > 1:
        return None
    (first, name), (second, other) = train[0], test[0]
    if name != other or any(rest != name for _, rest in whole):
        return None
    findings = tuple(
        Finding(
            "left-aside",
            Severity.INFO,
            f"the file '{shorten(file.name)}' was not read: its rows are taken from the training "
            "and the test file.",
        )
        for file, _ in whole
    )
    return Parts(_common_stem(first.stem), (first, second), findings)


def _part_of(file: Source) -> tuple[Source, str, list[str]]:
    """Return which part a file's name says it is, and the other words of its name."""
    words = [word for word in re.split(r"[\W_]+", file.stem.lower()) if word]
    for part, known in (("train", TRAIN_WORDS), ("test", TEST_WORDS)):
        if len(known.intersection(words)) == 1:
            return file, part, [word for word in words if word not in known]
    return file, "", words


def _common_stem(stem: str) -> str:
    words = "|".join(TRAIN_WORDS)
    return re.sub(rf"(?i)(^|[\W_]+)({words})(?=[\W_]|$)", "", stem).strip(" -_.") or "data"


def join_parts(train: RawTable, test: RawTable, parts: Parts) -> RawTable:
    """Put a training and a test table one below the other."""
    files = tuple(source.name for source in parts.sources)
    tables = (train, test)
    findings = [
        replace(issue, file=file)
        for table, file in zip(tables, files, strict=True)
        for issue in table.findings
    ]
    if train.frame is None or test.frame is None:
        ragged = [*train.ragged, *test.ragged]
        raise DatasetError([*findings, *ragged])
    _check_columns(train, test, files)
    split = np.repeat([False, True], [train.n_rows, test.n_rows])
    return replace(
        train,
        name=parts.name,
        frame=_joined_frame(train, test),
        findings=(*parts.findings, *findings),
        ragged=tuple(
            replace(issue, file=file)
            for table, file in zip(tables, files, strict=True)
            for issue in table.ragged
        ),
        ragged_lines=(*train.ragged_lines, *test.ragged_lines),
        ragged_files=tuple(np.repeat(files, [len(table.ragged_lines) for table in tables])),
        sparse=_joined_sparse(train.sparse, test.sparse),
        split=split,
        complete=False,
        files=files,
    )


def _check_columns(train: RawTable, test: RawTable, files: Sequence[str]) -> None:
    first, second = (
        [*table.names, *(table.sparse.names if table.sparse else ())] for table in (train, test)
    )
    if train.names == test.names and first == second:
        return
    differ = set(first) ^ set(second)
    only = [name for name in [*first, *second] if name in differ]
    if only:
        names = ", ".join(f"'{shorten(name)}'" for name in only[:5])
        what = f"columns that only one of them has: {names}{', ...' if len(only) > 5 else ''}"
    elif first != second:
        what = "the same columns in another order"
    else:
        what = "the same columns, but only one of them holds sparse rows"
    message = f"the files '{shorten(files[0])}' and '{shorten(files[1])}' have {what}."
    raise DatasetError([Finding("other-columns", Severity.ERROR, message, _SAME_COLUMNS)])


def _joined_frame(train: RawTable, test: RawTable) -> pd.DataFrame:
    assert train.frame is not None
    assert test.frame is not None
    columns = [_joined_column(train, test, j) for j in range(len(train.names))]
    frame = pd.concat(columns, axis=1) if columns else pd.DataFrame(index=range(0))
    frame.index = train.frame.index.append(test.frame.index).rename("line")
    return frame


def _joined_column(train: RawTable, test: RawTable, j: int) -> pd.Series:
    assert train.frame is not None
    assert test.frame is not None
    first, second = train.frame.iloc[:, j], test.frame.iloc[:, j]
    categories = dict.fromkeys([*train.categories(j), *test.categories(j)])
    if train.categories(j) and test.categories(j):
        dtype = pd.CategoricalDtype(list(categories))
        first, second = first.astype(dtype), second.astype(dtype)
    elif train.is_text(j) != test.is_text(j) or categories:
        # A column that is numbers in one file and text in the other is text, to be looked at.
        first, second = (
            pd.Series(table.cells(j), name=first.name, dtype="str") for table in (train, test)
        )
    return pd.concat([first, second], ignore_index=True)


def _joined_sparse(
    train: SparseFeatures | None, test: SparseFeatures | None
) -> SparseFeatures | None:
    if train is None or test is None:
        return None
    return replace(train, matrix=sparse.vstack([train.matrix, test.matrix], format="csr"))
