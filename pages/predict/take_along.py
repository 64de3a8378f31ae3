"""The explanation to take along: one web page, JSON, Python lines."""

import html
import json
from collections.abc import Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import plotly.io
import streamlit as st

import labelrank_core
from labelrank_core import Dataset
from labelrank_core.io.writing.file_names import file_stem
from labelrank_core.methods import ModelChoice
from pages.ui import params, parts
from pages.ui.compute import Case

_MOST_TABLE_ROWS = 200
_STYLE = (
    "body {font: 16px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; "
    "padding: 0 1rem; color: #222; background: #fff} table {border-collapse: collapse; "
    "font-size: 14px} td, th {border: 1px solid #ccc; padding: .2rem .5rem; text-align: left} "
    "pre {background: #f4f4f4; padding: 1rem; overflow: auto} .wide {overflow: auto}"
)


def offer(
    dataset: Dataset,
    choice: ModelChoice,
    row: int,
    edits: dict[int, float],
    case: Case,
    drawn: Sequence[Any],
) -> None:
    """Offer the explanation as files."""
    code = parts.python_code(dataset, choice, row, edits)
    line = params.in_a_line_of_text(dataset, choice, row)
    name = f"{file_stem(dataset.name)}-row-{row + 1}"
    with st.container(horizontal=True):
        st.download_button(
            "This explanation as a web page",
            lambda: as_page(line, drawn, code),
            file_name=f"{name}.html",
            mime="text/html",
            icon=":material/download:",
            on_click="ignore",
            help="One file with the pictures, their tables and the Python lines; needs no network.",
        )
        st.download_button(
            "As JSON",
            lambda: as_json(dataset, choice, row, edits, case, code),
            file_name=f"{name}.json",
            mime="application/json",
            icon=":material/data_object:",
            on_click="ignore",
        )


def as_page(line: str, drawn: Sequence[Any], code: str) -> str:
    """Write what a page has drawn as one web page that needs nothing else."""
    body, first = [], True
    for each in drawn:
        if not isinstance(each, parts.Shown):
            body.append(each)
            continue
        figure = go.Figure(each.figure).update_layout(template="plotly_white")
        # The app's theme makes room for names beside the axes; here the figure must.
        figure.update_xaxes(automargin=True).update_yaxes(automargin=True)
        picture = plotly.io.to_html(
            figure, include_plotlyjs=first, full_html=False, config={"displayModeBar": False}
        )
        first = False
        body.append(f'<figure role="img" aria-label="{html.escape(each.alt)}">{picture}</figure>')
        body.append(_table(each.table))
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            f"<title>{html.escape(line)}</title><style>{_STYLE}</style></head><body>",
            f"<h1>Why this prediction?</h1><p>{html.escape(line)}</p>",
            *body,
            f"<h2>The same in Python</h2><pre>{html.escape(code)}</pre>",
            f"<p>LabelRank Lab, labelrank_core {labelrank_core.__version__}</p></body></html>",
        ]
    )


def _table(table: pd.DataFrame) -> str:
    shown = table.head(_MOST_TABLE_ROWS).to_html(
        index=False, border=0, float_format="{:.4g}".format
    )
    return f'<details class="wide"><summary>Table</summary>{shown}</details>'


def as_json(
    dataset: Dataset,
    choice: ModelChoice,
    row: int,
    edits: dict[int, float],
    case: Case,
    code: str,
) -> str:
    """Write an explanation as JSON."""
    features = dataset.schema.frame(case.x[None]).iloc[0]
    whole = {
        "data": {"name": dataset.name, "fingerprint": dataset.fingerprint, "row": row + 1},
        "method": {
            "title": choice.algorithm.title,
            "parameters": dict(choice.params),
            "scaled": choice.scaled,
        },
        "features": [
            {"name": name, "value": value if isinstance(value, str) else float(value)}
            for name, value in features.items()
        ],
        "changed_by_hand": [dataset.feature_names[j] for j in sorted(edits)],
        **case.explanation.as_dict(dataset.label_names),
        "labelrank_core": labelrank_core.__version__,
        "python": code,
    }
    return json.dumps(whole, ensure_ascii=False, indent=1)
