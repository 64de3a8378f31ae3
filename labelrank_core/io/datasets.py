"""Data sets from files, frames and OpenML: a proposal of their contents, and reading them."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np

from labelrank_core.data.dataset import Dataset
from labelrank_core.data.findings import DatasetError, Finding, Severity, group_findings
from labelrank_core.io.build.reading import read_rows, read_table
from labelrank_core.io.frames import cells_of_frame, is_frame
from labelrank_core.io.infer.choices import (
    complete_choices,
    could_be_ratings,
    form_of,
    unranked_of,
)
from labelrank_core.io.infer.proposal import Proposal
from labelrank_core.io.infer.roles import propose_roles
from labelrank_core.io.openml import SERVER, fetch, with_targets
from labelrank_core.io.openml_tasks import OpenMLTask, fetch_task, folds_of
from labelrank_core.io.read import read_files
from labelrank_core.io.slots import OnWait, Slots, go_on
from labelrank_core.io.sources import File, open_sources
from labelrank_core.io.table import RawTable, table_of
from labelrank_core.io.vocabulary import Choices, Role

_LARGE, _LARGE_BYTES = Slots(1), 10_000_000
_FEW_PERMUTATIONS = Finding(
    "few-permutations",
    Severity.INFO,
    "the rows are read as positions, with 1 as the best; so few could also be ratings.",
    "If the highest number is the best, choose the target form 'ratings'.",
)


def inspect_files(
    files: File | Sequence[File] | Any, *, max_bytes: int | None = None, on_wait: OnWait = go_on
) -> Proposal:
    r"""Inspect files or a frame and propose their contents; no content makes this raise an error.

    Parameters
    ----------
    files : path, binary file object, (name, bytes), a sequence of these, or DataFrame
        One file, whose format is detected from its content; a table with the files that belong to
        it; a training and a test file, recognised by their names; or a zip archive of these. An
        open file is read from its beginning. A frame of pandas, Polars or PyArrow, in findings of
        which 'line 3' is the row that `iloc[3]` returns; its index is not read.
    max_bytes : int or None
        The most bytes of all files together; None: 1 GB. Unpacked archives may have 200 MB.
    on_wait : callable
        Called several times a second with whether the files wait until others have been read, True,
        or are being read, False. An exception that it raises ends the reading.

    Returns
    -------
    Proposal
        Table, roles, form of the targets, open choices, findings. If no table can be read,
        `findings` says why.

    Raises
    ------
    TypeError
        If `files` is none of these, such as a file opened in text mode.

    Examples
    --------
    >>> proposal = inspect_files(("t.csv", b"x,ranking\n0.5,b>a\n0.1,a>b\n"))
    >>> [(column.name, str(column.role)) for column in proposal.columns]
    [('x', 'feature'), ('ranking', 'ranking')]
    """
    if is_frame(files):
        return _inspected(table_of(cells_of_frame(files)))
    sources = open_sources(files, max_bytes=max_bytes)
    size = sum(source.n_bytes for source in sources)
    # Several large ones at once would fill the memory.
    with _LARGE.take(size, on_wait) if size > _LARGE_BYTES else nullcontext():
        return _inspected(table_of(read_files(sources, on_wait)))


def _inspected(raw: RawTable) -> Proposal:
    if raw.columns is None:
        return Proposal(raw, findings=group_findings((*raw.file.findings, *raw.file.ragged)))
    return _proposal(raw)


def propose_again(proposal: Proposal, roles: Mapping[str, str]) -> Proposal:
    """Propose the other columns again, once the roles of some are known."""
    proposed = proposal.roles
    fixed_roles = {name: Role(role) for name, role in roles.items() if name in proposed}
    return _proposal(proposal.raw, fixed_roles)


def _proposal(raw: RawTable, fixed_roles: Mapping[str, Role] | None = None) -> Proposal:
    """Propose roles and form for a table, with the findings of reading it so."""
    proposed = propose_roles(raw, fixed_roles or {})
    roles = {column.name: column.role for column in proposed.columns}
    form, doubts = form_of(raw, roles)
    questions = [*proposed.doubts, *doubts]
    choices = Choices(roles, form, unranked=unranked_of(raw, roles, form)[0])
    reading_findings = read_table(raw, choices).report.findings
    return Proposal(
        raw,
        proposed.columns,
        form,
        tuple(question.code.removeprefix("choose-").replace("-", "_") for question in questions),
        group_findings([*raw.file.findings, *raw.file.ragged, *questions, *reading_findings]),
        proposed.readings,
    )


def read_dataset(
    files: File | Sequence[File] | Proposal | Any,
    *,
    roles: Mapping[str, str] | None = None,
    target_form: str | None = None,
    missing: str = "refuse",
    unranked: str | None = None,
    name: str | None = None,
    skip_bad_rows: bool = False,
) -> Dataset:
    r"""Read files, or a data frame, into a data set.

    Parameters
    ----------
    files : Proposal, path, binary file object, (name, bytes), a sequence of these, or DataFrame
        The files or the frame, or what `inspect_files` returned for them.
    roles : mapping of str to str or None
        What columns are: 'feature', 'label', 'ranking', 'label_list', 'zero', 'split', 'name' or
        'ignore'; columns not given here are as proposed.
    target_form : str or None
        How the targets are written: 'positions', 'orders', 'ordering_strings', 'relevance',
        'label_lists', 'scores', 'ratings' or 'grades'; None: as proposed, if that is certain.
    missing : {'refuse', 'fill', 'drop_rows'}
        What to do about features without a value. 'refuse': they are errors. 'fill': the median
        of numbers or the most frequent category is filled in, computed from the training set if
        there is a split. 'drop_rows': their rows are left out. Findings of the data set count them.
    unranked : {'blank', 'zero', 'beyond'} or None
        What means 'not ranked' in columns of positions or orders: only an empty cell; also 0; also
        the number of labels plus one. In ratings and grades: only an empty cell, or also 0. None:
        what the content suggests; a finding says so.
    name : str or None
        What to call the data set; None: the file's name without its extension, or ``data``.
    skip_bad_rows : bool, default=False
        Whether to leave rows with errors out; a finding of the data set counts them.

    Returns
    -------
    Dataset
        A label ranking for positions, orders, ratings, grades and rankings in words; a calibrated
        ranking with a zero column and for scores; multi-label data for relevance and lists. Its
        `findings` are those that are not errors.

    Raises
    ------
    DatasetError
        If anything in the file is an error, or if a choice is needed that is not given (the
        message names it); with all findings.
    TypeError
        If `files` is none of these.

    Examples
    --------
    >>> data = read_dataset(("t.csv", b"x,ranking\n0.5,b>a\n0.1,a>b\n"))
    >>> data.label_names, data.Y.tolist()
    (('a', 'b'), [[2.0, 1.0], [1.0, 2.0]])
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"size": [0.5, 0.1], "ranking": ["b>a", "a>b"]})
    >>> read_dataset(frame).Y.tolist()
    [[2.0, 1.0], [1.0, 2.0]]
    """
    proposal = files if isinstance(files, Proposal) else inspect_files(files)
    raw = proposal.raw
    if raw.columns is None:
        raise DatasetError(proposal.findings)
    choices, open_findings = complete_choices(proposal, roles, target_form, missing, unranked)
    if target_form is None and could_be_ratings(proposal):
        open_findings = [*open_findings, _FEW_PERMUTATIONS]
    reading, row_findings = read_rows(raw, choices, skip_bad_rows=skip_bad_rows)
    if isinstance(reading.X, np.ndarray):
        reading.X.setflags(write=False)  # so that the data set needs no copy
    findings = group_findings([*raw.file.findings, *open_findings, *row_findings])
    if any(finding.severity is Severity.ERROR for finding in findings):
        raise DatasetError(findings)
    return Dataset(
        X=reading.X,
        Y=reading.targets.Y,
        task=reading.targets.task,
        feature_names=reading.schema.feature_names,
        label_names=reading.targets.label_names,
        name=name or proposal.name,
        findings=findings,
        split=reading.split,
        schema=reading.schema,
        case_names=reading.case_names,
    )


def read_openml(
    number: int,
    *,
    max_bytes: int = 200_000_000,
    timeout: float = 300.0,
    server: str = SERVER,
    **choices: Any,
) -> Dataset:
    """Download a data set of OpenML by its number, and read it like a file.

    Nothing else in this package makes a request: two, for the description and for the ARFF file,
    each time this is called. What OpenML names as targets are the labels, positions as well as
    TRUE and FALSE; a single target holds rankings in words, or is no target.

    Parameters
    ----------
    number : int
        The number of the data set, as in the address of its page.
    max_bytes : int, default=200_000_000
        The most that is downloaded.
    timeout : float, default=300.0
        Seconds after which a download is given up.
    server : str, default="https://www.openml.org"
        Where the requests go; files must lie in the same domain.
    **choices
        Of `read_dataset`: `roles`, `target_form`, `missing`, `unranked`, `name`, `skip_bad_rows`.

    Returns
    -------
    Dataset
        As `read_dataset` returns it.

    Raises
    ------
    OpenMLError
        If there is no such data set, or it cannot be downloaded. An OSError.
    DatasetError
        As by `read_dataset`: for errors in the file, and for choices that are needed.
    """
    description, content = fetch(number, server, max_bytes, timeout)
    cells = read_files(open_sources((f"{number}.arff", content), max_bytes=max_bytes))
    roles = _inspected(table_of(cells)).roles
    role = roles.get(description.targets[0]) if len(description.targets) == 1 else None
    declared = with_targets(cells, description, None if role is None else Role(role))
    return read_dataset(_inspected(table_of(declared)), **choices)


def read_openml_task(
    number: int,
    *,
    max_bytes: int = 200_000_000,
    timeout: float = 300.0,
    server: str = SERVER,
    **choices: Any,
) -> OpenMLTask:
    """Download the data set of a task of OpenML, and the folds in which it is to be tested.

    Four requests: for the task, its splits, and as `read_openml`.

    Parameters
    ----------
    number : int
        The number of the task.
    max_bytes : int, default=200_000_000
        The most that is downloaded for each file.
    timeout : float, default=300.0
        Seconds after which the downloads for the task, or for the data, are given up.
    server : str, default="https://www.openml.org"
        Where the requests go.
    **choices
        Of `read_dataset`, but rows must not be left out.

    Returns
    -------
    OpenMLTask
        The data set and its folds.

    Raises
    ------
    OpenMLError
        As by `read_openml`, and for splits that are not of all rows, or test a row twice.
    DatasetError
        As by `read_dataset`.
    """
    data_number, splits = fetch_task(number, server, max_bytes, timeout)
    data = read_openml(data_number, max_bytes=max_bytes, timeout=timeout, server=server, **choices)
    cells = read_files(open_sources(("splits.arff", splits), max_bytes=max_bytes))
    return OpenMLTask(data, folds_of(cells, data.n_samples, number))
