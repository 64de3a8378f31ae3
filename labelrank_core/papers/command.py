"""The command `reproduce`: recompute printed tables, and say what holds."""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isnan, nan
from pathlib import Path
from typing import Any

import pandas as pd

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
from labelrank_core.papers.reproduce import Plan, measured, plan
from labelrank_core.papers.table import Table

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
    parser.add_argument("--workers", type=int, default=None, help="trainings at once")
    parser.add_argument("--csv", type=Path, help="write print and recomputed values to this file")
    parser.add_argument("--record", type=Path, help="add the values to the files of this folder")
    parser.set_defaults(do=lambda options, store: reproduce(options, store, run))


def _names(words: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in words.split(",") if name.strip())


def reproduce(options: argparse.Namespace, store: Store, run: Run) -> int:
    """Recompute tables one after the other, and report each."""
    if options.data is not None and not options.data.is_dir():
        raise PaperError(f"{options.data} is no folder.")
    worst, parts = 0, []
    tables = _tables(options.paper, options.table)
    for table, sets, columns in _narrowed(tables, options.sets, options.columns):
        try:
            planned = plan(table, options.data, sets=sets, columns=columns, repeats=options.repeats)
        except ValueError as error:
            raise PaperError(str(error)) from None
        found, code = _run_all(planned, store, run, options)
        worst = max(worst, code)
        _report(table, planned, found)
        parts.append(ledger(table, found).assign(paper=table.paper, table=table.name))
        if options.record is not None:
            _record(options.record, table, found)
    if options.csv is not None:
        pd.concat(parts).to_csv(options.csv, index=False)
    return worst


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
    known = [(table.data_sets, [each.name for each in table.columns]) for table in tables]
    for name in (*sets, *columns):
        place = int(name not in sets)
        if not any(name in each[place] for each in known):
            raise PaperError(f"None of these tables has {name!r}.")
    for table, (own_sets, own_columns) in zip(tables, known, strict=True):
        kept = [name for name in sets if name in own_sets]
        chosen = [name for name in columns if name in own_columns]
        if (kept or not sets) and (chosen or not columns):
            yield table, kept, chosen


def _run_all(
    planned: Plan, store: Store, run: Run, options: argparse.Namespace
) -> tuple[pd.DataFrame, int]:
    """Run the experiments of a table; return what was measured and the worst exit code."""
    found, worst = list(planned.facts), 0
    for part in planned.parts:
        _say(f"{part.table.paper} {part.table.name}: {part.data} ({part.found.source})")
        experiment = part.experiment(store)
        name = store.find_or_create(experiment, folder=store.home)
        given = argparse.Namespace(scheduler=None, workers=options.workers, csv=None)
        worst = max(worst, run(given, store, name))
        found += measured(part, store.results(part.units()))
    return measured_frame(found), worst


def _report(table: Table, planned: Plan, found: pd.DataFrame) -> None:
    """Write what was recomputed, and what was not and why."""
    rows = ledger(table, found)
    known = rows[rows["ours"].notna()].to_dict("records")
    lines = ["", f"{PAPERS[table.paper].short} {table.name}: {table.title}"]
    lines += [_line(row["data"], row, row["deviation"], row["reason"]) for row in known]
    if table.rows == "data" and table.facts is None:
        averages = means(table, rows).to_dict("records")
        lines += [_line(f"mean of {row['n_sets']}", row) for row in averages]
    lines.append("  " + ", ".join(f"{number} {name}" for name, number in counts(rows).items()))
    if planned.missing_data:
        lines.append(f"  Data sets not found: {', '.join(planned.missing_data)}.")
    if planned.missing_methods:
        names = ", ".join(planned.missing_methods)
        lines.append(f"  Not computed, no such method here yet: {names}.")
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


def _line(data: str, row: Mapping[str, Any], deviation: float = nan, reason: str = "") -> str:
    name = f"{row['column']} ({row['reading']})" if row["reading"] else row["column"]
    spread = "" if isnan(deviation) else f"± {deviation:.3f}"
    return (
        f"  {data:13} {name:28} {row['block']:28} print {row['printed']:<7.6g} ours "
        f"{row['ours']:<8.6g} {spread:8} {row['difference']:+.4f}  {row['verdict']}"
        f"{': ' * bool(reason)}{reason}"
    )


def _record(folder: Path, table: Table, found: pd.DataFrame) -> None:
    """Add measured values to the file of a table, in the place of older ones."""
    if found.empty:
        return
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{table.slug}.csv"
    merged(read_measured(path), found).to_csv(path, index=False)


def _say(words: str) -> None:
    sys.stderr.write(words + "\n")
    sys.stderr.flush()
