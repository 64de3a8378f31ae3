"""The state of a session: the view, the data that were brought, and a little state of pages.

The only module that touches `st.session_state`. What a link carries lives in widgets bound to query
parameters, whose keys are the names used there; edits, pins and chosen cases live here, and outlive
a reload in the workspace of the visitor.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import streamlit as st
from numpy.typing import NDArray

from labelrank_core import Dataset
from labelrank_core.data.nouns import CASE_AND_LABEL, Nouns
from labelrank_core.data.profile.conditions import Condition
from labelrank_core.data.splits import Split
from labelrank_core.io import Proposal
from labelrank_core.methods import ModelChoice
from pages.ui import uploads
from pages.ui.uploads import Workspace
from pages.ui.view import DATA, MAX_PINS, ROW, Problem, Value, View

_MAX_CHANGED_CASES = 50
T = TypeVar("T")


@dataclass(frozen=True)
class Offer:
    """Options of a widget with the texts that the browser knows them by, and the default."""

    options: tuple[Any, ...]
    texts: tuple[str, ...]
    # A list for a widget with which several options are chosen.
    default: Any

    def holds(self, value: Any) -> bool:
        """Tell whether a value of the widget is offered."""
        values = value if isinstance(value, list) else [value]
        return all(option is None or option in self.options for option in values)

    def matched(self, value: Any, earlier: "Offer") -> Any:
        """Return the value chosen among earlier options if these hold it, else the default.

        Numbers and pairs are only positions in some data: they are the same if their text is.
        """
        if value is None:
            return None
        if isinstance(value, list):
            matched = [self._matched_option(option, earlier) for option in value]
            offered = [option for option in matched if option is not None]
            return offered if offered or not value else self.default
        option = self._matched_option(value, earlier)
        return self.default if option is None else option

    def _matched_option(self, option: Any, earlier: "Offer") -> Any:
        if isinstance(option, str) or option not in earlier.options:
            return option if option in self.options else None
        text = earlier.texts[earlier.options.index(option)]
        return self.options[self.texts.index(text)] if text in self.texts else None


def get_state(key: str, default: Any = None) -> Any:
    """Return a value of the session."""
    return st.session_state.get(key, default)


def end_if_superseded() -> None:
    """End this run where another one of this session was asked for: reading the state does."""
    get_state(DATA)


def ticked_row(key: str) -> int | None:
    """Return the row that is ticked in a table, or None."""
    rows = get_state(key)["selection"]["rows"]
    return rows[0] if rows else None


def set_ticked_row(key: str, rows: Sequence[int] | NDArray[Any]) -> None:
    """Make the one of some rows that is ticked in their table the case; for callbacks."""
    position = ticked_row(key)
    if position is not None:
        set_row(int(rows[position]))


def set_row(row: int) -> None:
    """Choose a row of the data, counted from 0; for callbacks."""
    st.session_state.pop("_begun", None)
    st.session_state[ROW] = row + 1


def begin_data(values: Mapping[str, Any]) -> None:
    """Give widgets the values to begin with in the data that are chosen; for callbacks.

    Until these are drawn, a browser goes on sending the values that it has from the data before.
    """
    earlier = {key: st.session_state.get(key) for key in values}
    st.session_state["_begun"] = (st.session_state.get(DATA), earlier, values)
    st.session_state.update(values)


def restore_begun_data() -> None:
    """Give widgets their first values again where the browser still sends the earlier ones.

    A change of one alone is the visitor's.
    """
    name, earlier, values = st.session_state.get("_begun", (None, {}, {}))
    if name != st.session_state.get(DATA):
        st.session_state.pop("_begun", None)
        return
    differing = {key for key in values if st.session_state.get(key) != values[key]}
    if not differing:
        return
    is_old = all(st.session_state.get(key) == earlier[key] for key in differing)
    if is_old and _changed_keys() - differing:
        st.session_state.update({key: values[key] for key in differing})
    else:
        del st.session_state["_begun"]


def set_another_row(n_rows: int) -> None:
    """Choose a row at random that is not the one in use, where there is another; for callbacks."""
    if n_rows > 1:
        set_row((row() + random.randrange(1, n_rows)) % n_rows)


def own_data() -> dict[str, Dataset]:
    """Return the data sets this session has brought, by the name offered."""
    return st.session_state.setdefault("_own_data", {})


MOST_OWN = 8


def own_name(dataset: Dataset) -> str:
    """Return the name under which a data set that was brought is offered."""
    return f"{dataset.name} (mine)"


def name_to_drop(dataset: Dataset) -> str | None:
    """Return the name of the oldest data set, if one more makes too many of them."""
    datasets = own_data()
    is_one_too_many = own_name(dataset) not in datasets and len(datasets) >= MOST_OWN
    return next(iter(datasets)) if is_one_too_many else None


def add_own_data(dataset: Dataset, choices: Mapping[str, Any], files: Sequence[str]) -> None:
    """Add a data set, read from files with some choices, and choose it; for callbacks."""
    oldest, option, datasets = name_to_drop(dataset), own_name(dataset), own_data()
    replaced = option if oldest is None else oldest
    if replaced in datasets:
        forget(datasets[replaced], replaced)
    datasets.pop(replaced, None)
    datasets[option] = dataset
    st.session_state.setdefault("_how_read", {})[dataset.fingerprint] = (tuple(files), choices)
    st.session_state[DATA] = option
    _store_workspace()


def remove_own_data(dataset: Dataset) -> None:
    """Forget data that this session brought, with all that was done with them; for callbacks."""
    datasets = own_data()
    for name in [
        name for name, data in datasets.items() if data.fingerprint == dataset.fingerprint
    ]:
        forget(dataset, name)
        del datasets[name]
    if has_proposal_of(dataset):
        uploads.PROPOSALS.remove(st.session_state.pop("_put_away")[1]["_proposal"])
    _store_workspace()


def restore_workspace() -> None:
    """At the start of a session, restore data and changes of this browser from before a reload."""
    if "_visitor" in st.session_state:
        return
    visitor = st.context.cookies.get(uploads.COOKIE)
    stored = uploads.WORKSPACES.find(visitor)
    st.session_state["_visitor"] = visitor if uploads.is_key(visitor) else uploads.new_key()
    workspace = Workspace() if stored is None else stored
    st.session_state.setdefault("_own_data", dict(workspace.data))
    st.session_state.setdefault("_how_read", dict(workspace.how_read))
    st.session_state.setdefault("_changed", dict(workspace.changed))
    st.session_state.setdefault("_pinned", dict(workspace.pins))
    st.session_state.setdefault("_rows", dict(workspace.rows))


def visitor() -> str:
    """Return the key that the browser of this session is known by, and nobody else sees."""
    return str(st.session_state["_visitor"])


def _store_workspace() -> None:
    """Store on the server the state that a reload restores for this browser."""
    workspace = Workspace(
        dict(own_data()),
        dict(st.session_state["_how_read"]),
        st.session_state["_changed"],
        st.session_state["_pinned"],
        st.session_state["_rows"],
    )
    uploads.WORKSPACES.store(st.session_state["_visitor"], workspace)


def how_read(dataset: Dataset) -> tuple[Sequence[str], Mapping[str, Any]]:
    """Return files and choices with which `read_dataset` reads data that this session brought."""
    read = st.session_state.get("_how_read", {})
    return read.get(dataset.fingerprint, ((f"{dataset.name}.csv",), {}))


def changed_values(dataset: Dataset, row: int) -> dict[int, Value]:
    """Return the values of a case that were changed by hand, by the index of their column."""
    return dict(st.session_state["_changed"].get((dataset.fingerprint, row), {}))


def set_changed_values(dataset: Dataset, row: int, values: Mapping[int, Value]) -> None:
    """Change values of a case by hand; its original values are not a change; for callbacks."""
    original = dataset.feature_frame([row]).iloc[0]
    changed = dict(st.session_state["_changed"])
    changed.pop((dataset.fingerprint, row), None)
    differing = {
        column: value for column, value in values.items() if value != original.iloc[column]
    }
    if differing:
        changed[dataset.fingerprint, row] = differing
    while len(changed) > _MAX_CHANGED_CASES:
        del changed[next(iter(changed))]
    st.session_state["_changed"] = changed
    _store_workspace()


def change_values(dataset: Dataset, row: int, values: Mapping[int, Value]) -> None:
    """Change some values of a case and leave the others as they are; for callbacks."""
    set_changed_values(dataset, row, {**changed_values(dataset, row), **values})


def pins(dataset: Dataset) -> tuple[View, ...]:
    """Return the pinned views of a data set, the oldest first."""
    return st.session_state["_pinned"].get(dataset.fingerprint, ())


def set_pins(dataset: Dataset, pins: tuple[View, ...]) -> None:
    """Pin views of a data set; for callbacks."""
    pinned = st.session_state["_pinned"]
    st.session_state["_pinned"] = {**pinned, dataset.fingerprint: pins[:MAX_PINS]}
    _store_workspace()


def rows() -> dict[str, int]:
    """Return the case chosen last in data sets, from 0, by their name; else it is their first."""
    return dict(st.session_state["_rows"])


def store_row(name: str, row: int | None) -> None:
    """Store which case of a data set was chosen last, None: the first one."""
    rows = st.session_state["_rows"]
    if rows.get(name) != row:
        remaining = {key: value for key, value in rows.items() if key != name}
        st.session_state["_rows"] = remaining if row is None else {**remaining, name: row}
        _store_workspace()


def forget(dataset: Dataset, name: str) -> None:
    """Forget row, changes and pins of a data set, by the name offered; for callbacks."""
    store_row(name, None)
    changed, pinned = st.session_state["_changed"], st.session_state["_pinned"]
    fingerprint = dataset.fingerprint
    st.session_state["_changed"] = {key: v for key, v in changed.items() if key[0] != fingerprint}
    st.session_state["_pinned"] = {key: v for key, v in pinned.items() if key != fingerprint}


def live_value(name: str, make: Callable[[], T]) -> T:
    """Return an object that parts of a page share which run alone, such as a download."""
    value = st.session_state.get(f"_live_{name}")
    if value is None:
        value = st.session_state[f"_live_{name}"] = make()
    return value


def drop_live_value(name: str) -> None:
    """Forget an object that parts of a page share."""
    st.session_state.pop(f"_live_{name}", None)


def begin(key: str, value: Any) -> None:
    """Give a new widget its first value, before it is drawn."""
    st.session_state.setdefault(key, value)


def update_choice(key: str, offer: Offer, *, follows_default: bool) -> None:
    """Give a widget, before it is drawn, a value among its present options.

    The choice stays if it is still offered, unless it was never changed and follows the default. A
    value that is assigned is sent to the browser, which would go on showing the text it has.
    """
    offers = st.session_state.setdefault("_offers", {})
    previous: Offer | None = offers.get(key)
    if key in st.session_state:
        value = st.session_state[key]
        if previous is None:
            value = offer.matched(value, offer)
        elif offer != previous or not offer.holds(value):
            returns = follows_default and value == previous.default
            value = offer.default if returns else offer.matched(value, previous)
        if previous != offer or value != st.session_state[key]:
            st.session_state[key] = value
    offers[key] = offer


def set_state(key: str, value: Any) -> None:
    """Give a widget or another key of the session a value; for callbacks."""
    st.session_state[key] = value


def run_again(action: Callable[[], None]) -> None:
    """End this run, and do something before the widgets of the next are drawn."""
    st.session_state["_before_widgets"] = action
    st.rerun()


def run_deferred() -> None:
    """Run the action that the last run has deferred."""
    action = st.session_state.pop("_before_widgets", None)
    if action is not None:
        action()


def set_toolbar(toolbar: Any) -> None:
    """Store the toolbar that was drawn."""
    st.session_state["_toolbar"] = toolbar
    st.session_state["_follows"] = False


def toolbar() -> Any:
    """Return the toolbar above the page."""
    return st.session_state["_toolbar"]


def set_drawn_values(keys: Iterable[str]) -> None:
    """Store with which values some widgets were drawn."""
    st.session_state["_drawn"] = {key: st.session_state.get(key) for key in keys}


def _changed_keys() -> set[str]:
    drawn = st.session_state.get("_drawn", {})
    return {key for key, value in drawn.items() if st.session_state.get(key) != value}


def has_changed_since_drawn(main_key: str | None) -> bool:
    """Tell whether widgets other than the main one have other values than they were drawn with."""
    return bool(_changed_keys() - {main_key})


def set_follows(follows: bool) -> None:
    """Store whether the page that was drawn can follow its main parameter alone."""
    st.session_state["_follows"] = follows


def follows() -> bool:
    """Tell whether the page that was drawn can follow its main parameter alone."""
    return bool(st.session_state["_follows"])


@contextmanager
def in_fragment() -> Iterator[None]:
    """Draw a part of a page that can run alone: a button in it does not end the run."""
    st.session_state["_in_fragment"] = True
    try:
        yield
    finally:
        st.session_state["_in_fragment"] = False


def is_in_fragment() -> bool:
    """Tell whether the running code belongs to a page that can run alone."""
    return bool(st.session_state.get("_in_fragment"))


def wait_in_whole_run() -> None:
    """Run the page as a whole, where a button can end the wait for slow work."""
    if is_in_fragment():
        st.session_state["_is_waiting"] = True
        st.rerun()


def pop_waiting() -> bool:
    """Tell whether a wait for slow work made this run."""
    return bool(st.session_state.pop("_is_waiting", False))


def has_read_link() -> bool:
    """Tell whether the link was read with which this session began."""
    return "_problems" in st.session_state


def problems() -> list[Problem]:
    """Return the problems of the link: settings that it asked for and did not get."""
    return st.session_state["_problems"]


def set_problems(problems: list[Problem]) -> None:
    """Store the problems of the link."""
    st.session_state["_problems"] = problems


def may_mend(is_wrong: bool) -> bool:
    """Tell whether an address that is wrong can be mended; not twice in turn."""
    may = is_wrong and not st.session_state.get("_mended", False)
    st.session_state["_mended"] = may
    return may


def assign_again(keys: Iterable[str]) -> None:
    """Give widgets the values they have, in a new run: Streamlit writes them into the address."""
    state = st.session_state

    def assign() -> None:
        # Not the values of now: somebody may move a widget before that run.
        state.update({key: state[key] for key in keys if key in state})

    run_again(assign)


def replace_answer(case: Any, choice: ModelChoice, answer: Any) -> tuple[ModelChoice, Any] | None:
    """Store the answer for a case; return that of the previous settings, None without any."""
    last_case, current, previous = st.session_state.get("_shown", (None, None, None))
    if last_case != case:
        current = previous = None
    if current is not None and current[0] != choice:
        previous = current
    st.session_state["_shown"] = (case, (choice, answer), previous)
    return previous


def is_other_page(page: str) -> bool:
    """Tell whether the last run was of another page than this one."""
    return st.session_state.get("_page") != page


def is_new_page(page: str) -> bool:
    """Tell whether the run before this one was of another page."""
    previous_page = st.session_state.get("_page")
    st.session_state["_page"] = page
    st.session_state["_opens_page"] = previous_page != page
    if previous_page not in (None, page):
        set_problems([])
    return previous_page != page


def opens_page() -> bool:
    """Whether this run is the first one of the page."""
    return bool(st.session_state.get("_opens_page"))


def set_label_colors(colors: Sequence[tuple[str, str]]) -> None:
    """Store the labels' colours on light and dark ground; empty: those of the palette."""
    st.session_state["_label_colors"] = colors


