"""Labels as they are drawn, and which of many are: the first, all relevant ones, those found."""

from collections.abc import Collection, Sequence

import streamlit as st

from labelrank_core import Dataset
from labelrank_core.explain.render import SHOWN, LabelSelection
from labelrank_core.explain.render.markup.palette import ink, palette_color
from pages.ui.choose import choices


def label_chips(names: Sequence[str]) -> list[dict[str, str]]:
    """Return the names of labels with their colours, for components that draw them as chips."""
    return [
        {"name": name, "color": palette_color(label), "ink": ink(palette_color(label))}
        for label, name in enumerate(names)
    ]


def choose_labels(
    dataset: Dataset, key: str, description: str, relevant: Collection[int] = ()
) -> LabelSelection:
    """Let labels be chosen that are drawn as well; `relevant` ones are drawn anyway."""
    if dataset.n_labels <= SHOWN:
        return LabelSelection(frozenset(relevant))
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
    return LabelSelection(frozenset([*labels, *relevant]), everything)
