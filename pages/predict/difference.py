"""Chapter 2: the way from the average case to this one, feature by feature."""

from itertools import pairwise
from typing import Any

import numpy as np
import streamlit as st

from labelrank_core import Dataset, Task
from labelrank_core.explain.contributions import Pair, PairContributions, level_among
from labelrank_core.explain.evidence import Label, LabelScores, Text, votes_needed
from labelrank_core.explain.render import markup
from labelrank_core.explain.render.markup import Waterfall
from labelrank_core.methods import Algorithm
from pages.predict import chapters
from pages.predict.expanders import compact_expander, expander_row
from pages.ui.choose import choices
from pages.ui.render import drawing
from pages.ui.results import models
from pages.ui.results.models import Case
from pages.ui.view import View
from pages.ui.wording.columns import name_and_unit, value_text
from pages.ui.wording.subject import subject_of

_MOST_COLUMNS, _COLUMNS_AT_ONCE = 200, 40
_BARS = 6
# Ends the names of columns whose values are no numbers.
_YES_OR_NO = "(1 or 0)"
# The placeholders of the features that raise and lower the support most.
_KEYS = {1: "helping", -1: "opposing"}
_LEVELS = "low, high: lowest, highest quarter of all cases"


def render(view: View, case: Case) -> None:
    """Draw the waterfall from the average case to this one for a label or a pair of labels."""
    if not has_pairs(view, case):
        return
    with chapters.chapter(2):
        n_columns = len(models.compared_columns(view))
        if not 0 < n_columns <= _MOST_COLUMNS:
            drawing.render_caption(
                f"This is computed for 1 to {_MOST_COLUMNS} features. Here are {n_columns}."
            )
            return
        drawing.before_a_widget()
        pair = _choose_pair(view, case)
        # Contributions are computed anew at every move, which must take no time that one notices.
        if n_columns > _COLUMNS_AT_ONCE and not st.toggle(
            f"Compare {n_columns} features (takes a second each time)", key="reasons"
        ):
            return
        contributions = models.contributions(view, pair)
        chart = _waterfall(view, case, contributions, pair)
        drawing.render_sentence(_sentence(chart, view, case), view.dataset)
        drawing.render_markup(markup.waterfall(chart))
        _render_method(view, contributions)


def has_pairs(view: View, case: Case) -> bool:
    """Tell whether there is a label or a pair of labels to explain."""
    return bool(_pairs(view, case))


def can_render_first(view: View) -> bool:
    """Tell whether the first waterfall of the chapter is computed at once."""
    return view.dataset.n_labels > 1 and 0 < len(models.compared_columns(view)) <= _COLUMNS_AT_ONCE


def render_first(view: View, case: Case) -> None:
    """Draw the waterfall that the chapter shows at first, for a report."""
    pair = first_pair(view, case)
    chart = _waterfall(view, case, models.contributions(view, pair), pair)
    drawing.render_sentence(_sentence(chart, view, case), view.dataset)
    drawing.render_markup(markup.waterfall(chart))


def columns_by_contribution(view: View, case: Case) -> list[int]:
    """List the columns by their part in the first waterfall, the largest first."""
    columns = models.compared_columns(view)
    values = models.contributions(view, first_pair(view, case)).values
    return [columns[j] for j in np.argsort(-np.abs(values), kind="stable")]


def _waterfall(view: View, case: Case, contributions: PairContributions, pair: Pair) -> Waterfall:
    names = view.dataset.label_names
    subject, columns = subject_of(view.dataset), models.compared_columns(view)
    frame = view.dataset.schema.frame(case.x[None]).iloc[:, columns]
    values = contributions.values
    by_size = np.argsort(-np.abs(values), kind="stable")
    # A bar for a single other feature has that feature's name.
    n_bars = _BARS + (len(by_size) == _BARS + 1)
    steps, has_levels = [], False
    for j in by_size[:n_bars]:
        name, unit = name_and_unit(frame.columns[j])
        value = frame.iloc[0, j]
        if is_yes_or_no(str(frame.columns[j])):
            name, value = f"{name}:", "yes" if value else "no"
        level = "" if isinstance(value, str) else _level(view.dataset, columns[j], value)
        value_and_level = ", ".join(filter(None, (value_text(value, unit), level)))
        steps.append((name, value_and_level, float(values[j])))
        has_levels |= bool(level)
    summed_columns = by_size[n_bars:]
    if len(summed_columns):
        name = f"{len(summed_columns)} other features"
        steps.append((name, "", float(values[summed_columns].sum())))
    return Waterfall(
        pair,
        (f"An average {subject.row}", contributions.base),
        steps,
        f"This {subject.row}",
        contributions.even,
        contributions.is_share,
        (names[pair[0]], "" if pair[1] is None else names[pair[1]]),
        "" if pair[1] is not None else _votes_needed(case),
        drawing.with_nouns(_LEVELS) if has_levels else "",
    )


def is_yes_or_no(column_name: str) -> bool:
    """Whether the values of a column, which its name ends with, are no numbers."""
    return column_name.endswith(_YES_OR_NO)


def _level(dataset: Dataset, column: int, value: float) -> str:
    """Tell whether a value is low or high in its column; nothing of sparse data."""
    if dataset.is_sparse:
        return ""
    return level_among(dataset.X[:, dataset.schema.starts[column]], value)


