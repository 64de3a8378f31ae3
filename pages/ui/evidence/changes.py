"""Which small change of a single feature would change a prediction."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from labelrank_core import Dataset
from labelrank_core.explain.evidence import Explanation, Neighbors
from labelrank_core.explain.what_if import Change, Feature, Sweep, smallest_change
from labelrank_core.explain.what_if.changes import WhatChanges
from labelrank_core.explain.what_if.sweeps import N_VALUES
from labelrank_core.explain.what_if.texts import smallest_change_text
from pages.ui import compute, drawing, jobs, models
from pages.ui.view import View

# The most predictive features are tried, so that the slider stays quick; where there are many
# features, first a few of them, and the next ones only where none of these matters.
_TRIED, _TRIED_OF_MANY, _AT_ONCE_OF_MANY, _MANY = 12, 24, 6, 40
# Training cases times features beyond which one would notice a search at every move of a slider.
_MOST_CELLS = 100_000
WHAT: dict[WhatChanges, str] = {
    "first": "puts another label first",
    "relevant": "changes the relevant labels",
    "order": "changes the order",
}


@dataclass(frozen=True, eq=False)
class Found:
    """The changes found of what matters most, the smallest first, else of the order."""

    of: WhatChanges
    changes: list[tuple[Sweep, Change]]
    n_tried: int
    # What none of the features changes.
    without: tuple[WhatChanges, ...] = ()


def search(dataset: Dataset, sweep: Callable[[list[Feature]], Sequence[Sweep]]) -> Found | None:
    """Try the most predictive features until one changes what matters; None: all are constant."""
    telling = _groups(dataset)
    swept: list[Sweep] = []
    for group in telling:
        swept += sweep(group)
        most = matters_most(swept)
        if smallest_changes(swept, most):
            break
    return find(swept) if swept else None


def find(swept: Sequence[Sweep]) -> Found:
    """Find the changes of what matters most among the features tried, else of the order."""
    most = matters_most(swept)
    if changes := smallest_changes(swept, most):
        return Found(most, changes, len(swept))
    changes = smallest_changes(swept, "order")
    return Found("order", changes, len(swept), (most,) if changes else (most, "order"))


def matters_most(swept: Sequence[Sweep]) -> WhatChanges:
    """Return which change matters most: of the set where one is predicted, else of the first."""
    return "relevant" if swept[0].own.is_set else "first"


def _groups(dataset: Dataset) -> list[list[Feature]]:
    """List the most predictive features with more than one value, in the groups to try."""
    columns = compute.predictive_columns(dataset)
    is_many = len(columns) > _MANY
    size, tried = (_AT_ONCE_OF_MANY, _TRIED_OF_MANY) if is_many else (_TRIED, _TRIED)
    telling = compute.features(dataset, columns[:tried])
    varied = [each for each in telling if each.is_nominal or each.low < each.high]
    return [varied[start : start + size] for start in range(0, len(varied), size)]


def smallest_changes(swept: Sequence[Sweep], of: WhatChanges) -> list[tuple[Sweep, Change]]:
    """Return the smallest change of each feature that has one, the smallest of all first."""
    found = [(each, smallest_change(each, of=of)) for each in swept]
    changes = [(each, change) for each, change in found if change is not None]
    return sorted(changes, key=lambda pair: (pair[1].feature.is_nominal, pair[1].share))


def what_would_change(
    asked: View, explanation: Explanation, sweeps: Sequence[Sweep] | None = None
) -> None:
    """Say which small change of one feature would change the prediction.

    `sweeps` are those of all features where the page shows them; else the most predictive features
    are tried.
    """
    dataset = asked.dataset
    if sweeps is None and not _starts(asked, explanation):
        return
    found = (
        find(sweeps) if sweeps else search(dataset, lambda features: models.sweeps(asked, features))
    )
    if found is None:
        drawing.caption("No feature has more than one value.")
        return
    tried = f"{found.n_tried} features" if sweeps else f"{found.n_tried} most predictive features"
    for kind in found.without:
        drawing.write(f"None of the {tried} alone {WHAT[kind]}.")
    if found.changes:
        drawing.say(smallest_change_text(*found.changes[0], of=found.of), dataset)
        # Of the order, how many were tried has been said above.
        several = "" if found.without else f" among the {tried}"
        drawing.caption(f"The smallest such change of a single feature{several}.")


def _starts(asked: View, explanation: Explanation) -> bool:
    """Ask before what takes long, so that nothing else waits for it."""
    dataset = asked.dataset
    fitted = models.fitted(dataset, asked.choice, asked.split, asked.row)
    n_cases = N_VALUES * sum(map(len, _groups(dataset)[:1]))
    seconds = models.seconds_of_cases(asked, fitted, n_cases)
    # Only what looks for neighbours takes longer with more training cases.
    n_searched = 0 if explanation.find(Neighbors) is None else len(fitted.training_rows)
    is_many = len(dataset.schema.columns) > _MANY
    if seconds > jobs.SLOW_SECONDS:
        takes = f"about {seconds:.0f} s"
    elif is_many and n_searched * dataset.n_features > _MOST_CELLS:
        takes = "takes a moment each time"
    else:
        return True
    drawing.before_a_widget()
    return st.toggle(f"Search for it ({takes})", key="search_changes")
