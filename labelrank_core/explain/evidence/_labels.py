"""Evidence of any method: scores of the labels, win shares of pairs, confidence."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from labelrank_core.data.schema import decimal_text
from labelrank_core.explain.overtaking import LISTED_FIRST
from labelrank_core.rankings import FloatArray, IntArray, strict_order


def votes_needed(share: float, n_votes: int) -> int:
    """Return the smallest number of votes above a share of them.

    Parameters
    ----------
    share : float
        What must be exceeded, from 0 to 1.
    n_votes : int
        All votes.

    Returns
    -------
    int
        The smallest number above share * n_votes.

    Examples
    --------
    >>> votes_needed(0.5, 10)
    6
    """
    return int(np.floor(share * n_votes)) + 1


def share_text(share: float, n_votes: int) -> str:
    """Write a share as a percentage, rounded only so far that as many votes lie above it.

    Parameters
    ----------
    share : float
        What must be exceeded, from 0 to 1.
    n_votes : int
        All votes.

    Returns
    -------
    str
        The percentage with the fewest decimals of which `votes_needed` is that of `share`.

    Examples
    --------
    >>> share_text(0.617, 10), share_text(0.395, 10)
    ('62%', '39.5%')
    """
    n_needed = votes_needed(share, n_votes)
    for n_decimals in range(16):
        rounded = round(100 * share, n_decimals)
        if votes_needed(rounded / 100, n_votes) == n_needed:
            return f"{rounded:.{n_decimals}f}%"
    return f"{100 * share}%"


@dataclass(frozen=True, eq=False)
class LabelScores:
    """One number per label, by which the labels are ordered.

    Parameters
    ----------
    title : str
        The name of the number, such as "mean rank".
    values : ndarray of shape (n_labels,)
        The numbers.
    positions : ndarray of shape (n_labels,)
        The ranking by these numbers.
    greater_is_better : bool
        Whether the label with the largest number comes first.
    bar : float or None
        The number a label must beat to be relevant.
    bar_name : str
        What the method calls that number: "zero line" or "threshold".
    tie_rule : str
        How one of two labels with the same number gets ahead of the other.
    highest : float or None
        The largest number that can occur, where that is known.
    n_votes : int or None
        Of how many equal votes the numbers are shares; None: they are none.
    """

    title: str
    values: FloatArray
    positions: IntArray
    greater_is_better: bool = False
    bar: float | None = None
    bar_name: str = "threshold"
    tie_rule: str = LISTED_FIRST
    highest: float | None = None
    n_votes: int | None = None

    def text_of(self, label: int) -> str:
        """Write the number of a label, votes as "9 of 10"."""
        if self.n_votes is None:
            return f"{self.title} {decimal_text(self.values[label])}"
        return f"{round(self.values[label] * self.n_votes)} of {self.n_votes}"

    @property
    def short_title(self) -> str:
        """The title for a narrow column, "sum" for a sum of any kind."""
        return "sum" if self.title.startswith("sum of ") else self.title

    @property
    def line_text(self) -> str:
        """Write the bar that a relevant label passes; empty where no number is needed.

        How many votes are needed is said with the prediction.
        """
        if self.bar is None or self.n_votes is not None:
            return ""
        relation = "above" if self.greater_is_better else "below"
        return f"The {self.title} must be {relation} {decimal_text(self.bar)}."

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate position, label and number, best first."""
        table = pd.DataFrame(
            {"position": self.positions, "label": list(label_names), self.title: self.values}
        )
        if self.bar is not None:
            better = self.values > self.bar if self.greater_is_better else self.values < self.bar
            table["relevant"] = better
        return table.sort_values("position", ignore_index=True)


@dataclass(frozen=True, eq=False)
class VotedProbabilities:
    """Probabilities of every label by several models, of which the mean decides.

    Parameters
    ----------
    voter : str
        What the models are called, such as "chain".
    votes : ndarray of shape (n_voters, n_labels)
        Their probabilities.
    positions : ndarray of shape (n_labels,)
        The ranking by the mean probabilities.
    """

    voter: str
    votes: FloatArray
    positions: IntArray

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate the mean and the range of each label, and every model's probability."""
        table = pd.DataFrame(
            {
                "position": self.positions,
                "label": list(label_names),
                "mean": self.votes.mean(axis=0),
                "lowest": self.votes.min(axis=0),
                "highest": self.votes.max(axis=0),
            }
        )
        columns = {f"{self.voter} {i + 1}": votes for i, votes in enumerate(self.votes)}
        table = pd.concat([table, pd.DataFrame(columns)], axis=1)
        return table.sort_values("position", ignore_index=True)


