"""Data sets of every kind with odd names, and what is left of them after a format's losses."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import strategies as st
from scipy import sparse

from labelrank_core import Dataset, Task
from labelrank_core.data import Column, Schema
from labelrank_core.data.findings import Severity
from labelrank_core.data.ranking_words import natural_order
from labelrank_core.io import format_losses
from labelrank_core.rankings import dense_positions

NASTY = (
    'say "x"', "a,b", "a;b", "a\tb", "two\nlines", "a\r\nb", "{braces}", "}", "größe", "日本", "🙂",
    "=1+1", "+1", "-x", "@sum", "\t=x", "\r", "'=x", "''=1", "'quoted'", " lead", "trail ", "a  b",
    "NA", "?", "none", "", "0", "1.5", "-3", "1,5", "12", "a>b", "a=b", "a|b", "≻", "%", "# x",
    "&lt;", "<script>alert(1)</script>", "<html", '{"a', "@relation", "PAR1", "PK", "sep=;", "\\",
    "\\n", "feature:x", "nominal:y", "label_position:z", "split:part", "train", "test", "id",
    "_x0041_", "2024-01-01", "－x", "x", "y", "a", "b", "L1", "L2",
    "\u202ecba", "\u200fx", "\u2067y\u2069", "\u200b", "אב", "=HYPERLINK(1)", "A1", "ranking",
)  # fmt: skip
PLAIN = tuple("abcdefgh")
COLOURS = ("blue", "green", "red")

texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=6)
nasty = st.sampled_from(NASTY) | texts
plain = st.sampled_from(PLAIN)
# Of sizes that a data set takes even if all others are 0.
sizes = st.floats(1e-70, 1e70)
numbers = sizes | sizes.map(lambda size: -size) | st.integers(-3, 3).map(float)


def lists(elements, low, high):
    return st.lists(elements, min_size=low, max_size=high, unique=True)


@st.composite
def datasets(draw, tasks=tuple(Task), names=None):
    """Small data sets; `names` says how columns, labels and categories are called."""
    name = draw(st.sampled_from((plain, nasty))) if names is None else names
    n_rows, task = draw(st.integers(2, 7)), draw(st.sampled_from(tasks))
    labels = draw(lists(name, 2, 4))
    columns = tuple(
        Column(title, "nominal", tuple(draw(lists(name, 1, 4))))
        if draw(st.integers(0, 3)) == 0
        else Column(title)
        for title in draw(st.just([]) | lists(name, 1, 4))
    )
    schema = Schema(columns)
    split = np.array(draw(st.lists(st.booleans(), min_size=n_rows, max_size=n_rows)))
    X = np.zeros((n_rows, schema.starts[-1]))
    for column, start in zip(columns, schema.starts, strict=False):
        for i in range(n_rows):
            if column.kind == "numeric":
                X[i, start] = draw(numbers)
                continue
            chosen = draw(st.sampled_from(column.categories))
            if chosen in column.marked:
                X[i, start + column.marked.index(chosen)] = 1
    width = len(labels) + (task is Task.CALIBRATED_RANKING)
    keys = np.array(
        draw(st.lists(st.lists(st.integers(0, width), min_size=width, max_size=width),
                      min_size=n_rows, max_size=n_rows)), dtype=float
    )  # fmt: skip
    if task is Task.MULTILABEL:
        Y = (keys > width // 2).astype(float)
    elif task is Task.PAIR_PREFERENCES:
        n_pairs = width * (width - 1) // 2
        sign = st.sampled_from([-1.0, 0.0, 1.0, np.nan])
        rows = st.lists(sign, min_size=n_pairs, max_size=n_pairs)
        Y = np.array(draw(st.lists(rows, min_size=n_rows, max_size=n_rows)))
    else:
        if task is Task.LABEL_RANKING and draw(st.booleans()):
            keys[keys == 0] = np.nan
        Y = dense_positions(keys)
    return Dataset(
        X=sparse.csr_matrix(X) if schema.is_numeric and draw(st.booleans()) else X,
        Y=Y,
        task=task,
        feature_names=schema.feature_names,
        label_names=labels,
        name="some data",
        split=split if 0 < split.sum() < n_rows and draw(st.booleans()) else None,
        schema=schema,
    )


def tiny(**changes):
    values = {
        "X": [[0.5, 0], [0.1 + 0.2, 1], [-0.0, 0]],
        "Y": [[1, 2, np.nan], [1, 1, 2], [np.nan, np.nan, np.nan]],
        "task": Task.LABEL_RANKING,
        "feature_names": ["size", "x"],
        "label_names": ["a", "b", "c"],
        "name": "tiny",
    }
    return Dataset(**{**values, **changes})


def colours(categories, codes, name="colour"):
    schema = Schema((Column("size"), Column(name, "nominal", tuple(categories))))
    frame = pd.DataFrame({"size": range(len(codes)), name: [categories[code] for code in codes]})
    return tiny(
        X=schema.encode(frame), feature_names=schema.feature_names, schema=schema,
        Y=[[1, 2, 3]] * (len(codes) - 1) + [[2, 1, 3]],
    )  # fmt: skip


def writable_formats(data):
    """The formats that can hold a data set, with what each would lose."""
    return [
        (form, issues)
        for form, issues in format_losses(data)
        if all(issue.severity is not Severity.ERROR for issue in issues)
    ]


def losses_of(data, key):
    return next(issues for form, issues in format_losses(data) if form.key == key)


@dataclass
class Content:
    """What a data set says, however it is kept."""

    X: Any
    Y: Any
    task: Task
    label_names: tuple[str, ...]
    feature_names: tuple[str, ...]
    schema: Schema
    split: Any

    def __eq__(self, other):
        same = (np.array_equal(getattr(self, part), getattr(other, part), equal_nan=True)
                for part in ("X", "Y"))  # fmt: skip
        splits = (None if one.split is None else one.split.tolist() for one in (self, other))
        rest = ("task", "label_names", "feature_names", "schema")
        return (
            all(same)
            and len(set(map(repr, splits))) == 1
            and all(getattr(self, part) == getattr(other, part) for part in rest)
        )


def in_any_order(said):
    """The same with its rankings sorted, for formats that count them."""
    order = np.lexsort(np.nan_to_num(said.Y).T) if len(said.Y) else []
    said.Y = said.Y[order]
    return said


def content(data):
    X = data.X.toarray() if sparse.issparse(data.X) else np.array(data.X)
    names = (data.label_names, data.feature_names)
    return Content(X, np.array(data.Y), data.task, *names, data.schema, data.split)


def without(data, losses):
    """The content of a data set after the losses that findings state, and no others."""
    left = content(data)
    codes = {issue.code for issue in losses}
    effects = {
        "lost-zero-line": _no_zero_line,
        "lost-order": _no_order,
        "lost-split": _no_split,
        "lost-categories": _numbers_only,
        "lost-category-order": _categories_as_seen,
        "lost-unused-categories": _categories_as_seen,
        "lost-binary-categories": _binary_as_numbers,
        "lost-row-order": _train_first,
        "lost-roles": None,
        "lost-features": _no_features,
        "lost-empty-rankings": _ranked_rows,
        "counted-rankings": _counted,
        "lost-column-order": _categories_first,
    }
    for code, effect in effects.items():
        if code in codes and effect is not None:
            effect(data, left)
    assert codes <= effects.keys()
    return left


def _no_zero_line(data, left):
    left.Y, left.task = data.rankings, Task.LABEL_RANKING


def _no_order(data, left):
    left.Y, left.task = data.relevance, Task.MULTILABEL


def _no_split(_, left):
    left.split = None


def _train_first(_, left):
    if left.split is not None:
        order = np.argsort(left.split, kind="stable")
        left.X, left.Y, left.split = left.X[order], left.Y[order], left.split[order]


def _counted(_, left):
    """Equal rows together, the most frequent first."""
    rows = list(map(str, left.Y.tolist()))
    order = sorted(range(len(rows)), key=lambda i: (-rows.count(rows[i]), rows.index(rows[i])))
    left.X, left.Y = left.X[order], left.Y[order]


def _numbers_only(_, left):
    left.schema = Schema(tuple(map(Column, left.feature_names)))


def _categories_as_seen(data, left):
    frame = data.feature_frame()
    columns = []
    for j, column in enumerate(data.schema.columns):
        seen = sorted(set(frame.iloc[:, j]), key=natural_order) if column.categories else ()
        columns.append(Column(column.name, column.kind, tuple(seen)))
    _encode(left, columns, frame)


def _binary_as_numbers(data, left):
    frame = data.feature_frame()
    columns = []
    for j, column in enumerate(data.schema.columns):
        if column.categories and set(column.categories) <= {"0", "1"}:
            frame.isetitem(j, frame.iloc[:, j].astype(float))
            column = Column(column.name)
        columns.append(column)
    _encode(left, columns, frame)


def _categories_first(data, left):
    columns = sorted(left.schema.columns, key=lambda column: not column.categories)
    _encode(left, columns, data.feature_frame())


def _encode(left, columns, frame):
    left.schema = Schema(tuple(columns))
    left.X, left.feature_names = left.schema.encode(frame), left.schema.feature_names


def _no_features(_, left):
    left.X, left.schema, left.feature_names = np.empty((len(left.Y), 0)), Schema(()), ()


def _ranked_rows(_, left):
    left.Y = left.Y[np.isfinite(left.Y).any(axis=1)]
    left.X = left.X[: len(left.Y)]
