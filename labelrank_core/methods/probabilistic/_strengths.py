"""Plackett-Luce strengths of many sets of incomplete rankings at once.

The model draws a ranking from the top: each next label is chosen among the remaining ones with a
probability proportional to its strength. The log likelihood is concave in the logarithms of the
strengths. Hunter's MM updates [hunter2004]_ need hundreds of steps where neighbours nearly agree;
Newton's method, damped as in [sun2019]_ so that each step increases the likelihood, needs about ten
to the same maximum.

References
----------
.. [hunter2004] D. Hunter: MM algorithms for generalized Bradley-Terry models. Annals of
   Statistics 32(1), 2004.
.. [sun2019] T. Sun, Q. Tran-Dinh: Generalized self-concordant functions: a recipe for
   Newton-type methods. Mathematical Programming 178, 2019.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from labelrank_core.aggregation.sums import chunks
from labelrank_core.methods.convergence import warn_of_stopped
from labelrank_core.rankings import FloatArray, IntArray, orderings_from_positions

# Numbers of a chunk's temporaries (2 MB each).
_CHUNK_CELLS = 1 << 18
# The last step changes no log ratio of two strengths by more than this.
_TOLERANCE = 1e-9
_MOST_STEPS = 200


@dataclass(frozen=True, eq=False)
class ChoiceTable:
    """Rankings as choices from the top, each among a label and those strictly behind it."""

    # Tied labels are chosen independently of each other; unranked ones are never available.
    positions: FloatArray
    # By place, (n_rankings, n_labels): the label; whether it is chosen there, with others behind
    # it; the first place behind its bucket of ties, and that of its bucket.
    labels: IntArray
    is_choice: NDArray[np.bool_]
    behind: IntArray
    bucket: IntArray
    # By label.
    position_of_label: IntArray

    @classmethod
    def from_rankings(cls, positions: FloatArray) -> "ChoiceTable":
        """Read checked positions; NaN = not ranked."""
        labels = orderings_from_positions(positions)
        ordered = np.take_along_axis(positions, labels, axis=1)
        n_ranked = (~np.isnan(positions)).sum(axis=1, keepdims=True)
        bucket = np.stack([(ordered < at[:, None]).sum(axis=1) for at in ordered.T], axis=1)
        behind = np.stack([(ordered <= at[:, None]).sum(axis=1) for at in ordered.T], axis=1)
        # No comparison with NaN holds, so unranked labels are never chosen.
        is_choice = (behind < n_ranked) & ~np.isnan(ordered)
        return cls(positions, labels, is_choice, behind, bucket, np.argsort(labels, axis=1))

    @property
    def n_labels(self) -> int:
        """Number of labels."""
        return self.labels.shape[1]

    def strengths(self, rows: IntArray, smoothing: float) -> FloatArray:
        """Return the strengths of each query's rankings, (n_queries, n_labels), summing to 1."""
        # `smoothing` is added to the wins over every other label, so that strengths are finite.
        strengths = np.empty((len(rows), self.n_labels))
        cells = self.n_labels * (rows.shape[1] + self.n_labels)
        for part in chunks(len(rows), cells, at_once=_CHUNK_CELLS):
            strengths[part] = self._maximum(rows[part], smoothing)
        return strengths

    def _maximum(self, rows: IntArray, smoothing: float) -> FloatArray:
        logs = np.zeros((len(rows), self.n_labels))
        remaining = np.arange(len(rows))
        for _ in range(_MOST_STEPS):
            step = _Likelihood(self, rows[remaining], smoothing, logs[remaining]).newton_step
            spread = np.ptp(step, axis=1, keepdims=True)
            # The damping of [sun2019]: this share of the step increases the likelihood.
            logs[remaining] += step * np.log1p(spread) / np.maximum(spread, np.finfo(float).tiny)
            remaining = remaining[spread[:, 0] > _TOLERANCE]
            if not len(remaining):
                break
        else:
            remedy = "Raise the smoothing."
            warn_of_stopped(len(remaining), "Plackett-Luce model", _MOST_STEPS, remedy)
        strengths = np.exp(logs - logs.max(axis=1, keepdims=True))
        return strengths / strengths.sum(axis=1, keepdims=True)


