"""Ranking trees with split criteria of their own, grown in NumPy with prefix sums.

All open nodes of several trees are split at once, level by level: their rows are sorted by node and
feature value, and prefix sums of the criterion's table give both sides of every threshold.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelrank_core.rankings import FloatArray, IntArray

LEAF = -1
# The arrays of a tree that hold numbers of nodes.
_LINKS = ("children_left", "children_right", "parent")
# As many trees grow together as have prefix sums of up to this many numbers (16 MB).
_CELLS = 1 << 21
# Values of a criterion are compared to this many decimals; the first feature and threshold wins.
_DECIMALS = 9


@dataclass(frozen=True)
class Growth:
    """Rules of growth: candidate thresholds, number of features drawn, and where a tree stops."""

    candidates: str  # "all", "middle" (of the range) or "median"
    min_samples_split: int
    max_depth: int | None
    n_features: int


@dataclass(frozen=True, eq=False)
class RankingTree:
    """A grown tree; node 0 is the root, a node's training rows are ``rows[start:end]``."""

    feature: IntArray
    threshold: FloatArray
    children_left: IntArray
    children_right: IntArray
    depth: IntArray
    start: IntArray
    end: IntArray
    parent: IntArray
    rows: IntArray

    @property
    def max_depth(self) -> int:
        """The largest number of splits on a path to a leaf."""
        return int(self.depth.max())

    def chains(self, X: FloatArray) -> IntArray:
        """Return the nodes each case passes, (n_cases, depth + 1), the leaf repeated."""
        nodes = np.zeros((len(X), self.max_depth + 1), dtype=np.int64)
        cases = np.arange(len(X))
        for depth in range(self.max_depth):
            node = nodes[:, depth]
            feature = self.feature[node]
            goes_left = X[cases, np.maximum(feature, 0)] <= self.threshold[node]
            child = np.where(goes_left, self.children_left[node], self.children_right[node])
            nodes[:, depth + 1] = np.where(feature == LEAF, node, child)
        return nodes

    def breakpoints(self, x: FloatArray, feature: int, max_depth: int | None) -> set[float]:
        """List the thresholds of a feature that a case can meet."""
        met, open_nodes = set(), [0]
        while open_nodes:
            node = open_nodes.pop()
            if self.feature[node] == LEAF or self.depth[node] == max_depth:
                continue
            both = [int(self.children_left[node]), int(self.children_right[node])]
            if self.feature[node] == feature:
                met.add(float(self.threshold[node]))
                open_nodes += both
            else:
                open_nodes.append(both[int(x[self.feature[node]] > self.threshold[node])])
        return met


