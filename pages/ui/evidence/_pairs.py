"""Predicted preferences drawn: all pairs of labels, and what carries one of them."""

import numpy as np
import pandas as pd
import streamlit as st

from labelrank_core.explain.evidence import PairMatrix, PairParts
from pages.ui import drawing, state, text
from pages.ui.charts.pairs import pair_contributions
from pages.ui.evidence._labels import pair_shares
from pages.ui.evidence._scene import Scene, draw

_CARRIED = {
    "feature": "The features that add most: each adds its difference from the mean times its "
    "weight.",
    "training row": "The training rows that add most: each adds its similarity times its weight.",
}


@draw.register
def _pair_matrix(evidence: PairMatrix, scene: Scene) -> None:
    names = scene.dataset.label_names
    table = evidence.frame(names)
    spoken = "; ".join(
        f"{ahead} before {behind} {value:.2f}"
        for ahead, behind, value in zip(
            table["ahead"][:10], table["behind"][:10], table["predicted preference"], strict=False
        )
    )
    outlined = " Outlined: pairs that contradict the ranking." if evidence.against else ""
    drawing.picture(
        pair_shares(evidence.preferences, scene.shown, names, evidence.against),
        key=f"{scene.key}-preferences",
        alt=f"predicted preferences: {spoken}",
        table=table,
        caption=f"How likely the row's label is preferred to the column's label.{outlined}",
    )


@draw.register
def _pair_parts(evidence: PairParts, scene: Scene) -> None:
    names = scene.dataset.label_names
    first, second = _ask_pair(scene) if not scene.brief else scene.order[:2]
    total = evidence.total(first, second)
    if not np.isfinite(total):
        drawing.caption(
            f"All training cases with a preference between {text.markdown(names[first])} and "
            f"{text.markdown(names[second])} agree on it."
        )
        return
    of_features = evidence.carrier == "feature"
    groups = scene.dataset.schema.column_of_feature if of_features else None
    table = evidence.contributions(first, second, groups=groups)
    called = _carriers(evidence, table, scene)
    table[evidence.carrier] = called
    spoken = "; ".join(f"{n} {value:+.2f}" for n, value in zip(called, table["adds"], strict=True))
    drawing.chart(
        pair_contributions(table, called, names[first], names[second]),
        key=f"{scene.key}-pair-parts",
        alt=f"what pulls {names[first]} ahead of {names[second]}: {spoken}",
        table=table,
        caption=_CARRIED[evidence.carrier],
    )


def _ask_pair(scene: Scene) -> tuple[int, int]:
    """Ask which two labels to look at closer; the first two unless chosen."""
    names, own = scene.dataset.label_names, scene.dataset.fingerprint[:8]
    left, right = st.columns(2)
    keys = [f"{scene.key}-pair-{place}-{own}" for place in ("first", "second")]
    state.follow(keys[0], None, scene.order[0])
    first = left.selectbox(
        "Label", scene.order, format_func=lambda label: names[label], key=keys[0]
    )
    others = [label for label in scene.order if label != first]
    state.forget_if(keys[1], lambda value: value not in others)
    state.follow(keys[1], None, others[0])
    second = right.selectbox("Against", others, format_func=lambda label: names[label], key=keys[1])
    return first, second


def _carriers(evidence: PairParts, table: pd.DataFrame, scene: Scene) -> list[str]:
    """Name what carries a preference, with the case's own value of a feature."""
    if evidence.carrier == "feature":
        own = scene.dataset.schema.frame(scene.case.x[None])
        values = own.to_numpy(dtype=object)[0]
        names = [text.with_value(*pair) for pair in zip(own.columns, values, strict=True)]
    else:
        names = [f"#{row + 1}" for row in scene.case.training_rows]
    n_others = len(names) - len(table) + 1
    return [
        names[carrier] if carrier >= 0 else f"{n_others} others"
        for carrier in table[evidence.carrier]
    ]
