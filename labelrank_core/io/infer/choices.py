"""Choices of a user, completed from the proposal; an open choice is an error."""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from typing import TypeVar

import numpy as np

from labelrank_core.data.findings import Finding, Severity, listed, shorten
from labelrank_core.io.build.texts import holds_chains
from labelrank_core.io.infer import ratings
from labelrank_core.io.infer.forms import (
    PREVIEWED,
    compare_readings,
    possible_forms,
    possible_unranked,
)
from labelrank_core.io.infer.proposal import Proposal
from labelrank_core.io.limits import max_positions
from labelrank_core.io.table import RawTable
from labelrank_core.io.vocabulary import Choices, Missing, Role, TargetForm, Unranked

_Word = TypeVar("_Word", bound=StrEnum)
_ENOUGH_ROWS = 50_000
# More rows of ratings are hardly ever all permutations, even of two labels.
_FEW_ROWS = 100
_MEANINGS = {
    TargetForm.POSITIONS: "the place of the label of this column",
    TargetForm.ORDERS: "the number of the label at this place",
    TargetForm.RELEVANCE: "whether the label of this column is relevant",
    TargetForm.SCORES: "higher is better, above 0 is relevant",
    TargetForm.RATINGS: "a higher number is better, such as stars",
    TargetForm.GRADES: "a lower number is better, such as school grades",
}
# Roles of which one decides how the targets are written.
_DECIDED = {
    Role.RANKING: TargetForm.ORDERING_STRINGS,
    Role.LABEL_LIST: TargetForm.LABEL_LISTS,
    Role.ZERO: TargetForm.POSITIONS,
}
_TARGETS = (Role.LABEL, *_DECIDED)


def form_of(raw: RawTable, roles: Mapping[str, Role]) -> tuple[TargetForm | None, list[Finding]]:
    """Return the likely form of the targets, None without targets; and the doubts about it."""
    forms = likely_forms(raw, roles)
    # Scores are never certain: nothing in a file distinguishes them from other numbers.
    if not forms or (
        len(forms) < 2 and (forms[0] is not TargetForm.SCORES or raw.file.form in forms)
    ):
        return next(iter(forms), None), []
    readings = " or as ".join(f"{form} ({_MEANINGS[form]})" for form in forms)
    hint = "Choose " + " or ".join(f"target_form='{form}'" for form in forms)
    message = f"the label columns seem to hold {readings}, and the file does not say so."
    if len(forms) > 1:
        message = f"the label columns can be read as {readings}, and the file does not say which."
        hint += f"; {forms[0]} seems likelier"
    hint += ". reading_preview shows both." if len(PREVIEWED.intersection(forms)) > 1 else "."
    return forms[0], [Finding("choose-target-form", Severity.WARNING, message, hint)]


def likely_forms(raw: RawTable, roles: Mapping[str, Role]) -> tuple[TargetForm, ...]:
    """Return the forms that the targets can have, the likelier first; empty without targets."""
    return raw.once(("forms", tuple(roles.items())), lambda: _likely_forms(raw, roles))


def _likely_forms(raw: RawTable, roles: Mapping[str, Role]) -> tuple[TargetForm, ...]:
    forms = _forms_by_roles(raw, roles)
    if forms != (TargetForm.ORDERING_STRINGS,):
        return forms
    columns = [j for j, name in enumerate(raw.names) if roles[name] is Role.RANKING]
    return (TargetForm.PAIRS,) if any(holds_chains(raw, j) for j in columns) else forms


