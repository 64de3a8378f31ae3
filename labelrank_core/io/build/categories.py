"""Columns of text as features: categories, or the reason why they cannot be."""

import re
from collections.abc import Iterable
from itertools import islice

import numpy as np
import pandas as pd

from labelrank_core.data.findings import listed
from labelrank_core.io.cells import natural_order
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
    """Tell whether a column holds categories (declared, or mostly text) rather than numbers."""
    declared = raw.categories(column)
    if declared:
        return raw.names[column] in raw.file.nominal or not set(declared) <= {"0", "1"}
    if not raw.is_text(column):
        return False
    n_numbers = int((~np.isnan(raw.numbers[:, column])).sum())
    return n_numbers * 2 < int(raw.n_given[column])


def categories_of(raw: RawTable, column: int) -> tuple[str, ...]:
    """List the categories of a nominal column: as declared, or those that occur, sorted."""
    return raw.categories(column) or tuple(sorted(different(raw, column), key=natural_order))


def why_no_categories(raw: RawTable, column: int) -> str:
    """Say what a nominal column holds that makes it unusable as a feature; empty if it is usable.

    At most 50 categories can be used, or 1000 if the format declares them.
    """
    declared = raw.categories(column)
    if declared:
        return f"{len(declared)} categories" if len(declared) > MAX_DECLARED else ""
    texts = different(raw, column)
    if are_dates(texts):
        return "dates or times"
    if len(texts) == int(raw.n_given[column]):
        return "a different text in every row"
    if len(texts) > MAX_CATEGORIES:
        return f"{len(texts)} different texts"
    return ""


def is_clearly_nominal(raw: RawTable, column: int) -> bool:
    """Tell whether categories are declared or occur in two rows each on average."""
    if raw.categories(column):
        return True
    return 2 <= len(different(raw, column)) <= int(raw.n_given[column]) / 2


def describe_categories(raw: RawTable, column: int) -> str:
    """Name the categories of a nominal column, such as '3 categories: blue, green, red'."""
    categories = categories_of(raw, column)
    noun = "category" if len(categories) == 1 else "categories"
    return f"{len(categories)} {noun}: {listed(categories, quote='')}"


def are_dates(texts: Iterable[str]) -> bool:
    """Tell whether at least half of the first 1000 texts are dates or times."""
    looked_at = list(islice(texts, _N_LOOKED_AT))
    fits = sum(_DATE_OR_TIME.fullmatch(text.strip().lower()) is not None for text in looked_at)
    return fits > 0 and fits * 2 >= len(looked_at)


def different(raw: RawTable, column: int) -> set[str]:
    """Return the different texts of a column, without missing ones and spaces around them."""
    cells = raw.cells(column)[~raw.missing[:, column]]
    return {cell.strip() for cell in pd.unique(cells)}
