"""Which small change of a single feature would change a prediction."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from labelrank_core import Dataset
from labelrank_core.explain.what_if import Change, Feature, Sweep, smallest_change
from labelrank_core.explain.what_if.changes import WhatChanges
from pages.ui import compute

# The most predictive features are tried, so that the slider stays quick; where there are many
# features, first a few of them, and the next ones only where none of these matters.
_TRIED, _TRIED_OF_MANY, _AT_ONCE_OF_MANY, _MANY = 12, 24, 6, 40
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
