"""The verdict on a leaderboard: the first method, and those that a test puts behind it.

References
----------
.. [demsar2006] J. Demšar: Statistical comparisons of classifiers over multiple data sets. JMLR 7,
   2006.
.. [nadeau2003] C. Nadeau, Y. Bengio: Inference for the generalization error. Machine Learning 52,
   2003.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from labelrank_core.comparison.leaderboard import Leaderboard
from labelrank_core.comparison.significance import (
    AverageRanks,
    average_ranks,
    critical_difference,
    friedman,
)
from labelrank_core.data.findings import count_of
from labelrank_core.rankings import list_names

# Of tests over data sets.
LEVEL = 0.05
_CONFIDENCE = f"With {1 - LEVEL:.0%} confidence"
_MOST_NAMED = 3


@dataclass(frozen=True)
class BoardVerdict:
    """The first method of a leaderboard, and the result of a test of the others against it.

    Parameters
    ----------
    first : str
        The method that is best on average.
    level, behind : tuple of str
        The other methods: not told apart from the first by the test, and clearly worse.
    heading : str
        The verdict in one line.
    sentence : str
        What the test can and cannot say.
    caution : str
        Why the test may not be relied on; empty: no reason.
    """

    first: str
    level: tuple[str, ...]
    behind: tuple[str, ...]
    heading: str
    sentence: str
    caution: str = ""


def board_verdict(board: Leaderboard, data: str, test_share: float) -> BoardVerdict:
    """Compare all methods with the first one, over data sets where there are two or more.

    Over data sets Nemenyi's test decides, but only where Friedman's finds a difference at all, as
    [demsar2006]_ recommends; both at the level 0.05. On one data set the intervals of differences
    on its folds decide, corrected for training cases that folds share [nadeau2003]_.

    Parameters
    ----------
    board : Leaderboard
        With at least one data set.
    data : str
        The data set to judge by where no test over data sets is possible.
    test_share : float
        Test rows per training row, at least 0, which corrects the intervals.

    Returns
    -------
    BoardVerdict
        The first method and those behind it; of equal average ranks the first column is the first
        method. With a single method or a single fold no other one is behind.

    Raises
    ------
    ValueError
        If there is one data set, and no method has a value on `data`.

    Examples
    --------
    >>> import pandas as pd
    >>> from labelrank_core.comparison.leaderboard import leaderboard
    >>> values = [("A", 0, 0.9), ("A", 1, 0.91), ("A", 2, 0.92)]
    >>> values += [("B", 0, 0.5), ("B", 1, 0.52), ("B", 2, 0.54)]
    >>> results = pd.DataFrame(values, columns=["method", "fold", "value"]).assign(
    ...     data="d", measure="kendall_tau_score", missing=0.0, train_share=1.0, repeat=0
    ... )
    >>> results[["seconds_tune", "seconds_fit", "seconds_predict"]] = 0.0
    >>> verdict = board_verdict(leaderboard(results, "kendall_tau_score"), "d", test_share=0.5)
    >>> verdict.first, verdict.behind
    ('A', ('B',))
    """
    scores = board.distinct_scores()
    if min(scores.shape) >= 2:
        better = board.measure.greater_is_better
        ranks = average_ranks(scores.to_numpy(), greater_is_better=better)
        return _verdict_over_data_sets(list(scores.columns), ranks)
    table = board.frame()
    first, *rivals = table.loc[table["data"] == data, "method"].tolist()
    if not rivals:
        return BoardVerdict(
            first, (), (), f"{first} is the only method on {data}", "There is nothing to compare."
        )
    if board.n_folds(data) < 2:
        return BoardVerdict(
            first, tuple(rivals), (), f"{first} is first on {data}",
            "A single fold cannot say whether the differences are more than chance.",
        )  # fmt: skip
    against = board.against(data, first, test_share).set_index("method")["verdict"]
    behind = tuple(name for name in rivals if against[name] == "worse")
    level = tuple(name for name in rivals if against[name] != "worse")
    n_folds = board.n_folds(data)
    basis = f"{_CONFIDENCE} each, the {n_folds} folds of {data}"
    return BoardVerdict(
        first, level, behind, _heading(f"{first} is first on {data}", level, behind),
        _sentence(basis, "they", first, level, behind, "say nothing about other data"),
    )  # fmt: skip


def _verdict_over_data_sets(names: Sequence[str], ranks: AverageRanks) -> BoardVerdict:
    test = friedman(ranks)
    order = np.argsort(ranks.means, kind="stable")
    first, *rivals = (names[j] for j in order)
    start = f"{first} has the best average rank on {ranks.n_data_sets} data sets"
    if test.p >= LEVEL:
        return BoardVerdict(
            first, tuple(rivals), (), f"{start}, but the methods do not differ clearly",
            f"Friedman's test finds nothing that {ranks.n_data_sets} data sets could not show by "
            f"chance (p = {test.p:.2g}), so it cannot say which method is best.",
            test.caution,
        )  # fmt: skip
    reach = ranks.means.min() + critical_difference(ranks.n_data_sets, len(names), alpha=LEVEL)
    behind = tuple(names[j] for j in order[1:] if ranks.means[j] > reach)
    level = tuple(name for name in rivals if name not in behind)
    basis = f"{_CONFIDENCE}, Nemenyi's test over {ranks.n_data_sets} data sets"
    return BoardVerdict(
        first, level, behind, _heading(start, level, behind),
        _sentence(basis, "it", first, level, behind, ""), test.caution,
    )  # fmt: skip


def _heading(start: str, level: Sequence[str], behind: Sequence[str]) -> str:
    n = len(level) + len(behind)
    if not behind:
        return f"{start}, but no other method is clearly behind"
    if not level:
        if n == 1:
            return f"{start}, and the other method is clearly behind"
        return f"{start}, and all {n} other methods are clearly behind"
    are = "is" if len(behind) == 1 else "are"
    return f"{start}, and {len(behind)} of {n} other methods {are} clearly behind"


def _sentence(
    basis: str, pronoun: str, first: str, level: Sequence[str], behind: Sequence[str], limit: str
) -> str:
    """Write the result of a test in one sentence, with the methods that it cannot tell apart."""
    put = "put" if pronoun == "they" else "puts"
    if not behind:
        return f"{basis} {put} no method behind {first}{f', and {pronoun} {limit}' * bool(limit)}."
    cannot = f"cannot tell {first} from {_list_names(level)}" if level else ""
    parts = [part for part in (cannot, limit) if part]
    restriction = f", but {pronoun} {' and '.join(parts)}" if parts else ""
    return f"{basis} {put} {_list_names(behind)} behind {first}{restriction}."


def _list_names(names: Sequence[str]) -> str:
    """List a few names, or some and the number of the others."""
    if len(names) > _MOST_NAMED + 1:
        omitted = count_of(len(names) - _MOST_NAMED, "other method")
        return list_names([*names[:_MOST_NAMED], omitted])
    return list_names(names)
