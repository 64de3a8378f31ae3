"""Confidence and guarantee: the agreement of neighbours, and the promises about a prediction."""

import warnings

import numpy as np
import pandas as pd

from labelrank_core import Dataset
from labelrank_core.data.schema import decimal_text, number_text
from labelrank_core.evaluation.guarantees import ConformalLabelRanker
from labelrank_core.evaluation.guarantees.calibration import hold_out
from labelrank_core.explain.evidence import Confidence, Explanation, LabelScores, Neighbors, Text
from labelrank_core.explain.predictions import case_path
from labelrank_core.explain.render import Picture, markup
from labelrank_core.explain.render.markup.dots import Bar
from labelrank_core.explain.render.markup.tables import CaseRow
from labelrank_core.rankings import FloatArray, IntArray, format_ranking, list_names
from pages.learn import scenes
from pages.learn.lessons import shared
from pages.learn.lessons.shared import DAYS_AND_DRINKS, DRINKS
from pages.learn.story import Ask, Example, Lesson, LessonSetting, LessonStep, Number, Pick
from pages.ui import compute

RISK, HELD_OUT = 0.2, 0.5
_MOST_PAIRS, _MOST_CASES, _MOST_SUMS, _MOST_WRITTEN = 6, 8, 5, 4
_ROUNDING = 1e-9
_HEAD, *_DAYS, _NEW_YEAR = DRINKS.splitlines()
# In the order of a year, so that the days held out have mistakes of several sizes.
_ROWS = "\n".join(
    [_HEAD, _NEW_YEAR, *_DAYS, "Easter,19,5,water>tea>lemonade", "May Day,25,8,lemonade>water>tea"]
)


def calibrated(setting: LessonSetting) -> ConformalLabelRanker:
    """Hold half of the training cases out, to measure the gaps of their wrong pairs."""
    dataset, rows = setting.dataset, setting.case.training_rows

    def fit() -> ConformalLabelRanker:
        trained, _ = hold_out(rows, share=HELD_OUT)
        estimator = setting.choice.within(len(trained)).build()
        model = ConformalLabelRanker(estimator, alpha=RISK, calibration=HELD_OUT, random_state=0)
        with warnings.catch_warnings():
            # The lesson says it where too few cases are held out.
            warnings.simplefilter("ignore", UserWarning)
            return model.fit(dataset.X[rows], dataset.rankings[rows])

    title = f"Training on half of {len(rows)} cases"
    return compute.once(_key("guarantee", setting), title, fit)


def _key(result: str, setting: LessonSetting) -> str:
    """Return the key of a result for the case and the training cases of a lesson."""
    fingerprint, rows = setting.dataset.fingerprint, setting.case.training_rows.tobytes()
    return compute.digest(result, fingerprint, setting.choice, rows, setting.case.x.tolist())


def _order(setting: LessonSetting, model: ConformalLabelRanker) -> IntArray:
    """Predict the sure preferences between labels, (n_labels, n_labels)."""
    key, X = _key("decided pairs", setting), setting.case.x[None]
    return compute.once(key, "Predicting", model.predict_order, X)[0]


def _interval(setting: LessonSetting, model: ConformalLabelRanker) -> IntArray:
    """Predict the first and the last position that each label can have, (n_labels, 2)."""
    key, X = _key("positions", setting), setting.case.x[None]
    return compute.once(key, "Predicting", model.predict_interval, X)[0]


def make_steps(setting: LessonSetting) -> list[LessonStep]:
    """Return the steps on agreement, and on the promises of held-out cases."""
    model = calibrated(setting)
    promise = _promised(setting, model) if np.isfinite(model.threshold_) else None
    steps = [shared.rankings(setting, promise)]
    confidence = setting.explanation.evidence(Confidence)
    if confidence.defined:
        steps.append(_agreement(setting, confidence))
    steps += _held_out(setting, model)
    if np.isfinite(model.threshold_):
        held_out = steps[-1].picture
        steps += [_decided(setting, model, held_out), _positions(setting, model)]
    return [*steps, shared.answer(setting, promise)]


