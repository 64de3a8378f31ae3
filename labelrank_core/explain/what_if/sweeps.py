"""One feature of a case swept through its range: the ranking at every value."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from labelrank_core.explain.capabilities import Point, Ranker
from labelrank_core.explain.predictions import PredictedPoint, feature_units, last_step, point_cases
from labelrank_core.explain.what_if.feature import Feature
from labelrank_core.rankings import FloatArray, IntArray, format_ranking, strict_order

# Values tried where the breakpoints of the prediction are not known.
N_VALUES = 101
# With more breakpoints than this, values are tried instead.
_MOST_BREAKPOINTS = 5_000
# About as many values as this are predicted by one search.
_AT_ONCE = 5_000


@dataclass(frozen=True, eq=False)
class Piece:
    """An interval of values with one prediction, and a value in it that was tried."""

    # All three are the index of a category, where that is what is varied.
    start: float
    end: float
    value: float
    # Strict, also where ties are predicted.
    positions: IntArray
    # Positions, or the relevant labels as 0/1.
    prediction: NDArray[Any]
    has_ties: bool = False

    @property
    def top(self) -> int:
        """The label that comes first in the strict order."""
        return int(np.argmin(self.positions))

    @cached_property
    def firsts(self) -> tuple[int, ...]:
        """The labels that come first: several where they share the first place."""
        return tuple(np.flatnonzero(self.ranking == self.ranking.min()).tolist())

    @cached_property
    def is_set(self) -> bool:
        """Whether relevant labels are predicted, not positions alone."""
        return not self.has_ties and not np.array_equal(self.prediction, self.positions)

    @property
    def ranking(self) -> IntArray:
        """The predicted ranking, in which labels share positions where ties are predicted."""
        return self.prediction if self.has_ties else self.positions

    def predicts(self, piece: "Piece") -> bool:
        """Tell whether another piece has the same prediction."""
        same = np.array_equal(self.positions, piece.positions)
        return same and np.array_equal(self.prediction, piece.prediction)

    def distance(self, value: float) -> float:
        """Return the distance of a value from the piece."""
        return max(self.start - value, value - self.end, 0.0)


@dataclass(frozen=True)
class Overtake:
    """The value at which one label gains on another while the feature grows.

    It overtakes it, draws level with it (`is_tied`), or goes ahead of it after a tie (`was_tied`).
    Coming to tie and leaving a tie are changes of their own, also where both labels stay in place.
    """

    value: float
    up: int
    down: int
    was_tied: bool = False
    is_tied: bool = False


@dataclass(frozen=True, eq=False)
class Sweep:
    """The rankings that a case would get for every value of one feature.

    Parameters
    ----------
    feature : Feature
        What was varied.
    case_piece : Piece
        The case itself.
    pieces : tuple of Piece
        In ascending order, each with another prediction than the one before it; of a nominal
        column one for each category.
    step : float
        0 where the ends of the pieces are exact, else the distance of the values tried.
    """

    feature: Feature
    case_piece: Piece
    pieces: tuple[Piece, ...]
    step: float

    @property
    def is_exact(self) -> bool:
        """Whether no prediction within the range can have been missed."""
        return self.step == 0

    @cached_property
    def at_own(self) -> Piece:
        """The piece that holds the case, or the case itself if it lies just between two."""
        value = self.case_piece.value
        touched = [piece for piece in self.pieces if piece.distance(value) == 0]
        return next(
            (piece for piece in touched if piece.predicts(self.case_piece)), self.case_piece
        )

    @cached_property
    def overtakes(self) -> list[Overtake]:
        """The pairs of labels that change order, in the order of the values; none for categories.

        A pair that is in order before and after, or tied before and after, has not changed.
        """
        if self.feature.is_nominal:
            return []
        overtakes = []
        for lower, upper in pairwise(self.pieces):
            before, after = (_pair_order(piece.ranking) for piece in (lower, upper))
            order = strict_order(upper.positions)
            overtakes += [
                Overtake(upper.start, up, down, not before[up, down], not after[up, down])
                for up in order
                for down in order
                if after[up, down] > before[up, down]
            ]
        return overtakes

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate start, end and ranking of each piece, and mark the one that holds the case."""
        rankings = [format_ranking(piece.ranking, label_names) for piece in self.pieces]
        holds_case = [piece is self.at_own for piece in self.pieces]
        if self.feature.is_nominal:
            categories = self.feature.column.categories
            where: dict[str, Any] = {
                "value": [categories[int(piece.value)] for piece in self.pieces]
            }
        else:
            where = {
                "from": [piece.start for piece in self.pieces],
                "to": [piece.end for piece in self.pieces],
            }
        return pd.DataFrame({**where, "ranking": rankings, "this case": holds_case})


def _pair_order(ranking: IntArray) -> NDArray[np.int64]:
    """Return 1 where the label of the row is ahead of that of the column, 0 for ties, else -1."""
    return np.sign(ranking - ranking[:, None]).astype(np.int64)


