"""What the numbers of label columns can mean: positions, orders, 0/1, scores or 'not ranked'."""

import numpy as np

from labelrank_core.io.build.targets import read_orders, read_positions, same_rows
from labelrank_core.io.vocabulary import TargetForm, Unranked
from labelrank_core.rankings import FloatArray

# A number that stands in fewer rows is more likely a mistake.
_SHARE = 0.05
_NEARLY_ALL = 0.95
# A form is possible where it explains nearly as many rows as the form that explains most.
_NEARLY = 0.9
# Positions have no sign: a number below 0 in that many rows is no mistake.
_SCORES = 0.2


def marker(unranked: Unranked, n_labels: int) -> float:
    """Return the number that means 'not ranked'.

    Parameters
    ----------
    unranked : Unranked
        What means it.
    n_labels : int
        How many labels there are.

    Returns
    -------
    float
        0, the number of labels and one, or NaN where only an empty cell means it.
    """
    return {Unranked.ZERO: 0.0, Unranked.BEYOND: n_labels + 1.0}.get(unranked, np.nan)


def only_ranked(numbers: FloatArray, unranked: Unranked) -> FloatArray:
    """Return label columns with NaN for labels that are not ranked.

    Parameters
    ----------
    numbers : ndarray of shape (n_rows, n_labels)
        The columns as they are in the file.
    unranked : Unranked
        What means 'not ranked'.

    Returns
    -------
    ndarray of shape (n_rows, n_labels)
        The columns; the same array where only empty cells mean it.
    """
    if unranked is Unranked.BLANK:
        return numbers
    return np.where(numbers == marker(unranked, numbers.shape[1]), np.nan, numbers)


def possible_unranked(numbers: FloatArray) -> tuple[Unranked, ...]:
    """Tell what can mean 'not ranked' in label columns, the likeliest first.

    0, or the number of labels and one, is likely where it stands in at least a twentieth of the
    rows and what is left of these is a ranking without gaps; not 0 where it stands once in every
    row and the highest number is missing, for there counting begins at 0.

    Parameters
    ----------
    numbers : ndarray of shape (n_rows, n_labels)
        Positions or orders; NaN = blank.

    Returns
    -------
    tuple of Unranked
        A blank alone where neither occurs.

    Examples
    --------
    >>> [str(one) for one in possible_unranked(np.array([[1.0, 2, 0], [0, 1, 0]]))]
    ['zero', 'blank']
    >>> [str(one) for one in possible_unranked(np.array([[1.0, 2, 0], [0, 1, 2]]))]
    ['blank', 'zero']
    """
    n_labels = numbers.shape[1]
    likely: list[Unranked] = []
    others: list[Unranked] = []
    for unranked in (Unranked.ZERO, Unranked.BEYOND):
        marked = numbers == marker(unranked, n_labels)
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

    Parameters
    ----------
    numbers : ndarray of shape (n_rows, n_labels)
        The label columns; NaN = blank.

    Returns
    -------
    tuple of TargetForm
        One form, or two that explain the rows nearly equally well and give different targets:
        positions and orders, or positions and 0/1. Numbers of both signs are scores; others that
        no form explains count as positions.

    Examples
    --------
    >>> [str(form) for form in possible_forms(np.array([[2.0, 3.0, 1.0]]))]
    ['positions', 'orders']
    >>> [str(form) for form in possible_forms(np.array([[2.0, 1.0]]))]  # both readings agree
    ['positions']
    >>> [str(form) for form in possible_forms(np.array([[-0.3, 1.2]]))]
    ['scores']
    """
    if _are_scores(numbers):
        return (TargetForm.SCORES,)
    binary = (np.isnan(numbers) | (numbers == 0) | (numbers == 1)).all(axis=1)
    numbers, as_given = only_ranked(numbers, possible_unranked(numbers)[0]), numbers
    positions, orders = read_positions(numbers), read_orders(numbers)
    if binary.mean() >= 0.5 and (as_given == 0).any():
        # Rankings of one label look like 0/1; those of more labels show what it is.
        others = (positions.right & ~positions.closed_gaps)[~binary]
        ranks = numbers is not as_given and len(others) and others.mean() >= _NEARLY_ALL
        enough = (~binary).mean() >= _SHARE
        if ranks and enough:
            return (TargetForm.POSITIONS, TargetForm.RELEVANCE)
        return (TargetForm.RELEVANCE,)
    as_positions, as_orders = positions.right.mean(), orders.right.mean()
    both = positions.right & orders.right
    if same_rows(positions.values, orders.values)[both].all() and both.any():
        # Where both readings agree on all they can read, the one that reads more is right.
        return (TargetForm.ORDERS if as_orders > as_positions else TargetForm.POSITIONS,)
    if as_orders < _NEARLY * as_positions or not as_orders:
        return (TargetForm.POSITIONS,)
    if as_positions < _NEARLY * as_orders:
        return (TargetForm.ORDERS,)
    return (TargetForm.POSITIONS, TargetForm.ORDERS)


def _are_scores(numbers: FloatArray) -> bool:
    """Tell whether numbers of both signs stand in label columns, more than mistakes explain."""
    negative = (numbers < 0).any(axis=1).mean()
    return bool(negative >= _SCORES and (numbers > 0).any())
