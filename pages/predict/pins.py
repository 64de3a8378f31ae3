"""Two cases, or two methods on one case, side by side."""

from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from labelrank_core import Dataset
from labelrank_core.data.splits import Split
from labelrank_core.explain.what_if import difference_in_words
from labelrank_core.methods import ModelChoice
from pages.ui import compute, evidence, params, parts, state
from pages.ui.compute import Case


@dataclass(frozen=True, eq=False)
class Pinned:
    """A case kept to compare with."""

    choice: ModelChoice
    split: Split
    row: int
    edits: dict[int, float]


def offer(dataset: Dataset, row: int, edits: dict[int, float]) -> None:
    """Offer to keep what is shown, to compare other cases and methods with it."""
    now = Pinned(state.choice(), state.split(), row, edits)
    st.button(
        "Pin this prediction",
        on_click=lambda: state.pin(dataset, now),
        icon=":material/push_pin:",
        help="Keep it, then choose another case, method or value and compare both side by side.",
    )


def pinned(dataset: Dataset) -> Pinned | None:
    """Return what was pinned of a data set."""
    return state.pinned(dataset)


def draw(kept: Pinned, dataset: Dataset, case: Case, row: int, edits: dict[int, float]) -> None:
    """Draw two predictions side by side, and name the differences."""
    before = compute.case(dataset, kept.choice, kept.split, kept.row, kept.edits)
    old, new = before.explanation, case.explanation
    sets = all(each.prediction is not each.positions for each in (old, new))
    relevant = (old.prediction, new.prediction) if sets and dataset.task.has_zero_line else None
    evidence.say(difference_in_words(old.positions, new.positions, relevant), dataset)
    lines = [
        params.in_a_line(dataset, *each)
        for each in ((kept.choice, kept.row), (state.choice(), row))
    ]
    left, right = st.columns(2, gap="large")
    shown = (
        (left, "Pinned", before, kept.row, kept.edits, lines[0]),
        (right, "Now", case, row, edits, lines[1]),
    )
    for place, title, each, its_row, its_edits, line in shown:
        with place:
            parts.heading(title)
            st.caption(line)
            evidence.say(each.explanation.summary, dataset)
            columns = evidence.ladder_of(
                each.explanation, dataset, None if its_edits else its_row, earlier=None
            )
            evidence.draw_ladder(columns, dataset, f"compare-{title}")
    _features(dataset, before, case)
    st.button("Unpin", on_click=lambda: state.pin(dataset, None), icon=":material/close:")


def _features(dataset: Dataset, before: Case, case: Case) -> None:
    """List the features in which two cases differ."""
    frame = dataset.schema.frame([before.x, case.x])
    differ = [name for name in frame.columns if frame[name].iloc[0] != frame[name].iloc[1]]
    if not differ:
        st.caption("Both have the same feature values.")
        return
    parts.heading("Where the cases differ")
    table = pd.DataFrame(
        {
            "feature": differ,
            "pinned": [_shown(frame[name].iloc[0]) for name in differ],
            "now": [_shown(frame[name].iloc[1]) for name in differ],
        }
    )
    st.dataframe(table, hide_index=True, height=min(300, 38 + 35 * len(table)))


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:g}"
