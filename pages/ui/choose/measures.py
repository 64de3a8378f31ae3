"""The choice of the measure that a page judges by."""

from collections.abc import Iterable

import streamlit as st

from labelrank_core import Dataset
from labelrank_core.metrics import METRICS, Measure
from pages.ui.choose import choices


def choose_measure(dataset: Dataset, measures: Iterable[Measure], key: str) -> Measure:
    """Draw the choice among those measures that are shown of a data set; the address keeps it."""
    keys = [measure.key for measure in measures if measure.is_shown(dataset)]
    measure_key = choices.choose(
        st.selectbox,
        "Measured by",
        keys,
        format_func=lambda key: METRICS[key].title_with_arrow,
        key=key,
        bind="query-params",
        width=260,
        help="\n\n".join(f"**{METRICS[key].title}.** {METRICS[key].definition}" for key in keys),
    )
    return METRICS[measure_key]