@dataclass(frozen=True, eq=False)
class SetValues:
    """Label sets compared by one number; the best is predicted.

    Parameters
    ----------
    title : str
        The name of the number, such as "mean F1".
    sets : ndarray of bool, shape (n_sets, n_labels)
        The sets, the predicted one first.
    values : ndarray of shape (n_sets,)
        Their numbers, descending.
    positions : ndarray of shape (n_labels,)
        The predicted ranking of the labels.
    """

    title: str
    sets: NDArray[np.bool_]
    values: FloatArray
    positions: IntArray

    @classmethod
    def by_share(
        cls,
        title: str,
        sets: NDArray[Any],
        shares: FloatArray,
        prediction: NDArray[Any],
        positions: IntArray,
    ) -> Self:
        """Compare different sets by their shares of the votes, and leave out those without any.

        Of sets with equal shares the predicted one comes first, then those that agree best with
        all votes.
        """
        # Rounded, so that rounding breaks no ties.
        agreement = (sets @ (2 * (shares @ sets) - 1)).round(12)
        is_predicted = (sets == prediction).all(axis=1)
        order = np.lexsort((-agreement, ~is_predicted, -shares))
        order = order[shares[order] > 0]
        return cls(title, sets[order] == 1, shares[order], positions)

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate the number and the size of each set, and which labels it has."""
        table = pd.DataFrame({self.title: self.values, "labels": self.sets.sum(axis=1)})
        sets = pd.DataFrame(self.sets.astype(np.int64), columns=list(label_names))
        return pd.concat([table, sets], axis=1)


@dataclass(frozen=True, eq=False)
class WinShares:
    """Shares of the rankings that prefer one label to another, for every pair.

    Parameters
    ----------
    shares : ndarray of shape (n_labels, n_labels)
        ``[i, j]``: (weighted) share of the rankings of both that prefer label i to label j, a tie
        counting one half; 0.5 on the diagonal.
    positions : ndarray of shape (n_labels,)
        The predicted order.
    """

    shares: FloatArray
    positions: IntArray

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate the shares, rows and columns in the predicted order; NaN on the diagonal."""
        order = strict_order(self.positions)
        names = [label_names[int(label)] for label in order]
        shares = self.shares[np.ix_(order, order)]
        np.fill_diagonal(shares, np.nan)
        table = pd.DataFrame(shares, columns=names)
        table.insert(0, "preferred", names, allow_duplicates=True)
        return table


# A confidence is the agreement of voters, or a share that is expected to be right.
PAIRS_EXPECTED = "The share of pairs expected to be in the right order (1 = all)."
LABELS_EXPECTED = "The share of labels expected to be right (1 = all)."


def agreement_with(prediction: str, voters: str) -> str:
    """Return the meaning of a confidence that is the agreement of voters with a prediction.

    Parameters
    ----------
    prediction : str
        What they agree with, such as "this ranking"; empty: it is not named.
    voters : str
        Who agrees, such as "the trees".

    Returns
    -------
    str
        One sentence.

    Examples
    --------
    >>> agreement_with("this ranking", "the trees")
    'How far the trees agree with this ranking (1 = all).'
    """
    target = f" with {prediction}" if prediction else ""
    return f"How far {voters} agree{target} (1 = all)."


def loss_arithmetic(value: float, largest: float) -> str:
    """Write how a confidence of 1 - mean loss / largest loss is computed.

    Parameters
    ----------
    value : float
        The confidence.
    largest : float
        The largest loss.

    Returns
    -------
    str
        The arithmetic with its numbers.

    Examples
    --------
    >>> loss_arithmetic(0.98, 40.0)
    '1 - 0.80 / 40 = 0.98'
    """
    mean_loss = (1 - value) * largest
    return f"1 - {decimal_text(mean_loss)} / {largest:,.6g} = {decimal_text(value)}"


@dataclass(frozen=True)
class Confidence:
    """Agreement of voters with the prediction, or the share of it expected to be right.

    Parameters
    ----------
    value : float
        Between 0 and 1.
    lowest : float
        The smallest value an optimal consensus can have.
    meaning : str
        One sentence that says what is measured: `agreement_with`, `PAIRS_EXPECTED` or
        `LABELS_EXPECTED`.
    definition : str
        How it is computed, with its source.
    defined : bool
        False where the value has no meaning, as with a single neighbour.
    """

    value: float
    lowest: float
    meaning: str
    definition: str
    defined: bool = True

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:  # noqa: ARG002
        """Tabulate the value and its attainable range."""
        value = self.value if self.defined else np.nan
        return pd.DataFrame(
            {"confidence": [value], "lowest possible": [self.lowest], "highest possible": [1.0]}
        )
