"""The command `reproduce`: recompute printed tables, and report the verdicts."""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isnan, nan
from pathlib import Path
from typing import Any

import pandas as pd

from labelrank_core.experiments.plan import duration
from labelrank_core.experiments.store import Store
from labelrank_core.papers.ledger import (
    counts,
    ledger,
    means,
    measured_frame,
    merged,
    read_measured,
)
from labelrank_core.papers.library import PAPERS, find_table
from labelrank_core.papers.promises import FILE as PROMISES_FILE
from labelrank_core.papers.promises import record_promises
from labelrank_core.papers.reproduce import Part, Plan, at_hand, measured, plan
from labelrank_core.papers.schedule import ScheduledPart, by_table, cheapest_first
from labelrank_core.papers.table import Table

# Runs of more seconds say how to take less.
_LONG = 1800.0

Run = Callable[[argparse.Namespace, Store, str], int]


class PaperError(ValueError):
    """A paper, table, data set or column that does not exist, or a file that is something else."""


def add_command(commands: Any, run: Run) -> None:
    """Add the command to those of the program; `run` runs an experiment of the store."""
    parser = commands.add_parser(
        "reproduce", help="recompute tables that papers print, and compare; goes on when repeated"
    )
    parser.add_argument("paper", nargs="?", help=f"{', '.join(PAPERS)}; none: all")
    parser.add_argument("table", nargs="?", help="number of the table as printed; none: all")
    parser.add_argument("--data", type=Path, help="folder of data sets; else samples only")
    parser.add_argument(
        "--sets", type=_names, default=(), help="only these data sets, with commas between"
    )
    parser.add_argument("--columns", type=_names, default=(), help="only these methods")
    parser.add_argument("--repeats", type=int, help="at most so many repetitions or draws")
    parser.add_argument(
        "--minutes", type=float, help="only the methods that are trained in this time together"
    )
    parser.add_argument("--workers", type=int, default=None, help="trainings at once")
    parser.add_argument("--csv", type=Path, help="write print and recomputed values to this file")
    parser.add_argument("--record", type=Path, help="add the values to the files of this folder")
    parser.set_defaults(do=lambda options, store: reproduce(options, store, run))


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def reproduce(options: argparse.Namespace, store: Store, run: Run) -> int:
    """Recompute tables, quick parts first, and report each number as soon as it is there."""
    if options.data is not None and not options.data.is_dir():
        raise PaperError(f"{options.data} is not a folder.")
    plans = {plan.table.slug: plan for plan in _plans(options)}
    measurements_of = {slug: [*planned.facts] for slug, planned in plans.items()}
    parts = [part for planned in plans.values() for part in planned.parts]
    max_seconds = None if options.minutes is None else 60.0 * options.minutes
    steps = cheapest_first(parts, store, n_workers=options.workers, max_seconds=max_seconds)
    _announce(plans, steps, options.minutes)
    worst = 0
    try:
        _keep_promises(
            {planned.table.paper: planned.table for planned in plans.values()},
            options,
        )
        for number, step in enumerate(steps, 1):
            if step.n_left:
                _write_message(
                    f"Part {number} of {len(steps)}: {_name(step)}, {duration(step.seconds)}"
                )
                worst = max(worst, _train(step.part, store, run, options))
            new = measured(step.part, store.results(step.part.units()))
            measurements_of[step.part.table.slug] += new
            _report_part(step, measured_frame(new))
    finally:
        # Numbers from before an interruption are reported and written, too.
        _report(
            plans,
            {slug: measured_frame(measurements) for slug, measurements in measurements_of.items()},
            options,
        )
    return worst


def _plans(options: argparse.Namespace) -> Iterator[Plan]:
    tables = _tables(options.paper, options.table)
    for table, sets, columns in _narrowed(tables, options.sets, options.columns):
        try:
            yield plan(table, options.data, sets=sets, columns=columns, repeats=options.repeats)
        except ValueError as error:
            raise PaperError(str(error)) from None


def _tables(paper: str | None, key: str | None) -> Sequence[Table]:
    try:
        if paper is not None and key is not None:
            return [find_table(paper, key)]
        if paper is not None and paper not in PAPERS:
            raise ValueError(f"Expected a paper ({', '.join(PAPERS)}), got {paper!r}.")
    except ValueError as error:
        raise PaperError(str(error)) from None
    return [table for name in ([paper] if paper else PAPERS) for table in PAPERS[name].tables]


def _narrowed(
    tables: Sequence[Table], sets: Sequence[str], columns: Sequence[str]
) -> Iterator[tuple[Table, Sequence[str], Sequence[str]]]:
    """Leave out the tables that have none of the names, if there are several tables."""
    if len(tables) == 1:
        yield tables[0], sets, columns
        return
    names_of_tables = [
        (table.data_sets, [column.name for column in table.columns]) for table in tables
    ]
    for name in (*sets, *columns):
        axis = int(name not in sets)
        if not any(name in names[axis] for names in names_of_tables):
            raise PaperError(f"None of these tables has {name!r}.")
    for table, (own_sets, own_columns) in zip(tables, names_of_tables, strict=True):
        set_names = [name for name in sets if name in own_sets]
        column_names = [name for name in columns if name in own_columns]
        if (set_names or not sets) and (column_names or not columns):
            yield table, set_names, column_names


