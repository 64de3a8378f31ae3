"""A table read under given choices: features, targets, split, and every finding about them."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from labelrank_core.data import Schema, Task
from labelrank_core.data.findings import Finding, Severity, count_of, shorten
from labelrank_core.io.build.features import note_left_out, read_features
from labelrank_core.io.build.ledger import Ledger
from labelrank_core.io.build.rows import read_label_columns
from labelrank_core.io.build.strings import note_rare_labels, parse_orderings
from labelrank_core.io.infer.lists import parse_lists
from labelrank_core.io.infer.proposal import Choices
from labelrank_core.io.table import BoolArray, RawTable
from labelrank_core.io.vocabulary import TEST_WORDS, TRAIN_WORDS, Role, TargetForm
from labelrank_core.rankings import FloatArray

_WORDS = {
    Role.RANKING: TargetForm.ORDERING_STRINGS,
    Role.LABEL_LIST: TargetForm.LABEL_LISTS,
}


_A_FEW_ROWS = 1000


@dataclass(eq=False)
class Reading:
    """A table under given choices.

    Parameters
    ----------
    ledger : Ledger
        Findings and which rows have an error.
    X, Y : ndarray, X CSR matrix where the table has many sparse features
        Features and targets; meaningful where nothing is an error.
    task : Task
        What the targets are.
    schema : Schema
        The columns that are features.
    label_names : tuple of str
        The labels' names.
    split : ndarray of bool or None
        True = test part.
    """

    ledger: Ledger
    X: Any = field(default_factory=lambda: np.empty((0, 0)))
    Y: FloatArray = field(default_factory=lambda: np.empty((0, 0)))
    task: Task = Task.LABEL_RANKING
    schema: Schema = field(default_factory=lambda: Schema(()))
    label_names: tuple[str, ...] = ()
    split: BoolArray | None = None


def read_table(raw: RawTable, choices: Choices) -> Reading:
    """Read a table under given choices.

    Parameters
    ----------
    raw : RawTable
        A table with a frame.
    choices : Choices
        What its columns are.

    Returns
    -------
    Reading
        The arrays and the findings, not to be changed: the last ones of a table are kept, so that
        what was inspected need not be read again.
    """
    kept = raw.last_reading
    if kept is not None and kept[0] == choices:
        return kept[1]
    reading = Reading(Ledger(raw.lines, raw.row_files))
    if raw.n_rows < 2:
        reading.ledger.block(
            "one-row", f"found {count_of(raw.n_rows, 'row')} of data.", "At least two are needed."
        )
    _read_split(raw, choices, reading)
    test = reading.split
    training = np.ones(raw.n_rows, dtype=bool) if test is None else ~test
    features = read_features(raw, choices, reading.ledger, training=training)
    reading.X, reading.schema = features.X, features.schema
    note_left_out(raw, choices, reading.ledger)
    _read_targets(raw, choices, reading)
    raw.__dict__["last_reading"] = (choices, reading)
    return reading


def _read_targets(raw: RawTable, choices: Choices, reading: Reading) -> None:
    labels, rankings, lists, zero = (
        choices.columns(raw, role)
        for role in (Role.LABEL, Role.RANKING, Role.LABEL_LIST, Role.ZERO)
    )
    ledger, form = reading.ledger, choices.target_form
    if len(rankings) + len(lists) + bool(labels) > 1:
        ledger.block(
            "too-many-targets",
            "targets are given more than once: "
            f"{count_of(len(rankings), 'column')} of rankings in words, "
            f"{count_of(len(lists), 'column')} of lists and "
            f"{count_of(len(labels), 'label column')}.",
            "Choose one column with the role 'ranking' or 'label_list', or columns with the role "
            "'label'.",
        )
    elif len(zero) > 1 or (zero and (rankings or lists or form is not TargetForm.POSITIONS)):
        ledger.block(
            "zero-column",
            f"found {count_of(len(zero), 'zero column')}, with targets that are "
            f"{(form or TargetForm.POSITIONS).replace('_', ' ')}.",
            "One zero column goes with label columns that hold positions.",
        )
    elif rankings:
        _read_words(raw, rankings[0], Role.RANKING, form, reading)
    elif lists:
        _read_words(raw, lists[0], Role.LABEL_LIST, form, reading)
    elif len(labels) < 2:
        ledger.block(
            "one-label" if labels else "no-labels",
            f"found {count_of(len(labels), 'label column')}; there must be at least two.",
            "Give the role 'label' to every column that holds a label's position or 0/1, or the "
            "role 'ranking' to a column of rankings such as b>a>c, or 'label_list' to one of "
            "lists such as a;c.",
            column=raw.names[labels[0]] if labels else None,
        )
    elif form in _WORDS.values():
        role = next(role for role, words in _WORDS.items() if words is form)
        ledger.block(
            "target-form",
            f"{form} need one column with the role '{role}'.",
            "Choose positions, orders or relevance for label columns.",
        )
    else:
        reading.task, reading.label_names, reading.Y = read_label_columns(
            raw, labels, zero, choices, ledger
        )
    _note_targets(raw, reading)


def _read_words(
    raw: RawTable, column: int, role: Role, form: TargetForm | None, reading: Reading
) -> None:
    """Read a column of rankings or of lists of labels."""
    ledger, name = reading.ledger, raw.names[column]
    own = _WORDS[role]
    if form not in (None, own):
        ledger.block(
            "target-form",
            f"a column with the role '{role}' cannot hold {form}.",
            f"Choose {own}.",
            column=name,
        )
        return
    if role is Role.LABEL_LIST:
        lists = parse_lists(raw.cells(column), ledger, name)
        reading.task = Task.MULTILABEL
        reading.label_names, reading.Y = lists.label_names, lists.relevance
    else:
        parsed = parse_orderings(raw.cells(column), ledger, name, raw.declared_labels)
        if not raw.declared_labels:
            note_rare_labels(parsed, ledger, name)
        reading.label_names, reading.Y = parsed.label_names, parsed.values
    if len(reading.label_names) < 2 and not ledger.blocking:
        ledger.block(
            "one-label",
            f"found {count_of(len(reading.label_names), 'label')}; there must be at least two.",
            "Write rankings such as b>a>c." if role is Role.RANKING else "Write lists such as a;c.",
            column=name,
        )


def _note_targets(raw: RawTable, reading: Reading) -> None:
    """Note what is unusual about targets that are right."""
    ledger, Y = reading.ledger, reading.Y
    right = ~ledger.bad
    if Y.shape[1] < 2 or right.sum() < 2 or ledger.blocking:
        return
    not_ranked = np.isnan(Y)
    if reading.task is Task.LABEL_RANKING and not_ranked.any():
        n_ranked = (~not_ranked).sum(axis=1)
        ledger.note(
            right & (n_ranked == 0),
            code="nothing-ranked",
            message="no label is ranked in this row.",
            hint="Such a row teaches nothing; leave it out if it is a mistake.",
        )
        partial = right & (n_ranked > 0) & (n_ranked < Y.shape[1])
        ledger.note(
            partial,
            code="partial-rankings",
            message=lambda i: (
                f"labels are left out in {partial.sum()} of {len(Y)} rankings; this one ranks "
                f"{n_ranked[i]} of {Y.shape[1]}."
            ),
            hint="Labels left out count as not ranked, and not every method takes such data.",
        )
    for j in _constant_columns(Y if right.all() else Y[right])[:20]:
        name = [*reading.label_names, "zero line"][j]
        is_column = name in raw.names
        what = "the label" if is_column else f"label '{shorten(name)}'"
        ledger.issues.append(
            Finding(
                "constant-label",
                Severity.WARNING,
                f"{what} has the same value in every row.",
                "There is nothing to learn about it; leave it out if it is no label.",
                column=name if is_column else None,
            )
        )


def _constant_columns(values: FloatArray) -> list[int]:
    """Return the columns with the same value, or none, in every row."""
    candidates = list(range(values.shape[1]))
    for rows in (slice(_A_FEW_ROWS), slice(None)):  # a few rows show it of nearly all
        same = values[rows, candidates] == values[0, candidates]
        same |= np.isnan(values[rows, candidates]) & np.isnan(values[0, candidates])
        candidates = [
            j for j, constant in zip(candidates, same.all(axis=0), strict=True) if constant
        ]
    return candidates


def _read_split(raw: RawTable, choices: Choices, reading: Reading) -> None:
    columns, ledger = choices.columns(raw, Role.SPLIT), reading.ledger
    reading.split = raw.split
    if raw.split is not None and (raw.split.all() or not raw.split.any()):
        part = "training" if raw.split.all() else "test"
        ledger.block(
            "split-part",
            f"no row of the {part} file can be used.",
            "Correct the file, or read the other one alone.",
        )
    if len(columns) > 1 or (columns and raw.split is not None):
        what = f"{count_of(len(columns), 'column')} with the role 'split'"
        files = "" if raw.split is None else " beside separate training and test files"
        ledger.block("two-splits", f"found {what}{files}.", "Keep one and ignore the others.")
    if len(columns) != 1 or raw.split is not None:
        return
    name, cells = raw.names[columns[0]], raw.cells(columns[0])
    words = [cell.strip().lower() for cell in cells]
    test = np.array([word in TEST_WORDS for word in words], dtype=bool)
    train = np.array([word in TRAIN_WORDS for word in words], dtype=bool)
    ledger.refuse(
        ~(test | train),
        code="split-word",
        message=lambda i: f"found '{shorten(cells[i])}' where train or test is expected.",
        hint="Write train or test in every row.",
        column=name,
    )
    if not (test.any() and train.any()):
        ledger.block(
            "split-part",
            "the split has only one part.",
            "Mark some rows as train and some as test, or ignore the column.",
            column=name,
        )
    reading.split = test
