"""The rows of an ARFF file, dense (``1,red``) or sparse (``{0 1,3 red}``), as columns of values.

The first sparse index is 0, and what is left out is 0: the first category of a nominal attribute.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelrank_core.data.findings import (
    DatasetError,
    Finding,
    Severity,
    at_lines,
    count_of,
    shorten,
    too_large,
)
from labelrank_core.io.cells import (
    MAX_CELLS,
    Coded,
    Column,
    SparseCells,
    is_missing,
    written,
)

IntArray = NDArray[np.int64]

MAX_TEXT_ATTRIBUTES = 1_000
# Sparse rows of fewer attributes are shown as a table, with a cell for every value.
MANY_ATTRIBUTES = 100

QUOTED = r"""(?:'((?:[^'\\]++|\\.)*+)'|"((?:[^"\\]++|\\.)*+)")"""
_NUMBER = r"(?:[+-]?(?:[0-9]++(?:\.[0-9]*+)?+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?+|\?)"
COMMENT = re.compile(r"(?:^|\s)%.*")
_PLAIN_NUMBER = re.compile(_NUMBER)
_NUMBERS = re.compile(rf"[ \t]*+{_NUMBER}[ \t]*+(?:,[ \t]*+{_NUMBER}[ \t]*+)*+")
_FIELD = re.compile(rf"\s*+(?:{QUOTED}|([^,{{}}]*+))\s*+")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)")
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r"}
_WEIGHT = re.compile(rf"\{{\s*+({_NUMBER})\s*+\}}\s*+(?:%.*)?")
_SPECIAL = re.compile(r"['\"%{}]")
_PAIR = rf"[0-9]{{1,9}}[ \t]++{_NUMBER}[ \t]*+"
_NUMERIC_ROW = re.compile(rf"[ \t]*+\{{[ \t]*+(?:{_PAIR}(?:,[ \t]*+{_PAIR})*+)?+\}}[ \t]*+")
_ENTRY = re.compile(
    rf"\s*+([0-9]{{1,9}})\s++(?:{QUOTED}|([^,{{}}\s'\"][^,{{}}]*+))\s*+(?:,|(?=\}}))"
)
_END = re.compile(r"\s*+\}")
_SPACES = str.maketrans("{},", "   ")


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
    r"""Resolve the escapes of quoted text: ``\n``, ``\t``, ``\r``, ``\u0041``, else the character.

    >>> unescape(r"it\'s 5\%")
    "it's 5%"
    """
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
        found = _FIELD.match(line, start)
        assert found is not None  # it matches nothing at all too
        quoted = found[1] if found[1] is not None else found[2]
        end = found.end()
        if quoted is None:
            text = found[3]
            comment = COMMENT.search(text)
            text = text[: comment.start()] if comment else text
            if text.startswith(("'", '"')):
                raise ValueError(f"a quote is opened and not closed at '{shorten(text)}'")
            # Nothing after a last comma, before a weight or a comment, is no field.
            if text.strip() or not (comment or line[end : end + 1] == "{"):
                fields.append(text.strip())
            end = len(line) if comment else end
        else:
            fields.append(unescape(quoted))
            if line.startswith("%", end):
                end = len(line)
        if end == len(line) or line[end] in "{}":
            return fields, end
        if line[end] != ",":
            raise ValueError(f"text goes on after a closing quote: '{shorten(line[end:])}'")
        start = end + 1


def read_numbers(tokens: Sequence[str]) -> tuple[NDArray[np.float64], list[int]]:
    """Read tokens as numbers, NaN for ``?``, a blank or another word for 'no value'.

    Return the indices of tokens that are something else too.

    >>> values, wrong = read_numbers(["1", " .5e1 ", "?", "red"])
    >>> values.tolist(), wrong
    ([1.0, 5.0, nan, nan], [3])
    """
    text = ",".join(tokens)
    if _NUMBERS.fullmatch(text):
        values = _parsed(text.replace(",", " "))
        if len(values) == len(tokens):  # a comma in quotes would make two of one
            return values, []
    values, wrong = np.full(len(tokens), np.nan), []
    for i, token in enumerate(tokens):
        try:
            # Python takes more for a number: 1_000, and digits of other alphabets.
            values[i] = float(token if token.isascii() and "_" not in token else "x")
        except ValueError:
            if not is_missing(token):
                wrong.append(i)
    return values, wrong


def _parsed(text: str) -> NDArray[np.float64]:
    """Parse numbers and question marks between spaces, known to be nothing else."""
    return np.fromstring(text.replace("?", "nan"), sep=" ") if text.strip() else np.empty(0)


