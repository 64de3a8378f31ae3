"""Data sets as ARFF: MULAN's with an XML file, MEKA's with ``-C``, WEKA-LR's xarff."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from html import escape

import numpy as np

from labelrank_core.data.findings import Finding, Severity, count_of
from labelrank_core.io.cells import Coded, Column
from labelrank_core.io.formats.arff_rows import MANY_ATTRIBUTES, may_stay_sparse
from labelrank_core.io.formats.base import Export, Files, Rows, Writer, file_per_part, one_file

_PLAIN = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_ESCAPED = re.compile(r"[\\'\n\r\t]")


def _mulan_losses(data: Export) -> list[Finding]:
    return [*_relevance_losses(data), *data.too_large_to_read()]


def _relevance_losses(data: Export) -> list[Finding]:
    return [*data.no_relevance(), *_attribute_losses(data, data.dataset.label_names)]


def _sparse_losses(data: Export) -> list[Finding]:
    columns, findings = data.dataset.schema.columns, _relevance_losses(data)
    stay = [may_stay_sparse(column.kind, column.categories) for column in columns]
    # Read back, features that stay sparse come after all others.
    if len(columns) + data.dataset.n_labels > MANY_ATTRIBUTES and sorted(stay) != stay:
        message = "the order of the columns: those with categories come first when it is read."
        findings.append(Finding("lost-column-order", Severity.WARNING, message))
    return findings


def _xarff_losses(data: Export) -> list[Finding]:
    findings, dataset = data.no_words(), data.dataset
    if findings and findings[0].severity is Severity.ERROR:
        return findings
    problem = "has a '|', which separates chains of labels in this format"
    findings += data.refused_names(dataset.label_names, lambda name: "|" not in name, problem)
    return [*findings, *_attribute_losses(data, ()), *data.too_large_to_read()]


def _attribute_losses(data: Export, labels: Sequence[str]) -> list[Finding]:
    """List the losses of attributes; labels can be among them."""
    names = [column.name for column in data.dataset.schema.columns]
    findings = data.odd_text()
    findings += data.refused_spaces([*names, *labels], noun="column or label")
    problem = "is also that of a label, and attributes need different names"
    findings += data.refused_names(names, lambda name: name not in labels, problem, noun="column")
    return [*findings, *_category_losses(data), *data.no_roles(), *data.row_order()]


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
    count = count_of(len(binary), "column")
    message = f"that {count} with the categories 0 and 1 are nominal: they are read as numbers."
    return [Finding("lost-binary-categories", Severity.WARNING, message, count=len(binary))]


def _write_mulan(data: Export, *, sparse: bool = False) -> Files:
    """Write the rows, and the XML file that lists the labels."""
    rows = file_per_part(".arff", partial(_mulan, sparse=sparse), data)
    return [*rows, *one_file(".xml", _label_list, data)]


def _mulan(data: Export, rows: Rows, *, sparse: bool) -> Iterator[bytes]:
    yield _head(data.stem, [*_features(data), *_labels(data)])
    for block in data.blocks(rows):
        if sparse:
            yield from _sparse_rows(data, block)
        else:
            yield _rows(data, [*data.features(block), *data.dataset.relevance[block].T])


def _meka(data: Export, rows: Rows) -> Iterator[bytes]:
    """Write the labels first; the name of the relation counts them."""
    yield _head(f"{data.stem}: -C {data.dataset.n_labels}", [*_labels(data), *_features(data)])
    for block in data.blocks(rows):
        yield _rows(data, [*data.dataset.relevance[block].T, *data.features(block)])


def _xarff(data: Export, rows: Rows) -> Iterator[bytes]:
    """Write rankings such as ``b>a`` in the last attribute."""
    name, used_names = "ranking", {column.name for column in data.dataset.schema.columns}
    while name in used_names:
        name += "'"
    labels = ",".join(map(_quoted, data.dataset.label_names))
    yield _head(data.stem, [*_features(data), f"@attribute {_quoted(name)} RANKING {{{labels}}}"])
    for block in data.blocks(rows):
        yield _rows(data, [*data.features(block), data.ordering_strings(block)])


def _head(relation: str, attributes: list[str]) -> bytes:
    return "\n".join([f"@relation {_quoted(relation)}", "", *attributes, "", "@data\n"]).encode()


def _rows(data: Export, columns: list[Column]) -> bytes:
    """Write columns row by row; nothing is ranked in an empty ranking."""
    return data.lines(
        data.texts(one, lambda text: _quoted(text) if text else "?") for one in columns
    )


def _label_list(data: Export) -> list[bytes]:
    lines = [f'<label name="{escape(name)}"></label>' for name in data.dataset.label_names]
    head = '<?xml version="1.0" encoding="utf-8"?>'
    root = '<labels xmlns="http://mulan.sourceforge.net/labels">'
    return [("\n".join([head, root, *lines, "</labels>"]) + "\n").encode()]


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


def _sparse_rows(data: Export, rows: Rows) -> Iterator[bytes]:
    """Write the cells that are not 0: of categories, all but the first."""
    schema, X = data.dataset.schema, data.dataset.X[rows]
    if not schema.is_numeric:
        columns = data.features(rows)
        X = np.column_stack(
            [one.codes if isinstance(one, Coded) else np.asarray(one) for one in columns]
        )
    category_texts = {
        j: [*map(_quoted, column.categories)]
        for j, column in enumerate(schema.columns)
        if column.kind == "nominal"
    }
    features = data.sparse_cells(X.astype(np.float64), "{} {}", category_texts=category_texts)
    relevance = data.dataset.relevance[rows]
    labels = data.sparse_cells(relevance, "{} {}", first=len(schema.columns))
    for cells, relevant in zip(features, labels, strict=True):
        yield ("{" + ",".join([*cells, *relevant]) + "}\n").encode()


WRITERS = (
    Writer(
        "mulan",
        "MULAN (ARFF with XML)",
        "Dense rows, and an XML file that lists the labels.",
        _mulan_losses,
        _write_mulan,
    ),
    Writer(
        "mulan-sparse",
        "MULAN, sparse (ARFF with XML)",
        "Rows that leave zeros out, and an XML file that lists the labels.",
        _sparse_losses,
        partial(_write_mulan, sparse=True),
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
