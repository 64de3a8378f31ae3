"""What the columns of a table are: a proposal from their names and their content."""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum

import numpy as np

from labelrank_core.data.findings import count_of, listed
from labelrank_core.io.build.features import (
    describe_categories,
    different,
    is_clearly_nominal,
    is_nominal,
    why_no_categories,
)
from labelrank_core.io.build.texts import are_lists, are_orderings
from labelrank_core.io.infer.label_columns import Block, label_block, together
from labelrank_core.io.infer.proposal import ProposedColumn, TargetReading
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


_TARGETS = {Role.LABEL, Role.RANKING, Role.LABEL_LIST, Role.ZERO}


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
    Kind.IDENTIFIERS: (Role.IGNORE, "identifiers: a different number in every row"),
    Kind.EMPTY: (Role.IGNORE, "empty"),
}


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
    others = raw.file.roles and raw.names[column] not in raw.file.roles
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


def propose_roles(raw: RawTable, given: Mapping[str, Role]) -> "ProposedRoles":
    """Propose a role for every column but those given; no label if nothing looks like one.

    The targets are, in this order: a column of rankings in words; columns named like labels (L1,
    L2, label_a, rank:a) that hold rankings or 0/1; a column of lists named like labels (tags); the
    longest block of columns at one end that holds 0/1, or a ranking in at least 95 % of the rows;
    a column of lists. All other columns of numbers are features, and so is text of few categories.
    Targets that are given count instead: one label brings the others of its block.
    """
    proposed = ProposedRoles(raw, given)
    if raw.file.roles:
        for j, name in enumerate(raw.names):
            if name in raw.file.roles:
                proposed.roles[j] = (raw.file.roles[name], "declared in the file")
        return proposed
    if raw.file.doubt and not _TARGETS & set(given.values()):
        proposed.doubts.append(raw.file.doubt)
    proposed.assign_targets()
    for j in proposed.of_kind(Kind.SPLIT)[1:]:
        proposed.roles[j] = (Role.IGNORE, "a second split")
    return proposed


