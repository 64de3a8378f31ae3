"""The predicted ranking drawn with the scores that order it."""

from collections.abc import Mapping

import numpy as np

from labelrank_core.data.schema import decimal_text
from labelrank_core.explain.evidence import LabelScores
from labelrank_core.explain.render import markup
from labelrank_core.explain.render._scene import Scene
from labelrank_core.explain.render.markup import LabelBar, RankedLabels
from labelrank_core.rankings import FloatArray


def answer(
    scene: Scene,
    truth: Mapping[int, tuple[str, bool]] | None = None,
    *,
    scores: LabelScores | None = None,
    says_scale: bool = False,
) -> str:
    """Draw the predicted ranking; `truth` has the verdict on each label and its correctness.

    `scores`: what the bars show; None: the first scores of the explanation. `says_scale`: with the
    numbers at both ends of the bars.
    """
    verdicts, explanation = truth or {}, scene.explanation
    scores = scores or explanation.evidence(LabelScores)
    lengths, line = _lengths(scores)
    # Shares fill a bar from its left end, on which the line is a mark to be passed.
    start = 0.0 if _is_share(scores) else line
    bars = {
        label: LabelBar(
            float(lengths[label]),
            scores.text_of(label),
            *verdicts.get(label, ("", True)),
            line=line,
            start=start,
        )
        for label in scene.shown
    }
    ends = [decimal_text(end).removesuffix(".00") for end in _scale(scores)]
    return markup.ladder(
        RankedLabels.from_order(explanation.order, n_relevant=explanation.n_relevant),
        scene.label_names,
        bars,
        labels=bars,
        line_text=f"Above this line: predicted. {scores.line_text}".strip(),
        ends=ends if says_scale else (),
    )


def _is_share(scores: LabelScores) -> bool:
    """Tell whether all numbers are shares, from 0 to 1."""
    return scores.greater_is_better and scores.highest == 1 and scores.values.min() >= 0


def _scale(scores: LabelScores) -> tuple[float, float]:
    """Return the numbers at the left and the right end of the bars.

    Bars of ranks begin at the last place and end at the first, others begin at 0.
    """
    values = scores.values if scores.bar is None else np.append(scores.values, scores.bar)
    if scores.greater_is_better:
        return float(min(0.0, values.min())), float(max(scores.highest or 0.0, values.max()))
    return float(max(len(scores.values), values.max())), float(min(1.0, values.min()))


def _lengths(scores: LabelScores) -> tuple[FloatArray, float | None]:
    """Scale scores to ends of bars, and the bar that a label must beat."""
    values = scores.values if scores.bar is None else np.append(scores.values, scores.bar)
    worst, best = _scale(scores)
    ends = (values - worst) / ((best - worst) or 1.0)
    return (ends, None) if scores.bar is None else (ends[:-1], float(ends[-1]))
