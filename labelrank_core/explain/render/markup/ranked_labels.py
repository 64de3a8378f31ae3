"""The ranking that every drawing of rankings takes."""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, combinations

import numpy as np
from numpy.typing import NDArray

from labelrank_core.rankings import label_buckets


@dataclass(frozen=True)
class RankedLabels:
    """A ranking to draw.

    Parameters
    ----------
    buckets : sequence of sequences of int
        The labels by position, most preferred first; tied labels share a bucket.
    title : str
        The heading of the drawing, or the name of its row.
    n_relevant : int or None
        Number of relevant labels, behind which a line stands; None: no line.
    line : str
        The name of that line.
    numbers : dict of int to str
        The numbers that order the labels, as they are written; empty: none are drawn.
    numbers_title : str
        What the numbers are.
    """

    buckets: Sequence[Sequence[int]]
    title: str = ""
    n_relevant: int | None = None
    line: str = "zero line"
    numbers: Mapping[int, str] = field(default_factory=dict)
    numbers_title: str = ""

    @classmethod
    def from_positions(
        cls,
        positions: Sequence[float] | NDArray[np.generic],
        title: str = "",
        n_relevant: int | None = None,
    ) -> "RankedLabels":
        """Group labels by position; unranked ones (NaN) are left out."""
        return cls(label_buckets(positions), title, n_relevant)

    @classmethod
    def from_order(
        cls, order: Iterable[int], title: str = "", n_relevant: int | None = None
    ) -> "RankedLabels":
        """Rank labels without ties, the first one first."""
        return cls([[label] for label in order], title, n_relevant)

    @property
    def order(self) -> list[int]:
        """The labels, most preferred first."""
        return [label for bucket in self.buckets for label in bucket]

    @property
    def relevant(self) -> list[int]:
        """The labels ahead of the line; none without a line."""
        return self.order[: self.n_relevant or 0]

    @property
    def n_ahead(self) -> int | None:
        """Number of buckets ahead of the line, which divides none; None: no line."""
        if self.n_relevant is None:
            return None
        return bisect_left(list(accumulate(map(len, self.buckets), initial=0)), self.n_relevant)

    @property
    def rows(self) -> list[Sequence[int]]:
        """The buckets from first to last; the empty one stands for the line."""
        rows = list(self.buckets)
        if self.n_ahead is not None:
            rows.insert(self.n_ahead, ())
        return rows

    @property
    def n_rows(self) -> int:
        """Number of rows of the drawing: one for each label, and one for the line."""
        return sum(max(1, len(row)) for row in self.rows)

    def heights(self) -> dict[int | None, float]:
        """Return the middle of each label's bucket, in rows from the top; None is the line's."""
        middles: dict[int | None, float] = {}
        top = 0
        for row in self.rows:
            n_filled = max(1, len(row))
            middles |= dict.fromkeys(row or (None,), top + n_filled / 2)
            top += n_filled
        return middles

    def select(self, labels: Collection[int]) -> "RankedLabels":
        """Leave out all labels but some."""
        buckets = ([label for label in bucket if label in labels] for bucket in self.buckets)
        return replace(self, buckets=[bucket for bucket in buckets if bucket])

    def head(self, n_labels: int) -> "RankedLabels":
        """Return the first labels; the last bucket may be cut."""
        return self.select(self.order[:n_labels])

    def align(self, other: "RankedLabels") -> "RankedLabels":
        """Order tied labels as another ranking does, those that it does not rank last."""
        index = {label: i for i, label in enumerate(other.order)}
        buckets = [
            sorted(bucket, key=lambda label: index.get(label, len(index)))
            for bucket in self.buckets
        ]
        return replace(self, buckets=buckets)

    def without_ties(self) -> "RankedLabels":
        """Give each label a bucket of its own."""
        return replace(self, buckets=[[label] for label in self.order])


def ranked_rows(rankings: NDArray[np.generic], titles: Sequence[str]) -> list[RankedLabels]:
    """Return the rankings in an array, positions row by row, with a title for each."""
    return [
        RankedLabels.from_positions(positions, title)
        for positions, title in zip(rankings, titles, strict=True)
    ]


def swapped_pairs(first: RankedLabels, second: RankedLabels) -> list[tuple[int, int]]:
    """List the pairs of labels that one ranking reverses; pairs tied in either are not."""
    first_index, second_index = (
        {label: i for i, bucket in enumerate(ranking.buckets) for label in bucket}
        for ranking in (first, second)
    )
    ranked_by_both = [label for label in first.order if label in second_index]
    return [
        (a, b)
        for a, b in combinations(ranked_by_both, 2)
        if first_index[a] < first_index[b] and second_index[a] > second_index[b]
    ]
