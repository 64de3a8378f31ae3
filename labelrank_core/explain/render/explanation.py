"""Explanations as HTML with the drawings of the pages."""

import html
from dataclasses import replace

from labelrank_core.data.schema import Schema, numeric_schema
from labelrank_core.explain.evidence import (
    Confidence,
    Explanation,
    PairParts,
    RankParts,
    ScoreParts,
    Step,
    TreeVotes,
)
from labelrank_core.explain.render import Scene, answer, markup, picture, predicted_ranking
from labelrank_core.explain.render.markup.palette import color_properties

_SHEET = (
    "<style>.lr-shown {max-width: 46rem} .lr-shown h4 {margin: 1rem 0 .2rem} .lr-shown p "
    "{margin: .4rem 0 .3rem} .lr-shown .muted {font-size: .85em} "
    ".lr-shown figure {margin: .3rem 0} .lr-shown p {overflow-wrap: anywhere}</style>"
)


def scene_of(explanation: Explanation) -> Scene:
    """Return the input of the drawings; labels and features without a name are numbered from 0."""
    about = explanation.about
    schema = about.schema or _numbered(explanation)
    return Scene(
        explanation, explanation.label_names, schema, about.x, about.training_rows, about.units
    )


def explanation_html(explanation: Explanation) -> str:
    """Draw the prediction and every step to it, in HTML without scripts."""
    scene = scene_of(explanation)
    summary = explanation.summary.html(scene.label_names, explanation.about.nouns)
    confidence_steps = [step for step in explanation.steps if isinstance(step.evidence, Confidence)]
    other_steps = [step for step in explanation.steps if not isinstance(step.evidence, Confidence)]
    ranking = answer(scene)
    if explanation.has_ties:
        ranking = markup.strip(predicted_ranking(explanation), scene.label_names)
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
