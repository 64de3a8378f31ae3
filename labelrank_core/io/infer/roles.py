"""What the columns of a table are: a proposal from their names and their content."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from labelrank_core.io.build.categories import (
    describe_categories,
    different,
    is_clearly_nominal,
    is_nominal,
    why_no_categories,
)
from labelrank_core.io.build.label_lists import are_lists
from labelrank_core.io.build.orderings import are_orderings
from labelrank_core.io.infer.label_columns import Block, label_block
from labelrank_core.io.infer.proposal import ProposedColumn
from labelrank_core.io.table import RawTable
from labelrank_core.io.vocabulary import TEST_WORDS, TRAIN_WORDS, Role

LIST_NAMES = frozenset(
    ("label", "labels", "tag", "tags", "topic", "topics", "class", "classes", "category",
     "categories", "genre", "genres", "keywords", "subjects", "y", "target", "targets")
)  # fmt: skip
ZERO_NAMES = frozenset(
    ("zero", "virtual", "virtual_label", "virtual label", "lambda0", "λ0", "zero_line", "_zero_")
)
# So many cells of a column show what it holds.
_ENOUGH_CELLS = 20_000
_ROW_NUMBER_NAMES = re.compile(r"column 1|unnamed: 0|id|index|idx|row|nr|no|case", re.IGNORECASE)


class Kind(StrEnum):
    """What a column holds, whatever it is for."""

    NUMBERS = "numbers"
    ORDERINGS = "orderings"
    LISTS = "lists"
    SPLIT = "split"
    ROW_NUMBERS = "row numbers"
    NOMINAL = "nominal"
    TEXT = "text"
    EMPTY = "empty"


@dataclass(frozen=True)
class ProposedRoles:
    """Roles for the columns, and what speaks against trusting them.

    Parameters
    ----------
    columns : tuple of ProposedColumn
        One a column.
    doubt : str
        Why a user must confirm the roles; empty where they are certain.
    """

    columns: tuple[ProposedColumn, ...]
    doubt: str = ""


def column_kinds(raw: RawTable) -> list[Kind]:
    """Tell what each column holds.

    Parameters
    ----------
    raw : RawTable
        The table.

    Returns
    -------
    list of Kind
        One a column. Numbers are columns in which at least half of the cells that hold anything
        are numbers: the others are errors then, to be shown where they are.
    """
    kinds = []
    for j, name in enumerate(raw.names):
        if not raw.n_given[j]:
            kinds.append(Kind.EMPTY)
        elif (
            name.lower() in LIST_NAMES
            and _has_text(raw, j)
            and not _is_declared_feature(raw, j)
            and are_lists(_given(raw, j))
        ):
            kinds.append(Kind.LISTS)  # such as 1;5, which are mostly numbers where 5 alone is one
        elif not is_nominal(raw, j):
            row_numbers = j == 0 and _ROW_NUMBER_NAMES.fullmatch(name) and _counts_up(raw)
            kinds.append(Kind.ROW_NUMBERS if row_numbers else Kind.NUMBERS)
        else:
            kinds.append(_kind_of_text(raw, j))
    return kinds


def _is_declared_feature(raw: RawTable, column: int) -> bool:
    """Tell whether a format declares the categories of a column, and others as the targets."""
    others = raw.declared_roles and raw.names[column] not in raw.declared_roles
    return bool(others and raw.categories(column))


def _has_text(raw: RawTable, column: int) -> bool:
    return bool((np.isnan(raw.numbers[:, column]) & ~raw.missing[:, column]).any())


def _given(raw: RawTable, column: int) -> list[str]:
    """Return cells of a column that hold anything, evenly drawn where they are many."""
    rows = np.flatnonzero(~raw.missing[:, column])
    return list(raw.cells(column, rows[:: max(1, len(rows) // _ENOUGH_CELLS)]))


def _counts_up(raw: RawTable) -> bool:
    first = raw.numbers[:, 0]
    return raw.n_rows > 1 and bool((first == first[0] + np.arange(raw.n_rows)).all())


def _kind_of_text(raw: RawTable, column: int) -> Kind:
    cells, is_feature = _given(raw, column), _is_declared_feature(raw, column)
    if not is_feature and are_orderings(cells):
        return Kind.ORDERINGS
    words = {text.lower() for text in different(raw, column)}
    if words <= TRAIN_WORDS | TEST_WORDS and words & TRAIN_WORDS and words & TEST_WORDS:
        return Kind.SPLIT
    if not is_feature and are_lists(cells):
        return Kind.LISTS
    clear = not why_no_categories(raw, column) and is_clearly_nominal(raw, column)
    return Kind.NOMINAL if clear else Kind.TEXT


def propose_roles(raw: RawTable) -> ProposedRoles:
    """Propose a role for every column.

    A column of rankings in words comes first, then one of lists of labels unless columns are named
    like labels, then columns that are named like labels (L1, L2,
    label_a, rank:a) and hold rankings or 0/1, then the longest block of columns at the end that
    holds a ranking in at least 95 % of the rows, then a block of 0/1 columns at the end, then the
    same at the start. All other columns of numbers are features, and so is text of few categories.

    Parameters
    ----------
    raw : RawTable
        The table.

    Returns
    -------
    ProposedRoles
        The roles; without any label where nothing looks like one.
    """
    kinds = column_kinds(raw)
    roles = [_plain(raw, j, kind) for j, kind in enumerate(kinds)]
    if raw.declared_roles:
        return _declared(raw, roles)
    numeric = [j for j, kind in enumerate(kinds) if kind is Kind.NUMBERS]
    block = label_block(raw.numbers, raw.names, numeric, zero_names=ZERO_NAMES)
    orderings = [j for j, kind in enumerate(kinds) if kind is Kind.ORDERINGS]
    lists = [j for j, kind in enumerate(kinds) if kind is Kind.LISTS]
    doubts = [raw.doubt] if raw.doubt else []
    if orderings:
        roles[orderings[-1]] = (Role.RANKING, "rankings in words, such as b>a")
        if len(orderings) > 1:
            doubts.append(f"{len(orderings)} columns hold rankings in words.")
        if block is not None and block.named:
            doubts.append("Beside the rankings in words there are columns that look like labels.")
            for j in block.columns:
                roles[j] = (Role.IGNORE, "would repeat the rankings in words")
    elif lists and (block is None or not block.named):
        roles[lists[-1]] = (Role.LABEL_LIST, "lists of labels, such as a;b")
        if raw.names[lists[-1]].lower() not in LIST_NAMES or len(lists) > 1:
            doubts.append("A column holds lists such as a;b, which may be labels or a feature.")
    elif block is not None:
        doubts += [block.doubt] if block.doubt else []
        _assign(block, raw.names, roles)
    else:
        doubts.append("No columns were found that look like labels.")
    splits = [j for j, kind in enumerate(kinds) if kind is Kind.SPLIT]
    for j in splits[1:]:
        roles[j] = (Role.IGNORE, "a second split")
    columns = [
        ProposedColumn(name, role, why) for name, (role, why) in zip(raw.names, roles, strict=True)
    ]
    return ProposedRoles(tuple(columns), " ".join(doubts))


def _declared(raw: RawTable, roles: list[tuple[Role, str]]) -> ProposedRoles:
    """Return the roles that the format itself gives, and what other columns look like."""
    why = "declared in the file"
    columns = tuple(
        ProposedColumn(name, raw.declared_roles[name], why)
        if name in raw.declared_roles
        else ProposedColumn(name, *plain)
        for name, plain in zip(raw.names, roles, strict=True)
    )
    return ProposedRoles(columns)


def _plain(raw: RawTable, column: int, kind: Kind) -> tuple[Role, str]:
    """Return the role of a column that is no target."""
    if kind is Kind.NOMINAL:
        return Role.FEATURE, describe_categories(raw, column)
    if kind is Kind.TEXT:
        reason = why_no_categories(raw, column)
        return Role.IGNORE, reason or f"text, {describe_categories(raw, column)}"
    return {
        Kind.NUMBERS: (Role.FEATURE, "numbers"),
        Kind.ORDERINGS: (Role.IGNORE, "a second column of rankings in words"),
        Kind.LISTS: (Role.IGNORE, "lists, such as a;b"),
        Kind.SPLIT: (Role.SPLIT, "the words train and test"),
        Kind.ROW_NUMBERS: (Role.IGNORE, "row numbers"),
        Kind.EMPTY: (Role.IGNORE, "empty"),
    }[kind]


def _assign(block: Block, names: Sequence[str], roles: list[tuple[Role, str]]) -> None:
    for j in block.columns:
        is_zero = names[j].lower() in ZERO_NAMES and not block.relevance
        roles[j] = (Role.ZERO, "named like the zero line") if is_zero else (Role.LABEL, block.why)
