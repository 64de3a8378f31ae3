"""The features of a table, numbers and categories, with every finding about their cells."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from labelrank_core.data.findings import Severity, listed, shorten
from labelrank_core.data.schema import Column, Schema
from labelrank_core.io.build.finding_list import FindingList
from labelrank_core.io.cells import SparseCells, natural_order
from labelrank_core.io.table import BoolArray, RawTable
from labelrank_core.io.vocabulary import Choices, Missing, Role
from labelrank_core.rankings import FloatArray

MAX_ENCODED = 100_000_000
# Up to here features that are mostly 0 are kept like others: most methods take no sparse matrix.
MAX_DENSE = 25_000_000
_AS_NUMBERS = "Turn it into numbers, one 0/1 column for each category, if it should be used."
_AS_DAYS = "Turn it into numbers, such as days since the first one, if it should be used."
_AS_FEATURE = "Give it the role 'feature' to use its categories."
_CHOICES = (
    "The methods need every feature: fill the value in, leave the row out, or choose "
    "missing='fill' (the median or the most frequent category) or missing='drop_rows'."
)
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


def rows_with_missing(raw: RawTable, choices: Choices) -> BoolArray:
    """Tell in which rows the value of a feature is missing."""
    return np.asarray(raw.missing[:, choices.columns(raw.names, Role.FEATURE)].any(axis=1))


def read_features(
    raw: RawTable, choices: Choices, found: FindingList, training: BoolArray
) -> tuple[Any, Schema]:
    """Encode the columns that are features; missing values are filled in from training rows."""
    indices = choices.columns(raw.names, Role.FEATURE)
    if not indices and raw.sparse is None:
        _note_no_features(raw, found)
    nominal = {j for j in indices if is_nominal(raw, j)}
    usable = [j for j in indices if not (j in nominal and _refused(raw, j, found))]
    columns = tuple(
        Column(raw.title(j), "nominal", categories_of(raw, j))
        if j in nominal
        else Column(raw.title(j))
        for j in usable
    )
    schema = Schema(columns)
    if raw.n_rows * schema.starts[-1] > MAX_ENCODED:
        found.refuse(
            "too-large",
            f"the features make {schema.starts[-1]} columns of numbers for {raw.n_rows} rows, "
            "more than can be kept.",
            "Leave out columns, or take a sample of the rows.",
        )
        return np.empty((raw.n_rows, 0)), Schema(())
    X = _numeric_part(raw, usable, schema)
    encoder = _Encoder(raw, choices.missing, found, training)
    for j, column, start in zip(usable, columns, schema.starts, strict=False):
        block = X[:, start : start + column.n_encoded]
        if column.kind == "nominal":
            encoder.write_categories(j, column, block)
        else:
            encoder.fill_numbers(j, block[:, 0])
    return (X, schema) if raw.sparse is None else _with_sparse(raw.sparse, X, schema, found)


def _note_no_features(raw: RawTable, found: FindingList) -> None:
    if set(raw.names) <= set(raw.file.roles):
        hint = "No method can learn from them; they can be looked at and summed up."
        message = "these are rankings without features."
        found.note("no-features", message, hint)
    else:
        hint = "Give at least one column of numbers the role 'feature'."
        found.refuse("no-features", "no column is a feature.", hint)


def _refused(raw: RawTable, column: int, found: FindingList) -> bool:
    reason = why_no_categories(raw, column)
    if reason:
        found.refuse(
            "text-feature",
            f"{reason} cannot be used as a feature.",
            f"Give it the role 'ignore'. {_AS_DAYS if 'dates' in reason else _AS_NUMBERS}",
            column=raw.names[column],
        )
    return bool(reason)


def _numeric_part(raw: RawTable, usable: list[int], schema: Schema) -> FloatArray:
    """Return the encoded features with the numbers in their places and 0 for categories."""
    if schema.is_numeric and usable and all(raw.is_complete[usable]):
        first, last = usable[0], usable[-1]
        if len(usable) == last - first + 1:
            return raw.numbers[:, first : last + 1]  # columns side by side need no copy
    X = np.zeros((raw.n_rows, schema.starts[-1]))
    numeric = [column.kind == "numeric" for column in schema.columns]
    places = np.array(schema.starts[:-1], dtype=np.intp)[numeric]
    columns = np.array(usable, dtype=np.intp)[numeric]
    X[:, places] = raw.numbers[:, columns]
    return X


@dataclass(frozen=True)
class _Encoder:
    """Writes columns of a table into encoded features."""

    raw: RawTable
    missing: Missing
    found: FindingList
    training: BoolArray

    def fill_numbers(self, j: int, out: Any) -> None:
        """Check a column of numbers, which `out` holds already, and fill in missing ones."""
        raw = self.raw
        if raw.is_complete[j]:
            return
        numbers, lacking = raw.numbers[:, j], raw.missing[:, j]
        self.found.refuse_text(j)
        but, hint = "which is not a finite number.", "Correct the value, or leave the row out."
        self.found.refuse_cells("not-finite", but, hint, np.isinf(numbers), j)
        known = numbers[np.isfinite(numbers) & self.training]
        if lacking.any() and self._may_fill(j, lacking, len(known)):
            out[lacking] = median = float(np.median(known))
            self._note_filled(j, lacking, f"the median, {median:g}")

    def write_categories(self, j: int, column: Column, out: Any) -> None:
        """Write a column of categories, one feature for each."""
        codes, texts = pd.factorize(self.raw.cells(j))
        places = {category: place for place, category in enumerate(column.categories)}
        own = [places.get(text, places.get(text.strip(), -1)) for text in texts]
        codes, lacking = np.array(own)[codes], self.raw.missing[:, j]
        known = codes[~lacking & self.training]
        if lacking.any() and self._may_fill(j, lacking, len(known)):
            codes[lacking] = most = int(np.bincount(known).argmax())
            what = f"the most frequent category, '{shorten(column.categories[most])}'"
            self._note_filled(j, lacking, what)
        for offset, category in enumerate(column.marked):
            out[:, offset] = codes == column.categories.index(category)

    def _may_fill(self, j: int, lacking: BoolArray, n_known: int) -> bool:
        """Tell whether missing values are to be filled in, and can be; else they are errors."""
        if self.missing is Missing.FILL and n_known:
            return True
        self.found.refuse_cells("missing-value", "but a value is needed.", _CHOICES, lacking, j)
        return False

    def _note_filled(self, j: int, lacking: BoolArray, what: str) -> None:
        message = f"a missing value was filled in with {what}."
        hint = "It is a guess; leave the rows or the column out if it should not count."
        self.found.note("filled-in", message, hint, lacking, self.raw.names[j])


def _with_sparse(
    extra: SparseCells, own: FloatArray, schema: Schema, found: FindingList
) -> tuple[Any, Schema]:
    """Put the sparse features behind those of the table."""
    taken = {column.name for column in schema.columns}
    repeated = next((name for name in extra.names if name in taken), None)
    if repeated is not None:
        hint = "Give every feature a name of its own."
        found.refuse("duplicate-column", "a feature has this name too.", hint, column=repeated)
    wrong = np.zeros(len(found.bad), dtype=bool)
    places = np.flatnonzero(~np.isfinite(extra.matrix.data))
    wrong[np.searchsorted(extra.matrix.indptr, places, side="right") - 1] = True
    message = "a feature of this row has no finite number."
    found.refuse("not-finite", message, "Correct the value, or leave the row out.", wrong)
    X = extra.matrix
    if own.shape[1]:
        X = sparse.hstack([sparse.csr_matrix(own), X], format="csr")
    X = X.toarray() if np.prod(X.shape) <= MAX_DENSE else X
    return X, Schema((*schema.columns, *map(Column, extra.names)))


def note_unused(raw: RawTable, choices: Choices, found: FindingList) -> None:
    """Name the columns that are not used although they hold something."""
    for j in choices.columns(raw.names, Role.IGNORE):
        code, what, hint, severity = "unused-column", "numbers that are", "", Severity.INFO
        if not raw.n_given[j]:
            code, what = "empty-column", "empty and"
        elif is_nominal(raw, j):
            reason = why_no_categories(raw, j)
            code, what, severity = "text-column", "text that is", Severity.WARNING
            hint = _AS_NUMBERS if reason else _AS_FEATURE
            if "dates" in reason:
                what, hint = "dates or times that are", _AS_DAYS
        found.note(code, f"{what} not used.", hint, None, raw.names[j], severity)


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
    """Say what makes a column of categories unusable as a feature; empty if it is usable."""
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
