"""Support vector machines on canonical directions of features and labels (MLLS-08)."""

from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from labelrank_core._sklearn import Interval, StrOptions, fit_context
from labelrank_core.methods.linear._canonical import (
    canonical_directions,
    factorise,
    label_gram,
)
from labelrank_core.methods.linear._decomposition import fold_rows
from labelrank_core.methods.linear._linear_scores import LinearScores, Subspace
from labelrank_core.methods.linear._scores_estimator import LinearScoresClassifier
from labelrank_core.methods.machines import learn_linear
from labelrank_core.metrics.thresholds import RULES
from labelrank_core.rankings import FloatArray


class CCASVMClassifier(LinearScoresClassifier):
    """Predict label sets by a linear machine per label on the canonical directions of the labels.

    The rival "CCA+SVM" in section 6 of [ji2010]_. Canonical correlation analysis [hotelling1936]_
    finds directions w of the features whose values correlate most with combinations of the labels;
    a support vector machine learns each label from the values along them. A label is relevant where
    its score exceeds a threshold tuned on out-of-fold scores. Cases are sparse (CSR) or dense;
    sparse ones stay sparse.

    Parameters
    ----------
    cca_penalty : float, default=0.1
        γ, at least 0: directions have wᵀ(XᵀX/n + γ I)w = 1, with centred X. The paper tunes it on
        10⁻⁶, 10⁻⁵ … 10.
    C : float, default=1.0
        Inverse penalty of the machines, larger than 0, as in scikit-learn. The paper tunes it on
        10⁻⁴, 10⁻³ … 10⁵.
    n_components : int or None, default=None
        How many directions, those with the largest correlations; None: all, as in the paper, which
        are at most as many as there are labels.
    threshold : str, default="label_macro_f1"
        How the thresholds are found: the rules of `SharedSubspaceClassifier`.
    cv : int, default=5
        Folds for the out-of-fold scores, at least 2: row i is held out by fold i modulo cv.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The directions w, the best correlated first.
    correlations_ : ndarray of shape (n_components,)
        Their correlations with the labels; smaller than those without γ.
    n_components_ : int
        Number of directions in use.
    coef_ : ndarray of shape (n_labels, n_features)
        Weights of the features in the scores.
    intercept_ : ndarray of shape (n_labels,)
        Intercepts of the scores.
    baseline_ : ndarray of shape (n_labels,)
        Score of the mean case.
    thresholds_ : ndarray of shape (n_labels,)
        The thresholds that scores must exceed.
    n_labels_ : int
        Number of labels.
    n_features_in_ : int
        Number of features.

    Notes
    -----
    Each fold finds directions of its own. The threshold is a parameter of the path. Differs from
    the paper, which used LIBSVM and tunes thresholds on training scores: the hinge loss is squared
    and intercepts are penalised, as in scikit-learn's ``LinearSVC``. It gives neither the length of
    the directions nor an intercept: ours have the length above, and cases are centred.

    Labels that are combinations of others, or constant, add no direction; constant ones have the
    score 1 or -1. Scores are rounded to 12 decimals. A label whose score equals its threshold is
    irrelevant; ties in rankings are broken by label index. Of calibrated rankings only the
    relevance is learned.

    References
    ----------
    .. [ji2010] S. Ji, L. Tang, S. Yu, J. Ye: A shared-subspace learning framework for multi-label
       classification. ACM Transactions on Knowledge Discovery from Data 4(2), 2010.
    .. [hotelling1936] H. Hotelling: Relations between two sets of variates. Biometrika 28, 1936.

    Examples
    --------
    >>> X = [[0.0, 1.0], [0.2, 0.8], [0.9, 0.1], [1.0, 0.0]]
    >>> Y = [[0, 1, 1], [0, 1, 0], [1, 0, 0], [1, 0, 0]]
    >>> model = CCASVMClassifier(threshold="zero").fit(X, Y)
    >>> model.predict([[0.0, 1.0], [0.8, 0.2]])
    array([[0, 1, 1],
           [1, 0, 0]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "cca_penalty": [Interval(Real, 0, None, closed="left")],
        "C": [Interval(Real, 0, None, closed="neither")],
        "n_components": [Interval(Integral, 1, None, closed="left"), None],
        "threshold": [StrOptions(set(RULES))],
        "cv": [Interval(Integral, 2, None, closed="left")],
    }

    def __init__(
        self,
        cca_penalty: float = 0.1,
        C: float = 1.0,
        *,
        n_components: int | None = None,
        threshold: str = "label_macro_f1",
        cv: int = 5,
    ) -> None:
        self.cca_penalty = cca_penalty
        self.C = C
        self.n_components = n_components
        self.threshold = threshold
        self.cv = cv

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, Y: ArrayLike) -> Self:
        """Find the directions and learn each label on them, once for all and for each fold.

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
        folds = fold_rows(len(signs), self.cv)
        out_of_fold = np.empty(signs.shape)
        for rows in folds:
            train = np.delete(np.arange(len(signs)), rows)
            basis, directions, _, machines = self._learn(cases[train], signs[train])
            weights = basis.weights(directions @ machines.weights)
            out_of_fold[rows] = machines.intercept + basis.centred(cases[rows]).dot(weights)
        basis, directions, self.correlations_, machines = self._learn(cases, signs)
        self._keep(
            LinearScores(
                weights=basis.weights(directions @ machines.weights),
                baseline=machines.intercept,
                mean=basis.mean,
                out_of_fold=out_of_fold if folds else None,
                relevance=relevance,
                subspace=Subspace(basis.weights(directions), machines.weights),
            )
        )
        return self

    def _learn(self, X: Any, signs: FloatArray) -> tuple[Any, FloatArray, FloatArray, Any]:
        """Return the basis, the directions in it, their correlations and the machines on them."""
        parts = factorise(X, signs, n_folds=1)
        directions, correlations = canonical_directions(
            parts.spectrum, label_gram(signs), self.cca_penalty
        )
        directions = directions[:, : self.n_components]
        along = parts.basis.centred(X).dot(parts.basis.weights(directions))
        r = directions.shape[1]
        # Without directions the intercepts are learned from a column of zeros.
        machines = learn_linear(along if r else np.zeros((len(signs), 1)), signs, self.C)
        machines = replace(machines, weights=machines.weights[:r])
        return parts.basis, directions, correlations[:r], machines
