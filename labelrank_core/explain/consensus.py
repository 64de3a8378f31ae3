"""Every consensus rule on the same rankings, and the best of them by each loss.

>>> orders = every_rule([[1, 2, 3], [1, 2, 3], [3, 1, 2]])
>>> [(rule.key, rule.positions) for rule in orders.rules][:2]
[('borda', (1, 2, 3)), ('median', (1, 2, 3))]
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from labelrank_core.aggregation import CONSENSUS_RULES, LOSSES
from labelrank_core.aggregation.kemeny import count_optima, preference_counts
from labelrank_core.aggregation.losses import losses_to
from labelrank_core.aggregation.rules import ConsensusRule
from labelrank_core.aggregation.table import RankTable
from labelrank_core.explain.evidence import RuleOrders, RuleOutcome
from labelrank_core.rankings import IntArray, check_rankings, strict_positions

# The losses that measure a distance; "contradicted" only says whether rankings agree.
_SHOWN_LOSSES = ("squared", "footrule", "kendall")


def rule_orders(
    rules: Sequence[ConsensusRule],
    orders: Sequence[IntArray],
    table: RankTable,
    rows: IntArray,
    weights: IntArray | None,
    predicted: IntArray,
) -> RuleOrders:
    """Measure the orders, each of shape (1, n_labels), that rules give for one query's rankings."""
    outcomes = []
    for rule, positions in zip(rules, orders, strict=True):
        squared, footrule, kendall = (
            float(losses_to(LOSSES[loss], positions, table, rows, weights).mean[0])
            for loss in _SHOWN_LOSSES
        )
        optima = None
        if rule.buckets == "optimum":
            optima = count_optima(preference_counts(table, rows, weights)[0])
        order = tuple(positions[0].tolist())
        outcomes.append(RuleOutcome(rule.key, rule.name, order, squared, footrule, kendall, optima))
    return RuleOrders(tuple(outcomes), tuple(predicted.tolist()))


def every_rule(rankings: ArrayLike, *, counts: IntArray | None = None) -> RuleOrders:
    """Order the labels by every rule, each ranking counted `counts` times; Borda's is predicted."""
    checked = check_rankings(rankings, name="rankings", allow_partial=True)
    table, rows = RankTable.from_rankings(checked), np.arange(len(checked))[None]
    weights = None if counts is None else np.asarray(counts, dtype=np.int64)[None]
    rules = list(CONSENSUS_RULES.values())
    orders = [strict_positions(rule.rank(table, rows, weights).keys) for rule in rules]
    return rule_orders(rules, orders, table, rows, weights, orders[0][0])


def winners(orders: RuleOrders) -> dict[str, tuple[float, list[str]]]:
    """Return, by the title of each loss, the smallest mean loss and the rules that have it."""
    best = {}
    for loss in _SHOWN_LOSSES:
        values = [getattr(rule, loss) for rule in orders.rules]
        smallest = min(values)
        keys = [
            rule.key
            for rule, value in zip(orders.rules, values, strict=True)
            if np.isclose(value, smallest)
        ]
        best[LOSSES[loss].title] = (smallest, keys)
    return best
