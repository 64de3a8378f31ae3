"""Predicted preferences drawn: all pairs of labels, and what contributes to one of them."""

import numpy as np

from labelrank_core.explain.evidence import PairMatrix, PairParts
from labelrank_core.explain.figures.pairs import pair_contributions
from labelrank_core.explain.markup.text import markdown
from labelrank_core.explain.pictures._labels import pair_shares
from labelrank_core.explain.pictures._scene import Picture, Scene, picture

_CAPTIONS = {
    "feature": "The features that add most: each adds its difference from the mean times its "
    "weight.",
    "training row": "The training rows that add most: each adds its similarity times its weight.",
}
_SHARES = "How likely the row's label is preferred to the column's label."
_VOTES = "Votes: 1 is for the row's label, 0 for the column's."


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
    outlined = " Outlined: pairs that contradict the ranking." if evidence.against else ""
    return Picture(
        "preferences",
        f"predicted preferences: {spoken}",
        table,
        (_VOTES if of_votes else _SHARES) + outlined,
        pair_shares(evidence.preferences, scene.shown, names, evidence.against),
    )


@picture.register
def pair_parts(evidence: PairParts, scene: Scene, pair: tuple[int, int] | None = None) -> Picture:
    """Draw what contributes to the preference between two labels, by default the first two."""
    first, second = pair or scene.order[:2]
    names = scene.label_names
    if not np.isfinite(evidence.total(first, second)):
        said = (
            f"All training cases with a preference between {markdown(names[first])} and "
            f"{markdown(names[second])} agree on it."
        )
        return Picture("pair-parts", said, evidence.frame(names), said)
    of_features = evidence.input_kind == "feature"
    groups = scene.schema.column_of_feature if of_features else None
    table = evidence.contributions(first, second, groups=groups)
    called = scene.inputs(evidence.input_kind, table, len(evidence.inputs))
    table[evidence.input_kind] = called
    spoken = "; ".join(f"{n} {value:+.2f}" for n, value in zip(called, table["adds"], strict=True))
    return Picture(
        "pair-parts",
        f"what pulls {names[first]} ahead of {names[second]}: {spoken}",
        table,
        _CAPTIONS[evidence.input_kind],
        figure=pair_contributions(table, called, names[first], names[second]),
    )
