"""The data set: frozen, validated, with read-only arrays and a fingerprint of its own."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from hashlib import blake2b
from html import escape
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from labelrank_core.data.bounds import require_moderate_features, require_sound_indices
from labelrank_core.data.card import card
from labelrank_core.data.findings import Finding
from labelrank_core.data.frames import as_pandas, encoded_frame, named_targets, sparse_frame
from labelrank_core.data.nouns import CASE_AND_LABEL, Nouns
from labelrank_core.data.pair_preferences import PairPreferences, preferences_of
from labelrank_core.data.ranking_words import ZERO_LINE
from labelrank_core.data.schema import Schema, numeric_schema
from labelrank_core.rankings import (
    FloatArray,
    IntArray,
    check_rankings,
    format_ranking,
    has_ties,
    join_names,
    label_buckets,
    label_positions,
    numeric_array,
    relevance_from_calibrated,
)

_N_ROWS_DIGESTED = 10_000
_NO_COLUMNS = Schema(())
_COLOR = re.compile("#[0-9a-fA-F]{6}")


class Task(StrEnum):
    """The kind of targets of a data set.

    ``LABEL_RANKING``: positions of the labels. ``MULTILABEL``: a 0/1 matrix.
    ``CALIBRATED_RANKING``: positions of the labels and, last, of the virtual label between the
    relevant and the irrelevant ones. ``PAIR_PREFERENCES``: signs of the pairs of labels, of which
    each case may know any: see `PairPreferences`.
    """

    LABEL_RANKING = "label_ranking"
    MULTILABEL = "multilabel"
    CALIBRATED_RANKING = "calibrated_ranking"
    PAIR_PREFERENCES = "pair_preferences"

    @classmethod
    def _missing_(cls, value: object) -> None:
        tasks = ", ".join(map(repr, map(str, cls)))
        raise ValueError(f"Expected a task ({tasks}), got {value!r}.")

    @property
    def has_zero_line(self) -> bool:
        """Whether targets separate relevant from irrelevant labels."""
        return self in (Task.MULTILABEL, Task.CALIBRATED_RANKING)

    @property
    def has_rankings(self) -> bool:
        """Whether targets are rankings of the labels, with or without a zero line."""
        return self in (Task.LABEL_RANKING, Task.CALIBRATED_RANKING)


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """Features and targets of the same cases, checked once and never changed; prints as a card.

    Parameters
    ----------
    X : array-like or CSR matrix of shape (n_samples, n_features)
        Numbers, finite and at most 1e70 in size, one of them at least 1e-70 unless all are 0.
    Y : array-like
        Targets of the kind that `task` says: positions of shape (n_samples, n_labels), a 0/1
        matrix of that shape, positions of shape (n_samples, n_labels + 1) with the virtual
        label last, or `PairPreferences` or their signs, of shape (n_samples, n_pairs).
    task : Task
        The kind of targets.
    feature_names, label_names : sequence of str
        Names, each list without duplicates.
    name : str
        What to call the data set.
    findings : sequence of Finding
        The findings from reading it.
    split : array-like of bool of shape (n_samples,) or None
        The published split, True = test row.
    schema : Schema
        The raw columns, which encode to as many features as `X` has; an empty schema: every
        feature is a numeric column.
    case_names : sequence of str or None
        What to call each row on a screen; nothing is learned from it. None: by its number.
    coordinates : array-like of shape (n_samples, 2) or None
        Longitude and latitude of each row in degrees, to draw a map; nothing is learned from them.
    label_colors : sequence of (str, str)
        A colour of each label on light and on dark ground, such as ``("#2b2b2b", "#b9c0ce")``;
        empty: they are drawn in those of a palette. Nothing is learned from them.
    nouns : Nouns
        What a row and a label are called in sentences.

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
    schema: Schema = _NO_COLUMNS
    case_names: Sequence[str] | None = None
    coordinates: FloatArray | None = None
    label_colors: Sequence[tuple[str, str]] = ()
    nouns: Nouns = CASE_AND_LABEL

    def __post_init__(self) -> None:
        task = Task(self.task)
        names = tuple(str(name) for name in self.feature_names)
        schema = self.schema if self.schema.columns else numeric_schema(names)
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
        values["label_colors"] = _checked_colors(self.label_colors, len(label_names))
        schema.check(values["X"])
        if values["X"].shape[0] != values["Y"].shape[0]:
            raise ValueError(
                f"Expected as many rows in X as in Y, got {values['X'].shape[0]} "
                f"and {values['Y'].shape[0]}."
            )
        if self.split is not None:
            values["split"] = _checked_split(self.split, len(values["Y"]))
        n_samples = len(values["Y"])
        if self.case_names is not None:
            values["case_names"] = tuple(str(name) for name in self.case_names)
            if len(values["case_names"]) != n_samples:
                raise ValueError(
                    f"Expected one name per row, got {len(values['case_names'])} for {n_samples}."
                )
        if self.coordinates is not None:
            values["coordinates"] = _checked_coordinates(self.coordinates, n_samples)
        for field, value in values.items():
            object.__setattr__(self, field, value)

    @classmethod
    def from_frame(
        cls,
        X: Any,
        Y: Any,
        *,
        task: Task | str | None = None,
        name: str = "data",
        split: ArrayLike | None = None,
    ) -> "Dataset":
        """Make a data set from frames, whose columns name its features and labels.

        Parameters
        ----------
        X : DataFrame of shape (n_samples, n_columns)
            Features, in a frame of any library. Numbers and booleans are numeric columns, text and
            categories nominal ones; if all columns are sparse, so are the features. An index that
            does not count from 0 has the names of the cases.
        Y : DataFrame of shape (n_samples, n_labels), sequence of str, or PairPreferences
            Targets of the same rows: a frame with a column per label, where NaN means 'not ranked'
            and a last column ``zero line`` is the virtual label, rankings in words, or preferences
            between pairs of labels with names, also in words such as ``a>b|c>d``.
        task : Task, str or None, default=None
            The kind of targets. None: calibrated rankings if there is a ``zero line``, a 0/1 matrix
            if there are no other numbers, pairs if Y is `PairPreferences`, else rankings. Pairs in
            words need ``"pair_preferences"``.
        name : str, default="data"
            What to call the data set.
        split : array-like of bool of shape (n_samples,) or None, default=None
            The published split, True = test row.

        Returns
        -------
        Dataset
            The data; `as_frame` returns equal frames.

        Raises
        ------
        ValueError
            If X is no frame or has missing cells, labels have no names, the indices of X and Y
            differ, or anything else does not fit.

        Examples
        --------
        >>> X = pd.DataFrame({"size": [1.5, 2.0], "hue": ["red", "blue"]})
        >>> data = Dataset.from_frame(X, ["b > a", "a > b"])
        >>> data.feature_names, data.label_names
        (('size', 'hue=red'), ('a', 'b'))
        """
        X, Y = as_pandas(X), as_pandas(Y)
        if not isinstance(X, pd.DataFrame):
            raise ValueError(f"Expected a frame as X, got {type(X).__name__}.")
        _require_same_index(X, Y)
        if task is not None and Task(task) is Task.PAIR_PREFERENCES:
            Y = preferences_of(Y)
        targets, names = named_targets(Y)
        if names is None:
            raise ValueError("Expected a frame with named columns, or rankings in words, as Y.")
        is_calibrated = names[-1] == ZERO_LINE
        if task is None:
            task = _task_of(targets, is_calibrated=is_calibrated)
        if Task(task) is Task.CALIBRATED_RANKING:
            names = names[:-1]
        features, schema, case_names = encoded_frame(X)
        return cls(
            X=features,
            Y=targets,
            task=Task(task),
            feature_names=schema.feature_names,
            label_names=names,
            name=name,
            split=None if split is None else np.asarray(split),
            schema=schema,
            case_names=case_names,
        )

    def as_frame(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Return the features and the targets as frames, which `from_frame` reads again.

        Returns
        -------
        X : DataFrame of shape (n_samples, n_columns)
            The raw columns: numbers, and categories for nominal ones; sparse columns if the
            features are sparse and numeric.
        Y : DataFrame of shape (n_samples, n_labels)
            The targets with a column per label, the virtual label as ``zero line``; of preferences
            between pairs one column of words, ``pairs``, without labels that no case compares. The
            index of both has the names of the cases.

        Examples
        --------
        >>> data = Dataset.from_frame(pd.DataFrame({"x": [0.5, 0.1]}), ["b > a", "a = b"])
        >>> data.as_frame()[1]
             a    b
        0  2.0  1.0
        1  1.0  1.0
        """
        if self.is_sparse and self.schema.is_numeric:
            X = sparse_frame(self.X, self.feature_names)
        else:
            X = self.feature_frame()
        virtual = [ZERO_LINE] if self.task is Task.CALIBRATED_RANKING else []
        if self.task is Task.PAIR_PREFERENCES:
            Y = pd.DataFrame({"pairs": self.preferences.to_words()}, dtype="str")
        else:
            Y = pd.DataFrame(self.Y.copy(), columns=[*self.label_names, *virtual])
        if self.task is Task.MULTILABEL:
            Y = Y.astype(np.int64)
        if self.case_names is not None:
            X, Y = (frame.set_axis(list(self.case_names), axis=0) for frame in (X, Y))
        return X, Y

    def __repr__(self) -> str:
        return "\n".join(f"{title}: {text}" for title, text in card(self))

    def _repr_html_(self) -> str:
        rows = (f"<tr><th>{escape(t)}</th><td>{escape(s)}</td></tr>" for t, s in card(self))
        return f"<table>{''.join(rows)}</table>"

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

    @cached_property
    def has_word_counts(self) -> bool:
        """Whether features may be counts of words: none below 0, and nine in ten values are 0."""
        values = self.X.data if self.is_sparse else self.X
        if not values.size or values.min() < 0:
            return False
        return bool(10 * np.count_nonzero(values) <= self.n_samples * self.n_features)

    @cached_property
    def mean_square(self) -> float:
        """The mean of the squared values of the features; 0 without features, at most 1e12."""
        values = np.minimum(np.abs(self.X.data if self.is_sparse else self.X), 1e6)
        n_values = self.n_samples * self.n_features
        return float(np.sum(values**2) / n_values) if n_values else 0.0

    def case(self, row: int) -> FloatArray:
        """Return the features of one row as a dense copy."""
        return self.X[[row]].toarray()[0] if self.is_sparse else self.X[row].copy()

    def part(self, rows: Any, *, rankings: ArrayLike | PairPreferences | None = None) -> "Dataset":
        """Return some rows as a data set of their own, without a split.

        `rankings`, positions of shape (n_rows, n_labels), or `PairPreferences`, replace the rows'
        own targets if given.
        """
        changed: dict[str, Any] = {"X": self.X[rows], "Y": self.Y[rows], "split": None}
        if self.case_names is not None:
            changed["case_names"] = np.array(self.case_names, dtype=object)[rows]
        if self.coordinates is not None:
            changed["coordinates"] = self.coordinates[rows]
        if rankings is not None:
            are_pairs = isinstance(rankings, PairPreferences)
            task = Task.PAIR_PREFERENCES if are_pairs else Task.LABEL_RANKING
            changed |= {"Y": rankings, "task": task}
        return replace(self, findings=(), **changed)

    def feature_frame(self, rows: Any = slice(None)) -> pd.DataFrame:
        """Show the features of some rows in the user's own columns and units."""
        return self.schema.frame(self.X[rows])

    def targets_in_words(self, rows: Any = slice(None)) -> list[str]:
        """Write targets as rankings, such as ``b > a = c``, as relevant labels, or as pairs."""
        if self.task is Task.PAIR_PREFERENCES:
            return self.preferences[np.arange(self.n_samples)[rows]].in_words()
        if self.task is Task.MULTILABEL:
            return [
                join_names((self.label_names[int(label)] for label in np.flatnonzero(row)), ", ")
                for row in self.Y[rows]
            ]
        names = [*self.label_names, ZERO_LINE]
        return [format_ranking(row, names) for row in self.Y[rows]]

    @cached_property
    def rankings(self) -> FloatArray:
        """Positions of the labels alone; raises for 0/1 targets and pairs, which rank nothing."""
        if self.task is Task.MULTILABEL:
            raise ValueError("0/1 targets hold no ranking of the labels.")
        if self.task is Task.PAIR_PREFERENCES:
            raise ValueError("Preferences between pairs of labels hold no ranking of all labels.")
        return label_positions(self.Y) if self.task is Task.CALIBRATED_RANKING else self.Y

    @cached_property
    def preferences(self) -> PairPreferences:
        """The preferences between pairs of labels; raises for 0/1 targets, which have none."""
        if self.task is not Task.PAIR_PREFERENCES:
            return PairPreferences.from_rankings(self.rankings, self.label_names)
        return PairPreferences(self.Y, self.label_names)

    @property
    def orders(self) -> FloatArray | PairPreferences:
        """The targets that order labels: the rankings, or preferences between pairs."""
        is_pairs = self.task is Task.PAIR_PREFERENCES
        return self.preferences if is_pairs else self.rankings

    @cached_property
    def has_ties(self) -> bool:
        """Whether a ranking or a known pair ties two labels; 0/1 targets rank nothing."""
        if self.task is Task.MULTILABEL:
            return False
        if self.task is Task.PAIR_PREFERENCES:
            return bool((self.Y == 0).any())
        return has_ties(self.rankings)

    @cached_property
    def relevance(self) -> IntArray:
        """The 0/1 matrix of relevant labels; raises for plain rankings, which have no zero line."""
        if self.task is Task.PAIR_PREFERENCES:
            raise ValueError("Preferences between pairs do not say which labels are relevant.")
        if self.task is Task.LABEL_RANKING:
            raise ValueError("Plain rankings do not say which labels are relevant.")
        if self.task is Task.CALIBRATED_RANKING:
            return relevance_from_calibrated(self.Y)
        return self.Y.astype(np.int64)

    def label_buckets(self, row: int) -> list[list[int]]:
        """Group the labels that are ranked in a row by position, best first.

        Of 0/1 targets, which tie nothing, each relevant label stands alone; preferences between
        pairs rank no label.
        """
        if self.task is Task.PAIR_PREFERENCES:
            return []
        if self.task is Task.MULTILABEL:
            return [[int(label)] for label in np.flatnonzero(self.relevance[row])]
        return label_buckets(self.rankings[row])

    @cached_property
    def first_labels(self) -> IntArray:
        """The label that alone comes first in each row; -1 where none or several do.

        Shape (n_samples,). 0/1 targets and pairs rank nothing, so all are -1.
        """
        if not self.task.has_rankings:
            return np.full(self.n_samples, -1)
        is_first = self.rankings == 1
        return np.where(is_first.sum(axis=1) == 1, np.argmax(is_first, axis=1), -1)

    def zero_line_targets(self, rows: Any = slice(None)) -> NDArray[Any]:
        """Return a 0/1 matrix or calibrated rankings, for methods that predict a zero line."""
        targets = self.Y[rows]
        # Positions that are all 1 would be read as a 0/1 matrix in which every label is relevant;
        # a tie with the zero line means that none is.
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


def _require_same_index(X: pd.DataFrame, Y: Any) -> None:
    """Refuse frames whose rows are named, but not alike."""
    if not isinstance(Y, (pd.DataFrame, pd.Series)) or X.index.equals(Y.index):
        return
    if not any(frame.index.equals(pd.RangeIndex(len(frame))) for frame in (X, Y)):
        raise ValueError("Expected the same index in X and Y; `Y.loc[X.index]` brings it in order.")


def _task_of(targets: Any, *, is_calibrated: bool) -> Task:
    if isinstance(targets, PairPreferences):
        return Task.PAIR_PREFERENCES
    is_binary = np.isin(targets, (0, 1)).all()
    ranked = Task.MULTILABEL if is_binary else Task.LABEL_RANKING
    return Task.CALIBRATED_RANKING if is_calibrated else ranked


def _buffers(X: Any) -> list[NDArray[Any]]:
    """List the arrays that hold X, the one with the values first."""
    return [X.data, X.indices, X.indptr] if sparse.issparse(X) else [X]


def _checked_features(X: Any, names: tuple[str, ...]) -> Any:
    require_sound_indices(X)
    if sparse.issparse(X):
        X = sparse.csr_matrix(X, dtype=np.float64, copy=True)
    elif not _needs_no_copy(X):
        X = np.array(numeric_array(X, "X"), dtype=np.float64, order="C")
    if X.ndim != 2 or X.shape[1] != len(names):
        raise ValueError(f"Expected X with {len(names)} named columns, got shape {X.shape}.")
    parts = _buffers(X)
    if not _are_finite(parts[0]):
        raise ValueError("Expected finite numbers in X, got NaN or infinity.")
    require_moderate_features(X)
    _refuse_repeats(names, "feature")
    for part in parts:
        part.setflags(write=False)
    return X


def _are_finite(values: FloatArray) -> bool:
    if values.ndim == 2:
        # A sum is finite only if all of its terms are; it may be infinite though they are.
        with np.errstate(over="ignore", invalid="ignore"):
            if np.isfinite(values @ np.ones(values.shape[1])).all():
                return True
    return bool(np.isfinite(values).all())


def _needs_no_copy(X: Any) -> bool:
    """Tell whether an array has the right form and is read-only, down to its memory."""
    if not isinstance(X, np.ndarray) or X.dtype != np.float64 or X.ndim != 2:
        return False
    owner = X
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    return (
        X.strides[1] == X.itemsize
        and not X.flags.writeable
        and not owner.flags.writeable
        and (owner.base is None or _is_read_only(owner.base))
    )


def _is_read_only(memory: Any) -> bool:
    """Tell whether the memory of an array, such as bytes, cannot be written to."""
    try:
        return memoryview(memory).readonly
    except TypeError:
        return False


def _checked_targets(Y: ArrayLike, task: Task, label_names: tuple[str, ...]) -> FloatArray:
    if task is Task.MULTILABEL:
        values = np.array(numeric_array(Y, "Y"), dtype=np.float64, order="C")
        if values.ndim != 2 or not np.isin(values, (0.0, 1.0)).all():
            raise ValueError("Expected a matrix of 0 and 1 in Y.")
    elif task is Task.PAIR_PREFERENCES:
        if isinstance(Y, PairPreferences):
            preferences = Y
        else:
            preferences = PairPreferences(np.array(Y, dtype=np.float64))
        if preferences.label_names is not None:
            preferences = preferences.with_labels(label_names)
        values = preferences.signs.copy()
    else:
        values = check_rankings(Y, allow_partial=task is Task.LABEL_RANKING)
    if len(label_names) < 2:
        raise ValueError(f"Expected at least two labels, got {len(label_names)}.")
    expected = len(label_names) + (task is Task.CALIBRATED_RANKING)
    if task is Task.PAIR_PREFERENCES:
        expected = len(label_names) * (len(label_names) - 1) // 2
    if values.shape[1] != expected:
        raise ValueError(f"Expected {expected} columns in Y, got {values.shape[1]}.")
    _refuse_repeats(label_names, "label")
    values.setflags(write=False)
    return values


def _checked_colors(
    colors: Sequence[tuple[str, str]], n_labels: int
) -> tuple[tuple[str, str], ...]:
    if len(colors) not in (0, n_labels):
        raise ValueError(f"Expected two colours per label, got {len(colors)} for {n_labels}.")
    for light, dark in colors:
        wrong = next((c for c in (light, dark) if not _COLOR.fullmatch(c)), None)
        if wrong is not None:
            raise ValueError(f"Expected colours such as '#2b2b2b' in label_colors, got {wrong!r}.")
    return tuple((light, dark) for light, dark in colors)


def _checked_coordinates(coordinates: ArrayLike, n_samples: int) -> FloatArray:
    values = np.array(coordinates, dtype=np.float64)
    if values.shape != (n_samples, 2) or not np.isfinite(values).all():
        raise ValueError(
            f"Expected a finite longitude and latitude per row, got shape {values.shape}."
        )
    values.setflags(write=False)
    return values


def _checked_split(split: ArrayLike, n_samples: int) -> NDArray[np.bool_]:
    mask = np.array(split, dtype=bool)
    if mask.shape != (n_samples,) or mask.all() or not mask.any():
        raise ValueError("Expected one boolean per row in split, with both parts present.")
    mask.setflags(write=False)
    return mask


def _refuse_repeats(names: tuple[str, ...], noun: str) -> None:
    if len(set(names)) != len(names):
        repeated = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"Expected every {noun} name once, got {repeated!r} more than once.")
