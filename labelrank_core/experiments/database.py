"""The SQLite file of the store: its schema, its transactions and its errors."""

import errno
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

# Files of version 0.1.0 have schema 0, with the column `heard` for `heartbeat`.
SCHEMA_VERSION = 2
_BUSY_SECONDS = 60.0
_TABLES = (
    "CREATE TABLE experiments (id TEXT PRIMARY KEY, name TEXT NOT NULL, config TEXT NOT NULL, "
    "created REAL NOT NULL, folder TEXT NOT NULL, status TEXT NOT NULL, runner TEXT NOT NULL, "
    "heartbeat REAL NOT NULL, started REAL NOT NULL, message TEXT NOT NULL)",
    "CREATE TABLE members (experiment TEXT NOT NULL REFERENCES experiments(id) ON DELETE CASCADE, "
    "place INTEGER NOT NULL, key TEXT NOT NULL, PRIMARY KEY (experiment, place))",
    "CREATE INDEX members_by_key ON members(key)",
    "CREATE TABLE results (key TEXT PRIMARY KEY, facts TEXT NOT NULL, measured TEXT NOT NULL, "
    "chosen TEXT NOT NULL, seconds_tune REAL NOT NULL, seconds_fit REAL NOT NULL, "
    "seconds_predict REAL NOT NULL, cases BLOB NOT NULL, finished REAL NOT NULL)",
    "CREATE TABLE failures (key TEXT PRIMARY KEY, message TEXT NOT NULL)",
    "CREATE TABLE attempts (key TEXT NOT NULL, runner TEXT NOT NULL, started REAL NOT NULL)",
)


class StoreError(Exception):
    """The store cannot be used; the message gives the reason and a remedy, `path` the place."""

    def __init__(self, message: str, path: Path | None = None) -> None:
        super().__init__(message)
        self.path = path


class Database:
    """The file `experiments.sqlite` in a folder; any number of programs may use it at once.

    `functions`, of one argument each, can be called in statements by their names.
    """

    def __init__(
        self, folder: Path, functions: Mapping[str, Callable[[Any], Any]] = MappingProxyType({})
    ) -> None:
        self.path = folder / "experiments.sqlite"
        self._functions = functions
        with explained(folder):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with self.reading() as connection:
            version = _version(connection)
        if version > SCHEMA_VERSION:
            raise StoreError(
                f"{self.path} was written by a newer version of LabelRank Lab (its schema is "
                f"{version}; this version reads up to {SCHEMA_VERSION}). Update this one.",
                self.path,
            )
        if version < SCHEMA_VERSION:
            self._prepare()

    def _prepare(self) -> None:
        with self._connected() as connection:
            # Readers and a writer do not wait for each other; the mode stays set in the file.
            connection.execute("PRAGMA journal_mode = WAL")
        with self.writing() as connection:
            if _version(connection) == SCHEMA_VERSION:
                return  # Another program has done it meanwhile.
            if connection.execute("SELECT 1 FROM sqlite_schema").fetchone():
                connection.execute("ALTER TABLE experiments RENAME COLUMN heard TO heartbeat")
            else:
                for statement in _TABLES:
                    connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Open the file for statements that all see the same state."""
        with self._connected() as connection:
            connection.execute("BEGIN")
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Open the file for one transaction, kept as a whole or not at all; other writers wait."""
        with self._connected() as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        with explained(self.path), closing(self._connect()) as connection:
            connection.row_factory = sqlite3.Row
            connection.execute("PRAGMA foreign_keys = ON")
            for name, function in self._functions.items():
                connection.create_function(name, 1, function)
            yield connection

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path, timeout=_BUSY_SECONDS, isolation_level=None)


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn errors of the disk or of SQLite into a `StoreError` of one sentence."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(_sentence(path, error), path) from error
    except OSError as error:
        if error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", None)):
            raise StoreError(_full(path), path) from error
        raise StoreError(f"{path} cannot be used: {error.strerror or error}.", path) from error


def _sentence(path: Path, error: sqlite3.Error) -> str:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return _full(path)
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return f"{path} has been in use by another program for {_BUSY_SECONDS:g} seconds."
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR):
        return f"{path} is damaged ({error}). Put a copy of it in its place, or move it away."
    if code == sqlite3.SQLITE_READONLY:
        return f"{path} cannot be written to: it, or its folder, is read-only."
    return f"{path} cannot be used: {error}."


def _full(path: Path) -> str:
    return f"The disk is full: nothing more can be kept in {path}. What is there already stays."
