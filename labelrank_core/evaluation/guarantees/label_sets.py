"""Label sets with a guarantee on recall or precision, by MAPIE's risk control.

MAPIE takes seconds to import, so it is imported where it is used.
"""

import warnings
from dataclasses import replace
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit
from sklearn.base import BaseEstimator, clone
from sklearn.utils import Tags, get_tags
from sklearn.utils.validation import check_is_fitted

from labelrank_core._sklearn import Interval, StrOptions, fit_context, rows_of, warn
from labelrank_core.aggregation.virtual_labels import relevance_of_targets
from labelrank_core.data.frames import as_matrix
from labelrank_core.evaluation.guarantees.calibration import HELD_OUT, PREFIT, hold_out
from labelrank_core.evaluation.guarantees.exchangeability import require_mapie
from labelrank_core.evaluation.guarantees.realised import LEVELS
from labelrank_core.explain.capabilities import SupportsExplanation, method_of
from labelrank_core.explain.cases import explain_prediction, label_names_of, one_case
from labelrank_core.explain.evidence import Explanation, LabelScores, Step, Text
from labelrank_core.explain.predictions import bare_model, label_probabilities, last_step
from labelrank_core.methods.base import (
    MultilabelRankerMixin,
    copy_feature_attributes,
    require_as_many_rows,
    require_targets,
)
from labelrank_core.methods.routing import RoutingMixin, metadata_of_rows
from labelrank_core.rankings import FloatArray, IntArray, strict_positions

RECALL, PRECISION = "recall", "precision"
# How often a precision is kept, over draws of the held-out cases.
CONFIDENCE = 0.9
# MAPIE leaves out labels of probability 0 at every threshold.
_SMALLEST = 1e-9
# The thresholds that MAPIE tries, too.
_CANDIDATES = np.arange(0, 1, 0.01)


