"""ML-kNN: the meaning of a count of neighbours with a label among the training cases."""

from typing import Any

import numpy as np
import pandas as pd

from labelrank_core import Task
from labelrank_core.explain.evidence import CountEvidence, Label, LabelScores, Text
from labelrank_core.explain.render import Picture, count_evidence, markup
from labelrank_core.explain.render.markup.dots import Bar
from labelrank_core.explain.render.markup.grids import NUMBERS_UP_TO, Tinted
from pages.learn import scenes
from pages.learn.lessons import shared
from pages.learn.lessons.shared import DAYS_AND_OUTINGS, OUTINGS
from pages.learn.story import Ask, Example, Lesson, LessonSetting, LessonStep, Number


def make_steps(setting: LessonSetting) -> list[LessonStep]:
    """Return the steps from a prior and a count to a posterior."""
    label = setting.explanation.order[0]
    evidence = setting.explanation.evidence(CountEvidence)
    values = _values(setting, evidence, label)
    return [
        shared.label_sets(setting),
        _count(setting, values),
        _prior(setting, values),
        _meant(setting, values),
        _posterior(setting, values),
        _one_half(setting),
        shared.answer(setting, basis=shared.sets_that_stay(setting)),
    ]


def _values(setting: LessonSetting, evidence: CountEvidence, label: int) -> dict[str, Any]:
    own_count = int(evidence.case_counts[label])
    with_it = int(evidence.cases_with[label].sum())
    without = int(evidence.cases_without[label].sum())
    return {
        "label": Label(label),
        "own": own_count,
        "k": evidence.cases_with.shape[1] - 1,
        "possible": evidence.cases_with.shape[1],
        "s": f"{setting.choice.values['smoothing']:g}",
        "with": with_it,
        "n": with_it + without,
        "without": without,
        "counts": f"{setting.choice.values['smoothing'] * evidence.cases_with.shape[1]:g}",
        "own_with": int(evidence.cases_with[label, own_count]),
        "own_without": int(evidence.cases_without[label, own_count]),
        "prior": float(evidence.prior[label]),
        "posterior": float(evidence.posterior[label]),
        "likelihood": float(evidence.likelihood_with[label, own_count]),
        **_worked(evidence, label),
    }


def _worked(evidence: CountEvidence, label: int) -> dict[str, str]:
    """Return the factors with three digits, so that rounding does not show in the result."""
    own_count, prior = int(evidence.case_counts[label]), float(evidence.prior[label])
    likely = evidence.likelihood_with[label, own_count]
    unlikely = evidence.likelihood_without[label, own_count]
    numbers = {
        "a": prior,
        "b": likely,
        "c": 1 - prior,
        "d": unlikely,
        "for": prior * likely,
        "against": (1 - prior) * unlikely,
    }
    return {name: f"{number:.3f}" for name, number in numbers.items()}


def _count(setting: LessonSetting, values: dict[str, Any]) -> LessonStep:
    return LessonStep(
        "Count",
        Text(
            "Count how many of the {k} most similar cases, the nearest first, have each label.",
            values,
        ),
        scenes.near_sets(setting),
        Ask(
            Text("How many of them have {label}?", values),
            Number(float(values["own"]), 0.0, float(values["k"]), 1.0),
            Text("{own} of {k} have {label}. What does that count mean?", values),
        ),
    )


def _prior(setting: LessonSetting, values: dict[str, Any]) -> LessonStep:
    reason = "({s} + {with}) / (2 × {s} + {n}) = {prior}: the share of training cases, smoothed."
    if float(values["s"]):
        reason += " So no label is impossible or certain before."
    return LessonStep(
        "Prior",
        Text(
            "The prior is the probability before the similar cases are known. {with} of {n} "
            "training cases have {label}. Smoothing adds {s} case with it and {s} without.",
            values,
        ),
        scenes.rows_picture(setting),
        Ask(
            Text("How probable is {label} then?", values),
            Number(values["prior"], 0.0, 1.0),
            Text(reason, values),
        ),
    )


def _picture(setting: LessonSetting, values: dict[str, Any]) -> Picture:
    evidence = setting.explanation.evidence(CountEvidence)
    curve = scenes.plain(count_evidence(evidence, setting.scene, values["label"].index))
    return scenes.below(shared.sets_that_stay(setting), curve)


