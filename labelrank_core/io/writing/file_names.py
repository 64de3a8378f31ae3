"""Names of files for data sets that may be called anything."""

import re
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from labelrank_core.data.dataset import Dataset
from labelrank_core.io.vocabulary import TEST_WORDS, TRAIN_WORDS

# Names of files, with what makes their contents.
Files = list[tuple[str, Callable[[], bytes]]]

_MAX_LENGTH = 80


def file_stem(name: str) -> str:
    """Turn a data set's name into one for a file.

    Parameters
    ----------
    name : str
        Any text.

    Returns
    -------
    str
        Letters, digits, blanks, points, hyphens and underscores, as every system takes them.

    Examples
    --------
    >>> file_stem("../fruit: 2024"), file_stem("")
    ('fruit_ 2024', 'data')
    """
    kept = re.sub(r"[^\w .-]", "_", name).strip(" ._-")[:_MAX_LENGTH].strip(" ._-")
    return kept or "data"


def part_names(name: str, extension: str) -> tuple[str, str]:
    """Return the names of a training and a test file that are read back as a pair.

    Parameters
    ----------
    name : str
        The data set's name.
    extension : str
        The extension, with its point.

    Returns
    -------
    train, test : str
        They differ only in these words.

    Examples
    --------
    >>> part_names("fruit", ".arff"), part_names("test", ".arff")
    (('fruit-train.arff', 'fruit-test.arff'), ('data-train.arff', 'data-test.arff'))
    """
    words = "|".join(TRAIN_WORDS | TEST_WORDS)
    rest = re.sub(rf"(?i)(?<![^\W_])({words})(?![^\W_])", "", file_stem(name))
    stem = file_stem(rest)
    return f"{stem}-train{extension}", f"{stem}-test{extension}"


def parts(dataset: Dataset, extension: str) -> list[tuple[str, NDArray[np.int64]]]:
    """Return the files for a format that keeps a split as two files, with the rows of each.

    Parameters
    ----------
    dataset : Dataset
        The data.
    extension : str
        The extension, with its point.

    Returns
    -------
    list of (str, ndarray)
        One file without a split, else a training and a test file.
    """
    if dataset.split is None:
        return [(file_stem(dataset.name) + extension, np.arange(dataset.n_samples))]
    train, test = part_names(dataset.name, extension)
    return [(train, np.flatnonzero(~dataset.split)), (test, np.flatnonzero(dataset.split))]
