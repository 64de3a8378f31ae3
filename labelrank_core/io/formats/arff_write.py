"""Data sets as ARFF: MULAN's with an XML file, MEKA's with ``-C``, WEKA-LR's xarff."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from html import escape

import numpy as np

from labelrank_core.data.findings import Finding, Severity, count_of
from labelrank_core.io.cells import Coded
from labelrank_core.io.formats.arff_rows import MANY_ATTRIBUTES, may_stay_sparse
from labelrank_core.io.formats.base import Export, Files, Rows, Writer, file_per_part, one_file

_PLAIN = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_ESCAPED = re.compile(r"[\\'\n\r\t]")

_Body = Callable[[Export, Rows], Iterator[bytes]]
_Texts = Callable[[Export, Rows], list[list[str]]]


def _mulan_losses(data: Export) -> list[Finding]:
    names = data.dataset.label_names
    return [*data.no_relevance(), *_attribute_losses(data, names), *data.too_large_to_read()]


def _sparse_losses(data: Export) -> list[Finding]:
    names = data.dataset.label_names
    found = [*data.no_relevance(), *_attribute_losses(data, names)]
    columns = data.dataset.schema.columns
    stay = [may_stay_sparse(column.kind, column.categories) for column in columns]
    # Read back, features that stay sparse come after all others.
    if len(columns) + len(names) > MANY_ATTRIBUTES and sorted(stay) != stay:
        message = "the order of the columns: those with categories come first when it is read."
        found.append(Finding("lost-column-order", Severity.WARNING, message))
    return found


def _xarff_losses(data: Export) -> list[Finding]:
    found, dataset = data.no_rankings(), data.dataset
    if found and found[0].severity is Severity.ERROR:
        return found
    found += data.in_words()
    cannot = "has a '|', which separates chains of labels in this format"
    found += data.refused_names(dataset.label_names, lambda name: "|" not in name, cannot)
    return [*found, *_attribute_losses(data, ()), *data.too_large_to_read()]


def _attribute_losses(data: Export, labels: Sequence[str]) -> list[Finding]:
    """Say what attributes do not hold; labels can be among them."""
    names = [column.name for column in data.dataset.schema.columns]
    found = data.odd_text()
    found += data.refused_spaces([*names, *labels], what="column or label")
    cannot = "is also that of a label, and attributes need different names"
    found += data.refused_names(names, lambda name: name not in labels, cannot, what="column")
    return [*found, *_category_losses(data), *data.row_order()]


def _category_losses(data: Export) -> list[Finding]:
    binary = []
    for column in data.dataset.schema.columns:
        stripped = Counter(category.strip() for category in column.categories)
        if "" in stripped or max(stripped.values(), default=1) > 1:
            message = f"categories of '{column.name}' differ in spaces only, or one is empty."
            return [Finding("category", Severity.ERROR, message, "Choose another format.")]
        if column.kind == "nominal" and set(column.categories) <= {"0", "1"}:
            binary.append(column.name)
    if not binary:
        return []
    what = count_of(len(binary), "column")
    message = f"that {what} with the categories 0 and 1 are nominal: they are read as numbers."
    return [Finding("lost-binary-categories", Severity.WARNING, message, count=len(binary))]


def _write_mulan(body: _Body, data: Export) -> Files:
    """Write the rows, and the XML file that lists the labels."""
    rows = file_per_part(".arff", partial(_mulan, body=body), data)
    return [*rows, *one_file(".xml", _label_list, data)]


def _mulan(data: Export, rows: Rows, *, body: _Body) -> bytes:
    attributes = [*_features(data), *_labels(data)]
    return _file(data.stem, attributes, body(data, rows))


def _meka(data: Export, rows: Rows) -> bytes:
    """Write the labels first; the name of the relation counts them."""
    relation = f"{data.stem}: -C {data.dataset.n_labels}"
    attributes = [*_labels(data), *_features(data)]
    return _file(relation, attributes, _dense_body(data, rows, _label_texts, _feature_texts))


def _xarff(data: Export, rows: Rows) -> bytes:
    """Write rankings such as ``b>a`` in the last attribute."""
    name, taken = "ranking", {column.name for column in data.dataset.schema.columns}
    while name in taken:
        name += "'"
    labels = ",".join(map(_quoted, data.dataset.label_names))
    ranking = f"@attribute {_quoted(name)} RANKING {{{labels}}}"
    return _file(
        data.stem,
        [*_features(data), ranking],
        _dense_body(data, rows, _feature_texts, _ranking_texts),
    )


def _file(relation: str, attributes: list[str], body: Iterator[bytes]) -> bytes:
    head = "\n".join([f"@relation {_quoted(relation)}", "", *attributes, "", "@data"]) + "\n"
    return b"".join([head.encode(), *body])


def _label_list(data: Export) -> bytes:
    lines = [f'<label name="{escape(name)}"></label>' for name in data.dataset.label_names]
    head = '<?xml version="1.0" encoding="utf-8"?>'
    root = '<labels xmlns="http://mulan.sourceforge.net/labels">'
    return ("\n".join([head, root, *lines, "</labels>"]) + "\n").encode()


def _features(data: Export) -> list[str]:
    lines = []
    for column in data.dataset.schema.columns:
        values = ",".join(map(_quoted, column.categories))
        kind = f"{{{values}}}" if column.kind == "nominal" else "numeric"
        lines.append(f"@attribute {_quoted(column.name)} {kind}")
    return lines


def _labels(data: Export) -> list[str]:
    return [f"@attribute {_quoted(name)} {{0,1}}" for name in data.dataset.label_names]


def _quoted(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return text
    return "'" + _ESCAPED.sub(lambda sign: _ESCAPES[sign[0]], text) + "'"


def _feature_texts(data: Export, rows: Rows) -> list[list[str]]:
    return [data.texts(column, _quoted) for column in data.features(rows)]


def _label_texts(data: Export, rows: Rows) -> list[list[str]]:
    return [data.numbers(column) for column in data.dataset.relevance[rows].T]


def _ranking_texts(data: Export, rows: Rows) -> list[list[str]]:
    return [[_quoted(text) if text else "?" for text in data.words(rows)]]


def _dense_body(data: Export, rows: Rows, *parts: _Texts) -> Iterator[bytes]:
    """Write rows with some columns of text, and then others."""
    for block in data.blocks(rows):
        yield data.lines([column for texts in parts for column in texts(data, block)])


def _labels_last_body(data: Export, rows: Rows) -> Iterator[bytes]:
    return _dense_body(data, rows, _feature_texts, _label_texts)


def _sparse_body(data: Export, rows: Rows) -> Iterator[bytes]:
    words = {
        j: [_quoted(category) for category in column.categories]
        for j, column in enumerate(data.dataset.schema.columns)
        if column.kind == "nominal"
    }
    for block in data.blocks(rows):
        features = data.sparse_cells(_codes(data, block), "{} {}", words=words)
        first = len(data.dataset.schema.columns)
        labels = data.sparse_cells(data.dataset.relevance[block], "{} {}", first=first)
        for given, relevant in zip(features, labels, strict=True):
            yield ("{" + ",".join([*given, *relevant]) + "}\n").encode()


def _codes(data: Export, rows: Rows) -> object:
    """Return features with the numbers of categories in place of 0/1 columns."""
    if data.dataset.schema.is_numeric:
        return data.dataset.X[rows]
    columns = data.features(rows)
    codes = [column.codes if isinstance(column, Coded) else column for column in columns]
    return np.column_stack(codes).astype(np.float64)


WRITERS = (
    Writer(
        "mulan",
        "MULAN (ARFF with XML)",
        "Dense rows, and an XML file that lists the labels.",
        _mulan_losses,
        partial(_write_mulan, _labels_last_body),
    ),
    Writer(
        "mulan-sparse",
        "MULAN, sparse (ARFF with XML)",
        "Rows that leave zeros out, and an XML file that lists the labels.",
        _sparse_losses,
        partial(_write_mulan, _sparse_body),
    ),
    Writer(
        "meka",
        "MEKA (ARFF with -C)",
        "Dense rows, labels first; the name of the relation says how many.",
        _mulan_losses,
        partial(file_per_part, ".arff", _meka),
    ),
    Writer(
        "xarff",
        "WEKA-LR (xarff)",
        "Dense rows with a RANKING attribute, labels that are not ranked left out.",
        _xarff_losses,
        partial(file_per_part, ".xarff", _xarff),
    ),
)
