"""Evidence drawn: one function for each kind, and the explanation they add up to."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from labelrank_core import Dataset, Task
from labelrank_core.evidence import Confidence, Explanation, LabelScores, Neighbors, Step, Text
from pages.ui import charts, parts, text
from pages.ui.charts import LadderColumn
from pages.ui.compute import Case


@dataclass(frozen=True, eq=False)
class Scene:
    """What the drawings need to know besides the evidence.

    Parameters
    ----------
    dataset : Dataset
        The data.
    case : Case
        The case shown.
    key : str
        Makes the names of elements unique on a page.
    """

    dataset: Dataset
    case: Case
    key: str


def say(sentence: Text, dataset: Dataset) -> None:
    """Write a sentence of an explanation.

    Parameters
    ----------
    sentence : Text
        The sentence.
    dataset : Dataset
        For the names of its labels.
    """
    st.html(f"<p style='margin:0'>{text.sentence(sentence, dataset.label_names)}</p>")


def ladder_of(
    explanation: Explanation, dataset: Dataset, row: int | None, *, earlier: Explanation | None
) -> list[LadderColumn]:
    """Put the predicted ranking, the truth and an earlier prediction side by side.

    Parameters
    ----------
    explanation : Explanation
        The prediction.
    dataset : Dataset
        Holds the truth.
    row : int or None
        The row with the truth; None: there is none.
    earlier : Explanation or None
        The prediction before features were changed.

    Returns
    -------
    list of LadderColumn
        From left to right.
    """
    columns = [] if earlier is None else [_predicted("Before", earlier, dataset)]
    columns.append(_predicted("Predicted", explanation, dataset))
    return columns if row is None else [*columns, _truth(dataset, row, explanation.positions)]


def _predicted(title: str, explanation: Explanation, dataset: Dataset) -> LadderColumn:
    order = [int(label) for label in np.argsort(explanation.positions)]
    zero_line = explanation.prediction is not explanation.positions and dataset.task.has_zero_line
    shown = zero_line and set(np.unique(explanation.prediction)) <= {0, 1}
    return LadderColumn(title, order, int(explanation.prediction.sum()) if shown else None)


def _truth(dataset: Dataset, row: int, predicted: Any) -> LadderColumn:
    if dataset.task is Task.MULTILABEL:
        relevance = dataset.relevance[row]
        order = [int(label) for label in np.lexsort((predicted, -relevance))]
        return LadderColumn("True", order, int(relevance.sum()))
    positions = dataset.rankings[row]
    order = [int(j) for j in np.lexsort((predicted, positions)) if not np.isnan(positions[j])]
    calibrated = dataset.task is Task.CALIBRATED_RANKING
    return LadderColumn("True", order, int(dataset.relevance[row].sum()) if calibrated else None)


def draw_ladder(columns: Sequence[LadderColumn], dataset: Dataset, key: str) -> None:
    """Draw rankings as a ladder with its table.

    Parameters
    ----------
    columns : sequence of LadderColumn
        From left to right.
    dataset : Dataset
        For the names.
    key : str
        Name of the element.
    """
    names = dataset.label_names
    table = pd.DataFrame(
        {
            column.title: pd.Series(
                [
                    names[label]
                    + (" (relevant)" if column.n_relevant and place < column.n_relevant else "")
                    for place, label in enumerate(column.order)
                ]
            )
            for column in columns
        }
    )
    table.insert(0, "place", range(1, len(table) + 1))
    spoken = "; ".join(
        f"{column.title}: {', '.join(names[label] for label in column.order)}" for column in columns
    )
    parts.chart(charts.ladder(columns, names), key=key, alt=spoken, table=table)
    if any(column.n_relevant is not None for column in columns):
        st.caption("Dotted: the zero line. Labels above it are relevant.")


def draw_step(step: Step, scene: Scene) -> None:
    """Draw one step of an explanation: heading, sentence, evidence.

    Parameters
    ----------
    step : Step
        The step.
    scene : Scene
        What else to know.
    """
    st.subheader(step.title, anchor=False)
    say(step.text, scene.dataset)
    draw(step.evidence, scene)


@singledispatch
def draw(evidence: Any, scene: Scene) -> None:
    """Draw a piece of evidence.

    Parameters
    ----------
    evidence : Evidence
        One of the kinds of `labelrank_core.evidence`.
    scene : Scene
        What else to know.
    """
    st.dataframe(evidence.frame(scene.dataset.label_names), hide_index=True)


@draw.register
def _neighbors(evidence: Neighbors, scene: Scene) -> None:
    names = scene.dataset.label_names
    rows = scene.case.training_rows[evidence.rows]
    weighted = bool(np.ptp(evidence.weights) > 0)
    row_names = [
        f"#{row + 1}  d {distance:.2f}" + (f"  w {weight:.2f}" if weighted else "")
        for row, distance, weight in zip(rows, evidence.distances, evidence.weights, strict=True)
    ]
    table = evidence.frame(names)
    table["training row"] = rows + 1
    table = table.rename(columns={"training row": "row"})
    table = parts.around_features(scene.dataset.feature_frame(rows), dict(table.items()))
    if scene.dataset.task is Task.MULTILABEL:
        order = [int(label) for label in np.argsort(scene.case.explanation.positions)]
        figure = charts.label_sets(evidence, row_names, names, order)
    else:
        figure = charts.strips(evidence, row_names, names)
    spoken = f"{len(rows)} similar cases, nearest first; " + "; ".join(table["ranking"].head(5))
    parts.chart(figure, key=f"{scene.key}-neighbors", alt=spoken, table=table)
    st.caption(r"\# row of the data · d distance to the case" + (" · w weight" if weighted else ""))


@draw.register
def _label_scores(evidence: LabelScores, scene: Scene) -> None:
    table = evidence.frame(scene.dataset.label_names)
    spoken = f"{evidence.title} of each label: " + "; ".join(
        f"{label} {value:.2f}"
        for label, value in zip(table["label"], table[evidence.title], strict=True)
    )
    parts.chart(
        charts.label_scores(evidence, scene.dataset.label_names),
        key=f"{scene.key}-{evidence.title}",
        alt=spoken,
        table=table,
    )


@draw.register
def _confidence(evidence: Confidence, scene: Scene) -> None:
    if not evidence.defined:
        st.caption("Not defined with a single case: it always agrees with itself.")
        return
    parts.chart(
        charts.confidence_bar(evidence),
        key=f"{scene.key}-confidence",
        alt=f"confidence {evidence.value:.2f} between {evidence.lowest:.2f} and 1",
    )
    st.caption(evidence.definition[0].upper() + evidence.definition[1:] + ".")
