"""Lists of labels written as text: ``a;b;c``, ``a|b``, ``["a", "b"]``."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from labelrank_core.data.findings import Severity, count_of, shorten
from labelrank_core.io.build.finding_list import FindingList
from labelrank_core.io.build.orderings import too_many_labels
from labelrank_core.io.cells import is_missing, natural_order
from labelrank_core.rankings import FloatArray

_DELIMITERS = (";", "|", ",")
_MAX_LENGTH = 60


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
    """Tell whether the cells of a column, none of them blank, look like lists of labels.

    They list different numbers of short labels, hardly any lists one twice, and a label occurs in
    two lists on average.
    """
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
    found.note(
        empty,
        "no-label",
        f"{count_of(int(empty.sum()), 'row')} without any label: none is relevant there.",
        severity=Severity.INFO,
        column=column,
    )
    found.note(
        np.array([len(set(one)) < len(one) for one in lists], dtype=bool)[codes],
        "repeated-label",
        lambda row: f"found '{shorten(cells[row])}', which lists a label twice.",
        "It counts once.",
        column=column,
    )
    names = sorted({label for one in lists for label in one}, key=natural_order)
    if too_many_labels(len(names), len(cells), found, column):
        return (), np.zeros((len(cells), 0))
    places = {name: j for j, name in enumerate(names)}
    relevance = np.zeros((len(lists), len(names)))
    for i, one in enumerate(lists):
        relevance[i, [places[label] for label in one]] = 1
    return tuple(names), relevance[codes]
