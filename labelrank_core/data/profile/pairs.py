"""The preferences between pairs of labels of a data set: known pairs and their winners."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from labelrank_core.data.pair_preferences import PairPreferences
from labelrank_core.rankings import FloatArray, IntArray, strict_positions


@dataclass(frozen=True, eq=False)
class PairProfile:
    """A profile of preferences between pairs; parts are computed when first needed.

    Parameters
    ----------
    preferences : PairPreferences
        At least one row.

    Examples
    --------
    >>> profile = PairProfile(PairPreferences.from_words(["a > b | c > d", "b > a", "a > b"]))
    >>> int(profile.n_known[0, 1]), round(float(profile.shares[0, 1]), 2)
    (3, 0.67)
    """

    preferences: PairPreferences

    @property
    def mean_known(self) -> float:
        """The mean number of known pairs of a row."""
        return float(self.preferences.n_known.mean())

    @property
    def n_cyclic(self) -> int:
        """The number of rows whose pairs contradict every ranking."""
        return int(self.preferences.cyclic.sum())

    @cached_property
    def n_known(self) -> IntArray:
        """The number of rows that know each pair, (n_labels, n_labels); 0 on the diagonal."""
        counts = (~np.isnan(self.preferences.signs)).sum(axis=0)
        return self._square(counts.astype(np.float64), 0).astype(np.int64)

    @cached_property
    def shares(self) -> FloatArray:
        """The share of the rows that know a pair and prefer label i to j, ties one half.

        Shape (n_labels, n_labels); NaN where no row knows the pair, and on the diagonal.
        """
        counts = np.triu(self.n_known)[np.triu_indices(self.preferences.n_labels, 1)]
        wins = np.nansum((self.preferences.signs + 1) / 2, axis=0)
        shares = np.divide(wins, counts, out=np.full(len(wins), np.nan), where=counts > 0)
        square = self._square(shares, np.nan)
        lower = np.tril_indices(len(square), -1)
        square[lower] = 1 - square[lower]
        return square

    @property
    def positions(self) -> IntArray:
        """The order by summed shares; of equal sums the first label."""
        return strict_positions(-self._sums[None])[0]

    @property
    def most_preferred(self) -> list[int]:
        """The labels with the largest sum of shares: several where they are equal."""
        return np.flatnonzero(self._sums == self._sums.max()).tolist()

    @cached_property
    def _sums(self) -> FloatArray:
        """The sum of the shares of each label, a pair that nobody knows counting one half."""
        return np.nan_to_num(self.shares, nan=0.5).sum(axis=1).round(12)

    def frame(self) -> pd.DataFrame:
        """Tabulate all pairs: both labels, the rows that know it, the share for the first."""
        first, second = np.triu_indices(self.preferences.n_labels, 1)
        names = np.array(
            self.preferences.label_names or range(1, self.preferences.n_labels + 1), dtype=object
        )
        return pd.DataFrame(
            {
                "label": names[first],
                "other label": names[second],
                "rows": self.n_known[first, second],
                "share for the first": self.shares[first, second],
            }
        )

    def _square(self, of_pairs: FloatArray, diagonal: float) -> FloatArray:
        n_labels = self.preferences.n_labels
        first, second = np.triu_indices(n_labels, 1)
        square = np.full((n_labels, n_labels), diagonal)
        square[first, second] = square[second, first] = of_pairs
        return square
