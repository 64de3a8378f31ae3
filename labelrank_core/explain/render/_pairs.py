"""Predicted preferences drawn: all pairs of labels, and contributions to one of them."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from labelrank_core.explain.evidence import LabelScores, PairMatrix, PairParts
from labelrank_core.explain.render._labels import PAIR_KEY, pair_shares
from labelrank_core.explain.render._linear import INPUT_LETTERS
from labelrank_core.explain.render._scene import Picture, Scene, picture
from labelrank_core.explain.render.markup.bar_rows import BarRow, RowBar, bar_rows, signed_number
from labelrank_core.explain.render.markup.elements import Html, fragment
from labelrank_core.explain.render.markup.palette import ACCENT, THRESHOLD
from labelrank_core.explain.render.markup.text import (
    markdown,
    shorten,
    shorten_all,
    shorten_before_value,
    shorten_middle,
)
from labelrank_core.rankings import FloatArray

_CAPTIONS = {
    "feature": "The features that add most: each adds its difference from the mean times its "
    "weight.",
    "training row": "The training rows that add most: each adds its similarity times its weight.",
}
_NAME_LETTERS = 12
_SHARES = "How likely the row's label is ahead of the column's."
_VOTES = "Votes: 1 is for the row's label, 0 for the column's."
_SUM = " The sum orders the labels."


@picture.register
def _pair_matrix(evidence: PairMatrix, scene: Scene) -> Picture:
    names = scene.label_names
    table = evidence.frame(names)
    spoken = "; ".join(
        f"{ahead} before {behind} {value:.2f}"
        for ahead, behind, value in zip(
            table["ahead"][:10], table["behind"][:10], table["predicted preference"], strict=False
        )
    )
    of_votes = np.isin(evidence.preferences, (0, 0.5, 1)).all()
    sums = _sums(evidence, scene)
    about_sums = "" if sums is None else _SUM
    outlined = " Outlined: pairs that contradict the ranking." if evidence.against else ""
    return Picture(
        "preferences",
        f"predicted preferences: {spoken}",
        table,
        (_VOTES if of_votes else _SHARES) + about_sums + outlined,
        fragment(
            PAIR_KEY,
            pair_shares(evidence.preferences, scene.shown, names, evidence.against, sums=sums),
        ),
    )


def _sums(evidence: PairMatrix, scene: Scene) -> FloatArray | None:
    """Return the scores that order the labels where each is the sum of a row; else None."""
    scores = scene.explanation.find(LabelScores)
    if scores is None:
        return None
    sums = evidence.preferences.sum(axis=1) - np.diag(evidence.preferences)
    return sums if np.allclose(scores.values, sums) else None


@picture.register
def pair_parts(evidence: PairParts, scene: Scene, pair: tuple[int, int] | None = None) -> Picture:
    """Draw the contributions to the preference between two labels, by default the first two."""
    first, second = pair or scene.order[:2]
    names = scene.label_names
    if not np.isfinite(evidence.total(first, second)):
        sentence = (
            f"All training cases with a preference between {markdown(names[first])} and "
            f"{markdown(names[second])} agree on it."
        )
        return Picture("pair-parts", sentence, evidence.frame(names), sentence)
    of_features = evidence.input_kind == "feature"
    groups = scene.schema.column_of_feature if of_features else None
    table = evidence.contributions(first, second, groups=groups)
    input_names = scene.inputs(evidence.input_kind, table, len(evidence.inputs))
    table[evidence.input_kind] = input_names
    spoken = "; ".join(
        f"{n} {value:+.2f}" for n, value in zip(input_names, table["adds"], strict=True)
    )
    return Picture(
        "pair-parts",
        f"what pulls {names[first]} ahead of {names[second]}: {spoken}",
        table,
        _CAPTIONS[evidence.input_kind],
        _contributions(table, input_names, names[first], names[second]),
    )


def _contributions(
    table: pd.DataFrame, input_names: Sequence[str], first: str, second: str
) -> Html:
    """Draw contributions that pull the first label ahead (to the right) or behind (to the left)."""
    rows = []
    for name, value in zip(input_names, table["adds"].tolist(), strict=True):
        bar = RowBar(0.0, value, ACCENT if value > 0 else THRESHOLD, f"{value:+.3f}")
        rows.append(BarRow(shorten_before_value(name, INPUT_LETTERS), signed_number(value), [bar]))
    behind, ahead = _short_names(second, first)
    return bar_rows(rows, f"← {behind} · {ahead}")


def _short_names(*names: str) -> Sequence[str]:
    """Cut two names at their ends, or in the middle where they would look the same."""
    for cut in (shorten, shorten_middle):
        short = [cut(name, _NAME_LETTERS) for name in names]
        if len(set(short)) == len(names):
            return short
    return shorten_all(names, _NAME_LETTERS)
