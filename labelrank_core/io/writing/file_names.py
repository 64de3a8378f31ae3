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
    """Turn a data set's name into one for a file."""
    kept = re.sub(r"[^\w .-]", "_", name).strip(" ._-")[:_MAX_LENGTH].strip(" ._-")
    return kept or "data"


def part_names(name: str, extension: str) -> tuple[str, str]:
    """Return the names of a training and a test file that are read back as a pair."""
    words = "|".join(TRAIN_WORDS | TEST_WORDS)
    rest = re.sub(rf"(?i)(?<![^\W_])({words})(?![^\W_])", "", file_stem(name))
    stem = file_stem(rest)
    return f"{stem}-train{extension}", f"{stem}-test{extension}"


def parts(dataset: Dataset, extension: str) -> list[tuple[str, NDArray[np.int64]]]:
    """Return the files for a format that keeps a split as two files, with the rows of each."""
    if dataset.split is None:
        return [(file_stem(dataset.name) + extension, np.arange(dataset.n_samples))]
    train, test = part_names(dataset.name, extension)
    return [(train, np.flatnonzero(~dataset.split)), (test, np.flatnonzero(dataset.split))]
