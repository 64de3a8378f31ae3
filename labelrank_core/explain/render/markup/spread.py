"""Marks moved apart that would lie on each other."""

import numpy as np

from labelrank_core.rankings import FloatArray

_ROUNDS = 80
# A share of the distance: what is missing less is not seen.
_TOLERANCE = 0.01
# In radians: the directions in which marks at one place leave it differ as much as they can.
_GOLDEN_ANGLE = np.pi * (3 - np.sqrt(5))


def spread(places: FloatArray, fixed: FloatArray, distance: float, size: FloatArray) -> FloatArray:
    """Move marks apart until all, and the fixed ones, are a distance from each other.

    At most a hundredth of the distance may be missing.

    Parameters
    ----------
    places : ndarray of shape (n_marks, 2)
        Where the marks belong.
    fixed : ndarray of shape (n_fixed, 2)
        The places of marks that stay.
    distance : float
        How far apart all should be, in the unit of the places.
    size : ndarray of shape (2,)
        The width and the height that moved marks stay in.

    Returns
    -------
    ndarray of shape (n_marks, 2)
        How far each is moved; 0 for one that lies on no other.

    Examples
    --------
    >>> spread(np.array([[10.0, 10.0], [14.0, 10.0]]), np.empty((0, 2)), 10, np.array([99, 99]))
    array([[-3.,  0.],
           [ 3.,  0.]])
    """
    n = len(places)
    moved = np.vstack([places, fixed])
    angles = _GOLDEN_ANGLE * np.arange(len(moved))
    directions = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    for _ in range(_ROUNDS):
        apart = moved[:n, None] - moved
        lengths = np.linalg.norm(apart, axis=2)
        missing = np.maximum(distance - lengths, 0)
        missing[np.arange(n), np.arange(n)] = 0
        if missing.max(initial=0) <= _TOLERANCE * distance:
            break
        # A mark at the place of another has no direction away from it: it takes one of its own.
        is_same = lengths == 0
        lengths[is_same] = 1
        apart = np.where(is_same[..., None], directions[:n, None], apart / lengths[..., None])
        # Two marks share the way, one beside a fixed mark goes all of it.
        share = np.where(np.arange(len(moved)) < n, 0.5, 1.0)
        moved[:n] += (apart * (missing * share)[..., None]).sum(axis=1)
        moved[:n] = np.clip(moved[:n], np.minimum(places, 0), np.maximum(places, size))
    return moved[:n] - places
