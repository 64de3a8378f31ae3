"""The smallest change of one feature that puts another label first."""

from dataclasses import dataclass

from labelrank_core.what_if._feature import Feature
from labelrank_core.what_if._sweep import Sweep


@dataclass(frozen=True)
class Change:
    """A change of one feature after which another label comes first.

    Parameters
    ----------
    feature : Feature
        What changes.
    own : float
        The case's own value, or the index of its category.
    value : float
        A value with the other label first. Where the sweep is exact, it lies just beyond the end
        of the stretch in which the own label stays first.
    limit : float
        That end; where the sweep is not exact, the same as `value`.
    before, after : int
        The labels that come first.
    """

    feature: Feature
    own: float
    value: float
    limit: float
    before: int
    after: int

    @property
    def share(self) -> float:
        """The change as a share of the feature's range; 0 for a nominal column."""
        low, high = self.feature.ends(self.own)
        return 0.0 if self.feature.is_nominal else abs(self.limit - self.own) / (high - low)


def smallest_change(swept: Sweep, *, beyond: float = 1e-3) -> Change | None:
    """Find the smallest change of a swept feature that puts another label first.

    Parameters
    ----------
    swept : Sweep
        The case with every value of the feature.
    beyond : float, default=1e-3
        How far beyond the end of the own stretch `Change.value` lies, as a share of the stretch it
        lies on.

    Returns
    -------
    Change or None
        None where the own label comes first everywhere in the range, as far as the sweep's
        resolution tells. Of equally small changes the one to the lower value. Of a nominal column
        the first category with another label first.
    """
    own = swept.own
    others = [piece for piece in swept.pieces if piece.top != own.top]
    if not others:
        return None
    nearest = min(others, key=lambda piece: (piece.distance(own.value), piece.start))
    if swept.feature.is_nominal:
        nearest = others[0]
    value = limit = nearest.value
    if swept.is_exact and not swept.feature.is_nominal:
        upwards = nearest.start >= own.value
        limit = nearest.start if upwards else nearest.end
        value = limit + (1 if upwards else -1) * beyond * (nearest.end - nearest.start)
    return Change(swept.feature, own.value, value, limit, own.top, nearest.top)
