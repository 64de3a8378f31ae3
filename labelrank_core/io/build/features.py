"""The features of a table, numbers and categories, with every finding about their cells."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from labelrank_core.data.findings import Finding, Severity, shorten
from labelrank_core.data.schema import Column, Schema
from labelrank_core.io.build.categories import categories_of, is_nominal, why_no_categories
from labelrank_core.io.build.cells import found, refuse_text
from labelrank_core.io.build.ledger import Ledger
from labelrank_core.io.infer.proposal import Choices
from labelrank_core.io.table import BoolArray, RawTable, SparseFeatures
from labelrank_core.io.vocabulary import Missing, Role
from labelrank_core.rankings import FloatArray

MAX_ENCODED = 100_000_000
# Up to here features that are mostly 0 are kept like others: most methods take no sparse matrix.
MAX_DENSE = 25_000_000
_N_ROWS_MOVED = 1_000
_AS_NUMBERS = "Turn it into numbers, one 0/1 column for each category, if it should be used."
_AS_DAYS = "Turn it into numbers, such as days since the first one, if it should be used."
_AS_FEATURE = "Give it the role 'feature' to use its categories."
_CHOICES = (
    "fill the value in, leave the row out, or choose missing='fill' (the median or the most "
    "frequent category) or missing='drop_rows'."
)


@dataclass(eq=False)
class Features:
    """Features under given choices.

    Parameters
    ----------
    X : ndarray or CSR matrix of shape (n_rows, n_features)
        Encoded features; meaningful in the rows without an error. A matrix where there are sparse
        features and more than 25 million values.
    schema : Schema
        The columns they come from.
    """

    X: Any
    schema: Schema


def rows_with_missing(raw: RawTable, choices: Choices) -> BoolArray:
    """Tell which rows lack the value of a feature.

    Parameters
    ----------
    raw : RawTable
        The table.
    choices : Choices
        What its columns are.

    Returns
    -------
    ndarray of bool of shape (n_rows,)
        True where one is missing.
    """
    return np.asarray(raw.missing[:, choices.columns(raw, Role.FEATURE)].any(axis=1))


def read_features(
    raw: RawTable, choices: Choices, ledger: Ledger, *, training: BoolArray
) -> Features:
    """Read the columns that are features.

    Parameters
    ----------
    raw : RawTable
        A table with a frame.
    choices : Choices
        What its columns are, and what to do about missing values.
    ledger : Ledger
        Where findings go.
    training : ndarray of bool of shape (n_rows,)
        The rows from which values are filled in.

    Returns
    -------
    Features
        Numbers as they are, nominal columns as 0/1.
    """
    indices = choices.columns(raw, Role.FEATURE)
    if not indices and raw.sparse is None and set(raw.names) <= set(raw.declared_roles):
        hint = "No method can learn from them; they can be looked at and summed up."
        message = "these are rankings without features."
        ledger.issues.append(Finding("no-features", Severity.WARNING, message, hint))
    elif not indices and raw.sparse is None:
        ledger.block(
            "no-features",
            "no column is a feature.",
            "Give at least one column of numbers the role 'feature'.",
        )
    nominal = {j for j in indices if is_nominal(raw, j)}
    usable = [j for j in indices if not (j in nominal and _refused(raw, j, ledger))]
    columns = tuple(
        Column(raw.title(j), "nominal", categories_of(raw, j))
        if j in nominal
        else Column(raw.title(j))
        for j in usable
    )
    schema = Schema(columns)
    if raw.n_rows * schema.starts[-1] > MAX_ENCODED:
        ledger.block(
            "too-large",
            f"the features make {schema.starts[-1]} columns of numbers for {raw.n_rows} rows, "
            "more than can be kept.",
            "Leave out columns, or take a sample of the rows.",
        )
        return Features(np.empty((raw.n_rows, 0)), Schema(()))
    X = _numeric_part(raw, usable, schema)
    for j, column, start in zip(usable, columns, schema.starts, strict=False):
        block = X[:, start : start + column.n_encoded]
        if column.kind == "nominal":
            _read_nominal(raw, j, column, choices.missing, ledger, training, block)
        else:
            _read_numeric(raw, j, choices.missing, ledger, training, block[:, 0])
    _note_constant(raw, usable, schema, X, ledger)
    if raw.sparse is not None:
        return _with_sparse(raw.sparse, Features(X, schema), ledger)
    return Features(X, schema)


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
    # In parts that stay in the processor's cache, where columns become rows.
    for start in range(0, raw.n_rows, _N_ROWS_MOVED):
        rows = slice(start, start + _N_ROWS_MOVED)
        X[rows, places] = raw.numbers[rows][:, columns]
    return X


def _refused(raw: RawTable, column: int, ledger: Ledger) -> bool:
    reason = why_no_categories(raw, column)
    if reason:
        ledger.block(
            "text-feature",
            f"holds {reason}, which cannot be used as a feature.",
            f"Give it the role 'ignore'. {_AS_DAYS if 'dates' in reason else _AS_NUMBERS}",
            column=raw.names[column],
        )
    return bool(reason)


def _read_numeric(
    raw: RawTable, j: int, missing: Missing, ledger: Ledger, training: BoolArray, out: Any
) -> None:
    if raw.is_complete[j]:
        return
    numbers, lacking = raw.numbers[:, j], raw.missing[:, j]
    refuse_text(raw, j, ledger)
    ledger.refuse(
        np.isinf(numbers),
        code="not-finite",
        message=found(raw, j, "which is not a finite number."),
        hint="Correct the value, or leave the row out.",
        column=raw.names[j],
    )
    if not lacking.any():
        return
    known = numbers[np.isfinite(numbers) & training]
    if not _may_fill(raw, j, lacking, missing, len(known), ledger):
        return
    median = float(np.median(known))
    out[lacking] = median
    _note_filled(raw, j, lacking, f"the median, {median:g}", ledger)


def _read_nominal(
    raw: RawTable,
    j: int,
    column: Column,
    missing: Missing,
    ledger: Ledger,
    training: BoolArray,
    out: Any,
) -> None:
    codes, texts = pd.factorize(raw.cells(j))
    places = {category: place for place, category in enumerate(column.categories)}
    codes = np.array([places.get(text, places.get(text.strip(), -1)) for text in texts])[codes]
    lacking = raw.missing[:, j]
    known = codes[~lacking & training]
    if lacking.any() and _may_fill(raw, j, lacking, missing, len(known), ledger):
        most = int(np.bincount(known).argmax())
        codes[lacking] = most
        what = f"the most frequent category, '{shorten(column.categories[most])}'"
        _note_filled(raw, j, lacking, what, ledger)
    for offset, category in enumerate(column.marked):
        out[:, offset] = codes == column.categories.index(category)


def _may_fill(
    raw: RawTable, j: int, lacking: BoolArray, missing: Missing, n_known: int, ledger: Ledger
) -> bool:
    """Tell whether missing values are to be filled in, and can be; else they are errors."""
    if missing is Missing.FILL and n_known:
        return True
    ledger.refuse(
        lacking,
        code="missing-value",
        message=found(raw, j, "but a value is needed."),
        hint=f"The methods need every feature: {_CHOICES}",
        column=raw.names[j],
    )
    return False


def _note_filled(raw: RawTable, j: int, lacking: BoolArray, what: str, ledger: Ledger) -> None:
    ledger.note(
        lacking,
        code="filled-in",
        message=f"a missing value was filled in with {what}.",
        hint="It is a guess; leave the rows or the column out if it should not count.",
        column=raw.names[j],
    )


def _note_constant(
    raw: RawTable, usable: list[int], schema: Schema, X: Any, ledger: Ledger
) -> None:
    if raw.n_rows < 2:
        return
    same = (X[:1] == X[:1000]).all(axis=0)
    same[same] = (X[:1, same] == X[:, same]).all(axis=0)
    constant = [
        j
        for j, start, end in zip(usable, schema.starts, schema.starts[1:], strict=False)
        if same[start:end].all()
    ]
    message = "the same value in every row, so it cannot tell cases apart"
    note_columns(raw, constant, "constant-feature", message, "Leave it out.", ledger)


def _with_sparse(extra: SparseFeatures, own: Features, ledger: Ledger) -> Features:
    """Put the sparse features behind those of the table."""
    taken = {column.name for column in own.schema.columns}
    repeated = next((name for name in extra.names if name in taken), None)
    if repeated is not None:
        hint = "Give every feature a name of its own."
        ledger.block("duplicate-column", "a feature has this name too.", hint, column=repeated)
    wrong = np.zeros(len(ledger.lines), dtype=bool)
    places = np.flatnonzero(~np.isfinite(extra.matrix.data))
    wrong[np.searchsorted(extra.matrix.indptr, places, side="right") - 1] = True
    ledger.refuse(
        wrong,
        code="not-finite",
        message="a feature of this row has no finite number.",
        hint="Correct the value, or leave the row out.",
    )
    X = extra.matrix
    if own.X.shape[1]:
        X = sparse.hstack([sparse.csr_matrix(own.X), X], format="csr")
    X = X.toarray() if np.prod(X.shape) <= MAX_DENSE else X
    return Features(X, Schema((*own.schema.columns, *map(Column, extra.names))))


def note_left_out(raw: RawTable, choices: Choices, ledger: Ledger) -> None:
    """Name the columns that are not used although they hold something.

    Parameters
    ----------
    raw : RawTable
        The table.
    choices : Choices
        What its columns are.
    ledger : Ledger
        Where to note them.
    """
    unused = choices.columns(raw, Role.IGNORE)
    empty = [j for j in unused if not raw.n_given[j]]
    text = [j for j in unused if j not in empty and is_nominal(raw, j)]
    other = [j for j in unused if j not in empty and j not in text]
    reasons = {j: why_no_categories(raw, j) for j in text}
    for hint, what, columns in (
        (_AS_DAYS, "dates or times", [j for j in text if "dates" in reasons[j]]),
        (_AS_NUMBERS, "text", [j for j in text if reasons[j] and "dates" not in reasons[j]]),
        (_AS_FEATURE, "text", [j for j in text if not reasons[j]]),
    ):
        note_columns(raw, columns, "text-column", f"{what} and is not used", hint, ledger)
    for code, what, columns in (
        ("unused-column", "numbers and is not used", other),
        ("empty-column", "nothing and is not used", empty),
    ):
        note_columns(raw, columns, code, what, "", ledger, severity=Severity.INFO)


def note_columns(
    raw: RawTable,
    columns: list[int],
    code: str,
    what: str,
    hint: str,
    ledger: Ledger,
    *,
    severity: Severity = Severity.WARNING,
) -> None:
    """Note one finding about several columns, with their names.

    Parameters
    ----------
    raw : RawTable
        The table.
    columns : list of int
        Their indices; none: nothing is noted.
    code : str
        Kind of finding.
    what : str
        What they hold.
    hint : str
        What to do.
    ledger : Ledger
        Where to note it.
    severity : Severity
        How much it matters.
    """
    if not columns:
        return
    if len(columns) == 1:
        name = raw.names[columns[0]]
        ledger.issues.append(Finding(code, severity, f"holds {what}.", hint, column=name))
        return
    names = ", ".join(f"'{shorten(raw.names[j])}'" for j in columns[:5])
    more = f" and {len(columns) - 5} more" if len(columns) > 5 else ""
    message = f"{len(columns)} columns hold {what}: {names}{more}."
    ledger.issues.append(Finding(code, severity, message, hint, count=len(columns)))
