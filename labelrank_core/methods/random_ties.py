"""Random orders of labels and neighbours that break ties, the same for a case in any batch."""

import hashlib
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy import sparse

from labelrank_core.aggregation.rules import ConsensusRule, LabelRanks
from labelrank_core.aggregation.table import RankTable
from labelrank_core.explain.overtaking import LISTED_FIRST
from labelrank_core.rankings import FloatArray, IntArray


def tie_rule(random_state: int | None) -> str:
    """Return the rule by which one of two tied labels comes first, for explanations."""
    return LISTED_FIRST if random_state is None else f"drawn at random, seed {random_state}"


def broken_tie(random_state: int | None) -> str:
    """Return which of two labels that share the first place comes first, as a clause."""
    if random_state is None:
        return "the tie goes to the first in the list of labels"
    return f"their order is drawn at random, seed {random_state}"


@dataclass(frozen=True, eq=False)
class RandomTies:
    """Random orders that break the ties of some cases; all orders are equally likely.

    The draw depends on the seed and the case's numbers alone, not on its row or on other cases;
    sparse and dense cases with the same numbers have the same orders.

    Parameters
    ----------
    label_keys : ndarray of shape (n_cases, n_labels)
        The place of each label from 0: the lowest one wins a tie.
    neighbor_keys : ndarray of shape (n_cases, n_neighbors)
        A random number for each neighbour: of equally frequent rankings that with the lowest wins.
    """

    label_keys: IntArray
    neighbor_keys: FloatArray

    @classmethod
    def draw(cls, random_state: int, X: Any, n_labels: int, n_neighbors: int = 0) -> Self:
        """Draw the orders of checked cases, an array or a CSR matrix."""
        n_cases = X.shape[0]
        label_keys = np.empty((n_cases, n_labels), dtype=np.int64)
        neighbor_keys = np.empty((n_cases, n_neighbors))
        for case in range(n_cases):
            generator = np.random.default_rng([int(random_state), _digest(X, case)])
            label_keys[case] = generator.permutation(n_labels)
            # The first numbers are the same however many there are, as paths need.
            neighbor_keys[case] = generator.random(n_neighbors)
        return cls(label_keys, neighbor_keys)

    def rank(
        self,
        rule: ConsensusRule,
        table: RankTable,
        rows: IntArray,
        weights: IntArray | None,
        neighbor_indices: IntArray,
    ) -> LabelRanks:
        """Rank the labels by a rule that chooses whole orders, each equally likely where they tie.

        Row i of `rows` are the neighbours of case i, and that of `neighbor_indices` their places.
        """
        keys = np.empty((len(rows), table.n_labels), dtype=np.int64)
        for case in range(len(rows)):
            case_weights = None if weights is None else weights[case]
            query = self.query(table, rows[case], case_weights, case, neighbor_indices[case])
            ranks = rule.rank(*query)
            keys[case, np.argsort(self.label_keys[case])] = ranks.keys[0]
        return LabelRanks(keys, ranks.unit if len(rows) else 1)

    def query(
        self,
        table: RankTable,
        rows: IntArray,
        weights: IntArray | None,
        case: int,
        neighbor_indices: IntArray,
    ) -> tuple[RankTable, IntArray, IntArray | None]:
        """Return the query of one case with its labels and neighbours in their random orders."""
        labels = np.argsort(self.label_keys[case])
        order = np.argsort(self.neighbor_keys[case, neighbor_indices], kind="stable")
        reordered = RankTable(table.doubled[np.ix_(rows[order], labels)], table.complete)
        return (
            reordered,
            np.arange(len(rows))[None],
            None if weights is None else weights[order][None],
        )


def _digest(X: Any, case: int) -> int:
    """Return a hash of a case's numbers that are not 0, and of where they are."""
    if sparse.issparse(X):
        row = X[[case]]
        row.sum_duplicates()
        columns, values = row.indices, row.data
    else:
        columns, values = np.arange(X.shape[1]), X[case]
    counts = values != 0
    content = columns[counts].astype("<i8").tobytes() + values[counts].astype("<f8").tobytes()
    return int.from_bytes(hashlib.blake2b(content, digest_size=16).digest(), "little")
