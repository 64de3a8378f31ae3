"""The choice of the parameters varied and of the test rows."""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from labelrank_core import Dataset
from labelrank_core.data.splits import Fold, cross_validation
from labelrank_core.evaluation.sensitivity.figures import Figure, figures_for
from labelrank_core.methods import Algorithm, ModelChoice
from pages.sensitivity import names
from pages.ui import compute
from pages.ui.choose.choices import choose
from pages.ui.render import drawing

_PUBLISHED = "the published split"


def choose_figure(dataset: Dataset, choice: ModelChoice) -> Figure:
    """Draw the choice of the parameters to vary."""
    offered = {names.title(figure): figure for figure in simplest_first(choice.algorithm, dataset)}
    key = f"vary_{choice.key}"
    title = choose(
        st.segmented_control,
        "What to vary",
        list(offered),
        required=True,
        key=key,
        bind="query-params",
        format_func=dataset.nouns.insert,
        help=_help(offered),
    )
    return offered[title]


def simplest_first(algorithm: Algorithm, dataset: Dataset | None = None) -> list[Figure]:
    """List a method's figures: single parameters, several together, labels deleted."""
    figures = figures_for(algorithm, dataset)
    return sorted(figures, key=lambda figure: (figure.kind == "missing", len(figure.knobs)))


def _help(offered: Mapping[str, Figure]) -> str:
    """Define the parameters of the figures offered, and the deletion of labels."""
    knobs = {knob.name: knob for figure in offered.values() for knob in figure.knobs}
    lines = [f"**{knob.label}.** {knob.help}" for knob in knobs.values()]
    lines += [
        f"**{title}.** What the method loses where {figure.deleted} are missing from the training "
        "rankings."
        for title, figure in offered.items()
        if figure.kind == "missing"
    ]
    return drawing.with_nouns("\n\n".join(lines))


def choose_folds(dataset: Dataset) -> list[Fold]:
    """Draw the choice of the rows that train and test."""
    offered: dict[str, int] = {
        f"{n} folds": n for n in (5, 10, 3, 2) if n <= dataset.n_samples or n == 2
    }
    titles = [*offered, *([] if dataset.split is None else [_PUBLISHED])]
    title = choose(
        st.selectbox,
        "Tested on",
        titles,
        key="tested_on",
        bind="query-params",
        width=260,
        help="The rows are divided into folds of one size, and each fold is predicted by a model "
        "that learned from the others. The test set of the bar is not used here.",
    )
    if title == _PUBLISHED:
        return [Fold(0, 0, compute.split(dataset, kind="published"))]
    key = compute.digest("folds", dataset.fingerprint, offered[title])
    folds = partial(cross_validation, n_folds=offered[title])
    return compute.once(key, "Splitting the data", folds, dataset)
