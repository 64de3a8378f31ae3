"""Targets written as text: rankings such as ``b>a=c`` and lists of labels such as ``a;b``."""

import json
import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelrank_core.data.findings import Severity, count_of, listed, shorten
from labelrank_core.data.pair_preferences import chain_signs
from labelrank_core.data.ranking_words import (
    are_chains,
    natural_order,
    split_chains,
    split_ordering,
)
from labelrank_core.io.build.finding_list import FindingList
from labelrank_core.io.cells import MAX_LABELS, is_missing, release
from labelrank_core.io.limits import max_names, max_positions
from labelrank_core.io.table import RawTable
from labelrank_core.rankings import FloatArray, IntArray

# The share of the rows that must rank exactly the same labels before another name is an error.
_SAME_LABELS = 0.9
_HINT = "Write each label once, best first, such as b>a>c, with ties as a=c or {a,c}."
_DELIMITERS = (";", "|", ",")
_MAX_LENGTH = 60
_BETWEEN_RANKED = (">", "≻", "=", ",")
_CHAINS_HINT = (
    "Positions cannot hold that. Read the column as pairs, leave such rows out, or write one chain "
    "in their place: its labels are then ranked and the others are not."
)
_PAIRS_HINT = (
    "Write chains of labels, best first, such as b>a>c, with | between chains and = for ties."
)
_MORE = "more than can be read"
_CHECK = "Check that the column holds rankings such as b>a>c, or lists of labels such as a;b;c."


def read_orderings(
    raw: RawTable, j: int, report: FindingList
) -> tuple[tuple[str, ...], FloatArray]:
    """Read a column of rankings in words: label names, and positions (NaN: not ranked)."""
    (codes, texts), column, declared = _coded(raw, j), raw.names[j], raw.file.labels
    if _are_too_many(raw, texts, _BETWEEN_RANKED, report, column):
        release(texts)
        return (), np.full((len(codes), 0), np.nan)
    # Flat tuples, name and place in turn, which the garbage collector of any Python leaves alone.
    parsed = np.empty(len(texts), dtype=object)
    # What kind of error each text has, 0: none; the first text of each kind, and the error.
    wrong, kinds = np.zeros(len(texts), dtype=np.int64), dict[str, tuple[int, int, str]]()
    chains = np.fromiter((_has_chains(text, raw) for text in texts), bool, len(texts))
    if chains.any():
        message = f"found '{shorten(texts[chains][0])}', chains that are independent."
        report.refuse("independent-chains", message, _CHAINS_HINT, chains[codes], column)
    for number, text in enumerate(texts):
        try:
            buckets = [] if is_missing(text) or chains[number] else split_ordering(text)
        except ValueError as error:
            kind = re.sub(r"'.*'", "", str(error))
            wrong[number], *_ = kinds.setdefault(kind, (len(kinds) + 1, number, str(error)))
            buckets = []
        parsed[number] = tuple(
            part
            for position, names in enumerate(buckets, 1)
            for name in names
            for part in (name, position)
        )
    for mark, number, reason in kinds.values():
        message = f"found '{shorten(texts[number])}', but {reason}."
        report.refuse("not-an-ordering", message, _HINT, (wrong == mark)[codes], column)
    release(texts)
    known_labels = frozenset(declared) or _known_labels(
        parsed, np.bincount(codes, minlength=len(parsed))
    )
    if known_labels:
        _refuse_unknown(parsed, codes, known_labels, report, column, is_declared=bool(declared))
    labels, values = _as_matrix(parsed, codes, np.nan, report, column, raw)
    release(parsed)
    return labels, values


def holds_chains(raw: RawTable, j: int) -> bool:
    """Tell whether a cell of a column holds several independent chains of labels."""
    return any(_has_chains(text, raw) for text in _coded(raw, j)[1])


def _has_chains(text: str, raw: RawTable) -> bool:
    # Where the file declares the labels, | is a mark of its format; elsewhere names may hold it.
    return "|" in text if raw.file.labels else are_chains(text)


