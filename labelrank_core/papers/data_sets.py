"""The data sets that tables name: found in a folder, or else among the samples."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.datasets import load_svmlight_file
from sklearn.preprocessing import MultiLabelBinarizer, normalize

from labelrank_core.data import Dataset, Task, list_samples, load_sample
from labelrank_core.papers.table import Table

# The same set under another name: a misprint, and a name with one letter fewer.
_ALIASES = {"cupsmall": "cpusmall", "computer": "computers"}
_ENDINGS = {"rankings": (".csv",), "bucket orders": (".csv",), "pages": (".svm", ".svm.gz")}
# The folder of sets whose rankings tie labels.
_BUCKET_ORDERS = "plr"
_FEWEST_PAGES_OF_A_LABEL, _FEWEST_PAGES_OF_A_WORD = 100, 5


@dataclass(frozen=True)
class LocatedDataset:
    """A data set, and where it comes from."""

    dataset: Dataset
    source: str


def find_data(table: Table, name: str, folder: Path | None = None) -> LocatedDataset | None:
    """Return the data set that a table calls so, or None where it is not at hand.

    Rankings are looked for as ``name.csv`` anywhere in the folder (features A1, A2, …, positions
    L1, L2, …), bucket orders likewise in a folder ``plr``, web pages as ``name.svm`` or
    ``name.svm.gz`` (word counts). Rankings that the folder lacks come from the sample of that name.

    Raises
    ------
    ValueError
        If a file of that name holds something else.
    """
    if table.source == "yeast":
        return LocatedDataset(load_sample("yeast"), "sample yeast")
    read = read_pages if table.source == "pages" else read_rankings
    for path in _files(table.source, name, folder):
        try:
            return LocatedDataset(read(path, name), f"file {path.name}")
        except (ValueError, UnicodeError, EOFError) as error:
            raise ValueError(f"{path.name}: {error}") from None
    if table.source == "rankings":
        for sample in list_samples():
            if sample.name == _plain(name) and sample.task is Task.LABEL_RANKING:
                return LocatedDataset(load_sample(sample.name), f"sample {sample.name}")
    return None


def _files(source: str, name: str, folder: Path | None) -> Iterator[Path]:
    if folder is None:
        return
    for path in sorted(folder.rglob("*")):
        ends = path.name.lower().endswith(_ENDINGS[source])
        # Sets of both kinds have the same names.
        if source in ("rankings", "bucket orders"):
            ends &= (path.parent.name.lower() == _BUCKET_ORDERS) == (source == "bucket orders")
        if ends and _plain(path.name.partition(".")[0]) == _plain(name):
            yield path


def _plain(name: str) -> str:
    letters = re.sub(r"[^a-z0-9]++", "", name.lower())
    return _ALIASES.get(letters, letters)


def read_rankings(path: Path, name: str) -> Dataset:
    """Read a set of the KEBI repository as CSV: A1, A2, … features, L1, L2, … positions."""
    table = pd.read_csv(path)
    features, labels = (
        [column for column in table if re.fullmatch(rf"{letter}\d+", str(column))]
        for letter in "AL"
    )
    if not features or len(labels) < 2:
        raise ValueError("expected columns A1, A2, … (features) and L1, L2, … (positions).")
    X, Y = (table[names].to_numpy(dtype=np.float64) for names in (features, labels))
    return Dataset(X, Y, Task.LABEL_RANKING, features, labels, name)


def read_pages(path: Path, name: str) -> Dataset:
    """Read word counts as libsvm lines and prepare them as section 6 of MLLS-08 says.

    Labels of at least 100 pages, pages with a label, words in at least 5 of them, TF-IDF with
    log(N / df) over the whole set, unit length. With these readings of 'occurring less than 5
    times' and of TF-IDF the sizes of Table II are met exactly.
    """
    X, labels = load_svmlight_file(str(path), multilabel=True, zero_based=False)
    names = MultiLabelBinarizer()
    Y = names.fit_transform(labels)
    is_frequent = Y.sum(axis=0) >= _FEWEST_PAGES_OF_A_LABEL
    label_names = [f"topic {int(topic)}" for topic in names.classes_[is_frequent]]
    Y = Y[:, is_frequent]
    rows = Y.any(axis=1)
    X, Y = X[rows], Y[rows]
    pages = np.bincount(X.indices, minlength=X.shape[1])
    word_columns = np.flatnonzero(pages >= _FEWEST_PAGES_OF_A_WORD)
    X = normalize(X[:, word_columns] @ sparse.diags(np.log(len(Y) / pages[word_columns]))).tocsr()
    return Dataset(
        X, Y, Task.MULTILABEL, [f"word {w + 1}" for w in word_columns], label_names, name
    )
