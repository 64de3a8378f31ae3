"""The values of ARFF attributes: numbers, codes of categories, text; and rows that are wrong."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from labelrank_core.data.findings import DatasetError, Finding, Severity, at_lines, shorten
from labelrank_core.io.formats.arff_header import Attribute, Kind
from labelrank_core.io.formats.arff_text import NUMBER, IntArray, number_text, read_numbers
from labelrank_core.io.formats.xarff import join_chains
from labelrank_core.rankings import FloatArray

MAX_CELLS = 50_000_000

_WEIGHT = re.compile(rf"\{{\s*({NUMBER})\s*\}}\s*(?:%.*)?")


def too_large(what: str) -> DatasetError:
    """Return the error that there is more in a file than is read."""
    hint = "Leave out attributes that are not needed, or take a sample of the rows."
    return DatasetError(
        [Finding("too-large", Severity.ERROR, f"the file has more than {what}.", hint)]
    )


@dataclass
class BadRows:
    """Rows that cannot be read, and why."""

    lines: set[int] = field(default_factory=set)
    _groups: dict[tuple[str, str | None], tuple[str, str, list[int]]] = field(default_factory=dict)

    def note(
        self, code: str, lines: Sequence[int], message: str, hint: str, column: str | None = None
    ) -> None:
        """Note an error in some lines."""
        self._groups.setdefault((code, column), (message, hint, []))[2].extend(lines)
        self.lines.update(lines)

    def right(self, lines: IntArray) -> NDArray[np.bool_]:
        """Tell which of some lines have no error."""
        return np.array([line not in self.lines for line in lines.tolist()], dtype=bool)

    def issues(self) -> tuple[Finding, ...]:
        """Return the findings, equal ones as one."""
        return tuple(
            at_lines(
                Finding(code, Severity.ERROR, message, hint, column=column), sorted(set(lines))
            )
            for (code, column), (message, hint, lines) in self._groups.items()
        )


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows that are right."""

    lines: IntArray
    values: Any
    texts: dict[int, NDArray[Any]]


class Values:
    """Reads what stands in the cells of a block of rows."""

    def __init__(self, attributes: Sequence[Attribute]) -> None:
        self.attributes = attributes
        self.bad = BadRows()
        self.weighted: list[int] = []
        kinds = np.array([attribute.kind for attribute in attributes])
        self.is_numeric = kinds == Kind.NUMERIC
        self.is_nominal = kinds == Kind.NOMINAL
        self.is_text = ~(self.is_numeric | self.is_nominal)
        # Thousands of attributes usually share a few lists of categories.
        known: dict[tuple[str, ...], int] = {}
        self._list_of = np.array([known.setdefault(a.categories, len(known)) for a in attributes])
        self._codes = [_codes(names) for names in known]

    def numbers(self, columns: IntArray, tokens: list[str], lines: IntArray) -> FloatArray:
        """Read cells of numeric attributes."""
        values, wrong = read_numbers(tokens)
        self._refuse("not-a-number", "is not a number", wrong, columns, tokens, lines)
        return values

    def codes(self, columns: IntArray, tokens: Any, lines: IntArray) -> FloatArray:
        """Look cells of nominal attributes up in their declarations."""
        cells = np.array(tokens, dtype=object) if isinstance(tokens, list) else tokens
        kinds, words = pd.factorize(cells)  # -1 for NaN
        keys, pairs = pd.factorize(self._list_of[columns] * (len(words) + 1) + kinds + 1)
        lists, kinds = np.divmod(pairs, len(words) + 1)
        found = [
            _look_up(self._codes[number], words[kind - 1]) if kind else np.nan
            for number, kind in zip(lists.tolist(), kinds.tolist(), strict=True)
        ]
        codes = np.array(found, dtype=np.float64)[keys]
        wrong = np.flatnonzero(codes < 0)
        self._refuse("undeclared-value", "is not declared", wrong, columns, tokens, lines)
        return codes

    def texts(self, column: int, tokens: Sequence[str], lines: IntArray) -> NDArray[Any]:
        """Take cells as they are, a question mark as nothing; in rankings join chains."""
        tokens = [token.strip() for token in tokens]
        texts = np.array(["" if token == "?" else token for token in tokens], dtype=object)
        attribute = self.attributes[column]
        if attribute.kind is Kind.RANKING:
            for i in [i for i, token in enumerate(tokens) if "|" in token]:
                try:
                    texts[i] = join_chains(tokens[i])
                except DatasetError as error:
                    (issue,) = error.findings
                    line = int(lines[i])
                    self.bad.note(issue.code, [line], issue.message, issue.hint, attribute.name)
        return texts

    def has_right_end(self, rest: str, line: int) -> bool:
        """Read what stands behind a row: nothing, a comment, or its weight."""
        rest = rest.strip().removeprefix(",").strip()
        if not rest or rest.startswith("%"):
            return True
        weight = _WEIGHT.fullmatch(rest)
        if weight is None or weight[1] == "?":
            message = f"found '{shorten(rest)}' after the row, which is not a weight."
            self.bad.note("after-row", [line], message, "Write a weight as {0.5}, or nothing.")
            return False
        if float(weight[1]) != 1:
            self.weighted.append(line)
        return True

    def _refuse(
        self, code: str, what: str, wrong: IntArray, columns: IntArray, tokens: Any, lines: IntArray
    ) -> None:
        for column in np.unique(columns[wrong]).tolist():
            places = wrong[columns[wrong] == column]
            attribute, token = self.attributes[column], tokens[places[0]]
            shown = shorten(token if isinstance(token, str) else number_text(token))
            self.bad.note(
                code,
                lines[places].tolist(),
                f"found '{shown}', which {what}.",
                _hint(attribute),
                attribute.name,
            )


def _hint(attribute: Attribute) -> str:
    if attribute.kind is Kind.NUMERIC:
        return "Correct the number, or write ? where there is none."
    listed = ", ".join(map(shorten, attribute.categories[:10]))
    dots = ", ..." if len(attribute.categories) > 10 else ""
    return f"The values are {listed}{dots}. Correct it, or add it to the attribute."


def _codes(names: tuple[str, ...]) -> dict[str, float]:
    """Return the code of each category by its text, and by its number where it is one."""
    codes = {name.strip(): float(code) for code, name in enumerate(names)}
    for code, name in enumerate(names):
        if re.fullmatch(NUMBER, name) and name != "?":
            codes.setdefault(number_text(float(name)), float(code))
    return codes


def _look_up(codes: dict[str, float], word: str | float) -> float:
    text = word.strip() if isinstance(word, str) else number_text(word)
    return codes.get(text, np.nan if text in ("", "?") else -1.0)
