"""Evidence of a guarantee: which labels are surely ahead of which, in one case."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import numpy as np
import pandas as pd

from labelrank_core.data.schema import decimal_text
from labelrank_core.explain.evidence._text import Label, Text
from labelrank_core.rankings import (
    FloatArray,
    IntArray,
    generalised_ranks,
    list_names,
    strict_order,
)

# So many steps of the order are said, and so many undecided pairs.
_MOST_STEPS, _MOST_PAIRS = 6, 3
_WRONG_TOO_OFTEN = "Pairs up to {threshold} apart were wrong too often to decide."
_WHY_OPEN = (
    "By its SCORE, {a} and {b} lie {gap} apart, too little for a decision, {first} and {second} "
    f"{{least}}. {_WRONG_TOO_OFTEN}"
)


@dataclass(frozen=True, eq=False)
class SurePairs:
    """The pairs of labels that are decided with a guarantee.

    Parameters
    ----------
    order : ndarray of shape (n_labels, n_labels)
        1: the row's label is surely ahead of the column's, -1: surely behind, 0: undecided;
        transitive.
    positions : ndarray of shape (n_labels,)
        The predicted ranking, which keeps to the order.
    promise : str
        What is guaranteed, in words that end before a colon, such as "Surely".
    truth : ndarray of shape (n_labels,) or None
        The true positions, NaN = not ranked; None: not known.
    scores : ndarray of shape (n_labels,) or None
        The scores of the model that the guarantee is about, higher = better; None: not known.
    threshold : float
        A pair is decided where its scores are further apart.
    score_title : str
        The name of the scores, such as "mean rank".
    """

    order: IntArray
    positions: IntArray
    promise: str
    truth: FloatArray | None = None
    scores: FloatArray | None = None
    threshold: float = 0.0
    score_title: str = "score"

    @property
    def intervals(self) -> IntArray:
        """The first and the last position each label can have, shape (n_labels, 2)."""
        return possible_positions(self.order)

    @property
    def ranking(self) -> list[int]:
        """Labels in the predicted order."""
        return strict_order(self.positions)

    @property
    def true_positions(self) -> FloatArray | None:
        """The first and the last position each label can have in truth; None: not known."""
        return None if self.truth is None else true_positions(self.truth)

    @property
    def undecided(self) -> list[tuple[int, int]]:
        """The undecided pairs, in the predicted order."""
        labels = self.ranking
        pairs = [(a, b) for i, a in enumerate(labels) for b in labels[i + 1 :]]
        return [(a, b) for a, b in pairs if not self.order[a, b]]

    @property
    def threshold_reason(self) -> Text:
        """The distance up to which pairs stay open: the reason beside a picture of the gaps."""
        return Text(_WRONG_TOO_OFTEN, {"threshold": decimal_text(self.threshold)})

    @property
    def open_reason(self) -> Text:
        """Compare the open pair furthest apart with the decided pair least apart.

        Both kinds of pairs must exist, and the scores be known.
        """
        scores = self.scores
        if scores is None:
            raise ValueError("Expected the scores of the labels, got None.")

        def gap(pair: tuple[int, int]) -> float:
            return abs(float(scores[pair[0]] - scores[pair[1]]))

        labels = self.ranking
        decided = [(a, b) for a in labels for b in labels if self.order[a, b] > 0]
        furthest, closest = max(self.undecided, key=gap), min(decided, key=gap)
        values = {
            "a": Label(furthest[0]),
            "b": Label(furthest[1]),
            "gap": decimal_text(gap(furthest)),
            "first": Label(closest[0]),
            "second": Label(closest[1]),
            "least": decimal_text(gap(closest)),
            "threshold": decimal_text(self.threshold),
        }
        return Text(_WHY_OPEN.replace("SCORE", self.score_title), values)

    def reversals_of(self, order: Sequence[int]) -> list[tuple[int, int]]:
        """List the decided pairs that are in another order in `order`, the label ahead first.

        Parameters
        ----------
        order : sequence of int
            Labels in another order.

        Returns
        -------
        list of (int, int)
            In the predicted order, neighbours of it first.
        """
        place = {label: i for i, label in enumerate(order)}
        labels = self.ranking
        pairs = [
            (labels[i], labels[j], j - i)
            for i in range(len(labels))
            for j in range(i + 1, len(labels))
            if place[labels[i]] > place[labels[j]] and self.order[labels[i], labels[j]]
        ]
        return [(a, b) for a, b, _ in sorted(pairs, key=itemgetter(2))]

    @property
    def n_decided(self) -> int:
        """Number of decided pairs."""
        return int((self.order > 0).sum())

    @property
    def reversed(self) -> list[tuple[int, int]]:
        """The decided pairs that the truth reverses, the label wrongly ahead first."""
        if self.truth is None:
            return []
        wrong = (self.order > 0) & (self.truth[:, None] > self.truth[None, :])
        labels = self.ranking
        return [(a, b) for a in labels for b in labels if wrong[a, b]]

    @property
    def text(self) -> Text:
        """The decided and the undecided pairs, such as 'Surely: A before C.'."""
        n_pairs = len(self.order) * (len(self.order) - 1) // 2
        if not self.n_decided:
            return Text(f"{self.promise}: no pair. All {n_pairs} pairs stay open.")
        names = _LabelNames()
        steps, undecided = "; ".join(self._steps(names)), self._undecided_pairs(names)
        still_open = f" Left open: the order of {undecided}." if undecided else ""
        return Text(f"{self.promise}: {steps}.{still_open}", names.values)

    @property
    def verdict(self) -> Text:
        """Say whether the decided pairs are right; the truth must be known."""
        wrong = self.reversed
        if not wrong:
            if self.n_decided == 1:
                return Text("✓ The decided pair is right here.")
            return Text("✓ All {n} decided pairs are right here.", {"n": self.n_decided})
        ahead, behind = wrong[0]
        more = f", and {len(wrong) - 1} more" if len(wrong) > 1 else ""
        values = {"n": len(wrong), "of": self.n_decided, "a": Label(behind), "b": Label(ahead)}
        template = "✗ {n} of {of} decided pairs are wrong: {a} is really before {b}"
        return Text(f"{template}{more}.", values)

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate each label's predicted, first and last position, and the true one if known."""
        table = pd.DataFrame(
            {
                "position": self.positions,
                "label": list(label_names),
                "first possible": self.intervals[:, 0],
                "last possible": self.intervals[:, 1],
            }
        )
        if self.truth is not None:
            table = table.join(true_columns(self.truth, "true"))
        return table.sort_values("position", ignore_index=True)

    def _steps(self, names: "_LabelNames") -> list[str]:
        """List chains such as 'A before B', without those that follow from the rest."""
        chains: list[list[tuple[int, ...]]] = []
        for group, followers in self._followers():
            if chains and chains[-1][-1] == group:
                chains[-1].append(followers)
            else:
                chains.append([group, followers])
        steps, n_left = [], _MOST_STEPS
        for chain in chains:
            links = chain[: n_left + 1]
            if len(links) > 1:
                steps.append(" before ".join(names.of(group) for group in links))
            n_left -= len(chain) - 1
        return [*steps, "and more"] if n_left < 0 else steps

    def _followers(self) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """List labels, those alike together, with the next ones that are surely behind them."""
        ahead = (self.order > 0).astype(np.int64)
        nearest = (ahead > 0) & (ahead @ ahead == 0)
        labels, groups = self.ranking, dict[tuple[int, ...], list[int]]()
        for label in labels:
            behind = tuple(follower for follower in labels if nearest[label, follower])
            if behind:
                groups.setdefault(behind, []).append(label)
        return [(tuple(group), behind) for behind, group in groups.items()]

    def _undecided_pairs(self, names: "_LabelNames") -> str:
        pairs = self.undecided
        n_listed = len(pairs) if len(pairs) <= _MOST_PAIRS else _MOST_PAIRS - 1
        listed = ", ".join(names.of(pair) for pair in pairs[:n_listed])
        n_more = len(pairs) - n_listed
        return f"{listed} and {n_more} more pairs" if n_more else listed


