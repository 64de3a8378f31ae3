"""What a file seems to hold: the proposal that a user confirms or corrects."""

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from labelrank_core.data.findings import Finding, Severity
from labelrank_core.io.table import Dialect, RawTable
from labelrank_core.io.vocabulary import Missing, Role, TargetForm, Unranked


@dataclass(frozen=True)
class ProposedColumn:
    """A column and what it seems to be for.

    Parameters
    ----------
    name : str
        Its name, unique in the table.
    role : Role
        The role proposed.
    why : str
        The reason in a few words.
    """

    name: str
    role: Role
    why: str


@dataclass(frozen=True, eq=False)
class Proposal:
    """What a file seems to hold.

    Parameters
    ----------
    raw : RawTable
        The file as a table of text.
    columns : tuple of ProposedColumn
        One a column of the table; empty where there is no table.
    target_form : TargetForm or None
        How the targets seem to be written; None without targets.
    open_choices : tuple of str
        The arguments of `read_dataset` that must be given because the content does not settle
        them: ``"roles"``, ``"target_form"``. A finding says why.
    findings : tuple of Finding
        Everything noticed, under the proposed reading.
    """

    raw: RawTable
    columns: tuple[ProposedColumn, ...] = ()
    target_form: TargetForm | None = None
    open_choices: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def name(self) -> str:
        """What to call the data: the file's name without its extension."""
        return self.raw.name

    @property
    def table(self) -> pd.DataFrame | None:
        """The cells; the index holds each row's line in the file. None: no table."""
        return self.raw.frame

    @property
    def dialect(self) -> Dialect | None:
        """How the file is written; None where that was not found out."""
        return self.raw.dialect

    @property
    def roles(self) -> dict[str, Role]:
        """The role proposed for each column, as `read_dataset` takes it."""
        return {column.name: column.role for column in self.columns}

    @property
    def certain(self) -> bool:
        """Whether `read_dataset` needs no choice."""
        return not self.open_choices

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that keep the file from being used as proposed."""
        return tuple(issue for issue in self.findings if issue.severity is Severity.ERROR)


@dataclass(frozen=True)
class Choices:
    """What the columns are and how the targets are written.

    Parameters
    ----------
    roles : mapping of str to Role
        The role of every column.
    target_form : TargetForm or None
        How the targets are written.
    missing : Missing
        What to do about features without a value.
    unranked : Unranked
        What means 'not ranked'.
    """

    roles: Mapping[str, Role]
    target_form: TargetForm | None
    missing: Missing = Missing.REFUSE
    unranked: Unranked = Unranked.BLANK

    def columns(self, raw: RawTable, role: Role) -> list[int]:
        """Return the indices of the columns with a role.

        Parameters
        ----------
        raw : RawTable
            The table.
        role : Role
            The role.

        Returns
        -------
        list of int
            Indices, ascending.
        """
        return [j for j, name in enumerate(raw.names) if self.roles[name] is role]
