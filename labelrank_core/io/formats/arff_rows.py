"""The rows of an ARFF file, dense (``1,red``) or sparse (``{0 1,3 red}``), as columns of values.

The first sparse index is 0, and what is left out is 0: the first category of a nominal attribute.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from labelrank_core.data.findings import count_of, listed, shorten
from labelrank_core.io.cells import (
    MAX_TEXT_CELLS,
    BadRows,
    Coded,
    Column,
    SparseCells,
    check_cells,
    is_missing,
    written,
)

IntArray: TypeAlias = NDArray[np.int64]
FloatArray: TypeAlias = NDArray[np.float64]

# Sparse rows of fewer attributes are shown as a table, with a cell for every value.
MANY_ATTRIBUTES = 100

QUOTED = r"""(?:'((?>(?:[^'\\]++|\\.)*))'|"((?>(?:[^"\\]++|\\.)*))")"""
_NUMBER = r"[+-]?(?:[0-9]++(?>(?:\.[0-9]*+)?)|\.[0-9]++)(?>(?:[eE][+-]?[0-9]++)?)"
COMMENT = re.compile(r"(?:^|\s)%.*")
_FIELD = re.compile(rf"\s*+(?:{QUOTED}|([^,{{}}]*+))\s*+")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)")
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r"}
_END_OF_ROW = re.compile(rf",?+\s*+(?>(?:\{{\s*+({_NUMBER})\s*+\}}\s*+)?)(?:%.*)?")
_SPECIAL = re.compile(r"['\"%{}]")
_PAIR = rf"[0-9]{{1,9}}[ \t]++(?:{_NUMBER}|\?)[ \t]*+"
_NUMERIC_ROW = re.compile(rf"[ \t]*+\{{[ \t]*+(?>(?:{_PAIR}(?>(?:,[ \t]*+{_PAIR})*))?)\}}[ \t]*+")
_ENTRY = re.compile(
    rf"\s*+([0-9]{{1,9}})\s++(?:{QUOTED}|([^,{{}}\s'\"][^,{{}}]*+))\s*+(?:,|(?=\}}))"
)
_END = re.compile(r"\s*+\}")
_SPACES = str.maketrans("{},", "   ")
_SPARSE_HINT = (
    "Write {index value, index value}, the first attribute being 0, and close every quote."
)


@dataclass(frozen=True)
class Attribute:
    """One attribute: numeric, nominal (with its values) or text; a ranking is text with labels."""

    name: str
    kind: str
    categories: tuple[str, ...] = ()


def may_stay_sparse(kind: str, categories: Sequence[str]) -> bool:
    """Tell whether an attribute is numbers: numeric, or nominal with the values 0 and 1."""
    return kind == "numeric" or (kind == "nominal" and tuple(categories) == ("0", "1"))


def unescape(text: str) -> str:
    r"""Resolve the escapes of quoted text: ``\n``, ``\t``, ``\r``, ``\u0041``, else the sign."""
    if "\\" not in text:
        return text
    resolved = _ESCAPE.sub(_character, text)
    # Halves of a character, as Java writes those beyond 16 bits, become one or a replacement.
    return resolved.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _character(escape: re.Match[str]) -> str:
    sign = escape[1]
    return chr(int(sign[1:], 16)) if len(sign) > 1 else _CONTROLS.get(sign, sign)


