"""Which rows of a data set train a model and which test it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from labelrank_core.data.dataset import Dataset, Task
from labelrank_core.data.pair_preferences import PairPreferences
from labelrank_core.rankings import FloatArray, IntArray, check_rankings, dense_positions


@dataclass(frozen=True, eq=False)
class Split:
    """Which rows train and which test.

    Parameters
    ----------
    train, test : array-like of int
        Row numbers, kept as read-only arrays; both hold at least one row, and none in common.
    kind : {"published", "random", "fold"}
        Where the split comes from.
    seed : int or None
        Seed of a random split or of folds.
    test_share : float
        Share of test rows: the requested one, or that of a published split.

    Raises
    ------
    ValueError
        If the training or the test set is empty, or if they overlap.
    """

    train: IntArray
    test: IntArray
    kind: Literal["published", "random", "fold"]
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
    """Divide the rows into a training and a test set.

    Parameters
    ----------
    dataset : Dataset
        The data, at least two rows.
    kind : {"auto", "published", "random"}, default="auto"
        The published split of the data set, a random one, or the published one if there is one.
    test_share : float, default=0.3
        Share of test rows of a random split, between 0 and 1; rounded to whole rows, at least one
        for training and one for testing.
    seed : int, default=0
        Seed of a random split; the same seed gives the same split.

    Returns
    -------
    Split
        The row numbers of both sets.

    Raises
    ------
    ValueError
        If there are fewer than two rows, no published split although `kind` is "published", or
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


# Draws before giving up on training rows with every label.
_MOST_DRAWS = 1000


def covering_split(dataset: Dataset, n_train: int, *, seed: int = 0) -> Split:
    """Draw training rows until every label is relevant in one of them; the others are tests.

    Parameters
    ----------
    dataset : Dataset
        The data, with relevant labels.
    n_train : int
        Number of training rows.
    seed : int, default=0
        The same seed gives the same split.

    Returns
    -------
    Split
        The row numbers of both sets, ascending.

    Raises
    ------
    ValueError
        If the task has no relevant labels, too few rows are left to test, or no draw of 1000 has
        every label.

    Examples
    --------
    >>> from labelrank_core.data import load_sample
    >>> split = covering_split(load_sample("songs"), 30)
    >>> len(split.train)
    30
    """
    if not dataset.task.has_zero_line:
        raise ValueError(f"Expected label sets in {dataset.name!r}, got rankings without them.")
    n_samples, relevant = dataset.n_samples, dataset.relevance == 1
    if not 1 <= n_train < n_samples:
        raise ValueError(f"Expected 1 to {n_samples - 1} training rows, got {n_train}.")
    random = np.random.default_rng(seed)
    for _ in range(_MOST_DRAWS):
        order = random.permutation(n_samples)
        train, test = np.sort(order[:n_train]), np.sort(order[n_train:])
        if relevant[train].any(axis=0).all():
            return Split(train, test, "random", seed, len(test) / n_samples)
    raise ValueError(f"Expected every label in {n_train} training rows, got none in 1000 draws.")


def with_fewer_tests(split: Split, n_tests: int, *, seed: int = 0) -> Split:
    """Keep some test rows, drawn at random, so that evaluating takes less time.

    Parameters
    ----------
    split : Split
        Training and test rows.
    n_tests : int
        How many test rows to keep at most.
    seed : int, default=0
        The same seed keeps the same rows.

    Returns
    -------
    Split
        With the same training rows.

    Examples
    --------
    >>> from labelrank_core.data import load_sample
    >>> split = with_fewer_tests(holdout_split(load_sample("iris")), 10)
    >>> len(split.train), len(split.test)
    (105, 10)
    """
    if len(split.test) <= n_tests:
        return split
    test_rows = np.random.default_rng(seed).choice(split.test, n_tests, replace=False)
    return Split(split.train, np.sort(test_rows), split.kind, split.seed, split.test_share)


@dataclass(frozen=True, eq=False)
class Fold:
    """One fold of a repeated cross-validation.

    Parameters
    ----------
    repeat, number : int
        Which repetition and which fold of it, from 0.
    split : Split
        The fold as test set, all other rows as training set.
    """

    repeat: int
    number: int
    split: Split


def smallest_training(folds: Sequence[Fold]) -> int:
    """Return the number of training rows of the fold with the fewest.

    Parameters
    ----------
    folds : sequence of Fold
        One or more.

    Returns
    -------
    int
        A number of rows.

    Examples
    --------
    >>> from labelrank_core.data import load_sample
    >>> smallest_training(cross_validation(load_sample("iris"), n_folds=4))
    112
    """
    return min(len(fold.split.train) for fold in folds)


