"""Measures: one truth, two predictions, and measures that disagree on which is better."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from labelrank_core import metrics
from labelrank_core.data.schema import decimal_text
from labelrank_core.explain.evidence import Neighbors, Text
from labelrank_core.explain.predictions import case_path
from labelrank_core.explain.render import Picture, markup
from labelrank_core.explain.render.markup.grids import Tinted
from labelrank_core.rankings import FloatArray, format_ranking
from pages.learn import scenes
from pages.learn.lessons import shared
from pages.learn.story import Ask, Example, Lesson, LessonSetting, LessonStep, Number, Pick, stacked
from pages.ui import compute

_ROWS = """day,temperature (°C),sunshine (h),ranking
Mon,16,4,lemonade>tea>water>yoghurt>zobo
Tue,17,4,tea>water>yoghurt>zobo>lemonade
Wed,22,5,lemonade>zobo>yoghurt>tea>water
Thu,23,6,lemonade>zobo>yoghurt>tea>water
Fri,21,6,lemonade>zobo>tea>yoghurt>water
Sat,22,8,lemonade>zobo>yoghurt>tea>water
Sun,24,7,zobo>lemonade>yoghurt>tea>water
May Day,23,9,lemonade>zobo>yoghurt>tea>water
"""
NEAREST, EVERYONE = "A", "B"
_MOST_OPTIONS = 7
_MEASURES: Mapping[str, Callable[[FloatArray, FloatArray], Any]] = {
    "Kendall's τ": metrics.kendall_tau_score,
    "Spearman's ρ": metrics.spearman_rho_score,
    "First label right": partial(metrics.top_k_score, k=1),
}


@dataclass(frozen=True, eq=False)
class MeasureComparison:
    """A true ranking, and two predictions of it: by the nearest case, and by all others."""

    row: int
    nearest: int
    n_others: int
    truth: FloatArray
    predictions: Mapping[str, FloatArray]

    def reversed_pairs(self, name: str) -> int:
        """Count the pairs that a prediction has the other way round."""
        return int(metrics.kendall_distance(self.truth[None], self.predictions[name][None]))

    def squares(self, name: str) -> int:
        """Sum the squared differences of ranks."""
        return int(metrics.spearman_distance(self.truth[None], self.predictions[name][None]))

    def score(self, measure: str, name: str) -> float:
        """Measure a prediction; higher is better."""
        return float(_MEASURES[measure](self.truth[None], self.predictions[name][None]))

    def better(self, measure: str) -> list[str]:
        """List the better prediction by a measure, both where they are equally good."""
        best = max(self.score(measure, name) for name in self.predictions)
        return [name for name in self.predictions if self.score(measure, name) >= best - 1e-12]


def compare_predictions(setting: LessonSetting) -> MeasureComparison:
    """Take a case whose ranking is known out of the rows, and predict it in two ways."""
    dataset, training = setting.dataset, setting.case.training_rows
    row = shared.near_rows(setting)[0] if setting.row is None else setting.row
    other_rows = training[training != row]
    key = compute.digest("measures", dataset.fingerprint, setting.choice, row, other_rows.tobytes())

    def predict() -> tuple[dict[str, FloatArray], int]:
        predictions = {}
        for name, k in ((NEAREST, 1), (EVERYONE, len(other_rows))):
            model = setting.choice.with_params(n_neighbors=k).build()
            model.fit(dataset.X[other_rows], dataset.rankings[other_rows])
            predictions[name] = np.asarray(model.predict(dataset.X[[row]])[0], dtype=np.float64)
        near = case_path(model, dataset.case(row)).path.at().explain(0).evidence(Neighbors).rows[0]
        return predictions, int(other_rows[near])

    predictions, nearest = compute.once(key, "Predicting the case in two ways", predict)
    return MeasureComparison(row, nearest, len(other_rows), dataset.rankings[row], predictions)


def make_steps(setting: LessonSetting) -> list[LessonStep]:
    """Return the steps on each measure, and on their disagreement."""
    comparison = compare_predictions(setting)
    return [
        _rows(setting, comparison),
        _two(setting, comparison),
        _pairs(setting, comparison),
        _squares(setting, comparison),
        _first(setting, comparison),
        _disagree(setting, comparison),
    ]


def _rows(setting: LessonSetting, comparison: MeasureComparison) -> LessonStep:
    """Show rows, and ask for the one that the prediction by the nearest case takes."""
    options = scenes.some_rows(setting, [comparison.nearest], _MOST_OPTIONS, without=comparison.row)
    values = {
        "row": setting.row_names[comparison.row],
        "near": setting.row_names[comparison.nearest],
        "n": comparison.n_others,
    }
    row_names = tuple(setting.row_names[row] for row in options)
    return LessonStep(
        "The rows",
        Text("{row} is at the top. What would be predicted if its ranking were not known?", values),
        scenes.rows_picture(setting, options, top=comparison.row),
        Ask(
            Text("Which case is nearest to it?"),
            Pick(row_names, frozenset({options.index(comparison.nearest)}), several=False),
            Text(
                "{near}: its ranking is prediction A. Prediction B is the consensus of all {n} "
                "others, by mean rank.",
                values,
            ),
        ),
    )


def _picture(setting: LessonSetting, comparison: MeasureComparison) -> Picture:
    rankings = np.array([comparison.truth, *comparison.predictions.values()])
    row_names = ["true", *comparison.predictions]
    return scenes.strips(rankings, row_names, setting, "ranking")


def _joined(
    setting: LessonSetting, comparison: MeasureComparison, *, has_squares: bool = False
) -> Picture:
    """Join the true ranking with each prediction, abreast, perhaps with the squared moves."""
    pictures = []
    for name, predicted in comparison.predictions.items():
        squares = np.square(comparison.truth - predicted) if has_squares else ()
        numbers = {label: f"{square:g}" for label, square in enumerate(squares)}
        pictures.append(
            scenes.side_by_side(
                setting, ("true", comparison.truth), (name, predicted), numbers, "moves²"
            )
        )
    return stacked(*pictures, is_abreast=True)


def _two(setting: LessonSetting, comparison: MeasureComparison) -> LessonStep:
    best = {name for measure in _MEASURES for name in comparison.better(measure)}
    right = frozenset(i for i, name in enumerate(comparison.predictions) if name in best)
    names = setting.names
    values = {"row": setting.row_names[comparison.row], "best": " and ".join(sorted(best))}
    reason = "Some measures prefer A, others B. Three of them follow."
    options = (*comparison.predictions, "it depends on what counts")
    if len(best) > 1:
        right = frozenset({len(options) - 1})
    else:
        reason = "All three measures that follow prefer {best}. What does each of them count?"
    picture = _picture(setting, comparison)
    spoken = format_ranking(comparison.truth, names)
    return LessonStep(
        "Two predictions",
        Text(
            "The true ranking of {row}, and two predictions made without it: A from its "
            "nearest case, B from all others.",
            values,
        ),
        Picture(
            picture.key, f"true: {spoken}; {picture.alt}", picture.numbers, markup=picture.markup
        ),
        Ask(
            Text("Which is better?"),
            Pick(options, right, several=False),
            Text(reason, values),
        ),
    )


def _pairs(setting: LessonSetting, comparison: MeasureComparison) -> LessonStep:
    m = setting.dataset.n_labels
    n_pairs = m * (m - 1) // 2
    wrong = {name: comparison.reversed_pairs(name) for name in comparison.predictions}
    values = {
        "n": n_pairs,
        "m": m,
        "less": m - 1,
        "wrong_a": wrong[NEAREST],
        "wrong_b": wrong[EVERYONE],
        "tau_a": comparison.score("Kendall's τ", NEAREST),
        "tau_b": comparison.score("Kendall's τ", EVERYONE),
    }
    return LessonStep(
        "Count pairs",
        Text(
            "Kendall: which pairs of labels have the wrong one ahead? {m} labels make {m} × {less} "
            "/ 2 = {n} pairs.",
            values,
        ),
        _picture(setting, comparison),
        Ask(
            Text("How many does A reverse?"),
            Number(float(wrong[NEAREST]), 0.0, float(n_pairs), 1.0),
            Text(
                "Where two lines cross, a pair is reversed: {wrong_a} times in A, {wrong_b} in B. "
                "τ = 1 − 2 × reversed / {n}: A {tau_a}, B {tau_b}.",
                values,
            ),
            _joined(setting, comparison),
            is_added=True,
        ),
    )


def _squares(setting: LessonSetting, comparison: MeasureComparison) -> LessonStep:
    m = setting.dataset.n_labels
    largest = m * (m * m - 1) // 3
    values = {
        "largest": largest,
        "a": comparison.squares(NEAREST),
        "b": comparison.squares(EVERYONE),
        "rho_a": comparison.score("Spearman's ρ", NEAREST),
        "rho_b": comparison.score("Spearman's ρ", EVERYONE),
    }
    best = comparison.better("Spearman's ρ")
    right = frozenset(i for i, name in enumerate(comparison.predictions) if name in best)
    return LessonStep(
        "Square the moves",
        Text(
            "Spearman: how many places is each label off? Square and add up: 2 places count 4, 4 "
            "places 16."
        ),
        _picture(setting, comparison),
        Ask(
            Text("Which is better by squared moves?"),
            Pick(tuple(comparison.predictions), right, several=False),
            Text(
                "The squares add up to {a} in A and {b} in B; the reverse order would have "
                "{largest}. ρ = 1 − 2 × sum / {largest}: A {rho_a}, B {rho_b}.",
                values,
            ),
            _joined(setting, comparison, has_squares=True),
            is_added=True,
        ),
    )


def _first(setting: LessonSetting, comparison: MeasureComparison) -> LessonStep:
    measure = "First label right"
    right = frozenset(
        i for i, name in enumerate(comparison.predictions) if comparison.score(measure, name)
    )
    reason = "{n} of 2. Places below the first do not count at all."
    return LessonStep(
        "The first label only",
        Text("Sometimes only the first label is used: one is chosen, the others do not matter."),
        _picture(setting, comparison),
        Ask(
            Text("Which have the first label right?"),
            Pick(tuple(comparison.predictions), right),
            Text(reason, {"n": len(right)}),
        ),
    )


def _disagree(setting: LessonSetting, comparison: MeasureComparison) -> LessonStep:
    favour = [EVERYONE in comparison.better(measure) for measure in _MEASURES]
    right = frozenset(i for i, is_for_all in enumerate(favour) if is_for_all)
    opposed = any(
        comparison.better(one) == [NEAREST] and comparison.better(two) == [EVERYONE]
        for one in _MEASURES
        for two in _MEASURES
    )
    reason = (
        "Take τ if every pair counts alike, ρ if far moves are worse, and the third if only the "
        "first label is used. Choose the measure before the method."
    )
    if opposed:
        reason = f"They disagree. {reason}"
    return LessonStep(
        "Which measure?",
        Text(
            "Three measures, two predictions; higher is better. Two equal rankings have τ = ρ = 1, "
            "a ranking and its reverse have −1."
        ),
        _picture(setting, comparison),
        Ask(
            Text("Which find B at least as good as A?"),
            Pick(tuple(_MEASURES), right),
            Text(reason),
            _table(comparison),
            is_added=True,
        ),
    )


def _table(comparison: MeasureComparison) -> Picture:
    names = list(comparison.predictions)
    values = np.array(
        [[comparison.score(measure, name) for name in names] for measure in _MEASURES]
    )
    table = pd.DataFrame(values, columns=names)
    table.insert(0, "measure", list(_MEASURES))
    cell_texts = [[decimal_text(value) for value in row] for row in values]
    best = np.isclose(values, values.max(axis=1, keepdims=True))
    cells = Tinted(np.where(best, 0.8, 0.0), cell_texts, list(_MEASURES), names)
    spoken = "; ".join(
        f"{measure}: {_pair(row)}" for measure, row in zip(_MEASURES, cell_texts, strict=True)
    )
    return Picture("measures", spoken, table, markup=markup.matrix(cells))


def _pair(row: Sequence[str]) -> str:
    return f"A {row[0]}, B {row[1]}"


LESSON = Lesson(
    "measures",
    "Measures",
    "Which prediction is better?",
    "That depends on what counts: every pair, far moves, or the first label only.",
    "knn",
    (
        Example(
            "A far move or many short ones",
            _ROWS,
            (16.0, 4.0),
            {"n_neighbors": 1},
            "A comes from Tue, the nearest; B from all seven.",
            shared.DAYS_AND_DRINKS,
        ),
    ),
    (),
    make_steps,
    skill="compute Kendall's tau and Spearman's rho by hand",
    skill_details=", and choose the one that fits",
)