def _announce(
    plans: Mapping[str, Plan], steps: Sequence[ScheduledPart], minutes: float | None
) -> None:
    """Write the number of remaining trainings of every table and a rough estimate of their time."""
    n_left = sum(step.n_left for step in steps)
    if not n_left:
        return
    _write_message("To be trained, by a rough estimate:")
    totals = by_table(steps)
    lines = [(_title(plans[slug].table), *totals[slug]) for slug in plans if slug in totals]
    for title, number, seconds in (*lines, ("all", n_left, sum(step.seconds for step in steps))):
        _write_message(f"  {title:24} {number:6} trainings, {duration(seconds)}")
    _write_message("What is quick comes first. Stop it at any time: the same command goes on.")
    if minutes is None and sum(step.seconds for step in steps) > _LONG:
        _write_message(
            "With --minutes 30 it takes only the methods that are trained in 30 minutes."
        )


def _title(table: Table) -> str:
    return f"{PAPERS[table.paper].short} {table.name}"


def _name(step: ScheduledPart) -> str:
    part = step.part
    is_all = part.blocks == part.table.blocks
    blocks = "" if is_all else f", {', '.join(block.name for block in part.blocks)}"
    return f"{_title(part.table)}, {part.data} ({part.located.source}){blocks}"


def _train(part: Part, store: Store, run: Run, options: argparse.Namespace) -> int:
    """Run the experiment of a part, and return its exit code."""
    name = store.find_or_create(part.experiment(store), folder=store.home)
    return run(argparse.Namespace(scheduler=None, workers=options.workers, csv=None), store, name)


def _keep_promises(tables: Mapping[str, Table], options: argparse.Namespace) -> None:
    """Measure the guarantees of papers that have them again, and report each data set."""
    for name, table in tables.items():
        promises = PAPERS[name].promises
        if promises is None:
            continue
        title = f"{PAPERS[name].short}, guarantees"
        if options.columns or options.minutes is not None:
            _write(["", f"{title}: not measured again with --columns or --minutes."])
            continue
        recorded = promises.recorded().set_index("data")
        data_names = [
            data_name
            for data_name in recorded.index
            if not options.sets or data_name in options.sets
        ]
        n_draws = min(options.repeats or promises.n_draws, promises.n_draws)
        _write(["", f"{title}: {n_draws} draws of test cases"])
        rows = {}
        for data_name, data in at_hand(table, data_names, options.data).items():
            rows[data_name] = promises.measure(data.dataset, n_draws)
            _write([_promise_line(data_name, rows[data_name], recorded.loc[data_name])])
        if options.record is not None:
            record_promises(rows, options.record / PROMISES_FILE)


def _promise_line(data: str, row: Mapping[str, float], recorded: Mapping[str, float]) -> str:
    outcome = "kept" if row["worst"] >= row["expected"] else "not kept"
    return (
        f"  {data:13} promised {row['promised']:.3f} realised {row['realised']:.3f} (recorded "
        f"{recorded['realised']:.3f}) worst draw {row['worst']:.3f}, expected at least "
        f"{row['expected']:.3f}: {outcome}; pairs decided {row['kept']:.3f}"
    )


def _report_part(step: ScheduledPart, measurements: pd.DataFrame) -> None:
    """Write the recomputed numbers of one part."""
    rows = ledger(step.part.table, measurements)
    _write(["", _name(step), *map(_row_line, rows[rows["ours"].notna()].to_dict("records"))])


def _report(
    plans: Mapping[str, Plan],
    measurements_of: Mapping[str, pd.DataFrame],
    options: argparse.Namespace,
) -> None:
    """Write the verdicts of every table and of all, and the files that the options name."""
    parts, total = [], Counter[str]()
    for slug, planned in plans.items():
        table, rows = planned.table, ledger(planned.table, measurements_of[slug])
        total.update(counts(rows))
        _report_table(planned, rows)
        parts.append(rows.assign(paper=table.paper, table=table.name))
        if options.record is not None:
            _record(options.record, table, measurements_of[slug])
    if len(plans) > 1:
        _write(["", f"All tables: {_counted(total)}"])
    if options.csv is not None:
        pd.concat(parts).to_csv(options.csv, index=False)


def _report_table(planned: Plan, rows: pd.DataFrame) -> None:
    """Write the verdict counts of a table, its means, and its missing data and methods."""
    table = planned.table
    lines = ["", f"{_title(table)}: {table.title}"]
    if table.facts is not None:
        lines += map(_row_line, rows[rows["ours"].notna()].to_dict("records"))
    elif table.rows == "data":
        averages = means(table, rows).to_dict("records")
        lines += [_line(f"mean of {row['n_sets']}", row) for row in averages]
    lines.append(f"  {_counted(counts(rows))}")
    if planned.missing_data:
        lines.append(f"  Data sets not found: {', '.join(planned.missing_data)}.")
    if planned.missing_methods:
        names = ", ".join(planned.missing_methods)
        lines.append(f"  Not computed, no such method here yet: {names}.")
    _write(lines)


def _counted(numbers: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {name}" for name, number in numbers.items())


def _row_line(row: Mapping[str, Any]) -> str:
    return _line(row["data"], row, row["deviation"], row["reason"])


def _line(data: str, row: Mapping[str, Any], deviation: float = nan, reason: str = "") -> str:
    name = f"{row['column']} ({row['reading']})" if row["reading"] else row["column"]
    spread = "" if isnan(deviation) else f"± {deviation:.3f}"
    return (
        f"  {data:13} {name:28} {row['block']:28} print {row['printed']:<7.6g} ours "
        f"{row['ours']:<8.6g} {spread:8} {row['difference']:+.4f}  {row['verdict']}"
        f"{', not counted' * bool(row['reading'])}{': ' * bool(reason)}{reason}"
    )


def _record(folder: Path, table: Table, measurements: pd.DataFrame) -> None:
    """Add measured values to the file of a table, in the place of older ones."""
    if measurements.empty:
        return
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{table.slug}.csv"
    merged(read_measured(path), measurements).to_csv(path, index=False)


def _write(lines: Sequence[str]) -> None:
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


def _write_message(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()
