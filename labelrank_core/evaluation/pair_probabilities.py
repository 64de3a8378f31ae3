"""Calibration of pair probabilities: reliability, Brier score, log loss, and recalibration.

The support of i before j, a share of votes or a model's probability, is read as the probability
that i is ahead in truth. Every pair that the truth orders counts once.

References
----------
.. [guo2017] C. Guo, G. Pleiss, Y. Sun, K. Q. Weinberger: On calibration of modern neural networks.
   ICML 2017.
.. [zadrozny2002] B. Zadrozny, C. Elkan: Transforming classifier scores into accurate multiclass
   probability estimates. KDD 2002.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize_scalar
from scipy.special import expit, logit
from sklearn.isotonic import IsotonicRegression
from sklearn.model_selection import KFold

from labelrank_core.data.dataset import Dataset
from labelrank_core.evaluation.pairs import Truth, true_pairs, truth_chunks, truth_of
from labelrank_core.explain.capabilities import Ranker
from labelrank_core.explain.predictions import bare_model
from labelrank_core.methods import ModelChoice
from labelrank_core.rankings import FloatArray, IntArray

# A certain probability that is wrong would cost infinitely much: log loss reads .001 and .999.
LEAST = 1e-3
AS_IT_IS, TEMPERATURE, ISOTONIC = "none", "temperature", "isotonic"
_TEMPERATURES = (0.02, 50.0)
_DECIMALS = 12


@dataclass(frozen=True, eq=False)
class PairProbabilities:
    """Probabilities of ordered pairs and their outcomes.

    Parameters
    ----------
    probability : ndarray of shape (n_pairs,)
        That the label preferred by the model is ahead, from 0.5 to 1.
    outcome : ndarray of shape (n_pairs,)
        1 if it is, 0 if not, and 0.5 where the model prefers neither.
    cases : ndarray of shape (n_pairs,) or None, default=None
        The case of each pair, by a number; None: every pair is a case of its own.
    """

    probability: FloatArray
    outcome: FloatArray
    cases: IntArray | None = None

    @property
    def cases_or_pairs(self) -> IntArray:
        """The case of each pair, or numbers of the pairs themselves."""
        return np.arange(len(self.probability)) if self.cases is None else self.cases

    def chosen(self, mask: NDArray[np.bool_]) -> "PairProbabilities":
        """Return some of the pairs."""
        return PairProbabilities(
            self.probability[mask], self.outcome[mask], self.cases_or_pairs[mask]
        )

    @property
    def brier_score(self) -> float:
        """Mean squared difference of probability and outcome: 0 is best, 0.25 is always one half.

        Of a pair without preference it is 0.25, whichever label is ahead.
        """
        p, y = self.probability, self.outcome
        return float(np.mean(y * (1 - p) ** 2 + (1 - y) * p**2))

    @property
    def log_loss(self) -> float:
        """Mean negative logarithm of the true order's probability; 0.69 is always one half."""
        p, y = np.clip(self.probability, LEAST, 1 - LEAST), self.outcome
        return float(-np.mean(y * np.log(p) + (1 - y) * np.log(1 - p)))

    @property
    def calibration_error(self) -> float:
        """Mean difference of probability and share right over ten bins, weighted by their pairs."""
        table = self.reliability()
        gaps = (table["probability"] - table["right"]).abs()
        return float((gaps * table["pairs"]).sum() / table["pairs"].sum())

    def reliability(self, n_bins: int = 10) -> pd.DataFrame:
        """Tabulate pairs in bins of equal width: ``low, high, pairs, probability, right``.

        ``probability`` is their mean, ``right`` the share in which the label preferred is ahead.
        Empty bins are left out.
        """
        edges = _edges(n_bins)
        rounded, bins = self.probability.round(_DECIMALS), self.bins(n_bins)
        counts = np.bincount(bins, minlength=n_bins)
        occupied = counts > 0
        sums = [np.bincount(bins, values, n_bins)[occupied] for values in (rounded, self.outcome)]
        means = [total / counts[occupied] for total in sums]
        return pd.DataFrame(
            {
                "low": edges[:-1][occupied],
                "high": edges[1:][occupied],
                "pairs": counts[occupied],
                "probability": means[0],
                "right": means[1],
            }
        )

    def bins(self, n_bins: int = 10) -> IntArray:
        """Return the bin of equal width of each pair."""
        rounded = self.probability.round(_DECIMALS)
        bins = np.searchsorted(_edges(n_bins).round(_DECIMALS), rounded, "right") - 1
        return np.clip(bins, 0, n_bins - 1)

    def changed(self, recalibrate: Callable[[FloatArray], FloatArray]) -> "PairProbabilities":
        """Return the same pairs with other probabilities; 1 - p becomes 1 - f(p)."""
        new = recalibrate(self.probability)
        turned = new < 0.5
        outcome = np.where(turned, 1 - self.outcome, self.outcome)
        return PairProbabilities(np.where(turned, 1 - new, new), outcome, self.cases)


def _edges(n_bins: int) -> FloatArray:
    return np.linspace(0.5, 1, n_bins + 1)


