"""Choices of a user, completed from the proposal; what is still open is an error."""

from collections.abc import Mapping, Sequence

import numpy as np

from labelrank_core.data.findings import Finding, Severity, shorten
from labelrank_core.io.build.strings import MAX_POSITIONS
from labelrank_core.io.infer.forms import compare_readings
from labelrank_core.io.infer.meaning import possible_forms, possible_unranked
from labelrank_core.io.infer.proposal import Choices, Proposal
from labelrank_core.io.table import RawTable
from labelrank_core.io.vocabulary import Missing, Role, TargetForm, Unranked

_ENOUGH_ROWS = 50_000
_CONFIRM_ROLES = (
    "Say what each column is, in roles={'column': 'label', ...}; roles=proposal.roles takes the "
    "proposal of inspect_files as it is."
)
_MEANINGS = {
    TargetForm.POSITIONS: "what place has the label of this column",
    TargetForm.ORDERS: "which label has this place",
    TargetForm.RELEVANCE: "whether the label of this column is relevant",
    TargetForm.SCORES: "higher is better, above 0 is relevant",
}


def forms_of(raw: RawTable, roles: Mapping[str, Role]) -> tuple[TargetForm, ...]:
    """Tell how the targets can be written, given what the columns are.

    Parameters
    ----------
    raw : RawTable
        The table.
    roles : mapping of str to Role
        The role of every column.

    Returns
    -------
    tuple of TargetForm
        The likelier form first, by the agreement of similar cases; empty without targets.
    """
    if raw.declared_form is not None and _targets(roles) == _targets(raw.declared_roles):
        return (raw.declared_form,)
    if Role.RANKING in roles.values():
        return (TargetForm.ORDERING_STRINGS,)
    if Role.LABEL_LIST in roles.values():
        return (TargetForm.LABEL_LISTS,)
    if Role.ZERO in roles.values():
        return (TargetForm.POSITIONS,)
    columns = [j for j, name in enumerate(raw.names) if roles[name] is Role.LABEL]
    if len(columns) < 2:
        return ()
    # What some rows leave open, more rows do not settle.
    some = slice(None, None, max(1, raw.n_rows // _ENOUGH_ROWS))
    forms = _possible_forms(raw, columns, some)
    if len(forms) < 2 and _ENOUGH_ROWS < raw.n_rows <= MAX_POSITIONS // len(columns):
        forms = _possible_forms(raw, columns, slice(None))
    if forms != (TargetForm.POSITIONS, TargetForm.ORDERS):
        return forms
    features = [j for j, name in enumerate(raw.names) if roles[name] is Role.FEATURE]
    better = compare_readings(raw, columns, features).better
    return forms if better in (None, forms[0]) else (forms[1], forms[0])


def _possible_forms(raw: RawTable, columns: list[int], rows: slice) -> tuple[TargetForm, ...]:
    numbers, missing = (part[rows] for part in raw.block(columns))
    # A row with an error says nothing about the form, unless there are no others.
    right = (np.isfinite(numbers) | missing).all(axis=1)
    numbers = numbers[right] if right.any() else numbers
    return possible_forms(np.where(np.isfinite(numbers), numbers, np.nan))


def _targets(roles: Mapping[str, Role]) -> dict[str, Role]:
    """Return the columns that are targets."""
    targets = (Role.LABEL, Role.RANKING, Role.LABEL_LIST, Role.ZERO)
    return {name: role for name, role in roles.items() if role in targets}


def is_open(raw: RawTable, forms: tuple[TargetForm, ...]) -> bool:
    """Tell whether a user must say how the targets are written.

    Parameters
    ----------
    raw : RawTable
        The table.
    forms : tuple of TargetForm
        The possible forms.

    Returns
    -------
    bool
        Whether there are two, or one that is never certain: scores, which nothing in a file sets
        apart from other numbers.
    """
    return len(forms) > 1 or (forms == (TargetForm.SCORES,) and raw.declared_form not in forms)


def open_form(forms: tuple[TargetForm, ...], severity: Severity) -> Finding:
    """Return the finding that the form is open.

    Parameters
    ----------
    forms : tuple of TargetForm
        The possible forms.
    severity : Severity
        Error where the choice is missing.

    Returns
    -------
    Finding
        It names the choice.
    """
    readings = " and as ".join(f"{form} ({_MEANINGS[form]})" for form in forms)
    choices = " or ".join(f"target_form='{form}'" for form in forms)
    hint = f"Choose {choices}"
    if len(forms) > 1:
        hint += f"; {forms[0]} seems likelier"
    hint += ". reading_preview shows both." if TargetForm.ORDERS in forms else "."
    message = f"the label columns can be read as {readings}, and the file does not say which it is."
    if len(forms) == 1:
        message = f"the label columns seem to hold {readings}, and the file does not say so."
    return Finding("choose-target-form", severity, message, hint)


def open_roles(doubt: str, severity: Severity) -> Finding:
    """Return the finding that the roles must be confirmed.

    Parameters
    ----------
    doubt : str
        Why they are not certain.
    severity : Severity
        Error where the choice is missing.

    Returns
    -------
    Finding
        It names the choice.
    """
    message = f"it is not certain which columns are labels. {doubt}"
    return Finding("choose-roles", severity, message, _CONFIRM_ROLES)


def unranked_of(
    raw: RawTable, roles: Mapping[str, Role], form: TargetForm | None
) -> tuple[Unranked, ...]:
    """Tell what can mean 'not ranked', given what the columns are and how targets are written.

    Parameters
    ----------
    raw : RawTable
        The table.
    roles : mapping of str to Role
        The role of every column.
    form : TargetForm or None
        How the targets are written.

    Returns
    -------
    tuple of Unranked
        The likeliest first; a blank alone where nothing else can mean it.
    """
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
    r"""Tell what can mean 'not ranked' in the label columns, the likeliest first.

    Parameters
    ----------
    proposal : Proposal
        What the file seems to hold, with a table.
    roles : mapping of str to str or None
        Role by column; what is not given is as proposed.
    target_form : str or None
        How the targets are written; None: as proposed.

    Returns
    -------
    tuple of Unranked
        A blank alone where nothing else can mean it.

    Examples
    --------
    >>> from labelrank_core.io import inspect_files
    >>> proposal = inspect_files(("t.csv", b"x,L1,L2,L3\n1,1,2,0\n2,0,1,0\n3,1,3,2\n"))
    >>> [str(one) for one in unranked_values(proposal, target_form="positions")]
    ['zero', 'blank']
    """
    choices, _ = complete_choices(proposal, roles, target_form)
    return unranked_of(proposal.raw, choices.roles, choices.target_form)


def missing_values(proposal: Proposal, roles: Mapping[str, str] | None = None) -> dict[str, int]:
    r"""Count the cells of features that hold nothing.

    Parameters
    ----------
    proposal : Proposal
        What the file seems to hold, with a table.
    roles : mapping of str to str or None
        Role by column; what is not given is as proposed.

    Returns
    -------
    dict of str to int
        Columns with such cells and how many there are.

    Examples
    --------
    >>> from labelrank_core.io import inspect_files
    >>> missing_values(inspect_files(("t.csv", b"x,y,L1,L2\n1,,1,2\n2,3,2,1\n")))
    {'y': 1}
    """
    choices, _ = complete_choices(proposal, roles, None)
    raw, columns = proposal.raw, choices.columns(proposal.raw, Role.FEATURE)
    counts = raw.missing[:, columns].sum(axis=0)
    return {raw.names[j]: int(n) for j, n in zip(columns, counts, strict=True) if n}


def complete_choices(
    proposal: Proposal,
    roles: Mapping[str, str] | None,
    target_form: str | None,
    missing: str = Missing.REFUSE,
    unranked: str | None = None,
) -> tuple[Choices, list[Finding]]:
    """Fill the choices not made from the proposal.

    Parameters
    ----------
    proposal : Proposal
        What the file seems to hold, with a table.
    roles : mapping of str to str or None
        Role by column; what is not given is as proposed.
    target_form : str or None
        How the targets are written.
    missing : str
        What to do about features without a value.
    unranked : str or None
        What means 'not ranked'.

    Returns
    -------
    choices : Choices
        All choices.
    issues : list of Finding
        Errors: a choice that must be made and is not, an unknown column, role, form or other word.
    """
    issues: list[Finding] = []
    chosen = dict(proposal.roles)
    for name, role in (roles or {}).items():
        if name not in chosen:
            listed = ", ".join(f"'{shorten(known)}'" for known in list(chosen)[:10])
            issues.append(
                Finding(
                    "unknown-column",
                    Severity.ERROR,
                    f"a role is given for '{shorten(str(name))}', which is no column of the file.",
                    f"The columns are {listed}{', ...' if len(chosen) > 10 else ''}.",
                )
            )
        elif role not in list(Role):
            issues.append(_unknown("role", role, list(Role), column=name))
        else:
            chosen[name] = Role(role)
    if missing not in list(Missing):
        issues.append(_unknown("missing", missing, list(Missing)))
        missing = Missing.REFUSE
    if target_form is not None and target_form not in list(TargetForm):
        issues.append(_unknown("target_form", target_form, list(TargetForm)))
        target_form = None
    if roles is None and "roles" in proposal.open_choices:
        doubts = [issue for issue in proposal.findings if issue.code == "choose-roles"]
        issues += [
            Finding(issue.code, Severity.ERROR, issue.message, issue.hint) for issue in doubts
        ]
    if unranked is not None and unranked not in list(Unranked):
        issues.append(_unknown("unranked", unranked, list(Unranked)))
        unranked = None
    form = None if target_form is None else TargetForm(target_form)
    if form is None:
        forms = forms_of(proposal.raw, chosen)
        form = forms[0] if forms else None
        if is_open(proposal.raw, forms):
            issues.append(open_form(forms, Severity.ERROR))
    if unranked is None:
        unranked = unranked_of(proposal.raw, chosen, form)[0]
    return Choices(chosen, form, Missing(missing), Unranked(unranked)), issues


def _unknown(what: str, got: object, known: Sequence[str], *, column: str | None = None) -> Finding:
    listed = ", ".join(f"'{value}'" for value in known)
    message = f"found {what} '{shorten(str(got))}'."
    return Finding(f"unknown-{what.replace('_', '-')}", Severity.ERROR, message,
                 f"Choose one of {listed}.", column=column)  # fmt: skip
