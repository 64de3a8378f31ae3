"""Where experiments and their results are kept: one SQLite file, and the data sets beside it.

The folder is `LABELRANK_HOME`, or else the user's own data folder. Any number of programs may read
and write at once; a result that is there already is never written again.
"""

import json
import os
import secrets
import sqlite3
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labelrank_core.data.dataset import Dataset
from labelrank_core.experiments import (
    ConfigError,
    Experiment,
    Unit,
    UnitResult,
    read_config,
    results_frame,
)
from labelrank_core.experiments.dataset_file import (
    dataset_bytes,
    packed,
    read_dataset_bytes,
    unpacked,
)

# A runner that has not been heard of for so long is taken for dead.
PATIENCE_SECONDS = 20.0
_SCHEMA = """
CREATE TABLE IF NOT EXISTS experiments (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, config TEXT NOT NULL, created REAL NOT NULL,
  folder TEXT NOT NULL, status TEXT NOT NULL, runner TEXT NOT NULL, heard REAL NOT NULL,
  started REAL NOT NULL, message TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS members (
  experiment TEXT NOT NULL REFERENCES experiments(id) ON DELETE CASCADE,
  place INTEGER NOT NULL, key TEXT NOT NULL, PRIMARY KEY (experiment, place));
CREATE INDEX IF NOT EXISTS members_by_key ON members(key);
CREATE TABLE IF NOT EXISTS results (
  key TEXT PRIMARY KEY, facts TEXT NOT NULL, measured TEXT NOT NULL, chosen TEXT NOT NULL,
  seconds_tune REAL NOT NULL, seconds_fit REAL NOT NULL, seconds_predict REAL NOT NULL,
  cases BLOB NOT NULL, finished REAL NOT NULL);
CREATE TABLE IF NOT EXISTS failures (
  key TEXT PRIMARY KEY, message TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS attempts (
  key TEXT NOT NULL, runner TEXT NOT NULL, started REAL NOT NULL);
"""

# A list of any length as one parameter.
_AMONG = "key IN (SELECT value FROM json_each(?))"


def default_home() -> Path:
    """Return the folder of the store.

    Returns
    -------
    Path
        `LABELRANK_HOME`, or else the user's data folder.
    """
    if given := os.environ.get("LABELRANK_HOME"):
        return Path(given)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Application Support")
    else:
        base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "labelrank-lab"


@dataclass(frozen=True)
class Status:
    """How far an experiment is.

    Parameters
    ----------
    id, name : str
        Its unguessable id and what people call it.
    state : {"waiting", "running", "cancelling", "cancelled", "interrupted", "finished", "refused"}
        Interrupted: it should run, but its program has not been heard of for a while.
    n_done, n_failed, n_units : int
        Trainings with a result, trainings that failed, and all.
    seconds_left : float or None
        By the pace of this run; None before its first result.
    created : float
        Seconds since 1970.
    message : str
        Why it ended, where there is something to say.
    """

    id: str
    name: str
    state: str
    n_done: int
    n_failed: int
    n_units: int
    seconds_left: float | None
    created: float
    message: str


