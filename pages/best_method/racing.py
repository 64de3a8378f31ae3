"""Which method is best for these data: a race on the training rows, seen as it goes."""

from collections.abc import Mapping, Sequence
from functools import partial
from math import isnan

import pandas as pd
import streamlit as st

from labelrank_core import Dataset
from labelrank_core.data.findings import count_of
from labelrank_core.data.splits import Split
from labelrank_core.experiments.race import (
    MOST_ROWS,
    N_FOLDS,
    Race,
    Standing,
    field_of,
    rows_to_race,
    run_race,
)
from labelrank_core.explain import markup
from labelrank_core.methods import ModelChoice
from labelrank_core.metrics import METRICS, Measure, measures_for
from pages.ui import choice_text, choices, compute, drawing, jobs, session, text, toolbar

# A round of a method that takes longer is left out unless it is asked for.
_MOST_SECONDS = 20.0
_NAMED = 4
_SELECT_KEY = "race_use"


def find_best(dataset: Dataset, choice: ModelChoice, split: Split) -> None:
    """Offer the race, show how it stands, and let its methods be used."""
    if len(split.train) < 2 * N_FOLDS:
        st.caption(f"To find out takes at least {2 * N_FOLDS} training rows.")
        return
    some = f"{MOST_ROWS:,} of the" if len(split.train) > MOST_ROWS else f"the {len(split.train)}"
    st.caption(
        f"All methods that learn these data compete on {some} training rows. The test rows are "
        "kept for a fair final check.",
        help=f"The training rows are cut into {N_FOLDS} folds. In each round every method is "
        "trained on the others and measured on one fold. Methods are compared case by case with "
        "the first; methods clearly worse after two rounds drop out. Intervals are wide enough "
        "that all comparisons of a race hold together with 95%, whenever it is stopped.",
    )
    rows = rows_to_race(split.train)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        measure = _measure(dataset)
        field = field_of(dataset, choice, len(rows), most_seconds=_MOST_SECONDS)
        slow = len(field.slow)
        chosen = list(field.runners)
        if slow and st.toggle(f"Include {count_of(slow, 'slow method')}", key="race_slow"):
            chosen += field.slow
    prepared = (choice.scaled, choice.tfidf)
    key = compute.digest("race", dataset.fingerprint, rows.tobytes(), measure.key, prepared)
    if session.race_job(key) is not None:
        st.fragment(_running, run_every=1.0)(key, choice)
        return
    known = session.race(key)
    _offer(key, known, chosen, partial(run_race, dataset, rows, chosen, measure.key))
    if known is not None:
        _standings(known, choice, dataset)


def _measure(dataset: Dataset) -> Measure:
    """Ask what counts."""
    fitting = [
        each.key
        for each in measures_for(dataset.task)
        if each.has_cases and each.input != "raw_scores" and each.is_shown(dataset)
    ]
    chosen = choices.choose(
        st.selectbox,
        "What counts",
        fitting,
        format_func=lambda key: METRICS[key].title_with_arrow,
        key="race_measure",
        width=260,
    )
    return METRICS[chosen]


def _offer(key: str, known: Race | None, chosen: Sequence[ModelChoice], run: partial[Race]) -> None:
    """Start the race, or go on with one that was stopped or lacks a method."""
    words = "Find the best method"
    if session.why_ended(key):
        st.warning(jobs.killed_message("The race of methods"), icon=":material/error:")
        words = "Start again"
    if known is not None:
        missing = set(chosen) - {each.choice for each in known.runners}
        if known.is_over and not missing:
            return
        words = "Add your settings to the race" if known.is_over else "Continue the race"
        if len(missing) > 1:
            words = f"Add {len(missing)} methods to the race"
    if st.button(
        words,
        type="primary" if known is None else "secondary",
        icon=":material/flag:",
        key="race_start",
    ):
        job = compute.started(key, partial(run, known=known), reports="report")
        if job is None:
            st.info("The server is busy with other work; try again in a moment.")
            return
        session.restart(key)
        session.set_race_job(key, job)
        st.rerun()


def _running(key: str, choice: ModelChoice) -> None:
    """Show how the race stands while it runs."""
    job = session.race_job(key)
    if job is None:
        st.rerun()
    goes_on = job.keep()
    if job.progress is not None:
        session.keep_race(key, job.progress[0])
    if not goes_on:
        # It is over, or was given up while nobody looked; what is known then stays.
        session.set_race_job(key, None)
        if not job.is_given_up:
            try:
                session.keep_race(key, job.result())
            except jobs.JobLostError:
                session.end(key, session.KILLED)
        st.rerun()
    race = session.race(key)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Stop",
            icon=":material/stop:",
            on_click=session.set_race_job,
            args=(key, None),
            key="race_stop",
            help="What is known by then stays.",
        )
        st.markdown(f":material/flag: {_progress(race)}, {job.seconds:.0f} s so far")
    if race is not None:
        _standings(race, choice)


