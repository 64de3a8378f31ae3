"""The first page: one case, predicted and explained at a glance, and three ways on."""

import streamlit as st

from labelrank_core import Task
from labelrank_core.explain.evidence import Neighbors
from pages.start import first_sight
from pages.ui import compute, drawing, evidence, models, session, tables, toolbar, widgets
from pages.ui.evidence import verdict
from pages.ui.evidence.beside import about_values
from pages.ui.evidence.changes import what_would_change

_WHAT = {
    Task.LABEL_RANKING: "Label ranking predicts an order of all labels for a case, not only the "
    "best one.",
    Task.MULTILABEL: "Multi-label ranking predicts an order of all labels for a case, and which of "
    "them are relevant.",
    Task.CALIBRATED_RANKING: "Calibrated ranking predicts an order of all labels for a case, and "
    "where the relevant ones end.",
}

dataset = session.dataset()
sample = compute.known_sample(dataset)
widgets.title(
    (sample.question if sample else None) or "Which label comes first, and why?",
    f"LabelRank Lab learns rankings of labels. {_WHAT[dataset.task]} Here: {dataset.n_labels} "
    f"labels, {len(dataset.schema.columns)} features, one of {dataset.n_samples} cases, which the "
    "model has not seen.",
)
widgets.need_features(dataset)


def draw() -> None:
    """Draw the case, all of which follows the main parameter."""
    asked = session.view()
    dataset, row = asked.dataset, asked.row
    case = models.case(asked)
    explanation = case.explanation
    found = explanation.find(Neighbors)

    with st.grid(min_column_width=300, gap="small"):
        with st.container(border=True, height="stretch"):
            drawing.heading(f"Predicted order for {tables.case_name(dataset, row)}")
            verdict.ladder(dataset, explanation, row, first_sight.few_labels(dataset, row))
            verdict.box(dataset, explanation, row)
            verdict.moved(asked, explanation)
        with st.container(border=True, height="stretch"):
            if found is None:
                scene = evidence.Scene(dataset, case, "start", brief=True)
                evidence.draw_step(explanation.steps[0], scene)
            else:
                drawing.heading("Where the most similar cases lie")
                evidence.where(dataset, case, found, "start-where", row=row)
        with st.container(border=True, height="stretch"):
            drawing.heading("How sure?")
            first_sight.how_sure(asked, explanation)
            drawing.heading("What would change it?")
            what_would_change(asked, explanation)
    if found is not None:
        with st.container(border=True):
            drawing.heading("The case and its neighbours")
            st.caption(about_values(asked, case))
            first_sight.cases(asked, case)


toolbar.follow(draw)
with st.grid(3, min_column_width=260, gap="small"):
    widgets.way_on(st, "predict", "Look closer at a case", ":material/search:")
    widgets.way_on(st, "data", "Bring your own data", ":material/folder_open:")
    widgets.way_on(st, "learn", "Learn how it works", ":material/school:")
