"""The command line: experiments, the papers' tables, data of OpenML, the static site.

python -m labelrank_core run config.json
python -m labelrank_core reproduce lr06 1 --data FOLDER
python -m labelrank_core openml 40597 --folder DATA
python -m labelrank_core site FOLDER
"""

import os
import signal
import sys

if __name__ == "__main__":

    def _end_before_start(*_: object) -> None:
        """End with the exit code `CANCELLED`; nothing has begun that needs tidying up."""
        os.write(2, b"\nStopped before the start.\n")
        os._exit(3)

    # The imports below take a second. What is ignored, as SIGINT is by nohup, stays so.
    for _number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(_number) is not signal.SIG_IGN:
            signal.signal(_number, _end_before_start)

import argparse
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from logging import getLogger
from multiprocessing import active_children, get_context
from pathlib import Path
from runpy import run_path
from threading import Event, Thread
from typing import Any

from labelrank_core.data import Dataset, DatasetError
from labelrank_core.experiments import (
    ConfigError,
    Unit,
    UnitResult,
    read_config,
    run_unit,
    units_of,
)
from labelrank_core.experiments.choice_words import in_config_words, in_option_words
from labelrank_core.experiments.cluster import require_dask
from labelrank_core.experiments.database import StoreError
from labelrank_core.experiments.export import (
    write_folds,
    write_latex,
    write_predictions,
    write_report,
)
from labelrank_core.experiments.fold_files import with_fold_files
from labelrank_core.experiments.heartbeat import PULSE_SECONDS, pulse
from labelrank_core.experiments.reading import MOST_CHARACTERS
from labelrank_core.experiments.results import write_results
from labelrank_core.experiments.run import Progress, most_workers, run_units
from labelrank_core.experiments.runners import new_runner
from labelrank_core.experiments.store import OUTDATED, Store
from labelrank_core.experiments.workers import run_prepared, starting_arguments
from labelrank_core.io import read_openml, read_openml_task, write_dataset
from labelrank_core.io.openml import SERVER
from labelrank_core.papers.command import PaperError, add_command

DONE, SOME_FAILED, WRONG, CANCELLED, BUSY, LOST, STORE = range(7)
_CODES = """\
exit codes: 0 all is done; 1 some trainings failed; 2 wrong config or arguments; 3 cancelled;
4 another program runs this experiment; 5 workers were lost; 6 the store or a file of results
cannot be used (disk full, read-only, damaged, written by a newer version)"""
_STOPS = {"cancelled": CANCELLED, "deleted": CANCELLED, "replaced": BUSY, "lost": STORE}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.do(options, Store(options.home)))
    except StoreError as error:
        _write_message(f"\n{error}")
        return STORE
    except DatasetError as error:
        in_words = in_option_words if options.do is _openml else in_config_words
        _write_message(in_words(f"{error}"))
        return WRONG
    except (ConfigError, PaperError, OSError) as error:
        _write_message(f"{error}")
        return WRONG
    except KeyboardInterrupt:
        _write_message("\nStopped; the same command goes on from here.")
        return CANCELLED
    except BrokenExecutor as error:
        _write_message(f"\nThe workers are lost: {error}")
        _write_message(
            "The same command goes on from here. If memory ran out, --workers 1 takes the least."
        )
        return LOST


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m labelrank_core",
        description=__doc__,
        epilog=_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--home", help="folder of the store; else LABELRANK_HOME or the user's own")
    commands = parser.add_subparsers(required=True, metavar="command")
    run = commands.add_parser("run", help="run an experiment, or resume it")
    run.add_argument("config", help="a config file, or the id of an experiment in the store")
    run.add_argument("--workers", type=_count, default=None, help="trainings at once")
    run.add_argument("--scheduler", help="address of a Dask scheduler whose workers do the work")
    run.add_argument("--csv", help="write the results to this file at the end")
    run.set_defaults(do=_run)
    add_command(commands, _run_kept)
    listing = commands.add_parser("list", help="list the experiments of the store")
    listing.set_defaults(do=_list)
    export = commands.add_parser("export", help="write the results of an experiment as files")
    export.add_argument("id", help="as `list` shows it")
    export.add_argument("csv", nargs="?", help="write the results of all folds to this file")
    export.add_argument("--latex", action="store_true", help="tables for LaTeX: results.tex")
    export.add_argument(
        "--report", action="store_true", help="tests over data sets: report.txt, diagrams"
    )
    export.add_argument(
        "--folds", action="store_true", help="rows, seeds, versions: folds.csv, trainings.csv, ..."
    )
    export.add_argument(
        "--predictions", action="store_true", help="train again and write predictions.csv"
    )
    export.add_argument("--folder", default=".", help="where these files go; else this folder")
    export.set_defaults(do=_export)
    openml = commands.add_parser(
        "openml", help="download a data set of OpenML, the one command that makes requests"
    )
    openml.add_argument("number", type=_count, help="the number of the data set")
    openml.add_argument(
        "--task", action="store_true", help="the number is that of a task, whose folds come too"
    )
    openml.add_argument("--folder", default=".", help="where it goes as CSV; else this folder")
    openml.add_argument("--target-form", help="how targets are written, where that is not clear")
    openml.add_argument("--missing", default="refuse", help="refuse, fill or drop_rows")
    openml.add_argument(
        "--unranked", help="what stands for 'not ranked': blank, zero or beyond; else as proposed"
    )
    openml.add_argument("--server", default=SERVER, help=argparse.SUPPRESS)
    openml.set_defaults(do=_openml)
    delete = commands.add_parser("delete", help="delete an experiment with its results")
    delete.add_argument("id", help="as `list` shows it")
    delete.set_defaults(do=_delete)
    # Its options are those of the app's own command: no character starts one here.
    site = commands.add_parser(
        "site",
        help="write the static site that the app draws; `site --help` says more",
        add_help=False,
        prefix_chars="\0",
    )
    site.add_argument("arguments", nargs="*")
    site.set_defaults(do=_site)
    return parser


