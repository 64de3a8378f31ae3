"""What the columns of a table are: a proposal from their names and their content."""

import re
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from labelrank_core.data.findings import listed
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
# Names of numbers that are no quantity, such as customer_id and PatientID.
_IDENTIFIER_NAMES = re.compile(
    r"(.*[\W_])?([Ii][Dd]s?|(?i:identifier|uid|uuid|guid))|(?i:index|idx)|.*[a-z](Id|ID)"
)


class Kind(StrEnum):
    """What a column holds, whatever it is for."""

    NUMBERS = "numbers"
    ORDERINGS = "orderings"
    LISTS = "lists"
    SPLIT = "split"
    ROW_NUMBERS = "row numbers"
    IDENTIFIERS = "identifiers"
    NOMINAL = "nominal"
    TEXT = "text"
    EMPTY = "empty"


_PLAIN = {
    Kind.NUMBERS: (Role.FEATURE, "numbers"),
    Kind.ORDERINGS: (Role.IGNORE, "a second column of rankings in words"),
    Kind.LISTS: (Role.IGNORE, "lists, such as a;b"),
    Kind.SPLIT: (Role.SPLIT, "the words train and test"),
    Kind.ROW_NUMBERS: (Role.IGNORE, "row numbers"),
    Kind.IDENTIFIERS: (Role.IGNORE, "identifiers: another number in every row"),
    Kind.EMPTY: (Role.IGNORE, "empty"),
}


@dataclass(frozen=True)
class ProposedRoles:
    """Roles for the columns, and why a user must confirm them; no doubt: they are certain."""

    columns: tuple[ProposedColumn, ...]
    doubt: str = ""


def column_kinds(raw: RawTable) -> list[Kind]:
    """Tell what each column holds; numbers if at least half of the cells that hold anything are."""
    return [_kind(raw, j) for j in range(len(raw.names))]


def _kind(raw: RawTable, column: int) -> Kind:
    name = raw.names[column]
    if not raw.n_given[column]:
        return Kind.EMPTY
    is_list = name.lower() in LIST_NAMES and not _is_declared_feature(raw, column)
    if is_list and _has_text(raw, column) and are_lists(_given(raw, column)):
        return Kind.LISTS  # such as 1;5, which are mostly numbers if 5 alone is one
    if is_nominal(raw, column):
        return _kind_of_text(raw, column)
    if column == 0 and _ROW_NUMBER_NAMES.fullmatch(name) and _counts_up(raw):
        return Kind.ROW_NUMBERS
    return Kind.IDENTIFIERS if _are_identifiers(raw, column) else Kind.NUMBERS


def _is_declared_feature(raw: RawTable, column: int) -> bool:
    """Tell whether a format declares the categories of a column, and others as the targets."""
    others = raw.declared_roles and raw.names[column] not in raw.declared_roles
    return bool(others and raw.categories(column))


def _has_text(raw: RawTable, column: int) -> bool:
    return bool((np.isnan(raw.numbers[:, column]) & ~raw.missing[:, column]).any())


