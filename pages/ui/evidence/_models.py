"""Statistical models of rankings drawn: choices from the top, distances from a centre."""

import numpy as np

from labelrank_core import markup
from labelrank_core.explain.evidence import ChoiceChances, MallowsFit
from labelrank_core.markup.grids import Tinted
from labelrank_core.rankings import format_ranking
from pages.ui import drawing
from pages.ui.charts.ranking_models import mallows_fit
from pages.ui.evidence._scene import Scene, draw


@draw.register
def _choice_chances(evidence: ChoiceChances, scene: Scene) -> None:
    names = scene.dataset.label_names
    order, chances = evidence.order, evidence.chances
    spoken = "; ".join(
        f"choice {i + 1}: {names[int(order[i])]} {chances[i, i]:.2f}"
        for i in range(min(10, len(chances)))
    )
    drawing.picture(
        _choices(evidence, scene),
        key=f"{scene.key}-choices",
        alt=spoken,
        table=evidence.frame(names),
        caption="One row per choice: the probability of each label that is left, once those above "
        "are taken.",
    )


def _choices(evidence: ChoiceChances, scene: Scene) -> str:
    """Draw each choice as a row: the probability of every label that is left."""
    n_shown = len(scene.shown)
    chances = evidence.chances[:n_shown, :n_shown]
    names = [scene.dataset.label_names[int(label)] for label in evidence.order[:n_shown]]
    return markup.matrix(
        Tinted(
            chances,
            [["" if np.isnan(value) else f"{value:.0%}" for value in row] for row in chances],
            [f"{i}  {name}" for i, name in enumerate(names[: len(chances)], start=1)],
            names,
        )
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
