"""Which labels are surely ahead of which, drawn as the positions each label can have."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from labelrank_core.data.findings import count_of
from labelrank_core.data.schema import decimal_text
from labelrank_core.explain.evidence import SurePairs
from labelrank_core.explain.render import markup
from labelrank_core.explain.render._scene import LabelSelection, Picture, Scene, picture
from labelrank_core.explain.render.markup import Span
from labelrank_core.explain.render.markup.bar_rows import (
    BarRow,
    RowBar,
    RowMark,
    bar_rows,
    color_key,
)
from labelrank_core.explain.render.markup.elements import fragment
from labelrank_core.explain.render.markup.palette import ACCENT
from labelrank_core.explain.render.markup.text import shorten
from labelrank_core.rankings import FloatArray, place_ranges

# Of more positions than these, bars are drawn.
_MOST_SQUARES = 10
# Gaps between neighbours are drawn of no more labels than these.
MOST_GAPS, _GAP_LETTERS = 8, 14
_OPEN = "#9097a5"
_GAP_COLUMNS = ("ahead", "behind", "difference", "difference in the prediction", "decided")
_ABOUT_TIED = " Labels that tie in it share places, of which those are ticked that are possible."


@picture.register
def _sure_pairs(evidence: SurePairs, scene: Scene) -> Picture:
    return sure_pairs(evidence, scene.label_names, scene.label_selection)


def sure_pairs(
    evidence: SurePairs, names: Sequence[str], label_selection: LabelSelection
) -> Picture:
    """Draw the interval of each label, those of the first labels and of the wanted ones."""
    labels, position_ranges, truth = (
        label_selection.of(evidence.ranking),
        evidence.intervals,
        evidence.true_positions,
    )
    spans = []
    for label in labels:
        first, last = (int(end) for end in position_ranges[label])
        span = Span(label, int(evidence.positions[label]), first, last)
        if truth is not None and not np.isnan(truth[label]).any():
            span = replace(span, truth=(float(truth[label, 0]), float(truth[label, 1])))
        spans.append(span)
    spoken = "positions that each label can have: " + "; ".join(
        f"{names[span.label]} {span.first} to {span.last}" for span in spans
    )
    n_positions = len(evidence.positions)
    is_marked = any(span.truth is not None for span in spans)
    is_exact = all(span.truth is None or span.truth[0] == span.truth[1] for span in spans)
    if n_positions <= _MOST_SQUARES and is_exact:
        drawing = markup.squares(_with_shared_places(spans, evidence.truth), names, n_positions)
        caption = "Coloured: the positions that a label can have." + _about_ticks(drawing)
        if is_marked and truth is not None and len(np.unique(truth[:, 0])) < len(truth):
            caption += _ABOUT_TIED
    else:
        drawing = markup.intervals(spans, names, n_positions)
        caption = "A bar spans the positions that a label can have."
        if is_marked:
            caption += about_marks(evidence.truth)
    return Picture("intervals", spoken, lambda: evidence.frame(names), caption, drawing)


@dataclass(frozen=True)
class PairGap:
    """The gap between two neighbours of a ranking, by the model that promises and by another one.

    Parameters
    ----------
    first, second : int
        The labels.
    gap : float
        The difference of their scores by the model that promises, above 0 = the first ahead.
    predicted : float
        The difference by the model that predicts.
    is_decided : bool
        Whether the pair is decided.
    """

    first: int
    second: int
    gap: float
    predicted: float
    is_decided: bool


def gaps_of(evidence: SurePairs, predicted_scores: FloatArray) -> list[PairGap]:
    """Return the gap between each label of the ranking and the next one.

    Parameters
    ----------
    evidence : SurePairs
        With the scores of the model that the guarantee is about.
    predicted_scores : ndarray of shape (n_labels,)
        The scores of the model that predicts, higher = better.

    Returns
    -------
    list of PairGap
        From the first label on.

    Raises
    ------
    ValueError
        If the scores of the model that the guarantee is about are not known.
    """
    scores = evidence.scores
    if scores is None:
        raise ValueError("Expected the scores of the labels, got None.")
    return [
        PairGap(
            a,
            b,
            float(scores[a] - scores[b]),
            float(predicted_scores[a] - predicted_scores[b]),
            bool(evidence.order[a, b]),
        )
        for a, b in pairwise(evidence.ranking)
    ]


def pair_gaps(evidence: SurePairs, predicted_scores: FloatArray, names: Sequence[str]) -> Picture:
    """Draw the gaps between neighbours of the ranking beside those of the prediction's own model.

    Parameters
    ----------
    evidence : SurePairs
        With the scores of the model that the guarantee is about.
    predicted_scores : ndarray of shape (n_labels,)
        The scores of the model that predicts, higher = better.
    names : sequence of str
        The labels' names.

    Returns
    -------
    Picture
        A row for each label and the next one.

    Raises
    ------
    ValueError
        If the scores of the model that the guarantee is about are not known.
    """
    rows, spoken = [], []
    table: dict[str, list[Any]] = {name: [] for name in _GAP_COLUMNS}
    for gap in gaps_of(evidence, predicted_scores):
        first, second = names[gap.first], names[gap.second]
        gap_text, predicted_text = decimal_text(gap.gap), decimal_text(gap.predicted)
        color = ACCENT if gap.is_decided else _OPEN
        pair = " – ".join(shorten(name, _GAP_LETTERS) for name in (first, second))
        mark = RowMark(gap.predicted, "diamond", f"{predicted_text} by the model of the prediction")
        rows.append(BarRow(pair, gap_text, [RowBar(0.0, gap.gap, color, gap_text)], [mark]))
        spoken.append(f"{first} and {second} {gap_text}, in the prediction {predicted_text}")
        row = (first, second, gap.gap, gap.predicted, gap.is_decided)
        for column, value in zip(table, row, strict=True):
            table[column].append(value)
    is_decided = table["decided"]
    entries = [("■", ACCENT, "decided")] * any(is_decided)
    entries += [("■", _OPEN, "left open")] * (not all(is_decided))
    key = color_key([*entries, ("◆", "", "model of the prediction")])
    line = decimal_text(evidence.threshold)
    title = f"apart in {evidence.score_title}; beyond the line at {line}: decided"
    bars = bar_rows(rows, title, evidence.threshold)
    return Picture(
        "gaps",
        f"differences in {evidence.score_title}: {'; '.join(spoken)}",
        pd.DataFrame(table),
        markup=fragment(key, bars),
    )


def _with_shared_places(spans: Sequence[Span], truth: FloatArray | None) -> list[Span]:
    """Let the truth of each label be the first and the last place that it shares."""
    if truth is None:
        return [*spans]
    ends = np.stack(place_ranges(truth[None]), axis=-1)[0].tolist()
    return [
        span if span.truth is None else replace(span, truth=tuple(ends[span.label]))
        for span in spans
    ]


def _about_ticks(drawing: str) -> str:
    """Write the sentence, to follow others, on the ticks and crosses in a drawing; or nothing."""
    marks = " or ".join(mark for mark in "✓✗" if mark in drawing)
    return f" {marks} marks the real position." if marks else ""


def about_marks(truth: FloatArray | None) -> str:
    """Write the sentence, to follow others, on the marks of true positions."""
    n_missing = 0 if truth is None else int(np.isnan(truth).sum())
    if not n_missing:
        return " Diamonds: the real positions."
    return (
        " White lines: the positions that the real ranking allows, which leaves out "
        f"{count_of(n_missing, 'label')}."
    )
