"""The smallest changes of single features that would change a prediction."""

from typing import Any

import pandas as pd

from labelrank_core import Dataset
from labelrank_core.explain.what_if.sweeps import sweep_all
from labelrank_core.explain.what_if.texts import limit_text, smallest_change_text, value_text
from pages.ui import drawing
from pages.ui.evidence.changes import WHAT, SmallestChanges, search_changes
from pages.ui.models import Case
from pages.ui.view import View

_LISTED = 5


def render(view: View, case: Case, model: Any) -> None:
    """Draw the smallest changes of the prediction, among the most predictive features."""
    path_params = view.choice.path_params
    smallest = search_changes(
        view.dataset, lambda features: sweep_all(model, case.x, features, **path_params)
    )
    if smallest is None:
        drawing.render_caption("No feature has more than one value.")
        return
    for kind in smallest.without:
        drawing.render_caption(
            f"None of the {smallest.n_tried} most predictive features alone {WHAT[kind]}."
        )
    if smallest.changes:
        _render_list(smallest, view.dataset)


def _render_list(smallest: SmallestChanges, dataset: Dataset) -> None:
    drawing.render_sentence(smallest_change_text(*smallest.changes[0], of=smallest.of), dataset)
    rows = [
        (sweep.feature.column.name, value_text(sweep.feature, change.own), limit_text(change))
        for sweep, change in smallest.changes[:_LISTED]
    ]
    drawing.render_table(pd.DataFrame(rows, columns=["feature", "now", "changes at"]))
    drawing.render_caption(
        f"The smallest change of a feature alone that {WHAT[smallest.of]}; {smallest.n_tried} "
        "features were tried."
    )
