"""A new experiment: data sets, methods and protocol chosen by hand, or read from a config."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from labelrank_core import Dataset, DatasetError, list_samples
from labelrank_core.data.findings import count_of
from labelrank_core.experiments import (
    ConfigError,
    DataSource,
    Experiment,
    Method,
    Protocol,
    Unit,
    read_config,
    units_of,
)
from labelrank_core.experiments.plan import (
    expected_seconds,
    quickest_methods,
    smallest_part,
    tuning_grid,
)
from labelrank_core.experiments.run import most_workers
from labelrank_core.methods import ALGORITHMS, Algorithm, ModelChoice
from pages.experiments import example, runs
from pages.ui import compute, session
from pages.ui.choose import choices
from pages.ui.render import assistants, widgets
from pages.ui.wording import choice_text, text

_KINDS = {
    "cross_validation": "cross-validation",
    "holdout": "random splits",
    "published": "published split",
}
_KEEP: dict[str, Any] = {"persist_state": "session"}
_LEVELS = tuple(i / 10 for i in range(10))
_MOST_LETTERS = 60
_QUICK, _ALL, _CHOSEN = "Quick three", "All", "My choice"


def render_form() -> None:
    """Draw an example of results, and the form of an experiment: data, methods, protocol, start."""
    # On a phone the form comes first; the style sheet puts it on the right of a wide page.
    with st.container(key="ex_example_and_form"):
        form_column, example_column = st.columns([1, 1.8], gap="large")
    with form_column, st.container(border=True, key="ex_form"):
        _choose_and_render_start()
    # An assistant starts one instead of looking at an example.
    if not assistants.is_reading():
        with example_column:
            example.render_example()


def _choose_and_render_start() -> None:
    """Draw the choices of an experiment, its effort and the button to start it."""
    samples_by_name = {sample.name: sample for sample in list_samples()}
    available = {**dict.fromkeys(samples_by_name), **session.own_data()}
    titles = {
        name: samples_by_name[name].title if dataset is None else name
        for name, dataset in available.items()
    }
    names = _choose_data(available, titles)
    if not names:
        st.info("Choose at least one data set.")
        return
    if len(names) == 1:
        st.markdown("For one data set, [Best method](best_method) is quicker.")
    datasets = [available[name] or compute.sample(name) for name in names]
    method_keys = _choose_preset(datasets)
    effort_slot = st.container()
    further_slot = st.expander("How it is tested")
    protocol = _choose_protocol(datasets, further_slot)
    if not method_keys:
        effort_slot.info("Choose at least one method.")
        return
    n_cases = smallest_part(protocol, datasets)
    tfidf = all(dataset.has_word_counts for dataset in datasets)
    methods = tuple(_method(word, n_cases, tfidf=tfidf) for word in method_keys)
    name = _experiment_name([titles[name] for name in names])
    experiment = Experiment(_sources(datasets), methods, protocol, name)
    with effort_slot:
        _render_start(experiment, datasets, "form", further_slot)
    with st.expander("Configuration file"):
        _render_config(experiment)


def _experiment_name(titles: Sequence[str]) -> str:
    """Name an experiment by its data sets: all, or the first and the number of the others."""
    name, n_others = ", ".join(titles), len(titles) - 1
    if len(name) <= _MOST_LETTERS or not n_others:
        return name[:_MOST_LETTERS]
    return f"{titles[0][:_MOST_LETTERS]} and {count_of(n_others, 'other data set')}"


def _choose_data(available: Mapping[str, Dataset | None], titles: Mapping[str, str]) -> list[str]:
    """Draw the choice of data sets: at first those in use, a sample with all others of its task."""
    current = session.dataset()
    current_name = next(
        (name for name, available_dataset in available.items() if available_dataset is current),
        current.name,
    )
    is_offered = current_name in available
    return choices.choose(
        st.multiselect,
        "Data sets",
        list(available),
        list(dict.fromkeys([current_name, *_samples_like(current)])) if is_offered else [],
        format_func=titles.__getitem__,
        key="ex_data",
        help="Samples, and data added in this session on the page Data.",
        **_KEEP,
    )


def _samples_like(dataset: Dataset) -> list[str]:
    """Name the samples of the task of a sample; of a visitor's own data none."""
    if compute.known_sample(dataset) is None:
        return []
    return [sample.name for sample in list_samples() if sample.task is dataset.task]


def _add_methods(datasets: Sequence[Dataset]) -> None:
    """Add the methods that learn a data set which no chosen method learns, when it is added.

    A browser that sends a change before it is told of them takes them back: a data set counts as
    added until its methods came back as chosen.
    """
    selected_before, current_key = list(session.get_state("ex_methods", ())), session.choice().key
    selected = selected_before.copy()
    served = set(session.get_state("ex_served", ()))
    for dataset in datasets:
        fit = [algorithm.key for algorithm in ALGORITHMS.values() if algorithm.learns(dataset)]
        is_learned = any(
            (current_key if word == "own" else word.removesuffix("*")) in fit for word in selected
        )
        if is_learned or not selected:
            served.add(dataset.fingerprint)
        elif dataset.fingerprint not in served:
            selected += [key for key in fit if key not in selected]
    session.set_state("ex_served", served & {dataset.fingerprint for dataset in datasets})
    if selected != selected_before:
        session.set_state("ex_methods", selected)


