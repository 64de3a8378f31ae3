"""The answer first: the predicted ranking against the truth, and why one label is ahead."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from labelrank_core import Task
from labelrank_core.data.schema import number_text
from labelrank_core.explain import markup
from labelrank_core.explain.evidence import Confidence
from labelrank_core.explain.markup.palette import label_color
from labelrank_core.explain.pictures import Wanted
from labelrank_core.explain.what_if import Sweep
from pages.ui import choices, drawing, evidence, labels, models, text
from pages.ui.evidence import verdict
from pages.ui.evidence.changes import what_would_change
from pages.ui.models import Case
from pages.ui.view import View

_MOST_COLUMNS, _COLUMNS_AT_ONCE = 200, 40
_BARS = 6
# A ladder of more labels has its verdict beside it.
_LONG = 10


def labels_wanted(asked: View) -> Wanted:
    """Ask which of many labels to draw; those that are truly relevant always are."""
    dataset = asked.dataset
    is_known = not asked.edits and dataset.task is not Task.LABEL_RANKING
    relevant = np.flatnonzero(dataset.relevance[asked.row]).tolist() if is_known else []
    return labels.ask(dataset, "predict", "the first 15 and all relevant ones", relevant)


def answer(asked: View, case: Case, wanted: Wanted) -> DeltaGenerator:
    """Draw what is predicted, how sure it is, which features put a label ahead.

    Return the card for what would change it, to be filled by `render_changes`.
    """
    dataset = asked.dataset
    is_long = dataset.n_labels > _LONG
    # The style sheet sets these cards in columns of one height.
    with st.container(key="answer"):
        with drawing.card():
            drawing.heading("Predicted order" if asked.edits else "Predicted against the truth")
            drawn(asked, case, wanted)
            if not is_long:
                _verdict(asked, case)
        if is_long:
            with drawing.card():
                drawing.heading("Is it right?")
                _verdict(asked, case)
        changes_card = st.container(border=dataset.n_labels > 1, gap="xsmall")
        with drawing.card():
            _how_sure(asked, case)
        if dataset.n_labels > 1:
            with drawing.card():
                drawing.heading("Why is one label ahead of another?")
                _reasons(asked, case)
    return changes_card


def render_changes(
    card: DeltaGenerator, asked: View, case: Case, sweeps: Sequence[Sweep] | None
) -> None:
    """Say in a card what would change the prediction; `sweeps`: see `what_would_change`."""
    if asked.dataset.n_labels > 1:
        with card, drawing.together():
            drawing.heading("What would change it?")
            what_would_change(asked, case.explanation, sweeps)


def _verdict(asked: View, case: Case) -> None:
    verdict.box(asked.dataset, case.explanation, None if asked.edits else asked.row)
    verdict.moved(asked, case.explanation)
    if asked.row not in asked.split.test:
        drawing.caption(
            "This row belongs to the training set; for this prediction it was left out of it."
        )


def _how_sure(asked: View, case: Case) -> None:
    for step in case.explanation.steps:
        if isinstance(step.evidence, Confidence):
            drawing.heading(step.title)
            # The drawing says the numbers.
            if not step.evidence.defined or set(step.text.values) > {"value", "lowest"}:
                drawing.say(step.text, asked.dataset)
            verdict.render_confidence(asked, step.evidence)


def drawn(asked: View, case: Case, wanted: Wanted | None = None) -> None:
    """Draw the predicted ranking beside the truth."""
    dataset, truth = asked.dataset, None if asked.edits else asked.row
    predicted, *others = evidence.ladder_of(case.explanation, dataset, truth, earlier=None)
    if case.explanation.has_ties and not others:
        drawing.show(markup.strip(predicted.groups, dataset.label_names))
    elif not others or predicted.n_relevant is not None:
        verdict.ladder(dataset, case.explanation, truth, wanted)
    else:
        drawing.show(evidence.ladder([predicted, *others], dataset.label_names, wanted))


def _reasons(asked: View, case: Case) -> None:
    dataset = asked.dataset
    order, names = case.explanation.order, dataset.label_names
    columns = models.compared_columns(asked)
    n_columns = len(columns)
    if not 0 < n_columns <= _MOST_COLUMNS:
        drawing.caption(f"Told for 1 to {_MOST_COLUMNS} features; this case has {n_columns}.")
        return
    first, second = _ask_pair(order, names)
    # What is computed anew at every move must take no time that one notices.
    if n_columns > _COLUMNS_AT_ONCE and not st.toggle(
        f"Compare {n_columns} features (takes a second each time)", key="reasons"
    ):
        return
    found = models.contributions(asked, (first, second))
    frame = dataset.schema.frame(case.x[None]).iloc[:, columns]
    largest = np.argsort(-np.abs(found.values), kind="stable")
    bars = [
        (_named(frame.columns[j], frame.iloc[0, j]), float(found.values[j]))
        for j in largest[:_BARS]
    ]
    if len(largest) > _BARS:
        rest = largest[_BARS:]
        others = "1 other feature" if len(rest) == 1 else f"{len(rest)} other features"
        bars.append((others, float(found.values[rest].sum())))
    drawing.show(markup.contributions(bars, label_color(first)))
    only = ", with only the features that this case has" if dataset.is_sparse else ""
    exact = "exact" if found.is_exact else f"standard error up to {found.errors.max():.2f}"
    drawing.caption(
        f"Right: for {text.markdown(names[first])}; left: for {text.markdown(names[second])}. The "
        f"bars lead from the support on average over training cases{only}, {found.base:.2f}, to "
        f"that of this case, {found.total:.2f} (all rounded).",
        "Support: how clearly the method puts the one label ahead of the other. Bars: Shapley "
        f"values, {exact}.",
    )


def _ask_pair(order: list[int], names: Sequence[str]) -> tuple[int, int]:
    """Ask which two neighbouring places of the ranking to explain, the first two unless chosen."""
    pairs = list(pairwise(order))
    drawing.before_a_widget()
    return choices.choose(
        st.selectbox,
        "Pair of labels",
        pairs,
        format_func=lambda pair: f"{names[pair[0]]} ahead of {names[pair[1]]}",
        key="pair",
        label_visibility="collapsed",
    )


def _named(name: str, value: Any) -> str:
    return f"{name} = {value}" if isinstance(value, str) else f"{name} = {number_text(value)}"
