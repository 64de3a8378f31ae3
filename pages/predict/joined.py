"""Two predictions of the labels joined by lines."""

import numpy as np
import streamlit as st

from labelrank_core import Dataset, Task
from labelrank_core.explain import markup
from labelrank_core.explain.evidence import Explanation
from labelrank_core.explain.markup import Side
from labelrank_core.explain.pictures import SHOWN
from labelrank_core.rankings import FloatArray, label_buckets
from pages.ui import drawing

Ranked = tuple[FloatArray, int | None]
# Of more labels than this the first ones are drawn: two rankings have twice as many.
_FIRST = 10


def draw(dataset: Dataset, left: tuple[str, Explanation], right: tuple[str, Explanation]) -> None:
    """Draw two predictions joined by lines."""
    draw_ranked(dataset, (left[0], predicted(left[1])), (right[0], predicted(right[1])))


def predicted(found: Explanation) -> Ranked:
    """Return the positions that are predicted, and how many labels are relevant."""
    return found.ranking.astype(float), found.n_relevant


def true(dataset: Dataset, row: int) -> Ranked:
    """Return the true positions of a row, and how many labels are relevant."""
    if dataset.task is Task.MULTILABEL:
        relevance = dataset.relevance[row]
        return 2.0 - relevance, int(relevance.sum())
    calibrated = dataset.task is Task.CALIBRATED_RANKING
    relevant = int(dataset.relevance[row].sum()) if calibrated else None
    return dataset.rankings[row], relevant


def draw_ranked(dataset: Dataset, left: tuple[str, Ranked], right: tuple[str, Ranked]) -> None:
    """Draw two rankings joined by lines; of many labels the first and all relevant ones."""
    (first, (own, own_relevant)), (second, (other, other_relevant)) = left, right
    shown = shown_labels(own, own_relevant) | shown_labels(other, other_relevant)
    drawing.render_markup(
        markup.side_by_side(
            _side(first, own, other, own_relevant, shown, dataset.task),
            _side(second, other, own, other_relevant, shown, dataset.task),
            dataset.label_names,
        )
    )
    if len(shown) < dataset.n_labels:
        st.caption(f"{len(shown)} of {dataset.n_labels} labels: the first and all relevant ones.")


def shown_labels(positions: FloatArray, n_relevant: int | None) -> set[int]:
    """Return the first labels and all relevant ones; of many tied for the last place none."""
    n_first = len(positions) if len(positions) <= SHOWN else max(_FIRST, n_relevant or 0)
    # Labels that are not ranked count behind all others, and are not compared.
    n_not_behind = np.sum(positions[None] <= positions[:, None], axis=1)
    ranked = ~np.isnan(positions)
    return set(np.flatnonzero(ranked & (n_not_behind <= n_first)).tolist())


def _side(
    title: str,
    own: FloatArray,
    other: FloatArray,
    n_relevant: int | None,
    shown: set[int],
    task: Task,
) -> Side:
    """Group tied labels, in the order of the other side; the labels of a set are not tied."""
    buckets = [sorted(bucket, key=other.__getitem__) for bucket in label_buckets(own)]
    groups = [tuple(label for label in bucket if label in shown) for bucket in buckets]
    if task is Task.MULTILABEL:
        groups = [(label,) for group in groups for label in group]
    return Side(title, tuple(group for group in groups if group), n_relevant, "relevant above")
