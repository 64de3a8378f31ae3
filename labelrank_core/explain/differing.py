"""A few rankings on which two consensus rules put different labels first, found by search.

>>> differing_profile("borda", "median", seed=0).shape
(4, 3)
"""

from itertools import cycle, permutations

import numpy as np

from labelrank_core.aggregation import CONSENSUS_RULES
from labelrank_core.aggregation.table import RankTable
from labelrank_core.explain.tally import numbers_of
from labelrank_core.rankings import IntArray

# Small profiles first: numbers of labels and of rankings, and how many of each are tried.
_SIZES = tuple((n_labels, n) for n_labels in (3, 4) for n in range(3, 8))
_TRIED = 100


def differing_profile(one: str, other: str, *, seed: int) -> IntArray:
    """Return rankings whose first label depends on the rule, and with neither on a tie."""
    if one == other:
        raise ValueError(f"Expected two different consensus rules, got {one!r} twice.")
    rng = np.random.default_rng(seed)
    rules = [CONSENSUS_RULES[key] for key in (one, other)]
    # Two rules differ on some profile of these sizes, so the search ends.
    sizes = cycle(_SIZES)
    while True:
        n_labels, n_rankings = next(sizes)
        orders = np.array(list(permutations(range(1, n_labels + 1))))
        table = RankTable.from_rankings(orders.astype(np.float64))
        rows = np.sort(rng.integers(len(orders), size=(_TRIED, n_rankings)), axis=1)
        firsts = [np.argmin(rule.rank(table, rows, None).keys, axis=1) for rule in rules]
        for query in np.flatnonzero(firsts[0] != firsts[1]):
            profile: IntArray = orders[rows[query]]
            if not any(numbers_of(rule, profile).is_tied for rule in rules):
                return profile
