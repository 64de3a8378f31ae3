"""The smallest changes of single features that would change a prediction."""

from functools import partial

import pandas as pd

from labelrank_core import Dataset
from labelrank_core.explain.what_if.sweeps import N_VALUES
from labelrank_core.explain.what_if.texts import (
    coverage_text,
    limit_text,
    smallest_change_text,
    value_text,
)
from pages.ui.render import drawing
from pages.ui.render.evidence.changes import WHAT, SmallestChanges, most_tried, search_changes
from pages.ui.results import models
from pages.ui.view import View

_LISTED = 5


def seconds(view: View) -> float:
    """Estimate the seconds that the search takes at most."""
    fitted = models.fitted(view.dataset, view.choice, view.split, view.row)
    n_cases = N_VALUES * most_tried(view.dataset)
    return models.seconds_of_cases(view, fitted, n_cases)


def search(view: View) -> SmallestChanges | None:
    """Look for the smallest changes, with Cancel; keep the result."""
    return search_changes(view.dataset, partial(models.sweeps, view))


def render(view: View) -> None:
    """Draw the smallest changes of the prediction, among the most predictive features."""
    smallest = search(view)
    if smallest is None:
        drawing.render_caption("No feature has more than one value.")
        return
    for kind in smallest.without:
        drawing.render_caption(
            drawing.with_nouns(
                f"None of the {smallest.n_tried} most predictive features alone {WHAT[kind]}."
            )
        )
    if smallest.changes:
        _render_list(smallest, view.dataset)


def _render_list(smallest: SmallestChanges, dataset: Dataset) -> None:
    drawing.render_sentence(smallest_change_text(*smallest.changes[0], of=smallest.of), dataset)
    rows = [
        (
            sweep.feature.column.name,
            value_text(sweep.feature, change.case_value),
            limit_text(change),
        )
        for sweep, change in smallest.changes[:_LISTED]
    ]
    drawing.render_table(pd.DataFrame(rows, columns=["feature", "now", "changes at"]))
    drawing.render_caption(
        drawing.with_nouns(
            f"The smallest change of a feature alone that {WHAT[smallest.of]}; {smallest.n_tried} "
            "features were tried."
        ),
        coverage_text(sweep for sweep, _ in smallest.changes),
    )
