"""Folds of one's own: CSV files with the number of the fold that tests each row.

A header names the repetitions, one column each; below it is one line per row of the data set, in
its order. A number is any whole number from 0 on; rows with the same number are tested together,
and all other rows train. -1 marks a row that always trains, so a column of -1 and 0 is a single
split. The lowest number is fold 0 of the results.

    first,second
    0,2
    1,0
    2,1
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from labelrank_core.experiments.config import ConfigError, Experiment
from labelrank_core.experiments.reading import read_config

_MOST_REPETITIONS = 1000


def read_folds(path: Path) -> tuple[tuple[int, ...], ...]:
    r"""Read the fold numbers of a data set, by repetition and row.

    Parameters
    ----------
    path : Path
        A CSV file in UTF-8, as described above; commas, semicolons or tabs separate columns.

    Returns
    -------
    tuple of tuple of int
        One for each column, with a number for each row.

    Raises
    ------
    ConfigError
        If the file cannot be read or is no such table; the message says in which line.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "folds.csv")
    ...     _ = path.write_text("first,second\n0,2\n1,0\n2,1\n")
    ...     read_folds(path)
    ((0, 1, 2), (2, 0, 1))
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        raise ConfigError(f"protocol.fold_files: {path.name!r} cannot be read: {error}") from None
    first, *_ = [*text.splitlines(), ""]
    separator = max(",;\t", key=first.count)
    lines = [line.split(separator) for line in text.splitlines()]
    while lines and not any(cell.strip() for cell in lines[-1]):
        lines.pop()
    if len(lines) < 2:
        raise ConfigError(f"{path.name}: expected a header and one line per row of the data.")
    if len(lines[0]) > _MOST_REPETITIONS:
        raise ConfigError(f"{path.name}: expected at most {_MOST_REPETITIONS} columns.")
    rows = [_numbers(path.name, i, line, len(lines[0])) for i, line in enumerate(lines[1:], 2)]
    return tuple(zip(*rows, strict=True))


def _numbers(name: str, line_number: int, line: Sequence[str], n_columns: int) -> tuple[int, ...]:
    cells = [cell.strip() for cell in line]
    right = [
        cell == "-1" or (cell.isascii() and cell.isdecimal() and len(cell) < 6) for cell in cells
    ]
    if len(cells) != n_columns or not all(right):
        raise ConfigError(
            f"{name}, line {line_number}: expected {n_columns} whole numbers from 0 to 99999, "
            f"or -1, got {', '.join(cells)[:60]!r}."
        )
    return tuple(map(int, cells))


def with_fold_files(experiment: Experiment, folder: Path) -> Experiment:
    r"""Read the fold files of an experiment into it, so that it depends on no file of folds.

    Parameters
    ----------
    experiment : Experiment
        With or without fold files.
    folder : Path
        What their paths are relative to.

    Returns
    -------
    Experiment
        Itself where there are none.

    Raises
    ------
    ConfigError
        If a file cannot be read, or there are too many numbers for a config.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> config = '{"data": ["iris"], "methods": [{"key": "knn"}], '
    >>> config += '"protocol": {"kind": "given", "fold_files": ["folds.csv"]}}'
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "folds.csv").write_text("first\n0\n1\n-1\n")
    ...     with_fold_files(read_config(config), Path(folder)).protocol.folds
    (((0, 1, -1),),)
    """
    names = experiment.protocol.fold_files
    if not names:
        return experiment
    folds = tuple(read_folds(folder / name) for name in names)
    protocol = replace(experiment.protocol, folds=folds, fold_files=())
    return read_config(replace(experiment, protocol=protocol).to_json())
