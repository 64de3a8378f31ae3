"""Which rows of a data set train a model and which test it."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from labelrank_core.dataset import Dataset
from labelrank_core.rankings import IntArray


@dataclass(frozen=True, eq=False)
class Split:
    """Which rows train and which test.

    Parameters
    ----------
    train, test : array-like of int
        Row numbers, kept as read-only arrays; both parts hold at least one row and none in common.
    kind : {"published", "random"}
        Where the split comes from.
    seed : int or None
        Seed of a random split.
    test_share : float
        Share of test rows: the one asked for, or the one a published split has.

    Raises
    ------
    ValueError
        If a part is empty or the parts overlap.
    """

    train: IntArray
    test: IntArray
    kind: Literal["published", "random"]
    seed: int | None
    test_share: float

    def __post_init__(self) -> None:
        for part in ("train", "test"):
            rows = np.array(getattr(self, part), dtype=np.int64)
            rows.setflags(write=False)
            object.__setattr__(self, part, rows)
        if self.train.size == 0 or self.test.size == 0 or np.isin(self.train, self.test).any():
            raise ValueError("Expected train and test rows, with none in common.")


def holdout_split(
    dataset: Dataset,
    *,
    kind: Literal["auto", "published", "random"] = "auto",
    test_share: float = 0.3,
    seed: int = 0,
) -> Split:
    """Divide the rows into a training and a test part.

    Parameters
    ----------
    dataset : Dataset
        The data, at least two rows.
    kind : {"auto", "published", "random"}, default="auto"
        The data set's own split, a random one, or the own one where there is one.
    test_share : float, default=0.3
        Share of test rows of a random split, between 0 and 1; rounded to whole rows, at least one
        for each part.
    seed : int, default=0
        Seed of a random split; the same seed gives the same split.

    Returns
    -------
    Split
        The row numbers of both parts.

    Raises
    ------
    ValueError
        If there are fewer than two rows, no published split where one is asked for, or
        `test_share` is out of range.

    Examples
    --------
    >>> from labelrank_core import Task
    >>> data = Dataset(X=[[0.0], [1.0], [2.0]], Y=[[1, 2], [2, 1], [1, 2]],
    ...                task=Task.LABEL_RANKING, feature_names=["x"], label_names=["a", "b"],
    ...                name="tiny")
    >>> len(holdout_split(data).test)
    1
    """
    if kind == "published" or (kind == "auto" and dataset.split is not None):
        return _published_split(dataset)
    if kind not in ("auto", "random"):
        raise ValueError(f"Expected kind 'auto', 'published' or 'random', got {kind!r}.")
    if not 0 < test_share < 1:
        raise ValueError(f"Expected test_share between 0 and 1, got {test_share}.")
    n_samples = dataset.n_samples
    if n_samples < 2:
        raise ValueError(f"Expected at least two rows to divide, got {n_samples}.")
    n_test = min(max(round(test_share * n_samples), 1), n_samples - 1)
    order = np.random.default_rng(seed).permutation(n_samples)
    return Split(np.sort(order[n_test:]), np.sort(order[:n_test]), "random", seed, test_share)


def with_fewer_tests(split: Split, n_tests: int, *, seed: int = 0) -> Split:
    """Keep some test rows, drawn at random, so that measuring takes less time.

    Parameters
    ----------
    split : Split
        The split.
    n_tests : int
        How many test rows to keep, at least one.
    seed : int, default=0
        Seed of the draw.

    Returns
    -------
    Split
        The same training rows; the split itself where it has no more test rows than that.
    """
    if len(split.test) <= n_tests:
        return split
    kept = np.random.default_rng(seed).choice(split.test, n_tests, replace=False)
    return Split(split.train, np.sort(kept), split.kind, split.seed, split.test_share)


def _published_split(dataset: Dataset) -> Split:
    if dataset.split is None:
        raise ValueError(f"Data set {dataset.name!r} has no published split.")
    train, test = np.flatnonzero(~dataset.split), np.flatnonzero(dataset.split)
    return Split(train, test, "published", None, len(test) / dataset.n_samples)
