"""The base classes of all estimators: tags, scores, explanations and checks."""

from dataclasses import replace
from functools import cached_property
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.utils import Tags
from sklearn.utils.validation import validate_data

from labelrank_core.aggregation.bucket_orders import PairVotes, bucket_orders
from labelrank_core.aggregation.sums import chunks
from labelrank_core.aggregation.virtual_labels import dense_targets, relevance_of_targets
from labelrank_core.data.bounds import require_moderate_features, require_sound_indices
from labelrank_core.data.frames import as_pandas
from labelrank_core.data.pair_preferences import PairPreferences
from labelrank_core.explain.cases import about_features, label_names_of, one_case
from labelrank_core.explain.evidence import Explanation
from labelrank_core.methods.named_labels import NamedLabelsMixin
from labelrank_core.metrics import kendall_tau_score, pair_tau_score, tau_x_score
from labelrank_core.rankings import (
    FloatArray,
    IntArray,
    relevance_from_calibrated,
    strict_positions,
)

# The most numbers that sparse cases may have when they are made dense (512 MB in float64).
DENSE_CELLS = 1 << 26
# The most numbers that a method keeps for all pairs of labels (4 GB in float64).
_PAIR_CELLS = 1 << 29


class PathPoint:
    """Predictions of a fitted model for some cases at one setting of its parameters.

    A point has `prediction`, what `predict` returns at this setting; `positions`, the predicted
    rankings; `scores`, one number per case and label, higher = better; `confidence`, one number
    per case, between 0 and 1; and `explain(case)`.
    """

    @property
    def scores(self) -> FloatArray:
        """One number per case and label, higher = better."""
        raise NotImplementedError

    @property
    def confidence(self) -> FloatArray:
        """One number per case, between 0 and 1."""
        raise NotImplementedError

    def explain(self, case: int) -> Explanation:
        """Explain the prediction of one case."""
        raise NotImplementedError

    @property
    def raw_scores(self) -> FloatArray:
        """The same as `scores`, unless thresholds or whole sets decide on the labels."""
        return self.scores

    @property
    def predicts_ties(self) -> bool:
        """Whether the prediction is a ranking in which labels may share a position."""
        return False

    @property
    def probabilities(self) -> FloatArray | None:
        """That each label is relevant; None unless the method has ``predict_proba``."""
        return None

    @property
    def thresholds(self) -> FloatArray:
        """The number that the raw score of each label must exceed, shape (n_labels,)."""
        return np.zeros(np.shape(self.scores)[1])

    @property
    def decides_whole_sets(self) -> bool:
        """Whether no thresholds on the raw scores give the predicted sets."""
        return False

    @property
    def label_support(self) -> tuple[FloatArray, FloatArray | None]:
        """The support of each label, and the support from which it is relevant.

        Shares of votes, or probabilities, of shape (n_cases, n_labels), with the share that each
        case's labels must exceed, shape (n_cases,); for other methods scores, which must exceed 0,
        and None.
        """
        probabilities = self.probabilities
        if probabilities is None or not np.allclose(self.scores, probabilities - 0.5, atol=1e-6):
            return self.scores, None
        return probabilities, np.full(len(probabilities), 0.5)

    def breakpoints(
        self,
        x: FloatArray,  # noqa: ARG002
        feature: int,  # noqa: ARG002
        ends: tuple[float, float],  # noqa: ARG002
    ) -> FloatArray | None:
        """List, ascending, all values between the ends at which the prediction of x can change.

        None where they are not known.
        """
        return None


class LabelSetPoint(PathPoint):
    """A point of a multi-label ranker: scores above 0 make a label relevant."""

    @cached_property
    def prediction(self) -> IntArray:
        """The relevant labels, 0/1, shape (n_cases, n_labels)."""
        return (self.scores > 0).astype(np.int64)

    @cached_property
    def positions(self) -> IntArray:
        """The predicted rankings of the labels, shape (n_cases, n_labels)."""
        return strict_positions(-self.scores)


