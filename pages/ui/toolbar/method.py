"""The choice of a method and its parameters."""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from labelrank_core import Dataset
from labelrank_core.methods import ALGORITHMS, Algorithm, ModelChoice
from labelrank_core.methods.params import Knob
from pages.ui import session
from pages.ui.choose import choices
from pages.ui.render import drawing
from pages.ui.toolbar.data import dataset_named
from pages.ui.view import DATA, METHOD, SCALED, TFIDF
from pages.ui.wording.choice_text import number_text, value_text

_TFIDF = (
    "Weighs each count of a word: the fewer training cases have the word, the more it counts. "
    "Similar texts are found better with it."
)
# By whether cases are scaled instead of features.
_SCALING = {
    False: (
        "Scale features",
        "Scales every feature to mean 0 and standard deviation 1, so that no unit counts more than "
        "another.",
    ),
    True: (
        "Scale cases",
        "Scales every case to length 1, so that long texts do not count more than short ones. "
        "Features are not scaled, because most are 0 in most rows and rare words would count too "
        "much.",
    ),
}


def choose_method(dataset: Dataset) -> Algorithm:
    """Let a method that learns these data be chosen."""
    offered = {algorithm.title: algorithm for algorithm in methods_for(dataset)}
    title = choices.choose(
        st.selectbox,
        "Method",
        list(offered),
        key=METHOD,
        follows_default=False,
        bind="query-params",
        help=lambda title: offered[title].summary,
    )
    return offered[title]


def methods_for(dataset: Dataset) -> list[Algorithm]:
    """List the methods that learn these data."""
    return [algorithm for algorithm in ALGORITHMS.values() if algorithm.learns(dataset)]


def choose_parameter(
    knob: Knob,
    default: Any,
    n_cases: int,
    slot: Any,
    key: str,
    on_change: Callable[[], None] | None = None,
) -> Any:
    """Draw the one widget of a parameter and return its value."""
    label = drawing.with_nouns(knob.label)
    common: dict[str, Any] = {
        "key": key,
        "bind": "query-params",
        "help": knob.help,
        "on_change": on_change,
    }
    if knob.choices:
        labels = dict(knob.choices)
        values = list(labels)
        return choices.choose(
            slot.selectbox, label, values, default, format_func=labels.__getitem__, **common
        )
    offered = knob.offered(n_cases)
    if knob.none:
        return _choose_number_or_none(knob, label, offered, default, slot, common)
    if knob.at_most_cases:
        default = min(default, offered[-1])
    if len(offered) == 1:
        slot.caption(f"{label}: {offered[0]}, the only value possible with these data.")
        return offered[0]
    if knob.scale == "linear":
        return slot.slider(label, offered[0], offered[-1], int(default), **common)
    return choices.choose(
        slot.select_slider, label, offered, default, format_func=number_text, **common
    )


def _choose_number_or_none(
    knob: Knob,
    label: str,
    offered: tuple[float, ...],
    default: float | None,
    slot: Any,
    common: dict[str, Any],
) -> float | None:
    """Draw a slider whose last step stands for None."""
    options = {**{number_text(value): value for value in offered}, knob.none: None}
    start = knob.none if default is None else number_text(default)
    return options[choices.choose(slot.select_slider, label, list(options), start, **common)]


def knob_key(algorithm: Algorithm, knob: Knob) -> str:
    """Return the key of the widget of a parameter, which is its name in a link."""
    return f"{algorithm.key}_{knob.name}"


def is_followed(algorithm: Algorithm) -> bool:
    """Tell whether nothing of the choices changes with the first parameter but itself."""
    first = algorithm.knobs[0]
    names = {knob.depends_on[0] for knob in algorithm.knobs if knob.depends_on}
    return not first.none and first.name not in names


def choose_weighting(dataset: Dataset) -> bool:
    """Let be chosen whether counts of words are weighted."""
    return dataset.has_word_counts and st.toggle(
        "TF-IDF", value=True, key=TFIDF, bind="query-params", help=_TFIDF
    )


def choose_scaling(dataset: Dataset, tfidf: bool) -> bool:
    """Let be chosen whether features, or the cases of sparse data, are scaled."""
    label, explained = _SCALING[dataset.is_sparse or tfidf]
    return st.toggle(label, value=True, key=SCALED, bind="query-params", help=explained)


def set_case(data: str, choice: ModelChoice, row: int) -> None:
    """Choose data, method and case in the toolbar; for callbacks."""
    session.set_state(DATA, data)
    set_method(dataset_named(data), choice)
    session.set_row(row)


def set_method(dataset: Dataset, choice: ModelChoice) -> None:
    """Choose a method with all its parameters in the toolbar; for callbacks."""
    session.set_state(METHOD, choice.algorithm.title)
    session.set_state(SCALED, choice.scaled)
    if dataset.has_word_counts:
        session.set_state(TFIDF, choice.tfidf)
    _store_values(choice.algorithm, choice.values)


def set_values(algorithm: Algorithm, values: Mapping[str, Any]) -> None:
    """Set parameters of a method in the toolbar; for callbacks.

    A number of cases that was tried with more training cases than there are here becomes the
    largest one possible: Streamlit would take the first value instead.
    """
    n_cases = max(1, len(session.split().train) - 1)
    limits = {
        knob.name: knob.offered(n_cases)[-1] for knob in algorithm.knobs if knob.at_most_cases
    }
    _store_values(
        algorithm,
        {
            name: min(value, limits[name]) if name in limits and value is not None else value
            for name, value in values.items()
        },
    )


def _store_values(algorithm: Algorithm, values: Mapping[str, Any]) -> None:
    for knob in algorithm.knobs:
        if knob.name in values:
            value = values[knob.name]
            option = value_text(knob, value) if knob.none else value
            session.set_state(f"{algorithm.key}_{knob.name}", option)
