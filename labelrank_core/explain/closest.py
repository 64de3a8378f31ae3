"""The closest call of a prediction: the pair of labels, or the label, that nearly came otherwise.

>>> from labelrank_core import KNeighborsLabelRanker
>>> rankings = [[1, 2, 3], [1, 3, 2], [1, 2, 3]]
>>> model = KNeighborsLabelRanker(n_neighbors=3).fit([[0.0], [1.0], [2.0]], rankings)
>>> closest_pair(model.point([[1.0]]), 0)
(1, 2)
"""

from itertools import pairwise
from typing import TypeAlias

import numpy as np

from labelrank_core.explain.capabilities import Point, SupportsPairs
from labelrank_core.rankings import strict_order

# Two labels, for the first ahead of the second; or one and None, for that it is relevant.
Pair: TypeAlias = tuple[int, int | None]

# Of methods that rank by similar cases. Pairs without a majority are less certain still.
CLOSEST_PAIR_OF_SIMILAR = (
    "Closest pair: {ahead} ahead of {behind}, as in {agreeing} of the {k} most similar cases."
)
# Supports that differ by less come from rounding.
_DECIMALS = 9


def closest_pair(point: Point, case: int) -> tuple[int, int]:
    """Return the neighbouring labels of a predicted ranking with the least support for their order.

    Support is the share of votes or the probability for one label ahead of the other; of points
    without it, and among pairs with the same, the difference of the scores counts. Labels that tie
    and pairs without a majority for their order are undecided; where all are, it is the first pair.
    """
    order = strict_order(point.positions[case])
    scores, prediction = point.scores[case], point.prediction[case]
    gaps = scores[:, None] - scores
    support = gaps
    if isinstance(point, SupportsPairs):
        support = point.pair_support(slice(case, case + 1))[0] - 0.5
    decided = [
        (round(float(support[a, b]), _DECIMALS), round(float(gaps[a, b]), _DECIMALS), index)
        for index, (a, b) in enumerate(pairwise(order))
        if prediction[a] != prediction[b] and round(float(support[a, b]), _DECIMALS) > 0
    ]
    index = min(decided)[-1] if decided else 0
    return order[index], order[index + 1]


def closest_label(point: Point, case: int) -> int:
    """Return the label whose support is nearest to the bar that makes labels relevant."""
    support, bars = point.label_support
    distances = np.abs(support[case] - (0.0 if bars is None else bars[case])).round(_DECIMALS)
    return min(strict_order(point.positions[case]), key=distances.__getitem__)
