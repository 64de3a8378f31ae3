"""The zero line: a virtual label that divides relevant labels from the others, and moves with p."""

import numpy as np

from labelrank_core import Task
from labelrank_core.data.schema import decimal_text
from labelrank_core.explain.evidence import (
    Explanation,
    GapDial,
    Label,
    LabelScores,
    LeaveOneOutSets,
    Neighbors,
    Text,
)
from labelrank_core.explain.render.markup.dots import Bar
from pages.learn import scenes
from pages.learn.lessons import shared
from pages.learn.lessons.shared import DAYS_AND_OUTINGS, OUTINGS
from pages.learn.story import Ask, Example, Lesson, LessonSetting, LessonStep, Number, Pick

_GAPS = (1, 2, 3)
_MOST_WORKED = 5
_THREE_CASES = """x,labels
1,a
2,a
3,b
9,c;d
10,e
11,c
"""


def make_steps(setting: LessonSetting) -> list[LessonStep]:
    """Return the steps on labels ranked with a line among them, and on more virtual labels."""
    n_virtual_labels = int(setting.choice.values["n_virtual_labels"])
    scores = _mean_ranks(setting.explanation)
    prefix = f"Here p = {n_virtual_labels}. "
    ahead_text = _ahead(setting, setting.explanation, scores, n_virtual_labels)
    answer_text = Text(prefix + ahead_text.template, ahead_text.values)
    steps = [shared.label_sets(setting, answer_text), _shares(setting)]
    steps += [_gap(setting, gap) for gap in _GAPS]
    steps.append(_dial(setting))
    decides = setting.explanation.find(LeaveOneOutSets)
    if decides is not None and len(decides.rows) > 1:
        steps.append(shared.decides(setting, decides, scenes.near_sets(setting), prefix))
    basis = shared.sets_that_stay(setting)
    return [*steps, shared.answer(setting, answer_text, scores, basis=basis)]


def _mean_ranks(explanation: Explanation) -> LabelScores:
    """Return the mean ranks of the labels; the shares that decide come before them."""
    return next(
        step.evidence
        for step in explanation.steps
        if isinstance(step.evidence, LabelScores) and not step.evidence.greater_is_better
    )


def _shares(setting: LessonSetting) -> LessonStep:
    near, dial = setting.explanation.evidence(Neighbors), setting.explanation.evidence(GapDial)
    top, k = setting.explanation.order[0], len(near.rows)
    share = float(dial.shares[top])
    values = {"k": k, "top": Label(top), "n": round(share * k), "share": share}
    return LessonStep(
        "Similar cases",
        Text("The {k} most similar cases, the nearest first, and the labels they have.", values),
        scenes.near_sets(setting),
        Ask(
            Text("What share of them has {top}?", values),
            Number(share, 0.0, 1.0),
            shared.with_ties(
                Text("{n} of {k}. Shares order the labels: {top} leads with {share}.", values),
                dial.shares,
                setting,
                setting.explanation.evidence(LabelScores).tie_rule,
            ),
            scenes.dots("share of the similar cases", dial.shares, setting, ascending=False),
            is_added=True,
        ),
    )


def _gap(setting: LessonSetting, gap: int) -> LessonStep:
    explanation = setting.explanation_with(n_virtual_labels=gap)
    scores = _mean_ranks(explanation)
    line = float(scores.bar or 0.0)
    bar = Bar(line, f"zero line, p = {gap}")
    intro = (
        "With p = {p}, as many virtual labels stand between those a case has and the others. "
        "The line is their mean rank: {bar}."
    )
    if gap == _GAPS[0]:
        intro = (
            "Rank each case: its labels, then p = {p} virtual label (invented), then the rest. "
            "Labels of one side share their mean place. The virtual label's mean rank is the zero "
            "line: {bar}."
        )
    ends = (1.0, float(setting.dataset.n_labels + _GAPS[-1]))
    labels, basis = sorted(setting.scene.shown), shared.sets_that_stay(setting)
    ahead = np.flatnonzero(explanation.prediction).tolist()
    right = frozenset(labels.index(label) for label in ahead)
    return LessonStep(
        f"p = {gap}",
        Text(intro, {"p": gap, "bar": line}),
        scenes.below(basis, scenes.dots("mean rank", scores.values, setting, ends=ends)),
        Ask(
            Text("Which labels are ahead of the line?"),
            Pick(tuple(setting.names[label] for label in labels), right),
            _ahead(setting, explanation, scores, gap),
            scenes.below(
                basis, scenes.dots("mean rank", scores.values, setting, ends=ends, bar=bar)
            ),
        ),
    )


