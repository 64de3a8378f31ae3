"""The outline of an area that points lie in, for a map without borders."""

from functools import lru_cache

import numpy as np
from scipy.spatial import Delaunay, QhullError

from labelrank_core.rankings import FloatArray

_FEWEST = 12
# Triangles with an edge longer than this, in medians of all edges, lie outside.
_LONGEST_EDGE = 2.4


def outline(points: FloatArray) -> list[FloatArray]:
    """Return the rings round the triangles of near points; none for a few points or a line.

    Holes in between are left out.
    """
    # A map is drawn at every move of a knob, and its land stays.
    return list(_outline(np.ascontiguousarray(points, dtype=np.float64).tobytes()))


@lru_cache(maxsize=4)
def _outline(content: bytes) -> tuple[FloatArray, ...]:
    """Return the rings round points given as the bytes of their array."""
    points = np.unique(np.frombuffer(content).reshape(-1, 2), axis=0)
    if len(points) < _FEWEST:
        return ()
    try:
        triangles = Delaunay(points).simplices
    except QhullError:
        return ()
    corners = points[triangles]
    lengths = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2)
    near = triangles[lengths.max(axis=1) <= _LONGEST_EDGE * np.median(lengths)]
    rings = [points[ring] for ring in _rings(near)]
    return tuple(ring for ring in rings if _signed_area(ring) > 0)


def _signed_area(ring: FloatArray) -> float:
    """Return the area of a ring, negative where it runs clockwise, as those of holes do."""
    (x, y), (next_x, next_y) = ring.T, np.roll(ring, -1, axis=0).T
    return float((x * next_y - next_x * y).sum() / 2)


def _rings(triangles: FloatArray) -> list[list[int]]:
    """Chain the edges that belong to one triangle only into closed rings."""
    pairs = np.stack([triangles, np.roll(triangles, -1, axis=1)], axis=2).reshape(-1, 2)
    edges = [(a, b) for a, b in pairs.tolist()]
    edge_set = set(edges)
    following: dict[int, list[int]] = {}
    for a, b in edges:
        if (b, a) not in edge_set:
            following.setdefault(a, []).append(b)
    rings = []
    while following:
        ring = [next(iter(following))]
        while ring[-1] in following:
            next_point = following[ring[-1]].pop()
            if not following[ring[-1]]:
                del following[ring[-1]]
            if next_point in ring:
                # A ring that touches itself is several: a hole at the edge is one of its own.
                start = ring.index(next_point)
                rings.append(ring[start:])
                del ring[start + 1 :]
            else:
                ring.append(next_point)
    return [ring for ring in rings if len(ring) > 2]