def _promised(setting: LessonSetting, model: ConformalLabelRanker) -> Text:
    """Return the prediction, and its promised pairs, as text."""
    sure, names = _order(setting, model), setting.names
    half_positions = _half(setting, model).positions
    pairs = [f"{names[a]} > {names[b]}" for a, b in np.argwhere(sure > 0)]
    values = {
        "n": len(setting.case.training_rows),
        "fit": len(setting.case.training_rows) - len(model.held_out_[0]),
        "half": format_ranking(half_positions, names),
        "sure": f"{1 - RISK:.0%}",
        "pairs": ", ".join(pairs[:_MOST_PAIRS]) + ("" if len(pairs) <= _MOST_PAIRS else ", …"),
    }
    template = "All {n} cases together predict the order that is drawn. "
    is_other = not np.array_equal(half_positions, setting.explanation.positions)
    if is_other and len(names) <= _MOST_WRITTEN:
        template = (
            "All {n} cases together predict the order that is drawn. The {fit} cases behind the "
            "promise predict {half}. "
        )
    template += "Promised with {sure}: only {pairs}." if pairs else "None of its pairs is promised."
    return Text(template, values)


def _agreement(setting: LessonSetting, confidence: Confidence) -> LessonStep:
    near = setting.explanation.evidence(Neighbors)
    row_names = shared.near_names(setting)
    worked = shared.how_sure(setting, confidence, near.rankings)
    least = float(np.floor(100 * confidence.lowest + _ROUNDING)) / 100
    values = {**worked.values, "k": len(row_names), "least": least}
    sums = np.square(near.rankings - setting.explanation.positions).sum(axis=1)
    summed = ""
    if 1 < len(sums) <= _MOST_SUMS and np.isclose(sums.mean(), worked.values["mean"]):
        values["sums"] = list_names([number_text(value) for value in sums])
        summed = "The sums are {sums}, their mean is {mean}. "
    return LessonStep(
        "Agreement",
        Text(
            "Compare each of the {k} rankings with the predicted one: square the differences of "
            "positions and add them up. Confidence is 1 − mean sum / {largest}, the largest sum.",
            values,
        ),
        scenes.with_row(
            setting, near.rankings, row_names, setting.explanation.positions, "predicted"
        ),
        Ask(
            Text("How high is it, from {least} to 1?", values),
            Number(confidence.value, least, 1.0),
            Text(
                f"{summed}1 − {{mean}} / {{largest}} = {{value}}. Below {{lowest}} the reverse "
                "order would agree better. This does not say how often such predictions are right.",
                values,
            ),
            scenes.evidence_picture(setting, Confidence),
            is_added=True,
        ),
    )


def wrong_gaps(model: ConformalLabelRanker) -> FloatArray:
    """Return the gap between the scores of the worst wrong pair of each held-out case."""
    return np.asarray(model.calibration_.losses.largest())


def _held_out(setting: LessonSetting, model: ConformalLabelRanker) -> list[LessonStep]:
    """Return the steps on the wrong pairs of held-out cases, and on the limit they set."""
    gaps, half_explanation = wrong_gaps(model), _half(setting, model)
    n, rank = len(gaps), int(np.ceil((1 - RISK) * (len(gaps) + 1)))
    order = np.argsort(gaps, kind="stable")
    last = int(order[-1])
    values = {
        "n": n,
        "fit": len(setting.case.training_rows) - n,
        "k": setting.choice.within(len(setting.case.training_rows) - n).values["n_neighbors"],
        "title": half_explanation.evidence(LabelScores).title,
        "place": rank,
        "above": n + 1 - rank,
        "all": n + 1,
        "sure": f"{1 - RISK:.0%}",
        "gap": float(model.threshold_),
        "worst": setting.row_names[setting.case.training_rows[model.held_out_[0][last]]],
        "apart": float(gaps[last]),
    }
    worst_pairs_picture = _worst_pairs(setting, model, gaps, order)
    wrong_pairs = Text(
        "Each of {n} cases is held out, and predicted by the {k} most similar of the {fit} others. "
        "The table has its worst mistake: the wrong pair that lies furthest apart ({title}). "
        "{worst} has the largest: {apart}.",
        values,
    )
    if not np.isfinite(model.threshold_):
        too_few = Text(
            "Only {n} cases can be held out. With so few nothing can be promised with {sure}.",
            values,
        )
        return [LessonStep("Held-out cases", too_few, worst_pairs_picture)]
    reason = (
        "{gap}, number {place} of {n}. So with probability {place}/{all}, at least {sure}, the "
        "new case's worst wrong pair is not further apart."
    )
    return [
        LessonStep("Held-out cases", wrong_pairs, worst_pairs_picture),
        LessonStep(
            "A limit",
            Text(
                "Sorted, the {n} leave {all} places for the new case, all equally likely if it is "
                "one like them. To hold with {sure}, a limit may have at most {above} of these "
                "places above it.",
                values,
            ),
            worst_pairs_picture,
            Ask(
                Text("Where is the limit?"),
                Number(
                    float(model.threshold_),
                    0.0,
                    float(max(1.0, setting.dataset.n_labels - 1)),
                    0.05,
                ),
                Text(reason, values),
            ),
        ),
    ]


