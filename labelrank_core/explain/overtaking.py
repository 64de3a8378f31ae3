"""Clauses on one label getting ahead of another between two rankings, with or without a tie."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

# Keys that order the labels, lowest first; tied labels have equal keys.
Keys = NDArray[Any]
# How one of two tied labels gets ahead, unless a method has a better rule.
LISTED_FIRST = "first in the list of labels"


def passing(
    ahead: str,
    behind: str,
    were_tied: bool = False,
    are_tied_now: bool = False,
    tie_rule: str = LISTED_FIRST,
) -> str:
    """Write the clause in which a label gets ahead of another, by their ties before and after.

    >>> passing("a", "b"), passing("a", "b", were_tied=True)
    ('a overtakes b', 'a goes ahead of b after a tie')
    >>> passing("a", "b", are_tied_now=True)
    'a draws level with b and wins the tie (first in the list of labels)'
    """
    if are_tied_now:
        return f"{ahead} draws level with {behind} and wins the tie ({tie_rule})"
    return (
        f"{ahead} goes ahead of {behind} after a tie"
        if were_tied
        else f"{ahead} overtakes {behind}"
    )


def are_tied(keys: Keys | None, first: int, second: int) -> bool:
    """Tell whether two labels tie; False without keys."""
    return keys is not None and bool(keys[first] == keys[second])


def new_ties(order: NDArray[Any], keys: Keys, other_keys: Keys) -> NDArray[np.bool_]:
    """Tell which other keys tie adjacent labels of an order that its own keys do not tie."""
    first, second = order[:-1], order[1:]
    is_strict = keys[first] != keys[second]
    return (is_strict & (other_keys[:, first] == other_keys[:, second])).any(axis=1)
