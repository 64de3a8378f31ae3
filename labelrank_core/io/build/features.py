"""The features of a table, numbers and categories, with every finding about their cells."""

import re
from collections.abc import Iterable
from itertools import islice
from typing import Any

import numpy as np
from scipy import sparse

from labelrank_core.data.bounds import (
    LARGEST_FEATURE,
    SMALLEST_FEATURE,
    are_large,
    largest_size,
)
from labelrank_core.data.findings import Severity, shorten
from labelrank_core.data.ranking_words import natural_order
from labelrank_core.data.schema import Column, Schema
from labelrank_core.io.build.finding_list import FindingList
from labelrank_core.io.limits import max_dense, max_encoded
from labelrank_core.io.table import MAX_DIFFERENT, BoolArray, RawTable
from labelrank_core.io.vocabulary import Choices, Missing, Role
from labelrank_core.rankings import FloatArray

_AS_NUMBERS = "Turn it into numbers, one 0/1 column for each category, if it should be used."
_AS_DAYS = "Turn it into numbers, such as days since the first one, if it should be used."
_AS_FEATURE = "Give it the role 'feature' to use its categories."
_CHOICES = (
    "The methods need every feature: fill the value in, leave the row out, or choose "
    "missing='fill' (the median or the most frequent category) or missing='drop_rows'."
)
ALL_DIFFERENT = "a different text in every row"
MAX_CATEGORIES = 50
MAX_DECLARED = 1_000
_N_LOOKED_AT = 1_000
# Names of numbers that are not quantities, such as customer_id and PatientID, and of row numbers.
_IDENTIFIER_NAMES = re.compile(
    r"(.*[\W_])?([Ii][Dd]s?|(?i:identifier|uid|uuid|guid))|.*[a-z](Id|ID)"
    r"|(?i:index|idx|row|nr|no|case|column 1|unnamed: 0)"
)
# Declared categories of which nearly every row has one of its own describe nothing.
_FEWEST_IDENTIFIERS, _NEARLY_ALL = 20, 0.95
_TOO_LARGE = f"but numbers larger than {LARGEST_FEATURE:g} cannot be computed with."
_UNIT = "Write the numbers in another unit, or correct the value."
_MONTH = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_TIME = r"\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?\s*([ap]m)?(z|[+-]\d{2}:?\d{2})?"
_DATE = (
    rf"(\d{{1,4}}[-/.]\d{{1,2}}[-/.]\d{{2,4}}"
    rf"|(\d{{1,2}}[\s.-]+)?{_MONTH}[\s.-]+\d{{1,4}}(,?\s+\d{{4}})?)"
)
_DATE_OR_TIME = re.compile(rf"({_DATE}([t\s]+{_TIME})?|{_TIME})")