def label_colors() -> Sequence[tuple[str, str]]:
    """Return the labels' colours of the page, which a fragment that runs alone keeps."""
    return st.session_state.get("_label_colors", ())


def set_nouns(nouns: Nouns) -> None:
    """Store the nouns of the data set in use."""
    st.session_state["_nouns"] = nouns


def nouns() -> Nouns:
    """Return the nouns of the page for rows and labels, which a fragment that runs alone keeps."""
    return st.session_state.get("_nouns", CASE_AND_LABEL)


def set_view(view: View) -> None:
    """Store the view that the toolbar shows."""
    st.session_state["_view"] = view


def last_view() -> View | None:
    """Return the view of the run before this one, None in the first."""
    return st.session_state.get("_view")


def view() -> View:
    """Return the view that the toolbar shows."""
    return st.session_state["_view"]


def dataset() -> Dataset:
    """Return the data set in use."""
    return view().dataset


def choice() -> ModelChoice:
    """Return the method in use with its parameters."""
    return view().choice


def split() -> Split:
    """Return the split into training and test part."""
    return view().split


def row() -> int:
    """Return the index of the chosen row, from 0."""
    return int(st.session_state[ROW]) - 1


def filters(dataset: Dataset) -> dict[str, Condition]:
    """Return the conditions for the rows shown of a data set, by the chart they were chosen in."""
    fingerprint, conditions = st.session_state.get("_filters", ("", {}))
    return dict(conditions) if fingerprint == dataset.fingerprint else {}