def _choose_preset(datasets: Sequence[Dataset]) -> list[str]:
    """Draw the choice of methods: the quickest ones, all that learn the data, or one's own."""
    fit = [algorithm for algorithm in ALGORITHMS.values() if any(map(algorithm.learns, datasets))]
    preset = choices.choose(
        st.segmented_control,
        "Methods",
        [_QUICK, _ALL, _CHOSEN],
        required=True,
        key="ex_preset",
        **_KEEP,
    )
    if preset == _CHOSEN:
        return _choose_methods(datasets, fit)
    keys = [algorithm.key for algorithm in fit]
    if preset == _QUICK:
        keys = _quick_methods(datasets)
    titles = [ALGORITHMS[key].title for key in keys]
    st.caption(f"{', '.join(titles)}.")
    return keys


def _quick_methods(datasets: Sequence[Dataset]) -> list[str]:
    """Choose the quickest methods of the first data set, and of others that none so far learns."""
    keys: list[str] = []
    for dataset in datasets:
        if not any(ALGORITHMS[key].learns(dataset) for key in keys):
            keys += quickest_methods(dataset)
    return keys


def _choose_methods(datasets: Sequence[Dataset], fit: Sequence[Algorithm]) -> list[str]:
    """Draw the choice of methods that can learn at least one of the data sets."""
    current_choice = session.choice()
    options = {algorithm.key: algorithm.title for algorithm in fit}
    options |= {f"{a.key}*": f"{a.title}, tuned" for a in fit if tuning_grid(a, 100)}
    if current_choice.algorithm in fit:
        options["own"] = f"In use now: {choice_text.method_text(current_choice)}"
    _add_methods(datasets)
    return choices.choose(
        st.multiselect,
        "My methods",
        list(options),
        [algorithm.key for algorithm in fit],
        format_func=options.__getitem__,
        key="ex_methods",
        help="Methods have the parameters they start with. A tuned one chooses its main parameters "
        "within each training set, where no test case can influence them.",
        **_KEEP,
    )


def _method(word: str, n_cases: int, *, tfidf: bool) -> Method:
    if word == "own":
        return Method(
            session.choice(), title=f"{choice_text.method_text(session.choice())} (in use)"
        )
    if word.endswith("*"):
        choice = ModelChoice(word[:-1], tfidf=tfidf)
        return Method(choice, tuning_grid(choice.algorithm, n_cases))
    choice = ModelChoice(word, tfidf=tfidf).starting(n_cases)
    return Method(
        choice, title=choice_text.symbols_text(choice) if choice.params and not tfidf else ""
    )


def _choose_protocol(datasets: Sequence[Dataset], further_slot: DeltaGenerator) -> Protocol:
    """Draw in `further_slot` the choice of how to test, which most leave as it is."""
    kinds = [kind for kind in _KINDS if kind != "published" or all(
        dataset.split is not None for dataset in datasets
    )]  # fmt: skip
    with further_slot:
        with st.container(horizontal=True, key="ex_protocol"):
            kind = choices.choose(
                st.selectbox,
                "How to test",
                kinds,
                format_func=_KINDS.__getitem__,
                key="ex_kind",
                help="Cross-validation: the rows are divided into folds, and each fold is the test "
                "set once. Random splits: some rows, drawn at random, are the test set. Published "
                "split: the one that came with the data.",
                **_KEEP,
            )
            folds, repeats, share = 5, 1, 0.3
            if kind == "cross_validation":
                max_folds = min(20, *(dataset.n_samples for dataset in datasets))
                folds = st.number_input(
                    "Folds", 2, max_folds, min(5, max_folds), key="ex_folds", width=130,
                    help="The rows are divided at random; each fold is the test set once.",
                    **_KEEP,
                )  # fmt: skip
            if kind == "holdout":
                percent = st.number_input(
                    "Test rows (%)", 5, 90, 30, 5, key="ex_share", width=130, **_KEEP
                )
                share = percent / 100
            if kind != "published":
                repeats = st.number_input(
                    "Repetitions", 1, 50, 1, key="ex_repeats", width=130,
                    help="How often the rows are divided again.", **_KEEP,
                )  # fmt: skip
        shares = st.multiselect(
            "Shares of the training set to learn from",
            [10, 20, 30, 40, 50, 60, 70, 80, 90, 100],
            [100],
            format_func=lambda percent: f"{percent} %",
            key="ex_shares",
            help="Several shares make a learning curve.",
            **_KEEP,
        )
        missing = st.multiselect(
            "Labels missing from training rankings (p₀)",
            _LEVELS,
            [0.0],
            format_func=lambda level: f"{level:.0%}",
            key="ex_missing",
            help="Each label of a training ranking, or known pair of labels, is deleted with this "
            "probability. Test cases stay as they are. Only methods that learn rankings take part "
            "above 0 %.",
            **_KEEP,
        )
        stratify = False
        if kind == "cross_validation":
            stratify = st.toggle(
                "Each fold gets its share of every label", key="ex_stratify", **_KEEP
            )
        seed = st.number_input("Seed", 0, 2**31 - 1, 0, key="ex_seed", **_KEEP)
    return Protocol(
        kind,
        int(folds),
        int(repeats),
        int(seed),
        stratify,
        share,
        tuple(sorted(missing)) or (0.0,),
        tuple(sorted(percent / 100 for percent in shares)) or (1.0,),
    )


