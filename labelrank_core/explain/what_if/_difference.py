"""What differs between two predictions."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelrank_core.explain.evidence import Label, Text
from labelrank_core.rankings import IntArray

_LISTED = 4


def moved_labels(before: IntArray, after: IntArray) -> list[tuple[int, int, int]]:
    """List the labels that stand in another place in a second ranking.

    Parameters
    ----------
    before, after : ndarray of shape (n_labels,)
        Positions.

    Returns
    -------
    list of (int, int, int)
        Label, place before and place after; the label that moves furthest first.

    Examples
    --------
    >>> moved_labels(np.array([1, 2, 3]), np.array([3, 1, 2]))
    [(0, 1, 3), (1, 2, 1), (2, 3, 2)]
    """
    order = np.argsort(-np.abs(after - before), kind="stable")
    return [(int(j), int(before[j]), int(after[j])) for j in order if before[j] != after[j]]


def difference_in_words(
    before: IntArray,
    after: IntArray,
    relevant: tuple[NDArray[Any], NDArray[Any]] | None = None,
) -> Text:
    """Say what differs between two predicted rankings.

    Parameters
    ----------
    before, after : ndarray of shape (n_labels,)
        Positions.
    relevant : tuple of ndarray of shape (n_labels,), or None
        The relevant labels, 0/1, of both; None: there are none.

    Returns
    -------
    Text
        One or two sentences; of many labels those that move furthest.
    """
    moved = moved_labels(before, after)
    first, second = np.triu_indices(len(before), k=1)
    turned = np.sign(before[first] - before[second]) != np.sign(after[first] - after[second])
    values: dict[str, Any] = {"turned": int(turned.sum()), "of": len(turned), "n": len(moved)}
    template = "Both rankings are the same."
    if moved:
        listed = []
        for i, (label, place, now) in enumerate(moved[:_LISTED]):
            values |= {f"label{i}": Label(label), f"from{i}": place, f"to{i}": now}
            listed.append(f"{{label{i}}} from place {{from{i}}} to {{to{i}}}")
        more = f", and {len(moved) - _LISTED} more" if len(moved) > _LISTED else ""
        template = (
            "{turned} of {of} pairs of labels are ordered the other way round: "
            + ", ".join(listed)
            + more
            + "."
        )
    if relevant is not None:
        old, new = (np.asarray(each) == 1 for each in relevant)
        values["enter"] = tuple(Label(int(j)) for j in np.flatnonzero(new & ~old))
        values["leave"] = tuple(Label(int(j)) for j in np.flatnonzero(old & ~new))
        template += " Relevant now, but not before: {enter}; no longer: {leave}."
        if (old == new).all():
            template = template.split(" Relevant now")[0] + " The relevant labels are the same."
    return Text(template, values)