class RankingPoint(PathPoint):
    """A point of a label ranker: keys order the labels, and votes on their pairs may tie them.

    With ``ties="predict"`` its `prediction` is a bucket order, and its `positions`, which are
    always strict, order the labels of a bucket by the keys.
    """

    path: Any

    @property
    def order_keys(self) -> tuple[NDArray[Any], ...]:
        """The keys that order the labels, the lowest first; each orders those equal so far."""
        raise NotImplementedError

    def pair_votes(self, cases: slice) -> PairVotes:
        """Return the votes on every pair of labels, for the bucket orders of some cases."""
        raise NotImplementedError

    @property
    def predicts_ties(self) -> bool:
        """Whether the prediction is a ranking in which labels may share a position."""
        return bool(self.path.model.ties == "predict")

    @cached_property
    def prediction(self) -> IntArray:
        """Positions, shape (n_cases, n_labels)."""
        return self.bucketed if self.predicts_ties else strict_positions(*self.order_keys)

    @cached_property
    def positions(self) -> IntArray:
        """The same as `prediction`, but strict also where ties are predicted."""
        if not self.predicts_ties:
            return self.prediction
        return strict_positions(self.prediction, *self.order_keys)

    @cached_property
    def bucketed(self) -> IntArray:
        """The bucket orders with the least Kemeny distance to the votes, as positions."""
        n_cases, n_labels = self.order_keys[0].shape
        positions = np.empty((n_cases, n_labels), dtype=np.int64)
        for part in chunks(n_cases, n_labels**2):
            positions[part] = bucket_orders(self.pair_votes(part).gains)
        return positions

    @cached_property
    def agreement_with_ties(self) -> FloatArray:
        """The agreement of the votes with the prediction, by Kemeny distance, shape (n_cases,)."""
        n_cases, n_labels = self.prediction.shape
        agreement = np.empty(n_cases)
        for part in chunks(n_cases, n_labels**2):
            agreement[part] = self.pair_votes(part).agreement(self.prediction[part])
        return agreement


class LabelRankerMixin(NamedLabelsMixin):
    """Prediction, score and tags of label rankers that have ``point(X)``."""

    # For methods without such a parameter.
    ties: str = "break"

    def __sklearn_tags__(self) -> Tags:
        return _ranking_tags(super().__sklearn_tags__())  # type: ignore[misc]

    def predict(self, X: ArrayLike) -> IntArray:
        """Predict a complete ranking for every case.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        ndarray or DataFrame of shape (n_cases, n_labels)
            Positions, 1 = most preferred: strict, ties broken by label index, or of a method with
            ``ties="predict"`` without gaps, where tied labels share one. A frame if the labels
            have names (`label_names_in_`).
        """
        return self.point(X).prediction  # type: ignore[attr-defined]

    def score(self, X: ArrayLike, Y: ArrayLike) -> float:
        """Return the mean Kendall's tau of the predictions; of predicted ties the mean tau_x.

        Of `PairPreferences` the mean `pair_tau_score`.
        """
        return self._tau(self._unnamed_targets(Y), np.asarray(self.predict(X)))

    def _tau(self, truth: Any, prediction: IntArray) -> float:
        if isinstance(truth, PairPreferences):
            return float(pair_tau_score(truth, prediction))
        measure = tau_x_score if self.ties == "predict" else kendall_tau_score
        return float(measure(truth, prediction))


class MultilabelRankerMixin(NamedLabelsMixin):
    """Score and tags of estimators that predict which labels are relevant."""

    _learns_label_sets = True

    def _checked_label_sets(self, X: Any, Y: ArrayLike) -> tuple[Any, IntArray]:
        """Check training data; return cases and which labels are relevant."""
        require_targets(self, Y)
        relevance = relevance_of_targets(Y)
        cases = self._checked(X, reset=True)  # type: ignore[attr-defined]
        require_as_many_rows(cases, len(relevance))
        return cases, relevance

    def __sklearn_tags__(self) -> Tags:
        return _ranking_tags(super().__sklearn_tags__())  # type: ignore[misc]

    @property
    def classes_(self) -> IntArray:
        """The numbers of the labels, as scikit-learn's ``cross_val_predict`` looks for them."""
        return np.arange(self.n_labels_)  # type: ignore[attr-defined]

    def score(self, X: ArrayLike, Y: ArrayLike) -> float:
        """Return the share of label decisions that are right, 1 - Hamming loss."""
        predicted = np.asarray(self.predict(X))  # type: ignore[attr-defined]
        truth = dense_targets(self._unnamed_targets(Y))
        if truth.shape[1] == predicted.shape[1] + 1:
            truth = relevance_from_calibrated(truth)
        return float(np.mean(predicted == truth))


class PathMixin:
    """Predictions and explanations at one setting, for estimators that have ``path(X)``."""

    def point(self, X: Any, **setting: Any) -> Any:
        """Predict everything for some cases at once.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.
        **setting
            Parameters of ``path(X).at``; others have the model's own values.

        Returns
        -------
        object
            What ``path(X).at`` returns: prediction, positions, scores, confidence, explanations.
        """
        return self.path(X).at(**setting)  # type: ignore[attr-defined]

    def explain(self, x: Any) -> Explanation:
        """Explain the prediction for one case."""
        case = one_case(x)
        explanation = self.point(case).explain(0)
        about = about_features(case)
        return replace(explanation, about=replace(about, label_names=label_names_of(self)))


