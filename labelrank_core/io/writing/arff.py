"""Data sets as ARFF: MULAN's with an XML file, MEKA's with ``-C``, WEKA-LR's xarff."""

import io
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain, pairwise
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse

from labelrank_core.data.dataset import Dataset
from labelrank_core.data.findings import Finding, Severity, count_of
from labelrank_core.io.writing import losses
from labelrank_core.io.writing.columns import (
    escaped,
    feature_columns,
    number_texts,
    rankings_in_words,
    row_blocks,
)
from labelrank_core.io.writing.file_names import Files, file_stem, parts
from labelrank_core.io.writing.losses import Losses

_PLAIN = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_ESCAPED = re.compile(r"[\\'\n\r\t]")

Rows = NDArray[np.int64]
Body = Callable[[Dataset, Rows], Iterator[str]]


def mulan_losses(dataset: Dataset) -> Losses:
    """Say what a dense ARFF file with an XML file of labels does not hold."""
    found = losses.no_relevance(dataset)
    return [
        *found,
        *_attribute_losses(dataset, dataset.label_names),
        *losses.written_dense(dataset),
    ]


def sparse_mulan_losses(dataset: Dataset) -> Losses:
    """Say what a sparse ARFF file with an XML file of labels does not hold."""
    return [
        *losses.no_relevance(dataset),
        *losses.other_storage(),
        *_attribute_losses(dataset, dataset.label_names),
    ]


def xarff_losses(dataset: Dataset) -> Losses:
    """Say what an xarff file does not hold."""
    found = losses.no_rankings(dataset)
    if found and found[0].severity is Severity.ERROR:
        return found
    found += losses.in_words(dataset)
    cannot = "has a '|', which separates chains of labels in this format"
    found += losses.refused_names(dataset.label_names, lambda name: "|" not in name, cannot)
    ranked = np.sort(dataset.rankings, axis=1)
    n_tied = int((np.diff(ranked, axis=1) == 0).any(axis=1).sum())
    if n_tied:
        message = (
            f"ties in {count_of(n_tied, 'row')}, for WEKA-LR itself: they are written a=b, which "
            "is read back here."
        )
        found.append(Finding("ties", Severity.INFO, message, count=n_tied))
    return [*found, *_attribute_losses(dataset, ()), *losses.written_dense(dataset)]


def _attribute_losses(dataset: Dataset, labels: Sequence[str]) -> Losses:
    """Say what attributes do not hold, some of them called like labels."""
    names = [column.name for column in dataset.schema.columns]
    found = losses.odd_text(dataset)
    found += losses.refused_spaces([*names, *labels], what="column or label")
    renamed = len(set(names).intersection(labels))
    if renamed:
        message = (
            f"the names of {count_of(renamed, 'column')} called like a label: attributes need "
            "different names, so ' (feature)' is put behind."
        )
        found.append(Finding("renamed-features", Severity.WARNING, message, count=renamed))
    return [*found, *_category_losses(dataset), *losses.row_order(dataset)]


def _category_losses(dataset: Dataset) -> Losses:
    binary = []
    for column in dataset.schema.columns:
        stripped = Counter(category.strip() for category in column.categories)
        if "" in stripped or max(stripped.values(), default=1) > 1:
            message = f"categories of '{column.name}' differ in spaces only, or one is empty."
            return losses.refused("category", message)
        if column.kind == "nominal" and set(column.categories) <= {"0", "1"}:
            binary.append(column.name)
    if not binary:
        return []
    what = count_of(len(binary), "column")
    message = f"that {what} with the categories 0 and 1 are nominal: they are read as numbers."
    return [Finding("lost-binary-categories", Severity.WARNING, message, count=len(binary))]


def write_mulan(dataset: Dataset) -> Files:
    """Write dense rows, features first, and the XML file that lists the labels."""
    return _mulan(dataset, _dense_body)


def write_sparse_mulan(dataset: Dataset) -> Files:
    """Write sparse rows, features first, and the XML file that lists the labels."""
    return _mulan(dataset, _sparse_body)


def write_meka(dataset: Dataset) -> Files:
    """Write dense rows, labels first and counted in the name of the relation."""
    relation = f"{file_stem(dataset.name)}: -C {dataset.n_labels}"
    attributes = [*_label_attributes(dataset), *_feature_attributes(dataset, dataset.label_names)]
    return _files(dataset, ".arff", relation, attributes, _labels_first_body)


def write_xarff(dataset: Dataset) -> Files:
    """Write dense rows, features first, and rankings such as ``b>a`` in the last attribute."""
    name = _free_name("ranking", {column.name for column in dataset.schema.columns})
    labels = ",".join(map(_quoted, dataset.label_names))
    ranking = f"@attribute {_quoted(name)} RANKING {{{labels}}}"
    attributes = [*_feature_attributes(dataset, ()), ranking]
    return _files(dataset, ".xarff", file_stem(dataset.name), attributes, _ranking_body)


def _mulan(dataset: Dataset, body: Body) -> Files:
    attributes = [*_feature_attributes(dataset, dataset.label_names), *_label_attributes(dataset)]
    label_list = (f"{file_stem(dataset.name)}.xml", partial(_label_list, dataset))
    return [*_files(dataset, ".arff", file_stem(dataset.name), attributes, body), label_list]


