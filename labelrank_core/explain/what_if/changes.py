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
    own : float
        The case's own value, or the index of its category.
    value : float
        A value with the other prediction. Where the sweep is exact, it lies just beyond `limit`.
    limit : float
        Where the interval with the case's own prediction ends; where the sweep is not exact, the
        same as `value`.
    before, after : int
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
        For a change of the order: whether `before` and `after` share a position afterwards.
    """

    feature: Feature
    own: float
    value: float
    limit: float
    before: int
    after: int
    entering: tuple[int, ...] = ()
    leaving: tuple[int, ...] = ()
    firsts_before: tuple[int, ...] = ()
    firsts: tuple[int, ...] = ()
    is_tie: bool = False

    @property
    def share(self) -> float:
        """The change as a share of the feature's range; 0 for a nominal column."""
        low, high = self.feature.ends(self.own)
        return 0.0 if self.feature.is_nominal else abs(self.limit - self.own) / (high - low)


def smallest_change(swept: Sweep, *, of: WhatChanges = "first") -> Change | None:
    """Find the smallest change of a swept feature that changes the prediction.

    Parameters
    ----------
    swept : Sweep
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
    own = swept.own
    others = [piece for piece in swept.pieces if _differs(piece, own, of)]
    if not others:
        return None
    nearest = min(others, key=lambda piece: (piece.distance(own.value), piece.start))
    if swept.feature.is_nominal:
        nearest = others[0]
    value = limit = nearest.value
    if swept.is_exact and not swept.feature.is_nominal:
        upwards = nearest.start >= own.value
        limit = nearest.start if upwards else nearest.end
        value = limit + (1 if upwards else -1) * _BEYOND * (nearest.end - nearest.start)
    firsts = own.firsts, nearest.firsts
    if of == "order":
        before, after = _overtaken(own, nearest)
    else:
        before = own.top
        after = next((label for label in firsts[1] if label not in firsts[0]), firsts[1][0])
    is_tie = of == "order" and bool(nearest.ranking[before] == nearest.ranking[after])
    sets = _sets(own, nearest)
    return Change(swept.feature, own.value, value, limit, before, after, *sets, *firsts, is_tie)


def _differs(piece: Piece, own: Piece, of: str) -> bool:
    if of == "first":
        return piece.firsts != own.firsts
    if of == "order":
        return not np.array_equal(piece.ranking, own.ranking)
    return own.is_set and not np.array_equal(piece.prediction, own.prediction)


def _overtaken(own: Piece, other: Piece) -> tuple[int, int]:
    """Return the first label that another one overtakes or catches up with, and that one.

    A label that is overtaken goes ahead of one that is caught up with.
    """
    before, after = own.ranking, other.ranking
    for is_tie in (False, True):
        for label in strict_order(own.positions):
            if is_tie:
                passing = (before > before[label]) & (after == after[label])
            else:
                passing = (before >= before[label]) & (after < after[label])
            if passing.any():
                return int(label), int(np.argmin(np.where(passing, other.positions, np.inf)))
    raise AssertionError("Both pieces have the same order.")


def _sets(own: Piece, other: Piece) -> tuple[tuple[int, ...], tuple[int, ...]]:
    if not (own.is_set and other.is_set):
        return (), ()
    before, after = own.prediction == 1, other.prediction == 1
    entering, leaving = np.flatnonzero(after & ~before), np.flatnonzero(before & ~after)
    return tuple(entering.tolist()), tuple(leaving.tolist())
