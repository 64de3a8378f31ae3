"""An explanation: steps from the data to a prediction, each with its evidence."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from textwrap import fill
from typing import Any, Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from labelrank_core.data.nouns import CASE_AND_LABEL, Nouns
from labelrank_core.data.schema import Schema
from labelrank_core.explain.evidence._text import Text
from labelrank_core.rankings import (
    FloatArray,
    IntArray,
    format_ranking,
    label_buckets,
    strict_order,
)

# Of more labels the first ones are drawn and written.
SHOWN = 15
_WIDTH = 88


class Evidence(Protocol):
    """The data that support a step of an explanation."""

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate the evidence."""


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
        The data that support the sentence.
    """

    title: str
    text: Text
    evidence: Evidence


@dataclass(frozen=True, eq=False)
class About:
    """Names and values of the case an explanation is about; None for unknown ones.

    Parameters
    ----------
    label_names : sequence of str or None
        The labels' names.
    schema : Schema or None
        The columns of the features; None: numbered features.
    x : ndarray of shape (n_features,) or None
        The features of the case, in the units of the data.
    training_rows : ndarray of int or None
        The row of the data of each training case, from 0; None: as they were learned.
    units : tuple of ndarray or None
        Shift and scale of each feature, as `feature_units` of `labelrank_core.explain.predictions`
        returns them.
    label_colors : sequence of (str, str)
        The labels' colours on light and on dark ground; empty: those of the palette.
    nouns : Nouns
        What cases and labels are called in sentences.
    """

    label_names: Sequence[str] | None = None
    schema: Schema | None = None
    x: FloatArray | None = None
    training_rows: IntArray | None = None
    units: tuple[FloatArray, FloatArray] | None = None
    label_colors: Sequence[tuple[str, str]] = ()
    nouns: Nouns = CASE_AND_LABEL


@dataclass(frozen=True, eq=False, repr=False)
class Explanation:
    """Why one case is predicted as it is; prints as text, and in a notebook as drawings.

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
    about : About
        Names and values to show.
    has_ties : bool, default=False
        Whether the prediction is a ranking in which labels may share a position. The positions are
        then a strict order of the same labels, in which those of a bucket stand by their scores.
    closest_pair : tuple of (int, int or None) or None
        The pair of labels, or the label and None, that nearly came otherwise; None: unknown.
    """

    prediction: NDArray[Any]
    positions: IntArray
    summary: Text
    steps: tuple[Step, ...]
    about: About = About()
    has_ties: bool = False
    closest_pair: tuple[int, int | None] | None = None

    def __repr__(self) -> str:
        return _plain_text(self)

    def _repr_html_(self) -> str:
        # The package brings the drawings, which the evidence does not know.
        return str(import_module("labelrank_core.explain").explanation_html(self))

    @property
    def label_names(self) -> Sequence[str]:
        """The labels' names; labels without names are numbered from 0."""
        n_labels = len(self.positions)
        names = self.about.label_names or [f"label {label}" for label in range(n_labels)]
        if len(names) != n_labels:
            raise ValueError(f"Expected {n_labels} label names, got {len(names)}.")
        return names

    @property
    def order(self) -> list[int]:
        """The labels in the predicted order, the first one first."""
        return strict_order(self.positions)

    @property
    def ranking(self) -> IntArray:
        """The predicted ranking, in which labels share positions where ties are predicted."""
        return self.prediction if self.has_ties else self.positions

    @property
    def buckets(self) -> list[list[int]]:
        """The labels of each position, the first one first; within one in the order of scores."""
        buckets = label_buckets(self.ranking)
        return [sorted(bucket, key=self.positions.__getitem__) for bucket in buckets]

    @property
    def relevance(self) -> IntArray | None:
        """The relevant labels as 0/1, shape (n_labels,); None where only a ranking is predicted."""
        is_ranking = self.has_ties or np.array_equal(self.prediction, self.positions)
        return None if is_ranking else self.prediction

    @property
    def n_relevant(self) -> int | None:
        """Number of labels predicted relevant; None where only a ranking is predicted."""
        return None if self.relevance is None else int(self.relevance.sum())

    def as_dict(self, label_names: Sequence[str], nouns: Nouns | None = None) -> dict[str, Any]:
        """Return the explanation as values that JSON can hold.

        Prediction and positions by label, the summary, and each step's title, sentence and table
        with ``columns`` and ``data`` row by row; None for NaN. Sentences use `nouns`; None:
        those of the data that the explanation is about.
        """
        nouns = self.about.nouns if nouns is None else nouns
        steps = [
            {
                "title": step.title,
                "text": step.text.plain(label_names, nouns),
                "table": _table(step.evidence.frame(label_names)),
            }
            for step in self.steps
        ]
        return {
            "labels": list(label_names),
            "prediction": np.asarray(self.prediction).tolist(),
            "positions": self.positions.tolist(),
            "summary": self.summary.plain(label_names, nouns),
            "steps": steps,
        }

    def evidence(self, kind: type) -> Any:
        """Return the first evidence of a class; LookupError if no step has it."""
        evidence = self.find(kind)
        if evidence is None:
            raise LookupError(f"No step has evidence of class {kind.__name__}.")
        return evidence

    def find(self, kind: type) -> Any:
        """Return the first evidence of a class, or None if no step has it."""
        return next((s.evidence for s in self.steps if isinstance(s.evidence, kind)), None)


def _plain_text(explanation: Explanation) -> str:
    """Write the prediction and every step to it as plain text."""
    names, nouns = explanation.label_names, explanation.about.nouns
    lines = [
        f"Predicted: {_prediction_text(explanation, names)}",
        explanation.summary.plain(names, nouns),
    ]
    for number, step in enumerate(explanation.steps, start=1):
        lines += ["", f"{number}. {step.title}", _indent(step.text.plain(names, nouns))]
    return "\n".join(lines)


def _indent(text: str) -> str:
    return fill(text, _WIDTH, initial_indent="   ", subsequent_indent="   ")


def _prediction_text(explanation: Explanation, names: Sequence[str]) -> str:
    """Write the ranking, and the relevant labels where some are predicted."""
    if explanation.has_ties:
        return format_ranking(explanation.ranking, names)
    order = explanation.order
    order_text = " > ".join(names[label] for label in order[:SHOWN])
    order_text += f" > … ({len(order)} labels)" if len(order) > SHOWN else ""
    if explanation.n_relevant is None:
        return order_text
    relevant = ", ".join(names[label] for label in order[: explanation.n_relevant]) or "no label"
    return f"{relevant} (order: {order_text})"


def _table(frame: pd.DataFrame) -> dict[str, Any]:
    # Columns may share a name, because labels may have any names.
    parsed = json.loads(frame.to_json(orient="split", double_precision=15))
    return {"columns": parsed["columns"], "data": parsed["data"]}
