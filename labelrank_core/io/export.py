"""Data sets to files: what every format needs of a data set, what each would lose, the files."""

import io
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse

from labelrank_core.data.dataset import Dataset, Task
from labelrank_core.data.findings import (
    DatasetError,
    Finding,
    Severity,
    count_of,
    listed,
    shorten,
)
from labelrank_core.data.schema import Column as SchemaColumn
from labelrank_core.io.archives import may_unpack
from labelrank_core.io.build.orderings import split_ordering
from labelrank_core.io.cells import (
    MAX_COLUMNS,
    MAX_TEXT_CELLS,
    Coded,
    Column,
    is_missing,
    natural_order,
)
from labelrank_core.io.formats import FORMATS
from labelrank_core.io.formats.base import Files, Writer
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
from labelrank_core.io.vocabulary import TEST_WORDS, TRAIN_WORDS
from labelrank_core.rankings import FloatArray, calibrate

WRITERS = tuple(writer for form in FORMATS for writer in form.writers)

_BLOCK_CELLS = 500_000
_LEVELS = (6, 1, 0)
_MAX_LENGTH = 80
_ODD = re.compile(r"[^\w .-]")
_PART = re.compile(rf"(?i)(?<![^\W_])({'|'.join(TRAIN_WORDS | TEST_WORDS)})(?![^\W_])")

Rows = NDArray[np.int64]


def format_losses(dataset: Dataset) -> list[tuple[Writer, tuple[Finding, ...]]]:
    """List all formats with what each would lose of a data set.

    Parameters
    ----------
    dataset : Dataset
        The data.

    Returns
    -------
    list of (Writer, tuple of Finding)
        Counted from the data; an error says why a format cannot hold them at all.
    """
    return [(writer, tuple(writer.losses(Export(dataset)))) for writer in WRITERS]


def writable_formats(dataset: Dataset) -> list[tuple[Writer, tuple[Finding, ...]]]:
    """List the formats that can hold a data set, with what each would lose.

    Parameters
    ----------
    dataset : Dataset
        The data.

    Returns
    -------
    list of (Writer, tuple of Finding)
        No finding: nothing is lost. Names of labels are never lost: a format that cannot hold one
        to the letter is not listed.
    """
    return [(writer, lost) for writer, lost in format_losses(dataset) if not _has_error(lost)]


def write_dataset(dataset: Dataset, form: Writer | str) -> list[tuple[str, bytes]]:
    r"""Write a data set.

    `read_dataset` reads the files together, without a choice, as the same data apart from what
    the format loses; only roles of ARFF attributes that look like row numbers or like a split need
    to be given. It takes names of data sets from names of files.

    Parameters
    ----------
    dataset : Dataset
        The data.
    form : Writer or str
        The format or its key, such as ``"csv"``.

    Returns
    -------
    list of (str, bytes)
        Names and contents: one file, or an ARFF file with its XML file, or a training and a test
        file where the data have a split that one file cannot hold.

    Raises
    ------
    ValueError
        If there is no such format.
    DatasetError
        If it cannot hold the data.

    Examples
    --------
    >>> data = Dataset(X=[[0.5], [0.25]], Y=[[1, 2], [2, 1]], task=Task.LABEL_RANKING,
    ...                feature_names=["x"], label_names=["a", "b"], name="tiny")
    >>> write_dataset(data, "csv")[0][1].decode("utf-8-sig")
    'x,label_position:a,label_position:b\n0.5,1,2\n0.25,2,1\n'
    """
    return [(name, content()) for name, content in _files(dataset, form)]


def archive_name(dataset: Dataset, form: Writer | str) -> str:
    """Return the name of the one file that `write_archive` makes, without making it.

    Parameters
    ----------
    dataset : Dataset
        The data.
    form : Writer or str
        The format or its key.

    Returns
    -------
    str
        The name.

    Raises
    ------
    ValueError
        If there is no such format.
    DatasetError
        If it cannot hold the data.
    """
    names = [name for name, _ in _files(dataset, form)]
    return names[0] if len(names) == 1 else f"{file_stem(dataset.name)}.zip"


def write_archive(dataset: Dataset, form: Writer | str) -> bytes:
    """Write a data set as one file, a zip archive where the format needs several.

    Parameters
    ----------
    dataset : Dataset
        The data.
    form : Writer or str
        The format or its key.

    Returns
    -------
    bytes
        The content, which `read_dataset` takes too.

    Raises
    ------
    ValueError
        If there is no such format.
    DatasetError
        If it cannot hold the data.
    """
    files = _files(dataset, form)
    if len(files) == 1:
        return files[0][1]()
    return Export.zipped([(name, partial(_in_one_piece, content)) for name, content in files])


