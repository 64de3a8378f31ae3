"""The predicted ranking drawn with what orders it."""

from collections.abc import Mapping

import numpy as np

from labelrank_core.data.schema import decimal_text
from labelrank_core.explain import markup
from labelrank_core.explain.evidence import LabelScores
from labelrank_core.explain.markup.rankings import Rung
from labelrank_core.explain.pictures._scene import Scene
from labelrank_core.rankings import FloatArray


def answer(
    scene: Scene,
    truth: Mapping[int, tuple[str, bool]] | None = None,
    *,
    says_scale: bool = False,
) -> str:
    """Draw the predicted ranking; `truth` says how it compares, and whether it is right.

    `says_scale`: with the numbers at both ends of the bars.
    """
    known, found = truth or {}, scene.explanation
    scores = found.evidence(LabelScores)
    lengths, line = _lengths(scores)
    rungs = [
        Rung(
            label,
            float(lengths[label]),
            f"{scores.title} {decimal_text(scores.values[label])}",
            *known.get(label, ("", True)),
            place=found.order.index(label) + 1,
            line=line,
        )
        for label in scene.shown
    ]
    ends = [decimal_text(end).removesuffix(".00") for end in _scale(scores)]
    return markup.ladder(
        rungs, scene.label_names, found.n_relevant, scores.bar_name, ends if says_scale else ()
    )


def _scale(scores: LabelScores) -> tuple[float, float]:
    """Return the numbers at the left and the right end of the bars.

    Bars of ranks begin at the last place and end at the first, others begin at 0.
    """
    values = scores.values if scores.bar is None else np.append(scores.values, scores.bar)
    if scores.greater_is_better:
        return float(min(0.0, values.min())), float(max(scores.highest or 0.0, values.max()))
    return float(max(len(scores.values), values.max())), float(min(1.0, values.min()))


def _lengths(scores: LabelScores) -> tuple[FloatArray, float | None]:
    """Scale scores to ends of bars, and what a label must beat."""
    values = scores.values if scores.bar is None else np.append(scores.values, scores.bar)
    worst, best = _scale(scores)
    ends = (values - worst) / ((best - worst) or 1.0)
    return (ends, None) if scores.bar is None else (ends[:-1], float(ends[-1]))
