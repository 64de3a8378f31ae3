"""Which of many labels are drawn: the first ones, all that are relevant, those searched for."""

from collections.abc import Collection

import streamlit as st

from labelrank_core import Dataset
from labelrank_core.explain.pictures import SHOWN, Wanted
from pages.ui import choices


def choose_labels(
    dataset: Dataset, key: str, description: str, relevant: Collection[int] = ()
) -> Wanted:
    """Let labels be chosen that are drawn as well; `relevant` ones are drawn anyway."""
    if dataset.n_labels <= SHOWN:
        return Wanted(frozenset(relevant))
    names = dataset.label_names
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        labels = choices.choose(
            st.multiselect,
            f"Drawn: {description} of {dataset.n_labels} labels. Find others",
            range(dataset.n_labels),
            [],
            format_func=names.__getitem__,
            key=f"{key}-find",
            width=420,
        )
        everything = st.toggle(f"All {dataset.n_labels} labels", key=f"{key}-all")
    return Wanted(frozenset([*labels, *relevant]), everything)
