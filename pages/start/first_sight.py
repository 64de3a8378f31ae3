"""The cards of the first page: prediction and verdict, neighbours, how sure, the case's values."""

import streamlit as st

from labelrank_core import Dataset
from labelrank_core.data.profile.predictive import far_values
from labelrank_core.explain.evidence import Confidence, Explanation, Neighbors
from labelrank_core.explain.what_if import features_of, smallest_change
from labelrank_core.explain.what_if.changes import WhatChanges
from labelrank_core.explain.what_if.texts import smallest_change_text
from pages.ui import compute, drawing, markup, models, tables
from pages.ui.evidence import verdict
from pages.ui.markup.tables import CaseRow
from pages.ui.models import Case
from pages.ui.state import Query

_FEATURES_SHOWN = 6
_CASES_SHOWN = 5
_FEATURES_TRIED = 12


def how_sure(explanation: Explanation) -> None:
    """Draw how strongly the neighbours or trees agree."""
    found = explanation.evidence(Confidence)
    if not found.defined:
        st.caption("Not defined with a single case: it always agrees with itself.")
        return
    st.html(markup.gauge(found.value, found.lowest))
    st.caption(found.meaning)


def what_would_change(asked: Query) -> None:
    """Say which small change of one predictive feature would change the prediction."""
    dataset = asked.dataset
    features = features_of(dataset)
    chosen = [features[j] for j in _telling(dataset)[:_FEATURES_TRIED] if j < len(features)]
    swept = models.sweeps(asked, chosen)
    most: WhatChanges = "relevant" if swept[0].own.is_set else "first"
    kinds: tuple[WhatChanges, ...] = (most, "order")
    for of in kinds:
        found = [(each, smallest_change(each, of=of)) for each in swept]
        changes = [(each, change) for each, change in found if change is not None]
        if changes:
            each, change = min(changes, key=lambda pair: pair[1].share)
            drawing.say(smallest_change_text(each, change, of=of), dataset)
            return
        what = "changes the relevant labels" if of == "relevant" else "puts another label first"
        if of == most:
            st.markdown(f"None of the {len(chosen)} most predictive features alone {what}.")


def cases(asked: Query, case: Case) -> None:
    """Draw the case's most predictive values above those of its neighbours."""
    dataset, row = asked.dataset, asked.row
    near = case.explanation.evidence(Neighbors)
    rows = case.training_rows[near.rows][:_CASES_SHOWN]
    columns = _telling(dataset)[:_FEATURES_SHOWN]
    frame = dataset.feature_frame([row, *rows])
    names = [dataset.schema.columns[j].name for j in columns]
    far = far_values(dataset, row, [row, *rows], columns)
    drawn = [
        CaseRow(
            "●" if i == 0 else str(i),
            tables.case_name(dataset, each),
            tuple(_shown(frame[name].iloc[i]) for name in names),
            "?" if i == 0 else _strip(dataset, each),
            tuple(far[i]),
        )
        for i, each in enumerate([row, *rows])
    ]
    st.html(markup.cases_table(drawn[0], drawn[1:], names, "case"))


def _telling(dataset: Dataset) -> list[int]:
    return compute.predictive_columns(dataset)


def _strip(dataset: Dataset, row: int) -> str:
    labels = dataset.ordered_labels(row)[: verdict.LABELS_SHOWN]
    return markup.strip(labels, dataset.label_names) if labels else "none"


def _shown(value: object) -> str:
    return value if isinstance(value, str) else f"{value:.6g}"