def split_fields(line: str, start: int = 0) -> tuple[list[str], int]:
    r"""Split text at commas that are not in quotes, up to a brace, a comment or the end.

    Return the fields without quotes, escapes and the spaces around them, and where the brace stands
    that ended them, otherwise the line's length. `ValueError` if quotes are not in order.

    >>> split_fields(r"1, 'it\'s, well', b % so")
    (['1', "it's, well", 'b'], 24)
    >>> split_fields("{red, blue} % colours", 1)
    (['red', 'blue'], 10)
    """
    fields: list[str] = []
    while True:
        match = _FIELD.match(line, start)
        assert match is not None  # it matches nothing at all too
        text, end = match[3], match.end()
        if text is not None:
            comment = COMMENT.search(text)
            text = text[: comment.start()] if comment else text
            if text.startswith(("'", '"')):
                raise ValueError(f"a quote is opened and not closed at '{shorten(text)}'")
            # Nothing after a last comma, before a weight or a comment, is not a field.
            if text.strip() or not (comment or line[end : end + 1] == "{"):
                fields.append(text.strip())
            end = len(line) if comment else end
        else:
            fields.append(unescape(match[1] or match[2] or ""))
            if line.startswith("%", end):
                end = len(line)
        if end == len(line) or line[end] in "{}":
            return fields, end
        if line[end] != ",":
            raise ValueError(f"text goes on after a closing quote: '{shorten(line[end:])}'")
        start = end + 1


def _number(token: str) -> float:
    """Read a number; `ValueError` for those of Python alone, such as 1_000, and other digits."""
    if not token.isascii() or "_" in token:
        raise ValueError(token)
    return float(token)


