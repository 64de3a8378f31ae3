"""Chapter 2: the way from the average case to this one, feature by feature."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import streamlit as st

from labelrank_core.explain import markup
from labelrank_core.explain.contributions import PairContributions
from labelrank_core.explain.evidence import Label, Text
from labelrank_core.explain.markup import Waterfall
from pages.predict import chapters
from pages.predict.expanders import compact_expander
from pages.ui import choices, drawing, models
from pages.ui.columns import name_and_unit, value_text
from pages.ui.models import Case
from pages.ui.subject import Subject, subject_of
from pages.ui.view import View

_MOST_COLUMNS, _COLUMNS_AT_ONCE = 200, 40
_BARS = 6


def render(view: View, case: Case) -> None:
    """Draw the waterfall from the average case to this one for a pair of labels."""
    if view.dataset.n_labels < 2:
        return
    with chapters.chapter(2, "What made the difference?"):
        n_columns = len(models.compared_columns(view))
        if not 0 < n_columns <= _MOST_COLUMNS:
            drawing.render_caption(
                f"This is computed for 1 to {_MOST_COLUMNS} features. Here are {n_columns}."
            )
            return
        drawing.before_a_widget()
        text_slot = st.container()
        pair = _choose_pair(case.explanation.order, view.dataset.label_names)
        # Contributions are computed anew at every move, which must take no time that one notices.
        if n_columns > _COLUMNS_AT_ONCE and not st.toggle(
            f"Compare {n_columns} features (takes a second each time)", key="reasons"
        ):
            return
        contributions = models.contributions(view, pair)
        chart = _waterfall(view, case, contributions, pair)
        with text_slot:
            drawing.render_sentence(_sentence(chart, subject_of(view.dataset)), view.dataset)
        drawing.render_markup(markup.waterfall(chart))
        _render_method(view, contributions)


def can_render_first(view: View) -> bool:
    """Tell whether the waterfall of the first two labels is computed at once."""
    return view.dataset.n_labels > 1 and 0 < len(models.compared_columns(view)) <= _COLUMNS_AT_ONCE


def render_first(view: View, case: Case) -> None:
    """Draw the waterfall of the first two labels, for a report."""
    first, second, *_ = case.explanation.order
    pair = (first, second)
    chart = _waterfall(view, case, models.contributions(view, pair), pair)
    drawing.render_sentence(_sentence(chart, subject_of(view.dataset)), view.dataset)
    drawing.render_markup(markup.waterfall(chart))


def _waterfall(
    view: View, case: Case, contributions: PairContributions, pair: tuple[int, int]
) -> Waterfall:
    subject, columns = subject_of(view.dataset), models.compared_columns(view)
    frame = view.dataset.schema.frame(case.x[None]).iloc[:, columns]
    values = contributions.values
    by_size = np.argsort(-np.abs(values), kind="stable")
    steps = []
    for j in by_size[:_BARS]:
        name, unit = name_and_unit(frame.columns[j])
        steps.append((name, value_text(frame.iloc[0, j], unit), float(values[j])))
    summed_columns = by_size[_BARS:]
    if len(summed_columns):
        name = (
            "1 other feature"
            if len(summed_columns) == 1
            else f"{len(summed_columns)} other features"
        )
        steps.append((name, "", float(values[summed_columns].sum())))
    return Waterfall(
        pair,
        (f"An average {subject.row}", contributions.base),
        steps,
        f"This {subject.row}",
        contributions.even,
        contributions.is_share,
    )


def _sentence(chart: Waterfall, subject: Subject) -> Text:
    """Say where the pair stands on average and here, and which feature matters most."""
    average, total = chart.levels[0], chart.levels[-1]
    feature_steps = [step for step in chart.steps if step[1]]
    is_same = chart.level_text(total) == chart.level_text(average)
    values: dict[str, Any] = {
        "a": Label(chart.labels[0]),
        "b": Label(chart.labels[1]),
        "average": chart.level_text(average),
        "total": chart.level_text(total),
    }
    if chart.is_share:
        template = (
            f"In an average {subject.row}, {{a}} ahead of {{b}} has a support of {{average}}. "
        )
    else:
        template = (
            f"In an average {subject.row}, the score of {{a}} minus that of {{b}} is {{average}}. "
        )
    if is_same:
        return Text(f"{template}In this {subject.row} it is the same.", values)
    template += f"In this {subject.row} it is {{total}}"
    towards = [step for step in feature_steps if step[2] * (total - average) > 0]
    if towards:
        values["feature"] = max(towards, key=lambda step: abs(step[2]))[0]
        template += ", most of all because of {feature}"
    return Text(f"{template}.", values)


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
    with compact_expander("How is this computed?", "difference_computed") as is_open:
        if is_open:
            drawing.render_caption(
                drawing.with_nouns(
                    "Each bar is the Shapley value of one feature: what it adds on average over "
                    "all orders in which the features of an average case can be replaced by those "
                    f"of this one. {exactness}{sparse_note} Numbers are rounded."
                )
            )


def _choose_pair(order: list[int], names: Sequence[str]) -> tuple[int, int]:
    """Ask which two neighbouring labels of the ranking to explain, the first two at the start."""
    return choices.choose(
        st.selectbox,
        "Pair of labels",
        list(pairwise(order)),
        format_func=lambda pair: f"{names[pair[0]]} ahead of {names[pair[1]]}",
        key="pair",
        label_visibility="collapsed",
        width=320,
    )
