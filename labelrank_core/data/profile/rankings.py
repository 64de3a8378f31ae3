"""The rankings of a data set: positions, pairs, cycles, and their frequencies."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components, shortest_path

from labelrank_core.data.profile._groups import Groups, equal_rows
from labelrank_core.data.profile.diversity import Diversity, diversity, n_possible_rankings
from labelrank_core.rankings import FloatArray, IntArray, format_ranking

_CHUNK_CELLS = 1 << 18
_BEHIND_ALL = np.iinfo(np.int16).max


def bucket_sizes(positions: FloatArray) -> IntArray:
    """Count the labels at each position (column) of every ranking; column 0: not ranked."""
    n_rows, n_labels = positions.shape
    width = n_labels + 1
    cells = np.nan_to_num(positions).astype(np.int64) + width * np.arange(n_rows)[:, None]
    return np.bincount(cells.ravel(), minlength=n_rows * width).reshape(n_rows, width)


def shortest_cycle(beats: NDArray[np.bool_]) -> tuple[int, ...]:
    """Return a shortest cycle of a relation; of equally short ones that of the lowest indices."""
    if not beats.any():
        return ()
    lengths, predecessors = shortest_path(
        sparse.csr_matrix(beats), unweighted=True, return_predecessors=True
    )
    back = np.where(beats, lengths.T, np.inf)
    first, second = np.unravel_index(np.argmin(back), back.shape)
    if not np.isfinite(back[first, second]):
        return ()
    path = [int(first)]
    while path[-1] != second:
        path.append(int(predecessors[second, path[-1]]))
    return (path[0], *path[:0:-1])


@dataclass(frozen=True, eq=False)
class RankingProfile:
    """A profile of rankings; parts are computed when first needed.

    Parameters
    ----------
    positions : ndarray of shape (n_rows, n_labels)
        Positions, 1 = most preferred; NaN = not ranked, ties share a position. At least one row.
    label_names : sequence of str
        Names of the labels.

    Examples
    --------
    >>> votes = np.array([[1.0, 2.0, 3.0], [3.0, 1.0, 2.0], [2.0, 3.0, 1.0]])
    >>> profile = RankingProfile(votes, ["a", "b", "c"])
    >>> profile.pair_counts[0, 1], profile.mean_ranks, profile.cycle
    (np.int64(2), array([2., 2., 2.]), (0, 1, 2))
    """

    positions: FloatArray
    label_names: Sequence[str]

    @property
    def n_rows(self) -> int:
        """Number of rankings."""
        return len(self.positions)

    @property
    def n_labels(self) -> int:
        """Number of labels."""
        return self.positions.shape[1]

    @cached_property
    def position_counts(self) -> IntArray:
        """The number of rows that put each label (row) at each position (column, from 1)."""
        width = self.n_labels + 1
        cells = np.nan_to_num(self.positions).astype(np.int64) + width * np.arange(self.n_labels)
        counts = np.bincount(cells.ravel(), minlength=self.n_labels * width)
        return counts.reshape(self.n_labels, width)[:, 1:]

    @cached_property
    def ranked_counts(self) -> IntArray:
        """The number of rows that rank each label."""
        return self.position_counts.sum(axis=1)

    @cached_property
    def tied_counts(self) -> IntArray:
        """The number of rows that tie each label with another one."""
        tied = np.zeros(self.n_labels, dtype=np.int64)
        step = max(1, _CHUNK_CELLS // self.n_labels)
        for start in range(0, self.n_rows, step):
            part = self.positions[start : start + step]
            sizes = bucket_sizes(part)
            sizes[:, 0] = 0
            label_sizes = np.take_along_axis(sizes, np.nan_to_num(part).astype(np.int64), axis=1)
            tied += (label_sizes > 1).sum(axis=0)
        return tied

    @cached_property
    def pair_counts(self) -> IntArray:
        """The number of rows that rank the row's label strictly ahead of the column's."""
        counts = np.zeros((self.n_labels, self.n_labels), dtype=np.int64)
        step = max(1, _CHUNK_CELLS // self.n_labels)
        for start in range(0, self.n_rows, step):
            # Labels in rows, so that the values compared lie together in memory.
            part = self.positions[start : start + step].T
            missing = np.isnan(part)
            # A label that is not ranked is neither ahead of nor behind another.
            ahead = np.where(missing, _BEHIND_ALL, part).astype(np.int16)
            behind = np.where(missing, 0, part).astype(np.int16)
            for label, label_positions in enumerate(ahead):
                # Counting bits is twice as fast as summing booleans.
                bits = np.bitwise_count(np.packbits(label_positions < behind, axis=1))
                counts[label] += bits.sum(axis=1, dtype=np.int64)
        return counts

    @cached_property
    def pair_shares(self) -> FloatArray:
        """Among the rows that order two labels, the share with the row's ahead; NaN if none."""
        either = self.pair_counts + self.pair_counts.T
        return np.divide(
            self.pair_counts, either, out=np.full(either.shape, np.nan), where=either > 0
        )

    @cached_property
    def mean_ranks(self) -> FloatArray:
        """Mean generalised rank of each label over the rows that rank it; NaN if none does."""
        # A label's rank is 1 + the labels ahead of it + half of those it ties with, so the means
        # follow from the counts of pairs.
        ranked = (~np.isnan(self.positions)).astype(np.float64)
        ahead = self.pair_counts.T
        tied = ranked.T @ ranked - self.pair_counts - ahead
        np.fill_diagonal(tied, 0)
        sums = ahead.sum(axis=1) + tied.sum(axis=1) / 2
        counts = self.ranked_counts
        means = np.full(self.n_labels, np.nan)
        return 1 + np.divide(sums, counts, out=means, where=counts > 0)

    @cached_property
    def order(self) -> IntArray:
        """Labels by mean rank, the best first; ties by label index, labels never ranked last."""
        return np.argsort(self.mean_ranks, kind="stable")

    @cached_property
    def most_often_first(self) -> tuple[int, ...]:
        """The label that most rows rank first, or several if these are equally many."""
        counts = self.position_counts[:, 0]
        return tuple(np.flatnonzero(counts == counts.max()).tolist())

    @cached_property
    def majorities(self) -> NDArray[np.bool_]:
        """Whether more rows rank the row's label ahead of the column's than behind it."""
        return self.pair_counts > self.pair_counts.T

    @cached_property
    def majority_against_means(self) -> tuple[int, int] | None:
        """The pair (a, b) with the largest majority for a ahead of b whose mean ranks are reversed.

        None where mean ranks agree with all majorities. Ties go to the first pair by index.
        """
        lead = np.where(self.majorities, self.pair_counts - self.pair_counts.T, 0)
        # Where a label is never ranked there is no mean rank, and nothing is reversed.
        lead[~(self.mean_ranks[:, None] > self.mean_ranks)] = 0
        ahead, behind = np.unravel_index(int(lead.argmax()), lead.shape)
        return (int(ahead), int(behind)) if lead[ahead, behind] > 0 else None

    @cached_property
    def cycle_members(self) -> IntArray:
        """The number of the preference cycle each label belongs to, from 1; 0 = none.

        Cycles are the strongly connected components of the majority relation with more than one
        label: each label beats each other one directly or by a chain of majorities (Condorcet's
        paradox). An even split between two labels does not connect them.
        """
        component = self._components
        sizes = np.bincount(component)
        numbers = np.zeros(len(sizes), dtype=np.int64)
        cycles = np.flatnonzero(sizes > 1)
        numbers[cycles] = np.arange(1, len(cycles) + 1)
        return numbers[component]

    @cached_property
    def _components(self) -> IntArray:
        graph = sparse.csr_matrix(self.majorities)
        return connected_components(graph, directed=True, connection="strong")[1].astype(np.int64)

    @cached_property
    def majority_order(self) -> tuple[tuple[int, ...], ...]:
        """Labels from best to worst by majorities, the labels of a preference cycle together.

        No label beats one of an earlier group. Where majorities leave the order open, the group
        with the better mean rank comes first.
        """
        by_component: dict[int, list[int]] = {}
        for label in self.order.tolist():  # groups and their labels begin with the best
            by_component.setdefault(int(self._components[label]), []).append(label)
        groups = list(map(tuple, by_component.values()))
        member = np.array([[label in group for group in groups] for label in range(self.n_labels)])
        beats = member.T.astype(np.int64) @ self.majorities @ member > 0
        np.fill_diagonal(beats, val=False)
        n_beating, is_left = beats.sum(axis=0), np.ones(len(groups), dtype=bool)
        ordered = []
        for _ in groups:
            first = int(np.argmax(is_left & (n_beating == 0)))
            is_left[first] = False
            n_beating -= beats[first]
            ordered.append(groups[first])
        return tuple(ordered)

    @property
    def n_even_pairs(self) -> int:
        """Number of pairs of labels without a majority for either."""
        either = self.majorities | self.majorities.T
        return int((~either).sum() - self.n_labels) // 2

    @cached_property
    def in_cycle(self) -> NDArray[np.bool_]:
        """Majorities (row beats column) that are part of a cycle."""
        members = self.cycle_members
        return self.majorities & (members[:, None] == members) & (members > 0)

    @cached_property
    def cycle(self) -> tuple[int, ...]:
        """A shortest cycle of majorities, each label beating the next and the last the first.

        Empty if there is none; among equally short cycles the one with the lowest label indices.
        """
        return shortest_cycle(self.in_cycle)

    @cached_property
    def groups(self) -> Groups:
        """Rows with the same ranking, the most frequent ranking first."""
        return equal_rows(self.positions)

    @cached_property
    def diversity(self) -> Diversity:
        """The number of different rankings, and the evenness of their spread."""
        possible = n_possible_rankings(
            self.n_labels,
            ties=bool(self.tied_counts.any()),
            partial=bool((self.ranked_counts < self.n_rows).any()),
        )
        return diversity(self.groups.counts, possible)

    def label_frame(self) -> pd.DataFrame:
        """Tabulate the labels, the best mean rank first: mean rank, shares of all rows."""
        shares = self.position_counts[self.order] / self.n_rows
        columns = {
            "label": [self.label_names[label] for label in self.order],
            "mean rank": self.mean_ranks[self.order],
            "not ranked": 1 - self.ranked_counts[self.order] / self.n_rows,
            "tied": self.tied_counts[self.order] / self.n_rows,
        }
        columns |= {f"position {i + 1}": shares[:, i] for i in range(self.n_labels)}
        return pd.DataFrame(columns)

    def pair_frame(self) -> pd.DataFrame:
        """Tabulate the pairs of labels, the better one by mean rank first, in numbers of rows."""
        upper = np.triu_indices(self.n_labels, 1)
        first, second = self.order[upper[0]], self.order[upper[1]]
        ranked = (~np.isnan(self.positions)).astype(np.float64)
        both = (ranked.T @ ranked).astype(np.int64)
        ahead, behind = self.pair_counts[first, second], self.pair_counts[second, first]
        return pd.DataFrame(
            {
                "first": [self.label_names[label] for label in first],
                "second": [self.label_names[label] for label in second],
                "ahead": ahead,
                "behind": behind,
                "level": both[first, second] - ahead - behind,
                "share ahead": self.pair_shares[first, second],
                "in a cycle": self.in_cycle[first, second] | self.in_cycle[second, first],
            }
        )

    def ranking_frame(self, n_shown: int | None = None) -> pd.DataFrame:
        """Tabulate the most frequent rankings, or all: ranking, rows, share of all rows."""
        first_rows = self.groups.first[:n_shown]
        counts = self.groups.counts[:n_shown]
        rankings = [format_ranking(row, self.label_names) for row in self.positions[first_rows]]
        return pd.DataFrame({"ranking": rankings, "rows": counts, "share": counts / self.n_rows})
