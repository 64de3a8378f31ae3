"""The race of methods on the training rows, drawn while it runs."""

from collections.abc import Mapping, Sequence
from functools import partial
from math import isnan

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from labelrank_core import Dataset
from labelrank_core.data.findings import count_of
from labelrank_core.data.held_out import HeldOutCases
from labelrank_core.data.splits import Split
from labelrank_core.experiments.race import (
    N_FOLDS,
    MethodRace,
    RaceStanding,
    Recommendation,
    average_value,
    field_of,
    rows_to_race,
    run_race,
    seconds_to_race,
)
from labelrank_core.methods import ModelChoice, tie_labels
from labelrank_core.metrics import Measure, measures_for, shown_measures
from labelrank_core.rankings import IntArray
from pages.best_method.leaderboard import (
    Board,
    is_same,
    method_names,
    render_standings,
    seconds_text,
)
from pages.ui import compute, jobs, session, toolbar
from pages.ui.choose.measures import choose_measure
from pages.ui.render.measured import render_measured_on
from pages.ui.wording import text

# A round of a method that takes longer is left out unless it is asked for.
_MOST_SECONDS = 20.0
# The method in use is measured before the race if that takes no longer.
_SECONDS_AT_ONCE = 2.0


def render_race(
    dataset: Dataset, choice: ModelChoice, split: Split, title_slot: DeltaGenerator
) -> None:
    """Draw the race: the method to use, the measure, the button to start it and its standings.

    `title_slot` gets the line on the cases that it is measured on.
    """
    if len(split.train) < 2 * N_FOLDS:
        st.caption(f"To find out takes at least {2 * N_FOLDS} training rows.")
        return
    headline_slot = st.container(key="race_headline")
    rows = rows_to_race(split.train)
    with title_slot:
        render_measured_on(HeldOutCases("fold", len(rows), n_splits=N_FOLDS, are_training=True))
    with st.container(horizontal=True, vertical_alignment="bottom", key="race_controls"):
        ties = tie_labels(dataset, choice)
        measure = choose_measure(_measures(dataset, ties=ties), "race_measure")
        field = field_of(
            dataset, choice, len(rows), most_seconds=_MOST_SECONDS, ties=measure.for_ties
        )
        slow = len(field.slow)
        candidates = list(field.runners)
        if slow and st.toggle(f"Include {count_of(slow, 'slow method')}", key="race_slow"):
            candidates += field.slow
        # In front, so that the race keeps the value that is drawn before it.
        candidates.sort(key=lambda candidate: not is_same(candidate, choice))
        start_slot = st.container(
            width="stretch", horizontal=True, vertical_alignment="center", key="race_start_slot"
        )
    prepared = (choice.scaled, choice.tfidf)
    key = compute.digest("race", dataset.fingerprint, rows.tobytes(), measure.key, prepared)
    average = compute.once(
        compute.digest("average in a race", key, choice.predicts_ties),
        "Measuring everyone's average",
        average_value,
        dataset,
        rows,
        choice,
        measure.key,
    )
    board = Board(choice, candidates, measure, average)
    alone = _race_of_the_one_in_use(dataset, rows, board, key)
    if session.race_job(key) is not None:
        with start_slot:
            st.fragment(_render_progress, run_every=1.0)(key)
        with headline_slot:
            _render_question(board, alone)
        st.fragment(_render_running, run_every=1.0)(key, board, alone)
        return
    race = session.race(key)
    _render_start(
        key,
        race,
        candidates,
        partial(run_race, dataset, rows, candidates, measure.key, previous=race or alone),
        start_slot,
        seconds_to_race(dataset, candidates, len(rows)),
    )
    with headline_slot:
        if race is None or race.recommendation is None:
            _render_question(board, alone)
        else:
            _render_advice(race, board, dataset, start_slot)
    render_standings(race or alone, board, dataset if race else None, has_started=race is not None)


def _race_of_the_one_in_use(
    dataset: Dataset, rows: IntArray, board: Board, key: str
) -> MethodRace | None:
    """Run the race of the method in use alone, where that is quick; the race goes on from it."""
    in_use = [candidate for candidate in board.candidates if is_same(candidate, board.choice)]
    seconds = seconds_to_race(dataset, in_use, len(rows))
    if not in_use or seconds > _SECONDS_AT_ONCE:
        return None
    return compute.once(
        compute.digest("race of one", key, in_use),
        "Measuring the method in use",
        run_race,
        dataset,
        rows,
        in_use,
        board.measure.key,
        seconds=seconds,
        algorithm=in_use[0].algorithm,
    )


def _measures(dataset: Dataset, *, ties: bool) -> tuple[Measure, ...]:
    """List the measures by which methods can compete: those with a value for each case."""
    return shown_measures(
        (
            measure.key
            for measure in measures_for(dataset.task)
            if measure.has_cases and measure.input != "raw_scores"
        ),
        ties=ties,
    )


