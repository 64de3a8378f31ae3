"""Targets written as text: rankings such as ``b>a=c`` and lists of labels such as ``a;b``."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from labelrank_core.data.findings import Severity, count_of, listed, shorten
from labelrank_core.io.build.finding_list import FindingList
from labelrank_core.io.cells import MAX_LABELS, MAX_POSITIONS, is_missing, natural_order
from labelrank_core.rankings import FloatArray

# The share of the rows that must rank exactly the same labels before another name is an error.
_SAME_LABELS = 0.9
_SEPARATOR = re.compile(r"[>≻]")
_HINT = "Write each label once, best first, such as b>a>c, with ties as a=c or {a,c}."
_DELIMITERS = (";", "|", ",")
_MAX_LENGTH = 60


def is_ordering(cell: str) -> bool:
    """Tell whether a cell looks like a ranking in words."""
    parts = _SEPARATOR.split(cell)
    return len(parts) > 1 and all(part.strip() for part in parts)


def are_orderings(cells: Sequence[str]) -> bool:
    """Tell whether at least half of the cells look like rankings in words."""
    if not _SEPARATOR.search("\n".join(cells)):
        return False
    return sum(map(is_ordering, cells)) * 2 >= len(cells)


def split_ordering(text: str) -> list[list[str]]:
    """Split a ranking in words into buckets of tied labels, best first, or raise a ValueError."""
    buckets = []
    for part in _SEPARATOR.split(text):
        bucket = part.strip()
        if bucket.startswith("{") and bucket.endswith("}"):
            names = bucket[1:-1].split(",")
        else:
            names = bucket.split("=")
        buckets.append([name.strip() for name in names])
    names = [name for bucket in buckets for name in bucket]
    if not all(names):
        raise ValueError("a name is missing")
    if any("{" in name or "}" in name for name in names):
        raise ValueError("braces are not in pairs")
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        raise ValueError(f"label '{shorten(repeated[0])}' occurs more than once")
    return buckets


def read_orderings(
    cells: NDArray[Any], found: FindingList, column: str, declared: Sequence[str] = ()
) -> tuple[tuple[str, ...], FloatArray]:
    """Read a column of rankings in words: label names, and positions (NaN: not ranked)."""
    codes, texts = pd.factorize(cells)
    parsed: list[dict[str, int]] = []
    failures: dict[str, dict[int, str]] = {}
    for number, text in enumerate(texts):
        try:
            buckets = [] if is_missing(text) else split_ordering(text)
        except ValueError as error:
            kind = re.sub(r"'.*'", "''", str(error))
            failures.setdefault(kind, {})[number] = f"found '{shorten(text)}', but {error}."
            buckets = []
        parsed.append({name: place for place, names in enumerate(buckets, 1) for name in names})
    for wrong in failures.values():
        rows, message = np.isin(codes, list(wrong)), next(iter(wrong.values()))
        found.refuse("not-an-ordering", message, _HINT, rows, column)
    known = frozenset(declared) or _known_labels(parsed, np.bincount(codes, minlength=len(parsed)))
    if known is not None:
        why = "the file does not declare" if declared else "hardly any other row ranks"
        _refuse_unknown_labels(parsed, known, codes, found, column, why)
        parsed = [{} if ranking.keys() - known else ranking for ranking in parsed]
    names = set(declared) or {name for ranking in parsed for name in ranking}
    if too_many_labels(len(names), len(cells), found, column):
        return (), np.full((len(cells), 0), np.nan)
    labels = list(dict.fromkeys(declared)) or sorted(names, key=natural_order)
    index = {name: j for j, name in enumerate(labels)}
    values = np.full((len(parsed), len(labels)), np.nan)
    for i, ranking in enumerate(parsed):
        for name, place in ranking.items():
            values[i, index[name]] = place
    return tuple(labels), values[codes]


def too_many_labels(n_labels: int, n_rows: int, found: FindingList, column: str) -> bool:
    """Tell whether a column of text has more labels than can be read, and add that error."""
    too_many = n_labels > MAX_LABELS or n_labels * n_rows > MAX_POSITIONS
    if too_many:
        found.refuse(
            "too-many-labels",
            f"found {n_labels} different labels in {n_rows} rows, more than can be read.",
            "Check that the column holds rankings such as b>a>c, or lists of labels such as a;b;c.",
            column=column,
        )
    return too_many


def _known_labels(parsed: list[dict[str, int]], counts: NDArray[np.int64]) -> frozenset[str] | None:
    """Return the labels that nearly all rows rank; None if rows rank different ones."""
    sets: Counter[frozenset[str]] = Counter()
    for ranking, count in zip(parsed, counts, strict=True):
        if ranking:
            sets[frozenset(ranking)] += int(count)
    if not sets:
        return None
    # A row that leaves labels out is no evidence against the set.
    labels, exact = sets.most_common(1)[0]
    inside = sum(count for names, count in sets.items() if names <= labels)
    n_outside = sum(sets.values()) - inside
    return labels if 0 < n_outside <= (1 - _SAME_LABELS) * (exact + n_outside) else None


def _refuse_unknown_labels(
    parsed: list[dict[str, int]],
    known: frozenset[str],
    codes: NDArray[np.int64],
    found: FindingList,
    column: str,
    why: str,
) -> None:
    unknown_labels = [sorted(ranking.keys() - known, key=natural_order) for ranking in parsed]
    names = listed(sorted(known, key=natural_order), most=10, quote="")
    found.refuse(
        "unknown-label",
        lambda row: f"found label '{shorten(unknown_labels[codes[row]][0])}', which {why}.",
        f"The labels are {names}. Correct the name.",
        np.array(list(map(bool, unknown_labels)), dtype=bool)[codes],
        column,
    )


def find_delimiter(cells: Iterable[str]) -> str:
    """Return what separates the labels in a column of lists; brackets have their own commas.

    Of a semicolon, a bar and a comma the one that most cells hold; a space if some cells hold
    spaces but none of these; a semicolon if nothing separates anything.

    >>> find_delimiter(["a|b", "c", "a, c|b"]), find_delimiter(["a b", "c"])
    ('|', ' ')
    """
    counts: Counter[str] = Counter()
    spaces = False
    for cell in cells:
        if not _in_brackets(cell):
            counts.update(sign for sign in _DELIMITERS if sign in cell)
            spaces |= " " in cell.strip()
    best = max(_DELIMITERS, key=lambda sign: counts[sign])
    return " " if spaces and not counts[best] else best


def split_list(cell: str, delimiter: str) -> list[str]:
    """Split a list into its labels, as often as they occur; brackets need no delimiter."""
    text = cell.strip()
    if _in_brackets(text):
        try:
            return [str(label).strip() for label in json.loads(text)]
        except (ValueError, RecursionError):
            parts = (part.strip().strip("'\"") for part in text[1:-1].split(","))
    else:
        parts = (part.strip() for part in text.split(delimiter))
    return [part for part in parts if part]


def _in_brackets(cell: str) -> bool:
    text = cell.strip()
    return text.startswith("[") and text.endswith("]")


def are_lists(cells: Sequence[str]) -> bool:
    """Tell whether cells look like lists of labels: short ones, in lists of several lengths."""
    together = "\n".join(cells)
    if not any(sign in together for sign in (*_DELIMITERS, "[")):
        return False
    delimiter = find_delimiter(cells)
    if delimiter == " ":
        return False  # a sentence
    lists = [split_list(cell, delimiter) for cell in cells]
    sizes = {len(labels) for labels in lists}
    if len(sizes) < 2 or max(sizes) < 2:
        return False
    labels = [label for one in lists for label in one]
    repeats = sum(len(set(one)) < len(one) for one in lists)
    short = all(len(label) <= _MAX_LENGTH for label in set(labels))
    return short and repeats * 20 <= len(lists) and len(set(labels)) * 2 <= len(labels)


def read_lists(
    cells: NDArray[Any], found: FindingList, column: str
) -> tuple[tuple[str, ...], FloatArray]:
    """Read a column of lists of labels: label names, and a 0/1 matrix; a blank lists nothing."""
    codes, texts = pd.factorize(cells)
    delimiter = find_delimiter(texts)
    lists = [[] if is_missing(text) else split_list(text, delimiter) for text in texts]
    empty = np.array([not one for one in lists], dtype=bool)[codes]
    message = f"{count_of(int(empty.sum()), 'row')} without any label: none is relevant there."
    found.note("no-label", message, "", empty, column, Severity.INFO)
    found.note(
        "repeated-label",
        lambda row: f"found '{shorten(cells[row])}', which lists a label twice.",
        "It counts once.",
        np.array([len(set(one)) < len(one) for one in lists], dtype=bool)[codes],
        column,
    )
    names = sorted({label for one in lists for label in one}, key=natural_order)
    if too_many_labels(len(names), len(cells), found, column):
        return (), np.zeros((len(cells), 0))
    places = {name: j for j, name in enumerate(names)}
    relevance = np.zeros((len(lists), len(names)))
    for i, one in enumerate(lists):
        relevance[i, [places[label] for label in one]] = 1
    return tuple(names), relevance[codes]
