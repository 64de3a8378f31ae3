"""Rankings written as text: ``b>a=c``, ``b > {a, c}``, ``b ≻ a``."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from labelrank_core.data.findings import shorten
from labelrank_core.io.build.ledger import Ledger
from labelrank_core.io.table import BoolArray, is_missing
from labelrank_core.rankings import FloatArray

MAX_LABELS = 5_000
MAX_POSITIONS = 25_000_000

# How much of the file must rank exactly the same labels before another name counts as an error.
_SAME_LABELS = 0.9
_SEPARATOR = re.compile(r"[>≻]")


@dataclass(frozen=True, eq=False)
class ParsedOrderings:
    """Rankings from text.

    Parameters
    ----------
    values : ndarray of shape (n_rows, n_labels)
        Positions; NaN = not ranked.
    label_names : tuple of str
        The names, in natural order (L2 before L10).
    """

    values: FloatArray
    label_names: tuple[str, ...]


def is_ordering(cell: str) -> bool:
    """Tell whether a cell looks like a ranking in words.

    Parameters
    ----------
    cell : str
        The text.

    Returns
    -------
    bool
        Whether it holds ``>`` or ``≻`` between names.

    Examples
    --------
    >>> is_ordering("b>a"), is_ordering("> 50")
    (True, False)
    """
    parts = _SEPARATOR.split(cell)
    return len(parts) > 1 and all(part.strip() for part in parts)


def are_orderings(cells: Sequence[str]) -> bool:
    """Tell whether at least half of some cells look like rankings in words.

    Parameters
    ----------
    cells : sequence of str
        The cells.

    Returns
    -------
    bool
        Whether they do.
    """
    if not _SEPARATOR.search("\n".join(cells)):
        return False
    return sum(map(is_ordering, cells)) * 2 >= len(cells)


def split_ordering(text: str) -> list[list[str]]:
    """Split a ranking in words into buckets of tied labels, best first.

    Parameters
    ----------
    text : str
        Labels separated by ``>`` (or ``≻``); tied ones joined by ``=`` or in braces with commas.

    Returns
    -------
    list of list of str
        The names.

    Raises
    ------
    ValueError
        If a name is missing or stands twice; the message says what was found.

    Examples
    --------
    >>> split_ordering("b > {a, c} > d=e")
    [['b'], ['a', 'c'], ['d', 'e']]
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
        raise ValueError(f"label '{shorten(repeated[0])}' stands more than once")
    return buckets


def parse_orderings(
    cells: NDArray[Any], ledger: Ledger, column: str, declared: Sequence[str] = ()
) -> ParsedOrderings:
    """Read a column of rankings in words.

    Parameters
    ----------
    cells : ndarray of str of shape (n_rows,)
        The column; a blank or a lone ``?`` ranks nothing.
    ledger : Ledger
        Where errors are noted: text that is no ranking, a repeated label, and a label that is not
        among the ones that at least nine tenths of the rows rank.
    column : str
        The column's name.
    declared : sequence of str
        The labels, in their order, where the format names them; then no others are known.

    Returns
    -------
    ParsedOrderings
        The rankings, NaN in rows with an error.
    """
    codes, texts = pd.factorize(cells)
    parsed: list[dict[str, int]] = []
    failures: dict[str, list[int]] = {}
    for number, text in enumerate(texts):
        try:
            buckets = [] if is_missing(text) else split_ordering(text)
        except ValueError as error:
            failures.setdefault(_kind(str(error)), []).append(number)
            buckets = []
        parsed.append({name: place for place, names in enumerate(buckets, 1) for name in names})
    _refuse_unparsable(failures, texts, codes, ledger, column)
    counts = np.bincount(codes, minlength=len(parsed))
    known = frozenset(declared) or _known_labels(parsed, counts)
    if known is not None:
        strangers = [bool(ranking.keys() - known) for ranking in parsed]
        why = "the file does not declare" if declared else "hardly any other row ranks"
        _refuse_strangers(strangers, known, parsed, codes, ledger, column, why)
        parsed = [
            {} if strange else ranking for ranking, strange in zip(parsed, strangers, strict=True)
        ]
    names = set(declared) or {name for ranking in parsed for name in ranking}
    if len(names) > MAX_LABELS or len(names) * len(cells) > MAX_POSITIONS:
        ledger.block(
            "too-many-labels",
            f"found {len(names)} different labels in {len(cells)} rows, more than can be read.",
            "Check that the column holds rankings such as b>a>c.",
            column=column,
        )
        names = set()
    labels = sorted(names, key=natural_order)
    if names and declared:
        labels = list(dict.fromkeys(declared))
    index = {name: j for j, name in enumerate(labels)}
    values = np.full((len(parsed), len(labels)), np.nan)
    for i, ranking in enumerate(parsed):
        for name, place in ranking.items():
            if name in index:
                values[i, index[name]] = place
    return ParsedOrderings(values[codes], tuple(labels))


