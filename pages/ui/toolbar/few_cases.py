"""The notice on data with too few cases to measure a method, with a way on."""

import streamlit as st

from labelrank_core import Dataset, list_samples
from labelrank_core.comparison.cases import FEWEST
from pages.ui.render import drawing
from pages.ui.toolbar.data import take_sample

# Samples with as many rows have test cases enough for every page.
_ENOUGH_ROWS = 100


def render_few_tests(dataset: Dataset, n_tests: int) -> None:
    """Say that so few test cases decide nothing, where they do, and offer larger data."""
    if n_tests >= FEWEST:
        return
    counted = "1 test case is" if n_tests == 1 else f"{n_tests} test cases are"
    render_too_few(
        dataset,
        f"{counted} too few to tell a good method from luck. Read the numbers as an example of how "
        "this page works.",
    )


def render_too_few(dataset: Dataset, message: str) -> None:
    """Draw a message on data that are too few, and the way to a sample with enough of its kind."""
    with st.container(key="too_few", gap="small"):
        st.info(drawing.with_nouns(message), icon=":material/info:")
        larger = [sample for sample in list_samples() if sample.n_samples >= _ENOUGH_ROWS]
        sample = next((each for each in larger if each.task is dataset.task), larger[0])
        st.button(
            f"Take {sample.title}, with {sample.n_samples:,} rows",
            icon=":material/arrow_forward:",
            key="take_larger_data",
            on_click=take_sample,
            args=(sample.name,),
        )
