"""Linear scores drawn: their parts, contributions to them, the probabilities of voters."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd

from labelrank_core.data.schema import decimal_text
from labelrank_core.explain.evidence import ScoreParts, VotedProbabilities
from labelrank_core.explain.render._scene import Picture, Scene, picture
from labelrank_core.explain.render.markup.bar_rows import (
    BarRow,
    RowMark,
    bar_rows,
    color_key,
    signed_number,
    stacked,
)
from labelrank_core.explain.render.markup.elements import Html, element, fragment
from labelrank_core.explain.render.markup.palette import ACCENT, THRESHOLD
from labelrank_core.explain.render.markup.rankings import chip
from labelrank_core.explain.render.markup.text import shorten_all, shorten_before_value

_BASELINE_COLOR, _PART_COLORS = "#8A93A3", ("#A9A9EE", ACCENT)
_LABEL_LETTERS, INPUT_LETTERS = 14, 36
_CAPTIONS = {
    "feature": "The features that add most: each adds its difference from the mean times its "
    "weight.",
    "training row": "The training rows that add most: each adds its (centred) similarity times "
    "its weight.",
}


@picture.register
def _score_parts(evidence: ScoreParts, scene: Scene) -> Picture:
    table = evidence.frame(scene.label_names)
    spoken = "; ".join(
        f"{label}: score {score:z.2f}, threshold {threshold:z.2f}"
        for label, score, threshold in zip(
            table["label"], table["score"], table["threshold"], strict=True
        )
    )
    labels = scene.shown
    all_parts = {"baseline": evidence.baseline, **evidence.parts}
    # A part that is 0 throughout has no bars to explain.
    parts = {name: values for name, values in all_parts.items() if np.any(values[labels])}
    colors = {"baseline": _BASELINE_COLOR, **_colors(evidence.parts)}
    rows = []
    for label, name in _label_names(scene).items():
        score, threshold = float(evidence.scores[label]), float(evidence.thresholds[label])
        bars = stacked([(part, float(parts[part][label]), colors[part]) for part in parts])
        marks = [
            RowMark(threshold, "threshold", f"threshold {threshold:.3f}"),
            RowMark(score, "diamond", f"score {score:.3f}"),
        ]
        rows.append(BarRow(name, decimal_text(score), bars, marks))
    key = [("■", colors[part], part) for part in parts]
    key += [("◆", "", "score"), ("▎", THRESHOLD, "threshold")]
    return Picture("parts", spoken, table, markup=color_key(key) + bar_rows(rows, "score"))


def _label_names(scene: Scene) -> dict[int, Html]:
    """Return the place and the chip of each label shown."""
    names = scene.label_names
    short = shorten_all(names, _LABEL_LETTERS)
    return {
        label: fragment(
            element("span", scene.order.index(label) + 1, class_="place"),
            chip(label, short, "small", names[label]),
        )
        for label in scene.shown
    }


def _colors(names: Iterable[str]) -> dict[str, str]:
    """Return the colours of one or two parts."""
    names = list(names)
    return dict(zip(names, _PART_COLORS[-len(names) :], strict=True))


def contributions(evidence: ScoreParts, scene: Scene, label: int) -> Picture:
    """Draw the largest contributions to the score of a label."""
    of_features = evidence.input_kind == "feature"
    groups = scene.schema.column_of_feature if of_features else None
    table = evidence.contributions(label, groups=groups)
    names = scene.inputs(evidence.input_kind, table, len(evidence.inputs))
    table[evidence.input_kind] = names
    added = "; ".join(
        f"{name} {total:+z.2f}" for name, total in zip(names, table["sum"], strict=True)
    )
    colors = _colors(evidence.parts)
    parts = {name: colors[name] for name in evidence.weights}
    key = color_key([("■", color, name) for name, color in parts.items()])
    rows = contribution_rows(table, names, parts)
    return Picture(
        "contributions",
        f"what adds most to the score of {scene.label_names[label]}: {added}",
        table,
        _CAPTIONS[evidence.input_kind],
        (key if len(parts) > 1 else "") + bar_rows(rows, "adds to the score"),
    )


def contribution_rows(
    table: pd.DataFrame, names: Sequence[str], colors: Mapping[str, str]
) -> list[BarRow]:
    """Return a row for each input, with its contribution by part; `colors` by column."""
    rows = []
    for name, (_, values) in zip(names, table[list(colors)].iterrows(), strict=True):
        bars = stacked([(part, float(values[part]), color) for part, color in colors.items()])
        total = signed_number(float(values.sum()))
        rows.append(BarRow(shorten_before_value(name, INPUT_LETTERS), total, bars))
    return rows


@picture.register
def _voted_probabilities(evidence: VotedProbabilities, scene: Scene) -> Picture:
    table = evidence.frame(scene.label_names)
    spoken = "; ".join(
        f"{label}: {low:.2f} to {high:.2f}, mean {mean:.2f}"
        for label, mean, low, high in zip(
            table["label"], table["mean"], table["lowest"], table["highest"], strict=True
        )
    )
    rows = []
    for label, name in _label_names(scene).items():
        votes = evidence.votes[:, label].tolist()
        mean = float(np.mean(votes))
        marks = [
            *(
                RowMark(vote, "vote", f"{evidence.voter} {number}: {vote:.3f}")
                for number, vote in enumerate(votes, start=1)
            ),
            RowMark(mean, "diamond", f"mean {mean:.3f}"),
        ]
        rows.append(BarRow(name, decimal_text(mean), marks=marks))
    key = [("●", ACCENT, f"one {evidence.voter}"), ("◆", "", "mean"), ("▎", THRESHOLD, "one half")]
    drawing = bar_rows(rows, "probability", line=0.5, ends=(0.0, 1.0), look="halved")
    return Picture("votes", spoken, table, markup=color_key(key) + drawing)
