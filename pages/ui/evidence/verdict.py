"""Whether a prediction is right, drawn: places beside the truth, and a sentence in a box."""

import html

import numpy as np

from labelrank_core import Dataset, Task
from labelrank_core.explain import markup, pictures
from labelrank_core.explain.evidence import Confidence, Explanation, LabelScores, Text
from labelrank_core.explain.pictures import Scene, Wanted
from labelrank_core.explain.standing import (
    LEVELS,
    ConfidenceStanding,
    differing_pairs_text,
    place_in_truth,
    wrong_labels_text,
    wrong_pairs_text,
)
from labelrank_core.explain.what_if.texts import overtaking_text
from labelrank_core.rankings import format_ranking
from pages.ui import choice_text, drawing, evaluations, session
from pages.ui.view import View

_RIGHT = "✓ right"


def ladder(
    dataset: Dataset, explanation: Explanation, row: int | None, wanted: Wanted | None = None
) -> None:
    """Draw the predicted ranking with what orders it; with a row beside the truth."""
    scene = Scene(explanation, dataset.label_names, dataset.schema, None, wanted=wanted or Wanted())
    known = scene.shown if row is not None else ()
    truth = {label: _truth_of(dataset, explanation, int(row or 0), label) for label in known}
    drawing.show(pictures.answer(scene, truth))
    if len(explanation.order) > len(scene.shown):
        drawing.caption(
            f"{len(scene.shown)} of {len(explanation.order)} labels: the first and all relevant "
            "ones."
        )


def box(dataset: Dataset, explanation: Explanation, row: int | None) -> None:
    """Say in a box whether the prediction is right, and what decided it; None: nobody knows."""
    why = f'<p class="summary">{_plain(explanation.summary, dataset)}</p>'
    if row is None:
        said = "Values were changed by hand, so the truth is not known."
        drawing.show(f'<div class="lr lr-verdict"><p>{said}</p>{why}</div>')
        return
    is_right: bool | None
    if explanation.relevance is not None:
        found = wrong_labels_text(explanation.relevance, dataset.relevance[row])
        is_right = np.array_equal(explanation.relevance, dataset.relevance[row])
    elif explanation.has_ties:
        found = differing_pairs_text(explanation.prediction, dataset.rankings[row])
        is_right = "n" not in found.values if found.values else None
    else:
        found = wrong_pairs_text(explanation.positions, dataset.rankings[row])
        # Where the truth ties all labels that it ranks, nothing is right or wrong.
        is_right = not found.values["n"] if found.values else None
    kind, sign = {True: ("right", "✓ "), False: ("wrong", "✗ "), None: ("", "")}[is_right]
    said = _plain(found, dataset)
    drawing.show(f'<div class="lr lr-verdict {kind}"><p>{sign}{said}</p>{why}</div>')


def render_confidence(asked: View, confidence: Confidence) -> None:
    """Draw and say how sure a prediction is among the test cases, where that is quick to find out.

    Words and bar are of one standing; without one the confidence lies on the scale of its values.
    """
    if not confidence.defined:
        drawing.caption("Not defined for a single case, which always agrees with itself.")
        return
    compared = evaluations.quick_confidences(asked)
    standing = compared and ConfidenceStanding(
        confidence.value, compared.confidences, len(asked.split.test)
    )
    if standing and standing.level:
        bar = markup.standing_bar(
            confidence.value,
            confidence.lowest,
            standing.share_less,
            standing.share_equal,
            LEVELS,
        )
        drawing.show(bar)
    else:
        drawing.show(markup.gauge(confidence.value, confidence.lowest))
    if standing:
        drawing.say(standing.text, asked.dataset)
    definition = f"{confidence.definition[0].upper()}{confidence.definition[1:]}."
    drawing.caption(confidence.meaning, definition)


def moved(asked: View, explanation: Explanation) -> None:
    """Say what the last change of a setting has changed in the prediction of this case."""
    dataset, choice = asked.dataset, asked.choice
    split = (asked.split.kind, asked.split.seed, asked.split.test_share)
    case = (dataset.fingerprint, asked.row, tuple(asked.edits.items()), choice.key, *split)
    scores = explanation.evidence(LabelScores)
    now, keys = explanation.relevance, scores.values
    before = session.shown_before(case, choice, (explanation.ranking, now, keys))
    if before is None:
        return
    old, (positions, relevance, old_keys) = before
    sets = None if now is None or relevance is None else (relevance, now)
    said = "the prediction stays the same."
    if len({*positions.tolist()}) < len(positions) or explanation.has_ties:
        if not np.array_equal(positions, explanation.ranking):
            names = dataset.label_names
            rankings = [format_ranking(each, names) for each in (positions, explanation.ranking)]
            said = html.escape(f"{rankings[0]} becomes {rankings[1]}.")
    elif found := overtaking_text(
        positions, explanation.positions, sets, (old_keys, keys), scores.tie_rule
    ):
        said = _plain(found, dataset)
    drawing.show(
        f'<p class="lr moved" role="status">{html.escape(choice_text.change_text(old, choice))}: '
        f"{said}</p>"
    )


def _plain(sentence: Text, dataset: Dataset) -> str:
    return sentence.html(dataset.label_names)


def _truth_of(dataset: Dataset, explanation: Explanation, row: int, label: int) -> tuple[str, bool]:
    """Say how the truth about one label compares with the prediction."""
    is_set = dataset.task is Task.MULTILABEL
    truth = np.nan if is_set else dataset.rankings[row, label]
    if not is_set and np.isnan(truth):
        return "not ranked", True
    if explanation.relevance is not None:
        relevant = bool(dataset.relevance[row, label])
        if relevant != bool(explanation.relevance[label]):
            return ("✗ missed" if relevant else "✗ not relevant"), False
        if is_set:
            return _RIGHT, True
    place, first, last = place_in_truth(explanation.positions, dataset.rankings[row], label)
    # What ties with all others can be nowhere else.
    n_ranked = int((~np.isnan(dataset.rankings[row])).sum())
    if n_ranked == last - first + 1 > 1:
        return "all tied", True
    if first <= place <= last:
        return _RIGHT, True
    return f"in truth {first}." if first == last else f"in truth {first} to {last}, tied", False
