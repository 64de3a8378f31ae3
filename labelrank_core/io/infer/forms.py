"""The possible forms of label columns, and the support of similar cases for each reading."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isqrt

import numpy as np
import pandas as pd
from sklearn.neighbors import NearestNeighbors
from sklearn.preprocessing import MaxAbsScaler, StandardScaler

from labelrank_core.data.findings import refusal
from labelrank_core.io.build.rankings import (
    ReadRankings,
    number_blocks,
    only_ranked,
    place_names,
    read_orders,
    read_positions,
    read_ratings,
    same_rows,
    unranked_number,
)
from labelrank_core.io.infer.proposal import Proposal
from labelrank_core.io.infer.ratings import add_ratings
from labelrank_core.io.table import BoolArray, RawTable
from labelrank_core.io.vocabulary import Role, TargetForm, Unranked
from labelrank_core.rankings import FloatArray, format_ranking

# Forms that rank labels by numbers of their own, whose readings can be compared in words.
PREVIEWED = frozenset(
    (TargetForm.POSITIONS, TargetForm.ORDERS, TargetForm.RATINGS, TargetForm.GRADES)
)
# A number in fewer rows is more likely to be a mistake.
_SHARE = 0.05
_NEARLY_ALL = 0.95
# A form is possible if it explains nearly as many rows as the form that explains most.
_NEARLY = 0.9
# Positions have no sign: a number below 0 in that many rows is not a mistake.
_SCORES = 0.2
# With fewer rows neighbours are less alike: on the published set spo 500 rows decide nothing.
_N_ROWS = 2_500
# With very many features fewer rows are compared.
_FEWEST_ROWS, _N_PRODUCTS = 300, 150_000_000
_N_NEIGHBORS = 5
# More labels change the agreement little, and the cost grows with the square of their number.
_N_LABELS = 50
# Among so many numbers of the first rows, those are looked for in which readings differ.
_N_PREVIEWED = 100_000
# The mean difference must be this many times its standard error.
_CLEAR = 2.0


def possible_unranked(numbers: FloatArray) -> tuple[Unranked, ...]:
    """List the possible marks for 'not ranked' in positions or orders, likeliest first.

    A blank is always possible. 0, or the number of labels plus one, is likely if the other numbers
    of its rows are rankings without gaps; but not a 0 in every row if counting begins there.
    """
    n_labels = numbers.shape[1]
    likely: list[Unranked] = []
    unlikely: list[Unranked] = []
    for unranked in (Unranked.ZERO, Unranked.BEYOND):
        marked = numbers == unranked_number(unranked, n_labels)
        if not marked.any():
            continue
        rows = marked.any(axis=1)
        comparison = _compare_rows(numbers[rows], unranked)
        right = (comparison.right_positions & ~comparison.closed_gaps) | comparison.right_orders
        clear = rows.mean() >= _SHARE and right.mean() >= _NEARLY_ALL
        once = (marked.sum(axis=1) == 1).all() and not (numbers >= n_labels).any()
        (likely if clear and not (unranked is Unranked.ZERO and once) else unlikely).append(
            unranked
        )
    return (*likely, Unranked.BLANK, *unlikely)


def possible_forms(numbers: FloatArray) -> tuple[TargetForm, ...]:
    """Tell which forms columns of numbers can have, the likelier first; positions if none fits.

    Two are possible if they explain nearly equally many rows and give different targets.
    """
    if (numbers < 0).any(axis=1).mean() >= _SCORES and (numbers > 0).any():
        return (TargetForm.SCORES,)
    binary = (np.isnan(numbers) | (numbers == 0) | (numbers == 1)).all(axis=1)
    unranked = possible_unranked(numbers)[0]
    rows = _compare_rows(numbers, unranked)
    if binary.mean() >= 0.5 and (numbers == 0).any():
        # Rankings of one label look like 0/1; those of more labels show what it is.
        fits_ranking = (rows.right_positions & ~rows.closed_gaps)[~binary]
        explained = len(fits_ranking) and fits_ranking.mean() >= _NEARLY_ALL
        if unranked is not Unranked.BLANK and explained and (~binary).mean() >= _SHARE:
            return (TargetForm.POSITIONS, TargetForm.RELEVANCE)
        if (~binary).mean() >= _SHARE:
            return (TargetForm.RATINGS, TargetForm.RELEVANCE)
        return (TargetForm.RELEVANCE,)
    if (numbers < 0).any():
        return (TargetForm.RATINGS, TargetForm.GRADES)
    return add_ratings(only_ranked(numbers, unranked), _likely_rankings(rows))


def _likely_rankings(rows: "_ComparedRows") -> tuple[TargetForm, ...]:
    """Return which of positions and orders explain most rows; positions if none explains any."""
    as_positions, as_orders = rows.right_positions.mean(), rows.right_orders.mean()
    both = rows.right_positions & rows.right_orders
    if rows.same[both].all() and both.any():
        # If the readings agree on all rows that both can read, the one that reads more is right.
        return (TargetForm.ORDERS if as_orders > as_positions else TargetForm.POSITIONS,)
    shares = {TargetForm.POSITIONS: as_positions, TargetForm.ORDERS: as_orders}
    least = _NEARLY * max(as_positions, as_orders)
    likely = tuple(form for form, share in shares.items() if share >= least > 0)
    return likely or (TargetForm.POSITIONS,)


@dataclass(frozen=True)
class ReadingEvidence:
    """The agreement of similar cases under either reading of the labels, from -1 to 1.

    NaN with fewer than three rows or no feature; `better` is the reading with the clearly higher
    agreement, None if the mean difference is less than twice its standard error.
    """

    positions: float = np.nan
    orders: float = np.nan
    better: TargetForm | None = None

    @property
    def text(self) -> str:
        """The evidence in one sentence."""
        if np.isnan(self.positions):
            return "The rows do not show which reading is right."
        agreement = f"{self.positions:.3f} as positions, {self.orders:.3f} as orders"
        if self.better is None:
            return f"Similar cases agree about equally well in both readings ({agreement})."
        return (
            f"Similar cases agree better when the numbers are read as {self.better} ({agreement})."
        )


def reading_preview(
    proposal: Proposal,
    roles: Mapping[str, str] | None = None,
    *,
    forms: Sequence[str] = (TargetForm.POSITIONS, TargetForm.ORDERS),
    n_rows: int = 5,
) -> pd.DataFrame:
    r"""Show rows in words under several readings of the label columns.

    Parameters
    ----------
    proposal : Proposal
        What the file seems to hold.
    roles : mapping of str to str or None
        Role by column; what is not given is as proposed.
    forms : sequence of str, default=("positions", "orders")
        The readings: 'positions', 'orders', 'ratings' or 'grades'.
    n_rows : int, default=5
        How many rows: the first ones in which the readings differ, and then other first rows.

    Returns
    -------
    DataFrame
        Columns ``line``, ``in the file``, and one for each reading, such as ``as positions``; 'not
        possible' if a row cannot be read in this way.

    Raises
    ------
    DatasetError
        If there are not at least two label columns.

    Examples
    --------
    >>> from labelrank_core.io import inspect_files
    >>> file = ("t.csv", b"x,L1,L2,L3\n0.5,2,3,1\n0.7,1,2,3\n")
    >>> reading_preview(inspect_files(file), n_rows=1).iloc[0, 1:].tolist()
    ['2, 3, 1', 'L3 > L1 > L2', 'L2 > L3 > L1']
    """
    raw, all_roles = proposal.raw, {**proposal.roles, **(roles or {})}
    columns = [j for j, name in enumerate(raw.names) if all_roles[name] == Role.LABEL]
    if len(columns) < 2:
        message = f"found {len(columns)} label columns; two readings need at least two."
        hint = "Give the role 'label' to every column that holds ranks."
        raise refusal("no-labels", message, hint)
    n_looked_at = max(n_rows, _N_PREVIEWED // len(columns))
    numbers = raw.numbers[:n_looked_at, columns]
    readings = [_read_as(numbers, TargetForm(form)) for form in forms]
    differ = np.zeros(len(numbers), dtype=bool)
    for reading in readings[1:]:
        differ |= ~same_rows(readings[0].values, reading.values)
        differ |= readings[0].right != reading.right
    rows = np.argsort(~differ, kind="stable")[:n_rows].tolist()
    names = [raw.names[j] for j in columns]
    by_number = [str(k + 1) for k in range(len(names))] if place_names(names) else names
    cells = [", ".join(raw.cell(i, j).strip() for j in columns) for i in rows]
    preview = {"line": raw.lines[rows], "in the file": cells}
    for form, reading in zip(forms, readings, strict=True):
        labels = by_number if form == TargetForm.ORDERS else names
        preview[f"as {form}"] = [_in_words(reading, i, labels) for i in rows]
    return pd.DataFrame(preview)


def reading_evidence(proposal: Proposal, roles: Mapping[str, str] | None = None) -> ReadingEvidence:
    """Compare the agreement of similar cases under both readings of the label columns."""
    return compare_readings(proposal.raw, {**proposal.roles, **(roles or {})})


def compare_readings(raw: RawTable, roles: Mapping[str, str]) -> ReadingEvidence:
    """Compare both readings of label columns: in a wrong one similar cases agree less.

    For at most 2500 rows that both readings can read, evenly spread, each row's ranking is compared
    with those of its 5 nearest among the others (Euclidean distance of standardised features), by
    Kendall's measure over the pairs of labels that both rank strictly.
    """
    columns, features = (
        [j for j, name in enumerate(raw.names) if roles[name] == role]
        for role in (Role.LABEL, Role.FEATURE)
    )
    # Of very many rows some are enough to choose from.
    numbers = raw.numbers[:: max(1, raw.n_rows // (10 * _N_ROWS))]
    ranks = numbers[:, columns]
    unranked = possible_unranked(ranks)[0]
    compared = _compare_rows(ranks, unranked)
    rows = np.flatnonzero(compared.right_positions & compared.right_orders)
    n_rows = min(_N_ROWS, max(_FEWEST_ROWS, isqrt(_N_PRODUCTS // max(1, len(features)))))
    rows = rows[:: max(1, -(-len(rows) // n_rows))]
    n_neighbors = min(_N_NEIGHBORS, len(rows) - 1)
    if n_neighbors < 2 or not features:
        return ReadingEvidence()
    neighbors = _neighbors(numbers[rows][:, features], n_neighbors)
    as_positions, as_orders = (
        _agreement(reading.values[:, :_N_LABELS], neighbors)
        for reading in _read_both(ranks[rows], unranked)
    )
    differences = as_positions - as_orders
    margin, error = differences.mean(), differences.std() / np.sqrt(len(rows))
    better = None
    if abs(margin) > _CLEAR * error:
        better = TargetForm.POSITIONS if margin > 0 else TargetForm.ORDERS
    return ReadingEvidence(float(as_positions.mean()), float(as_orders.mean()), better)


@dataclass(frozen=True, eq=False)
class _ComparedRows:
    """Which rows form rankings in either reading, and the same one in both."""

    right_positions: BoolArray
    closed_gaps: BoolArray
    right_orders: BoolArray
    same: BoolArray


def _compare_rows(numbers: FloatArray, unranked: Unranked) -> _ComparedRows:
    """Compare both readings of label columns, a block of rows after the other."""
    compared = np.zeros((4, len(numbers)), dtype=bool)
    for block in number_blocks(*numbers.shape):
        positions, orders = _read_both(numbers[block], unranked)
        same = same_rows(positions.values, orders.values)
        compared[:, block] = positions.right, positions.closed_gaps, orders.right, same
    return _ComparedRows(*compared)


def _read_both(numbers: FloatArray, unranked: Unranked) -> tuple[ReadRankings, ReadRankings]:
    """Read label columns as positions and as orders."""
    numbers = only_ranked(numbers, unranked)
    return read_positions(numbers), read_orders(numbers)


def _read_as(numbers: FloatArray, form: TargetForm) -> ReadRankings:
    """Read label columns in a form of `PREVIEWED`."""
    if form in (TargetForm.POSITIONS, TargetForm.ORDERS):
        unranked = possible_unranked(numbers)[0]
        return _read_both(numbers, unranked)[form is TargetForm.ORDERS]
    values = read_ratings(numbers, higher_is_better=form is TargetForm.RATINGS)
    none_bad = np.zeros(len(numbers), dtype=bool)
    return ReadRankings(values, np.isinf(numbers), none_bad, none_bad)


def _neighbors(X: FloatArray, n_neighbors: int) -> np.ndarray:
    is_finite = np.isfinite(X)
    X = np.where(is_finite, X, np.where(is_finite.any(axis=0), np.nan, 0))
    # Divided first: sums of the largest doubles overflow. Missing values count as the mean.
    X = StandardScaler().fit_transform(MaxAbsScaler().fit_transform(X))
    search = NearestNeighbors(n_neighbors=n_neighbors, algorithm="brute").fit(np.nan_to_num(X))
    return np.asarray(search.kneighbors(return_distance=False))


def _agreement(rankings: FloatArray, neighbors: np.ndarray) -> FloatArray:
    """Return for each row its mean agreement with its neighbours; 0 where nothing compares."""
    first, second = np.triu_indices(rankings.shape[1], k=1)
    signs = np.nan_to_num(np.sign(rankings[:, first] - rankings[:, second]))
    total, compared = np.zeros(len(rankings)), np.zeros(len(rankings))
    for column in neighbors.T:
        products = signs * signs[column]
        total += products.sum(axis=1)
        compared += np.abs(products).sum(axis=1)
    return total / np.maximum(compared, 1)


def _in_words(reading: ReadRankings, row: int, names: list[str]) -> str:
    return format_ranking(reading.values[row], names) if reading.right[row] else "not possible"
