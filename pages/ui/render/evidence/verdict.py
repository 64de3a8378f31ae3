"""The verdict on a prediction: places beside the truth, and a sentence in a box."""

import html

import numpy as np

from labelrank_core import Dataset, Task
from labelrank_core.explain import render as drawings
from labelrank_core.explain.evidence import Confidence, Explanation, LabelScores, Text
from labelrank_core.explain.render import LabelSelection, Scene, markup
from labelrank_core.explain.standing import (
    compared_pairs,
    contradicted_pairs,
    differing_pairs_text,
    known_pairs_text,
    place_in_truth,
    wrong_labels_text,
    wrong_pairs_text,
)
from labelrank_core.explain.what_if.texts import overtaking_text
from labelrank_core.rankings import format_ranking
from pages.ui import session
from pages.ui.render import drawing
from pages.ui.results import evaluations
from pages.ui.view import View
from pages.ui.wording import choice_text, text

_RIGHT, _PRESENT, _ABSENT = "✓ right", "✓ present", "✓ absent"


def render_ladder(
    dataset: Dataset,
    explanation: Explanation,
    row: int | None,
    label_selection: LabelSelection | None = None,
) -> None:
    """Draw the predicted ranking with the scores that order it; with a row beside the truth."""
    scene = Scene(
        explanation,
        dataset.label_names,
        dataset.schema,
        None,
        label_selection=label_selection or LabelSelection(),
    )
    judged_labels = scene.shown if row is not None else ()
    truth = {
        label: _truth_of(dataset, explanation, int(row or 0), label) for label in judged_labels
    }
    drawing.render_markup(drawings.answer(scene, truth))
    if len(explanation.order) > len(scene.shown):
        drawing.render_caption(
            drawing.with_nouns(
                f"{len(scene.shown)} of {len(explanation.order)} labels: the first and all "
                "relevant ones."
            )
        )


def render_verdict(dataset: Dataset, explanation: Explanation, row: int | None) -> None:
    """Draw the verdict in a box, with the reason for the prediction; without a row no verdict."""
    why = f'<p class="summary">{_plain(explanation.summary, dataset)}</p>'
    if row is None:
        sentence = "Values were changed by hand, so the truth is not known."
        drawing.render_markup(f'<div class="lr lr-verdict"><p>{sentence}</p>{why}</div>')
        return
    is_right: bool | None
    if dataset.task is Task.PAIR_PREFERENCES:
        verdict_text = known_pairs_text(explanation.ranking, dataset.preferences[[row]])
        is_right = not verdict_text.values["n"] if verdict_text.values else None
    elif explanation.relevance is not None:
        has_ranking = dataset.task is Task.CALIBRATED_RANKING
        verdict_text = wrong_labels_text(
            explanation.relevance, dataset.relevance[row], has_ranking=has_ranking
        )
        is_right = np.array_equal(explanation.relevance, dataset.relevance[row])
    elif explanation.has_ties:
        verdict_text = differing_pairs_text(explanation.prediction, dataset.rankings[row])
        is_right = "n" not in verdict_text.values if verdict_text.values else None
    else:
        verdict_text = wrong_pairs_text(explanation.positions, dataset.rankings[row])
        # Where the truth ties all labels that it ranks, nothing is right or wrong.
        is_right = not verdict_text.values["n"] if verdict_text.values else None
    # What is wrong has its sign in the sentence, behind the count of what is right.
    kind, sign = {True: ("right", "✓ "), False: ("wrong", ""), None: ("", "")}[is_right]
    sentence = _plain(verdict_text, dataset)
    drawing.render_markup(f'<div class="lr lr-verdict {kind}"><p>{sign}{sentence}</p>{why}</div>')


def render_confidence(view: View, confidence: Confidence) -> None:
    """Draw the confidence of a prediction among the test cases, where that is quick to compute.

    Words and bar are of one standing; without one the confidence lies on the scale of its values.
    """
    if not confidence.defined:
        sentence = "Not defined for a single case, which always agrees with itself."
        drawing.render_caption(drawing.with_nouns(sentence))
        return
    definition = f"{text.capitalised(confidence.definition)}."
    if confidence.lowest:
        definition += f" The lowest possible is {confidence.lowest:.2f}."
    if view.row not in view.split.test:
        definition += " This case was left out of training."
    drawing.render_markdown(drawing.with_nouns(confidence.meaning), definition)
    standing = evaluations.standing(view, confidence)
    if standing and standing.is_comparable:
        counts = standing.n_less, standing.n_equal, standing.n_more
        among = drawing.with_nouns(f"compared with {standing.compared} test cases")
        drawing.render_markup(markup.standing_bar(confidence.value, *counts, among))
        return
    drawing.render_markup(markup.gauge(confidence.value, confidence.lowest))
    if standing:
        drawing.render_sentence(standing.text, view.dataset)


