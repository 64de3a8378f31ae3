"""Choices of a user, completed from the proposal; what is still open is an error."""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from typing import TypeVar

import numpy as np

from labelrank_core.data.findings import Finding, Severity, listed, shorten
from labelrank_core.io.cells import MAX_POSITIONS
from labelrank_core.io.infer.forms import compare_readings, possible_forms, possible_unranked
from labelrank_core.io.infer.proposal import Proposal
from labelrank_core.io.table import RawTable
from labelrank_core.io.vocabulary import Choices, Missing, Role, TargetForm, Unranked

_Word = TypeVar("_Word", bound=StrEnum)
_ENOUGH_ROWS = 50_000
_CONFIRM_ROLES = (
    "Say what each column is, in roles={'column': 'label', ...}; roles=proposal.roles takes the "
    "proposal of inspect_files as it is."
)
_MEANINGS = {
    TargetForm.POSITIONS: "the place of the label of this column",
    TargetForm.ORDERS: "the number of the label at this place",
    TargetForm.RELEVANCE: "whether the label of this column is relevant",
    TargetForm.SCORES: "higher is better, above 0 is relevant",
}
# Roles of which one decides how the targets are written.
_DECIDED = {
    Role.RANKING: TargetForm.ORDERING_STRINGS,
    Role.LABEL_LIST: TargetForm.LABEL_LISTS,
    Role.ZERO: TargetForm.POSITIONS,
}


