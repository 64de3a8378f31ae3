"""The targets of a table: label columns, or a column of rankings or lists in words."""

import re
from dataclasses import dataclass, field

import numpy as np

from labelrank_core.data.dataset import Task
from labelrank_core.data.findings import Severity, count_of, listed, shorten
from labelrank_core.data.pair_preferences import PairPreferences
from labelrank_core.io.build.finding_list import FindingList
from labelrank_core.io.build.rankings import (
    only_ranked,
    place_names,
    read_orders,
    read_positions,
    read_ratings,
    unranked_number,
)
from labelrank_core.io.build.texts import read_lists, read_orderings, read_pairs
from labelrank_core.io.limits import max_positions
from labelrank_core.io.table import BoolArray, RawTable
from labelrank_core.io.vocabulary import Choices, Role, TargetForm, Unranked
from labelrank_core.rankings import FloatArray, dense_positions

# The forms of targets that one column of text may have, the usual one first.
_TEXT_FORMS = {
    Role.RANKING: (TargetForm.ORDERING_STRINGS, TargetForm.PAIRS),
    Role.LABEL_LIST: (TargetForm.LABEL_LISTS,),
}


# A name and its unit, as in "cola (stars)".
_UNIT = re.compile(r"(.*\S)\s*\(([^()]+)\)")
# Fewer rows can be equal by chance.
_FEWEST_EQUAL, _NEARLY_ALL_EQUAL = 10, 0.95
# Code, message and hint of wrong cells, of wrong rows, and what blanks mean.
_SAID = {
    TargetForm.POSITIONS: (
        "not-a-position",
        "but positions must be whole numbers from 1 to {}.",
        "Number the labels 1 (best) to {}; if {} means 'not ranked', choose unranked='beyond'.",
        "gap",
        "found the positions {}, but position {} is missing.",
        "Number the labels 1, 2, 3 ... without gaps; equally good labels share a position.",
        "no position: the label counts as not ranked",
    ),
    TargetForm.ORDERS: (
        "not-a-label-number",
        "but labels have the numbers 1 to {}.",
        "Write the number of the label at this place.",
        "not-an-order",
        "found {}: an order holds every label at most once, and blanks only at its end.",
        "Correct the row, or read the columns as positions.",
        "no label at this place: labels left out are not ranked",
    ),
}


@dataclass(frozen=True, eq=False)
class Targets:
    """Targets under given choices; meaningful in the rows without an error."""

    task: Task = Task.LABEL_RANKING
    label_names: tuple[str, ...] = ()
    Y: FloatArray = field(default_factory=lambda: np.empty((0, 0)))


def read_targets(raw: RawTable, choices: Choices, report: FindingList) -> Targets:
    """Read the targets of a table, with every finding about them."""
    labels, zero = (choices.columns(raw.names, role) for role in (Role.LABEL, Role.ZERO))
    in_words = [(role, j) for role in _TEXT_FORMS for j in choices.columns(raw.names, role)]
    form = choices.target_form or TargetForm.POSITIONS
    if len(in_words) + bool(labels) > 1:
        names = [raw.names[j] for j in [*(j for _, j in in_words), *labels]]
        report.refuse(
            "too-many-targets",
            f"targets are given more than once, by the columns {listed(names)}.",
            "Choose one column with the role 'ranking' or 'label_list', or columns with the role "
            "'label'.",
        )
    elif len(zero) > 1 or (zero and (in_words or form is not TargetForm.POSITIONS)):
        report.refuse(
            "zero-column",
            f"found {count_of(len(zero), 'zero column')}, with targets that are "
            f"{form.replace('_', ' ')}.",
            "A single zero column belongs to label columns that hold positions.",
        )
    elif not in_words and len(labels) < 2:
        report.refuse(
            "one-label" if labels else "no-labels",
            f"found {count_of(len(labels), 'label column')}; there must be at least two.",
            "Give the role 'label' to every column that holds a label's position or 0/1, or the "
            "role 'ranking' to a column of rankings such as b>a>c, or 'label_list' to one of "
            "lists such as a;c.",
            column=raw.names[labels[0]] if labels else None,
        )
    elif raw.n_rows * len([*labels, *zero]) > max_positions(raw.file.n_bytes):
        report.refuse(
            "too-large",
            f"found {len(labels)} label columns in {raw.n_rows} rows, more than can be read.",
            "Take a sample of the rows, or give only labels the role 'label'.",
        )
    elif in_words:
        targets = _read_text(raw, *in_words[0], choices.target_form, report)
        return _with_notes(targets, report)
    elif role := next((role for role, forms in _TEXT_FORMS.items() if form in forms), None):
        report.refuse(
            "target-form",
            f"{form.replace('_', ' ')} need one column with the role '{role}'.",
            "Choose positions, orders, relevance or ratings for label columns.",
        )
    else:
        return _with_notes(_LabelColumns(raw, labels, zero, report).read(choices), report)
    return Targets(Y=np.empty((raw.n_rows, 0)))


