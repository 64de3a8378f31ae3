"""Calibration of pairs, sub-rankings, the top of a ranking and whole rankings [thies2026]_.

A model with a probability for each pair of labels is read as a Plackett-Luce model: the log
strength of a label is the mean of its log odds against all labels. Where the pairs come from such a
model, as those of IB-PL and of log-linear label ranking, that is the model itself.

References
----------
.. [thies2026] S. M. A. R. Thies, V. Bengs, T. Kaufmann, S. J. Vollmer, E. Hüllermeier: Calibrated
   preference learning: the case of label ranking. ICML 2026, arXiv 2605.30447.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize_scalar
from scipy.special import logit
from sklearn.model_selection import KFold

from labelrank_core.data.dataset import Dataset
from labelrank_core.evaluation.pair_probabilities import LEAST
from labelrank_core.evaluation.pairs import pair_chunks
from labelrank_core.explain.capabilities import Ranker
from labelrank_core.explain.predictions import bare_model
from labelrank_core.methods import ModelChoice
from labelrank_core.rankings import FloatArray, IntArray, strict_positions

PAIR, SUB_RANKING, TOP, WHOLE = "pair", "sub-ranking", "top", "whole"
LEVELS = (PAIR, SUB_RANKING, TOP, WHOLE)
SUB_RANKING_SIZE = 3
# Of more sub-rankings so many are drawn at random.
_MOST_SUBSETS = 60
_N_BINS = 10
_ROUNDING = 1e-13
_BOUNDS = (0.02, 50.0)


@dataclass(frozen=True, eq=False)
class RankingForecasts:
    """Predicted rankings with the strengths behind them, and the real rankings.

    Parameters
    ----------
    utilities : ndarray of shape (n_cases, n_labels)
        Logarithms of Plackett-Luce strengths.
    predicted : ndarray of shape (n_cases, n_labels)
        Predicted positions, without ties.
    positions : ndarray of shape (n_cases, n_labels)
        Real positions; ties share one, NaN = not ranked.
    """

    utilities: FloatArray
    predicted: IntArray
    positions: FloatArray

    def cooled(self, temperature: float) -> "RankingForecasts":
        """Return the same rankings, each label's log strength divided by a temperature."""
        return replace(self, utilities=self.utilities / temperature)


@dataclass(frozen=True, eq=False)
class Events:
    """Events that a model forecasts on one level, such as 'this pair is in this order'.

    Parameters
    ----------
    cases : ndarray of shape (n_events,)
        The case of each event.
    labels : ndarray of shape (n_events, size)
        Labels in the predicted order.
    probability : ndarray of shape (n_events,)
        That these labels stand in this order; of a top also that no other label is ahead of them.
    is_top : bool
        Whether the labels have to be the first ones of all.
    """

    cases: IntArray
    labels: IntArray
    probability: FloatArray
    is_top: bool

    def outcomes(self, positions: FloatArray | IntArray) -> NDArray[np.bool_]:
        """Tell which events happen where the cases have these positions."""
        real = positions[self.cases[:, None], self.labels]
        if self.is_top:
            return np.asarray((real == np.arange(1, real.shape[1] + 1)).all(axis=1))
        return np.asarray((np.diff(real, axis=1) > 0).all(axis=1))


@dataclass(frozen=True)
class LevelCalibration:
    """The distance of one level's probabilities from observed shares, and that of chance.

    Parameters
    ----------
    level : str
        One of ``"pair"``, ``"sub-ranking"``, ``"top"``, ``"whole"``.
    n_cases, n_events : int
        Cases with an event on this level, and their events.
    probability, right : float
        The mean probability of the events, and the share that happens.
    error : float
        The expected calibration error over ten bins of equal width.
    low, high : float
        Where the share that happens is for 95 % of perfectly calibrated models that say the same.
    chance_error : float
        The error that 95 % of them stay below.
    p : float
        How often one of them has an error at least as large.
    """

    level: str
    n_cases: int
    n_events: int
    probability: float
    right: float
    error: float
    low: float
    high: float
    chance_error: float
    p: float


