"""A table read under given choices: features, targets, split, and every finding about them."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse

from labelrank_core.dataset import Task
from labelrank_core.issues import Issue, Severity
from labelrank_core.rankings import FloatArray
from labelrank_core.readers.cells import found, refuse_text
from labelrank_core.readers.header import count_of, shorten
from labelrank_core.readers.ledger import Ledger
from labelrank_core.readers.proposal import Choices
from labelrank_core.readers.rows import read_label_columns
from labelrank_core.readers.strings import note_rare_labels, parse_orderings
from labelrank_core.readers.table import BoolArray, RawTable, SparseFeatures
from labelrank_core.readers.vocabulary import TEST_WORDS, TRAIN_WORDS, Role, TargetForm

_NOT_USED = "Turn it into numbers, one 0/1 column for each category, if it should be used."


@dataclass(eq=False)
class Reading:
    """A table under given choices.

    Parameters
    ----------
    ledger : Ledger
        Findings and which rows have an error.
    X, Y : ndarray, X CSR matrix where the table has sparse features
        Features and targets; meaningful where nothing is an error.
    task : Task
        What the targets are.
    feature_names, label_names : tuple of str
        Their names.
    split : ndarray of bool or None
        True = test part.
    """

    ledger: Ledger
    X: Any = field(default_factory=lambda: np.empty((0, 0)))
    Y: FloatArray = field(default_factory=lambda: np.empty((0, 0)))
    task: Task = Task.LABEL_RANKING
    feature_names: tuple[str, ...] = ()
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
        The arrays and the findings.
    """
    reading = Reading(Ledger(raw.lines, raw.row_files))
    if raw.n_rows < 2:
        reading.ledger.block(
            "one-row", f"found {count_of(raw.n_rows, 'row')} of data.", "At least two are needed."
        )
    _read_features(raw, choices, reading)
    _read_targets(raw, choices, reading)
    _read_split(raw, choices, reading)
    return reading


def _read_features(raw: RawTable, choices: Choices, reading: Reading) -> None:
    columns, ledger = choices.columns(raw, Role.FEATURE), reading.ledger
    reading.feature_names = tuple(raw.names[j] for j in columns)
    if not columns and raw.sparse is None:
        ledger.block(
            "no-features",
            "no column is a feature.",
            "Give at least one column of numbers the role 'feature'.",
        )
    reading.X = raw.numbers[:, columns]
    for j in columns:
        refuse_text(raw, j, ledger)
        ledger.refuse(
            raw.missing[:, j],
            code="missing-value",
            message=found(raw, j, "but a value is needed."),
            hint="The methods need every feature: fill the value in, or leave the row out.",
            column=raw.names[j],
        )
        ledger.refuse(
            np.isinf(raw.numbers[:, j]),
            code="not-finite",
            message=found(raw, j, "which is not a finite number."),
            hint="Correct the value, or leave the row out.",
            column=raw.names[j],
        )
    if raw.n_rows > 1:
        same = [j for j in columns if (raw.numbers[:, j] == raw.numbers[0, j]).all()]
        message = "the same value in every row, so it cannot tell cases apart"
        _note_columns(raw, same, "constant-feature", message, "Leave it out.", ledger)
    if raw.sparse is not None:
        _read_sparse(raw.sparse, reading)
    _note_left_out(raw, choices, ledger)


def _read_sparse(extra: SparseFeatures, reading: Reading) -> None:
    """Put the sparse features behind those of the table."""
    own, ledger = set(reading.feature_names), reading.ledger
    repeated = next((name for name in extra.names if name in own), None)
    if repeated is not None:
        hint = "Give every feature a name of its own."
        ledger.block("duplicate-column", "a feature has this name too.", hint, column=repeated)
    wrong = np.zeros(len(ledger.lines), dtype=bool)
    rows = np.repeat(np.arange(len(wrong)), np.diff(extra.matrix.indptr))
    wrong[rows[~np.isfinite(extra.matrix.data)]] = True
    ledger.refuse(
        wrong,
        code="not-finite",
        message="a feature of this row has no finite number.",
        hint="Correct the value, or leave the row out.",
    )
    reading.feature_names = (*reading.feature_names, *extra.names)
    reading.X = sparse.hstack([sparse.csr_matrix(reading.X), extra.matrix], format="csr")


def _note_left_out(raw: RawTable, choices: Choices, ledger: Ledger) -> None:
    """Name the columns that are not used although they hold something."""
    unused = choices.columns(raw, Role.IGNORE)
    n_numbers = (~np.isnan(raw.numbers)).sum(axis=0)
    text = [j for j in unused if not n_numbers[j] and not raw.missing[:, j].all()]
    _note_columns(raw, text, "text-column", "text and is not used", _NOT_USED, ledger)
    other = [j for j in unused if n_numbers[j]]
    _note_columns(
        raw, other, "unused-column", "numbers and is not used", "", ledger, severity=Severity.INFO
    )
    empty = [j for j in unused if raw.missing[:, j].all()]
    _note_columns(
        raw, empty, "empty-column", "nothing and is not used", "", ledger, severity=Severity.INFO
    )


def _note_columns(
    raw: RawTable,
    columns: list[int],
    code: str,
    what: str,
    hint: str,
    ledger: Ledger,
    *,
    severity: Severity = Severity.WARNING,
) -> None:
    """Note one finding about several columns, with their names."""
    if not columns:
        return
    if len(columns) == 1:
        name = raw.names[columns[0]]
        ledger.issues.append(Issue(code, severity, f"holds {what}.", hint, column=name))
        return
    names = ", ".join(f"'{shorten(raw.names[j])}'" for j in columns[:5])
    more = f" and {len(columns) - 5} more" if len(columns) > 5 else ""
    message = f"{len(columns)} columns hold {what}: {names}{more}."
    ledger.issues.append(Issue(code, severity, message, hint, count=len(columns)))


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
