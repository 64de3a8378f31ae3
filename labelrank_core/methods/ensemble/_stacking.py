"""What stacked methods share: compare candidates out of fold, then learn the blend's members."""

from collections.abc import Callable, Mapping, Sequence
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import KFold
from sklearn.utils import check_random_state

from labelrank_core._sklearn import Interval
from labelrank_core.methods.ensemble._blend import Blend
from labelrank_core.methods.ensemble._race import Candidate, Race, run_race
from labelrank_core.rankings import FloatArray


class StackingMixin:
    """Parameters and fit of stacked methods, which say what candidates they know."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
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

    def _stack(
        self,
        X: FloatArray,
        targets: Any,
        truth: FloatArray,
        *,
        named: Mapping[str, Sequence[Any]],
        predict: Callable[[Any, FloatArray], FloatArray],
    ) -> None:
        """Compare the candidates out of fold, then learn the members of the blend."""
        race = self._race(X, targets, truth, named, predict)
        self.left_out_ = race.left_out
        self.blend_ = Blend.grown(race.predicted, truth, self.n_members)
        names = [each.name for each in race.candidates]
        self.losses_ = dict(zip(names, self.blend_.losses.tolist(), strict=True))
        # Those that decide in the blend of some number of members.
        weights = np.array([self.blend_.of(k + 1) for k in range(len(self.blend_.order))])
        self.members_ = {
            race.candidates[i].name: clone(race.candidates[i].estimator).fit(X, targets)
            for i, own in zip(self.blend_.order, weights.T, strict=True)
            if own.any()
        }
        self._weights = weights[:, weights.any(axis=0)]

    def _race(
        self,
        X: FloatArray,
        targets: Any,
        truth: FloatArray,
        named: Mapping[str, Sequence[Any]],
        predict: Callable[[Any, FloatArray], FloatArray],
    ) -> Race:
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        everything = np.arange(len(X))
        folds = [(everything, everything)]
        if len(X) > 1:
            inner = KFold(min(self.inner_folds, len(X)), shuffle=True, random_state=seed)
            folds = list(inner.split(X))
        smallest = min(len(train) for train, _ in folds)
        candidates = self._candidates(named, smallest, X.shape[1], seed)
        self.candidate_names_ = [each.name for each in candidates]
        return run_race(
            candidates,
            X,
            targets,
            truth,
            folds=folds,
            predict=predict,
            time_budget=self.time_budget,
        )

    def _candidates(
        self, named: Mapping[str, Sequence[Any]], n_samples: int, n_features: int, seed: int
    ) -> Sequence[Candidate]:
        if isinstance(self.candidates, str):
            entries = named[self.candidates]
            return [entry.candidate(n_samples, n_features, seed) for entry in entries]
        found = [Candidate(name, estimator) for name, estimator in self.candidates]
        if not found or len({each.name for each in found}) < len(found):
            raise ValueError(
                "Expected candidates as a list of (name, estimator) with different names, got "
                f"{self.candidates!r}."
            )
        return found
