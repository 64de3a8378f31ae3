"""Confidence and guarantee: how much neighbours agree, and what can be promised of a prediction."""

import warnings

import numpy as np
import pandas as pd

from labelrank_core.evaluation.guarantees import ConformalLabelRanker
from labelrank_core.explain import markup
from labelrank_core.explain.evidence import Confidence, Explanation, LabelScores, Neighbors, Text
from labelrank_core.explain.markup.palette import ACCENT
from labelrank_core.explain.pictures import Picture
from labelrank_core.explain.predictions import case_path
from labelrank_core.rankings import FloatArray
from pages.learn import scenes
from pages.learn.lessons import shared
from pages.learn.lessons.shared import DRINKS
from pages.learn.story import Ask, Example, Lesson, Number, Pick, Setting, Step
from pages.ui import compute

RISK, HELD_OUT = 0.2, 0.5
_MOST_PAIRS, _MOST_CASES = 6, 8
_ROWS = DRINKS + "25,8,lemonade>water>tea\n19,5,water>tea>lemonade\n"


def calibrated(setting: Setting) -> ConformalLabelRanker:
    """Hold half of the training cases out, so that they show how far wrong pairs lie apart."""
    dataset, rows = setting.dataset, setting.case.training_rows
    key = compute.digest("guarantee", dataset.fingerprint, setting.choice, rows.tobytes())

    def fit() -> ConformalLabelRanker:
        model = ConformalLabelRanker(
            setting.choice.build(), alpha=RISK, calibration=HELD_OUT, random_state=0
        )
        with warnings.catch_warnings():
            # The lesson says it where too few cases are held out.
            warnings.simplefilter("ignore", UserWarning)
            return model.fit(dataset.X[rows], dataset.rankings[rows])

    return compute.once(key, fit)


def tell(setting: Setting) -> list[Step]:
    """Tell what agreement means, and what held-out cases can promise."""
    steps = [shared.rankings(setting)]
    confidence = setting.explanation.evidence(Confidence)
    if confidence.defined:
        steps.append(_agreement(setting, confidence))
    model = calibrated(setting)
    steps.append(_held_out(setting, model))
    if np.isfinite(model.threshold_):
        steps += [_decided(setting, model), _positions(setting, model)]
    return [*steps, shared.answer(setting)]


def _agreement(setting: Setting, confidence: Confidence) -> Step:
    near = setting.explanation.evidence(Neighbors)
    called = [f"#{row + 1}" for row in shared.near_rows(setting)]
    worked = shared.how_sure(setting, confidence, near.rankings)
    values = {**worked.values, "lowest": confidence.lowest, "k": len(called)}
    return Step(
        "Agreement",
        Text(
            "Confidence: from the predicted ranking to each of the {k}, square the differences of "
            "ranks and add them up. Divide the mean by the largest possible, {largest}; subtract "
            "from 1.",
            values,
        ),
        scenes.with_row(setting, near.rankings, called, setting.explanation.positions, "predicted"),
        Ask(
            Text("How high is it, from {lowest} to 1?", values),
            Number(confidence.value, 0.0, 1.0),
            Text(
                "1 − {mean} / {largest} = {value}. It tells sure cases from unsure ones, but not "
                "how often such predictions are right.",
                values,
            ),
            scenes.evidence_picture(setting, Confidence),
        ),
    )


def wrong_gaps(model: ConformalLabelRanker) -> FloatArray:
    """Return, for every held-out case, how far apart the scores of its worst wrong pair lie."""
    losses = model.calibration_.losses
    gaps = np.zeros(losses.n_cases)
    gaps[losses.case] = losses.gap
    return np.sort(gaps)


def _held_out(setting: Setting, model: ConformalLabelRanker) -> Step:
    gaps = wrong_gaps(model)
    n, place = len(gaps), int(np.ceil((1 - RISK) * (len(gaps) + 1)))
    values = {
        "n": n,
        "place": place,
        "above": n + 1 - place,
        "all": n + 1,
        "sure": f"{1 - RISK:.0%}",
        "gap": float(model.threshold_),
    }
    words = (
        "{n} cases are held out. For each: how far apart are the scores of its worst wrong pair?"
    )
    if not np.isfinite(model.threshold_):
        said = Text(
            "Only {n} cases can be held out. With so few nothing can be promised with {sure}.",
            values,
        )
        return Step("Held-out cases", said, _gaps(gaps))
    reason = (
        "Value {place} of {n}: {gap}. {above} of {all} may lie above it, at most one in five. With "
        "{sure} probability a new case's worst wrong pair is no further apart."
    )
    return Step(
        "Held-out cases",
        Text(words, values),
        _gaps(gaps),
        Ask(
            Text(
                "Count the new case as one more, above them all. Which value do at most one in "
                "five exceed?"
            ),
            Number(
                float(model.threshold_), 0.0, float(max(1.0, setting.dataset.n_labels - 1)), 0.05
            ),
            Text(reason, values),
        ),
    )


