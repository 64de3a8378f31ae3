"""The roles of the columns of a table: a proposal from their names and their content."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from labelrank_core.data.findings import Finding, Severity, count_of, listed
from labelrank_core.data.ranking_words import are_orderings
from labelrank_core.io.build.features import (
    ALL_DIFFERENT,
    are_identifiers,
    categories_of,
    is_nominal,
    may_be_identifiers,
    why_identifiers,
    why_no_categories,
)
from labelrank_core.io.build.texts import are_lists
from labelrank_core.io.infer.label_columns import (
    CLEAR,
    NAMED,
    NAMED_LIST,
    TargetCandidate,
    label_candidates,
    together,
)
from labelrank_core.io.infer.proposal import ProposedColumn, TargetReading
from labelrank_core.io.table import RawTable
from labelrank_core.io.vocabulary import Role, say_train_and_test

LIST_NAMES = frozenset(
    ("label", "labels", "tag", "tags", "topic", "topics", "class", "classes", "category",
     "categories", "genre", "genres", "keywords", "subjects", "y", "target", "targets")
)  # fmt: skip
ZERO_NAMES = frozenset(
    ("zero", "virtual", "virtual_label", "virtual label", "lambda0", "λ0", "zero_line", "_zero_")
)
# So many cells of a column, and characters of its different texts, show what it holds.
_ENOUGH_CELLS, _ENOUGH_CHARACTERS = 20_000, 200_000
_NUMBERS = (Role.FEATURE, "numbers")
_LISTS = "lists of labels, such as a;b"
_CONFIRM = (
    "Say what each column is, in roles={'column': 'label', ...}; roles=proposal.roles takes the "
    "proposal of inspect_files as it is."
)
_NO_LABELS = "No columns were found that look like labels."
_NAMES = re.compile(r"(.*[\W_])?(name|title)", re.IGNORECASE)
_LETTER = re.compile(r"[^\W\d_]")
# Longer texts describe a case; they do not name it.
LONGEST_NAME = 40
_IN_WORDS = {Role.RANKING: "rankings in words", Role.LABEL_LIST: "lists"}
_TARGETS = {Role.LABEL, *_IN_WORDS}


class Roles(NamedTuple):
    """The columns with their roles, the doubts to confirm, and the possible targets."""

    columns: tuple[ProposedColumn, ...]
    doubts: list[Finding]
    readings: tuple[TargetReading, ...]


def propose_roles(raw: RawTable, fixed_roles: Mapping[str, Role]) -> Roles:
    """Propose a role for every column but those given; no label if nothing looks like one.

    The targets are what is surest of columns of text, columns named like labels and columns at one
    end of the table, in this order. Other numbers are features, and so is text of few categories.
    Targets that are given count instead: one label brings the others of its block.
    """
    own_roles = raw.of_columns(_held)
    roles = [(Role.IGNORE if role in _IN_WORDS else role, reason) for role, reason in own_roles]
    splits = [j for j, assignment in enumerate(roles) if assignment[0] is Role.SPLIT]
    for j in [j for j in splits if raw.names[j] not in fixed_roles][1:]:
        roles[j] = (Role.IGNORE, "a second split")
    has_fixed_name = Role.NAME in fixed_roles.values()
    names = [j for j, assignment in enumerate(roles) if assignment[0] is Role.NAME]
    for j in names if has_fixed_name else names[1:]:
        roles[j] = (Role.IGNORE, ALL_DIFFERENT)
    doubts: list[str] = []
    readings: list[TargetReading] = []
    if raw.file.roles:
        for j, name in enumerate(raw.names):
            if name in raw.file.roles:
                roles[j] = (raw.file.roles[name], "declared in the file")
    else:
        doubts, readings = _assign_targets(raw, own_roles, roles, fixed_roles)
    message = " ".join(["it is not certain which columns are labels.", *doubts])
    doubt = Finding("choose-roles", Severity.WARNING, message, _CONFIRM)
    columns = tuple(
        ProposedColumn(
            name, *((fixed_roles[name], "as you say") if name in fixed_roles else assignment)
        )
        for name, assignment in zip(raw.names, roles, strict=True)
    )
    return Roles(columns, [doubt] if doubts else [], tuple(readings[len(readings) == 1 :]))


def _assign_targets(
    raw: RawTable,
    own_roles: list[tuple[Role, str]],
    roles: list[tuple[Role, str]],
    fixed_roles: Mapping[str, Role],
) -> tuple[list[str], list[TargetReading]]:
    """Give columns the roles of targets; return the doubts, and the possible targets."""
    candidates = _candidates(raw, own_roles, fixed_roles)
    has_fixed_targets = not _TARGETS.isdisjoint(fixed_roles.values())
    best = (
        _given_labels(raw, candidates, fixed_roles)
        if has_fixed_targets
        else next(iter(candidates), None)
    )
    if best is None or best.role in _IN_WORDS:
        block = next((candidate for candidate in candidates if candidate.role is Role.LABEL), None)
        for j in (
            block.columns
            if block and block.score >= (CLEAR if has_fixed_targets else NAMED)
            else ()
        ):
            roles[j] = (Role.IGNORE, "would repeat the labels of another column")
    if best is not None:
        block_roles = _roles_in(raw, best)
        for j in best.columns:
            roles[j] = (block_roles[raw.names[j]], best.why)
    if has_fixed_targets:
        return [], []
    readings = [
        _reading(raw, candidate)
        for candidate in candidates
        if best and candidate.score == best.score
    ]
    doubts = [raw.file.doubt, best.doubt if best else _NO_LABELS]
    doubts += [f"The labels could also be {reading.text}." for reading in readings[1:2]]
    return list(filter(None, doubts)), readings


def _held(raw: RawTable, column: int) -> tuple[Role, str]:
    """Return the role of a column by its own name and content, with the reason."""
    name = raw.names[column]
    if not raw.n_given[column]:
        return Role.IGNORE, "empty"
    # Where a format declares the targets, other columns with categories are features.
    is_undeclared = raw.file.roles and name not in raw.file.roles
    is_feature = bool(is_undeclared and raw.categories(column))
    is_list_name = name.lower() in LIST_NAMES and not is_feature
    if is_list_name and _has_text(raw, column) and are_lists(_count_some(raw, column)):
        return Role.LABEL_LIST, _LISTS  # such as 1;5, which are mostly numbers if 5 alone is one
    if is_nominal(raw, column):
        return _held_in_words(raw, column, is_feature=is_feature)
    if are_identifiers(name, raw.numbers[:, column]):
        return Role.IGNORE, "identifiers: a different number in every row"
    return _NUMBERS


def _has_text(raw: RawTable, column: int) -> bool:
    return bool((np.isnan(raw.numbers[:, column]) & ~raw.missing[:, column]).any())


def _held_in_words(raw: RawTable, column: int, *, is_feature: bool) -> tuple[Role, str]:
    some_texts = _count_some(raw, column)
    if not is_feature and are_orderings(some_texts):
        return Role.RANKING, "rankings in words, such as b>a"
    texts = raw.count_texts(column)
    if say_train_and_test(texts):
        return Role.SPLIT, "the words train and test"
    if not is_feature and are_lists(some_texts):
        return Role.LABEL_LIST, _LISTS
    reason = why_no_categories(raw, column)
    if reason == ALL_DIFFERENT and _are_names(raw, column):
        return Role.NAME, f"names: {ALL_DIFFERENT}"
    if reason:
        return Role.IGNORE, reason
    identifiers = why_identifiers(raw, column)
    if identifiers:
        return Role.IGNORE, identifiers
    names = categories_of(raw, column)
    noun = "category" if len(names) == 1 else "categories"
    categories = f"{len(names)} {noun}: {listed(names, quote='')}"
    # Categories are declared, or occur in two rows each on average.
    often = 2 <= len(texts) <= int(raw.n_given[column]) / 2
    if often or raw.categories(column):
        return Role.FEATURE, categories
    return Role.IGNORE, f"text, {categories}"


def _are_names(raw: RawTable, column: int) -> bool:
    """Tell whether a column stands first or is called a name, and every case has a short word."""
    name, texts = raw.names[column], raw.count_texts(column)
    is_called = may_be_identifiers(name) or _NAMES.fullmatch(name) is not None
    is_complete = bool(raw.n_given[column] == raw.n_rows)
    are_words = all(len(text) <= LONGEST_NAME and _LETTER.search(text) for text in texts)
    return (column == 0 or is_called) and is_complete and are_words


def _count_some(raw: RawTable, column: int) -> Counter[str]:
    """Count the texts of cells that hold anything, evenly drawn where they are many.

    A category can stand for a long text in any number of cells: of different texts no more are
    taken than hold so many characters together, and the last of them is cut.
    """
    rows = np.flatnonzero(~raw.missing[:, column])
    step = max(1, len(rows) // _ENOUGH_CELLS)
    # To take all cells and leave some out is faster than to take some, unless they are many.
    cells = raw.cells(column)[rows] if step == 1 else raw.cells(column, rows[::step])
    counts, budget = Counter[str](), _ENOUGH_CHARACTERS
    for text, number in Counter(cells.tolist()).items():
        counts[text[:budget]] += number
        budget -= len(text)
        if budget <= 0:
            break
    return counts


def _candidates(
    raw: RawTable, own_roles: list[tuple[Role, str]], fixed_roles: Mapping[str, Role]
) -> list[TargetCandidate]:
    """List the candidates for targets among columns without another role, likeliest first."""
    usable = [
        j
        for j, assignment in enumerate(own_roles)
        if assignment == _NUMBERS and fixed_roles.get(raw.names[j], Role.LABEL) is Role.LABEL
    ]
    candidates = label_candidates(raw, usable, ZERO_NAMES)
    for j in reversed(range(len(own_roles))):
        role, reason = own_roles[j]
        if role in _IN_WORDS and raw.names[j] not in fixed_roles:
            is_named = role is Role.RANKING or raw.names[j].lower() in LIST_NAMES
            doubt = "" if is_named else "Lists such as a;b may be labels or a feature."
            score = NAMED if role is Role.RANKING else NAMED_LIST if is_named else CLEAR
            candidates.append(TargetCandidate((j,), reason, score, role, doubt=doubt))
    order = (Role.RANKING, Role.LABEL, Role.LABEL_LIST)
    return sorted(candidates, key=lambda candidate: (-candidate.score, order.index(candidate.role)))


def _given_labels(
    raw: RawTable, candidates: list[TargetCandidate], fixed_roles: Mapping[str, Role]
) -> TargetCandidate | None:
    """Return the block that holds given labels, or can hold them too; else them alone."""
    labels = {j for j, name in enumerate(raw.names) if fixed_roles.get(name) is Role.LABEL}
    if not _IN_WORDS.keys().isdisjoint(fixed_roles.values()):
        return None
    blocks = [block for block in candidates if block.role is Role.LABEL]
    for block in sorted(blocks, key=lambda block: labels != set(block.columns)):
        if labels.issubset(block.columns):
            return block
    for block in blocks:
        columns = tuple(sorted(labels.union(block.columns)))
        if together(raw, columns):
            return replace(block, columns=columns)
    return TargetCandidate(tuple(labels), "as you say", NAMED)


def _roles_in(raw: RawTable, candidate: TargetCandidate) -> dict[str, Role]:
    """Return the roles of a candidate's columns by name; ranks may have a zero line."""
    zero = frozenset() if candidate.relevance else ZERO_NAMES
    names = [raw.names[j] for j in candidate.columns]
    return {name: Role.ZERO if name.lower() in zero else candidate.role for name in names}


def _reading(raw: RawTable, candidate: TargetCandidate) -> TargetReading:
    """Return the columns of a candidate as targets, in words and as their roles."""
    roles = _roles_in(raw, candidate)
    text = f"{count_of(len(roles), 'column')}: {listed([*roles])} ({candidate.why})"
    if candidate.role in _IN_WORDS:
        cell = next(iter(_count_some(raw, candidate.columns[0])), "")
        text = f"the {_IN_WORDS[candidate.role]} in {listed([*roles])}, such as {listed([cell])}"
    return TargetReading(text, roles)
