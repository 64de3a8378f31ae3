"""The diversity of targets: Shannon's entropy of the rankings or label sets that occur."""

from dataclasses import dataclass
from math import comb, factorial, log2, perm

import numpy as np

from labelrank_core.rankings import IntArray


@dataclass(frozen=True)
class Diversity:
    """The number of different targets, and the evenness of their spread.

    Parameters
    ----------
    n_rows : int
        Number of rows.
    n_distinct : int
        Number of different targets.
    n_possible : int
        Number of targets that are possible with these labels.
    entropy : float
        Shannon's entropy [shannon1948]_ of the distribution of targets in bits; 0 if all rows have
        the same one.

    References
    ----------
    .. [shannon1948] C. E. Shannon: A mathematical theory of communication. Bell System Technical
       Journal 27, 1948.
    """

    n_rows: int
    n_distinct: int
    n_possible: int
    entropy: float

    @property
    def normalised_entropy(self) -> float:
        """The entropy divided by the largest one possible with as many rows, in [0, 1].

        It is 1 if all possible targets occur equally often or, with fewer rows than possible
        targets, if no two rows share one; 0 if only one target is possible.
        """
        max_distinct = min(self.n_rows, self.n_possible)
        return self.entropy / log2(max_distinct) if max_distinct > 1 else 0.0


def diversity(counts: IntArray, n_possible: int) -> Diversity:
    """Measure the diversity of targets from the number of rows of each different one."""
    shares = counts / counts.sum()
    entropy = max(0.0, float(-(shares * np.log2(shares)).sum()))
    return Diversity(int(counts.sum()), len(counts), n_possible, entropy)


def n_possible_rankings(n_labels: int, *, ties: bool, partial: bool) -> int:
    """Count the rankings of some labels: m! complete strict ones, more with ties or incomplete."""
    if not ties:
        return (
            sum(perm(n_labels, k) for k in range(n_labels + 1)) if partial else factorial(n_labels)
        )
    # Complete rankings with ties are counted by the ordered Bell numbers.
    bell = [1]
    for n in range(1, n_labels + 1):
        bell.append(sum(comb(n, k) * bell[n - k] for k in range(1, n + 1)))
    return sum(comb(n_labels, k) * bell[k] for k in range(n_labels + 1)) if partial else bell[-1]
