"""A table as a format's reader returns it: plain cells, and the format's declarations.

Readers run in a program of their own that has to start fast: nothing here, in `formats` or in what
they import at the top needs more than numpy.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from labelrank_core.data.findings import DatasetError, Finding, Severity, at_lines, too_large
from labelrank_core.io.vocabulary import Role, TargetForm

if TYPE_CHECKING:
    import pandas as pd
    from scipy.sparse import csr_matrix

# What programs write where there is no value. Only numbers and positions are looked up here:
# the names of columns and of labels are taken as they stand.
MISSING_WORDS = frozenset(
    ("", "?", "na", "n/a", "#n/a", "nan", "-nan", "null", "none", "<na>", "missing")
)
MAX_LINES = 5_000_000
MAX_COLUMNS = 20_000
# Of text, each cell is an object of its own for a while; of numbers it is eight bytes.
MAX_TEXT_CELLS, MAX_CELLS, MAX_NUMBERS = 20_000_000, 50_000_000, 100_000_000
MAX_LABELS = 5_000
# Files of such a size may have as many cells as there are at all.
_LARGE = 1_000_000_000

# The format of a data frame.
FRAME = "data frame"
# A call of a library that looks at more cells of text lets no other thread run for too long.
CELLS_AT_ONCE = 50_000
# So many rows of some columns stay in the processor's cache while columns become rows.
ROWS_AT_ONCE = 4096


@dataclass(frozen=True, eq=False)
class Coded:
    """A column of categories that a format declares; codes are indices of them, -1 for none."""

    codes: NDArray[Any]
    categories: Sequence[str]

    def __len__(self) -> int:
        return len(self.codes)


@dataclass(frozen=True, eq=False, slots=True)
class Texts:
    """A column of text: a part of an array of pandas, which many short columns share."""

    shared: "pd.api.extensions.ExtensionArray"
    start: int
    stop: int

    def __len__(self) -> int:
        return self.stop - self.start

    def __getitem__(self, rows: Any) -> Any:
        return self.array[rows]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.array, dtype=dtype or object, copy=copy)

    @property
    def array(self) -> "pd.api.extensions.ExtensionArray":
        """The cells of the column alone, not copied."""
        return self.shared[self.start : self.stop]


# Numbers (NaN = missing), text as in the file (blank = nothing there), or categories.
# The program that reads hands text over as lists, the program that asked for it keeps arrays.
Column = NDArray[Any] | list[str] | Coded | Texts


@dataclass(frozen=True, eq=False)
class SparseCells:
    """Features of which most values are 0, as a CSR matrix in its three arrays.

    `is_open`: the file declares neither features nor labels; those it does not name are 0 there.
    """

    names: tuple[str, ...]
    values: NDArray[Any]
    indices: NDArray[Any]
    starts: NDArray[Any]
    is_open: bool = False

    @cached_property
    def matrix(self) -> "csr_matrix":
        """The matrix itself; programs that only read do not need SciPy."""
        from scipy import sparse

        shape = (len(self.starts) - 1, len(self.names))
        return sparse.csr_matrix((self.values, self.indices, self.starts), shape=shape)

    def subset(self, rows: NDArray[np.bool_]) -> "SparseCells":
        """Return some of the rows."""
        selected = self.matrix[rows]
        return replace(self, values=selected.data, indices=selected.indices, starts=selected.indptr)

    def with_features(self, names: Sequence[str]) -> "SparseCells":
        """Return the same rows with more features, which are 0, in another order."""
        index_of = {name: j for j, name in enumerate(names)}
        new_indices = np.array([index_of[name] for name in self.names], dtype=np.int32)
        return replace(self, names=tuple(names), indices=new_indices[self.indices])


@dataclass(frozen=True, eq=False)
class Cells:
    """The result of a reader.

    Without columns there is no table. `lines` says where each row begins in the file; `ragged` and
    `ragged_lines` are about rows that cannot be read. `roles`, `form`, `labels` (the order of those
    ranked in words) and `titles` (of columns whose names say more) are what the format declares;
    `nominal` columns hold categories even where these look like numbers; `doubt` says why a user
    must confirm the roles. `encoding` is Python's name for that of delimited text, whose cells
    are all text. `split`, `files` and `ragged_files` are of two files that became one table.
    `n_bytes` is the size of the files: how much they may grow to follows it.
    """

    name: str
    columns: Mapping[str, Column] | None = None
    lines: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    format: str = ""
    findings: Sequence[Finding] = ()
    ragged: Sequence[Finding] = ()
    ragged_lines: Sequence[int] = ()
    encoding: str = ""
    roles: Mapping[str, Role] = field(default_factory=dict)
    form: TargetForm | None = None
    labels: Sequence[str] = ()
    titles: Mapping[str, str] = field(default_factory=dict)
    nominal: Sequence[str] = ()
    doubt: str = ""
    sparse: SparseCells | None = None
    split: NDArray[np.bool_] | None = None
    files: Sequence[str] = ()
    ragged_files: Sequence[str] = ()
    n_bytes: int = _LARGE


class BadRows:
    """Rows that a reader cannot read: their lines and findings, equal ones as one finding."""

    def __init__(self) -> None:
        self.lines: set[int] = set()
        self._wrong: dict[Finding, tuple[str, list[int]]] = {}

    def add(
        self, code: str, lines: Sequence[int], message: str, hint: str, column: str | None = None
    ) -> None:
        """Note an error in some lines; the message is about the first."""
        kind = Finding(code, Severity.ERROR, "", hint, column=column)
        self._wrong.setdefault(kind, (message, []))[1].extend(lines)
        self.lines.update(lines)

    @property
    def findings(self) -> list[Finding]:
        """The errors, of one code, hint and column each."""
        return [
            at_lines(replace(kind, message=message), sorted(set(lines)))
            for kind, (message, lines) in self._wrong.items()
            if lines
        ]


def check_cells(n_cells: int, max_cells: int) -> None:
    """Refuse a table with too many cells."""
    if n_cells > max_cells:
        raise DatasetError([too_large(f"the table has more than {max_cells} cells.")])


def side_by_side(columns: Sequence[Any], n_rows: int) -> NDArray[np.float64]:
    """Return columns of numbers as a read-only matrix; no copy where they are one already."""
    shape = (n_rows, len(columns))
    base = columns[0].base if columns else None
    if base is not None and base.size == n_rows * len(columns) and base.flags.c_contiguous:
        base.setflags(write=False)
        values = base.reshape(shape)
        if all(a.ctypes.data == b.ctypes.data for a, b in zip(columns, values.T, strict=True)):
            return values
    values = np.empty(shape)
    for start in range(0, n_rows if columns else 0, ROWS_AT_ONCE):
        part = slice(start, start + ROWS_AT_ONCE)
        np.stack([column[part] for column in columns], axis=1, out=values[part])
    values.setflags(write=False)
    return values


def row_blocks(n_rows: int) -> Iterator[slice]:
    """Yield slices of so many rows that a call that looks at them lets other threads run."""
    for start in range(0, n_rows, CELLS_AT_ONCE):
        yield slice(start, start + CELLS_AT_ONCE)


def release(objects: NDArray[Any]) -> None:
    """Drop the objects of an array in blocks: to free millions at once lets no other thread run."""
    for rows in row_blocks(len(objects)):
        objects[rows] = None


def columns_at_once(n_rows: int) -> int:
    """Return the number of columns of so many rows that a call may look at together."""
    return max(1, CELLS_AT_ONCE // max(1, n_rows))


def text_column(texts: Sequence[str]) -> Texts:
    """Return a column of text, made in blocks that let other threads run."""
    array = join_texts([texts[rows] for rows in row_blocks(len(texts))])
    return Texts(array, 0, len(array))


def join_texts(blocks: Iterable[Sequence[str]]) -> "pd.api.extensions.ExtensionArray":
    """Return blocks of text, which are used one after the other, as pandas keeps text."""
    import pandas as pd  # slow to import, and not needed where files are read

    arrays = [pd.Series(block, dtype="str") for block in blocks]
    return pd.concat(arrays).array if arrays else pd.array([], dtype="str")


def is_missing(cell: str) -> bool:
    """Tell whether a cell is blank or holds a word for 'no value'."""
    return cell.strip().lower() in MISSING_WORDS


def written(value: Any) -> str:
    """Write a number, a truth value or text: a number as short as it can be, NaN as a blank."""
    if value is None or value != value:
        return ""
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return str(value)


def as_text(column: Column) -> list[str]:
    """Return the cells of a column as text; those that hold the same category share theirs."""
    if isinstance(column, Coded):
        categories = [*column.categories, ""]
        return [categories[code] for code in column.codes.tolist()]
    if isinstance(column, list):
        return column
    values = column.array if isinstance(column, Texts) else column
    return [written(value) for value in values.tolist()]
