"""The header of an ARFF file: the name of the relation and the attributes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TextIO

from labelrank_core.data.findings import Finding, Severity, count_of, shorten
from labelrank_core.io.formats.arff_text import COMMENT, QUOTED, split_fields, unescape
from labelrank_core.io.formats.header import column_names
from labelrank_core.io.formats.text import MAX_LINE_LENGTH

MAX_ATTRIBUTES = 1_000_000
MAX_CATEGORIES = 1_000_000

_KEYWORD = re.compile(r"@([^\s{}'\"]+)\s*")
_NAME = re.compile(rf"{QUOTED}(?=[\s{{])\s*|([^\s{{][^\s{{]*+)\s*")
_TYPE = re.compile(r"([A-Za-z]+)\s*")
_WEIGHT = re.compile(r"\{[^{}]*\}")


class Kind(StrEnum):
    """What an attribute holds; ``TEXT`` are strings and dates."""

    NUMERIC = "numeric"
    NOMINAL = "nominal"
    TEXT = "text"
    RANKING = "ranking"


_KINDS = {
    "numeric": Kind.NUMERIC,
    "real": Kind.NUMERIC,
    "integer": Kind.NUMERIC,
    "string": Kind.TEXT,
    "date": Kind.TEXT,
    "ranking": Kind.RANKING,
}


@dataclass(frozen=True)
class Attribute:
    """One attribute."""

    name: str
    kind: Kind
    categories: tuple[str, ...] = ()

    @property
    def is_binary(self) -> bool:
        """Whether it is nominal with the values 0 and 1, 0 first."""
        return self.kind is Kind.NOMINAL and self.categories == ("0", "1")


@dataclass
class Header:
    """What stands before the data."""

    relation: str = ""
    attributes: list[Attribute] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    n_lines: int = 0

    def refuse(self, code: str, message: str, hint: str, *, line: int | None = None) -> None:
        """Note an error."""
        self.findings.append(Finding(code, Severity.ERROR, message, hint, row=line))


def read_header(stream: TextIO) -> Header:
    """Read the lines up to ``@data``; every error in them becomes a finding."""
    header, first_line = Header(), 0
    n_categories = 0
    for line in _lines(stream, header):
        keyword = _KEYWORD.match(line)
        word = keyword[1].lower() if keyword else ""
        rest = line[keyword.end() :] if keyword else line
        if word == "data" and (not rest or rest.startswith("%")):
            break
        if word == "relation":
            header.relation = _relation(rest)
        elif word == "attribute":
            first_line = first_line or header.n_lines
            attribute = _attribute(rest, header)
            header.attributes.append(attribute)
            n_categories += len(attribute.categories)
            if len(header.attributes) > MAX_ATTRIBUTES or n_categories > MAX_CATEGORIES:
                _refuse_size(header)
                break
        else:
            header.refuse(
                "header-line",
                f"found '{shorten(line)}' where @attribute or @data is expected.",
                "Begin a comment with %, and write a line @data before the rows.",
                line=header.n_lines,
            )
    else:
        hint = "Write a line @data between the attributes and the rows."
        header.refuse("no-data", "there is no line @data.", hint)
    if not header.attributes:
        header.refuse("no-attributes", "no attribute is declared.", "Write @attribute lines.")
    _make_unique(header, first_line)
    return header


def _lines(stream: TextIO, header: Header) -> Iterator[str]:
    """Yield the lines that say something, counting all."""
    while line := stream.readline(MAX_LINE_LENGTH):
        header.n_lines += 1
        if len(line) == MAX_LINE_LENGTH:
            message = f"this line has more than {MAX_LINE_LENGTH} characters."
            hint = "Check that every attribute stands in a line of its own."
            header.refuse("too-large", message, hint, line=header.n_lines)
            return
        line = line.strip()
        if line and not line.startswith("%"):
            yield line


def _relation(rest: str) -> str:
    quoted = re.match(QUOTED, rest)
    return unescape(quoted[1] or quoted[2] or "") if quoted else rest.strip()


def _attribute(rest: str, header: Header) -> Attribute:
    match = _NAME.match(rest)
    if match is None:
        return _refused(header, "", f"found '{shorten(rest)}' where a name is expected.")
    name = unescape(next(part for part in match.groups() if part is not None))
    declared = rest[match.end() :]
    word = _TYPE.match(declared)
    kind = _KINDS.get(word[1].lower()) if word else None
    after = declared[word.end() :] if word else declared
    if kind in (Kind.NUMERIC, Kind.TEXT):
        if kind is Kind.NUMERIC:
            _note_rest(after, header)
        return Attribute(name, kind)
    if not after.startswith("{") or (word and kind is None):
        return _refused(header, name, f"found '{shorten(declared)}' where a type is expected.")
    try:
        values, end = split_fields(after, 1)
    except ValueError as error:
        return _refused(header, name, f"{error}.")
    if after[end : end + 1] != "}":
        return _refused(header, name, "the list of values does not end with '}'.")
    _note_rest(after[end + 1 :], header)
    if values and not values[-1]:
        values.pop()  # nothing after the last comma
    if len(values) == 1 and "," not in after[:end] and "'" not in after and '"' not in after:
        values = values[0].split()
    if not values:
        return _refused(header, name, "the list of values is empty.")
    return Attribute(name, kind or Kind.NOMINAL, _without_repeats(values, name, header))


def _refused(header: Header, name: str, message: str) -> Attribute:
    hint = "Write @attribute name numeric, string, date or {value, value}, odd names in quotes."
    header.findings.append(
        Finding("attribute", Severity.ERROR, message, hint, row=header.n_lines, column=name or None)
    )
    return Attribute(name, Kind.TEXT)


def _note_rest(text: str, header: Header) -> None:
    """Note what stands after a declaration: a weight, or what nobody understands."""
    text = COMMENT.sub("", text).strip()
    if not text:
        return
    if _WEIGHT.fullmatch(text):
        message = "the weight of this attribute is not used."
        header.findings.append(
            Finding("attribute-weight", Severity.INFO, message, row=header.n_lines)
        )
        return
    message = f"'{shorten(text)}' after the type was not understood and left aside."
    header.findings.append(Finding("after-type", Severity.WARNING, message, row=header.n_lines))


def _without_repeats(values: list[str], name: str, header: Header) -> tuple[str, ...]:
    unique = tuple(dict.fromkeys(values))
    if len(unique) < len(values):
        message = f"{count_of(len(values) - len(unique), 'value')} declared twice."
        header.findings.append(
            Finding("repeated-value", Severity.WARNING, message, row=header.n_lines, column=name)
        )
    return unique


def _refuse_size(header: Header) -> None:
    message = f"there are more than {MAX_ATTRIBUTES} attributes or values of attributes."
    header.refuse("too-large", message, "Leave out what is not needed.", line=header.n_lines)


def _make_unique(header: Header, line: int) -> None:
    names, issues = column_names([attribute.name for attribute in header.attributes], line)
    # In this format names that are numbers are nothing odd.
    header.findings += [issue for issue in issues if issue.code != "numeric-names"]
    header.attributes = [
        Attribute(name, attribute.kind, attribute.categories)
        for name, attribute in zip(names, header.attributes, strict=True)
    ]
