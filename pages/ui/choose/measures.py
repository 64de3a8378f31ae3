"""The choice of the measure that a page judges by."""

from collections.abc import Sequence

import streamlit as st

from labelrank_core.metrics import METRICS, Measure
from pages.ui.choose import choices


def choose_measure(measures: Sequence[Measure], key: str) -> Measure:
    """Draw the choice among some measures, the first one to begin with; the address keeps it."""
    measure_key = choices.choose(
        st.selectbox,
        "Measured by",
        [measure.key for measure in measures],
        format_func=lambda key: METRICS[key].title_with_arrow,
        key=key,
        bind="query-params",
        width=260,
        help="↑ higher is better, ↓ lower is better.\n\n"
        + "\n\n".join(f"**{measure.title}.** {measure.definition}" for measure in measures),
    )
    return METRICS[measure_key]
