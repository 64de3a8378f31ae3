"""Label columns as targets, with every finding about their cells."""

import numpy as np

from labelrank_core.data.dataset import Task
from labelrank_core.data.findings import Severity, count_of, shorten
from labelrank_core.io.build.cells import found, refuse_text
from labelrank_core.io.build.ledger import Ledger
from labelrank_core.io.build.strings import MAX_POSITIONS
from labelrank_core.io.build.targets import place_names, read_orders, read_positions
from labelrank_core.io.infer.meaning import marker, only_ranked
from labelrank_core.io.infer.proposal import Choices
from labelrank_core.io.table import BoolArray, RawTable
from labelrank_core.io.vocabulary import TargetForm, Unranked
from labelrank_core.rankings import FloatArray, dense_positions


def read_label_columns(
    raw: RawTable, labels: list[int], zero: list[int], choices: Choices, ledger: Ledger
) -> tuple[Task, tuple[str, ...], FloatArray]:
    """Read label columns.

    Parameters
    ----------
    raw : RawTable
        The table.
    labels : list of int
        At least two columns.
    zero : list of int
        The column of the virtual label, or none; only with positions.
    choices : Choices
        Positions, if it does not say otherwise, orders, relevance or scores; and what means 'not
        ranked'.
    ledger : Ledger
        Where findings go.

    Returns
    -------
    task : Task
        What the targets are.
    label_names : tuple of str
        The columns' names; for orders in columns called after places (1st, rank_2) the labels'
        numbers, all that is known of them.
    Y : ndarray
        The targets; meaningful in the rows without an error.
    """
    columns = [*labels, *zero]
    if raw.n_rows * len(columns) > MAX_POSITIONS:
        ledger.block(
            "too-large",
            f"found {len(columns)} label columns in {raw.n_rows} rows, more than can be read.",
            "Take a sample of the rows, or give only labels the role 'label'.",
        )
        return Task.LABEL_RANKING, (), np.empty((raw.n_rows, 0))
    for j in columns:
        refuse_text(raw, j, ledger)
    names = tuple(raw.title(j) for j in labels)
    numbers, _ = raw.block(columns)
    form = choices.target_form
    if form is TargetForm.RELEVANCE:
        return Task.MULTILABEL, names, _relevance(raw, columns, numbers, ledger)
    if form is TargetForm.SCORES:
        return Task.CALIBRATED_RANKING, names, _scores(raw, columns, numbers, ledger)
    numbers = _without_unranked(numbers, choices.unranked, ledger)
    if form is TargetForm.ORDERS:
        if place_names(names):
            names = tuple(str(j + 1) for j in range(len(names)))
        return Task.LABEL_RANKING, names, _orders(raw, columns, numbers, ledger)
    Y = _positions(raw, columns, numbers, ledger)
    if not zero:
        return Task.LABEL_RANKING, names, Y
    ledger.refuse(
        np.isnan(Y).any(axis=1) & ~ledger.bad,
        code="partial-calibrated",
        message="a label has no position in this row.",
        hint="With a zero column every label needs a position, for being relevant or not.",
    )
    return Task.CALIBRATED_RANKING, names, Y


def _relevance(
    raw: RawTable, columns: list[int], numbers: FloatArray, ledger: Ledger
) -> FloatArray:
    for k, j in enumerate(columns):
        values = numbers[:, k]
        ledger.refuse(
            ~np.isnan(values) & ~np.isin(values, (0.0, 1.0)),
            code="not-relevance",
            message=found(raw, j, "but a label is 1 (relevant) or 0 (not)."),
            hint="Write 0 or 1; for ranks choose positions or orders.",
            column=raw.names[j],
        )
        ledger.refuse(
            raw.missing[:, j],
            code="missing-relevance",
            message=found(raw, j, "but a label is 1 (relevant) or 0 (not)."),
            hint="Write 0 or 1, or leave the row out.",
            column=raw.names[j],
        )
    return numbers


def _scores(raw: RawTable, columns: list[int], numbers: FloatArray, ledger: Ledger) -> FloatArray:
    for k, j in enumerate(columns):
        ledger.refuse(
            raw.missing[:, j] | np.isinf(numbers[:, k]),
            code="missing-score",
            message=found(raw, j, "but every label needs a number: higher is better."),
            hint="Write a number, above 0 if the label is relevant, or leave the row out.",
            column=raw.names[j],
        )
    with_zero = np.column_stack(
        [np.where(np.isfinite(numbers), numbers, 0), np.zeros(len(numbers))]
    )
    return dense_positions(-with_zero)


def _without_unranked(numbers: FloatArray, unranked: Unranked, ledger: Ledger) -> FloatArray:
    """Return the numbers with NaN where a label is not ranked, and say what was taken so."""
    if unranked is Unranked.BLANK:
        return numbers
    rest = only_ranked(numbers, unranked)
    marked = np.isnan(rest) & ~np.isnan(numbers)
    number, n_cells = marker(unranked, numbers.shape[1]), int(marked.sum())
    ledger.note(
        marked.any(axis=1),
        code="unranked-number",
        message=f"found {number:g} in {count_of(n_cells, 'cell')} of label columns, which was "
        "read as 'not ranked'.",
        hint="Choose unranked='blank' if only an empty cell means that.",
    )
    return rest


