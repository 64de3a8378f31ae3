"""Statistical models of rankings drawn: choices from the top, distances from a centre."""

import streamlit as st

from labelrank_core.explain.evidence import ChoiceChances, MallowsFit
from labelrank_core.rankings import format_ranking
from pages.ui import drawing
from pages.ui.charts.ranking_models import choice_chances, mallows_fit
from pages.ui.evidence._scene import Scene, draw


@draw.register
def _choice_chances(evidence: ChoiceChances, scene: Scene) -> None:
    names = scene.dataset.label_names
    order, chances = evidence.order, evidence.chances
    spoken = "; ".join(
        f"choice {i + 1}: {names[int(order[i])]} {chances[i, i]:.2f}"
        for i in range(min(10, len(chances)))
    )
    drawing.chart(
        choice_chances(evidence, names),
        key=f"{scene.key}-choices",
        alt=spoken,
        table=evidence.frame(names),
    )
    st.caption(
        "One row per choice: the probability of each label that is left, once those above are "
        "taken."
    )


@draw.register
def _mallows_fit(evidence: MallowsFit, scene: Scene) -> None:
    names = scene.dataset.label_names
    drawing.chart(
        mallows_fit(evidence),
        key=f"{scene.key}-spread",
        alt=f"rankings by their distance from {format_ranking(evidence.centre, names)}; "
        f"mean distance {evidence.mean_distance:.2f} pairs, theta {evidence.theta:.2f}",
        table=evidence.frame(names),
    )