class Store:
    """Experiments and results in one folder.

    Parameters
    ----------
    home : Path or str or None, default=None
        The folder, made if it is missing; None: `default_home`.
    """

    def __init__(self, home: Path | str | None = None) -> None:
        self.home = Path(home) if home is not None else default_home()
        self.home.mkdir(parents=True, exist_ok=True, mode=0o700)
        with self._connection() as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.executescript(_SCHEMA)

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """Open the file for one transaction; others wait their turn."""
        path = self.home / "experiments.sqlite"
        with closing(sqlite3.connect(path, timeout=60)) as connection, connection:
            connection.row_factory = sqlite3.Row
            connection.execute("PRAGMA foreign_keys = ON")
            yield connection

    def create(self, experiment: Experiment, *, folder: Path | str = ".") -> str:
        """Keep an experiment and return its new id.

        Parameters
        ----------
        experiment : Experiment
            What to run.
        folder : Path or str, default="."
            Where the paths in it count from.

        Returns
        -------
        str
            Unguessable: whoever knows it can see, cancel and delete the experiment.
        """
        # No dash in front, which a command line would take for an option.
        name = secrets.token_hex(16)
        values = (name, experiment.name, experiment.to_json(), time.time())
        with self._connection() as connection:
            connection.execute(
                "INSERT INTO experiments VALUES (?, ?, ?, ?, ?, 'waiting', '', 0, 0, '')",
                (*values, str(Path(folder).resolve())),
            )
        return name

    def find_or_create(self, experiment: Experiment, *, folder: Path | str = ".") -> str:
        """Return the id of the newest experiment with the same config and folder, or a new one.

        Parameters
        ----------
        experiment : Experiment
            What to run.
        folder : Path or str, default="."
            Where the paths in it count from.

        Returns
        -------
        str
            The id.
        """
        with self._connection() as connection:
            row = connection.execute(
                "SELECT id FROM experiments WHERE config = ? AND folder = ? ORDER BY created DESC",
                (experiment.to_json(), str(Path(folder).resolve())),
            ).fetchone()
        return row["id"] if row else self.create(experiment, folder=folder)

    def experiment(self, name: str) -> tuple[Experiment, Path]:
        """Return an experiment and the folder its paths count from.

        Parameters
        ----------
        name : str
            The experiment's id.

        Returns
        -------
        (Experiment, Path)
            Both.

        Raises
        ------
        KeyError
            If the id is unknown.
        """
        row = self._row(name)
        return read_config(row["config"]), Path(row["folder"])

    def _row(self, name: str) -> sqlite3.Row:
        with self._connection() as connection:
            row = connection.execute("SELECT * FROM experiments WHERE id = ?", (name,)).fetchone()
        if row is None:
            raise KeyError(name)
        return row

    def ids(self) -> list[str]:
        """List the ids of all experiments.

        Returns
        -------
        list of str
            The newest first.
        """
        with self._connection() as connection:
            rows = connection.execute("SELECT id FROM experiments ORDER BY created DESC")
            return [row["id"] for row in rows]

    def begin(self, name: str, runner: str, units: Sequence[Unit]) -> bool:
        """Let a program run an experiment, unless another one does already.

        Parameters
        ----------
        name : str
            The experiment.
        runner : str
            A name of the program that no other has.
        units : sequence of Unit
            All of its trainings.

        Returns
        -------
        bool
            Whether it may.
        """
        now = time.time()
        with self._connection() as connection:
            taken = connection.execute(
                "UPDATE experiments SET status = 'running', runner = ?, heard = ?, started = ?, "
                "message = '' WHERE id = ? AND (status NOT IN ('running', 'cancelling') "
                "OR heard < ?)",
                (runner, now, now, name, now - PATIENCE_SECONDS),
            ).rowcount
            if not taken:
                return False
            connection.execute("DELETE FROM members WHERE experiment = ?", (name,))
            connection.executemany(
                "INSERT INTO members VALUES (?, ?, ?)",
                [(name, place, unit.key) for place, unit in enumerate(units)],
            )
            connection.executemany(
                "DELETE FROM failures WHERE key = ?", [(unit.key,) for unit in units]
            )
        return True

    def queue(self, name: str) -> bool:
        """Note that a program for an experiment is about to begin.

        Parameters
        ----------
        name : str
            The experiment's id.

        Returns
        -------
        bool
            False if one runs already, or is about to.
        """
        now = time.time()
        with self._connection() as connection:
            return bool(
                connection.execute(
                    "UPDATE experiments SET status = 'waiting', heard = ?, message = '' "
                    "WHERE id = ? AND (status NOT IN ('running', 'cancelling', 'waiting') "
                    "OR heard < ?)",
                    (now, name, now - PATIENCE_SECONDS),
                ).rowcount
            )

    def n_running(self) -> int:
        """Count the experiments that run or are about to.

        Returns
        -------
        int
            Those of all programs on this folder that have been heard of lately.
        """
        with self._connection() as connection:
            return int(
                connection.execute(
                    "SELECT count(*) FROM experiments WHERE heard >= ? "
                    "AND status IN ('waiting', 'running', 'cancelling')",
                    (time.time() - PATIENCE_SECONDS,),
                ).fetchone()[0]
            )

    def refuse(self, name: str, message: str) -> None:
        """Note why an experiment cannot even begin.

        Parameters
        ----------
        name : str
            The experiment's id.
        message : str
            Why.
        """
        with self._connection() as connection:
            connection.execute(
                "UPDATE experiments SET status = 'refused', message = ? WHERE id = ? "
                "AND status NOT IN ('running', 'cancelling')",
                (message, name),
            )

    def hear(self, name: str, runner: str) -> bool:
        """Note that a runner lives.

        Parameters
        ----------
        name : str
            The experiment's id.
        runner : str
            The program's name.

        Returns
        -------
        bool
            Whether it should go on.
        """
        with self._connection() as connection:
            return bool(
                connection.execute(
                    "UPDATE experiments SET heard = ? WHERE id = ? AND runner = ? "
                    "AND status = 'running'",
                    (time.time(), name, runner),
                ).rowcount
            )

    def end(self, name: str, runner: str, status: str, message: str = "") -> None:
        """Note that a runner has ended.

        Parameters
        ----------
        name : str
            The experiment's id.
        runner : str
            The program's name.
        status : str
            How it ended, as in `Status`.
        message : str, default=""
            Why, where there is something to say.
        """
        with self._connection() as connection:
            connection.execute(
                "UPDATE experiments SET status = ?, message = ? WHERE id = ? AND runner = ?",
                (status, message, name, runner),
            )

    def cancel(self, name: str) -> None:
        """Ask the runner of an experiment to stop; what is done stays.

        Parameters
        ----------
        name : str
            The experiment's id.
        """
        with self._connection() as connection:
            connection.execute(
                "UPDATE experiments SET status = CASE WHEN heard < ? THEN 'cancelled' "
                "ELSE 'cancelling' END WHERE id = ? AND status = 'running'",
                (time.time() - PATIENCE_SECONDS, name),
            )

    def delete(self, name: str) -> None:
        """Delete an experiment, with the results and data that no other experiment has.

        Parameters
        ----------
        name : str
            The experiment's id.
        """
        with self._connection() as connection:
            connection.execute("DELETE FROM experiments WHERE id = ?", (name,))
            unused = "key NOT IN (SELECT key FROM members)"
            for table in ("results", "failures", "attempts"):
                connection.execute(f"DELETE FROM {table} WHERE {unused}")
            configs = [row[0] for row in connection.execute("SELECT config FROM experiments")]
        kept = {
            fingerprint
            for config in configs
            for source in read_config(config).data
            for fingerprint in source.names
            if source.kind == "stored"
        }
        for path in (self.home / "data").glob("*.npz"):
            if path.stem not in kept:
                path.unlink(missing_ok=True)

    def done(self, keys: Sequence[str]) -> set[str]:
        """Tell which trainings have a result.

        Parameters
        ----------
        keys : sequence of str
            Keys of trainings.

        Returns
        -------
        set of str
            Those of the keys.
        """
        with self._connection() as connection:
            rows = connection.execute(
                f"SELECT key FROM results WHERE {_AMONG}", (json.dumps(list(keys)),)
            )
            return {row["key"] for row in rows}

    def attempt(self, unit: Unit, runner: str) -> bool:
        """Note that a training begins.

        Parameters
        ----------
        unit : Unit
            The training.
        runner : str
            The program's name.

        Returns
        -------
        bool
            False if its result has come in meanwhile, so that it need not.
        """
        with self._connection() as connection:
            if connection.execute("SELECT 1 FROM results WHERE key = ?", (unit.key,)).fetchone():
                return False
            values = (unit.key, runner, time.time())
            connection.execute("INSERT INTO attempts VALUES (?, ?, ?)", values)
        return True

    def n_attempts(self) -> int:
        """Count the trainings begun.

        Returns
        -------
        int
            Of all experiments.
        """
        with self._connection() as connection:
            return int(connection.execute("SELECT count(*) FROM attempts").fetchone()[0])

    def keep(self, unit: Unit, result: UnitResult) -> bool:
        """Keep the result of a training at once.

        Parameters
        ----------
        unit : Unit
            The training.
        result : UnitResult
            What came of it.

        Returns
        -------
        bool
            False if there was one already, which stays.
        """
        values = (
            unit.key,
            json.dumps(unit.facts, sort_keys=True),
            json.dumps(dict(result.values)),
            json.dumps(dict(result.chosen)),
            result.seconds_tune,
            result.seconds_fit,
            result.seconds_predict,
            packed(result.cases),
            time.time(),
        )
        with self._connection() as connection:
            return bool(
                connection.execute(
                    "INSERT OR IGNORE INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values
                ).rowcount
            )

    def fail(self, unit: Unit, message: str) -> None:
        """Note why a training failed.

        Parameters
        ----------
        unit : Unit
            The training.
        message : str
            Why, for people.
        """
        with self._connection() as connection:
            connection.execute("INSERT OR REPLACE INTO failures VALUES (?, ?)", (unit.key, message))

    def failures(self, name: str) -> list[str]:
        """List why trainings of an experiment failed.

        Parameters
        ----------
        name : str
            The experiment's id.

        Returns
        -------
        list of str
            The different messages.
        """
        with self._connection() as connection:
            rows = connection.execute(
                "SELECT DISTINCT message FROM failures JOIN members USING (key) "
                "WHERE experiment = ? ORDER BY place",
                (name,),
            )
            return [row["message"] for row in rows]

    def results(self, units: Sequence[Unit]) -> list[tuple[Unit, UnitResult]]:
        """Return the results there are, without the single cases.

        Parameters
        ----------
        units : sequence of Unit
            The trainings, in the order wanted.

        Returns
        -------
        list of (Unit, UnitResult)
            In the order of the units.
        """
        with self._connection() as connection:
            rows = {
                row["key"]: row
                for row in connection.execute(
                    "SELECT key, measured, chosen, seconds_tune, seconds_fit, seconds_predict "
                    f"FROM results WHERE {_AMONG}",
                    (json.dumps([unit.key for unit in units]),),
                )
            }
        return [(unit, _result(rows[unit.key], {})) for unit in units if unit.key in rows]

    def frame(self, units: Sequence[Unit]) -> Any:
        """Tabulate the results there are.

        Parameters
        ----------
        units : sequence of Unit
            The trainings, in the order wanted.

        Returns
        -------
        DataFrame
            As `results_frame` makes it.
        """
        return results_frame(self.results(units))

    def cases(self, unit: Unit) -> Mapping[str, Any]:
        """Return the single cases of one result.

        Parameters
        ----------
        unit : Unit
            The training.

        Returns
        -------
        mapping of str to ndarray
            ``row`` and values by measure.

        Raises
        ------
        KeyError
            If there is no result.
        """
        with self._connection() as connection:
            row = connection.execute(
                "SELECT cases FROM results WHERE key = ?", (unit.key,)
            ).fetchone()
        if row is None:
            raise KeyError(unit.key)
        return unpacked(row["cases"])

    def status(self, name: str) -> Status:
        """Tell how far an experiment is.

        Parameters
        ----------
        name : str
            The experiment's id.

        Returns
        -------
        Status
            By now.

        Raises
        ------
        KeyError
            If the id is unknown.
        """
        row = self._row(name)
        with self._connection() as connection:
            n_units, n_done, here = connection.execute(
                "SELECT count(*), count(results.key), coalesce(sum(finished >= ?), 0) "
                "FROM members LEFT JOIN results USING (key) WHERE experiment = ?",
                (row["started"], name),
            ).fetchone()
            n_failed = connection.execute(
                "SELECT count(*) FROM failures JOIN members USING (key) WHERE experiment = ?",
                (name,),
            ).fetchone()[0]
        state, silent = row["status"], time.time() - row["heard"]
        expected = state in ("running", "cancelling") or (state == "waiting" and row["heard"])
        if expected and silent > PATIENCE_SECONDS:
            state = "interrupted"
        pace = (time.time() - row["started"]) / here if here else None
        left = None if pace is None else pace * (n_units - n_done - n_failed)
        return Status(
            name, row["name"], state, n_done, n_failed, n_units, left, row["created"],
            row["message"],
        )  # fmt: skip

    def keep_data(self, dataset: Dataset) -> str:
        """Keep a data set in the folder.

        Parameters
        ----------
        dataset : Dataset
            The data set.

        Returns
        -------
        str
            Its fingerprint.
        """
        folder = self.home / "data"
        folder.mkdir(exist_ok=True, mode=0o700)
        path = folder / f"{dataset.fingerprint}.npz"
        if not path.exists():
            part = folder / f"{dataset.fingerprint}.{secrets.token_hex(4)}.part"
            part.write_bytes(dataset_bytes(dataset))
            part.replace(path)
        return dataset.fingerprint

    def data(self, fingerprint: str) -> Dataset:
        """Read a data set kept in the folder.

        Parameters
        ----------
        fingerprint : str
            What `keep_data` returned.

        Returns
        -------
        Dataset
            The same, without findings.

        Raises
        ------
        ConfigError
            If it is not there, or has changed on disk.
        """
        path = self.home / "data" / f"{Path(fingerprint).name}.npz"
        if not path.exists():
            raise ConfigError(f"The data set {fingerprint!r} is not kept here any more.")
        dataset = read_dataset_bytes(path.read_bytes())
        if dataset.fingerprint != path.stem:
            raise ConfigError(f"The kept data set {dataset.name!r} has changed on disk.")
        return dataset

    def datasets(self, experiment: Experiment, folder: Path) -> list[Dataset]:
        """Load the data sets of an experiment.

        Parameters
        ----------
        experiment : Experiment
            The experiment.
        folder : Path
            Where the paths in it count from.

        Returns
        -------
        list of Dataset
            In its order.
        """
        return [
            self.data(source.names[0]) if source.kind == "stored" else source.load(folder)
            for source in experiment.data
        ]


def _result(row: sqlite3.Row, cases: Mapping[str, Any]) -> UnitResult:
    times = (row["seconds_tune"], row["seconds_fit"], row["seconds_predict"])
    return UnitResult(json.loads(row["measured"]), json.loads(row["chosen"]), *times, cases)
