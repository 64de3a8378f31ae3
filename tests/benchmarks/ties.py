"""One method with ties for all sets, chosen by inner folds of the training rows, by tau_x.

python tests/benchmarks/ties.py RESULTS.csv                   the sets of MORE-PLR, small ones first
python tests/benchmarks/ties.py RESULTS.csv iris wine --repeats 5
python tests/benchmarks/ties.py RESULTS.csv --record labelrank_core/papers/measured

The sets lie in the folder that LABELRANK_BENCHMARK_DATA names. The candidates are the methods of
the table that tune nothing, in its order; folds and seeds are those of the ledger. Each candidate
learns two thirds of the training rows and predicts the rest, three times; after the first time
those that are behind the best by more than `BEHIND` run no further. The first candidate, the forest
of rankings, is kept unless another gains more than one standard error over it. A line of the
results is one candidate on one fold; the same command goes on where it was stopped. Where time is
short, `--only-chosen` leaves out what the others reach outside.
"""

import argparse
import csv
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from threadpoolctl import threadpool_limits

from labelrank_core.data import Dataset
from labelrank_core.data.splits import cross_validation
from labelrank_core.evaluation.evaluate import evaluate_model
from labelrank_core.experiments import Unit
from labelrank_core.experiments.units import evaluate_unit, split_of
from labelrank_core.papers import find_table
from labelrank_core.papers.ledger import Measured, measured_frame, merged, read_measured
from labelrank_core.papers.reproduce import Part, plan
from labelrank_core.papers.table import PrintedColumn
from labelrank_core.rankings import FloatArray
from labelrank_core.version import __version__

TABLE = find_table("moreplr", "Rankings with ties")
BLOCK = TABLE.blocks[0]
MEASURE = BLOCK.measure
(CHOSEN,) = (column for column in TABLE.all_columns if column.measured_apart)
BEHIND = 0.03
PLACE = ["data", "repeat", "fold", "candidate"]
HEAD = [*PLACE, "n_inner", "inner", "gain", "error", "outer", "seconds"]


def parts(sets: Sequence[str], repeats: int | None) -> list[Part]:
    """List the data sets with the candidates, the quickest sets first."""
    folder = Path(os.environ["LABELRANK_BENCHMARK_DATA"])
    found = plan(TABLE, folder, sets=sets, repeats=repeats).parts
    return sorted(found, key=lambda each: each.located.dataset.n_samples)


def candidates(units: Sequence[Unit]) -> list[Unit]:
    """Take the units of methods that tune nothing."""
    return [unit for unit in units if not unit.method.tune]


def folds(part: Part) -> Iterator[list[Unit]]:
    """Yield the candidates of every fold of a data set."""
    units = candidates(part.units())
    places = dict.fromkeys((unit.repeat, unit.fold) for unit in units)
    for place in places:
        yield [unit for unit in units if (unit.repeat, unit.fold) == place]


@dataclass(frozen=True)
class Inner:
    """What a candidate reaches on inner folds, and its gain over the first candidate.

    Parameters
    ----------
    n_inner : int
        The number of inner folds that it ran.
    inner : float
        The mean tau_x over these folds.
    gain, error : float
        How much more tau_x the cases of all inner folds have on average than with the first
        candidate, and the standard error of that mean; 0 and 0 where it did not run all folds.
    """

    n_inner: int
    inner: float
    gain: float
    error: float


def measure_inside(units: Sequence[Unit], dataset: Dataset) -> dict[str, Inner]:
    """Measure candidates on inner folds of a training part."""
    protocol = units[0].protocol
    training = dataset.part(split_of(protocol, dataset, units[0].repeat, units[0].fold).train)
    cases: dict[str, list[FloatArray]] = {unit.method.title: [] for unit in units}
    splits = cross_validation(training, n_folds=protocol.tuning_folds, seed=protocol.seed)
    for done, fold in enumerate(splits):
        best = max(each[0].mean() for each in cases.values()) if done else 0.0
        for unit in units:
            own = cases[unit.method.title]
            # The first one is what the others are compared with.
            if not done or unit is units[0] or own[0].mean() >= best - BEHIND:
                model = unit.method.choice.build()
                values = evaluate_model(model, training, fold.split).cases()[MEASURE]
                own.append(values.to_numpy(dtype=float))
    first = cases[units[0].method.title]
    return {title: _inner(own, first) for title, own in cases.items()}


def _inner(own: Sequence[FloatArray], first: Sequence[FloatArray]) -> Inner:
    mean = float(np.mean([each.mean() for each in own]))
    if len(own) < len(first):
        return Inner(len(own), mean, 0.0, 0.0)
    differences = np.concatenate(own) - np.concatenate(first)
    error = differences.std(ddof=1) / np.sqrt(len(differences))
    return Inner(len(own), mean, float(differences.mean()), float(error))


