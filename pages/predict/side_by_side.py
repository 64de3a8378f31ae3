"""Two rankings of the labels joined by lines."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

import pandas as pd
import streamlit as st

from labelrank_core import Dataset, Task
from labelrank_core.explain.evidence import Explanation
from labelrank_core.explain.render import (
    SHOWN,
    LabelSelection,
    markup,
    predicted_ranking,
    true_ranking,
)
from labelrank_core.explain.render.markup import RankedLabels
from pages.ui.render import drawing

# Where there are many labels, so few are drawn: two rankings have twice as many.
_FIRST = 10


def render_predictions(
    dataset: Dataset, first: tuple[str, Explanation], second: tuple[str, Explanation]
) -> None:
    """Draw two predictions joined by lines; `first` and `second` each have a title."""
    rankings = [predicted_ranking(explanation, title) for title, explanation in (first, second)]
    render_rankings(dataset, rankings[0].align(rankings[1]), rankings[1].align(rankings[0]))


def render_rankings(dataset: Dataset, first: RankedLabels, second: RankedLabels) -> None:
    """Draw two rankings joined by lines; of many labels the first and all relevant ones."""
    n_labels = dataset.n_labels
    labels = shown_labels(first, n_labels) | shown_labels(second, n_labels)
    first, second = (
        replace(ranking.select(labels), line="relevant above") for ranking in (first, second)
    )
    drawing.render_markup(_joined(dataset, first, second))
    if len(labels) < n_labels:
        st.caption(f"{len(labels)} of {n_labels} labels: the first and all relevant ones.")


def render_truth(
    dataset: Dataset, row: int, predicted: RankedLabels, selection: LabelSelection
) -> None:
    """Draw a predicted ranking joined with the true one; of many labels those selected."""
    true = replace(true_ranking(dataset, row, "Real", predicted), line=predicted.line)
    drawing.render_markup(_joined(dataset, _select(predicted, selection), _select(true, selection)))


def render_change(dataset: Dataset, before: Explanation, after: Explanation) -> None:
    """Draw a prediction before and after a change, with their table."""
    names = dataset.label_names
    rankings = [predicted_ranking(before, "Before"), predicted_ranking(after, "Predicted")]
    table = pd.DataFrame(
        {ranking.title: pd.Series(_bucket_texts(ranking, names)) for ranking in rankings}
    )
    table.insert(0, "place", range(1, len(table) + 1))
    spoken = "; ".join(
        f"{ranking.title}: {', '.join(_tied(bucket, names) for bucket in ranking.buckets)}"
        for ranking in rankings
    )
    caption = ""
    if any(ranking.n_relevant is not None for ranking in rankings):
        caption = f"Labels above the dotted {rankings[0].line} are relevant."
    first, second = (_select(ranking, LabelSelection()) for ranking in rankings)
    drawn = _joined(dataset, first, second)
    drawing.render_figure(drawn, key="predict-ladder", alt=spoken, table=table, caption=caption)


def _joined(dataset: Dataset, first: RankedLabels, second: RankedLabels) -> str:
    """Draw two rankings joined by lines; the labels of a set are not tied."""
    if dataset.task is Task.MULTILABEL:
        first, second = first.without_ties(), second.without_ties()
    return markup.side_by_side(first, second, dataset.label_names)


def shown_labels(ranking: RankedLabels, n_labels: int) -> set[int]:
    """Return the first labels and all relevant ones; of many tied for the last place none."""
    n_first = n_labels if n_labels <= SHOWN else max(_FIRST, ranking.n_relevant or 0)
    ends = accumulate(map(len, ranking.buckets))
    return {
        label
        for bucket, end in zip(ranking.buckets, ends, strict=True)
        for label in bucket
        if end <= n_first
    }


def _select(ranking: RankedLabels, selection: LabelSelection) -> RankedLabels:
    """Keep the first labels of a ranking, all relevant ones and those selected."""
    return ranking.select(selection.of(ranking.order, ranking.relevant))


def _bucket_texts(ranking: RankedLabels, names: Sequence[str]) -> list[str]:
    """Write the labels of each place, and which of them are relevant."""
    return [
        _tied(bucket, names) + (" (relevant)" if bucket[0] in ranking.relevant else "")
        for bucket in ranking.buckets
    ]


def _tied(bucket: Sequence[int], names: Sequence[str]) -> str:
    return " = ".join(names[label] for label in bucket)