class _Rows:
    """Reads cells of the attributes and notes the rows in which one is wrong."""

    def __init__(self, attributes: Sequence[Attribute], join_chains: Callable[[str], str]) -> None:
        self.attributes, self.n = attributes, len(attributes)
        self.bad_lines: set[int] = set()
        self.weighted: list[int] = []
        self._places: list[int] = []
        self._blocks: list[Any] = []
        self._join_chains = join_chains
        self._bad: dict[tuple[str, str | None], tuple[str, str, list[int]]] = {}
        kinds = np.array([attribute.kind for attribute in attributes])
        self._is_numeric, self._is_nominal = kinds == "numeric", kinds == "nominal"
        # The lines and cells of attributes that are neither.
        self._texts: dict[int, tuple[list[int], list[str]]] = {
            j: ([], []) for j in np.flatnonzero(~(self._is_numeric | self._is_nominal)).tolist()
        }
        # Thousands of attributes usually share a few lists of categories.
        known: dict[tuple[str, ...], int] = {}
        self._list_of = np.array(
            [known.setdefault(a.categories, len(known)) for a in attributes], dtype=np.int64
        )
        self._codes = [_codes(names) for names in known]

    def note(
        self, code: str, lines: Sequence[int], message: str, hint: str, column: str | None = None
    ) -> None:
        """Note an error in some lines; the message is about the first."""
        self._bad.setdefault((code, column), (message, hint, []))[2].extend(lines)
        self.bad_lines.update(lines)

    def findings(self) -> list[Finding]:
        """Return the errors, equal ones as one."""
        return [
            at_lines(
                Finding(code, Severity.ERROR, message, hint, column=column), sorted(set(lines))
            )
            for (code, column), (message, hint, lines) in self._bad.items()
        ]

    def values(self, places: IntArray, columns: IntArray, tokens: NDArray[Any]) -> Any:
        """Read cells, text (str) or numbers already, of the given lines and attributes.

        Return numbers and codes of categories, NaN where nothing is given; texts are put aside.
        """
        values = np.full(len(columns), np.nan)
        here = np.flatnonzero(self._is_numeric[columns])
        if tokens.dtype == object:
            values[here], odd = read_numbers(tokens[here].tolist())
            self._refuse("not-a-number", "is not a number", here[odd], places, columns, tokens)
        else:
            values[here] = tokens[here]
        here = np.flatnonzero(self._is_nominal[columns])
        if len(here):
            values[here] = self._look_up(columns[here], tokens[here])
            wrong = here[values[here] < 0]
            self._refuse("undeclared-value", "is not declared", wrong, places, columns, tokens)
        for j, (lines, texts) in self._texts.items():
            here = np.flatnonzero(columns == j)
            lines += places[here].tolist()
            texts += self._read_texts(j, tokens[here].tolist(), places[here].tolist())
        return values

    def _look_up(self, columns: IntArray, tokens: NDArray[Any]) -> Any:
        """Look cells up in the declarations of their attributes; -1 where they are not."""
        if tokens.dtype == object:
            kinds: dict[str, int] = {}
            cells = np.array([kinds.setdefault(token, len(kinds)) for token in tokens], np.int64)
            words = list(kinds)
        else:
            numbers, cells = np.unique(tokens, return_inverse=True)
            words = [written(number) for number in numbers.tolist()]
        # The same word of the same list of categories is looked up once.
        keys, pairs = np.unique(self._list_of[columns] * len(words) + cells, return_inverse=True)
        lists, places = np.divmod(keys, len(words))
        found = [
            _look_up(self._codes[number], words[place])
            for number, place in zip(lists.tolist(), places.tolist(), strict=True)
        ]
        return np.array(found, dtype=np.float64)[pairs]

    def _read_texts(self, column: int, tokens: Sequence[str], lines: Sequence[int]) -> list[str]:
        """Take cells as they are, a question mark as nothing; in rankings join chains."""
        texts = ["" if token == "?" else token for token in map(str.strip, tokens)]
        attribute = self.attributes[column]
        if attribute.kind == "ranking":
            for i in [i for i, text in enumerate(texts) if "|" in text]:
                try:
                    texts[i] = self._join_chains(texts[i])
                except DatasetError as error:
                    (found,) = error.findings
                    self.note(found.code, [lines[i]], found.message, found.hint, attribute.name)
        return texts

    def ends_well(self, rest: str, line: int) -> bool:
        """Read what stands behind a row: nothing, a comment, or its weight; note anything else."""
        rest = rest.strip().removeprefix(",").strip()
        if not rest or rest.startswith("%"):
            return True
        weight = _WEIGHT.fullmatch(rest)
        if weight is None or weight[1] == "?":
            message = f"found '{shorten(rest)}' after the row, which is not a weight."
            self.note("after-row", [line], message, "Write a weight as {0.5}, or nothing.")
            return False
        if float(weight[1]) != 1:
            self.weighted.append(line)
        return True

    def _refuse(
        self,
        code: str,
        what: str,
        wrong: IntArray,
        places: IntArray,
        columns: IntArray,
        tokens: NDArray[Any],
    ) -> None:
        for column in np.unique(columns[wrong]).tolist():
            cells = wrong[columns[wrong] == column]
            attribute, token = self.attributes[column], tokens[cells[0]]
            shown = shorten(token if isinstance(token, str) else written(float(token)))
            hint = "Correct the number, or write ? where there is none."
            if attribute.kind != "numeric":
                values = ", ".join(map(shorten, attribute.categories[:10]))
                dots = ", ..." if len(attribute.categories) > 10 else ""
                hint = f"The values are {values}{dots}. Correct it, or add it to the attribute."
            message = f"found '{shown}', which {what}."
            self.note(code, places[cells].tolist(), message, hint, attribute.name)

    def keep(self, lines: IntArray) -> NDArray[np.bool_]:
        """Tell which of the lines of all rows have no error; only these are kept."""
        kept = ~np.isin(lines, list(self.bad_lines))
        self.lines = lines[kept]
        return kept

    def column(self, j: int, values: NDArray[np.float64]) -> Column:
        """Return an attribute as a column; `values` are its numbers or codes."""
        if self._is_numeric[j]:
            return values
        if self._is_nominal[j]:
            codes = np.where(np.isnan(values), -1, values).astype(np.int32)
            return Coded(codes, self.attributes[j].categories)
        given = dict(zip(*self._texts[j], strict=True))
        return [given.get(line, "") for line in self.lines.tolist()]


