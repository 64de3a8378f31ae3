"""Rankings side by side: the predicted one, the true one, earlier ones."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from labelrank_core import Dataset, Task
from labelrank_core.explain.evidence import Explanation, LabelScores
from labelrank_core.explain.render import LabelSelection, markup
from labelrank_core.explain.render.markup import Side
from labelrank_core.explain.render.markup.rankings import Rung
from pages.ui.render import drawing

REAL = "Real"


def ladder_of(
    explanation: Explanation, dataset: Dataset, row: int | None, *, earlier: Explanation | None
) -> list[Side]:
    """Put the predicted ranking, the truth and an earlier prediction side by side."""
    sides = [] if earlier is None else [_predicted("Before", earlier)]
    sides.append(_predicted("Predicted", explanation))
    if row is None or dataset.task is Task.PAIR_PREFERENCES:
        return sides
    truth = _truth(dataset, row, explanation.positions)
    return [*sides, replace(truth, line=sides[-1].line)]


def _predicted(title: str, explanation: Explanation) -> Side:
    scores = explanation.find(LabelScores)
    line = "zero line" if scores is None else "line" if scores.bar is None else scores.bar_name
    groups = tuple(map(tuple, explanation.buckets))
    return Side(title, groups, explanation.n_relevant, line)


def _singles(order: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    return tuple((label,) for label in order)


def _truth(dataset: Dataset, row: int, predicted: Any) -> Side:
    if dataset.task is Task.MULTILABEL:
        relevance = dataset.relevance[row]
        order = np.lexsort((predicted, -relevance)).tolist()
        return Side(REAL, _singles(order), int(relevance.sum()))
    buckets = dataset.label_buckets(row)
    groups = tuple(tuple(sorted(bucket, key=predicted.__getitem__)) for bucket in buckets)
    calibrated = dataset.task is Task.CALIBRATED_RANKING
    return Side(REAL, groups, int(dataset.relevance[row].sum()) if calibrated else None)


def render_sides(sides: Sequence[Side], dataset: Dataset, key: str) -> None:
    """Draw one ranking, or two joined by lines, with their table."""
    names = dataset.label_names
    table = pd.DataFrame({side.title: pd.Series(_written(side, names)) for side in sides})
    table.insert(0, "place", range(1, len(table) + 1))
    spoken = "; ".join(
        f"{side.title}: {', '.join(_tied(group, names) for group in side.groups)}" for side in sides
    )
    caption = ""
    if any(side.n_relevant is not None for side in sides):
        caption = f"Labels above the dotted {sides[0].line} are relevant."
        if dataset.task is Task.MULTILABEL and any(side.title == REAL for side in sides):
            caption += " The truth is a set: its labels are drawn in the predicted order."
    drawing.render_figure(ladder(sides, names), key=key, alt=spoken, table=table, caption=caption)


def _written(side: Side, names: Sequence[str]) -> list[str]:
    """Write the labels of each place, and which of them are relevant."""
    relevant = side.order[: side.n_relevant or 0]
    return [
        _tied(group, names) + (" (relevant)" if group[0] in relevant else "")
        for group in side.groups
    ]


def _tied(group: Sequence[int], names: Sequence[str]) -> str:
    return " = ".join(names[label] for label in group)


def ladder(
    sides: Sequence[Side], names: Sequence[str], label_selection: LabelSelection | None = None
) -> str:
    """Draw one predicted ranking, or two rankings joined by lines; of many labels the first."""
    first, *further = [_shortened(side, label_selection or LabelSelection()) for side in sides]
    if not further:
        return markup.ladder(
            [Rung(label) for label in first.order],
            names,
            first.n_relevant,
            f"Above the {first.line}: predicted.",
        )
    (second,) = further
    return markup.side_by_side(first, second, names)


def _shortened(side: Side, label_selection: LabelSelection) -> Side:
    """Keep the first labels of a ranking, all relevant ones and those selected."""
    kept_labels = set(label_selection.of(side.order, side.order[: side.n_relevant or 0]))
    return side.only(kept_labels)