def _worked(setting: LessonSetting, label: int, gap: int) -> str:
    """Return the arithmetic from the ranks of a label to its mean rank, with one virtual label."""
    ranks = setting.explanation.evidence(Neighbors).rankings[:, label]
    if gap != 1 or len(ranks) > _MOST_WORKED:
        return ""
    return f"({' + '.join(f'{rank:g}' for rank in ranks)}) / {len(ranks)} = "


def _ahead(setting: LessonSetting, explanation: Explanation, scores: LabelScores, gap: int) -> Text:
    """Say which labels are ahead of the line, and name a tie with it as one."""
    top = explanation.order[0]
    values = {
        "ahead": shared.listed(
            [label for label in explanation.order if explanation.prediction[label]]
        ),
        "top": Label(top),
        "mean": _worked(setting, top, gap) + decimal_text(scores.values[top]),
        "bar": float(scores.bar or 0.0),
    }
    tied = [label for label in explanation.order if scores.values[label] == scores.bar]
    if tied:
        values["tied"] = shared.listed(tied)
        return Text(
            "A tie: {tied} and the line share the mean rank {bar}. A label must be ahead of the "
            "line. Predicted: {ahead}.",
            values,
        )
    if not explanation.prediction.any():
        return Text("None: even {top}, the first, has {mean}; the line has {bar}.", values)
    return Text("{top} has {mean}, the line {bar}. Predicted: {ahead}.", values)


def _dial(setting: LessonSetting) -> LessonStep:
    dial = setting.explanation.evidence(GapDial)
    first, last = float(dial.bars[0]), float(dial.bars[-1])
    m = setting.dataset.n_labels
    values = {
        "m": m,
        "s": float(dial.shares.sum()),
        "first": first,
        "last": last,
        "n": int(dial.gaps[-1]),
    }
    intro = (
        "In shares the line is (m − s + p) / (m + 2p), with m = {m} labels, s = {s} on "
        "average per similar case: {first} for p = 1."
    )
    reason = "({m} − {s} + {n}) / ({m} + 2 × {n}) = {last}: the larger p, the closer to one half."
    if dial.crossings:
        reason += " At a dot the line crosses a label: with a larger p it is on the other side."
    basis = shared.sets_that_stay(setting)
    shares_picture = scenes.dots(
        "share of the similar cases", dial.shares, setting, ascending=False
    )
    return LessonStep(
        "The line moves",
        Text(intro, values),
        scenes.below(basis, shares_picture),
        Ask(
            Text("Where is the line with p = {n}?", values),
            Number(last, 0.0, 1.0),
            Text(reason, values),
            scenes.below(basis, scenes.evidence_picture(setting, GapDial)),
            guessed=lambda line: scenes.below(
                basis,
                scenes.dots(
                    "share of the similar cases",
                    dial.shares,
                    setting,
                    bar=Bar(line, "your line"),
                    ascending=False,
                ),
            ),
        ),
    )


LESSON = Lesson(
    "mlr",
    "Zero line",
    "A line between yes and no",
    "Rank the labels together with a virtual label, the zero line: labels ahead of "
    "it are relevant.",
    "mlr",
    (
        Example(
            "A changeable day", OUTINGS, (16.0, 5.0), {"n_neighbors": 3}, nouns=DAYS_AND_OUTINGS
        ),
        Example(
            "The paper's example: p = 1, 2, 3",
            _THREE_CASES,
            (2.0,),
            {"n_neighbors": 3, "n_virtual_labels": 1},
            "Brinker and Hüllermeier 2007, two of three cases have a.",
        ),
    ),
    ("n_neighbors", "n_virtual_labels"),
    make_steps,
    Task.MULTILABEL,
    skill="choose labels by hand",
    skill_details=": rank them with a zero line, and move the line with p",
    minutes=5,
)
