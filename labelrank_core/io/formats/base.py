"""A format: the recognition and reading of its files, and the writing of data sets in it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from labelrank_core.data.findings import DatasetError, Finding, Severity
from labelrank_core.io.cells import Cells
from labelrank_core.io.sources import Source

if TYPE_CHECKING:
    from labelrank_core.io.content import Export
else:  # programs that only read do without what writing needs
    Export = Any

Rows = NDArray[np.int64]
# What makes the content of a file, piece by piece; with the names of files.
Content = Callable[[], Iterable[bytes]]
Files = list[tuple[str, Content]]


@dataclass(frozen=True)
class Writer:
    """One way in which data sets are written.

    Parameters
    ----------
    key : str
        What `write_dataset` takes.
    title : str
        What to call it.
    summary : str
        What is in the file, in a sentence.
    losses : callable
        From a data set to what would be lost; an error where it cannot be written so.
    files : callable
        From a data set to the names of files, each with what makes its content.
    """

    key: str
    title: str
    summary: str
    losses: Callable[[Export], list[Finding]]
    files: Callable[[Export], Files]


@dataclass(frozen=True)
class Format:
    """One way in which files hold a table, recognised by their content."""

    name: str
    recognises: Callable[[Source], bool]
    # `DatasetError` has findings; anything else that is raised means that the file is damaged.
    read: Callable[[Source, Sequence[Source]], Cells]
    # Whether a file goes with tables in this format, as MULAN's XML goes with ARFF.
    accompanies: Callable[[Source], bool] = lambda _: False
    writers: tuple[Writer, ...] = ()


def one_file(extension: str, content: Callable[[Export], Iterable[bytes]], data: Export) -> Files:
    """Write all rows to one file."""
    return [(data.stem + extension, partial(content, data))]


def file_per_part(
    extension: str, content: Callable[[Export, Rows], Iterable[bytes]], data: Export
) -> Files:
    """Write the training and the test rows to a file each, where there is a split."""
    return [(name, partial(content, data, rows)) for name, rows in data.parts(extension)]


def import_package(package: str) -> Any:
    """Return a package that only some formats need, imported; `DatasetError` if it is missing."""
    try:
        return import_module(package)
    except ImportError as error:
        raise DatasetError([missing_package(package)]) from error


def missing_package(package: str) -> Finding:
    """Return the error that a package is not installed."""
    message = f"this format needs the package {package}, which is not installed."
    hint = f"Install it with: pip install {package.partition('.')[0]}"
    return Finding("missing-package", Severity.ERROR, message, hint)