@dataclass(frozen=True, eq=False)
class Parts:
    """Open nodes side by side: part i has the rows ``rows[start[i]:start[i] + size[i]]``."""

    rows: IntArray
    start: IntArray
    size: IntArray
    of_row: IntArray

    @classmethod
    def of(cls, rows: IntArray, sizes: IntArray) -> "Parts":
        """Cut rows into parts of these sizes."""
        of_row = np.repeat(np.arange(len(sizes)), sizes)
        return cls(rows, np.cumsum(sizes) - sizes, sizes, of_row)

    def running(self, values: NDArray[Any]) -> NDArray[Any]:
        """Add up values along the rows, from the start of each part."""
        total = np.cumsum(values, axis=0)
        return total - (total[self.start] - values[self.start])[self.of_row]

    def last(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return the values of the last row of each part."""
        return values[self.start + self.size - 1]

    def sorted_by(self, values: FloatArray) -> IntArray:
        """Return the stable order of the rows by value within each part."""
        return np.lexsort((values, self.of_row))


def grow_trees(
    X: FloatArray, draws: Sequence[IntArray], criterion: Any, growth: Growth, seeds: Sequence[int]
) -> list[RankingTree]:
    """Grow a tree on each draw of rows, which may be repeated."""
    # The features that a node draws depend only on its tree's seed and on its place in the tree, so
    # that a smaller depth truncates the same tree.
    together = max(1, _CELLS // (len(draws[0]) * criterion.table.shape[1]))
    trees: list[RankingTree] = []
    for first in range(0, len(draws), together):
        batch = slice(first, first + together)
        trees += _grow_together(
            X, [np.sort(d) for d in draws[batch]], criterion, growth, seeds[batch]
        )
    return trees


@dataclass(frozen=True, eq=False)
class _Level:
    """The nodes at one depth, one entry of every array for each."""

    parent: IntArray
    start: IntArray
    end: IntArray
    key: NDArray[np.uint64]
    feature: IntArray
    threshold: FloatArray
    children_left: IntArray
    children_right: IntArray

    @classmethod
    def of(
        cls, parent: IntArray, start: IntArray, end: IntArray, key: NDArray[np.uint64]
    ) -> "_Level":
        feature, children_left, children_right = (np.full(len(start), LEAF) for _ in range(3))
        threshold = np.full(len(start), np.nan)
        return cls(parent, start, end, key, feature, threshold, children_left, children_right)


def _grow_together(
    X: FloatArray, draws: Sequence[IntArray], criterion: Any, growth: Growth, seeds: Sequence[int]
) -> list[RankingTree]:
    rows, n_rows = np.concatenate(draws), len(draws[0])
    start = n_rows * np.arange(len(draws))
    roots = np.full(len(draws), LEAF)
    levels = [_Level.of(roots, start, start + n_rows, _hashed(np.array(seeds)))]
    n_nodes = len(draws)
    while len(levels) - 1 != growth.max_depth:
        next_level = _split_level(X, rows, levels[-1], criterion, growth, n_nodes)
        if not len(next_level.start):
            break
        levels.append(next_level)
        n_nodes += len(next_level.start)
    names = (*_LINKS, "start", "end", "feature", "threshold")
    nodes = {name: np.concatenate([getattr(level, name) for level in levels]) for name in names}
    nodes["depth"] = np.repeat(np.arange(len(levels)), [len(level.start) for level in levels])
    return _separate_trees(nodes, rows, len(draws), n_rows)


def _split_level(
    X: FloatArray, rows: IntArray, level: _Level, criterion: Any, growth: Growth, n_nodes: int
) -> _Level:
    """Split the nodes that can be split, sort their rows, and return the next level."""
    size = level.end - level.start
    candidates = np.flatnonzero(size >= max(2, growth.min_samples_split))
    if not len(candidates):
        return _Level.of(*(level.parent[:0],) * 3, level.key[:0])
    slots = np.concatenate([np.arange(level.start[i], level.end[i]) for i in candidates])
    parts = Parts.of(rows[slots], size[candidates])
    feature, threshold = _best_splits(X, parts, criterion, growth, level.key[candidates])
    goes_right = X[parts.rows, np.maximum(feature, 0)[parts.of_row]] > threshold[parts.of_row]
    rows[slots] = parts.rows[np.lexsort((goes_right, parts.of_row))]
    n_left = np.add.reduceat((~goes_right).astype(np.int64), parts.start)
    split = np.flatnonzero(feature != LEAF)
    split_nodes = candidates[split]
    level.feature[split_nodes], level.threshold[split_nodes] = feature[split], threshold[split]
    level.children_left[split_nodes] = n_nodes + 2 * np.arange(len(split))
    level.children_right[split_nodes] = level.children_left[split_nodes] + 1
    start, end, key = level.start[split_nodes], level.end[split_nodes], level.key[split_nodes]
    middle = start + n_left[split]
    numbers = n_nodes - len(level.start) + split_nodes
    return _Level.of(
        np.repeat(numbers, 2),
        np.column_stack([start, middle]).ravel(),
        np.column_stack([middle, end]).ravel(),
        np.column_stack([_hashed(key), _hashed(key + np.uint64(1))]).ravel(),
    )


def _separate_trees(
    nodes: Mapping[str, NDArray[Any]], rows: IntArray, n_trees: int, n_rows: int
) -> list[RankingTree]:
    """Give every tree its own nodes, numbered from 0 in the order of levels."""
    tree = nodes["start"] // n_rows
    order = np.argsort(tree, kind="stable")
    first = np.searchsorted(tree[order], np.arange(n_trees + 1))
    number = np.empty(len(order) + 1, dtype=np.int64)
    number[order] = np.arange(len(order)) - first[tree[order]]
    number[LEAF] = LEAF
    trees = []
    for t in range(n_trees):
        tree_nodes = {
            name: values[order[first[t] : first[t + 1]]] for name, values in nodes.items()
        }
        links = {
            name: number[tree_nodes[name]] for name in ("children_left", "children_right", "parent")
        }
        bounds = {name: tree_nodes[name] - t * n_rows for name in ("start", "end")}
        tree_rows = rows[t * n_rows : (t + 1) * n_rows].copy()
        trees.append(RankingTree(**{**tree_nodes, **links, **bounds}, rows=tree_rows))
    return trees


def _best_splits(
    X: FloatArray, parts: Parts, criterion: Any, growth: Growth, keys: NDArray[np.uint64]
) -> tuple[IntArray, FloatArray]:
    """Return the best feature of each part, -1 without a split, and its threshold."""
    values = X[parts.rows]
    table = criterion.table[parts.rows]
    low, high = np.minimum.reduceat(values, parts.start), np.maximum.reduceat(values, parts.start)
    tried = (low < high) & ~criterion.settled(table, parts)[:, None]
    if growth.n_features < X.shape[1]:
        tried &= _draw_features(keys, tried, growth.n_features)
    best = np.full(len(keys), -np.inf)
    if criterion.must_gain:
        best = np.round(criterion.of_parts(parts), _DECIMALS) + 2 * 10.0**-_DECIMALS
    feature, threshold = np.full(len(keys), LEAF), np.full(len(keys), np.nan)
    for j in np.flatnonzero(tried.any(axis=0)):
        open_parts = np.flatnonzero(tried[:, j])
        rows = tried[parts.of_row, j]
        feature_parts = Parts.of(parts.rows[rows], parts.size[open_parts])
        gains, at = _best_gains(
            values[rows, j], feature_parts, table[rows], criterion, growth.candidates
        )
        # Of equally good features the first wins.
        better = gains > best[open_parts]
        best[open_parts[better]], threshold[open_parts[better]] = gains[better], at[better]
        feature[open_parts[better]] = j
    return feature, threshold


def _best_gains(
    values: FloatArray,
    parts: Parts,
    table: NDArray[Any],
    criterion: Any,
    candidates: str,
) -> tuple[FloatArray, FloatArray]:
    """Return the value of the best split of each part by one feature, and its threshold."""
    order = parts.sorted_by(values)
    ascending = values[order]
    # A split lies after a row if the next one is of the same part and has a larger value.
    splits = np.zeros(len(values), dtype=bool)
    splits[:-1] = (ascending[:-1] < ascending[1:]) & (parts.of_row[:-1] == parts.of_row[1:])
    middle = None if candidates == "all" else _middle(ascending, parts, candidates)
    if middle is not None:
        goes_left = ascending <= middle[parts.of_row]
        splits &= goes_left & ~np.append(goes_left[1:], False)
    at = np.flatnonzero(splits)
    part = parts.of_row[at]
    gains = np.round(criterion.of_splits(parts, order, at, table), _DECIMALS)
    best = np.full(len(parts.size), -np.inf)
    np.maximum.at(best, part, gains)
    if middle is not None:
        return best, middle
    threshold = np.full(len(parts.size), np.nan)
    winners = at[gains == best[part]][::-1]  # the first one is written last
    low, high = ascending[winners], ascending[winners + 1]
    between = low + (high - low) / 2
    threshold[parts.of_row[winners]] = np.where(between < high, between, low)
    return best, threshold


def _middle(ascending: FloatArray, parts: Parts, candidates: str) -> FloatArray:
    """Return the middle of each part's range, or its median, always below its largest value."""
    first, last = ascending[parts.start], parts.last(ascending)
    if candidates == "middle":
        return first + (last - first) / 2
    half = parts.size // 2
    lower = ascending[parts.start + (parts.size - 1) // 2]
    median = lower + (ascending[parts.start + half] - lower) / 2
    # If more than half have the largest value, the next smaller one is the threshold.
    smaller = np.where(ascending < last[parts.of_row], ascending, -np.inf)
    return np.minimum(median, np.maximum.reduceat(smaller, parts.start))


def _hashed(keys: NDArray[Any]) -> NDArray[np.uint64]:
    """Hash numbers to 64 bits (SplitMix64), the same on every machine."""
    hashed = keys.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        hashed = (hashed ^ (hashed >> np.uint64(shift))) * np.uint64(factor)
    return hashed ^ (hashed >> np.uint64(31))


def _draw_features(
    keys: NDArray[np.uint64], usable: NDArray[np.bool_], n_features: int
) -> NDArray[np.bool_]:
    """Draw `n_features` of the usable features for every node."""
    numbers = np.arange(1, usable.shape[1] + 1, dtype=np.uint64)
    lots = _hashed(keys[:, None] ^ _hashed(numbers)[None])
    lots[~usable] = np.iinfo(np.uint64).max
    rank = np.argsort(np.argsort(lots, axis=1, kind="stable"), axis=1, kind="stable")
    return usable & (rank < n_features)
