"""The predictions of one case at every value of one parameter, from a path: nothing is refitted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelrank_core.explain.capabilities import Path
from labelrank_core.rankings import FloatArray, IntArray

# So many values are tried before the time that all take is estimated.
_N_TIMED = 3


@dataclass(frozen=True, eq=False)
class KnobStates:
    """The different predictions of a case, and which of them every value of a parameter gives.

    Parameters
    ----------
    name : str
        The parameter, such as "n_neighbors".
    values : tuple
        The values tried, ascending.
    state_of_value : ndarray of int, shape (n_values,)
        Row of `positions` for each value.
    positions : ndarray of shape (n_states, n_labels)
        The different predicted rankings, 1 = most preferred, in the order of their first value;
        with ties where these are predicted.
    relevance : ndarray of 0/1, shape (n_states, n_labels), or None
        The labels predicted relevant; None where only a ranking is predicted.
    confidence : ndarray of shape (n_values,)
        The confidence at each value; NaN where it is not defined.
    n_offered : int
        How many values there were; more than `values` where trying all takes too long.
    """

    name: str
    values: tuple[Any, ...]
    state_of_value: IntArray
    positions: IntArray
    relevance: IntArray | None
    confidence: FloatArray
    n_offered: int

    @property
    def flip_indices(self) -> list[int]:
        """The indices of the values at which the prediction differs from that at the one before."""
        indices: list[int] = (np.flatnonzero(np.diff(self.state_of_value)) + 1).tolist()
        return indices

    @property
    def set_flip_indices(self) -> list[int]:
        """The same for the labels predicted relevant, in any order; empty without any."""
        if self.relevance is None:
            return []
        sets = self.relevance[self.state_of_value]
        return [i for i in range(1, len(sets)) if not np.array_equal(sets[i], sets[i - 1])]

    @property
    def flips(self) -> list[Any]:
        """The values at which the prediction is another one than at the value before."""
        return [self.values[i] for i in self.flip_indices]

    def state_at(self, value: Any) -> int:
        """Return the row of `positions` for a value that was tried; ValueError for another."""
        return int(self.state_of_value[self.values.index(value)])


def knob_states(
    path: Path,
    name: str,
    values: Sequence[Any],
    *,
    value: Any,
    setting: Mapping[str, Any] | None = None,
    case: int = 0,
    most_seconds: float = 0.5,
) -> KnobStates:
    """Predict one case of a path at every value of a parameter.

    Parameters
    ----------
    path : object
        What ``path(X)`` of a fitted model returns.
    name : str
        A parameter of ``path.at``.
    values : sequence
        Its values, ascending.
    value : object
        The value in use: one of `values`, tried in any case.
    setting : mapping or None, default=None
        Other parameters of ``path.at``; those not named have the model's own values.
    case : int, default=0
        Which case of the path.
    most_seconds : float, default=0.5
        Where trying all values would take longer, evenly spaced ones are tried.

    Returns
    -------
    KnobStates
        Equal predictions share a state.

    Raises
    ------
    ValueError
        If `value` is not among the values.

    Examples
    --------
    >>> from labelrank_core import KNeighborsLabelRanker, load_sample
    >>> data = load_sample("drinks")
    >>> path = KNeighborsLabelRanker(n_neighbors=5).fit(data.X, data.rankings).path(data.X[:1])
    >>> states = knob_states(path, "n_neighbors", range(1, 6), value=5)
    >>> states.positions[states.state_at(5)].tolist(), states.flips
    ([1, 2, 3], [])
    """
    offered = tuple(values)
    if value not in offered:
        raise ValueError(f"Expected value to be one of {offered}, got {value!r}.")
    start = perf_counter()
    tried = {v: _predict(path, name, v, setting, case) for v in offered[:_N_TIMED]}
    seconds = (perf_counter() - start) / max(1, len(tried))
    for v in _affordable(offered, value, most_seconds, seconds):
        if v not in tried:
            tried[v] = _predict(path, name, v, setting, case)
    computed = tuple(v for v in offered if v in tried)
    index: dict[bytes, int] = {}
    states = [
        index.setdefault(positions.tobytes() + prediction.tobytes(), len(index))
        for positions, prediction, _ in (tried[v] for v in computed)
    ]
    firsts = [tried[computed[states.index(state)]] for state in range(len(index))]
    positions = np.array([first[0] for first in firsts])
    predictions = np.array([first[1] for first in firsts])
    return KnobStates(
        name,
        computed,
        np.array(states),
        positions,
        None if np.array_equal(positions, predictions) else predictions,
        np.array([tried[v][2] for v in computed]),
        len(offered),
    )


def _predict(
    path: Path, name: str, value: Any, setting: Mapping[str, Any] | None, case: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], float]:
    point = path.at(**{**(setting or {}), name: value})
    prediction = np.asarray(point.prediction[case], dtype=np.int64)
    positions = np.asarray(point.positions[case], dtype=np.int64)
    if point.predicts_ties:
        # The strict order behind tied labels is no part of the prediction.
        positions = prediction
    return positions, prediction, float(point.confidence[case])


def _affordable(
    offered: Sequence[Any], value: Any, most_seconds: float, seconds: float
) -> list[Any]:
    """List as many evenly spaced values as there is time for, both ends and the one in use too."""
    n_affordable = len(offered) if seconds == 0 else int(most_seconds / seconds)
    if n_affordable >= len(offered):
        return list(offered)
    indices = np.linspace(0, len(offered) - 1, max(2, n_affordable)).round().astype(int)
    return [*(offered[i] for i in np.unique(indices)), value]
