"""From a file to a data set: upload, what was understood, corrections, findings, use."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from labelrank_core import Dataset, DatasetError, Task
from labelrank_core.issues import Issue, Severity
from labelrank_core.readers import (
    Proposal,
    Role,
    TargetForm,
    inspect_files,
    read_dataset,
    reading_evidence,
    reading_preview,
)
from pages.ui import params, parts, state, text

_LARGEST_MB = 200
_FORMS = {
    TargetForm.POSITIONS: "positions: the column of a label holds its place",
    TargetForm.ORDERS: "orders: the column of a place holds the number of its label",
    TargetForm.ORDERING_STRINGS: "rankings in words, such as b>a>c",
    TargetForm.RELEVANCE: "0/1: the column of a label says whether it is relevant",
}
_EXAMPLES = {
    "Positions": "size,sweetness,apple,pear,plum\n7.1,5,1,2,3\n6.4,8,2,1,3\n3.2,9,3,2,1\n"
    "6.9,4,1,3,2\n",
    "In words": "size,sweetness,ranking\n7.1,5,apple>pear>plum\n6.4,8,pear>apple>plum\n"
    "3.2,9,plum>pear>apple\n6.9,4,apple>plum>pear\n",
    "0/1 labels": "temperature,rain,swimming,museum,hiking\n29,0,1,0,0\n14,6,0,1,0\n19,1,0,0,1\n"
    "24,0,1,0,1\n",
}


def upload() -> None:
    """Ask for a file and look at it."""
    st.markdown(
        "A table with one row a case: numeric features, and the labels as **positions** (a column "
        "a label, 1 = best), as **rankings in words** (`b>a>c`) or as **0/1** columns. What the "
        "columns are is proposed; you correct it before anything is used. The file stays in the "
        "memory of this program."
    )
    places = st.columns(len(_EXAMPLES))
    for place, (name, content) in zip(places, _EXAMPLES.items(), strict=True):
        with place.popover(f"Example: {name}", width="stretch"):
            st.code(content, language=None)
            st.download_button(
                "This file", content, f"example-{name[:2].lower()}.csv", on_click="ignore"
            )
    st.file_uploader(
        "A CSV or TSV file",
        key="upload",
        on_change=_look,
        max_upload_size=_LARGEST_MB,
        help="Comma, semicolon or tab; UTF-8 or Latin-1; decimal point or comma.",
    )


def _look() -> None:
    file = state.get("upload")
    state.set_proposal(None if file is None else inspect_files((file.name, file.getvalue())))


def confirm(proposal: Proposal) -> None:
    """Show what was understood, let the user correct it, and use it.

    Parameters
    ----------
    proposal : Proposal
        What the file seems to hold.
    """
    if proposal.table is None:
        st.error(
            "This file cannot be read. The data in use stay as they were.", icon=":material/block:"
        )
        parts.findings(proposal.findings)
        return
    st.subheader("What was understood", anchor=False)
    _facts(proposal, proposal.table)
    roles = _ask_roles(proposal)
    form = _ask_form(proposal, roles)
    choices: dict[str, Any] = {"roles": roles, "target_form": form}
    dataset, issues = _read(proposal, choices)
    if dataset is None and any(issue.row is not None for issue in issues):
        st.error(
            "Some rows cannot be used. The data in use stay as they were.", icon=":material/block:"
        )
        parts.findings(issues)
        if st.toggle("Leave out the rows with errors"):
            choices["skip_bad_rows"] = True
            dataset, issues = _read(proposal, choices)
    elif dataset is None:
        st.error("Not usable yet. The data in use stay as they were.", icon=":material/block:")
    if dataset is None:
        parts.findings(issues)
        return
    _ready(dataset, choices)
    parts.findings(issues)


def _facts(proposal: Proposal, table: pd.DataFrame) -> None:
    dialect = proposal.dialect
    words = {",": "comma", ";": "semicolon", "\t": "tab"}
    how = (
        f"{words.get(dialect.delimiter, dialect.delimiter)} between columns, {dialect.encoding}"
        if dialect is not None
        else ""
    )
    comma = ", decimal comma" if proposal.raw.decimal == "," else ""
    st.caption(f"{len(table)} rows, {len(proposal.columns)} columns; {how}{comma}")
    st.dataframe(table.head(5), hide_index=True)


def _ask_roles(proposal: Proposal) -> dict[str, str]:
    targets_first = sorted(proposal.columns, key=lambda column: column.role is Role.FEATURE)
    columns = pd.DataFrame(
        {
            "column": [column.name for column in targets_first],
            "role": [str(column.role) for column in targets_first],
            "why": [column.why for column in targets_first],
        }
    )
    st.markdown("**What each column is.** Click a role to correct it.")
    edited = st.data_editor(
        columns,
        hide_index=True,
        height=min(38 + 35 * len(columns), 320),
        disabled=["column", "why"],
        column_config={
            "role": st.column_config.SelectboxColumn(
                options=[str(role) for role in Role], required=True
            )
        },
        key=f"roles_{proposal.name}_{len(columns)}",
    )
    return dict(zip(edited["column"], edited["role"], strict=True))


def _ask_form(proposal: Proposal, roles: Mapping[str, str]) -> str | None:
    """Ask how targets are written, with both readings of permutations in words."""
    if list(roles.values()).count(Role.LABEL) < 2 or proposal.target_form is None:
        return proposal.target_form
    options = [TargetForm.POSITIONS, TargetForm.ORDERS]
    if proposal.target_form is TargetForm.RELEVANCE:
        options = [TargetForm.RELEVANCE, TargetForm.POSITIONS]
    proposed = proposal.target_form if proposal.target_form in options else options[0]
    if "target_form" in proposal.open_choices:
        st.markdown("**Positions or orders?** Both are possible, and the file does not say.")
        st.dataframe(reading_preview(proposal, roles), hide_index=True)
        st.caption(reading_evidence(proposal, roles).text)
    form = st.radio(
        "The labels are written as",
        options,
        index=options.index(proposed),
        format_func=_FORMS.get,
    )
    return str(form)


def _read(
    proposal: Proposal, choices: Mapping[str, Any]
) -> tuple[Dataset | None, tuple[Issue, ...]]:
    try:
        dataset = read_dataset(proposal, **choices)
    except DatasetError as error:
        return None, error.issues
    return dataset, tuple(dataset.findings)


def _ready(dataset: Dataset, choices: Mapping[str, Any]) -> None:
    kind = {
        Task.LABEL_RANKING: "a label ranking",
        Task.MULTILABEL: "multi-label data",
        Task.CALIBRATED_RANKING: "a ranking with a zero line",
    }[dataset.task]
    st.success(
        f"{text.markdown(dataset.name)} is {kind}: {dataset.n_samples} rows, "
        f"{dataset.n_features} features, {dataset.n_labels} labels.",
        icon=":material/check_circle:",
    )
    st.button(
        "Use these data",
        type="primary",
        on_click=_use,
        args=(dataset, choices),
        icon=":material/play_arrow:",
    )
    warnings = sum(issue.severity is not Severity.INFO for issue in dataset.findings)
    if warnings:
        st.caption(f"{warnings} finding(s) worth a look:")


def _use(dataset: Dataset, choices: Mapping[str, Any]) -> None:
    state.use_own(dataset, choices, params.start_row(dataset))
    state.set_split_kind("random" if dataset.split is None else "published")
    state.set_proposal(None)
