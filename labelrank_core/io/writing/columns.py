"""A data set as columns of text, in the user's own columns, with a header that is read back."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse

from labelrank_core.data import Column, Dataset, Task
from labelrank_core.io.marks import (
    FEATURE,
    NOMINAL,
    POSITION,
    RANKING,
    RELEVANT,
    SPLIT,
    ZERO,
    may_run,
    split_mark,
)
from labelrank_core.rankings import FloatArray

_BLOCK_CELLS = 500_000

Escape = Callable[[str], str]


@dataclass(frozen=True)
class Head:
    """The head of a column."""

    name: str
    is_text: bool = False


def heads(dataset: Dataset, *, in_words: bool = False) -> list[Head]:
    """Return the heads of all columns, with marks that say what they are."""
    columns = [_feature_head(column) for column in dataset.schema.columns]
    if in_words:
        columns.append(Head(RANKING + "=".join(dataset.label_names), is_text=True))
    else:
        mark = RELEVANT if dataset.task is Task.MULTILABEL else POSITION
        columns += [Head(mark + name) for name in dataset.label_names]
        if dataset.task is Task.CALIBRATED_RANKING:
            columns.append(Head(f"{ZERO}line"))
    if dataset.split is not None:
        columns.append(Head(f"{SPLIT}part", is_text=True))
    return columns


def _feature_head(column: Column) -> Head:
    if column.kind == "nominal":
        return Head(NOMINAL + column.name, is_text=True)
    taken_for_more = split_mark(column.name)[0] or may_run(column.name)
    return Head(FEATURE + column.name if taken_for_more else column.name)


def text_blocks(
    dataset: Dataset, escape: Escape, *, in_words: bool = False
) -> Iterator[list[list[str]]]:
    """Yield blocks of rows, column by column, in the order of `heads`."""
    n_columns = len(dataset.schema.columns) + dataset.Y.shape[1]
    for rows in row_blocks(dataset.n_samples, n_columns):
        block = [
            escaped(values, escape) if isinstance(values, pd.Categorical) else number_texts(values)
            for values in feature_columns(dataset, rows)
        ]
        if in_words:
            words = rankings_in_words(dataset.rankings[rows], dataset.label_names)
            block.append(escaped(words, escape))
        else:
            block += map(number_texts, dataset.Y[rows].T)
        if dataset.split is not None:
            block.append([escape("test" if test else "train") for test in dataset.split[rows]])
        yield block


def row_blocks(n_rows: int, n_columns: int) -> Iterator[slice]:
    """Part rows into blocks of a bounded number of cells."""
    step = max(1, _BLOCK_CELLS // max(1, n_columns))
    for start in range(0, n_rows, step):
        yield slice(start, start + step)


def feature_columns(dataset: Dataset, rows: Any) -> list[Any]:
    """Return the user's own feature columns of some rows."""
    if dataset.schema.is_numeric:
        X = dataset.X[rows]
        return list((X.toarray() if sparse.issparse(X) else X).T)
    frame = dataset.feature_frame(rows)
    return [frame.iloc[:, j].array for j in range(frame.shape[1])]


def number_texts(values: FloatArray) -> list[str]:
    """Write numbers as the shortest texts that give the same numbers again."""
    lines = "\n".join(map(repr, np.asarray(values).tolist())) + "\n"
    return lines.replace(".0\n", "\n").replace("nan\n", "\n").split("\n")[:-1]


def escaped(values: pd.Categorical | list[str], escape: Escape) -> list[str]:
    """Escape texts, each different one once."""
    codes, texts = pd.factorize(np.asarray(values, dtype=object))
    written = [escape(text) for text in texts]
    return [written[code] for code in codes.tolist()]


def rankings_in_words(rankings: FloatArray, names: Sequence[str]) -> list[str]:
    """Write rankings as ``b>a=c``, labels that are not ranked left out."""
    return [">".join("=".join(names[j] for j in bucket) for bucket in row)
            for row in buckets(rankings)]  # fmt: skip


def buckets(rankings: FloatArray) -> Iterator[list[list[int]]]:
    """Yield the labels of each row, best first, those that share a position together."""
    places: NDArray[np.int64] = np.nan_to_num(rankings).astype(np.int64)
    for row in places.tolist():
        listed: list[list[int]] = [[] for _ in range(max(row))]
        for label, place in enumerate(row):
            if place:
                listed[place - 1].append(label)
        yield listed
