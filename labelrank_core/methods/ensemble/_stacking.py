"""The base class of stacked methods: compare candidates out of fold, learn the blend's members."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import KFold
from sklearn.pipeline import Pipeline
from sklearn.utils import check_array, check_random_state
from sklearn.utils.validation import validate_data

from labelrank_core._sklearn import Interval
from labelrank_core.data.bounds import require_sound_indices
from labelrank_core.data.frames import as_matrix, as_pandas
from labelrank_core.explain.capabilities import HasParams
from labelrank_core.methods.ensemble._blend import Blend
from labelrank_core.methods.ensemble._out_of_fold import (
    NamedEstimator,
    OutOfFoldPredictions,
    predict_out_of_fold,
)
from labelrank_core.methods.routing import RoutingMixin
from labelrank_core.rankings import FloatArray


class StackingMixin(RoutingMixin):
    """Parameters and fit of stacked methods, which name their sets of candidates."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_members": [Interval(Integral, 1, None, closed="left")],
        "inner_folds": [Interval(Integral, 2, None, closed="left")],
        "time_budget": [Interval(Real, 0, None, closed="neither"), None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        candidates: str | Sequence[Any] = "quick",
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

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name.

        Parameters
        ----------
        deep : bool, default=True
            Whether each candidate is among them by its name, and its parameters as
            ``name__parameter``, as in scikit-learn's ensembles.

        Returns
        -------
        dict of str to object
            The values.
        """
        params: dict[str, Any] = super().get_params(deep=False)  # type: ignore[misc]
        for candidate in named_candidates(self.candidates) if deep else ():
            params[candidate.name] = candidate.estimator
            nested = candidate.estimator.get_params()
            params |= {f"{candidate.name}__{name}": value for name, value in nested.items()}
        return params

    def set_params(self, **params: Any) -> Self:
        """Set parameters, replace a candidate by its name, or set one of its parameters.

        Parameters
        ----------
        **params
            By the names of ``get_params()``.

        Returns
        -------
        self
            The same estimator.
        """
        if "candidates" in params:
            self.candidates = params.pop("candidates")
        for position, candidate in enumerate(named_candidates(self.candidates)):
            if candidate.name in params:
                estimator = params.pop(candidate.name)
                is_named = isinstance(self.candidates[position], tuple)
                replaced = list(self.candidates)
                replaced[position] = (candidate.name, estimator) if is_named else estimator
                self.candidates = replaced
        super().set_params(**params)  # type: ignore[misc]
        return self

    def _estimators_by_name(self) -> dict[str, Any]:
        candidates = named_candidates(self.candidates)
        return {candidate.name: candidate.estimator for candidate in candidates}

    def _cases_for_candidates(self, X: Any, *, reset: bool) -> Any:
        """Return cases whose values the user's candidates check, which may take any columns."""
        X = as_pandas(X)
        # Taking the rows of a fold from a broken matrix would read memory that is not its own.
        require_sound_indices(X)
        cases = as_matrix(X)
        is_number = cases.ndim == 0
        if is_number or (cases.ndim == 1 and getattr(cases.dtype, "kind", "O") in "biuf"):
            check_array(cases)  # raises scikit-learn's error for a number and for a single case
        validate_data(self, cases, skip_check_array=True, reset=reset)
        return cases

    def _stack(
        self,
        X: Any,
        targets: Any,
        truth: FloatArray,
        *,
        candidate_sets: Mapping[str, Sequence[Any]],
        predict: Callable[[Any, Any], FloatArray],
        metadata: Mapping[str, Any],
    ) -> None:
        """Compare the candidates out of fold, then learn the members of the blend."""
        routed = self._routed(metadata)
        out_of_fold = self._predict_candidates(X, targets, truth, candidate_sets, predict, routed)
        self.left_out_ = out_of_fold.left_out
        self.blend_ = Blend.grown(out_of_fold.predicted, truth, self.n_members)
        names = [candidate.name for candidate in out_of_fold.candidates]
        self.losses_ = dict(zip(names, self.blend_.losses.tolist(), strict=True))
        # Those that decide in the blend of some number of members.
        weights = np.array([self.blend_.of(k + 1) for k in range(len(self.blend_.order))])
        self.members_ = {
            out_of_fold.candidates[i].name: clone(out_of_fold.candidates[i].estimator).fit(
                X, targets, **routed.get(out_of_fold.candidates[i].name, {})
            )
            for i, member_weights in zip(self.blend_.order, weights.T, strict=True)
            if member_weights.any()
        }
        self._weights = weights[:, weights.any(axis=0)]

    def _predict_candidates(
        self,
        X: Any,
        targets: Any,
        truth: FloatArray,
        candidate_sets: Mapping[str, Sequence[Any]],
        predict: Callable[[Any, Any], FloatArray],
        metadata: Mapping[str, Mapping[str, Any]],
    ) -> OutOfFoldPredictions:
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        everything = np.arange(len(truth))
        folds = [(everything, everything)]
        if len(truth) > 1:
            inner = KFold(min(self.inner_folds, len(truth)), shuffle=True, random_state=seed)
            folds = list(inner.split(truth))
        smallest = min(len(train) for train, _ in folds)
        candidates = self._all_candidates(candidate_sets, X, smallest, seed)
        self.candidate_names_ = [candidate.name for candidate in candidates]
        return predict_out_of_fold(
            candidates,
            X,
            targets,
            truth,
            folds=folds,
            predict=predict,
            time_budget=self.time_budget,
            metadata=metadata,
        )

    def _all_candidates(
        self, candidate_sets: Mapping[str, Sequence[Any]], X: Any, n_samples: int, seed: int
    ) -> Sequence[NamedEstimator]:
        if isinstance(self.candidates, str):
            entries = candidate_sets[self.candidates]
            return [entry.candidate(n_samples, X.shape[1], seed) for entry in entries]
        candidates = named_candidates(self.candidates)
        names = {candidate.name for candidate in candidates}
        clashing_names = names & set(super().get_params(deep=False))  # type: ignore[misc]
        if (
            not names
            or len(names) < len(self.candidates)
            or clashing_names
            or "__" in "".join(names)
        ):
            raise ValueError(
                "Expected candidates as a list of estimators, or of (name, estimator) with "
                "different names, none of them a parameter or with two underscores, got "
                f"{self.candidates!r}."
            )
        return candidates


def named_candidates(candidates: Any) -> list[NamedEstimator]:
    """Name the candidates of a user; none for a set of the package or for anything else.

    An estimator without a name is called like its class, that of the last step for a pipeline, in
    small letters, with a number if there are several of a class.
    """
    if isinstance(candidates, str) or not isinstance(candidates, Sequence):
        return []
    pairs = [
        entry if isinstance(entry, tuple) and len(entry) == 2 else (None, entry)
        for entry in candidates
    ]
    if not all(isinstance(estimator, HasParams) for _, estimator in pairs):
        return []
    classes = [_class_name(estimator) for _, estimator in pairs]
    unnamed = [cls for (name, _), cls in zip(pairs, classes, strict=True) if name is None]
    n_of_class, n_before = Counter(unnamed), Counter[str]()
    named_pairs = []
    for (name, estimator), cls in zip(pairs, classes, strict=True):
        if name is None:
            n_before[cls] += 1
            name = f"{cls}-{n_before[cls]}" if n_of_class[cls] > 1 else cls
        named_pairs.append(NamedEstimator(str(name), estimator))
    return named_pairs


def _class_name(estimator: Any) -> str:
    """Return the class of an estimator in small letters, the same before and after its fit."""
    if isinstance(estimator, FrozenEstimator):
        return _class_name(estimator.estimator)
    if isinstance(estimator, Pipeline):
        return _class_name(estimator[-1])
    return type(estimator).__name__.lower()
