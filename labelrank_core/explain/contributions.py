"""Why one label is ahead of another, or relevant: Shapley values of the support for it.

>>> from labelrank_core import KNeighborsLabelRanker
>>> model = KNeighborsLabelRanker(n_neighbors=1).fit([[0.0, 5.0], [1.0, 5.0]], [[1, 2], [2, 1]])
>>> game = PairGame(model, np.array([0.0, 5.0]), np.array([[1.0, 5.0]]))
>>> contributions = game.contributions((0, 1))
>>> contributions.base, contributions.total, contributions.values.tolist()
(0.0, 1.0, [1.0, 0.0])
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import factorial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from labelrank_core.explain.capabilities import Path, Point, Ranker, SupportsPairs
from labelrank_core.explain.closest import Pair as Pair
from labelrank_core.explain.predictions import path_cases
from labelrank_core.rankings import FloatArray, IntArray

# Up to this many features all subsets are tried; for more, orders of them are sampled.
MOST_EXACT = 12
_CHUNK_CELLS = 1 << 22
# For up to this many mixed cases the paths are kept.
_MOST_KEPT = 4096


@dataclass(frozen=True, eq=False)
class PairContributions:
    """Contributions of the features to the support for a label, alone or against another."""

    # The mean support over the background cases, and that for the case: base + values.sum().
    base: float
    total: float
    # The features' Shapley values, with their standard errors: 0 where all subsets were tried.
    values: FloatArray
    errors: FloatArray
    is_exact: bool
    # The support at which neither label is ahead: 0.5 of shares of votes, 0 of differences. Of one
    # label: what its support must exceed in the case.
    even: float

    @property
    def is_share(self) -> bool:
        """Whether the support is a share of votes, from 0 to 1."""
        return self.even > 0


def level_among(values: NDArray[Any], value: float) -> Literal["low", "high", ""]:
    """Tell whether a value is in the lowest or in the highest quarter of some values.

    Neither where there are no more than two different values, or most are the same.

    >>> [level_among(np.arange(9), value) for value in (2, 4, 6)]
    ['low', '', 'high']
    """
    low, high = np.quantile(values, (0.25, 0.75))
    if len(np.unique(values)) <= 2 or low == high:
        return ""
    if value <= low:
        return "low"
    return "high" if value >= high else ""


class PairGame:
    """The Shapley values of the features of one case for 'a ahead of b', or for 'a is relevant'.

    As Štrumbelj and Kononenko (2010): the value of a set of features is the mean support for a case
    that has those features of `x` and all others of a background case. Support is the share of
    neighbours or trees that prefer a to b, ties counted half; for methods without such shares it is
    the difference of the two labels' scores. Of a single label it is the `label_support` of points.
    Mixed cases are searched for once, for all pairs and all parameters of the path.

    `model` has ``path``. `groups` are encoded features that change together, such as those of one
    nominal column; features in no group keep the values of `x`. With more than `most_exact` groups,
    `n_rounds` random orders of them are tried with each background case, every second one the
    reverse of the one before.
    """

    def __init__(
        self,
        model: Ranker,
        x: FloatArray,
        background: Any,
        *,
        groups: Sequence[Sequence[int]] | None = None,
        n_rounds: int = 2,
        most_exact: int = MOST_EXACT,
        random_state: int = 0,
    ) -> None:
        self.model = model
        self.x = np.asarray(x, dtype=np.float64)
        self.members = [np.atleast_1d(group) for group in (groups or range(len(x)))]
        dense = background.toarray() if sparse.issparse(background) else background
        self.background = np.array(dense, dtype=np.float64)
        ungrouped = np.setdiff1d(np.arange(len(x)), np.concatenate(self.members))
        self.background[:, ungrouped] = self.x[ungrouped]
        self.is_exact = len(self.members) <= most_exact
        self.n_rounds = n_rounds
        self.random_state = random_state
        self._kept: list[Any] = []

    def contributions(self, pair: Pair, **setting: Any) -> PairContributions:
        """Return the Shapley values for a pair of labels at parameters of the path."""
        return (_subsets if self.is_exact else _orders)(self, pair, setting)

    def even(self, pair: Pair, setting: Mapping[str, Any]) -> float:
        """Return the support at which neither label is ahead, or that a label needs in `x`."""
        if pair[1] is None:
            case = self._path(np.ones((1, len(self.members)), bool), [0]).at(**setting)
            threshold = case.label_support[1]
            return 0.0 if threshold is None else float(threshold[0])
        (path, *_) = self._kept or [self._path(np.zeros((1, len(self.members)), bool), [0])]
        return 0.5 if isinstance(path.at(**setting), SupportsPairs) else 0.0

    def support(
        self,
        from_case: NDArray[np.bool_],
        background_rows: IntArray,
        pair: Pair,
        setting: Mapping[str, Any],
    ) -> FloatArray:
        """Return the support in mixed cases.

        Row i has the groups `from_case[i]` from the case, all others from background case
        `background_rows[i]`.
        """
        step = max(1, _CHUNK_CELLS // len(self.x))
        parts = [slice(start, start + step) for start in range(0, len(from_case), step)]
        if len(from_case) <= _MOST_KEPT and not self._kept:
            self._kept = [self._path(from_case[part], background_rows[part]) for part in parts]
        paths = self._kept or (self._path(from_case[part], background_rows[part]) for part in parts)
        return np.concatenate([_support(path.at(**setting), pair) for path in paths])

    def _path(self, from_case: NDArray[np.bool_], background_rows: IntArray | list[int]) -> Path:
        X = self.background[background_rows]
        for group, features in enumerate(self.members):
            X[np.ix_(from_case[:, group], features)] = self.x[features]
        return path_cases(self.model, X)


def _support(point: Point, pair: Pair) -> FloatArray:
    a, b = pair
    if b is None:
        return np.asarray(point.label_support[0][:, a])
    if isinstance(point, SupportsPairs):
        return np.asarray(point.pair_support()[:, a, b])
    return np.asarray(point.scores[:, a] - point.scores[:, b])


def _subsets(game: PairGame, pair: Pair, setting: Mapping[str, Any]) -> PairContributions:
    """Try every subset of the features."""
    n, n_others = len(game.members), len(game.background)
    masks = np.arange(1 << n)
    from_case = (masks[:, None] >> np.arange(n)) & 1 == 1
    background_rows = np.repeat(np.arange(n_others), len(masks))
    support = game.support(np.tile(from_case, (n_others, 1)), background_rows, pair, setting)
    worth = support.reshape(n_others, -1).mean(axis=0)
    # A subset of size s without the feature comes first in s! (n - 1 - s)! of the n! orders.
    weights = np.array([factorial(s) * factorial(n - 1 - s) / factorial(n) for s in range(n)])
    sizes = from_case.sum(axis=1)
    values = np.empty(n)
    for feature in range(n):
        without = masks[~from_case[:, feature]]
        gains = worth[without | (1 << feature)] - worth[without]
        values[feature] = weights[sizes[without]] @ gains
    return PairContributions(
        float(worth[0]), float(worth[-1]), values, np.zeros(n), True, game.even(pair, setting)
    )


def _orders(game: PairGame, pair: Pair, setting: Mapping[str, Any]) -> PairContributions:
    """Add the features one by one, in random orders."""
    generator = np.random.default_rng(game.random_state)
    n, n_others, n_rounds = len(game.members), len(game.background), game.n_rounds
    orders = np.empty((n_others, n_rounds, n), dtype=np.int64)
    for z in range(n_others):
        for played in range(n_rounds):
            # An order and its reverse together vary less than two independent ones.
            reversed_order = orders[z, played - 1, ::-1]
            orders[z, played] = reversed_order if played % 2 else generator.permutation(n)
    join_steps = orders.argsort(axis=2)
    # After 0, 1, ... n steps of each order.
    from_case = join_steps[:, :, None, :] < np.arange(n + 1)[:, None]
    background_rows = np.repeat(np.arange(n_others), n_rounds * (n + 1))
    support = game.support(from_case.reshape(-1, n), background_rows, pair, setting)
    worth = support.reshape(n_others, n_rounds, n + 1)
    gains = np.take_along_axis(np.diff(worth), join_steps, axis=2)
    # Orders of one background case go together: the error is that of the means of such rounds.
    means = gains.mean(axis=1)
    spread = means.std(axis=0, ddof=1) if len(means) > 1 else np.full(n, np.nan)
    return PairContributions(
        float(worth[:, :, 0].mean()),
        float(worth[-1, -1, -1]),
        means.mean(axis=0),
        spread / np.sqrt(len(means)),
        False,
        game.even(pair, setting),
    )