def _read_text(
    raw: RawTable, role: Role, column: int, form: TargetForm | None, report: FindingList
) -> Targets:
    """Read a column of rankings or of lists of labels."""
    name, forms = raw.names[column], _TEXT_FORMS[role]
    if form is not None and form not in forms:
        message = f"a column with the role '{role}' cannot hold {form.replace('_', ' ')}."
        hint = f"Choose {' or '.join(forms).replace('_', ' ')}."
        report.refuse("target-form", message, hint, column=name)
        return Targets(Y=np.empty((raw.n_rows, 0)))
    if role is Role.LABEL_LIST:
        targets = Targets(Task.MULTILABEL, *read_lists(raw, column, report))
    elif form is TargetForm.PAIRS:
        targets = Targets(Task.PAIR_PREFERENCES, *read_pairs(raw, column, report))
    else:
        targets = Targets(Task.LABEL_RANKING, *read_orderings(raw, column, report))
    n_labels = len(targets.label_names)
    if n_labels < 2 and not report.blocked:
        message = f"found {count_of(n_labels, 'label')}; there must be at least two."
        example = "rankings such as b>a>c" if role is Role.RANKING else "lists such as a;c"
        report.refuse("one-label", message, f"Write {example}.", column=name)
    return targets


class _LabelColumns:
    """At least two label columns, and the one of the virtual label if there is one, last."""

    def __init__(
        self, raw: RawTable, labels: list[int], zero: list[int], report: FindingList
    ) -> None:
        self.raw = raw
        self.columns = [*labels, *zero]
        self.zero = zero
        self.report = report
        self.names = tuple(raw.title(j) for j in labels)
        self.numbers, self.missing = raw.block(self.columns)

    def read(self, choices: Choices) -> Targets:
        """Read the columns as positions, if choices do not say otherwise."""
        for k in np.flatnonzero((np.isnan(self.numbers) & ~self.missing).any(axis=0)).tolist():
            self.report.refuse_text(self.raw, self.columns[k])
        form, names, numbers = choices.target_form, self.names, self.numbers
        if form is TargetForm.RELEVANCE:
            problem, bad = "but a label is 1 (relevant) or 0 (not).", ~np.isin(numbers, (0.0, 1.0))
            hint = "Write 0 or 1; for ranks choose positions or orders."
            self._refuse_cells("not-relevance", problem, hint, bad & ~np.isnan(numbers))
            hint = "Write 0 or 1, or leave the row out."
            self._refuse_cells("missing-relevance", problem, hint, self.missing)
            return Targets(Task.MULTILABEL, names, numbers)
        if form is TargetForm.SCORES:
            problem = "but every label needs a number: higher is better."
            hint = "Write a number, above 0 if the label is relevant, or leave the row out."
            self._refuse_cells("missing-score", problem, hint, self.missing | np.isinf(numbers))
            line = np.zeros((len(numbers), 1))
            Y = dense_positions(-np.hstack([np.nan_to_num(numbers, posinf=0, neginf=0), line]))
            return Targets(Task.CALIBRATED_RANKING, self._names_without_unit(), Y)
        if form in (TargetForm.RATINGS, TargetForm.GRADES):
            problem = "which is not a finite number."
            hint = "Write a number, or leave the cell empty."
            self._refuse_cells("not-finite", problem, hint, np.isinf(numbers))
            numbers = self._without_unranked(choices.unranked)
            self._note_empty("no number: the label counts as not ranked")
            Y = read_ratings(numbers, higher_is_better=form is TargetForm.RATINGS)
            return Targets(Task.LABEL_RANKING, self._names_without_unit(), Y)
        Y = self._ranks(form or TargetForm.POSITIONS, choices.unranked)
        if form is TargetForm.ORDERS and place_names(names):
            # Columns called after places say nothing about the labels but their numbers.
            names = tuple(str(j + 1) for j in range(len(names)))
        if not self.zero:
            return Targets(Task.LABEL_RANKING, names, Y)
        self.report.refuse(
            "partial-calibrated",
            "a label has no position in this row.",
            "With a zero column every label needs a position, for being relevant or not.",
            np.isnan(Y).any(axis=1) & ~self.report.bad,
        )
        return Targets(Task.CALIBRATED_RANKING, names, Y)

    def _names_without_unit(self) -> tuple[str, ...]:
        """Return the names of the labels, without a unit that all of them end with."""
        matches = [_UNIT.fullmatch(name) for name in self.names]
        parts = [(match[1], match[2]) for match in matches if match is not None]
        names, units = tuple(name for name, _ in parts), {unit for _, unit in parts}
        if len(parts) < len(self.names) or len(units) != 1 or len({*names}) < len(names):
            return self.names
        message = (
            f"the names of the labels are read without '({shorten(parts[0][1])})', as all have it."
        )
        self.report.note("shared-unit", message, severity=Severity.INFO)
        return names

    def _refuse_cells(self, code: str, problem: str, hint: str, bad: BoolArray) -> None:
        for k in np.flatnonzero(bad.any(axis=0)).tolist():
            self.report.refuse_cells(self.raw, code, problem, hint, bad[:, k], self.columns[k])

    def _ranks(self, form: TargetForm, unranked: Unranked) -> FloatArray:
        """Read positions or orders, without the number that means 'not ranked'."""
        numbers, n_labels = self._without_unranked(unranked), len(self.columns)
        self._refuse_zeros()
        cells, problem, hint, rows, message, rows_hint, blank = _SAID[form]
        read = read_orders(numbers) if form is TargetForm.ORDERS else read_positions(numbers)
        self._refuse_cells(
            cells,
            problem.format(n_labels),
            hint.format(n_labels, n_labels + 1),
            read.bad_cells & (numbers != 0),
        )
        no_text = ~(np.isnan(self.raw.numbers[:, self.columns]) & ~self.missing).any(axis=1)
        self.report.refuse(
            rows,
            lambda i: message.format(self._shown(i), _first_gap(numbers[i])),
            rows_hint,
            read.bad_rows & no_text,
        )
        closed = read.closed_gaps & no_text
        self.report.note(
            "closed-gaps",
            lambda i: (
                f"gaps were closed in {count_of(int(closed.sum()), 'row')}; here "
                f"{self._shown(i)} became {_written(read.values[i])}."
            ),
            "The order of the labels is the same.",
            closed,
        )
        self._note_empty(blank)
        return read.values

    def _without_unranked(self, unranked: Unranked) -> FloatArray:
        """Replace the number that means 'not ranked' by NaN, with a finding."""
        numbers = self.numbers
        self.numbers = only_ranked(numbers, unranked)
        marked = np.isnan(self.numbers) & ~np.isnan(numbers)
        self.report.note(
            "unranked-number",
            f"found {unranked_number(unranked, len(self.columns)):g} in "
            f"{count_of(int(marked.sum()), 'cell')} of label columns, which was read as 'not "
            "ranked'.",
            "Choose unranked='blank' if only an empty cell means that.",
            marked.any(axis=1),
        )
        return self.numbers

    def _note_empty(self, meaning: str) -> None:
        """Count the cells without a value, and note their meaning."""
        self.report.note(
            "not-ranked",
            f"{count_of(int(self.missing.sum()), 'cell')} without a value; {meaning}.",
            rows=self.missing.any(axis=1),
            severity=Severity.INFO,
        )

    def _refuse_zeros(self) -> None:
        numbers = self.numbers
        hint = "If 0 means 'not ranked', choose unranked='zero' or leave the cell empty."
        lowest, highest = (
            np.nan_to_num(pick(numbers, axis=1), nan=-1)
            for pick in (np.fmin.reduce, np.fmax.reduce)
        )
        if ((lowest == 0) & (highest == len(self.columns) - 1)).mean() > 0.5:
            hint = "Counting seems to begin at 0 here: add 1 to every number."
        message, is_zero = "found 0, but counting begins at 1.", numbers == 0
        for k in np.flatnonzero(is_zero.any(axis=0)).tolist():
            column = self.raw.names[self.columns[k]]
            self.report.refuse("zero-position", message, hint, is_zero[:, k], column)

    def _shown(self, row: int) -> str:
        return f"'{shorten(', '.join(self.raw.cell(row, j).strip() for j in self.columns))}'"