def _meant(setting: LessonSetting, values: dict[str, Any]) -> LessonStep:
    intro = (
        "Every training case has such a count among its own {k} nearest. The table counts the "
        "cases with {label} and without."
    )
    reason = (
        "({s} + {own_with}) / ({counts} + {with}) = {b}: {own_with} of {with} cases with it had "
        "count {own}. Without it: ({s} + {own_without}) / ({counts} + {without}) = {d}."
    )
    return LessonStep(
        "What the count meant",
        Text(intro, values),
        scenes.below(shared.sets_that_stay(setting), _how_many(setting, values)),
        Ask(
            Text(
                "What share of those with {label} has count {own}, its likelihood? Smoothing adds "
                "{s} to each of {possible} counts.",
                values,
            ),
            Number(values["likelihood"], 0.0, 1.0),
            Text(reason, values),
            _picture(setting, values),
        ),
    )


def _how_many(setting: LessonSetting, values: dict[str, Any]) -> Picture:
    """Draw the numbers of cases with and without the label by count, the own count framed."""
    evidence = setting.explanation.evidence(CountEvidence)
    label, own_count = values["label"], values["own"]
    name = setting.names[label.index]
    cases = np.array(
        [case_counts[label.index] for case_counts in (evidence.cases_with, evidence.cases_without)]
    )
    first = max(0, min(own_count - NUMBERS_UP_TO // 2, cases.shape[1] - NUMBERS_UP_TO))
    counts = range(cases.shape[1])[first : first + NUMBERS_UP_TO]
    rows = [f"with {name}", f"without {name}"]
    table = pd.DataFrame(cases.T, columns=rows)
    table.insert(0, "count", range(len(table)))
    markup_html = markup.matrix(
        Tinted(
            cases[:, counts] / max(1, cases.max()),
            [[str(int(number)) for number in row[counts]] for row in cases],
            rows,
            [f"count {count}" for count in counts],
            frozenset({(0, own_count - first), (1, own_count - first)}),
        )
    )
    spoken = "; ".join(f"{row}: {', '.join(map(str, table[row]))}" for row in rows)
    return Picture("how_many", f"cases by their count: {spoken}", table, markup=markup_html)


def _posterior(setting: LessonSetting, values: dict[str, Any]) -> LessonStep:
    intro = (
        "The posterior is the probability after the count. Prior times likelihood is {a} × {b} "
        "for {label} and {c} × {d} against it. What share of their sum is the first?"
    )
    reason = (
        "{a} × {b} = {for} for it; {c} × {d} = {against} against (rounded). {for} / ({for} + "
        "{against}) = {posterior}; the prior was {prior}."
    )
    return LessonStep(
        "Posterior",
        Text(intro, values),
        _picture(setting, values),
        Ask(
            Text("How probable is {label} now?", values),
            Number(values["posterior"], 0.0, 1.0),
            Text(reason, values),
        ),
    )


def _one_half(setting: LessonSetting) -> LessonStep:
    scores = setting.explanation.evidence(LabelScores)
    bar = Bar(float(scores.bar), "one half")
    basis = shared.sets_that_stay(setting)
    return LessonStep(
        "More probable than not",
        Text("The same for every label: how probable is it, after its count?"),
        scenes.below(basis, scenes.dots("posterior", scores.values, setting, ascending=False)),
        Ask(
            Text("Which labels are predicted?"),
            shared.relevant(setting),
            Text("Those with a posterior above one half, more probable than not."),
            scenes.below(
                basis, scenes.dots("posterior", scores.values, setting, bar=bar, ascending=False)
            ),
        ),
    )


LESSON = Lesson(
    "mlknn",
    "Counts",
    "What a count meant before",
    "Count the similar cases with a label; look up what such a count meant in training.",
    "mlknn",
    (
        Example(
            "A changeable day", OUTINGS, (16.0, 5.0), {"n_neighbors": 3}, nouns=DAYS_AND_OUTINGS
        ),
    ),
    ("n_neighbors", "smoothing"),
    make_steps,
    Task.MULTILABEL,
    skill="compute how probable a label is",
    skill_details=", from its share and from what a count meant: its posterior",
)
