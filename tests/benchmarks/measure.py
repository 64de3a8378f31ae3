"""The lines of the benchmark tables: how they are measured, judged and printed.

Every line is measured in a fresh process of its own. Its peak memory is what the first run of the
work takes beyond its inputs, native libraries included. Then floor and work run in turn, so that
other load on the machine hits both; a ratio is the median of the ratios of such pairs. Processor
seconds, taken on one thread, count only this process.
"""

import ctypes
import gc
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from math import ceil
from multiprocessing import active_children, get_all_start_methods, get_context
from multiprocessing.context import BaseContext
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any, Literal

from threadpoolctl import threadpool_limits

Run = Callable[[], object]
CLOCKS = {"wall": perf_counter, "processor": process_time}
# As many pairs as fit into this time, within the limits that a median needs.
PAIRS_SECONDS, MOST_PAIRS = 4.0, 15
NAME_WIDTH = 68


@dataclass(frozen=True)
class Task:
    """What a line runs, its inputs being there; of several floors the fastest counts.

    The seconds of `without` are taken off those of the work.
    """

    work: Run
    floors: Mapping[str, Run] = field(default_factory=dict)
    without: Run | None = None


@dataclass(frozen=True)
class Line:
    """One row of a table; `prepare` makes the inputs, in the process that measures.

    The result is the ratio of work and floor, the milliseconds of the work, or those that it takes
    more than the floor. Where a pair takes long, the first runs count as one.
    """

    name: str
    prepare: Callable[[], Task]
    budget: float | None = None
    unit: Literal["x", "ms", "ms more"] = "x"
    megabytes: float | None = None
    clock: Literal["wall", "processor"] = "wall"
    fewest_pairs: int = 3
    large: bool = False


@dataclass(frozen=True)
class Result:
    """What was measured: median seconds, the line's result in its unit, peak memory."""

    floor: float | None
    work: float
    value: float | None
    megabytes: float | None
    remark: str = ""


def seconds(run: Run, clock: str = "wall") -> float:
    """Return what one run takes."""
    start = CLOCKS[clock]()
    run()
    return CLOCKS[clock]() - start


def with_peak(run: Callable[[], Any]) -> tuple[Any, float | None]:
    """Return what a run returns and its peak memory beyond what was held before, in MB.

    None where the system is not Linux, whose kernel keeps the largest resident size of a process.
    """
    gc.collect()
    try:
        # Memory that is free but not yet given back would hide what the run takes.
        ctypes.CDLL(None).malloc_trim(0)
        Path("/proc/self/clear_refs").write_text("5")
    except (OSError, AttributeError, TypeError):
        return run(), None
    before = _status("VmRSS")
    result = run()
    return result, (_status("VmHWM") - before) / 1000