def set_filter(dataset: Dataset, chart: str, condition: Condition | None) -> None:
    """Choose in a chart a condition that rows must meet, None: none; for callbacks."""
    conditions = filters(dataset)
    conditions.pop(chart, None)
    if condition is not None:
        conditions[chart] = condition
    st.session_state["_filters"] = (dataset.fingerprint, conditions)
    st.session_state["_clicks"] = clicks() + 1


def clicks() -> int:
    """Return the number of times that filters have changed."""
    return st.session_state.get("_clicks", 0)


def proposal() -> Proposal | None:
    """Return the proposal for the files being brought in; None if it was dropped for space."""
    return uploads.PROPOSALS.find(st.session_state.get("_proposal"))


def proposal_key() -> str:
    """Return the key of the proposal for the files being brought in, which no other has."""
    return st.session_state["_proposal"]


def lacks_proposal() -> bool:
    """Tell whether the proposal for the files being brought in was dropped for space."""
    return proposal() is None and st.session_state.get("_proposal") is not None


def proposal_files() -> list[str]:
    """Return the names of the files that the proposal is about."""
    return st.session_state.get("_proposal_files", [])


def set_proposal(value: Proposal | None, files: Sequence[str] = ()) -> None:
    """Keep the proposal for files until it is used or dropped."""
    key = st.session_state.get("_proposal")
    if key != st.session_state.get("_put_away", ("", {}))[1].get("_proposal"):
        uploads.PROPOSALS.remove(key)
    st.session_state["_proposal"] = None if value is None else store_proposal(value)
    st.session_state["_proposal_files"] = list(files)
    st.session_state["_reading"] = 0
    set_corrections()


