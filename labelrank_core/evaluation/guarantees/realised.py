"""Nominal and empirical coverage of a guarantee: for all test cases, and for groups of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.stats import betabinom

from labelrank_core.evaluation.guarantees.calibration import (
    ANY_PAIR,
    Calibration,
    Losses,
    orders_pairs,
    pair_losses,
)
from labelrank_core.evaluation.guarantees.semiorder import score_gaps
from labelrank_core.evaluation.pairs import Truth, pair_chunks, truth_of
from labelrank_core.rankings import FloatArray, IntArray

# How certain a promise may be: from every second case to 99 of 100.
LEVELS = np.arange(50, 100) / 100
# The middle of the realised shares that a kept promise leads to.
_BAND = 0.95
_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Realised:
    """A calibration and the test cases, those whose truth orders two labels.

    Parameters
    ----------
    calibration : Calibration
        What is promised.
    cases : ndarray of shape (n_cases,)
        The places of these cases among all that were given.
    scores : ndarray of shape (n_cases, n_labels)
        Their scores, higher = better.
    losses : Losses
        What is wrong in each at every threshold.
    """

    calibration: Calibration
    cases: IntArray
    scores: FloatArray
    losses: Losses

    def frame(self, levels: ArrayLike = LEVELS) -> pd.DataFrame:
        """Tabulate the realised level at every level promised.

        ``promised`` is 1 - alpha; ``realised`` 1 - the mean loss of the test cases; ``kept`` the
        share of all pairs that are decided; ``width`` the mean number of positions a label can
        have. For a held-out part and any pair, ``low`` to ``high`` holds the realised share in 95 %
        of draws of calibration and test cases without ties; NaN for others.
        """
        promised = np.asarray(levels, dtype=np.float64)
        thresholds = [self.calibration.threshold(1 - level) for level in promised]
        decided_share = np.array([self._kept(threshold) for threshold in thresholds])
        low, high = self._band(1 - promised)
        return pd.DataFrame(
            {
                "promised": promised,
                "realised": [1 - self.losses.at(threshold).mean() for threshold in thresholds],
                "kept": decided_share,
                # Each decided pair takes one position from both of its labels.
                "width": self._n_labels - (self._n_labels - 1) * decided_share,
                "low": low,
                "high": high,
            }
        )

    def groups(
        self,
        alpha: float,
        groups: Sequence[tuple[str, NDArray[np.bool_]]],
        *,
        level: float = 0.05,
    ) -> pd.DataFrame:
        """Tabulate the same for groups of all cases given, each with its name, without empty ones.

        The promise is about all cases together, not about each group. ``low`` is the least share
        that chance explains: if every group gets what is promised, any of them realises less with
        a probability of at most `level`, over draws of calibration cases and of these
        (beta-binomial, as the band of `frame`; Bonferroni). NaN where a case loses only a share.
        """
        threshold = self.calibration.threshold(alpha)
        losses, decided = self.losses.at(threshold), self.decided(threshold)
        masks = [(name, members[self.cases]) for name, members in groups]
        masks = [(name, mask) for name, mask in masks if mask.any()]
        rows = []
        for name, mask in masks:
            n_cases, decided_share = int(mask.sum()), decided[mask].mean() / self._n_pairs
            rows.append(
                {
                    "group": name,
                    "cases": n_cases,
                    "realised": 1 - losses[mask].mean(),
                    "kept": decided_share,
                    "width": self._n_labels - (self._n_labels - 1) * decided_share,
                    "low": self._least_by_chance(alpha, n_cases, level / len(masks)),
                }
            )
        return pd.DataFrame(rows, columns=["group", "cases", "realised", "kept", "width", "low"])

    def _least_by_chance(self, alpha: float, n_cases: int, level: float) -> float:
        """Return the least share of so many cases that is not rarer than `level`."""
        n = self.calibration.n_cases
        n_allowed = np.floor(alpha * (n + 1) + _ROUNDING)
        if n_allowed <= 0 or not self._is_all_or_nothing:
            return np.nan
        # The probabilities to lose at least 1, 2, ... of the cases fall.
        as_many = betabinom.sf(np.arange(n_cases), n_cases, n_allowed, n + 1 - n_allowed)
        return float(1 - (as_many >= level).sum() / n_cases)

    def decided(self, threshold: float) -> IntArray:
        """Count the decided pairs of each case."""
        counts = np.zeros(len(self.scores), dtype=np.int64)
        for part in pair_chunks(*self.scores.shape):
            counts[part] = (score_gaps(self.scores[part]) > threshold).sum(axis=(1, 2))
        return counts

    @property
    def _is_all_or_nothing(self) -> bool:
        """Whether a case loses all or nothing, calibrated with each case counted once."""
        return self.calibration.risk == ANY_PAIR and self.calibration.fold_size == 1

    @property
    def _n_labels(self) -> int:
        return self.scores.shape[1]

    @property
    def _n_pairs(self) -> int:
        return self._n_labels * (self._n_labels - 1) // 2

    @cached_property
    def _gaps(self) -> FloatArray:
        """The gaps above 0 of all cases, ascending."""
        blocks = [np.zeros(0)]
        for part in pair_chunks(*self.scores.shape):
            gaps = score_gaps(self.scores[part])
            blocks.append(gaps[gaps > 0])
        return np.sort(np.concatenate(blocks))

    def _kept(self, threshold: float) -> float:
        n_above = len(self._gaps) - int(np.searchsorted(self._gaps, threshold, side="right"))
        return n_above / (len(self.scores) * self._n_pairs)

    def _band(self, alphas: FloatArray) -> tuple[FloatArray, FloatArray]:
        n, n_tests = self.calibration.n_cases, len(self.scores)
        low, high = np.full((2, len(alphas)), np.nan)
        max_losses = np.floor(alphas * (n + 1) + _ROUNDING)
        able = max_losses > 0
        if not self._is_all_or_nothing:
            return low, high
        counts, n_allowed = np.arange(n_tests + 1)[:, None], max_losses[able]
        cumulative = betabinom.pmf(counts, n_tests, n_allowed, n + 1 - n_allowed).cumsum(axis=0)
        tail = (1 - _BAND) / 2
        low[able] = 1 - (cumulative < 1 - tail - _ROUNDING).sum(axis=0) / n_tests
        high[able] = 1 - (cumulative < tail - _ROUNDING).sum(axis=0) / n_tests
        return low, high


def realise(calibration: Calibration, scores: ArrayLike, positions: Truth) -> Realised:
    """Compare a calibration's promise with test cases.

    Parameters
    ----------
    calibration : Calibration
        Of cases that are not test cases.
    scores : array-like of shape (n_cases, n_labels)
        Scores of the test cases, by the same model.
    positions : array-like of shape (n_cases, n_labels) or PairPreferences
        Their truth; NaN = not ranked.

    Returns
    -------
    Realised
        Of the cases whose truth orders two labels, at least one.

    Raises
    ------
    ValueError
        If no truth orders two labels.
    """
    truth = truth_of(positions)
    cases = np.flatnonzero(orders_pairs(truth))
    if not len(cases):
        raise ValueError("Expected a test case whose truth orders two labels, got none.")
    case_scores = np.asarray(scores, dtype=np.float64)[cases]
    return Realised(
        calibration, cases, case_scores, pair_losses(case_scores, truth[cases], calibration.risk)
    )


def less_than_promised(
    table: pd.DataFrame, promised: float
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Tell which groups realise less than is promised, and which less than chance explains.

    Parameters
    ----------
    table : DataFrame
        Of `Realised.groups`.
    promised : float
        The share promised, between 0 and 1.

    Returns
    -------
    is_less, is_beyond : ndarray of bool of shape (n_groups,)
        Less than is promised; less than chance explains.
    """
    is_less = (table["realised"] < promised - _ROUNDING).to_numpy()
    return is_less, is_less & (table["realised"] < table["low"] - _ROUNDING).to_numpy()


def first_labels(
    scores: ArrayLike, label_names: Sequence[str]
) -> list[tuple[str, NDArray[np.bool_]]]:
    """Group cases by the label that is predicted first."""
    first = np.argmax(np.asarray(scores), axis=1)
    return [(f"{name} first", first == label) for label, name in enumerate(label_names)]


def commonest(
    groups: Sequence[tuple[str, NDArray[np.bool_]]], limit: int = 12
) -> list[tuple[str, NDArray[np.bool_]]]:
    """Keep the groups with the most cases, in their order."""
    largest = sorted(groups, key=lambda group: -int(group[1].sum()))[:limit]
    names = {name for name, _ in largest}
    return [group for group in groups if group[0] in names]