def _codes(names: tuple[str, ...]) -> dict[str, float]:
    """Return the code of each category by its text, and by its number where it is one."""
    codes = {name.strip(): float(code) for code, name in enumerate(names)}
    for code, name in enumerate(names):
        if _PLAIN_NUMBER.fullmatch(name) and name != "?":
            codes.setdefault(written(float(name)), float(code))
    return codes


def _look_up(codes: dict[str, float], word: str) -> float:
    text = word.strip()
    return codes.get(text, np.nan if text in ("", "?") else -1.0)


_SPARSE_HINT = (
    "Write {index value, index value}, the first attribute being 0, and close every quote."
)


class DenseRows(_Rows):
    """Rows with a value for every attribute, separated by commas."""

    def add(self, lines: Sequence[str], first: int) -> None:
        """Add lines of text, the first of which has a number."""
        tokens: list[str] = []
        places: list[int] = []
        for number, line in enumerate(lines, first):
            fields = self._fields(line, number)
            if fields:
                tokens += fields
                places.append(number)
        self._places += places
        if len(self._places) * self.n > MAX_CELLS:
            raise DatasetError([too_large(f"the file has more than {MAX_CELLS} cells.")])
        columns = np.tile(np.arange(self.n), len(places))
        cells = np.array(tokens, dtype=object)
        values = self.values(np.repeat(np.array(places, np.int64), self.n), columns, cells)
        self._blocks.append(values.reshape(-1, self.n))

    def _fields(self, line: str, number: int) -> list[str]:
        """Split one line; nothing where it is blank, a comment or wrong."""
        if _SPECIAL.search(line):
            try:
                fields, end = split_fields(line)
            except ValueError as error:
                hint = "Close every quote, and write a quote inside of quotes as \\'."
                self.note("quotes", [number], f"{error}.", hint)
                return []
            if not self.ends_well(line[end:], number) or not fields:
                return []
        else:
            fields = line.split(",")
            if not line or line.isspace():
                return []
            if len(fields) == 1 < self.n:
                fields = line.split()  # WEKA takes spaces for commas
        if len(fields) == self.n:
            return fields
        message = f"expected {count_of(self.n, 'value')}, found {len(fields)}."
        hint = "Write ? for a value that is missing, and put a value that holds a comma in quotes."
        self.note("ragged-row", [number], message, hint)
        return []

    def finish(self) -> IntArray:
        """Return the lines of the rows without an error."""
        kept = self.keep(np.array(self._places, np.int64))
        values = np.concatenate([np.empty((0, self.n)), *self._blocks])
        self._values = values if kept.all() else values[kept]
        return self.lines

    def table(self, columns: Sequence[int]) -> list[Column]:
        """Return some columns of these rows."""
        return [self.column(j, self._values[:, j]) for j in columns]


