"""The nearest unlike neighbour: the most similar case with another truth than predicted."""

from functools import partial

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from labelrank_core import Dataset, Task
from labelrank_core.explain.evidence import Explanation
from labelrank_core.explain.render import predicted_ranking, true_ranking
from labelrank_core.explain.standing import orders_otherwise, similar_cases
from pages.predict import side_by_side
from pages.ui import compute, session
from pages.ui.render import drawing, tables
from pages.ui.render.evidence import verdict
from pages.ui.results import models
from pages.ui.results.models import Case
from pages.ui.view import View
from pages.ui.wording import text


def render(view: View, case: Case) -> None:
    """Draw the true ranking of the case beside the prediction, and a button that selects it."""
    dataset = view.dataset
    is_set = dataset.task is Task.MULTILABEL
    is_pairs = dataset.task is Task.PAIR_PREFERENCES
    difference = "other labels" if is_set else "another ranking"
    if is_pairs:
        difference = "a pair in another order"
    drawing.render_heading(f"The most similar case with {difference}")
    fitted = models.fitted(dataset, view.choice, view.split, view.row)
    rows = case.training_rows[_is_unlike(dataset, case.explanation)[case.training_rows]]
    if not len(rows):
        st.caption(drawing.with_nouns(f"No training case has {difference} than predicted here."))
        return
    key = compute.digest("nearest", models.result_key(view, fitted), case.explanation.prediction)
    (index, *_), (distance, *_) = compute.once(
        key,
        "Looking for similar cases",
        partial(similar_cases, n_cases=1),
        fitted.model,
        dataset.X[rows],
        case.x,
    )
    row = int(rows[index])
    name = tables.case_name(dataset, row)
    if is_pairs:
        drawn = verdict.known_pairs_markup(dataset, case.explanation, row)
        drawing.render_markup(f'<div class="lr">{drawn}</div>')
    else:
        predicted = predicted_ranking(case.explanation, "Predicted here")
        true = true_ranking(dataset, row, f"True in {name}", predicted)
        side_by_side.render_rankings(dataset, predicted.align(true), true)
    st.caption(f"{text.markdown(text.capitalised(name))}, at distance {distance:.2f}.")
    st.button(
        drawing.with_nouns("Look at this case"),
        on_click=session.set_row,
        args=(row,),
        icon=":material/search:",
        key="nearest",
    )


def _is_unlike(dataset: Dataset, explanation: Explanation) -> NDArray[np.bool_]:
    """Mark the rows with other relevant labels, or with two labels the other way round."""
    if dataset.task is Task.MULTILABEL:
        return np.any(dataset.relevance != explanation.relevance, axis=1)
    return orders_otherwise(explanation.positions, dataset.orders)
