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


def say(asked: View, case: Case, model: Any) -> None:
    """Say what would change the prediction, among the most predictive features."""
    setting = asked.choice.path_params
    found = search_changes(
        asked.dataset, lambda features: sweep_all(model, case.x, features, **setting)
    )
    if found is None:
        drawing.caption("No feature has more than one value.")
        return
    for kind in found.without:
        drawing.caption(f"None of the {found.n_tried} most predictive features alone {WHAT[kind]}.")
    if found.changes:
        _list(found, asked.dataset)


def _list(found: SmallestChanges, dataset: Dataset) -> None:
    drawing.render_sentence(smallest_change_text(*found.changes[0], of=found.of), dataset)
    rows = [
        (each.feature.column.name, value_text(each.feature, change.own), limit_text(change))
        for each, change in found.changes[:_LISTED]
    ]
    drawing.table(pd.DataFrame(rows, columns=["feature", "now", "changes at"]))
    drawing.caption(
        f"The smallest change of a feature alone that {WHAT[found.of]}; {found.n_tried} features "
        "were tried."
    )