def cross_validation(
    dataset: Dataset,
    *,
    n_folds: int = 10,
    n_repeats: int = 1,
    seed: int = 0,
    stratify: bool = False,
) -> list[Fold]:
    """Divide the rows into folds, each of which is the test set once per repetition.

    Parameters
    ----------
    dataset : Dataset
        The data, at least as many rows as folds.
    n_folds : int, default=10
        Folds per repetition, at least 2; unless stratified, their sizes differ by at most one row.
    n_repeats : int, default=1
        Number of repetitions, each with another random division.
    seed : int, default=0
        Repetition r depends only on the seed and r, so that more repetitions do not change the
        first ones.
    stratify : bool, default=False
        Whether every fold gets its share of every label: of the labels ranked first in plain
        rankings; of those preferred in a pair, and never the other label, where targets are pairs;
        else of the relevant labels ([sechidis2011]_, Algorithm 1, rarest label first; ties go to
        the fold that lacks most rows, then to the first one).

    Returns
    -------
    list of Fold
        Repetition by repetition; row numbers ascend in both sets.

    Raises
    ------
    ValueError
        If there are fewer rows than folds, or a number is too small.

    References
    ----------
    .. [sechidis2011] K. Sechidis, G. Tsoumakas, I. Vlahavas: On the stratification of multi-label
       data. ECML PKDD 2011.

    Examples
    --------
    >>> from labelrank_core import Task
    >>> data = Dataset(X=[[0.0], [1.0], [2.0]], Y=[[1, 2], [2, 1], [1, 2]],
    ...                task=Task.LABEL_RANKING, feature_names=["x"], label_names=["a", "b"],
    ...                name="tiny")
    >>> sorted(int(fold.split.test[0]) for fold in cross_validation(data, n_folds=3))
    [0, 1, 2]
    """
    if n_repeats < 1:
        raise ValueError(f"Expected at least one repetition, got {n_repeats}.")
    return [
        fold
        for repeat in range(n_repeats)
        for fold in repetition(dataset, repeat, n_folds=n_folds, seed=seed, stratify=stratify)
    ]


def repetition(
    dataset: Dataset, repeat: int, *, n_folds: int = 10, seed: int = 0, stratify: bool = False
) -> list[Fold]:
    """Divide the rows into the folds of one repetition of `cross_validation`.

    Parameters
    ----------
    dataset : Dataset
        The data, at least as many rows as folds.
    repeat : int
        Which repetition, from 0.
    n_folds : int, default=10
        As for `cross_validation`.
    seed : int, default=0
        As for `cross_validation`.
    stratify : bool, default=False
        As for `cross_validation`.

    Returns
    -------
    list of Fold
        The folds, which hold every row once as a test.

    Raises
    ------
    ValueError
        If there are fewer rows than folds, or fewer than two folds.

    Examples
    --------
    >>> from labelrank_core.data import load_sample
    >>> [len(fold.split.test) for fold in repetition(load_sample("iris"), 0, n_folds=4)]
    [38, 38, 37, 37]
    """
    n_samples = dataset.n_samples
    if not 2 <= n_folds <= n_samples:
        raise ValueError(f"Expected 2 to {n_samples} folds of {n_samples} rows, got {n_folds}.")
    marks = _stratified_labels(dataset) if stratify else np.zeros((n_samples, 0), dtype=bool)
    order = np.random.default_rng([seed, repeat]).permutation(n_samples)
    fold_of = np.empty(n_samples, dtype=np.int64)
    fold_of[order] = stratified_folds(marks[order], n_folds)
    folds = []
    for number in range(n_folds):
        test = np.flatnonzero(fold_of == number)
        train = np.flatnonzero(fold_of != number)
        folds.append(Fold(repeat, number, Split(train, test, "fold", seed, len(test) / n_samples)))
    return folds


