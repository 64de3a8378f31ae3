r"""A printed table of results: read from text, its ranks checked against its scores.

>>> table = read_result_table("data A B\niris 0.9(1) 0.8(2)\nwine 0.7(1.0) 0.7(2.0)\navg 1 2")
>>> table.methods, table.scores.tolist()
(('A', 'B'), [[0.9, 0.8], [0.7, 0.7]])
>>> [(each.where, each.printed, each.recomputed) for each in find_discrepancies(table)][:2]
[('wine, A', 1.0, 1.5), ('wine, B', 2.0, 1.5)]
"""

import re
from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from labelrank_core.comparison.significance import average_ranks
from labelrank_core.data.findings import DatasetError, Finding, Severity, count_of
from labelrank_core.rankings import FloatArray

# Possessive, so that no text is read in more than one way.
_NUMBER = r"[-+−]?(?:\d++(?:[.,]\d++)?|[.,]\d++)(?:[eE][-+]?\d++)?"
# A score, with a deviation and a rank in parentheses where they are printed.
_CELL = re.compile(rf"\*?({_NUMBER})\*?(?:(?:±|\+/-){_NUMBER})?(?:\(({_NUMBER})\))?\*?")
_AVERAGES = re.compile(r"(avg|average|mean|∅)\W*(rank)?s?", re.IGNORECASE)
_HEADING = re.compile(r"(data[ _-]?(set)?s?|set|name)s?", re.IGNORECASE)
# Sums and squares of larger scores may overflow.
_LARGEST = 1e100
_MOST_ROWS, _MOST_METHODS, _MOST_CHARACTERS = 500, 60, 1_000_000
_HINT = "Write one number for every method, with its rank in parentheses if there is one."
_SEPARATE = "Separate the columns by tabs or semicolons."
# The code of the finding that asks whether the first line begins with a heading.
HEADING_UNCLEAR = "heading-unclear"


@dataclass(frozen=True, eq=False)
class ResultTable:
    """A table of results as printed."""

    methods: tuple[str, ...]
    data_sets: tuple[str, ...]
    scores: FloatArray
    ranks: FloatArray
    averages: FloatArray
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class Discrepancy:
    """A printed number that differs from the one recomputed from the printed scores."""

    where: str
    printed: float
    recomputed: float


@dataclass(frozen=True)
class _Line:
    """A line in cells; a name may fill several cells where blanks separate them."""

    number: int
    cells: list[str]
    by_blanks: bool

    @property
    def n_scores(self) -> int:
        """Number of scores: of all cells but the first, or of those at the end."""
        if not self.by_blanks:
            return len(self.cells) - 1
        is_text = [not _CELL.fullmatch(cell) for cell in self.cells[:0:-1]]
        return is_text.index(True) if True in is_text else len(is_text)

    def fits(self, n_methods: int) -> bool:
        """Whether the line can be a name and a score for each method."""
        return self.n_scores >= n_methods if self.by_blanks else self.n_scores == n_methods


def read_result_table(text: str, *, heading: bool | None = None) -> ResultTable:
    r"""Read a table of results from text; lines that cannot be read are left out with a finding.

    The first line names the methods, each other line a data set and its scores, with or without
    ranks in parentheses; a line called avg.rank may hold average ranks. Columns are separated by
    tabs, ``&``, ``|``, semicolons or blanks.

    Parameters
    ----------
    text : str
        The table.
    heading : bool or None, default=None
        Whether the first name is a heading of the data sets, not a method; None: inferred from the
        text.

    Returns
    -------
    ResultTable
        Scores and printed ranks of shape (n_data_sets, n_methods), and printed average ranks of
        shape (n_methods,); NaN = not printed. Its findings name the lines that are left out.

    Raises
    ------
    DatasetError
        If the text is no such table, is too large, or no line can be read; with the code
        `HEADING_UNCLEAR` where `heading` is needed (``Set 1 0.9 0.8``).

    Examples
    --------
    >>> table = read_result_table("data set;A;B\niris;0.9 (1);0.8 (2)\nwine;0.7 (1);0.9 (2)")
    >>> table.methods, table.data_sets, table.scores.tolist()
    (('A', 'B'), ('iris', 'wine'), [[0.9, 0.8], [0.7, 0.9]])
    """
    if len(text) > _MOST_CHARACTERS:
        raise _refused(f"found more than {_MOST_CHARACTERS:,} characters.")
    lines = [_line(i, line) for i, line in enumerate(text.splitlines(), 1) if line.strip()]
    if len(lines) < 2:
        raise _refused("a table needs a line of names and at least one data set.")
    if len(lines) > _MOST_ROWS + 1:
        raise _refused(f"found {len(lines) - 1:,} data sets; at most {_MOST_ROWS} can be compared.")
    first, *body = lines
    names = first.cells
    if first.by_blanks and _HEADING.fullmatch(" ".join(names[:2])):
        names = [" ".join(names[:2]), *names[2:]]
    if heading is None:
        indented = text.splitlines()[first.number - 1][0].isspace()
        heading = _has_heading(names, body, indented=indented)
    methods = tuple(names[1:] if heading else names)
    n_usual = Counter(line.n_scores for line in body).most_common(1)[0][0]
    if (not heading and n_usual > len(names)) or (
        n_usual and not any(line.fits(len(methods)) for line in body)
    ):
        mismatch = f"found {count_of(len(methods), 'name')} for {count_of(n_usual, 'column')}"
        raise _refused(f"{mismatch} of scores.", _SEPARATE)
    if not 2 <= len(methods) <= _MOST_METHODS:
        raise _refused(
            f"found {count_of(len(methods), 'method')}; 2 to {_MOST_METHODS} can be compared."
        )
    return _table(methods, body)