def read_features(
    raw: RawTable, choices: Choices, report: FindingList, training: BoolArray
) -> tuple[Any, Schema]:
    """Encode the columns that are features; missing values are filled in from training rows."""
    indices = choices.columns(raw.names, Role.FEATURE)
    if not indices and raw.sparse is None and set(raw.names) <= set(raw.file.roles):
        hint = "No method can learn from them; they can be looked at and summed up."
        report.note("no-features", "these are rankings without features.", hint)
    elif not indices and raw.sparse is None:
        hint = "Give at least one column of numbers the role 'feature'."
        report.refuse("no-features", "no column is a feature.", hint)
    usable = []
    for j in indices:
        reason = why_no_categories(raw, j) if is_nominal(raw, j) else ""
        if reason:
            hint = f"Give it the role 'ignore'. {_AS_DAYS if 'dates' in reason else _AS_NUMBERS}"
            message = f"{reason} cannot be used as a feature."
            report.refuse("text-feature", message, hint, column=raw.names[j])
        else:
            usable.append(j)
    columns = tuple(
        Column(raw.title(j), "nominal", categories_of(raw, j))
        if is_nominal(raw, j)
        else Column(raw.title(j))
        for j in usable
    )
    schema = Schema(columns)
    if raw.n_rows * schema.starts[-1] > max_encoded(raw.file.n_bytes):
        report.refuse(
            "too-large",
            f"the features make {schema.starts[-1]} columns of numbers for {raw.n_rows} rows, "
            "more than can be kept.",
            "Leave out columns, or take a sample of the rows.",
        )
        return np.empty((raw.n_rows, 0)), Schema(())
    first, last = (usable[0], usable[-1] + 1) if usable else (0, 0)
    if schema.is_numeric and usable == [*range(first, last)] and all(raw.is_complete[usable]):
        X = raw.numbers[:, first:last]  # columns side by side need no copy
    else:
        X = np.zeros((raw.n_rows, schema.starts[-1]))
        for j, column, start in zip(usable, columns, schema.starts, strict=False):
            values = _values(raw, j, column, choices.missing, report, training)
            if column.kind == "numeric":
                X[:, start] = values
                continue
            for offset, category in enumerate(column.marked):
                X[:, start + offset] = values == column.categories.index(category)
    largest = largest_size(X)
    if largest > LARGEST_FEATURE:
        for j, start in zip(usable, schema.starts, strict=False):
            report.refuse_cells(
                raw, "too-large-number", _TOO_LARGE, _UNIT, are_large(X[:, start]), j
            )
    if raw.sparse is not None:
        X, schema = _with_sparse(raw, X, schema, report)
        largest = largest_size(X)
    if 0 < largest < SMALLEST_FEATURE:
        message = f"no feature is larger than {largest:g}, too small to compute with."
        report.refuse("too-small-numbers", message, _UNIT)
    return X, schema


def _values(
    raw: RawTable,
    j: int,
    column: Column,
    missing: Missing,
    report: FindingList,
    training: BoolArray,
) -> FloatArray:
    """Return a column of numbers, or the indices of categories; fill in or refuse missing ones."""
    values, lacking = raw.numbers[:, j], raw.missing[:, j]
    if column.kind == "nominal":
        codes, texts = raw.coded(j)
        code_of = {category: code for code, category in enumerate(column.categories)}
        category_codes = [code_of.get(text, code_of.get(text.strip(), -1)) for text in texts]
        values = np.array(category_codes, dtype=np.float64)[codes]
    elif not raw.is_complete[j]:
        report.refuse_text(raw, j)
        problem, hint = "which is not a finite number.", "Correct the value, or leave the row out."
        report.refuse_cells(raw, "not-finite", problem, hint, np.isinf(values), j)
    present = values[np.isfinite(values) & ~lacking & training]
    if not lacking.any():
        return values
    if missing is not Missing.FILL or not len(present):
        report.refuse_cells(raw, "missing-value", "but a value is needed.", _CHOICES, lacking, j)
        return values
    if column.kind == "nominal":
        fill = float(np.bincount(present.astype(np.intp)).argmax())
        filling = f"the most frequent category, '{shorten(column.categories[int(fill)])}'"
    else:
        fill = float(np.median(present))
        filling = f"the median, {fill:g}"
    message = f"a missing value was filled in with {filling}."
    hint = "It is a guess; leave the rows or the column out if it should not count."
    report.note("filled-in", message, hint, lacking, raw.names[j])
    return np.where(lacking, fill, values)