def _votes_needed(case: Case) -> str:
    """Return what share of the votes a label must exceed, and so how many, where votes decide."""
    scores = case.explanation.find(LabelScores)
    if scores is None or scores.bar is None or scores.n_votes is None:
        return ""
    needed = votes_needed(scores.bar, scores.n_votes)
    return f"over {scores.bar:.0%}, {needed} of {scores.n_votes}"


def _sentence(chart: Waterfall, view: View, case: Case) -> Text:
    """Write the support on average and here, and the features that matter most for either side."""
    average, total = chart.levels[0], chart.levels[-1]
    feature_steps = [step for step in chart.steps if step[1]]
    is_same = chart.level_text(total) == chart.level_text(average)
    values: dict[str, Any] = {
        "a": Label(chart.labels[0]),
        "average": chart.level_text(average),
        "total": chart.level_text(total),
    }
    if chart.labels[1] is None:
        template = _label_template(chart, case)
    else:
        values["b"] = Label(chart.labels[1])
        template = _pair_template(chart, view.choice.algorithm, case)
    template += "Here it is the same." if is_same else "Here it is {total}."
    sides = ("speaks for it", "speaks against it")
    if chart.labels[1] is not None:
        sides = ("helps {a}", "helps {b}")
    for sign, side in zip((1, -1), sides, strict=True):
        feature, _, change = max(
            feature_steps, key=lambda step: sign * step[2], default=("", "", 0)
        )
        if sign * change > 0:
            template += f" What {side} most is {{{_KEYS[sign]}}}."
            values[_KEYS[sign]] = feature.removesuffix(":")
    return Text(template, values)


def _pair_template(chart: Waterfall, algorithm: Algorithm, case: Case) -> str:
    """Write the support of one label against another in an average case."""
    if chart.is_share and algorithm.support:
        return (
            f"For an average case, the {algorithm.support} for {{a}} ahead of {{b}} is "
            "{average}. "
        )
    if chart.is_share:
        return (
            f"For an average case, {{average}} of the {algorithm.votes} rank {{a}} ahead of {{b}}. "
        )
    scores = case.explanation.evidence(LabelScores)
    a, b = chart.labels
    difference = scores.values[a] - scores.values[b]
    # The case is scored in other units than are drawn where the difference is another one.
    if np.isclose(abs(difference), abs(chart.levels[-1])):
        names = "{b} minus that of {a}" if not scores.greater_is_better else "{a} minus that of {b}"
        return f"For an average case, the {scores.title} of {names} is {{average}}. "
    return "For an average case, the score of {a} minus that of {b} is {average}. "


def _label_template(chart: Waterfall, case: Case) -> str:
    """Write the support of a single label in an average case."""
    if not chart.is_share:
        return "For an average case, the score of {a} is {average}. "
    if case.explanation.evidence(LabelScores).n_votes is not None:
        return "For an average case, {average} of the similar ones have the label {a}. "
    return "For an average case, the probability of {a} is {average}. "


def _render_method(view: View, contributions: PairContributions) -> None:
    """Explain the numbers behind a click."""
    exactness = (
        "All subsets of the features were tried, so they are exact."
        if contributions.is_exact
        else f"Their standard error is up to {contributions.errors.max():.2f}."
    )
    sparse_note = (
        " Only the features that this case has are compared." if view.dataset.is_sparse else ""
    )
    with (
        expander_row(2),
        compact_expander("How is this computed?", "difference_computed") as is_open,
    ):
        if is_open:
            drawing.render_caption(
                drawing.with_nouns(
                    "Each bar is the Shapley value of one feature: what it adds on average over "
                    "all orders in which the features of an average case can be replaced by those "
                    f"of this one. {exactness}{sparse_note} They are rounded so "
                    "that they add up. What if? changes one value of this case alone, so the same "
                    "value can help here and not there."
                )
            )


def _pairs(view: View, case: Case) -> list[Pair]:
    """List the pairs to explain: of label sets every label, of rankings neighbouring labels."""
    explanation = case.explanation
    labels = [] if explanation.relevance is None else explanation.order
    # In a set without an order no label is ahead of another.
    pairs = [] if view.dataset.task is Task.MULTILABEL else pairwise(explanation.order)
    return [*((label, None) for label in labels), *pairs]


def first_pair(view: View, case: Case) -> Pair:
    """Return the pair that the chapter begins with: the closest call, as in the first chapter."""
    pairs, closest_pair = _pairs(view, case), case.explanation.closest_pair
    # Without a closest call, the last predicted label is the one that the sentences are about.
    default = pairs[max(0, (case.explanation.n_relevant or 0) - 1)]
    return closest_pair if closest_pair in pairs else default


def _choose_pair(view: View, case: Case) -> Pair:
    """Choose a label or two neighbouring labels of the ranking, at the start the closest call."""
    names, relevance = view.dataset.label_names, case.explanation.relevance

    def question(pair: Pair) -> str:
        label, other = pair
        if other is not None:
            return f"{names[label]} ahead of {names[other]}"
        is_predicted = relevance is not None and relevance[label]
        return f"Why {names[label]}?" if is_predicted else f"Why not {names[label]}?"

    return choices.choose(
        st.selectbox,
        "What to explain",
        _pairs(view, case),
        first_pair(view, case),
        format_func=question,
        key="pair",
        label_visibility="collapsed",
        width=320,
    )
