"""Neighbours: the circle of k grows, and the cases in it agree on one ranking."""

import numpy as np

from labelrank_core.aggregation import aggregate
from labelrank_core.explain.evidence import (
    Confidence,
    Label,
    LabelScores,
    LeaveOneOut,
    Neighbors,
    Text,
)
from labelrank_core.explain.render import Picture
from labelrank_core.rankings import FloatArray
from pages.learn import scenes
from pages.learn.lessons import shared
from pages.learn.lessons.shared import DAYS_AND_DRINKS, DRINKS, how_sure, with_ties
from pages.learn.story import (
    Ask,
    Example,
    Lesson,
    LessonSetting,
    LessonStep,
    Number,
    Pick,
    stacked,
)

_MOST_OPTIONS, _MOST_WORKED = 8, 5
# Of the two nearest days one is for tea and one for water.
_TIED = DRINKS.replace("22,6,water>lemonade>tea", "22,6,water>tea>lemonade")


def make_steps(setting: LessonSetting) -> list[LessonStep]:
    """Return the steps to the ranking on which the most similar cases agree."""
    near = setting.explanation.evidence(Neighbors)
    sizes = sorted({1, 2, len(near.rows)} & set(range(1, len(near.rows) + 1)))
    # The days stay on the stage; where near is not near in a picture, it is only shown once.
    plane = scenes.cases_picture(setting, len(near.rows)) if scenes.has_circle(setting) else None
    steps = [shared.rankings(setting), _who_counts(setting, near)]
    steps += [_grows(setting, near, size) for size in sizes]
    steps.append(_mean_ranks(setting, near, plane))
    decides = setting.explanation.find(LeaveOneOut)
    if decides is not None and len(near.rows) > 1:
        strips_picture = _ranking_strips(setting, decides)
        steps.append(shared.decides(setting, decides, strips_picture, basis=plane))
    confidence = setting.explanation.evidence(Confidence)
    if confidence.defined:
        steps.append(_confidence(setting, confidence, plane))
    return [*steps, shared.answer(setting, basis=plane)]


def _who_counts(setting: LessonSetting, near: Neighbors) -> LessonStep:
    k, rows = len(near.rows), shared.near_rows(setting)
    options = scenes.some_rows(setting, rows[: _MOST_OPTIONS - 2], _MOST_OPTIONS)
    inside = frozenset(i for i, row in enumerate(options) if row in rows)
    marks = {row: setting.row_names[row] for row in options}
    values = {"k": k, "far": float(near.distances[-1]), "d": setting.dataset.n_features}
    is_round = scenes.has_circle(setting)
    reason = "The {k} nearest in all {d} features lie within distance {far}. They are joined here."
    if is_round:
        reason = (
            "Similar means near: the {k} nearest lie within distance {far}, the circle. Distance: "
            "square the differences of the features, add them up, take the root."
        )
    map_picture = scenes.cases_picture(setting, 0, marks)
    intro = "Similar cases have similar rankings. Only the {k} most similar ones count."
    if is_round:
        intro += " Colour: the label that a case ranks first. Ring: the case to predict."
    return LessonStep(
        "Who counts?",
        Text(intro, values),
        map_picture if is_round else scenes.rows_picture(setting, options),
        Ask(
            Text("Which cases are among the {k} nearest?", values),
            Pick(tuple(marks.values()), inside),
            Text(reason, values),
            scenes.cases_picture(setting, k, marks),
        ),
    )


def _grows(setting: LessonSetting, near: Neighbors, size: int) -> LessonStep:
    rankings = near.rankings[:size]
    row_names = shared.near_names(setting)
    first = Label(int(np.argmin(aggregate(rankings))))
    values = {"row": row_names[size - 1], "k": size, "first": first}
    rankings_picture = scenes.strips(rankings, row_names[:size], setting, "ranking")
    picture = stacked(scenes.cases_picture(setting, size), rankings_picture)
    intro = "Now {k} cases count. The last to enter is {row}."
    if size == 1:
        intro = (
            "k is how many cases count. With k = 1 it is the nearest, {row}. Its ranking is the "
            "answer: {first} first."
        )
    elif scenes.has_circle(setting):
        intro = "The circle grows to {k} cases. The last to enter is {row}."
    if size < len(near.rows) and near.distances[size - 1] == near.distances[size]:
        values["other"] = row_names[size]
        intro += " {other} is equally near: the case listed first enters."
    if size == 1:
        return LessonStep("k = 1", Text(intro, values), picture)
    return LessonStep(
        f"k = {size}",
        Text(intro, values),
        picture,
        Ask(
            Text("Which label has the best mean rank, its average position (1 is best)?"),
            shared.one_label(setting, first),
            _first_of(rankings, first),
        ),
    )