def _worst_pairs(
    setting: LessonSetting, model: ConformalLabelRanker, gaps: FloatArray, order: IntArray
) -> Picture:
    """Draw the held-out cases in an order: those with the worst pair furthest apart last."""
    dataset = setting.dataset
    rows = setting.case.training_rows[model.held_out_[0]]
    worst = compute.once(
        _key("worst wrong pairs", setting),
        f"Predicting {len(rows)} held-out cases",
        lambda: [_worst_pair(dataset, model, int(row)) for row in rows],
    )
    table = pd.DataFrame(
        {
            "number": np.arange(1, len(order) + 1),
            "case": [setting.row_names[rows[i]] for i in order],
            "worst wrong pair": [worst[i] for i in order],
            "apart": [decimal_text(float(gaps[i])) for i in order],
            "ranking": dataset.targets_in_words(rows[order]),
        }
    )
    worst_rows = table.tail(_MOST_CASES)
    case_rows = [
        CaseRow(f"{number}", case, (pair, apart), scenes.target_strip(dataset, int(rows[i])))
        for i, number, case, pair, apart in zip(
            order[-_MOST_CASES:], *(worst_rows[name] for name in table.columns[:-1]), strict=True
        )
    ]
    spoken = "; ".join(
        f"{case} {apart}"
        for case, apart in zip(worst_rows["case"], worst_rows["apart"], strict=True)
    )
    heads, new = ("worst wrong pair", "apart"), CaseRow("", "new", ("?", "?"), "?")
    table_ = markup.cases_table(new, case_rows, heads, (setting.nouns.row, "true ranking"))
    return Picture("held_out", f"worst wrong pairs: {spoken}", table, markup=table_)


def _worst_pair(dataset: Dataset, model: ConformalLabelRanker, row: int) -> str:
    """Return the wrong pair whose scores lie furthest apart, with its scores, as text."""
    truth, names = dataset.rankings[row], dataset.label_names
    half_explanation = _explain_half(model, dataset.case(row))
    scores = half_explanation.evidence(LabelScores)
    ahead = truth[:, None] < truth
    lost = np.where(ahead, scores.values[:, None] - scores.values, 0.0)
    if scores.greater_is_better:
        lost = np.where(ahead, scores.values - scores.values[:, None], 0.0)
    if lost.max() <= 0:
        return "none"
    second, first = divmod(int(np.argmax(lost)), len(lost))
    a, b = decimal_text(float(scores.values[first])), decimal_text(float(scores.values[second]))
    return f"{names[first]} {a}, {names[second]} {b}"


def _half(setting: LessonSetting, model: ConformalLabelRanker) -> Explanation:
    """Explain the case by the ranker that did not see the held-out cases."""
    return compute.once(
        _key("half", setting), "Explaining the prediction", _explain_half, model, setting.case.x
    )


def _explain_half(model: ConformalLabelRanker, x: FloatArray) -> Explanation:
    explanation: Explanation = case_path(model.estimators_[0], x).path.at().explain(0)
    return explanation