def render_change(view: View, explanation: Explanation) -> None:
    """Draw the change that the last change of a setting made to the prediction of this case."""
    dataset, choice = view.dataset, view.choice
    split = (view.split.kind, view.split.seed, view.split.test_share)
    case = (dataset.fingerprint, view.row, tuple(view.edits.items()), choice.key, *split)
    scores = explanation.evidence(LabelScores)
    relevance_now, keys = explanation.relevance, scores.values
    previous = session.replace_answer(case, choice, (explanation.ranking, relevance_now, keys))
    if previous is None:
        return
    old, (positions, relevance, old_keys) = previous
    sets = None if relevance_now is None or relevance is None else (relevance, relevance_now)
    sentence = "the prediction stays the same."
    if len({*positions.tolist()}) < len(positions) or explanation.has_ties:
        if not np.array_equal(positions, explanation.ranking):
            names = dataset.label_names
            rankings = [format_ranking(order, names) for order in (positions, explanation.ranking)]
            sentence = html.escape(f"{rankings[0]} becomes {rankings[1]}.")
    elif overtaking := overtaking_text(
        positions, explanation.positions, sets, (old_keys, keys), scores.tie_rule
    ):
        sentence = _plain(overtaking, dataset)
    change = html.escape(drawing.with_nouns(choice_text.change_text(old, choice)))
    drawing.render_markup(f'<p class="lr moved" role="status">{change}: {sentence}</p>')


def _plain(sentence: Text, dataset: Dataset) -> str:
    return sentence.html(dataset.label_names, dataset.nouns)


def known_pairs_markup(dataset: Dataset, explanation: Explanation, row: int) -> str:
    """Draw the known pairs of a row, marked where a prediction contradicts them."""
    preferences = dataset.preferences[[row]]
    wrong = contradicted_pairs(explanation.ranking, preferences)
    return markup.known_pairs(preferences.chains(0), dataset.label_names, wrong=wrong)


def _truth_of_pairs(
    dataset: Dataset, explanation: Explanation, row: int, label: int
) -> tuple[str, bool]:
    """Count the known pairs of a row that are predicted in their order."""
    preferences = compared_pairs(explanation.ranking, dataset.preferences[[row]])
    n_known = int(preferences.n_known_of_labels[0, label])
    n_right = n_known - int(preferences.n_wrong(explanation.ranking[None])[0, label])
    if not n_known:
        return "not compared", True
    if n_right == n_known:
        return _RIGHT, True
    return f"✗ {n_known - n_right} of {n_known} pairs", False


def _truth_of(dataset: Dataset, explanation: Explanation, row: int, label: int) -> tuple[str, bool]:
    """Return the truth about one label beside the prediction, True where they agree."""
    if dataset.task is Task.PAIR_PREFERENCES:
        return _truth_of_pairs(dataset, explanation, row, label)
    is_set = dataset.task is Task.MULTILABEL
    truth = np.nan if is_set else dataset.rankings[row, label]
    if not is_set and np.isnan(truth):
        return "not ranked", True
    if explanation.relevance is not None:
        relevant = bool(dataset.relevance[row, label])
        if relevant != bool(explanation.relevance[label]):
            return ("✗ missed" if relevant else "✗ not relevant"), False
        if is_set:
            return (_PRESENT if relevant else _ABSENT), True
    true_place, first, last = place_in_truth(explanation.positions, dataset.rankings[row], label)
    # What ties with all others can be nowhere else.
    n_ranked = int((~np.isnan(dataset.rankings[row])).sum())
    if n_ranked == last - first + 1 > 1:
        return "all tied", True
    if first <= true_place <= last:
        return _RIGHT, True
    return f"really {first}" if first == last else f"really {first} to {last}, tied", False