class RiskControlledLabelSets(RoutingMixin, MultilabelRankerMixin, BaseEstimator):
    """Predict label sets that are guaranteed to find enough relevant labels, or few wrong ones.

    A part of the training cases is held out; on it the threshold on the probabilities is chosen,
    with the risk control of MAPIE.

    Parameters
    ----------
    estimator : multi-label classifier
        One with ``predict_proba``, or with ``decision_function``, whose scores are then turned into
        probabilities; bare or last in a pipeline. A copy is fitted, unless `calibration` is
        ``"prefit"``.
    level : float, default=0.9
        The recall or precision promised, above 0 and below 1.
    risk : {"recall", "precision"}, default="recall"
        ``"recall"``: of the relevant labels of a new case at least this share is in its set on
        average, by conformal risk control [angelopoulos2022]_. ``"precision"``: of the labels in a
        set at least this share is relevant on average, with probability `confidence` over draws of
        the held-out cases, by learn then test in a fixed sequence, the highest threshold first
        [angelopoulos2021]_. An empty set counts as 1: it has no wrong label, as in the false
        discovery rate [benjamini1995]_.
    confidence : float, default=0.9
        For ``"precision"`` only, above 0 and below 1.
    calibration : float or "prefit", default=0.3
        The share of the training cases to hold out, above 0 and below 1. ``"prefit"``: the
        classifier is fitted, and all cases given to `fit`, which it must not have learned, choose
        the thresholds; scores s without probabilities then become 1 / (1 + exp(-s)). For
        cross-validation put it into scikit-learn's ``FrozenEstimator``, which copies keep.
    random_state : int, RandomState instance or None, default=None
        Which cases are held out.

    Attributes
    ----------
    estimator_ : multi-label classifier
        Fitted on the other training cases, or before.
    levels_ : ndarray
        The levels that `predict` can be asked for: `level` and 0.5, 0.51, ..., 0.99.
    thresholds_ : ndarray
        For each level the probability above which a label is in the set; NaN where the level cannot
        be promised, or only by sets that are all empty. Then ``"recall"`` takes all labels and
        ``"precision"`` none, and `fit` and `predict` warn.
    n_calibration_ : int
        Number of held-out cases with a relevant label.
    n_features_in_ : int
        Number of features, where the classifier knows it.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the features, where the classifier was fitted with names.

    Notes
    -----
    The guarantee is about exchangeable cases with at least one relevant label, over all of them.

    References
    ----------
    .. [angelopoulos2021] A. N. Angelopoulos, S. Bates, E. J. Candès, M. I. Jordan, L. Lei: Learn
       then test: calibrating predictive algorithms to achieve risk control. 2021.
    .. [angelopoulos2022] A. N. Angelopoulos, S. Bates, A. Fisch, L. Lei, T. Schuster: Conformal
       risk control. 2022.
    .. [benjamini1995] Y. Benjamini, Y. Hochberg: Controlling the false discovery rate. 1995.

    Examples
    --------
    >>> from labelrank_core import MLkNNClassifier, load_sample
    >>> data = load_sample("songs")
    >>> sets = RiskControlledLabelSets(MLkNNClassifier(), level=0.8, random_state=0)
    >>> sets.fit(data.X, data.relevance).predict(data.X).shape == data.relevance.shape
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "level": [Interval(Real, 0, 1, closed="neither")],
        "risk": [StrOptions({RECALL, PRECISION})],
        "confidence": [Interval(Real, 0, 1, closed="neither")],
        "calibration": [Interval(Real, 0, 1, closed="neither"), StrOptions({PREFIT})],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator: Any,
        level: float = 0.9,
        *,
        risk: str = RECALL,
        confidence: float = CONFIDENCE,
        calibration: float | str = HELD_OUT,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.level = level
        self.risk = risk
        self.confidence = confidence
        self.calibration = calibration
        self.random_state = random_state

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.estimator).input_tags
        return tags

    @fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: ArrayLike, Y: ArrayLike, **params: Any) -> Self:
        """Fit the classifier and choose the thresholds.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training cases.
        Y : array-like of shape (n_samples, n_labels)
            Which labels are relevant, 0/1, or calibrated rankings.
        **params
            Metadata, such as ``sample_weight``, for the classifier if it asks for it, with
            scikit-learn's metadata routing.

        Returns
        -------
        self
            Fitted.

        Raises
        ------
        ValueError
            If there is a single case to learn and to calibrate, no held-out case has a relevant
            label, or there are other labels than those that a fitted classifier has learned.
        ImportError
            If MAPIE is not installed.

        Warns
        -----
        UserWarning
            If `level` cannot be promised: all sets are empty, or have all labels.
        """
        require_mapie("label sets with a guarantee")
        require_targets(self, Y)
        cases, targets = as_matrix(X), as_matrix(Y)
        relevance = relevance_of_targets(targets)
        require_as_many_rows(cases, len(relevance))
        train, held_out = self._parts(len(relevance))
        held_out = held_out[relevance[held_out].any(axis=1)]
        if not len(held_out):
            raise ValueError("Expected a held-out case with a relevant label, got none.")
        if self.calibration == PREFIT:
            check_is_fitted(self.estimator)
            self.estimator_, self._scale, self._learned_rows = self.estimator, 1.0, None
        else:
            self._learned_rows = train
            train_cases = rows_of(cases, train)
            metadata = self._routed(params)["estimator"]
            fit_params = metadata_of_rows(metadata, train, len(relevance))
            self.estimator_ = clone(self.estimator).fit(
                train_cases, rows_of(targets, train), **fit_params
            )
            self._scale = self._scale_of(train_cases)
        probabilities = self._probabilities(rows_of(cases, held_out))
        if probabilities.shape[1] != relevance.shape[1]:
            raise ValueError(
                f"Expected the {probabilities.shape[1]} labels that the classifier has learned, "
                f"got {relevance.shape[1]}."
            )
        self.levels_ = np.unique(np.append(LEVELS, self.level))
        self.thresholds_ = controlled_thresholds(
            probabilities,
            relevance[held_out],
            self.levels_,
            self.risk,
            self.confidence,
        )
        self.n_calibration_ = len(held_out)
        self.n_labels_ = relevance.shape[1]
        copy_feature_attributes(self.estimator_, self)
        self._warn_unless_promised(self.level)
        return self

    def _estimators_by_name(self) -> dict[str, Any]:
        return {"estimator": self.estimator}

    def _parts(self, n_samples: int) -> tuple[IntArray, IntArray]:
        """Draw which cases are learned and which calibrate."""
        rows = np.arange(n_samples)
        if isinstance(self.calibration, str):
            return rows[:0], rows
        if n_samples < 2:
            raise ValueError("Expected a case to train beside those that calibrate, got 1 sample.")
        return hold_out(rows, share=self.calibration, random_state=self.random_state)

    def _label_names_before_fit(self) -> tuple[str, ...] | None:
        return label_names_of(last_step(self.estimator)) if self.calibration == PREFIT else None

    def _warn_unless_promised(self, level: float) -> None:
        if np.isfinite(self._threshold_at(level)):
            return
        consequence = "has all labels" if self.risk == RECALL else "is empty"
        warn(
            f"A {self.risk} of {level} cannot be promised with {self.n_calibration_} held-out "
            f"cases, so every predicted set {consequence}. Ask for a lower level, or give more "
            "cases."
        )

    def _scale_of(self, X: Any) -> float:
        """Return the divisor that turns scores into probabilities; unused for probabilities."""
        if method_of(bare_model(self.estimator_, X)[0], "predict_proba"):
            return 1.0
        return float(np.std(self.estimator_.decision_function(X)))

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Return the probabilities by which labels are taken, shape (n_cases, n_labels).

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray of shape (n_cases, n_labels)
            Above 0 and at most 1.
        """
        return self._probabilities(X)

    def _probabilities(self, X: Any) -> FloatArray:
        estimator, cases = bare_model(self.estimator_, as_matrix(X))
        if method_of(estimator, "predict_proba"):
            return np.maximum(label_probabilities(estimator, cases), _SMALLEST)
        return scores_to_probabilities(estimator.decision_function(cases), self._scale)

    def predict(self, X: ArrayLike, *, level: float | None = None) -> IntArray:
        """Predict which labels are in the set of each case.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.
        level : float or None, default=None
            Another level than that of the classifier, one of `levels_`.

        Returns
        -------
        ndarray of shape (n_cases, n_labels)
            1 = in the set.

        Raises
        ------
        ValueError
            If there is no such level.

        Warns
        -----
        UserWarning
            If the level cannot be promised: all sets are empty, or have all labels.
        """
        check_is_fitted(self, "thresholds_")
        self._warn_unless_promised(self.level if level is None else level)
        return (self._probabilities(X) > self.threshold(level)).astype(np.int64)

    def threshold(self, level: float | None = None) -> float:
        """Return above which probability a label is in the set.

        Parameters
        ----------
        level : float or None, default=None
            One of `levels_`; None: the level of the classifier.

        Returns
        -------
        float
            0 takes all labels, 1 none.

        Raises
        ------
        ValueError
            If there is no such level.
        """
        return threshold_or_default(
            self._threshold_at(self.level if level is None else level), self.risk
        )

    def _threshold_at(self, level: float) -> float:
        """Return the threshold of a level; NaN: it cannot be promised."""
        (matches,) = np.nonzero(np.isclose(self.levels_, level))
        if not len(matches):
            raise ValueError(f"Expected one of levels_, got {level}.")
        return float(self.thresholds_[matches[0]])

    def explain(self, x: Any, *, level: float | None = None) -> Explanation:
        """Explain one case: which labels are in the set and why, then the classifier's own reasons.

        Parameters
        ----------
        x : array-like of shape (n_features,), Series, DataFrame or sparse matrix of one row
            The case.
        level : float or None, default=None
            Another level than that of the classifier, one of `levels_`.

        Returns
        -------
        Explanation
            Of what `predict` returns. The classifier's own steps follow if it explains itself; its
            zero line is not that of the set.
        """
        case, level = one_case(x), self.level if level is None else level
        probabilities, threshold = self._probabilities(case)[0], self.threshold(level)
        relevance = (probabilities > threshold).astype(np.int64)
        positions = strict_positions(-probabilities[None])[0]
        step = self._taken_step(probabilities, positions, level)
        explained = self.explained_estimator_
        if explained is None:
            return Explanation(relevance, positions, step.text, (step,))
        inner = explain_prediction(
            explained, case, rows=self._learned_rows, label_names=label_names_of(self)
        )
        steps = [
            replace(inner_step, title=f"{inner_step.title} (before the guarantee)")
            for inner_step in inner.steps
        ]
        return Explanation(relevance, positions, step.text, (step, *steps), inner.about)

    @property
    def explained_estimator_(self) -> Any:
        """The classifier, if it explains itself, else None."""
        return (
            self.estimator_ if isinstance(last_step(self.estimator_), SupportsExplanation) else None
        )

    def _taken_step(self, probabilities: FloatArray, positions: IntArray, level: float) -> Step:
        threshold = self.threshold(level)
        scores = LabelScores(
            "probability", probabilities, positions, greater_is_better=True, bar=threshold
        )
        values = {
            "percent": f"{100 * level:g}%",
            "threshold": threshold,
            "taken": int((probabilities > threshold).sum()),
            "labels": len(probabilities),
            "n": self.n_calibration_,
        }
        template = _TAKEN if np.isfinite(self._threshold_at(level)) else _NOT_PROMISED
        return Step("Which labels are in the set", Text(template[self.risk], values), scores)


