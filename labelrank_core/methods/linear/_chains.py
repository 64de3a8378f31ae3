"""Predictions by chains of classifiers, for any number of the chains, and why."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.special import expit
from sklearn.multioutput import ClassifierChain

from labelrank_core.explain.evidence import (
    Explanation,
    Label,
    ScoreParts,
    Step,
    Text,
    VotedProbabilities,
)
from labelrank_core.methods.base import check_count
from labelrank_core.methods.label_probabilities import LabelProbabilitiesPoint, probability_values
from labelrank_core.methods.linear._basis import subtract_mean
from labelrank_core.metrics.thresholds import DECIMALS
from labelrank_core.rankings import FloatArray, IntArray

# The sums over the first chains are kept for up to this many numbers (32 MB).
_TABLE_CELLS = 1 << 22


@dataclass(frozen=True, eq=False)
class Chain:
    """Log-odds that are linear in the features and in the decisions on the labels before."""

    # The labels in the order in which they are decided, (n_labels,).
    order: IntArray
    # Of the features, with a column for each label.
    weights: FloatArray
    # [i, j]: what deciding for label i adds to the log-odds of label j; 0 unless i is before j.
    links: FloatArray
    intercept: FloatArray

    def log_odds(self, X: Any) -> FloatArray:
        """Decide the labels one after the other; return their log-odds, (n_cases, n_labels)."""
        log_odds = np.asarray(X @ self.weights) + self.intercept
        decided = np.zeros(log_odds.shape)
        for label in self.order:
            log_odds[:, label] += decided @ self.links[:, label]
            decided[:, label] = log_odds[:, label] > 0
        return log_odds

    def probabilities(self, X: Any) -> FloatArray:
        """Return the probability that each label is relevant, (n_cases, n_labels)."""
        return np.asarray(expit(self.log_odds(X)))


@dataclass(frozen=True, eq=False)
class EstimatedChain:
    """A chain of any classifiers; those without probabilities decide by 1 and 0."""

    # The labels in the order in which they are decided, constant ones last, (n_labels,).
    order: IntArray
    # Of the labels that are not constant, in this order; None: all are constant.
    classifiers: ClassifierChain | None
    # Probabilities of constant labels, (n_labels,).
    constant: FloatArray
    has_probabilities: bool

    def probabilities(self, X: Any) -> FloatArray:
        """Return the probability that each label is relevant, (n_cases, n_labels)."""
        probabilities = np.tile(self.constant, (X.shape[0], 1))
        if self.classifiers is not None:
            predict = "predict_proba" if self.has_probabilities else "predict"
            varying = self.order[: len(self.classifiers.estimators_)]
            probabilities[:, varying] = getattr(self.classifiers, predict)(X)
        return probabilities


class ChainsPath:
    """Cases to predict by the first chains."""

    def __init__(
        self,
        model: Any,
        X: Any,
        chains: Sequence[Chain | EstimatedChain],
        mean_case: FloatArray,
        mean_labels: FloatArray,
    ) -> None:
        self.model, self.X, self.chains = model, X, chains
        # Of the training cases.
        self.mean_case, self.mean_labels = mean_case, mean_labels
        self._sums: list[FloatArray] = []

    def at(self, *, n_chains: int | None = None) -> "ChainsPoint":
        """Predict with the first n chains; None: all. ValueError for more than were learned."""
        n_learned = len(self.chains)
        n = n_learned if n_chains is None else n_chains
        return ChainsPoint(self, check_count("n_chains", n, n_learned, "the chains learned"))

    def total(self, n_chains: int) -> FloatArray:
        """Sum the probabilities of the first chains, (n_cases, n_labels)."""
        chains = self.chains
        cells = len(chains) * self.X.shape[0] * self.model.n_labels_
        if cells > _TABLE_CELLS:
            return np.asarray(sum(chain.probabilities(self.X) for chain in chains[:n_chains]))
        for chain in chains[len(self._sums) : n_chains]:
            probabilities = chain.probabilities(self.X)
            self._sums.append(self._sums[-1] + probabilities if self._sums else probabilities)
        return self._sums[n_chains - 1]


class ChainsPoint(LabelProbabilitiesPoint):
    """Predictions by the mean probabilities of some chains, computed when first needed."""

    def __init__(self, path: ChainsPath, n_chains: int) -> None:
        self.path = path
        self.n_chains = n_chains

    @cached_property
    def probabilities(self) -> FloatArray:
        """The probability that each label is relevant, shape (n_cases, n_labels)."""
        return np.round(self.path.total(self.n_chains) / self.n_chains, DECIMALS)

    def explain(self, case: int) -> Explanation:
        """Explain one case: the chains, one of them in detail, the mean, the confidence."""
        x = self.path.X[case : case + 1]
        votes = np.array([chain.probabilities(x)[0] for chain in self.path.chains[: self.n_chains]])
        values = self._values(case, votes)
        edge = values["edge"].index
        nearest = int(np.argmin(np.abs(votes[:, edge] - values["score"])))
        chain, steps = self.path.chains[nearest], []
        if isinstance(chain, Chain):
            steps.append(
                self._typical_step(x, chain, votes[nearest], {**values, "chain": nearest + 1})
            )
        if self.n_chains > 1:
            evidence = VotedProbabilities("chain", votes, self.positions[case])
            steps.insert(0, Step("What each chain says", Text(_CHAINS, values), evidence))
        made_of = _MEAN if self.n_chains > 1 else ""
        return self.explain_probabilities(
            case, values, stands_for=_STANDS_FOR, made_of=made_of, first_steps=steps
        )

    def _values(self, case: int, votes: FloatArray) -> dict[str, Any]:
        values = probability_values(self, case)
        edge_votes = votes[:, values["edge"].index]
        return {
            **values,
            "n": self.n_chains,
            "n_for": int((edge_votes > 0.5).sum()),
            "lowest": float(edge_votes.min()),
            "highest": float(edge_votes.max()),
        }

    def _typical_step(
        self, x: Any, chain: Chain, probabilities: FloatArray, values: dict[str, Any]
    ) -> Step:
        """Show the parts of the log-odds in the chain nearest to the mean."""
        path, edge = self.path, values["edge"].index
        decided = (probabilities > 0.5).astype(np.float64)
        mean = path.mean_case @ chain.weights + path.mean_labels @ chain.links
        parts = ScoreParts(
            baseline=mean + chain.intercept,
            thresholds=np.zeros(len(decided)),
            inputs=subtract_mean(x, path.mean_case).row(0),
            weights={"features": chain.weights},
            further_parts={"labels before": (decided - path.mean_labels) @ chain.links},
        )
        preceding = chain.order[: int(np.flatnonzero(chain.order == edge)[0])]
        step_values = {
            **values,
            "log_odds": float(parts.scores[edge]),
            "baseline": float(parts.baseline[edge]),
            "features": float(parts.parts["features"][edge]),
            "labels": float(parts.parts["labels before"][edge]),
            "n_before": len(preceding),
            "before": tuple(Label(int(label)) for label in preceding if decided[label]),
        }
        template = (_TYPICAL if self.n_chains > 1 else _ONLY) + _MADE_OF
        if not len(preceding):
            template += _FIRST
        else:
            template += _BEFORE + (_DECIDED if step_values["before"] else _NONE_DECIDED)
        return Step("What one chain makes of it", Text(template, step_values), parts)


_CHAINS = (
    "Each chain decides the labels in an order of its own. {n_for} of the {n} chains find {edge} "
    "more likely than not; their probabilities go from {lowest} to {highest}."
)
_MEAN = "the mean of {n} chains, which predict {lowest} to {highest}"
_TYPICAL = "Chain {chain} comes closest to the mean for {edge}. "
_ONLY = "There is one chain. "
_MADE_OF = (
    "Its log-odds of {edge} are {log_odds}: {baseline} for the mean case, {features} for what its "
    "features differ from the mean"
)
_FIRST = ". {edge} is the first label of this chain."
_BEFORE = ", {labels} for the labels before it. "
_DECIDED = "Of the {n_before} labels before {edge} in this chain, these are predicted: {before}."
_NONE_DECIDED = "None of the {n_before} labels before {edge} in this chain is predicted."
_STANDS_FOR = "the probability that a label is relevant is the mean over the chains"
