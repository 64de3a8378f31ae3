"""The targets of a table: label columns, or a column of rankings or lists in words."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from labelrank_core.data.dataset import Task
from labelrank_core.data.findings import Severity, count_of, shorten
from labelrank_core.io.build.finding_list import FindingList
from labelrank_core.io.build.rankings import (
    ReadRankings,
    only_ranked,
    place_names,
    read_orders,
    read_positions,
    unranked_number,
)
from labelrank_core.io.build.texts import read_lists, read_orderings
from labelrank_core.io.cells import MAX_POSITIONS
from labelrank_core.io.table import BoolArray, RawTable
from labelrank_core.io.vocabulary import Choices, Role, TargetForm, Unranked
from labelrank_core.rankings import FloatArray, dense_positions

# The form of targets that one column of text has.
_TEXT_FORMS = {
    Role.RANKING: TargetForm.ORDERING_STRINGS,
    Role.LABEL_LIST: TargetForm.LABEL_LISTS,
}


@dataclass(frozen=True, eq=False)
class Targets:
    """Targets under given choices; meaningful in the rows without an error."""

    task: Task = Task.LABEL_RANKING
    label_names: tuple[str, ...] = ()
    Y: FloatArray = field(default_factory=lambda: np.empty((0, 0)))


def read_targets(raw: RawTable, choices: Choices, found: FindingList) -> Targets:
    """Read the targets of a table, with every finding about them."""
    targets = _read(raw, choices, found)
    _note_unranked(targets, found)
    return targets


def _read(raw: RawTable, choices: Choices, found: FindingList) -> Targets:
    labels, rankings, lists, zero = (
        choices.columns(raw.names, role)
        for role in (Role.LABEL, Role.RANKING, Role.LABEL_LIST, Role.ZERO)
    )
    form = choices.target_form
    if len(rankings) + len(lists) + bool(labels) > 1:
        found.block(
            "too-many-targets",
            "targets are given more than once: "
            f"{count_of(len(rankings), 'column')} of rankings in words, "
            f"{count_of(len(lists), 'column')} of lists and "
            f"{count_of(len(labels), 'label column')}.",
            "Choose one column with the role 'ranking' or 'label_list', or columns with the role "
            "'label'.",
        )
    elif len(zero) > 1 or (zero and (rankings or lists or form is not TargetForm.POSITIONS)):
        found.block(
            "zero-column",
            f"found {count_of(len(zero), 'zero column')}, with targets that are "
            f"{(form or TargetForm.POSITIONS).replace('_', ' ')}.",
            "A single zero column belongs to label columns that hold positions.",
        )
    elif rankings or lists:
        role = Role.RANKING if rankings else Role.LABEL_LIST
        return _read_text(raw, (rankings or lists)[0], role, form, found)
    elif len(labels) < 2:
        found.block(
            "one-label" if labels else "no-labels",
            f"found {count_of(len(labels), 'label column')}; there must be at least two.",
            "Give the role 'label' to every column that holds a label's position or 0/1, or the "
            "role 'ranking' to a column of rankings such as b>a>c, or 'label_list' to one of "
            "lists such as a;c.",
            column=raw.names[labels[0]] if labels else None,
        )
    elif form in _TEXT_FORMS.values():
        role = next(role for role, own in _TEXT_FORMS.items() if own is form)
        found.block(
            "target-form",
            f"{form} need one column with the role '{role}'.",
            "Choose positions, orders or relevance for label columns.",
        )
    elif raw.n_rows * len([*labels, *zero]) > MAX_POSITIONS:
        found.block(
            "too-large",
            f"found {len(labels)} label columns in {raw.n_rows} rows, more than can be read.",
            "Take a sample of the rows, or give only labels the role 'label'.",
        )
    else:
        return _LabelColumns(raw, labels, zero, found).read(choices)
    return Targets(Y=np.empty((raw.n_rows, 0)))


def _read_text(
    raw: RawTable, column: int, role: Role, form: TargetForm | None, found: FindingList
) -> Targets:
    """Read a column of rankings or of lists of labels."""
    name, own = raw.names[column], _TEXT_FORMS[role]
    if form not in (None, own):
        message = f"a column with the role '{role}' cannot hold {form}."
        found.block("target-form", message, f"Choose {own}.", column=name)
        return Targets(Y=np.empty((raw.n_rows, 0)))
    if role is Role.LABEL_LIST:
        targets = Targets(Task.MULTILABEL, *read_lists(raw.cells(column), found, name))
    else:
        read = read_orderings(raw.cells(column), found, name, raw.file.labels)
        targets = Targets(Task.LABEL_RANKING, *read)
    n_labels = len(targets.label_names)
    if n_labels < 2 and not found.blocking:
        message = f"found {count_of(n_labels, 'label')}; there must be at least two."
        example = "rankings such as b>a>c" if role is Role.RANKING else "lists such as a;c"
        found.block("one-label", message, f"Write {example}.", column=name)
    return targets


class _LabelColumns:
    """At least two label columns, and the one of the virtual label if there is one, last."""

    def __init__(
        self, raw: RawTable, labels: list[int], zero: list[int], found: FindingList
    ) -> None:
        self.raw = raw
        self.columns = [*labels, *zero]
        self.zero = zero
        self.found = found
        self.names = tuple(raw.title(j) for j in labels)
        self.numbers, self.missing = raw.block(self.columns)
        self._has_text = (np.isnan(self.numbers) & ~self.missing).any(axis=1)

    def read(self, choices: Choices) -> Targets:
        """Read the columns as positions, if choices do not say otherwise."""
        for j in self.columns:
            self.found.refuse_text(j)
        form = choices.target_form
        if form is TargetForm.RELEVANCE:
            return Targets(Task.MULTILABEL, self.names, self._relevance())
        if form is TargetForm.SCORES:
            return Targets(Task.CALIBRATED_RANKING, self.names, self._scores())
        self._leave_unranked(choices.unranked)
        if form is TargetForm.ORDERS:
            # Columns called after places say nothing about the labels but their numbers.
            numbers = tuple(str(j + 1) for j in range(len(self.names)))
            names = numbers if place_names(self.names) else self.names
            return Targets(Task.LABEL_RANKING, names, self._orders())
        Y = self._positions()
        if not self.zero:
            return Targets(Task.LABEL_RANKING, self.names, Y)
        self.found.refuse(
            np.isnan(Y).any(axis=1) & ~self.found.bad,
            "partial-calibrated",
            "a label has no position in this row.",
            "With a zero column every label needs a position, for being relevant or not.",
        )
        return Targets(Task.CALIBRATED_RANKING, self.names, Y)

    def _refuse_cells(self, bad: BoolArray, code: str, but: str, hint: str) -> None:
        for k, j in enumerate(self.columns):
            self.found.refuse_cells(bad[:, k], j, code, but, hint)

    def _relevance(self) -> FloatArray:
        but = "but a label is 1 (relevant) or 0 (not)."
        bad = ~np.isnan(self.numbers) & ~np.isin(self.numbers, (0.0, 1.0))
        hint = "Write 0 or 1; for ranks choose positions or orders."
        self._refuse_cells(bad, "not-relevance", but, hint)
        hint = "Write 0 or 1, or leave the row out."
        self._refuse_cells(self.missing, "missing-relevance", but, hint)
        return self.numbers

    def _scores(self) -> FloatArray:
        self._refuse_cells(
            self.missing | np.isinf(self.numbers),
            "missing-score",
            "but every label needs a number: higher is better.",
            "Write a number, above 0 if the label is relevant, or leave the row out.",
        )
        scores = np.where(np.isfinite(self.numbers), self.numbers, 0)
        return dense_positions(-np.column_stack([scores, np.zeros(len(scores))]))

    def _leave_unranked(self, unranked: Unranked) -> None:
        """Replace the number that means 'not ranked' by NaN, and say so."""
        if unranked is Unranked.BLANK:
            return
        ranked = only_ranked(self.numbers, unranked)
        marked = np.isnan(ranked) & ~np.isnan(self.numbers)
        number = unranked_number(unranked, len(self.columns))
        self.found.note(
            marked.any(axis=1),
            "unranked-number",
            f"found {number:g} in {count_of(int(marked.sum()), 'cell')} of label columns, which "
            "was read as 'not ranked'.",
            "Choose unranked='blank' if only an empty cell means that.",
        )
        self.numbers = ranked

    def _positions(self) -> FloatArray:
        read, n_labels = read_positions(self.numbers), len(self.columns)
        self._refuse_zeros()
        self._refuse_cells(
            read.bad_cells & (self.numbers != 0),
            "not-a-position",
            f"but positions must be whole numbers from 1 to {n_labels}.",
            f"Number the labels 1 (best) to {n_labels}; if {n_labels + 1} means 'not ranked', "
            "choose unranked='beyond'.",
        )
        self._refuse_rows(
            read,
            "gap",
            lambda i: (
                f"found the positions {self._shown(i)}, but position "
                f"{_first_gap(self.numbers[i])} is missing."
            ),
            "Number the labels 1, 2, 3 ... without gaps; equally good labels share a position.",
        )
        closed = read.closed_gaps & ~self._has_text
        self.found.note(
            closed,
            "closed-gaps",
            lambda i: (
                f"gaps were closed in {count_of(int(closed.sum()), 'row')}; here "
                f"{self._shown(i)} became {_written(read.values[i])}."
            ),
            "The order of the labels is the same.",
        )
        self._note_blanks("no position: the label counts as not ranked")
        return read.values

    def _orders(self) -> FloatArray:
        read, n_labels = read_orders(self.numbers), len(self.columns)
        self._refuse_zeros()
        self._refuse_cells(
            read.bad_cells & (self.numbers != 0),
            "not-a-label-number",
            f"but labels have the numbers 1 to {n_labels}.",
            "Write the number of the label at this place.",
        )
        self._refuse_rows(
            read,
            "not-an-order",
            lambda i: (
                f"found {self._shown(i)}: an order holds every label at most once, and blanks only "
                "at its end."
            ),
            "Correct the row, or read the columns as positions.",
        )
        self._note_blanks("no label at this place: labels left out are not ranked")
        return read.values

    def _refuse_rows(
        self, read: ReadRankings, code: str, message: Callable[[int], str], hint: str
    ) -> None:
        self.found.refuse(read.bad_rows & ~self._has_text, code, message, hint)

    def _refuse_zeros(self) -> None:
        numbers = self.numbers
        if not (numbers == 0).any():
            return
        hint = "If 0 means 'not ranked', choose unranked='zero' or leave the cell empty."
        lowest = np.where(np.isnan(numbers), np.inf, numbers).min(axis=1)
        highest = np.where(np.isnan(numbers), -np.inf, numbers).max(axis=1)
        if ((lowest == 0) & (highest == len(self.columns) - 1)).mean() > 0.5:
            hint = "Counting seems to begin at 0 here: add 1 to every number."
        for k, j in enumerate(self.columns):
            message = "found 0, but counting begins at 1."
            column = self.raw.names[j]
            self.found.refuse(numbers[:, k] == 0, "zero-position", message, hint, column=column)

    def _note_blanks(self, meaning: str) -> None:
        n_blank = int(self.missing.sum())
        self.found.note(
            self.missing.any(axis=1),
            "not-ranked",
            f"{count_of(n_blank, 'cell')} without a value; {meaning}.",
            severity=Severity.INFO,
        )

    def _shown(self, row: int) -> str:
        return f"'{shorten(', '.join(self.raw.cell(row, j).strip() for j in self.columns))}'"


def _first_gap(row: FloatArray) -> int:
    given = set(row[~np.isnan(row)].tolist())
    return next(place for place in range(1, len(row) + 2) if place not in given)


def _written(row: FloatArray) -> str:
    return f"'{shorten(', '.join('' if np.isnan(value) else f'{value:g}' for value in row))}'"


def _note_unranked(targets: Targets, found: FindingList) -> None:
    """Note the rows without an error in which not every label is ranked."""
    Y, right = targets.Y, ~found.bad
    n_ranked = (~np.isnan(Y)).sum(axis=1)
    if Y.shape[1] < 2 or right.sum() < 2 or found.blocking or (n_ranked == Y.shape[1]).all():
        return
    found.note(
        right & (n_ranked == 0),
        "nothing-ranked",
        "no label is ranked in this row.",
        "Nothing can be learned from it. To have it predicted, give this file to 'Predict new "
        "cases from a file' on the page Predict.",
    )
    partial = right & (n_ranked > 0) & (n_ranked < Y.shape[1])
    found.note(
        partial,
        "partial-rankings",
        lambda i: (
            f"labels are left out in {partial.sum()} of {len(Y)} rankings; this one ranks "
            f"{n_ranked[i]} of {Y.shape[1]}."
        ),
        "Labels left out count as not ranked, and not every method accepts such data.",
    )
