"""The race of methods on the training rows, drawn while it runs."""

from collections.abc import Mapping
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
    method_names,
    render_standings,
    seconds_text,
)
from pages.ui import compute, jobs, session, toolbar
from pages.ui.choose.measures import choose_measure
from pages.ui.wording import text

# A round of a method that takes longer is left out unless it is asked for.
_MOST_SECONDS = 20.0
# As many methods are measured at once as take no longer together.
_SECONDS_AT_ONCE = 2.0


def render_race(dataset: Dataset, choice: ModelChoice, split: Split) -> None:
    """Draw the race: the method to use, the button to start it, its standings and the measure."""
    if len(split.train) < 2 * N_FOLDS:
        toolbar.render_too_few(
            dataset,
            f"{len(split.train)} training cases are too few to compare methods. That takes at "
            f"least {2 * N_FOLDS}.",
        )
        return
    headline_column, measure_column = st.columns([3, 1], gap="medium")
    with headline_column:
        headline_slot = st.container(key="race_headline")
        start_slot = st.container(
            horizontal=True, vertical_alignment="center", key="race_start_slot"
        )
    picture_slot = st.container(key="race_picture")
    rows = rows_to_race(split.train)
    with measure_column, st.container(key="race_controls"):
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
        candidates.sort(key=lambda candidate: not candidate.is_same_model(choice))
    prepared = (choice.scaled, choice.tfidf)
    key = compute.digest("race", dataset.fingerprint, rows.tobytes(), measure.key, prepared)
    cases = HeldOutCases("fold", len(rows), n_splits=N_FOLDS, are_training=True)
    with picture_slot:
        average = compute.once(
            compute.digest("average in a race", key, choice.predicts_ties),
            "Measuring everyone's average",
            average_value,
            dataset,
            rows,
            choice,
            measure.key,
        )
        board = Board(choice, candidates, measure, average, cases)
        quick = _quick_race(dataset, rows, board, key)
    if session.race_job(key) is not None:
        with start_slot:
            st.fragment(_render_progress, run_every=1.0)(key)
        with headline_slot:
            _render_headline(quick, board)
        with picture_slot:
            st.fragment(_render_running, run_every=1.0)(key, board, quick)
        return
    stored_race = session.race(key)
    race = stored_race or quick
    with headline_slot:
        advised = _render_headline(race, board)
    if advised is not None:
        start_slot.button(
            f"Use {text.markdown(method_names([advised])[0])}",
            type="primary",
            icon=":material/arrow_forward:",
            key="race_use_advised",
            on_click=toolbar.set_method,
            args=(dataset, advised),
        )
    _render_start(key, dataset, rows, board, race, start_slot, is_primary=advised is None)
    with picture_slot:
        render_standings(
            race, board, dataset if _has_rivals(race) else None, has_started=stored_race is not None
        )


def _quick_race(dataset: Dataset, rows: IntArray, board: Board, key: str) -> MethodRace | None:
    """Run the race of the method in use and the quickest of each other family.

    The race of all goes on from it. The method in use joins the others, so that only it is measured
    anew when its settings change.
    """
    quick: list[ModelChoice] = []
    families = set()
    total = 0.0
    for candidate in board.candidates:
        seconds = seconds_to_race(dataset, [candidate], len(rows))
        family = candidate.algorithm.family
        if family not in families and total + seconds <= _SECONDS_AT_ONCE:
            quick.append(candidate)
            families.add(family)
            total += seconds
    rivals = [candidate for candidate in quick if not candidate.is_same_model(board.choice)]
    race = None
    for choices in (rivals, quick):
        if choices and (race is None or len(choices) > len(race.runners)):
            race = compute.once(
                compute.digest("quick race", key, choices),
                f"Measuring {count_of(len(choices), 'quick method')}",
                partial(run_race, previous=race),
                dataset,
                rows,
                choices,
                board.measure.key,
                seconds=total,
            )
    return race


def _has_rivals(race: MethodRace | None) -> bool:
    """Tell whether two methods or more are measured."""
    return race is not None and len(race.standings) > 1


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
    dataset: Dataset,
    rows: IntArray,
    board: Board,
    race: MethodRace | None,
    slot: DeltaGenerator,
    *,
    is_primary: bool,
) -> None:
    """Start the race of all, or go on with one that was stopped or lacks a method."""
    measured_choices = set() if race is None else {runner.choice for runner in race.runners}
    missing = [candidate for candidate in board.candidates if candidate not in measured_choices]
    if session.why_ended(key):
        st.warning(jobs.killed_message("The race of methods"), icon=":material/error:")
    elif race is not None and race.is_over and not missing:
        return
    is_clicked = slot.button(
        _start_text(key, race, len(missing)),
        type="primary" if is_primary else "secondary",
        icon=":material/flag:",
        key="race_start",
    )
    if session.race(key) is None:
        seconds = seconds_to_race(dataset, missing or board.candidates, len(rows))
        slot.caption(text.duration(seconds), width="content")
    run = partial(run_race, dataset, rows, board.candidates, board.measure.key, previous=race)
    if is_clicked:
        job = compute.started(key, run, reports="report")
        if job is None:
            st.info("The server is busy with other work; try again in a moment.")
            return
        session.wait_again(key)
        session.set_race_job(key, job)
        st.rerun()


