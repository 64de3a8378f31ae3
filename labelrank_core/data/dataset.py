"""The data set: frozen, validated, with read-only arrays and a fingerprint of its own."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from hashlib import blake2b
from itertools import accumulate
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from labelrank_core.data.findings import Finding
from labelrank_core.rankings import (
    FloatArray,
    IntArray,
    check_rankings,
    format_ranking,
    label_positions,
    relevance_from_calibrated,
)

_N_ROWS_DIGESTED = 10_000


class Task(StrEnum):
    """What the targets of a data set are.

    ``LABEL_RANKING``: positions of the labels. ``MULTILABEL``: a 0/1 matrix.
    ``CALIBRATED_RANKING``: positions of the labels and, last, of the virtual label between the
    relevant and the irrelevant ones.
    """

    LABEL_RANKING = "label_ranking"
    MULTILABEL = "multilabel"
    CALIBRATED_RANKING = "calibrated_ranking"

    @property
    def has_zero_line(self) -> bool:
        """Whether targets separate relevant from irrelevant labels."""
        return self is not Task.LABEL_RANKING


@dataclass(frozen=True)
class Column:
    """One feature column as the user's file has it.

    Parameters
    ----------
    name : str
        The name in the file.
    kind : {"numeric", "nominal"}, default="numeric"
        Whether it holds numbers or one of some categories.
    categories : tuple of str
        The categories of a nominal column, at least one.
    """

    name: str
    kind: Literal["numeric", "nominal"] = "numeric"
    categories: tuple[str, ...] = ()

    @property
    def marked(self) -> tuple[str, ...]:
        """The categories that have an encoded feature of their own; of two only the second."""
        return self.categories[1:] if len(self.categories) == 2 else self.categories

    @property
    def n_encoded(self) -> int:
        """How many encoded features stand for the column."""
        return len(self.marked) if self.kind == "nominal" else 1


@dataclass(frozen=True)
class Schema:
    """The raw feature columns, in which what-if editing and exports speak.

    A nominal column is encoded as one 0/1 feature for each category, called ``colour=red``; one
    with two categories as a single one, which marks the second.

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
        """The names of the encoded features, each different."""
        taken: set[str] = set()
        names = []
        for column in self.columns:
            numeric = column.kind == "numeric"
            for name in [column.name] if numeric else [f"{column.name}={c}" for c in column.marked]:
                while name in taken:
                    name += "'"
                taken.add(name)
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
        """Turn raw columns into features.

        Parameters
        ----------
        frame : DataFrame
            The columns by their names, in any order; others are not looked at.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
            Encoded features.

        Raises
        ------
        ValueError
            If a value of a nominal column is none of its categories.
        """
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
        """Show encoded features in the user's own columns and units.

        Parameters
        ----------
        X : array-like or CSR matrix of shape (n_samples, n_features)
            Encoded features.

        Returns
        -------
        DataFrame
            One column a raw column; nominal ones hold their categories.
        """
        values = X.toarray() if sparse.issparse(X) else np.asarray(X)
        names = [column.name for column in self.columns]
        if self.is_numeric:
            return pd.DataFrame(values, columns=names)
        parts = [
            _decoded(values[:, start : start + column.n_encoded], column)
            for column, start in zip(self.columns, self.starts, strict=False)
        ]
        return pd.concat(parts, axis=1)


def _decoded(values: FloatArray, column: Column) -> pd.Series:
    if column.kind == "numeric":
        return pd.Series(values[:, 0], name=column.name)
    single = len(column.categories) == 2
    codes = (values[:, 0] > 0.5).astype(int) if single else values.argmax(axis=1)
    return pd.Series(pd.Categorical.from_codes(codes, column.categories), name=column.name)