def pair_probabilities(support: ArrayLike, positions: Truth) -> PairProbabilities:
    """Pair the support of each ordered pair with the truth.

    Support has shape (n_cases, n_labels, n_labels); of i before j and j before i half the
    difference from each other is taken, so that both sum to 1. Ties and labels not ranked order no
    pair.

    >>> pairs = pair_probabilities([[[0.5, 0.9], [0.1, 0.5]]], [[2, 1]])
    >>> pairs.probability, pairs.outcome, round(pairs.brier_score, 2)
    (array([0.9]), array([0.]), 0.81)
    """
    array = np.asarray(support, dtype=np.float64)
    ahead = true_pairs(positions)
    of_truth = ((1 + array - array.transpose(0, 2, 1)) / 2)[ahead].round(_DECIMALS)
    outcome = np.where(of_truth == 0.5, 0.5, (of_truth > 0.5).astype(np.float64))
    return PairProbabilities(np.maximum(of_truth, 1 - of_truth), outcome, np.nonzero(ahead)[0])


def of_model(model: Ranker, X: Any, positions: Truth, **setting: Any) -> PairProbabilities:
    """Collect the pair probabilities of a fitted model that has ``pair_support``, in chunks."""
    estimator, cases = bare_model(model, X)
    point, truth = estimator.point(cases, **setting), truth_of(positions)
    parts = [
        pair_probabilities(point.pair_support(part), truth[part]) for part in truth_chunks(truth)
    ]
    return joined(parts)


def joined(parts: list[PairProbabilities]) -> PairProbabilities:
    """Put the pairs of different cases together, which get new numbers."""
    cases: list[IntArray] = []
    n_cases = 0
    for part in parts:
        case_ids, numbers = np.unique(part.cases_or_pairs, return_inverse=True)
        cases.append(numbers + n_cases)
        n_cases += len(case_ids)
    return PairProbabilities(
        np.concatenate([part.probability for part in parts]),
        np.concatenate([part.outcome for part in parts]),
        np.concatenate(cases),
    )


def unseen_pairs(
    choice: ModelChoice, dataset: Dataset, rows: IntArray, *, n_folds: int = 5, seed: int = 0
) -> PairProbabilities:
    """Collect pairs of training rows out of fold: by models that have not seen them."""
    folds, parts = KFold(min(n_folds, len(rows)), shuffle=True, random_state=seed), []
    for train, fold in folds.split(rows):
        fold_choice = choice.within(len(train))
        model = fold_choice.build(is_sparse=dataset.is_sparse)
        model.fit(dataset.X[rows[train]], choice.algorithm.targets(dataset, rows[train]))
        truth = dataset.orders[rows[fold]]
        parts.append(of_model(model, dataset.X[rows[fold]], truth, **fold_choice.path_params))
    return joined(parts)


@dataclass(frozen=True, eq=False)
class Recalibration:
    """A map of probabilities that takes 1 - p to one minus that of p.

    Parameters
    ----------
    kind : {"none", "temperature", "isotonic"}
        What it is.
    temperature : float
        By what the log odds are divided: above 1 the probabilities were overconfident.
    steps : tuple of ndarray
        Probabilities, ascending, and what they become; between them linear.
    """

    kind: str
    temperature: float = 1.0
    steps: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None

    def __call__(self, probability: FloatArray) -> FloatArray:
        """Return other probabilities."""
        if self.steps is not None:
            return np.interp(probability, *self.steps)
        if self.kind == AS_IT_IS:
            return probability
        return _cooled(probability, self.temperature)


def fit_recalibration(pairs: PairProbabilities, kind: str) -> Recalibration:
    """Fit a map to pairs that the model has not seen.

    ``"temperature"`` divides the log odds by the number that minimises log loss [guo2017]_;
    ``"isotonic"`` is the least-squares fit by rising steps [zadrozny2002]_, to both directions of
    each pair, so that it stays symmetric.

    >>> sure = PairProbabilities(np.full(4, 0.9), np.array([1.0, 1.0, 1.0, 0.0]))
    >>> fit_recalibration(sure, "temperature")(np.array([0.9, 0.5])).round(2)
    array([0.75, 0.5 ])
    """
    p, y = pairs.probability, pairs.outcome
    if kind == AS_IT_IS or not len(p):
        return Recalibration(AS_IT_IS)
    if kind == TEMPERATURE:
        optimum = minimize_scalar(
            lambda t: pairs.changed(lambda p: _cooled(p, np.exp(t))).log_loss,
            bounds=np.log(_TEMPERATURES),
            method="bounded",
        )
        return Recalibration(TEMPERATURE, float(np.exp(optimum.x)))
    if kind != ISOTONIC:
        raise ValueError(f"Expected kind in ('none', 'temperature', 'isotonic'), got {kind!r}.")
    both, outcomes = np.concatenate([p, 1 - p]), np.concatenate([y, 1 - y])
    steps = IsotonicRegression(y_min=0.0, y_max=1.0).fit(both, outcomes)
    return Recalibration(ISOTONIC, steps=(steps.X_thresholds_, steps.y_thresholds_))


def _cooled(probability: FloatArray, temperature: float) -> FloatArray:
    return np.asarray(expit(logit(np.clip(probability, LEAST, 1 - LEAST)) / temperature))
