"""Conformal risk control: the gap of scores above which pairs are rarely wrong.

A case's loss at threshold t is what the pairs with a score gap above t do wrong: 1 if any of them
is reversed (*any pair*), or the reversed ones as a share of all pairs the truth orders (*share of
pairs*). Both fall as t rises. Of n calibration cases the smallest t is taken with

    (sum of their losses at t + 1) / (n + 1) <= alpha;

then the expected loss of a new case is at most alpha if it is exchangeable with them (Theorem 1 of
[angelopoulos2022]_). For *any pair* this t is the ceil((1 - alpha)(n + 1))-th smallest of the
largest gaps that are wrong in each case, as in split conformal prediction [vovk2005]_.

References
----------
.. [angelopoulos2022] A. N. Angelopoulos, S. Bates, A. Fisch, L. Lei, T. Schuster: Conformal risk
   control. 2022.
.. [barber2021] R. F. Barber, E. J. Candès, A. Ramdas, R. J. Tibshirani: Predictive inference with
   the jackknife+. Annals of Statistics, 2021.
.. [vovk2005] V. Vovk, A. Gammerman, G. Shafer: Algorithmic learning in a random world. 2005.
"""

from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from labelrank_core.data.pair_preferences import PairPreferences
from labelrank_core.evaluation.guarantees.semiorder import score_gaps
from labelrank_core.evaluation.pairs import Truth, true_pairs, truth_chunks, truth_of
from labelrank_core.rankings import FloatArray, IntArray

ANY_PAIR, SHARE_OF_PAIRS = "any_pair", "share_of_pairs"
RISKS = (ANY_PAIR, SHARE_OF_PAIRS)
# The share of the training cases that calibrate.
HELD_OUT = 0.3
# All training cases calibrate a model that has been fitted before.
PREFIT = "prefit"
_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Losses:
    """The losses of some cases at every threshold: each falls by `weight` where t reaches `gap`.

    Parameters
    ----------
    case : ndarray of shape (n_steps,)
        The case, from 0 to n_cases - 1.
    gap : ndarray of shape (n_steps,)
        At least 0.
    weight : ndarray of shape (n_steps,)
        Above 0; those of one case sum to at most 1.
    n_cases : int
        Number of cases.
    """

    case: IntArray
    gap: FloatArray
    weight: FloatArray
    n_cases: int

    def at(self, threshold: float) -> FloatArray:
        """Return the loss of each case at a threshold, shape (n_cases,)."""
        exceeds = self.gap > threshold
        lost = np.bincount(self.case[exceeds], self.weight[exceeds], minlength=self.n_cases)
        return lost.astype(np.float64)

    def largest(self) -> FloatArray:
        """Return the largest gap that is wrong in each case, 0 where none is."""
        largest = np.zeros(self.n_cases)
        np.maximum.at(largest, self.case, self.gap)
        return largest


def pair_losses(scores: FloatArray, positions: Truth, risk: str) -> Losses:
    """Collect the losses at every threshold of cases that each have a pair their truth orders.

    Parameters
    ----------
    scores : ndarray of shape (n_cases, n_labels)
        By which labels are ordered, higher = better.
    positions : array-like of shape (n_cases, n_labels) or PairPreferences
        The truth; tied labels, and labels not ranked (NaN), order no pair.
    risk : {"any_pair", "share_of_pairs"}
        What counts as loss.

    Returns
    -------
    Losses
        At thresholds of at least 0.
    """
    truth = truth_of(positions)
    blocks = [np.zeros((3, 0))]
    for part in truth_chunks(truth):
        gaps, behind = score_gaps(scores[part]), true_pairs(truth[part]).transpose(0, 2, 1)
        wrong = np.where(behind, np.maximum(gaps, 0.0), 0.0)
        if risk == ANY_PAIR:
            wrong = wrong.max(axis=(1, 2), initial=0.0)[:, None, None]
        case = np.nonzero(wrong)[0]
        weight = np.ones(len(case)) if risk == ANY_PAIR else 1 / behind.sum(axis=(1, 2))[case]
        blocks.append(np.stack([part.start + case, wrong[wrong > 0], weight]))
    case, gap, weight = np.concatenate(blocks, axis=1)
    return Losses(case.astype(np.int64), gap, weight, len(truth))


