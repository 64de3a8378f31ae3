"""A data set as formats write it: its columns as text and numbers, in blocks of rows."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from labelrank_core.data.dataset import Task
from labelrank_core.data.schema import Column as SchemaColumn
from labelrank_core.io.cells import Coded, Column
from labelrank_core.io.formats.base import Rows
from labelrank_core.io.header import (
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
from labelrank_core.io.losses import ExportLosses
from labelrank_core.io.parts import common_name
from labelrank_core.rankings import FloatArray, label_buckets

_BLOCK_CELLS = 500_000
_MAX_LENGTH = 80
_ODD = re.compile(r"[^\w .-]")


def file_stem(name: str) -> str:
    """Turn a data set's name into one for a file, as every system takes it."""
    return _ODD.sub("_", name).strip(" ._-")[:_MAX_LENGTH].strip(" ._-") or "data"


class Export(ExportLosses):
    """A data set as formats see it: its columns as text and numbers, and their losses."""

    @property
    def stem(self) -> str:
        """The name for files."""
        return file_stem(self.dataset.name)

    def parts(self, extension: str) -> list[tuple[str, Rows]]:
        """Return the files for a format that keeps a split as two files, with the rows of each."""
        split = self.dataset.split
        if split is None:
            return [(self.stem + extension, np.arange(self.dataset.n_samples))]
        stem = file_stem(common_name(self.stem))
        return [
            (f"{stem}-train{extension}", np.flatnonzero(~split)),
            (f"{stem}-test{extension}", np.flatnonzero(split)),
        ]

    def blocks(self, rows: Rows | None = None) -> Iterator[Rows]:
        """Split rows into blocks of a bounded number of cells."""
        rows = np.arange(self.dataset.n_samples) if rows is None else rows
        n_columns = len(self.dataset.schema.columns) + self.dataset.Y.shape[1]
        step = max(1, _BLOCK_CELLS // max(1, n_columns))
        for start in range(0, len(rows), step):
            yield rows[start : start + step]

    def heads(self, *, in_words: bool = False) -> list[str]:
        """Return the names of all columns, features first, with the marks of their roles."""
        dataset = self.dataset
        heads = [_head(column) for column in dataset.schema.columns]
        if in_words:
            heads.append(RANKING + "=".join(dataset.label_names))
        else:
            mark = RELEVANT if dataset.task is Task.MULTILABEL else POSITION
            heads += [mark + name for name in dataset.label_names]
            if dataset.task is Task.CALIBRATED_RANKING:
                heads.append(f"{ZERO}line")
        return [*heads, *([f"{SPLIT}part"] if dataset.split is not None else [])]

    def columns(self, rows: Rows, *, in_words: bool = False) -> list[Column]:
        """Return the columns of some rows, in the order of `heads`; NaN = not ranked."""
        split = self.dataset.split
        targets = [self.ordering_strings(rows)] if in_words else self.dataset.Y[rows].T
        parts = [] if split is None else [Coded(split[rows].astype(np.int32), ["train", "test"])]
        return [*self.features(rows), *targets, *parts]

    def features(self, rows: Rows) -> list[Column]:
        """Return the user's own feature columns of some rows, numbers or categories."""
        if self.dataset.schema.is_numeric:
            return list(self.dense(self.dataset.X[rows]).T)
        frame = self.dataset.feature_frame(rows)
        columns = (frame.iloc[:, j].array for j in range(frame.shape[1]))
        return [
            Coded(column.codes, list(column.categories))
            if isinstance(column, pd.Categorical)
            else np.asarray(column)
            for column in columns
        ]

    @staticmethod
    def dense(X: Any) -> FloatArray:
        """Return a matrix with its zeros."""
        return X.toarray() if sparse.issparse(X) else X

    def texts(
        self, column: Column, escape: Callable[[str], str], number: Callable[[str], str] = str
    ) -> list[str]:
        """Write a column as text, its categories by `escape` and its numbers by `number`."""
        if not isinstance(column, Coded):
            return [*map(number, self.numbers(np.asarray(column)))]
        categories = [*map(escape, column.categories)]
        return [categories[code] for code in column.codes.tolist()]

    @staticmethod
    def numbers(values: FloatArray) -> list[str]:
        """Write numbers as the shortest texts that give the same numbers again; NaN as a blank."""
        lines = "\n".join(map(repr, np.asarray(values).tolist())) + "\n"
        return lines.replace(".0\n", "\n").replace("nan\n", "\n").split("\n")[:-1]

    @staticmethod
    def lines(columns: Iterable[Sequence[str]], delimiter: str = ",") -> bytes:
        """Write columns of text row by row."""
        rows = map(delimiter.join, zip(*columns, strict=True))
        return ("\n".join(rows) + "\n").encode()

    def sparse_cells(
        self,
        matrix: Any,
        template: str,
        *,
        first: int = 0,
        category_texts: dict[int, list[str]] | None = None,
    ) -> Iterator[list[str]]:
        """Yield the nonzero cells of each row: index, from `first` on, and number or category."""
        matrix = sparse.csr_matrix(matrix)
        matrix.eliminate_zeros()
        matrix.sort_indices()
        numbers = self.numbers(matrix.data) if matrix.nnz else []
        cells = [
            template.format(
                j + first,
                category_texts[j][int(text)] if category_texts and j in category_texts else text,
            )
            for j, text in zip(matrix.indices.tolist(), numbers, strict=True)
        ]
        ends = matrix.indptr.tolist()
        for start, end in pairwise(ends):
            yield cells[start:end]

    def buckets(self, rows: Any) -> Iterator[list[list[int]]]:
        """Yield the indices of the labels of each row, best first, tied ones together."""
        yield from map(label_buckets, self.dataset.rankings[rows])

    @cached_property
    def _pairs_in_words(self) -> list[str]:
        return _with_bar(self.dataset.preferences.to_words())

    def ordering_strings(self, rows: Rows) -> Coded:
        """Return targets as a column of words, ``b>a=c`` or ``b>a|c>d``, of ranked labels only."""
        names = self.dataset.label_names
        if self.dataset.task is Task.PAIR_PREFERENCES:
            pairs = [self._pairs_in_words[row] for row in rows]
            return Coded(np.arange(len(pairs)), pairs)
        texts = [
            ">".join("=".join(names[j] for j in bucket) for bucket in row)
            for row in self.buckets(rows)
        ]
        return Coded(np.arange(len(texts)), texts)


def _with_bar(texts: list[str]) -> list[str]:
    """Write one chain twice if no row has two: the ``|`` tells readers that these are pairs."""
    if any("|" in text for text in texts):
        return texts
    row = next((row for row, text in enumerate(texts) if text), None)
    return [f"{text}|{text}" if i == row else text for i, text in enumerate(texts)]


def _head(column: SchemaColumn) -> str:
    if column.kind == "nominal":
        return NOMINAL + column.name
    taken_for_more = split_mark(column.name)[0] or may_run(column.name)
    return FEATURE + column.name if taken_for_more else column.name