def measure_fold(
    units: Sequence[Unit], dataset: Dataset, *, only_chosen: bool
) -> Iterator[dict[str, object]]:
    """Yield what is measured of every candidate on one fold, inside and outside."""
    with threadpool_limits(1):
        start = time.perf_counter()
        inner = measure_inside(units, dataset)
        seconds = time.perf_counter() - start
        lines: list[dict[str, object]] = [
            {
                "data": unit.data_name,
                "repeat": unit.repeat,
                "fold": unit.fold,
                "candidate": unit.method.title,
                **{name: round(v, 6) for name, v in asdict(inner[unit.method.title]).items()},
                "seconds": round(seconds, 2),
            }
            for unit in units
        ]
        (best,) = chosen(pd.DataFrame(lines), [unit.method.title for unit in units])["candidate"]
        for unit, line in zip(units, lines, strict=True):
            if unit.method.title == best or not only_chosen:
                frame = evaluate_unit(unit, dataset, {}).frame()
                value = float(frame.set_index("measure")["value"][MEASURE])
                line["outer"] = round(value, 6)
            yield line


def chosen(results: pd.DataFrame, order: Sequence[str]) -> pd.DataFrame:
    """Return the line of the chosen candidate of every fold.

    The largest gain of those that gain more than its standard error over the first candidate; if
    none does, the first one. Of equal gains the first in the order.
    """
    number = results["candidate"].map(list(order).index)
    clear = results[(results["gain"] > results["error"]) | (number == 0)].assign(number=number)
    ordered = clear.sort_values(["gain", "number"], ascending=[False, True])
    return ordered.drop_duplicates(PLACE[:3]).sort_values(PLACE[:3]).drop(columns="number")


def run(path: Path, sets: Sequence[str], repeats: int | None, *, only_chosen: bool) -> None:
    """Measure the folds that the results lack."""
    is_new = not path.exists()
    done = set() if is_new else set(map(tuple, pd.read_csv(path)[PLACE[:3]].to_numpy().tolist()))
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, HEAD)
        if is_new:
            writer.writeheader()
        for part in parts(sets, repeats):
            for units in folds(part):
                if (units[0].data_name, units[0].repeat, units[0].fold) not in done:
                    dataset = part.located.dataset
                    lines = list(measure_fold(units, dataset, only_chosen=only_chosen))
                    writer.writerows(lines)
                    file.flush()
            report(path, part.data)


def columns() -> list[PrintedColumn]:
    """List the candidates as columns of the table."""
    return [each for each in TABLE.all_columns if each.exists and not each.tune]


def report(path: Path, data: str) -> None:
    """Print the means of a data set, and which candidates were chosen how often."""
    results = pd.read_csv(path)
    results = results[results["data"] == data]
    best = chosen(results, [each.title for each in columns()])
    printed = [cell.value for cell in TABLE.cells if cell.data == data]
    print(data, f"print {printed}, chosen inside {best['outer'].mean():.4f} of {len(best)} folds")
    print(results.groupby("candidate", sort=False)["outer"].mean().round(4).to_string())
    print(best["candidate"].value_counts().to_string(), flush=True)


def measured(results: pd.DataFrame) -> list[Measured]:
    """Turn whole repetitions into numbers of the ledger: every candidate, and the chosen one."""
    order = {each.title: each for each in columns()}
    picked = chosen(results, list(order)).assign(candidate=CHOSEN.title)
    whole = pd.concat([results, picked]).dropna(subset="outer")
    found = []
    for (data, candidate), lines in whole.groupby(["data", "candidate"], sort=False):
        n_done = lines.groupby("repeat")["fold"].transform("count")
        own = lines[n_done == BLOCK.protocol.n_folds]
        column = order.get(str(candidate), CHOSEN)
        n_repeats = own["repeat"].nunique()
        n_folds = BLOCK.protocol.n_folds
        words = f"{n_repeats} × {n_folds} folds" if n_repeats > 1 else f"{n_folds} folds"
        if column is CHOSEN:
            words += f"; method chosen in {BLOCK.protocol.tuning_folds} inner folds"
        if n_repeats:
            found.append(
                Measured(
                    BLOCK.name, str(data), column.name, column.reading,
                    round(float(own["outer"].mean()), 6),
                    round(float(own["outer"].std(ddof=1)), 6), len(own), f"file {data}.csv",
                    words, __version__, time.strftime("%Y-%m-%d"),
                )
            )  # fmt: skip
    return found


def record(results: pd.DataFrame, folder: Path) -> None:
    """Add the numbers to the ledger, but for those of fewer trainings than it has."""
    path = folder / f"{TABLE.slug}.csv"
    old, new = read_measured(path), measured_frame(measured(results))
    place = ["block", "data", "column", "reading"]
    known = old.set_index(place)["n_trainings"].reindex(pd.MultiIndex.from_frame(new[place]))
    merged(
        old, new[~(known.to_numpy(dtype=float) >= new["n_trainings"].to_numpy(dtype=float))]
    ).to_csv(path, index=False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=Path)
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--repeats", type=int)
    parser.add_argument(
        "--only-chosen", action="store_true", help="test only the chosen one outside"
    )
    parser.add_argument("--record", type=Path, help="add the results to the ledger of this folder")
    options = parser.parse_args()
    if options.record:
        record(pd.read_csv(options.results), options.record)
    else:
        run(options.results, options.sets, options.repeats, only_chosen=options.only_chosen)


if __name__ == "__main__":
    main()
