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
        part, rest = _part_of(file)
        parts[part].append(file)
        names.add(tuple(rest))
    if len(names) > 1 or [*map(len, parts.values())] not in ([1, 1, 0], [1, 1, 1]):
        return None
    return [file for part in parts.values() for file in part]


def _part_of(file: Source) -> tuple[str, list[str]]:
    """Return which part a file's name says it is, and the other words of its name."""
    words = _WORD.findall(file.stem.lower())
    for part, known in (("train", TRAIN_WORDS), ("test", TEST_WORDS)):
        if len(known.intersection(words)) == 1:
            return part, [word for word in words if word not in known]
    return "", words


def common_name(stem: str) -> str:
    """Return a name without the words for a part and what separates them."""
    pieces = _WORD.split(stem)
    kept = [
        separator + word
        for separator, word in zip(pieces[::2], [*pieces[1::2], ""], strict=True)
        if word.lower() not in TRAIN_WORDS | TEST_WORDS
    ]
    return "".join(kept).strip(" -_.")


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
    own, others = train.columns or {}, test.columns or {}
    bad = [
        (line, file) for part, file in zip(parts, files, strict=True) for line in part.ragged_lines
    ]
    return replace(
        train,
        columns={name: _joined_column(column, others[name]) for name, column in own.items()},
        lines=np.concatenate([train.lines, test.lines]),
        findings=findings,
        ragged=ragged,
        ragged_lines=[line for line, _ in bad],
        ragged_files=[file for _, file in bad],
        sparse=_joined_sparse(train.sparse, test.sparse),
        split=np.repeat([False, True], [len(train.lines), len(test.lines)]),
        files=files,
    )


def _complete(part: Cells, other: Cells) -> Cells:
    """Return a part with the features and labels of the other too, where files declare none."""
    sparse, others = part.sparse, other.sparse
    if not (sparse and others and sparse.is_open and others.is_open):
        return part
    own, none = part.columns or {}, np.zeros(len(part.lines))
    labels = sorted({*own, *(other.columns or ())}, key=natural_order)
    return replace(
        part,
        columns={name: own.get(name, none) for name in labels},
        roles={**part.roles, **other.roles},
        sparse=sparse.with_features(sorted({*sparse.names, *others.names}, key=natural_order)),
    )


def _check_columns(train: Cells, test: Cells, files: Sequence[str]) -> None:
    first, second = (
        [*(part.columns or ()), *(part.sparse.names if part.sparse else ())]
        for part in (train, test)
    )
    if first == second and list(train.columns or ()) == list(test.columns or ()):
        return
    differ = set(first) ^ set(second)
    what = "the same columns in another order"
    if first == second:
        what = "the same columns, but only one of them holds sparse rows"
    if differ:
        only = [name for name in [*first, *second] if name in differ]
        what = f"columns that only one of them has: {listed(only)}"
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
    return replace(
        first,
        values=np.concatenate([first.values, second.values]),
        indices=np.concatenate([first.indices, second.indices]),
        starts=np.concatenate([first.starts, second.starts[1:] + first.starts[-1]]),
    )
