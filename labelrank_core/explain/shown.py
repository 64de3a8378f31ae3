"""Explanations as text, and as HTML with the drawings of the pages."""

import html
from collections.abc import Sequence
from dataclasses import replace
from textwrap import fill

from labelrank_core.data.schema import Schema, numeric_schema
from labelrank_core.explain import markup
from labelrank_core.explain.evidence import (
    Confidence,
    Explanation,
    PairParts,
    RankParts,
    ScoreParts,
    Step,
    TreeVotes,
)
from labelrank_core.explain.markup.palette import color_properties
from labelrank_core.explain.pictures import SHOWN, Scene, answer, picture
from labelrank_core.rankings import format_ranking

_WIDTH = 88
_SHEET = (
    "<style>.lr-shown {max-width: 46rem} .lr-shown h4 {margin: 1rem 0 .2rem} .lr-shown p "
    "{margin: .4rem 0 .3rem} .lr-shown .muted {opacity: .75; font-size: .85em} "
    ".lr-shown figure {margin: .3rem 0} .lr-shown p {overflow-wrap: anywhere}</style>"
)


def scene_of(explanation: Explanation) -> Scene:
    """Return the input of the drawings; labels and features without a name are numbered from 0."""
    about, n_labels = explanation.about, len(explanation.positions)
    names = about.label_names or [f"label {label}" for label in range(n_labels)]
    if len(names) != n_labels:
        raise ValueError(f"Expected {n_labels} label names, got {len(names)}.")
    schema = about.schema or _numbered(explanation)
    return Scene(explanation, names, schema, about.x, about.training_rows, about.units)


def as_text(explanation: Explanation) -> str:
    """Write the prediction and every step to it as plain text."""
    names, nouns = scene_of(explanation).label_names, explanation.about.nouns
    lines = [
        f"Predicted: {_prediction_text(explanation, names)}",
        explanation.summary.plain(names, nouns),
    ]
    for number, step in enumerate(explanation.steps, start=1):
        lines += ["", f"{number}. {step.title}", _indent(step.text.plain(names, nouns))]
    return "\n".join(lines)


def _indent(text: str) -> str:
    return fill(text, _WIDTH, initial_indent="   ", subsequent_indent="   ")


def as_html(explanation: Explanation) -> str:
    """Draw the prediction and every step to it, in HTML without scripts."""
    scene = scene_of(explanation)
    summary = explanation.summary.html(scene.label_names, explanation.about.nouns)
    confidence_steps = [step for step in explanation.steps if isinstance(step.evidence, Confidence)]
    other_steps = [step for step in explanation.steps if not isinstance(step.evidence, Confidence)]
    ranking = markup.strip(explanation.buckets, scene.label_names) if explanation.has_ties else (
        answer(scene)
    )  # fmt: skip
    steps = "".join(_step_html(step, scene) for step in (*other_steps, *confidence_steps))
    # Not for the whole notebook, in which explanations of other data may stand.
    colors = color_properties(explanation.about.label_colors)
    few = "" if len(scene.shown) == len(scene.order) else (
        f'<p class="muted">{len(scene.shown)} of {len(scene.order)} labels.</p>'
    )  # fmt: skip
    return (
        f'{markup.STYLE}{_SHEET}<div class="lr-shown" style="{colors}">{ranking}{few}'
        f"<p>{summary}</p>{steps}</div>"
    )


def _step_html(step: Step, scene: Scene) -> str:
    nouns = scene.explanation.about.nouns
    sentence = step.text.html(scene.label_names, nouns)
    drawing = picture(step.evidence, scene)
    drawing = replace(drawing, caption=nouns.insert(drawing.caption))
    return f"<section><h4>{html.escape(step.title)}</h4><p>{sentence}</p>{drawing.html()}</section>"


def _prediction_text(explanation: Explanation, names: Sequence[str]) -> str:
    """Write the ranking, and the relevant labels where some are predicted."""
    if explanation.has_ties:
        return format_ranking(explanation.ranking, names)
    order = explanation.order
    order_text = " > ".join(names[label] for label in order[:SHOWN])
    order_text += f" > … ({len(order)} labels)" if len(order) > SHOWN else ""
    if explanation.n_relevant is None:
        return order_text
    relevant = ", ".join(names[label] for label in order[: explanation.n_relevant]) or "no label"
    return f"{relevant} (order: {order_text})"


def _numbered(explanation: Explanation) -> Schema:
    """Return columns with numbers for names, for the features that the evidence speaks of."""
    n_features = 0
    for step in explanation.steps:
        match step.evidence:
            case RankParts(changes=each):
                n_features = len(each)
            case ScoreParts(input_kind="feature", inputs=each):
                n_features = len(each)
            case PairParts(input_kind="feature", inputs=each):
                n_features = len(each)
            case TreeVotes(ways=ways):
                features = [question.feature for way in ways for question in way]
                n_features = max([n_features - 1, *features]) + 1
    return numeric_schema([f"feature {j}" for j in range(n_features)])
