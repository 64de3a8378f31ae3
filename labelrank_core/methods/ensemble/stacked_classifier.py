"""Stacking for label sets: compare methods out of fold, and blend those that are best together."""

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from labelrank_core._sklearn import StrOptions, fit_context
from labelrank_core.methods.base import checked_cases, dense_cases
from labelrank_core.methods.ensemble._candidates import LABEL_SETS
from labelrank_core.methods.ensemble._label_members import probabilities
from labelrank_core.methods.ensemble._stacked_sets import StackedSetsPath
from labelrank_core.methods.ensemble._stacking import StackingMixin
from labelrank_core.methods.label_probabilities import LabelProbabilitiesMixin
from labelrank_core.rankings import FloatArray


class StackedMultilabelClassifier(StackingMixin, LabelProbabilitiesMixin, BaseEstimator):
    """Blend the methods for label sets whose probabilities are best together.

    Candidates learn folds of the training cases and say for the other cases how likely each label
    is relevant. The blend is a weighted mean of these probabilities, with the weights that have the
    least squared error (Brier score). Its members then learn all training cases. A label is
    relevant where its blended probability is above one half; labels are ordered by it.

    Parameters
    ----------
    candidates : {"quick", "thorough"} or sequence, default="quick"
        The methods to compare: two kernel machines by least squares and extra trees; or these with
        more trees, a random forest, support vector machines and ML-kNN with a k for each label,
        which takes about ten times as long; or one's own as for `StackedLabelRanker`, that have
        ``predict_proba`` or least-squares ``raw_scores``; of others the predicted labels count.
    n_members : int, default=4
        The largest number of members of the blend.
    inner_folds : int, default=5
        Number of folds, at most one per training case.
    time_budget : float or None, default=None
        Seconds after which no further fold is begun, as for `StackedLabelRanker`.
    random_state : int, RandomState instance or None, default=0
        Seed of the folds, and of candidates that are drawn at random.

    Attributes
    ----------
    blend_ : Blend
        The order in which candidates join (those of ``losses_``), their weights, and what they
        gain.
    candidate_names_ : list of str
        All candidates.
    left_out_ : dict of str to str
        Candidates that did not run all folds, and why.
    losses_ : dict of str to float
        The squared error of the others, out of fold.
    members_ : dict of str to estimator
        The fitted members by name, in the order in which they joined.
    n_labels_ : int
        Number of labels.
    n_features_in_ : int
        Number of features.

    Notes
    -----
    How the blend grows, when the best single candidate decides alone, and which candidates are
    dropped early is as in `StackedLabelRanker`. Probabilities are rounded to 12 decimals; a label
    at one half is irrelevant, ties are broken by label index. Sparse cases are made dense,
    except for candidates of one's own. Of calibrated rankings only the relevance is learned.

    Features should be standardised: kernels have widths in proportion to the number of features.

    Only the training cases are used, so measures on a test set are unbiased.

    Examples
    --------
    >>> X = [[0.0, 1.0], [0.2, 0.8], [0.1, 0.7], [0.9, 0.1], [1.0, 0.0], [0.8, 0.3]]
    >>> Y = [[0, 1], [0, 1], [0, 1], [1, 0], [1, 0], [1, 0]]
    >>> model = StackedMultilabelClassifier(inner_folds=3).fit(X, Y)
    >>> model.predict([[0.0, 0.9], [0.9, 0.2]])
    array([[0, 1],
           [1, 0]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **StackingMixin._parameter_constraints,
        "candidates": [StrOptions(set(LABEL_SETS)), list, tuple],
    }

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, Y: ArrayLike, **params: Any) -> Self:
        """Compare the candidates out of fold, then learn the members of the blend.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training cases; for candidates of one's own whatever they learn from, such as a frame.
            For the others sparse ones are made dense, which must not take more than 512 MB.
        Y : array-like of shape (n_samples, n_labels) or (n_samples, n_labels + 1)
            A 0/1 matrix, 1 = relevant; or calibrated rankings (the virtual label last), of which
            only the labels strictly ahead of the virtual label are used, as the relevant ones.
        **params
            Metadata, such as ``sample_weight``, for the candidates that ask for it, with
            scikit-learn's metadata routing.

        Returns
        -------
        self
            Fitted.

        Raises
        ------
        ValueError
            If a parameter or an array is not as described, or no candidate can learn the data.
        """
        cases, relevance = self._checked_label_sets(X, Y)
        self.n_labels_ = relevance.shape[1]
        self._stack(
            cases,
            relevance,
            relevance.astype(np.float64),
            candidate_sets=LABEL_SETS,
            predict=probabilities,
            metadata=params,
        )
        return self

    def _checked(self, X: Any, *, reset: bool) -> Any:
        if not isinstance(self.candidates, str):
            return self._cases_for_candidates(X, reset=reset)
        cases = checked_cases(self, X, reset=reset, copy=reset)
        dense: FloatArray = dense_cases(cases, self)
        return dense

    def path(self, X: ArrayLike) -> StackedSetsPath:
        """Let all members predict once, then blend the first n of them.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        StackedSetsPath
            ``path.at(n_members=...)`` equals a fresh fit with that number.
        """
        check_is_fitted(self)
        return StackedSetsPath(self, self._checked(X, reset=False), self._weights)
