"""A wrapper that tells of any label ranker which of its pairs can be relied on."""

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, clone
from sklearn.utils import Tags, check_random_state, get_tags
from sklearn.utils.validation import check_is_fitted

from labelrank_core._sklearn import Interval, StrOptions, fit_context, rows_of, warn
from labelrank_core.data.frames import as_matrix
from labelrank_core.evaluation.guarantees.calibration import (
    ANY_PAIR,
    HELD_OUT,
    PREFIT,
    RISKS,
    Calibration,
    fewest_cases,
    hold_out,
    orders_pairs,
    pair_losses,
    promise,
)
from labelrank_core.evaluation.guarantees.semiorder import (
    label_scores,
    score_gaps,
    sure_pairs,
)
from labelrank_core.explain.capabilities import SupportsExplanation
from labelrank_core.explain.cases import explain_prediction, label_names_of, one_case
from labelrank_core.explain.evidence import (
    Explanation,
    LabelScores,
    Step,
    SurePairs,
    Text,
    possible_positions,
)
from labelrank_core.explain.predictions import last_step
from labelrank_core.methods.base import (
    LabelRankerMixin,
    copy_feature_attributes,
    require_as_many_rows,
    require_targets,
)
from labelrank_core.methods.routing import RoutingMixin, metadata_of_rows
from labelrank_core.rankings import FloatArray, IntArray, check_rankings, strict_positions


