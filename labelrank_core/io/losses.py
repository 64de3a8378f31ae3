"""Findings about the parts of a data set that a format loses, or refuses."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import compress

import numpy as np
from scipy.sparse import issparse

from labelrank_core.data.dataset import Dataset, Task
from labelrank_core.data.findings import Finding, Severity, count_of, listed, shorten
from labelrank_core.data.ranking_words import natural_order, split_ordering
from labelrank_core.data.schema import Column
from labelrank_core.io.build.features import (
    are_identifiers,
    are_one_for_each,
    may_be_identifiers,
)
from labelrank_core.io.cells import MAX_COLUMNS, MAX_TEXT_CELLS, is_missing
from labelrank_core.io.formats.base import missing_package
from labelrank_core.io.vocabulary import say_train_and_test
from labelrank_core.rankings import FloatArray, calibrate

# Halves of a character, and the control characters apart from tabs and line breaks.
_HALVES = re.compile("[\ud800-\udfff]")
_ODD = re.compile("[\ud800-\udfff\0-\x08\x0b\x0c\x0e-\x1f\x7f]")


@dataclass(frozen=True)
class ExportLosses:
    """A data set, and findings about its losses in formats; errors refuse it."""

    dataset: Dataset

    def no_package(self, package: str) -> list[Finding]:
        """Refuse a format whose package is not installed."""
        return [] if find_spec(package) else [missing_package(package)]

    def no_rankings(self) -> list[Finding]:
        """Refuse targets that rank nothing; name the zero line where it is lost."""
        if self.dataset.task is Task.PAIR_PREFERENCES:
            message = "the format holds rankings, and pairs of labels are none."
            return _refused("no-ranking", message, "Choose CSV with rankings in words, or xarff.")
        if self.dataset.task is Task.MULTILABEL:
            return _refused("no-ranking", "the format holds rankings, and 0/1 labels rank nothing.")
        if self.dataset.task is Task.LABEL_RANKING:
            return []
        message = "the zero line: the file will not say which labels are relevant."
        return [_lost("zero-line", message)]

    def no_words(self) -> list[Finding]:
        """Refuse 0/1 targets, and label names that rankings or pairs in words cannot hold."""
        if self.dataset.task is not Task.PAIR_PREFERENCES:
            return [*self.no_rankings(), *self.in_words()]
        if not self.dataset.preferences.n_known.any():
            return _refused("no-ranking", "no pair of labels is known in any row.")
        problem = "has a '|', which stands between chains of labels"
        findings = self.refused_names(
            self.dataset.label_names, lambda name: "|" not in name, problem
        )
        return [*findings, *self.in_words()]

    def no_pairs(self) -> list[Finding]:
        """Refuse preferences between pairs, which columns of numbers do not hold."""
        if self.dataset.task is not Task.PAIR_PREFERENCES:
            return []
        message = "the format has a number for every label, and pairs of labels are none."
        return _refused("no-position", message, "Choose CSV with rankings in words, or xarff.")

    def no_relevance(self) -> list[Finding]:
        """Refuse targets without a zero line; count the rankings that are more than relevance."""
        if not self.dataset.task.has_zero_line:
            targets = "plain rankings" if self.dataset.task.has_rankings else "pairs of labels"
            message = f"the format says which labels are relevant; {targets} do not say that."
            return _refused("no-zero-line", message)
        if self.dataset.task is Task.MULTILABEL:
            return []
        changed = (calibrate(self.dataset.relevance) != self.dataset.Y).any(axis=1)
        n_lost = int(changed.sum())
        if not n_lost:
            message = "that labels have positions; which are relevant says the same here."
            return [_lost("order", message, severity=Severity.INFO)]
        rows = f"{n_lost} of {count_of(len(changed), 'row')}"
        message = f"the order of the labels in {rows}: only which are relevant will be said."
        return [_lost("order", message, n_lost)]

    def no_split(self) -> list[Finding]:
        """Name the split into training and test set where it is lost."""
        if self.dataset.split is None:
            return []
        return [_lost("split", "the split into training and test set.")]

    def row_order(self) -> list[Finding]:
        """Say that rows change their order where a training and a test file are written."""
        split = self.dataset.split
        if split is None or not (np.diff(split.astype(np.int8)) < 0).any():
            return []
        message = "the order of the rows: the training and the test set become a file each."
        return [_lost("row-order", message, severity=Severity.INFO)]

    def no_categories(self) -> list[Finding]:
        """Name the nominal columns where only numbers can be held."""
        names = [column.name for column in self.dataset.schema.columns if column.kind == "nominal"]
        if not names:
            return []
        message = f"that {_columns(names)} hold categories: they become columns of 0 and 1."
        return [_lost("categories", message, len(names))]

    def no_declared_categories(self) -> list[Finding]:
        """Name the nominal columns whose categories do not follow from the cells alone."""
        schema = self.dataset.schema
        reordered, unused = [], []
        for column, start in zip(schema.columns, schema.starts, strict=False):
            if column.kind != "nominal":
                continue
            if "" in column.categories:
                message = "a category without a name would be a missing value."
                return _refused("empty-category", message)
            marked = self._category_counts(column, start)
            if (marked == 0).any():
                unused.append(column.name)
            if list(column.categories) != sorted(column.categories, key=natural_order):
                reordered.append(column.name)
        return [
            _lost(code, f"{phrase} {_columns(names)}.", len(names))
            for names, code, phrase in (
                (reordered, "category-order", "the order of the categories of"),
                (unused, "unused-categories", "the categories that no row has of"),
            )
            if names
        ]

    def no_roles(self) -> list[Finding]:
        """Name the features that are not taken for features where the file does not say it."""
        names, schema, n_samples = [], self.dataset.schema, self.dataset.n_samples
        for column, start in zip(schema.columns, schema.starts, strict=False):
            if column.kind == "numeric":
                # Only these few are taken out of a matrix that may be large.
                doubtful = may_be_identifiers(column.name)
                doubtful = doubtful and are_identifiers(
                    column.name, self._encoded(column, start)[:, 0]
                )
            else:
                counts = self._category_counts(column, start)
                present = list(compress(column.categories, counts > 0))
                doubtful = say_train_and_test(present) or are_one_for_each(len(present), n_samples)
            names += [column.name] if doubtful else []
        if not names:
            return []
        message = (
            f"that {_columns(names)} hold features: they look like identifiers or a split, and "
            "need the role 'feature' when the file is read."
        )
        return [_lost("roles", message, len(names))]

    def _encoded(self, column: Column, start: int) -> FloatArray:
        """Return the encoded columns of a column of the schema."""
        encoded = self.dataset.X[:, start : start + column.n_encoded]
        return np.asarray(encoded.toarray() if issparse(encoded) else encoded)

    def _category_counts(self, column: Column, start: int) -> FloatArray:
        """Count the rows of each category of a nominal column."""
        marked = self._encoded(column, start).sum(axis=0)
        if len(column.categories) == 2:
            return np.array([self.dataset.n_samples - marked[0], marked[0]])
        return np.asarray(marked)

    def no_empty_rows(self) -> list[Finding]:
        """Count the rankings of no label that are empty lines where nothing stands beside them."""
        dataset = self.dataset
        has_more = dataset.schema.columns or dataset.split is not None
        if has_more or dataset.task in (Task.MULTILABEL, Task.CALIBRATED_RANKING):
            return []
        return self.no_empty_rankings()

    def no_empty_rankings(self) -> list[Finding]:
        """Count the rankings of no label; refuse data of fewer than two others."""
        # The same of signs and positions: nothing known.
        n_empty = int(np.isnan(self.dataset.Y).all(axis=1).sum())
        if self.dataset.n_samples - n_empty < 2:
            return _refused("no-ranking", "in fewer than two rows is any label ranked.")
        if not n_empty:
            return []
        message = f"{count_of(n_empty, 'row')} in which no label is ranked."
        return [_lost("empty-rankings", message, n_empty)]

    def too_large_to_read(self) -> list[Finding]:
        """Say that a table would be too much to read back."""
        n_rows, n_targets = self.dataset.Y.shape
        n_columns = len(self.dataset.schema.columns) + n_targets + (self.dataset.split is not None)
        if n_columns <= MAX_COLUMNS and n_rows * n_columns <= MAX_TEXT_CELLS:
            return []
        limit = f"{MAX_COLUMNS} columns and {MAX_TEXT_CELLS} cells of text"
        has = f"this one has {n_columns} columns and {n_rows} rows"
        message = f"reading it back: this program reads tables of at most {limit}; {has}."
        return [Finding("too-large-to-read", Severity.WARNING, message)]

    def refused_names(
        self,
        names: Iterable[str],
        fits: Callable[[str], bool],
        problem: str,
        *,
        noun: str = "label",
    ) -> list[Finding]:
        """Refuse the first name that a format cannot hold to the letter."""
        name = next((name for name in names if not fits(name)), None)
        if name is None:
            return []
        message = f"the {noun} name '{shorten(name)}' {problem}."
        return _refused("name", message, f"Rename the {noun}, or choose another format.")

    def all_names(self) -> list[str]:
        """Return the names of columns and labels, and categories."""
        columns = self.dataset.schema.columns
        categories = [name for column in columns for name in column.categories]
        return [*self.dataset.label_names, *(column.name for column in columns), *categories]

    def refused_spaces(self, names: Iterable[str], *, noun: str = "label") -> list[Finding]:
        """Refuse names whose spaces would not be read back, and empty ones."""
        problem = "is empty, or has a line break, a tab or spaces that readers leave out"
        return self.refused_names(
            names, lambda name: name != "" and name == " ".join(name.split()), problem, noun=noun
        )

    def odd_text(
        self, names: Iterable[str] | None = None, *, unicode_only: bool = False
    ) -> list[Finding]:
        """Refuse names, None: all, with control characters, which no text file can hold."""
        problem = "has a control character, or half of a character, which the file cannot hold"
        search = _HALVES.search if unicode_only else _ODD.search
        names = self.all_names() if names is None else names
        return self.refused_names(
            names, lambda name: not search(name), problem, noun="column, category or label"
        )

    def in_words(self) -> list[Finding]:
        """Refuse label names that rankings in words cannot hold."""
        cannot = "cannot stand in a ranking such as b>a=c"
        return self.refused_names(self.dataset.label_names, _fits_words, cannot)


def _refused(code: str, message: str, hint: str = "Choose another format.") -> list[Finding]:
    return [Finding(code, Severity.ERROR, message, hint)]


def _lost(
    code: str, message: str, count: int = 1, *, severity: Severity = Severity.WARNING
) -> Finding:
    return Finding(f"lost-{code}", severity, message, count=count)


def _columns(names: Sequence[str]) -> str:
    return f"{count_of(len(names), 'column')} ({listed(names)})"


def _fits_words(name: str) -> bool:
    try:
        return split_ordering(name) == [[name]] and not is_missing(name)
    except ValueError:
        return False
