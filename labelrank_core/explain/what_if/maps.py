"""Two features of a case varied together: which label, or which labels together, come first."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelrank_core.explain.capabilities import Point, Ranker
from labelrank_core.explain.predictions import PredictedPoint, point_cases
from labelrank_core.explain.what_if.feature import Feature
from labelrank_core.rankings import FloatArray, IntArray

# About as many cases are predicted by one search.
_AT_ONCE = 500


@dataclass(frozen=True, eq=False)
class TopMap:
    """The label that comes first for every pair of values of two features.

    Parameters
    ----------
    across, up : Feature
        The features.
    x_values, y_values : ndarray of shape (n_x,) and (n_y,)
        The values tried, ascending; the case's own ones are not among them.
    tops : ndarray of int, shape (n_y, n_x)
        The label that comes first, or of labels that share the first place the index in `firsts`.
    case_values : tuple of float
        The case's own values.
    firsts : tuple of tuple of int
        Each label alone, in the order of the labels, then the sets of labels that share the first
        place anywhere on the map.
    """

    across: Feature
    up: Feature
    x_values: FloatArray
    y_values: FloatArray
    tops: IntArray
    case_values: tuple[float, float]
    firsts: tuple[tuple[int, ...], ...]

    def names(self, label_names: Sequence[str]) -> list[str]:
        """Write each of `firsts`: labels that share the first place are joined by '='."""
        return [" = ".join(label_names[label] for label in labels) for labels in self.firsts]

    @property
    def shares(self) -> list[tuple[int, float]]:
        """The indices of `firsts` on the map with their shares of it, the largest first."""
        labels, counts = np.unique(self.tops, return_counts=True)
        order = np.argsort(-counts, kind="stable")
        return [(int(labels[i]), float(counts[i] / self.tops.size)) for i in order]


def top_map(
    model: Ranker,
    x: FloatArray,
    across: Feature,
    up: Feature,
    *,
    n_values: int = 40,
    **setting: Any,
) -> TopMap:
    """Predict a case with every pair of values of two features.

    Parameters
    ----------
    model : fitted estimator or Pipeline
        One whose estimator has ``path``.
    x : ndarray of shape (n_features,)
        The case, before the pipeline's first step.
    across, up : Feature
        Two different columns.
    n_values : int, default=40
        Number of equal cells of each range, with a value in the middle; ignored for a nominal
        column, of which every category is tried.
    **setting
        Parameters of the path, as for ``path.at``.

    Returns
    -------
    TopMap
        Which label comes first where.
    """
    case_values = across.value(x), up.value(x)
    x_values, y_values = (
        _middles(feature, value, n_values)
        for feature, value in zip((across, up), case_values, strict=True)
    )
    X = np.concatenate([across.cases(row, x_values) for row in up.cases(x, y_values)])
    # A search takes about as long for many cases as for few, but not all paths fit into memory.
    is_first = np.concatenate(
        [
            _first_labels(point_cases(model, X[first : first + _AT_ONCE], **setting))
            for first in range(0, len(X), _AT_ONCE)
        ]
    )
    sets, index = np.unique(is_first, axis=0, return_inverse=True)
    firsts: list[tuple[int, ...]] = [(label,) for label in range(is_first.shape[1])]
    firsts += [tuple(np.flatnonzero(row).tolist()) for row in sets if row.sum() > 1]
    set_indices = np.array([firsts.index(tuple(np.flatnonzero(row).tolist())) for row in sets])
    tops = set_indices[index.reshape(-1)].reshape(len(y_values), len(x_values))
    return TopMap(across, up, x_values, y_values, tops, case_values, tuple(firsts))


def _first_labels(point: Point | PredictedPoint) -> NDArray[np.bool_]:
    """Return which labels come first in each case: several where the prediction ties them."""
    rankings = point.prediction if point.predicts_ties else point.positions
    return np.asarray(rankings == rankings.min(axis=1, keepdims=True))


def _middles(feature: Feature, case_value: float, n_values: int) -> FloatArray:
    if feature.is_nominal:
        return feature.grid(case_value, 0)
    low, high = feature.ends(case_value)
    return low + (np.arange(n_values) + 0.5) * (high - low) / n_values
