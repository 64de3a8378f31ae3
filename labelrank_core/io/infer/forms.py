"""What the numbers of label columns can mean: positions, orders, 0/1, scores or 'not ranked'."""

import numpy as np

from labelrank_core.io.build.rankings import (
    only_ranked,
    read_orders,
    read_positions,
    same_rows,
    unranked_number,
)
from labelrank_core.io.vocabulary import TargetForm, Unranked
from labelrank_core.rankings import FloatArray

# A number in fewer rows is more likely to be a mistake.
_SHARE = 0.05
_NEARLY_ALL = 0.95
# A form is possible if it explains nearly as many rows as the form that explains most.
_NEARLY = 0.9
# Positions have no sign: a number below 0 in that many rows is no mistake.
_SCORES = 0.2


def possible_unranked(numbers: FloatArray) -> tuple[Unranked, ...]:
    """Tell what can mean 'not ranked' in positions or orders, the likeliest first; a blank always.

    0, or the number of labels plus one, is likely if it occurs in at least a twentieth of the rows
    and what is left of these is a ranking without gaps; but not 0 if it occurs once in every row
    and the highest number is missing, for then counting begins at 0.
    """
    n_labels = numbers.shape[1]
    likely: list[Unranked] = []
    others: list[Unranked] = []
    for unranked in (Unranked.ZERO, Unranked.BEYOND):
        marked = numbers == unranked_number(unranked, n_labels)
        if not marked.any():
            continue
        rows = marked.any(axis=1)
        rest = only_ranked(numbers, unranked)[rows]
        positions = read_positions(rest)
        right = (positions.right & ~positions.closed_gaps) | read_orders(rest).right
        clear = rows.mean() >= _SHARE and right.mean() >= _NEARLY_ALL
        once = (marked.sum(axis=1) == 1).all() and not (numbers >= n_labels).any()
        (likely if clear and not (unranked is Unranked.ZERO and once) else others).append(unranked)
    return (*likely, Unranked.BLANK, *others)


def possible_forms(numbers: FloatArray) -> tuple[TargetForm, ...]:
    """Tell which forms columns of numbers can have, the likelier first.

    Two forms are possible if they explain nearly equally many rows and give different targets:
    positions and orders, or positions and 0/1. Numbers of both signs are scores; others that no
    form explains count as positions.
    """
    if (numbers < 0).any(axis=1).mean() >= _SCORES and (numbers > 0).any():
        return (TargetForm.SCORES,)
    binary = (np.isnan(numbers) | (numbers == 0) | (numbers == 1)).all(axis=1)
    has_zeros, unranked = (numbers == 0).any(), possible_unranked(numbers)[0]
    numbers = only_ranked(numbers, unranked)
    positions, orders = read_positions(numbers), read_orders(numbers)
    if binary.mean() >= 0.5 and has_zeros:
        # Rankings of one label look like 0/1; those of more labels show what it is.
        others = (positions.right & ~positions.closed_gaps)[~binary]
        explained = len(others) and others.mean() >= _NEARLY_ALL
        if unranked is not Unranked.BLANK and explained and (~binary).mean() >= _SHARE:
            return (TargetForm.POSITIONS, TargetForm.RELEVANCE)
        return (TargetForm.RELEVANCE,)
    as_positions, as_orders = positions.right.mean(), orders.right.mean()
    both = positions.right & orders.right
    if same_rows(positions.values, orders.values)[both].all() and both.any():
        # If the readings agree on all rows that both can read, the one that reads more is right.
        return (TargetForm.ORDERS if as_orders > as_positions else TargetForm.POSITIONS,)
    if as_orders < _NEARLY * as_positions or not as_orders:
        return (TargetForm.POSITIONS,)
    if as_positions < _NEARLY * as_orders:
        return (TargetForm.ORDERS,)
    return (TargetForm.POSITIONS, TargetForm.ORDERS)
