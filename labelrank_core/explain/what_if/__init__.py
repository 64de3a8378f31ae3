"""What if a case were different: one feature swept, two mapped, the smallest change found.

>>> import numpy as np
>>> from labelrank_core import KNeighborsLabelRanker
>>> from labelrank_core.data import Column, Schema
>>> X, Y = np.arange(6.0)[:, None], np.array([[1, 2]] * 3 + [[2, 1]] * 3)
>>> model = KNeighborsLabelRanker(n_neighbors=1).fit(X, Y)
>>> schema = Schema((Column("size"),))
>>> swept = sweep(model, np.array([1.0]), Feature(schema, 0, 0.0, 5.0))
>>> [(float(piece.start), float(piece.end), piece.top) for piece in swept.pieces]
[(0.0, 2.5, 0), (2.5, 5.0, 1)]
"""

from labelrank_core.explain.what_if._changes import Change, smallest_change
from labelrank_core.explain.what_if._difference import difference_in_words, moved_labels
from labelrank_core.explain.what_if._feature import Feature, features_of
from labelrank_core.explain.what_if._map import TopMap, top_map
from labelrank_core.explain.what_if._sweep import Overtake, Piece, Sweep, sweep
from labelrank_core.explain.what_if._words import first_places, smallest_change_in_words, written

__all__ = [
    "Change",
    "Feature",
    "Overtake",
    "Piece",
    "Sweep",
    "TopMap",
    "difference_in_words",
    "features_of",
    "first_places",
    "moved_labels",
    "smallest_change",
    "smallest_change_in_words",
    "sweep",
    "top_map",
    "written",
]