def _with_sparse(
    raw: RawTable, dense: FloatArray, schema: Schema, report: FindingList
) -> tuple[Any, Schema]:
    """Put the sparse features behind those of the table."""
    extra = raw.sparse
    assert extra is not None
    used_names = {column.name for column in schema.columns}
    repeated = next((name for name in extra.names if name in used_names), None)
    if repeated is not None:
        hint = "Give every feature a name of its own."
        report.refuse("duplicate-column", "a feature has this name too.", hint, column=repeated)
    wrong = np.zeros(len(report.bad), dtype=bool)
    entries = np.flatnonzero(~np.isfinite(extra.matrix.data))
    wrong[np.searchsorted(extra.matrix.indptr, entries, side="right") - 1] = True
    message = "a feature of this row has no finite number."
    report.refuse("not-finite", message, "Correct the value, or leave the row out.", wrong)
    large = np.zeros(len(report.bad), dtype=bool)
    entries = np.flatnonzero(are_large(extra.matrix.data))
    large[np.searchsorted(extra.matrix.indptr, entries, side="right") - 1] = True
    message = f"a feature of this row is larger than {LARGEST_FEATURE:g}."
    report.refuse("too-large-number", message, _UNIT, large)
    X = extra.matrix
    if dense.shape[1]:
        X = sparse.hstack([sparse.csr_matrix(dense), X], format="csr")
    if np.prod(X.shape) <= max_dense(raw.file.n_bytes):
        X = X.toarray()
    return X, Schema((*schema.columns, *map(Column, extra.names)))


def note_unused(raw: RawTable, choices: Choices, report: FindingList) -> None:
    """Name the columns that are not used although they hold something."""
    for j in choices.columns(raw.names, Role.IGNORE):
        code, content, hint, severity = "unused-column", "numbers that are", "", Severity.INFO
        if not raw.n_given[j]:
            code, content = "empty-column", "empty and"
        elif is_nominal(raw, j):
            reason = why_no_categories(raw, j)
            identifiers = "" if reason else why_identifiers(raw, j)
            code, content, severity = "text-column", "text that is", Severity.WARNING
            hint = _AS_NUMBERS if reason else _AS_FEATURE
            if "dates" in reason:
                content, hint = "dates or times that are", _AS_DAYS
            if identifiers:
                code, content = "identifiers", f"{identifiers} that are"
        report.note(code, f"{content} not used.", hint, None, raw.names[j], severity)


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
    return raw.categories(column) or tuple(sorted(raw.count_texts(column), key=natural_order))


def why_no_categories(raw: RawTable, column: int) -> str:
    """Return the reason why a column of categories is no feature; empty if it can be one."""
    declared = raw.categories(column)
    if declared:
        return f"{len(declared)} categories" if len(declared) > MAX_DECLARED else ""
    texts = raw.count_texts(column)
    if are_dates(texts):
        return "dates or times"
    if len(texts) > MAX_DIFFERENT:
        return f"more than {MAX_DIFFERENT} different texts"
    if len(texts) == int(raw.n_given[column]):
        return ALL_DIFFERENT
    if len(texts) > MAX_CATEGORIES:
        return f"{len(texts)} different texts"
    return ""


def may_be_identifiers(name: str) -> bool:
    """Tell whether a column is named like identifiers or row numbers."""
    return _IDENTIFIER_NAMES.fullmatch(name) is not None


def are_identifiers(name: str, numbers: FloatArray) -> bool:
    """Tell whether a column named like identifiers holds another whole number in every row."""
    is_integer = may_be_identifiers(name) and (numbers == np.floor(numbers)).all()
    return bool(is_integer) and len(np.unique(numbers)) == len(numbers)


def are_one_for_each(n_texts: int, n_given: int) -> bool:
    """Tell whether nearly every row of a column has a text of its own."""
    return n_texts >= max(_FEWEST_IDENTIFIERS, _NEARLY_ALL * n_given)


def why_identifiers(raw: RawTable, column: int) -> str:
    """Describe the different texts that make a column identifiers; empty if it has none."""
    n_texts, n_given = len(raw.count_texts(column)), int(raw.n_given[column])
    if not are_one_for_each(n_texts, n_given):
        return ""
    return f"identifiers ({n_texts} different texts in {n_given} rows)"


def are_dates(texts: Iterable[str]) -> bool:
    """Tell whether at least half of the first 1000 texts are dates or times."""
    sample = [text.strip().lower() for text in islice(texts, _N_LOOKED_AT)]
    fits = [bool(_DATE_OR_TIME.fullmatch(text)) for text in sample]
    return any(fits) and sum(fits) * 2 >= len(fits)
