"""The predicted ranking drawn with what orders it."""

from collections.abc import Mapping

import numpy as np

from labelrank_core.explain import markup
from labelrank_core.explain.evidence import LabelScores
from labelrank_core.explain.markup.rankings import Rung
from labelrank_core.explain.pictures._scene import Scene
from labelrank_core.rankings import FloatArray


def answer(scene: Scene, truth: Mapping[int, tuple[str, bool]] | None = None) -> str:
    """Draw the predicted ranking; `truth` says how it compares, and whether it is right."""
    known, found = truth or {}, scene.explanation
    scores = found.evidence(LabelScores)
    lengths, line = _lengths(scores)
    rungs = [
        Rung(
            label,
            float(lengths[label]),
            f"{scores.title} {scores.values[label]:z.2f}",
            *known.get(label, ("", True)),
            place=found.order.index(label) + 1,
            line=line,
        )
        for label in scene.shown
    ]
    return markup.ladder(rungs, scene.label_names, found.n_relevant, scores.bar_name)


def _lengths(scores: LabelScores) -> tuple[FloatArray, float | None]:
    """Scale scores to ends of bars, the best label's furthest, and what a label must beat."""
    values = scores.values if scores.bar is None else np.append(scores.values, scores.bar)
    values = values if scores.greater_is_better else -values
    ends = 0.06 + 0.94 * (values - values.min()) / (np.ptp(values) or 1.0)
    return (ends, None) if scores.bar is None else (ends[:-1], float(ends[-1]))
