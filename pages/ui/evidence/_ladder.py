"""Rankings side by side: the predicted one, the true one, earlier ones."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from labelrank_core import Dataset, Task
from labelrank_core.explain import markup
from labelrank_core.explain.evidence import Explanation, LabelScores
from labelrank_core.explain.markup import Side
from labelrank_core.explain.markup.rankings import Rung
from labelrank_core.explain.pictures import Wanted
from pages.ui import drawing

TRUE = "True"


@dataclass(frozen=True)
class LadderColumn:
    """One ranking of a ladder: its labels, best first, without those that are not ranked."""

    title: str
    order: Sequence[int]
    # How many labels are ahead of the zero line; None: there is no line.
    n_relevant: int | None = None
    # What the method calls that line.
    line: str = "zero line"


def ladder_of(
    explanation: Explanation, dataset: Dataset, row: int | None, *, earlier: Explanation | None
) -> list[LadderColumn]:
    """Put the predicted ranking, the truth and an earlier prediction side by side."""
    columns = [] if earlier is None else [_predicted("Before", earlier)]
    columns.append(_predicted("Predicted", explanation))
    if row is None:
        return columns
    truth = _truth(dataset, row, explanation.positions)
    return [*columns, replace(truth, line=columns[-1].line)]


def _predicted(title: str, explanation: Explanation) -> LadderColumn:
    scores = explanation.find(LabelScores)
    line = "zero line" if scores is None or scores.bar is None else scores.bar_name
    return LadderColumn(title, explanation.order, explanation.n_relevant, line)


def _truth(dataset: Dataset, row: int, predicted: Any) -> LadderColumn:
    if dataset.task is Task.MULTILABEL:
        relevance = dataset.relevance[row]
        order = [int(label) for label in np.lexsort((predicted, -relevance))]
        return LadderColumn(TRUE, order, int(relevance.sum()))
    positions = dataset.rankings[row]
    order = [int(j) for j in np.lexsort((predicted, positions)) if not np.isnan(positions[j])]
    calibrated = dataset.task is Task.CALIBRATED_RANKING
    return LadderColumn(TRUE, order, int(dataset.relevance[row].sum()) if calibrated else None)


def draw_ladder(columns: Sequence[LadderColumn], dataset: Dataset, key: str) -> None:
    """Draw one ranking, or two joined by lines, with their table."""
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
    caption = ""
    if any(column.n_relevant is not None for column in columns):
        caption = f"Labels above the dotted {columns[0].line} are relevant."
        if dataset.task is Task.MULTILABEL and any(column.title == TRUE for column in columns):
            caption += " The truth is a set: its labels are drawn in the predicted order."
    drawing.picture(ladder(columns, names), key=key, alt=spoken, table=table, caption=caption)


def ladder(
    columns: Sequence[LadderColumn], names: Sequence[str], wanted: Wanted | None = None
) -> str:
    """Draw one ranking, or two joined by lines; of many labels the first ones."""
    first, *others = [_shortened(column, wanted or Wanted()) for column in columns]
    if not others:
        return markup.ladder(
            [Rung(label) for label in first.order], names, first.n_relevant, first.line
        )
    (second,) = others
    return markup.side_by_side(_side(first), _side(second), names)


def _side(column: LadderColumn) -> Side:
    return Side(
        column.title, tuple((label,) for label in column.order), column.n_relevant, column.line
    )


def _shortened(column: LadderColumn, wanted: Wanted) -> LadderColumn:
    """Keep the first labels of a ranking, all relevant ones and those wanted."""
    relevant = column.order[: column.n_relevant or 0]
    return replace(column, order=wanted.of(column.order, relevant))
