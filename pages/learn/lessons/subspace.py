"""The shared subspace: the gain of a label with few examples where labels share directions."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from labelrank_core import Task
from labelrank_core.data.findings import count_of
from labelrank_core.explain.evidence import (
    Explanation,
    Label,
    LabelScores,
    ScoreParts,
    SubspaceView,
    Text,
)
from labelrank_core.explain.render import Picture, markup
from labelrank_core.explain.render.markup.dots import Bar
from labelrank_core.explain.render.markup.grids import Tinted
from labelrank_core.rankings import FloatArray, IntArray
from pages.learn import scenes
from pages.learn.lessons import shared
from pages.learn.story import Ask, Example, Lesson, LessonSetting, LessonStep, Pick, stacked

_COLUMNS_SHOWN, _QUESTION_WORDS, _WORDS_OF_AXES = 5, 8, 3
# Ice cream was noted on two days, both windy by chance.
_BEACH = """day,warmth (of 10),dryness (of 10),wind (of 10),labels
Mon,2,3,4,museum;cinema
Tue,3,1,3,museum;cinema
Wed,5,1,5,museum;cinema
Thu,7,8,8,swimming;hiking;ice cream
Fri,2,6,6,hiking
Sat,3,8,9,hiking
Sun,9,8,9,swimming;hiking;ice cream
May Day,3,9,5,hiking
Easter,9,6,4,swimming;hiking
"""


def make_steps(setting: LessonSetting) -> list[LessonStep]:
    """Return the steps on the rarest label, learned alone and with the others."""
    alone = setting.explanation_with(alpha=0.0)
    rare = rarest(setting)
    return [
        shared.label_sets(setting, _relevant(setting)),
        _alone(setting, alone, rare),
        _why(setting, alone, rare),
        *_helpers(setting, rare),
        _directions(setting, alone),
        _parts(setting, rare),
        shared.answer(setting, _relevant(setting)),
    ]


def _relevant(setting: LessonSetting) -> Text:
    """Return the predicted labels as text."""
    explanation = setting.explanation
    labels = [label for label in explanation.order if explanation.prediction[label]]
    values = {"labels": shared.listed(labels), "n": len(labels), "m": setting.dataset.n_labels}
    return Text("Above their thresholds: {labels} ({n} of {m} labels).", values)


def rarest(setting: LessonSetting) -> int:
    """Return the label with the fewest training cases, at least one."""
    counts = _counts(setting)
    return int(np.argmin(np.where(counts > 0, counts, counts.max() + 1)))


def _counts(setting: LessonSetting) -> FloatArray:
    rows = setting.case.training_rows
    return np.asarray(setting.dataset.relevance[rows].sum(axis=0), dtype=np.float64)


def _scores(explanation: Explanation) -> FloatArray:
    return explanation.evidence(LabelScores).values


def _alone(setting: LessonSetting, alone: Explanation, rare: int) -> LessonStep:
    scores_alone, scores_shared = _scores(alone), _scores(setting.explanation)
    values = {
        "rare": Label(rare),
        "n": int(_counts(setting)[rare]),
        "before": float(scores_alone[rare]),
        "after": float(scores_shared[rare]),
        "m": setting.dataset.n_labels,
    }
    reason = (
        "Alone {before}, together {after}. What labels share is learned from the cases of all {m} "
        "labels, so {rare} needs few of its own."
    )
    if scores_shared[rare] < scores_alone[rare]:
        reason = (
            "Alone {before}, together {after}: here sharing moves {rare} towards what the other "
            "labels have in common."
        )
    return LessonStep(
        "Alone or together?",
        shared.with_ties(
            Text(
                "{rare} has only {n} training cases. A label's score adds up the features, each "
                "with a weight. Learned without the other labels, that of {rare} is {before}.",
                values,
            ),
            scores_alone,
            setting,
            room=_QUESTION_WORDS,
        ),
        _dots_of(setting, alone, alone),
        Ask(
            Text("Is {rare} predicted if labels learn together?", values),
            Pick(("yes", "no"), frozenset({0 if scores_shared[rare] > 0 else 1}), several=False),
            Text(reason, values),
            _dots_of(setting, alone, setting.explanation),
        ),
    )


def _dots_of(setting: LessonSetting, alone: Explanation, explanation: Explanation) -> Picture:
    """Draw the scores of an explanation, on one scale for those alone and those shared."""
    both = np.append(_scores(alone), _scores(setting.explanation))
    return scenes.dots(
        "score above its threshold",
        _scores(explanation),
        setting,
        ends=(float(both.min()), float(both.max())),
        bar=Bar(0.0, "threshold"),
        ascending=False,
    )


def added(explanation: Explanation, setting: LessonSetting, label: int) -> FloatArray:
    """Return the contribution of each column of the data to the score of a label."""
    parts = explanation.evidence(ScoreParts)
    weights = sum(weights[:, label] for weights in parts.weights.values())
    columns = setting.dataset.schema.column_of_feature
    return np.bincount(columns, weights=parts.inputs * weights).astype(np.float64)


def _why(setting: LessonSetting, alone: Explanation, rare: int) -> LessonStep:
    added_alone, added_shared = (
        added(explanation, setting, rare) for explanation in (alone, setting.explanation)
    )
    change = np.abs(added_shared - added_alone)
    drawn_columns = np.sort(np.argsort(-change, kind="stable")[:_COLUMNS_SHOWN])
    most_changed = int(np.argmax(change))
    names = [column.name for column in setting.dataset.schema.columns]
    values = {
        "rare": Label(rare),
        "feature": names[most_changed],
        "before": f"{added_alone[most_changed]:+.2f}",
        "after": f"{added_shared[most_changed]:+.2f}",
    }
    one_side = _side_of_mean(setting, rare, most_changed)
    reason = "{feature} adds {before} alone, {after} together."
    if abs(added_shared[most_changed]) >= abs(added_alone[most_changed]):
        reason += " Sharing moves it towards what the other labels need."
    elif one_side is not None:
        side, values["n"], values["mean"] = one_side
        reason += (
            f" All {{n}} cases with {{rare}} have it {side} the mean, {{mean}}. That may be "
            "chance; learned together, it counts less."
        )
    else:
        reason += " Sharing shrinks what other labels do not confirm."
    options = tuple(names[j] for j in drawn_columns)
    rows = {
        "alone": _summands(alone, rare, added_alone, drawn_columns),
        "together": _summands(setting.explanation, rare, added_shared, drawn_columns),
    }
    if shared.rounded(rows["together"][:-1].tolist(), rows["together"][-1]):
        reason += " All numbers are rounded."
    heads = (
        setting.nouns.insert("mean case"),
        *_without_units(options),
        *(("others",) if len(drawn_columns) < len(names) else ()),
        "score",
    )
    near = "".join(sorted({shared.rounded(row[:-1].tolist(), row[-1]) for row in rows.values()}))
    return LessonStep(
        "What changes",
        Text(
            "The score of {rare}, learned alone: that of the mean case (each feature at its "
            f"mean), plus what each feature adds{near}.",
            values,
        ),
        scenes.below(_dots_of(setting, alone, alone), _added({"alone": rows["alone"]}, heads)),
        Ask(
            Text("Which feature changes most when labels learn together?"),
            Pick(options, frozenset({drawn_columns.tolist().index(most_changed)}), several=False),
            Text(reason, values),
            scenes.below(_dots_of(setting, alone, setting.explanation), _added(rows, heads)),
        ),
    )


def shared_weights(setting: LessonSetting) -> FloatArray:
    """Return the labels' shared weights for the features, (n_features, n_labels).

    Without a row where the features are not the columns of the data.
    """
    weights = setting.explanation.evidence(ScoreParts).weights["shared part"]
    schema = setting.dataset.schema
    is_plain = not setting.dataset.is_sparse and len(schema.columns) == len(weights)
    return weights if is_plain else np.zeros((0, weights.shape[1]))


def most_alike(weights: FloatArray, label: int) -> int | None:
    """Return the label whose column of weights points most in the direction of another's."""
    lengths = np.linalg.norm(weights, axis=0)
    others = [other for other in np.flatnonzero(lengths > 0).tolist() if other != label]
    if not others or not lengths[label]:
        return None
    cosines = weights[:, others].T @ weights[:, label] / lengths[others]
    return others[int(np.argmax(cosines))]


