"""The choices in the sidebar, drawn once per run: data and case, method, parameters, split."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from labelrank_core import Dataset, Task, list_samples
from labelrank_core.data.splits import Split
from labelrank_core.methods import ALGORITHMS, Algorithm, ModelChoice
from labelrank_core.methods.params import Knob
from pages.ui import choices, compute, kept, methods, samples, state, text

TASK_TITLES = {
    Task.LABEL_RANKING: "label ranking",
    Task.MULTILABEL: "multi-label ranking",
    Task.CALIBRATED_RANKING: "ranking with a zero line",
}
# The fragment of a page that follows its main parameter.
PAGE = "page"
_KEYS = (
    *(state.DATA, state.METHOD, state.ROW, state.SCALED, state.TFIDF),
    *(state.SPLIT_KIND, state.TEST_SHARE, state.SEED),
)
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


def bar() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Draw the choices, keep what was chosen, and return places to say it and to offer its link.

    Only what is drawn can keep its value in the address, so nothing of it is in a popover.
    """
    state.follow_alone(False)
    with st.sidebar:
        dataset = _data()
        gallery = st.container()
        row_place = st.container()
        algorithm = _method(dataset)
        browse = st.container()
        basic = st.container()
        more = st.expander("More settings")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="choices"):
        # The parameter that matters most is always in sight, on a phone too.
        first = st.container(width=300)
        said = st.container()
        with more:
            split = _split(dataset)
        n_cases = max(1, len(split.train) - 1)
        params: dict[str, Any] = {}
        main = _followed(algorithm)
        for knob in algorithm.knobs:
            if knob.matters(params):
                own = basic if knob.basic else more
                place = first if knob is algorithm.knobs[0] else own
                start = knob.start(algorithm.defaults[knob.name], n_cases)
                key = f"{algorithm.key}_{knob.name}"
                then = partial(moved, key) if knob is main else None
                params[knob.name] = knob_widget(knob, start, n_cases, place, key, then)
        with more:
            tfidf = _weighting(dataset)
            scaled = _scaling(dataset, tfidf)
        with row_place:
            _row(dataset)
        if browse.button(
            "Browse the methods", icon=":material/category:", type="tertiary", width="stretch"
        ):
            methods.choose(dataset, split)
        if gallery.button(
            "Browse the samples", icon=":material/apps:", type="tertiary", width="stretch"
        ):
            samples.choose(_take_sample)
        last = st.container(width="content")
    chosen = ModelChoice(algorithm.key, tuple(sorted(params.items())), scaled, tfidf)
    state.remember(dataset, chosen, split)
    state.note([*_KEYS, *(f"{algorithm.key}_{knob.name}" for knob in algorithm.knobs)])
    row = state.row()
    kept.set_row(state.get(state.DATA), row if row != _first_case(dataset) else None)
    return said, last


def _followed(algorithm: Algorithm) -> Knob | None:
    """Return the first parameter if nothing of the choices but itself changes with it."""
    first = algorithm.knobs[0]
    names = {knob.depends_on[0] for knob in algorithm.knobs if knob.depends_on}
    return None if first.none or first.name in names else first


def moved(key: str) -> None:
    """Run no more than the page, where it follows its main parameter."""
    if state.follows_alone():
        state.note([key])
        st.rerun(PAGE)


def follow() -> bool:
    """Take over the main parameter; False if anything else has changed that was chosen."""
    if state.has_changed():
        return False
    choice = state.choice()
    main = _followed(choice.algorithm)
    if main is not None:
        params = {**choice.values, main.name: state.get(f"{choice.key}_{main.name}")}
        now = replace(choice, params=tuple(sorted(params.items())))
        state.remember(state.dataset(), now, state.split())
    return True


def _weighting(dataset: Dataset) -> bool:
    """Ask whether counts of words are weighted."""
    return dataset.has_word_counts and st.toggle(
        "TF-IDF", value=True, key=state.TFIDF, bind="query-params", help=_TFIDF
    )


