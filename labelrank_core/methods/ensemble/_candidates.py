"""The methods that are compared unless a person names others, with settings that differ.

A set of candidates is for all data: parameters that depend on the number of features are given as
a multiple of its inverse.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from labelrank_core.methods.ensemble._label_members import LabelSetForest, MarginProbabilities
from labelrank_core.methods.ensemble._out_of_fold import NamedEstimator


@dataclass(frozen=True)
class Entry:
    """A method of the catalog with a name, its parameters, and those per feature."""

    name: str
    key: str
    params: Mapping[str, Any] = field(default_factory=dict)
    per_feature: Mapping[str, float] = field(default_factory=dict)

    def candidate(self, n_samples: int, n_features: int, seed: int) -> NamedEstimator:
        """Return the unfitted method, with counts of cases of at most `n_samples`."""
        algorithm = _catalog()[self.key]
        params = dict(self.params)
        params |= {name: times / n_features for name, times in self.per_feature.items()}
        values = {**algorithm.defaults, **params}
        params |= {
            knob.name: n_samples
            for knob in algorithm.knobs
            if knob.at_most_cases and values[knob.name] > n_samples
        }
        # Not where the default is None: such a method breaks ties by index without a seed.
        if algorithm.build().get_params().get("random_state") is not None:
            params["random_state"] = seed
        return NamedEstimator(self.name, algorithm.build(**params))

    def seconds(self, size: Any) -> float:
        """Estimate the seconds of learning and predicting."""
        algorithm = _catalog()[self.key]
        values = {**algorithm.defaults, **self.params}
        return float(algorithm.seconds(size, values))


@dataclass(frozen=True)
class EstimatorEntry:
    """A member that is not a method of the catalog, with its parameters, as an `Entry`."""

    name: str
    estimator: Any
    # How long it takes for each training case, feature and label.
    cost: float
    params: Mapping[str, Any] = field(default_factory=dict)
    per_feature: Mapping[str, float] = field(default_factory=dict)

    def candidate(self, n_samples: int, n_features: int, seed: int) -> NamedEstimator:  # noqa: ARG002
        """Return the unfitted member."""
        per_feature_params = {name: times / n_features for name, times in self.per_feature.items()}
        return NamedEstimator(
            self.name, self.estimator(**self.params, **per_feature_params, random_state=seed)
        )

    def seconds(self, size: Any) -> float:
        """Estimate the seconds of learning and predicting."""
        n_learned = size.n_samples + size.n_cases / 10
        return 0.01 + self.cost * n_learned * size.n_features * size.n_labels


def _catalog() -> Mapping[str, Any]:
    # The catalog lists the methods of this folder, too.
    from labelrank_core.methods.catalog import ALGORITHMS

    return ALGORITHMS


_EXTRA = {"splitter": "random", "max_features": 1.0}
# On nine published data sets as good together as eleven methods.
QUICK = (
    Entry("pairwise, straight", "rpc", {"C": 1.0}),
    Entry("pairwise, curved", "rpc", {"C": 3.0, "n_knots": 3}),
    Entry("kernel", "kernel_pairwise", per_feature={"gamma": 2.0}),
    Entry("extra trees", "pairwise_forest", {"n_estimators": 50, **_EXTRA}),
)
THOROUGH = (
    *QUICK,
    Entry("pairwise, 8 bends", "rpc", {"C": 1.0, "n_knots": 8}),
    Entry("linear utilities", "ll", {"penalty": 1e-3}),
    Entry("narrow kernel", "kernel_pairwise", per_feature={"gamma": 8.0}),
    Entry("ranking forest", "forest"),
)
LABEL_RANKERS: Mapping[str, Sequence[Entry]] = {"quick": QUICK, "thorough": THOROUGH}

# Kernel ridge regression: without a shared subspace.
_RIDGE = {"alpha": 0.0, "kernel": "rbf", "threshold": "zero"}
_KERNELS = (
    Entry("kernel", "mlls", {**_RIDGE, "beta": 1e-3}, {"gamma": 1.0}),
    Entry("narrow kernel", "mlls", {**_RIDGE, "beta": 3e-4}, {"gamma": 2.0}),
)
_MORE = {"n_estimators": 200}
LABEL_SETS: Mapping[str, Sequence[Entry | EstimatorEntry]] = {
    "quick": (*_KERNELS, EstimatorEntry("extra trees", LabelSetForest, 1e-6)),
    "thorough": (
        *_KERNELS,
        EstimatorEntry("extra trees", LabelSetForest, 4e-6, _MORE),
        EstimatorEntry("random forest", LabelSetForest, 8e-6, {**_MORE, "splitter": "best"}),
        EstimatorEntry("vector machines", MarginProbabilities, 2e-6, per_feature={"gamma": 1.0}),
        Entry("similar cases", "mlknn", {"n_neighbors": 30, "label_neighbors": "own"}),
    ),
}
