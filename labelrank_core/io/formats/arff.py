"""ARFF and its relatives: MULAN (with an XML list of labels), MEKA and WEKA-LR's xarff."""

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TextIO

import numpy as np
import pandas as pd

from labelrank_core.data.findings import DatasetError, Finding, Severity, at_lines, shorten
from labelrank_core.io.formats import mulan
from labelrank_core.io.formats.arff_dense import DenseRows
from labelrank_core.io.formats.arff_header import Attribute, Header, Kind, read_header
from labelrank_core.io.formats.arff_sparse import SparseRows
from labelrank_core.io.formats.arff_values import MAX_CELLS, Rows, too_large
from labelrank_core.io.formats.delimited import MAX_COLUMNS
from labelrank_core.io.formats.meka import label_attributes
from labelrank_core.io.formats.text import MAX_LINES, find_encoding
from labelrank_core.io.sources import Source
from labelrank_core.io.table import RawTable, SparseFeatures
from labelrank_core.io.vocabulary import Role, TargetForm

# Sparse rows of fewer attributes are shown as a table, with a cell for every value.
MANY_ATTRIBUTES = 100

_BEGINNING = re.compile(
    rb"(?:[ \t\f]*+(?:%[^\r\n]*+)?+[\r\n]++)*+[ \t\f]*+@(?:relation|attribute|data)\b",
    re.IGNORECASE,
)
_BLOCK = 4_000_000


@dataclass
class _Targets:
    """What the file and its companions say about targets."""

    format: str = "ARFF"
    roles: dict[str, Role] = field(default_factory=dict)
    form: TargetForm | None = None
    labels: tuple[str, ...] = ()
    doubt: str = ""
    findings: list[Finding] = field(default_factory=list)


def is_arff(source: Source) -> bool:
    """Tell whether a file begins like ARFF: with ``@relation``, after comments."""
    # Without zero bytes and mark, whatever the encoding, keywords are plain letters.
    start = source.data[:1_000_000].replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe")
    return _BEGINNING.match(start) is not None


def read_arff(source: Source, companions: Sequence[Source]) -> RawTable:
    """Read an ARFF file; what is wrong with it becomes a finding.

    Labels are those that the XML file lists; without one, the attribute of type RANKING; without
    that, those of the option ``-C`` in the name of the relation.
    """
    encoding, notes = find_encoding(source.data)
    stream = io.TextIOWrapper(io.BytesIO(source.data), encoding=encoding)
    header = read_header(stream)
    targets = _targets(header, companions)
    findings = [*notes, *header.findings, *targets.findings]
    if not header.attributes:
        raise DatasetError(findings)
    reader = _read_rows(stream, header)
    values, rows = reader.values, reader.finish()
    if values.weighted:
        findings.append(_weights(values.weighted))
    if not len(rows.lines) and not values.bad.lines:
        hint = "Write a row for every case after @data."
        findings.append(Finding("no-rows", Severity.ERROR, "there is no row of data.", hint))
    frame, extra = _table(header.attributes, rows, targets)
    return RawTable(
        name=source.stem,
        frame=frame if len(rows.lines) else None,
        findings=tuple(findings),
        ragged=values.bad.issues(),
        ragged_lines=tuple(sorted(values.bad.lines)),
        format=targets.format,
        declared_roles=targets.roles,
        declared_form=targets.form,
        declared_labels=targets.labels,
        doubt=targets.doubt,
        sparse=extra,
    )


def _targets(header: Header, companions: Sequence[Source]) -> _Targets:
    names = [attribute.name for attribute in header.attributes]
    rankings = [a for a in header.attributes if a.kind is Kind.RANKING]
    if companions:
        return _mulan_targets(header, names, companions)
    if len(rankings) == 1:
        (ranking,) = rankings
        return _Targets(
            "WEKA-LR (xarff)",
            {ranking.name: Role.RANKING},
            TargetForm.ORDERING_STRINGS,
            ranking.categories,
        )
    labels, doubt, findings = label_attributes(header.relation, names)
    if not labels:
        return _Targets(doubt=doubt, findings=findings)
    roles = dict.fromkeys(labels, Role.LABEL)
    return _Targets("MEKA (ARFF)", roles, TargetForm.RELEVANCE, findings=findings)


