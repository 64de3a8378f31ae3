"""The methods by family, to choose one: their purpose, their cost, and those that do not fit."""

from itertools import groupby

import streamlit as st

from labelrank_core import Dataset, list_samples
from labelrank_core.data.splits import Split
from labelrank_core.methods import ALGORITHMS, Algorithm, ModelChoice, Size
from pages.ui import session
from pages.ui.view import METHOD
from pages.ui.wording import text


@st.dialog("Choose a method", width="large")
def choose(dataset: Dataset, split: Split) -> None:
    """List those that learn these data, then the others with the reason."""
    st.caption(
        f"For {text.markdown(dataset.name)}. To learn from {len(split.train)} cases and to predict "
        f"{len(split.test)} takes under a second, or the time given: a rough estimate."
    )
    st.page_link(
        "pages/best_method/page.py",
        label="Find the best method for these data: let them race",
        icon=":material/flag:",
    )
    size = Size.of(dataset, len(split.train), len(split.test))
    fitting = [algorithm for algorithm in ALGORITHMS.values() if algorithm.learns(dataset)]
    with st.grid(min_column_width=300, gap="medium"):
        for family, group in groupby(fitting, key=lambda algorithm: algorithm.family):
            with st.container():
                st.subheader(family.capitalize(), anchor=False)
                for algorithm in group:
                    _render_method(algorithm, ModelChoice(algorithm.key).seconds(size))
    reasons: dict[str, list[Algorithm]] = {}
    for algorithm in ALGORITHMS.values():
        if algorithm not in fitting:
            reasons.setdefault(_why_not(algorithm, dataset), []).append(algorithm)
    if reasons:
        st.subheader("Not for these data", anchor=False)
    for reason, members in reasons.items():
        st.caption(reason)
        with st.container(horizontal=True, gap="small"):
            for algorithm in members:
                _method_button(algorithm, disabled=True)


def _render_method(algorithm: Algorithm, seconds: float) -> None:
    with st.container(gap=None):
        if _method_button(algorithm):
            st.rerun()
        cost = f" **{text.duration(seconds).capitalize()}.**" if seconds >= 1 else ""
        st.caption(f"{algorithm.summary.partition('. ')[0].removesuffix('.')}.{cost}")


def _method_button(algorithm: Algorithm, *, disabled: bool = False) -> bool:
    is_chosen = session.get_state(METHOD) == algorithm.title
    icon = ":material/block:" if disabled else ":material/arrow_forward:"
    return st.button(
        algorithm.title,
        type="tertiary",
        icon=":material/check:" if is_chosen else icon,
        key=f"choose_{algorithm.key}",
        disabled=disabled,
        on_click=session.set_state,
        args=(METHOD, algorithm.title),
    )


def _why_not(algorithm: Algorithm, dataset: Dataset) -> str:
    """Say why a method cannot learn these data, and which sample it can."""
    if dataset.task in algorithm.tasks:
        reason = "These need complete rankings."
    elif algorithm.learns_rankings:
        reason = "These learn rankings, not label sets."
    else:
        reason = "These learn label sets, not rankings."
    sample = next((sample for sample in list_samples() if sample.task in algorithm.tasks), None)
    return f"{reason} A sample that fits: {sample.name}." if sample else reason
