"""A table read under given choices: features, targets, split, and every finding about them."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from labelrank_core.dataset import Schema, Task
from labelrank_core.issues import Issue, Severity
from labelrank_core.rankings import FloatArray
from labelrank_core.readers.features import note_left_out, read_features
from labelrank_core.readers.header import count_of, shorten
from labelrank_core.readers.ledger import Ledger
from labelrank_core.readers.proposal import Choices
from labelrank_core.readers.rows import read_label_columns
from labelrank_core.readers.strings import note_rare_labels, parse_orderings
from labelrank_core.readers.table import BoolArray, RawTable
from labelrank_core.readers.vocabulary import TEST_WORDS, TRAIN_WORDS, Role, TargetForm


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
    labels, rankings, zero = (
        choices.columns(raw, role) for role in (Role.LABEL, Role.RANKING, Role.ZERO)
    )
    ledger, form = reading.ledger, choices.target_form
    if len(rankings) + bool(labels) > 1:
        ledger.block(
            "too-many-targets",
            "targets are given more than once: "
            f"{count_of(len(rankings), 'column')} of rankings in words and "
            f"{count_of(len(labels), 'label column')}.",
            "Choose either one column with the role 'ranking' or columns with the role 'label'.",
        )
    elif len(zero) > 1 or (zero and (rankings or form is not TargetForm.POSITIONS)):
        ledger.block(
            "zero-column",
            f"found {count_of(len(zero), 'zero column')}, with targets that are "
            f"{(form or TargetForm.POSITIONS).replace('_', ' ')}.",
            "One zero column goes with label columns that hold positions.",
        )
    elif rankings:
        _read_strings(raw, rankings[0], form, reading)
    elif len(labels) < 2:
        ledger.block(
            "one-label" if labels else "no-labels",
            f"found {count_of(len(labels), 'label column')}; there must be at least two.",
            "Give the role 'label' to every column that holds a label's position or 0/1, or the "
            "role 'ranking' to a column of rankings such as b>a>c.",
            column=raw.names[labels[0]] if labels else None,
        )
    elif form is TargetForm.ORDERING_STRINGS:
        ledger.block(
            "target-form",
            "ordering strings need one column with the role 'ranking'.",
            "Choose positions, orders or relevance for label columns.",
        )
    else:
        reading.task, reading.label_names, reading.Y = read_label_columns(
            raw, labels, zero, form or TargetForm.POSITIONS, ledger
        )
    _note_targets(raw, reading)


def _read_strings(raw: RawTable, column: int, form: TargetForm | None, reading: Reading) -> None:
    ledger, name = reading.ledger, raw.names[column]
    if form not in (None, TargetForm.ORDERING_STRINGS):
        ledger.block(
            "target-form",
            f"a column of rankings in words cannot hold {form}.",
            "Choose ordering_strings.",
            column=name,
        )
        return
    parsed = parse_orderings(raw.cells(column), ledger, name, raw.declared_labels)
    if not raw.declared_labels:
        note_rare_labels(parsed, ledger, name)
    reading.label_names, reading.Y = parsed.label_names, parsed.values
    if len(parsed.label_names) < 2 and not ledger.blocking:
        ledger.block(
            "one-label",
            f"found {count_of(len(parsed.label_names), 'label')}; there must be at least two.",
            "Write rankings such as b>a>c.",
            column=name,
        )


def _note_targets(raw: RawTable, reading: Reading) -> None:
    """Note what is unusual about targets that are right."""
    ledger, Y = reading.ledger, reading.Y
    right = ~ledger.bad
    if Y.shape[1] < 2 or right.sum() < 2 or ledger.blocking:
        return
    if reading.task is Task.LABEL_RANKING:
        n_ranked = (~np.isnan(Y)).sum(axis=1)
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
    values = Y[right]
    same = (values == values[0]) | (np.isnan(values) & np.isnan(values[0]))
    for j in np.flatnonzero(same.all(axis=0))[:20]:
        name = [*reading.label_names, "zero line"][j]
        is_column = name in raw.names
        what = "the label" if is_column else f"label '{shorten(name)}'"
        ledger.issues.append(
            Issue(
                "constant-label",
                Severity.WARNING,
                f"{what} has the same value in every row.",
                "There is nothing to learn about it; leave it out if it is no label.",
                column=name if is_column else None,
            )
        )


def _read_split(raw: RawTable, choices: Choices, reading: Reading) -> None:
    columns, ledger = choices.columns(raw, Role.SPLIT), reading.ledger
    reading.split = raw.split
    if len(columns) > 1 or (columns and raw.split is not None):
        what = f"{count_of(len(columns), 'column')} with the role 'split'"
        files = "" if raw.split is None else " beside separate training and test files"
        ledger.block("two-splits", f"found {what}{files}.", "Keep one and ignore the others.")
    if raw.split is not None and (raw.split.all() or not raw.split.any()):
        ledger.block(
            "split-part",
            "only one part, training or test, has rows that can be used.",
            "Correct the rows of the other part, or read one file alone.",
        )
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
