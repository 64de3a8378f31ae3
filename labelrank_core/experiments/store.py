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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from labelrank_core.data import Dataset
from labelrank_core.experiments import Experiment, Unit, UnitResult, read_config, results_frame
from labelrank_core.experiments.data_folder import DataFolder
from labelrank_core.experiments.database import Database, StoreError
from labelrank_core.experiments.dataset_file import DAMAGED, packed, unpacked
from labelrank_core.experiments.runners import has_ended
from labelrank_core.version import __version__

# A runner without a heartbeat for longer is considered dead.
HEARTBEAT_TIMEOUT_SECONDS = 20.0
# A heartbeat in the future was sent before the clock was set back: its runner is dead, too. The
# runner of what waits is not known yet.
_DEAD = (
    "(abs(:now - heartbeat) > :timeout OR "
    "(status IN ('running', 'cancelling') AND has_ended(runner)))"
)
# A list of any length as one parameter.
_AMONG = "key IN (SELECT value FROM json_each(?))"
# States in which a runner works, or is about to.
GOING = ("waiting", "running", "cancelling")
# Results of another version are kept, but a measure may mean something else now.
OUTDATED = "outdated"


def default_home() -> Path:
    """Return the folder of the store: `LABELRANK_HOME`, or else the user's data folder."""
    if home := os.environ.get("LABELRANK_HOME"):
        return Path(home)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Application Support")
    else:
        base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "labelrank-lab"