def forms_of(raw: RawTable, roles: Mapping[str, Role]) -> tuple[TargetForm, ...]:
    """Tell how the targets can be written, the likelier form first; empty without targets."""
    if raw.file.form is not None and _targets(roles) == _targets(raw.file.roles):
        return (raw.file.form,)
    for role, form in _DECIDED.items():
        if role in roles.values():
            return (form,)
    columns = [j for j, name in enumerate(raw.names) if roles[name] is Role.LABEL]
    if len(columns) < 2:
        return ()
    # Many rows settle what some leave open, but more than that add nothing.
    some = slice(None, None, max(1, raw.n_rows // _ENOUGH_ROWS))
    forms = _possible_forms(raw, columns, some)
    if len(forms) < 2 and _ENOUGH_ROWS < raw.n_rows <= MAX_POSITIONS // len(columns):
        forms = _possible_forms(raw, columns, slice(None))
    if forms != (TargetForm.POSITIONS, TargetForm.ORDERS):
        return forms
    better = compare_readings(raw, roles).better
    return forms if better in (None, forms[0]) else forms[::-1]


def _possible_forms(raw: RawTable, columns: list[int], rows: slice) -> tuple[TargetForm, ...]:
    numbers, missing = (part[rows] for part in raw.block(columns))
    # A row with an error says nothing about the form, unless there are no others.
    right = (np.isfinite(numbers) | missing).all(axis=1)
    numbers = numbers[right] if right.any() else numbers
    return possible_forms(np.where(np.isfinite(numbers), numbers, np.nan))


def _targets(roles: Mapping[str, Role]) -> dict[str, Role]:
    return {name: role for name, role in roles.items() if role in (Role.LABEL, *_DECIDED)}


def is_open(raw: RawTable, forms: tuple[TargetForm, ...]) -> bool:
    """Tell whether a user must say how the targets are written."""
    # Scores are never certain: nothing in a file distinguishes them from other numbers.
    return len(forms) > 1 or (forms == (TargetForm.SCORES,) and raw.file.form not in forms)


def open_form(forms: tuple[TargetForm, ...], severity: Severity) -> Finding:
    """Return the finding that the form is open; it names the choice."""
    readings = " or as ".join(f"{form} ({_MEANINGS[form]})" for form in forms)
    choices = " or ".join(f"target_form='{form}'" for form in forms)
    hint = f"Choose {choices}"
    if len(forms) > 1:
        hint += f"; {forms[0]} seems likelier"
    hint += ". reading_preview shows both." if TargetForm.ORDERS in forms else "."
    message = f"the label columns can be read as {readings}, and the file does not say which."
    if len(forms) == 1:
        message = f"the label columns seem to hold {readings}, and the file does not say so."
    return Finding("choose-target-form", severity, message, hint)


def open_roles(doubt: str, severity: Severity) -> Finding:
    """Return the finding that the roles must be confirmed; it names the choice."""
    message = f"it is not certain which columns are labels. {doubt}"
    return Finding("choose-roles", severity, message, _CONFIRM_ROLES)


def unranked_of(
    raw: RawTable, roles: Mapping[str, Role], form: TargetForm | None
) -> tuple[Unranked, ...]:
    """Tell what can mean 'not ranked' under given roles and form, the likeliest first."""
    columns = [j for j, name in enumerate(raw.names) if roles[name] is Role.LABEL]
    ranks = form in (TargetForm.POSITIONS, TargetForm.ORDERS)
    if not ranks or len(columns) < 2 or Role.ZERO in roles.values():
        return (Unranked.BLANK,)
    if raw.n_rows > MAX_POSITIONS // len(columns):
        return (Unranked.BLANK,)  # more than can be read anyway
    return possible_unranked(raw.block(columns)[0])


def unranked_values(
    proposal: Proposal, roles: Mapping[str, str] | None = None, target_form: str | None = None
) -> tuple[Unranked, ...]:
    """Tell what can mean 'not ranked', the likeliest first; choices not given are as proposed."""
    choices, _ = complete_choices(proposal, roles, target_form)
    return unranked_of(proposal.raw, choices.roles, choices.target_form)


def missing_values(proposal: Proposal, roles: Mapping[str, str] | None = None) -> dict[str, int]:
    """Count the cells that hold nothing in each feature that has any."""
    choices, _ = complete_choices(proposal, roles, None)
    raw, columns = proposal.raw, choices.columns(proposal.raw.names, Role.FEATURE)
    counts = raw.missing[:, columns].sum(axis=0)
    return {raw.names[j]: int(n) for j, n in zip(columns, counts, strict=True) if n}


def complete_choices(
    proposal: Proposal,
    roles: Mapping[str, str] | None,
    target_form: str | None,
    missing: str = Missing.REFUSE,
    unranked: str | None = None,
) -> tuple[Choices, list[Finding]]:
    """Complete choices from the proposal; errors name what is unknown, or needed and not given."""
    raw, chosen = proposal.raw, dict(proposal.roles)
    errors: list[Finding] = []
    for name, role in (roles or {}).items():
        if name in chosen:
            chosen[name] = _known("role", role, Role, errors, name) or chosen[name]
        else:
            message = f"a role is given for '{shorten(str(name))}', which is no column of the file."
            hint = f"The columns are {listed(list(chosen), most=10)}."
            errors.append(Finding("unknown-column", Severity.ERROR, message, hint))
    if roles is None and "roles" in proposal.open_choices:
        doubts = [each for each in proposal.findings if each.code == "choose-roles"]
        errors += [replace(doubt, severity=Severity.ERROR) for doubt in doubts]
    how = _known("missing", missing, Missing, errors) or Missing.REFUSE
    form = _known("target_form", target_form, TargetForm, errors)
    if form is None:
        forms = forms_of(raw, chosen)
        form = forms[0] if forms else None
        if is_open(raw, forms):
            errors.append(open_form(forms, Severity.ERROR))
    blank = _known("unranked", unranked, Unranked, errors) or unranked_of(raw, chosen, form)[0]
    return Choices(chosen, form, how, blank), errors


def _known(
    what: str, got: str | None, words: type[_Word], errors: list[Finding], column: str | None = None
) -> _Word | None:
    """Return a choice as one of the known words; None for none, or one that is an error."""
    if got is None or got in list(words):
        return None if got is None else words(got)
    message = f"found {what} '{shorten(str(got))}'."
    hint = f"Choose one of {listed(list(words), most=len(words))}."
    code = f"unknown-{what.replace('_', '-')}"
    errors.append(Finding(code, Severity.ERROR, message, hint, column=column))
    return None
