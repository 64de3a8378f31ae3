"""The choice of data."""

import streamlit as st

from labelrank_core import Dataset, list_samples
from pages.ui import compute, session
from pages.ui.choose import choices, samples
from pages.ui.render import assistants
from pages.ui.toolbar.case import start
from pages.ui.view import DATA


def choose_data() -> Dataset:
    """Let data be chosen: samples, and those that were brought."""
    samples_by_name = {sample.name: sample for sample in list_samples()}
    own_data = session.own_data()
    options = [*own_data, *samples_by_name]
    name = choices.choose(
        st.selectbox,
        "Data",
        options,
        options[len(own_data)],
        key=DATA,
        bind="query-params",
        on_change=_start_with_chosen,
        help="Samples that come with the program, and data you add on the page Data.",
    )
    st.caption(
        "Your data; kept for this browser alone, they are not part of the link."
        if name in own_data
        else samples_by_name[name].summary
    )
    if not assistants.is_reading() and st.button(
        "Browse the samples", icon=":material/apps:", type="tertiary", key="browse_samples"
    ):
        samples.render_cards(take_sample)
    return dataset_named(name)


def dataset_named(name: str) -> Dataset:
    """Return data by the name under which they are offered."""
    own_data = session.own_data()
    return own_data[name] if name in own_data else compute.sample(name)


def data_name(dataset: Dataset) -> str:
    """Return the name under which data are offered."""
    own_data = session.own_data().items()
    names = (name for name, data in own_data if data.fingerprint == dataset.fingerprint)
    return next(names, dataset.name)


def data_title(dataset: Dataset) -> str:
    """Return the text of the button of data: the title of a sample, or their name."""
    sample = compute.known_sample(dataset)
    return sample.title if sample else dataset.name


def take_sample(name: str) -> None:
    """Use a sample; for callbacks."""
    session.set_state(DATA, name)
    _start_with_chosen()


def _start_with_chosen() -> None:
    """Go on with the case of the chosen data that was looked at last."""
    name = session.get_state(DATA)
    start(dataset_named(name), session.rows().get(name))