def _mulan_targets(header: Header, names: list[str], companions: Sequence[Source]) -> _Targets:
    if len(companions) > 1:
        listed = ", ".join(f"'{shorten(file.name)}'" for file in companions[:5])
        message = f"expected one XML file with labels, got {len(companions)}: {listed}."
        hint = "Choose the one that belongs to the ARFF file."
        raise DatasetError([Finding("one-label-list", Severity.ERROR, message, hint)])
    labels, nested = mulan.read_label_list(companions[0])
    known = set(names)
    findings = mulan.label_findings(labels, known, nested=nested)
    option, _, _ = label_attributes(header.relation, names)
    if option and set(option) != set(labels):
        message = "the name of the relation gives other labels (-C) than the XML file; that counts."
        findings.append(Finding("label-option", Severity.INFO, message))
    roles = {label: Role.LABEL for label in labels if label in known}
    return _Targets("MULAN (ARFF with XML)", roles, TargetForm.RELEVANCE, findings=findings)


def _read_rows(stream: TextIO, header: Header) -> DenseRows | SparseRows:
    """Read the data, as dense or sparse rows, whatever the first one is."""
    reader: DenseRows | SparseRows | None = None
    for line, text in _blocks(stream, header.n_lines + 1):
        first = re.search(r"^[^%\s]", text.lstrip(), re.MULTILINE) if reader is None else None
        if first is not None:
            reader = (SparseRows if first[0] == "{" else DenseRows)(header.attributes)
        if reader is not None:
            reader.add(text.split("\n"), line)
    return reader or DenseRows(header.attributes)


def _blocks(stream: TextIO, line: int) -> Iterator[tuple[int, str]]:
    """Yield whole lines as text of some megabytes, with the number of the first."""
    while text := stream.read(_BLOCK) + stream.readline():
        yield line, text.removesuffix("\n")
        line += text.count("\n")
        if line > MAX_LINES:
            raise too_large(f"{MAX_LINES} lines")


def _weights(lines: list[int]) -> Finding:
    message = "this row has a weight, which is not used: every row counts the same."
    hint = "If weights are whole numbers, write such rows as often as they say."
    return at_lines(Finding("row-weight", Severity.WARNING, message, hint), lines)


def _table(
    attributes: Sequence[Attribute], rows: Rows, targets: _Targets
) -> tuple[pd.DataFrame, SparseFeatures | None]:
    """Make columns of the attributes, and a matrix of those that stay sparse."""
    is_sparse = not isinstance(rows.values, np.ndarray)
    beside = [
        j
        for j, attribute in enumerate(attributes)
        if is_sparse and len(attributes) > MANY_ATTRIBUTES and targets.roles
        if attribute.name not in targets.roles
        if attribute.kind is Kind.NUMERIC or attribute.is_binary
    ]
    aside = set(beside)
    columns = [j for j in range(len(attributes)) if j not in aside]
    if len(columns) > MAX_COLUMNS or len(rows.lines) * len(columns) > MAX_CELLS:
        rest = "labels, nominal attributes and text" if targets.roles else "attributes"
        raise too_large(f"{MAX_COLUMNS} {rest}, or {MAX_CELLS} cells of these")
    values = rows.values[:, columns].toarray() if is_sparse else rows.values
    frame = _frame([(j, attributes[j]) for j in columns], rows, values)
    if not beside:
        return frame, None
    matrix = rows.values[:, beside]
    matrix.eliminate_zeros()
    return frame, SparseFeatures(matrix, tuple(attributes[j].name for j in beside))


def _frame(columns: list[tuple[int, Attribute]], rows: Rows, values: Any) -> pd.DataFrame:
    index = pd.Index(rows.lines, name="line", dtype="int64")
    names = [attribute.name for _, attribute in columns]
    if all(attribute.kind is Kind.NUMERIC for _, attribute in columns):
        return pd.DataFrame(values, index=index, columns=names)
    cells = [
        _column(attribute, values[:, place], rows.texts.get(j))
        for place, (j, attribute) in enumerate(columns)
    ]
    return pd.DataFrame(dict(zip(names, cells, strict=True)), index=index)


def _column(attribute: Attribute, values: Any, texts: Any) -> Any:
    if texts is not None:
        return pd.array(texts, dtype="str")
    if attribute.kind is Kind.NOMINAL:
        codes = np.where(np.isnan(values), -1, values).astype(np.int32)
        return pd.Categorical.from_codes(
            codes, categories=pd.Index(attribute.categories, dtype="str")
        )
    return values
