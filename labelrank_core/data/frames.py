"""Frames of any library as pandas has them, and targets with the names of their labels."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from labelrank_core.data.findings import listed
from labelrank_core.data.pair_preferences import PairPreferences
from labelrank_core.data.ranking_words import natural_order, positions_of_words
from labelrank_core.data.schema import Column, Schema, numeric_schema
from labelrank_core.rankings import numeric_array

_PLAIN = (np.ndarray, list, tuple, str, bytes, pd.DataFrame, pd.Series, pd.Index)


def as_pandas(values: Any) -> Any:
    """Return a frame or series of another library in pandas; anything else as it is.

    Parameters
    ----------
    values : object
        Polars, PyArrow, Narwhals and others have Arrow's ``__arrow_c_stream__`` or
        ``__arrow_c_array__``, for which PyArrow must be installed; older ones have
        ``__dataframe__``.

    Returns
    -------
    object
        A DataFrame, a Series, or the same object.

    Raises
    ------
    ImportError
        If PyArrow is needed and not installed.
    TypeError
        If the values are those of a lazy frame, which has none yet.

    Examples
    --------
    >>> import pyarrow
    >>> as_pandas(pyarrow.table({"size": [1.5, None]}))["size"].tolist()
    [1.5, nan]
    """
    if isinstance(values, _PLAIN) or values is None or sparse.issparse(values):
        return values
    if hasattr(values, "__arrow_c_stream__") or hasattr(values, "__arrow_c_array__"):
        try:
            return pd.DataFrame.from_arrow(values)
        except (TypeError, ValueError):
            return pd.Series.from_arrow(values)
    if hasattr(values, "__dataframe__"):
        return pd.api.interchange.from_dataframe(values)
    if hasattr(values, "collect") and hasattr(values, "collect_schema"):
        raise TypeError(
            f"Expected a frame, got {type(values).__name__}. Its method collect() makes it one."
        )
    return values


def as_matrix(values: Any) -> Any:
    """Return a table from which rows can be taken.

    Parameters
    ----------
    values : object
        Lists, or anything with a shape, such as an array, a sparse matrix or a frame.

    Returns
    -------
    object
        An array for lists; anything else as it is.
    """
    return values if hasattr(values, "shape") else np.asarray(values)


def named_case(x: Any) -> Any:
    """Return one case as a frame if it has names of columns.

    Parameters
    ----------
    x : object
        As for `as_pandas`; a Series and a dictionary have a value for every name of a column, in
        which None and NA are missing.

    Returns
    -------
    object
        A DataFrame, or anything else as it is.

    Examples
    --------
    >>> named_case({"size": 1.5, "hue": "red"})
       size  hue
    0   1.5  red
    """
    x = as_pandas(x)
    if isinstance(x, Mapping):
        x = pd.Series(x, dtype=object)
    if isinstance(x, pd.Series):
        # A column of the one cell NA or None would be an object that is no number.
        return x.where(x.notna(), np.nan).to_frame().T.infer_objects()
    return x


def named_targets(
    Y: Any, label_names: Sequence[str] | None = None
) -> tuple[Any, tuple[str, ...] | None]:
    """Separate targets from the names of their labels.

    Parameters
    ----------
    Y : array-like, sparse matrix, frame, sequence of str or PairPreferences
        A frame of any library has a column per label; its names count if all are text. A sequence,
        a series or a single column of text holds rankings in words, as for `parse_rankings`.
    label_names : sequence of str or None, default=None
        The labels of a fitted model: words may name no others, and the columns of a frame are
        brought into this order; a last column of another name is that of the virtual label.

    Returns
    -------
    values : array-like or sparse matrix
        An array for frames and words, NaN where a cell is missing; anything else as it is.
    names : tuple of str or None
        The names of the columns; None: they have none.

    Raises
    ------
    ValueError
        If a name occurs twice, cells hold no numbers, words are no rankings, or the labels are not
        those in `label_names`.

    Examples
    --------
    >>> values, names = named_targets(["b > a", "a > b"])
    >>> values.tolist(), names
    ([[2.0, 1.0], [1.0, 2.0]], ('a', 'b'))
    """
    if isinstance(Y, PairPreferences):
        if label_names is not None and Y.label_names is not None:
            Y = Y.with_labels(label_names)
        return Y, None if Y.label_names is None else tuple(Y.label_names)
    Y = as_pandas(Y)
    if isinstance(Y, pd.DataFrame) and Y.shape[1] == 1 and _holds_text(Y.iloc[:, 0]):
        Y = Y.iloc[:, 0]
    if isinstance(Y, pd.DataFrame):
        names = tuple(Y.columns)
        if not all(isinstance(name, str) for name in names):
            return numeric_array(Y, "Y"), None
        if len(set(names)) < len(names):
            repeated = next(name for name in names if names.count(name) > 1)
            raise ValueError(f"Expected every label name once in Y, got {repeated!r} more often.")
        if label_names is not None and names != tuple(label_names):
            Y = Y[_in_order(names, label_names)]
            names = tuple(Y.columns)
        return numeric_array(Y, "Y"), names
    if isinstance(Y, np.ndarray) and Y.ndim == 2 and Y.shape[1] == 1 and _holds_text(Y[:, 0]):
        Y = Y[:, 0]
    if _holds_text(Y):
        fixed_names = None if label_names is None else tuple(label_names)
        return positions_of_words(list(Y), fixed_names)
    return Y, None


def sparse_frame(X: Any, names: Sequence[str]) -> pd.DataFrame:
    """Return a CSR matrix as a frame of sparse columns, which hold 0 elsewhere.

    Parameters
    ----------
    X : CSR matrix of shape (n_samples, n_columns)
        Numbers.
    names : sequence of str
        The names of the columns.

    Returns
    -------
    DataFrame
        With the same numbers.
    """
    # `DataFrame.sparse.from_spmatrix` of pandas 3.0 takes what is not stored for missing.
    columns = X.tocsc()
    arrays = [pd.arrays.SparseArray.from_spmatrix(columns[:, [j]]) for j in range(X.shape[1])]
    return pd.DataFrame(dict(enumerate(arrays)), index=range(X.shape[0])).set_axis(names, axis=1)


def encoded_frame(X: Any) -> tuple[Any, Schema, tuple[str, ...] | None]:
    """Encode a frame of features, as `Dataset.from_frame` describes.

    Parameters
    ----------
    X : DataFrame
        Of pandas; names of columns are texts.

    Returns
    -------
    X : ndarray or CSR matrix of shape (n_samples, n_features)
        The encoded features; sparse if all columns are.
    schema : Schema
        The columns.
    case_names : tuple of str or None
        The index, unless it counts from 0.

    Raises
    ------
    ValueError
        If a cell is missing, or a column holds neither numbers nor text.
    """
    is_counted = isinstance(X.index, pd.RangeIndex) and X.index.equals(pd.RangeIndex(len(X)))
    case_names = None if is_counted else tuple(map(str, X.index))
    if X.shape[1] and all(isinstance(kind, pd.SparseDtype) for kind in X.dtypes):
        values = X.sparse.to_coo().tocsr().astype(np.float64)
        return values, numeric_schema([str(name) for name in X.columns]), case_names
    columns = []
    for j, name in enumerate(map(str, X.columns)):
        values = X.iloc[:, j]
        if (missing := values.isna()).any():
            raise ValueError(
                f"Expected a value in every cell of X, got none in column {name!r}, row "
                f"{int(np.argmax(missing))}. Fill it in, or use `read_dataset` with missing='fill'."
            )
        columns.append(_column(name, values))
    schema = Schema(tuple(columns))
    renamed = X.set_axis([column.name for column in columns], axis=1)
    nominal = {column.name: str for column in columns if column.kind == "nominal"}
    return schema.encode(renamed.astype(nominal)), schema, case_names


def _column(name: str, values: pd.Series) -> Column:
    kind = values.dtype
    if isinstance(kind, pd.CategoricalDtype):
        return Column(name, "nominal", tuple(map(str, kind.categories)))
    if pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_complex_dtype(kind):
        return Column(name)
    texts = set(values)
    if not all(isinstance(text, str) for text in texts):
        raise ValueError(f"Expected numbers or text in column {name!r} of X, got {kind}.")
    return Column(name, "nominal", tuple(sorted(texts, key=natural_order)))


def _in_order(names: tuple[str, ...], label_names: Sequence[str]) -> list[str]:
    """Return the names of a frame's columns in the order of the labels, the virtual label last."""
    ordered = [str(name) for name in label_names]
    extra = [name for name in names if name not in ordered]
    is_calibrated = len(extra) == 1 and names[-1] == extra[0]
    if len(names) - len(extra) != len(ordered) or (extra and not is_calibrated):
        raise ValueError(
            f"Expected the labels {listed(ordered)} as columns of Y, got {listed(list(names))}."
        )
    return [*ordered, *extra]


def _holds_text(Y: Any) -> bool:
    """Tell whether targets are a sequence in which texts stand."""
    if isinstance(Y, np.ndarray):
        return Y.ndim == 1 and Y.dtype.kind in "OUT" and any(isinstance(cell, str) for cell in Y)
    if isinstance(Y, (pd.Series, pd.Index)):
        is_text = isinstance(Y.dtype, (pd.StringDtype, pd.CategoricalDtype)) or Y.dtype == object
        return is_text and any(isinstance(cell, str) for cell in Y)
    return isinstance(Y, (list, tuple)) and any(isinstance(cell, str) for cell in Y)