def _count(word: str) -> int:
    if not (word.isdecimal() and 0 < len(word) < 7 and int(word) > 0):
        raise argparse.ArgumentTypeError(f"expected a number from 1 on, got {word[:20]!r}")
    return int(word)


def _write_message(text: str, end: str = "\n") -> None:
    sys.stderr.write(text + end)
    sys.stderr.flush()


def _site(options: argparse.Namespace, _store: Store) -> int:
    """Become the app's command, which is looked for by its place: the library knows no app."""
    path = site_command()
    if path is None or find_spec("streamlit") is None:
        _write_message(
            'The app draws the static site, and is not installed here. Write "[app]" behind the '
            "name of the wheel or folder that you install."
        )
        return WRONG
    sys.argv[:] = [str(path), *options.arguments]
    run_path(str(path), run_name="__main__")
    return DONE


def site_command() -> Path | None:
    """Return the app's command for the site: in this checkout, else in the installed app."""
    folders = [Path(__file__).resolve().parents[1]]
    spec = find_spec("labelrank_lab")
    if spec is not None and spec.origin:
        folders.append(Path(spec.origin).parent)
    paths = [folder / ".setup" / "site_command.py" for folder in folders]
    return next((path for path in paths if path.is_file()), None)


def _run(options: argparse.Namespace, store: Store) -> int:
    return _run_kept(options, store, _experiment(options.config, store))


def _run_kept(options: argparse.Namespace, store: Store, name: str) -> int:
    """Run an experiment of the store."""
    try:
        datasets, units = load(store, name)
    except (ConfigError, DatasetError, OSError) as error:
        store.refuse(name, str(error))
        raise
    scheduler = options.scheduler or store.experiment(name)[0].scheduler
    if scheduler:
        # Before the experiment begins, so that one that is finished stays so.
        require_dask()
    runner = new_runner()
    if not store.begin(name, runner, units):
        _write_message("Another program runs this experiment.")
        return BUSY
    over = Event()
    Thread(target=_live, args=(store, name, runner, over), daemon=True).start()
    try:
        _write_message(f"Experiment {name} in {store.home}")
        has_results = store.done([unit.key for unit in units]).issuperset(u.key for u in units)
        with _workers("" if has_results else scheduler, options.workers, datasets) as workers:
            progress = run_units(
                units,
                workers.datasets,
                store,
                executor=workers.executor,
                n_at_once=workers.n_at_once,
                train=workers.train,
                on_progress=_Clock(),
                runner=runner,
                check_workers=workers.check,
            )
        over.set()
        store.end(name, runner, "finished", f"{progress.n_failed} failed" * bool(progress.n_failed))
    except BaseException as error:
        over.set()
        # If this cannot be stored, the missing heartbeat tells it.
        with suppress(StoreError):
            store.end(name, runner, "interrupted", f"{type(error).__name__}: {error}")
        raise
    _write_message("")
    for message in store.failures(name):
        _write_message(f"Failed: {message}")
    if options.csv:
        _write(store, units, options.csv)
    return SOME_FAILED if progress.n_failed else DONE


