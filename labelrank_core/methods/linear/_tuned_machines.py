"""The base class of methods that learn one linear machine for every label."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from labelrank_core._sklearn import fit_context
from labelrank_core.methods.linear._basis import mean_of
from labelrank_core.methods.linear._decomposition import fold_rows
from labelrank_core.methods.linear._linear_scores import LinearScores, Subspace
from labelrank_core.methods.linear._scores_estimator import LinearScoresClassifier
from labelrank_core.methods.machines import Machines
from labelrank_core.rankings import FloatArray


class TunedMachines(LinearScoresClassifier):
    """Estimator whose ``_learn`` finds the machines; thresholds are tuned out of fold."""

    cv: int

    def _learn(self, X: Any, signs: FloatArray) -> Machines:
        """Learn weights and intercepts for every column of signs, 1 = relevant, -1 = not."""
        raise NotImplementedError

    def _shared(self, machines: Any) -> tuple[()] | tuple[Subspace, FloatArray]:  # noqa: ARG002
        """Return the subspace of weights and the weights outside it, of methods that have one."""
        return ()

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, Y: ArrayLike) -> Self:
        """Learn every label, once from all cases and once without each fold.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training cases.
        Y : array-like of shape (n_samples, n_labels) or (n_samples, n_labels + 1)
            A matrix of nothing but 0 and 1, 1 = relevant; or calibrated rankings: positions of
            the labels and, last, of the virtual label, which is strictly behind the relevant
            labels.

        Returns
        -------
        self
            Fitted.

        Raises
        ------
        ValueError
            If a parameter or an array is not as described.
        """
        cases, relevance = self._checked_label_sets(X, Y)
        signs = np.where(relevance == 1, 1.0, -1.0)
        machines = self._learn(cases, signs)
        mean = mean_of(cases, centre=True)
        baseline = mean @ machines.weights + machines.intercept
        out_of_fold = self._held_out_scores(cases, signs)
        shared = self._shared(machines)
        self._keep(LinearScores(machines.weights, baseline, mean, out_of_fold, relevance, *shared))
        # Without the rounding of the mean.
        self.intercept_ = machines.intercept
        self._check_learned(cases, signs)
        return self

    def _check_learned(self, X: Any, signs: FloatArray) -> None:
        """Warn of a poor fit, in methods that have something to warn of."""

    def _held_out_scores(self, X: Any, signs: FloatArray) -> FloatArray | None:
        """Score every row by machines learned without its fold; None for a single row."""
        scores = np.empty(signs.shape)
        folds = fold_rows(len(signs), self.cv)
        for held_out in folds:
            train = np.delete(np.arange(len(signs)), held_out)
            machines = self._learn(X[train], signs[train])
            scores[held_out] = X[held_out] @ machines.weights + machines.intercept
        return scores if folds else None