def _positions(
    raw: RawTable, columns: list[int], numbers: FloatArray, ledger: Ledger
) -> FloatArray:
    positions, n_labels = read_positions(numbers), len(columns)
    _refuse_zeros(raw, columns, numbers, ledger)
    text = _has_text(raw, columns)
    for k, j in enumerate(columns):
        ledger.refuse(
            positions.bad_cells[:, k] & (numbers[:, k] != 0),
            code="not-a-position",
            message=found(raw, j, f"but positions must be whole numbers from 1 to {n_labels}."),
            hint=f"Number the labels 1 (best) to {n_labels}; if {n_labels + 1} means 'not ranked', "
            "choose unranked='beyond'.",
            column=raw.names[j],
        )
    ledger.refuse(
        positions.bad_rows & ~text,
        code="gap",
        message=lambda i: (
            f"found the positions {_shown(raw, columns, i)}, but position "
            f"{_first_gap(numbers[i])} is missing."
        ),
        hint="Number the labels 1, 2, 3 ... without gaps; equally good labels share a position.",
    )
    closed = positions.closed_gaps & ~text
    ledger.note(
        closed,
        code="closed-gaps",
        message=lambda i: (
            f"gaps were closed in {count_of(int(closed.sum()), 'row')}; here "
            f"{_shown(raw, columns, i)} became {_written(positions.values[i])}."
        ),
        hint="The order of the labels is the same.",
    )
    _note_blanks(raw, columns, ledger, "no position: the label counts as not ranked")
    return positions.values


def _orders(raw: RawTable, columns: list[int], numbers: FloatArray, ledger: Ledger) -> FloatArray:
    orders, n_labels = read_orders(numbers), len(columns)
    _refuse_zeros(raw, columns, numbers, ledger)
    text = _has_text(raw, columns)
    for k, j in enumerate(columns):
        ledger.refuse(
            orders.bad_cells[:, k] & (numbers[:, k] != 0),
            code="not-a-label-number",
            message=found(raw, j, f"but labels have the numbers 1 to {n_labels}."),
            hint="Write the number of the label that stands in this place.",
            column=raw.names[j],
        )
    ledger.refuse(
        orders.bad_rows & ~text,
        code="not-an-order",
        message=lambda i: (
            f"found {_shown(raw, columns, i)}: in an order every label stands once at most, and "
            "a blank only at the end."
        ),
        hint="Correct the row, or read the columns as positions.",
    )
    _note_blanks(raw, columns, ledger, "no label in this place: labels left out are not ranked")
    return orders.values


def _has_text(raw: RawTable, columns: list[int]) -> BoolArray:
    """Tell which rows have text in some of the columns."""
    if raw.complete:
        return np.zeros(raw.n_rows, dtype=bool)
    numbers, missing = raw.block(columns)
    return np.asarray((np.isnan(numbers) & ~missing).any(axis=1))


def _refuse_zeros(raw: RawTable, columns: list[int], numbers: FloatArray, ledger: Ledger) -> None:
    if not (numbers == 0).any():
        return
    hint = "If 0 means 'not ranked', choose unranked='zero' or leave the cell empty."
    lowest = np.where(np.isnan(numbers), np.inf, numbers).min(axis=1)
    from_zero = np.where(np.isnan(numbers), -np.inf, numbers).max(axis=1) == len(columns) - 1
    if ((lowest == 0) & from_zero).mean() > 0.5:
        hint = "Counting seems to begin at 0 here: add 1 to every number."
    for k, j in enumerate(columns):
        ledger.refuse(
            numbers[:, k] == 0,
            code="zero-position",
            message="found 0, but counting begins at 1.",
            hint=hint,
            column=raw.names[j],
        )


def _note_blanks(raw: RawTable, columns: list[int], ledger: Ledger, meaning: str) -> None:
    _, blank = raw.block(columns)
    if not blank.any():
        return
    ledger.note(
        blank.any(axis=1),
        code="not-ranked",
        message=f"{count_of(int(blank.sum()), 'cell')} without a value; {meaning}.",
        severity=Severity.INFO,
    )


def _first_gap(row: FloatArray) -> int:
    given = set(row[~np.isnan(row)].tolist())
    return next(place for place in range(1, len(row) + 2) if place not in given)


def _shown(raw: RawTable, columns: list[int], row: int) -> str:
    return "'" + shorten(", ".join(raw.cell(row, j).strip() for j in columns)) + "'"


def _written(row: FloatArray) -> str:
    return "'" + shorten(", ".join("" if np.isnan(v) else f"{v:g}" for v in row)) + "'"