_TAKEN = {
    RECALL: "So that at least {percent} of the relevant labels are found on average, each label "
    "with a probability above {threshold} is taken: {taken} of {labels} labels.",
    PRECISION: "So that at least {percent} of the labels taken are relevant on average, only "
    "labels with a probability above {threshold} are taken: {taken} of {labels} labels.",
}
_NOT_PROMISED = {
    RECALL: "A recall of {percent} cannot be promised with {n} held-out cases, so all {labels} "
    "labels are taken.",
    PRECISION: "A precision of {percent} cannot be promised with {n} held-out cases, so none of "
    "the {labels} labels is taken.",
}


def controlled_thresholds(
    probabilities: FloatArray,
    relevance: IntArray,
    levels: FloatArray,
    risk: str,
    confidence: float = CONFIDENCE,
) -> FloatArray:
    """Choose for each level the probability above which labels are taken; NaN: none keeps it.

    Probabilities and relevance, shape (n_cases, n_labels), are of cases that the classifier has not
    been trained on, each with a relevant label. A threshold above which none of them has a label
    promises nothing.
    """
    if risk == RECALL:
        return _recall_thresholds(probabilities, relevance, levels)
    return _precision_thresholds(probabilities, relevance == 1, levels, confidence)


def _recall_thresholds(
    probabilities: FloatArray, relevance: IntArray, levels: FloatArray
) -> FloatArray:
    # Takes seconds to import.
    from mapie.risk_control import MultiLabelClassificationController

    with warnings.catch_warnings():
        # Where a level cannot be promised its threshold says so.
        warnings.filterwarnings("ignore", category=UserWarning, module="mapie")
        controller = MultiLabelClassificationController(
            _themselves, risk=RECALL, target_level=levels, predict_params=_CANDIDATES
        ).calibrate(probabilities, relevance)
    thresholds = np.asarray(controller.best_predict_param, dtype=np.float64)
    # A single case more may miss everything.
    thresholds[1 - levels < 1 / (len(relevance) + 1) - _SMALLEST] = np.nan
    return thresholds


