"""Lists of labels written as text: ``a;b;c``, ``a|b``, ``["a", "b"]``."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from labelrank_core.data.findings import Severity, count_of, shorten
from labelrank_core.io.build.ledger import Ledger
from labelrank_core.io.build.strings import MAX_LABELS, MAX_POSITIONS, natural_order
from labelrank_core.io.table import is_missing
from labelrank_core.rankings import FloatArray

LIST_NAMES = frozenset(
    ("label", "labels", "tag", "tags", "topic", "topics", "class", "classes", "category",
     "categories", "genre", "genres", "keywords", "subjects", "y", "target", "targets")
)  # fmt: skip
_DELIMITERS = (";", "|", ",")
_MAX_LENGTH = 60


@dataclass(frozen=True, eq=False)
class ParsedLists:
    """Sets of relevant labels from text.

    Parameters
    ----------
    relevance : ndarray of shape (n_rows, n_labels)
        1 where the row lists the label, else 0.
    label_names : tuple of str
        The names, in natural order (L2 before L10).
    """

    relevance: FloatArray
    label_names: tuple[str, ...]


def find_delimiter(cells: Iterable[str]) -> str:
    """Return what separates the labels in a column of lists.

    Parameters
    ----------
    cells : iterable of str
        The column.

    Returns
    -------
    str
        Of a semicolon, a bar and a comma the one that most cells hold; a space where some hold
        spaces but none of these; a semicolon where nothing separates anything. Lists in brackets
        do not count.

    Examples
    --------
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
    """Split a list into its labels.

    Parameters
    ----------
    cell : str
        Such as ``a;b``; in brackets, as JSON and Python write lists, whatever the delimiter.
    delimiter : str
        What separates labels.

    Returns
    -------
    list of str
        The labels as often as they stand there, spaces around them removed.

    Examples
    --------
    >>> split_list("a; b", ";"), split_list("['a', 'b']", ";"), split_list("[]", ";")
    (['a', 'b'], ['a', 'b'], [])
    """
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
    """Tell whether the cells of a column that hold anything look like lists of labels.

    Parameters
    ----------
    cells : sequence of str
        The cells, none blank.

    Returns
    -------
    bool
        Whether they list different numbers of short labels, a label twice in hardly any, and
        labels come back in other lists: twice each, on average.

    Examples
    --------
    >>> are_lists(["a;b", "a", "b;c", "c"]), are_lists(["Rome, Italy", "Oslo, Norway"])
    (True, False)
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


def parse_lists(cells: NDArray[Any], ledger: Ledger, column: str) -> ParsedLists:
    """Read a column of lists of labels.

    Parameters
    ----------
    cells : ndarray of str of shape (n_rows,)
        The column; a blank or a word for 'no value' lists nothing.
    ledger : Ledger
        Where findings go.
    column : str
        The column's name.

    Returns
    -------
    ParsedLists
        The sets; without labels where there are too many of them.
    """
    codes, texts = pd.factorize(cells)
    delimiter = find_delimiter(texts)
    lists = [[] if is_missing(text) else split_list(text, delimiter) for text in texts]
    empty = np.array([not one for one in lists], dtype=bool)[codes]
    n_empty = count_of(int(empty.sum()), "row")
    ledger.note(
        empty,
        code="no-label",
        message=f"no label is listed in {n_empty}: none is relevant there.",
        severity=Severity.INFO,
        column=column,
    )
    ledger.note(
        np.array([len(set(one)) < len(one) for one in lists], dtype=bool)[codes],
        code="repeated-label",
        message=lambda row: f"found '{shorten(cells[row])}', which lists a label twice.",
        hint="It counts once.",
        column=column,
    )
    names = sorted({label for one in lists for label in one}, key=natural_order)
    if len(names) > MAX_LABELS or len(names) * len(cells) > MAX_POSITIONS:
        ledger.block(
            "too-many-labels",
            f"found {len(names)} different labels in {len(cells)} rows, more than can be read.",
            "Check that the column holds lists of labels such as a;b;c.",
            column=column,
        )
        names = []
    places = {name: j for j, name in enumerate(names)}
    relevance = np.zeros((len(lists), len(names)))
    for i, one in enumerate(lists):
        relevance[i, [places[label] for label in one if label in places]] = 1
    return ParsedLists(relevance[codes], tuple(names))
