"""Stratified folds of rankings and of label sets, as scikit-learn's splitters."""

from collections.abc import Iterator
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import BaseCrossValidator
from sklearn.utils import check_random_state

from labelrank_core.aggregation.virtual_labels import relevance_of_targets
from labelrank_core.data.frames import named_targets
from labelrank_core.data.splits import stratified_folds
from labelrank_core.rankings import IntArray, check_rankings


class _StratifiedLabels(BaseCrossValidator):
    """Folds that each get their share of every label that a row is marked with."""

    n_splits: int
    shuffle: bool
    random_state: Any

    def __init__(
        self, n_splits: int = 5, *, shuffle: bool = False, random_state: Any = None
    ) -> None:
        if not isinstance(n_splits, Integral) or n_splits < 2:
            raise ValueError(f"Expected n_splits of 2 or more, got {n_splits!r}.")
        if random_state is not None and not shuffle:
            raise ValueError("Expected shuffle=True with a random_state, got False.")
        self.n_splits = int(n_splits)
        self.shuffle = shuffle
        self.random_state = random_state

    def _iter_test_indices(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[IntArray]:  # noqa: ARG002
        if y is None:
            raise ValueError("Expected the targets as y: folds are stratified by them.")
        marks = self._marks(named_targets(y)[0])
        n_samples = len(marks)
        if n_samples < self.n_splits:
            raise ValueError(f"Expected {self.n_splits} rows or more, got {n_samples}.")
        order = np.arange(n_samples)
        if self.shuffle:
            order = check_random_state(self.random_state).permutation(n_samples)
        fold_of = np.empty(n_samples, dtype=np.int64)
        fold_of[order] = stratified_folds(marks[order], self.n_splits)
        for fold in range(self.n_splits):
            yield np.flatnonzero(fold_of == fold)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: ARG002
        """Return the number of folds.

        Parameters
        ----------
        X, y, groups : object
            Not used.

        Returns
        -------
        int
            `n_splits`.
        """
        return self.n_splits

    def _marks(self, targets: Any) -> NDArray[np.bool_]:
        raise NotImplementedError


class RankingStratifiedKFold(_StratifiedLabels):
    """Folds in which each label is ranked first about equally often.

    As `labelrank_core.data.cross_validation` with ``stratify=True``: iterative stratification,
    Algorithm 1 of [sechidis2011]_, over the labels ranked first, the rarest first; ties go to the
    fold that lacks most rows, then to the first one. Labels that tie for the first place count all;
    rows that rank nothing fill up the folds.

    Parameters
    ----------
    n_splits : int, default=5
        Number of folds, at least 2.
    shuffle : bool, default=False
        Whether rows are taken in a random order; else in theirs.
    random_state : int, RandomState instance or None, default=None
        Seed of the order; only with `shuffle`.

    References
    ----------
    .. [sechidis2011] K. Sechidis, G. Tsoumakas, I. Vlahavas: On the stratification of multi-label
       data. ECML PKDD 2011.

    Examples
    --------
    >>> from sklearn.model_selection import cross_val_score
    >>> from labelrank_core import KNeighborsLabelRanker, load_sample
    >>> X, Y = load_sample("iris").as_frame()
    >>> folds = RankingStratifiedKFold(5)
    >>> [int((Y.iloc[test] == 1).sum().max()) for _, test in folds.split(X, Y)]
    [10, 10, 10, 10, 10]
    >>> len(cross_val_score(KNeighborsLabelRanker(), X, Y, cv=folds))
    5
    """

    def _marks(self, targets: Any) -> NDArray[np.bool_]:
        return check_rankings(targets, allow_partial=True) == 1


class LabelSetStratifiedKFold(_StratifiedLabels):
    """Folds in which each label is relevant about equally often.

    As `labelrank_core.data.cross_validation` with ``stratify=True``: iterative stratification,
    Algorithm 1 of [sechidis2011]_, over the relevant labels, the rarest first; ties go to the fold
    that lacks most rows, then to the first one. Rows without a relevant label fill up the folds.

    Parameters
    ----------
    n_splits : int, default=5
        Number of folds, at least 2.
    shuffle : bool, default=False
        Whether rows are taken in a random order; else in theirs.
    random_state : int, RandomState instance or None, default=None
        Seed of the order; only with `shuffle`.

    References
    ----------
    .. [sechidis2011] K. Sechidis, G. Tsoumakas, I. Vlahavas: On the stratification of multi-label
       data. ECML PKDD 2011.

    Examples
    --------
    >>> sets = np.array([[1, 0], [1, 0], [0, 1], [0, 1], [1, 1], [1, 1]])
    >>> folds = LabelSetStratifiedKFold(2)
    >>> [sets[test].sum(axis=0).tolist() for _, test in folds.split(sets, sets)]
    [[2, 2], [2, 2]]
    """

    def _marks(self, targets: Any) -> NDArray[np.bool_]:
        return relevance_of_targets(targets) == 1