def _line(number: int, line: str) -> _Line:
    line = line.strip().rstrip("\\")
    separator = next((character for character in "\t&|;" if character in line), None)
    parts = line.strip(separator).split(separator) if separator else [line]
    # A deviation and a rank belong to the number before them: 0.9 ± 0.1 (1.0).
    cells = [
        re.sub(r" ?(±|\+/-) ?", r"\1", " ".join(part.split())).replace(" (", "(") for part in parts
    ]
    return _Line(number, cells if separator else cells[0].split(" "), by_blanks=not separator)


def _has_heading(names: list[str], body: list[_Line], *, indented: bool) -> bool:
    """Tell whether the first name is a heading of the data sets; raise an error if unclear."""
    n = len(names)
    if _HEADING.fullmatch(names[0]):
        return True
    if n <= 2:
        return False
    with_heading, without = (sum(line.fits(n_scores) for line in body) for n_scores in (n - 1, n))
    both = sum(line.fits(n - 1) and line.fits(n) for line in body)
    if (both and not indented) or (not both and with_heading == without > 0):
        message = f"'{names[0]}' may be a method, or the heading of the names below it."
        hint = f"Say which, or call it 'data set' if it is the heading. {_SEPARATE}"
        raise DatasetError([Finding(HEADING_UNCLEAR, Severity.ERROR, message, hint, row=1)])
    return not both and with_heading >= without


def _table(methods: tuple[str, ...], body: list[_Line]) -> ResultTable:
    n = len(methods)
    findings: list[Finding] = []
    rows: list[tuple[str, list[float], list[float]]] = []
    averages = [np.nan] * n
    for line in body:
        cells = line.cells[-n:]
        wrong = [cell for cell in cells if not _CELL.fullmatch(cell)]
        if wrong and len(line.cells) > n:
            findings.append(_left_out(line.number, f"found '{wrong[0]}', but expected a number."))
            continue
        if len(line.cells) <= n or not line.fits(n):
            message = f"found {line.n_scores} scores, but {n} methods."
            findings.append(_left_out(line.number, message))
            continue
        matches = [match for match in map(_CELL.fullmatch, cells) if match]
        name, scores = " ".join(line.cells[:-n]), [_number(match[1]) for match in matches]
        large = [cell for cell, score in zip(cells, scores, strict=True) if abs(score) > _LARGEST]
        if large:
            message = f"found '{large[0]}', but expected a number up to {_LARGEST:g} in size."
            findings.append(_left_out(line.number, message))
            continue
        if _AVERAGES.fullmatch(name):
            averages = scores
        else:
            rows.append((name, scores, [_number(match[2] or "nan") for match in matches]))
    if not rows:
        errors = [replace(finding, severity=Severity.ERROR) for finding in findings]
        raise DatasetError(errors or _refused("found no data set with scores.").findings)
    names, all_scores, all_ranks = zip(*rows, strict=True)
    return ResultTable(
        methods,
        names,
        scores=np.array(all_scores, dtype=np.float64),
        ranks=np.array(all_ranks, dtype=np.float64),
        averages=np.array(averages, dtype=np.float64),
        findings=tuple(findings),
    )


def _number(text: str) -> float:
    return float(text.replace(",", ".").replace("−", "-"))


def _left_out(line: int, message: str) -> Finding:
    hint = f"The line is left out. {_HINT}"
    return Finding("not-a-score", Severity.WARNING, message, hint, row=line)


def _refused(message: str, hint: str = _HINT) -> DatasetError:
    return DatasetError([Finding("not-a-table", Severity.ERROR, message, hint, row=1)])


# Ranks are printed with one digit, average ranks with two.
_RANK_ROUNDING, _AVERAGE_ROUNDING = 0.051, 0.0051


def find_discrepancies(table: ResultTable, *, greater_is_better: bool = True) -> list[Discrepancy]:
    r"""Recompute ranks and average ranks, and list the printed ones that differ beyond rounding.

    Parameters
    ----------
    table : ResultTable
        With ranks or average ranks; those that are not printed (NaN) are not compared.
    greater_is_better : bool, default=True
        Whether higher scores have lower ranks. Equal scores share the mean of their ranks.

    Returns
    -------
    list of Discrepancy
        Ranks of cells, line by line, then average ranks by method; empty: all agree.

    Raises
    ------
    ValueError
        If a score is not finite.

    Examples
    --------
    >>> table = read_result_table("A;B\niris;0.9 (1);0.8 (2)\nwine;0.7 (1);0.9 (2)", heading=False)
    >>> [(wrong.where, wrong.printed, wrong.recomputed) for wrong in find_discrepancies(table)]
    [('wine, A', 1.0, 2.0), ('wine, B', 2.0, 1.0)]
    """
    recomputed = average_ranks(table.scores, greater_is_better=greater_is_better)
    wrong = np.argwhere(np.abs(table.ranks - recomputed.ranks) > _RANK_ROUNDING)
    cells = [
        Discrepancy(
            f"{table.data_sets[i]}, {table.methods[j]}",
            float(table.ranks[i, j]),
            float(recomputed.ranks[i, j]),
        )
        for i, j in wrong
    ]
    averages = [
        Discrepancy(f"average rank, {name}", float(printed), float(mean))
        for name, printed, mean in zip(table.methods, table.averages, recomputed.means, strict=True)
        if abs(printed - mean) > _AVERAGE_ROUNDING
    ]
    return cells + averages
