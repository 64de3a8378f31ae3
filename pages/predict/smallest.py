"""The smallest changes of single features that would change a prediction."""

from typing import Any

import pandas as pd

from labelrank_core import Dataset
from labelrank_core.explain.what_if import Change, Sweep, features_of, smallest_change, sweep
from labelrank_core.explain.what_if.changes import WhatChanges
from labelrank_core.explain.what_if.texts import smallest_change_text, value_text
from pages.ui import compute, drawing
from pages.ui.models import Case
from pages.ui.state import Query

_TRIED, _LISTED = 12, 5
_WHAT: dict[WhatChanges, str] = {
    "first": "puts another label first",
    "relevant": "changes the relevant labels",
    "order": "changes the order",
}


def say(asked: Query, case: Case, model: Any) -> None:
    """Say what would change the prediction, among the most predictive features."""
    dataset = asked.dataset
    telling = compute.predictive_columns(dataset)[:_TRIED]
    tried = [
        each for each in features_of(dataset, telling) if each.is_nominal or each.low < each.high
    ]
    setting = asked.choice.path_params
    swept = [sweep(model, case.x, each, **setting) for each in tried]
    if not swept:
        drawing.caption("No feature has more than one value.")
        return
    most: WhatChanges = "relevant" if swept[0].own.is_set else "first"
    kinds: tuple[WhatChanges, ...] = (most, "order")
    for of in kinds:
        found = [(each, smallest_change(each, of=of)) for each in swept]
        changes = [(each, change) for each, change in found if change is not None]
        if changes:
            _list(changes, of, dataset, len(tried))
            return
        drawing.caption(f"None of the {len(tried)} most predictive features alone {_WHAT[of]}.")


def _list(
    changes: list[tuple[Sweep, Change]], of: WhatChanges, dataset: Dataset, n_tried: int
) -> None:
    changes.sort(key=lambda pair: (pair[1].feature.is_nominal, pair[1].share))
    drawing.say(smallest_change_text(*changes[0], of=of), dataset)
    rows = [
        (each.feature.column.name, value_text(each.feature, change.own),
         value_text(each.feature, change.limit))
        for each, change in changes[:_LISTED]
    ]  # fmt: skip
    drawing.table(pd.DataFrame(rows, columns=["feature", "now", "changes at"]))
    drawing.caption(
        f"The smallest change of a feature alone that {_WHAT[of]}; {n_tried} features were tried."
    )
