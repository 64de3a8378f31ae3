"""ML-kNN: the meaning of a count of neighbours with a label among the training cases."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from labelrank_core import Task
from labelrank_core.data.schema import decimal_text
from labelrank_core.explain.evidence import CountEvidence, Label, LabelScores, Neighbors, Text
from labelrank_core.explain.predictions import case_path
from labelrank_core.explain.render import Picture, count_evidence, markup
from labelrank_core.explain.render.markup.dots import Bar
from labelrank_core.explain.render.markup.grids import NUMBERS_UP_TO, Tinted
from labelrank_core.explain.render.markup.palette import color_class, label_color
from labelrank_core.rankings import IntArray
from pages.learn import scenes
from pages.learn.lessons import shared
from pages.learn.lessons.shared import DAYS_AND_OUTINGS, OUTINGS
from pages.learn.story import Ask, Example, Lesson, LessonSetting, LessonStep, Number
from pages.ui import compute

_PALE_GREY = "#8a93a340"
# The cases to imagine, as many as are needed.
_IMAGINED = (100, 1000, 10_000, 100_000, 1_000_000)


def make_steps(setting: LessonSetting) -> list[LessonStep]:
    """Return the steps from a prior and a count to a posterior."""
    label = setting.explanation.order[0]
    evidence = setting.explanation.evidence(CountEvidence)
    values = _values(setting, evidence, label)
    return [
        shared.label_sets(setting),
        _count(setting, values),
        _prior(setting, values),
        _known(setting, values),
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
        **_imagined(evidence, label),
    }


def _imagined(evidence: CountEvidence, label: int) -> dict[str, str]:
    """Return the likelihoods, and how many of many cases would have the count with the label.

    There are as many cases as it takes for their whole numbers to make the posterior.
    """
    own_count, prior = int(evidence.case_counts[label]), float(evidence.prior[label])
    likely = float(evidence.likelihood_with[label, own_count])
    unlikely = float(evidence.likelihood_without[label, own_count])
    counts: dict[str, int] = {}
    for n_imagined in _IMAGINED:
        n_with = round(n_imagined * prior)
        counts = {
            "imagined": n_imagined,
            "imagined_with": n_with,
            "imagined_without": n_imagined - n_with,
            "for": round(n_imagined * prior * likely),
            "against": round(n_imagined * (1 - prior) * unlikely),
        }
        both = counts["for"] + counts["against"]
        posterior = float(evidence.posterior[label])
        if both and decimal_text(counts["for"] / both) == decimal_text(posterior):
            break
    texts = {name: str(number) for name, number in counts.items()}
    return texts | {"b": f"{likely:.3f}", "d": f"{unlikely:.3f}"}


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


def _nearest_others(setting: LessonSetting, row: int, k: int) -> IntArray:
    """Return the nearest training rows of a training row, itself not counted."""
    dataset, rows = setting.dataset, setting.case.training_rows
    key = compute.digest("nearest", dataset.fingerprint, setting.choice, row, rows.tobytes())

    def search() -> IntArray:
        n_neighbors = min(k + 1, len(rows))
        model = setting.choice.with_params(n_neighbors=n_neighbors).build()
        model.fit(dataset.X[rows], dataset.relevance[rows])
        near = case_path(model, dataset.case(row)).path.at().explain(0).evidence(Neighbors)
        nearest = rows[near.rows]
        return np.asarray(nearest[nearest != row][:k])

    return compute.once(key, "Looking for its nearest cases", search)


def _known(setting: LessonSetting, values: dict[str, Any]) -> LessonStep:
    """Ask for the count of a case whose labels are known: the nearest one."""
    row, label = shared.near_rows(setting)[0], values["label"].index
    others = _nearest_others(setting, row, values["k"])
    relevance = setting.dataset.relevance[:, label] > 0
    count = int(relevance[others].sum())
    values = {**values, "row": setting.row_names[row], "count": count, "near": len(others)}
    reason = (
        "{count} of {near}, and {row} itself does not have {label}: it is a case without {label} "
    )
    if relevance[row]:
        reason = "{count} of {near}, and {row} itself has {label}: it is a case with {label} "
    return LessonStep(
        "A known case",
        Text(
            "What did such a count mean before? Look at {row}, whose labels are known: these are "
            "its own {near} nearest cases, itself left out.",
            values,
        ),
        scenes.sets_of(setting, others),
        Ask(
            Text("How many of them have {label}?", values),
            Number(float(count), 0.0, float(values["k"]), 1.0),
            Text(reason + "whose count is {count}.", values),
        ),
    )


def _meant(setting: LessonSetting, values: dict[str, Any]) -> LessonStep:
    intro = (
        "The table sorts all {n} training cases by such a count: those with {label} above, those "
        "without it below."
    )
    reason = (
        "({s} + {own_with}) / ({counts} + {with}) = {b}: {own_with} of {with} cases with it have "
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
        "Imagine {imagined} cases: by the prior, {imagined_with} have {label}. Of these, a share "
        "of {b} has count {own}: {for}. Of the other {imagined_without}, a share of {d} has it: "
        "{against}."
    )
    reason = (
        "{for} / ({for} + {against}) = {posterior}: the share of {label} among those with count "
        "{own}. This is its posterior, the probability after the count; the prior was {prior}."
    )
    return LessonStep(
        "Posterior",
        Text(intro, values),
        _imagined_picture(setting, values, is_answered=False),
        Ask(
            Text("How probable is {label} after count {own}?", values),
            Number(values["posterior"], 0.0, 1.0),
            Text(reason, values),
            _imagined_picture(setting, values, is_answered=True),
        ),
    )


def _imagined_picture(
    setting: LessonSetting, values: dict[str, Any], *, is_answered: bool
) -> Picture:
    """Draw the cases to imagine as a bar, and with the answer those with the count alone."""
    label = values["label"].index
    n, n_with, n_without = (
        int(values[name]) for name in ("imagined", "imagined_with", "imagined_without")
    )
    n_for, n_against = int(values["for"]), int(values["against"])
    name, count = setting.names[label], f"count {values['own']}"
    color, pale = label_color(label), f"color-mix(in srgb, {label_color(label)} 30%, transparent)"

    def part(
        number: int, n_whole: int, text: str, background: str, class_: str = ""
    ) -> markup.BarPart:
        title = f"{text}: {number} of {n_whole}"
        return markup.BarPart(number / n_whole, str(number), title, "", class_, background)

    has, lacks = f"with {name}, {count}", f"without it, {count}"
    counted_parts = (
        part(n_for, n, has, "", color_class(label)),
        part(n_against, n, lacks, "", "other"),
    )
    all_parts = [
        counted_parts[0],
        part(n_with - n_for, n, f"with {name}, another count", pale),
        part(n_without - n_against, n, "without it, another count", _PALE_GREY),
        counted_parts[1],
    ]
    nouns = setting.nouns
    rows = [(f"{n} {nouns.rows}", all_parts)]
    if is_answered:
        together = n_for + n_against
        parts_alone = [
            part(n_for, together, has, "", color_class(label)),
            part(n_against, together, lacks, "", "other"),
        ]
        rows.append((count, parts_alone))
    key = [(replace(counted_parts[0], class_="", background=color), has), (counted_parts[1], lacks)]
    table = pd.DataFrame(
        {"count": [count, "another count"], f"with {name}": [n_for, n_with - n_for],
         f"without {name}": [n_against, n_without - n_against]}
    )  # fmt: skip
    picture = Picture(
        "imagined",
        f"of {n} {nouns.rows}, {n_for} have {name} and {count}, {n_against} have {count} without",
        table,
        markup=markup.part_rows(rows, key),
    )
    return scenes.below(shared.sets_that_stay(setting), picture)


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
    minutes=5,
    skill="compute how probable a label is",
    skill_details=", from its share and from what a count meant: its posterior",
)