def _forms_by_roles(raw: RawTable, roles: Mapping[str, Role]) -> tuple[TargetForm, ...]:
    declared = {name: role for name, role in raw.file.roles.items() if role in _TARGETS}
    if raw.file.form and declared == {n: role for n, role in roles.items() if role in _TARGETS}:
        return (raw.file.form,)
    for role, form in _DECIDED.items():
        if role in roles.values():
            return (form,)
    columns = [j for j, name in enumerate(raw.names) if roles[name] is Role.LABEL]
    if len(columns) < 2:
        return ()
    forms: tuple[TargetForm, ...] = ()
    least = -(-raw.n_rows * len(columns) // max_positions(raw.file.n_bytes))
    # Many rows settle what some leave open, but more than that add nothing.
    for step in dict.fromkeys((max(least, raw.n_rows // _ENOUGH_ROWS), least)):
        sample, missing = raw.numbers[::step][:, columns], raw.missing[::step][:, columns]
        # A row with an error says nothing about the form, unless there are no others.
        right = (np.isfinite(sample) | missing).all(axis=1)
        sample = sample[right] if right.any() else sample
        forms = possible_forms(np.where(np.isfinite(sample), sample, np.nan))
        if len(forms) > 1:
            break
    if forms != (TargetForm.POSITIONS, TargetForm.ORDERS):
        return forms
    better = compare_readings(raw, roles).better
    return forms if better in (None, forms[0]) else forms[::-1]


def could_be_ratings(proposal: Proposal) -> bool:
    """Tell whether labels proposed as positions are too few to tell positions from ratings."""
    raw = proposal.raw
    columns = [j for j, name in enumerate(raw.names) if proposal.roles[name] is Role.LABEL]
    is_likely = likely_forms(raw, proposal.roles) == (TargetForm.POSITIONS,)
    if raw.file.form or not is_likely or len(columns) < 2 or raw.n_rows > _FEW_ROWS:
        return False
    return ratings.could_be_ratings(raw.numbers[:, columns])


def unranked_of(
    raw: RawTable, roles: Mapping[str, Role], form: TargetForm | None
) -> tuple[Unranked, ...]:
    """List the possible marks for 'not ranked' under given roles and form, likeliest first."""
    columns = [j for j, name in enumerate(raw.names) if roles[name] is Role.LABEL]
    are_ratings = form in (TargetForm.RATINGS, TargetForm.GRADES)
    ranks = form in (TargetForm.POSITIONS, TargetForm.ORDERS)
    if not (ranks or are_ratings) or len(columns) < 2 or Role.ZERO in roles.values():
        return (Unranked.BLANK,)
    if raw.n_rows * len(columns) > max_positions(raw.file.n_bytes):
        return (Unranked.BLANK,)  # more than can be read anyway
    numbers = raw.block(columns)[0]
    if are_ratings:
        return (Unranked.BLANK, Unranked.ZERO)[: 1 + int((numbers == 0).any())]
    return possible_unranked(numbers)


def unranked_values(
    proposal: Proposal, roles: Mapping[str, str] | None = None, target_form: str | None = None
) -> tuple[Unranked, ...]:
    """List the possible marks for 'not ranked', likeliest first; other choices as proposed."""
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
    """Complete choices from the proposal; errors name unknown choices and open ones."""
    raw, chosen_roles = proposal.raw, dict(proposal.roles)
    errors: list[Finding] = []
    for name, role in (roles or {}).items():
        if name in chosen_roles:
            chosen_roles[name] = (
                _parse_choice("role", role, Role, errors, name) or chosen_roles[name]
            )
        else:
            message = (
                f"a role is given for '{shorten(str(name))}', which is not a column of the file."
            )
            hint = f"The columns are {listed(list(chosen_roles), limit=10)}."
            errors.append(Finding("unknown-column", Severity.ERROR, message, hint))
    if roles is None and "roles" in proposal.open_choices:
        doubts = [finding for finding in proposal.findings if finding.code == "choose-roles"]
        errors += [replace(doubt, severity=Severity.ERROR) for doubt in doubts]
    missing_policy = _parse_choice("missing", missing, Missing, errors) or Missing.REFUSE
    form = _parse_choice("target_form", target_form, TargetForm, errors)
    if form is None:
        form, doubts = form_of(raw, chosen_roles)
        errors += [replace(doubt, severity=Severity.ERROR) for doubt in doubts]
    blank = (
        _parse_choice("unranked", unranked, Unranked, errors)
        or unranked_of(raw, chosen_roles, form)[0]
    )
    return Choices(chosen_roles, form, missing_policy, blank), errors


def _parse_choice(
    name: str,
    value: str | None,
    allowed: type[_Word],
    errors: list[Finding],
    column: str | None = None,
) -> _Word | None:
    """Return a choice as one of the known words; None for none, or one that is an error."""
    if value is None or value in list(allowed):
        return None if value is None else allowed(value)
    message = f"found {name} '{shorten(str(value))}'."
    hint = f"Choose one of {listed(list(allowed), limit=len(allowed))}."
    code = f"unknown-{name.replace('_', '-')}"
    errors.append(Finding(code, Severity.ERROR, message, hint, column=column))
    return None
