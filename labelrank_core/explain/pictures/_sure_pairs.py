"""Which labels are surely ahead of which, drawn as the positions each label can have."""

from collections.abc import Sequence

import numpy as np

from labelrank_core.explain import markup
from labelrank_core.explain.evidence import SurePairs
from labelrank_core.explain.markup import Span
from labelrank_core.explain.pictures._scene import Picture, Scene, Wanted, picture


@picture.register
def _sure_pairs(evidence: SurePairs, scene: Scene) -> Picture:
    return sure_pairs(evidence, scene.label_names, scene.wanted)


def sure_pairs(evidence: SurePairs, names: Sequence[str], wanted: Wanted) -> Picture:
    """Draw the interval of each label, those of the first labels and of the wanted ones."""
    shown, places = wanted.of(evidence.ranking), evidence.intervals
    truth, spans = evidence.true_places, []
    for label in shown:
        first, last = (int(end) for end in places[label])
        known = truth is not None and not np.isnan(truth[label])
        true_place = float(truth[label]) if truth is not None and known else None
        spans.append(Span(label, int(evidence.positions[label]), first, last, true_place))
    spoken = "positions that each label can have: " + "; ".join(
        f"{names[span.label]} {span.first} to {span.last}" for span in spans
    )
    marks = any(span.truth is not None for span in spans)
    said = "Bars: the positions a label can have." + (" Diamonds: true ones." if marks else "")
    return Picture(
        "intervals",
        spoken,
        lambda: evidence.frame(names),
        said,
        markup.intervals(spans, names, len(evidence.positions)),
    )
