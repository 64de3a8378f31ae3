"""Papers: what five papers say, what they print, and which of it holds."""

import streamlit as st

from labelrank_core.papers import PAPERS
from pages.papers import again, printed, rivals, story
from pages.ui import choices, widgets

widgets.title("Papers", "Which numbers of the papers hold?", uses_bar=False)
story.overview()
keys = {paper.short: key for key, paper in PAPERS.items()}
chosen = choices.choose(
    st.segmented_control,
    "Paper",
    list(keys),
    required=True,
    key="paper",
    bind="query-params",
    label_visibility="collapsed",
)
paper = PAPERS[keys[chosen]]
story.tell(paper)
table = printed.choose(paper)
printed.show(table)
place = st.container()
rivals.promises(paper)
story.errata(paper)
story.silent(paper)
# Last, because a job that is cancelled ends the script.
with place:
    again.offer(table)
