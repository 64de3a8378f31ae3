"""ARFF and its relatives: MULAN (with an XML list of labels), MEKA (``-C 6``), WEKA-LR's xarff.

Labels are those that the XML file lists; without one, the attribute of type RANKING; without that,
those of the option ``-C`` in the name of the relation.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, TypeAlias

from labelrank_core.data.findings import (
    DatasetError,
    Finding,
    Severity,
    at_lines,
    count_of,
    listed,
    refusal,
    shorten,
    too_large,
)
from labelrank_core.io.cells import MAX_CELLS, MAX_COLUMNS, Cells
from labelrank_core.io.formats.arff_rows import (
    COMMENT,
    MANY_ATTRIBUTES,
    QUOTED,
    Attribute,
    Rows,
    may_stay_sparse,
    split_fields,
    unescape,
)
from labelrank_core.io.formats.arff_write import WRITERS
from labelrank_core.io.formats.base import Format, import_package
from labelrank_core.io.formats.text import find_encoding, read_lines
from labelrank_core.io.header import column_names
from labelrank_core.io.sources import Source
from labelrank_core.io.vocabulary import Role, TargetForm

Lines: TypeAlias = Iterator[tuple[int, str]]

MAX_ATTRIBUTES = 1_000_000  # and of values of all together
MAX_XML_BYTES = 20_000_000
_BLOCK_LINES = 1_000
_ATTRIBUTE_HINT = (
    "Write @attribute name numeric, string, date or {value, value}, odd names in quotes."
)

_KINDS = {
    **dict.fromkeys(("numeric", "real", "integer"), "numeric"),
    **dict.fromkeys(("string", "date"), "text"),
    "ranking": "ranking",
}
_BEGINNING = re.compile(
    rb"(?>(?:[ \t\f]*+(?>(?:%[^\r\n]*+)?)[\r\n]++)*)[ \t\f]*+@(?:relation|attribute|data)\b",
    re.IGNORECASE,
)
_KEYWORD = re.compile(r"@([^\s{}'\"]++)\s*+")
_QUOTED = re.compile(QUOTED)
_NAME = re.compile(rf"{QUOTED}(?=[\s{{])\s*+|([^\s{{][^\s{{]*+)\s*+")
_TYPE = re.compile(r"([A-Za-z]++)\s*+")
_LABELS = re.compile(r"(?:^|\s)-C\s++([+-]?\d{1,9})(?=\s|$|-weka)")
# What such a filter did to the attributes came after the option was written.
_FILTERED = re.compile(r"weka\.filters\.\w++\.attribute\.")
_ROOT = re.compile(
    rb"\s*+(?>(?:(?><\?xml.*?\?>)\s*+)?)(?>(?:(?><!--.*?-->)\s*+)*)"
    rb"<(?>(?:!DOCTYPE\s++)?)(?:\w++:)?labels[\s>/]",
    re.DOTALL,
)


def recognises(source: Source) -> bool:
    """Tell whether a file begins like ARFF: with ``@relation``, after comments."""
    return _BEGINNING.match(_plain(source.data[:1_000_000])) is not None


def is_label_list(source: Source) -> bool:
    """Tell whether a file is MULAN's XML: its root element is called ``labels``."""
    return _ROOT.match(_plain(source.data[:20_000])) is not None


def _plain(start: bytes) -> bytes:
    """Return text without zero bytes and mark: keywords are plain letters in every encoding."""
    return start.replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe")


def read(source: Source, companions: Sequence[Source] = ()) -> Cells:
    """Read an ARFF file, with MULAN's XML or without; its errors become findings."""
    encoding, notes = find_encoding(source.data)
    lines = enumerate(read_lines(source.data, encoding), 1)
    header = _read_header(lines)
    declared = replace(_declared(header, companions), name=source.stem)
    findings = [*notes, *header.findings, *declared.findings]
    if not header.attributes:
        raise DatasetError(findings)
    rows = Rows(header.attributes)
    while block := list(islice(lines, _BLOCK_LINES)):
        rows.add(block)
    line_numbers = rows.finish()
    if rows.weighted:
        message = "this row has a weight, which is not used: every row counts the same."
        hint = "If weights are whole numbers, write such rows as often as they say."
        finding = Finding("row-weight", Severity.WARNING, message, hint)
        findings.append(at_lines(finding, rows.weighted))
    if not len(line_numbers) and not rows.bad.lines:
        hint = "Write a row for every case after @data."
        findings.append(Finding("no-rows", Severity.ERROR, "there is no row of data.", hint))
    sparse_indices = _sparse_columns(header.attributes, declared) if rows.is_sparse else []
    columns = sorted(set(range(len(header.attributes))) - set(sparse_indices))
    if len(columns) > MAX_COLUMNS or len(line_numbers) * len(columns) > MAX_CELLS:
        noun = "labels, nominal attributes and text" if declared.roles else "attributes"
        message = f"the file has more than {MAX_COLUMNS} {noun}, or {MAX_CELLS} cells of these."
        raise DatasetError([too_large(message)])
    names = [header.attributes[j].name for j in columns]
    return replace(
        declared,
        columns=dict(zip(names, rows.table(columns), strict=True)),
        lines=line_numbers,
        findings=findings,
        ragged=rows.bad.findings,
        ragged_lines=sorted(rows.bad.lines),
        sparse=rows.as_sparse(sparse_indices) if sparse_indices else None,
    )


