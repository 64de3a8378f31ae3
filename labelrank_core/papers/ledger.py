"""Print and recomputed values side by side: difference, verdict, and the reason where known."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import pandas as pd

from labelrank_core.metrics import METRICS
from labelrank_core.papers.table import Block, Cell, PrintedColumn, Table

RECORDED = Path(__file__).with_name("measured")
WITHIN, ABOVE, BELOW, DIFFERS = "within", "above", "below", "differs"
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Measured:
    """One recomputed number.

    Parameters
    ----------
    block, data, column, reading : str
        Its place: section, data set, method or quantity, and reading of it.
    ours, deviation : float
        Mean over the trainings, and their standard deviation.
    n_trainings : int
        How many there were; 0 where nothing was trained.
    source : str
        The file or the sample.
    protocol : str
        How it was measured.
    version, date : str
        Of the package, and of the day.
    """

    block: str
    data: str
    column: str
    reading: str
    ours: float
    deviation: float
    n_trainings: int
    source: str
    protocol: str
    version: str
    date: str


def measured_frame(measured: Sequence[Measured]) -> pd.DataFrame:
    """Tabulate recomputed numbers, one row each."""
    names = [field.name for field in fields(Measured)]
    return pd.DataFrame([asdict(number) for number in measured], columns=names)


def recorded(table: Table) -> pd.DataFrame:
    """Return the numbers that were recomputed before and ship with the package.

    Parameters
    ----------
    table : Table
        What is printed.

    Returns
    -------
    DataFrame
        One row per number: ``block, data, column, reading, ours, deviation, n_trainings, source,
        protocol, version, date``; empty where nothing was measured.
    """
    return read_measured(RECORDED / f"{table.slug}.csv")


def read_measured(path: Path) -> pd.DataFrame:
    """Read recomputed numbers from a file; empty where there is none."""
    if not path.exists():
        return measured_frame([])
    table = pd.read_csv(path, dtype={"reading": str, "version": str}, keep_default_na=False)
    # A single training has no deviation.
    return table.assign(deviation=pd.to_numeric(table["deviation"]))


def merged(old: pd.DataFrame, new: pd.DataFrame) -> pd.DataFrame:
    """Put new numbers in the place of old ones of the same place in the table."""
    key = ["block", "data", "column", "reading"]
    both = new if old.empty else pd.concat([old, new])
    return both.drop_duplicates(key, keep="last").sort_values(key).reset_index(drop=True)


def verdict(
    printed: float, ours: float, tolerance: float, *, greater_is_better: bool | None
) -> str:
    """Say whether a number is within the tolerance, better (above) or worse (below).

    None: the number is neither good nor bad, and outside the tolerance it differs.
    """
    if abs(ours - printed) <= tolerance + _ROUNDING:
        return WITHIN
    if greater_is_better is None:
        return DIFFERS
    return ABOVE if (ours > printed) == greater_is_better else BELOW


def ledger(table: Table, measured: pd.DataFrame) -> pd.DataFrame:
    """Put print and recomputed numbers side by side.

    Parameters
    ----------
    table : Table
        What is printed.
    measured : DataFrame
        What was recomputed, as `recorded` and `measured_frame` have it.

    Returns
    -------
    DataFrame
        One row per printed number and reading: ``block, data, column, reading, printed,
        printed_deviation, ours, deviation, difference, tolerance, verdict, reason, n_trainings,
        source, protocol, version, date``. 'above' is better than the print, whatever the direction
        of the measure; what is neither good nor bad 'differs'. Without a recomputed number `ours`
        is NaN, and `verdict` says why.

    Examples
    --------
    >>> from labelrank_core.papers import find_table
    >>> table = find_table("mlr07", "Worked example")
    >>> rows = ledger(table, recorded(table))
    >>> rows.loc[[1], ["data", "column", "printed", "ours", "verdict"]]
      data   column  printed      ours verdict
    1  p=1  label-1     2.17  2.166667  within
    """
    measured_rows = {
        (row["block"], row["data"], row["column"], row["reading"]): row
        for row in measured.to_dict("records")
    }
    rows = [
        _row(
            table,
            cell,
            column,
            measured_rows.get((cell.block, cell.data, cell.column, column.reading)),
        )
        for cell in table.cells
        for column in table.all_columns
        if column.name == cell.column
    ]
    return pd.DataFrame(rows)


def _row(
    table: Table, cell: Cell, column: PrintedColumn, measured: Mapping[str, object] | None
) -> dict[str, object]:
    block = table.block(cell.block)
    row: dict[str, object] = {
        "block": cell.block,
        "data": cell.data,
        "column": cell.column,
        "reading": column.reading,
        "printed": cell.value,
        "printed_deviation": cell.deviation,
        "tolerance": table.tolerance(cell),
    }
    if measured is None:
        return row | _missing(column)
    ours = float(str(measured["ours"]))
    outcome = verdict(cell.value, ours, table.tolerance(cell), greater_is_better=_greater(block))
    copied = ("ours", "deviation", "n_trainings", "source", "protocol", "version", "date")
    return row | {
        **{name: measured[name] for name in copied},
        "difference": ours - cell.value,
        "verdict": outcome,
        "reason": "" if outcome == WITHIN or column.reading else table.reason(cell, outcome),
    }


def _missing(column: PrintedColumn) -> dict[str, object]:
    exists = column.exists or not column.key
    outcome = "not computed yet" if exists else "not computed: no such method here yet"
    return {
        "ours": float("nan"), "deviation": float("nan"), "n_trainings": 0, "source": "",
        "protocol": "", "version": "", "date": "", "difference": float("nan"), "verdict": outcome,
        "reason": "",
    }  # fmt: skip


def _greater(block: Block) -> bool | None:
    return METRICS[block.measure].greater_is_better if block.measure else None


def means(table: Table, rows: pd.DataFrame) -> pd.DataFrame:
    """Average print and recomputed numbers over the data sets that a method has both for.

    One row per block and method with two data sets or more, in the order of print: ``block,
    column, reading, n_sets, printed, ours, difference, verdict``.
    """
    averages = []
    computed = rows[rows["ours"].notna()]
    for (block, column, reading), group in computed.groupby(
        ["block", "column", "reading"], sort=False
    ):
        if len(group) < 2:
            continue
        printed, ours = float(group["printed"].mean()), float(group["ours"].mean())
        greater = _greater(table.block(str(block)))
        outcome = verdict(
            printed, ours, float(group["tolerance"].mean()), greater_is_better=greater
        )
        averages.append(
            {
                "block": block, "column": column, "reading": reading, "n_sets": len(group),
                "printed": printed, "ours": ours, "difference": ours - printed, "verdict": outcome,
            }
        )  # fmt: skip
    return pd.DataFrame(averages)


def counts(rows: pd.DataFrame) -> dict[str, int]:
    """Count the verdicts of the readings that count."""
    main = rows[rows["reading"] == ""]["verdict"]
    numbers = {name: int((main == name).sum()) for name in (WITHIN, ABOVE, BELOW, DIFFERS)}
    return {**numbers, "not computed": len(main) - sum(numbers.values()), "printed": len(main)}
