"""The CSV files of scikit-lr: a first line of counts, then features and positions."""

import re
from collections.abc import Sequence
from dataclasses import replace

from labelrank_core.issues import Issue, Severity
from labelrank_core.readers.delimited import MAX_COLUMNS, read_delimited
from labelrank_core.readers.sources import Source
from labelrank_core.readers.table import RawTable
from labelrank_core.readers.vocabulary import Role, TargetForm

_COUNTS = re.compile(rb"(\d{1,9}),(\d{1,9}),(\d{1,9})\r?\n([^\n]+)")


def recognises_scikit_lr(source: Source) -> bool:
    """Tell whether the first line announces the fields of the second.

    Parameters
    ----------
    source : Source
        The file.

    Returns
    -------
    bool
        Whether it reads ``rows,features,labels`` with at least two labels; where that are three
        fields too, the number of rows must be right.
    """
    match = _COUNTS.match(source.data)
    if match is None:
        return False
    n_rows, n_features, n_labels = map(int, match.groups()[:3])
    n_fields = n_features + n_labels
    if n_labels < 2 or not n_features or n_fields > MAX_COLUMNS:
        return False
    if match[4].count(b",") + 1 != n_fields:
        return False
    return n_fields != 3 or source.data.rstrip().count(b"\n") == n_rows


def read_scikit_lr(source: Source, companions: Sequence[Source]) -> RawTable:  # noqa: ARG001
    """Read a file of scikit-lr.

    Parameters
    ----------
    source : Source
        The file.
    companions : sequence of Source
        None.

    Returns
    -------
    RawTable
        The features, called A1, A2 and so on, and the labels' positions, L1, L2 and so on.
    """
    n_rows, n_features, n_labels = map(int, source.data.split(b"\n", 1)[0].split(b","))
    labels = [f"L{j + 1}" for j in range(n_labels)]
    names = ",".join([*(f"A{j + 1}" for j in range(n_features)), *labels]).encode()
    rows = source.data[source.data.index(b"\n") :]
    raw = read_delimited(replace(source, data=names + rows))
    findings = raw.findings
    n_found = raw.n_rows + len(raw.ragged_lines)
    if n_found != n_rows:
        message = f"the first line announces {n_rows} rows; found {n_found}."
        hint = "Check that the file is complete."
        findings = (*findings, Issue("other-count", Severity.WARNING, message, hint, row=1))
    return replace(
        raw,
        findings=findings,
        format="scikit-lr's CSV",
        declared_roles=dict.fromkeys(labels, Role.LABEL),
        declared_form=TargetForm.POSITIONS,
    )