def delete_labels(rankings: ArrayLike, share: float, *, seed: int | Sequence[int]) -> FloatArray:
    """Delete each label of each ranking with the same probability, as in section 5 of [LRRF]_.

    Parameters
    ----------
    rankings : array-like of shape (n_samples, n_labels)
        Positions, NaN = not ranked.
    share : float
        Probability p0 that a label is deleted, at least 0 and below 1.
    seed : int or sequence of int
        The same seed deletes the same labels.

    Returns
    -------
    ndarray of shape (n_samples, n_labels)
        The remaining labels, ranked from 1; a row may have none left.

    Raises
    ------
    ValueError
        If the share is out of range.

    References
    ----------
    .. [LRRF] Y. Zhou, G. Qiu: Random forest for label ranking. Expert Systems with Applications
       112, 2018.

    Examples
    --------
    >>> delete_labels([[1, 2, 3], [3, 1, 2]], 0.4, seed=1)
    array([[ 1.,  2., nan],
           [ 2., nan,  1.]])
    """
    if not 0 <= share < 1:
        raise ValueError(f"Expected a probability of at least 0 and below 1, got {share}.")
    incomplete = check_rankings(rankings, allow_partial=True).astype(np.float64)
    incomplete[np.random.default_rng(seed).random(incomplete.shape) < share] = np.nan
    return dense_positions(incomplete)


def delete_known(
    orders: FloatArray | PairPreferences, share: float, *, seed: int | Sequence[int]
) -> FloatArray | PairPreferences:
    """Delete labels of rankings by `delete_labels`, or known pairs by `without_pairs`.

    Parameters
    ----------
    orders : ndarray of shape (n_samples, n_labels) or PairPreferences
        Positions, NaN = not ranked; or preferences between pairs.
    share : float
        The probability of each label, or of each known pair, to be deleted.
    seed : int or sequence of int
        Seed of the draw. With the same one, a larger share also deletes what a smaller does.

    Returns
    -------
    ndarray of shape (n_samples, n_labels) or PairPreferences
        The remaining labels, ranked from 1, ties kept; or the remaining pairs. A row may have none.

    Raises
    ------
    ValueError
        If the share is not at least 0 and below 1.

    Examples
    --------
    >>> delete_known(np.array([[1.0, 2.0, 3.0], [3.0, 1.0, 2.0]]), 0.4, seed=1)
    array([[ 1.,  2., nan],
           [ 2., nan,  1.]])
    """
    if isinstance(orders, PairPreferences):
        return orders.without_pairs(share, random_state=seed)
    return delete_labels(orders, share, seed=seed)


def _stratified_labels(dataset: Dataset) -> NDArray[np.bool_]:
    """Mark the labels whose shares the folds keep: those ranked first, or the relevant ones.

    Of preferences between pairs those that a case prefers to another label and none to them.
    """
    if dataset.task is Task.PAIR_PREFERENCES:
        return dataset.preferences.undefeated
    if dataset.task is Task.LABEL_RANKING:
        return dataset.rankings == 1
    return dataset.relevance == 1


def stratified_folds(marks: NDArray[np.bool_], n_folds: int) -> IntArray:
    """Assign every row to a fold, rarest label first.

    Parameters
    ----------
    marks : ndarray of bool, shape (n_samples, n_labels)
        Which labels a row counts for.
    n_folds : int
        Number of folds.

    Returns
    -------
    ndarray of int, shape (n_samples,)
        The fold of each row, from 0. Ties: the fold with the fewest rows, then the first one. Rows
        without labels take turns.

    Examples
    --------
    >>> stratified_folds(np.array([[True], [False], [True], [False]]), 2)
    array([0, 0, 1, 1])
    """
    n_samples = len(marks)
    fold_of = np.full(n_samples, -1)
    rows_missing = np.full(n_folds, n_samples / n_folds)
    n_missing = np.tile(marks.sum(axis=0) / n_folds, (n_folds, 1))
    while (unassigned := fold_of < 0).any():
        counts = marks[unassigned].sum(axis=0)
        if not counts.any():
            for row in np.flatnonzero(unassigned):
                fold = int(np.argmax(rows_missing))
                fold_of[row] = fold
                rows_missing[fold] -= 1
            break
        label = int(np.argmin(np.where(counts > 0, counts, n_samples + 1)))
        for row in np.flatnonzero(unassigned & marks[:, label]):
            neediest = n_missing[:, label] >= n_missing[:, label].max() - 1e-9
            fold = int(np.argmax(np.where(neediest, rows_missing, -np.inf)))
            fold_of[row] = fold
            rows_missing[fold] -= 1
            n_missing[fold] -= marks[row]
    return fold_of


def _published_split(dataset: Dataset) -> Split:
    if dataset.split is None:
        raise ValueError(f"Data set {dataset.name!r} has no published split.")
    train, test = np.flatnonzero(~dataset.split), np.flatnonzero(dataset.split)
    return Split(train, test, "published", None, len(test) / dataset.n_samples)
