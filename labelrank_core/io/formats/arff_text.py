"""Pieces of ARFF text: fields in quotes, lists of numbers, declared categories."""

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from labelrank_core.data.findings import shorten
from labelrank_core.io.table import is_missing
from labelrank_core.rankings import FloatArray

IntArray = NDArray[np.int64]

QUOTED = r"""(?:'((?:[^'\\]++|\\.)*+)'|"((?:[^"\\]++|\\.)*+)")"""
NUMBER = r"(?:[+-]?(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?|\?)"

_FIELD = re.compile(rf"\s*+(?:{QUOTED}|([^,{{}}]*+))\s*+")
COMMENT = re.compile(r"(?:^|\s)%.*")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)")
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r"}
_NUMBERS = re.compile(rf"[ \t]*+{NUMBER}[ \t]*+(?:,[ \t]*+{NUMBER}[ \t]*+)*+")


def unescape(text: str) -> str:
    """Resolve the escapes of quoted text."""
    if "\\" not in text:
        return text
    resolved = _ESCAPE.sub(_character, text)
    # Halves of a character, as Java writes those beyond 16 bits, become one or a replacement.
    return resolved.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _character(escape: re.Match[str]) -> str:
    sign = escape[1]
    return chr(int(sign[1:], 16)) if len(sign) > 1 else _CONTROLS.get(sign, sign)


def split_fields(line: str, start: int = 0) -> tuple[list[str], int]:
    """Split text at commas that are not in quotes, up to a brace, a comment or the end."""
    fields: list[str] = []
    while True:
        field = _FIELD.match(line, start)
        assert field is not None  # it matches nothing at all too
        quoted = field[1] if field[1] is not None else field[2]
        end = field.end()
        if quoted is None:
            text = field[3]
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


def read_numbers(tokens: Sequence[str]) -> tuple[FloatArray, IntArray]:
    """Read tokens as numbers."""
    text = ",".join(tokens)
    if _NUMBERS.fullmatch(text):
        values = parse_numbers(text.replace(",", " "))
        if len(values) == len(tokens):  # a comma in quotes would make two of one
            return values, np.empty(0, dtype=np.int64)
    stripped = np.array([token.strip() for token in tokens], dtype=object)
    values = np.asarray(pd.to_numeric(stripped, errors="coerce"), dtype=np.float64)
    wrong = [i for i in np.flatnonzero(np.isnan(values)).tolist() if not is_missing(tokens[i])]
    return values, np.array(wrong, dtype=np.int64)


def parse_numbers(text: str) -> FloatArray:
    """Parse numbers and question marks between spaces, known to be nothing else."""
    if not text or text.isspace():
        return np.empty(0)
    return np.fromstring(text.replace("?", "nan"), sep=" ")


def number_text(value: float) -> str:
    """Write a number as categories usually have it, whole ones without a point."""
    value = float(value)
    return str(int(value)) if value.is_integer() else repr(value)
