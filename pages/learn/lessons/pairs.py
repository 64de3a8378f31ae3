"""Pairwise comparison: a model for every pair of labels, and preferences that run in a cycle."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from labelrank_core.data.profile.rankings import shortest_cycle
from labelrank_core.data.schema import decimal_text
from labelrank_core.explain.evidence import Label, LabelScores, PairMatrix, PairParts, Text
from labelrank_core.explain.render import Picture, markup
from labelrank_core.explain.render.markup import Waterfall
from pages.learn import scenes
from pages.learn.lessons import shared
from pages.learn.lessons.shared import DAYS_AND_DRINKS, DRINKS
from pages.learn.story import Ask, Example, Lesson, LessonSetting, LessonStep, Number, Pick

_MOST_PARTS, _MOST_ARROWS = 5, 6
_MOST_NAMED, _WORDS_OF_PAIRS = 2, 12
# The majorities of all days run in no cycle, the preferences for the new day do.
_CYCLE = """day,temperature (°C),sunshine (h),ranking
Mon,17,5,water>lemonade>tea
Tue,16,4,water>tea>lemonade
Wed,12,3,tea>lemonade>water
Thu,22,6,water>lemonade>tea
Fri,23,7,lemonade>tea>water
Sat,27,9,water>tea>lemonade
Sun,30,11,lemonade>water>tea
New Year,5,1,tea>water>lemonade
May Day,25,8,water>tea>lemonade
Easter,19,5,tea>water>lemonade
"""


def make_steps(setting: LessonSetting) -> list[LessonStep]:
    """Return the steps from preferences between two labels to a ranking."""
    matrix = setting.explanation.evidence(PairMatrix)
    steps = [shared.rankings(setting), _one_pair(setting, matrix)]
    if np.isfinite(setting.explanation.evidence(PairParts).total(*setting.explanation.order[:2])):
        steps.append(_pulled(setting))
    basis = scenes.shares(setting, matrix.preferences, matrix.against)
    steps += [_all_pairs(setting, matrix), _cycle(setting, matrix), _sum(setting, matrix)]
    # The bars end where the line of the sums does.
    scores = replace(
        setting.explanation.evidence(LabelScores), highest=setting.dataset.n_labels - 1.0
    )
    return [*steps, shared.answer(setting, scores=scores, basis=basis)]


def _one_pair(setting: LessonSetting, matrix: PairMatrix) -> LessonStep:
    first, second = setting.explanation.order[:2]
    observed = float(np.nan_to_num(matrix.observed[first, second], nan=0.5))
    values = {
        "a": Label(first),
        "b": Label(second),
        "n": len(setting.case.training_rows),
        "observed": observed,
        "ahead": round(observed * len(setting.case.training_rows)),
    }
    share = "a tie, no majority" if observed == 0.5 else "{observed}"
    reason = f"{{ahead}} of {{n}}: {share}. But that counts all cases, also those unlike this one."
    return LessonStep(
        "One pair",
        Text("Look at {a} and {b} alone: each case puts one of them ahead.", values),
        scenes.rows_picture(setting),
        Ask(
            Text("In what share of the {n} cases is {a} ahead?", values),
            Number(observed, 0.0, 1.0),
            Text(reason, values),
        ),
    )


def _all_pairs(setting: LessonSetting, matrix: PairMatrix) -> LessonStep:
    n_pairs = len(matrix.pairs)
    turned = [
        (a, b)
        for a, b in matrix.pairs
        if (matrix.preferences[a, b] - 0.5) * (matrix.observed[a, b] - 0.5) < 0
    ]
    level = sum(bool(matrix.observed[a, b] == 0.5) for a, b in matrix.pairs)
    majorities = n_pairs - level
    values: dict[str, Any] = {
        "n": n_pairs,
        "turned": len(turned),
        "level": level,
        "majorities": majorities,
        "which": _turned(setting, matrix, turned),
    }
    reason = (
        "{turned} of {majorities}{which}. The picture now shows how probable each preference is "
        "for this case (rounded)."
    )
    if level:
        reason += " The other {level} of {n} pairs are tied at 0.50: no majority to reverse."
    return LessonStep(
        "Every pair",
        Text(
            "A cell is the share of the cases with the left label ahead of the upper one: blue "
            "above one half, orange below.",
        ),
        scenes.shares(setting, matrix.observed),
        Ask(
            Text("In how many pairs does a model that looks at this case reverse the majority?"),
            Number(float(len(turned)), 0.0, float(n_pairs), 1.0),
            Text(reason, values),
            scenes.shares(setting, matrix.preferences),
        ),
    )


def _turned(setting: LessonSetting, matrix: PairMatrix, turned: list[tuple[int, int]]) -> str:
    """Name the pairs whose majority turned, as they are now; of many or with long names none."""
    if not 0 < len(turned) <= _MOST_NAMED:
        return ""
    ahead = [(a, b) if matrix.preferences[a, b] > 0.5 else (b, a) for a, b in turned]
    pair_texts = ", ".join(f"{setting.names[a]} now leads {setting.names[b]}" for a, b in ahead)
    return f": {pair_texts}" if len(pair_texts.split()) <= _WORDS_OF_PAIRS else ""


def _cycle(setting: LessonSetting, matrix: PairMatrix) -> LessonStep:
    values: dict[str, Any] = {"n": len(matrix.pairs), "against": len(matrix.against)}
    reason = "No cycle: one order agrees with all {n} preferences."
    if matrix.against:
        reason = "No cycle, yet the predicted order contradicts {against} of {n} preferences."
    cycle = shortest_cycle(matrix.preferences > 0.5)
    if cycle:
        values["cycle"] = " > ".join(setting.names[label] for label in (*cycle, cycle[0]))
        reason = (
            "A cycle: {cycle}. Every order contradicts at least one of these preferences. The "
            "predicted order contradicts {against} of all {n}: framed, and dashed."
        )
    return LessonStep(
        "A cycle?",
        Text("Single preferences need not fit together: a before b, b before c, and c before a."),
        scenes.shares(setting, matrix.preferences),
        Ask(
            Text("Is there a cycle here?"),
            Pick(("yes", "no"), frozenset({0 if cycle else 1}), several=False),
            Text(reason, values),
            scenes.below(
                scenes.shares(setting, matrix.preferences, matrix.against),
                _arrows(setting, matrix, cycle),
            )
            if 0 < len(cycle) <= _MOST_ARROWS
            else scenes.shares(setting, matrix.preferences, matrix.against),
        ),
    )


def _arrows(setting: LessonSetting, matrix: PairMatrix, cycle: Sequence[int]) -> Picture:
    """Draw a cycle of preferences as arrows; those that the predicted order contradicts dashed."""
    pairs = list(zip(cycle, [*cycle[1:], cycle[0]], strict=True))
    table = pd.DataFrame(
        {
            "preferred": [setting.names[first] for first, _ in pairs],
            "to": [setting.names[second] for _, second in pairs],
            "probability": [float(matrix.preferences[pair]) for pair in pairs],
        }
    )
    spoken = " > ".join(setting.names[label] for label in (*cycle, cycle[0]))
    drawn = markup.cycle_of(cycle, setting.names, matrix.preferences, matrix.against)
    return Picture("cycle", f"cycle: {spoken}", table, markup=drawn)


def _sum(setting: LessonSetting, matrix: PairMatrix) -> LessonStep:
    scores = setting.explanation.evidence(LabelScores)
    top, m = setting.explanation.order[0], setting.dataset.n_labels
    value = float(scores.values[top])
    other_labels = [label for label in setting.explanation.order if label != top]
    parts = [float(matrix.preferences[top, label]) for label in other_labels]
    summed = " + ".join(decimal_text(part) for part in parts[:4])
    values = {
        "top": Label(top),
        "value": value,
        "title": scores.title,
        "sum": summed + (" + …" if len(other_labels) > 4 else ""),
    }
    reason = Text(
        f"{{sum}} = {{value}}{shared.rounded(parts, value)}. Sums give an order even where "
        "preferences run in a cycle.",
        values,
    )
    return LessonStep(
        "Added up",
        Text(
            "A label's sum: the probabilities that it is preferred to each other label, added up.",
            values,
        ),
        scenes.shares(setting, matrix.preferences, matrix.against),
        Ask(
            Text("What is the sum of {top}?", values),
            Number(value, 0.0, float(m - 1)),
            shared.with_ties(reason, scores.values, setting, scores.tie_rule),
            scenes.dots(scores.title, scores.values, setting, ends=(0.0, m - 1.0), ascending=False),
            is_added=True,
        ),
    )


def _pulled(setting: LessonSetting) -> LessonStep:
    parts, matrix = (setting.explanation.evidence(kind) for kind in (PairParts, PairMatrix))
    first, second = setting.explanation.order[:2]
    groups = setting.dataset.schema.column_of_feature if parts.input_kind == "feature" else None
    table = parts.contributions(first, second, n_largest=_MOST_PARTS, groups=groups)
    added, total = table["adds"].to_numpy(), parts.total(first, second)
    base = total - float(added.sum())
    input_names = setting.scene.inputs(parts.input_kind, table, len(parts.inputs))
    mean_case, this_case = map(setting.nouns.insert, ("mean case", "this case"))
    bars = [(mean_case, base), *zip(input_names, added, strict=True), ("together", total)]
    near = shared.rounded([value for _, value in bars[:-1]], total)
    values = {
        "a": Label(first),
        "b": Label(second),
        "base": decimal_text(base, signed=True),
        "total": decimal_text(total, signed=True),
    }
    preference = matrix.preferences[first, second]
    in_words, curve = "", None
    if np.isclose(preference, 1 / (1 + np.exp(-total))):
        in_words = " The curve turns {total} into the probability {share}."
        values["share"] = float(preference)
        curve = _curve(total, float(preference), setting.names[first])
    all_cases = scenes.shares(setting, matrix.observed, labels=(first, second))
    parts_picture = Picture(
        "parts",
        "; ".join(f"{name} {decimal_text(value, signed=True)}" for name, value in bars),
        pd.DataFrame(bars, columns=["part", "adds"]),
        markup=markup.waterfall(
            Waterfall(
                (first, second),
                (mean_case, base),
                [(name, "", value) for name, value in zip(input_names, added, strict=True)],
                this_case,
                even=0.0,
                is_share=False,
                label_names=(setting.names[first], setting.names[second]),
            )
        ),
    )
    return LessonStep(
        "A model of the pair",
        Text(
            "The pair's model learned a weight for each feature. The mean case has the sum "
            f"{{base}}, this case {{total}}{near}. Above 0, {{a}} is preferred to {{b}}."
            f"{in_words}",
            values,
        ),
        scenes.below(all_cases, scenes.below(parts_picture, curve) if curve else parts_picture),
    )


def _curve(total: float, share: float, name: str) -> Picture:
    """Draw the logistic curve from a pair's sum to the probability that a label is preferred."""
    return Picture(
        "curve",
        f"sum {decimal_text(total, signed=True)}: probability {decimal_text(share)}",
        pd.DataFrame({"sum": [total], "probability": [share]}),
        markup=markup.logistic_curve(total, share, name),
    )


LESSON = Lesson(
    "pairs",
    "Pairwise comparison",
    "Two labels at a time",
    "A small model for every pair of labels; their preferences, added up, make the ranking.",
    "rpc",
    (
        Example("A cycle", _CYCLE, (20.0, 8.0), nouns=DAYS_AND_DRINKS),
        Example("A hot day", DRINKS, (28.0, 10.0), nouns=DAYS_AND_DRINKS),
    ),
    ("C",),
    make_steps,
    skill="turn preferences between pairs into a ranking",
    skill_details=", even where they run in a cycle",
)
