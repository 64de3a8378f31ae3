"""Which columns of numbers are labels: by their names, or as a block at one end of the table."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from labelrank_core.io.build.rankings import BoolArray, place_names, read_orders, read_positions
from labelrank_core.io.infer.forms import possible_forms
from labelrank_core.io.vocabulary import TargetForm
from labelrank_core.rankings import FloatArray

_N_ROWS_LOOKED_AT = 2_000
_ENOUGH = 0.95
# Beyond this width only positions without gaps are looked for at the ends of a table.
_MAX_WIDTH_WITH_GAPS = 40
_LABEL_WORDS = frozenset(
    ("l", "label", "labels", "lbl", "rank", "ranks", "ranking", "pos", "position", "pref", "y",
     "target", "tag", "topic", "class", "place", "choice", "order")
)  # fmt: skip
_FEATURE_WORDS = frozenset(("a", "x", "f", "att", "attr", "attribute", "feature", "feat", "var"))
_HOLD = {TargetForm.RELEVANCE: "0 or 1", TargetForm.SCORES: "numbers of both signs"}

BINARY_DOUBT = (
    "A feature that is 0 or 1 looks like a 0/1 label: the content cannot tell where the labels "
    "begin."
)


@dataclass(frozen=True)
class Block:
    """Columns that look like labels.

    Parameters
    ----------
    columns : tuple of int
        Their indices.
    why : str
        What speaks for it.
    relevance : bool
        Whether they hold 0/1.
    named : bool
        Whether their names speak for it too.
    doubt : str
        What speaks against it.
    """

    columns: tuple[int, ...]
    why: str
    relevance: bool
    named: bool = False
    doubt: str = ""


def family(name: str) -> str:
    """Return what a name shares with its siblings: the part before a number, ``_`` or ``:``.

    Names of places, such as ``1st`` and ``rank 1``, are siblings.

    Parameters
    ----------
    name : str
        A column's name.

    Returns
    -------
    str
        The common part in lower case; empty where there is none.

    Examples
    --------
    >>> family("L10"), family("label_a"), family("rank: a"), family("weight")
    ('l', 'label', 'rank', '')
    """
    lower = name.strip().lower()
    if place_names([name]):
        return "place"
    match = re.fullmatch(r"(.*?[^\W\d_])[\s_.:#-]*\d+", lower) or re.match(r"([^:_]+)[:_]", lower)
    return match[1].strip() if match else ""


def label_block(
    numbers: FloatArray,
    names: Sequence[str],
    usable: Sequence[int],
    *,
    zero_names: Collection[str],
) -> Block | None:
    """Find the columns that are labels.

    Parameters
    ----------
    numbers : ndarray of shape (n_rows, n_columns)
        The table.
    names : sequence of str
        Names of its columns.
    usable : sequence of int
        The columns that hold numbers.
    zero_names : collection of str
        Names, in lower case, of a column for the virtual label.

    Returns
    -------
    Block or None
        The labels, with the virtual label's column; None where nothing looks like labels.
    """
    if len(usable) < 2:
        return None
    step = -(-len(numbers) // _N_ROWS_LOOKED_AT)
    values = numbers[::step]
    zero = [j for j in usable if names[j].strip().lower() in zero_names]
    named = _named_blocks(values, names, usable, zero)
    if named:
        best = named[-1]
        if len(named) > 1:
            best = replace(best, doubt="More than one group of columns looks like labels.")
        return best
    reverse = tuple(reversed(usable))
    end, start = _ranking_block(values, reverse), _ranking_block(values, tuple(usable))
    if end and start and set(end.columns) & set(start.columns):
        start = None
    binary_end, binary_start = (
        _binary_block(values, names, reverse),
        _binary_block(values, names, tuple(usable)),
    )
    found = [block for block in (end, binary_end, start, binary_start) if block]
    if not found:
        return None
    rivals = [block for block in found[1:] if not block.relevance]
    if rivals and not found[0].relevance:
        return replace(found[0], doubt="Columns at both ends of the table look like labels.")
    return found[0]


def _named_blocks(
    values: FloatArray, names: Sequence[str], usable: Sequence[int], zero: list[int]
) -> list[Block]:
    """Return groups of columns that are named like labels and hold something like labels."""
    families: dict[str, list[int]] = {}
    for j in usable:
        if j not in zero:
            families.setdefault(family(names[j]), []).append(j)
    blocks = []
    for word, columns in families.items():
        prefixed = all(":" in names[j] for j in columns) and word not in _FEATURE_WORDS
        if len(columns) < 2 or not (word in _LABEL_WORDS or prefixed):
            continue
        candidates = [sorted(columns + zero), columns] if zero else [columns]
        for candidate in candidates:
            form = _likely_form(values[:, candidate])
            ranks = form in (TargetForm.POSITIONS, TargetForm.ORDERS)
            if form is TargetForm.SCORES and word not in _LABEL_WORDS:
                break  # features have both signs too
            if form is not None and (ranks or candidate is columns):
                why = f"named like labels, {_HOLD.get(form, 'ranks in every row')}"
                relevance = form is TargetForm.RELEVANCE
                blocks.append(Block(tuple(candidate), why, relevance, named=True))
                break
    return blocks


def _likely_form(values: FloatArray) -> TargetForm | None:
    """Return the form that explains most rows of columns, None where none does."""
    form = possible_forms(values)[0]
    if form in _HOLD:
        return form
    values = np.where(np.isin(values, (0, values.shape[1] + 1)), np.nan, values)
    ranked = ~np.isnan(values).all(axis=1)
    read = read_orders if form is TargetForm.ORDERS else read_positions
    right = read(values).right[ranked]
    return form if len(right) and right.mean() > 0.5 else None


def _binary_block(
    values: FloatArray, names: Sequence[str], columns: tuple[int, ...]
) -> Block | None:
    """Return the 0/1 columns at the beginning of a list of columns."""
    binary = ((values == 0) | (values == 1) | np.isnan(values)).all(axis=0)
    n_binary = next((k for k, j in enumerate(columns) if not binary[j]), len(columns))
    block = columns[:n_binary]
    if n_binary < 2:
        return None
    # Names that go together settle what the content leaves open.
    word = family(names[block[0]])
    siblings = [j for j in columns if word and family(names[j]) == word]
    together = set(siblings) <= set(block) and len(siblings) >= 2
    if together and word not in _FEATURE_WORDS and len(siblings) < len(columns):
        return Block(tuple(sorted(siblings)), "0 or 1, and named alike", True)
    doubt = BINARY_DOUBT if n_binary < len(columns) else "All columns are 0 or 1."
    return Block(tuple(sorted(block)), "0 or 1 at one end of the table", True, doubt=doubt)


def _ranking_block(values: FloatArray, columns: tuple[int, ...]) -> Block | None:
    """Return the most columns at the beginning of a list that hold a ranking in each row."""
    whole = np.isnan(values) | ((values == np.floor(values)) & (values >= 0))
    whole &= np.isnan(values) | (values <= len(columns))
    fits = [_nearly_all(whole[:, j]) for j in range(whole.shape[1])]
    candidates = columns[: next((k for k, j in enumerate(columns) if not fits[j]), len(columns))]
    if len(candidates) < 2:
        return None
    strict, dense = _dense_prefixes(np.where(whole, values, np.nan)[:, candidates])
    if not dense:
        dense = [
            k
            for k in range(2, min(len(candidates), _MAX_WIDTH_WITH_GAPS) + 1)
            if _explains(values[:, candidates[:k]])
        ]
    widths = strict or dense
    if not widths:
        return None
    doubt = ""
    if len(widths) > 1:
        doubt = f"The labels may be {widths[0]} or {widths[-1]} columns: both hold rankings."
    why = "a permutation in every row" if strict else "a ranking in every row"
    return Block(tuple(sorted(candidates[: widths[-1]])), why, False, doubt=doubt)


def _dense_prefixes(values: FloatArray) -> tuple[list[int], list[int]]:
    """Return how many first columns hold permutations, and how many positions without gaps.

    One pass over the columns: a row is dense where its highest position is the number of its
    different positions. 0 counts as not ranked here.
    """
    n_rows, n_columns = values.shape
    seen = np.zeros((n_rows, n_columns + 1), dtype=bool)
    highest, n_different, n_given = (np.zeros(n_rows, dtype=np.int64) for _ in range(3))
    rows = np.arange(n_rows)
    beyond = np.zeros(n_rows, dtype=bool)
    strict, dense = [], []
    for k in range(1, n_columns + 1):
        column = np.nan_to_num(values[:, k - 1]).astype(np.int64)
        beyond |= column > n_columns
        column = np.minimum(column, n_columns)
        given = column > 0
        n_different += given & ~seen[rows, column]
        n_given += given
        seen[rows, column] = True
        highest = np.maximum(highest, column)
        ranked = n_given > 0
        if k < 2 or not ranked.any() or highest.max() < 2:
            continue
        fits = (highest == n_different) & ~beyond
        if _nearly_all(fits[ranked]):
            dense.append(k)
        if _nearly_all((fits & (n_different == k))[ranked]):
            strict.append(k)
    return strict, dense


def _explains(values: FloatArray) -> bool:
    """Tell whether rows are positions or orders, gaps that explain themselves included."""
    values = np.where(values == 0, np.nan, values)
    ranked = ~np.isnan(values).all(axis=1)
    if not ranked.any() or np.nanmax(values) < 2:
        return False
    return any(_nearly_all(read(values).right[ranked]) for read in (read_positions, read_orders))


def _nearly_all(fits: BoolArray) -> bool:
    """Tell whether at least 95 % fit, or all but one of a few."""
    return bool(fits.mean() >= _ENOUGH or (len(fits) >= 5 and fits.sum() >= len(fits) - 1))
