"""Evidence of any method, drawn: pairs, one number per label, confidence."""

from collections.abc import Sequence

import numpy as np

from labelrank_core.data.schema import decimal_text
from labelrank_core.explain.evidence import Confidence, LabelScores, SetValues, WinShares
from labelrank_core.explain.render import markup
from labelrank_core.explain.render._scene import Picture, Scene, picture
from labelrank_core.explain.render.markup.dots import Bar
from labelrank_core.explain.render.markup.elements import fragment
from labelrank_core.explain.render.markup.grids import Tinted
from labelrank_core.explain.render.markup.text import capitalised
from labelrank_core.rankings import FloatArray, strict_order

PAIR_KEY = markup.tint_key("0: behind", "1: ahead")
# More sets than these are in the table alone.
_SETS_SHOWN = 8


@picture.register
def _win_shares(evidence: WinShares, scene: Scene) -> Picture:
    names = scene.label_names
    first, *further = scene.order
    spoken = f"shares in which {names[first]} is preferred: " + "; ".join(
        f"to {names[label]} {evidence.shares[first, label]:.2f}" for label in further[:10]
    )
    return Picture(
        "pairs",
        spoken,
        evidence.frame(names),
        "How often the row's label is preferred to the column's label (share).",
        fragment(PAIR_KEY, pair_shares(evidence.shares, scene.shown, names)),
    )


def pair_shares(
    shares: FloatArray,
    order: Sequence[int],
    names: Sequence[str],
    against: Sequence[tuple[int, int]] = (),
    *,
    is_ranked: bool = True,
    sums: FloatArray | None = None,
) -> str:
    """Draw the shares that prefer the label of a row to that of a column; some pairs framed.

    A cell is blue where the label of the row is preferred, orange where that of the column is.
    Rows are numbered where the order is a ranking. `sums`: a number of each label, behind its row.
    """
    ordered = shares[np.ix_(order, order)].copy()
    np.fill_diagonal(ordered, np.nan)
    index = {label: i for i, label in enumerate(order)}
    pairs = [(index[a], index[b]) for a, b in against if a in index and b in index]
    return markup.matrix(
        Tinted(
            2 * ordered - 1,
            [[decimal_text(value) for value in row] for row in ordered],
            [
                f"{i}  {names[label]}" if is_ranked else names[label]
                for i, label in enumerate(order, 1)
            ],
            [names[label] for label in order],
            frozenset([*pairs, *((j, i) for i, j in pairs)]),
            labels=order,
            totals=() if sums is None else [decimal_text(sums[label]) for label in order],
            totals_title="" if sums is None else "Sum",
        )
    )


@picture.register
def _label_scores(evidence: LabelScores, scene: Scene) -> Picture:
    order, names = strict_order(evidence.positions), scene.label_names
    spoken = f"{evidence.title} of each label: " + "; ".join(
        f"{names[label]} {decimal_text(evidence.values[label])}" for label in order
    )
    better = "more" if evidence.greater_is_better else "lower"
    labels = set(scene.shown)
    rows = [
        (position, label, float(evidence.values[label]))
        for position, label in enumerate(order, start=1)
        if label in labels
    ]
    bar = None if evidence.bar is None else Bar(evidence.bar, evidence.bar_name)
    return Picture(
        evidence.title,
        spoken,
        lambda: evidence.frame(names),
        f"{capitalised(evidence.title)} ({better} is better)",
        markup.dot_rows(rows, names, bar),
    )


@picture.register
def _set_values(evidence: SetValues, scene: Scene) -> Picture:
    names = scene.label_names
    best_sets = evidence.sets[:_SETS_SHOWN]
    rows = [
        f"{number}  {decimal_text(value)}"
        for number, value in enumerate(evidence.values[:_SETS_SHOWN], start=1)
    ]
    first = ", ".join(names[label] for label in scene.order if evidence.sets[0, label])
    spoken = f"{evidence.title} of label sets, the best first: {first or 'no label'}; " + "; ".join(
        rows
    )
    caption = f"{capitalised(evidence.title)} of label sets, the best first."
    if len(best_sets) < len(evidence.sets):
        caption += f" {len(best_sets)} of {len(evidence.sets)}."
    return Picture(
        "label-sets",
        spoken,
        lambda: evidence.frame(names),
        caption,
        markup.label_sets(best_sets, rows, names, scene.shown),
    )


@picture.register
def _confidence(evidence: Confidence, scene: Scene) -> Picture:
    table = evidence.frame(scene.label_names)
    if not evidence.defined:
        undefined = "Not defined for a single case, which always agrees with itself."
        return Picture("confidence", undefined, table, undefined)
    gauge = markup.gauge(evidence.value, evidence.lowest)
    spoken = f"confidence {evidence.value:.2f}"
    return Picture("confidence", spoken, table, evidence.meaning, gauge)