class SparseRows(_Rows):
    """Rows with an index and a value for some attributes."""

    def __init__(self, attributes: Sequence[Attribute], join_chains: Callable[[str], str]) -> None:
        super().__init__(attributes, join_chains)
        if len(self._texts) > MAX_TEXT_ATTRIBUTES:
            message = f"the file has more than {MAX_TEXT_ATTRIBUTES} attributes of text."
            raise DatasetError([too_large(message)])

    def add(self, lines: Sequence[str], first: int) -> None:
        """Add lines of text, the first of which has a number."""
        rows: list[str] = []
        places, counts = list[int](), list[int]()
        others: list[tuple[int, str]] = []
        for number, line in enumerate(lines, first):
            # Rows of numbers are parsed together, many times faster than one by one.
            if not self._texts and _NUMERIC_ROW.fullmatch(line):
                row = line.translate(_SPACES)
                rows.append(row)
                places.append(number)
                counts.append(0 if row.isspace() else line.count(",") + 1)
            elif (line := line.strip()) and not line.startswith("%"):
                others.append((number, line))
        numbers = _parsed(" ".join(rows))
        self._places += places
        self._take(np.repeat(np.array(places, np.int64), counts), numbers[::2], numbers[1::2])
        if others:
            self._read_others(others)

    def _read_others(self, lines: list[tuple[int, str]]) -> None:
        """Read rows with text, quotes, a weight or an error."""
        places, columns, tokens = list[int](), list[int](), list[str]()
        for number, line in lines:
            start, end = len(columns), 1
            while entry := _ENTRY.match(line, end):
                columns.append(int(entry[1]))
                quoted = entry[2] if entry[2] is not None else entry[3]
                tokens.append(entry[4].rstrip() if quoted is None else unescape(quoted))
                end = entry.end()
            if self._is_whole(line, end, number):
                self._places.append(number)
                places += [number] * (len(columns) - start)
            else:
                del columns[start:], tokens[start:]
        cells = np.array(tokens, dtype=object)
        self._take(np.array(places, np.int64), np.array(columns), cells)

    def _is_whole(self, line: str, end: int, number: int) -> bool:
        closed = _END.match(line, end) if line.startswith("{") else None
        if closed is not None:
            return self.ends_well(line[closed.end() :], number)
        found = line[end:] if line.startswith("{") else line
        message = f"found '{shorten(found)}' where an index and a value are expected."
        self.note("sparse-row", [number], message, _SPARSE_HINT)
        return False

    def _take(self, places: IntArray, columns: NDArray[Any], tokens: NDArray[Any]) -> None:
        columns = columns.astype(np.int64)
        beyond = columns >= self.n
        if beyond.any():
            message = (
                f"found index {columns[beyond][0]}, but the last attribute has index {self.n - 1}."
            )
            hint = "The first attribute is 0: correct the index, or declare the attribute."
            self.note("index", places[beyond].tolist(), message, hint)
            places, columns, tokens = places[~beyond], columns[~beyond], tokens[~beyond]
        self._blocks.append((places, columns, self.values(places, columns, tokens)))

    def finish(self) -> IntArray:
        """Return the lines of the rows without an error."""
        entries = zip(*self._blocks, strict=True)
        places, columns, values = (np.concatenate(arrays) for arrays in entries)
        lines = np.sort(np.array(self._places, np.int64))
        keys = np.searchsorted(lines, places) * self.n + columns
        order = np.argsort(keys, kind="stable")
        places, columns, values = places[order], columns[order], values[order]
        repeated = np.diff(keys[order], prepend=-1) == 0
        if repeated.any():
            message = f"index {columns[repeated][0]} stands twice."
            self.note("repeated-index", places[repeated].tolist(), message, _SPARSE_HINT)
        self.keep(lines)
        kept = ~np.isin(places, list(self.bad_lines))
        # In the order of rows and attributes.
        self._rows = np.searchsorted(self.lines, places[kept])
        self._columns, self._values = columns[kept], values[kept]
        return self.lines

    def table(self, columns: Sequence[int]) -> list[Column]:
        """Return some columns of these rows, with what is left out."""
        rows, places, values = self._part(columns)
        block = np.zeros((len(self.lines), len(columns)))
        block[rows, places] = values
        return [self.column(j, block[:, k]) for k, j in enumerate(columns)]

    def beside(self, columns: Sequence[int]) -> SparseCells:
        """Return some columns of these rows as a sparse matrix."""
        rows, places, values = self._part(columns)
        given = np.flatnonzero(values)
        starts = np.searchsorted(rows[given], np.arange(len(self.lines) + 1))
        names = tuple(self.attributes[j].name for j in columns)
        return SparseCells(names, values[given], places[given].astype(np.int32), starts)

    def _part(self, columns: Sequence[int]) -> tuple[IntArray, IntArray, NDArray[np.float64]]:
        """Return the entries of some columns: row, place among them, value."""
        places = np.full(self.n, -1)
        places[list(columns)] = np.arange(len(columns))
        here = places[self._columns] >= 0
        return self._rows[here], places[self._columns[here]], self._values[here]