def _first_gap(row: FloatArray) -> int:
    return next(position for position in range(1, len(row) + 2) if position not in row)


def _written(row: FloatArray) -> str:
    return f"'{shorten(', '.join('' if np.isnan(value) else f'{value:g}' for value in row))}'"


def _with_notes(targets: Targets, report: FindingList) -> Targets:
    """Note the rows without an error in which not every label is ranked."""
    Y, right = targets.Y, ~report.bad
    if targets.task is Task.PAIR_PREFERENCES:
        return _with_pair_notes(targets, report)
    n_ranked = (~np.isnan(Y)).sum(axis=1)
    if Y.shape[1] < 2 or right.sum() < 2 or report.blocked:
        return targets
    report.note(
        "nothing-ranked",
        "no label is ranked in this row.",
        "Nothing can be learned from it. To have it predicted, give this file to 'Predict new "
        "cases from a file' on the page Predict.",
        right & (n_ranked == 0),
    )
    _note_equal(targets, right & (n_ranked > 0), report)
    partial = right & (n_ranked > 0) & (n_ranked < Y.shape[1])
    report.note(
        "partial-rankings",
        lambda i: (
            f"labels are left out in {partial.sum()} of {len(Y)} rankings; this one ranks "
            f"{n_ranked[i]} of {Y.shape[1]}."
        ),
        "Labels left out count as not ranked, and not every method accepts such data.",
        partial,
    )
    return targets


