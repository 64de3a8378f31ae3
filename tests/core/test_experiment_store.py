"""The store of experiments: what it keeps, who may run what, and disks and files that fail."""

import io
import os
import re
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from threading import Event

import numpy as np
import pytest

import labelrank_core
from labelrank_core import load_sample
from labelrank_core.__main__ import DONE, STORE, WRONG, main
from labelrank_core.experiments import (
    ConfigError,
    DataSource,
    Experiment,
    Method,
    Protocol,
    heartbeat,
    read_config,
    run_unit,
    units_of,
)
from labelrank_core.experiments.database import SCHEMA_VERSION, Database, StoreError
from labelrank_core.experiments.heartbeat import pulse
from labelrank_core.experiments.run import run_units
from labelrank_core.experiments.store import OUTDATED, Store
from labelrank_core.methods import ModelChoice

TWO = '{"data": ["iris"], "methods": [{"key": "knn"}, {"key": "forest"}]}'
TINY = '{"data": ["drinks"], "methods": [{"key": "knn"}], "protocol": {"n_folds": 2}}'


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "home")


def units(text):
    experiment = read_config(text)
    return units_of(experiment, [load_sample(source.names[0]) for source in experiment.data])


def changed(store, statement, *values):
    """Change the file as nobody should."""
    with closing(sqlite3.connect(store.home / "experiments.sqlite")) as connection, connection:
        connection.execute(statement, values)


class TestStore:
    def test_data_kept_are_the_same_again(self, store, tmp_path):
        for name in ("iris", "yeast", "drinks"):
            data = load_sample(name)
            again = store.data(store.keep_data(data))
            assert again.fingerprint == data.fingerprint
        mode = (tmp_path / "home").stat().st_mode & 0o777
        assert os.name == "nt" or mode == 0o700

    def test_data_changed_on_disk_are_refused(self, store):
        data = load_sample("iris")
        name = store.keep_data(data)
        other = store.keep_data(load_sample("drinks"))
        folder = store.home / "data"
        (folder / f"{other}.npz").replace(folder / f"{name}.npz")
        with pytest.raises(ConfigError, match="changed on disk"):
            store.data(name)
        with pytest.raises(ConfigError, match="not kept here"):
            store.data("../../etc/passwd")

    def test_a_result_is_written_once(self, store):
        data = load_sample("iris")
        unit = units(TWO)[0]
        result = run_unit(unit, data)
        assert store.keep(unit, result)
        assert not store.keep(unit, result)
        assert not store.attempt(unit, "me")
        assert np.array_equal(store.cases(unit)["row"], result.cases["row"])

    def test_only_one_program_runs_an_experiment_and_a_silent_one_is_replaced(
        self, store, monkeypatch
    ):
        name = store.create(read_config(TWO))
        every = units(TWO)
        assert store.begin(name, "first", every)
        assert not store.begin(name, "second", every)
        assert store.heartbeat(name, "first")
        assert store.status(name).state == "running"
        monkeypatch.setattr("labelrank_core.experiments.store.HEARTBEAT_TIMEOUT_SECONDS", -1.0)
        assert store.status(name).state == "interrupted"
        assert store.begin(name, "second", every)
        assert not store.heartbeat(name, "first")

    def test_the_runner_learns_that_it_is_cancelled(self, store):
        name = store.create(read_config(TWO))
        store.begin(name, "me", units(TWO))
        store.cancel(name)
        assert not store.heartbeat(name, "me")
        assert store.status(name).state == "cancelling"
        store.end(name, "me", "cancelled")
        assert store.status(name).state == "cancelled"
        assert store.begin(name, "other", units(TWO))

    def test_what_is_cancelled_while_its_runner_is_dead_is_cancelled(self, store):
        name = store.create(read_config(TWO))
        store.begin(name, "me", units(TWO))
        store.cancel(name)
        changed(store, "UPDATE experiments SET heartbeat = heartbeat - 60")
        assert store.status(name).state == "cancelled"
        assert store.n_running() == 0

    def test_a_clock_that_is_set_back_keeps_nothing_running(self, store, monkeypatch):
        name = store.create(read_config(TWO))
        late = time.time() + 3600
        with monkeypatch.context() as patch:
            patch.setattr("labelrank_core.experiments.store.time.time", lambda: late)
            store.begin(name, "first", units(TWO))
            store.keep(units(TWO)[0], run_unit(units(TWO)[0], load_sample("iris")))
        # The runner has died before the clock was set back by an hour.
        status = store.status(name)
        assert (status.state, status.seconds_left) == ("interrupted", None)
        assert store.n_running() == 0
        assert store.begin(name, "second", units(TWO))
        # One that lives sends its next heartbeat by the new clock.
        changed(store, "UPDATE experiments SET heartbeat = heartbeat + 3600")
        assert store.heartbeat(name, "second")
        assert store.status(name).state == "running"

    def test_deleting_one_experiment_leaves_what_another_shares(self, store):
        data = load_sample("drinks")
        kept = DataSource("stored", (store.keep_data(data),))
        methods = (Method(ModelChoice("knn")),)
        first = Experiment((kept,), methods, Protocol(n_folds=2))
        second = Experiment((kept,), methods, Protocol(n_folds=2, n_repeats=2))
        names = [store.create(first), store.create(second)]
        for name, experiment in zip(names, (first, second), strict=True):
            every = units_of(experiment, [data])
            store.begin(name, name, every)
            run_units(every, {data.fingerprint: data}, store)
        store.delete(names[0])
        assert store.ids() == [names[1]]
        assert len(store.done([unit.key for unit in units_of(second, [data])])) == 4
        store.delete(names[1])
        assert store.done([unit.key for unit in units_of(second, [data])]) == set()
        assert not list((store.home / "data").iterdir())

    def test_ids_cannot_be_guessed_and_unknown_ones_are_none(self, store):
        names = {store.create(read_config(TWO)) for _ in range(20)}
        assert len(names) == 20
        assert all(len(name) >= 20 for name in names)
        with pytest.raises(KeyError):
            store.status("nobody")

    def test_the_same_config_is_found_again(self, store, tmp_path):
        name = store.find_or_create(read_config(TWO), folder=tmp_path)
        assert store.find_or_create(read_config(TWO), folder=tmp_path) == name
        assert store.find_or_create(read_config(TINY), folder=tmp_path) != name