class _LabelNames:
    """Placeholders for labels, and the labels that they stand for."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}

    def of(self, labels: Sequence[int]) -> str:
        """List some labels, such as 'A, B and C'."""
        names = []
        for label in labels:
            self.values[f"label{label}"] = Label(label)
            names.append(f"{{label{label}}}")
        return list_names(names)


def true_positions(truth: FloatArray) -> FloatArray:
    """Return the first and the last position each label can have among all labels, in truth.

    Parameters
    ----------
    truth : ndarray of shape (n_labels,)
        True positions; NaN = not ranked.

    Returns
    -------
    ndarray of shape (n_labels, 2)
        Both are equal where all labels are ranked, for tied labels the middle of the places that
        they fill. Labels that are not ranked may stand anywhere, so they move the last position of
        the others by one each; they have none themselves (NaN).

    Examples
    --------
    >>> true_positions(np.array([2, 1, np.nan]))
    array([[ 2.,  3.],
           [ 1.,  2.],
           [nan, nan]])
    """
    first = generalised_ranks(truth[None])[0]
    return np.stack([first, first + np.isnan(truth).sum()], axis=-1)


def true_columns(truth: FloatArray, name: str) -> pd.DataFrame:
    """Tabulate the true positions: one column, or the first and the last where labels are missing.

    Parameters
    ----------
    truth : ndarray of shape (n_labels,)
        True positions; NaN = not ranked.
    name : str
        What the column is called.

    Returns
    -------
    DataFrame
        One row per label.
    """
    first, last = true_positions(truth).T
    if not np.isnan(truth).any():
        return pd.DataFrame({name: first})
    return pd.DataFrame({f"first {name}": first, f"last {name}": last})


def positions_within(order: IntArray, ranking: Sequence[int]) -> IntArray:
    """Rank labels as in a ranking, as far as an order allows.

    Parameters
    ----------
    order : ndarray of shape (n_labels, n_labels)
        1: the row's label is ahead of the column's, -1: behind, 0: undecided; transitive.
    ranking : sequence of int
        All labels, best first.

    Returns
    -------
    ndarray of shape (n_labels,)
        Positions from 1: each place has the first label of the ranking that none of those left
        must be ahead of.

    Examples
    --------
    >>> positions_within(np.array([[0, 1, 0], [-1, 0, 0], [0, 0, 0]]), [1, 2, 0])
    array([2, 3, 1])
    """
    labels = np.asarray(ranking)
    is_ahead = order[np.ix_(labels, labels)] > 0
    n_ahead = is_ahead.sum(axis=0)
    positions = np.zeros(len(order), dtype=np.int64)
    for position in range(1, len(labels) + 1):
        place = int(np.argmin(n_ahead))
        positions[labels[place]] = position
        # A label that has its position no longer keeps others back, and is never taken again.
        n_ahead -= is_ahead[place]
        n_ahead[place] = len(labels)
    return positions


def possible_positions(order: IntArray) -> IntArray:
    """Return the first and the last position each label can have in rankings with an order.

    Parameters
    ----------
    order : ndarray of shape (..., n_labels, n_labels)
        1: the row's label is ahead of the column's, -1: behind, 0: undecided; transitive.

    Returns
    -------
    ndarray of shape (..., n_labels, 2)
        Positions from 1 to n_labels.

    Examples
    --------
    >>> possible_positions(np.array([[0, 1, 1], [-1, 0, 0], [-1, 0, 0]]))
    array([[1, 1],
           [2, 3],
           [2, 3]])
    """
    first = 1 + (order < 0).sum(axis=-1)
    last = order.shape[-1] - (order > 0).sum(axis=-1)
    return np.stack([first, last], axis=-1)