def _first_of(rankings: FloatArray, first: Label) -> Text:
    """Say which label has the best mean rank, and name a tie as one."""
    means = rankings.mean(axis=0)
    tied = tuple(Label(int(label)) for label in np.flatnonzero(means == means.min()))
    values = {"first": first, "tied": tied, "mean": float(means.min())}
    if len(tied) > 1:
        template = (
            "A tie: {tied} share the best mean rank, {mean}. The first in the list of labels "
            "wins: {first}."
        )
        return Text(template, values)
    ranks = rankings[:, first.index]
    values["worked"] = f"({' + '.join(f'{rank:g}' for rank in ranks)}) / {len(ranks)}"
    if len(ranks) > _MOST_WORKED:
        return Text("{first} has the best mean rank, {mean}.", values)
    return Text("{first} has the best mean rank: {worked} = {mean}.", values)


def _mean_ranks(setting: LessonSetting, near: Neighbors, plane: Picture | None) -> LessonStep:
    scores = setting.explanation.evidence(LabelScores)
    # The steps before give the mean rank of the first label.
    last = setting.explanation.order[-1]
    last_ranks, value = near.rankings[:, last], float(scores.values[last])
    row_names = shared.near_names(setting)
    values = {
        "last": Label(last),
        "k": len(last_ranks),
        "value": value,
        "sum": f"{last_ranks.sum():g}",
    }
    reason = Text(
        "Its ranks add up to {sum}; divided by {k} that is {value}. The lowest mean rank comes "
        "first.",
        values,
    )
    return LessonStep(
        "Mean ranks",
        Text("Each label gets the mean of its positions in the {k} rankings.", values),
        scenes.below(plane, scenes.strips(near.rankings, row_names, setting, "ranking")),
        Ask(
            Text("What is the mean rank of {last}?", values),
            Number(value, 1.0, float(setting.dataset.n_labels), 0.05),
            with_ties(reason, scores.values, setting, scores.tie_rule),
            scenes.dots(scores.title, scores.values, setting),
            is_added=True,
        ),
    )


def _ranking_strips(setting: LessonSetting, evidence: LeaveOneOut) -> Picture:
    row_names = [setting.row_names[row] for row in setting.case.training_rows[evidence.rows]]
    return scenes.strips(evidence.rankings, row_names, setting, "ranking")


def _confidence(
    setting: LessonSetting, confidence: Confidence, plane: Picture | None
) -> LessonStep:
    near = setting.explanation.evidence(Neighbors)
    reason = how_sure(setting, confidence, near.rankings)
    compared = scenes.with_row(
        setting,
        near.rankings,
        shared.near_names(setting),
        setting.explanation.positions,
        "predicted",
    )
    picture = stacked(compared, scenes.evidence_picture(setting, Confidence))
    return LessonStep("How sure?", reason, scenes.below(plane, picture))


LESSON = Lesson(
    "knn",
    "Neighbours",
    "Ask the neighbours",
    "Similar cases have similar rankings: find the k most similar ones, and let them agree.",
    "knn",
    (
        Example("A mild day", DRINKS, (20.0, 6.0), {"n_neighbors": 3}, nouns=DAYS_AND_DRINKS),
        Example("A tie", _TIED, (19.5, 5.5), {"n_neighbors": 2}, nouns=DAYS_AND_DRINKS),
    ),
    ("n_neighbors",),
    make_steps,
    skill="predict a ranking by hand",
    skill_details=": find the most similar cases, and order the labels by their mean rank",
    minutes=5,
)
