"""What any method may show, drawn: pairs, one number a label, confidence."""

import streamlit as st

from labelrank_core.explain.evidence import Confidence, LabelScores, WinShares
from pages.ui import drawing, markup
from pages.ui.charts.scores import label_scores, win_shares
from pages.ui.evidence._scene import Scene, draw


@draw.register
def _win_shares(evidence: WinShares, scene: Scene) -> None:
    names = scene.dataset.label_names
    first, *others = scene.order
    spoken = f"shares in which {names[first]} is preferred: " + "; ".join(
        f"to {names[label]} {evidence.shares[first, label]:.2f}" for label in others[:10]
    )
    drawing.chart(
        win_shares(evidence, names),
        key=f"{scene.key}-pairs",
        alt=spoken,
        table=evidence.frame(names),
    )
    st.caption("How often the row's label is preferred to the column's label (share).")


@draw.register
def _label_scores(evidence: LabelScores, scene: Scene) -> None:
    table = evidence.frame(scene.dataset.label_names)
    spoken = f"{evidence.title} of each label: " + "; ".join(
        f"{label} {value:.2f}"
        for label, value in zip(table["label"], table[evidence.title], strict=True)
    )
    drawing.chart(
        label_scores(evidence, scene.dataset.label_names),
        key=f"{scene.key}-{evidence.title}",
        alt=spoken,
        table=table,
    )


@draw.register
def _confidence(evidence: Confidence, _scene: Scene) -> None:
    if not evidence.defined:
        st.caption("Not defined for a single case, which always agrees with itself.")
        return
    drawing.show(markup.gauge(evidence.value, evidence.lowest))
    definition = f"{evidence.definition[0].upper()}{evidence.definition[1:]}."
    st.caption(evidence.meaning, help=definition)
