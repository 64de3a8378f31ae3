"""Ranking models: Mallows with a centre and θ, Plackett-Luce with a strength per label."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from math import exp, inf, isfinite, lgamma, log
from typing import Any

import numpy as np
import pandas as pd

from labelrank_core.aggregation import consensus_losses
from labelrank_core.data.schema import decimal_text
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
from labelrank_core.explain.render.markup.bar_rows import (
    BarRow,
    RowBar,
    RowMark,
    bar_rows,
    color_key,
)
from labelrank_core.explain.render.markup.elements import fragment
from labelrank_core.explain.render.markup.palette import ACCENT
from labelrank_core.methods import ModelChoice
from labelrank_core.rankings import FloatArray, format_ranking, list_names, strict_order
from pages.learn import scenes
from pages.learn.lessons import shared
from pages.learn.lessons.shared import DAYS_AND_DRINKS, DRINKS
from pages.learn.story import Ask, Example, Lesson, LessonSetting, LessonStep, Number

_MOST_TIMES, _MOST_STAYING, _MOST_FACTORS = 20.0, 6, 3
_LEAST_TIMES, _MOST_GAIN = 1.05, 1e6
# The rankings of more labels are too many to draw.
_MOST_PERMUTED = 3
# How many more rankings make a gap between a model and rankings clearly the largest.
_CLEARLY = 0.05
# Of more distances several share a bar.
_MOST_DISTANCES = 30
# In the drawing of one ranking's probability at each distance.
_MOST_STEPS = 5


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
        shared.answer(
            setting,
            both_text,
            replace(setting.explanation.evidence(LabelScores), highest=1.0),
            basis=shared.rankings_that_stay(setting),
            picture=_both_models(setting, fit),
        ),
    ]


def _both(setting: LessonSetting, fit: MallowsFit) -> Text:
    """Return the predictions of both models as text: a centre, and the order of the strengths."""
    template = "Plackett and Luce predict the order of strengths, Mallows the "
    use = (
        " Mallows makes all rankings at one distance from it equally probable, Plackett and Luce "
        "do not."
    )
    if np.array_equal(fit.centre, setting.explanation.positions):
        return Text(template + "centre: here the same order." + use)
    centre = format_ranking(fit.centre, setting.names)
    return Text(template + "centre: {centre}." + use, {"centre": centre})


def _both_models(setting: LessonSetting, fit: MallowsFit) -> Picture | None:
    """Draw the probability of each ranking by both models; None of many, or where one is sure."""
    strengths, n = setting.explanation.evidence(LabelScores).values, setting.dataset.n_labels
    if n > _MOST_PERMUTED or not isfinite(fit.theta):
        return None
    rankings = np.array([np.argsort(order) + 1.0 for order in permutations(range(n))])
    plackett_luce = np.exp([_log_chance(ranking, strengths) for ranking in rankings])
    distances = [round(consensus_losses(ranking[None], fit.centre).kendall) for ranking in rankings]
    mallows = np.array(_ranking_chances(setting, fit))[distances]
    by_chance = np.argsort(-plackett_luce, kind="stable")
    names = [format_ranking(rankings[i], setting.names) for i in by_chance]
    rows = [
        BarRow(
            name,
            "",
            [RowBar(0.0, by_strengths, ACCENT, f"Plackett and Luce {by_strengths:.3f}")],
            [RowMark(by_centre, "diamond", f"Mallows {by_centre:.3f}")],
        )
        for name, by_strengths, by_centre in zip(
            names, plackett_luce[by_chance].tolist(), mallows[by_chance].tolist(), strict=True
        )
    ]
    table = pd.DataFrame(
        {"ranking": names, "Plackett-Luce": plackett_luce[by_chance], "Mallows": mallows[by_chance]}
    )
    key = color_key([("■", ACCENT, "Plackett and Luce"), ("◆", "", "Mallows")])
    return Picture(
        "both-models",
        f"most probable by Plackett and Luce: {names[0]}",
        table,
        markup=fragment(key, bar_rows(rows, "probability of a ranking")),
    )


def _log_chance(ranking: FloatArray, strengths: FloatArray) -> float:
    """Return the logarithm of the probability of a ranking, choice by choice."""
    return float(np.log(_choice_probabilities(strengths[strict_order(ranking)])).sum())


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
    reason = "{mean} of {pairs} pairs on average."
    counts = [
        round(consensus_losses(ranking[None], fit.centre).kendall) for ranking in near.rankings
    ]
    if len(counts) <= _MOST_STAYING and np.isclose(np.mean(counts), fit.mean_distance):
        values["worked"] = f"({' + '.join(map(str, counts))}) / {len(counts)}"
        reason = "{worked} = {mean} of {pairs} pairs."
    if not (near.rankings == fit.centre).all(axis=1).any():
        reason += " The centre is none of these rankings."
    if level:
        reason += " With {rows} as centre it is the same; the mean ranks decide between them."
        values["rows"] = list_names(level, "or")
    return LessonStep(
        "A centre",
        Text(
            "In Mallows' model one ranking is the centre. The more of its pairs another one "
            "reverses, the rarer it is. The last row is the centre of the {k} most similar cases.",
            values,
        ),
        _with_centre(setting, fit),
        Ask(
            Text("How many pairs do they reverse on average?"),
            Number(fit.mean_distance, 0.0, float(n_pairs), 0.05),
            Text(reason, values),
        ),
    )


def _spread(setting: LessonSetting, fit: MallowsFit) -> LessonStep:
    gaps = np.abs(fit.observed - fit.expected)
    worst = int(np.argmax(gaps))
    values = {
        "theta": fit.theta,
        "mean": fit.mean_distance,
        "worst": worst,
        "observed": int(fit.observed[worst]),
        "expected": float(fit.expected[worst]),
    }
    intro = (
        "θ = {theta} is chosen so that the model expects {mean} reversed pairs, too. A larger θ "
        "means nearer to the centre; θ = 0 makes all rankings equally probable. "
    )
    is_clear = np.sum(gaps > gaps[worst] - _CLEARLY) == 1
    if len(gaps) <= _MOST_DISTANCES and is_clear:
        intro += "Furthest apart at {worst} reversed: {observed} rankings, {expected} expected."
    if not isfinite(fit.theta):
        intro = "All have the same ranking, so θ is infinite: only the centre is possible."
    return LessonStep("How near to the centre: θ", Text(intro, values), _distances(setting, fit))


def _distances(setting: LessonSetting, fit: MallowsFit) -> Picture:
    """Draw how far the rankings are from the centre, below both; of many alone."""
    return _below_centre(setting, fit, scenes.plain(picture(fit, setting.scene)))


def _below_centre(setting: LessonSetting, fit: MallowsFit, drawn: Picture) -> Picture:
    """Put a picture below the rankings and their centre, if these are few."""
    if fit.observed.sum() > _MOST_STAYING:
        return drawn
    return scenes.below(_with_centre(setting, fit), drawn)


def _with_centre(setting: LessonSetting, fit: MallowsFit) -> Picture:
    near, row_names = _near(setting)
    return scenes.with_row(setting, near.rankings, row_names, fit.centre, "centre")


def _theta(setting: LessonSetting, fit: MallowsFit) -> LessonStep:
    times, chances = exp(fit.theta), _ranking_chances(setting, fit)
    values: dict[str, Any] = {
        "theta": fit.theta,
        "times": times,
        "k": int(fit.observed.sum()),
        "ones": setting.dataset.n_labels - 1,
        "expected": float(fit.expected[0]),
        "centre": chances[0],
        "one": chances[1],
    }
    intro = "Each reversed pair divides the probability of a ranking by one factor."
    reason = "By {times}, from each new bar to the next. θ = {theta} is its natural logarithm."
    if len(fit.expected) <= _MOST_DISTANCES:
        intro += " The dot at 1 stands for {ones} rankings, the dot at 0 for the centre alone."
        reason += (
            " The model expects the centre {expected} times in {k}: probability {centre}. Then "
            "{centre} / {times} = {one}"
        )
        if len(chances) > 2:
            values["two"] = chances[2]
            reason += ", {one} / {times} = {two}"
        reason += "."
    return LessonStep(
        "What θ means",
        Text(intro, values),
        _distances(setting, fit),
        Ask(
            Text("By how much does one divide it?"),
            Number(times, 1.0, _MOST_TIMES, 0.05),
            Text(reason, values),
            _ranking_probabilities(setting, fit, chances),
        ),
    )


def _ranking_chances(setting: LessonSetting, fit: MallowsFit) -> list[float]:
    """Return the probability of one ranking at each small distance from the centre."""
    n_pairs = setting.dataset.n_labels * (setting.dataset.n_labels - 1) // 2
    centre = float(fit.expected[0] / fit.observed.sum())
    distances = range(min(n_pairs, _MOST_STEPS) + 1)
    return [centre * exp(-fit.theta * distance) for distance in distances]


def _ranking_probabilities(
    setting: LessonSetting, fit: MallowsFit, chances: Sequence[float]
) -> Picture:
    """Draw the probability of one ranking at each small distance from the centre."""
    names = ["centre", *(f"{distance} reversed" for distance in range(1, len(chances)))]
    rows = [
        BarRow(name, decimal_text(chance), [RowBar(0.0, chance, ACCENT, f"{chance:.3f}")])
        for name, chance in zip(names, chances, strict=True)
    ]
    drawn = Picture(
        "ranking-probabilities",
        "; ".join(f"{row.name}: {row.number}" for row in rows),
        pd.DataFrame({"ranking": names, "probability": chances}),
        markup=bar_rows(rows, "probability of one ranking"),
    )
    return _below_centre(setting, fit, drawn)


def _choice_probabilities(strengths: FloatArray) -> FloatArray:
    """Return the probability of each choice of labels that are taken in order, but the last."""
    remaining_sums = np.cumsum(strengths[::-1])[::-1]
    return (strengths / remaining_sums)[:-1]


def _times_as_probable(rankings: FloatArray, strengths: FloatArray) -> float:
    """Return how many times as probable strengths make rankings together as equal strengths do.

    Infinity where a ranking has ties or not all labels, and where it is a number beyond words.
    """
    if not (np.sort(rankings, axis=1) == np.arange(1, len(strengths) + 1)).all():
        return inf
    equal = len(rankings) * lgamma(len(strengths) + 1)
    log_times = sum(_log_chance(ranking, strengths) for ranking in rankings) + equal
    return exp(log_times) if log_times <= log(_MOST_GAIN) else inf


def _strengths(setting: LessonSetting) -> list[LessonStep]:
    explanation = setting.explanation
    scores, chances = explanation.evidence(LabelScores), explanation.evidence(ChoiceChances)
    first, second = (int(label) for label in chances.order[:2])
    near, row_names = _near(setting)
    strength, basis = scores.values, shared.rankings_that_stay(setting)
    choices_picture = scenes.below(basis, scenes.evidence_picture(setting, ChoiceChances))
    choices = _choice_probabilities(np.sort(strength)[::-1])
    more = " × …" if len(choices) > _MOST_FACTORS else ""
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
        "product": " × ".join(map(decimal_text, choices[:_MOST_FACTORS].tolist())) + more,
        "whole": float(choices.prod()),
    }
    n_first = int((near.rankings[:, first] == 1).sum())
    values["first"] = n_first
    by_places = "."
    if 0 < n_first < len(row_names):
        by_places = ": first in {first} of {k} rankings, but all positions count."
    gain = _times_as_probable(near.rankings, strength)
    if _LEAST_TIMES <= gain < inf:
        values["gain"] = f"{gain:,.1f}"
        by_places += " With equal strengths the {k} rankings are {gain} times less probable."
    return [
        LessonStep(
            "Strengths",
            Text(
                "Plackett and Luce give each label a strength: its probability as first choice. "
                "The strengths are fitted to the {k} rankings, to make them as probable as can be.",
                values,
            ),
            scenes.strips(near.rankings, row_names, setting, "ranking"),
            Ask(
                Text("How probable is {a} as first choice?", values),
                Number(values["p"], 0.0, 1.0),
                shared.with_ties(
                    Text(
                        f"{{p}}, its strength{by_places} So that none is 0, each label gets {{s}} "
                        "of a win in each pair.",
                        values,
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
                    "{q} of the {left} that are left: {next}. The probability of a ranking is that "
                    "of its choices, multiplied. For the order of the strengths: {product} = "
                    "{whole}.",
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
                Text(
                    "Together they have {both}, {a} has {p} of it: {p} / {both} = {pair}.", values
                ),
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
    (Example("A mild day", DRINKS, (20.0, 6.0), {"n_neighbors": 5}, nouns=DAYS_AND_DRINKS),),
    ("n_neighbors",),
    make_steps,
    skill="compute how probable a ranking is",
    skill_details=", by Mallows and by Plackett and Luce",
    minutes=5,
)
