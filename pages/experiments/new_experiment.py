"""A new experiment: data sets, methods and protocol chosen by hand, or read from a config."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from labelrank_core import Dataset, DatasetError, list_samples
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
    smallest_part,
    tuning_grid,
)
from labelrank_core.experiments.run import most_workers
from labelrank_core.methods import ALGORITHMS, ModelChoice
from pages.experiments import runs
from pages.ui import choice_text, choices, compute, session, text, widgets

_KINDS = {
    "cross_validation": "folds",
    "holdout": "random splits",
    "published": "published split",
}
_KEEP: dict[str, Any] = {"persist_state": "session"}
_LEVELS = tuple(i / 10 for i in range(10))


def form() -> None:
    """Ask for an experiment, say what it takes and what is kept, and start it."""
    st.markdown(
        "Several methods, trained and tested on the same folds. It runs in the background: you can "
        "leave this page and come back."
    )
    known = {**{sample.name: None for sample in list_samples()}, **session.own_data()}
    left, right = st.columns([1.3, 1], gap="large")
    with left:
        names = _data(known)
    if not names:
        right.info("Choose at least one data set.")
        return
    datasets = [known[name] or compute.sample(name) for name in names]
    with left:
        chosen = _methods(datasets)
        protocol = _protocol(datasets)
    if not chosen:
        right.info("Choose at least one method.")
        return
    n_cases = smallest_part(protocol, datasets)
    tfidf = all(dataset.has_word_counts for dataset in datasets)
    methods = tuple(_method(word, n_cases, tfidf=tfidf) for word in chosen)
    experiment = Experiment(_sources(datasets), methods, protocol, ", ".join(names)[:80])
    with right:
        _offer(experiment, datasets, "form")
    with st.expander("Config file", icon=":material/code:"):
        _config(experiment)


def _data(known: Mapping[str, Dataset | None]) -> list[str]:
    now = session.dataset()
    here = next((name for name, own in known.items() if own is now), now.name)
    return choices.choose(
        st.multiselect,
        "Data sets",
        list(known),
        [here] if here in known else [],
        key="ex_data",
        help="Samples, and data added in this session on the page Data.",
        **_KEEP,
    )


def _add_methods(datasets: Sequence[Dataset]) -> None:
    """Add the methods that learn a data set which no chosen method learns, when it is added.

    A browser that sends a change before it is told of them takes them back: a data set counts as
    added until its methods came back as chosen.
    """
    before, own = list(session.get("ex_methods", ())), session.choice().key
    chosen = before.copy()
    served = set(session.get("ex_served", ()))
    for dataset in datasets:
        fit = [each.key for each in ALGORITHMS.values() if each.learns(dataset)]
        learned = any((own if word == "own" else word.removesuffix("*")) in fit for word in chosen)
        if learned or not chosen:
            served.add(dataset.fingerprint)
        elif dataset.fingerprint not in served:
            chosen += [key for key in fit if key not in chosen]
    session.put("ex_served", served & {dataset.fingerprint for dataset in datasets})
    if chosen != before:
        session.put("ex_methods", chosen)


def _methods(datasets: Sequence[Dataset]) -> list[str]:
    """Ask for methods that can learn at least one of the data sets."""
    fit = [each for each in ALGORITHMS.values() if any(map(each.learns, datasets))]
    own = session.choice()
    options = {algorithm.key: algorithm.title for algorithm in fit}
    options |= {f"{a.key}*": f"{a.title}, tuned" for a in fit if tuning_grid(a, 100)}
    if own.algorithm in fit:
        options["own"] = f"As chosen above: {choice_text.method_text(own)}"
    _add_methods(datasets)
    return choices.choose(
        st.multiselect,
        "Methods",
        list(options),
        [algorithm.key for algorithm in fit],
        format_func=options.__getitem__,
        key="ex_methods",
        help="With the parameters they start with; 'tuned' chooses the main parameters within "
        "each training set, where no test case can influence them.",
        **_KEEP,
    )


def _method(word: str, n_cases: int, *, tfidf: bool) -> Method:
    if word == "own":
        return Method(
            session.choice(), title=f"{choice_text.method_text(session.choice())} (chosen above)"
        )
    if word.endswith("*"):
        choice = ModelChoice(word[:-1], tfidf=tfidf)
        return Method(choice, tuning_grid(choice.algorithm, n_cases))
    return Method(ModelChoice(word, tfidf=tfidf).starting(n_cases))


def _protocol(datasets: Sequence[Dataset]) -> Protocol:
    kinds = [kind for kind in _KINDS if kind != "published" or all(
        dataset.split is not None for dataset in datasets
    )]  # fmt: skip
    with st.container(horizontal=True):
        kind = choices.choose(
            st.selectbox, "Test sets", kinds, format_func=_KINDS.__getitem__, key="ex_kind", **_KEEP
        )
        folds, repeats, share = 5, 1, 0.3
        if kind == "cross_validation":
            most = min(20, *(dataset.n_samples for dataset in datasets))
            folds = st.number_input(
                "Folds", 2, most, min(5, most), key="ex_folds", width=130,
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
    with st.expander("Learning curve, missing labels, seed"):
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
            help="Each label of a training ranking is deleted with this probability; tests stay "
            "complete. Only methods that learn rankings take part above 0 %.",
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
def _offer(experiment: Experiment, datasets: Sequence[Dataset], key: str) -> None:
    """Say what an experiment takes and keeps, and offer to start it."""
    try:
        # What a config may not say, a form may not either.
        read_config(experiment.to_json())
        units = units_of(experiment, datasets)
    except ConfigError as error:
        st.warning(text.markdown(text.error_message(error)), icon=":material/rule:")
        return
    most = most_workers(datasets)
    with st.container(border=True):
        n_workers = 1
        if most > 1:
            n_workers = st.slider(
                "Trainings at once", 1, most, max(1, most - 1), key=f"ex_workers_{key}",
                help="Bounded by this computer's processors and memory.", **_KEEP,
            )  # fmt: skip
        by_fingerprint = {dataset.fingerprint: dataset for dataset in datasets}
        st.markdown(_effort(units, expected_seconds(units, by_fingerprint, n_workers)))
        st.caption(_kept(experiment))
        if st.button("Start", type="primary", icon=":material/play_arrow:", key=f"ex_start_{key}"):
            _start(experiment, datasets, n_workers)


def _effort(units: Sequence[Unit], seconds: float) -> str:
    n = len(units)
    return f"**{n:,} training{'s' * (n != 1)}**, {text.duration(seconds)} by a rough estimate."


def _kept(experiment: Experiment) -> str:
    home = text.markdown(str(runs.store().home))
    own = any(source.kind == "stored" for source in experiment.data)
    what = (
        "Its config, its results and a copy of your own data" if own else "Its config and results"
    )
    return (
        f"{what} are kept on this server's disk, in {home}, until you delete the experiment. "
        "Anyone with the link can see, cancel or delete it."
    )


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
    runs.show(run)
    st.rerun()


@runs.store_errors_shown
def _config(experiment: Experiment) -> None:
    left, right = st.columns(2, gap="large")
    with left:
        st.code(experiment.to_json(), language="json", height=300, wrap_lines=True)
        config = experiment.to_json()
        widgets.download("Config (JSON)", config, "experiment.json", "application/json")
    with right:
        pasted = st.text_area("Paste a config to start it", height=200, key="ex_config", **_KEEP)
        if not pasted.strip():
            st.caption("For samples and data kept here; only the command line reads files.")
            return
        try:
            read = runs.read_visitors_config(pasted)
            store = runs.store()
            datasets = store.datasets(read, store.home)
        except (ConfigError, DatasetError) as error:
            st.error(text.markdown(text.error_message(error)), icon=":material/error:")
            return
        _offer(read, datasets, "config")
