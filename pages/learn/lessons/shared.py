"""Shared by several lessons: rows to start from, the first step and the last."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from labelrank_core.aggregation import LOSSES, consensus_losses
from labelrank_core.data.nouns import Nouns
from labelrank_core.data.schema import add_up_as_written, decimal_text
from labelrank_core.explain.evidence import (
    Confidence,
    Label,
    LabelScores,
    LeaveOneOut,
    LeaveOneOutSets,
    Neighbors,
    Text,
)
from labelrank_core.explain.overtaking import LISTED_FIRST
from labelrank_core.explain.render import Picture
from labelrank_core.rankings import FloatArray
from pages.learn import scenes
from pages.learn.story import MOST_WORDS, Ask, LessonSetting, LessonStep, Order, Pick

_MOST_TAPPED, _MOST_LISTED, _MOST_STAYING, _MOST_WORKED = 8, 6, 6, 3
# A longer list of labels is not written.
_MOST_LISTED = 6
# Of an order and its reverse one agrees at least so much with any rankings.
_LOWEST_OF_BEST = 0.5
DAYS_AND_DRINKS = Nouns("day", "days", "drink", "drinks")
DAYS_AND_OUTINGS = Nouns("day", "days", "outing", "outings")
DRINKS = """day,temperature (°C),sunshine (h),ranking
Mon,17,5,tea>water>lemonade
Tue,16,4,tea>water>lemonade
Wed,12,3,tea>water>lemonade
Thu,22,6,water>lemonade>tea
Fri,23,7,water>lemonade>tea
Sat,27,9,lemonade>water>tea
Sun,30,11,lemonade>water>tea
New Year,5,1,tea>water>lemonade
"""
OUTINGS = """day,temperature (°C),rain (mm),labels
Mon,15,6,museum
Tue,13,7,museum
Wed,16,8,cinema
Thu,9,14,museum;cinema
Fri,19,1,hiking;cycling
Sat,22,2,hiking;cycling
Sun,27,1,swimming;cycling
May Day,30,0,swimming
"""


def rankings(setting: LessonSetting, answer_text: Text | None = None) -> LessonStep:
    """Return the step that asks for the ranking; `answer_text`: the text of the last step."""
    values = {"n": len(setting.case.training_rows), "m": setting.dataset.n_labels}
    intro = "Each of {n} cases has a ranking of {m} labels, best first. The new one has none yet."
    return LessonStep(
        "The rows",
        Text(intro, values),
        scenes.rows_picture(setting),
        Ask(
            Text("Which ranking do you expect for it?"),
            order(setting),
            answer_text or summary(setting),
            is_kept=True,
        ),
    )


def label_list(setting: LessonSetting) -> tuple[str, tuple[Label, ...] | int]:
    """Return the labels as text, in the order that breaks ties; of many only their number."""
    m = setting.dataset.n_labels
    if m <= _MOST_LISTED and len(" ".join(setting.names).split()) <= 2 * m:
        return "the labels {labels}", listed(list(range(m)))
    return "{labels} labels", m


def order(setting: LessonSetting) -> Order:
    """Ask for the predicted order."""
    return Order(setting.explanation.positions)


def label_sets(setting: LessonSetting, answer_text: Text | None = None) -> LessonStep:
    """Return the step that asks for the labels; `answer_text`: the text of the last step."""
    label_text, labels = label_list(setting)
    values = {"n": len(setting.case.training_rows), "labels": labels}
    intro = f"Each of {{n}} cases has some of {label_text}. Those of the new one are unknown."
    return LessonStep(
        "The rows",
        Text(intro, values),
        scenes.rows_picture(setting),
        Ask(
            Text("Which labels do you expect for it?"),
            relevant(setting),
            answer_text or summary(setting),
            is_kept=True,
        ),
    )


def relevant(setting: LessonSetting) -> Pick:
    """Ask for the labels that are predicted relevant, among those that are drawn."""
    drawn_labels = setting.scene.shown
    relevant_labels = np.flatnonzero(setting.explanation.prediction).tolist()
    right = frozenset(
        option for option, label in enumerate(sorted(drawn_labels)) if label in relevant_labels
    )
    return Pick(tuple(setting.names[label] for label in sorted(drawn_labels)), right)


def one_label(setting: LessonSetting, right: Label) -> Pick:
    """Ask for one label among those that are drawn."""
    drawn_labels = sorted({*setting.scene.shown, right.index})
    names = tuple(setting.names[label] for label in drawn_labels)
    return Pick(names, frozenset({drawn_labels.index(right.index)}), several=False)


def near_rows(setting: LessonSetting) -> list[int]:
    """Return the rows of the data of the neighbours, from 0."""
    near = setting.explanation.evidence(Neighbors)
    return [int(row) for row in setting.case.training_rows[near.rows]]


def near_names(setting: LessonSetting) -> list[str]:
    """Return the names of the neighbours' rows."""
    return [setting.row_names[row] for row in near_rows(setting)]


