"""The state of a session: the data set, the choice of a method, and a little view state.

The only module that touches `st.session_state`. Everything that a link must carry lives in
widgets bound to the address; their keys are the names used there.
"""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st
from numpy.typing import NDArray
from streamlit.runtime.scriptrunner import get_script_run_ctx

from labelrank_core import Dataset
from labelrank_core.data.profile.conditions import Condition
from labelrank_core.data.splits import Split
from labelrank_core.io import Proposal
from labelrank_core.methods import ModelChoice
from pages.ui import uploads

DATA, METHOD, ROW, SCALED, TFIDF = "data", "method", "row", "scaled", "tfidf"
SPLIT_KIND, TEST_SHARE, SEED = "split", "test_share", "seed"


@dataclass(frozen=True, eq=False)
class Query:
    """One case, by its row from 0, asked of a method; features changed by hand by their index."""

    dataset: Dataset
    choice: ModelChoice
    split: Split
    row: int
    edits: Mapping[int, float]


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
        return all(each is None or each in self.options for each in values)

    def matched(self, value: Any, earlier: "Offer") -> Any:
        """Return the value chosen among earlier options if these hold it, else the default.

        Numbers and pairs are only positions in some data: they are the same if their text is.
        """
        if value is None:
            return None
        if isinstance(value, list):
            matched = [self._matched_option(each, earlier) for each in value]
            kept = [option for option in matched if option is not None]
            return kept if kept or not value else self.default
        option = self._matched_option(value, earlier)
        return self.default if option is None else option

    def _matched_option(self, option: Any, earlier: "Offer") -> Any:
        if isinstance(option, str) or option not in earlier.options:
            return option if option in self.options else None
        text = earlier.texts[earlier.options.index(option)]
        return self.options[self.texts.index(text)] if text in self.texts else None


def get(key: str, default: Any = None) -> Any:
    """Return a value of the session."""
    return st.session_state.get(key, default)


def reader() -> Callable[..., Any]:
    """Return what `get` is for this session where no page is run, such as for a download."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is None:
        return get
    session = context.session_state

    def read(key: str, default: Any = None) -> Any:
        try:
            return session[key]
        except KeyError:
            return default

    return read


def ticked(key: str) -> int | None:
    """Return the row that is ticked in a table, or None."""
    rows = get(key)["selection"]["rows"]
    return rows[0] if rows else None


def take_ticked(key: str, rows: Sequence[int] | NDArray[Any]) -> None:
    """Make the one of some rows that is ticked in their table the case; for callbacks."""
    place = ticked(key)
    if place is not None:
        set_row(int(rows[place]))


def set_row(row: int) -> None:
    """Choose a row of the data, counted from 0; for callbacks."""
    st.session_state[ROW] = row + 1


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


def would_drop(dataset: Dataset) -> str | None:
    """Return the name of the oldest data set, if one more makes too many of them."""
    own = own_data()
    return next(iter(own)) if own_name(dataset) not in own and len(own) >= MOST_OWN else None


def use_own(dataset: Dataset, choices: Mapping[str, Any], files: Sequence[str]) -> None:
    """Add a data set, read from files with some choices, and choose it; for callbacks."""
    oldest, option, own = would_drop(dataset), own_name(dataset), own_data()
    own.pop(option if oldest is None else oldest, None)
    own[option] = dataset
    st.session_state.setdefault("_how_read", {})[dataset.fingerprint] = (tuple(files), choices)
    st.session_state[DATA] = option


def take_own(data: Mapping[str, Dataset], read: Mapping[str, Any], key: str) -> None:
    """Take over data sets that this browser brought in another session, and the key to them."""
    st.session_state["_own_data"] = dict(data)
    st.session_state["_how_read"] = dict(read)
    st.session_state["_upload_key"] = key


def upload_key() -> str:
    """Return the key under which the data of this browser are kept."""
    if "_upload_key" not in st.session_state:
        st.session_state["_upload_key"] = uploads.new_key()
    return st.session_state["_upload_key"]


def how_own_read() -> dict[str, tuple[tuple[str, ...], Mapping[str, Any]]]:
    """Return files and choices of all data that this session brought, by their fingerprints."""
    return dict(st.session_state.get("_how_read", {}))


def how_read(dataset: Dataset) -> tuple[Sequence[str], Mapping[str, Any]]:
    """Return files and choices with which `read_dataset` reads data that this session brought."""
    read = st.session_state.get("_how_read", {})
    return read.get(dataset.fingerprint, ((f"{dataset.name}.csv",), {}))


def begin(key: str, value: Any) -> None:
    """Give a new widget its first value, before it is drawn."""
    st.session_state.setdefault(key, value)


def keep_choice(key: str, offer: Offer, *, follows_default: bool) -> None:
    """Give a widget, before it is drawn, a value among what it now offers.

    The choice stays if it is still offered, unless it was never changed and follows the default. A
    value that is assigned is sent to the browser, which would go on showing the text it has.
    """
    offers = st.session_state.setdefault("_offers", {})
    before: Offer | None = offers.get(key)
    if key in st.session_state:
        value = st.session_state[key]
        if before is None:
            value = offer.matched(value, offer)
        elif offer != before or not offer.holds(value):
            returns = follows_default and value == before.default
            value = offer.default if returns else offer.matched(value, before)
        if before != offer or value != st.session_state[key]:
            st.session_state[key] = value
    offers[key] = offer


def put(key: str, value: Any) -> None:
    """Give a widget a value; for callbacks."""
    st.session_state[key] = value


def run_again(action: Callable[[], None]) -> None:
    """End this run, and do something before the widgets of the next are drawn."""
    st.session_state["_before_widgets"] = action
    st.rerun()


def settle() -> None:
    """Run the action that the last run has left to do."""
    action = st.session_state.pop("_before_widgets", None)
    if action is not None:
        action()


def remember(dataset: Dataset, choice: ModelChoice, split: Split) -> None:
    """Keep the data set, the method and the split, from which everything else follows."""
    st.session_state["_dataset"] = dataset
    st.session_state["_choice"] = choice
    st.session_state["_split"] = split


def follow_alone(follows: bool) -> None:
    """Say whether the page drawn now can follow its main parameter alone."""
    st.session_state["_follows"] = follows


def follows_alone() -> bool:
    """Tell whether the page drawn now can follow its main parameter alone."""
    return st.session_state["_follows"]


def run_whole(is_whole: bool) -> bool:
    """Say whether the next run draws no part to run alone; return what was said before."""
    before = st.session_state.get("_whole", False)
    st.session_state["_whole"] = is_whole
    return bool(before)


def note(keys: Iterable[str]) -> None:
    """Keep with which values some of the choices were drawn."""
    noted = st.session_state.setdefault("_noted", {})
    noted.update({key: st.session_state.get(key) for key in keys})


def has_changed() -> bool:
    """Tell whether the choices have other values than they were drawn with."""
    noted = st.session_state["_noted"].items()
    return any(st.session_state.get(key) != value for key, value in noted)


def link(said: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return what the link said with which this session began; `said` counts the first time."""
    return st.session_state.setdefault("_link", dict(said or {}))