def _render_start(
    key: str,
    stored_race: MethodRace | None,
    candidates: Sequence[ModelChoice],
    run: partial[MethodRace],
    slot: DeltaGenerator,
    seconds: float,
) -> None:
    """Start the race, or go on with one that was stopped or lacks a method."""
    button_text = "Find the best method"
    if session.why_ended(key):
        st.warning(jobs.killed_message("The race of methods"), icon=":material/error:")
        button_text = "Start again"
    if stored_race is not None:
        missing = set(candidates) - {runner.choice for runner in stored_race.runners}
        if stored_race.is_over and not missing:
            return
        button_text = (
            "Add your settings to the race" if stored_race.is_over else "Continue the race"
        )
        if len(missing) > 1:
            button_text = f"Add {len(missing)} methods to the race"
    is_clicked = slot.button(
        button_text,
        type="primary" if stored_race is None else "secondary",
        icon=":material/flag:",
        key="race_start",
    )
    if stored_race is None:
        slot.caption(f"takes {text.duration(seconds)}, a rough estimate", width="content")
    if is_clicked:
        job = compute.started(key, run, reports="report")
        if job is None:
            st.info("The server is busy with other work; try again in a moment.")
            return
        session.wait_again(key)
        session.set_race_job(key, job)
        st.rerun()


def _render_progress(key: str) -> None:
    """Draw the progress of a running race, and the button to stop it."""
    job = session.race_job(key)
    if job is None:
        st.rerun()
    goes_on = job.keep()
    if job.progress is not None:
        session.set_race(key, job.progress[0])
    if not goes_on:
        # It is over, or was given up while nobody looked; what is known then stays.
        session.set_race_job(key, None)
        if not job.is_given_up:
            try:
                session.set_race(key, job.result())
            except jobs.JobLostError:
                session.stop_waiting(key, session.KILLED)
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Stop",
            icon=":material/stop:",
            on_click=session.set_race_job,
            args=(key, None),
            key="race_stop",
            help="What is known by then stays.",
        )
        st.markdown(
            f":material/flag: {_progress(session.race(key))}, {job.seconds:.0f} s so far",
            width="content",
        )


def _render_running(key: str, board: Board, alone: MethodRace | None) -> None:
    """Draw the standings of a running race."""
    render_standings(session.race(key) or alone, board)


def _progress(race: MethodRace | None) -> str:
    if race is None:
        return "The first methods are trained"
    n, running = min(race.n_complete + 1, race.n_rounds), count_of(len(race.running), "method")
    return f"Round {n} of {race.n_rounds}: {race.n_measured} of {running} measured"


def _render_question(board: Board, alone: MethodRace | None) -> None:
    """Draw the score of the method in use and the question of the race as headings."""
    name = text.markdown(method_names([board.choice])[0])
    n_others = sum(not is_same(candidate, board.choice) for candidate in board.candidates)
    others = "Is another method" if n_others == 1 else f"Is one of {n_others} others"
    if alone is None or isnan(alone.standings[0].mean):
        st.header(f"{others} better than {name}?", anchor=False)
        return
    score = f"{name} scores {alone.standings[0].mean:.3f}."
    st.header(f"{score} {others} better?" if n_others else score, anchor=False)


def _render_advice(race: MethodRace, board: Board, dataset: Dataset, slot: DeltaGenerator) -> None:
    """Draw the method to use as a heading; in `slot` the reason, and a button that uses it."""
    recommendation = race.recommendation
    if recommendation is None:
        return
    names = dict(
        zip(
            race.standings,
            map(text.markdown, method_names([standing.choice for standing in race.standings])),
            strict=True,
        )
    )
    advised = recommendation.quickest
    is_in_use = is_same(advised.choice, board.choice)
    # Without the nouns of the data: names of methods stay as they are in the picture.
    st.header(_advice(recommendation, names, is_in_use=is_in_use), anchor=False)
    if not is_in_use:
        slot.button(
            f"Use {names[advised]}",
            type="primary",
            icon=":material/arrow_forward:",
            key="race_use_advised",
            on_click=toolbar.set_method,
            args=(dataset, advised.choice),
        )
    reason = _reason(recommendation, names)
    if reason:
        slot.markdown(reason, width="stretch")


def _advice(
    recommendation: Recommendation, names: Mapping[RaceStanding, str], *, is_in_use: bool = False
) -> str:
    """Name the method to use, or to keep, and how many others are as good."""
    use = "Keep" if is_in_use else "Use"
    first, quickest = recommendation.first, recommendation.quickest
    n_level, n_methods = recommendation.n_level, recommendation.n_methods
    if n_level == 1:
        ahead = ", clearly ahead of all others" if n_methods > 1 else ""
        return f"{use} {names[first]}{ahead}"
    counted = f"all {n_methods}" if n_level == n_methods else f"{n_level} of {n_methods}"
    return (
        f"{use} {names[quickest]}: {counted} methods are equally good, and it is the quickest of "
        "them"
    )


def _reason(recommendation: Recommendation, names: Mapping[RaceStanding, str]) -> str:
    """Compare the quickest of the good methods with the first one; empty if they are the same."""
    first, quickest = recommendation.first, recommendation.quickest
    if first == quickest:
        return ""
    return (
        f"{names[first]} scores {first.mean:.3f} instead of {quickest.mean:.3f}, which may be "
        f"chance, and takes {seconds_text(first.seconds_per_round)} a round instead of "
        f"{seconds_text(quickest.seconds_per_round)}."
    )
