"""A few rankings on which two consensus rules put different labels first, found by search.

>>> differing_profile("borda", "median", seed=0).shape
(4, 3)
"""

from itertools import chain, cycle, permutations

import numpy as np

from labelrank_core.aggregation import CONSENSUS_RULES
from labelrank_core.aggregation.table import RankTable
from labelrank_core.explain.tally import numbers_of
from labelrank_core.rankings import IntArray

# Numbers of labels and of rankings, and how many profiles of each are tried: small ones first. Only
# among the large ones do all pairs of rules differ, some in 1 of 2000.
_SMALL = [(n_labels, n) for n_labels in (3, 4) for n in range(3, 8)]
_MEDIUM = [(5, n) for n in range(3, 9)]
_LARGE = [(5, n) for n in (9, 11, 13)]
_TRIED = 100


def differing_profile(first_rule: str, second_rule: str, *, seed: int) -> IntArray:
    """Return rankings whose first label depends on the rule, and with neither on a tie."""
    if first_rule == second_rule:
        raise ValueError(f"Expected two different consensus rules, got {first_rule!r} twice.")
    rng = np.random.default_rng(seed)
    rules = [CONSENSUS_RULES[key] for key in (first_rule, second_rule)]
    # Two rules differ on some profile of the large sizes, so the search ends.
    sizes = chain(_SMALL * 3, _MEDIUM, cycle(_LARGE))
    while True:
        n_labels, n_rankings = next(sizes)
        orders = np.array(list(permutations(range(1, n_labels + 1))))
        table = RankTable.from_rankings(orders.astype(np.float64))
        rows = np.sort(rng.integers(len(orders), size=(_TRIED, n_rankings)), axis=1)
        firsts = [np.argmin(rule.rank(table, rows, None).keys, axis=1) for rule in rules]
        for query in np.flatnonzero(firsts[0] != firsts[1]):
            profile: IntArray = orders[rows[query]]
            # The rules by majorities, which are listed last, tie more often and are quicker to ask.
            if not any(numbers_of(rule, profile).is_tied for rule in reversed(rules)):
                return profile
