"""Ranking models: Mallows with a centre and θ, Plackett-Luce with a strength per label."""

from math import exp, isfinite
from typing import Any

import numpy as np

from labelrank_core.aggregation import consensus_losses
from labelrank_core.explain.evidence import (
    ChoiceChances,
    Label,
    LabelScores,
    MallowsFit,
    Neighbors,
    Text,
    WinShares,
)
from labelrank_core.explain.render import Picture, picture
from labelrank_core.methods import ModelChoice
from labelrank_core.rankings import FloatArray, format_ranking, list_names
from pages.learn import scenes
from pages.learn.lessons import shared
from pages.learn.lessons.shared import DAYS_AND_DRINKS, DRINKS
from pages.learn.story import Ask, Example, Lesson, LessonSetting, LessonStep, Number

_MOST_TIMES = 20.0


def make_steps(setting: LessonSetting) -> list[LessonStep]:
    """Return the steps on a centre with a spread, and on strengths, of the same rankings."""
    k = setting.choice.values["n_neighbors"]
    around = setting.case_with(
        ModelChoice("ib_m", (), setting.choice.scaled, setting.choice.tfidf).with_params(
            n_neighbors=k
        )
    ).explanation
    fit = around.evidence(MallowsFit)
    both_text = _both(setting, fit)
    steps = [shared.rankings(setting, both_text), _centre(setting, fit), _spread(setting, fit)]
    if isfinite(fit.theta) and exp(fit.theta) <= _MOST_TIMES:
        steps.append(_theta(setting, fit))
    return [
        *steps,
        *_strengths(setting),
        shared.answer(setting, both_text, basis=shared.rankings_that_stay(setting)),
    ]


def _both(setting: LessonSetting, fit: MallowsFit) -> Text:
    """Return the predictions of both models as text: a centre, and the order of the strengths."""
    template = "Plackett and Luce predict the order of the strengths, drawn. "
    if np.array_equal(fit.centre, setting.explanation.positions):
        return Text(template + "Mallows predicts the centre: the same order here.")
    centre = format_ranking(fit.centre, setting.names)
    return Text(template + "Mallows predicts the centre: {centre}.", {"centre": centre})


def _near(setting: LessonSetting) -> tuple[Neighbors, list[str]]:
    near = setting.explanation.evidence(Neighbors)
    return near, shared.near_names(setting)


def _centre(setting: LessonSetting, fit: MallowsFit) -> LessonStep:
    near, row_names = _near(setting)
    n_pairs = len(fit.observed) - 1
    level = [
        row
        for row, ranking in zip(row_names, near.rankings, strict=True)
        if not np.array_equal(ranking, fit.centre)
        and np.isclose(consensus_losses(near.rankings, ranking).kendall, fit.mean_distance)
    ]
    values: dict[str, Any] = {"k": len(row_names), "mean": fit.mean_distance, "pairs": n_pairs}
    reason = "{mean} of {pairs} pairs. That average decides how wide the model spreads."
    if not (near.rankings == fit.centre).all(axis=1).any():
        reason += " The centre is none of these rankings."
    if level:
        reason += " A tie: as centre {rows} would reverse as few; the mean ranks decide."
        values["rows"] = list_names(level, "or")
    return LessonStep(
        "A centre",
        Text(
            "Mallows: one ranking is the centre; others are rarer the more of its pairs "
            "they reverse. Last row: the centre of these {k}.",
            values,
        ),
        scenes.with_row(setting, near.rankings, row_names, fit.centre, "centre"),
        Ask(
            Text("How many pairs do they reverse on average?"),
            Number(fit.mean_distance, 0.0, float(n_pairs), 0.05),
            Text(reason, values),
        ),
    )


def _spread(setting: LessonSetting, fit: MallowsFit) -> LessonStep:
    values = {"theta": fit.theta, "mean": fit.mean_distance}
    intro = (
        "θ is chosen so that {mean} reversed pairs are expected: θ = {theta}. With θ = 0 all "
        "rankings are equally probable; the larger θ, the nearer to the centre they stay."
    )
    if not isfinite(fit.theta):
        intro = "All have the same ranking, so θ is infinite: only the centre is possible."
    return LessonStep("How near to the centre: θ", Text(intro, values), _distances(setting, fit))


def _distances(setting: LessonSetting, fit: MallowsFit) -> Picture:
    """Draw how far the rankings are from the centre, below them."""
    distances = scenes.plain(picture(fit, setting.scene))
    return scenes.below(shared.rankings_that_stay(setting), distances)