class LabelSetsMixin(MultilabelRankerMixin):
    """Predictions of multi-label rankers that predict everything with one ``point(X)``."""

    def predict(self, X: Any) -> IntArray:
        """Predict which labels are relevant."""
        return self.point(X).prediction  # type: ignore[attr-defined]

    def predict_ranking(self, X: Any) -> IntArray:
        """Predict a complete strict ranking of the labels, relevant ones first."""
        return self.point(X).positions  # type: ignore[attr-defined]

    def raw_scores(self, X: Any) -> FloatArray:
        """Return the scores before any threshold, by which labels are best compared.

        The same as `decision_function` unless thresholds or whole sets decide on the labels.
        """
        return self.point(X).raw_scores  # type: ignore[attr-defined]


def check_count(name: str, value: Any, largest: int | None = None, because: str = "") -> int:
    """Return a whole number from 1 to `largest` (None: no limit), or raise ValueError."""
    if isinstance(value, Integral) and 1 <= value <= (largest or value):  # type: ignore[operator]
        return int(value)
    bounds = "of at least 1" if largest is None else f"between 1 and {largest} ({because})"
    raise ValueError(f"Expected a whole {name} {bounds}, got {value!r}.")


def require_targets(estimator: Any, Y: ArrayLike | None) -> None:
    """Raise scikit-learn's error without targets, and a ValueError for a broken sparse matrix."""
    if Y is None:
        raise ValueError(
            f"This {type(estimator).__name__} estimator requires y to be passed, but the target "
            "y is None."
        )
    require_sound_indices(Y)


def checked_weights(sample_weight: ArrayLike | None, n_samples: int) -> FloatArray | None:
    """Return the weights of training cases, at least 0 and not all 0; None: all count alike."""
    if sample_weight is None:
        return None
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.shape != (n_samples,):
        raise ValueError(
            f"Expected sample_weight with a number for each of {n_samples} cases, got shape "
            f"{weights.shape}."
        )
    if not np.isfinite(weights).all() or weights.min(initial=0) < 0 or not weights.any():
        raise ValueError("Expected finite sample_weight of at least 0, not all of them zero.")
    return weights


def copy_feature_attributes(fitted: Any, wrapper: Any) -> None:
    """Give a wrapper the number and the names of features that its fitted estimator knows."""
    for name in ("n_features_in_", "feature_names_in_"):
        vars(wrapper).pop(name, None)
        if (value := getattr(fitted, name, None)) is not None:
            setattr(wrapper, name, value)


def require_as_many_rows(X: Any, n_targets: int) -> None:
    """Raise a ValueError if cases and targets differ in number."""
    if X.shape[0] != n_targets:
        raise ValueError(f"Expected as many rows in X as in Y, got {X.shape[0]} and {n_targets}.")


def checked_cases(
    estimator: Any,
    X: Any,
    *,
    reset: bool = True,
    copy: bool = False,
    formats: Any = "csr",
    dtype: Any = np.float64,
) -> Any:
    """Return cases as an array or CSR matrix of numbers with which every method can compute.

    Raises a ValueError for what is no such matrix, and for features that are too large; with
    `reset`, before learning, also where all are too small.
    """
    X = as_pandas(X)
    require_sound_indices(X)
    try:
        cases = validate_data(
            estimator, X, dtype=dtype, order="C", accept_sparse=formats, reset=reset, copy=copy
        )
    except OverflowError as error:
        raise ValueError(f"Expected finite numbers in X, got too large ones: {error}.") from None
    require_moderate_features(cases, allow_tiny=not reset)
    return cases


class TooLargeError(ValueError):
    """Data that are too large for a method."""


def require_few_pairs(n_labels: int, n_rows: int) -> None:
    """Raise a ValueError for more pairs of labels than a method can keep for every row."""
    if n_labels * (n_labels - 1) // 2 * max(n_labels, n_rows) > _PAIR_CELLS:
        raise TooLargeError(
            f"Expected at most {_PAIR_CELLS:,} numbers for a method of label pairs (pairs times "
            f"rows or labels), got {n_labels} labels in {n_rows} rows. Leave out labels, or choose "
            "a method without pairs, such as one of similar cases."
        )


def dense_cases(X: Any, estimator: Any) -> Any:
    """Make sparse cases dense, up to `DENSE_CELLS`, for an estimator that needs that."""
    if not sparse.issparse(X):
        return X
    if X.shape[0] * X.shape[1] > DENSE_CELLS:
        raise TooLargeError(
            f"{type(estimator).__name__} makes sparse cases dense: expected at most "
            f"{DENSE_CELLS:,} numbers (rows times features), got shape {X.shape}. "
            "Methods of similar cases keep them sparse with Euclidean or cosine distance, and so "
            "do linear methods for label sets."
        )
    return X.toarray(order="C")


def _ranking_tags(tags: Tags) -> Tags:
    tags.target_tags.required = True
    tags.target_tags.multi_output = True
    tags.target_tags.single_output = False
    tags.input_tags.sparse = True
    return tags