class ProposedRoles:
    """Roles for the columns of a table, why a user must confirm them, and what targets can be."""

    def __init__(self, raw: RawTable, given: Mapping[str, Role]) -> None:
        self.raw, self.given = raw, given
        self.kinds = [_kind(raw, j) for j in range(len(raw.names))]
        self.roles = [_plain(raw, j, kind) for j, kind in enumerate(self.kinds)]
        self.doubts: list[str] = []
        self._readings: list[TargetReading] = []

    @property
    def columns(self) -> tuple[ProposedColumn, ...]:
        """The columns with their roles, among them those that were given."""
        return tuple(
            ProposedColumn(name, self.given[name], "as you say")
            if name in self.given
            else ProposedColumn(name, *own)
            for name, own in zip(self.raw.names, self.roles, strict=True)
        )

    @property
    def readings(self) -> tuple[TargetReading, ...]:
        """What the targets can be, where there are several ways."""
        return tuple(self._readings) if len(self._readings) > 1 else ()

    def of_kind(self, kind: Kind, *, role: Role | None = None) -> list[int]:
        """List the columns of a kind that are free, or have been given a role."""
        free = (None, role)
        return [
            j
            for j, own in enumerate(self.kinds)
            if own is kind and self.given.get(self.raw.names[j]) in free
        ]

    def assign_targets(self) -> None:
        """Give columns the roles of targets, and note what makes that doubtful."""
        raw = self.raw
        numbers = self.of_kind(Kind.NUMBERS, role=Role.LABEL)
        block = label_block(raw, numbers, zero_names=ZERO_NAMES)
        labels = [j for j, name in enumerate(raw.names) if self.given.get(name) is Role.LABEL]
        if {Role.RANKING, Role.LABEL_LIST} & set(self.given.values()):
            if block is not None and (block.named or block.clear):
                self._leave_out(block)
            return
        if labels:
            self._assign(self._block_with(block, labels))
            return
        orderings, lists = self.of_kind(Kind.ORDERINGS), self.of_kind(Kind.LISTS)
        if orderings:
            self._assign_ordering(orderings, block)
            return
        named_lists = [j for j in lists if raw.names[j].lower() in LIST_NAMES]
        if block is not None and (block.named or not lists or (block.clear and not named_lists)):
            self._assign(block)
            self.doubts += [block.doubt] if block.doubt else []
            if lists and not block.named:
                names = listed([raw.names[j] for j in lists])
                could = f"Column {names} holds text such as a;b, which could be lists of labels."
                self.doubts.append(could)
            self._offer(block, lists=[] if block.named else lists)
        elif lists:
            best = (named_lists or lists)[-1]
            self.roles[best] = (Role.LABEL_LIST, "lists of labels, such as a;b")
            self._offer(lists=[best, *(j for j in lists if j != best)])
            if not named_lists or len(lists) > 1:
                doubt = "A column holds lists such as a;b, which may be labels or a feature."
                self.doubts.append(doubt)
        else:
            self.doubts.append("No columns were found that look like labels.")

    def _assign_ordering(self, orderings: list[int], block: Block | None) -> None:
        self.roles[orderings[-1]] = (Role.RANKING, "rankings in words, such as b>a")
        self._offer(orderings=orderings[::-1])
        if len(orderings) > 1:
            self.doubts.append(f"{len(orderings)} columns hold rankings in words.")
        if block is not None and block.named:
            doubt = "Beside the rankings in words there are columns that look like labels."
            self.doubts.append(doubt)
            self._leave_out(block)
            self._offer(block)

    def _assign(self, block: Block) -> None:
        for j in block.columns:
            is_zero = self.raw.names[j].lower() in ZERO_NAMES and not block.relevance
            zero = (Role.ZERO, "named like the zero line")
            self.roles[j] = zero if is_zero else (Role.LABEL, block.why)

    def _leave_out(self, block: Block) -> None:
        for j in block.columns:
            self.roles[j] = (Role.IGNORE, "would repeat the labels of another column")

    def _block_with(self, block: Block | None, labels: list[int]) -> Block:
        """Return the block that holds given labels, or can hold them too; else them alone."""
        found = [] if block is None else [block, *block.rivals]
        found.sort(key=lambda each: set(labels) != set(each.columns))
        for each in found:
            if set(labels) <= set(each.columns):
                return each
        for each in found:
            columns = tuple(sorted({*each.columns, *labels}))
            if together(self.raw, columns):
                return Block(columns, each.why, each.relevance)
        return Block(tuple(labels), "as you say")

    def _offer(
        self,
        block: Block | None = None,
        *,
        orderings: Sequence[int] = (),
        lists: Sequence[int] = (),
    ) -> None:
        """Note what the targets can be, the likeliest first."""
        for each in () if block is None else (block, *block.rivals):
            names = [self.raw.names[j] for j in each.columns]
            words = f"{count_of(len(names), 'column')}: {listed(names)} ({each.why})"
            self._readings.append(TargetReading(words, dict.fromkeys(names, Role.LABEL)))
        for columns, role, what in (
            (orderings, Role.RANKING, "rankings in words"),
            (lists, Role.LABEL_LIST, "lists"),
        ):
            for j in columns:
                name = self.raw.names[j]
                cell = next(iter(_given(self.raw, j)), "")
                words = f"the {what} in {listed([name])}, such as {listed([cell])}"
                self._readings.append(TargetReading(words, {name: role}))


def _plain(raw: RawTable, column: int, kind: Kind) -> tuple[Role, str]:
    """Return the role of a column that is no target."""
    if kind is Kind.NOMINAL:
        return Role.FEATURE, describe_categories(raw, column)
    if kind is Kind.TEXT:
        reason = why_no_categories(raw, column)
        return Role.IGNORE, reason or f"text, {describe_categories(raw, column)}"
    return _PLAIN[kind]