def _status(name: str) -> float:
    """Read one of the kernel's sizes of this process, in kB of 1000 bytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    (size,) = (line.split()[1] for line in lines if line.startswith(f"{name}:"))
    return int(size) * 1.024


def measure(line: Line) -> Result:
    """Measure a line in this process."""
    task = line.prepare()
    clock = line.clock
    with threadpool_limits(1 if clock == "processor" else None):
        first, megabytes = with_peak(lambda: seconds(task.work, clock))
        tried = {name: seconds(run, clock) for name, run in task.floors.items()}
        best = min(tried, key=tried.__getitem__, default=None)
        fitting = PAIRS_SECONDS / (first + tried.get(best, 0))
        number = max(line.fewest_pairs, min(MOST_PAIRS, ceil(fitting)))
        pairs = [(tried.get(best), first)] if fitting < 1 and not task.without else []
        pairs += [_pair(task, best, clock) for _ in range(number - len(pairs))]
    return _result(line, pairs, megabytes, _others(tried, best))


def _pair(task: Task, best: str | None, clock: str) -> tuple[float | None, float]:
    floor = None if best is None else seconds(task.floors[best], clock)
    work = seconds(task.work, clock)
    return floor, work - (seconds(task.without, clock) if task.without else 0)


def _result(
    line: Line, pairs: list[tuple[float | None, float]], megabytes: float | None, remark: str
) -> Result:
    floors, works = zip(*pairs, strict=True)
    if line.unit == "ms":
        value = 1000 * median(works)
    elif floors[0] is None:
        value = None
    elif line.unit == "ms more":
        value = 1000 * median(work - floor for floor, work in pairs)
    else:
        value = median(work / floor for floor, work in pairs)
    return Result(
        None if floors[0] is None else median(floors), median(works), value, megabytes, remark
    )


def _others(tried: Mapping[str, float], best: str | None) -> str:
    """Say which floor was the fastest, and how much longer the others take."""
    others = (f"; {name} {tried[name] / tried[best]:.1f} x" for name in tried if name != best)
    return (best or "") + "".join(others)


def missed(line: Line, result: Result) -> bool:
    """Whether a budget of the line is not kept, be it of time or of memory."""
    budgets = ((line.budget, result.value), (line.megabytes, result.megabytes))
    return any(None not in pair and pair[1] > pair[0] for pair in budgets)


def row(line: Line, result: Result) -> str:
    """Format a row."""
    budgets = [line.budget, line.megabytes and f"{line.megabytes:.0f} MB"]
    budget = " ".join(str(one) for one in budgets if one is not None)
    verdict = "" if not budget else "MISSED" if missed(line, result) else "met"
    return _cells(
        line.name,
        line.clock,
        _number(result.floor, 4),
        _number(result.work, 4),
        "-" if result.value is None else f"{result.value:.2f} {line.unit:<7}",
        budget,
        verdict,
        _number(result.megabytes, 0),
        result.remark,
    )


def heading(title: str) -> str:
    """Format the names of the columns below the title of a table."""
    columns = ("clock", "floor s", "work s", "result       ", "budget", "", "peak MB", "floor is")
    return f"\n{title}\n" + _cells("", *columns)


def _cells(name: str, *cells: str) -> str:
    widths = (11, 10, 10, 18, 12, 8, 9)
    shown = "".join(cell.rjust(width) for width, cell in zip(widths, cells[:-1], strict=True))
    return f"{name:<{NAME_WIDTH}}{shown}  {cells[-1]}".rstrip()


def _number(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def chosen(lines: Iterable[Line], words: Iterable[str]) -> list[Line]:
    """Return the lines whose names contain all words; `large` chooses among the large ones."""
    words = set(words)
    return [
        line
        for line in lines
        if line.large == ("large" in words) and all(word in line.name for word in words - {"large"})
    ]


def table(title: str, lines: Iterable[Line], words: Iterable[str] = ()) -> list[str]:
    """Measure and print the chosen lines; return what was missed or failed."""
    lines = chosen(lines, words)
    if lines:
        print(heading(title), flush=True)
    complaints = []
    for line in lines:
        result = in_a_process(measure, line)
        if isinstance(result, BaseException):
            print(f"{line.name:<{NAME_WIDTH}} FAILED: {result!r}", flush=True)
            complaints.append(f"failed: {line.name}")
            continue
        print(row(line, result), flush=True)
        if missed(line, result):
            complaints.append(f"missed: {line.name}")
    return complaints


def in_a_process(function: Callable[..., Any], *arguments: Any) -> Any:
    """Return what a function returns in a fresh process, or the exception that it raises."""
    with ProcessPoolExecutor(1, mp_context=_context()) as process:
        future = process.submit(function, *arguments)
        children = active_children()
        error = future.exception()
    if isinstance(error, BrokenProcessPool):
        # Minus the number of the signal that ended it, -9 also where memory ran out.
        codes = [child.exitcode for child in children if child.exitcode]
        return RuntimeError(f"the process ended with exit codes {codes}")
    return error or future.result()


def _context() -> BaseContext:
    """Return how processes start: anew, but with the libraries loaded where the system can."""
    if "forkserver" not in get_all_start_methods():
        return get_context("spawn")
    context = get_context("forkserver")
    context.set_forkserver_preload(["sklearn.ensemble", "sklearn.neighbors", "pandas"])
    return context


def conclude(complaints: list[str]) -> int:
    """Print what was missed or failed; return the exit code."""
    print("\n" + ("\n".join(complaints) or "every budget met"))
    return int(bool(complaints))


def main(budgets: Iterable[Line], growth: Iterable[Line], words: Iterable[str]) -> int:
    """Print the tables of one script; return the exit code."""
    words = list(words)
    complaints = table("Budgets", budgets, words) + table("Growth", growth, words)
    return conclude(complaints)
