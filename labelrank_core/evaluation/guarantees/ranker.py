"""A wrapper that tells of any label ranker which of its pairs can be relied on."""

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, clone
from sklearn.utils import Tags, check_random_state, get_tags
from sklearn.utils.validation import check_is_fitted

from labelrank_core._sklearn import Interval, StrOptions, fit_context, rows_of, warn
from labelrank_core.evaluation.guarantees.calibration import (
    ANY_PAIR,
    HELD_OUT,
    RISKS,
    Calibration,
    fewest_cases,
    hold_out,
    orders_pairs,
    pair_losses,
)
from labelrank_core.evaluation.guarantees.semiorder import (
    label_scores,
    score_gaps,
    sure_pairs,
)
from labelrank_core.explain.evidence import possible_positions
from labelrank_core.methods.base import LabelRankerMixin, require_as_many_rows, require_targets
from labelrank_core.rankings import FloatArray, IntArray, check_rankings, strict_positions


class ConformalLabelRanker(LabelRankerMixin, BaseEstimator):
    """Tell which label is surely ahead of which, with a guarantee on how often that is wrong.

    Cases that the ranker has not been trained on show how far the scores of two labels can lie
    apart in the wrong order. Pairs that lie further apart than a threshold are decided, the others
    stay undecided.

    Parameters
    ----------
    estimator : label ranker
        Any ranker of this package, bare or last in a pipeline; of another one the positions
        themselves serve as scores. Its copies are fitted.
    alpha : float, default=0.1
        The risk allowed, above 0 and below 1.
    risk : {"any_pair", "share_of_pairs"}, default="any_pair"
        ``"any_pair"``: with probability at least 1 - alpha *no* decided pair of a new case is
        reversed in truth. ``"share_of_pairs"``: of all pairs that its truth orders, the share that
        is decided and reversed is at most alpha on average, by conformal risk control
        [angelopoulos2022]_; more pairs are decided, and single ones are wrong more often.
    calibration : float or int, default=0.3
        A share, above 0 and below 1, of the training cases is held out, drawn at random: the ranker
        learns less, and the guarantee holds exactly. A number of folds, at least 2: every case
        calibrates, scored by a ranker trained on the other folds, and a pair is decided where all
        of them agree; what is *proven* is weaker, see `guaranteed_risk_`.
    random_state : int, RandomState instance or None, default=None
        Which cases are held out, or in which fold.

    Attributes
    ----------
    estimators_ : list of label rankers
        One if a part was held out, else one for each fold.
    held_out_ : list of ndarray
        Which training cases each of them did not see and calibrates with, from 0.
    calibration_ : Calibration
        What was wrong in the calibration cases at every threshold.
    threshold_ : float
        How far apart scores must be; infinite if there are too few cases to decide any pair.
    guaranteed_risk_ : float
        The risk that is proven: alpha for a part held out or folds of a single case; for folds of m
        of n cases alpha + (1 - alpha) (m - 1) / (n + m), and at most about 2 alpha for
        ``"any_pair"``. What folds realise is usually alpha or less, which is not proven.
    n_labels_ : int
        Number of labels.
    n_features_in_ : int
        Number of features, where the ranker knows it.

    Notes
    -----
    The guarantee needs cases that are exchangeable with the training cases, such as draws from one
    population in random order. It does not hold for shifted data: see `exchangeability_test`. It
    is about all cases together, not about groups of them, and over draws of the training cases too:
    for one training set of few cases the realised share varies around it.

    Labels that tie in truth, or that are not ranked (NaN), order no pair, so no decision about them
    is wrong; the guarantee is about the pairs that the truth orders. Cases whose truth orders no
    pair do not calibrate. Where the scores of two labels tie the pair is undecided. With fewer than
    1 / alpha - 1 calibration cases nothing can be decided, and `fit` warns.

    References
    ----------
    .. [angelopoulos2022] A. N. Angelopoulos, S. Bates, A. Fisch, L. Lei, T. Schuster: Conformal
       risk control. 2022.

    Examples
    --------
    >>> from labelrank_core import KNeighborsLabelRanker, load_sample
    >>> data = load_sample("iris")
    >>> sure = ConformalLabelRanker(KNeighborsLabelRanker(), alpha=0.1, random_state=0)
    >>> sure = sure.fit(data.X[1:], data.rankings[1:])
    >>> sure.predict(data.X[:1])
    array([[1, 2, 3]])
    >>> sure.predict_interval(data.X[:1])
    array([[[1, 1],
            [2, 2],
            [3, 3]]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "alpha": [Interval(Real, 0, 1, closed="neither")],
        "risk": [StrOptions(set(RISKS))],
        "calibration": [
            Interval(Real, 0, 1, closed="neither"),
            Interval(Integral, 2, None, closed="left"),
        ],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator: Any,
        alpha: float = 0.1,
        *,
        risk: str = ANY_PAIR,
        calibration: float = HELD_OUT,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.alpha = alpha
        self.risk = risk
        self.calibration = calibration
        self.random_state = random_state

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.estimator).input_tags
        return tags

    @fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: ArrayLike, Y: ArrayLike) -> Self:
        """Fit the ranker and calibrate it.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training cases.
        Y : array-like of shape (n_samples, n_labels)
            Their positions; labels may tie, NaN = not ranked.

        Returns
        -------
        self
            Fitted.

        Raises
        ------
        ValueError
            If there is a single case, or fewer than folds whose truth orders a pair.
        """
        require_targets(self, Y)
        rankings = check_rankings(Y, allow_partial=True)
        cases = X if hasattr(X, "shape") else np.asarray(X)
        require_as_many_rows(cases, len(rankings))
        parts = self._parts(rankings)
        self.held_out_ = parts
        self.estimators_ = []
        scores = []
        for part in parts:
            others = np.setdiff1d(np.arange(len(rankings)), part)
            fitted = clone(self.estimator).fit(rows_of(cases, others), rankings[others])
            self.estimators_.append(fitted)
            scores.append(label_scores(fitted, rows_of(cases, part)))
        truth = rankings[np.concatenate(parts)]
        fold_size = 1 if len(parts) == 1 else len(parts[0])
        losses = pair_losses(np.concatenate(scores), truth, self.risk)
        self.calibration_ = Calibration(losses, self.risk, fold_size)
        self.threshold_ = self.calibration_.threshold(self.alpha)
        self.guaranteed_risk_ = self.calibration_.proven_risk(self.alpha)
        self.n_labels_ = rankings.shape[1]
        if hasattr(self.estimators_[0], "n_features_in_"):
            self.n_features_in_ = self.estimators_[0].n_features_in_
        self._warn()
        return self

    def _parts(self, rankings: FloatArray) -> list[IntArray]:
        """Draw which cases calibrate: a part of them, or folds of equal size."""
        if len(rankings) < 2:
            raise ValueError("Expected a case to train beside those that calibrate, got 1 sample.")
        random, telling = check_random_state(self.random_state), orders_pairs(rankings)
        if not isinstance(self.calibration, Integral):
            rows = np.arange(len(rankings))
            _, held = hold_out(rows, share=self.calibration, random_state=random)
            return [held[telling[held]]]
        able = random.permutation(np.flatnonzero(telling))
        n_folds = int(self.calibration)
        size = len(able) // n_folds
        if size == 0:
            raise ValueError(
                f"Expected at least {n_folds} cases whose truth orders two labels, one for each "
                f"fold, got {len(able)}."
            )
        # What does not fill the folds trains all rankers.
        return [able[start : start + size] for start in range(0, n_folds * size, size)]

    def _warn(self) -> None:
        fewest, n = fewest_cases(self.alpha), self.calibration_.n_cases
        if n < fewest:
            warn(
                f"Nothing can be decided: a risk of {self.alpha:g} takes at least {fewest} "
                f"calibration cases, there are {n}."
            )

    def _scores(self, X: ArrayLike) -> FloatArray:
        """Score the labels by every ranker, shape (n_rankers, n_cases, n_labels)."""
        check_is_fitted(self, "calibration_")
        cases = X if hasattr(X, "shape") else np.asarray(X)
        return np.stack([label_scores(fitted, cases) for fitted in self.estimators_])

    def predict(self, X: ArrayLike) -> IntArray:
        """Predict a complete strict ranking for every case, which keeps to all decided pairs.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases, n_labels)
            Positions, 1 = most preferred: by the score, its mean over the folds. Ties are broken by
            label index.
        """
        return strict_positions(-self._scores(X).mean(axis=0))

    def predict_order(self, X: ArrayLike, *, alpha: float | None = None) -> IntArray:
        """Tell which labels are surely ahead of which.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.
        alpha : float or None, default=None
            Another risk than that of the ranker, without a new fit.

        Returns
        -------
        ndarray of shape (n_cases, n_labels, n_labels)
            1: the row's label is surely ahead of the column's, -1: surely behind, 0: undecided.
            Transitive.
        """
        scores = self._scores(X)
        threshold = self.threshold_ if alpha is None else self.calibration_.threshold(alpha)
        return sure_pairs(score_gaps(scores), threshold)

    def predict_interval(self, X: ArrayLike, *, alpha: float | None = None) -> IntArray:
        """Tell the first and the last position each label can have if all decided pairs are right.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.
        alpha : float or None, default=None
            Another risk than that of the ranker, without a new fit.

        Returns
        -------
        ndarray of shape (n_cases, n_labels, 2)
            Positions from 1 to n_labels. With ``risk="any_pair"`` the intervals of all labels hold
            at once with probability at least 1 - alpha: where the truth ties labels or leaves some
            out, they hold for a ranking that completes it.
        """
        return possible_positions(self.predict_order(X, alpha=alpha))
