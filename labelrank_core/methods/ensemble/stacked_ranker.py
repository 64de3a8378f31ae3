"""Stacking: compare label rankers out of fold, and blend those that rank best together."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

from numpy.typing import ArrayLike

from labelrank_core._sklearn import StrOptions, fit_context
from labelrank_core.aggregation import TIES
from labelrank_core.methods.ensemble._candidates import LABEL_RANKERS
from labelrank_core.methods.ensemble._out_of_fold import NamedEstimator
from labelrank_core.methods.ensemble._stacked_point import (
    StackedPath,
    pair_outcomes,
    pair_preferences,
)
from labelrank_core.methods.ensemble._stacking import StackingMixin
from labelrank_core.methods.pair_ranker import PairwiseRanker
from labelrank_core.methods.pairs import split_signs
from labelrank_core.rankings import check_rankings


class StackedLabelRanker(StackingMixin, PairwiseRanker):
    """Blend the label rankers that predict the pairs of labels best together.

    Candidates learn folds of the training cases and predict, for every pair of labels, how likely
    the first is ahead in the other cases. The blend is a weighted mean of these supports, with the
    weights that have the least squared error (Brier score) on the pairs that the cases rank. Its
    members then learn all training cases. Labels are ordered by their summed supports (Borda).

    Parameters
    ----------
    candidates : {"quick", "thorough"} or sequence, default="quick"
        The label rankers to compare: four quick ones or eight, listed in ``candidate_names_``
        after a fit; or one's own, estimators or pairs (name, estimator). These may be rankers of
        this package or of others, regressions of positions, pipelines and searches. Without
        ``predict_pair_support`` the supports are 1 and 0, by the predicted order. They get the
        cases as they are given, so pipelines may choose columns of a frame. Their parameters are
        reached as ``name__parameter``, by the class in small letters for those without a name.
    n_members : int, default=4
        The largest number of members of the blend.
    inner_folds : int, default=5
        Number of folds, at most one per training case.
    time_budget : float or None, default=None
        Seconds after which no further fold is begun, and no further candidate in the first one;
        learning the members comes on top. The result then depends on the speed of the computer.
        None: no limit.
    ties : {"break", "predict"}, default="break"
        ``"predict"``: labels may share a position. Candidates of the package then predict ties;
        they are compared and blended by how likely each label of a pair is strictly ahead, and the
        prediction is the bucket order with the least expected Kemeny distance: exactly for up to 8
        labels, beyond by local search. The confidence is 1 - expected distance / largest one. Of
        one's own candidates those that predict ties must be given so; for others the supports of
        both labels of a pair have the sum 1.
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
    The first member is the best single candidate. Each further one is the candidate that lowers the
    error most, once all weights are chosen anew (at least 0, with sum 1). If a blend does not gain
    more than one standard error over the best single candidate, that one decides alone.

    After two folds, candidates that err more than the best one by two standard errors and get no
    weight in the blend run no further. A candidate that cannot learn the data is left out. A fit
    costs at most (`inner_folds` + 1) fits of all candidates: by default 24 times the slowest one.
    On the data sets glass and vehicle it took 9 to 11 times as long as the slowest candidate, with
    the thorough ones 7 to 15 times.

    Incomplete rankings: all candidates learn them in their own way; blends are chosen on the pairs
    that are ranked. A tie counts one half. Supports are rounded to 12 decimals; ties are broken by
    label index. Sparse cases are made dense, except for candidates of one's own.

    Only the training cases are used, so measures on a test set are unbiased.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.linspace(0, 1, 20)[:, None]
    >>> Y = np.where(X < 0.5, [[1, 2, 3]], [[3, 2, 1]])
    >>> model = StackedLabelRanker().fit(X, Y)
    >>> model.predict([[0.1], [0.9]])
    array([[1, 2, 3],
           [3, 2, 1]])
    """

    # Its candidates include methods that need whole rankings.
    _learns_pair_preferences = False
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **StackingMixin._parameter_constraints,
        "candidates": [StrOptions(set(LABEL_RANKERS)), list, tuple],
        "ties": [StrOptions(set(TIES))],
    }

    def __init__(
        self,
        candidates: str | Sequence[Any] = "quick",
        *,
        n_members: int = 4,
        inner_folds: int = 5,
        time_budget: float | None = None,
        ties: str = "break",
        random_state: Any = 0,
    ) -> None:
        super().__init__(
            candidates,
            n_members=n_members,
            inner_folds=inner_folds,
            time_budget=time_budget,
            random_state=random_state,
        )
        self.ties = ties

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, Y: ArrayLike, **params: Any) -> Self:
        """Compare the candidates out of fold, then learn the members of the blend.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training cases; for candidates of one's own whatever they learn from, such as a frame.
            For the others sparse ones are made dense, which must not take more than 512 MB.
        Y : array-like of shape (n_samples, n_labels)
            Their positions; labels may tie, NaN = not ranked.
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
        features, signs = self._training_data(X, Y)
        rankings = check_rankings(Y, allow_partial=True)
        with_ties = self.ties == "predict"
        self._stack(
            features,
            rankings,
            (1 + (split_signs(signs) if with_ties else signs)) / 2,
            candidate_sets=LABEL_RANKERS,
            predict=pair_outcomes if with_ties else pair_preferences,
            metadata=params,
        )
        return self

    def _all_candidates(
        self, candidate_sets: Mapping[str, Sequence[Any]], X: Any, n_samples: int, seed: int
    ) -> Sequence[NamedEstimator]:
        candidates = super()._all_candidates(candidate_sets, X, n_samples, seed)
        if self.ties == "break" or not isinstance(self.candidates, str):
            return candidates
        return [
            replace(candidate, estimator=candidate.estimator.set_params(ties="predict"))
            for candidate in candidates
        ]

    def _checked(self, X: Any, *, reset: bool = True, **options: bool) -> Any:
        if isinstance(self.candidates, str):
            return super()._checked(X, reset=reset, **options)
        return self._cases_for_candidates(X, reset=reset)

    def path(self, X: ArrayLike) -> StackedPath:
        """Let all members predict once, then blend the first n of them.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_cases, n_features)
            Cases.

        Returns
        -------
        StackedPath
            ``path.at(n_members=...)`` equals a fresh fit with that number.
        """
        return StackedPath(self, self._cases(X), self._observed, self._weights)