class TestDeleting:
    def test_an_experiment_of_a_method_that_is_gone_hinders_nothing(self, store):
        names = [store.create(read_config(TINY)) for _ in range(3)]
        gone = TINY.replace("knn", "gone")
        changed(store, "UPDATE experiments SET config = ? WHERE id = ?", gone, names[0])
        changed(store, "UPDATE experiments SET config = '{' WHERE id = ?", names[1])
        with pytest.raises(ConfigError, match="expected one of"):
            store.experiment(names[0])
        for name in (names[2], names[0], names[1]):
            store.delete(name)
        assert store.ids() == []

    def test_data_that_nothing_names_go_when_they_are_old(self, store):
        data = load_sample("drinks")
        experiment = Experiment(
            (DataSource("stored", (store.keep_data(data),)),), (Method(ModelChoice("knn")),)
        )
        used, other = store.create(experiment), store.create(read_config(TINY))
        new = store.keep_data(load_sample("iris"))
        old = store.keep_data(load_sample("wine"))
        folder = store.home / "data"
        (folder / f"{data.fingerprint}.1234.part").write_bytes(b"half")
        (folder / "notes.txt").write_text("not ours")
        for path in folder.iterdir():
            if new not in path.name:
                os.utime(path, (0, 0))
        store.delete(other)
        # Old as it is, what an experiment names stays; the new one may be about to be named.
        assert {path.name for path in folder.iterdir()} == {
            f"{data.fingerprint}.npz", f"{new}.npz", "notes.txt",
        }  # fmt: skip
        assert old != new
        store.delete(used)
        assert {path.name for path in folder.iterdir()} == {f"{new}.npz", "notes.txt"}


