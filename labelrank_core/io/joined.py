"""A training and a test file as one table that keeps the split."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from labelrank_core.data.findings import DatasetError, Finding, Severity, listed, refusal, shorten
from labelrank_core.io.cells import Cells, Coded, Column, SparseCells, as_text
from labelrank_core.io.sources import Source
from labelrank_core.io.vocabulary import TEST_WORDS, TRAIN_WORDS

_WORD = re.compile(r"([^\W_]++)")


def read_parts(files: Sequence[Source], read: Callable[[Source], Cells]) -> Cells | None:
    """Read two files whose names differ only in the words train and test; None: others.

    A third one that is called the same without these words, as MULAN publishes it, holds the same
    rows and is left aside.
    """
    parts: dict[str, list[Source]] = {"train": [], "test": [], "": []}
    names = set()
    for file in files:
        part, rest = _part_of(file)
        parts[part].append(file)
        names.add(tuple(rest))
    if len(names) > 1 or [*map(len, parts.values())] not in ([1, 1, 0], [1, 1, 1]):
        return None
    (train,), (test,), whole = parts.values()
    joined = _joined(read(train), read(test), (train.name, test.name))
    aside = [
        Finding(
            "left-aside",
            Severity.INFO,
            f"the file '{shorten(file.name)}' was not read: its rows are taken from the training "
            "and the test file.",
        )
        for file in whole
    ]
    return replace(joined, name=_common_name(train.stem), findings=(*aside, *joined.findings))


def _part_of(file: Source) -> tuple[str, list[str]]:
    """Return which part a file's name says it is, and the other words of its name."""
    words = _WORD.findall(file.stem.lower())
    for part, known in (("train", TRAIN_WORDS), ("test", TEST_WORDS)):
        if len(known.intersection(words)) == 1:
            return part, [word for word in words if word not in known]
    return "", words


def _common_name(stem: str) -> str:
    """Return the name of a training file without that word and what separates it."""
    pieces = _WORD.split(stem)
    kept = [
        separator + word
        for separator, word in zip(pieces[::2], [*pieces[1::2], ""], strict=True)
        if word.lower() not in TRAIN_WORDS
    ]
    return "".join(kept).strip(" -_.") or "data"


def _joined(train: Cells, test: Cells, files: tuple[str, str]) -> Cells:
    """Put a training and a test table one below the other; findings name their file."""
    findings, ragged = (
        [
            replace(finding, file=file)
            for part, file in zip((train, test), files, strict=True)
            for finding in getattr(part, kind)
        ]
        for kind in ("findings", "ragged")
    )
    if train.columns is None or test.columns is None:
        raise DatasetError([*findings, *train.ragged, *test.ragged])
    _check_columns(train, test, files)
    pairs = zip(train.columns.items(), test.columns.values(), strict=True)
    sizes = [len(train.lines), len(test.lines)]
    return replace(
        train,
        columns={name: _joined_column(first, second) for (name, first), second in pairs},
        lines=np.concatenate([train.lines, test.lines]),
        findings=findings,
        ragged=ragged,
        ragged_lines=(*train.ragged_lines, *test.ragged_lines),
        ragged_files=[files[0]] * len(train.ragged_lines) + [files[1]] * len(test.ragged_lines),
        sparse=_joined_sparse(train.sparse, test.sparse),
        split=np.repeat([False, True], sizes),
        files=files,
    )


def _check_columns(train: Cells, test: Cells, files: Sequence[str]) -> None:
    names = [list(part.columns or ()) for part in (train, test)]
    first, second = (
        [*own, *(part.sparse.names if part.sparse else ())]
        for own, part in zip(names, (train, test), strict=True)
    )
    if names[0] == names[1] and first == second:
        return
    differ = set(first) ^ set(second)
    if differ:
        only = [name for name in [*first, *second] if name in differ]
        what = f"columns that only one of them has: {listed(only)}"
    elif first != second:
        what = "the same columns in another order"
    else:
        what = "the same columns, but only one of them holds sparse rows"
    message = f"the files '{shorten(files[0])}' and '{shorten(files[1])}' have {what}."
    hint = "Give both files the same columns in the same order, or choose one of them."
    raise refusal("other-columns", message, hint)


def _joined_column(first: Column, second: Column) -> Column:
    if isinstance(first, Coded) and isinstance(second, Coded):
        codes = {
            word: code for code, word in enumerate(dict.fromkeys([*first.words, *second.words]))
        }
        places = np.array([*(codes[word] for word in second.words), -1], dtype=np.int32)
        return Coded(np.concatenate([first.codes, places[second.codes]]), list(codes))
    if isinstance(first, np.ndarray) and isinstance(second, np.ndarray):
        return np.concatenate([first, second])
    # A column that is numbers in one file and text in the other is text, to be looked at.
    return as_text(first) + as_text(second)


def _joined_sparse(first: SparseCells | None, second: SparseCells | None) -> SparseCells | None:
    if first is None or second is None:
        return None
    return SparseCells(
        first.names,
        np.concatenate([first.values, second.values]),
        np.concatenate([first.indices, second.indices]),
        np.concatenate([first.starts, second.starts[1:] + first.starts[-1]]),
    )
