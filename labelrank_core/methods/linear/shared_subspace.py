"""Shared-subspace least squares (MLLS-08)."""

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from labelrank_core._sklearn import Interval, StrOptions, fit_context, warn
from labelrank_core.methods.base import (
    check_count,
    checked_cases,
)
from labelrank_core.methods.kernels import Kernel
from labelrank_core.methods.linear._decomposition import decompose
from labelrank_core.methods.linear._path import SharedSubspacePath
from labelrank_core.methods.linear._predictions import SharedSubspacePredictions
from labelrank_core.methods.linear._solution import Settings, Solution
from labelrank_core.metrics.thresholds import RULES
from labelrank_core.rankings import FloatArray


class SharedSubspaceClassifier(SharedSubspacePredictions, BaseEstimator):
    r"""Predict label sets by least squares with a subspace that all labels share [ji2010]_.

    The weights of each label are the sum of its own part and a part in a subspace Θ of r dimensions
    that all labels share; alpha shrinks the own part, beta the whole:

    .. math:: \frac{1}{n} \left\| XU - Y \right\|^2 + \alpha \left\| U - \Theta^T V \right\|^2
        + \beta \left\| U \right\|^2, \quad \Theta \Theta^T = I, \quad Y_{il} = \pm 1.

    Solved globally by one factorisation (section 3 of the paper), which serves every alpha, beta
    and r: see `path`. Cases are sparse (CSR) or dense; sparse ones stay sparse.

    Parameters
    ----------
    alpha : float, default=0.1
        Penalty on the labels' own parts, at least 0. 0 is ridge regression; the larger, the closer
        to orthonormalised partial least squares.
    beta : float, default=0.01
        Penalty on all weights, at least 0. 0 is the formulation of Ando and Zhang.
    n_components : int or None, default=None
        r, dimensions of the subspace. None: the paper's 5 ⌊(m − 1) / 5⌋ for m labels, but at
        least 1 and, where that is possible, below the rank of XᵀY.
        From that rank on all combinations of labels are shared and alpha has no effect: a larger r
        is lowered to it, with a warning.
    kernel : {"linear", "rbf", "poly", "precomputed"}, default="linear"
        As in scikit-learn; with "precomputed" X is the kernel of cases with training cases,
        positive semidefinite.
    threshold : str, default="label_macro_f1"
        How the thresholds that scores must exceed are found. Four rules maximise a measure on
        out-of-fold scores: ``"label_macro_f1"``, macro F1 with a threshold for each label (the
        paper's choice, there on training scores, which overfit); ``"label_micro_f1"``, micro F1
        with a threshold for each label; ``"global_macro_f1"`` and ``"global_micro_f1"``, the same
        with one threshold for all labels. ``"zero"``: 0 for all, halfway between the targets.
        A label's own threshold t is shrunk to (n t + 3 g) / (n + 3), where g is the global
        threshold for the same measure and n the number of training rows that have the label, or
        lack it if those are fewer. A label that all or no training rows have keeps 0; so do all
        labels with a single training row.
    fit_intercept : bool, default=True
        Whether cases and targets are centred. The paper does not mention it, but its figures need
        it.
    cv : int, default=5
        Folds for the out-of-fold scores, at least 2: row i is held out by fold i modulo cv.
        Each costs a factorisation.
    gamma : float or None, default=None
        Parameter of the rbf and polynomial kernels; None: 1 / n_features.
    degree : float, default=3
        Degree of the polynomial kernel.
    coef0 : float, default=1
        Constant of the polynomial kernel.

    Attributes
    ----------
    coef_ : ndarray of shape (n_labels, n_features)
        Uᵀ; linear kernel only.
    components_ : ndarray of shape (n_components, n_features)
        Θ, orthonormal rows; linear kernel only. Not identified where alpha is 0.
    dual_coef_ : ndarray of shape (n_samples, n_labels)
        Weights of the training cases; other kernels only.
    intercept_ : ndarray of shape (n_labels,)
        Added to the product of features with `coef_`, or of the kernel with `dual_coef_`.
    baseline_ : ndarray of shape (n_labels,)
        Score of the mean case; zeros without intercept.
    thresholds_ : ndarray of shape (n_labels,)
        The thresholds that scores must exceed.
    objective_ : float
        The minimum, on the training cases.
    n_components_ : int
        r in use.
    n_labels_ : int
        Number of labels.
    n_features_in_ : int
        Number of features.

    Notes
    -----
    Raw scores estimate the targets +1 and -1. With a threshold for each label, their order may
    differ from that of `decision_function` and `predict_ranking`, and is better where thresholds
    were tuned on few positives. Scores are rounded to 12 decimals, so that labels that tie in exact
    arithmetic tie here; ties are broken by label index. A label whose score equals its threshold is
    irrelevant.

    Singular values σ of the centred cases count as zero up to max(n, d) ε times the largest where
    they come from an SVD (dense X with d ≤ n), and squares of them up to max(n, d) ε times the
    largest square where they come from a Gram matrix: of the features for sparse X with d ≤ n, of
    the cases otherwise, so that no d × d matrix is formed where d > n. ε = 2⁻⁵². All of Θ and U
    lies in the row space of X, also where beta = 0 and d > n leave more than one optimum.

    Of calibrated rankings only the relevance is learned, not the order among relevant labels or
    among the others.

    References
    ----------
    .. [ji2010] S. Ji, L. Tang, S. Yu, J. Ye: A shared-subspace learning framework for multi-label
       classification. ACM Transactions on Knowledge Discovery from Data 4(2), 2010.

    Examples
    --------
    >>> X = [[0.0, 1.0], [0.2, 0.8], [0.9, 0.1], [1.0, 0.0]]
    >>> Y = [[0, 1, 1], [0, 1, 0], [1, 0, 0], [1, 0, 0]]
    >>> model = SharedSubspaceClassifier(threshold="zero").fit(X, Y)
    >>> model.predict([[0.0, 1.0], [0.8, 0.2]])
    array([[0, 1, 1],
           [1, 0, 0]])
    >>> model.path([[0.0, 1.0]]).at(beta=1.0).prediction
    array([[0, 1, 0]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "alpha": [Interval(Real, 0, None, closed="left")],
        "beta": [Interval(Real, 0, None, closed="left")],
        "n_components": [Interval(Integral, 1, None, closed="left"), None],
        "kernel": [StrOptions({"linear", "rbf", "poly", "precomputed"})],
        "threshold": [StrOptions(set(RULES))],
        "fit_intercept": ["boolean"],
        "cv": [Interval(Integral, 2, None, closed="left")],
        "gamma": [Interval(Real, 0, None, closed="left"), None],
        "degree": [Interval(Real, 0, None, closed="left")],
        "coef0": [Interval(Real, None, None, closed="neither")],
    }

    def __init__(
        self,
        alpha: float = 0.1,
        *,
        beta: float = 0.01,
        n_components: int | None = None,
        kernel: str = "linear",
        threshold: str = "label_macro_f1",
        fit_intercept: bool = True,
        cv: int = 5,
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
    ) -> None:
        self.alpha = alpha
        self.beta = beta
        self.n_components = n_components
        self.kernel = kernel
        self.threshold = threshold
        self.fit_intercept = fit_intercept
        self.cv = cv
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, Y: ArrayLike) -> Self:
        """Factorise the training cases, solve, and tune the thresholds.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training cases; (n_samples, n_samples) where the kernel is precomputed.
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
        X, relevance = self._checked_label_sets(X, Y)
        if self.kernel == "precomputed" and X.shape[0] != X.shape[1]:
            raise ValueError(f"Expected a square precomputed kernel in X, got shape {X.shape}.")
        self.n_labels_ = relevance.shape[1]
        self._relevance = relevance
        params = {"gamma": self.gamma, "degree": self.degree, "coef0": self.coef0}
        self._kernel = Kernel(self.kernel, params)
        self._decomposition = decompose(
            X,
            np.where(relevance == 1, 1.0, -1.0),
            kernel=self._kernel,
            centre=self.fit_intercept,
            n_folds=0 if self.threshold == "zero" else self.cv,
        )
        self._warn_of_rank()
        self._solution = self._solve_at(self.alpha, self.beta, self.n_components, self.threshold)
        return self._set_attributes()

    def _checked(self, X: Any, *, reset: bool) -> Any:
        formats = False if self.kernel == "precomputed" else "csr"
        return checked_cases(self, X, reset=reset, formats=formats)

    def _warn_of_rank(self) -> None:
        rank = self._decomposition.spectrum.rank
        if self.n_components is not None and self.n_components >= rank:
            warn(
                f"n_components = {self.n_components} is not below the rank of XᵀY, {rank}: every "
                "combination of labels is shared, alpha does nothing and the model is ridge "
                "regression with penalty beta."
            )

    def _set_attributes(self) -> Self:
        solution, parts = self._solution, self._decomposition
        self.n_components_ = solution.settings.n_components
        self.thresholds_ = solution.thresholds
        self.objective_ = solution.objective
        self.baseline_ = parts.baseline
        self.intercept_ = parts.baseline - parts.basis.mean @ solution.weights
        if self.kernel == "linear":
            self.coef_ = solution.weights.T
            self.components_ = parts.basis.weights(solution.subspace.T).T
        else:
            self.dual_coef_ = solution.weights
        return self

    def _components_in_use(self, n_components: int | None) -> int:
        rank = self._decomposition.spectrum.rank
        if n_components is None:
            n_components = max(1, min(5 * ((self.n_labels_ - 1) // 5), rank - 1))
        return min(n_components, rank)

    def _solve_at(
        self, alpha: float, beta: float, n_components: int | None, threshold: str
    ) -> Solution:
        r = self._components_in_use(n_components)
        settings = Settings(float(alpha), float(beta), r, threshold)
        return Solution(settings, self._decomposition, self._relevance)

    def _solve(
        self,
        alpha: float | None,
        beta: float | None,
        n_components: int | None,
        threshold: str | None,
    ) -> Solution:
        """Solve at another setting; None: the model's own."""
        fitted = self._solution.settings
        alpha = fitted.alpha if alpha is None else alpha
        beta = fitted.beta if beta is None else beta
        r = fitted.n_components if n_components is None else n_components
        threshold = fitted.threshold if threshold is None else threshold
        if not (0 <= alpha < np.inf and 0 <= beta < np.inf):
            raise ValueError(f"Expected alpha and beta of at least 0, got {alpha} and {beta}.")
        if n_components is not None:
            check_count("n_components", n_components)
        if threshold not in RULES:
            raise ValueError(f"Expected threshold in {sorted(RULES)}, got {threshold!r}.")
        if threshold != "zero" and fitted.threshold == "zero":
            raise ValueError(
                f"Expected a model fitted with another threshold than 'zero' for {threshold!r}: "
                "this one has no out-of-fold scores."
            )
        solution = self._solve_at(alpha, beta, r, threshold)
        return self._solution if solution.settings == fitted else solution

    def path(self, X: Any) -> SharedSubspacePath:
        """Prepare cases for predictions at any (alpha, beta, n_components) and threshold rule.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        SharedSubspacePath
            ``path.at(alpha=a, beta=b, n_components=r, threshold=rule)`` equals a fresh fit,
            thresholds included.
        """
        check_is_fitted(self)
        cases = self._decomposition.basis.centred(self._checked(X, reset=False))
        return SharedSubspacePath(self, cases, self._solve, self._kernel.name)

    def out_of_fold_scores(
        self,
        *,
        alpha: ArrayLike | None = None,
        beta: float | None = None,
        n_components: int | None = None,
    ) -> FloatArray:
        """Score every training row by the fold without it, without another factorisation.

        Thresholds are tuned on these scores, and a search over (alpha, beta, n_components) can use
        the same folds. Several alphas at once are faster than one after the other.

        Parameters
        ----------
        alpha : float, array-like of shape (n_alphas,) or None, default=None
            Penalty, or several; None: the model's.
        beta : float or None, default=None
            Penalty; None: the model's.
        n_components : int or None, default=None
            r; None: the model's.

        Returns
        -------
        ndarray of shape (n_samples, n_labels), or (n_alphas, n_samples, n_labels) for several
            Raw scores.

        Raises
        ------
        ValueError
            If the model was fitted with threshold "zero" or on a single row, without folds.
        """
        check_is_fitted(self)
        if not self._decomposition.folds:
            raise ValueError(
                "Expected a model with folds: threshold not 'zero' and at least two rows."
            )
        alphas = np.asarray(self.alpha if alpha is None else alpha, dtype=np.float64)
        for value in alphas.ravel():
            settings = self._solve(value, beta, n_components, None).settings
        scores = self._decomposition.out_of_fold_scores(
            np.atleast_1d(alphas), settings.beta, settings.n_components
        )
        return scores[0] if alphas.ndim == 0 else scores
