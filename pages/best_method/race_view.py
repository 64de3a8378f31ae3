"""The race of methods on the training rows, drawn while it runs."""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from math import isnan, nan

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from labelrank_core import Dataset
from labelrank_core.data.findings import count_of
from labelrank_core.data.splits import Split
from labelrank_core.experiments.race import (
    N_FOLDS,
    MethodRace,
    RaceStanding,
    Recommendation,
    field_of,
    rows_to_race,
    run_race,
    seconds_to_race,
)
from labelrank_core.explain.render import markup
from labelrank_core.methods import ALGORITHMS, ModelChoice, tie_labels
from labelrank_core.metrics import Measure, measures_for, shown_measures
from labelrank_core.rankings import IntArray
from pages.ui import compute, jobs, session, toolbar
from pages.ui.choose.measures import choose_measure
from pages.ui.render import drawing, row_buttons
from pages.ui.wording import choice_text, text

# A round of a method that takes longer is left out unless it is asked for.
_MOST_SECONDS = 20.0
_NAMED = 4
_ROWS_KEY = "race_rows"
# A short name in brackets after the long one.
_SHORT_NAME = re.compile(r" \([A-Z][^)]*\)$")
# The picture of the race in small: where no numbers are, only the places count.
_LEGEND = (
    markup.Standing("first", "", 0.0, 0.0, 0.0, "highest mean", "first"),
    markup.Standing("as good", "", -0.3, -0.8, 0.2, "its bar reaches the line", "level"),
    markup.Standing("clearly behind", "", -1.0, -1.4, -0.6, "drops out of the race", "behind"),
)
# How the methods of a family come to a prediction.
_FAMILY_IDEAS = {
    "trees": "ask about features",
    "pairwise": "one label against another",
    "linear": "weigh features",
    "probabilistic": "model how rankings vary",
    "label sets": "choose among whole sets",
    "boosting": "correct earlier trees",
    "combination": "mix methods",
}


def render_race(dataset: Dataset, choice: ModelChoice, split: Split) -> None:
    """Draw the race: the method to use, the measure, the button to start it and its standings."""
    if len(split.train) < 2 * N_FOLDS:
        st.caption(f"To find out takes at least {2 * N_FOLDS} training rows.")
        return
    headline_slot = st.container(key="race_headline")
    rows = rows_to_race(split.train)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        ties = tie_labels(dataset, choice)
        measure = choose_measure(_measures(dataset, ties=ties), "race_measure")
        field = field_of(
            dataset, choice, len(rows), most_seconds=_MOST_SECONDS, ties=measure.for_ties
        )
        slow = len(field.slow)
        selected_choices = list(field.runners)
        if slow and st.toggle(f"Include {count_of(slow, 'slow method')}", key="race_slow"):
            selected_choices += field.slow
        start_slot = st.container(
            width="content", horizontal=True, vertical_alignment="center", key="race_start_slot"
        )
        # What is empty has no place.
        start_slot.empty()
    prepared = (choice.scaled, choice.tfidf)
    key = compute.digest("race", dataset.fingerprint, rows.tobytes(), measure.key, prepared)
    if session.race_job(key) is not None:
        with headline_slot:
            _render_invitation(selected_choices, rows, split, is_running=True)
        st.fragment(_render_running, run_every=1.0)(key, choice, selected_choices)
        return
    stored_race = session.race(key)
    _render_start(
        key,
        stored_race,
        selected_choices,
        partial(run_race, dataset, rows, selected_choices, measure.key),
        start_slot,
        seconds_to_race(dataset, selected_choices, len(rows)),
    )
    if stored_race is None:
        with headline_slot:
            _render_invitation(selected_choices, rows, split)
        _render_field(selected_choices, choice)
    else:
        with headline_slot:
            _render_advice(stored_race, choice, dataset)
        _render_standings(stored_race, choice, dataset)


def _render_invitation(
    choices: Sequence[ModelChoice], rows: IntArray, split: Split, *, is_running: bool = False
) -> None:
    """Say which methods compete, and on which cases."""
    on = f"the {len(rows)}" if len(rows) == len(split.train) else f"{len(rows):,} of the"
    counted = count_of(len(choices), "method")
    st.header(f"{counted} compete" if is_running else f"Let {counted} compete", anchor=False)
    st.caption(
        drawing.with_nouns(f"They compete on {on} training cases."),
        help=drawing.with_nouns(
            f"The training cases are cut into {N_FOLDS} folds. In each round every method is "
            "trained on the others and measured on one fold. Methods are compared case by case "
            "with the first; methods clearly worse after two rounds drop out. Intervals are wide "
            "enough that all comparisons of a race hold together with 95%, whenever it is stopped. "
            "The page 'How good?' measures on the test cases, so its numbers differ."
        ),
    )


