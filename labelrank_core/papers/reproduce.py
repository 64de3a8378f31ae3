"""The recomputation of a printed table: experiments for methods, functions for quantities.

Experiments are kept in the store like any others, one per data set and protocol, so that what was
trained once is never trained again.
"""

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

from labelrank_core.experiments import (
    DataSource,
    Experiment,
    Method,
    Protocol,
    Unit,
    UnitResult,
    units_of,
)
from labelrank_core.experiments.run import Progress, run_units
from labelrank_core.experiments.store import Store
from labelrank_core.papers.data_sets import LocatedDataset, find_data
from labelrank_core.papers.ledger import Measured, measured_frame
from labelrank_core.papers.library import find_table
from labelrank_core.papers.table import Block, PrintedColumn, Table
from labelrank_core.version import __version__


@dataclass(frozen=True)
class Part:
    """The trainings of one data set by one protocol, for some blocks of a table."""

    table: Table
    data: str
    located: LocatedDataset
    blocks: tuple[Block, ...]
    columns: tuple[PrintedColumn, ...]
    protocol: Protocol

    def experiment(self, store: Store) -> Experiment:
        """Return it as an experiment, with its data kept in the store."""
        store.keep_data(self.located.dataset)
        return self._experiment()

    def units(self) -> list[Unit]:
        """List its trainings."""
        return units_of(self._experiment(), [self.located.dataset])

    def _experiment(self) -> Experiment:
        data = DataSource("stored", (self.located.dataset.fingerprint,))
        methods = tuple(column.method(self.blocks[0]) for column in self.columns)
        name = f"{self.table.paper} {self.table.name}, {self.data}"
        return Experiment((data,), methods, self.protocol, name)


@dataclass(frozen=True)
class Plan:
    """The parts of a table that can be recomputed, smallest data sets first, and the missing ones.

    Parameters
    ----------
    table : Table
        What is printed.
    parts : tuple of Part
        The experiments.
    facts : tuple of Measured
        Quantities that need no training, computed already.
    missing_data, missing_methods : tuple of str
        Data sets that are not at hand, and columns without a method here.
    """

    table: Table
    parts: tuple[Part, ...]
    facts: tuple[Measured, ...]
    missing_data: tuple[str, ...]
    missing_methods: tuple[str, ...]


def plan(
    table: Table,
    folder: Path | None = None,
    *,
    sets: Collection[str] = (),
    columns: Collection[str] = (),
    repeats: int | None = None,
) -> Plan:
    """Plan the recomputation of a table.

    Parameters
    ----------
    table : Table
        What is printed.
    folder : Path or None
        Where data sets are; what it lacks comes from the samples.
    sets, columns : collection of str
        Only these, by their printed names; empty: all.
    repeats : int or None
        At most so many repetitions; None: as the paper.

    Returns
    -------
    Plan
        Experiments and quantities.

    Raises
    ------
    ValueError
        If a name is not of the table, or a file holds something else.
    """
    _check_names("data set", sets, table.data_sets)
    _check_names("column", columns, [column.name for column in table.columns])
    names = [name for name in table.data_sets if not sets or name in sets]
    if table.source == "none":
        return Plan(
            table, (), tuple(fact for name in names for fact in _facts(table, name)), (), ()
        )
    located = at_hand(table, names, folder)
    missing = tuple(name for name in names if name not in located)
    if table.facts is not None:
        facts = [fact for name in located for fact in _facts(table, name, located[name])]
        return Plan(table, (), tuple(facts), missing, ())
    chosen_columns = [
        column for column in table.all_columns if not columns or column.name in columns
    ]
    available = tuple(column for column in chosen_columns if column.exists)
    lacking = tuple(
        dict.fromkeys(
            column.name
            for column in chosen_columns
            if not column.exists and not column.measured_apart
        )
    )
    order = sorted(located, key=lambda name: located[name].dataset.n_samples)
    parts = [
        Part(table, name, located[name], blocks, available, _shorter(blocks[0].protocol, repeats))
        for name in order
        for blocks in _together(table.blocks)
        if available
    ]
    return Plan(table, tuple(parts), (), missing, lacking)


def at_hand(
    table: Table, names: Sequence[str], folder: Path | None = None
) -> dict[str, LocatedDataset]:
    """Find those of a table's data sets that are in a folder or among the samples."""
    located = {name: find_data(table, name, folder) for name in names}
    return {name: data for name, data in located.items() if data is not None}


def _check_names(noun: str, names: Collection[str], allowed: Collection[str]) -> None:
    for name in names:
        if name not in allowed:
            raise ValueError(
                f"Expected a {noun} of the table ({', '.join(allowed)}), got {name!r}."
            )