def _precision_thresholds(
    probabilities: FloatArray, truth: NDArray[np.bool_], levels: FloatArray, confidence: float
) -> FloatArray:
    # MAPIE's controller of label sets counts an empty set as wrong and tests all thresholds at once
    # (Bonferroni), which leaves every set empty; its tests are used, not its losses.
    from mapie.risk_control import control_fwer
    from mapie.risk_control.methods import compute_hoeffding_bentkus_p_value

    # The highest threshold, with the fewest wrong labels, is tested first.
    candidates = _CANDIDATES[::-1]
    sets = [probabilities > threshold for threshold in candidates]
    losses = np.array([(1 - precision_of_sets(mask, truth)).mean() for mask in sets])
    takes_a_label = np.array([mask.any() for mask in sets])
    p_values = compute_hoeffding_bentkus_p_value(losses, len(truth), 1 - levels)
    thresholds = np.full(len(levels), np.nan)
    for index in range(len(levels)):
        valid = control_fwer(p_values[:, index], 1 - confidence, "fixed_sequence")
        valid = valid[takes_a_label[valid]]
        if len(valid):
            thresholds[index] = candidates[valid[-1]]
    return thresholds


def precision_of_sets(sets: NDArray[np.bool_], truth: NDArray[np.bool_]) -> FloatArray:
    """Return the share of relevant labels in each case's set; 1 where it is empty.

    Both arguments have shape (n_cases, n_labels).
    """
    size = sets.sum(axis=1)
    return np.where(size > 0, (sets & truth).sum(axis=1) / np.maximum(size, 1), 1.0)


def threshold_or_default(threshold: float, risk: str) -> float:
    """Return a threshold; where none keeps the level one that takes all labels, or none."""
    return threshold if np.isfinite(threshold) else float(risk == PRECISION)


def scores_to_probabilities(scores: FloatArray, scale: float) -> FloatArray:
    """Turn scores into numbers from 0 to 1; `scale` is the standard deviation of training ones."""
    return np.asarray(expit(scores / (scale or 1.0)))


def _themselves(probabilities: FloatArray) -> FloatArray:
    return probabilities