def _sparse_columns(attributes: Sequence[Attribute], declared: Cells) -> list[int]:
    """Return the features that stay sparse, if there are many attributes.

    Where nothing says which attributes are labels, those with the values 0 and 1 can be.
    """
    if len(attributes) <= (MANY_ATTRIBUTES if declared.roles else MAX_COLUMNS):
        return []
    return [
        j
        for j, attribute in enumerate(attributes)
        if attribute.name not in declared.roles
        if may_stay_sparse(attribute.kind, attribute.categories)
        if declared.roles or attribute.kind == "numeric"
    ]


@dataclass
class _Header:
    """The header before the data: the name of the relation, attributes with unique names."""

    relation: str = ""
    attributes: list[Attribute] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    line: int | None = None

    def note(
        self,
        code: str,
        message: str,
        hint: str = "",
        severity: Severity = Severity.ERROR,
        column: str | None = None,
    ) -> None:
        """Note something about the line read last."""
        self.findings.append(Finding(code, severity, message, hint, self.line, column))


def _read_header(lines: Lines) -> _Header:
    """Read the lines up to ``@data``; an attribute that cannot be read is taken as text."""
    header, first_line, n_categories = _Header(), 0, 0
    for header.line, text in lines:
        line = text.strip()
        if not line or line.startswith("%"):
            continue
        keyword = _KEYWORD.match(line)
        word, remainder = (keyword[1].lower(), line[keyword.end() :]) if keyword else ("", line)
        if word == "data" and (not remainder or remainder.startswith("%")):
            break
        if word == "relation":
            quoted = _QUOTED.match(remainder)
            header.relation = unescape(quoted[1] or quoted[2] or "") if quoted else remainder
        elif word == "attribute":
            first_line = first_line or header.line
            header.attributes.append(_attribute(remainder, header))
            n_categories += len(header.attributes[-1].categories)
            if max(len(header.attributes), n_categories) > MAX_ATTRIBUTES:
                message = f"there are more than {MAX_ATTRIBUTES} attributes or values of these."
                raise DatasetError([too_large(message, row=header.line)])
        else:
            message = f"found '{shorten(line)}' where @attribute or @data is expected."
            hint = "Begin a comment with %, and write a line @data before the rows."
            header.note("header-line", message, hint)
    else:
        header.line = None
        hint = "Write a line @data between the attributes and the rows."
        header.note("no-data", "there is no line @data.", hint)
    header.line = None
    if not header.attributes:
        header.note("no-attributes", "no attribute is declared.", "Write @attribute lines.")
    names, findings = column_names([a.name for a in header.attributes], first_line)
    header.findings += findings
    pairs = zip(header.attributes, names, strict=True)
    header.attributes = [replace(attribute, name=name) for attribute, name in pairs]
    return header


def _attribute(text: str, header: _Header) -> Attribute:
    match = _NAME.match(text)
    name = unescape(match[1] or match[2] or match[3] or "") if match else ""
    try:
        if match is None:
            raise ValueError(f"found '{shorten(text)}' where a name is expected")
        return Attribute(name, *_kind(text[match.end() :], header, name))
    except ValueError as error:
        header.note("attribute", f"{error}.", _ATTRIBUTE_HINT, column=name or None)
        return Attribute(name, "text")


def _kind(declared: str, header: _Header, name: str) -> tuple[str, tuple[str, ...]]:
    """Return the kind of an attribute, and its categories; a ValueError names the error."""
    word = _TYPE.match(declared)
    kind = _KINDS.get(word[1].lower()) if word else "nominal"
    remainder = declared[word.end() :] if word else declared
    values: list[str] = []
    if kind is None or (kind in ("nominal", "ranking") and not remainder.startswith("{")):
        raise ValueError(f"found '{shorten(declared)}' where a type is expected")
    if kind in ("nominal", "ranking"):
        values, end = split_fields(remainder, 1)
        if remainder[end : end + 1] != "}":
            raise ValueError("the list of values does not end with '}'")
        if not values[-1]:
            values.pop()  # nothing after the last comma
        if len(values) == 1 and not set(remainder[:end]).intersection(",'\""):
            values = values[0].split()
        if not values:
            raise ValueError("the list of values is empty")
        remainder = remainder[end + 1 :]
    remainder = COMMENT.sub("", remainder).strip()
    if remainder and kind != "text":  # the form of a date stands there
        message = f"'{shorten(remainder)}' after the type is not used."
        header.note("after-type", message, severity=Severity.WARNING)
    unique = tuple(dict.fromkeys(values))
    if len(unique) < len(values):
        message = f"{count_of(len(values) - len(unique), 'value')} declared twice."
        header.note("repeated-value", message, severity=Severity.WARNING, column=name)
    return kind, unique


