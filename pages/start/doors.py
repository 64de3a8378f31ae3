"""The ways on from the first page: a closer look, another sample, own data, a lesson."""

import streamlit as st

from labelrank_core import Dataset, Task
from pages.ui import toolbar
from pages.ui.render import widgets

# A sample of the other kind: sets where rankings are in use, and a ranking where sets are.
_OTHER_SAMPLES = {
    True: ("election", "Try an election", "How does a district rank five parties?"),
    False: ("songs", "Try songs and moods", "Which of six moods does a song have?"),
}


def render(dataset: Dataset) -> None:
    """Draw the doors, each with a line about the page behind it."""
    sample, title, question = _OTHER_SAMPLES[dataset.task is Task.MULTILABEL]
    with st.container(key="doors"), st.grid(4, min_column_width=230, gap="small"):
        _render_door(
            "predict",
            "Look closer",
            ":material/search:",
            "Who was asked, what if, can I rely on it?",
        )
        with st.container(border=True, height="stretch", gap="xsmall"):
            st.button(
                title,
                icon=":material/music_note:" if sample == "songs" else ":material/how_to_vote:",
                type="tertiary",
                key="other_sample",
                on_click=toolbar.take_sample,
                args=(sample,),
            )
            st.caption(question)
        _render_door(
            "data",
            "Bring your own data",
            ":material/table_view:",
            "Ratings, ranks or yes and no, one row per case.",
            data_tab="Bring your own",
        )
        _render_door(
            "learn",
            "Learn how it works",
            ":material/school:",
            "Predict by hand what people drink.",
        )


def _render_door(page: str, title: str, icon: str, line: str, **query_params: str) -> None:
    with st.container(border=True, height="stretch", gap="xsmall"):
        widgets.render_link(page, title, icon, **query_params)
        st.caption(line)