class Rows:
    """The rows of a file, dense or sparse as the first one is, and the errors in them."""

    def __init__(self, attributes: Sequence[Attribute]) -> None:
        self.attributes, self.n = attributes, len(attributes)
        self.is_sparse: bool | None = None
        self.bad = BadRows()
        self.weighted: list[int] = []
        self._lines: list[int] = []
        # Lines, attributes and values: numbers and codes of categories, NaN where nothing is given.
        none = np.empty(0, dtype=np.int64)
        self._blocks: list[tuple[IntArray, IntArray, FloatArray]] = [(none, none, np.empty(0))]
        self._is_numeric = np.array([one.kind == "numeric" for one in attributes], dtype=bool)
        # Thousands of attributes usually share a few lists of categories.
        codes_of = {names: _codes(names) for names in {one.categories for one in attributes}}
        self._codes = [codes_of[one.categories] for one in attributes]
        # By line, the cells of attributes that are neither numbers nor categories.
        self._texts: dict[int, dict[int, str]] = {
            j: {} for j, one in enumerate(attributes) if one.kind not in ("numeric", "nominal")
        }

    def add(self, lines: Sequence[tuple[int, str]]) -> None:
        """Add numbered lines of text."""
        numeric, counts, numeric_lines = list[str](), list[int](), list[int]()
        line_numbers, columns, tokens = list[int](), list[int](), list[str]()
        for number, text in lines:
            line = text.strip()
            if not line or line.startswith("%"):
                continue
            if self.is_sparse is None:
                self.is_sparse = line.startswith("{")
            # Sparse rows of numbers are parsed together, many times faster than one by one.
            if self.is_sparse and not self._texts and _NUMERIC_ROW.fullmatch(line):
                numeric.append(line.translate(_SPACES))
                counts.append(0 if numeric[-1].isspace() else line.count(",") + 1)
                numeric_lines.append(number)
                continue
            read = self._sparse_cells if self.is_sparse else self._cells
            parsed = read(line, number)
            if parsed is not None:
                columns += parsed[0]
                tokens += parsed[1]
                line_numbers += [number] * len(parsed[1])
                self._lines.append(number)
        numbers = _parsed(" ".join(numeric))
        self._lines += numeric_lines
        self._take(np.repeat(numeric_lines, counts), numbers[::2].astype(np.int64), numbers[1::2])
        cells = np.array(tokens, dtype=object)
        self._take(np.array(line_numbers, np.int64), np.array(columns, np.int64), cells)
        if not self.is_sparse:
            check_cells(len(self._lines) * self.n, MAX_TEXT_CELLS)

    def _cells(self, line: str, number: int) -> tuple[Sequence[int], list[str]] | None:
        """Split a dense row; None where it is wrong."""
        if _SPECIAL.search(line):
            try:
                fields, end = split_fields(line)
            except ValueError as error:
                hint = "Close every quote, and write a quote inside of quotes as \\'."
                self.bad.add("quotes", [number], f"{error}.", hint)
                return None
            if not self._ends_well(line[end:], number):
                return None
        else:
            fields = line.split(",")
            if len(fields) == 1 < self.n:
                fields = line.split()  # WEKA takes spaces for commas
        if len(fields) == self.n:
            return range(self.n), fields
        message = f"expected {count_of(self.n, 'value')}, found {len(fields)}."
        hint = "Write ? for a value that is missing, and put a value that holds a comma in quotes."
        self.bad.add("ragged-row", [number], message, hint)
        return None

    def _sparse_cells(self, line: str, number: int) -> tuple[Sequence[int], list[str]] | None:
        """Split a row of indices and values; None where it is wrong."""
        columns, tokens, end = list[int](), list[str](), 1
        while entry := _ENTRY.match(line, end):
            columns.append(int(entry[1]))
            tokens.append(entry[4].rstrip() if entry[4] else unescape(entry[2] or entry[3] or ""))
            end = entry.end()
        closed = _END.match(line, end) if line.startswith("{") else None
        if closed is None:
            excerpt = shorten(line[end:] if line.startswith("{") else line)
            message = f"found '{excerpt}' where an index and a value are expected."
            self.bad.add("sparse-row", [number], message, _SPARSE_HINT)
            return None
        return (columns, tokens) if self._ends_well(line[closed.end() :], number) else None

    def _ends_well(self, suffix: str, line: int) -> bool:
        """Read the end of a row: nothing, a comment, or its weight; note anything else."""
        end = _END_OF_ROW.fullmatch(suffix.strip())
        if end is None:
            message = f"found '{shorten(suffix)}' after the row, which is not a weight."
            self.bad.add("after-row", [line], message, "Write a weight as {0.5}, or nothing.")
        elif float(end[1] or 1) != 1:
            self.weighted.append(line)
        return end is not None

    def _take(self, lines: IntArray, columns: IntArray, tokens: NDArray[Any]) -> None:
        """Keep cells, text or numbers already, of given lines and attributes."""
        beyond = columns >= self.n
        if beyond.any():
            message = f"found index {columns[beyond][0]}, but the last attribute has {self.n - 1}."
            hint = "The first attribute is 0: correct the index, or declare the attribute."
            self.bad.add("index", lines[beyond].tolist(), message, hint)
            lines, columns, tokens = lines[~beyond], columns[~beyond], tokens[~beyond]
        values, is_other = np.full(len(columns), np.nan), np.ones(len(columns), dtype=bool)
        numeric = self._is_numeric[columns]
        with suppress(ValueError):  # where one is not a number, each is looked at
            numbers = tokens[numeric]
            is_text = numbers.dtype == object
            values[numeric] = [*map(_number, numbers.tolist())] if is_text else numbers
            is_other = ~numeric
        cells = (part[is_other].tolist() for part in (lines, columns, tokens))
        values[is_other] = [self._value(*cell) for cell in zip(*cells, strict=True)]
        self._blocks.append((lines, columns, values))

    def _value(self, line: int, column: int, token: str | float) -> float:
        """Return a cell as a number or as the code of its category; put text aside."""
        attribute = self.attributes[column]
        text = token.strip() if isinstance(token, str) else token
        if attribute.kind == "nominal":
            code = np.nan if text != text else self._codes[column].get(text)
            if code is not None:
                return code
            values = listed(attribute.categories, limit=10, quote="")
            hint = f"The values are {values}. Correct it, or add it to the attribute."
            self._refuse(line, attribute, "undeclared-value", token, "which is not declared", hint)
        elif attribute.kind == "numeric":
            try:
                return _number(str(text))
            except ValueError:
                hint = "Correct the number, or write ? where there is none."
                if not is_missing(str(text)):
                    self._refuse(
                        line, attribute, "not-a-number", token, "which is not a number", hint
                    )
        else:
            self._texts[column][line] = "" if text == "?" else str(text)
        return np.nan

    def _refuse(
        self,
        line: int,
        attribute: Attribute,
        code: str,
        token: str | float,
        problem: str,
        hint: str,
    ) -> None:
        message = f"found '{shorten(written(token))}', {problem}."
        self.bad.add(code, [line], message, hint, attribute.name)

    def finish(self) -> IntArray:
        """Return the lines of the rows without an error; only these are kept."""
        entries = zip(*self._blocks, strict=True)
        entry_lines, columns, values = (np.concatenate(arrays) for arrays in entries)
        lines = np.sort(np.array(self._lines, np.int64))
        keys = np.searchsorted(lines, entry_lines) * self.n + columns
        order = np.argsort(keys, kind="stable")
        entry_lines, columns, values = entry_lines[order], columns[order], values[order]
        repeated = np.diff(keys[order], prepend=-1) == 0
        if repeated.any():
            message = f"index {columns[repeated][0]} stands twice."
            self.bad.add("repeated-index", entry_lines[repeated].tolist(), message, _SPARSE_HINT)
        bad = list(self.bad.lines)
        self._kept, is_valid = lines[~np.isin(lines, bad)], ~np.isin(entry_lines, bad)
        # In the order of rows and attributes.
        self._rows = np.searchsorted(self._kept, entry_lines[is_valid])
        self._columns, self._values = columns[is_valid], values[is_valid]
        return self._kept

    def table(self, columns: Sequence[int]) -> list[Column]:
        """Return some columns of these rows, with zeros and blanks written out."""
        rows, positions, values = self._part(columns)
        block = np.zeros((len(self._kept), len(columns)))
        block[rows, positions] = values
        return [self._column(j, block[:, k]) for k, j in enumerate(columns)]

    def _column(self, j: int, values: FloatArray) -> Column:
        if j in self._texts:
            return [self._texts[j].get(line, "") for line in self._kept.tolist()]
        if self._is_numeric[j]:
            return values
        codes = np.where(np.isnan(values), -1, values).astype(np.int32)
        return Coded(codes, self.attributes[j].categories)

    def as_sparse(self, columns: Sequence[int]) -> SparseCells:
        """Return some columns of these rows as a sparse matrix."""
        rows, positions, values = self._part(columns)
        nonzero = np.flatnonzero(values)
        starts = np.searchsorted(rows[nonzero], np.arange(len(self._kept) + 1))
        names = tuple(self.attributes[j].name for j in columns)
        return SparseCells(names, values[nonzero], positions[nonzero].astype(np.int32), starts)

    def _part(self, columns: Sequence[int]) -> tuple[IntArray, IntArray, FloatArray]:
        """Return the entries of some columns: row, place among them, value."""
        positions = np.full(self.n, -1)
        positions[list(columns)] = np.arange(len(columns))
        is_selected = positions[self._columns] >= 0
        return (
            self._rows[is_selected],
            positions[self._columns[is_selected]],
            self._values[is_selected],
        )


def _parsed(text: str) -> FloatArray:
    """Parse numbers and question marks between spaces, known to be nothing else."""
    return np.fromstring(text.replace("?", "nan"), sep=" ") if text.strip() else np.empty(0)


def _codes(names: tuple[str, ...]) -> dict[str | float, float]:
    """Return the code of each category by its text, and by its number where it is one."""
    codes: dict[str | float, float] = {"": np.nan, "?": np.nan}
    codes |= {name.strip(): float(code) for code, name in enumerate(names)}
    for code, name in enumerate(names):
        with suppress(ValueError):
            number = _number(name)
            codes.setdefault(written(number), float(code))
            codes.setdefault(number, float(code))
    return codes
