"""The smallest changes of single features that would change a prediction."""

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
    "first": "changes which label comes first",
    "relevant": "changes the relevant labels",
    "order": "changes the order",
}


@dataclass(frozen=True, eq=False)
class SmallestChanges:
    """The changes of the kind that matters most, the smallest first, else of the order."""

    of: WhatChanges
    changes: list[tuple[Sweep, Change]]
    n_tried: int
    # What none of the features changes.
    without: tuple[WhatChanges, ...] = ()


def search_changes(
    dataset: Dataset, sweep: Callable[[list[Feature]], Sequence[Sweep]]
) -> SmallestChanges | None:
    """Try the most predictive features until one has such a change; None: all are constant."""
    telling = _groups(dataset)
    swept: list[Sweep] = []
    for group in telling:
        swept += sweep(group)
        kind = matters_most(swept)
        if smallest_changes(swept, kind):
            break
    return changes_of(swept) if swept else None


def changes_of(swept: Sequence[Sweep]) -> SmallestChanges:
    """Return the changes of the kind that matters most among these sweeps, else of the order."""
    kind = matters_most(swept)
    if changes := smallest_changes(swept, kind):
        return SmallestChanges(kind, changes, len(swept))
    changes = smallest_changes(swept, "order")
    return SmallestChanges("order", changes, len(swept), (kind,) if changes else (kind, "order"))


def matters_most(swept: Sequence[Sweep]) -> WhatChanges:
    """Return the kind of change that matters most: of a predicted set, else of the first label."""
    return "relevant" if swept[0].case_piece.is_set else "first"


def most_tried(dataset: Dataset) -> int:
    """Return the largest number of features to try."""
    n_columns = len(dataset.schema.columns)
    return min(n_columns, _TRIED_OF_MANY if n_columns > _MANY else _TRIED)


def _groups(dataset: Dataset) -> list[list[Feature]]:
    """List the most predictive features with more than one value, in the groups to try."""
    columns = compute.predictive_columns(dataset)
    is_many = len(columns) > _MANY
    size, tried = (_AT_ONCE_OF_MANY, _TRIED_OF_MANY) if is_many else (_TRIED, _TRIED)
    telling = compute.features(dataset, columns[:tried])
    varied = [feature for feature in telling if feature.is_nominal or feature.low < feature.high]
    return [varied[start : start + size] for start in range(0, len(varied), size)]


def smallest_changes(swept: Sequence[Sweep], of: WhatChanges) -> list[tuple[Sweep, Change]]:
    """Return the smallest change of each feature that has one, the smallest of all first."""
    change_by_sweep = [(sweep, smallest_change(sweep, of=of)) for sweep in swept]
    changes = [(sweep, change) for sweep, change in change_by_sweep if change is not None]
    return sorted(changes, key=lambda pair: (pair[1].feature.is_nominal, pair[1].share))
