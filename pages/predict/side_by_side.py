"""Two predictions of the labels joined by lines."""

import numpy as np
import streamlit as st

from labelrank_core import Dataset, Task
from labelrank_core.explain.evidence import Explanation
from labelrank_core.explain.render import SHOWN, markup
from labelrank_core.explain.render.markup import Side
from labelrank_core.rankings import FloatArray, label_buckets
from pages.ui.render import drawing

# The positions of the labels, and the number of relevant ones.
RankedLabels = tuple[FloatArray, int | None]
# Where there are many labels, so few are drawn: two rankings have twice as many.
_FIRST = 10


def render(
    dataset: Dataset, first: tuple[str, Explanation], second: tuple[str, Explanation]
) -> None:
    """Draw two predictions joined by lines; `first` and `second` each have a title."""
    render_rankings(
        dataset, (first[0], predicted_ranking(first[1])), (second[0], predicted_ranking(second[1]))
    )


def predicted_ranking(explanation: Explanation) -> RankedLabels:
    """Return the predicted positions, and the number of relevant labels."""
    return explanation.ranking.astype(float), explanation.n_relevant


def true_ranking(dataset: Dataset, row: int) -> RankedLabels:
    """Return the true positions of a row, and the number of relevant labels."""
    if dataset.task is Task.MULTILABEL:
        relevance = dataset.relevance[row]
        return 2.0 - relevance, int(relevance.sum())
    is_calibrated = dataset.task is Task.CALIBRATED_RANKING
    n_relevant = int(dataset.relevance[row].sum()) if is_calibrated else None
    return dataset.rankings[row], n_relevant


def render_rankings(
    dataset: Dataset, first: tuple[str, RankedLabels], second: tuple[str, RankedLabels]
) -> None:
    """Draw two rankings joined by lines; of many labels the first and all relevant ones."""
    (_, (first_positions, n_first)), (_, (second_positions, n_second)) = first, second
    labels = shown_labels(first_positions, n_first) | shown_labels(second_positions, n_second)
    drawing.render_markup(
        markup.side_by_side(
            _side(*first, second_positions, labels, dataset.task),
            _side(*second, first_positions, labels, dataset.task),
            dataset.label_names,
        )
    )
    if len(labels) < dataset.n_labels:
        st.caption(f"{len(labels)} of {dataset.n_labels} labels: the first and all relevant ones.")


def shown_labels(positions: FloatArray, n_relevant: int | None) -> set[int]:
    """Return the first labels and all relevant ones; of many tied for the last place none."""
    n_first = len(positions) if len(positions) <= SHOWN else max(_FIRST, n_relevant or 0)
    # Labels that are not ranked count behind all others, and are not compared.
    n_not_behind = np.sum(positions[None] <= positions[:, None], axis=1)
    ranked = ~np.isnan(positions)
    return set(np.flatnonzero(ranked & (n_not_behind <= n_first)).tolist())


def _side(
    title: str,
    ranked: RankedLabels,
    opposite_positions: FloatArray,
    labels: set[int],
    task: Task,
) -> Side:
    """Group tied labels, in the order of the other side; the labels of a set are not tied."""
    positions, n_relevant = ranked
    buckets = [
        sorted(bucket, key=opposite_positions.__getitem__) for bucket in label_buckets(positions)
    ]
    groups = [tuple(label for label in bucket if label in labels) for bucket in buckets]
    if task is Task.MULTILABEL:
        groups = [(label,) for group in groups for label in group]
    return Side(title, tuple(group for group in groups if group), n_relevant, "relevant above")