class ConformalLabelRanker(RoutingMixin, LabelRankerMixin, BaseEstimator):
    """Order the pairs of labels that are sure, with a guarantee on the share of wrong ones.

    Cases that the ranker has not been trained on show how far the scores of two labels can lie
    apart in the wrong order. Pairs that lie further apart than a threshold are decided, the others
    stay undecided.

    Parameters
    ----------
    estimator : label ranker
        Any ranker of this package, bare or last in a pipeline; of another one the positions
        themselves serve as scores. Its copies are fitted, unless `calibration` is ``"prefit"``.
    alpha : float, default=0.1
        The risk allowed, above 0 and below 1.
    risk : {"any_pair", "share_of_pairs"}, default="any_pair"
        ``"any_pair"``: with probability at least 1 - alpha *no* decided pair of a new case is
        reversed in truth. ``"share_of_pairs"``: of all pairs that its truth orders, the share that
        is decided and reversed is at most alpha on average, by conformal risk control
        [angelopoulos2022]_; more pairs are decided, and single ones are wrong more often.
    calibration : float, int or "prefit", default=0.3
        A share, above 0 and below 1, of the training cases is held out, drawn at random: the ranker
        learns less, and the guarantee holds exactly. A number of folds, at least 2: every case
        calibrates, scored by a ranker trained on the other folds, and a pair is decided where all
        of them agree; what is *proven* is weaker, see `guaranteed_risk_`. ``"prefit"``: the ranker
        is fitted, and all cases given to `fit`, which it must not have learned, calibrate; for
        cross-validation put it into scikit-learn's ``FrozenEstimator``, which copies keep.
    random_state : int, RandomState instance or None, default=None
        Which cases are held out, or in which fold.

    Attributes
    ----------
    estimators_ : list of label rankers
        One for each fold, else a single one.
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
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the features, where the ranker was fitted with names.

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

    _use_for_pairs = (
        "There is no guarantee for those. Instead fit a method that compares pairs, such as "
        "PairwiseLabelRanker, and withhold pairs with little support: "
        "labelrank_core.evaluation.abstention.partial_order(model.predict_pair_support(X)[0], "
        "threshold=0.8)."
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "alpha": [Interval(Real, 0, 1, closed="neither")],
        "risk": [StrOptions(set(RISKS))],
        "calibration": [
            Interval(Real, 0, 1, closed="neither"),
            Interval(Integral, 2, None, closed="left"),
            StrOptions({PREFIT}),
        ],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator: Any,
        alpha: float = 0.1,
        *,
        risk: str = ANY_PAIR,
        calibration: float | str = HELD_OUT,
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
    def fit(self, X: ArrayLike, Y: ArrayLike, **params: Any) -> Self:
        """Fit the ranker and calibrate it.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training cases.
        Y : array-like of shape (n_samples, n_labels)
            Their positions; labels may tie, NaN = not ranked.
        **params
            Metadata, such as ``sample_weight``, for the ranker if it asks for it, with
            scikit-learn's metadata routing.

        Returns
        -------
        self
            Fitted.

        Raises
        ------
        ValueError
            If there is a single case to learn and to calibrate, fewer than folds whose truth orders
            a pair, or other labels than those that a fitted ranker has learned.
        """
        require_targets(self, Y)
        rankings = check_rankings(Y, allow_partial=True)
        cases = as_matrix(X)
        require_as_many_rows(cases, len(rankings))
        parts = self._parts(rankings)
        self.held_out_ = parts
        # Of a single ranker that was trained here, which cases it has learned.
        self._learned_rows = (
            np.setdiff1d(np.arange(len(rankings)), parts[0])
            if len(parts) == 1 and self.calibration != PREFIT
            else None
        )
        metadata = self._routed(params)["estimator"]
        self.estimators_ = [self._fitted(cases, rankings, part, metadata) for part in parts]
        scores = [
            label_scores(fitted, rows_of(cases, part))
            for fitted, part in zip(self.estimators_, parts, strict=True)
        ]
        if scores[0].shape[1] != rankings.shape[1]:
            raise ValueError(
                f"Expected rankings of the {scores[0].shape[1]} labels that the ranker has "
                f"learned, got {rankings.shape[1]}."
            )
        truth = rankings[np.concatenate(parts)]
        fold_size = 1 if len(parts) == 1 else len(parts[0])
        losses = pair_losses(np.concatenate(scores), truth, self.risk)
        self.calibration_ = Calibration(losses, self.risk, fold_size)
        self.threshold_ = self.calibration_.threshold(self.alpha)
        self.guaranteed_risk_ = self.calibration_.proven_risk(self.alpha)
        self.n_labels_ = rankings.shape[1]
        copy_feature_attributes(self.estimators_[0], self)
        self._warn()
        return self

    def _estimators_by_name(self) -> dict[str, Any]:
        return {"estimator": self.estimator}

    def _fitted(
        self, X: Any, rankings: FloatArray, part: IntArray, metadata: dict[str, Any]
    ) -> Any:
        """Return a ranker that has learned all cases but a part, or the one that is fitted."""
        if self.calibration == PREFIT:
            check_is_fitted(self.estimator)
            return self.estimator
        train = np.setdiff1d(np.arange(len(rankings)), part)
        fit_params = metadata_of_rows(metadata, train, len(rankings))
        return clone(self.estimator).fit(rows_of(X, train), rankings[train], **fit_params)

    def _label_names_before_fit(self) -> tuple[str, ...] | None:
        return label_names_of(last_step(self.estimator)) if self.calibration == PREFIT else None

    def _parts(self, rankings: FloatArray) -> list[IntArray]:
        """Draw which cases calibrate: all, a part of them, or folds of equal size."""
        if self.calibration == PREFIT:
            return [np.flatnonzero(orders_pairs(rankings))]
        if len(rankings) < 2:
            raise ValueError("Expected a case to train beside those that calibrate, got 1 sample.")
        random, telling = check_random_state(self.random_state), orders_pairs(rankings)
        if not isinstance(self.calibration, Integral):
            rows, share = np.arange(len(rankings)), float(self.calibration)
            _, held = hold_out(rows, share=share, random_state=random)
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
        cases = as_matrix(X)
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

    def explain(self, x: Any, *, alpha: float | None = None) -> Explanation:
        """Explain one case: which pairs are decided and why, then the ranker's own reasons.

        Parameters
        ----------
        x : array-like of shape (n_features,), Series, DataFrame or sparse matrix of one row
            The case.
        alpha : float or None, default=None
            Another risk than that of the ranker, without a new fit.

        Returns
        -------
        Explanation
            Of what `predict` returns. The ranker's own steps follow if it explains itself and a
            single one was trained; of several the mean of their scores is shown.
        """
        case = one_case(x)
        scores = self._scores(case)
        mean = scores.mean(axis=0)[0]
        positions = strict_positions(-mean[None])[0]
        sure = self._sure_pairs(case, positions, self.alpha if alpha is None else alpha)
        steps = [self._decided_step(sure, alpha)]
        explained = self.explained_estimator_
        if explained is None:
            values = {"n": len(self.estimators_)}
            text = Text(_BY_MEAN if len(self.estimators_) > 1 else _BY_SCORE, values)
            labels = LabelScores("score", mean, positions, greater_is_better=True)
            steps.append(Step("Scores that decide", text, labels))
            return Explanation(positions, positions, sure.text, tuple(steps))
        inner = explain_prediction(
            explained, case, rows=self._learned_rows, label_names=label_names_of(self)
        )
        return Explanation(positions, positions, sure.text, (*steps, *inner.steps), inner.about)

    @property
    def explained_estimator_(self) -> Any:
        """The ranker whose steps an explanation has; None: there are several, or it has none."""
        first, *others = self.estimators_
        explains = isinstance(last_step(first), SupportsExplanation)
        return first if explains and not others else None

    def _sure_pairs(self, case: Any, positions: IntArray, alpha: float) -> SurePairs:
        proven = self.calibration_.proven_risk(alpha)
        order = self.predict_order(case, alpha=alpha)[0]
        return SurePairs(order, positions, promise(proven, self.risk))

    def _decided_step(self, sure: SurePairs, alpha: float | None) -> Step:
        threshold = self.threshold_ if alpha is None else self.calibration_.threshold(alpha)
        values = {
            "threshold": float(threshold),
            "decided": sure.n_decided,
            "pairs": len(sure.order) * (len(sure.order) - 1) // 2,
            "n": self.calibration_.n_cases,
            "rankers": len(self.estimators_),
        }
        template = _DECIDED_BY_ALL if len(self.estimators_) > 1 else _DECIDED
        text = Text(template if np.isfinite(threshold) else _TOO_FEW, values)
        return Step("Which pairs can be relied on", text, sure)


_DECIDED = (
    "A pair is decided where the scores of its labels differ by more than {threshold}, which {n} "
    "calibration cases call for: {decided} of {pairs} pairs."
)
_DECIDED_BY_ALL = (
    "A pair is decided where the scores of its labels differ by more than {threshold} in each of "
    "the {rankers} rankers, which {n} calibration cases call for: {decided} of {pairs} pairs."
)
_TOO_FEW = "With {n} calibration cases nothing can be decided at this level."
_BY_SCORE = "Labels are ordered by their scores."
_BY_MEAN = (
    "Labels are ordered by the mean of their scores from {n} rankers, each trained without one of "
    "the folds."
)