@dataclass(frozen=True, eq=False)
class Dataset:
    """Features and targets that belong together, checked once and never changed.

    Parameters
    ----------
    X : array-like or CSR matrix of shape (n_samples, n_features)
        Numbers, finite.
    Y : array-like
        Targets as `task` says: positions of shape (n_samples, n_labels), a 0/1 matrix of that
        shape, or positions of shape (n_samples, n_labels + 1) with the virtual label last.
    task : Task
        What the targets are.
    feature_names, label_names : sequence of str
        Names, each list without repeats.
    name : str
        What to call the data set.
    findings : sequence of Finding
        What was noticed while reading it.
    split : array-like of bool of shape (n_samples,) or None
        The published split, True = test part.
    schema : Schema
        Raw columns, which encode to as many features as `X` has; if it has none, every feature is
        a numeric column.

    Raises
    ------
    ValueError
        If shapes, names or values do not fit together.

    Examples
    --------
    >>> data = Dataset(X=[[0.0], [1.0]], Y=[[1, 2], [2, 1]], task=Task.LABEL_RANKING,
    ...                feature_names=["x"], label_names=["a", "b"], name="tiny")
    >>> data.n_samples, data.n_features, data.n_labels
    (2, 1, 2)
    """

    X: Any
    Y: FloatArray
    task: Task
    feature_names: Sequence[str]
    label_names: Sequence[str]
    name: str
    findings: Sequence[Finding] = ()
    split: NDArray[np.bool_] | None = None
    schema: Schema = Schema(())

    def __post_init__(self) -> None:
        task = Task(self.task)
        names = tuple(str(name) for name in self.feature_names)
        schema = self.schema
        if not schema.columns:
            schema = Schema(tuple(Column(name) for name in names))
        label_names = tuple(str(name) for name in self.label_names)
        values = {
            "X": _checked_features(self.X, names),
            "Y": _checked_targets(self.Y, task, label_names),
            "task": task,
            "feature_names": names,
            "label_names": label_names,
            "findings": tuple(self.findings),
            "schema": schema,
        }
        _check_schema(schema, values["X"])
        if values["X"].shape[0] != values["Y"].shape[0]:
            raise ValueError(
                f"Expected as many rows in X as in Y, got {values['X'].shape[0]} "
                f"and {values['Y'].shape[0]}."
            )
        if self.split is not None:
            values["split"] = _checked_split(self.split, len(values["Y"]))
        for field, value in values.items():
            object.__setattr__(self, field, value)

    @property
    def n_samples(self) -> int:
        """Number of rows."""
        return int(self.Y.shape[0])

    @property
    def n_features(self) -> int:
        """Number of encoded features."""
        return int(self.X.shape[1])

    @property
    def n_labels(self) -> int:
        """Number of labels, the virtual label not counted."""
        return len(self.label_names)

    @property
    def is_sparse(self) -> bool:
        """Whether the features are a sparse matrix."""
        return sparse.issparse(self.X)

    def case(self, row: int) -> FloatArray:
        """Return the features of one row.

        Parameters
        ----------
        row : int
            Which row, from 0.

        Returns
        -------
        ndarray of shape (n_features,)
            A dense copy.
        """
        return self.X[[row]].toarray()[0] if self.is_sparse else self.X[row].copy()

    def part(self, rows: Any, *, rankings: ArrayLike | None = None) -> "Dataset":
        """Return some rows as a data set of their own, without a split.

        Parameters
        ----------
        rows : index of rows
            Which rows, from 0, at least one.
        rankings : array-like of shape (n_rows, n_labels) or None
            Positions that take the place of the targets; None: the rows' own targets.

        Returns
        -------
        Dataset
            A copy.
        """
        changed: dict[str, Any] = {"X": self.X[rows], "Y": self.Y[rows], "split": None}
        if rankings is not None:
            changed |= {"Y": rankings, "task": Task.LABEL_RANKING}
        return replace(self, findings=(), **changed)

    def feature_frame(self, rows: Any = slice(None)) -> pd.DataFrame:
        """Show features in the user's own columns and units.

        Parameters
        ----------
        rows : index of rows, default=all
            Which rows, from 0.

        Returns
        -------
        DataFrame
            One column a raw column, numbered from 0.
        """
        return self.schema.frame(self.X[rows])

    def targets_in_words(self, rows: Any = slice(None)) -> list[str]:
        """Write targets as rankings, such as ``b > a = c``, or as lists of relevant labels.

        Parameters
        ----------
        rows : index of rows, default=all
            Which rows, from 0.

        Returns
        -------
        list of str
            One text a row.
        """
        if self.task is Task.MULTILABEL:
            return [
                ", ".join(self.label_names[int(label)] for label in np.flatnonzero(row))
                for row in self.Y[rows]
            ]
        names = [*self.label_names, "zero line"]
        return [format_ranking(row, names) for row in self.Y[rows]]

    @cached_property
    def rankings(self) -> FloatArray:
        """Positions of the labels alone; raises for 0/1 targets, which rank nothing."""
        if self.task is Task.MULTILABEL:
            raise ValueError("0/1 targets hold no ranking of the labels.")
        return label_positions(self.Y) if self.task is Task.CALIBRATED_RANKING else self.Y

    @cached_property
    def relevance(self) -> IntArray:
        """The 0/1 matrix of relevant labels; raises for plain rankings, which have no zero line."""
        if self.task is Task.LABEL_RANKING:
            raise ValueError("Plain rankings do not say which labels are relevant.")
        if self.task is Task.CALIBRATED_RANKING:
            return relevance_from_calibrated(self.Y)
        return self.Y.astype(np.int64)

    def zero_line_targets(self, rows: Any = slice(None)) -> NDArray[Any]:
        """Return targets as methods that predict a zero line learn from them.

        Parameters
        ----------
        rows : index of rows, default=all
            Which rows, from 0.

        Returns
        -------
        ndarray
            A 0/1 matrix, or calibrated rankings. Positions that are all 1, where every label ties
            with the zero line in every row, would be read as a 0/1 matrix: what they mean is
            returned, one in which no label is relevant.
        """
        targets = self.Y[rows]
        if self.task is Task.CALIBRATED_RANKING and (targets == 1).all():
            return np.zeros((len(targets), self.n_labels))
        return targets

    @cached_property
    def fingerprint(self) -> str:
        """Digest of everything that can change a result: values, columns, names, task, split."""
        digest = blake2b(digest_size=16)
        parts = [*_buffers(self.X), self.Y]
        parts += [] if self.split is None else [self.split]
        header = [self.task, self.name, self.feature_names, self.label_names, self.X.shape]
        header += [self.schema]
        digest.update(repr([*header, *((part.dtype.str, part.shape) for part in parts)]).encode())
        for part in parts:
            for start in range(0, len(part), _N_ROWS_DIGESTED):
                digest.update(np.ravel(part[start : start + _N_ROWS_DIGESTED]).data)
        return digest.hexdigest()


