"""The numbers by which consensus rules put a label first, and label against label.

>>> tally = tally_of([[1, 2, 3], [1, 2, 3], [3, 1, 2]])
>>> tally.numbers[0].values.round(2).tolist(), tally.beats_all
([1.67, 1.67, 2.67], 0)
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linear_sum_assignment

from labelrank_core.aggregation import CONSENSUS_RULES
from labelrank_core.aggregation.kemeny import contradictions, kemeny_order, preference_counts
from labelrank_core.aggregation.majorities import places_by_ranked_pairs
from labelrank_core.aggregation.rules import ConsensusRule, displacements
from labelrank_core.aggregation.table import RankTable
from labelrank_core.data.profile.rankings import shortest_cycle
from labelrank_core.rankings import FloatArray, IntArray, check_rankings, strict_positions

# With more labels only the number of the rule's own first label is worth its time.
_MOST_LABELS = 12


@dataclass(frozen=True, eq=False)
class RuleNumbers:
    """The number by which a rule compares each label with the others as the first one.

    Parameters
    ----------
    title : str
        The rule's name.
    meaning : str
        What the number is.
    values : ndarray of shape (n_labels,)
        One number per label; NaN where it was not computed.
    first : int
        The label that the rule puts first.
    is_highest : bool
        Whether the highest number decides, not the lowest.
    """

    title: str
    meaning: str
    values: FloatArray
    first: int
    is_highest: bool = False

    @property
    def is_tied(self) -> bool:
        """Whether another label has the deciding number too."""
        return bool((self.values == self.values[self.first]).sum() > 1)


@dataclass(frozen=True, eq=False)
class Tally:
    """The numbers of each rule, and counts of rankings with one label ahead of another.

    Parameters
    ----------
    numbers : tuple of RuleNumbers
        Those of every consensus rule.
    ahead : ndarray of shape (n_labels, n_labels)
        How many rankings put the label of the row ahead of that of the column.
    """

    numbers: tuple[RuleNumbers, ...]
    ahead: IntArray

    @property
    def majorities(self) -> NDArray[np.bool_]:
        """Whether more rankings put the row's label ahead of the column's than behind it."""
        return self.ahead > self.ahead.T

    @property
    def beats_all(self) -> int | None:
        """The label that beats every other one (the Condorcet winner), or None."""
        winners = np.flatnonzero(self.majorities.sum(axis=1) == len(self.ahead) - 1)
        return int(winners[0]) if len(winners) else None

    @cached_property
    def cycle(self) -> tuple[int, ...]:
        """A shortest preference cycle of the majorities, or empty."""
        return shortest_cycle(self.majorities)

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate the numbers of the labels, a column for each rule."""
        columns = {
            f"{rule_numbers.title}: {rule_numbers.meaning}": rule_numbers.values
            for rule_numbers in self.numbers
        }
        return pd.DataFrame({"label": list(label_names), **columns})

    def pair_frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate the number of rankings with the row's label ahead of the column's."""
        columns = {f"ahead of {name}": self.ahead[:, j] for j, name in enumerate(label_names)}
        return pd.DataFrame({"label": list(label_names), **columns})


def tally_of(rankings: ArrayLike, *, counts: IntArray | None = None) -> Tally:
    """Return the deciding numbers of every rule, each ranking counted `counts` times."""
    votes = _votes(rankings, counts)
    numbers = tuple(_numbers(rule, votes) for rule in CONSENSUS_RULES.values())
    return Tally(numbers, votes.ahead)


def numbers_of(rule: ConsensusRule, rankings: ArrayLike) -> RuleNumbers:
    """Return the deciding numbers of one rule."""
    return _numbers(rule, _votes(rankings, None))


@dataclass(frozen=True, eq=False)
class _Votes:
    """Rankings, each counted some times, as the one query of every rule."""

    table: RankTable
    counts: IntArray

    @property
    def query(self) -> tuple[RankTable, IntArray, IntArray]:
        return self.table, np.arange(len(self.counts))[None], self.counts[None]

    @cached_property
    def ahead(self) -> IntArray:
        return preference_counts(*self.query)[0]


def _votes(rankings: ArrayLike, counts: IntArray | None) -> _Votes:
    table = RankTable.from_rankings(check_rankings(rankings, name="rankings", allow_partial=True))
    once = np.ones(len(table.doubled), dtype=np.int64)
    return _Votes(table, once if counts is None else np.asarray(counts, dtype=np.int64))


def _numbers(rule: ConsensusRule, votes: _Votes) -> RuleNumbers:
    ranks = rule.rank(*votes.query)
    first = int(np.argmin(strict_positions(ranks.keys)[0]))
    if rule.key not in _IF_FIRST:
        title = rule.title if votes.table.complete else rule.partial_title
        return RuleNumbers(rule.name, title, ranks.values[0], first)
    meaning, number, is_highest = _IF_FIRST[rule.key]
    n_labels = votes.table.n_labels
    labels = range(n_labels) if n_labels <= _MOST_LABELS else (first,)
    values = np.full(n_labels, np.nan)
    values[list(labels)] = [number(votes, label) for label in labels]
    return RuleNumbers(rule.name, meaning, values, first, is_highest)


def _places_moved(votes: _Votes, label: int) -> float:
    """Sum the rank differences to the nearest order with a label first."""
    costs = displacements(*votes.query)[0]
    remaining = np.delete(costs[:, 1:], label, axis=0)
    total = costs[label, 0] + remaining[linear_sum_assignment(remaining)].sum()
    return float(total / votes.table.unit)


def _pairs_reversed(votes: _Votes, label: int) -> float:
    """Count the preferences against the best order with a label first."""
    remaining = np.delete(np.delete(votes.ahead, label, axis=0), label, axis=1)
    ordering = np.array(kemeny_order(remaining).ordering, dtype=np.int64)
    return float(votes.ahead[:, label].sum() + contradictions(remaining, ordering))


def _most_votes(votes: _Votes, label: int) -> float:
    """Count the most frequent ranking with a label first."""
    kinds, middle = votes.table.kinds, votes.table.middle
    ranks = np.where(votes.table.expected > 0, votes.table.expected, middle)
    led = (strict_positions(ranks)[:, label] == 1) & (kinds >= 0)
    if not led.any():
        return 0.0
    return float(np.bincount(kinds[led], weights=votes.counts[led]).max())


def _best_place(votes: _Votes, label: int) -> float:
    """Return the place of a label by ranked pairs, at best with ties in its favour."""
    favored = None, label
    return float(
        min(places_by_ranked_pairs(votes.ahead, favored_label)[label] for favored_label in favored)
    )


# Rules that choose a whole order: the best number that any order with the label first reaches.
_Number: TypeAlias = Callable[[_Votes, int], float]
_IF_FIRST: dict[str, tuple[str, _Number, bool]] = {
    "footrule": ("places moved with it first", _places_moved, False),
    "kemeny": ("pairs reversed with it first", _pairs_reversed, False),
    "ranked_pairs": ("place if ties go its way", _best_place, False),
    "majority": ("votes for one ranking that it leads", _most_votes, True),
}
