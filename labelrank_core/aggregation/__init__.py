"""Consensus rules: many rankings in, one out, for one set of rankings or for thousands at once.

Rules work on whole-number ranks and weights, so labels are compared exactly, never by rounded
means.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from labelrank_core.aggregation.catalog import CONSENSUS_RULES
from labelrank_core.aggregation.kemeny import MOST_COUNTED, optimal_orders, preference_counts
from labelrank_core.aggregation.losses import LOSSES, losses_to
from labelrank_core.aggregation.sums import WEIGHT_UNIT, whole_weights
from labelrank_core.aggregation.table import RankTable
from labelrank_core.rankings import IntArray, check_rankings, strict_positions

# What becomes of labels that nothing tells apart: one of them goes first, or they share a position.
TIES = ("break", "predict")

__all__ = [
    "CONSENSUS_RULES",
    "LOSSES",
    "TIES",
    "ConsensusLosses",
    "aggregate",
    "consensus_losses",
    "count_kemeny_optima",
]


@dataclass(frozen=True)
class ConsensusLosses:
    """The mean losses of one ranking to many, by every loss of section 3 of [brinker2006]_.

    Parameters
    ----------
    squared, footrule, kendall : float
        The (weighted) mean loss: squared and absolute rank differences summed over labels (eq. 3),
        and pairs of labels in reverse order (eq. 2).
    squared_confidence, footrule_confidence, kendall_confidence : float
        1 - mean loss / largest loss, eq. 5; between 0 and 1.

    References
    ----------
    .. [brinker2006] K. Brinker, E. Hüllermeier: Case-based label ranking. ECML 2006.
    """

    squared: float
    footrule: float
    kendall: float
    squared_confidence: float
    footrule_confidence: float
    kendall_confidence: float


def aggregate(
    rankings: ArrayLike,
    *,
    method: str = "borda",
    weights: ArrayLike | None = None,
    random_state: int | None = None,
    ties: str = "break",
    tie_gap: float | None = None,
) -> IntArray:
    """Return the consensus of some rankings.

    Parameters
    ----------
    rankings : array-like of shape (n_rankings, n_labels)
        Positions; labels may tie, NaN = not ranked. A ranking of fewer than two labels compares
        nothing and is ignored.
    method : str, default="borda"
        ``"borda"`` orders labels by mean rank, which minimises the summed squared rank
        differences; ``"median"`` by the lower median rank, which minimises the summed absolute
        ones where the medians are a ranking themselves (section 3 of [brinker2006]_), as unique
        medians of strict rankings are; ``"footrule"`` always minimises those, by assigning labels
        to places; ``"kemeny"`` minimises the number of pairs in reverse order (ties between labels
        do not count): exactly, unless more than 13 labels form one strongly connected component of
        the majority graph, then by moving single labels as long as that helps; ``"majority"``
        takes the most frequent ranking, the first of equally frequent ones. ``"copeland"``,
        ``"schulze"`` and ``"ranked_pairs"`` start from the majorities of pairs (see
        `labelrank_core.aggregation.majorities`): they minimise no loss.
        For incomplete rankings, ``"borda"`` compares two labels by the rankings that rank both (see
        `labelrank_core.aggregation.win_shares`); ``"kemeny"`` counts the pairs they rank; the
        others replace rank r among m' labels by its expected rank among all m,
        r (m + 1) / (m' + 1), rounded to 2**-14.
    weights : array-like of shape (n_rankings,) or None
        Not negative, not all zero; those that are not whole numbers up to 2**30 are rounded to
        2**-30 of the largest. None: all equal.
    random_state : int or None, default=None
        Seed of a random order of the labels, all equally likely, that breaks ties in place of the
        label index, as papers do that break them at random, and of the rankings, of which
        ``"majority"`` takes the first of equally frequent ones. None: by index.
    ties : {"break", "predict"}, default="break"
        ``"predict"`` returns a bucket order, in which labels may share a position. ``"kemeny"``
        then minimises the summed distance of Kemeny and Snell, in which a pair costs 2 where it is
        reversed and 1 where only one ranking ties it: exactly for up to 8 labels, beyond by local
        search (see `labelrank_core.aggregation.bucket_orders`); ``"majority"`` takes the ties of
        the most frequent ranking, ``"copeland"`` and ``"schulze"`` those of their ranks; the
        others cut their order into the buckets with the least such distance, or by `tie_gap`.
    tie_gap : float or None, default=None
        For ``ties="predict"`` with ``"borda"``, ``"median"``, ``"footrule"`` and
        ``"ranked_pairs"``: labels share a position whose ranks differ by at most that from the
        best of them. None: the best cuts.

    Returns
    -------
    ndarray of shape (n_labels,)
        A permutation of 1 ... n_labels, or with ``ties="predict"`` positions without gaps; of
        equally good bucket orders the one with more labels in the first bucket, then that with
        the lower label indices in it, and so on. Else ties are broken by label index; of several
        optimal orders ``"footrule"`` (up to 32 labels) and ``"kemeny"`` (where it is exact) take
        the first one, with the lowest label index in the first place in which they differ. A label
        that no ranking holds goes to the middle (median, footrule, majority), has half a win
        against each other label (borda), or gets the best place that its index allows (kemeny).

    Raises
    ------
    ValueError
        If the rankings or a parameter are not as described.

    References
    ----------
    .. [brinker2006] K. Brinker, E. Hüllermeier: Case-based label ranking. ECML 2006.

    Examples
    --------
    >>> aggregate([[1, 2, 3], [1, 3, 2], [2, 1, 3]])
    array([1, 2, 3])
    >>> aggregate([[1, 2, float("nan")], [float("nan"), 1, 2]], method="kemeny")
    array([1, 2, 3])
    >>> aggregate([[1, 2, 2], [1, 2, 3], [1, 3, 2]], method="kemeny", ties="predict")
    array([1, 2, 2])
    """
    if method not in CONSENSUS_RULES:
        raise ValueError(f"Expected method in {sorted(CONSENSUS_RULES)}, got {method!r}.")
    if ties not in TIES:
        raise ValueError(f"Expected ties in {sorted(TIES)}, got {ties!r}.")
    if tie_gap is not None and not tie_gap >= 0:
        raise ValueError(f"Expected tie_gap of at least 0, or None, got {tie_gap!r}.")
    positions = check_rankings(rankings, name="rankings", allow_partial=True)
    if random_state is not None:
        random = np.random.default_rng(random_state)
        rows, labels = map(random.permutation, positions.shape)
        if weights is not None and np.shape(weights) == rows.shape:
            weights = np.asarray(weights)[rows]
        consensus = aggregate(
            positions[rows][:, labels], method=method, weights=weights, ties=ties, tie_gap=tie_gap
        )
        return consensus[np.argsort(labels)]
    table = RankTable.from_rankings(positions)
    rows, counts = _all_rows(table, weights)
    rule = CONSENSUS_RULES[method]
    if ties == "predict":
        return rule.bucket(table, rows, counts, lambda: rule.rank(table, rows, counts), tie_gap)[0]
    return strict_positions(rule.rank(table, rows, counts).keys)[0]


def count_kemeny_optima(rankings: ArrayLike, *, weights: ArrayLike | None = None) -> int:
    """Count the orders that contradict the fewest preferences, of which `aggregate` takes one.

    Parameters
    ----------
    rankings : array-like of shape (n_rankings, n_labels)
        Positions of up to 16 labels; labels may tie, NaN = not ranked.
    weights : array-like of shape (n_rankings,) or None
        As for `aggregate`.

    Returns
    -------
    int
        At least 1; more than 1 where Kemeny's rule does not decide alone.

    Raises
    ------
    ValueError
        If an argument is not as described.

    Examples
    --------
    >>> count_kemeny_optima([[1, 2, 3], [2, 1, 3]]), count_kemeny_optima([[1, 2, 3]])
    (2, 1)
    """
    table = RankTable.from_rankings(check_rankings(rankings, name="rankings", allow_partial=True))
    if table.n_labels > MOST_COUNTED:
        raise ValueError(f"Expected at most {MOST_COUNTED} labels, got {table.n_labels}.")
    return optimal_orders(preference_counts(table, *_all_rows(table, weights))[0])


def consensus_losses(
    rankings: ArrayLike, consensus: ArrayLike, *, weights: ArrayLike | None = None
) -> ConsensusLosses:
    """Measure the mean distances of a consensus to the rankings.

    Parameters
    ----------
    rankings : array-like of shape (n_rankings, n_labels)
        Positions, NaN = not ranked. Tied labels have generalised ranks and are never in reverse
        order; an incomplete ranking is compared with the consensus of the labels it ranks.
    consensus : array-like of shape (n_labels,)
        Strict positions of all labels.
    weights : array-like of shape (n_rankings,) or None
        As for `aggregate`.

    Returns
    -------
    ConsensusLosses
        Mean losses and confidences; all 0 if no ranking compares two labels.

    Raises
    ------
    ValueError
        If an argument is not as described.

    Examples
    --------
    >>> losses = consensus_losses([[1, 2, 3], [3, 2, 1]], [1, 2, 3])
    >>> losses.squared, losses.footrule, losses.kendall, losses.kendall_confidence
    (4.0, 2.0, 1.5, 0.5)
    """
    table = RankTable.from_rankings(check_rankings(rankings, name="rankings", allow_partial=True))
    order = check_rankings(np.asarray(consensus)[None], name="consensus", allow_ties=False)
    if order.shape[1] != table.n_labels:
        raise ValueError(
            f"Expected as many labels in consensus as in rankings, got {order.shape[1]} and "
            f"{table.n_labels}."
        )
    rows, counts = _all_rows(table, weights)
    tables = [
        losses_to(LOSSES[key], order.astype(np.int64), table, rows, counts)
        for key in ("squared", "footrule", "kendall")
    ]
    return ConsensusLosses(
        *(float(losses.mean[0]) for losses in tables),
        *(float(losses.agreement[0]) for losses in tables),
    )


def _all_rows(table: RankTable, weights: ArrayLike | None) -> tuple[IntArray, IntArray | None]:
    """Return all rankings as one query's rows, with checked weights in whole numbers."""
    n_rankings = len(table.doubled)
    rows = np.arange(n_rankings)[None]
    if weights is None:
        return rows, None
    checked = np.asarray(weights, dtype=np.float64)
    if checked.shape != (n_rankings,) or not np.isfinite(checked).all() or checked.min() < 0:
        raise ValueError("Expected one finite weight, not negative, for each ranking.")
    if checked.max() == 0:
        raise ValueError("Expected a weight above zero, got only zeros.")
    # Whole numbers, such as numbers of voters, stay what they are, so that equal sums tie.
    if checked.max() <= WEIGHT_UNIT and (checked == np.rint(checked)).all():
        return rows, checked.astype(np.int64)[None]
    return rows, whole_weights(checked[None])