def _with_pair_notes(targets: Targets, report: FindingList) -> Targets:
    """Note the number of known pairs of labels, the rows without any, and those with cycles."""
    right = ~report.bad
    if not targets.Y.shape[1] or right.sum() < 2 or report.blocked:
        return targets
    preferences = PairPreferences(targets.Y)
    n_known, n_pairs = preferences.n_known, preferences.shape[1]
    report.note(
        "nothing-ranked",
        "no pair of labels is known in this row.",
        "Nothing can be learned from it.",
        right & (n_known == 0),
    )
    _note_equal(targets, right & (n_known > 0), report)
    report.note(
        "pairs",
        f"a row says of {n_known[right].mean():.1f} of {n_pairs} pairs of labels, on average, "
        "which one comes before the other.",
        "Methods that compare pairs of labels, and similar cases, learn from them.",
        severity=Severity.INFO,
    )
    report.note(
        "preference-cycle",
        "the pairs in this row form a cycle: no ranking agrees with all of them.",
        "Each pair counts as it stands.",
        right & preferences.cyclic,
    )
    return targets


def _note_equal(targets: Targets, rows: BoolArray, report: FindingList) -> None:
    """Note that all or nearly all targets of some rows are equal."""
    Y = np.nan_to_num(targets.Y[rows], nan=-1)
    if len(Y) < _FEWEST_EQUAL:
        return
    # A row that most others equal is the median of each column too.
    n_equal = int((np.median(Y, axis=0) == Y).all(axis=1).sum())
    if n_equal < _NEARLY_ALL_EQUAL * len(Y):
        return
    nouns = {Task.MULTILABEL: "label sets", Task.PAIR_PREFERENCES: "sets of pairs"}
    noun = nouns.get(targets.task, "rankings")
    how_many = f"all {len(Y)}" if n_equal == len(Y) else f"{n_equal} of {len(Y)}"
    report.note(
        "equal-targets",
        f"{how_many} {noun} are equal.",
        "A method can learn little from them. Check which columns are the labels, and how they "
        "are written.",
    )
