"""Chapter 5: the agreement of all methods, pinned predictions, the nearest unlike neighbour."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from operator import itemgetter
from time import monotonic

import numpy as np
import streamlit as st

from labelrank_core import Dataset
from labelrank_core.data.findings import count_of
from labelrank_core.data.schema import decimal_text
from labelrank_core.explain.evidence import Confidence, Explanation
from labelrank_core.explain.render import SHOWN, markup
from labelrank_core.explain.render.markup import MethodGroup, RankedLabels
from labelrank_core.explain.standing import right_pairs, wrong_pairs
from labelrank_core.methods import ALGORITHMS, ModelChoice, Size
from labelrank_core.rankings import IntArray, label_buckets
from pages.predict import chapters, pins, side_by_side, unlike_neighbor
from pages.predict.expanders import compact_expander, expander_row
from pages.ui import jobs, toolbar
from pages.ui.choose import choices
from pages.ui.render import drawing, row_buttons
from pages.ui.results import models
from pages.ui.results.models import Case
from pages.ui.view import View

# Methods that take longer together than this are trained once they are asked for.
_MOST_SECONDS = 10.0
# Answers that come quicker than this after each other are drawn together.
_SECONDS_PER_DRAWING = 0.4
_GROUPS_KEY = "methods_by_answer"
# A title names so many differences; with more, it names the first and counts the others.
_MOST_CHANGES = 2

Answers = dict[ModelChoice, Explanation]


def render(view: View, case: Case) -> None:
    """Draw the methods by their answers, the pinned predictions and the unlike neighbour."""
    with chapters.chapter(5):
        if not chapters.is_seen(5):
            chapters.render_wait()
            return
        drawing.before_a_widget()
        answers = _render_methods(view, case)
        pins.render_comparisons(view, case)
        with expander_row(5):
            with compact_expander("Two methods side by side", "two_methods") as is_open:
                if is_open:
                    _render_two_methods(view, case, answers)
            with compact_expander(
                drawing.with_nouns("The most similar case that differs"), "nearest_other"
            ) as is_open:
                if is_open:
                    unlike_neighbor.render(view, case)


def _render_methods(view: View, case: Case) -> Answers:
    """Draw the groups of methods, as they come."""
    dataset, current = view.dataset, view.choice
    model_choices = [
        current
        if algorithm is current.algorithm
        else replace(current, key=algorithm.key, params=()).with_ties(current.predicts_ties)
        for algorithm in ALGORITHMS.values()
        if algorithm.learns(dataset)
    ]
    size = Size.of(dataset, len(view.split.train), 1)
    with st.container(key=_GROUPS_KEY):
        text_slot, picture_slot = st.empty(), st.empty()
        row_buttons.listen("method_rows", _GROUPS_KEY, partial(_use_method, dataset, model_choices))
    slow = _slow_choices([choice for choice in model_choices if choice != current], size)
    is_one = len(slow) == 1
    slow_name = f"{slow[0].algorithm.title} (slow)" if is_one else f"{len(slow)} slow methods"
    includes_slow = bool(slow) and st.toggle(f"Include {slow_name}", key="slow_methods")
    included = [choice for choice in model_choices if includes_slow or choice not in slow]
    answers: Answers = {current: case.explanation}

    def render_answers() -> None:
        groups = _groups(view, answers)
        waiting: dict[str, list[str]] = {}
        for choice in included:
            if choice not in answers:
                family = drawing.with_nouns(choice.algorithm.family).capitalize()
                waiting.setdefault(family, []).append(choice.algorithm.title)
        n_waiting = len(included) - len(answers)
        text_slot.markdown(_verdict_text(groups, len(answers), n_waiting))
        method_groups = [_method_group(view, group, model_choices) for group in groups]
        with picture_slot:
            drawing.render_at_once(markup.method_groups(method_groups, waiting))

    drawn_at = float("-inf")
    for choice in included:
        if choice in answers:
            continue
        if monotonic() - drawn_at > _SECONDS_PER_DRAWING:
            render_answers()
            drawn_at = monotonic()
        answers[choice] = models.case(replace(view, choice=choice)).explanation
    render_answers()
    return {choice: answers[choice] for choice in included}


def _use_method(dataset: Dataset, model_choices: Sequence[ModelChoice], number: int) -> None:
    """Use the method whose name was clicked, as it was asked; for callbacks."""
    if number < len(model_choices):
        toolbar.set_method(dataset, model_choices[number])


def _slow_choices(model_choices: Sequence[ModelChoice], size: Size) -> list[ModelChoice]:
    """List the methods that are left out at first: slow ones, or all beyond a sum of seconds."""
    seconds = {choice: choice.seconds(size) for choice in model_choices}
    total, slow = 0.0, []
    for choice in sorted(model_choices, key=seconds.__getitem__):
        total += seconds[choice]
        if seconds[choice] > jobs.SLOW_SECONDS or total > _MOST_SECONDS:
            slow.append(choice)
    return slow


def _groups(view: View, answers: Answers) -> list[Answers]:
    """Put methods with the same answer together, that of the method in use first, then by size."""
    groups: dict[bytes, Answers] = {}
    for choice, explanation in answers.items():
        groups.setdefault(_answer_key(explanation), {})[choice] = explanation
    return sorted(groups.values(), key=lambda group: (view.choice not in group, -len(group)))


def _answer_key(explanation: Explanation) -> bytes:
    """Return a key that equal answers share: of the label set, else of the ranking."""
    relevance = explanation.relevance
    if relevance is not None:
        return b"set" + np.asarray(relevance, dtype=np.int64).tobytes()
    return b"ranking" + np.asarray(explanation.ranking, dtype=np.int64).tobytes()


def _verdict_text(groups: Sequence[Answers], n_methods: int, n_waiting: int) -> str:
    """Count the methods with the answer of the one in use, while some are still waited for."""
    n_same = len(groups[0])
    note = (
        " The number is the confidence: how far the voters of a method agree, or the share that it "
        "expects to be right. Click a method to use it."
    )
    if n_waiting and n_methods == 1:
        return f"The other methods are asked one after the other.{note}"
    if n_waiting:
        return f"{n_same} of {n_methods} methods give this answer so far.{note}"
    if n_methods == 1:
        return f"No other method was asked.{note}"
    if n_same == n_methods:
        return f"Yes: all {n_methods} methods give this answer.{note}"
    if n_same == 1:
        return f"No: none of the other {n_methods - 1} methods gives exactly this answer.{note}"
    return f"{n_same} of {n_methods} methods give this answer.{note}"


def _method_group(view: View, group: Answers, model_choices: Sequence[ModelChoice]) -> MethodGroup:
    dataset = view.dataset
    explanation = next(iter(group.values()))
    methods = [
        (model_choices.index(choice), choice.algorithm.title, _confidence_text(answer))
        for choice, answer in group.items()
    ]
    title_in_use = view.choice.algorithm.title if view.choice in group else ""
    return MethodGroup(
        _group_title(view, group), _strip(dataset, explanation), _score_text(view, explanation),
        methods, title_in_use,
    )  # fmt: skip


def _group_title(view: View, group: Answers) -> str:
    n = count_of(len(group), "method")
    if view.choice in group:
        return f"{n}: this answer" if len(group) > 1 else "Only the method in use: this answer"
    return f"{n}: {_group_difference(view, next(iter(group.values())))}"


def _group_difference(view: View, explanation: Explanation) -> str:
    """Describe the difference between an answer and that of the method in use."""
    reference = models.case(view).explanation
    relevance = None
    if reference.relevance is not None and explanation.relevance is not None:
        relevance = np.array([explanation.relevance, reference.relevance])
    rankings = np.array([explanation.ranking, reference.ranking])
    return difference_text(view.dataset.label_names, rankings, relevance)


def difference_text(names: Sequence[str], rankings: IntArray, relevance: IntArray | None) -> str:
    """Describe the difference between an answer and a reference, which is the second row.

    Of label sets the labels that only one has, if there are some; else the pairs of the rankings.
    """
    if relevance is not None and not np.array_equal(*relevance):
        added = np.flatnonzero(relevance[0] > relevance[1])
        missing = np.flatnonzero(relevance[0] < relevance[1])
        parts = [f"also {names[j]}" for j in added[:2]] + [f"not {names[j]}" for j in missing[:2]]
        n_more = len(added) + len(missing) - len(parts)
        return ", ".join(parts) + (f", and {n_more} more" if n_more else "")
    changes = _pair_changes(rankings[0], rankings[1], names)
    if len(changes) <= _MOST_CHANGES:
        return ", ".join(changes)
    return f"{changes[0]}, and {len(changes) - 1} more pairs"


def _pair_changes(ranking: IntArray, reference: IntArray, names: Sequence[str]) -> list[str]:
    """Write each pair of labels that a ranking has in another way than the reference.

    Pairs that changed sides come first, then those that tie in one of them alone.
    """
    changes = []
    labels = [label for bucket in label_buckets(ranking) for label in bucket]
    for a, b in combinations(labels, 2):
        side, reference_side = (np.sign(places[a] - places[b]) for places in (ranking, reference))
        if side != reference_side:
            change = f"{names[a]} ahead of {names[b]}" if side else f"{names[a]} = {names[b]}"
            changes.append((not side * reference_side, change))
    return [change for _, change in sorted(changes, key=itemgetter(0))]


def _confidence_text(explanation: Explanation) -> str:
    confidence = explanation.evidence(Confidence)
    return decimal_text(confidence.value) if confidence.defined else ""


def _strip(dataset: Dataset, explanation: Explanation) -> str:
    relevance = explanation.relevance
    ranking = RankedLabels(explanation.buckets)
    if relevance is not None:
        ranking = ranking.select(np.flatnonzero(relevance))
    names = dataset.label_names
    return markup.strip(ranking, names, n_labels=SHOWN) if ranking.buckets else "no label"


def _score_text(view: View, explanation: Explanation) -> str:
    """Count the labels or pairs of an answer that are right; empty where values are changed."""
    dataset, row = view.dataset, view.row
    if view.edits:
        return ""
    if explanation.relevance is not None:
        right = int((explanation.relevance == dataset.relevance[row]).sum())
        return f"{right} of {dataset.n_labels} {dataset.nouns.labels} right"
    n_right, n_compared = right_pairs(
        explanation,
        dataset.rankings[row] if dataset.task.has_rankings else dataset.preferences[[row]],
    )
    return f"{n_right} of {n_compared} pairs right" if n_compared else ""


def _render_two_methods(view: View, case: Case, answers: Answers) -> None:
    """Join the answer with that of another method, the most different one unless chosen."""
    other_answers = {choice: answers[choice] for choice in answers if choice != view.choice}
    if not other_answers:
        drawing.render_caption("No other method is shown.")
        return
    positions = case.explanation.positions
    n_wrong = [
        len(wrong_pairs(positions, answer.positions.astype(float))[0])
        for answer in other_answers.values()
    ]
    titles = [choice.algorithm.title for choice in other_answers]
    most_different = titles[int(np.argmax(n_wrong))]
    drawing.before_a_widget()
    title = choices.choose(
        st.selectbox, "Compare with", titles, most_different, key="against_method"
    )
    explanation = list(other_answers.values())[titles.index(title)]
    title_in_use = view.choice.algorithm.title
    side_by_side.render_predictions(
        view.dataset, (title_in_use, case.explanation), (title, explanation)
    )
