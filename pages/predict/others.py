"""Chapter 5, would others say the same: all methods, pinned predictions, the nearest other case."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

from labelrank_core import Dataset
from labelrank_core.data.findings import count_of
from labelrank_core.explain import markup
from labelrank_core.explain.evidence import Confidence, Explanation
from labelrank_core.explain.markup import MethodGroup
from labelrank_core.explain.pictures import SHOWN
from labelrank_core.explain.standing import right_pairs, wrong_pairs
from labelrank_core.methods import ALGORITHMS, ModelChoice, Size
from labelrank_core.rankings import strict_order
from pages.predict import chapters, joined, nearest, pins
from pages.predict.folds import fold
from pages.ui import choices, drawing, jobs, models
from pages.ui.models import Case
from pages.ui.view import View

# Methods that take longer together than this are trained once they are asked for.
_MOST_SECONDS = 10.0
_SHOWN_AT_ONCE = 6

Answers = dict[ModelChoice, Explanation]


def render(view: View, case: Case) -> None:
    """Draw which methods give the same answer, then what is pinned and the nearest other case."""
    with chapters.chapter(5, "Would others say the same?"):
        if not chapters.is_seen(5):
            chapters.render_wait()
            return
        drawing.before_a_widget()
        answers = _render_methods(view, case)
        with fold("Two methods side by side", "two_methods") as is_open:
            if is_open:
                _render_two(view, case, answers)
        pins.compare(view, case)
        with fold("The most similar case that differs", "nearest_other") as is_open:
            if is_open:
                nearest.offer(view, case)


def _render_methods(view: View, case: Case) -> Answers:
    """Draw the groups of methods, as they come."""
    dataset, chosen = view.dataset, view.choice
    offered = [
        chosen if each is chosen.algorithm else replace(chosen, key=each.key, params=())
        for each in ALGORITHMS.values()
        if each.learns(dataset)
    ]
    size = Size.of(dataset, len(view.split.train), 1)
    text_slot, picture_slot = st.empty(), st.empty()
    slow = _slow_ones([each for each in offered if each != chosen], size)
    includes_slow = bool(slow) and st.toggle(
        f"Include {count_of(len(slow), 'slow method')}", key="slow_methods"
    )
    shown = [each for each in offered if includes_slow or each not in slow]
    answers: Answers = {chosen: case.explanation}
    for n_asked, choice in enumerate(shown, start=1):
        if choice not in answers:
            answers[choice] = models.case(replace(view, choice=choice)).explanation
        is_last = n_asked == len(shown)
        if is_last or (n_asked % _SHOWN_AT_ONCE == 0):
            groups = _groups(view, answers)
            text_slot.markdown(_verdict(groups, len(answers), 0 if is_last else len(shown)))
            picture_slot.html(markup.method_groups([_drawn(view, group) for group in groups]))
    return {choice: answers[choice] for choice in shown}


def _slow_ones(offered: Sequence[ModelChoice], size: Size) -> list[ModelChoice]:
    """List the methods that are left out at first: slow ones, or all beyond a sum of seconds."""
    seconds = {each: each.seconds(size) for each in offered}
    total, slow = 0.0, []
    for each in sorted(offered, key=seconds.__getitem__):
        total += seconds[each]
        if seconds[each] > jobs.SLOW_SECONDS or total > _MOST_SECONDS:
            slow.append(each)
    return slow


def _groups(view: View, answers: Answers) -> list[Answers]:
    """Put methods with the same answer together, that of the method in use first, then by size."""
    groups: dict[bytes, Answers] = {}
    for choice, explanation in answers.items():
        groups.setdefault(_answer_key(explanation), {})[choice] = explanation
    return sorted(groups.values(), key=lambda each: (view.choice not in each, -len(each)))


def _answer_key(explanation: Explanation) -> bytes:
    """Return what makes two answers the same: the label set, else the ranking."""
    relevance = explanation.relevance
    if relevance is not None:
        return b"set" + np.asarray(relevance, dtype=np.int64).tobytes()
    return b"ranking" + np.asarray(explanation.ranking, dtype=np.int64).tobytes()


def _verdict(groups: Sequence[Answers], n_methods: int, n_all: int) -> str:
    """Say how many methods give the same answer; of all while some are still to come."""
    n_same = len(groups[0])
    note = f" {n_all - n_methods} more are being asked." if n_all else ""
    note += " Beside a method: its confidence."
    if n_methods == 1:
        return f"No other method was asked.{note}"
    if n_same == n_methods:
        return f"Yes: all {n_methods} methods give this answer.{note}"
    if n_same == 1:
        return f"No: none of the other {n_methods - 1} methods gives exactly this answer.{note}"
    return f"{n_same} of {n_methods} methods give this answer.{note}"


def _drawn(view: View, group: Answers) -> MethodGroup:
    dataset = view.dataset
    explanation = next(iter(group.values()))
    methods = [(each.algorithm.title, _confidence_text(answer)) for each, answer in group.items()]
    chosen = view.choice.algorithm.title if view.choice in group else ""
    return MethodGroup(
        _group_title(view, group), _strip(dataset, explanation), _score(view, explanation),
        methods, chosen,
    )  # fmt: skip


def _group_title(view: View, group: Answers) -> str:
    n = count_of(len(group), "method")
    if view.choice in group:
        return f"{n}: this answer" if len(group) > 1 else "Only the method in use: this answer"
    return f"{n}: {_difference(view, next(iter(group.values())))}"


def _difference(view: View, other: Explanation) -> str:
    """Say in what an answer differs from that of the method in use."""
    names, mine = view.dataset.label_names, models.case(view).explanation
    if mine.relevance is not None and other.relevance is not None:
        added = np.flatnonzero(other.relevance > mine.relevance)
        missing = np.flatnonzero(other.relevance < mine.relevance)
        parts = [f"also {names[j]}" for j in added[:2]] + [f"not {names[j]}" for j in missing[:2]]
        n_more = len(added) + len(missing) - len(parts)
        return ", ".join(parts) + (f", and {n_more} more" if n_more else "")
    swapped, _ = wrong_pairs(other.positions, mine.positions.astype(float))
    if not swapped:
        return "other ties"
    if len(swapped) == 1:
        ahead, behind = swapped[0]
        return f"{names[ahead]} ahead of {names[behind]}"
    return f"{len(swapped)} pairs the other way round"


def _confidence_text(explanation: Explanation) -> str:
    confidence = explanation.evidence(Confidence)
    return f"{confidence.value:.2f}" if confidence.defined else ""


def _strip(dataset: Dataset, explanation: Explanation) -> str:
    if explanation.relevance is not None:
        has = [[label] for label in strict_order(explanation.positions)
               if explanation.relevance[label]]  # fmt: skip
        return markup.strip(has, dataset.label_names, n_labels=SHOWN) if has else "no label"
    return markup.strip(explanation.buckets, dataset.label_names, n_labels=SHOWN)


def _score(view: View, explanation: Explanation) -> str:
    """Say how much of an answer is right."""
    dataset, row = view.dataset, view.row
    if view.edits:
        return ""
    if explanation.relevance is not None:
        right = int((explanation.relevance == dataset.relevance[row]).sum())
        return f"{right} of {dataset.n_labels} labels right"
    n_right, n_compared = right_pairs(explanation, dataset.rankings[row])
    return f"{n_right} of {n_compared} pairs right" if n_compared else ""


def _render_two(view: View, case: Case, answers: Answers) -> None:
    """Join the answer with that of another method, the most different one unless chosen."""
    others = {each: answer for each, answer in answers.items() if each != view.choice}
    if not others:
        drawing.caption("No other method is shown.")
        return
    mine = case.explanation.positions
    n_wrong = [len(wrong_pairs(mine, each.positions.astype(float))[0]) for each in others.values()]
    titles = [each.algorithm.title for each in others]
    most_different = titles[int(np.argmax(n_wrong))]
    drawing.before_a_widget()
    chosen = choices.choose(
        st.selectbox, "Compare with", titles, most_different, key="against_method"
    )
    other = list(others.values())[titles.index(chosen)]
    joined.draw(view.dataset, (view.choice.algorithm.title, case.explanation), (chosen, other))