def _sources(datasets: Sequence[Dataset]) -> tuple[DataSource, ...]:
    return tuple(
        DataSource("sample", (dataset.name,))
        if compute.known_sample(dataset)
        else DataSource("stored", (dataset.fingerprint,))
        for dataset in datasets
    )


@runs.store_errors_shown
def _render_start(
    experiment: Experiment, datasets: Sequence[Dataset], key: str, workers_slot: DeltaGenerator
) -> None:
    """Draw the effort of an experiment, the files it stores, and the button to start it.

    In `workers_slot` stands how many trainings run at once.
    """
    try:
        # What a config may not say, a form may not either.
        read_config(experiment.to_json())
        units = units_of(experiment, datasets)
    except ConfigError as error:
        st.warning(text.markdown(text.error_message(error)), icon=":material/rule:")
        return
    max_workers = most_workers(datasets)
    with st.container():
        effort = st.container(horizontal=True, vertical_alignment="center")
        n_workers = 1
        if max_workers > 1:
            n_workers = workers_slot.slider(
                "Run in parallel",
                1,
                max_workers,
                max(1, max_workers - 1),
                key=f"ex_workers_{key}",
                help=f"Bounded by the processors and memory of this {runs.host()}.",
                **_KEEP,
            )
        by_fingerprint = {dataset.fingerprint: dataset for dataset in datasets}
        seconds = expected_seconds(units, by_fingerprint, n_workers)
        with effort:
            is_started = st.button(
                "Start", type="primary", icon=":material/play_arrow:", key=f"ex_start_{key}"
            )
            st.markdown(
                _effort(units, seconds), help=_factors(experiment, units) or None, width="content"
            )
        st.caption(
            _storage_notice(experiment),
            help="Settings and results are kept until you delete them. Anyone with the link of "
            "the experiment can see, cancel or delete it.",
        )
        if is_started:
            _start(experiment, datasets, n_workers)


def _effort(units: Sequence[Unit], seconds: float) -> str:
    """Return the number of trainings, and the time that they are going to take."""
    is_one = len(units) == 1
    trainings = f"**{len(units):,} training{'' if is_one else 's'}**"
    return f"{trainings} {'takes' if is_one else 'take'} {text.duration(seconds)}."


def _factors(experiment: Experiment, units: Sequence[Unit]) -> str:
    """Return the product that gives the number of trainings; empty where none does."""
    n_methods = len(experiment.methods)
    n_datasets = len(experiment.data)
    n_splits, n_left = divmod(len(units), n_methods * n_datasets)
    factors = [
        count_of(n_datasets, "data set"),
        count_of(n_methods, "method"),
        count_of(n_splits, "fold" if experiment.protocol.kind == "cross_validation" else "split"),
    ]
    return " × ".join(factors) if n_left == 0 else ""


def _storage_notice(experiment: Experiment) -> str:
    has_uploads = any(source.kind == "stored" for source in experiment.data)
    data = " with a copy of your data" if has_uploads else ""
    return f"Kept on this {runs.host()}{data}."


def _start(experiment: Experiment, datasets: Sequence[Dataset], n_workers: int) -> None:
    store = runs.store()
    for source, dataset in zip(experiment.data, datasets, strict=True):
        if source.kind == "stored":
            store.keep_data(dataset)
    try:
        run = runs.create(experiment, n_workers)
    except runs.TooManyError as error:
        st.warning(str(error), icon=":material/hourglass_disabled:")
        return
    runs.open_run(run)
    st.rerun()


@runs.store_errors_shown
def _render_config(experiment: Experiment) -> None:
    with st.container():
        st.code(experiment.to_json(), language="json", height=300, wrap_lines=True)
        config = experiment.to_json()
        widgets.render_download("Config (JSON)", config, "experiment.json", "application/json")
    with st.container():
        pasted = st.text_area("Paste a config to start it", height=200, key="ex_config", **_KEEP)
        if not pasted.strip():
            st.caption(
                "A config names samples or data kept here. Only the command line reads files."
            )
            return
        try:
            read = runs.read_visitors_config(pasted)
            store = runs.store()
            datasets = store.datasets(read, store.home)
        except (ConfigError, DatasetError) as error:
            st.error(text.markdown(text.error_message(error)), icon=":material/error:")
            return
        _render_start(read, datasets, "config", st.container())
