"""Columns of text as features: categories, or the reason why they are none."""

import re
from collections.abc import Iterable
from itertools import islice

import numpy as np
import pandas as pd

from labelrank_core.data.findings import shorten
from labelrank_core.io.build.strings import natural_order
from labelrank_core.io.table import RawTable

MAX_CATEGORIES = 50
MAX_DECLARED = 1_000
_N_LOOKED_AT = 1_000
_MONTH = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_TIME = r"\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?\s*([ap]m)?(z|[+-]\d{2}:?\d{2})?"
_DATE = (
    rf"(\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}|\d{{1,2}}[-/.]\d{{1,2}}[-/.](\d{{4}}|\d{{2}})"
    rf"|\d{{1,2}}[\s.-]+{_MONTH}[\s.-]+\d{{2,4}}|{_MONTH}\s+\d{{1,2}},?\s+\d{{4}})"
)
_DATE_OR_TIME = re.compile(rf"({_DATE}([t\s]+{_TIME})?|{_TIME})")


def is_nominal(raw: RawTable, column: int) -> bool:
    """Tell whether a column that describes cases does so by categories, not by numbers.

    Parameters
    ----------
    raw : RawTable
        The table.
    column : int
        The column's index.

    Returns
    -------
    bool
        Whether its format declares categories other than 0 and 1, or most of its cells that hold
        anything are text.
    """
    declared = raw.categories(column)
    if declared:
        return raw.names[column] in raw.nominal or not set(declared) <= {"0", "1"}
    if not raw.is_text(column):
        return False
    n_numbers = int((~np.isnan(raw.numbers[:, column])).sum())
    return n_numbers * 2 < int(raw.n_given[column])


def categories_of(raw: RawTable, column: int) -> tuple[str, ...]:
    """List the categories of a nominal column.

    Parameters
    ----------
    raw : RawTable
        The table.
    column : int
        The column's index.

    Returns
    -------
    tuple of str
        Those declared, in that order, or those that occur, spaces around them left out, in
        alphabetical order with numbers by size.
    """
    return raw.categories(column) or tuple(sorted(different(raw, column), key=natural_order))


def why_no_categories(raw: RawTable, column: int) -> str:
    """Say why a nominal column cannot be used as a feature.

    Parameters
    ----------
    raw : RawTable
        The table.
    column : int
        The column's index.

    Returns
    -------
    str
        The reason, after 'holds'; empty where it can be used: with at most 50 categories, or as
        many as 1000 where the format declares them, and not another one in every row.
    """
    declared = raw.categories(column)
    if declared:
        return f"{len(declared)} categories" if len(declared) > MAX_DECLARED else ""
    texts = different(raw, column)
    if are_dates(texts):
        return "dates or times"
    if len(texts) == int(raw.n_given[column]):
        return "another text in every row"
    if len(texts) > MAX_CATEGORIES:
        return f"{len(texts)} different texts"
    return ""


def is_clearly_nominal(raw: RawTable, column: int) -> bool:
    """Tell whether a column of text that can be used as categories is meant so.

    Parameters
    ----------
    raw : RawTable
        The table.
    column : int
        The column's index.

    Returns
    -------
    bool
        Whether its categories have two rows each on average, or are declared.
    """
    if raw.categories(column):
        return True
    return 2 <= len(different(raw, column)) <= int(raw.n_given[column]) / 2


def in_words(raw: RawTable, column: int) -> str:
    """Name the categories of a nominal column.

    Parameters
    ----------
    raw : RawTable
        The table.
    column : int
        The column's index.

    Returns
    -------
    str
        Such as '3 categories: blue, green, red'.
    """
    categories = categories_of(raw, column)
    dots = ", ..." if len(categories) > 5 else ""
    noun = "category" if len(categories) == 1 else "categories"
    return f"{len(categories)} {noun}: {', '.join(map(shorten, categories[:5]))}{dots}"


def are_dates(texts: Iterable[str]) -> bool:
    """Tell whether at least half of some texts are dates or times.

    Parameters
    ----------
    texts : iterable of str
        The texts; the first 1000 are looked at.

    Returns
    -------
    bool
        Whether they are.

    Examples
    --------
    >>> are_dates(["2024-02-01", "1 May 2024", "12:30"]), are_dates(["1.2", "12-14"])
    (True, False)
    """
    looked_at = list(islice(texts, _N_LOOKED_AT))
    fits = sum(_DATE_OR_TIME.fullmatch(text.strip().lower()) is not None for text in looked_at)
    return fits > 0 and fits * 2 >= len(looked_at)


def different(raw: RawTable, column: int) -> set[str]:
    """Return the different texts of a column, spaces around them and missing ones left out.

    Parameters
    ----------
    raw : RawTable
        The table.
    column : int
        The column's index.

    Returns
    -------
    set of str
        The texts.
    """
    cells = raw.cells(column)[~raw.missing[:, column]]
    return {cell.strip() for cell in pd.unique(cells)}
