"""Evidence of methods that predict from similar cases."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from labelrank_core.data.pair_preferences import PairPreferences
from labelrank_core.rankings import FloatArray, IntArray, format_ranking


@dataclass(frozen=True, eq=False)
class Neighbors:
    """The training cases that a prediction comes from, nearest first.

    For a forest: those that share the case's leaf in most trees.

    Parameters
    ----------
    rows : ndarray of shape (n_neighbors,)
        Row numbers in the training data, from 0.
    distances : ndarray of shape (n_neighbors,)
        In the units of the features given to the method; for a forest the share of trees that
        separate the two cases.
    weights : ndarray of shape (n_neighbors,)
        Weight of each in the consensus, where the nearest has 1; for a forest the share of trees
        in which it is one of the rankings of the case's leaf.
    rankings : ndarray of shape (n_neighbors, n_labels)
        Generalised ranks of the labels, NaN = not ranked; with a zero line the last column is that
        of the virtual label, which takes one place.
    has_zero_line : bool
        Whether the last column of `rankings` is the virtual label.
    differing : ndarray of int, shape (n_neighbors, n_shown), or None
        The features, from 0, in which each differs from the case, the largest difference first;
        None where a distance is not a sum over features.
    differences : ndarray of shape (n_neighbors, n_shown), or None
        The share of each of them in the distance (in its square for Euclidean distances); 0 at
        distance 0.
    preferences : PairPreferences or None
        The pairs of labels that each neighbour knows, where these are the targets: `rankings` are
        then NaN.
    """

    rows: IntArray
    distances: FloatArray
    weights: FloatArray
    rankings: FloatArray
    has_zero_line: bool = False
    differing: IntArray | None = None
    differences: FloatArray | None = None
    preferences: PairPreferences | None = None

    @property
    def are_sets(self) -> bool:
        """Whether all targets are label sets: a zero line, and ties on both of its sides."""
        return self.has_zero_line and all(
            len(np.unique(row[:-1][side])) <= 1
            for row in self.rankings
            for side in (row[:-1] < row[-1], row[:-1] > row[-1])
        )

    def in_words(self, label_names: Sequence[str]) -> list[str]:
        """Write the ranking of each neighbour, or the pairs of labels it knows."""
        if self.preferences is not None:
            return PairPreferences(self.preferences.signs, label_names).to_words()
        names = [*label_names, "zero line"] if self.has_zero_line else list(label_names)
        return [format_ranking(row, names) for row in self.rankings]

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate row, distance, weight and ranking of each neighbour."""
        return pd.DataFrame(
            {
                "training row": self.rows,
                "distance": self.distances,
                "weight": self.weights,
                "ranking" if self.preferences is None else "known pairs": self.in_words(
                    label_names
                ),
            }
        )


@dataclass(frozen=True, eq=False)
class CountEvidence:
    """The counts of neighbours with each label, and the probabilities ML-kNN derives from them.

    Parameters
    ----------
    case_counts : ndarray of int, shape (n_labels,)
        How many of the case's k neighbours have the label.
    prior : ndarray of shape (n_labels,)
        Probability of having the label before the neighbours are known.
    cases_with, cases_without : ndarray of int, shape (n_labels, k + 1)
        Training cases with and without the label of which j of k neighbours have it.
    likelihood_with, likelihood_without : ndarray of shape (n_labels, k + 1)
        Probability of j such neighbours for cases with and without the label.
    posterior : ndarray of shape (n_labels,)
        Probability of having the label, given the case's own count.
    n_neighbors : ndarray of int, shape (n_labels,), or None
        How many neighbours count for each label; None: k for all.
    """

    case_counts: IntArray
    prior: FloatArray
    cases_with: IntArray
    cases_without: IntArray
    likelihood_with: FloatArray
    likelihood_without: FloatArray
    posterior: FloatArray
    n_neighbors: IntArray | None = None

    def neighbors_of(self, label: int) -> int:
        """Return the number of neighbours that count for a label."""
        if self.n_neighbors is None:
            return self.cases_with.shape[1] - 1
        return int(self.n_neighbors[label])

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate each label at the case's own count, the most probable first."""
        at_own = (np.arange(len(self.case_counts)), self.case_counts)
        table = pd.DataFrame(
            {
                "label": list(label_names),
                "neighbours": [self.neighbors_of(label) for label in range(len(self.case_counts))],
                "neighbours with it": self.case_counts,
                "training cases with it": self.cases_with[at_own],
                "training cases without it": self.cases_without[at_own],
                "prior": self.prior,
                "likelihood with it": self.likelihood_with[at_own],
                "likelihood without it": self.likelihood_without[at_own],
                "posterior": self.posterior,
            }
        )
        return table.sort_values("posterior", ascending=False, kind="stable", ignore_index=True)

    def by_count(self, label: int) -> pd.DataFrame:
        """Tabulate one label for every number of neighbours; ``own`` marks the case's count."""
        counts = np.arange(self.neighbors_of(label) + 1)
        return pd.DataFrame(
            {
                "neighbours with it": counts,
                "training cases with it": self.cases_with[label, counts],
                "training cases without it": self.cases_without[label, counts],
                "likelihood with it": self.likelihood_with[label, counts],
                "likelihood without it": self.likelihood_without[label, counts],
                "own": counts == self.case_counts[label],
            }
        )
