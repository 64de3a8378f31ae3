"""Which columns of numbers can be labels: by their names, or as a block at one end of the table."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from typing import Any

import numpy as np

from labelrank_core.io.build.rankings import BoolArray, place_names, read_orders, read_positions
from labelrank_core.io.infer.forms import possible_forms
from labelrank_core.io.infer.ratings import rated_block, share_a_scale
from labelrank_core.io.table import RawTable
from labelrank_core.io.vocabulary import Role, TargetForm
from labelrank_core.rankings import FloatArray

# How sure a candidate is: named like labels or in words; lists named so; hardly due to chance; may
# be due to chance.
NAMED, NAMED_LIST, CLEAR, LOOSE = 4, 3, 2, 1
_N_ROWS_LOOKED_AT = 2_000
# Of very many columns fewer rows are looked at.
_N_NUMBERS_LOOKED_AT, _FEWEST_ROWS = 200_000, 100
_ENOUGH = 0.95
# Beyond this width only positions without gaps are looked for at the ends of a table.
_MAX_WIDTH_WITH_GAPS = 40
_LABEL_WORDS = frozenset(
    ("l", "label", "labels", "lbl", "rank", "ranks", "ranking", "pos", "position", "pref", "y",
     "target", "tag", "topic", "class", "place", "choice", "order", "rating", "ratings", "stars",
     "like", "likes")
)  # fmt: skip
# What is counted or measured of a case is no rating of a label, whatever its numbers.
_COUNTED_OR_MEASURED = frozenset(
    ("age", "year", "years", "month", "months", "day", "days", "date", "hour", "hours", "time",
     "visit", "visits", "count", "number", "no", "nr", "n", "id", "code", "zip", "group", "sex",
     "gender", "income", "salary", "price", "cost", "size", "height", "weight", "length", "width",
     "distance", "temperature", "children", "persons", "orders", "purchases")
)  # fmt: skip
_FEATURE_WORDS = frozenset(("a", "x", "f", "att", "attr", "attribute", "feature", "feat", "var"))
_HOLD = {
    TargetForm.RELEVANCE: "0 or 1",
    TargetForm.SCORES: "numbers of both signs",
    TargetForm.RATINGS: "ratings on one scale",
    TargetForm.GRADES: "ratings on one scale",
}
_RATINGS = (TargetForm.RATINGS, TargetForm.GRADES)
# Fewer columns on one scale are as likely to be features.
_FEWEST_RATED = 3
# Names such as A.A1 and B.B12, whose letters say to which group of labels they belong.
_GROUPED = re.compile(r"[^\W\d_]+([\s_.#-])[^\W\d_]+\d+")
_MAY_BE_RATED = "Columns that share a scale may be labels or features."
_WHERE_LABELS_BEGIN = (
    "A feature that is 0 or 1 looks like a 0/1 label: the content cannot tell where the labels "
    "begin."
)


@dataclass(frozen=True)
class TargetCandidate:
    """Columns that could be the targets, with the reason, a score of certainty and the doubt."""

    columns: tuple[int, ...]
    why: str
    score: int
    role: Role = Role.LABEL
    relevance: bool = False  # whether they hold 0/1
    doubt: str = ""


def family(name: str) -> str:
    """Return the part of a name before numbers, ``_`` or ``:``, which its siblings share.

    Names of places, such as ``1st`` and ``rank 1``, are siblings, and so are ``A.A1`` and ``B.B2``,
    and names with a unit that only labels have.

    >>> family("L10"), family("label_a"), family("rank: a"), family("tea (stars)"), family("weight")
    ('l', 'label', 'rank', 'stars', '')
    """
    lower = name.strip().lower()
    if place_names([name]):
        return "place"
    first = re.match(r"([^\W\d_]+)[\s_.:#-]*+\d", lower)  # such as Class-7-V13_02
    if first and first[1] in _LABEL_WORDS:
        return first[1]
    unit = re.fullmatch(r".+\(([^\W\d_]+)\)", lower)
    if unit and unit[1] in _LABEL_WORDS:
        return unit[1]
    grouped = _GROUPED.fullmatch(lower)
    if grouped:
        return grouped[1]
    numbered = re.fullmatch(r"(.*?[^\W\d_])(?>(?:[\s_.:#-]*+\d++)+)", lower)
    match = numbered or re.match(r"([^:_]+)[:_]", lower)
    return match[1].strip() if match else ""


def label_candidates(
    raw: RawTable, usable: Sequence[int], zero_names: Collection[str]
) -> list[TargetCandidate]:
    """Find candidates for labels among columns of numbers, and the virtual label among them."""
    if len(usable) < 2:
        return []
    names = raw.names
    values = _some_rows(raw)
    zero = [j for j in usable if names[j].strip().lower() in zero_names]
    by_name = _candidates_by_name(values, names, usable, zero)
    if by_name:
        return by_name[::-1]
    declared = {j for j in usable if raw.categories(j)}
    end, start = (
        _at_end(values, names, columns, declared) for columns in (usable[::-1], list(usable))
    )
    # Features are often 0 or 1 too.
    if end and start and (start[0].relevance or set(end[0].columns) & set(start[0].columns)):
        return end
    return [*end, *start] or _rated(values, names, usable)


def together(raw: RawTable, columns: Sequence[int]) -> bool:
    """Tell whether columns of numbers can be the labels of one block: all 0/1, or rankings."""
    values = _some_rows(raw)[:, list(columns)]
    binary = _binary(values)
    return bool(binary.all()) or (not binary.any() and _are_rankings(values))


def _some_rows(raw: RawTable) -> FloatArray:
    max_rows = max(_FEWEST_ROWS, _N_NUMBERS_LOOKED_AT // max(1, len(raw.names)))
    return raw.numbers[:: -(-raw.n_rows // min(_N_ROWS_LOOKED_AT, max_rows))]


def _binary(values: FloatArray) -> BoolArray:
    """Tell which columns hold nothing but 0 and 1."""
    return np.asarray(((values == 0) | (values == 1) | np.isnan(values)).all(axis=0))


def _candidates_by_name(
    values: FloatArray, names: Sequence[str], usable: Sequence[int], zero: list[int]
) -> list[TargetCandidate]:
    """Return groups of columns that are named like labels and hold something like labels."""
    families: dict[str, list[int]] = {}
    for j in usable:
        if j not in zero:
            families.setdefault(family(names[j]), []).append(j)
    candidates = []
    for word, columns in families.items():
        prefixed = all(":" in names[j] for j in columns) and word not in _FEATURE_WORDS
        if len(columns) < 2 or not (word in _LABEL_WORDS or prefixed):
            continue
        for group in ([*columns, *zero], columns) if zero else (columns,):
            form = _likely_form(values[:, group])
            # In texts 2nd and 3rd are words, and features have both signs too.
            is_accepted = group is columns and word != "place"
            is_accepted &= form is TargetForm.RELEVANCE or word in _LABEL_WORDS
            if form is not None and (form not in _HOLD or is_accepted):
                why = f"named like labels, {_HOLD.get(form, 'ranks in every row')}"
                relevance = form is TargetForm.RELEVANCE
                candidates.append(
                    TargetCandidate(tuple(sorted(group)), why, NAMED, relevance=relevance)
                )
                break
    return candidates


def _likely_form(values: FloatArray) -> TargetForm | None:
    """Return the form that explains most rows of columns; None if none does."""
    form = possible_forms(values)[0]
    if form in _RATINGS and share_a_scale(values):
        return form
    values = np.where(values == values.shape[1] + 1, np.nan, values)
    return form if form in _HOLD.keys() - _RATINGS or _are_rankings(values, 0.51) else None


def _rated(
    values: FloatArray, names: Sequence[str], columns: Sequence[int]
) -> list[TargetCandidate]:
    """Return the columns that hold ratings on one scale: `rated_block` says which."""
    words = {j: re.split(r"[\s_.:-]+", names[j].strip().lower()) for j in columns}
    measured = [j for j in columns if not _COUNTED_OR_MEASURED.isdisjoint(words[j])]
    run = rated_block(values, columns, measured)
    if len(run) < _FEWEST_RATED:
        return []
    lowest, highest = np.nanmin(values[:, run]), np.nanmax(values[:, run])
    is_whole = bool(np.all(np.isnan(values[:, run]) | (values[:, run] % 1 == 0)))
    kind = "whole numbers" if is_whole else "numbers"
    why = f"{kind} from {lowest:g} to {highest:g}, side by side"
    return [TargetCandidate(tuple(run), why, LOOSE, doubt=_MAY_BE_RATED)]


def _at_end(
    values: FloatArray, names: Sequence[str], columns: Sequence[int], declared: set[int]
) -> list[TargetCandidate]:
    """List the candidates at the beginning of a list of columns, the likeliest first."""
    binary = _binary_labels(values, names, columns, declared)
    ranking = _ranking_labels(values, columns)
    if not (binary and ranking):
        candidates = binary or ranking
    elif ranking[0].score is CLEAR:
        candidates = ranking
    else:
        zero_one, ranks = set(binary[0].columns), set(ranking[0].columns)
        # A format that declares columns as {0, 1} says what they are.
        few = len(zero_one) * 2 < len(ranks) and not declared >= zero_one
        candidates = (
            [ranking[0], *binary] if few else [*binary, *ranking[: len(ranks - zero_one)][:1]]
        )
    return [replace(candidate, score=candidates[0].score) for candidate in candidates]


def _binary_labels(
    values: FloatArray, names: Sequence[str], columns: Sequence[int], declared: set[int]
) -> list[TargetCandidate]:
    """Return the 0/1 columns at the beginning of a list; names tell them from features."""

    def candidate(block_columns: Sequence[int], why: str, doubt: str = "") -> TargetCandidate:
        return TargetCandidate(
            tuple(sorted(block_columns)), why, CLEAR, relevance=True, doubt=doubt
        )

    binary = _binary(values)
    block = list(takewhile(lambda j: binary[j], columns))
    if block and block[0] in declared and not declared.issuperset(columns):
        block = list(takewhile(declared.__contains__, block))
    if len(block) < 2:
        return []
    # Behind a column of another kind there is more likely a feature that is 0 or 1 too.
    steps = [abs(next_column - column) for column, next_column in pairwise(block)]
    adjacent = block[: next((k for k, step in enumerate(steps, 1) if step > 1), len(block))]
    doubt = _WHERE_LABELS_BEGIN if len(block) < len(columns) else "All columns are 0 or 1."
    if 2 <= len(adjacent) < len(block):
        near = candidate(adjacent, "0 or 1, side by side at one end of the table", doubt)
        return [near, candidate(block, "0 or 1, with other columns between")]
    entire = candidate(block, "0 or 1 at one end of the table", doubt)
    word = family(names[block[0]])
    alike = [j for j in columns if word and family(names[j]) == word]
    is_kind = 2 <= len(alike) < len(columns) and set(alike) <= set(block)
    if not is_kind or word in _FEATURE_WORDS:
        return [entire]
    families = {family(names[j]) for j in block if j not in alike}
    # Names of several groups may be those of other 0/1 columns too.
    siblings = candidate(alike, "0 or 1, and named alike", "" if word[0].isalnum() else doubt)
    # Two of many columns with names of many kinds are hardly the labels.
    return [entire, siblings] if len(families) > max(1, len(alike)) else [siblings]


def _ranking_labels(values: FloatArray, columns: Sequence[int]) -> list[TargetCandidate]:
    """Return the longest and shortest beginning of a list of columns that holds rankings."""
    is_rank = (values == np.floor(values)) & (values >= 0) & (values <= len(columns))
    fits = _nearly_all(is_rank | np.isnan(values))
    candidates = list(takewhile(lambda j: fits[j], columns))
    if len(candidates) < 2:
        return []
    ranks = np.where(is_rank, values, 0)[:, candidates]
    strict, dense = _widths_without_gaps(ranks)
    widths = strict or dense
    if not widths:
        widths = [
            k
            for k in range(2, min(len(candidates), _MAX_WIDTH_WITH_GAPS) + 1)
            if ranks[:, :k].max() > 1 and _are_rankings(values[:, candidates[:k]])
        ]
    why = "a permutation in every row" if strict else "a ranking in every row"
    return [
        TargetCandidate(tuple(sorted(candidates[:k])), why, CLEAR if strict else LOOSE)
        for k in sorted({*widths[:1], *widths[-1:]}, reverse=True)
    ]


def _widths_without_gaps(ranks: FloatArray) -> tuple[list[int], list[int]]:
    """Return the numbers of first columns with permutations, and with positions without gaps."""
    order = np.argsort(ranks, axis=1, kind="stable")
    is_new = np.zeros(ranks.shape, dtype=bool)
    steps = np.diff(np.take_along_axis(ranks, order, axis=1), axis=1, prepend=0)
    np.put_along_axis(is_new, order, steps > 0, axis=1)
    n_different, highest = np.cumsum(is_new, axis=1), np.maximum.accumulate(ranks, axis=1)
    widths = np.arange(1, ranks.shape[1] + 1)
    possible = (highest.max(axis=0) > 1) & (widths > 1)
    dense = highest == n_different
    strict = dense & (n_different == widths)
    ranked = highest > 0
    return (
        widths[possible & _nearly_all(strict, ranked)].tolist(),
        widths[possible & _nearly_all(dense, ranked)].tolist(),
    )


def _are_rankings(values: FloatArray, least: float = _ENOUGH) -> bool:
    """Tell whether most rows are positions, gaps that can be closed included, or orders."""
    values = np.where(values == 0, np.nan, values)
    values = values[~np.isnan(values).all(axis=1)]
    right = [read(values).right for read in (read_positions, read_orders)]
    return bool(len(values)) and any(_nearly_all(rows, least=least) for rows in right)


def _nearly_all(fits: BoolArray, among: Any = True, least: float = _ENOUGH) -> Any:
    """Tell for each column whether 95 % of the rows fit, or all but one of a few."""
    among = np.broadcast_to(among, fits.shape)
    n_rows, n_right = among.sum(axis=0), (fits & among).sum(axis=0)
    return (n_right >= least * n_rows) | ((n_rows >= 5) & (n_right >= n_rows - 1))