def sweep(model: Ranker, x: FloatArray, feature: Feature, **setting: Any) -> Sweep:
    """Predict a case with every value of one feature.

    Parameters
    ----------
    model : fitted estimator or Pipeline
        One whose estimator has ``path``.
    x : ndarray of shape (n_features,)
        The case, before the pipeline's first step.
    feature : Feature
        The column to vary, with its range, which is widened to the case's own value.
    **setting
        Parameters of the path, as for ``path.at``.

    Returns
    -------
    Sweep
        Exact for a column of two values, which are all that is tried, their ends in the middle, and
        where the method knows its breakpoints (k-NN with Euclidean distances and equal
        weights, forests, linear scores; features as they are or standardised); else from 101 evenly
        spaced values.
    """
    return sweep_all(model, x, [feature], **setting)[0]


def sweep_all(
    model: Ranker, x: FloatArray, features: Sequence[Feature], **setting: Any
) -> list[Sweep]:
    """Sweep several features, each on its own, with few searches.

    Parameters
    ----------
    model : fitted estimator or Pipeline
        As for `sweep`.
    x : ndarray of shape (n_features,)
        The case, before the pipeline's first step.
    features : sequence of Feature
        The columns to vary, each on its own.
    **setting
        Parameters of the path, as for ``path.at``.

    Returns
    -------
    list of Sweep
        One per feature, the same as `sweep` returns.
    """
    scaled_case = _ScaledCase.of(model, x, setting)
    plans = [_plan(x, feature, scaled_case) for feature in features]
    sweeps: list[Sweep] = []
    while len(sweeps) < len(plans):
        sizes = np.cumsum([len(plan.values) for plan in plans[len(sweeps) :]])
        batch = plans[len(sweeps) :][: max(1, int(np.searchsorted(sizes, _AT_ONCE)))]
        X = np.concatenate([plan.feature.cases(x, plan.values) for plan in batch])
        predicted = point_cases(model, X, **setting)
        first = 0
        for plan in batch:
            rows = slice(first, first + len(plan.values))
            sweeps.append(
                plan.sweep(
                    predicted.positions[rows], predicted.prediction[rows], predicted.predicts_ties
                )
            )
            first = rows.stop
    return sweeps


@dataclass(frozen=True, eq=False)
class _Plan:
    """The values of a feature to try and the interval that each stands for; last the case's own."""

    feature: Feature
    values: FloatArray
    starts: FloatArray
    ends: FloatArray
    step: float

    def sweep(self, positions: NDArray[Any], predictions: NDArray[Any], has_ties: bool) -> Sweep:
        """Return the result, from the predictions for the values."""
        *pieces, at_own = (
            Piece(float(start), float(end), float(value), order, prediction, has_ties)
            for start, end, value, order, prediction in zip(
                self.starts, self.ends, self.values, positions, predictions, strict=True
            )
        )
        joined = pieces if self.feature.is_nominal else _joined(pieces)
        return Sweep(self.feature, at_own, tuple(joined), self.step)


def _plan(x: FloatArray, feature: Feature, scaled_case: "_ScaledCase | None") -> _Plan:
    own_value, step = feature.value(x), 0.0
    if feature.is_nominal:
        values = starts = ends = feature.grid(own_value, 0)
    elif feature.is_either_end(own_value):
        middle = (feature.low + feature.high) / 2
        values = np.array([feature.low, feature.high])
        starts, ends = np.append(feature.low, middle), np.append(middle, feature.high)
    else:
        low, high = feature.ends(own_value)
        edges = None if scaled_case is None else scaled_case.breakpoints(feature, (low, high))
        if edges is None:
            values = feature.grid(own_value, N_VALUES)
            middles = (values[1:] + values[:-1]) / 2
            starts, ends = np.append(low, middles), np.append(middles, high)
            step = (high - low) / (N_VALUES - 1)
        else:
            inner = edges[(edges > low) & (edges < high)]
            starts, ends = np.append(low, inner), np.append(inner, high)
            values = (starts + ends) / 2
    values, starts, ends = (np.append(bounds, own_value) for bounds in (values, starts, ends))
    return _Plan(feature, values, starts, ends, step)


def _joined(pieces: Sequence[Piece]) -> list[Piece]:
    """Join neighbouring pieces with the same prediction."""
    joined = [pieces[0]]
    for piece in pieces[1:]:
        last = joined[-1]
        if piece.predicts(last):
            joined[-1] = replace(last, end=piece.end)
        else:
            joined.append(piece)
    return joined


@dataclass(frozen=True, eq=False)
class _ScaledCase:
    """One case as its method sees it, to be asked for its breakpoints."""

    x: FloatArray
    units: tuple[FloatArray, FloatArray]
    point: Point | PredictedPoint

    @classmethod
    def of(cls, model: Ranker, x: FloatArray, setting: Mapping[str, Any]) -> "_ScaledCase | None":
        """Search for a case; None where the pipeline does more than standardise."""
        units = feature_units(model)
        if units is None:
            return None
        scaled = (x - units[0]) / units[1]
        return cls(scaled, units, point_cases(last_step(model), scaled[None], **setting))

    def breakpoints(self, feature: Feature, ends: tuple[float, float]) -> FloatArray | None:
        """Return the values at which predictions can change, in the units of the data."""
        shift, scale = (float(unit[feature.first]) for unit in self.units)
        own_ends = (ends[0] - shift) / scale, (ends[1] - shift) / scale
        breakpoints = self.point.breakpoints(self.x, feature.first, own_ends)
        if breakpoints is None or len(breakpoints) > _MOST_BREAKPOINTS:
            return None
        return np.asarray(shift + scale * breakpoints)
