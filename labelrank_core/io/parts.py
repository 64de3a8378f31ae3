"""A training and a test file: told by their names, and put together as one table with a split."""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from labelrank_core.data.findings import DatasetError, listed, refusal, shorten
from labelrank_core.data.ranking_words import natural_order
from labelrank_core.io.cells import Cells, Coded, Column, SparseCells, as_text
from labelrank_core.io.sources import Source
from labelrank_core.io.vocabulary import TEST_WORDS, TRAIN_WORDS

_WORD = re.compile(r"([^\W_]++)")


def find_parts(files: Sequence[Source]) -> list[Source] | None:
    """Return a training and a test file, whose names differ only in these words; None: others.

    A third one that is called the same without these words, as MULAN publishes it, comes behind.
    """
    parts: dict[str, list[Source]] = {"train": [], "test": [], "": []}
    names = set()
    for file in files:
        part, other_words = _part_of(file)
        parts[part].append(file)
        names.add(tuple(other_words))
    if len(names) > 1 or [*map(len, parts.values())] not in ([1, 1, 0], [1, 1, 1]):
        return None
    return [file for part in parts.values() for file in part]


def _part_of(file: Source) -> tuple[str, list[str]]:
    """Return which part a file's name says it is, and the other words of its name."""
    name_words = _WORD.findall(file.stem.lower())
    for part, vocabulary in (("train", TRAIN_WORDS), ("test", TEST_WORDS)):
        if len(vocabulary.intersection(name_words)) == 1:
            return part, [word for word in name_words if word not in vocabulary]
    return "", name_words


def common_name(stem: str) -> str:
    """Return a name without the words for a part and their separators."""
    pieces = _WORD.split(stem)
    name_pieces = [
        separator + word
        for separator, word in zip(pieces[::2], [*pieces[1::2], ""], strict=True)
        if word.lower() not in TRAIN_WORDS | TEST_WORDS
    ]
    return "".join(name_pieces).strip(" -_.")


def join_parts(parts: Sequence[Cells], files: Sequence[str]) -> Cells:
    """Put a training and a test table one below the other; findings name their file."""
    findings, ragged = (
        [
            replace(finding, file=file)
            for part, file in zip(parts, files, strict=True)
            for finding in getattr(part, kind)
        ]
        for kind in ("findings", "ragged")
    )
    if any(part.columns is None for part in parts):
        raise DatasetError([*findings, *ragged])
    train, test = _complete(*parts), _complete(*reversed(parts))
    _check_columns(train, test, files)
    train_columns, test_columns = train.columns or {}, test.columns or {}
    bad = [
        (line, file) for part, file in zip(parts, files, strict=True) for line in part.ragged_lines
    ]
    return replace(
        train,
        columns={
            name: _joined_column(column, test_columns[name])
            for name, column in train_columns.items()
        },
        lines=np.concatenate([train.lines, test.lines]),
        findings=findings,
        ragged=ragged,
        ragged_lines=[line for line, _ in bad],
        ragged_files=[file for _, file in bad],
        sparse=_joined_sparse(train.sparse, test.sparse),
        split=np.repeat([False, True], [len(train.lines), len(test.lines)]),
        files=files,
    )


def _complete(part: Cells, counterpart: Cells) -> Cells:
    """Return a part with the features and labels of the other too, where files declare none."""
    sparse, other_sparse = part.sparse, counterpart.sparse
    if not (sparse and other_sparse and sparse.is_open and other_sparse.is_open):
        return part
    columns, none = part.columns or {}, np.zeros(len(part.lines))
    labels = sorted({*columns, *(counterpart.columns or ())}, key=natural_order)
    return replace(
        part,
        columns={name: columns.get(name, none) for name in labels},
        roles={**part.roles, **counterpart.roles},
        sparse=sparse.with_features(
            sorted({*sparse.names, *other_sparse.names}, key=natural_order)
        ),
    )


def _check_columns(train: Cells, test: Cells, files: Sequence[str]) -> None:
    first, second = (
        [*(part.columns or ()), *(part.sparse.names if part.sparse else ())]
        for part in (train, test)
    )
    if first == second and list(train.columns or ()) == list(test.columns or ()):
        return
    differ = set(first) ^ set(second)
    difference = "the same columns in another order"
    if first == second:
        difference = "the same columns, but only one of them holds sparse rows"
    if differ:
        only = [name for name in [*first, *second] if name in differ]
        difference = f"columns that only one of them has: {listed(only)}"
    message = f"the files '{shorten(files[0])}' and '{shorten(files[1])}' have {difference}."
    hint = "Give both files the same columns in the same order, or choose one of them."
    raise refusal("other-columns", message, hint)


def _joined_column(first: Column, second: Column) -> Column:
    if isinstance(first, Coded) and isinstance(second, Coded):
        codes = {
            word: code
            for code, word in enumerate(dict.fromkeys([*first.categories, *second.categories]))
        }
        second_codes = np.array([*(codes[word] for word in second.categories), -1], dtype=np.int32)
        return Coded(np.concatenate([first.codes, second_codes[second.codes]]), list(codes))
    if isinstance(first, np.ndarray) and isinstance(second, np.ndarray):
        return np.concatenate([first, second])
    # A column that is numbers in one file and text in the other is text, to be looked at.
    return as_text(first) + as_text(second)


def _joined_sparse(first: SparseCells | None, second: SparseCells | None) -> SparseCells | None:
    if first is None or second is None:
        return None
    return replace(
        first,
        values=np.concatenate([first.values, second.values]),
        indices=np.concatenate([first.indices, second.indices]),
        starts=np.concatenate([first.starts, second.starts[1:] + first.starts[-1]]),
    )
