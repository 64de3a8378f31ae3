"""Explanations as data: steps from the data to a prediction, each with its evidence.

Every kind of evidence is a frozen dataclass with ``frame(label_names)``, the table an interface
shows beside the picture. Texts are templates with typed values, so that names are made safe where
they are shown and not before.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from labelrank_core.rankings import FloatArray, IntArray, format_ranking


@dataclass(frozen=True)
class Label:
    """A label in a text.

    Parameters
    ----------
    index : int
        Which, from 0.
    """

    index: int


@dataclass(frozen=True)
class Text:
    """A sentence with named places.

    Parameters
    ----------
    template : str
        In `str.format` syntax with names, such as ``"{top} comes first of {n}"``.
    values : mapping
        `Label`, a sequence of `Label`, or a number for every name.
    """

    template: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def plain(self, label_names: Sequence[str]) -> str:
        """Fill the names in as they are.

        Parameters
        ----------
        label_names : sequence of str
            Names of the labels.

        Returns
        -------
        str
            The sentence.
        """
        return self.template.format(
            **{key: format_value(value, label_names) for key, value in self.values.items()}
        )


def format_value(value: Any, label_names: Sequence[str]) -> str:
    """Write one value of a text: label names, whole numbers, others with two decimals.

    Parameters
    ----------
    value : Label, sequence of Label, or number
        What stands in the text.
    label_names : sequence of str
        Names of the labels.

    Returns
    -------
    str
        The words.
    """
    if isinstance(value, Label):
        return label_names[value.index]
    if isinstance(value, tuple):
        return ", ".join(label_names[label.index] for label in value) or "none"
    if isinstance(value, float):
        return f"{value:.2f}"
    return str(value)


class Evidence(Protocol):
    """What a step rests on."""

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate the evidence."""


@dataclass(frozen=True, eq=False)
class Neighbors:
    """The training cases a prediction stands on, nearest first.

    For a forest: those that end with the case in most of its trees.

    Parameters
    ----------
    rows : ndarray of shape (n_neighbors,)
        Row numbers in the training data, from 0.
    distances : ndarray of shape (n_neighbors,)
        In the units of the features given to the method; for a forest the share of trees that
        tell the two cases apart.
    weights : ndarray of shape (n_neighbors,)
        Weight of each in the consensus, where the nearest has 1; for a forest the share of trees
        in which it is one of the rankings of the case's leaf.
    rankings : ndarray of shape (n_neighbors, n_labels)
        Generalised ranks of the labels, NaN = not ranked; with a zero line the virtual label
        counts as one place and has the last column.
    has_zero_line : bool
        Whether the last column of `rankings` is the virtual label.
    """

    rows: IntArray
    distances: FloatArray
    weights: FloatArray
    rankings: FloatArray
    has_zero_line: bool = False

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate row, distance, weight and ranking of each neighbour.

        Parameters
        ----------
        label_names : sequence of str
            Names of the labels.

        Returns
        -------
        DataFrame
            One row a neighbour.
        """
        names = [*label_names, "zero line"] if self.has_zero_line else list(label_names)
        return pd.DataFrame(
            {
                "training row": self.rows,
                "distance": self.distances,
                "weight": self.weights,
                "ranking": [format_ranking(row, names) for row in self.rankings],
            }
        )


@dataclass(frozen=True, eq=False)
class TreeVotes:
    """What each tree of a forest says.

    Parameters
    ----------
    rankings : ndarray of shape (n_trees, n_labels)
        The strict consensus of the rankings in the leaf of each tree.
    sizes : ndarray of shape (n_trees,)
        How many training rankings the leaf holds, repeated draws counted.
    depths : ndarray of shape (n_trees,)
        How many questions lead to the leaf.
    """

    rankings: IntArray
    sizes: IntArray
    depths: IntArray

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate ranking, leaf size and depth of each tree.

        Parameters
        ----------
        label_names : sequence of str
            Names of the labels.

        Returns
        -------
        DataFrame
            One row a tree, numbered from 1.
        """
        return pd.DataFrame(
            {
                "tree": np.arange(1, len(self.rankings) + 1),
                "ranking": [format_ranking(row, label_names) for row in self.rankings],
                "rankings in the leaf": self.sizes,
                "depth": self.depths,
            }
        )


