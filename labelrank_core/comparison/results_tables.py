r"""A printed table of results, read and computed again.

>>> table = read_results("data A B\niris 0.9(1) 0.8(2)\nwine 0.7(1.0) 0.7(2.0)\navg 1 2")
>>> table.methods, table.scores.tolist()
(('A', 'B'), [[0.9, 0.8], [0.7, 0.7]])
>>> [(slip.where, slip.printed, slip.computed) for slip in find_slips(table)][:2]
[('wine, A', 1.0, 1.5), ('wine, B', 2.0, 1.5)]
"""

import re
from dataclasses import dataclass

import numpy as np

from labelrank_core.comparison.significance import AverageRanks, average_ranks
from labelrank_core.data.findings import DatasetError, Finding, Severity
from labelrank_core.rankings import FloatArray

_NUMBER = r"[-+−]?\d*[.,]?\d+"
# A score, with a deviation and a rank in parentheses where they are printed.
_CELL = re.compile(rf"\*?({_NUMBER})\*?(?:\s*(?:±|\+/-)\s*{_NUMBER})?(?:\s*\(({_NUMBER})\))?\*?$")
_AVERAGES = re.compile(r"(avg|average|mean|∅)\W*(rank)?s?$", re.IGNORECASE)
_MAX_ROWS, _MAX_METHODS = 500, 60


@dataclass(frozen=True, eq=False)
class ResultTable:
    """A table of results as printed.

    Parameters
    ----------
    methods, data_sets : tuple of str
        Names.
    scores : ndarray of shape (n_data_sets, n_methods)
        The numbers.
    ranks : ndarray of the same shape
        The ranks printed beside them, NaN = none.
    averages : ndarray of shape (n_methods,)
        The average ranks printed, NaN = none.
    """

    methods: tuple[str, ...]
    data_sets: tuple[str, ...]
    scores: FloatArray
    ranks: FloatArray
    averages: FloatArray


@dataclass(frozen=True)
class Slip:
    """A printed number that is not what the printed scores give.

    Parameters
    ----------
    where : str
        Data set and method.
    printed, computed : float
        Both numbers.
    """

    where: str
    printed: float
    computed: float


def read_results(text: str) -> ResultTable:
    """Read a table of results from text.

    Parameters
    ----------
    text : str
        The first line names the methods, each other line a data set and its scores, with ranks in
        parentheses or without; a line called avg.rank may give average ranks. Columns are set
        apart by tabs, ``&``, ``|``, semicolons or blanks.

    Returns
    -------
    ResultTable
        The table.

    Raises
    ------
    DatasetError
        With findings that name the lines that cannot be read.
    """
    lines = [(i, _cells(line)) for i, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if len(lines) < 2:
        raise _refused(1, "a table needs a line of names and at least one data set.")
    (_, header), *body = lines
    for _, cells in body:  # blanks in a name
        while len(cells) > 2 and not _CELL.match(cells[1]) and _CELL.match(cells[-1]):
            cells[:2] = [f"{cells[0]} {cells[1]}"]
    n_methods = max(len(cells) - 1 for _, cells in body)
    if not 2 <= n_methods <= _MAX_METHODS or len(body) > _MAX_ROWS:
        raise _refused(1, f"found {n_methods} methods; 2 to {_MAX_METHODS} can be compared.")
    if len(header) < n_methods:
        raise _refused(1, f"found {len(header)} names for {n_methods} columns of scores.")
    methods = tuple(header[-n_methods:])
    issues: list[Finding] = []
    names: list[str] = []
    scores: list[list[float]] = []
    ranks: list[list[float]] = []
    averages = [np.nan] * n_methods
    for line, (name, *cells) in body:
        found = [_CELL.match(cell) for cell in cells]
        if len(cells) != n_methods or not all(found):
            wrong = next((c for c, f in zip(cells, found, strict=True) if not f), "")
            message = f"found '{wrong}' where a number is expected." if wrong else (
                f"found {len(cells)} scores, but {n_methods} methods."
            )  # fmt: skip
            issues.append(Finding("not-a-score", Severity.ERROR, message, _HINT, row=line))
            continue
        values = [_number(each[1]) for each in found if each]
        if _AVERAGES.match(name):
            averages = values
            continue
        names.append(name)
        scores.append(values)
        ranks.append([_number(each[2]) if each[2] else np.nan for each in found if each])
    if issues or not names:
        raise DatasetError(issues or _refused(1, "found no data set with scores.").findings)
    return ResultTable(methods, tuple(names), np.array(scores), np.array(ranks), np.array(averages))


_HINT = "Write one number for every method, with its rank in parentheses if there is one."


def _cells(line: str) -> list[str]:
    line = line.strip().rstrip("\\").strip()
    for separator in ("\t", "&", "|", ";"):
        if separator in line:
            return [cell.strip() for cell in line.strip(separator).split(separator)]
    # A rank belongs to the number before it: 0.9 (1.0).
    return re.sub(r"\s+\(", "(", re.sub(r"\s*±\s*", "±", line)).split()


def _number(text: str) -> float:
    return float(text.replace(",", ".").replace("−", "-"))


def _refused(line: int, message: str) -> DatasetError:
    return DatasetError([Finding("not-a-table", Severity.ERROR, message, _HINT, row=line)])


def find_slips(table: ResultTable, *, greater_is_better: bool = True) -> list[Slip]:
    """Compute ranks and average ranks again and list what is printed otherwise.

    Parameters
    ----------
    table : ResultTable
        The table.
    greater_is_better : bool, default=True
        Whether the largest score is the best.

    Returns
    -------
    list of Slip
        Ranks that differ from those of the printed scores, equal scores sharing their places; and
        average ranks that differ by more than rounding to the printed digits explains.
    """
    computed = average_ranks(table.scores, greater_is_better=greater_is_better)
    slips = [
        Slip(f"{table.data_sets[i]}, {table.methods[j]}", float(table.ranks[i, j]),
             float(computed.ranks[i, j]))
        for i, j in np.argwhere(
            ~np.isnan(table.ranks) & (np.abs(table.ranks - computed.ranks) > _RANK_ROUNDING)
        )
    ]  # fmt: skip
    slips += [
        Slip(f"average rank, {table.methods[j]}", float(table.averages[j]), float(mean))
        for j, mean in enumerate(computed.means)
        if abs(table.averages[j] - mean) > _AVERAGE_ROUNDING
    ]
    return slips


# Ranks are printed with a digit, average ranks with two.
_RANK_ROUNDING, _AVERAGE_ROUNDING = 0.051, 0.0051


def printed_ranks(table: ResultTable) -> AverageRanks | None:
    """Return the ranks as printed, None where some are not.

    Parameters
    ----------
    table : ResultTable
        The table.

    Returns
    -------
    AverageRanks or None
        To compute statistics from what was printed.
    """
    return None if np.isnan(table.ranks).any() else AverageRanks(table.ranks)
