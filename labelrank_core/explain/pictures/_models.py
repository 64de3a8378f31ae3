"""Statistical models of rankings drawn: choices from the top, distances from a centre."""

import numpy as np

from labelrank_core.explain import markup
from labelrank_core.explain.evidence import ChoiceChances, MallowsFit
from labelrank_core.explain.figures.ranking_models import mallows_fit
from labelrank_core.explain.markup.grids import Tinted
from labelrank_core.explain.pictures._scene import Picture, Scene, picture
from labelrank_core.rankings import format_ranking


@picture.register
def _choice_chances(evidence: ChoiceChances, scene: Scene) -> Picture:
    names = scene.label_names
    order, chances = evidence.order, evidence.chances
    spoken = "; ".join(
        f"choice {i + 1}: {names[int(order[i])]} {chances[i, i]:.2f}"
        for i in range(min(10, len(chances)))
    )
    return Picture(
        "choices",
        spoken,
        evidence.frame(names),
        "One row per choice: the probability of each label that is left, once those above are "
        "taken.",
        _choices(evidence, scene),
    )


def _choices(evidence: ChoiceChances, scene: Scene) -> str:
    """Draw each choice as a row: the probability of every label that is left."""
    n_shown = len(scene.shown)
    chances = evidence.chances[:n_shown, :n_shown]
    names = [scene.label_names[int(label)] for label in evidence.order[:n_shown]]
    return markup.matrix(
        Tinted(
            chances,
            [["" if np.isnan(value) else f"{value:.0%}" for value in row] for row in chances],
            [f"{i}  {name}" for i, name in enumerate(names[: len(chances)], start=1)],
            names,
        )
    )


@picture.register
def _mallows_fit(evidence: MallowsFit, scene: Scene) -> Picture:
    names = scene.label_names
    return Picture(
        "spread",
        f"rankings by their distance from {format_ranking(evidence.centre, names)}; "
        f"mean distance {evidence.mean_distance:.2f} pairs, theta {evidence.theta:.2f}",
        evidence.frame(names),
        figure=mallows_fit(evidence),
    )