def _theta(setting: LessonSetting, fit: MallowsFit) -> LessonStep:
    times = exp(fit.theta)
    values = {"theta": fit.theta, "times": times}
    return LessonStep(
        "What θ means",
        Text(
            "Each reversed pair makes a ranking e^θ times less probable; here θ = {theta}. Drawn: "
            "all rankings with as many reversed pairs together; more rankings have 1 than 0.",
            values,
        ),
        _distances(setting, fit),
        Ask(
            Text("How many times less probable is one reversed pair?"),
            Number(times, 1.0, _MOST_TIMES, 0.05),
            Text("e^{theta} = {times}. Two reversed pairs: that number squared.", values),
        ),
    )


def _whole_probability(strengths: FloatArray) -> float:
    """Return the probability of the order of the strengths by Plackett and Luce."""
    ordered = np.sort(strengths)[::-1]
    left = np.cumsum(ordered[::-1])[::-1]
    return float(np.prod(ordered / left))


def _strengths(setting: LessonSetting) -> list[LessonStep]:
    explanation = setting.explanation
    scores, chances = explanation.evidence(LabelScores), explanation.evidence(ChoiceChances)
    first, second = (int(label) for label in chances.order[:2])
    near, row_names = _near(setting)
    strength, basis = scores.values, shared.rankings_that_stay(setting)
    choices_picture = scenes.below(basis, scenes.evidence_picture(setting, ChoiceChances))
    values: dict[str, Any] = {
        "k": len(row_names),
        "s": f"{setting.choice.values['smoothing']:g}",
        "a": Label(first),
        "b": Label(second),
        "p": float(strength[first]),
        "q": float(strength[second]),
        "next": float(chances.chances[1, 1]) if len(chances.chances) > 1 else 1.0,
        "pair": float(strength[first] / (strength[first] + strength[second])),
        "left": 1 - float(strength[first]),
        "both": float(strength[first] + strength[second]),
        "whole": _whole_probability(strength),
    }
    return [
        LessonStep(
            "Strengths",
            Text(
                "Plackett and Luce choose from the top, by strengths that add up to 1. These make "
                "the {k} rankings, and {s} added wins of each label over each other, most "
                "probable.",
                values,
            ),
            scenes.strips(near.rankings, row_names, setting, "ranking"),
            Ask(
                Text("How probable is {a} as first choice?", values),
                Number(values["p"], 0.0, 1.0),
                shared.with_ties(
                    Text(
                        "{p}, its strength. The {s} wins added keep every strength above 0.", values
                    ),
                    strength,
                    setting,
                ),
                scenes.dots("strength", strength, setting, ascending=False),
                is_added=True,
            ),
        ),
        LessonStep(
            "Choice by choice",
            Text(
                "{a} (strength {p}) is taken. Among the rest, strengths decide again; {b} has {q}.",
                values,
            ),
            scenes.below(basis, scenes.dots("strength", strength, setting, ascending=False)),
            Ask(
                Text("How probable is {b} now?", values),
                Number(values["next"], 0.0, 1.0),
                Text(
                    "{q} of the {left} that are left: {next}. A ranking is as probable as all its "
                    "choices multiplied; for the order of the strengths {whole}.",
                    values,
                ),
                choices_picture,
            ),
        ),
        LessonStep(
            "Pair by pair",
            Text(
                "Of two labels, which is ahead? Only their own strengths count: {p} and {q}.",
                values,
            ),
            choices_picture,
            Ask(
                Text("How probable is {a} ahead of {b}?", values),
                Number(values["pair"], 0.0, 1.0),
                Text("{p} of {both} together: {pair}.", values),
                scenes.below(basis, scenes.evidence_picture(setting, WinShares)),
            ),
        ),
    ]


LESSON = Lesson(
    "models",
    "Ranking models",
    "How probable is a ranking?",
    "Two models of rankings: a centre and how near to it they stay, θ (Mallows), a strength per "
    "label (Plackett-Luce).",
    "ib_pl",
    (Example("A mild day", DRINKS, (20.0, 6.0), {"n_neighbors": 4}, nouns=DAYS_AND_DRINKS),),
    ("n_neighbors",),
    make_steps,
    skill="compute how probable a ranking is",
    skill_details=", by Mallows and by Plackett and Luce",
)
