"""The proposal of a file's contents, which a user confirms or corrects."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

import pandas as pd

from labelrank_core.data.findings import Finding, Severity
from labelrank_core.io.table import RawTable
from labelrank_core.io.vocabulary import Role, TargetForm


@dataclass(frozen=True)
class ProposedColumn:
    """A column, the role proposed for it, and the reason in a few words."""

    name: str
    role: Role
    why: str


@dataclass(frozen=True)
class TargetReading:
    """One way to tell which columns hold the targets: in a few words, and their roles."""

    text: str
    roles: Mapping[str, Role]


@dataclass(frozen=True, eq=False)
class Proposal:
    """The proposed contents of a file.

    Parameters
    ----------
    raw : RawTable
        The file as a table of text.
    columns : tuple of ProposedColumn
        One for each column of the table, with `name`, `role` and `why`; empty if there is no table.
    target_form : TargetForm or None
        How the targets seem to be written; None without targets.
    open_choices : tuple of str
        The arguments of `read_dataset` that must be given because the content does not settle
        them: ``"roles"``, ``"target_form"``. A finding says why.
    findings : tuple of Finding
        Everything noticed when the table is read as proposed.
    readings : tuple of TargetReading
        Where several columns or groups of columns could be the targets: all these readings, in
        `words` and as `roles`, the proposed one first; else empty.
    """

    raw: RawTable
    columns: tuple[ProposedColumn, ...] = ()
    target_form: TargetForm | None = None
    open_choices: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    readings: tuple[TargetReading, ...] = ()

    @property
    def name(self) -> str:
        """The name of the data: the file's name without its extension."""
        return self.raw.file.name

    @property
    def has_table(self) -> bool:
        """Whether there is a table; else `findings` say why there is none."""
        return self.raw.columns is not None

    @property
    def table(self) -> pd.DataFrame | None:
        """The cells; the index holds each row's line in the file. None: no table."""
        return self.raw.frame

    @property
    def n_bytes(self) -> int:
        """The memory of the table in bytes, with the results of reading it."""
        return self.raw.n_bytes

    @property
    def format(self) -> str:
        """The name of the file's format."""
        return self.raw.file.format

    @property
    def encoding(self) -> str:
        """Python's name of the file's encoding, if it is delimited text; else empty."""
        return self.raw.file.encoding

    @cached_property
    def roles(self) -> Mapping[str, Role]:
        """The role proposed for each column, as `read_dataset` takes it."""
        return MappingProxyType({column.name: column.role for column in self.columns})

    @property
    def certain(self) -> bool:
        """Whether `read_dataset` needs no choice."""
        return not self.open_choices

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that keep the file from being used as proposed."""
        return tuple(finding for finding in self.findings if finding.severity is Severity.ERROR)
