"""What a consensus of neighbours hangs on."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from labelrank_core.rankings import FloatArray, IntArray, format_ranking

BoolArray = NDArray[np.bool_]


@dataclass(frozen=True)
class RuleOutcome:
    """What a consensus rule makes of the neighbours.

    Parameters
    ----------
    key : str
        The rule, as in ``aggregation``.
    title : str
        Its name.
    positions : tuple of int
        Its consensus.
    squared, footrule, kendall : float
        Mean losses of the consensus to the neighbours' rankings: squared and absolute differences
        of ranks, and pairs of labels the other way round.
    """

    key: str
    title: str
    positions: tuple[int, ...]
    squared: float
    footrule: float
    kendall: float


@dataclass(frozen=True, eq=False)
class NeighborLedger:
    """The consensus as neighbours enter one by one, and without each of them.

    Parameters
    ----------
    rows : ndarray of shape (n_neighbors,)
        Row numbers in the training data, nearest first.
    rankings : ndarray of shape (n_neighbors, n_labels)
        Their rankings.
    running : ndarray of int, shape (n_neighbors, n_labels)
        The consensus of the first neighbour, of the first two, ...; the last is the prediction.
    without : ndarray of int, shape (n_neighbors, n_labels)
        The consensus of all others, where one neighbour is dropped.
    replaced : ndarray of int, shape (n_neighbors, n_labels), or None
        The consensus where the next nearest case takes the place of one neighbour; None: no more
        cases were searched for.
    next_row : int or None
        The row number of that case.
    """

    rows: IntArray
    rankings: FloatArray
    running: IntArray
    without: IntArray
    replaced: IntArray | None = None
    next_row: int | None = None

    @property
    def prediction(self) -> IntArray:
        """The consensus of all, shape (n_labels,)."""
        return self.running[-1]

    @property
    def deciding(self) -> IntArray:
        """The neighbours, from 0, without which the ranking would be another."""
        return np.flatnonzero((self.without != self.prediction).any(axis=1))

    def turned_pairs(self, neighbor: int) -> list[tuple[int, int]]:
        """List the pairs of labels whose order hangs on one neighbour.

        Parameters
        ----------
        neighbor : int
            Which, from 0.

        Returns
        -------
        list of (int, int)
            First the label that is ahead in the prediction, and behind without the neighbour.
        """
        return self.turned_by(self.without[neighbor])

    def turned_by(self, others: IntArray) -> list[tuple[int, int]]:
        """List the pairs of labels that another ranking orders the other way round.

        Parameters
        ----------
        others : ndarray of shape (n_labels,)
            Positions.

        Returns
        -------
        list of (int, int)
            First the label that is ahead in the prediction, and behind in the other ranking.
        """
        order = np.argsort(self.prediction)
        return [
            (int(first), int(second))
            for place, first in enumerate(order)
            for second in order[place + 1 :]
            if others[first] > others[second]
        ]

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate the neighbours with the consensus so far and the one without them.

        Parameters
        ----------
        label_names : sequence of str
            Names of the labels.

        Returns
        -------
        DataFrame
            One row a neighbour.
        """
        deciding = set(self.deciding.tolist())
        pairs = [
            "; ".join(f"{label_names[a]} before {label_names[b]}" for a, b in self.turned_pairs(i))
            if i in deciding
            else ""
            for i in range(len(self.rows))
        ]
        return pd.DataFrame(
            {
                "training row": self.rows,
                "ranking": [format_ranking(row, label_names) for row in self.rankings],
                "consensus so far": [format_ranking(row, label_names) for row in self.running],
                "without this one": [format_ranking(row, label_names) for row in self.without],
                "hangs on it": pairs,
                **self._replaced(label_names),
            }
        )

    def _replaced(self, label_names: Sequence[str]) -> dict[str, list[str]]:
        if self.replaced is None:
            return {}
        column = [format_ranking(row, label_names) for row in self.replaced]
        return {"with the next case instead": column}


@dataclass(frozen=True, eq=False)
class SetLedger:
    """The relevant labels as neighbours enter one by one, and without each of them.

    Parameters
    ----------
    rows : ndarray of shape (n_neighbors,)
        Row numbers in the training data, nearest first.
    relevance : ndarray of bool, shape (n_neighbors, n_labels)
        The labels they have.
    running : ndarray of bool, shape (n_neighbors, n_labels)
        The labels predicted from the first neighbour, from the first two, ...; the last is the
        prediction.
    without : ndarray of bool, shape (n_neighbors, n_labels)
        The labels predicted from all others, where one neighbour is dropped.
    replaced : ndarray of bool, shape (n_neighbors, n_labels), or None
        Those where the next nearest case takes the place of one neighbour; None: no more cases
        were searched for.
    next_row : int or None
        The row number of that case.
    """

    rows: IntArray
    relevance: BoolArray
    running: BoolArray
    without: BoolArray
    replaced: BoolArray | None = None
    next_row: int | None = None

    @property
    def prediction(self) -> BoolArray:
        """The labels predicted from all, shape (n_labels,)."""
        return self.running[-1]

    @property
    def deciding(self) -> IntArray:
        """The neighbours, from 0, without which other labels would be relevant."""
        return np.flatnonzero((self.without != self.prediction).any(axis=1))

    def changed_by(self, others: BoolArray) -> tuple[list[int], list[int]]:
        """List the labels that another set has more, and those it has not.

        Parameters
        ----------
        others : ndarray of bool, shape (n_labels,)
            The other set.

        Returns
        -------
        entering, leaving : list of int
            The labels.
        """
        entering, leaving = others & ~self.prediction, self.prediction & ~others
        return np.flatnonzero(entering).tolist(), np.flatnonzero(leaving).tolist()

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate the neighbours with the labels predicted so far and without them.

        Parameters
        ----------
        label_names : sequence of str
            Names of the labels.

        Returns
        -------
        DataFrame
            One row a neighbour.
        """
        names = np.array(label_names, dtype=object)

        def sets(matrix: BoolArray) -> list[str]:
            return [", ".join(names[row]) for row in matrix]

        table = pd.DataFrame(
            {
                "training row": self.rows,
                "labels": sets(self.relevance),
                "relevant so far": sets(self.running),
                "without this one": sets(self.without),
            }
        )
        if self.replaced is not None:
            table["with the next case instead"] = sets(self.replaced)
        return table


@dataclass(frozen=True)
class RuleOrders:
    """The orders that the consensus rules make of the same neighbours.

    Parameters
    ----------
    rules : tuple of RuleOutcome
        The rules.
    predicted : tuple of int
        The predicted positions.
    """

    rules: tuple[RuleOutcome, ...]
    predicted: tuple[int, ...]

    @property
    def others(self) -> list[RuleOutcome]:
        """The rules whose order is not the predicted one."""
        return [rule for rule in self.rules if rule.positions != self.predicted]

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate what each rule makes of the neighbours.

        Parameters
        ----------
        label_names : sequence of str
            Names of the labels.

        Returns
        -------
        DataFrame
            One row a rule: its consensus, whether it is the prediction, and its mean losses to the
            neighbours' rankings.
        """
        others = set(self.others)
        return pd.DataFrame(
            {
                "rule": [rule.title for rule in self.rules],
                "consensus": [format_ranking(rule.positions, label_names) for rule in self.rules],
                "as predicted": ["no" if rule in others else "yes" for rule in self.rules],
                "l2": [rule.squared for rule in self.rules],
                "l1": [rule.footrule for rule in self.rules],
                "Kendall": [rule.kendall for rule in self.rules],
            }
        )