def _render_field(selected_choices: Sequence[ModelChoice], choice: ModelChoice) -> None:
    """Name the methods that are going to compete by family, and explain the picture to come."""
    families: dict[str, list[tuple[str, bool]]] = {}
    order = list(ALGORITHMS)
    listed = sorted(selected_choices, key=lambda candidate: order.index(candidate.key))
    for candidate, name in zip(listed, _names(listed), strict=True):
        family = drawing.with_nouns(candidate.algorithm.family).capitalize()
        families.setdefault(family, []).append((name, _same(candidate, choice)))
    alt = f"methods that will compete: {', '.join(_names(listed))}"
    ideas = {
        drawing.with_nouns(family).capitalize(): drawing.with_nouns(idea)
        for family, idea in _FAMILY_IDEAS.items()
    }
    field = markup.race_field(families, ideas, "What the race shows", _LEGEND)
    with st.container(key="race_field"):
        drawing.render_markup(
            f'<figure class="lr" aria-label="{text.attribute(alt)}">{field}</figure>'
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
    selected_choices: Sequence[ModelChoice],
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
        missing = set(selected_choices) - {runner.choice for runner in stored_race.runners}
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
        job = compute.started(key, partial(run, previous=stored_race), reports="report")
        if job is None:
            st.info("The server is busy with other work; try again in a moment.")
            return
        session.wait_again(key)
        session.set_race_job(key, job)
        st.rerun()


def _render_running(key: str, choice: ModelChoice, selected_choices: Sequence[ModelChoice]) -> None:
    """Draw the standings of a running race, at first the methods, and the button to stop it."""
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
        _render_standings(race, choice)
    else:
        _render_lanes(selected_choices, choice)


def _progress(race: MethodRace | None) -> str:
    if race is None:
        return "The first methods are trained"
    n, running = min(race.n_complete + 1, race.n_rounds), count_of(len(race.running), "method")
    return f"Round {n} of {race.n_rounds}: {race.n_measured} of {running} measured"


def _render_lanes(selected_choices: Sequence[ModelChoice], choice: ModelChoice) -> None:
    """Draw an empty lane for each method, until the first one is measured."""
    names = _names(selected_choices)
    rows = [
        _waiting_row(candidate, name, choice)
        for candidate, name in zip(selected_choices, names, strict=True)
    ]
    alt = text.attribute(f"methods that compete: {', '.join(names)}")
    with st.container(key="standings"):
        drawing.render_markup(
            f'<figure class="lr" aria-label="{alt}">{markup.standings(rows)}</figure>'
        )


def _render_advice(race: MethodRace, choice: ModelChoice, dataset: Dataset) -> None:
    """Draw the method to use as a heading, the reason, and a button that uses it."""
    recommendation = race.recommendation
    if recommendation is None:
        return
    names = dict(
        zip(
            race.standings,
            map(text.markdown, _names([standing.choice for standing in race.standings])),
            strict=True,
        )
    )
    advised = recommendation.quickest
    is_in_use = _same(advised.choice, choice)
    # Without the nouns of the data: names of methods stay as they are in the picture.
    st.header(_advice(recommendation, names, is_in_use=is_in_use), anchor=False)
    reason = _reason(recommendation, names, race.measure)
    if reason:
        st.markdown(reason)
    if not is_in_use:
        st.button(
            f"Use {names[advised]}",
            type="primary",
            icon=":material/arrow_forward:",
            key="race_use_advised",
            on_click=toolbar.set_method,
            args=(dataset, advised.choice),
        )


def _render_standings(
    race: MethodRace, choice: ModelChoice, dataset: Dataset | None = None
) -> None:
    """Draw the methods by rank; of a finished race, with `dataset`, with a button to use each."""
    standings = race.standings
    measured = [standing for standing in standings if standing.status != "failed"]
    if not measured:
        st.markdown("No method could be measured." if race.is_over else "")
        return
    names = _names([standing.choice for standing in standings])
    if dataset is None or race.recommendation is None:
        st.markdown(_verdict(race, measured, names))
    longest = max(standing.seconds_per_round for standing in measured)
    rows = [
        _markup_row(standing, name, choice, longest, is_offered=dataset is not None)
        for standing, name in zip(standings, names, strict=True)
    ]
    if dataset is None:
        known = {standing.choice for standing in standings}
        waiting = [runner.choice for runner in race.runners if runner.choice not in known]
        rows += [
            _waiting_row(candidate, name, choice)
            for candidate, name in zip(waiting, _names(waiting), strict=True)
        ]
    with st.container(key="standings"):
        drawing.render_figure(
            markup.standings(rows),
            key="race",
            alt=f"methods by {race.measure.title}: "
            + ", ".join(f"{row.name} {row.value}" for row in rows[:10]),
            table=_standings_frame(standings, names, race.measure),
            caption=f"{race.measure.title} ({race.measure.better} is better). A dot shows how far "
            "a method is behind the first, a bar the interval of that difference. A method whose "
            "bar reaches the line, or that has none, is as good: not clearly different. "
            "Time: to train and measure on one of five folds.",
        )
        if dataset is not None:
            offered = [standing.choice for standing in standings]
            row_buttons.listen(_ROWS_KEY, "standings", partial(_use_row, dataset, offered))


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


def _reason(
    recommendation: Recommendation, names: Mapping[RaceStanding, str], measure: Measure
) -> str:
    """Compare the quickest of the good methods with the first one; empty if they are the same."""
    first, quickest = recommendation.first, recommendation.quickest
    if first == quickest:
        return ""
    return (
        f"{names[first]} comes first: {first.mean:.3f} in place of {quickest.mean:.3f} "
        f"({measure.title}), at {_seconds_text(first.seconds_per_round)} a round in place of "
        f"{_seconds_text(quickest.seconds_per_round)}. The difference is not clear."
    )


def _seconds_text(seconds: float) -> str:
    """Write the time of a round in two digits.

    >>> _seconds_text(0.0012), _seconds_text(0.0123), _seconds_text(0.5), _seconds_text(12.3)
    ('< 0.01 s', '0.01 s', '0.5 s', '12 s')
    """
    if seconds < 0.005:
        return "< 0.01 s"
    return (
        f"{seconds:.2f} s"
        if seconds < 0.1
        else f"{seconds:.1f} s"
        if seconds < 10
        else f"{seconds:.0f} s"
    )


def _names(choices: Sequence[ModelChoice]) -> list[str]:
    """Name the methods without short names; with several settings of one, by its settings too."""
    keys = [choice.key for choice in choices]
    return [
        choice_text.method_text(choice)
        if keys.count(choice.key) > 1
        else _SHORT_NAME.sub("", choice.algorithm.title)
        for choice in choices
    ]


def _verdict(race: MethodRace, measured: list[RaceStanding], names: list[str]) -> str:
    """Say who is first, and who is not clearly different."""
    first = measured[0]
    level_names = [
        text.markdown(name)
        for standing, name in zip(measured, names, strict=False)
        if standing.status == "level"
    ]
    when = "" if race.is_over else f" after {count_of(race.n_complete, 'round')}"
    if not race.n_complete:
        when = f" of {race.n_measured} methods so far, with {len(race.running)} in the race"
    sentence = (
        f"**{text.markdown(names[0])}** is first{when} "
        f"({race.measure.title} {first.mean:.3f}, {race.measure.better} is better)"
    )
    if not level_names:
        return f"{sentence}, clearly ahead of all others." if len(measured) > 1 else f"{sentence}."
    listed = ", ".join(level_names[:_NAMED])
    more = f" and {len(level_names) - _NAMED} more" if len(level_names) > _NAMED else ""
    return f"{sentence}. **Not clearly different**: {listed}{more}."


def _use_row(dataset: Dataset, offered: Sequence[ModelChoice], row: int) -> None:
    """Use the method of the row whose button was clicked on all pages."""
    if row < len(offered):
        toolbar.set_method(dataset, offered[row])


def _same(first: ModelChoice, second: ModelChoice) -> bool:
    return (first.key, first.values) == (second.key, second.values)


def _markup_row(
    standing: RaceStanding, name: str, choice: ModelChoice, longest: float, *, is_offered: bool
) -> markup.Standing:
    notes = {
        "first": "first",
        "level": "",
        "behind": "clearly behind",
        "failed": f"failed: {standing.error}",
    }
    parts = [notes[standing.status]]
    if standing.is_out:
        parts.append(f"dropped out after {count_of(standing.n_rounds, 'round')}")
    if _same(standing.choice, choice):
        parts.append("in use")
    note = ", ".join(filter(None, parts))
    is_usable = is_offered and standing.status != "failed" and not _same(standing.choice, choice)
    return markup.Standing(
        name,
        "–" if isnan(standing.mean) else f"{standing.mean:.3f}",
        standing.gain,
        standing.low,
        standing.high,
        note,
        "behind" if standing.status == "failed" else standing.status,
        dropped_out=standing.is_out,
        time="–"
        if isnan(standing.seconds_per_round)
        else _seconds_text(standing.seconds_per_round),
        time_share=_time_share(standing.seconds_per_round, longest),
        action="Use" if is_usable else "",
    )


def _waiting_row(candidate: ModelChoice, name: str, choice: ModelChoice) -> markup.Standing:
    """Return the empty lane of a method that is not measured yet."""
    note = "in use" if _same(candidate, choice) else ""
    return markup.Standing(name, "–", nan, nan, nan, note, "waiting", time="–")


def _time_share(seconds: float, longest: float) -> float:
    """Return the length of a bar of time as a share of the longest."""
    return 0.0 if isnan(seconds) or not longest else min(1.0, seconds / longest)


def _standings_frame(
    standings: list[RaceStanding], names: list[str], measure: Measure
) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "method": names,
            measure.title_with_arrow: [standing.mean for standing in standings],
            "ahead of the first": [standing.gain for standing in standings],
            "from": [standing.low for standing in standings],
            "to": [standing.high for standing in standings],
            "rounds": [standing.n_rounds for standing in standings],
            "seconds": [standing.seconds for standing in standings],
        }
    )
