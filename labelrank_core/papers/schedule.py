"""The order of recomputing parts of printed tables, with the expected seconds of each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from labelrank_core.experiments.plan import training_seconds
from labelrank_core.experiments.run import most_workers
from labelrank_core.experiments.store import Store
from labelrank_core.papers.reproduce import Part
from labelrank_core.papers.table import PrintedColumn


@dataclass(frozen=True)
class ScheduledPart:
    """A part of a table, with the number and expected seconds of its remaining trainings."""

    part: Part
    n_left: int
    seconds: float


def cheapest_first(
    parts: Sequence[Part],
    store: Store,
    *,
    n_workers: int | None = None,
    max_seconds: float | None = None,
) -> list[ScheduledPart]:
    """Order parts by the time expected for their remaining trainings.

    With `max_seconds` seconds, only the methods that take so long together, the quickest first.
    """
    if max_seconds is not None:
        parts = _affordable(parts, store, n_workers, max_seconds)
    steps = [_schedule(part, store, n_workers) for part in parts]
    return sorted(steps, key=lambda step: step.seconds)


def _affordable(
    parts: Sequence[Part], store: Store, n_workers: int | None, max_seconds: float
) -> list[Part]:
    single = [
        (_schedule(replace(part, columns=(column,)), store, n_workers).seconds, i, column)
        for i, part in enumerate(parts)
        for column in part.columns
    ]
    affordable: dict[int, set[PrintedColumn]] = {}
    total = 0.0
    for seconds, i, column in sorted(single, key=lambda entry: entry[0]):
        total += seconds
        if total > max_seconds:
            break
        affordable.setdefault(i, set()).add(column)
    return [
        replace(part, columns=tuple(entry for entry in part.columns if entry in affordable[i]))
        for i, part in enumerate(parts)
        if i in affordable
    ]


def _schedule(part: Part, store: Store, n_workers: int | None) -> ScheduledPart:
    units = part.units()
    done_keys = store.done([unit.key for unit in units])
    remaining = [unit for unit in units if unit.key not in done_keys]
    if not remaining:
        return ScheduledPart(part, 0, 0.0)
    dataset = part.located.dataset
    n_at_once = n_workers or max(1, most_workers([dataset]) - 1)
    seconds = training_seconds(remaining, {dataset.fingerprint: dataset}) / n_at_once
    return ScheduledPart(part, len(remaining), seconds)


def by_table(steps: Sequence[ScheduledPart]) -> Mapping[str, tuple[int, float]]:
    """Sum up trainings and seconds for every table that has some, in the order of the papers."""
    total: dict[str, tuple[int, float]] = {}
    for step in steps:
        if not step.n_left:
            continue
        table = step.part.table
        number, seconds = total.get(table.slug, (0, 0.0))
        total[table.slug] = number + step.n_left, seconds + step.seconds
    return total
