"""Rankings in words, such as ``b > a = c``, and the names in them.

Readers of files import this module in a program that has to start fast: nothing here needs more
than numpy at import.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from labelrank_core.data.findings import shorten

if TYPE_CHECKING:
    import pandas as pd

# The name of the virtual label in words.
ZERO_LINE = "zero line"
_SEPARATOR = re.compile(r"[>≻]")
# Marks that `format_ranking` puts round names that run from right to left.
_ISOLATES = re.compile("[\u200e\u2066-\u2069]")
_DIGITS = re.compile(r"([0-9]{1,18})")
# A key of many parts takes a hundred times the memory of its name.
_MOST_NUMBERS = 8
_MISSING = frozenset(("", "nan", "none", "<na>"))


def natural_order(name: str) -> list[tuple[bool, int, str]]:
    """Return a sort key that puts L2 before L10."""
    # Every second part is a number: isdigit would count '²' among them.
    parts = _DIGITS.split(name, _MOST_NUMBERS)
    return [(k % 2 == 1, int(part) if k % 2 else 0, part) for k, part in enumerate(parts)]


def are_orderings(texts: Counter[str]) -> bool:
    """Tell whether at least half of the cells, by their texts, look like rankings in words."""
    n_rankings = 0
    for text, n_cells in texts.items():
        parts = _SEPARATOR.split(text)
        if len(parts) > 1 and all(map(str.strip, parts)):
            n_rankings += n_cells
    return n_rankings > 0 and n_rankings * 2 >= texts.total()


def are_chains(text: str) -> bool:
    """Tell whether a text holds several independent chains of labels, such as ``a>b|c>d``."""
    parts = text.split("|")
    return len(parts) > 1 and all(_SEPARATOR.search(part) or "=" in part for part in parts)


def split_chains(text: str) -> list[list[list[str]]]:
    """Split independent chains into the buckets of each, or raise a ValueError."""
    return [split_ordering(chain) for chain in text.split("|")]


def split_ordering(text: str) -> list[list[str]]:
    """Split a ranking in words into buckets of tied labels, best first, or raise a ValueError."""
    buckets = []
    for part in map(str.strip, _SEPARATOR.split(text)):
        braces = part.startswith("{") and part.endswith("}")
        names = part[1:-1].split(",") if braces else part.split("=")
        buckets.append([name.strip() for name in names])
    names = [name for bucket in buckets for name in bucket]
    if not all(names):
        raise ValueError("a name is missing")
    if any("{" in name or "}" in name for name in names):
        raise ValueError("braces are not in pairs")
    if len(set(names)) < len(names):
        repeated, _ = Counter(names).most_common(1)[0]
        raise ValueError(f"label '{shorten(repeated)}' occurs more than once")
    return buckets


def parse_ranking(text: str, label_names: Sequence[str] | None = None) -> "pd.Series":
    """Read one ranking in words, the inverse of `labelrank_core.rankings.format_ranking`.

    Parameters
    ----------
    text : str
        Names, best first: ``>`` or ``≻`` between places, ``=`` between tied labels, which may also
        stand in braces, ``{a,c}``. An empty text ranks nothing.
    label_names : sequence of str or None, default=None
        All labels, in the order wanted; None: those in the text, in natural order (L2 before L10).

    Returns
    -------
    Series of shape (n_labels,)
        Positions, 1 = most preferred, NaN = not in the text; the index has the names.

    Raises
    ------
    ValueError
        If the text is no ranking, or names a label that is not among `label_names`.

    Examples
    --------
    >>> parse_ranking("b > a = c").to_dict()
    {'a': 2.0, 'b': 1.0, 'c': 2.0}
    >>> parse_ranking("b > a", ["a", "b", "c"]).tolist()
    [2.0, 1.0, nan]
    """
    if not isinstance(text, str):
        raise ValueError(f"Expected a ranking in words, such as 'b > a = c', got {text!r}.")
    series = parse_rankings([text], label_names).iloc[0]
    return series.rename(None)


def parse_rankings(
    texts: Iterable[Any], label_names: Sequence[str] | None = None
) -> "pd.DataFrame":
    """Read rankings in words as a frame of positions, which every `fit` takes as Y.

    Parameters
    ----------
    texts : iterable of str, such as a Series
        Each as for `parse_ranking`; None and NaN rank nothing.
    label_names : sequence of str or None, default=None
        All labels, in the order wanted; None: those in the texts, in natural order (L2 before
        L10). The virtual label is called ``zero line`` and comes last, also behind `label_names`.

    Returns
    -------
    DataFrame of shape (n_samples, n_labels)
        Positions, 1 = most preferred, NaN = not in the text; the columns are the labels, the index
        is that of a Series.

    Raises
    ------
    ValueError
        If a text is no ranking, or names a label that is not among `label_names`; the message has
        its row, from 0.

    Examples
    --------
    >>> parse_rankings(["b > a = c", "a > b"]).to_dict("list")
    {'a': [2.0, 1.0], 'b': [1.0, 2.0], 'c': [2.0, nan]}
    """
    import pandas as pd  # slow to import, and not needed where files are read

    index = texts.index if isinstance(texts, pd.Series) else None
    positions, names = positions_of_words(list(texts), label_names)
    return pd.DataFrame(positions, index=index, columns=pd.Index(names, dtype="str"))


def positions_of_words(
    texts: Sequence[Any], label_names: Sequence[str] | None = None
) -> tuple[NDArray[np.float64], tuple[str, ...]]:
    """Return the table of `parse_rankings` as an array of positions and names."""
    codes: dict[str, int] = {}
    parsed: list[dict[str, int]] = []
    code_of_row = np.empty(len(texts), dtype=np.int64)
    for row, cell in enumerate(texts):
        text = cell if isinstance(cell, str) else _text_of_missing(cell, row)
        code = codes.setdefault(text, len(parsed))
        code_of_row[row] = code
        if code == len(parsed):
            parsed.append(_parse_positions(text, row))
    mentioned = {name for positions in parsed for name in positions}
    if label_names is None:
        names = sorted(mentioned, key=lambda name: (name == ZERO_LINE, natural_order(name)))
    else:
        names = [str(name) for name in label_names]
        names += [ZERO_LINE] if ZERO_LINE in mentioned - {*names} else []
        if unknown := mentioned - {*names}:
            row = next(r for r, code in enumerate(code_of_row) if unknown & {*parsed[code]})
            name = min(unknown & {*parsed[code_of_row[row]]}, key=natural_order)
            raise ValueError(
                f"Expected only the labels {_listed(names)} in rankings, got {shorten(name)!r} in "
                f"row {row}. `parse_rankings` with `label_names` names all labels before rows are "
                "divided."
            )
    column = {name: j for j, name in enumerate(names)}
    values = np.full((len(parsed), len(names)), np.nan)
    for code, positions in enumerate(parsed):
        for name, position in positions.items():
            values[code, column[name]] = position
    return values[code_of_row], tuple(names)


def _parse_positions(text: str, row: int) -> dict[str, int]:
    plain = _ISOLATES.sub("", text)
    if plain.strip().lower() in _MISSING:
        return {}
    try:
        buckets = split_ordering(plain)
    except ValueError as error:
        raise ValueError(
            f"Expected rankings such as 'b > a = c', got row {row}: {shorten(text)!r}, but {error}."
        ) from None
    return {name: position for position, bucket in enumerate(buckets, 1) for name in bucket}


def _text_of_missing(cell: Any, row: int) -> str:
    """Return an empty text for None, NaN and NA; refuse other cells that are no text."""
    if cell is None or str(cell).lower() in _MISSING:
        return ""
    raise ValueError(f"Expected rankings such as 'b > a = c', got row {row}: {cell!r}.")


def _listed(names: Sequence[str]) -> str:
    first = ", ".join(shorten(name) for name in names[:10])
    return f"{first} and {len(names) - 10} more" if len(names) > 10 else first
