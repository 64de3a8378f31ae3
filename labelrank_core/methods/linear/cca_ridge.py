"""Ridge regression on canonical directions of features and labels (MLLS-08)."""

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from labelrank_core._sklearn import Interval, StrOptions, fit_context
from labelrank_core.methods.base import check_count
from labelrank_core.methods.linear._canonical import (
    canonical_directions,
    factorise,
    label_gram,
    ridge_on,
)
from labelrank_core.methods.linear._linear_scores import (
    LinearScores,
    LinearScoresPath,
    LinearScoresPoint,
    Subspace,
)
from labelrank_core.methods.linear._scores_estimator import LinearScoresClassifier
from labelrank_core.metrics.thresholds import RULES


class CCARidgeClassifier(LinearScoresClassifier):
    """Predict label sets by ridge regression on the canonical directions of the labels.

    The rival "CCA+Ridge" in section 6 of [ji2010]_. Canonical correlation analysis [hotelling1936]_
    finds directions w of the features whose values correlate most with combinations of the labels;
    ridge regression predicts each label, as 1 or -1, from the values along them. A label is
    relevant where its score exceeds a threshold tuned on out-of-fold scores. Cases are sparse (CSR)
    or dense; sparse ones stay sparse.

    Parameters
    ----------
    cca_penalty : float, default=0.1
        γ, at least 0: directions have wᵀ(XᵀX/n + γ I)w = 1, with centred X. The paper tunes it on
        10⁻⁶, 10⁻⁵ … 10. At 0 with more features than cases every label is met exactly.
    ridge_penalty : float, default=0.01
        λ, at least 0, of ‖ZU − Y‖²/n + λ‖U‖², where Z are the values along the directions. The
        paper tunes it on 10⁻⁶, 10⁻⁵ … 1.
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
    One factorisation of the cases, and one for each fold, serve every γ, λ and number of
    directions, which are parameters of the path. The paper gives neither the length of the
    directions nor an intercept: ours have the length above, and cases and labels are centred. It
    tunes thresholds on training scores, which overfit.

    Labels that are combinations of others, or constant, add no direction. Scores are rounded to 12
    decimals. A label whose score equals its threshold is irrelevant; ties in rankings are broken by
    label index. Of calibrated rankings only the relevance is learned.

    References
    ----------
    .. [ji2010] S. Ji, L. Tang, S. Yu, J. Ye: A shared-subspace learning framework for multi-label
       classification. ACM Transactions on Knowledge Discovery from Data 4(2), 2010.
    .. [hotelling1936] H. Hotelling: Relations between two sets of variates. Biometrika 28, 1936.

    Examples
    --------
    >>> X = [[0.0, 1.0], [0.2, 0.8], [0.9, 0.1], [1.0, 0.0]]
    >>> Y = [[0, 1, 1], [0, 1, 0], [1, 0, 0], [1, 0, 0]]
    >>> model = CCARidgeClassifier(threshold="zero").fit(X, Y)
    >>> model.predict([[0.0, 1.0], [0.8, 0.2]])
    array([[0, 1, 1],
           [1, 0, 0]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "cca_penalty": [Interval(Real, 0, None, closed="left")],
        "ridge_penalty": [Interval(Real, 0, None, closed="left")],
        "n_components": [Interval(Integral, 1, None, closed="left"), None],
        "threshold": [StrOptions(set(RULES))],
        "cv": [Interval(Integral, 2, None, closed="left")],
    }

    def __init__(
        self,
        cca_penalty: float = 0.1,
        ridge_penalty: float = 0.01,
        *,
        n_components: int | None = None,
        threshold: str = "label_macro_f1",
        cv: int = 5,
    ) -> None:
        self.cca_penalty = cca_penalty
        self.ridge_penalty = ridge_penalty
        self.n_components = n_components
        self.threshold = threshold
        self.cv = cv

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, Y: ArrayLike) -> Self:
        """Factorise the training cases, find the directions and learn the labels on them.

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
        cases, self._relevance = self._checked_label_sets(X, Y)
        signs = np.where(self._relevance == 1, 1.0, -1.0)
        self._decomposition = factorise(cases, signs, self.cv)
        held_out = [fold.rows for fold in self._decomposition.folds]
        self._grams = [label_gram(np.delete(signs, rows, axis=0)) for rows in held_out]
        self._gram = label_gram(signs)
        self._setting = float(self.cca_penalty), float(self.ridge_penalty), self.n_components
        self._keep(self._solve(*self._setting))
        _, correlations = canonical_directions(
            self._decomposition.spectrum, self._gram, self._setting[0]
        )
        self.correlations_ = correlations[: self.n_components_]
        return self

    def path(self, X: Any) -> "CCARidgePath":
        """Prepare cases for predictions with any penalties, directions and threshold rule.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        CCARidgePath
            ``path.at(cca_penalty=γ, ridge_penalty=λ, n_components=r, threshold=rule)`` equals a
            fresh fit, thresholds included.
        """
        check_is_fitted(self)
        return CCARidgePath(self, self._checked(X, reset=False), self._scores_at, self._rule)

    def _scores_at(
        self,
        *,
        cca_penalty: float | None = None,
        ridge_penalty: float | None = None,
        n_components: int | None = None,
    ) -> LinearScores:
        own_gamma, own_penalty, own_r = self._setting
        gamma = own_gamma if cca_penalty is None else cca_penalty
        penalty = own_penalty if ridge_penalty is None else ridge_penalty
        r = own_r if n_components is None else n_components
        for name, value in (("cca_penalty", gamma), ("ridge_penalty", penalty)):
            if not 0 <= value < np.inf:
                raise ValueError(f"Expected {name} of at least 0, got {value}.")
        if r is not None:
            check_count("n_components", r)
        same = (gamma, penalty, r) == self._setting
        return self._scores if same else self._solve(gamma, penalty, r)

    def _solve(self, gamma: float, penalty: float, r: int | None) -> LinearScores:
        decomposition, relevance = self._decomposition, self._relevance
        directions = canonical_directions(decomposition.spectrum, self._gram, gamma)[0][:, :r]
        slopes = ridge_on(decomposition.spectrum, directions, penalty)
        out_of_fold = np.empty(relevance.shape)
        for fold, gram in zip(decomposition.folds, self._grams, strict=True):
            inner = canonical_directions(fold.spectrum, gram, gamma)[0][:, :r]
            weights = inner @ ridge_on(fold.spectrum, inner, penalty)
            out_of_fold[fold.rows] = fold.baseline + fold.coordinates @ weights
        inside = decomposition.basis.weights(directions)
        return LinearScores(
            weights=decomposition.basis.weights(directions @ slopes),
            baseline=decomposition.baseline,
            mean=decomposition.basis.mean,
            out_of_fold=out_of_fold if decomposition.folds else None,
            relevance=relevance,
            subspace=Subspace(inside, slopes),
        )


class CCARidgePath(LinearScoresPath):
    """Cases to predict with any penalties, number of directions and threshold rule."""

    def at(
        self,
        *,
        cca_penalty: float | None = None,
        ridge_penalty: float | None = None,
        n_components: int | None = None,
        threshold: str | None = None,
    ) -> LinearScoresPoint:
        """Predict at another setting; None: the model's. ValueError if a value is out of range."""
        linear_scores = self.scores_at(
            cca_penalty=cca_penalty, ridge_penalty=ridge_penalty, n_components=n_components
        )
        return self._point(linear_scores, threshold)