def read_pairs(raw: RawTable, j: int, report: FindingList) -> tuple[tuple[str, ...], FloatArray]:
    """Read a column of independent chains: label names, and the signs of their pairs."""
    (codes, texts), column, declared = _coded(raw, j), raw.names[j], raw.file.labels
    no_pairs = (), np.full((len(codes), 0), np.nan)
    if _are_too_many(raw, texts, (*_BETWEEN_RANKED, "|"), report, column):
        release(texts)
        return no_pairs
    chains = [_refused_or_chains(text, codes == i, report, column) for i, text in enumerate(texts)]
    names = {name for row in chains for chain in row for bucket in chain for name in bucket}
    labels = tuple(declared) or tuple(sorted(names, key=natural_order))
    n_pairs = len(labels) * (len(labels) - 1) // 2
    if len(labels) > MAX_LABELS or n_pairs * len(codes) > max_positions(raw.file.n_bytes):
        message = f"found {len(labels)} labels in {len(codes)} rows, {_MORE} pair by pair."
        report.refuse("too-many-labels", message, _CHECK, column=column)
        return no_pairs
    if len(labels) < 2:
        return labels, np.full((len(codes), 0), np.nan)
    signs = np.full((len(texts), n_pairs), np.nan)
    for i, row in enumerate(chains):
        try:
            signs[i] = chain_signs(row, labels)
        except ValueError as error:
            message = f"found '{shorten(texts[i])}', but {error}."
            report.refuse("not-pairs", message, _PAIRS_HINT, codes == i, column)
    release(texts)
    return labels, signs[codes]


def _refused_or_chains(
    text: str, rows: NDArray[np.bool_], report: FindingList, column: str
) -> list[list[list[str]]]:
    try:
        return [] if is_missing(text) else split_chains(text)
    except ValueError as error:
        message = f"found '{shorten(text)}', but {error}."
        report.refuse("not-pairs", message, _PAIRS_HINT, rows, column)
        return []


def _refuse_unknown(
    parsed: NDArray[Any],
    codes: NDArray[np.int64],
    known_labels: frozenset[str],
    report: FindingList,
    column: str,
    *,
    is_declared: bool,
) -> None:
    """Refuse rankings of labels that are not among known ones, and leave them out."""
    is_known = (known_labels.issuperset(ranking[::2]) for ranking in parsed)
    is_unknown = ~np.fromiter(is_known, dtype=bool, count=len(parsed))
    reason = "the file does not declare" if is_declared else "hardly any other row ranks"
    names = listed(sorted(known_labels, key=natural_order), limit=10, quote="")

    def message(row: int) -> str:
        name = min(set(parsed[codes[row]][::2]) - known_labels, key=natural_order)
        return f"found label '{shorten(name)}', which {reason}."

    hint = f"The labels are {names}. Correct the name."
    report.refuse("unknown-label", message, hint, is_unknown[codes], column)
    for number in np.flatnonzero(is_unknown).tolist():
        parsed[number] = ()


def _as_matrix(
    parsed: NDArray[Any],
    codes: NDArray[np.int64],
    absent: float,
    report: FindingList,
    column: str,
    raw: RawTable,
    *,
    is_declared: bool = True,
) -> tuple[tuple[str, ...], FloatArray]:
    """Return the labels in a column of text, as declared or sorted, and a value for each label."""
    labels = list(dict.fromkeys(raw.file.labels if is_declared else ()))
    labels = labels or _different(parsed)
    if len(labels) > MAX_LABELS or len(labels) * len(codes) > max_positions(raw.file.n_bytes):
        number = f"more than {MAX_LABELS}" if len(labels) > MAX_LABELS else str(len(labels))
        message = f"found {number} different labels in {len(codes)} rows, {_MORE}."
        report.refuse("too-many-labels", message, _CHECK, column=column)
        return (), np.full((len(codes), 0), absent)
    if not (is_declared and raw.file.labels):
        labels.sort(key=natural_order)
    index = {name: j for j, name in enumerate(labels)}
    values = np.full((len(parsed), len(labels)), absent)
    for i, entries in enumerate(parsed):
        for name, value in zip(entries[::2], entries[1::2], strict=True):
            values[i, index[name]] = value
    return tuple(labels), values[codes]


def _different(parsed: Iterable[tuple[Any, ...]]) -> list[str]:
    """Return the different names, no more of them than are too many."""
    names: dict[str, None] = {}
    for entries in parsed:
        names.update(dict.fromkeys(entries[::2]))
        if len(names) > MAX_LABELS:
            break
    return list(names)


def _coded(raw: RawTable, column: int) -> tuple[IntArray, NDArray[Any]]:
    """Return the different texts of a column, as many as may be read, and a code for each cell."""
    return raw.coded(column, max_names(raw.file.n_bytes))