def _scaling(dataset: Dataset, tfidf: bool) -> bool:
    """Ask whether features, or the cases of sparse data, are scaled."""
    label, explained = _SCALING[dataset.is_sparse or tfidf]
    return st.toggle(label, value=True, key=state.SCALED, bind="query-params", help=explained)


def _data() -> Dataset:
    samples = {sample.name: sample for sample in list_samples()}
    own = state.own_data()
    options = [*own, *samples]
    asked = st.query_params.get(state.DATA, options[0])
    if asked not in options:
        st.info(
            "The link names data that exist only in the session it comes from. A sample is shown.",
            icon=":material/link_off:",
        )
    name = choices.choose(
        st.selectbox,
        "Data",
        options,
        options[len(own)],
        key=state.DATA,
        bind="query-params",
        on_change=lambda: start(
            _in_use(state.get(state.DATA)), kept.rows().get(state.get(state.DATA))
        ),
        help="Samples that come with the program, and data you add on the page Data.",
    )
    st.caption(
        "Your data; kept for this browser alone, they are not part of the link."
        if name in own
        else samples[name].summary
    )
    return _in_use(name)


def _in_use(name: str) -> Dataset:
    own = state.own_data()
    return own[name] if name in own else compute.sample(name)


def _take_sample(name: str) -> None:
    state.put(state.DATA, name)
    _go_on()


def _go_on() -> None:
    """Go on with the case of the data now chosen that was looked at last."""
    name = state.get(state.DATA)
    start(_in_use(name), kept.rows().get(name))


def start(dataset: Dataset, row: int | None = None) -> None:
    """Begin with other data: a case, their own split if they have one; for callbacks."""
    known = row is not None and row < dataset.n_samples
    state.set_row(row if row is not None and known else _first_case(dataset))
    state.put(state.SPLIT_KIND, "random" if dataset.split is None else "published")


def _first_case(dataset: Dataset) -> int:
    """Choose the case to open with: the sample's own, or the first test row."""
    sample = compute.known_sample(dataset)
    own = sample.start_row if sample else None
    return own - 1 if own else int(compute.split(dataset).test[0])


def _method(dataset: Dataset) -> Algorithm:
    offered = {each.title: each for each in ALGORITHMS.values() if each.learns(dataset)}
    title = choices.choose(
        st.selectbox,
        "Method",
        list(offered),
        key=state.METHOD,
        follows_default=False,
        bind="query-params",
        help=lambda title: offered[title].summary,
    )
    return offered[title]


def knob_widget(
    knob: Knob,
    default: Any,
    n_cases: int,
    place: Any,
    key: str,
    on_change: Callable[[], None] | None = None,
) -> Any:
    """Draw the one widget of a parameter and return its value."""
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
            place.selectbox, knob.label, values, default, format_func=labels.__getitem__, **common
        )
    offered = knob.offered(n_cases)
    if knob.none:
        return _number_or_none(knob, offered, default, place, common)
    if knob.at_most_cases:
        default = min(default, offered[-1])
    if len(offered) == 1:
        place.caption(f"{knob.label}: {offered[0]}, the only value possible with these data.")
        return offered[0]
    if knob.scale == "linear":
        return place.slider(knob.label, offered[0], offered[-1], int(default), **common)
    return choices.choose(
        place.select_slider, knob.label, offered, default, format_func=_number, **common
    )


def _number(value: float) -> str:
    """Write a number of any size as a person would: 0.0001, 100."""
    return np.format_float_positional(value, trim="-")


def _number_or_none(
    knob: Knob,
    offered: tuple[float, ...],
    default: float | None,
    place: Any,
    common: dict[str, Any],
) -> float | None:
    """Draw a slider whose last step stands for None."""
    options = {**{_number(value): value for value in offered}, knob.none: None}
    start = knob.none if default is None else _number(default)
    return options[choices.choose(place.select_slider, knob.label, list(options), start, **common)]


