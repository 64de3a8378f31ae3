"""The first rows of a file under heads that name the role of each column, and change it."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeGuard

import pandas as pd
import streamlit as st

from labelrank_core import Dataset, Task
from labelrank_core.explain.render import target_ranking
from labelrank_core.io import Proposal, Role
from pages.data.roles import ROLE_WORDS
from pages.ui import live, session
from pages.ui.wording.labels import label_chips

_ROLES = list(ROLE_WORDS)
_KEY = "column_heads"
# Of more labels, and of more chains of known pairs, the first ones are drawn.
_N_LABELS, _N_CHAINS = 12, 6
_HERE = Path(__file__).parent

_component = st.components.v2.component(
    "labelrank_column_heads",
    html='<div class="column-heads"></div>',
    css=(_HERE / "column_heads.css").read_text(encoding="utf-8"),
    js=live.script(_HERE / "column_heads.js", "dom"),
)


def render_heads(
    proposal: Proposal,
    head: pd.DataFrame,
    dataset: Dataset | None,
    on_change: Callable[[Mapping[str, Role]], None],
) -> None:
    """Draw the first rows; with `dataset`, which must have all rows, also their rankings.

    `on_change` gets the columns whose role was changed, with the new one.
    """
    names = [str(name) for name in head.columns]
    why = {column.name: column.why for column in proposal.columns}
    columns = [
        {"name": name, "role": _ROLES.index(proposal.roles[name]), "why": why[name]}
        for name in names
    ]
    rows = [["" if pd.isna(cell) else str(cell) for cell in row] for row in head.to_numpy(object)]

    def apply_change() -> None:
        changed = read_change(session.get_state(_KEY, {}).get("change"), names)
        if changed:
            on_change(changed)

    _component(
        key=_KEY,
        data={
            "columns": columns,
            "roles": [
                {"key": str(role), "text": word, "meaning": meaning}
                for role, (word, meaning) in ROLE_WORDS.items()
            ],
            "rows": rows,
            "targets": [] if dataset is None else _targets(dataset, len(rows)),
            "labels": [] if dataset is None else label_chips(dataset.label_names),
        },
        on_change_change=apply_change,
    )


def read_change(message: object, names: Sequence[str]) -> dict[str, Role]:
    """Return the columns and the role that a browser sent; nothing where it sent anything else."""
    if not isinstance(message, dict):
        return {}
    columns, role = message.get("columns"), message.get("role")
    if not isinstance(columns, list) or not all(_is_index(column, names) for column in columns):
        return {}
    if not _is_index(role, _ROLES):
        return {}
    return {names[column]: _ROLES[role] for column in columns}


def _is_index(value: object, items: Sequence[Any]) -> TypeGuard[int]:
    return type(value) is int and 0 <= value < len(items)


def _targets(dataset: Dataset, n_rows: int) -> list[dict[str, Any]]:
    """Return the labels of the first rows, best first, and behind which the zero line stands."""
    targets: list[dict[str, Any]] = []
    for row in range(n_rows):
        if dataset.task is Task.PAIR_PREFERENCES:
            chains = dataset.preferences.chains(row)
            n_more = max(0, len(chains) - _N_CHAINS)
            targets.append({"known_pairs": chains[:_N_CHAINS], "n_more": n_more})
            continue
        ranking = target_ranking(dataset, row)
        targets.append(
            {
                "buckets": ranking.head(_N_LABELS).buckets,
                "n_relevant": ranking.n_relevant,
                "n_more": max(0, len(ranking.order) - _N_LABELS),
            }
        )
    return targets