@dataclass(frozen=True, eq=False)
class Calibration:
    """The losses of calibration cases at every threshold, and the guarantees they give.

    Parameters
    ----------
    losses : Losses
        Of cases that the model has not been trained on.
    risk : {"any_pair", "share_of_pairs"}
        What counts as loss.
    fold_size : int, default=1
        For cross-conformal calibration the number of cases in each fold; 1: one held-out part, or
        folds of a single case.
    """

    losses: Losses
    risk: str
    fold_size: int = 1

    @property
    def n_cases(self) -> int:
        """Number of calibration cases."""
        return self.losses.n_cases

    def threshold(self, alpha: float) -> float:
        """Return the smallest threshold that keeps the risk at `alpha`; infinite: none does."""
        budget = alpha * (self.n_cases + 1) - 1 + _ROUNDING
        if budget < 0:
            return float("inf")
        levels, level_index = np.unique(np.append(self.losses.gap, 0.0), return_inverse=True)
        weight = np.bincount(level_index, np.append(self.losses.weight, 0.0), minlength=len(levels))
        # The loss at a level is the weight of all higher ones.
        lost = np.append(np.cumsum(weight[:0:-1])[::-1], 0.0)
        return float(levels[int(np.argmax(lost <= budget))])

    def proven_risk(self, alpha: float) -> float:
        """Return the risk that is proven for a new exchangeable case; 1 at most.

        That is alpha for a held-out part or folds of a single case (jackknife-minmax). With n cases
        in folds of m it is alpha + (1 - alpha) (m - 1) / (n + m), by the argument of [barber2021]_
        for folds; for any pair also no more than its CV+ bound, 2 alpha + 2 (1 - m / n) / (m + 1).
        """
        n, m = self.n_cases, self.fold_size
        if m == 1:
            return alpha
        proven = alpha + (1 - alpha) * (m - 1) / (n + m)
        if self.risk == ANY_PAIR:
            proven = min(proven, 2 * alpha + 2 * (1 - m / n) / (m + 1))
        return min(1.0, proven)


def calibrate(scores: FloatArray, positions: Truth, risk: str) -> Calibration:
    """Calibrate by cases that the model was not trained on, without those that order no pair.

    Scores and positions have shape (n_cases, n_labels); the truth may be `PairPreferences`.
    """
    truth = truth_of(positions)
    telling = orders_pairs(truth)
    return Calibration(pair_losses(scores[telling], truth[telling], risk), risk)


def fewest_cases(alpha: float) -> int:
    """Return the number of calibration cases from which a risk of `alpha` can be guaranteed.

    >>> fewest_cases(0.1), fewest_cases(0.05)
    (9, 19)
    """
    return int(np.ceil(1 / alpha - 1 - _ROUNDING))


def hold_out(
    rows: IntArray, *, share: float = HELD_OUT, random_state: Any = 0
) -> tuple[IntArray, IntArray]:
    """Draw which of at least two training rows calibrate; return the others, ascending, and these.

    They are a share of all, but neither none nor all.

    >>> [len(part) for part in hold_out(np.arange(100))]
    [70, 30]
    """
    shuffled = check_random_state(random_state).permutation(len(rows))
    n_held = min(max(1, round(share * len(rows))), len(rows) - 1)
    return rows[np.sort(shuffled[n_held:])], rows[shuffled[:n_held]]


def promise(risk_allowed: float, risk: str) -> str:
    """Write the promise that precedes a colon; in percent with one decimal, never too much.

    >>> promise(0.1, ANY_PAIR)
    'All decided pairs are right with a probability of at least 90%. Decided here'
    >>> promise(0.2125, SHARE_OF_PAIRS)
    'On average at most 21.3% of the pairs are wrong. Decided here'
    """
    percent = ceil(round(1000 * risk_allowed, 6)) / 10
    if risk == ANY_PAIR:
        least = f"{100 - percent:g}%"
        return f"All decided pairs are right with a probability of at least {least}. Decided here"
    return f"On average at most {percent:g}% of the pairs are wrong. Decided here"


def orders_pairs(positions: Truth) -> NDArray[np.bool_]:
    """Tell which rows of positions, or of preferences between pairs, order any two labels."""
    if isinstance(positions, PairPreferences):
        return np.asarray((np.abs(np.nan_to_num(positions.signs)) > 0).any(axis=1))
    array = np.asarray(positions, dtype=np.float64)
    return np.fmax.reduce(array, axis=1) > np.fmin.reduce(array, axis=1)
