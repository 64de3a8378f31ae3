"""Papers: the sentences and numbers of five papers, and the numbers that hold."""

import streamlit as st

from labelrank_core.papers import PAPERS
from pages.papers import printed, recomputation, rivals, story
from pages.ui import choices, widgets

widgets.render_title("Papers", "Which numbers of the papers hold?", uses_bar=False)
story.render_overview()
keys = {paper.short: key for key, paper in PAPERS.items()}
short_name = choices.choose(
    st.segmented_control,
    "Paper",
    list(keys),
    required=True,
    key="paper",
    bind="query-params",
    label_visibility="collapsed",
)
paper = PAPERS[keys[short_name]]
story.render_paper(paper)
table = printed.choose_table(paper)
printed.render_recorded(table)
recomputed_slot = st.container()
rivals.render_promises(paper)
story.render_errata(paper)
story.render_tables_without_numbers(paper)
# Last, because a job that is cancelled ends the script.
with recomputed_slot:
    recomputation.render_recomputation(table)