def _facts(table: Table, name: str, located: LocatedDataset | None = None) -> Iterator[Measured]:
    """Compute the quantities of one data set, or of one line of an example."""
    assert table.facts is not None
    dataset, source = (located.dataset, located.source) if located else (None, "the paper itself")
    for column, value in table.facts(dataset, name).items():
        yield _measured(
            table.blocks[0].name, name, PrintedColumn(column), [value], 0, source, "computed"
        )


def _together(blocks: Sequence[Block]) -> list[tuple[Block, ...]]:
    """Join the blocks of one protocol and decision rule, which share their trainings."""
    groups: dict[tuple[Protocol, str], list[Block]] = {}
    for block in blocks:
        groups.setdefault((block.protocol, block.rule), []).append(block)
    return [tuple(group) for group in groups.values()]


def _shorter(protocol: Protocol, repeats: int | None) -> Protocol:
    if repeats is None or protocol.kind == "published":
        return protocol
    return replace(protocol, n_repeats=min(repeats, protocol.n_repeats))


def measured(part: Part, results: Sequence[tuple[Unit, UnitResult]]) -> list[Measured]:
    """Return the printed numbers of a part whose trainings all have a result."""
    printed = {(cell.block, cell.data, cell.column) for cell in part.table.cells}
    by_method: dict[str, list[UnitResult]] = {}
    for unit, result in results:
        by_method.setdefault(unit.method.title, []).append(result)
    n_expected = part.protocol.n_parts * len(part.protocol.missing)
    return [
        _measured(
            block.name,
            part.data,
            column,
            [result.values[block.measure] for result in by_method[column.title]],
            n_expected,
            part.located.source,
            protocol_words(part.protocol, column.method(block)),
        )
        for block in part.blocks
        for column in part.columns
        if (block.name, part.data, column.name) in printed
        and len(by_method.get(column.title, ())) == n_expected
    ]


def _measured(
    block: str,
    data: str,
    column: PrintedColumn,
    values: Sequence[float],
    n: int,
    source: str,
    method: str,
) -> Measured:
    deviation = float(np.std(values, ddof=1)) if len(values) > 1 else float("nan")
    return Measured(
        block,
        data,
        column.name,
        column.reading,
        round(float(np.mean(values)), 6),
        round(deviation, 6),
        n,
        source,
        method,
        __version__,
        time.strftime("%Y-%m-%d"),
    )


def protocol_words(protocol: Protocol, method: Method) -> str:
    """Describe the training and testing of a method in a phrase."""
    if protocol.kind == "published":
        text = "published split"
    elif protocol.kind == "holdout":
        draws = "1 draw" if protocol.n_repeats == 1 else f"{protocol.n_repeats} draws"
        text = f"{draws} of {protocol.train_rows} training rows"
    elif protocol.n_repeats == 1:
        text = f"{protocol.n_folds} folds"
    else:
        text = f"{protocol.n_repeats} × {protocol.n_folds} folds"
    if method.tune:
        names = " and ".join(name for name, _ in method.tune)
        text += f"; {names} tuned in {protocol.tuning_folds} inner folds"
    return text


def recompute(
    paper: str,
    key: str,
    *,
    home: Path | str | None = None,
    folder: Path | None = None,
    repeats: int | None = None,
    sets: Collection[str] = (),
    columns: Collection[str] = (),
    on_progress: Callable[[int, int], None] | None = None,
) -> pd.DataFrame:
    """Recompute a table in this program, one training after the other.

    Parameters
    ----------
    paper, key : str
        Which table.
    home : path or None
        Folder of the store, which has what was trained before; None: the user's own.
    folder : Path or None
        Where data sets are; None: the samples only.
    repeats : int or None
        At most so many repetitions.
    sets, columns : collection of str
        Only these data sets, only these methods.
    on_progress : callable or None
        Called with the number of trainings done and of all.

    Returns
    -------
    DataFrame
        As `recorded`.

    Raises
    ------
    ValueError
        If there is no such paper, table or data set, or a file holds something else.

    Examples
    --------
    >>> recompute("mlr07", "Worked example")["ours"].round(2).tolist()
    [2.0, 2.17, 2.5, 2.5, 3.0, 2.83]
    """
    table, store = find_table(paper, key), Store(home)
    planned = plan(table, folder, repeats=repeats, sets=sets, columns=columns)
    work = [(part, part.units()) for part in planned.parts]
    n_all, n_before = sum(len(units) for _, units in work), 0
    measurements = list(planned.facts)
    for part, units in work:
        datasets = {part.located.dataset.fingerprint: part.located.dataset}

        def report(progress: Progress, n_before: int = n_before) -> None:
            if on_progress is not None:
                on_progress(n_before + progress.n_done + progress.n_failed, n_all)

        run_units(units, datasets, store, on_progress=report)
        n_before += len(units)
        measurements += measured(part, store.results(units))
    return measured_frame(measurements)