def _kind(reason: str) -> str:
    return re.sub(r"'.*'", "''", reason)


def _refuse_unparsable(
    failures: dict[str, list[int]],
    texts: Any,
    codes: NDArray[np.int64],
    ledger: Ledger,
    column: str,
) -> None:
    for numbers in failures.values():

        def message(row: int) -> str:
            text = texts[codes[row]]
            try:
                split_ordering(text)
            except ValueError as error:
                return f"found '{shorten(text)}', but {error}."
            return ""

        ledger.refuse(
            np.isin(codes, numbers),
            code="not-an-ordering",
            message=message,
            hint="Write each label once, best first, such as b>a>c, with ties as a=c or {a,c}.",
            column=column,
        )


def _known_labels(parsed: list[dict[str, int]], counts: NDArray[np.int64]) -> frozenset[str] | None:
    """Return the labels nearly all rows rank, None where rows rank different ones."""
    sets: Counter[frozenset[str]] = Counter()
    for ranking, count in zip(parsed, counts, strict=True):
        if ranking:
            sets[frozenset(ranking)] += int(count)
    if not sets:
        return None
    # A row that leaves labels out says nothing against the set.
    labels, _ = sets.most_common(1)[0]
    inside = sum(count for names, count in sets.items() if names <= labels)
    exact = sets[labels]
    n_outside = sum(sets.values()) - inside
    return labels if 0 < n_outside <= (1 - _SAME_LABELS) * (exact + n_outside) else None


def _refuse_strangers(
    strangers: list[bool],
    known: frozenset[str],
    parsed: list[dict[str, int]],
    codes: NDArray[np.int64],
    ledger: Ledger,
    column: str,
    why: str,
) -> None:
    names = sorted(known, key=natural_order)
    listed = ", ".join(shorten(name) for name in names[:10]) + (", ..." if len(names) > 10 else "")
    rows: BoolArray = np.array(strangers)[codes]

    def message(row: int) -> str:
        strange = sorted(parsed[codes[row]].keys() - known, key=natural_order)[0]
        return f"found label '{shorten(strange)}', which {why}."

    ledger.refuse(
        rows,
        code="unknown-label",
        message=message,
        hint=f"The labels are {listed}. Correct the name.",
        column=column,
    )


def note_rare_labels(parsed: ParsedOrderings, ledger: Ledger, column: str) -> None:
    """Note labels that one row alone ranks, which may be misspelt.

    Parameters
    ----------
    parsed : ParsedOrderings
        The rankings.
    ledger : Ledger
        Where to note them.
    column : str
        The column's name.
    """
    counts = (~np.isnan(parsed.values)).sum(axis=0)
    if len(counts) and counts.max() < 3:
        return  # too few rows to call anything rare
    for j in np.flatnonzero(counts == 1)[:20]:
        ledger.note(
            ~np.isnan(parsed.values[:, j]),
            code="rare-label",
            message=f"label '{shorten(parsed.label_names[j])}' is ranked in this row only.",
            hint="Correct it if it is a misspelt name.",
            column=column,
        )


def natural_order(name: str) -> list[tuple[bool, int, str]]:
    """Return a sort key that puts L2 before L10."""
    # Every second part is a number: isdigit would count '²' among them.
    parts = re.split(r"([0-9]{1,18})", name)
    return [(k % 2 == 1, int(part) if k % 2 else 0, part) for k, part in enumerate(parts)]
