"""A visitor's choices that no widget holds: values changed by hand, pins, chosen cases."""

from collections.abc import Mapping

import numpy as np

from labelrank_core import Dataset
from labelrank_core.methods import ModelChoice
from pages.ui import state
from pages.ui.state import Query

MOST_PINS = 4
# Of more columns a table is offered instead of a widget for each.
MOST_WIDGETS = 8
_MOST_CASES = 50
_CHANGED, _PINNED, _ROWS = "_changed", "_pinned", "_rows"

Value = float | str


def changes(dataset: Dataset, row: int) -> dict[int, Value]:
    """Return the values of a case that differ by hand, by the index of their column."""
    return dict(state.get(_CHANGED, {}).get((dataset.fingerprint, row), {}))


def set_changes(dataset: Dataset, row: int, values: Mapping[int, Value]) -> None:
    """Change values of a case by hand; its own values are not a change."""
    own = dataset.feature_frame([row]).iloc[0]
    kept = dict(state.get(_CHANGED, {}))
    kept.pop((dataset.fingerprint, row), None)
    differ = {column: value for column, value in values.items() if value != own.iloc[column]}
    if differ:
        kept[dataset.fingerprint, row] = differ
    while len(kept) > _MOST_CASES:
        del kept[next(iter(kept))]
    state.put(_CHANGED, kept)


def change(dataset: Dataset, row: int, values: Mapping[int, Value]) -> None:
    """Change some values of a case and leave the others as they are; for callbacks."""
    set_changes(dataset, row, {**changes(dataset, row), **values})


def changeable(dataset: Dataset, row: int) -> list[int]:
    """List the columns to change: of sparse data those that are not 0 in the case."""
    if not dataset.is_sparse:
        return list(range(len(dataset.schema.columns)))
    features = dataset.X[[row]].nonzero()[1]
    return [int(j) for j in np.unique(dataset.schema.column_of_feature[features])]


def encoded(dataset: Dataset, row: int, changed: Mapping[int, Value]) -> dict[int, float]:
    """Return changed values of a case as a model meets them, by the index of the feature."""
    if not changed:
        return {}
    own = dataset.feature_frame([row])
    edited = own.copy()
    for column, value in changed.items():
        edited[own.columns[column]] = [value]
    before, after = dataset.schema.encode(own)[0], dataset.schema.encode(edited)[0]
    return {int(j): float(after[j]) for j in np.flatnonzero(before != after)}


def changes_of(asked: Query) -> dict[int, Value]:
    """Return the values that differ by hand in what was asked."""
    x = asked.dataset.case(asked.row)
    x[list(asked.edits)] = list(asked.edits.values())
    own = asked.dataset.feature_frame([asked.row]).iloc[0]
    edited = asked.dataset.schema.frame(x[None]).iloc[0]
    return {j: edited.iloc[j] for j in range(len(own)) if edited.iloc[j] != own.iloc[j]}


def pins(dataset: Dataset) -> tuple[Query, ...]:
    """Return the predictions of a data set that are kept to compare with, the oldest first."""
    return state.get(_PINNED, {}).get(dataset.fingerprint, ())


def set_pins(dataset: Dataset, kept: tuple[Query, ...]) -> None:
    """Keep predictions of a data set to compare with; for callbacks."""
    state.put(_PINNED, {**state.get(_PINNED, {}), dataset.fingerprint: kept[:MOST_PINS]})


def is_pinned(asked: Query) -> bool:
    """Tell whether a prediction is kept to compare with."""
    return any(_facts(each) == _facts(asked) for each in pins(asked.dataset))


def _facts(asked: Query) -> tuple[int, ModelChoice, dict[int, float], str, int | None, float]:
    split = asked.split
    return (
        *(asked.row, asked.choice, dict(asked.edits)),
        *(split.kind, split.seed, split.test_share),
    )


def rows() -> dict[str, int]:
    """Return the case chosen last of data sets, from 0, by the name offered; else their first."""
    return dict(state.get(_ROWS, {}))


def set_row(name: str, row: int | None) -> None:
    """Keep which case of a data set was chosen last, None: the first one."""
    others = {each: kept for each, kept in rows().items() if each != name}
    state.put(_ROWS, others if row is None else {**others, name: row})


def forget(dataset: Dataset, name: str) -> None:
    """Forget what was done with a data set, by the name offered; for callbacks."""
    set_row(name, None)
    for kind in (_PINNED, _CHANGED):
        of_others = {
            key: kept
            for key, kept in state.get(kind, {}).items()
            if dataset.fingerprint not in (key, key[0])
        }
        state.put(kind, of_others)
