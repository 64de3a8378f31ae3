"""Rankings written as text: ``b>a=c``, ``b > {a, c}``, ``b ≻ a``."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from labelrank_core.data.findings import listed, shorten
from labelrank_core.io.build.finding_list import FindingList
from labelrank_core.io.cells import MAX_LABELS, MAX_POSITIONS, is_missing, natural_order
from labelrank_core.rankings import FloatArray

# The share of the rows that must rank exactly the same labels before another name is an error.
_SAME_LABELS = 0.9
_SEPARATOR = re.compile(r"[>≻]")
_HINT = "Write each label once, best first, such as b>a>c, with ties as a=c or {a,c}."


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
    """Split a ranking in words into buckets of tied labels, best first.

    A ValueError says what is wrong with it.
    """
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
    """Read a column of rankings in words: label names, and positions (NaN in rows with an error).

    A blank ranks nothing. Without declared labels, which are all there are in their order, a label
    is unknown if it is not among those that at least nine tenths of the rows rank.
    """
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
        found.refuse(rows, "not-an-ordering", message, _HINT, column=column)
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
        found.block(
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
        np.array(list(map(bool, unknown_labels)), dtype=bool)[codes],
        "unknown-label",
        lambda row: f"found label '{shorten(unknown_labels[codes[row]][0])}', which {why}.",
        f"The labels are {names}. Correct the name.",
        column=column,
    )