def _gaps(gaps: FloatArray) -> Picture:
    shown = gaps[-_MOST_CASES:]
    start = len(gaps) - len(shown) + 1
    bars = [(f"value {i}", float(gap)) for i, gap in enumerate(shown, start=start)]
    table = pd.DataFrame({"distance of the worst wrong pair": gaps})
    spoken = ", ".join(f"{gap:.2f}" for gap in shown)
    drawn = markup.contributions(bars, ACCENT)
    return Picture("gaps", f"distances of the worst wrong pairs: {spoken}", table, markup=drawn)


def _half(setting: Setting, model: ConformalLabelRanker) -> Explanation:
    """Explain the case by the ranker that did not see the held-out cases."""
    return case_path(model.estimators_[0], setting.case.x).path.at().explain(0)


def _decided(setting: Setting, model: ConformalLabelRanker) -> Step:
    found, names = _half(setting, model), setting.names
    order, sure = found.order, model.predict_order(setting.case.x[None])[0]
    pairs = [(a, b) for i, a in enumerate(order) for b in order[i + 1 :]]
    shown = pairs[:_MOST_PAIRS]
    right = frozenset(i for i, (a, b) in enumerate(shown) if sure[a, b])
    scores = found.evidence(LabelScores)
    distances = [abs(scores.values[a] - scores.values[b]) for a, b in pairs]
    said = (
        "{n} of {pairs} are. Promised: with {sure} probability over all cases none of the "
        "decided pairs is wrong."
    )
    if np.isclose(distances, model.threshold_).any():
        said += " A tie, exactly {gap} apart, is not decided."
    values = {
        "title": scores.title,
        "gap": float(model.threshold_),
        "n": sum(bool(sure[a, b]) for a, b in pairs),
        "pairs": len(pairs),
        "sure": f"{1 - RISK:.0%}",
    }
    return Step(
        "What is promised",
        Text(
            "Scores ({title}) learned without the held-out cases. A pair is decided where they "
            "lie more than {gap} apart.",
            values,
        ),
        scenes.dots(scores.title, scores.values, setting),
        Ask(
            Text("Which pairs are decided for this case?"),
            Pick(tuple(f"{names[a]} > {names[b]}" for a, b in shown), right),
            Text(said, values),
        ),
    )


def _positions(setting: Setting, model: ConformalLabelRanker) -> Step:
    intervals = model.predict_interval(setting.case.x[None])[0]
    found = _half(setting, model)
    top, scores = found.order[0], found.evidence(LabelScores)
    low, high = (int(each) for each in intervals[top])
    n_labels, sure = setting.dataset.n_labels, model.predict_order(setting.case.x[None])[0]
    values = {
        "top": setting.names[top],
        "low": low,
        "high": high,
        "n": int((sure > 0).sum()),
        "pairs": n_labels * (n_labels - 1) // 2,
        "gap": float(model.threshold_),
    }
    shown = setting.scene.shown
    m = setting.dataset.n_labels
    places = range(1, min(m, _MOST_CASES) + 1)
    possible = np.array(
        [
            [intervals[label, 0] <= place <= intervals[label, 1] for label in range(m)]
            for place in places
        ]
    )
    words = [f"{setting.names[j]}: {intervals[j, 0]} to {intervals[j, 1]}" for j in shown]
    table = pd.DataFrame(
        {"label": list(setting.names), "from": intervals[:, 0], "to": intervals[:, 1]}
    )
    drawn = markup.label_sets(
        possible, [f"place {place}" for place in places], setting.names, shown
    )
    said = (
        "{top}: place {low} to {high}. Drawn: the places that remain for each label. What is "
        "undecided stays open instead of being guessed."
    )
    after = Picture("places", "; ".join(words), table, markup=drawn)
    return Step(
        "Places that are possible",
        Text(
            "A label stays behind those decided to be ahead of it, and ahead of those decided to "
            "be behind. Decided: {n} of {pairs} pairs, those more than {gap} apart.",
            values,
        ),
        scenes.dots(scores.title, scores.values, setting),
        Ask(
            Text("Up to which place can {top} fall?", values),
            Number(float(high), 1.0, float(m), 1.0),
            Text(said, values),
            after,
        ),
    )


LESSON = Lesson(
    "confidence",
    "Confidence",
    "How sure, and what is promised?",
    "Agreement tells sure cases from unsure ones; held-out cases turn scores into a guarantee.",
    "knn",
    (Example("A mild day", _ROWS, (20.0, 6.0), {"n_neighbors": 3}),),
    ("n_neighbors",),
    tell,
)