def _progress(race: Race | None) -> str:
    if race is None:
        return "The first methods are trained"
    n, running = min(race.n_complete + 1, race.n_rounds), count_of(len(race.running), "method")
    return f"Round {n} of {race.n_rounds}: {race.n_measured} of {running} measured"


def _standings(race: Race, choice: ModelChoice, dataset: Dataset | None = None) -> None:
    """Draw who is ahead and say what is clear; with the data let a method be used."""
    found = race.standings
    measured = [each for each in found if each.place != "failed"]
    if not measured:
        st.markdown("No method could be measured." if race.is_over else "")
        return
    names = _names([each.choice for each in found])
    st.markdown(_verdict(race, measured, names))
    if dataset is not None:
        _use(measured, names, dataset, choice)
    rows = [_row(each, name, choice) for each, name in zip(found, names, strict=True)]
    drawing.picture(
        markup.standings(rows),
        key="race",
        alt=f"methods by {race.measure.title}: "
        + ", ".join(f"{row.name} {row.value}" for row in rows[:10]),
        table=_table(found, names, race.measure),
        caption="How far behind the first, with the interval of the difference. An interval that "
        "reaches the line, or none: not clearly different.",
    )


def _names(choices: Sequence[ModelChoice]) -> list[str]:
    """Name the methods; with several settings of one, by its settings too."""
    keys = [each.key for each in choices]
    return [
        choice_text.method_text(each) if keys.count(each.key) > 1 else each.algorithm.title
        for each in choices
    ]


def _verdict(race: Race, measured: list[Standing], names: list[str]) -> str:
    """Say who is first, and who is not clearly different."""
    first = measured[0]
    level = [
        text.markdown(name)
        for each, name in zip(measured, names, strict=False)
        if each.place == "level"
    ]
    when = "" if race.is_over else f" after {count_of(race.n_complete, 'round')}"
    if not race.n_complete:
        when = f" of {race.n_measured} methods so far, with {len(race.running)} in the race"
    said = (
        f"**{text.markdown(names[0])}** is first{when} "
        f"({race.measure.title} {first.mean:.3f}, {race.measure.better} is better)"
    )
    if not level:
        return f"{said}, clearly ahead of all others." if len(measured) > 1 else f"{said}."
    listed = ", ".join(level[:_NAMED])
    more = f" and {len(level) - _NAMED} more" if len(level) > _NAMED else ""
    return f"{said}. **Not clearly different**: {listed}{more}."


def _use(measured: list[Standing], names: list[str], dataset: Dataset, choice: ModelChoice) -> None:
    """Let one of the methods be used on all pages, the first one unless another is chosen."""
    by_name = {name: each.choice for name, each in zip(names, measured, strict=False)}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        title = choices.choose(
            st.selectbox, "Method to use", list(by_name), key=_SELECT_KEY, width=320
        )
        chosen = by_name[title]
        in_use = _same(chosen, choice)
        st.button(
            "In use" if in_use else "Use it",
            icon=":material/check:",
            disabled=in_use,
            key="race_take",
            on_click=_use_selected,
            args=(dataset, by_name),
        )


def _use_selected(dataset: Dataset, choices_by_name: Mapping[str, ModelChoice]) -> None:
    """Use the method that is selected now: it may be another one than when the button was drawn."""
    toolbar.set_method(dataset, choices_by_name[session.get(_SELECT_KEY)])


def _same(first: ModelChoice, second: ModelChoice) -> bool:
    return (first.key, first.values) == (second.key, second.values)


def _row(each: Standing, name: str, choice: ModelChoice) -> markup.Standing:
    notes = {
        "first": "first",
        "level": "not clearly different",
        "behind": "clearly behind",
        "failed": f"failed: {each.error}",
    }
    note = notes[each.place]
    if each.is_out:
        note += f", dropped out after {count_of(each.n_rounds, 'round')}"
    if _same(each.choice, choice):
        note += ", in use"
    return markup.Standing(
        name,
        "–" if isnan(each.mean) else f"{each.mean:.3f}",
        each.gain,
        each.low,
        each.high,
        note,
        "behind" if each.place == "failed" else each.place,
        dropped_out=each.is_out,
    )


def _table(found: list[Standing], names: list[str], measure: Measure) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "method": names,
            measure.title_with_arrow: [each.mean for each in found],
            "ahead of the first": [each.gain for each in found],
            "from": [each.low for each in found],
            "to": [each.high for each in found],
            "rounds": [each.n_rounds for each in found],
            "seconds": [each.seconds for each in found],
        }
    )