def _declared(header: _Header, companions: Sequence[Source]) -> Cells:
    """Return the targets that the file and its companions declare, without a table."""
    names = [attribute.name for attribute in header.attributes]
    rankings = [a for a in header.attributes if a.kind == "ranking"]
    if companions:
        return _mulan_labels(names, companions)
    if len(rankings) == 1:
        (ranking,) = rankings
        roles, form = {ranking.name: Role.RANKING}, TargetForm.ORDERING_STRINGS
        kind = "WEKA-LR (xarff)"
        return Cells("", format=kind, roles=roles, form=form, labels=ranking.categories)
    # The first n attributes for ``-C n``, the last n for ``-C -n``, after a colon.
    options = header.relation.partition(":")[2]
    option = _LABELS.search(options)
    if option is None:
        return Cells("", format="ARFF")
    # A count of all attributes is stale unless all of them can be labels.
    binary = all(set(attribute.categories) == {"0", "1"} for attribute in header.attributes)
    max_labels = len(names) if binary else len(names) - 1
    count, reason = int(option[1]), f"there are {count_of(len(names), 'attribute')}"
    if _FILTERED.search(options):
        reason = "a filter that it names too removed or moved attributes after that"
    elif 0 < abs(count) <= max_labels:
        roles = dict.fromkeys(names[:count] if count > 0 else names[count:], Role.LABEL)
        return Cells("", format="MEKA (ARFF)", roles=roles, form=TargetForm.RELEVANCE)
    doubt = f"The name of the relation says '-C {count}', but {reason}."
    return Cells("", format="ARFF", doubt=doubt)


def _mulan_labels(names: list[str], companions: Sequence[Source]) -> Cells:
    if len(companions) > 1:
        files = listed([file.name for file in companions])
        message = f"expected one XML file with labels, got {len(companions)}: {files}."
        hint = "Choose the one that belongs to the ARFF file."
        raise refusal("one-label-list", message, hint)
    (labels, nested), attribute_names = read_label_list(companions[0]), set(names)
    roles = {label: Role.LABEL for label in labels if label in attribute_names}
    findings = []
    if len(roles) < len(labels):
        unknown = [label for label in labels if label not in roles]
        message = (
            f"{count_of(len(unknown), 'label')} of the XML file not among the attributes: "
            f"{listed(unknown)}."
        )
        hint = "Correct the names, or choose the XML file that belongs to the ARFF file."
        findings.append(Finding("unknown-label", Severity.ERROR, message, hint))
    if nested:
        message = "the labels form a hierarchy, which is not used: each counts for itself."
        findings.append(Finding("label-hierarchy", Severity.INFO, message))
    form, kind = TargetForm.RELEVANCE, "MULAN (ARFF with XML)"
    return Cells("", format=kind, roles=roles, form=form, findings=findings)


def read_label_list(source: Source) -> tuple[tuple[str, ...], bool]:
    """Return the labels of MULAN's XML, nested ones too, and whether there are such."""
    if len(source.data) > MAX_XML_BYTES:
        message = f"the list of labels '{shorten(source.name)}' is larger than 20 MB."
        hint = "Choose the XML file that belongs to the ARFF file."
        raise DatasetError([too_large(message, hint)])
    etree, defused = import_package("defusedxml.ElementTree"), import_package("defusedxml.common")
    try:
        # No document type, no entities: neither files of this machine nor texts that explode.
        root = etree.fromstring(source.data, forbid_dtd=True)
    except defused.DefusedXmlException as error:
        message = "the XML file declares a document type, which may hold entities; it is not read."
        hint = "Remove the <!DOCTYPE ...> part; a list of labels needs none."
        row = source.data.partition(b"<!DOCTYPE")[0].count(b"\n") + 1
        raise refusal("xml-doctype", message, hint, row=row) from error
    except (etree.ParseError, ValueError, LookupError) as error:
        # LookupError: an encoding that does not exist.
        line = getattr(error, "position", (None,))[0]
        reason = str(error).split(":")[0]
        message = f"'{shorten(source.name)}' is not well-formed XML: {reason}."
        hint = "Correct it, or leave it out."
        raise refusal("bad-xml", message, hint, row=line) from error
    labels = [element for element in root.iter() if _is_label(element)]
    names = [" ".join(label.get("name", "").split()) for label in labels]
    if not all(names):
        message, hint = "a label in the XML file has no name.", 'Write <label name="...">.'
        raise refusal("bad-xml", message, hint)
    return tuple(dict.fromkeys(names)), any(_is_label(part) for label in labels for part in label)


def _is_label(element: Any) -> bool:
    return bool(element.tag.rpartition("}")[2] == "label")


FORMAT = Format("ARFF", recognises, read, is_label_list, WRITERS)