def store_proposal(value: Proposal) -> str:
    """Store a proposal for this session; return its key."""
    return uploads.PROPOSALS.add(uploads.session_id(), value)


def restore_proposal(value: Proposal) -> None:
    """Keep a new proposal for the same files, with all corrections."""
    st.session_state["_proposal"] = store_proposal(value)


def corrections() -> dict[str, str]:
    """Return the roles that the user has given columns of the proposal."""
    return st.session_state.get("_corrections", {})


def n_corrections() -> int:
    """Return the number of times roles were given, for the names of widgets that show them."""
    return st.session_state.get("_corrected", 0)


def set_corrections(roles: Mapping[str, str] | None = None) -> None:
    """Keep the roles that the user has given columns, None: no more; for callbacks."""
    st.session_state["_corrections"] = dict(roles or {})
    st.session_state["_corrected"] = n_corrections() + 1


_PROPOSAL_STATE = ("_proposal", "_proposal_files", "_corrections", "_reading")


def stash_proposal(dataset: Dataset) -> None:
    """Keep the proposal for the files of a data set, to come back to it; for callbacks."""
    previous_key = st.session_state.get("_put_away", ("", {}))[1].get("_proposal")
    state = {name: st.session_state.get(name) for name in _PROPOSAL_STATE}
    if previous_key != state["_proposal"]:
        uploads.PROPOSALS.remove(previous_key)
    st.session_state["_put_away"] = (dataset.fingerprint, state)
    set_proposal(None)