def _start_text(key: str, race: MethodRace | None, n_missing: int) -> str:
    """Return the text of the button that starts a race or goes on with it."""
    stored_race = session.race(key)
    if stored_race is None and session.why_ended(key):
        return "Start again"
    if stored_race is None:
        if not _has_rivals(race):
            return "Find the best method"
        return f"Measure {count_of(n_missing, 'more method')}"
    if n_missing > 1:
        return f"Add {n_missing} methods to the race"
    return "Add your settings to the race" if stored_race.is_over else "Continue the race"


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


def _render_running(key: str, board: Board, quick: MethodRace | None) -> None:
    """Draw the standings of a running race."""
    render_standings(session.race(key) or quick, board)


def _progress(race: MethodRace | None) -> str:
    if race is None:
        return "The first methods are trained"
    n, running = min(race.n_complete + 1, race.n_rounds), count_of(len(race.running), "method")
    return f"Round {n} of {race.n_rounds}: {race.n_measured} of {running} measured"


def _render_headline(race: MethodRace | None, board: Board) -> ModelChoice | None:
    """Draw the method to use as a heading, with the reason; return it unless it is in use.

    Where no other method is measured, the heading asks instead.
    """
    recommendation = (
        race.recommend(board.choice) if race is not None and _has_rivals(race) else None
    )
    if race is None or recommendation is None:
        st.header(_question(race, board), anchor=False)
        return None
    names = dict(
        zip(
            race.standings,
            map(text.markdown, method_names([standing.choice for standing in race.standings])),
            strict=True,
        )
    )
    advised = recommendation.advised.choice
    is_in_use = advised.is_same_model(board.choice)
    is_whole = race.is_over and len(race.standings) >= len(board.candidates)
    advice = _advice(recommendation, names, is_in_use=is_in_use)
    # Without the nouns of the data: names of methods stay as they are in the picture.
    st.header(advice if is_whole else f"So far, {text.lowered(advice)}", anchor=False)
    reason = _reason(recommendation, names)
    if reason:
        st.markdown(reason)
    return None if is_in_use else advised


def _question(race: MethodRace | None, board: Board) -> str:
    """Return the score of the method in use and the question of the race."""
    name = text.markdown(method_names([board.choice])[0])
    n_others = sum(not candidate.is_same_model(board.choice) for candidate in board.candidates)
    question = "Is another method" if n_others == 1 else f"Is one of {n_others} others"
    if race is None or not race.standings or isnan(race.standings[0].mean):
        return f"{question} better than {name}?"
    score = f"{name} scores {race.standings[0].mean:.3f}."
    return f"{score} {question} better?" if n_others else score


def _advice(
    recommendation: Recommendation, names: Mapping[RaceStanding, str], *, is_in_use: bool = False
) -> str:
    """Name the method to use, or to keep, and why it of those that are as good."""
    use = "Keep" if is_in_use else "Use"
    first, advised = recommendation.first, recommendation.advised
    n_level, n_methods = recommendation.n_level, recommendation.n_methods
    if n_level == 1:
        ahead = ", clearly ahead of all others" if n_methods > 1 else ""
        return f"{use} {names[first]}{ahead}"
    counted = f"All {n_methods}" if n_level == n_methods else f"{n_level} of {n_methods}"
    why = f", the best of the {recommendation.n_fastest} that train fastest"
    if recommendation.n_fastest == 1:
        why = ", the fastest of them"
    elif is_in_use and advised != first:
        why = ""
    elif recommendation.n_fastest == n_level:
        # Also where the picture shows that another one is a moment faster.
        why = ", which scores best"
    return f"{counted} methods are about equally good. {use} {names[advised]}{why}"


def _reason(recommendation: Recommendation, names: Mapping[RaceStanding, str]) -> str:
    """Give the reason in scores and seconds; empty where one method is clearly ahead."""
    first, advised = recommendation.first, recommendation.advised
    if recommendation.n_level == 1:
        return ""
    gain_text = f"{abs(advised.gain):.3f}"
    ahead = f"{names[first]} is better by {gain_text}, which may be chance"
    if not float(gain_text):
        ahead = f"{names[first]} scores the same"
    if recommendation.n_fastest == recommendation.n_level:
        speed = "Their training times differ too little to matter"
        return f"{speed}." if first == advised else f"{ahead}. {speed}."
    seconds = seconds_text(advised.seconds_per_round)
    if first == advised:
        return f"It trains in {seconds} and scores best."
    return f"It trains in {seconds}. {ahead}, and takes {seconds_text(first.seconds_per_round)}."