# The file as version 0.1.0 of the package made it, word for word.
OLD_SCHEMA = """
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


def old_store(home, config=TINY):
    """A finished experiment and its results, kept by version 0.1.0 of the package."""
    home.mkdir()
    every = units(TINY)
    with closing(sqlite3.connect(home / "experiments.sqlite")) as connection, connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(OLD_SCHEMA)
        connection.execute(
            "INSERT INTO experiments "
            "VALUES ('old', 'two folds', ?, 1.0, '.', 'finished', 'r', 2.0, 3.0, '')",
            (config,),
        )
        for place in range(len(every)):
            cases = io.BytesIO()
            np.savez_compressed(cases, row=np.array([place]), kendall_tau_score=np.array([0.5]))
            connection.execute("INSERT INTO members VALUES ('old', ?, ?)", (place, f"old {place}"))
            connection.execute(
                "INSERT INTO results "
                "VALUES (?, '{\"version\": \"0.1.0\"}', '{\"kendall_tau_score\": 0.5}', '{}', "
                "0, 1, 2, ?, 4)",
                (f"old {place}", cases.getvalue()),
            )
    return home, every


class TestOldAndNewVersions:
    def test_results_of_the_first_version_are_kept_apart(self, tmp_path, capsys):
        home, every = old_store(tmp_path / "home")
        store = Store(home)
        status = store.status("old")
        assert (status.state, status.n_done, status.n_units) == (OUTDATED, 0, 2)
        assert store.frame(every).empty
        assert main(["--home", str(home), "export", "old", str(tmp_path / "x.csv")]) == WRONG
        assert "of another version" in capsys.readouterr().err
        assert main(["--home", str(home), "run", "old"]) == DONE
        assert "2/2 trainings" in capsys.readouterr().err
        status = Store(home).status("old")
        assert (status.state, status.n_done) == ("finished", 2)
        assert (store.frame(every)["value"] != 0.5).any()
        assert main(["--home", str(home), "export", "old", str(tmp_path / "x.csv")]) == DONE

    def test_what_this_version_cannot_run_is_refused_with_a_sentence(self, tmp_path, capsys):
        home, _ = old_store(tmp_path / "home", TINY.replace("knn", "gone"))
        for words in (["run", "old"], ["export", "old", str(tmp_path / "x.csv")]):
            assert main(["--home", str(home), *words]) == WRONG
            (line,) = capsys.readouterr().err.splitlines()
            assert line.startswith("methods[0].key: expected one of")
        assert main(["--home", str(home), "list"]) == DONE
        assert "two folds" in capsys.readouterr().out
        assert main(["--home", str(home), "delete", "old"]) == DONE

    def test_a_file_of_a_newer_version_is_left_alone(self, store, capsys):
        changed(store, f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
        path = store.home / "experiments.sqlite"
        before = path.read_bytes()
        assert main(["--home", str(store.home), "list"]) == STORE
        (line,) = capsys.readouterr().err.split("\n", 1)[1].splitlines()
        assert line.startswith(f"{path} was written by a newer version")
        assert path.read_bytes() == before

    def test_every_insert_names_its_columns(self):
        inserts = []
        for path in Path(labelrank_core.__file__).parent.rglob("*.py"):
            inserts += re.findall(r"INTO (\w+) (.)", path.read_text(encoding="utf-8"))
        assert len(inserts) >= 5
        assert {after for _, after in inserts} == {"("}


class TestBrokenDisks:
    """One sentence and exit code 6, whatever the store meets."""

    @pytest.fixture
    def says(self, capsys):
        def says(home, *words, command=("list",)):
            capsys.readouterr()
            assert main(["--home", str(home), *command]) == STORE
            found = capsys.readouterr().err.strip().splitlines()
            sentence = found[-1]
            for word in words:
                assert word in sentence
            assert "Traceback" not in str(found)

        return says

    @pytest.mark.parametrize("content", [b"no database at all, but text " * 40, None])
    def test_a_damaged_file(self, store, says, content):
        store.create(read_config(TINY))
        path = store.home / "experiments.sqlite"
        if content is None:
            # Pages of the middle and the end are lost.
            whole = path.read_bytes()
            content = whole[:5000] + b"\xff" * (len(whole) - 5000)
        path.write_bytes(content)
        says(store.home, str(path), "is damaged")

    def test_a_file_of_another_program(self, store, says):
        changed(store, "DROP TABLE results")
        store.create(read_config(TINY))
        says(store.home, "is damaged")

    def test_a_folder_that_is_none(self, tmp_path, says):
        (tmp_path / "file").touch()
        says(tmp_path / "file", "cannot be used")
        says(tmp_path / "file" / "within", "cannot be used: Not a directory")
        (tmp_path / "home" / "experiments.sqlite").mkdir(parents=True)
        says(tmp_path / "home", "cannot be used: unable to open")

    def test_a_file_that_cannot_be_written(self, store, says, monkeypatch, tmp_path):
        (tmp_path / "c.json").write_text(TINY)
        monkeypatch.setattr(
            Database,
            "_connect",
            lambda self: sqlite3.connect(
                f"file:{self.path}?mode=ro", uri=True, isolation_level=None
            ),
        )
        says(store.home, "read-only", command=["run", str(tmp_path / "c.json")])

    def test_a_full_disk(self, store, says, monkeypatch):
        name = store.create(read_config(TWO))

        def connect(self):
            connection = sqlite3.connect(self.path, isolation_level=None)
            n_pages = connection.execute("PRAGMA page_count").fetchone()[0]
            connection.execute(f"PRAGMA max_page_count = {min(n_pages + 1, most)}")
            return connection

        with closing(connect_plainly(store)) as connection:
            most = connection.execute("PRAGMA page_count").fetchone()[0] + 8
        with monkeypatch.context() as patch:
            patch.setattr(Database, "_connect", connect)
            says(store.home, "The disk is full", command=["run", name])
        assert store.status(name).state == "interrupted"
        assert main(["--home", str(store.home), "run", name]) == DONE

    def test_a_disk_too_full_for_data_and_tables(self, store, says, monkeypatch, tmp_path):
        def full(*_, **__):
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr(Path, "write_bytes", full)
            with pytest.raises(StoreError, match="The disk is full"):
                store.keep_data(load_sample("iris"))
        assert not list((store.home / "data").iterdir())
        (tmp_path / "c.json").write_text(TINY)
        target = tmp_path / "none" / "r.csv"
        says(store.home, str(target), "The results are kept",
             command=["run", str(tmp_path / "c.json"), "--csv", str(target)])  # fmt: skip
        assert store.status(store.ids()[0]).state == "finished"

    def test_damaged_data_and_results(self, store):
        data, unit = load_sample("drinks"), units(TINY)[0]
        path = store.home / "data" / f"{store.keep_data(data)}.npz"
        whole = path.read_bytes()
        for content in (
            b"",
            b"PK",
            whole[: len(whole) // 2],
            whole[:200] + b"\0" * 99 + whole[299:],
        ):
            path.write_bytes(content)
            with pytest.raises(ConfigError, match="is damaged"):
                store.data(data.fingerprint)
        store.keep(unit, run_unit(unit, data))
        changed(store, "UPDATE results SET cases = ?", b"PK")
        with pytest.raises(StoreError, match="is damaged"):
            store.cases(unit)
        changed(store, "UPDATE results SET measured = '{'")
        with pytest.raises(StoreError, match="is damaged"):
            store.results([unit])

    @pytest.mark.parametrize("name", ["../../etc/passwd", "a\0b", "x" * 5000, "", "\ud800"])
    def test_no_name_of_data_is_a_path(self, store, name):
        with pytest.raises(ConfigError, match="not kept here"):
            store.data(name)


def connect_plainly(store):
    return sqlite3.connect(store.home / "experiments.sqlite")


class TestHeartbeat:
    """A runner that must not go on learns why."""

    @pytest.fixture
    def begun(self, store, monkeypatch):
        monkeypatch.setattr(heartbeat, "PULSE_SECONDS", 0.01)
        name = store.create(read_config(TWO))
        store.begin(name, "me", units(TWO))
        return store, name

    def test_it_goes_on_until_it_is_over(self, begun):
        over = Event()
        over.set()
        assert pulse(*begun, "me", over) is None

    def test_one_that_is_cancelled_notes_it(self, begun):
        store, name = begun
        store.cancel(name)
        assert pulse(store, name, "me", Event()).reason == "cancelled"
        assert store.status(name).state == "cancelled"

    def test_one_that_is_deleted_stops(self, begun):
        store, name = begun
        store.delete(name)
        assert pulse(store, name, "me", Event()).reason == "deleted"

    def test_one_that_another_has_replaced_stops_and_notes_nothing(self, begun):
        store, name = begun
        changed(store, "UPDATE experiments SET heartbeat = 0")
        assert store.begin(name, "other", units(TWO))
        assert pulse(store, name, "me", Event()).reason == "replaced"
        assert store.status(name).state == "running"

    def test_one_that_cannot_reach_the_store_stops_when_others_consider_it_dead(
        self, begun, monkeypatch
    ):
        store, name = begun
        n_tries = []

        def fails(*_):
            n_tries.append(1)
            raise StoreError("The disk is full.")

        monkeypatch.setattr(heartbeat, "HEARTBEAT_TIMEOUT_SECONDS", 0.2)
        with monkeypatch.context() as patch:
            patch.setattr(Store, "heartbeat", fails)
            stop = pulse(store, name, "me", Event())
        assert (stop.reason, stop.message) == ("lost", "The disk is full.")
        assert len(n_tries) > 2