def _helpers(setting: LessonSetting, rare: int) -> list[LessonStep]:
    """Return the step on the label that shares most with the rarest; none without one."""
    weights = shared_weights(setting)
    helper = most_alike(weights, rare)
    if helper is None:
        return []
    relevance = setting.dataset.relevance[setting.case.training_rows] > 0
    values = {
        "rare": Label(rare),
        "helper": Label(helper),
        "both": int((relevance[:, rare] & relevance[:, helper]).sum()),
        "n": int(relevance[:, rare].sum()),
        "others": int(relevance[:, helper].sum()),
    }
    together = "{both} of {n} cases with {rare} have it. " if values["both"] else ""
    reason = f"{{helper}}. {together}All {{others}} cases with {{helper}} help to learn {{rare}}."
    labels = sorted({*setting.scene.shown, rare, helper})
    other_labels = [label for label in labels if label != rare]
    return [
        LessonStep(
            "Who helps?",
            Text(
                "Weights that labels learn together. Labels that go together get rows that are "
                "alike. Blue: a value above the mean raises the score. Orange: it lowers it."
            ),
            _weights(setting, weights, labels),
            Ask(
                Text("Whose row is most like that of {rare}?", values),
                Pick(
                    tuple(setting.names[label] for label in other_labels),
                    frozenset({other_labels.index(helper)}),
                    several=False,
                ),
                Text(reason, values),
            ),
        )
    ]


