"""Tasks of OpenML: a data set by its number, and the folds in which it is to be tested."""

import json
import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

import numpy as np
from numpy.typing import NDArray

from labelrank_core.data.dataset import Dataset
from labelrank_core.io.cells import Cells, Coded
from labelrank_core.io.openml import MAX_DESCRIPTION, OpenMLError, download

_TASK = "/api/v1/json/task/{}"


@dataclass(frozen=True)
class OpenMLTask:
    """A data set of OpenML with the folds of a task.

    Parameters
    ----------
    data : Dataset
        The data.
    folds : tuple of tuple of int
        By repetition and row the number of the fold that tests the row, -1 for one that always
        trains: ``Protocol(kind="given", folds=(task.folds,))``.
    """

    data: Dataset
    folds: tuple[tuple[int, ...], ...]

    def as_csv(self) -> str:
        """Write the folds as a file that `fold_files` of a protocol can name."""
        header = ",".join(f"repeat {repeat}" for repeat in range(len(self.folds)))
        lines = [",".join(map(str, row)) for row in zip(*self.folds, strict=True)]
        return "\n".join([header, *lines, ""])


def fetch_task(number: int, server: str, max_bytes: int, timeout: float) -> tuple[int, bytes]:
    """Return the number of a task's data set, and the file of its splits, by two requests."""
    deadline = time.monotonic() + timeout
    answer = download(urljoin(server, _TASK.format(int(number))), server, MAX_DESCRIPTION, deadline)
    try:
        inputs = {entry["name"]: entry for entry in json.loads(answer)["task"]["input"]}
        data = int(inputs["source_data"]["data_set"]["data_set_id"])
        procedure = inputs["estimation_procedure"]["estimation_procedure"]
        splits = str(procedure["data_splits_url"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise OpenMLError(
            f"OpenML's task {number} has no data set with splits that can be read."
        ) from None
    return data, download(splits, server, max_bytes, deadline)


def folds_of(cells: Cells, n_samples: int, number: int) -> tuple[tuple[int, ...], ...]:
    """Return the folds that a file of splits holds, by repetition and row.

    OpenMLError for a row that is tested twice in a repetition, and for splits of other data.
    """
    try:
        tests = _texts(cells, "type") == "TEST"
        rows, repeats, folds = (
            _numbers(cells, name)[tests] for name in ("rowid", "repeat", "fold")
        )
    except (KeyError, TypeError, ValueError):
        raise OpenMLError(f"The splits of OpenML's task {number} cannot be read.") from None
    if not len(rows) or rows.max() >= n_samples or min(map(np.min, (rows, repeats, folds))) < 0:
        raise OpenMLError(
            f"The splits of OpenML's task {number} are not those of {n_samples} rows."
        )
    table = np.full((repeats.max() + 1, n_samples), -1)
    table[repeats, rows] = folds
    if np.count_nonzero(table >= 0) < len(rows):
        raise OpenMLError(
            f"OpenML's task {number} tests a row twice in a repetition; only cross-validation and "
            "single splits are read."
        )
    return tuple(tuple(repeat) for repeat in table.tolist())


def _texts(cells: Cells, name: str) -> NDArray[Any]:
    column = (cells.columns or {})[name]
    if isinstance(column, Coded):
        return np.array([*column.categories, ""], dtype=object)[column.codes]
    return np.asarray(column, dtype=object)


def _numbers(cells: Cells, name: str) -> NDArray[np.int64]:
    numbers = np.asarray((cells.columns or {})[name], dtype=np.float64)
    if not np.isfinite(numbers).all():
        raise ValueError(name)
    return numbers.astype(np.int64)
