"""The most similar real case whose true ranking, or label set, is not the one predicted."""

from functools import partial

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from labelrank_core import Dataset, Task
from labelrank_core.explain.evidence import Explanation
from labelrank_core.explain.standing import orders_otherwise, similar_cases
from pages.predict import joined
from pages.ui import compute, drawing, models, session, tables, text
from pages.ui.models import Case
from pages.ui.view import View


def offer(asked: View, case: Case) -> None:
    """Draw it joined with the prediction, and offer to look at it."""
    dataset = asked.dataset
    is_set = dataset.task is Task.MULTILABEL
    what = "other labels" if is_set else "another ranking"
    drawing.heading(f"The most similar case with {what}")
    found = models.fitted(dataset, asked.choice, asked.split, asked.row)
    rows = case.training_rows[_differs(dataset, case.explanation)[case.training_rows]]
    if not len(rows):
        st.caption(f"No training case has {what} than predicted here.")
        return
    key = compute.digest("nearest", models.result_key(asked, found), case.explanation.prediction)
    (place, *_), (distance, *_) = compute.once(
        key,
        "Looking for similar cases",
        partial(similar_cases, n_cases=1),
        found.model,
        dataset.X[rows],
        case.x,
    )
    row = int(rows[place])
    name = tables.case_name(dataset, row)
    joined.draw_ranked(
        dataset,
        ("Predicted here", joined.predicted(case.explanation)),
        (f"True in {name}", joined.true(dataset, row)),
    )
    st.caption(f"{text.markdown(name[:1].upper() + name[1:])}, at distance {distance:.2f}.")
    st.button(
        "Look at this case",
        on_click=session.set_row,
        args=(row,),
        icon=":material/search:",
        key="nearest",
    )


def _differs(dataset: Dataset, found: Explanation) -> NDArray[np.bool_]:
    """Tell which rows have other relevant labels, or order two labels the other way round."""
    if dataset.task is Task.MULTILABEL:
        return np.any(dataset.relevance != found.relevance, axis=1)
    return orders_otherwise(found.positions, dataset.rankings)
