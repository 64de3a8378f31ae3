"""The choice of the rows that test the method."""

import streamlit as st

from labelrank_core import Dataset
from labelrank_core.data.splits import Split
from pages.ui import compute
from pages.ui.choose import choices
from pages.ui.view import (
    DEFAULT_TEST_PERCENT,
    LEAST_TEST_PERCENT,
    MOST_SEED,
    MOST_TEST_PERCENT,
    SEED,
    SPLIT_KIND,
    TEST_SHARE,
)


def choose_split(dataset: Dataset) -> Split:
    """Let be chosen which rows test the method."""
    kinds = ["random"] if dataset.split is None else ["published", "random"]
    kind = choices.choose(
        st.selectbox,
        "Test set",
        kinds,
        key=SPLIT_KIND,
        bind="query-params",
        help="Rows kept from the method to measure it: the test set the data were published with, "
        "or rows drawn at random.",
    )
    if kind == "published":
        return compute.split(dataset, kind="published")
    share = st.slider(
        "Share of test rows (%)",
        LEAST_TEST_PERCENT,
        MOST_TEST_PERCENT,
        DEFAULT_TEST_PERCENT,
        5,
        key=TEST_SHARE,
        bind="query-params",
    )
    seed = st.number_input(
        "Seed",
        0,
        MOST_SEED,
        0,
        key=SEED,
        bind="query-params",
        help="The same seed draws the same rows again.",
    )
    return compute.split(dataset, kind="random", test_share=share / 100, seed=int(seed))