class _Likelihood:
    """The likelihood of some queries' rankings around given strengths."""

    def __init__(
        self, table: ChoiceTable, rows: IntArray, smoothing: float, logs: FloatArray
    ) -> None:
        self.table, self.rows, self.smoothing = table, rows, smoothing
        self.strengths = np.exp(logs - logs.max(axis=1, keepdims=True))

    @cached_property
    def _inverse_totals(self) -> FloatArray:
        """By place, 1 / the total strength of the available labels; 0 without a choice."""
        table, rows = self.table, self.rows
        by_place = np.take_along_axis(self.strengths[:, None, :], table.labels[rows], axis=2)
        # Unranked labels come last and are never available.
        by_place[np.isnan(np.take_along_axis(table.positions, table.labels, 1))[rows]] = 0
        totals = np.zeros((*rows.shape, table.n_labels + 1))
        np.cumsum(by_place[:, :, ::-1], axis=2, out=totals[:, :, -2::-1])
        totals = by_place + np.take_along_axis(totals, table.behind[rows], axis=2)
        is_choice = table.is_choice[rows]
        return np.divide(1.0, totals, out=np.zeros_like(totals), where=is_choice)

    def _summed(self, terms: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Sum the terms of the choices a label was available in, with and without its own."""
        table, rows = self.table, self.rows
        ahead = np.zeros((*rows.shape, table.n_labels + 1))
        np.cumsum(terms, axis=2, out=ahead[:, :, 1:])
        ahead = np.take_along_axis(ahead, table.bucket[rows], axis=2)
        position_of_label = table.position_of_label[rows]
        return (
            np.take_along_axis(ahead + terms, position_of_label, axis=2),
            np.take_along_axis(ahead, position_of_label, axis=2),
        )

    @cached_property
    def _prior_shares(self) -> FloatArray:
        """``[q, i, j]``: 1 / (v_i + v_j), 0 for a label and itself."""
        shares = 1 / (self.strengths[:, :, None] + self.strengths[:, None, :])
        diagonal = np.arange(self.table.n_labels)
        shares[:, diagonal, diagonal] = 0
        return shares

    @property
    def _gradient(self) -> FloatArray:
        """Choices won minus their expected number, (n_queries, n_labels)."""
        table, m = self.table, self.table.n_labels
        is_choice = np.take_along_axis(
            table.is_choice[self.rows], table.position_of_label[self.rows], axis=2
        )
        won = is_choice.sum(axis=1) + self.smoothing * (m - 1)
        expected = self._summed(self._inverse_totals)[0].sum(axis=1)
        expected += 2 * self.smoothing * self._prior_shares.sum(axis=2)
        return won - self.strengths * expected

    @property
    def _together(self) -> FloatArray:
        """``[q, i, j]``: 1 / total^2, summed over the choices in which both were available."""
        table, rows, m = self.table, self.rows, self.table.n_labels
        with_own, shared = self._summed(np.square(self._inverse_totals))
        together = np.zeros((len(rows), m, m))
        for i in range(rows.shape[1]):
            positions = table.positions[rows[:, i]]
            behind = positions[:, :, None] < positions[:, None, :]
            together += behind * with_own[:, i, :, None]
            together += np.swapaxes(behind, 1, 2) * with_own[:, i, None, :]
            together += (positions[:, :, None] == positions[:, None, :]) * shared[:, i, :, None]
        return together + 2 * self.smoothing * np.square(self._prior_shares)

    @property
    def newton_step(self) -> FloatArray:
        """The Newton step of the logarithms, with mean 0."""
        gradient = self._gradient
        curvature = -self._together * self.strengths[:, :, None] * self.strengths[:, None, :]
        diagonal = np.arange(self.table.n_labels)
        # A common factor has no effect, so every row sums to 0.
        curvature[:, diagonal, diagonal] = 0
        curvature[:, diagonal, diagonal] = -curvature.sum(axis=2)
        # The likelihood is flat along a common factor; any curvature there keeps it unchanged.
        curvature += curvature[:, diagonal, diagonal].max(axis=1)[:, None, None]
        return np.linalg.solve(curvature, gradient[:, :, None])[:, :, 0]
