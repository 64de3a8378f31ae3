"""The roles of the columns: a question if several are possible, and a table to correct them."""

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from labelrank_core.data.findings import Finding, listed
from labelrank_core.io import Proposal, Role
from labelrank_core.io.build.features import is_nominal
from labelrank_core.io.datasets import propose_again
from pages.ui import session
from pages.ui.choose import choices
from pages.ui.wording import text

# What findings call each role, and what it means.
ROLE_WORDS = {
    Role.FEATURE: ("feature", "describes the case"),
    Role.LABEL: ("label", "one column per label"),
    Role.RANKING: ("ranking", "one column such as b>a>c"),
    Role.LABEL_LIST: ("list of labels", "one column such as a;c"),
    Role.ZERO: ("zero", "position of the zero line"),
    Role.SPLIT: ("split", "train or test"),
    Role.NAME: ("name", "what the case is called"),
    Role.IGNORE: ("ignore", "not used"),
}
_TITLES = {role: f"{word}: {meaning}" for role, (word, meaning) in ROLE_WORDS.items()}
_MOST_TO_TICK = 60
_ROLES = {title: role for role, title in _TITLES.items()}


def choose_targets(proposal: Proposal) -> Proposal:
    """Ask which columns hold the labels where that is doubtful; return the corrected proposal."""
    corrections = dict(session.corrections())
    doubt = next((finding for finding in proposal.findings if finding.code == "choose-roles"), None)
    if proposal.readings:
        reading_titles = [text.markdown(reading.text) for reading in proposal.readings]
        reading_index = choices.choose(
            st.radio,
            "**Which columns are the labels?** The file can be read in several ways.",
            range(len(reading_titles)),
            session.get_state("_reading", 0),
            format_func=reading_titles.__getitem__,
            key=f"reading_{session.n_corrections()}",
            on_change=_apply_reading,
        )
        if reading_index:
            corrections = {**proposal.readings[reading_index].roles, **corrections}
    corrected = propose_again(proposal, corrections) if corrections else proposal
    columns = _possible_labels(proposal) if doubt is not None and not proposal.readings else []
    if columns:
        _choose_labels(proposal, corrected, columns)
    elif doubt is not None and not corrections:
        _render_doubt(doubt)
    return corrected


def _possible_labels(proposal: Proposal) -> list[str]:
    """Return the columns of numbers, which can hold labels; none if they are too many to list."""
    raw = proposal.raw
    names = [
        name
        for j, name in enumerate(raw.names)
        if proposal.roles[name] in (Role.FEATURE, Role.LABEL) and not is_nominal(raw, j)
    ]
    return names if 1 < len(names) <= _MOST_TO_TICK else []


def _choose_labels(first: Proposal, corrected: Proposal, columns: list[str]) -> None:
    """Draw the choice of the columns of labels."""
    proposed = [name for name in columns if first.roles[name] is Role.LABEL]
    hint = "Tick them."
    if proposed:
        why = next(column.why for column in first.columns if column.name == proposed[0])
        hint = f"We ticked {text.markdown(listed(proposed, limit=4, quote=''))}: {why}."
    key = f"labels_{session.n_corrections()}"
    choices.choose(
        st.pills,
        f"**Which columns do you want to predict?** {hint}",
        columns,
        [name for name in columns if corrected.roles[name] is Role.LABEL],
        selection_mode="multi",
        format_func=text.markdown,
        key=key,
        on_change=_apply_labels,
        args=(key, columns),
    )


def _apply_labels(key: str, columns: list[str]) -> None:
    ticked = session.get_state(key) or []
    roles = {name: Role.LABEL if name in ticked else Role.FEATURE for name in columns}
    session.set_corrections({**session.corrections(), **roles})


def _apply_reading() -> None:
    session.set_state("_reading", session.get_state(f"reading_{session.n_corrections()}"))
    session.set_corrections({})


def _render_doubt(doubt: Finding) -> None:
    st.warning(
        f"{text.markdown(str(doubt).removesuffix(doubt.hint))} Check the roles below.",
        icon=":material/help:",
    )


def render_roles(first: Proposal, proposal: Proposal) -> None:
    """Draw the roles, those of targets first, to correct them; the others are proposed again."""
    names = sorted(first.roles, key=lambda name: first.roles[name] is Role.FEATURE)
    why = {column.name: column.why for column in proposal.columns}
    columns = pd.DataFrame(
        {
            "column": names,
            "role": [_TITLES[proposal.roles[name]] for name in names],
            "why": [why[name] for name in names],
        }
    )
    st.markdown("Click a role to correct it.")
    key = f"roles_{session.n_corrections()}"
    st.data_editor(
        columns,
        hide_index=True,
        height=min(38 + 35 * len(columns), 320),
        disabled=["column", "why"],
        column_config={
            "role": st.column_config.SelectboxColumn(options=list(_ROLES), required=True)
        },
        key=key,
        on_change=_apply_corrections,
        args=(proposal, key, names),
    )


def correct(proposal: Proposal, corrected_roles: Mapping[str, Role]) -> None:
    """Correct the roles of some columns; for callbacks.

    The roles of other columns are proposed again, but while some labels are taken away the others
    stay labels.
    """
    labels = {name: role for name, role in proposal.roles.items() if role is Role.LABEL}
    kept = labels if labels.keys() & corrected_roles.keys() else {}
    session.set_corrections({**session.corrections(), **kept, **corrected_roles})


def _apply_corrections(proposal: Proposal, key: str, names: list[str]) -> None:
    edited = session.get_state(key)["edited_rows"]
    correct(proposal, {names[row]: _ROLES[cells["role"]] for row, cells in edited.items()})