def _given(raw: RawTable, column: int) -> list[str]:
    """Return cells of a column that hold anything, evenly drawn if they are many."""
    rows = np.flatnonzero(~raw.missing[:, column])
    return list(raw.cells(column, rows[:: max(1, len(rows) // _ENOUGH_CELLS)]))


def _counts_up(raw: RawTable) -> bool:
    first = raw.numbers[:, 0]
    return raw.n_rows > 1 and bool((first == first[0] + np.arange(raw.n_rows)).all())


def _are_identifiers(raw: RawTable, column: int) -> bool:
    """Tell whether a column named like an identifier holds another whole number in every row."""
    if not _IDENTIFIER_NAMES.fullmatch(raw.names[column]):
        return False
    numbers = raw.numbers[:, column]
    return bool((numbers == np.floor(numbers)).all()) and len(np.unique(numbers)) == raw.n_rows


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
    """Propose a role for every column; no label if nothing looks like one.

    The targets are, in this order: a column of rankings in words; columns named like labels (L1,
    L2, label_a, rank:a) that hold rankings or 0/1; a column of lists named like labels (tags); the
    longest block of columns at one end that holds 0/1, or a ranking in at least 95 % of the rows;
    a column of lists. All other columns of numbers are features, and so is text of few categories.
    """
    kinds = column_kinds(raw)
    roles = [_plain(raw, j, kind) for j, kind in enumerate(kinds)]
    if raw.declared_roles:
        why = "declared in the file"
        roles = [
            (raw.declared_roles[name], why) if name in raw.declared_roles else plain
            for name, plain in zip(raw.names, roles, strict=True)
        ]
        return _proposed(raw, roles, [])
    doubts = [raw.doubt] if raw.doubt else []
    doubts += _assign_targets(raw, kinds, roles)
    for j in _of_kind(kinds, Kind.SPLIT)[1:]:
        roles[j] = (Role.IGNORE, "a second split")
    return _proposed(raw, roles, doubts)


def _of_kind(kinds: list[Kind], kind: Kind) -> list[int]:
    return [j for j, own in enumerate(kinds) if own is kind]


def _assign_targets(raw: RawTable, kinds: list[Kind], roles: list[tuple[Role, str]]) -> list[str]:
    """Give columns the roles of targets, and return what makes that doubtful."""
    orderings, lists = _of_kind(kinds, Kind.ORDERINGS), _of_kind(kinds, Kind.LISTS)
    block = label_block(raw, _of_kind(kinds, Kind.NUMBERS), zero_names=ZERO_NAMES)
    if orderings:
        roles[orderings[-1]] = (Role.RANKING, "rankings in words, such as b>a")
        doubts = []
        if len(orderings) > 1:
            doubts.append(f"{len(orderings)} columns hold rankings in words.")
        if block is not None and block.named:
            doubts.append("Beside the rankings in words there are columns that look like labels.")
            for j in block.columns:
                roles[j] = (Role.IGNORE, "would repeat the rankings in words")
        return doubts
    named_lists = [j for j in lists if raw.names[j].lower() in LIST_NAMES]
    if block is not None and (block.named or not lists or (block.clear and not named_lists)):
        _assign(block, raw, roles)
        doubts = [block.doubt] if block.doubt else []
        if lists and not block.named:
            names = listed([raw.names[j] for j in lists])
            doubts.append(f"Column {names} holds text such as a;b, which could be lists of labels.")
        return doubts
    if lists:
        column = (named_lists or lists)[-1]
        roles[column] = (Role.LABEL_LIST, "lists of labels, such as a;b")
        if not named_lists or len(lists) > 1:
            return ["A column holds lists such as a;b, which may be labels or a feature."]
        return []
    return ["No columns were found that look like labels."]


def _assign(block: Block, raw: RawTable, roles: list[tuple[Role, str]]) -> None:
    for j in block.columns:
        is_zero = raw.names[j].lower() in ZERO_NAMES and not block.relevance
        roles[j] = (Role.ZERO, "named like the zero line") if is_zero else (Role.LABEL, block.why)


def _plain(raw: RawTable, column: int, kind: Kind) -> tuple[Role, str]:
    """Return the role of a column that is no target."""
    if kind is Kind.NOMINAL:
        return Role.FEATURE, describe_categories(raw, column)
    if kind is Kind.TEXT:
        reason = why_no_categories(raw, column)
        return Role.IGNORE, reason or f"text, {describe_categories(raw, column)}"
    return _PLAIN[kind]


def _proposed(raw: RawTable, roles: list[tuple[Role, str]], doubts: list[str]) -> ProposedRoles:
    columns = zip(raw.names, roles, strict=True)
    proposed = tuple(ProposedColumn(name, role, why) for name, (role, why) in columns)
    return ProposedRoles(proposed, " ".join(doubts))
