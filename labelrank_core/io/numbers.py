"""The numbers in columns of text, numbers and categories, and with which decimal sign they are."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from labelrank_core.data.findings import Finding, Severity
from labelrank_core.io.cells import Coded, is_missing, side_by_side
from labelrank_core.rankings import FloatArray

BoolArray = NDArray[np.bool_]
# Text is kept as pandas' array of text, which takes a tenth of the memory of Python's.
KeptColumn: TypeAlias = FloatArray | Coded | pd.api.extensions.ExtensionArray

_DECIMAL_COMMA = re.compile(r"\s*[+-]?(\d+,\d*|,\d+)([eE][+-]?\d+)?\s*")
_THOUSANDS = re.compile(r"\s*[+-]?[1-9]\d{0,2},\d{3}\s*")


def parse_numbers(
    columns: Sequence[KeptColumn], n_rows: int, *, typed: bool
) -> tuple[FloatArray, BoolArray, list[Finding]]:
    """Return the numbers in columns, where nothing is given, and that there are decimal commas.

    `typed`: in columns of numbers there is no decimal comma.
    """
    if all(isinstance(column, np.ndarray) for column in columns):
        values = side_by_side(columns, n_rows)
        return values, np.isnan(values), []
    shape = (n_rows, len(columns))
    values = np.empty(shape, dtype=np.float64, order="F")
    missing = np.zeros(shape, dtype=bool, order="F")
    comma_columns: list[int] = []
    n_commas = n_thousands = 0
    for j, column in enumerate(columns):
        if not is_text(column):
            values[:, j], missing[:, j] = _typed_numbers(column)
            continue
        cells = np.asarray(column, dtype=object)
        values[:, j] = _to_numbers(cells)
        # Where the fast conversion found nothing, every different cell is looked at.
        places = np.flatnonzero(np.isnan(values[:, j]))
        codes, texts = pd.factorize(cells[places])
        missing[places, j] = _told(texts, is_missing)[codes]
        commas = _told(texts, _DECIMAL_COMMA.fullmatch)[codes]
        if commas.any():
            n_commas += int(commas.sum())
            n_thousands += int(_told(texts, _THOUSANDS.fullmatch)[codes].sum())
            comma_columns.append(j)
    if not n_commas or n_commas < _n_points(columns, values, typed=typed):
        return values, missing, []
    for j in comma_columns:
        # A point in such a column is not a number: nobody can tell 1.234 from 1234 there.
        texts = np.asarray(columns[j], dtype=object)
        points = [text.replace(".", "x").replace(",", ".") for text in texts]
        values[:, j] = _to_numbers(np.array(points, dtype=object))
    message = "numbers were read with a decimal comma, 1,5 as one and a half."
    finding = Finding("decimal-comma", Severity.INFO, message)
    if n_thousands == n_commas:
        hint = "If the comma separates thousands here, as in 1,500, remove it in the file."
        finding = Finding("decimal-comma", Severity.WARNING, message, hint)
    return values, missing, [finding]


def is_text(column: KeptColumn) -> bool:
    """Tell whether a column holds text as it stands in a file."""
    return not isinstance(column, np.ndarray | Coded)


def _n_points(columns: Sequence[KeptColumn], values: FloatArray, *, typed: bool) -> int:
    """Count the numbers that are written with a decimal point."""
    count = 0
    for j, column in enumerate(columns):
        if is_text(column):
            cells = np.asarray(column, dtype=object)
            count += sum("." in cell for cell in cells[~np.isnan(values[:, j])])
        elif not typed:
            count += int(np.count_nonzero(np.nan_to_num(values[:, j]) % 1))
    return count


def _told(texts: Iterable[str], test: Callable[[str], Any]) -> BoolArray:
    """Ask the same of several texts."""
    return np.array([bool(test(text)) for text in texts], dtype=bool)


def _typed_numbers(column: KeptColumn) -> tuple[FloatArray, BoolArray]:
    """Return a column of numbers or categories as numbers, and where nothing is given."""
    if isinstance(column, Coded):
        # A category that is declared is a value, be it called 'none'; code -1 is the blank.
        numbers = _to_numbers(np.array([*column.words, ""], dtype=object))
        return numbers[column.codes], column.codes == -1
    numbers = np.asarray(column, dtype=np.float64)
    return numbers, np.isnan(numbers)


def _to_numbers(cells: NDArray[Any]) -> FloatArray:
    return np.asarray(pd.to_numeric(cells, errors="coerce"), dtype=np.float64)