def rankings_that_stay(setting: LessonSetting) -> Picture | None:
    """Draw the rankings of the neighbours, to stay above later pictures; None for many."""
    near = setting.explanation.evidence(Neighbors)
    if len(near.rows) > _MOST_STAYING:
        return None
    return scenes.strips(near.rankings, near_names(setting), setting, "ranking")


def sets_that_stay(setting: LessonSetting) -> Picture | None:
    """Draw the label sets of the neighbours, to stay above later pictures; None for many."""
    if len(near_rows(setting)) > _MOST_STAYING:
        return None
    return scenes.near_sets(setting)


def listed(labels: list[int]) -> tuple[Label, ...]:
    """Return labels as a text says them."""
    return tuple(Label(label) for label in labels)


def decides(
    setting: LessonSetting,
    evidence: LeaveOneOut | LeaveOneOutSets,
    picture: Picture,
    prefix: str = "",
    basis: Picture | None = None,
) -> LessonStep:
    """Return the step that asks which similar cases decide, with the predictions without each.

    `prefix` comes first: the parameters that this is about; `basis` stays above the pictures.
    """
    rows = setting.case.training_rows[evidence.rows]
    row_names = [setting.row_names[row] for row in rows]
    right = frozenset(int(i) for i in evidence.deciding if i < _MOST_TAPPED)
    deciding = ", ".join(row_names[i] for i in evidence.deciding[:_MOST_TAPPED])
    reason = "No single case decides: without any one of the {k} the prediction stays the same."
    if len(evidence.deciding) == 1:
        reason = (
            "Without {cases} the prediction changes (≠), without any other case it stays the same."
        )
    elif deciding:
        reason = (
            "{cases}: leave one of them out, and the prediction changes (≠). {n} of {k} cases "
            "decide."
        )
    values = {"k": len(rows), "n": len(evidence.deciding), "cases": deciding}
    return LessonStep(
        "Does one case decide?",
        Text(prefix + "Leave one of the {k} cases out, with no other in its place.", values),
        scenes.below(basis, picture),
        Ask(
            Text("Without which of the cases does it change?"),
            Pick(tuple(row_names[:_MOST_TAPPED]), right),
            Text(reason, values),
            scenes.below(basis, scenes.left_out(setting, evidence, row_names[:_MOST_TAPPED])),
        ),
    )


def answer(
    setting: LessonSetting,
    answer_text: Text | None = None,
    scores: LabelScores | None = None,
    *,
    basis: Picture | None = None,
    picture: Picture | None = None,
) -> LessonStep:
    """Return the step with the prediction, its scores, and its reason in one sentence.

    `basis`: what stays above the picture, or above that of the scores.
    """
    scores = scores or setting.explanation.evidence(LabelScores)
    answer_text = answer_text or summary(setting)
    answer_text = with_ties(answer_text, scores.values, setting, scores.tie_rule)
    picture = picture or scenes.answer_picture(setting, scores)
    return LessonStep("The answer", answer_text, scenes.below(basis, picture))