def _split(dataset: Dataset) -> Split:
    """Ask which rows test the method."""
    kinds = ["random"] if dataset.split is None else ["published", "random"]
    kind = choices.choose(
        st.selectbox,
        "Test set",
        kinds,
        key=state.SPLIT_KIND,
        bind="query-params",
        help="Rows kept from the method to measure it: the test set the data were published with, "
        "or rows drawn at random.",
    )
    if kind == "published":
        return compute.split(dataset, kind="published")
    share = st.slider(
        "Share of test rows (%)", 10, 90, 30, 5, key=state.TEST_SHARE, bind="query-params"
    )
    seed = st.number_input(
        "Seed",
        0,
        2**31 - 1,
        0,
        key=state.SEED,
        bind="query-params",
        help="The same seed draws the same rows again.",
    )
    return compute.split(dataset, kind="random", test_share=share / 100, seed=int(seed))


def _row(dataset: Dataset) -> None:
    st.number_input(
        f"Case (row 1 to {dataset.n_samples})",
        1,
        dataset.n_samples,
        _first_case(dataset) + 1,
        key=state.ROW,
        bind="query-params",
        help="The row of the data to predict. A row of the training set is predicted by a model "
        "that has not seen it.",
    )
    st.button(
        "Random case",
        icon=":material/casino:",
        width="stretch",
        on_click=state.set_another_row,
        args=(dataset.n_samples,),
    )


def set_case(data: str, choice: ModelChoice, row: int) -> None:
    """Choose data, method and case in the sidebar; for callbacks."""
    state.put(state.DATA, data)
    set_method(_in_use(data), choice)
    state.set_row(row)


def set_method(dataset: Dataset, choice: ModelChoice) -> None:
    """Choose a method with all its parameters in the sidebar; for callbacks."""
    state.put(state.METHOD, choice.algorithm.title)
    state.put(state.SCALED, choice.scaled)
    if dataset.has_word_counts:
        state.put(state.TFIDF, choice.tfidf)
    set_values(choice.algorithm, choice.values)


def method_text(choice: ModelChoice) -> str:
    """Write a method and its main parameters in a few words."""
    labels = [
        f"{knob.label} {value_text(knob, choice.values[knob.name])}"
        for knob in choice.algorithm.knobs
        if knob.basic and knob.matters(choice.values)
    ]
    return ", ".join([choice.algorithm.title, *labels])


def change_text(before: ModelChoice, after: ModelChoice) -> str:
    """Write which settings of a method differ: "Similar cases (k) 5 → 2"."""
    changes = [
        f"{knob.label} {value_text(knob, old)} → {value_text(knob, new)}"
        for knob in after.algorithm.knobs
        if (old := before.values[knob.name]) != (new := after.values[knob.name])
    ]
    if before.scaled != after.scaled:
        changes.append("with scaling" if after.scaled else "without scaling")
    return ", ".join(changes)


def value_text(knob: Knob, value: Any) -> str:
    """Write a value of a parameter as its widget does."""
    if value is None:
        return knob.none
    return dict(knob.choices)[value] if knob.choices else _number(value)


def set_values(algorithm: Algorithm, values: Mapping[str, Any]) -> None:
    """Set parameters of a method in the sidebar; for callbacks."""
    for knob in algorithm.knobs:
        if knob.name in values:
            value = values[knob.name]
            shown = value_text(knob, value) if knob.none else value
            state.put(f"{algorithm.key}_{knob.name}", shown)


def facts_line(asked: state.Query) -> str:
    """Write what is asked in one line of Markdown."""
    name, *others = facts(asked)
    return " · ".join([text.markdown(name), *others])


def facts(asked: state.Query) -> list[str]:
    """Write data, task, method and case in a few words each; the first may hold anything."""
    task = TASK_TITLES[asked.dataset.task]
    return [asked.dataset.name, task, method_text(asked.choice), f"row {asked.row + 1}"]
