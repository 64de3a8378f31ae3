"""The tab of pairs: the share of rows that prefer one label to another, of those comparing both."""

import numpy as np
import streamlit as st

from labelrank_core.explain import render as drawings
from labelrank_core.rankings import strict_order
from pages.data import filters
from pages.ui.render import drawing
from pages.ui.wording import text


def render_pairs(view: filters.ProfileView) -> None:
    """Draw the shares of all pairs, with the rows that know each pair in the table."""
    profile, names = view.filtered_profile.pairs, view.dataset.label_names
    if profile is None:
        return
    order = strict_order(profile.positions)
    table = profile.frame()
    drawing.render_figure(
        drawings.pair_shares(np.nan_to_num(profile.shares, nan=0.5), order, names),
        key="pairs",
        alt="share of the rows that prefer one label to another, of those that compare the two",
        table=table,
        caption="How often the label of the row comes before the label of the column, among the "
        "rows that compare the two. Labels are in the order of the pairs they win.",
    )
    unknown = table[table["rows"] == 0]
    if len(unknown):
        first, second = unknown.iloc[0][["label", "other label"]]
        st.caption(
            f"No row compares {len(unknown)} of the pairs, such as {text.markdown(first)} and "
            f"{text.markdown(second)}: they count as 0.50."
        )