def _weights(setting: LessonSetting, weights: FloatArray, labels: Sequence[int]) -> Picture:
    """Draw the weights of labels, a row each, for the features with the largest."""
    columns = np.sort(np.argsort(-np.abs(weights).max(axis=1), kind="stable")[:_COLUMNS_SHOWN])
    drawn = weights[columns][:, list(labels)].T
    features = _without_units([setting.dataset.schema.columns[j].name for j in columns])
    names = [setting.names[label] for label in labels]
    cell_texts = [[markup.signed(value) for value in row] for row in drawn]
    table = pd.DataFrame(drawn, columns=features)
    table.insert(0, "label", names)
    widest = float(np.abs(drawn).max()) or 1.0
    return Picture(
        "weights",
        "; ".join(f"{name}: {', '.join(row)}" for name, row in zip(names, cell_texts, strict=True)),
        table,
        markup=markup.matrix(Tinted(drawn / widest, cell_texts, names, features)),
    )


def _side_of_mean(setting: LessonSetting, label: int, column: int) -> tuple[str, int, float] | None:
    """Return the side of a feature's mean on which all cases with a label lie, n and the mean."""
    schema, rows = setting.dataset.schema, setting.case.training_rows
    if schema.columns[column].kind != "numeric" or setting.dataset.is_sparse:
        return None
    values = setting.dataset.X[rows, schema.starts[column]]
    mean, own_values = values.mean(), values[setting.dataset.relevance[rows, label] > 0]
    is_above = own_values > mean
    if is_above.any() != is_above.all() or np.isclose(own_values, mean).any():
        return None
    return "above" if is_above.all() else "below", len(own_values), float(mean)


def _summands(
    explanation: Explanation, label: int, features: FloatArray, drawn_columns: IntArray
) -> FloatArray:
    """Return a score above its threshold, and before it its summands."""
    score = float(_scores(explanation)[label])
    other_sum = features.sum() - features[drawn_columns].sum()
    other_terms = [other_sum] if len(drawn_columns) < len(features) else []
    return np.array([score - features.sum(), *features[drawn_columns], *other_terms, score])


def _added(rows: dict[str, FloatArray], names: tuple[str, ...]) -> Picture:
    values = np.array(list(rows.values()))
    widest = float(np.abs(values).max()) or 1.0
    cell_texts = [[markup.signed(value) for value in row] for row in values]
    table = pd.DataFrame(values, index=list(rows), columns=list(names)).reset_index(names="learned")
    return Picture(
        "added",
        "; ".join(f"{name}: {', '.join(row)}" for name, row in zip(rows, cell_texts, strict=True)),
        table,
        markup=markup.matrix(Tinted(values / widest, cell_texts, list(rows), list(names))),
    )