def utilities_of_pairs(support: ArrayLike) -> FloatArray:
    """Return the mean log odds of each label against the others, from (n_cases, m, m) pairs.

    Probabilities of 0 and 1 are read as 0.001 and 0.999. Of a Plackett-Luce model these are the
    logarithms of its strengths, less their mean.

    >>> utilities_of_pairs([[[0.5, 0.75], [0.25, 0.5]]]).round(3)
    array([[ 0.549, -0.549]])
    """
    ahead = np.asarray(support, dtype=np.float64)
    probability = (1 + ahead - ahead.transpose(0, 2, 1)) / 2
    # Votes may be unanimous; strengths, however unequal, are finite and stay as they are.
    probability = np.where(probability <= _ROUNDING, LEAST, probability)
    probability = np.where(probability >= 1 - _ROUNDING, 1 - LEAST, probability)
    return np.asarray(logit(probability).mean(axis=2))


def events_of(forecasts: RankingForecasts, level: str, *, k: int = 1) -> Events:
    """List the events of a level with their probabilities.

    Pairs and sub-rankings of three labels count where the real ranking orders them strictly; of
    more than 60 sub-rankings of a case 60 are drawn, the same for all cases. The top k and the
    whole ranking count where the real ranking is complete and strict.
    """
    n_cases, n_labels = forecasts.utilities.shape
    order = np.argsort(forecasts.predicted, axis=1, kind="stable")
    if level in (PAIR, SUB_RANKING):
        size = 2 if level == PAIR else SUB_RANKING_SIZE
        subsets = _subsets(n_labels, size, limit=None if level == PAIR else _MOST_SUBSETS)
        labels = order[:, subsets].reshape(-1, size)
        cases = np.repeat(np.arange(n_cases), len(subsets))
        real = np.sort(forecasts.positions[cases[:, None], labels], axis=1)
        counts = np.isfinite(real).all(axis=1) & (np.diff(real, axis=1) > 0).all(axis=1)
        rivals = labels
    elif level in (TOP, WHOLE):
        size = k if level == TOP else n_labels
        labels, cases, rivals = order[:, :size], np.arange(n_cases), order
        counts = (np.sort(forecasts.positions, axis=1) == np.arange(1, n_labels + 1)).all(axis=1)
    else:
        raise ValueError(f"Expected a level ({', '.join(LEVELS)}), got {level!r}.")
    cases, labels, rivals = cases[counts], labels[counts], rivals[counts]
    steps = _log_choices(forecasts.utilities[cases[:, None], rivals])
    probability = np.exp(steps[:, :size].sum(axis=1))
    return Events(cases, labels, probability, is_top=level in (TOP, WHOLE))


def _subsets(n_labels: int, size: int, *, limit: int | None) -> IntArray:
    """List sets of places in a ranking, or so many of them drawn at random."""
    subsets = np.array(list(combinations(range(n_labels), size)), dtype=np.int64).reshape(-1, size)
    if limit is None or len(subsets) <= limit:
        return subsets
    sample = np.random.default_rng(0).choice(len(subsets), limit, replace=False)
    return np.asarray(subsets[np.sort(sample)])


def _log_choices(utilities: FloatArray) -> FloatArray:
    """Return the log probability of each choice from the top: of a label among those not chosen."""
    log_remaining = np.logaddexp.accumulate(utilities[:, ::-1], axis=1)[:, ::-1]
    return np.asarray(utilities - log_remaining)


def calibration_levels(
    forecasts: RankingForecasts,
    *,
    k: int = 1,
    temperatures: Mapping[str, float] | None = None,
    n_draws: int = 499,
    seed: int = 0,
) -> list[LevelCalibration]:
    """Compare probabilities with observed shares on each level, and with simulated ones.

    A perfectly calibrated model is simulated: every case gets a ranking drawn from its own
    probabilities, so that events of one case depend on each other as they should. Levels without
    an event are left out, and sub-rankings where there are no more labels than these have.

    Parameters
    ----------
    forecasts : RankingForecasts
        Of cases that the model has not seen.
    k : int, default=1
        How many labels the top has.
    temperatures : mapping of str to float or None, default=None
        Divisors of the log strengths on a level; None: as they are.
    n_draws : int, default=499
        Simulated models; the smallest possible p is 1 / (n_draws + 1).
    seed : int, default=0
        Of the draws.
    """
    rows = []
    for level in levels_of(forecasts.utilities.shape[1]):
        cooled = forecasts.cooled((temperatures or {}).get(level, 1.0))
        events = events_of(cooled, level, k=k)
        if len(events.cases):
            draws = simulated_positions(cooled.utilities, n_draws, seed)
            simulated = np.array(
                [_errors(events, events.outcomes(positions)) for positions in draws]
            )
            rows.append(_level_calibration(level, events, cooled.positions, simulated))
    return rows


