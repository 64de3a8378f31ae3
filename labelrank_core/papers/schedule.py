"""Which parts of printed tables are recomputed first, and how long each is expected to take."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from labelrank_core.experiments.plan import training_seconds
from labelrank_core.experiments.run import most_workers
from labelrank_core.experiments.store import Store
from labelrank_core.papers.reproduce import Part
from labelrank_core.papers.table import Column


@dataclass(frozen=True)
class Step:
    """A part of a table: how many of its trainings are left, and the seconds expected for them."""

    part: Part
    n_left: int
    seconds: float


def cheapest_first(
    parts: Sequence[Part], store: Store, *, n_workers: int | None = None, most: float | None = None
) -> list[Step]:
    """Order parts by the time expected for what is left of them.

    With `most` seconds, only the methods that take so long together, the quickest first.
    """
    if most is not None:
        parts = _affordable(parts, store, n_workers, most)
    steps = [_step(part, store, n_workers) for part in parts]
    return sorted(steps, key=lambda step: step.seconds)


def _affordable(
    parts: Sequence[Part], store: Store, n_workers: int | None, most: float
) -> list[Part]:
    single = [
        (_step(replace(part, columns=(column,)), store, n_workers).seconds, i, column)
        for i, part in enumerate(parts)
        for column in part.columns
    ]
    taken: dict[int, set[Column]] = {}
    total = 0.0
    for seconds, i, column in sorted(single, key=lambda each: each[0]):
        total += seconds
        if total > most:
            break
        taken.setdefault(i, set()).add(column)
    return [
        replace(part, columns=tuple(each for each in part.columns if each in taken[i]))
        for i, part in enumerate(parts)
        if i in taken
    ]


def _step(part: Part, store: Store, n_workers: int | None) -> Step:
    units = part.units()
    done = store.done([unit.key for unit in units])
    left = [unit for unit in units if unit.key not in done]
    if not left:
        return Step(part, 0, 0.0)
    dataset = part.found.dataset
    n_at_once = n_workers or max(1, most_workers([dataset]) - 1)
    seconds = training_seconds(left, {dataset.fingerprint: dataset}) / n_at_once
    return Step(part, len(left), seconds)


def by_table(steps: Sequence[Step]) -> Mapping[str, tuple[int, float]]:
    """Sum up trainings and seconds for every table that has some, in the order of the papers."""
    total: dict[str, tuple[int, float]] = {}
    for step in steps:
        if not step.n_left:
            continue
        table = step.part.table
        number, seconds = total.get(table.slug, (0, 0.0))
        total[table.slug] = number + step.n_left, seconds + step.seconds
    return total