def _directions(setting: LessonSetting, alone: Explanation) -> LessonStep:
    view = setting.explanation.evidence(SubspaceView)
    top = int(np.argmax(view.shared))
    largest = Label(top)
    values: dict[str, Any] = {
        "r": count_of(view.n_components, "direction"),
        "top": largest,
        "value": float(view.shared[top]),
    }
    ways, named = _most_in_axes(setting, view)
    values |= named
    intro = (
        f"All labels share {{r}}{ways}. ◆ is the case. Each line shows a label's weights on them, "
        "all scaled alike."
    )
    products = view.directions[top] * view.case
    worked = ""
    if np.isclose(products.sum(), view.shared[top]):
        (x, y), (weight_x, weight_y) = view.case, view.directions[top]
        sign = "+" if y >= 0 else "−"
        worked = (
            f", the places of ◆ times its weights: {x:.3f} × {weight_x:.3f} {sign} "
            f"{abs(y):.3f} × {weight_y:.3f}"
        )
    return LessonStep(
        "The shared directions",
        Text(intro, values),
        stacked(
            _dots_of(setting, alone, setting.explanation),
            scenes.evidence_picture(setting, SubspaceView),
            is_abreast=True,
        ),
        Ask(
            Text("Which label gets the largest shared part?"),
            shared.one_label(setting, largest),
            Text(
                f"{{top}}, {{value}}{worked}. Its line is long and points towards ◆. A line at a "
                "right angle gets 0, one that points away less.",
                values,
            ),
        ),
    )


def _most_in_axes(setting: LessonSetting, view: SubspaceView) -> tuple[str, dict[str, str]]:
    """Name the feature that each axis follows most; nothing where the view does not hold all."""
    parts, dataset = setting.explanation.evidence(ScoreParts), setting.dataset
    is_whole = np.allclose(view.directions @ view.case, view.shared)
    if dataset.is_sparse or not is_whole or np.linalg.matrix_rank(view.directions) < 2:
        return "", {}
    axes = parts.weights["shared part"] @ np.linalg.pinv(view.directions.T)
    spread = dataset.X[setting.case.training_rows].std(axis=0)
    if setting.case.units is not None:
        spread = spread / setting.case.units[1]
    names = _without_units([column.name for column in dataset.schema.columns])
    ways, values = [], {}
    for number, changes in enumerate((axes * spread[:, None]).T, start=1):
        most = int(np.argmax(np.abs(changes)))
        values[f"axis_{number}"] = names[dataset.schema.column_of_feature[most]]
        way = "rises" if changes[most] > 0 else "falls"
        ways.append(f"dimension {number} {way} most with {{axis_{number}}}")
    if len(" ".join(values.values()).split()) > _WORDS_OF_AXES:
        return "", {}
    return f": {', '.join(ways)}", values


def _without_units(names: Sequence[str]) -> list[str]:
    """Return the names of features without their units, where they can still be told apart."""
    short = [name.partition(" (")[0] for name in names]
    return short if len(set(short)) == len(names) else list(names)


def _parts(setting: LessonSetting, rare: int) -> LessonStep:
    parts = setting.explanation.evidence(ScoreParts)
    summands = {"baseline (the mean case's score)": parts.baseline, **parts.parts}
    numbers = [float(values[rare]) for values in summands.values()]
    score = float(parts.scores[rare])
    summed = ", ".join(
        f"{name} {markup.signed(number)}" for name, number in zip(summands, numbers, strict=True)
    )
    intro = (
        f"Each score (◆) is a sum. That of {{rare}}: {summed}, together {{score}}"
        f"{shared.rounded(numbers, score)}. A label is predicted above its threshold."
    )
    return LessonStep(
        "What each score is made of",
        Text(intro, {"rare": Label(rare), "score": markup.signed(score)}),
        scenes.evidence_picture(setting, ScoreParts),
    )


LESSON = Lesson(
    "mlls",
    "Shared subspace",
    "Labels share what they learn",
    "One part of a label's weights is its own; the other lies in a few directions "
    "all labels share.",
    "mlls",
    (
        Example(
            "Two days with ice cream",
            _BEACH,
            (9.0, 9.0, 1.0),
            {"alpha": 100.0, "beta": 0.1, "n_components": 2, "threshold": "zero"},
            nouns=shared.DAYS_AND_OUTINGS,
        ),
    ),
    ("alpha", "beta", "n_components"),
    make_steps,
    Task.MULTILABEL,
    skill="take a score apart",
    skill_details=": its baseline, what is the label's own, and what labels share",
    minutes=4,
)
