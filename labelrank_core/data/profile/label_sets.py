"""The label sets of a data set: their sizes, their labels, and labels that occur together."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from labelrank_core.data.profile._groups import Groups, equal_rows
from labelrank_core.data.profile.diversity import Diversity, diversity
from labelrank_core.rankings import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class LabelSetProfile:
    """A profile of 0/1 targets; parts are computed when first needed.

    Cardinality, density and distinct label sets as in [tsoumakas2007]_, imbalance as in
    [charte2015]_.

    Parameters
    ----------
    relevance : ndarray of shape (n_rows, n_labels)
        1 = relevant. At least one row.
    label_names : sequence of str
        Names of the labels.

    References
    ----------
    .. [tsoumakas2007] G. Tsoumakas, I. Katakis: Multi-label classification: an overview.
       International Journal of Data Warehousing and Mining 3, 2007.
    .. [charte2015] F. Charte, A. J. Rivera, M. J. del Jesus, F. Herrera: Addressing imbalance in
       multilabel classification: measures and random resampling algorithms. Neurocomputing 163,
       2015.

    Examples
    --------
    >>> profile = LabelSetProfile(np.array([[1, 0], [1, 1], [1, 0]]), ["a", "b"])
    >>> profile.label_counts, profile.imbalance, profile.mean_imbalance
    (array([3, 1]), array([1., 3.]), 2.0)
    """

    relevance: NDArray[Any]
    label_names: Sequence[str]

    @property
    def n_rows(self) -> int:
        """Number of label sets."""
        return len(self.relevance)

    @property
    def n_labels(self) -> int:
        """Number of labels."""
        return self.relevance.shape[1]

    @cached_property
    def label_counts(self) -> IntArray:
        """The number of rows with each label."""
        return self.relevance.sum(axis=0, dtype=np.int64)

    @cached_property
    def order(self) -> IntArray:
        """Labels by number of rows, the most frequent first; ties are broken by label index."""
        return np.argsort(-self.label_counts, kind="stable")

    @cached_property
    def cardinality(self) -> float:
        """Mean number of labels of a row."""
        return float(self.label_counts.sum() / self.n_rows)

    @property
    def density(self) -> float:
        """Cardinality divided by the number of labels."""
        return self.cardinality / self.n_labels

    @cached_property
    def size_counts(self) -> IntArray:
        """The numbers of rows with 0, 1, ... all labels."""
        return np.bincount(self.relevance.sum(axis=1, dtype=np.int64), minlength=self.n_labels + 1)

    @cached_property
    def imbalance(self) -> FloatArray:
        """IRLbl: rows with the most frequent label divided by rows with this one.

        Infinite for a label that no row has; NaN for all labels if no row has any.
        """
        counts = self.label_counts
        ratios = np.full(self.n_labels, np.inf if counts.any() else np.nan)
        return np.divide(counts.max(), counts, out=ratios, where=counts > 0)

    @cached_property
    def mean_imbalance(self) -> float:
        """MeanIR: the mean of IRLbl over the labels that occur; NaN where none does.

        Differs from the paper where a label never occurs: its infinite ratio is left out.
        """
        finite = self.imbalance[np.isfinite(self.imbalance)]
        return float(finite.mean()) if len(finite) else float("nan")

    @cached_property
    def pair_counts(self) -> IntArray:
        """The number of rows with both labels; on the diagonal, of rows with the label."""
        values = self.relevance.astype(np.float64)
        return (values.T @ values).astype(np.int64)

    @cached_property
    def correlation(self) -> FloatArray:
        """Phi, Pearson's correlation of two 0/1 columns; NaN where one of them is constant."""
        counts = self.label_counts.astype(np.float64)
        covariance = self.n_rows * self.pair_counts - np.outer(counts, counts)
        spread = counts * (self.n_rows - counts)
        scale = np.sqrt(np.outer(spread, spread))
        phi = np.divide(covariance, scale, out=np.full(covariance.shape, np.nan), where=scale > 0)
        return np.clip(phi, -1, 1)

    @cached_property
    def groups(self) -> Groups:
        """Rows with the same label set, the most frequent set first."""
        return equal_rows(self.relevance.astype(np.int8))

    @cached_property
    def diversity(self) -> Diversity:
        """The number of different label sets, and the evenness of their spread."""
        return diversity(self.groups.counts, 2**self.n_labels)

    def label_frame(self) -> pd.DataFrame:
        """Tabulate the labels, the most frequent first: rows, share of all rows, IRLbl."""
        counts = self.label_counts[self.order]
        return pd.DataFrame(
            {
                "label": [self.label_names[label] for label in self.order],
                "rows": counts,
                "share": counts / self.n_rows,
                "imbalance": self.imbalance[self.order],
            }
        )

    def pair_frame(self) -> pd.DataFrame:
        """Tabulate the pairs of labels, the more frequent one first: rows with both, and phi."""
        upper = np.triu_indices(self.n_labels, 1)
        first, second = self.order[upper[0]], self.order[upper[1]]
        return pd.DataFrame(
            {
                "first": [self.label_names[label] for label in first],
                "second": [self.label_names[label] for label in second],
                "rows with both": self.pair_counts[first, second],
                "correlation": self.correlation[first, second],
            }
        )

    def size_frame(self) -> pd.DataFrame:
        """Tabulate the numbers of labels per row, from 0 to the largest that occurs."""
        counts = np.trim_zeros(self.size_counts, "b")
        return pd.DataFrame(
            {"labels": range(len(counts)), "rows": counts, "share": counts / self.n_rows}
        )

    def set_frame(self, n_shown: int | None = None) -> pd.DataFrame:
        """Tabulate the most frequent label sets, or all: labels, rows, share of all rows."""
        counts = self.groups.counts[:n_shown]
        names = [
            ", ".join(self.label_names[int(label)] for label in np.flatnonzero(row))
            for row in self.relevance[self.groups.first[:n_shown]]
        ]
        return pd.DataFrame({"labels": names, "rows": counts, "share": counts / self.n_rows})