def levels_of(n_labels: int) -> tuple[str, ...]:
    """List the levels, without sub-rankings where these would be whole rankings."""
    return LEVELS if n_labels > SUB_RANKING_SIZE else (PAIR, TOP, WHOLE)


def _level_calibration(
    level: str, events: Events, positions: FloatArray, simulated: FloatArray
) -> LevelCalibration:
    error, right = _errors(events, events.outcomes(positions))
    errors, shares = simulated.T
    low, high = np.quantile(shares, [0.025, 0.975])
    return LevelCalibration(
        level=level,
        n_cases=len(np.unique(events.cases)),
        n_events=len(events.cases),
        probability=float(events.probability.mean()),
        right=right,
        error=error,
        low=float(low),
        high=float(high),
        chance_error=float(np.quantile(errors, 0.95)),
        p=float((1 + (errors >= error - 1e-12).sum()) / (1 + len(errors))),
    )


def _errors(events: Events, outcomes: NDArray[np.bool_]) -> tuple[float, float]:
    """Return the expected calibration error of events, and the share that happens."""
    bins = np.minimum((events.probability * _N_BINS).astype(np.int64), _N_BINS - 1)
    gaps = np.bincount(bins, events.probability - outcomes, _N_BINS)
    return float(np.abs(gaps).sum() / len(bins)), float(outcomes.mean())


def simulated_positions(utilities: FloatArray, n_draws: int, seed: int) -> Iterator[IntArray]:
    """Draw rankings of all cases from their Plackett-Luce models, one set of positions at a time.

    A label's utility plus a Gumbel variable orders labels as the model does.
    """
    rng = np.random.default_rng(seed)
    for _ in range(n_draws):
        yield strict_positions(-(utilities + rng.gumbel(size=utilities.shape)))


def fit_temperatures(forecasts: RankingForecasts, *, k: int = 1) -> dict[str, float]:
    """Return for each level the temperature with the least log loss of its events.

    Above 1 the model was too sure on that level. Levels without an event are left out.
    """
    temperatures = {}
    for level in levels_of(forecasts.utilities.shape[1]):
        outcomes = _outcomes(forecasts, level, k)
        if len(outcomes):
            best = minimize_scalar(
                lambda log_t, level=level, outcomes=outcomes: _log_loss(
                    events_of(forecasts.cooled(float(np.exp(log_t))), level, k=k), outcomes
                ),
                bounds=np.log(_BOUNDS),
                method="bounded",
            )
            temperatures[level] = float(np.exp(best.x))
    return temperatures


def _outcomes(forecasts: RankingForecasts, level: str, k: int) -> NDArray[np.bool_]:
    return events_of(forecasts, level, k=k).outcomes(forecasts.positions)


def _log_loss(events: Events, outcomes: NDArray[np.bool_]) -> float:
    probability = np.clip(events.probability, LEAST, 1 - LEAST)
    return float(-np.log(np.where(outcomes, probability, 1 - probability)).mean())


def forecasts_of_model(
    model: Ranker, X: Any, positions: ArrayLike, **setting: Any
) -> RankingForecasts:
    """Collect the forecasts of a fitted model that has ``pair_support``."""
    estimator, cases = bare_model(model, X)
    point, real = estimator.point(cases, **setting), np.asarray(positions, dtype=np.float64)
    utilities = [utilities_of_pairs(point.pair_support(part)) for part in pair_chunks(*real.shape)]
    return RankingForecasts(np.concatenate(utilities), np.asarray(point.prediction), real)


def unseen_forecasts(
    choice: ModelChoice, dataset: Dataset, rows: IntArray, *, n_folds: int = 5, seed: int = 0
) -> RankingForecasts:
    """Collect forecasts of training rows out of fold: by models that have not seen them."""
    folds, parts = KFold(min(n_folds, len(rows)), shuffle=True, random_state=seed), []
    for train, fold in folds.split(rows):
        fold_choice = choice.within(len(train))
        model = fold_choice.build(is_sparse=dataset.is_sparse)
        model.fit(dataset.X[rows[train]], choice.algorithm.targets(dataset, rows[train]))
        real = dataset.rankings[rows[fold]]
        parts.append(
            forecasts_of_model(model, dataset.X[rows[fold]], real, **fold_choice.path_params)
        )
    return RankingForecasts(
        np.concatenate([part.utilities for part in parts]),
        np.concatenate([part.predicted for part in parts]),
        np.concatenate([part.positions for part in parts]),
    )