def shown_before(case: Any, choice: ModelChoice, answer: Any) -> tuple[ModelChoice, Any] | None:
    """Keep what is predicted of a case; return the answer of the settings before these."""
    last, now, before = st.session_state.get("_shown", (None, None, None))
    if last != case:
        now = before = None
    if now is not None and now[0] != choice:
        before = now
    st.session_state["_shown"] = (case, (choice, answer), before)
    return before


def opens(page: str) -> bool:
    """Tell whether the run before this one was of another page."""
    before = st.session_state.get("_page")
    st.session_state["_page"] = page
    return before != page


def address() -> Mapping[str, str]:
    """Return what the address said in the run before this one."""
    return st.session_state.get("_address", {})


def set_address(now: Mapping[str, str]) -> None:
    """Keep what the address says."""
    st.session_state["_address"] = now


def replaced(page: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return what stands for values of the link on the page it opened; `values` the first time."""
    first, kept = st.session_state.setdefault("_replaced", (page, dict(values)))
    return dict(kept) if first == page else {}


def dataset() -> Dataset:
    """Return the data set in use."""
    return st.session_state["_dataset"]


def choice() -> ModelChoice:
    """Return the method in use with its parameters."""
    return st.session_state["_choice"]


def split() -> Split:
    """Return the split into training and test part."""
    return st.session_state["_split"]


def row() -> int:
    """Return the index of the chosen row, from 0."""
    return int(st.session_state[ROW]) - 1


def query(edits: Mapping[int, float] | None = None) -> Query:
    """Return what is asked now, with features changed by hand."""
    return Query(dataset(), choice(), split(), row(), edits or {})


def filters(dataset: Dataset) -> dict[str, Condition]:
    """Return what the rows shown of a data set must meet, by the chart it was chosen in."""
    fingerprint, chosen = st.session_state.get("_filters", ("", {}))
    return dict(chosen) if fingerprint == dataset.fingerprint else {}


def set_filter(dataset: Dataset, chart: str, condition: Condition | None) -> None:
    """Choose in a chart what rows must meet, None: nothing; for callbacks."""
    chosen = {name: kept for name, kept in filters(dataset).items() if name != chart}
    if condition is not None:
        chosen[chart] = condition
    st.session_state["_filters"] = (dataset.fingerprint, chosen)
    st.session_state["_clicks"] = clicks() + 1


def clicks() -> int:
    """Return how often filters have changed."""
    return st.session_state.get("_clicks", 0)


def proposal() -> Proposal | None:
    """Return what was understood of the file being brought in; None if it was dropped for space."""
    return uploads.PROPOSALS.find(st.session_state.get("_proposal"))


def lacks_proposal() -> bool:
    """Tell whether what was understood of the file being brought in was dropped for space."""
    return proposal() is None and st.session_state.get("_proposal") is not None


def proposal_files() -> list[str]:
    """Return the names of the files that the proposal is about."""
    return st.session_state.get("_proposal_files", [])


def set_proposal(value: Proposal | None, files: Sequence[str] = ()) -> None:
    """Keep what was understood of files until it is used or dropped."""
    key = st.session_state.get("_proposal")
    if key != st.session_state.get("_put_away", ("", {}))[1].get("_proposal"):
        uploads.PROPOSALS.remove(key)
    st.session_state["_proposal"] = None if value is None else store_proposal(value)
    st.session_state["_proposal_files"] = list(files)
    st.session_state["_reading"] = 0
    correct()


def store_proposal(value: Proposal) -> str:
    """Store what was understood of files for this session; return the key to it."""
    context = get_script_run_ctx(suppress_warning=True)
    return uploads.PROPOSALS.add("" if context is None else context.session_id, value)


def restore_proposal(value: Proposal) -> None:
    """Keep what was understood of the same files again, with all corrections."""
    st.session_state["_proposal"] = store_proposal(value)


def corrections() -> dict[str, str]:
    """Return the roles that the user has given columns of the proposal."""
    return st.session_state.get("_corrections", {})


def corrections_made() -> int:
    """Return how often roles were given, for the names of widgets that show them."""
    return st.session_state.get("_corrected", 0)


def correct(roles: Mapping[str, str] | None = None) -> None:
    """Keep the roles that the user has given columns, None: no more; for callbacks."""
    st.session_state["_corrections"] = dict(roles or {})
    st.session_state["_corrected"] = corrections_made() + 1


_ASKED_FOR = ("_proposal", "_proposal_files", "_corrections", "_reading")


def put_proposal_away(dataset: Dataset) -> None:
    """Keep what was understood of the files of a data set, to come back to it; for callbacks."""
    before = st.session_state.get("_put_away", ("", {}))[1].get("_proposal")
    kept = {name: st.session_state.get(name) for name in _ASKED_FOR}
    if before != kept["_proposal"]:
        uploads.PROPOSALS.remove(before)
    st.session_state["_put_away"] = (dataset.fingerprint, kept)
    set_proposal(None)


def has_proposal_of(dataset: Dataset) -> bool:
    """Tell whether the proposal that a data set was read with can be shown again."""
    fingerprint, put_away = st.session_state.get("_put_away", ("", {}))
    is_kept = uploads.PROPOSALS.find(put_away.get("_proposal")) is not None
    return bool(fingerprint == dataset.fingerprint and is_kept)


def take_proposal_back(dataset: Dataset) -> None:
    """Show the proposal that a data set was read with again; for callbacks."""
    if has_proposal_of(dataset):
        st.session_state.update(st.session_state["_put_away"][1])
        st.session_state["_corrected"] = corrections_made() + 1


def remove_own(dataset: Dataset) -> None:
    """Forget data that this session brought, with all that was kept of them; for callbacks."""
    own = own_data()
    for name in [name for name, kept in own.items() if kept.fingerprint == dataset.fingerprint]:
        del own[name]
    if has_proposal_of(dataset):
        uploads.PROPOSALS.remove(st.session_state.pop("_put_away")[1]["_proposal"])


def new_files(files: Sequence[Any]) -> list[Any]:
    """Return the uploaded files that were not there the last time this was asked."""
    seen = st.session_state.get("_files_seen", set())
    st.session_state["_files_seen"] = {file.file_id for file in files}
    return [file for file in files if file.file_id not in seen]


def reset_edits() -> None:
    """Give the what-if widgets new names, so that they start from the case again."""
    st.session_state["reset"] = st.session_state.get("reset", 0) + 1


def race(key: str) -> Any:
    """Return how far a race of methods has come that this session has seen, or None."""
    return st.session_state.get("_races", {}).get(key)


def keep_race(key: str, race: Any) -> None:
    """Keep how far a race has come."""
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


def end(job: str, why: str = CANCELLED) -> None:
    """Wait no longer for a job; for callbacks."""
    st.session_state["_ended"] = {**st.session_state.get("_ended", {}), job: why}


def restart(job: str) -> None:
    """Wait for a job again; for callbacks."""
    ended = st.session_state.get("_ended", {})
    st.session_state["_ended"] = {key: why for key, why in ended.items() if key != job}