def _experiment(config: str, store: Store) -> str:
    if config in store.ids():
        return config
    path = Path(config)
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(MOST_CHARACTERS + 1)
    except (OSError, ValueError):
        raise ConfigError(
            f"{config!r} is neither a readable config file nor an experiment in {store.home}."
        ) from None
    folder = path.resolve().parent
    return store.find_or_create(with_fold_files(read_config(text), folder), folder=folder)


def load(store: Store, name: str) -> tuple[list[Dataset], list[Unit]]:
    """Load the data sets of an experiment and list its trainings."""
    experiment, folder = store.experiment(name)
    datasets = store.datasets(experiment, folder)
    return datasets, units_of(experiment, datasets)


def _live(store: Store, name: str, runner: str, over: Event) -> None:
    """Send heartbeats; end this program at once if it must stop."""
    stop = pulse(store, name, runner, over)
    if stop is not None:
        _write_message(f"\n{stop.message}")
        # Running trainings are lost: worker processes end with their parent.
        os._exit(_STOPS[stop.reason])


class _Clock:
    """Shows progress, with the time left estimated from the pace so far."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._first: int | None = None
        self._written_at = 0.0

    def __call__(self, progress: Progress) -> None:
        """Show the progress, at most once per second until all is done."""
        n_gone = progress.n_done + progress.n_failed
        self._first = n_gone if self._first is None else self._first
        if n_gone < progress.n_units and time.monotonic() - self._written_at < PULSE_SECONDS:
            return
        self._written_at = time.monotonic()
        remaining = ""
        if n_gone > self._first:
            pace = (time.monotonic() - self._start) / (n_gone - self._first)
            seconds = round(pace * (progress.n_units - n_gone))
            remaining = f", {seconds // 60}:{seconds % 60:02d} left"
        failed = f", {progress.n_failed} failed" if progress.n_failed else ""
        end = "\r" if sys.stderr.isatty() else "\n"
        _write_message(f"{progress.n_done}/{progress.n_units} trainings{failed}{remaining}   ", end)


@dataclass(frozen=True)
class _Workers:
    """The workers of a run, as arguments of `run_units` by their names there."""

    executor: Executor | None
    n_at_once: int
    train: Callable[[Unit, Any], UnitResult]
    datasets: Mapping[str, Any]
    check: Callable[[], None] | None = None


@contextmanager
def _workers(
    scheduler: str, n_wanted: int | None, datasets: Sequence[Dataset]
) -> Iterator[_Workers]:
    by_fingerprint = {dataset.fingerprint: dataset for dataset in datasets}
    if scheduler:
        from labelrank_core.experiments.cluster import connected

        # It shows a traceback of what is said in a sentence at the end.
        getLogger("distributed.client").disabled = True
        with connected(scheduler, by_fingerprint) as (executor, n_workers, shared, check):
            yield _Workers(executor, n_workers, run_unit, shared, check)
        return
    max_workers = most_workers(datasets)
    n_workers = min(max_workers, n_wanted) if n_wanted else max(1, max_workers - 1)
    if n_workers > 1 and not _has_semaphores():
        _write_message(
            "This system lets no programs share semaphores, so one training runs at a time."
        )
        n_workers = 1
    if n_workers == 1:
        yield _Workers(None, 1, run_unit, by_fingerprint)
        return
    earlier_children = set(active_children())
    # A forked process would inherit locks that threads of this one may hold.
    with ProcessPoolExecutor(
        n_workers,
        get_context("spawn"),
        initializer=run_path,
        initargs=starting_arguments(by_fingerprint),
    ) as executor:
        try:
            names = {name: name for name in by_fingerprint}
            yield _Workers(executor, n_workers, run_prepared, names)
        except BaseException:
            # Otherwise the executor would wait for trainings that are no longer needed.
            for worker in set(active_children()) - earlier_children:
                worker.kill()
            raise


def _has_semaphores() -> bool:
    """Tell whether worker processes can be started; they cannot where /dev/shm is read-only."""
    try:
        get_context("spawn").Lock()
    except (ImportError, OSError):
        return False
    return True


def _list(options: argparse.Namespace, store: Store) -> int:  # noqa: ARG001
    for name in store.ids():
        with suppress(KeyError):  # Deleted meanwhile.
            status = store.status(name)
            created = time.strftime("%Y-%m-%d %H:%M", time.localtime(status.created))
            sys.stdout.write(
                f"{name}  {created}  {status.state:<11} {status.n_done}/{status.n_units}  "
                f"{_printable(status.name)}\n"
            )
    return DONE


def _printable(name: str) -> str:
    """Replace control characters, which a terminal would obey."""
    return "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in name
    )


def _export(options: argparse.Namespace, store: Store) -> int:
    targets = (options.csv, options.latex, options.report, options.folds, options.predictions)
    if not any(targets):
        raise ConfigError(
            "Expected a CSV file to write, or one of --latex, --report, --folds, --predictions."
        )
    datasets, units = load(store, _existing_id(options.id, store))
    if store.status(options.id).state == OUTDATED:
        raise ConfigError(
            f"The results of {options.id} are of another version, and measures may have changed "
            f"since. Compute them again: python -m labelrank_core run {options.id}"
        )
    if options.csv:
        _write(store, units, options.csv)
    if not any(targets[1:]):
        return DONE
    try:
        return _export_files(options, store, datasets, units)
    except OSError as error:
        reason = error.strerror or error
        raise StoreError(
            f"{options.folder} cannot be written to: {reason}. The results are kept."
        ) from None


def _export_files(
    options: argparse.Namespace, store: Store, datasets: list[Dataset], units: list[Unit]
) -> int:
    """Write the files chosen, such as tables for LaTeX, into a folder, and list them."""
    folder = Path(options.folder)
    folder.mkdir(parents=True, exist_ok=True)
    paths: list[Path] = []
    different: list[str] = []
    if options.folds:
        experiment, _ = store.experiment(options.id)
        paths += write_folds(folder, experiment, units, datasets)
    if options.latex or options.report:
        frame = store.frame(units)
        if frame.empty:
            raise ConfigError(f"No results of {options.id} yet.")
        paths += [write_latex(folder, frame, units, datasets)] if options.latex else []
        paths += write_report(folder, frame, units, datasets) if options.report else []
    if options.predictions:
        path, different = write_predictions(folder, store.results(units), datasets)
        paths.append(path)
    for path in paths:
        _write_message(f"Wrote {path}")
    for name in different:
        _write_message(f"Measured again, this differs from the stored results: {name}")
    return SOME_FAILED if different else DONE


def _write(store: Store, units: Sequence[Unit], path: str) -> None:
    try:
        write_results(store.frame(units), path)
    except OSError as error:
        reason = error.strerror or error
        raise StoreError(f"{path} cannot be written: {reason}. The results are kept.") from None


def _openml(options: argparse.Namespace, store: Store) -> int:  # noqa: ARG001
    """Download a data set, describe it and write it, with its folds, for configs to name."""
    choices = {
        "target_form": options.target_form,
        "missing": options.missing,
        "unranked": options.unranked,
        "server": options.server,
    }
    task = read_openml_task(options.number, **choices) if options.task else None
    data = read_openml(options.number, **choices) if task is None else task.data
    folder = Path(options.folder)
    folder.mkdir(parents=True, exist_ok=True)
    _write_message(f"{data}")
    for name, content in write_dataset(data, "csv"):
        path = folder / name
        path.write_bytes(content)
        _write_message(f"Wrote {path}")
    if task is not None:
        path = path.with_name(f"{path.stem}-folds.csv")
        path.write_text(task.as_csv(), encoding="utf-8")
        _write_message(f"Wrote {path}")
    return DONE


def _delete(options: argparse.Namespace, store: Store) -> int:
    store.delete(_existing_id(options.id, store))
    return DONE


def _existing_id(name: str, store: Store) -> str:
    if name not in store.ids():
        raise ConfigError(f"No experiment {name!r} in {store.home}.")
    return name


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    # SIGTERM ends workers and stores the state, as Ctrl-C does.
    for _number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(_number) is not signal.SIG_IGN:
            signal.signal(_number, _interrupt)
    sys.exit(main())
