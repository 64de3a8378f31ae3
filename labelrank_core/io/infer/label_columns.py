"""Which columns of numbers are labels: by their names, or as a block at one end of the table."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile

import numpy as np

from labelrank_core.data.findings import listed
from labelrank_core.io.build.rankings import BoolArray, place_names, read_orders, read_positions
from labelrank_core.io.infer.forms import possible_forms
from labelrank_core.io.table import RawTable
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
    """Columns that look like labels, the reason, and what makes that doubtful."""

    columns: tuple[int, ...]
    why: str
    relevance: bool = False  # whether they hold 0/1
    named: bool = False  # whether they are also named like labels
    strict: bool = False  # whether they hold a permutation in every row
    doubt: str = ""
    rivals: tuple["Block", ...] = ()  # what the labels could be instead

    @property
    def clear(self) -> bool:
        """Whether the content alone is hardly due to chance."""
        return self.relevance or self.strict


def family(name: str) -> str:
    """Return what a name shares with its siblings: the part before numbers, ``_`` or ``:``.

    Names of places, such as ``1st`` and ``rank 1``, are siblings.

    >>> family("L10"), family("label_a"), family("rank: a"), family("weight")
    ('l', 'label', 'rank', '')
    """
    lower = name.strip().lower()
    if place_names([name]):
        return "place"
    numbered = re.fullmatch(r"(.*?[^\W\d_])(?:[\s_.:#-]*+\d++)++", lower)
    match = numbered or re.match(r"([^:_]+)[:_]", lower)
    first = re.match(r"([^\W\d_]+)[\s_.:#-]*+\d", lower)  # such as Class-7-V13_02
    if first and first[1] in _LABEL_WORDS:
        match = first
    return match[1].strip() if match else ""


def _shape(name: str) -> str:
    """Return the pattern of a name of two parts and a number, such as ``a.a0`` for ``B.B12``."""
    shape = re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "0", name.strip()))
    return shape if re.fullmatch(r"a[\s_.:#-]a0", shape) else ""


def label_block(
    raw: RawTable, usable: Sequence[int], *, zero_names: Collection[str]
) -> Block | None:
    """Find the columns that are labels, and the virtual label's, among columns of numbers."""
    if len(usable) < 2:
        return None
    names = raw.names
    values = raw.numbers[:: -(-raw.n_rows // _N_ROWS_LOOKED_AT)]
    zero = [j for j in usable if names[j].strip().lower() in zero_names]
    named = _named_blocks(values, names, usable, zero)
    if named:
        several = "More than one group of columns looks like labels."
        rivals = tuple(named[-2::-1])
        return replace(named[-1], doubt=several, rivals=rivals) if rivals else named[-1]
    declared = {j for j in usable if raw.categories(j)}
    end, start = (
        _ends(values, names, columns, declared)
        for columns in (tuple(reversed(usable)), tuple(usable))
    )
    if end is None or start is None or start.relevance or set(end.columns) & set(start.columns):
        return end or start
    doubt = "Columns at both ends of the table look like labels."
    return replace(end, doubt=doubt, rivals=(*end.rivals, start))


def _ends(
    values: FloatArray, names: Sequence[str], columns: tuple[int, ...], declared: set[int]
) -> Block | None:
    """Return the block at the beginning of a list of columns; a block of 0/1 columns wins."""
    binary = _binary_block(values, names, columns, declared)
    ranking = _ranking_block(values, columns)
    if binary is None or ranking is None:
        return binary or ranking
    # A format that declares columns as {0, 1} says what they are.
    few = len(binary.columns) * 2 < len(ranking.columns) and not declared >= set(binary.columns)
    if ranking.strict:
        return ranking
    if few:
        doubt = f"{listed([names[j] for j in binary.columns])} hold only 0 and 1."
        return replace(ranking, doubt=f"{ranking.doubt} {doubt}".strip(), rivals=(binary,))
    more = [names[j] for j in ranking.columns if j not in binary.columns]
    if not more:
        return binary
    doubt = f"With {listed(more)} these columns of 0 and 1 could also be rankings."
    rivals = (*binary.rivals, ranking)
    return replace(binary, doubt=f"{binary.doubt} {doubt}".strip(), rivals=rivals)


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
            if word == "place" and not ranks:
                break  # in texts 2nd and 3rd are words
            if form is not None and (ranks or candidate is columns):
                why = f"named like labels, {_HOLD.get(form, 'ranks in every row')}"
                relevance = form is TargetForm.RELEVANCE
                blocks.append(Block(tuple(candidate), why, relevance, named=True))
                break
    return blocks


def _likely_form(values: FloatArray) -> TargetForm | None:
    """Return the form that explains most rows of columns; None if none does."""
    form = possible_forms(values)[0]
    if form in _HOLD:
        return form
    values = np.where(np.isin(values, (0, values.shape[1] + 1)), np.nan, values)
    ranked = ~np.isnan(values).all(axis=1)
    read = read_orders if form is TargetForm.ORDERS else read_positions
    right = read(values).right[ranked]
    return form if len(right) and right.mean() > 0.5 else None


def _binary_block(
    values: FloatArray, names: Sequence[str], columns: tuple[int, ...], declared: set[int]
) -> Block | None:
    """Return the 0/1 columns at the beginning of a list; names tell them from features."""
    binary = ((values == 0) | (values == 1) | np.isnan(values)).all(axis=0)
    block = tuple(takewhile(lambda j: binary[j], columns))
    if block and block[0] in declared and not declared.issuperset(columns):
        block = tuple(takewhile(lambda j: j in declared, block))
    if len(block) < 2:
        return None
    # Behind a column of another kind there is more likely a feature that is 0 or 1 too.
    beside = _side_by_side(block)
    if 2 <= len(beside) < len(block):
        beyond = Block(tuple(sorted(block)), "0 or 1, with other columns between", True)
        why = "0 or 1, side by side at one end of the table"
        return Block(tuple(sorted(beside)), why, True, doubt=BINARY_DOUBT, rivals=(beyond,))
    doubt = BINARY_DOUBT if len(block) < len(columns) else "All columns are 0 or 1."
    siblings, several = _siblings(names, columns, block)
    if not siblings or len(siblings) == len(columns):
        return Block(tuple(sorted(block)), "0 or 1 at one end of the table", True, doubt=doubt)
    alike = Block(tuple(sorted(siblings)), "0 or 1, and named alike", True)
    if several:
        return replace(alike, doubt=doubt)
    others = {family(names[j]) for j in block if j not in siblings}
    if len(others) <= max(1, len(siblings)):
        return alike
    # Two of many columns with names of many kinds are hardly the labels.
    why = "0 or 1 at one end of the table"
    return Block(tuple(sorted(block)), why, True, doubt=doubt, rivals=(alike,))


def _side_by_side(columns: tuple[int, ...]) -> tuple[int, ...]:
    """Return the columns up to the first one that is not beside the one before."""
    steps = [abs(after - before) for before, after in pairwise(columns)]
    return columns[: next((k for k, step in enumerate(steps, 1) if step > 1), len(columns))]


def _siblings(
    names: Sequence[str], columns: tuple[int, ...], block: tuple[int, ...]
) -> tuple[tuple[int, ...], bool]:
    """Return the columns of a block named like its first one, and whether by several words."""
    shape, word = _shape(names[block[0]]), family(names[block[0]])
    alike = tuple(takewhile(lambda j: shape and _shape(names[j]) == shape, block))
    if len({family(names[j]) for j in alike}) > 1:  # such as A.A1, A.A2, B.B1
        return alike, True
    own = tuple(j for j in columns if word and family(names[j]) == word)
    together = len(own) >= 2 and set(own) <= set(block) and word not in _FEATURE_WORDS
    return (own if together else ()), False


def _ranking_block(values: FloatArray, columns: tuple[int, ...]) -> Block | None:
    """Return the longest beginning of a list of columns that holds a ranking in each row."""
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
    why = "a permutation in every row" if strict else "a ranking in every row"
    fewest, most = (
        Block(tuple(sorted(candidates[:width])), why, strict=bool(strict))
        for width in (widths[0], widths[-1])
    )
    if fewest == most:
        return most
    doubt = f"The labels may be {widths[0]} or {widths[-1]} columns: both hold rankings."
    return replace(most, doubt=doubt, rivals=(fewest,))


def together(raw: RawTable, columns: Sequence[int]) -> bool:
    """Tell whether columns of numbers can be the labels of one block: all 0/1, or rankings."""
    values = raw.numbers[:: -(-raw.n_rows // _N_ROWS_LOOKED_AT)][:, list(columns)]
    binary = (values == 0) | (values == 1) | np.isnan(values)
    return bool(binary.all()) or (not binary.all(axis=0).any() and _explains(values))


def _dense_prefixes(values: FloatArray) -> tuple[list[int], list[int]]:
    """Return how many first columns can hold permutations, and positions without gaps."""
    rows = np.arange(len(values))
    seen = np.zeros((len(rows), int(np.fmax.reduce(values, axis=None, initial=0)) + 1), dtype=bool)
    highest, n_different = (np.zeros(len(rows), dtype=np.int64) for _ in range(2))
    strict, dense = [], []
    for k in range(1, values.shape[1] + 1):
        column = np.nan_to_num(values[:, k - 1]).astype(np.int64)
        n_different += (column > 0) & ~seen[rows, column]
        seen[rows, column] = True
        highest = np.maximum(highest, column)
        if k < 2 or highest.max() < 2:
            continue
        ranked = highest > 0
        fits = highest == n_different
        if _nearly_all(fits[ranked]):
            dense.append(k)
        if _nearly_all((fits & (n_different == k))[ranked]):
            strict.append(k)
    return strict, dense


def _explains(values: FloatArray) -> bool:
    """Tell whether nearly all rows are positions, gaps that can be closed included, or orders."""
    values = np.where(values == 0, np.nan, values)
    ranked = ~np.isnan(values).all(axis=1)
    if not ranked.any() or np.nanmax(values) < 2:
        return False
    return any(_nearly_all(read(values).right[ranked]) for read in (read_positions, read_orders))


def _nearly_all(fits: BoolArray) -> bool:
    """Tell whether at least 95 % fit, or all but one of a few."""
    return bool(fits.mean() >= _ENOUGH or (len(fits) >= 5 and fits.sum() >= len(fits) - 1))
