"""What-if analysis of a case: one feature swept, two mapped, the smallest change found.

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

from labelrank_core.explain.what_if.asked import WhatIf, what_if
from labelrank_core.explain.what_if.changes import Change, smallest_change
from labelrank_core.explain.what_if.feature import Feature, features_of
from labelrank_core.explain.what_if.maps import TopMap, top_map
from labelrank_core.explain.what_if.sweeps import Sweep, sweep

__all__ = [
    "Change",
    "Feature",
    "Sweep",
    "TopMap",
    "WhatIf",
    "features_of",
    "smallest_change",
    "sweep",
    "top_map",
    "what_if",
]
