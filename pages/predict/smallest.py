"""The smallest changes of single features that would change a prediction."""

from typing import Any

import pandas as pd

from labelrank_core import Dataset
from labelrank_core.explain.what_if import Change, Sweep
from labelrank_core.explain.what_if.changes import WhatChanges
from labelrank_core.explain.what_if.sweeps import sweep_all
from labelrank_core.explain.what_if.texts import limit_text, smallest_change_text, value_text
from pages.ui import drawing
from pages.ui.evidence.changes import WHAT, changes_by_kind, tried_features
from pages.ui.models import Case
from pages.ui.state import Query

_LISTED = 5


def say(asked: Query, case: Case, model: Any) -> None:
    """Say what would change the prediction, among the most predictive features."""
    dataset, setting = asked.dataset, asked.choice.path_params
    tried = tried_features(dataset)
    if not tried:
        drawing.caption("No feature has more than one value.")
        return
    for of, changes in changes_by_kind(sweep_all(model, case.x, tried, **setting)):
        if changes:
            _list(changes, of, dataset, len(tried))
            return
        drawing.caption(f"None of the {len(tried)} most predictive features alone {WHAT[of]}.")


def _list(
    changes: list[tuple[Sweep, Change]], of: WhatChanges, dataset: Dataset, n_tried: int
) -> None:
    drawing.say(smallest_change_text(*changes[0], of=of), dataset)
    rows = [
        (each.feature.column.name, value_text(each.feature, change.own), limit_text(change))
        for each, change in changes[:_LISTED]
    ]
    drawing.table(pd.DataFrame(rows, columns=["feature", "now", "changes at"]))
    drawing.caption(
        f"The smallest change of a feature alone that {WHAT[of]}; {n_tried} features were tried."
    )
