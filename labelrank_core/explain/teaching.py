"""What lessons show of rankings: every consensus rule on the same ones, and who wins by which loss.

>>> orders = every_rule([[1, 2, 3], [1, 2, 3], [3, 1, 2]])
>>> [(rule.key, rule.positions) for rule in orders.rules][:2]
[('borda', (1, 2, 3)), ('median', (1, 2, 3))]
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from labelrank_core.aggregation import CONSENSUS_RULES, aggregate, consensus_losses
from labelrank_core.explain.evidence import RuleOrders, RuleOutcome
from labelrank_core.rankings import check_rankings

RULE_TITLES = {
    "borda": "Borda (mean rank)",
    "median": "median rank",
    "footrule": "footrule",
    "kemeny": "Kemeny",
    "majority": "most frequent",
}
LOSS_TITLES = {
    "squared": "squared rank differences (l2)",
    "footrule": "absolute rank differences (l1)",
    "kendall": "contradicted pairs (Kendall)",
}
_LOSSES: dict[str, Callable[[RuleOutcome], float]] = {
    "squared": lambda rule: rule.squared,
    "footrule": lambda rule: rule.footrule,
    "kendall": lambda rule: rule.kendall,
}


def every_rule(rankings: ArrayLike) -> RuleOrders:
    """Let every consensus rule order the labels of the same rankings.

    Parameters
    ----------
    rankings : array-like of shape (n_rankings, n_labels)
        Positions; labels may tie, NaN = not ranked.

    Returns
    -------
    RuleOrders
        Borda's order stands for the prediction.

    Raises
    ------
    ValueError
        If there is no ranking, or a row is none.
    """
    checked = check_rankings(rankings, name="rankings", allow_partial=True)
    outcomes = []
    for key in CONSENSUS_RULES:
        positions = aggregate(checked, method=key)
        losses = consensus_losses(checked, positions)
        outcomes.append(
            RuleOutcome(
                key,
                RULE_TITLES[key],
                tuple(positions.tolist()),
                losses.squared,
                losses.footrule,
                losses.kendall,
            )
        )
    return RuleOrders(tuple(outcomes), outcomes[0].positions)


def winners(orders: RuleOrders) -> dict[str, tuple[float, list[str]]]:
    """Tell which rules lose least, loss by loss.

    Parameters
    ----------
    orders : RuleOrders
        What the rules make of some rankings.

    Returns
    -------
    dict of str to (float, list of str)
        For "squared", "footrule" and "kendall" the smallest mean loss and the keys of the rules
        that have it.
    """
    best = {}
    for loss, of in _LOSSES.items():
        smallest = min(of(rule) for rule in orders.rules)
        best[loss] = (
            smallest,
            [rule.key for rule in orders.rules if np.isclose(of(rule), smallest)],
        )
    return best