def _are_too_many(
    raw: RawTable, texts: NDArray[Any], signs: Iterable[str], report: FindingList, column: str
) -> bool:
    """Tell whether different texts hold more names than a file of its size can say by itself."""
    signs = tuple(signs)
    counts = np.fromiter(
        (1 + sum(text.count(sign) for sign in signs) for text in texts), np.int64, len(texts)
    )
    n_names = int(counts.sum())
    if n_names <= max_names(raw.file.n_bytes) and counts.max(initial=0) <= MAX_LABELS:
        return False
    message = f"found {n_names} labels in {len(texts)} different texts, {_MORE}."
    report.refuse("too-many-labels", message, _CHECK, column=column)
    return True


def _known_labels(parsed: NDArray[Any], counts: NDArray[np.int64]) -> frozenset[str]:
    """Return the labels that nearly all rows rank; none if rows rank different ones."""
    # Sets of names as texts, which no name holds a ">" of: a million sets, or a Counter of them,
    # would make the garbage collector, which looks through them again and again, hold up all other
    # threads.
    sets: dict[str, int] = {}
    for ranking, count in zip(parsed, counts.tolist(), strict=True):
        if ranking:
            names = ">".join(sorted(ranking[::2]))
            sets[names] = sets.get(names, 0) + count
    # A row that leaves labels out is not evidence against the set.
    # A function in Python lets other threads run between two sets.
    commonest = max(sets, key=lambda names: sets[names], default="")
    exact = sets.get(commonest, 0)
    labels = frozenset(commonest.split(">"))
    n_outside = sum(n for names, n in sets.items() if not labels.issuperset(names.split(">")))
    while sets:  # as in `release`
        sets.popitem()
    is_known = 0 < n_outside <= (1 - _SAME_LABELS) * (exact + n_outside)
    return labels if is_known else frozenset()


def find_delimiter(cells: Iterable[str]) -> str:
    """Return the sign that separates labels in most lists; a space if no other sign does.

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


def are_lists(texts: Counter[str]) -> bool:
    """Tell whether cells look like lists of labels: short ones, in lists of several lengths.

    The cells are given as the number of those of each different text.
    """
    if not any(sign in text for text in texts for sign in (*_DELIMITERS, "[")):
        return False
    delimiter = find_delimiter(texts)
    if delimiter == " ":
        return False  # a sentence
    sizes: set[int] = set()
    labels: set[str] = set()
    n_labels = n_repeating = 0
    for text, n_cells in texts.items():
        items = split_list(text, delimiter)
        sizes.add(len(items))
        labels.update(items)
        n_labels += n_cells * len(items)
        n_repeating += n_cells * (len(set(items)) < len(items))
    if len(sizes) < 2 or max(sizes) < 2:
        return False
    are_short = all(len(label) <= _MAX_LENGTH for label in labels)
    return are_short and n_repeating * 20 <= texts.total() and len(labels) * 2 <= n_labels


def read_lists(raw: RawTable, j: int, report: FindingList) -> tuple[tuple[str, ...], FloatArray]:
    """Read a column of lists of labels: label names, and a 0/1 matrix; a blank lists nothing."""
    (codes, texts), column = _coded(raw, j), raw.names[j]
    delimiter = find_delimiter(texts)
    if _are_too_many(raw, texts, {delimiter, ","}, report, column):
        release(texts)
        return (), np.zeros((len(codes), 0))
    values = np.empty(len(texts), dtype=object)
    repeats = np.zeros(len(texts), dtype=bool)
    for number, text in enumerate(texts):
        labels = [] if is_missing(text) else split_list(text, delimiter)
        different = dict.fromkeys(labels)
        values[number] = tuple(part for name in different for part in (name, 1))
        repeats[number] = len(different) < len(labels)
    empty = ~np.fromiter(map(bool, values), dtype=bool, count=len(values))[codes]
    message = f"{count_of(int(empty.sum()), 'row')} without any label: none is relevant there."
    report.note("no-label", message, "", empty, column, Severity.INFO)
    report.note(
        "repeated-label",
        lambda row: f"found '{shorten(texts[codes[row]])}', which lists a label twice.",
        "It counts once.",
        repeats[codes],
        column,
    )
    release(texts)
    names, matrix = _as_matrix(values, codes, 0, report, column, raw, is_declared=False)
    release(values)
    return names, matrix