def _in_one_piece(content: Callable[[], bytes]) -> list[bytes]:
    return [content()]


def _files(dataset: Dataset, form: Writer | str) -> Files:
    writers = {writer.key: writer for writer in WRITERS}
    key = form.key if isinstance(form, Writer) else form
    if key not in writers:
        raise ValueError(f"Expected form to be one of {', '.join(writers)}, got {form!r}.")
    lost = writers[key].losses(Export(dataset))
    if _has_error(lost):
        raise DatasetError(lost)
    return writers[key].files(Export(dataset))


def _has_error(findings: Sequence[Finding]) -> bool:
    return any(finding.severity is Severity.ERROR for finding in findings)


def file_stem(name: str) -> str:
    """Turn a data set's name into one for a file, as every system takes it.

    >>> file_stem("../fruit: 2024"), file_stem("")
    ('fruit_ 2024', 'data')
    """
    return _ODD.sub("_", name).strip(" ._-")[:_MAX_LENGTH].strip(" ._-") or "data"


@dataclass(frozen=True)
class Head:
    """The head of a column: its name with a mark, and whether the cells are text."""

    name: str
    is_text: bool = False


@dataclass(frozen=True)
class Export:
    """A data set as formats see it: its columns as text and numbers, and what would be lost.

    Losses are findings; an error says that a format cannot hold the data at all.
    """

    dataset: Dataset

    @property
    def stem(self) -> str:
        """The name for files."""
        return file_stem(self.dataset.name)

    def parts(self, extension: str) -> list[tuple[str, Rows]]:
        """Return the files for a format that keeps a split as two files, with the rows of each."""
        split = self.dataset.split
        if split is None:
            return [(self.stem + extension, np.arange(self.dataset.n_samples))]
        stem = file_stem(_PART.sub("", self.stem))
        return [
            (f"{stem}-train{extension}", np.flatnonzero(~split)),
            (f"{stem}-test{extension}", np.flatnonzero(split)),
        ]

    def blocks(self, rows: Rows | None = None) -> Iterator[Rows]:
        """Part rows into blocks of a bounded number of cells."""
        rows = np.arange(self.dataset.n_samples) if rows is None else rows
        n_columns = len(self.dataset.schema.columns) + self.dataset.Y.shape[1]
        step = max(1, _BLOCK_CELLS // max(1, n_columns))
        for start in range(0, len(rows), step):
            yield rows[start : start + step]

    def heads(self, *, in_words: bool = False) -> list[Head]:
        """Return the heads of all columns, with marks that say what they are.

        Features come first, then targets (`in_words`: rankings in one column), then the split.
        """
        dataset = self.dataset
        heads = [_feature_head(column) for column in dataset.schema.columns]
        if in_words:
            heads.append(Head(RANKING + "=".join(dataset.label_names), is_text=True))
        else:
            mark = RELEVANT if dataset.task is Task.MULTILABEL else POSITION
            heads += [Head(mark + name) for name in dataset.label_names]
            if dataset.task is Task.CALIBRATED_RANKING:
                heads.append(Head(f"{ZERO}line"))
        if dataset.split is not None:
            heads.append(Head(f"{SPLIT}part", is_text=True))
        return heads

    def text_blocks(
        self, escape: Callable[[str], str], *, in_words: bool = False
    ) -> Iterator[list[list[str]]]:
        """Yield blocks of rows as columns of text, in the order of `heads`; blank = not ranked.

        Cells of text, not those of numbers, are escaped.
        """
        for rows in self.blocks():
            block = [self.texts(column, escape) for column in self.features(rows)]
            if in_words:
                block.append([escape(text) for text in self.words(rows)])
            else:
                block += map(self.numbers, self.dataset.Y[rows].T)
            if self.dataset.split is not None:
                parts = {True: escape("test"), False: escape("train")}
                block.append([parts[test] for test in self.dataset.split[rows].tolist()])
            yield block

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

    def texts(self, column: Column, escape: Callable[[str], str]) -> list[str]:
        """Write a column, its categories escaped."""
        if not isinstance(column, Coded):
            return self.numbers(np.asarray(column))
        words = [escape(word) for word in column.words]
        return [words[code] for code in column.codes.tolist()]

    @staticmethod
    def numbers(values: FloatArray) -> list[str]:
        """Write numbers as the shortest texts that give the same numbers again; NaN as a blank.

        >>> Export.numbers(np.array([1.0, -0.5, 0.1 + 0.2, 1e300, np.nan]))
        ['1', '-0.5', '0.30000000000000004', '1e+300', '']
        """
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
        words: dict[int, list[str]] | None = None,
    ) -> Iterator[list[str]]:
        """Yield for each row what is not 0: index, counted from `first`, and number or word."""
        matrix = sparse.csr_matrix(matrix)
        matrix.eliminate_zeros()
        matrix.sort_indices()
        numbers = self.numbers(matrix.data) if matrix.nnz else []
        cells = [
            template.format(j + first, words[j][int(text)] if words and j in words else text)
            for j, text in zip(matrix.indices.tolist(), numbers, strict=True)
        ]
        ends = matrix.indptr.tolist()
        for start, end in pairwise(ends):
            yield cells[start:end]

    def buckets(self, rows: Any) -> Iterator[list[list[int]]]:
        """Yield the indices of the labels of each row, best first, tied ones together."""
        places = np.nan_to_num(self.dataset.rankings[rows]).astype(np.int64)
        for row in places.tolist():
            ranked: list[list[int]] = [[] for _ in range(max(row))]
            for label, place in enumerate(row):
                if place:
                    ranked[place - 1].append(label)
            yield ranked

    def words(self, rows: Rows) -> list[str]:
        """Write rankings as ``b>a=c``, labels that are not ranked left out."""
        names = self.dataset.label_names
        return [
            ">".join("=".join(names[j] for j in bucket) for bucket in row)
            for row in self.buckets(rows)
        ]

    @staticmethod
    def zipped(files: Sequence[tuple[str, Callable[[], Iterable[bytes]]]]) -> bytes:
        """Pack files into a zip archive, less tightly where this program would not unpack them.

        Tables of zeros shrink a thousandfold, as bombs do.
        """
        buffer = io.BytesIO()
        for level in _LEVELS:
            buffer = io.BytesIO()
            with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as archive:
                for name, pieces in files:
                    with archive.open(name, "w", force_zip64=True) as member:
                        for piece in pieces():
                            member.write(piece)
                sizes = [(one.file_size, one.compress_size) for one in archive.infolist()]
            if all(may_unpack(*pair) for pair in sizes):
                break
        return buffer.getvalue()

    def no_rankings(self) -> list[Finding]:
        """Refuse targets that rank nothing; name the zero line where it is lost."""
        if self.dataset.task is Task.MULTILABEL:
            return _refused("no-ranking", "the format holds rankings, and 0/1 labels rank nothing.")
        if self.dataset.task is Task.LABEL_RANKING:
            return []
        message = "the zero line: the file will not say which labels are relevant."
        return [_lost("zero-line", message)]

    def no_relevance(self) -> list[Finding]:
        """Refuse targets without a zero line; count the rankings that are more than relevance."""
        if self.dataset.task is Task.LABEL_RANKING:
            message = (
                "the format holds labels that are relevant or not, and plain rankings do not say."
            )
            return _refused("no-zero-line", message)
        if self.dataset.task is Task.MULTILABEL:
            return []
        changed = (calibrate(self.dataset.relevance) != self.dataset.Y).any(axis=1)
        n_lost = int(changed.sum())
        if not n_lost:
            message = "that labels have positions; which are relevant says the same here."
            return [_lost("order", message, severity=Severity.INFO)]
        message = (
            f"the order of the labels in {n_lost} of {count_of(len(changed), 'row')}: the file "
            "will only say which are relevant."
        )
        return [_lost("order", message, n_lost)]

    def no_split(self) -> list[Finding]:
        """Name the split into training and test part where it is lost."""
        if self.dataset.split is None:
            return []
        return [_lost("split", "the split into training and test part.")]

    def row_order(self) -> list[Finding]:
        """Say that rows change their order where a training and a test file are written."""
        split = self.dataset.split
        if split is None or not (np.diff(split.astype(np.int8)) < 0).any():
            return []
        message = "the order of the rows: the training and the test part become a file each."
        return [_lost("row-order", message, severity=Severity.INFO)]

    def no_categories(self) -> list[Finding]:
        """Name the nominal columns where only numbers can be held."""
        names = [column.name for column in self.dataset.schema.columns if column.kind == "nominal"]
        if not names:
            return []
        message = f"that {_columns(names)} hold categories: they become columns of 0 and 1."
        return [_lost("categories", message, len(names))]

    def no_declared_categories(self) -> list[Finding]:
        """Name the nominal columns whose categories cannot be told from the cells alone."""
        schema = self.dataset.schema
        reordered, unused = [], []
        for column, start in zip(schema.columns, schema.starts, strict=False):
            if column.kind != "nominal":
                continue
            if "" in column.categories:
                message = "a category without a name would be a missing value."
                return _refused("empty-category", message)
            encoded = self.dataset.X[:, start : start + column.n_encoded]
            marked = np.asarray(encoded.sum(axis=0)).ravel()
            if len(column.categories) == 2:
                marked = np.array([self.dataset.n_samples - marked[0], marked[0]])
            if (marked == 0).any():
                unused.append(column.name)
            if list(column.categories) != sorted(column.categories, key=natural_order):
                reordered.append(column.name)
        return [
            _lost(code, f"{what} {_columns(names)}.", len(names))
            for names, code, what in (
                (reordered, "category-order", "the order of the categories of"),
                (unused, "unused-categories", "the categories that no row has of"),
            )
            if names
        ]

    def written_dense(self) -> list[Finding]:
        """Say that the zeros of sparse features are written, and what is too much to read back."""
        dataset, found = self.dataset, list[Finding]()
        if sparse.issparse(dataset.X):
            n_zeros = dataset.n_samples * dataset.n_features - dataset.X.nnz
            message = f"that the features are sparse: {n_zeros} zeros are written out."
            found.append(_lost("sparseness", message, severity=Severity.INFO))
        n_columns = len(self.heads())
        if n_columns > MAX_COLUMNS or dataset.n_samples * n_columns > MAX_TEXT_CELLS:
            message = (
                "the way back into this program, which reads tables of at most "
                f"{MAX_COLUMNS} columns and {MAX_TEXT_CELLS} cells of text; this one has "
                f"{n_columns} columns and {dataset.n_samples} rows."
            )
            found.append(Finding("too-large-to-read", Severity.WARNING, message))
        return found

    def other_storage(self) -> list[Finding]:
        """Say that features may be read back dense or sparse, unlike those written."""
        message = "whether features are kept dense or sparse; their values stay the same."
        return [_lost("storage", message, severity=Severity.INFO)]

    def refused_names(
        self, names: Iterable[str], fits: Callable[[str], bool], cannot: str, *, what: str = "label"
    ) -> list[Finding]:
        """Refuse the first name that a format cannot hold to the letter."""
        name = next((name for name in names if not fits(name)), None)
        if name is None:
            return []
        message = f"the {what} name '{shorten(name)}' {cannot}."
        return _refused("name", message, f"Rename the {what}, or choose another format.")

    def all_names(self) -> list[str]:
        """Return the names of columns and labels, and categories."""
        columns = self.dataset.schema.columns
        categories = [name for column in columns for name in column.categories]
        return [*self.dataset.label_names, *(column.name for column in columns), *categories]

    def refused_spaces(self, names: Iterable[str], *, what: str = "label") -> list[Finding]:
        """Refuse names whose spaces would not be read back, and empty ones."""
        cannot = (
            "is empty, or has a line break, a tab or spaces that the format's readers leave out"
        )
        return self.refused_names(
            names, lambda name: name != "" and name == " ".join(name.split()), cannot, what=what
        )

    def refused_control(self, names: Iterable[str]) -> list[Finding]:
        """Refuse labels with control characters."""
        return self.refused_names(names, _is_plain_text, "has a control character")

    def odd_text(self) -> list[Finding]:
        """Refuse names and categories with control characters, which no text file can hold."""
        cannot = "has a control character, which a text file cannot hold"
        what = "column, category or label"
        return self.refused_names(self.all_names(), _is_plain_text, cannot, what=what)

    def in_words(self) -> list[Finding]:
        """Refuse label names that rankings in words cannot hold."""
        cannot = "cannot stand in a ranking such as b>a=c"
        return self.refused_names(self.dataset.label_names, _fits_words, cannot)

    @staticmethod
    def is_unicode(name: str) -> bool:
        """Tell whether a name can be written in UTF-8: it has no half of a character."""
        return not any("\ud800" <= sign <= "\udfff" for sign in name)


def _feature_head(column: SchemaColumn) -> Head:
    if column.kind == "nominal":
        return Head(NOMINAL + column.name, is_text=True)
    taken_for_more = split_mark(column.name)[0] or may_run(column.name)
    return Head(FEATURE + column.name if taken_for_more else column.name)


def _refused(code: str, message: str, hint: str = "Choose another format.") -> list[Finding]:
    return [Finding(code, Severity.ERROR, message, hint)]


def _lost(
    code: str, message: str, count: int = 1, *, severity: Severity = Severity.WARNING
) -> Finding:
    return Finding(f"lost-{code}", severity, message, count=count)


def _columns(names: Sequence[str]) -> str:
    return f"{count_of(len(names), 'column')} ({listed(names)})"


def _is_plain_text(name: str) -> bool:
    """Tell whether a name has no control characters, apart from tabs and line breaks."""
    odd = any((ord(sign) < 32 and sign not in "\t\r\n") or sign == "\x7f" for sign in name)
    return not odd and Export.is_unicode(name)


def _fits_words(name: str) -> bool:
    try:
        return split_ordering(name) == [[name]] and not is_missing(name)
    except ValueError:
        return False
