"""The columns that a user's file has, and the encoded features that methods learn from."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import copysign
from typing import Any, Literal

import numpy as np
import pandas as pd
from scipy import sparse

from labelrank_core.rankings import FloatArray, IntArray


@dataclass(frozen=True)
class Column:
    """One feature column as the user's file has it.

    Parameters
    ----------
    name : str
        The name in the file.
    kind : {"numeric", "nominal"}, default="numeric"
        Whether it holds numbers or one of several categories.
    categories : tuple of str
        The categories of a nominal column, at least one.
    """

    name: str
    kind: Literal["numeric", "nominal"] = "numeric"
    categories: tuple[str, ...] = ()

    @property
    def marked(self) -> tuple[str, ...]:
        """The categories with an encoded feature of their own: all, or the second of two."""
        return self.categories[1:] if len(self.categories) == 2 else self.categories

    @property
    def n_encoded(self) -> int:
        """The number of encoded features of the column."""
        return len(self.marked) if self.kind == "nominal" else 1


@dataclass(frozen=True)
class Schema:
    """The raw feature columns, as the user's file has them.

    A nominal column is encoded as one 0/1 feature for each category, called ``colour=red``; one
    with two categories as a single feature, which marks the second.

    Parameters
    ----------
    columns : tuple of Column
        One for each raw column, in the file's order.

    Examples
    --------
    >>> schema = Schema((Column("size"), Column("colour", "nominal", ("blue", "green", "red"))))
    >>> schema.feature_names
    ('size', 'colour=blue', 'colour=green', 'colour=red')
    >>> X = schema.encode(pd.DataFrame({"size": [7.5], "colour": ["red"]}))
    >>> X.tolist(), schema.frame(X)["colour"].tolist()
    ([[7.5, 0.0, 0.0, 1.0]], ['red'])
    """

    columns: tuple[Column, ...]

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The first encoded feature of each column, and at the end the number of features."""
        return (0, *accumulate(column.n_encoded for column in self.columns))

    @cached_property
    def feature_names(self) -> tuple[str, ...]:
        """The names of the encoded features, all different."""
        used_names: set[str] = set()
        names = []
        for column in self.columns:
            numeric = column.kind == "numeric"
            for name in [column.name] if numeric else [f"{column.name}={c}" for c in column.marked]:
                while name in used_names:
                    name += "'"
                used_names.add(name)
                names.append(name)
        return tuple(names)

    @cached_property
    def column_of_feature(self) -> IntArray:
        """The index of the column that each encoded feature belongs to."""
        return np.repeat(np.arange(len(self.columns)), np.diff(self.starts))

    @property
    def is_numeric(self) -> bool:
        """Whether all columns are numeric, so that they are the features."""
        return all(column.kind == "numeric" for column in self.columns)

    def encode(self, frame: pd.DataFrame) -> FloatArray:
        """Encode raw columns, found by name; a category that is not known is an error."""
        X = np.zeros((len(frame), self.starts[-1]))
        for column, start in zip(self.columns, self.starts, strict=False):
            values = frame[column.name]
            if column.kind == "numeric":
                X[:, start] = values
                continue
            codes = pd.Index(column.categories).get_indexer(pd.Index(values).astype(object))
            if (codes < 0).any():
                row = int(np.argmax(codes < 0))
                raise ValueError(
                    f"Expected one of {list(column.categories)} in {column.name!r}, got "
                    f"{values.iloc[row]!r} in row {row}."
                )
            for offset, category in enumerate(column.marked):
                X[:, start + offset] = codes == column.categories.index(category)
        return X

    def frame(self, X: Any) -> pd.DataFrame:
        """Show encoded features, an array or a CSR matrix, in the user's own columns and units."""
        values = X.toarray() if sparse.issparse(X) else np.asarray(X)
        names = [column.name for column in self.columns]
        if self.is_numeric:
            return pd.DataFrame(values, columns=names)
        parts = [
            _decoded(values[:, start : start + column.n_encoded], column)
            for column, start in zip(self.columns, self.starts, strict=False)
        ]
        return pd.concat(parts, axis=1)

    def check(self, X: Any) -> None:
        """Raise a ValueError unless features could have been encoded by this schema."""
        if self.starts[-1] != X.shape[1]:
            raise ValueError(
                f"Expected a schema that encodes to {X.shape[1]} features, got {self.starts[-1]}."
            )
        for column, start in zip(self.columns, self.starts, strict=False):
            if column.kind == "numeric":
                continue
            block = X[:, start : start + column.n_encoded]
            block = block.toarray() if sparse.issparse(block) else block
            single = len(column.categories) == 2
            if not np.isin(block, (0, 1)).all() or not (single or (block.sum(axis=1) == 1).all()):
                raise ValueError(
                    f"Expected 0 and 1, one category per row, for {column.name!r} in X."
                )


def number_text(value: float) -> str:
    """Write a number with four digits, and a larger whole part with all of its digits.

    >>> number_text(24137.25), number_text(0.123456), number_text(3e20)
    ('24,137', '0.1235', '3e+20')
    """
    return f"{value:,.0f}" if 1e3 <= abs(value) < 1e15 else f"{value:.4g}"


def decimal_text(value: float, *, signed: bool = False) -> str:
    """Write a number with two decimals, one half of the last rounded up, and no negative zero.

    >>> decimal_text(1.625), decimal_text(-0.001), decimal_text(0.5, signed=True)
    ('1.63', '0.00', '+0.50')
    """
    # As by hand: errors of arithmetic make a half neither more nor less.
    return f"{value + copysign(1e-9, value):{'+' if signed else ''}z.2f}"


def add_up_as_written(parts: Iterable[float], total: float) -> bool:
    """Tell whether numbers with two decimals add up to their sum with two decimals.

    >>> add_up_as_written([0.25, 0.5], 0.75), add_up_as_written([0.333, 0.333], 0.666)
    (True, False)
    """
    written = sum(round(float(decimal_text(part)) * 100) for part in parts)
    return written == round(float(decimal_text(total)) * 100)


def _decoded(values: FloatArray, column: Column) -> pd.Series:
    if column.kind == "numeric":
        return pd.Series(values[:, 0], name=column.name)
    single = len(column.categories) == 2
    codes = (values[:, 0] > 0.5).astype(int) if single else values.argmax(axis=1)
    return pd.Series(pd.Categorical.from_codes(codes, column.categories), name=column.name)


def numeric_schema(names: Sequence[str]) -> Schema:
    """Return the schema of features that are all numeric columns."""
    return Schema(tuple(Column(name) for name in names))