def _buffers(X: Any) -> list[NDArray[Any]]:
    """List the arrays that hold X, the one with the values first."""
    return [X.data, X.indices, X.indptr] if sparse.issparse(X) else [X]


def _checked_features(X: Any, names: tuple[str, ...]) -> Any:
    if sparse.issparse(X):
        X = sparse.csr_matrix(X, dtype=np.float64, copy=True)
    elif not _is_settled(X):
        X = np.array(X, dtype=np.float64, order="C")
    if X.ndim != 2 or X.shape[1] != len(names):
        raise ValueError(f"Expected X with {len(names)} named columns, got shape {X.shape}.")
    parts = _buffers(X)
    if not _are_finite(parts[0]):
        raise ValueError("Expected finite numbers in X, got NaN or infinity.")
    _refuse_repeats(names, "feature")
    for part in parts:
        part.setflags(write=False)
    return X


def _are_finite(values: FloatArray) -> bool:
    """Tell whether all numbers are finite."""
    if values.ndim == 2:
        # A sum is finite only if all of its terms are; it may be infinite though they are.
        with np.errstate(over="ignore", invalid="ignore"):
            if np.isfinite(values @ np.ones(values.shape[1])).all():
                return True
    return bool(np.isfinite(values).all())


def _is_settled(X: Any) -> bool:
    """Tell whether an array is as it should be and nobody can change it: then it is not copied."""
    if not isinstance(X, np.ndarray) or X.dtype != np.float64 or X.ndim != 2:
        return False
    owner = X if X.base is None else X.base
    return (
        X.strides[1] == X.itemsize
        and not X.flags.writeable
        and isinstance(owner, np.ndarray)
        and not owner.flags.writeable
        and (owner.base is None or _is_read_only(owner.base))
    )


def _is_read_only(memory: Any) -> bool:
    """Tell whether what holds an array's numbers cannot be written to, such as bytes."""
    try:
        return memoryview(memory).readonly
    except TypeError:
        return False


def _check_schema(schema: Schema, X: Any) -> None:
    if schema.starts[-1] != X.shape[1]:
        raise ValueError(
            f"Expected a schema that encodes to {X.shape[1]} features, got {schema.starts[-1]}."
        )
    for column, start in zip(schema.columns, schema.starts, strict=False):
        if column.kind == "numeric":
            continue
        block = X[:, start : start + column.n_encoded]
        block = block.toarray() if sparse.issparse(block) else block
        single = len(column.categories) == 2
        if not np.isin(block, (0, 1)).all() or not (single or (block.sum(axis=1) == 1).all()):
            raise ValueError(f"Expected 0 and 1, one category a row, for {column.name!r} in X.")


def _checked_targets(Y: ArrayLike, task: Task, label_names: tuple[str, ...]) -> FloatArray:
    if task is Task.MULTILABEL:
        values = np.array(Y, dtype=np.float64, order="C")
        if values.ndim != 2 or not np.isin(values, (0.0, 1.0)).all():
            raise ValueError("Expected a matrix of 0 and 1 in Y.")
    else:
        values = check_rankings(Y, allow_partial=task is Task.LABEL_RANKING)
    if len(label_names) < 2:
        raise ValueError(f"Expected at least two labels, got {len(label_names)}.")
    expected = len(label_names) + (task is Task.CALIBRATED_RANKING)
    if values.shape[1] != expected:
        raise ValueError(f"Expected {expected} columns in Y, got {values.shape[1]}.")
    _refuse_repeats(label_names, "label")
    values.setflags(write=False)
    return values


def _checked_split(split: ArrayLike, n_samples: int) -> NDArray[np.bool_]:
    mask = np.array(split, dtype=bool)
    if mask.shape != (n_samples,) or mask.all() or not mask.any():
        raise ValueError("Expected one truth value a row in split, with both parts present.")
    mask.setflags(write=False)
    return mask


def _refuse_repeats(names: tuple[str, ...], what: str) -> None:
    if len(set(names)) != len(names):
        repeated = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"Expected every {what} name once, got {repeated!r} more than once.")