def has_proposal_of(dataset: Dataset) -> bool:
    """Tell whether the proposal that a data set was read with can be shown again."""
    fingerprint, put_away = st.session_state.get("_put_away", ("", {}))
    is_kept = uploads.PROPOSALS.find(put_away.get("_proposal")) is not None
    return bool(fingerprint == dataset.fingerprint and is_kept)


def restore_stashed_proposal(dataset: Dataset) -> None:
    """Show the proposal that a data set was read with again; for callbacks."""
    if has_proposal_of(dataset):
        st.session_state.update(st.session_state["_put_away"][1])
        st.session_state["_corrected"] = n_corrections() + 1


def new_files(files: Sequence[Any]) -> list[Any]:
    """Return the uploaded files that were not there the last time this was asked."""
    previous_ids = st.session_state.get("_files_seen", set())
    st.session_state["_files_seen"] = {file.file_id for file in files}
    return [file for file in files if file.file_id not in previous_ids]


def reset_edits() -> None:
    """Give the what-if widgets new names, so that they start from the case again."""
    st.session_state["reset"] = st.session_state.get("reset", 0) + 1


def race(key: str) -> Any:
    """Return the state of a race of methods that this session saw last, or None."""
    return st.session_state.get("_races", {}).get(key)


def set_race(key: str, race: Any) -> None:
    """Keep the state of a race."""
    st.session_state["_races"] = {**st.session_state.get("_races", {}), key: race}


def race_job(key: str) -> Any:
    """Return the job of a race that this session waits for, None if it does not."""
    running, job = st.session_state.get("_race_job", ("", None))
    return job if running == key else None


def set_race_job(key: str, job: Any) -> None:
    """Wait for the job of a race, None: no longer; for callbacks."""
    st.session_state["_race_job"] = (key, job)


# Why a job has no result.
CANCELLED, KILLED = "cancelled", "killed"


def why_ended(job: str) -> str:
    """Return why a job has no result for this session, "" unless it was cancelled or killed."""
    return st.session_state.get("_ended", {}).get(job, "")


def stop_waiting(job: str, why: str = CANCELLED) -> None:
    """Wait no longer for a job; for callbacks."""
    st.session_state["_ended"] = {**st.session_state.get("_ended", {}), job: why}


def wait_again(job: str) -> None:
    """Wait for a job again; for callbacks."""
    ended = st.session_state.get("_ended", {})
    st.session_state["_ended"] = {key: why for key, why in ended.items() if key != job}
