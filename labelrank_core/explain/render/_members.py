"""Blended methods drawn: the support of each for the order, label by label."""

import numpy as np

from labelrank_core.explain.evidence import MemberProbabilities, MemberSupports
from labelrank_core.explain.render import markup
from labelrank_core.explain.render._scene import Picture, Scene, picture
from labelrank_core.explain.render.markup.grids import Tinted
from labelrank_core.explain.render.markup.text import shorten_all

# Of names in pairs.
_LETTERS = 24
# Of more labels than these, names are cut to stand in two lines.
_MOST_WHOLE, _LETTERS_OF_MANY = 20, 16


@picture.register
def _member_supports(evidence: MemberSupports, scene: Scene) -> Picture:
    names = scene.label_names
    top, second = evidence.steps[0]
    spoken = "; ".join(
        f"{member}, weight {weight:.2f}: {support:.2f}"
        for member, weight, support in zip(
            evidence.names, evidence.weights, evidence.for_pair(top, second), strict=True
        )
    )
    return Picture(
        "members",
        f"{names[top]} before {names[second]}: {spoken}",
        evidence.frame(names),
        "One row per step of the ranking: how far each method supports it. Blue for it, orange "
        "against it.",
        _supports(evidence, scene),
    )


def _supports(evidence: MemberSupports, scene: Scene) -> str:
    """Draw each step of the ranking as a row: the support of every member, and of all."""
    short = shorten_all(scene.label_names, _LETTERS)
    steps = evidence.steps[: max(1, len(scene.shown) - 1)]
    shares = np.array([evidence.for_pair(*step) for step in steps])
    weights, columns = evidence.weights, list(evidence.names)
    if len(columns) > 1:
        shares = np.column_stack([shares, shares @ weights])
        weights, columns = np.append(weights, 1.0), [*columns, "all together"]
    return markup.matrix(
        Tinted(
            np.vstack([np.zeros(len(columns)), 2 * shares - 1]),
            [[f"{value:.0%}" for value in row] for row in (weights, *shares)],
            ["weight", *(f"{short[a]} before {short[b]}" for a, b in steps)],
            columns,
        )
    )


@picture.register
def _member_probabilities(evidence: MemberProbabilities, scene: Scene) -> Picture:
    names, edge = scene.label_names, scene.middle_label
    spoken = "; ".join(
        f"{member}, weight {weight:.2f}: {probability:.2f}"
        for member, weight, probability in zip(
            evidence.names, evidence.weights, evidence.probabilities[:, edge], strict=True
        )
    )
    labels = list(scene.shown)
    short = shorten_all(names, _LETTERS_OF_MANY) if len(labels) > _MOST_WHOLE else names
    probabilities = np.column_stack([evidence.probabilities.T, evidence.blend])[labels]
    weights = np.append(evidence.weights, 1.0)
    return Picture(
        "members",
        f"{names[edge]}: {spoken}",
        evidence.frame(names),
        "One row per label: how likely each method holds it relevant. Blue above one half, orange "
        "below.",
        markup.matrix(
            Tinted(
                np.vstack([np.zeros(len(weights)), 2 * probabilities - 1]),
                [[f"{value:.0%}" for value in row] for row in (weights, *probabilities)],
                ["weight", *(short[label] for label in labels)],
                [*evidence.names, "all together"],
            )
        ),
    )
