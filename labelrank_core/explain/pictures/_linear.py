"""Linear scores drawn: their parts, their contributions, the case among the labels' directions."""

from collections.abc import Sequence

from labelrank_core.explain import markup
from labelrank_core.explain.evidence import ScoreParts, SubspaceView, VotedProbabilities
from labelrank_core.explain.figures.linear import (
    contribution_bars,
    score_parts,
    subspace_view,
    unnamed_labels,
    voted_probabilities,
)
from labelrank_core.explain.markup.text import shorten_all
from labelrank_core.explain.pictures._scene import Picture, Scene, picture

_LETTERS = 24
_CAPTIONS = {
    "feature": "The features that add most: each adds its difference from the mean times its "
    "weight.",
    "training row": "The training rows that add most: each adds its (centred) similarity times "
    "its weight.",
}


@picture.register
def _score_parts(evidence: ScoreParts, scene: Scene) -> Picture:
    names = scene.label_names
    table = evidence.frame(names)
    spoken = "; ".join(
        f"{label}: score {score:z.2f}, threshold {threshold:z.2f}"
        for label, score, threshold in zip(
            table["label"], table["score"], table["threshold"], strict=True
        )
    )
    drawn = score_parts(evidence, scene.order, names, scene.shown)
    return Picture("parts", spoken, table, figure=drawn)


def contributions(evidence: ScoreParts, scene: Scene, label: int) -> Picture:
    """Draw what adds most to the score of a label."""
    of_features = evidence.input_kind == "feature"
    groups = scene.schema.column_of_feature if of_features else None
    table = evidence.contributions(label, groups=groups)
    called = scene.inputs(evidence.input_kind, table, len(evidence.inputs))
    table[evidence.input_kind] = called
    added = "; ".join(
        f"{name} {total:+z.2f}" for name, total in zip(called, table["sum"], strict=True)
    )
    return Picture(
        "contributions",
        f"what adds most to the score of {scene.label_names[label]}: {added}",
        table,
        _CAPTIONS[evidence.input_kind],
        figure=contribution_bars(evidence, table, called),
    )


@picture.register
def _subspace_view(evidence: SubspaceView, scene: Scene) -> Picture:
    names = scene.label_names
    table = evidence.frame(names)
    return Picture(
        "subspace",
        "shared parts: "
        + "; ".join(
            f"{label} {value:+z.2f}"
            for label, value in zip(table["label"], table["shared part"], strict=True)
        ),
        table,
        "◆ this case; lines: the labels' directions, on a scale of their own. In all "
        f"{evidence.n_components} dimensions, labels on its side get a positive shared part.",
        figure=subspace_view(evidence, names, scene.shown),
        legend=_named_below(unnamed_labels(evidence, names, scene.shown), names),
    )


def _named_below(labels: Sequence[int], names: Sequence[str]) -> str:
    """Name labels whose lines have no room for their names, in the colours of the lines."""
    if not labels:
        return ""
    short = shorten_all(names, _LETTERS)
    chips = "".join(markup.chip(label, short, "small", names[label]) for label in labels)
    return f'<p class="lr-strip"><span class="muted">not named in the picture:</span>{chips}</p>'


@picture.register
def _voted_probabilities(evidence: VotedProbabilities, scene: Scene) -> Picture:
    names = scene.label_names
    table = evidence.frame(names)
    spoken = "; ".join(
        f"{label}: {low:.2f} to {high:.2f}, mean {mean:.2f}"
        for label, mean, low, high in zip(
            table["label"], table["mean"], table["lowest"], table["highest"], strict=True
        )
    )
    drawn = voted_probabilities(evidence, scene.order, names, scene.shown)
    return Picture("votes", spoken, table, figure=drawn)
