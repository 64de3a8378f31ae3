"""The smallest change of one feature that changes the prediction."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from labelrank_core.explain.what_if.feature import Feature
from labelrank_core.explain.what_if.sweeps import Piece, Sweep
from labelrank_core.rankings import strict_order

WhatChanges: TypeAlias = Literal["first", "relevant", "order"]
# How far beyond `Change.limit` `Change.value` lies, as a share of the interval it is in.
_BEYOND = 1e-3


@dataclass(frozen=True)
class Change:
    """A change of one feature that changes the prediction.

    Parameters
    ----------
    feature : Feature
        What changes.
    case_value : float
        The case's own value, or the index of its category.
    value : float
        A value with the other prediction. Where the sweep is exact, it lies just beyond `limit`.
    limit : float
        Where the interval with the case's own prediction ends; where the sweep is not exact or the
        column has two values only, the same as `value`.
    old_label, new_label : int
        The labels that come first: of labels that share the first place, before the one that goes
        ahead where ties are broken, after the first one that did not come first before, or the
        first one. For a change of the order the first label that is overtaken or caught up with,
        and the label that does so.
    entering, leaving : tuple of int
        The labels that become relevant, and those that become irrelevant; empty for rankings
        without a zero line.
    firsts_before, firsts : tuple of int
        The labels that come first, before and after; several that share the first place.
    is_tie : bool
        For a change of the order: whether `old_label` and `new_label` share a position afterwards.
    """

    feature: Feature
    case_value: float
    value: float
    limit: float
    old_label: int
    new_label: int
    entering: tuple[int, ...] = ()
    leaving: tuple[int, ...] = ()
    firsts_before: tuple[int, ...] = ()
    firsts: tuple[int, ...] = ()
    is_tie: bool = False

    @property
    def share(self) -> float:
        """The change as a share of the feature's range; 0 for a nominal column."""
        low, high = self.feature.ends(self.case_value)
        return 0.0 if self.feature.is_nominal else abs(self.limit - self.case_value) / (high - low)


def smallest_change(sweep: Sweep, *, of: WhatChanges = "first") -> Change | None:
    """Find the smallest change of a swept feature that changes the prediction.

    Parameters
    ----------
    sweep : Sweep
        The case with every value of the feature.
    of : {"first", "relevant", "order"}, default="first"
        What must change: the label that comes first, or the labels that share the first place, the
        set of relevant labels, or the order of any two labels, of which a tie is one.

    Returns
    -------
    Change or None
        None where it does not change in the whole range, up to the resolution of the sweep. Of
        equally small changes the one to the lower value; for a nominal column the first category
        with another prediction.
    """
    case_piece = sweep.case_piece
    changed = [piece for piece in sweep.pieces if _differs(piece, case_piece, of)]
    if not changed:
        return None
    nearest = min(changed, key=lambda piece: (piece.distance(case_piece.value), piece.start))
    if sweep.feature.is_nominal:
        nearest = changed[0]
    value = limit = nearest.value
    feature = sweep.feature
    has_few_values = feature.is_nominal or feature.is_either_end(case_piece.value)
    if sweep.is_exact and not has_few_values:
        upwards = nearest.start >= case_piece.value
        limit = nearest.start if upwards else nearest.end
        value = limit + (1 if upwards else -1) * _BEYOND * (nearest.end - nearest.start)
    firsts = case_piece.firsts, nearest.firsts
    if of == "order":
        old_label, new_label = _overtaken(case_piece, nearest)
    else:
        old_label = case_piece.top
        new_label = next((label for label in firsts[1] if label not in firsts[0]), firsts[1][0])
    is_tie = of == "order" and bool(nearest.ranking[old_label] == nearest.ranking[new_label])
    sets = _sets(case_piece, nearest)
    return Change(
        sweep.feature, case_piece.value, value, limit, old_label, new_label, *sets, *firsts, is_tie
    )


def _differs(piece: Piece, case_piece: Piece, of: str) -> bool:
    if of == "first":
        return piece.firsts != case_piece.firsts
    if of == "order":
        return not np.array_equal(piece.ranking, case_piece.ranking)
    return case_piece.is_set and not np.array_equal(piece.prediction, case_piece.prediction)


def _overtaken(case_piece: Piece, piece: Piece) -> tuple[int, int]:
    """Return the first label that another one overtakes or catches up with, and that one.

    A label that is overtaken goes ahead of one that is caught up with.
    """
    old, new = case_piece.ranking, piece.ranking
    for is_tie in (False, True):
        for label in strict_order(case_piece.positions):
            if is_tie:
                passing = (old > old[label]) & (new == new[label])
            else:
                passing = (old >= old[label]) & (new < new[label])
            if passing.any():
                return int(label), int(np.argmin(np.where(passing, piece.positions, np.inf)))
    raise AssertionError("Both pieces have the same order.")


def _sets(case_piece: Piece, piece: Piece) -> tuple[tuple[int, ...], tuple[int, ...]]:
    if not (case_piece.is_set and piece.is_set):
        return (), ()
    old, new = case_piece.prediction == 1, piece.prediction == 1
    entering, leaving = np.flatnonzero(new & ~old), np.flatnonzero(old & ~new)
    return tuple(entering.tolist()), tuple(leaving.tolist())
