"""The estimates of ML-kNN from counts of neighbours in the training set, exactly."""

from collections.abc import Collection, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelrank_core.aggregation.sums import chunks, count_type
from labelrank_core.methods.nearest.searches import Search
from labelrank_core.rankings import FloatArray, IntArray

# Tables for every k are kept for up to this many numbers (32 MB).
_KEPT_CELLS = 1 << 22


class TrainingCounts:
    """Training cases counted by the number of their k neighbours with a label, for any k."""

    def __init__(self, search: Search, relevance: NDArray[np.bool_], n_neighbors: int) -> None:
        self._search = search
        self.relevance = relevance
        self._rows = np.empty((len(relevance), 0), dtype=np.int32)
        self.reach(n_neighbors)
        self._tables = neighbor_counts(relevance, self._rows, [n_neighbors])
        # By smoothing: the errors of every label with 1, 2, ... neighbours.
        self._errors: dict[float, IntArray] = {}

    def reach(self, n_neighbors: int) -> None:
        """Search further, so that no table up to this k needs a search."""
        n_others = min(n_neighbors, len(self.relevance) - 1)
        if n_others > self._rows.shape[1]:
            self._rows = self._search.query_others(n_others).rows.astype(np.int32)

    def table(self, n_neighbors: int) -> IntArray:
        """Return the training cases by label and count, (2, k + 1, n_labels)."""
        # c[j] and c'[j] in Fig. 1 of [zhang2005]: [1, j, l] counts cases with label l of which j
        # neighbours have it, [0, j, l] those without it. Kept where that costs little memory.
        tables = self._tables
        if n_neighbors not in tables:
            reach = max(n_neighbors, self._rows.shape[1])
            keeps_all = self.relevance.shape[1] * reach**2 <= _KEPT_CELLS
            missing = range(1, reach + 1) if keeps_all else [n_neighbors]
            counted = neighbor_counts(self.relevance, self._rows, missing)
            if not keeps_all:
                return counted[n_neighbors]
            self._tables = tables = tables | counted
        return tables[n_neighbors]

    def tables(self, sizes: IntArray) -> IntArray:
        """Return the table with each label's own k; counts above it have no cases."""
        distinct = np.unique(sizes).tolist()
        if len(distinct) == 1:
            return self.table(distinct[0])
        table = np.zeros((2, distinct[-1] + 1, len(sizes)), dtype=np.int64)
        for k in distinct:
            table[:, : k + 1, sizes == k] = self.table(k)[:, :, sizes == k]
        return table

    def own_sizes(self, n_neighbors: int, smoothing: float) -> IntArray:
        """Return each label's k, up to this one, by which the training cases are predicted best."""
        # Of equally good ones the largest: posteriors of many neighbours vary more.
        errors = self._errors_to(n_neighbors, smoothing)[:n_neighbors]
        return n_neighbors - np.argmin(errors[::-1], axis=0)

    def _errors_to(self, n_neighbors: int, smoothing: float) -> IntArray:
        n_labels = self.relevance.shape[1]
        errors = self._errors.get(smoothing, np.empty((0, n_labels), dtype=np.int64))
        at_once = max(1, _KEPT_CELLS // (2 * (n_neighbors + 1) * n_labels))
        while len(errors) < n_neighbors:
            first = len(errors) + 1
            sizes = range(first, min(n_neighbors, first + at_once - 1) + 1)
            tables = neighbor_counts(self.relevance, self._rows, sizes)
            new_errors = [left_out_errors(tables[k], smoothing) for k in sizes]
            self._errors = self._errors | {smoothing: np.vstack([errors, new_errors])}
            errors = self._errors[smoothing]
        return errors


def left_out_errors(table: IntArray, smoothing: float) -> IntArray:
    """Count, for every label, the training cases decided wrongly from the counts of the others."""
    # The case itself is left out of the table and of the prior, not of the neighbours of others.
    s, unit = smoothing.as_integer_ratio()
    wrong = np.zeros(table.shape[2], dtype=np.int64)
    totals = table.sum(axis=1)
    largest = s * table.shape[1] + unit * int(totals.sum(axis=0).max())
    integer = np.int64 if largest**3 < np.iinfo(np.int64).max else object
    for has_it in (0, 1):
        j, label = np.nonzero(table[has_it])
        n_cases = table[has_it, j, label]
        same, total = n_cases.astype(integer) - 1, totals[has_it, label].astype(integer) - 1
        opposite, opposite_total = (
            cell_counts.astype(integer)
            for cell_counts in (table[1 - has_it, j, label], totals[1 - has_it, label])
        )
        spread = s * table.shape[1]
        right = (s + unit * total) * (s + unit * same) * (spread + unit * opposite_total)
        against = (s + unit * opposite_total) * (s + unit * opposite) * (spread + unit * total)
        # A label with equal odds is irrelevant.
        missed = right <= against if has_it else right < against
        np.add.at(wrong, label, n_cases * missed.astype(bool))
    return wrong


def neighbor_counts(
    relevance: NDArray[np.bool_], rows: NDArray[Any], sizes: Collection[int]
) -> dict[int, IntArray]:
    """Return, for every k of `sizes`, the table of `TrainingCounts`, from rows nearest first."""
    n_labels, longest = relevance.shape[1], max(sizes)
    stride = (longest + 1) * n_labels
    counts = {k: np.zeros(2 * stride, dtype=np.int64) for k in sizes}
    for part in chunks(len(relevance), n_labels):
        base_cells = relevance[part] * stride + np.arange(n_labels)
        with_label = np.zeros(base_cells.shape, dtype=count_type(longest))
        for position in range(longest):
            if position < rows.shape[1]:
                with_label += relevance.take(rows[part, position], axis=0)
            if position + 1 in counts:
                cells = base_cells + n_labels * with_label.astype(np.int64)
                counts[position + 1] += np.bincount(cells.ravel(), minlength=2 * stride)
    return {
        k: flat.reshape(2, longest + 1, n_labels)[:, : k + 1].copy() for k, flat in counts.items()
    }


def prior(table: IntArray, smoothing: float) -> FloatArray:
    """Estimate P(H1) of every label: step 2 of Fig. 1 of [zhang2005]."""
    without, with_label = table.sum(axis=1)
    return (smoothing + with_label) / (2 * smoothing + with_label + without)


def likelihoods(table: IntArray, smoothing: float, sizes: IntArray) -> FloatArray:
    """Estimate P(E_j | H0) and P(E_j | H1), shaped like the table: steps 13 and 14 of Fig. 1."""
    # `sizes` has each label's k; counts above it are impossible.
    total = table.sum(axis=1, keepdims=True)
    possible = np.arange(table.shape[1])[:, None] <= sizes
    return possible * (smoothing + table) / (smoothing * (sizes + 1) + total)


def posteriors(
    table: IntArray, counts: IntArray, smoothing: float, sizes: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Return P(H1 | E_j) and P(H1 | E_j) - 0.5, (k + 1, n_labels); 0 for counts no case has."""
    # `sizes` has each label's k.
    # In whole numbers of any length, each rounded once, so that labels and hypotheses tie exactly.
    occurs = np.zeros(table.shape[1:], dtype=bool)
    for _, cells in _cells(counts):
        occurs.put(cells, True)
    j, label = np.nonzero(occurs)
    s, unit = smoothing.as_integer_ratio()
    without, with_label = s + unit * table[:, j, label].astype(object)
    total = table.sum(axis=1).astype(object)[:, label] * unit
    spread = s * (sizes + 1).astype(object)[label] + total
    odds_for = (s + total[1]) * with_label * spread[0]
    odds_against = (s + total[0]) * without * spread[1]
    both = odds_for + odds_against
    posterior, lead = np.zeros(occurs.shape), np.zeros(occurs.shape)
    lead[occurs] = (odds_for - odds_against) / (2 * both)
    posterior[occurs] = odds_for / both
    # Rounding must not hide a label that is more probable than not.
    posterior[(lead > 0) & (posterior == 0.5)] = np.nextafter(0.5, 1.0)
    return posterior, lead


def of_counts(table: FloatArray, counts: IntArray) -> FloatArray:
    """Look up the value for every label of every case, (n_cases, n_labels), by its count."""
    values = np.empty(counts.shape)
    for part, cells in _cells(counts):
        values[part] = table.take(cells)
    return values


def _cells(counts: IntArray) -> Iterator[tuple[slice, IntArray]]:
    """Yield slices of cases, with the flat indices of their counts in a (k + 1, n_labels) table."""
    n_labels = counts.shape[1]
    for part in chunks(len(counts), n_labels):
        yield part, counts[part] * n_labels + np.arange(n_labels)