def tied(values: FloatArray) -> list[list[int]]:
    """List the labels that have the same number, each such group by label."""
    _, group = np.unique(np.round(values, 9), return_inverse=True)
    return [
        np.flatnonzero(group == group_id).tolist()
        for group_id in np.flatnonzero(np.bincount(group) > 1)
    ]


def _with_list(rule: str, setting: LessonSetting) -> str:
    """Return a tie rule that names what the list of labels holds, which stands nowhere else."""
    noun_rule = setting.nouns.insert(rule)
    if len(setting.names) > _MOST_LISTED or not rule.endswith(LISTED_FIRST):
        return noun_rule
    return f"{noun_rule} ({', '.join(setting.names)})"


def summary(setting: LessonSetting) -> Text:
    """Return the summary of the explanation; its tie rule names what the list of labels holds."""
    text = setting.explanation.summary
    rule = _with_list(LISTED_FIRST, setting)
    values = {
        name: value.replace(LISTED_FIRST, rule) if isinstance(value, str) else value
        for name, value in text.values.items()
    }
    return Text(text.template, values)


def with_ties(
    text: Text,
    values: FloatArray,
    setting: LessonSetting,
    rule: str = LISTED_FIRST,
    *,
    room: int = 0,
    tie: str = "Tied",
) -> Text:
    """Return a text that also names labels with equal numbers, and the rule parting them.

    `room` is left for other words; where names need too much of it, only the rule is said. `tie`
    says when they tie.
    """
    drawn_labels = set(setting.scene.shown)
    named_labels = {label.index for label in text.values.get("tied", ())}
    if "tie" in text.template and not named_labels:
        named_labels = {text.values[key].index for key in ("top", "second")}
    groups = [
        group
        for group in tied(values)
        if drawn_labels.issuperset(group) and named_labels != {*group}
    ]
    if not groups:
        return text
    listed, rule = _with_list(rule, setting), setting.nouns.insert(rule)
    names = "; ".join(", ".join(setting.names[label] for label in group) for group in groups)
    tie_text, rule_text = f" {tie}: {{ties}}. Tie-break: {{rule}}.", " Tie-break: {rule}."
    for more, words in ((tie_text, listed), (tie_text, rule), (rule_text, rule)):
        extended = Text(text.template + more, {**text.values, "ties": names, "rule": words})
        if len(extended.plain(setting.names).split()) <= MOST_WORDS - room:
            return extended
    return text


def rounded(parts: Sequence[float], total: float) -> str:
    """Return the note that numbers with two decimals do not add up as the exact ones do.

    >>> rounded([0.25, 0.5], 0.75), rounded([0.333, 0.333], 0.666)
    ('', ' (rounded)')
    """
    return "" if add_up_as_written(parts, total) else " (rounded)"


def how_sure(setting: LessonSetting, confidence: Confidence, rankings: FloatArray) -> Text:
    """Return the text on the way from rankings to a confidence, and its lowest possible value."""
    predicted = setting.explanation.positions
    mean = float(consensus_losses(rankings, predicted).squared)
    values: dict[str, Any] = {
        "value": confidence.value,
        "mean": mean,
        "largest": int(LOSSES["squared"].largest(len(predicted))),
        "lowest": confidence.lowest,
    }
    from_it = (
        "differ from the prediction by {mean} on average, {largest} at most: position "
        "differences, squared, added up. "
    )
    worked = "Confidence: 1 − {mean} / {largest} = {value}. "
    if confidence.lowest < _LOWEST_OF_BEST:
        why = "It can near {lowest}: the prediction averages leaves' mean ranks, not these."
        return Text("The trees' rankings " + from_it + worked + why, values)
    squares = np.square(rankings - predicted).sum(axis=1)
    values["summed"] = decimal_text(mean)
    if len(rankings) <= _MOST_WORKED:
        summed = " + ".join(f"{square:g}" for square in squares)
        values["summed"] = f"({summed}) / {len(rankings)} = {decimal_text(mean)}"
    from_each = (
        "Square how far labels are from predicted positions and add up: {summed} per ranking, "
        "{largest} at most. "
    )
    why = "Below {lowest} the reverse would agree better."
    return Text(from_each + worked + why, values)