@dataclass(frozen=True, eq=False)
class LabelScores:
    """One number a label, which orders the labels and so decides the prediction.

    Parameters
    ----------
    title : str
        What the number is, such as "mean rank".
    values : ndarray of shape (n_labels,)
        The numbers.
    positions : ndarray of shape (n_labels,)
        The order they lead to.
    greater_is_better : bool
        Whether the label with the largest number comes first.
    bar : float or None
        The number a label must beat to be relevant.
    """

    title: str
    values: FloatArray
    positions: IntArray
    greater_is_better: bool = False
    bar: float | None = None

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate position, label and number, best first.

        Parameters
        ----------
        label_names : sequence of str
            Names of the labels.

        Returns
        -------
        DataFrame
            One row a label.
        """
        table = pd.DataFrame(
            {"position": self.positions, "label": list(label_names), self.title: self.values}
        )
        if self.bar is not None:
            better = self.values > self.bar if self.greater_is_better else self.values < self.bar
            table["relevant"] = better
        return table.sort_values("position", ignore_index=True)


@dataclass(frozen=True, eq=False)
class ScoreParts:
    """The parts of a linear score: baseline + the label's own part + the part labels share.

    Every part but the baseline is a sum over carriers: the value of a carrier times its weight.

    Parameters
    ----------
    baseline : ndarray of shape (n_labels,)
        The score of the mean case.
    own, shared : ndarray of shape (n_labels,)
        What the label's own weights and the shared subspace add.
    thresholds : ndarray of shape (n_labels,)
        What the score must exceed for the label to be relevant.
    carriers : ndarray of shape (n_carriers,)
        The case itself: its features minus their means; or its centred similarity (kernel) to
        each training row.
    own_weights, shared_weights : ndarray of shape (n_carriers, n_labels)
        Weights of the carriers in either part.
    carrier : {"feature", "training row"}
        What the carriers are; by index, from 0.
    """

    baseline: FloatArray
    own: FloatArray
    shared: FloatArray
    thresholds: FloatArray
    carriers: FloatArray
    own_weights: FloatArray
    shared_weights: FloatArray
    carrier: Literal["feature", "training row"] = "feature"

    @property
    def scores(self) -> FloatArray:
        """The sum of the three parts, (n_labels,)."""
        return self.baseline + self.own + self.shared

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate the parts, the score and the threshold of each label.

        Parameters
        ----------
        label_names : sequence of str
            Names of the labels.

        Returns
        -------
        DataFrame
            One row a label, the label furthest above its threshold first.
        """
        table = pd.DataFrame(
            {
                "label": list(label_names),
                "baseline": self.baseline,
                "own part": self.own,
                "shared part": self.shared,
                "score": self.scores,
                "threshold": self.thresholds,
            }
        )
        lead = np.argsort(self.thresholds - self.scores, kind="stable")
        return table.iloc[lead].reset_index(drop=True)

    def contributions(
        self, label: int, *, n_largest: int = 10, groups: ArrayLike | None = None
    ) -> pd.DataFrame:
        """Tabulate what carries a label's score, the largest contributions first.

        Parameters
        ----------
        label : int
            Which label.
        n_largest : int, default=10
            How many carriers to list; all others make one row, with carrier -1 and value NaN.
        groups : array-like of int of shape (n_carriers,) or None
            Carriers with the same number, counted from 0, are one, such as the features that stand
            for one nominal column; its index is that number, its value NaN. None: each is its own.

        Returns
        -------
        DataFrame
            Columns: the carrier's index, its value, what it adds to the own and to the shared
            part, and their sum. The sums of the columns are the parts.
        """
        own = self.carriers * self.own_weights[:, label]
        shared = self.carriers * self.shared_weights[:, label]
        values = self.carriers
        if groups is not None:
            own, shared, values = (
                np.bincount(groups, weights=part).astype(np.float64)
                for part in (own, shared, values)
            )
            values[np.bincount(groups) > 1] = np.nan
        listed = np.argsort(-np.abs(own + shared), kind="stable")[:n_largest]
        rest = np.setdiff1d(np.arange(len(own)), listed)
        table = pd.DataFrame(
            {
                self.carrier: listed,
                "value": values[listed],
                "own part": own[listed],
                "shared part": shared[listed],
            }
        )
        if len(rest):
            table.loc[len(table)] = [-1, np.nan, own[rest].sum(), shared[rest].sum()]
            table[self.carrier] = table[self.carrier].astype(int)
        table["sum"] = table["own part"] + table["shared part"]
        return table