def _files(
    dataset: Dataset, extension: str, relation: str, attributes: list[str], body: Body
) -> Files:
    head = "\n".join([f"@relation {_quoted(relation)}", "", *attributes, "", "@data"]) + "\n"
    return [
        (name, partial(_content, head, partial(body, dataset, rows)))
        for name, rows in parts(dataset, extension)
    ]


def _content(head: str, body: Callable[[], Iterator[str]]) -> bytes:
    buffer = io.BytesIO()
    for text in chain([head], body()):
        buffer.write(text.encode())
    return buffer.getvalue()


def _label_list(dataset: Dataset) -> bytes:
    lines = [f"<label name={quoteattr(name)}></label>" for name in dataset.label_names]
    head = '<?xml version="1.0" encoding="utf-8"?>'
    root = '<labels xmlns="http://mulan.sourceforge.net/labels">'
    return ("\n".join([head, root, *lines, "</labels>"]) + "\n").encode()


def _feature_attributes(dataset: Dataset, labels: Sequence[str]) -> list[str]:
    taken = {*labels, *(column.name for column in dataset.schema.columns)}
    lines = []
    for column in dataset.schema.columns:
        name = column.name
        if name in labels:
            name = _free_name(f"{name} (feature)", taken)
            taken.add(name)
        listed = ",".join(map(_quoted, column.categories))
        kind = f"{{{listed}}}" if column.kind == "nominal" else "numeric"
        lines.append(f"@attribute {_quoted(name)} {kind}")
    return lines


def _label_attributes(dataset: Dataset) -> list[str]:
    return [f"@attribute {_quoted(name)} {{0,1}}" for name in dataset.label_names]


def _free_name(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "'"
    return name


def _quoted(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return text
    return "'" + _ESCAPED.sub(lambda sign: _ESCAPES[sign[0]], text) + "'"


def _feature_texts(dataset: Dataset, rows: Rows) -> list[list[str]]:
    return [
        escaped(values, _quoted) if isinstance(values, pd.Categorical) else number_texts(values)
        for values in feature_columns(dataset, rows)
    ]


def _label_texts(dataset: Dataset, rows: Rows) -> list[list[str]]:
    return [number_texts(column) for column in dataset.relevance[rows].T]


def _dense_body(dataset: Dataset, rows: Rows) -> Iterator[str]:
    for block in _blocks(dataset, rows):
        yield _lines([*_feature_texts(dataset, block), *_label_texts(dataset, block)])


def _labels_first_body(dataset: Dataset, rows: Rows) -> Iterator[str]:
    for block in _blocks(dataset, rows):
        yield _lines([*_label_texts(dataset, block), *_feature_texts(dataset, block)])


def _ranking_body(dataset: Dataset, rows: Rows) -> Iterator[str]:
    for block in _blocks(dataset, rows):
        words = rankings_in_words(dataset.rankings[block], dataset.label_names)
        cells = escaped(words, lambda text: _quoted(text) if text else "?")
        yield _lines([*_feature_texts(dataset, block), cells])


def _sparse_body(dataset: Dataset, rows: Rows) -> Iterator[str]:
    for block in _blocks(dataset, rows):
        coded = sparse.csr_matrix(
            sparse.hstack([_codes(dataset, block), sparse.csr_matrix(dataset.relevance[block])])
        )
        coded.eliminate_zeros()
        coded.sort_indices()
        yield "".join(_sparse_lines(coded, _category_texts(dataset)))


def _codes(dataset: Dataset, rows: Rows) -> Any:
    """Return features with the numbers of categories in place of 0/1 columns."""
    if dataset.schema.is_numeric:
        return sparse.csr_matrix(dataset.X[rows])
    columns = [
        values.codes if isinstance(values, pd.Categorical) else values
        for values in feature_columns(dataset, rows)
    ]
    return sparse.csr_matrix(np.column_stack(columns).astype(np.float64))


def _category_texts(dataset: Dataset) -> dict[int, list[str]]:
    return {
        j: [_quoted(category) for category in column.categories]
        for j, column in enumerate(dataset.schema.columns)
        if column.kind == "nominal"
    }


def _sparse_lines(matrix: Any, categories: dict[int, list[str]]) -> Iterator[str]:
    columns = matrix.indices.tolist()
    texts = number_texts(matrix.data) if matrix.nnz else []
    if categories:
        texts = [
            categories[j][int(text)] if j in categories else text
            for j, text in zip(columns, texts, strict=True)
        ]
    cells = [f"{j} {text}" for j, text in zip(columns, texts, strict=True)]
    ends = matrix.indptr.tolist()
    for start, end in pairwise(ends):
        yield "{" + ",".join(cells[start:end]) + "}\n"


def _blocks(dataset: Dataset, rows: Rows) -> Iterator[Rows]:
    for block in row_blocks(len(rows), len(dataset.schema.columns) + dataset.n_labels):
        yield rows[block]


def _lines(columns: list[list[str]]) -> str:
    return "".join(f"{','.join(row)}\n" for row in zip(*columns, strict=True))
