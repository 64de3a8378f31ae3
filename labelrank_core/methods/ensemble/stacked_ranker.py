"""Stacking: compare label rankers out of fold, and blend those that rank best together."""

from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.model_selection import KFold
from sklearn.utils import check_random_state

from labelrank_core._sklearn import Interval, StrOptions, fit_context
from labelrank_core.methods.ensemble._blend import Blend
from labelrank_core.methods.ensemble._candidates import LABEL_RANKERS
from labelrank_core.methods.ensemble._race import Candidate, Race, run_race
from labelrank_core.methods.ensemble._stacked_point import StackedPath, pair_preferences
from labelrank_core.methods.pair_ranker import PairwiseRanker
from labelrank_core.rankings import FloatArray, check_rankings


class StackedLabelRanker(PairwiseRanker):
    """Blend the label rankers that predict the pairs of labels best together.

    Candidates learn folds of the training cases and predict, for every pair of labels, how likely
    the first is ahead in the other cases. The blend is a weighted mean of these supports, with the
    weights that have the least squared error (Brier score) on the pairs that the cases rank. Its
    members then learn all training cases. Labels are ordered by their summed supports (Borda).

    Parameters
    ----------
    candidates : {"quick", "thorough"} or sequence of (str, estimator), default="quick"
        The label rankers to compare: four quick ones or eight, listed in ``candidate_names_``
        after a fit; or one's own, with a name each. They need ``predict_pair_support``.
    n_members : int, default=4
        The largest number of members of the blend.
    inner_folds : int, default=5
        Number of folds, at most one per training case.
    time_budget : float or None, default=None
        Seconds after which no further fold is begun, and no further candidate in the first one;
        learning the members comes on top. The result then depends on the speed of the computer.
        None: no limit.
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
    costs at most (`inner_folds` + 1) fits of all candidates.

    Partial rankings: all candidates learn them in their own way; blends are chosen on the pairs
    that are ranked. A tie counts one half. Supports are rounded to 12 decimals; ties are broken by
    label index. Sparse cases are made dense.

    Nothing here looks at other cases than those to learn, so scores on test sets are honest.

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

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "candidates": [StrOptions(set(LABEL_RANKERS)), list, tuple],
        "n_members": [Interval(Integral, 1, None, closed="left")],
        "inner_folds": [Interval(Integral, 2, None, closed="left")],
        "time_budget": [Interval(Real, 0, None, closed="neither"), None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        candidates: str | Sequence[tuple[str, Any]] = "quick",
        *,
        n_members: int = 4,
        inner_folds: int = 5,
        time_budget: float | None = None,
        random_state: Any = 0,
    ) -> None:
        self.candidates = candidates
        self.n_members = n_members
        self.inner_folds = inner_folds
        self.time_budget = time_budget
        self.random_state = random_state

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, Y: ArrayLike) -> Self:
        """Compare the candidates out of fold, then learn the members of the blend.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training cases. Sparse ones are made dense, which must not take more than 512 MB.
        Y : array-like of shape (n_samples, n_labels)
            Their positions; labels may tie, NaN = not ranked.

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
        race = self._race(features, rankings, (1 + signs) / 2)
        self.left_out_ = race.left_out
        self.blend_ = Blend.grown(race.predicted, (1 + signs) / 2, self.n_members)
        names = [each.name for each in race.candidates]
        self.losses_ = dict(zip(names, self.blend_.losses.tolist(), strict=True))
        # Those that decide in the blend of some number of members.
        weights = np.array([self.blend_.of(k + 1) for k in range(len(self.blend_.order))])
        self.members_ = {
            race.candidates[i].name: clone(race.candidates[i].estimator).fit(features, rankings)
            for i, own in zip(self.blend_.order, weights.T, strict=True)
            if own.any()
        }
        self._weights = weights[:, weights.any(axis=0)]
        return self

    def _race(self, X: FloatArray, rankings: FloatArray, truth: FloatArray) -> Race:
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        everything = np.arange(len(X))
        folds = [(everything, everything)]
        if len(X) > 1:
            inner = KFold(min(self.inner_folds, len(X)), shuffle=True, random_state=seed)
            folds = list(inner.split(X))
        smallest = min(len(train) for train, _ in folds)
        candidates = self._candidates(smallest, X.shape[1], seed)
        self.candidate_names_ = [each.name for each in candidates]
        return run_race(
            candidates,
            X,
            rankings,
            truth,
            folds=folds,
            predict=pair_preferences,
            time_budget=self.time_budget,
        )

    def _candidates(self, n_samples: int, n_features: int, seed: int) -> Sequence[Candidate]:
        if isinstance(self.candidates, str):
            entries = LABEL_RANKERS[self.candidates]
            return [entry.candidate(n_samples, n_features, seed) for entry in entries]
        found = [Candidate(name, estimator) for name, estimator in self.candidates]
        if not found or len({each.name for each in found}) < len(found):
            raise ValueError(
                "Expected candidates as a list of (name, estimator) with different names, got "
                f"{self.candidates!r}."
            )
        return found

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
        return StackedPath(self, self._cases(X))