@dataclass(frozen=True)
class Status:
    """The progress of an experiment."""

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
    """Experiments, results and data sets in one folder; a StoreError where it cannot be used."""

    def __init__(self, home: Path | str | None = None) -> None:
        self.home = Path(home) if home is not None else default_home()
        self._database = Database(self.home, {"has_ended": has_ended})
        self._data = DataFolder(self.home / "data")

    def create(self, experiment: Experiment, *, folder: Path | str = ".") -> str:
        """Keep an experiment, whose paths are relative to a folder, and return its new id."""
        # Whoever knows the id can see, cancel and delete the experiment, so it cannot be guessed.
        name, created = secrets.token_hex(16), time.time()
        config, folder = experiment.to_json(), str(Path(folder).resolve())
        with self._database.writing() as connection:
            connection.execute(
                "INSERT INTO experiments (id, name, config, created, folder, status, runner, "
                "heartbeat, started, message) VALUES (?, ?, ?, ?, ?, 'waiting', '', ?, 0, '')",
                (name, experiment.name, config, created, folder, created),
            )
        return name

    def find_or_create(self, experiment: Experiment, *, folder: Path | str = ".") -> str:
        """Return the id of the newest experiment with this config and folder, or of a new one."""
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT id FROM experiments WHERE config = ? AND folder = ? ORDER BY rowid DESC",
                (experiment.to_json(), str(Path(folder).resolve())),
            ).fetchone()
        return row["id"] if row else self.create(experiment, folder=folder)

    def experiment(self, name: str) -> tuple[Experiment, Path]:
        """Return an experiment and its folder; a ConfigError if this version cannot run it."""
        row = self._row(name)
        return read_config(row["config"]), Path(row["folder"])

    def _row(self, name: str) -> sqlite3.Row:
        with self._database.reading() as connection:
            row = connection.execute("SELECT * FROM experiments WHERE id = ?", (name,)).fetchone()
        if row is None:
            raise KeyError(name)
        return row

    def ids(self) -> list[str]:
        """List the ids of all experiments, the newest first."""
        with self._database.reading() as connection:
            rows = connection.execute("SELECT id FROM experiments ORDER BY rowid DESC")
            return [row["id"] for row in rows]

    def begin(self, name: str, runner: str, units: Sequence[Unit]) -> bool:
        """Let a runner begin an experiment; False if another one runs it."""
        with self._database.writing() as connection:
            n_updated = connection.execute(
                "UPDATE experiments SET status = 'running', runner = :runner, heartbeat = :now, "
                "started = :now, message = '' WHERE id = :name "
                f"AND (status NOT IN ('running', 'cancelling') OR {_DEAD})",
                {"name": name, "runner": runner, **_heartbeat_params()},
            ).rowcount
            if not n_updated:
                return False
            connection.execute("DELETE FROM members WHERE experiment = ?", (name,))
            connection.executemany(
                "INSERT INTO members (experiment, place, key) VALUES (?, ?, ?)",
                [(name, position, unit.key) for position, unit in enumerate(units)],
            )
            keys = json.dumps([unit.key for unit in units])
            connection.execute(f"DELETE FROM failures WHERE {_AMONG}", (keys,))
        return True

    def queue(self, name: str) -> bool:
        """Note that a runner is about to start; False if one runs already, or is about to."""
        return self._update(
            "status = 'waiting', heartbeat = :now, message = ''",
            f"status NOT IN ('running', 'cancelling', 'waiting') OR {_DEAD}",
            name=name,
        )

    def n_running(self) -> int:
        """Count the experiments that run or are about to, of all programs."""
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT count(*) FROM experiments WHERE status IN "
                f"('waiting', 'running', 'cancelling') AND NOT {_DEAD}",
                _heartbeat_params(),
            ).fetchone()
        return int(row[0])

    def refuse(self, name: str, message: str) -> None:
        """Note why an experiment cannot begin."""
        self._update(
            "status = 'refused', message = :message",
            "status NOT IN ('running', 'cancelling')",
            name=name,
            message=message,
        )

    def heartbeat(self, name: str, runner: str) -> bool:
        """Note that a runner is alive; False if it must stop."""
        return self._update(
            "heartbeat = :now", "runner = :runner AND status = 'running'", name=name, runner=runner
        )

    def end(self, name: str, runner: str, status: str, message: str = "") -> None:
        """Note the end of a runner: the state of `Status`, and a message."""
        self._update(
            "status = :status, message = :message",
            "runner = :runner",
            name=name,
            runner=runner,
            status=status,
            message=message,
        )

    def cancel(self, name: str) -> None:
        """Ask the runner of an experiment to stop; finished trainings stay."""
        self._update(
            f"status = CASE WHEN {_DEAD} THEN 'cancelled' ELSE 'cancelling' END",
            "status = 'running'",
            name=name,
        )

    def _update(self, change: str, where: str, **values: str) -> bool:
        """Change an experiment if a condition holds; return True if it was changed."""
        statement = f"UPDATE experiments SET {change} WHERE id = :name AND ({where})"
        with self._database.writing() as connection:
            return bool(connection.execute(statement, {**values, **_heartbeat_params()}).rowcount)

    def delete(self, name: str) -> None:
        """Delete an experiment, with the results and data that no other experiment uses."""
        with self._database.writing() as connection:
            stored = _stored_data(connection)
            connection.execute("DELETE FROM experiments WHERE id = ?", (name,))
            for table in ("results", "failures", "attempts"):
                unused = "key NOT IN (SELECT key FROM members)"
                connection.execute(f"DELETE FROM {table} WHERE {unused}")
            remaining = _stored_data(connection)
        self._data.remove_unused(stored - remaining, remaining)

    def done(self, keys: Sequence[str]) -> set[str]:
        """Return the keys that have a result."""
        with self._database.reading() as connection:
            rows = connection.execute(
                f"SELECT key FROM results WHERE {_AMONG}", (json.dumps(list(keys)),)
            )
            return {row["key"] for row in rows}

    def attempt(self, unit: Unit, runner: str) -> bool:
        """Note that a training begins; False if its result has come in meanwhile."""
        with self._database.writing() as connection:
            if connection.execute("SELECT 1 FROM results WHERE key = ?", (unit.key,)).fetchone():
                return False
            connection.execute(
                "INSERT INTO attempts (key, runner, started) VALUES (?, ?, ?)",
                (unit.key, runner, time.time()),
            )
        return True

    def keep(self, unit: Unit, result: UnitResult) -> bool:
        """Keep the result of a training; False if there was one already, which stays."""
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
        with self._database.writing() as connection:
            return bool(
                connection.execute(
                    "INSERT OR IGNORE INTO results (key, facts, measured, chosen, seconds_tune, "
                    "seconds_fit, seconds_predict, cases, finished) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    values,
                ).rowcount
            )

    def fail(self, unit: Unit, message: str) -> None:
        """Note why a training failed."""
        with self._database.writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO failures (key, message) VALUES (?, ?)", (unit.key, message)
            )

    def failures(self, name: str) -> list[str]:
        """List the different reasons why trainings of an experiment failed."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT DISTINCT message FROM failures JOIN members USING (key) "
                "WHERE experiment = ? ORDER BY place",
                (name,),
            )
            return [row["message"] for row in rows]

    def results(self, units: Sequence[Unit]) -> list[tuple[Unit, UnitResult]]:
        """Return the results there are, in the order of the units, without the single cases."""
        with self._database.reading() as connection:
            rows = {
                row["key"]: row
                for row in connection.execute(
                    "SELECT key, measured, chosen, seconds_tune, seconds_fit, seconds_predict "
                    f"FROM results WHERE {_AMONG}",
                    (json.dumps([unit.key for unit in units]),),
                )
            }
        return [(unit, self._result(rows[unit.key])) for unit in units if unit.key in rows]

    def _result(self, row: sqlite3.Row) -> UnitResult:
        times = (row["seconds_tune"], row["seconds_fit"], row["seconds_predict"])
        try:
            return UnitResult(json.loads(row["measured"]), json.loads(row["chosen"]), *times, {})
        except ValueError as error:
            raise StoreError(
                f"{self._database.path} is damaged: {error}.", self._database.path
            ) from None

    def frame(self, units: Sequence[Unit]) -> pd.DataFrame:
        """Tabulate the results there are, as `results_frame` does."""
        return results_frame(self.results(units))

    def cases(self, unit: Unit) -> Mapping[str, Any]:
        """Return ``row`` and the values of single cases by measure; a KeyError without a result."""
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT cases FROM results WHERE key = ?", (unit.key,)
            ).fetchone()
        if row is None:
            raise KeyError(unit.key)
        try:
            return unpacked(row["cases"])
        except DAMAGED as error:
            raise StoreError(
                f"{self._database.path} is damaged: {error}.", self._database.path
            ) from None

    def status(self, name: str) -> Status:
        """Return the progress of an experiment; a KeyError where the id is unknown."""
        row, timestamp = self._row(name), time.time()
        with self._database.reading() as connection:
            n_units, n_kept, n_older, n_here = connection.execute(
                "SELECT count(*), count(results.key), "
                "count(CASE WHEN json_extract(facts, '$.version') IS NOT ? THEN results.key END), "
                "coalesce(sum(finished >= ?), 0) "
                "FROM members LEFT JOIN results USING (key) WHERE experiment = ?",
                (__version__, row["started"], name),
            ).fetchone()
            n_failed = connection.execute(
                "SELECT count(*) FROM failures JOIN members USING (key) WHERE experiment = ?",
                (name,),
            ).fetchone()[0]
        n_done, state = n_kept - n_older, _state(row, timestamp)
        if n_older and state not in GOING:
            state = OUTDATED
        seconds_left, elapsed = None, timestamp - row["started"]
        if n_here and elapsed > 0:
            seconds_left = elapsed / n_here * (n_units - n_done - n_failed)
        return Status(
            id=name,
            name=row["name"],
            state=state,
            n_done=n_done,
            n_failed=n_failed,
            n_units=n_units,
            seconds_left=seconds_left,
            created=row["created"],
            message=row["message"],
        )

    def keep_data(self, dataset: Dataset) -> str:
        """Keep a data set in the folder and return its fingerprint."""
        return self._data.keep(dataset)

    def data(self, fingerprint: str) -> Dataset:
        """Read a data set kept in the folder; a ConfigError where it is gone or has changed."""
        return self._data.read(fingerprint)

    def datasets(self, experiment: Experiment, folder: Path) -> list[Dataset]:
        """Load the data sets of an experiment, whose paths are relative to a folder."""
        return [
            self.data(source.names[0]) if source.kind == "stored" else source.load(folder)
            for source in experiment.data
        ]


def _heartbeat_params() -> dict[str, float]:
    return {"now": time.time(), "timeout": HEARTBEAT_TIMEOUT_SECONDS}


# The states of experiments whose runner is dead.
_WITHOUT_RUNNER = {
    "waiting": "interrupted",
    "running": "interrupted",
    "cancelling": "cancelled",
}


def _state(row: sqlite3.Row, timestamp: float) -> str:
    state = str(row["status"])
    dead = abs(timestamp - row["heartbeat"]) > HEARTBEAT_TIMEOUT_SECONDS or (
        state in ("running", "cancelling") and has_ended(row["runner"])
    )
    return _WITHOUT_RUNNER.get(state, state) if dead else state


def _stored_data(connection: sqlite3.Connection) -> set[str]:
    """Return the fingerprints of the stored data that configs name, also of invalid configs."""
    rows = connection.execute(
        "SELECT DISTINCT json_extract(source.value, '$.stored') FROM experiments, "
        "json_each(CASE WHEN json_valid(config) THEN config END, '$.data') AS source "
        "WHERE source.type = 'object'"
    )
    return {str(row[0]) for row in rows if row[0] is not None}
