"""Explanations as data: steps from the data to a prediction, each with its evidence.

Every kind of evidence is a frozen dataclass with ``frame(label_names)``, the table an interface
shows beside the picture. Texts are templates with typed values, so that names are made safe where
they are shown and not before.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

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
