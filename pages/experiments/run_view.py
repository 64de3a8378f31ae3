"""One experiment: its progress, its buttons and its results."""

import time

import streamlit as st

from labelrank_core import DatasetError
from labelrank_core.experiments import ConfigError, units_of
from labelrank_core.experiments.run import most_workers
from labelrank_core.experiments.store import GOING, OUTDATED, Status, Store
from pages.experiments import boards, results, runs
from pages.ui import compute
from pages.ui.wording import text

_STATES = {
    "waiting": ":material/hourglass_top: Starting …",
    "running": ":material/play_arrow: Running",
    "cancelling": ":material/hourglass_top: Stopping …",
    "cancelled": ":material/block: Cancelled",
    "interrupted": ":material/power_off: Interrupted: its program has ended unexpectedly",
    "finished": ":material/check: Finished",
    "refused": ":material/error: Cannot run",
    OUTDATED: ":material/history: Computed by another version; measures may have changed since",
}


@runs.store_errors_shown
def render_earlier() -> None:
    """Draw the list of experiments that this visitor may find without a link."""
    store = runs.store()
    statuses, n_older, everything = runs.listed()
    if not statuses:
        return
    st.header("Earlier experiments", anchor=False)
    if not everything:
        st.caption(
            "You started these in this session. Only a link leads to the others, so keep the link "
            "of yours."
        )
    for status in statuses:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                text.markdown(status.name) or "experiment",
                key=f"open_{status.id}",
                on_click=runs.open_run,
                args=(status.id,),
                icon=":material/science:",
            )
            first = _first_method(store, status)
            if first:
                st.markdown(text.markdown(first))
            created_at = time.strftime("%Y-%m-%d %H:%M", time.localtime(status.created))
            st.caption(
                f"{created_at} · {_STATES[status.state]} · {status.n_done:,} of "
                f"{status.n_units:,} trainings"
            )
    if n_older:
        st.caption(f"And {n_older} older ones: python -m labelrank_core list")


def _first_method(store: Store, status: Status) -> str:
    """Return which method is first in a finished experiment; empty where that is not known."""
    if status.state != "finished":
        return ""
    # The sentence alone is kept, not the data sets that it takes.
    return compute.once(
        compute.digest("first method", str(store.home), status.id, status.n_done),
        "Reading earlier experiments",
        _load_first_method,
        store,
        status.id,
    )


def _load_first_method(store: Store, run: str) -> str:
    try:
        experiment, folder = store.experiment(run)
        datasets = store.datasets(experiment, folder)
    except (KeyError, ConfigError, DatasetError, OSError):
        return ""
    units = units_of(experiment, datasets)
    return boards.first_method(store.frame(units), units, datasets)


@runs.store_errors_shown
def render_run(run: str) -> None:
    """Draw an experiment, its progress and its results."""
    store = runs.store()
    try:
        status = store.status(run)
    except KeyError:
        st.error(
            "This link leads to no experiment: it was deleted, or the link is incomplete.",
            icon=":material/link_off:",
        )
        _render_new_button()
        return
    going = status.state in GOING
    progress, board = _render_progress, _render_results
    if going:
        progress = st.fragment(_render_progress, run_every=1.5)
        board = st.fragment(_render_results, run_every=5)
    # In containers what is drawn at the end takes the place of what was drawn before.
    with st.container():
        progress(run, status.state)
    with st.container():
        board(run)


def _render_new_button() -> None:
    st.button("New experiment", icon=":material/add:", on_click=runs.leave)


@runs.store_errors_shown
def _render_progress(run: str, drawn_state: str) -> None:
    """Draw the progress; when the state changes, the whole page is drawn again."""
    store = runs.store()
    try:
        status = store.status(run)
    except KeyError:
        st.rerun()
    if status.state != drawn_state:
        st.rerun()
    going = status.state in GOING
    progress_text = _STATES[status.state]
    if status.n_units:
        progress_text += f" · {status.n_done:,} of {status.n_units:,} trainings done"
    if status.n_failed:
        progress_text += f", {status.n_failed:,} failed"
    if going and status.seconds_left is not None:
        progress_text += f" · {text.duration(status.seconds_left)} left"
    name = text.markdown(status.name)
    is_complete = status.state == "finished"
    # Complete, it is a line beside its buttons, without a bar.
    with st.container(
        horizontal=is_complete,
        vertical_alignment="center",
        key="ex_complete" if is_complete else "ex_progress",
    ):
        st.markdown(f"**{name}**", width="content")
        st.progress(_share(status), text=progress_text, width=260 if is_complete else "stretch")
        if is_complete:
            _render_buttons(store, status)
    if status.message:
        st.caption(text.markdown(status.message))
    _render_failures(store, status)
    if not is_complete:
        with st.container(horizontal=True):
            _render_buttons(store, status)
    if going:
        st.caption(
            "The experiment goes on if you leave this page. The menu or the link of this page "
            "leads back to it."
        )


def _render_buttons(store: Store, status: Status) -> None:
    """Draw what can be done with an experiment in its state."""
    run, going = status.id, status.state in GOING
    if status.state == "running":
        st.button(
            "Cancel",
            icon=":material/stop:",
            on_click=runs.store_errors_shown(store.cancel),
            args=(run,),
            help="Finished trainings are kept; you can continue later.",
        )
    elif not going and (status.state != "finished" or status.n_failed):
        _render_continue(store, run)
    if not going:
        _render_delete(store, run)
    _render_new_button()


def _share(status: Status) -> float:
    return min(1.0, (status.n_done + status.n_failed) / max(1, status.n_units))


def _render_failures(store: Store, status: Status) -> None:
    if status.n_failed:
        with st.expander("Why trainings failed"):
            for message in store.failures(status.id)[:20]:
                st.markdown(text.markdown(message))


def _render_continue(store: Store, run: str) -> None:
    if st.button("Continue", type="primary", icon=":material/play_arrow:"):
        try:
            datasets, _ = results.trainings(store, run)
            max_workers = most_workers(list(datasets.values()))
            runs.resume(run, max(1, max_workers - 1))
        except (runs.TooManyError, ConfigError, DatasetError, OSError) as error:
            st.warning(
                text.markdown(text.error_message(error)), icon=":material/hourglass_disabled:"
            )
        else:
            st.rerun()


def _render_delete(store: Store, run: str) -> None:
    @runs.store_errors_shown
    def delete() -> None:
        store.delete(run)
        runs.leave()

    with st.popover("Delete", icon=":material/delete:"):
        st.markdown("This permanently deletes its config, its results and the data kept for it.")
        st.button("Delete permanently", type="primary", on_click=delete)


@runs.store_errors_shown
def _render_results(run: str) -> None:
    store = runs.store()
    try:
        status = store.status(run)
        datasets, units = results.trainings(store, run)
    except KeyError:
        return
    except (ConfigError, DatasetError, OSError) as error:
        st.error(text.markdown(text.error_message(error)), icon=":material/error:")
        return
    frame = results.frame(store, run, status.n_done)
    if frame.empty:
        if status.state != OUTDATED:
            st.markdown("Results appear here as they come in.")
        return
    running = status.state in GOING
    boards.render_results(results.Results(store, run, datasets, units, frame, running))