def _decided(setting: LessonSetting, model: ConformalLabelRanker, held_out: Picture) -> LessonStep:
    half_explanation, names = _half(setting, model), setting.names
    order, sure = half_explanation.order, _order(setting, model)
    pairs = [(a, b) for i, a in enumerate(order) for b in order[i + 1 :]]
    offered_pairs = pairs[:_MOST_PAIRS]
    right = frozenset(i for i, (a, b) in enumerate(offered_pairs) if sure[a, b])
    scores = half_explanation.evidence(LabelScores)
    distances = [abs(scores.values[a] - scores.values[b]) for a, b in pairs]
    reason = (
        "Decided: {n} of {pairs} pairs. The promise: with a probability of at least {sure}, all "
        "decided pairs of a new case are right."
    )
    if np.isclose(distances, model.threshold_).any():
        reason += " A pair exactly {gap} apart is not decided."
    values = {
        "fit": len(setting.case.training_rows) - len(model.held_out_[0]),
        "title": scores.title,
        "gap": float(model.threshold_),
        "n": sum(bool(sure[a, b]) for a, b in pairs),
        "pairs": len(pairs),
        "sure": f"{1 - RISK:.0%}",
    }
    return LessonStep(
        "What is promised",
        Text(
            "The {fit} cases that were not held out give this case new scores ({title}). A pair is "
            "decided if its labels are more than {gap} apart.",
            values,
        ),
        scenes.below(held_out, scenes.dots(scores.title, scores.values, setting)),
        Ask(
            Text("Which pairs are decided for this case?"),
            Pick(tuple(f"{names[a]} > {names[b]}" for a, b in offered_pairs), right),
            Text(reason, values),
        ),
    )


def _positions(setting: LessonSetting, model: ConformalLabelRanker) -> LessonStep:
    intervals = _interval(setting, model)
    half_explanation = _half(setting, model)
    top, scores = half_explanation.order[0], half_explanation.evidence(LabelScores)
    low, high = (int(bound) for bound in intervals[top])
    gap = float(model.threshold_)
    limit = float(scores.values[top]) + (-gap if scores.greater_is_better else gap)
    sign = "−" if scores.greater_is_better else "+"
    limit_name = f"{setting.names[top]} {sign} {decimal_text(gap)}"
    values = {
        "top": setting.names[top],
        "low": low,
        "high": high,
        "gap": gap,
    }
    drawn_labels = [label for label in half_explanation.order if label in set(setting.scene.shown)]
    m = setting.dataset.n_labels
    position_range = range(1, min(m, _MOST_CASES) + 1)
    possible = np.array(
        [
            [intervals[label, 0] <= position <= intervals[label, 1] for label in range(m)]
            for position in position_range
        ]
    )
    interval_texts = [
        f"{setting.names[j]}: {intervals[j, 0]} to {intervals[j, 1]}" for j in drawn_labels
    ]
    table = pd.DataFrame(
        {"label": list(setting.names), "from": intervals[:, 0], "to": intervals[:, 1]}
    )
    markup_html = markup.label_sets(
        possible,
        [f"position {position}" for position in position_range],
        setting.names,
        drawn_labels,
    )
    reason = (
        "{top}: position {low} to {high}. Drawn: the positions that remain for each label. What is "
        "undecided stays open instead of being guessed."
    )
    intervals_picture = Picture("places", "; ".join(interval_texts), table, markup=markup_html)
    return LessonStep(
        "Places that are possible",
        Text(
            "The decided pairs leave each label some positions. Labels beyond the line, more than "
            "{gap} from {top}, are decided to be behind it.",
            values,
        ),
        scenes.dots(scores.title, scores.values, setting, bar=Bar(limit, limit_name)),
        Ask(
            Text("Down to which position can {top} fall?", values),
            Number(float(high), 1.0, float(m), 1.0),
            Text(reason, values),
            intervals_picture,
            is_added=True,
        ),
    )


LESSON = Lesson(
    "confidence",
    "Confidence",
    "How sure, and what is promised?",
    "Agreement tells sure cases from unsure ones; held-out cases turn scores into a guarantee.",
    "knn",
    (Example("A warm day", _ROWS, (25.0, 7.0), {"n_neighbors": 3}, nouns=DAYS_AND_DRINKS),),
    ("n_neighbors",),
    make_steps,
    skill="compute how sure a prediction is",
    skill_details=": its confidence, and a guarantee from held-out cases",
)