@dataclass(frozen=True, eq=False)
class WinShares:
    """How often one label is preferred to another, pair by pair.

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
        """Tabulate the shares, labels in the predicted order.

        Parameters
        ----------
        label_names : sequence of str
            Names of the labels.

        Returns
        -------
        DataFrame
            One row a label and, after the first, one column a label; NaN on the diagonal.
        """
        order = np.argsort(self.positions)
        names = [label_names[int(label)] for label in order]
        shares = self.shares[np.ix_(order, order)]
        np.fill_diagonal(shares, np.nan)
        table = pd.DataFrame(shares, columns=names)
        table.insert(0, "preferred", names, allow_duplicates=True)
        return table


@dataclass(frozen=True, eq=False)
class CountEvidence:
    """What a number of neighbours with a label says about having it, label by label.

    Parameters
    ----------
    own : ndarray of int, shape (n_labels,)
        How many of the case's k neighbours have the label.
    prior : ndarray of shape (n_labels,)
        Probability of having the label before any neighbour is asked.
    cases_with, cases_without : ndarray of int, shape (n_labels, k + 1)
        Training cases with and without the label of which j of k neighbours have it.
    likelihood_with, likelihood_without : ndarray of shape (n_labels, k + 1)
        Probability of j such neighbours for cases with and without the label.
    posterior : ndarray of shape (n_labels,)
        Probability of having the label, given the case's own count.
    """

    own: IntArray
    prior: FloatArray
    cases_with: IntArray
    cases_without: IntArray
    likelihood_with: FloatArray
    likelihood_without: FloatArray
    posterior: FloatArray

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate prior, counts and likelihoods at the case's own count, and posterior.

        Parameters
        ----------
        label_names : sequence of str
            Names of the labels.

        Returns
        -------
        DataFrame
            One row a label, the most probable first.
        """
        at_own = (np.arange(len(self.own)), self.own)
        table = pd.DataFrame(
            {
                "label": list(label_names),
                "neighbours with it": self.own,
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
        """Tabulate counts and likelihoods of one label for every number of neighbours.

        Parameters
        ----------
        label : int
            Index of the label.

        Returns
        -------
        DataFrame
            One row for each j from 0 to k; ``own`` marks the case's own count.
        """
        n_counts = self.cases_with.shape[1]
        return pd.DataFrame(
            {
                "neighbours with it": np.arange(n_counts),
                "training cases with it": self.cases_with[label],
                "training cases without it": self.cases_without[label],
                "likelihood with it": self.likelihood_with[label],
                "likelihood without it": self.likelihood_without[label],
                "own": np.arange(n_counts) == self.own[label],
            }
        )


@dataclass(frozen=True)
class Confidence:
    """How far the neighbours, or the trees, agree with the prediction.

    Parameters
    ----------
    value : float
        Between 0 and 1.
    lowest : float
        The smallest value an optimal consensus can have.
    definition : str
        One sentence that says what is measured, with its source.
    defined : bool
        False where the value says nothing, as with a single neighbour.
    """

    value: float
    lowest: float
    definition: str
    defined: bool = True

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:  # noqa: ARG002
        """Tabulate the value and its attainable range.

        Parameters
        ----------
        label_names : sequence of str
            Not used.

        Returns
        -------
        DataFrame
            One row.
        """
        value = self.value if self.defined else np.nan
        return pd.DataFrame(
            {"confidence": [value], "lowest possible": [self.lowest], "highest possible": [1.0]}
        )


@dataclass(frozen=True)
class Step:
    """One step from the data to the prediction.

    Parameters
    ----------
    title : str
        A few words.
    text : Text
        One sentence with the numbers.
    evidence : Evidence
        What the sentence rests on.
    """

    title: str
    text: Text
    evidence: Evidence


@dataclass(frozen=True, eq=False)
class Explanation:
    """Why one case is predicted as it is.

    Parameters
    ----------
    prediction : ndarray of shape (n_labels,)
        What `predict` returns for the case.
    positions : ndarray of shape (n_labels,)
        The predicted ranking.
    summary : Text
        One plain sentence that says why.
    steps : tuple of Step
        From the data to the prediction.
    """

    prediction: NDArray[Any]
    positions: IntArray
    summary: Text
    steps: tuple[Step, ...]

    def evidence(self, kind: type) -> Any:
        """Find the first evidence of a kind.

        Parameters
        ----------
        kind : type
            A class of evidence.

        Returns
        -------
        object
            The evidence.

        Raises
        ------
        LookupError
            If no step has evidence of this kind.
        """
        for step in self.steps:
            if isinstance(step.evidence, kind):
                return step.evidence
        raise LookupError(f"No step rests on {kind.__name__}.")
