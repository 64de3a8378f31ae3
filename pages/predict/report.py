"""The explanation as files: one web page, JSON."""

import html
import json
from collections.abc import Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import plotly.io
import streamlit as st

import labelrank_core
from labelrank_core.io.content import file_stem
from pages.ui import drawing, markup, params, widgets
from pages.ui.models import Case
from pages.ui.state import Query

_MOST_TABLE_ROWS = 200
_STYLE = (
    "body {font: 16px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; "
    "padding: 0 1rem; color: #222; background: #fff} table {border-collapse: collapse; "
    "font-size: 14px} td, th {border: 1px solid #ccc; padding: .2rem .5rem; text-align: left} "
    "pre {background: #f4f4f4; padding: 1rem; overflow: auto} .wide {overflow: auto}"
)


def offer(asked: Query, case: Case, drawn: Sequence[Any], code: Sequence[str]) -> None:
    """Offer the explanation as files, what the page has drawn and its Python lines included."""
    name = f"{file_stem(asked.dataset.name)}-row-{asked.row + 1}"
    line = " · ".join(params.facts(asked))
    with st.container(horizontal=True):
        widgets.download(
            "Explanation (web page)",
            lambda: web_page(line, drawn, code),
            f"{name}.html",
            "text/html",
            help="One file with the charts, their tables and the Python code; works offline.",
        )
        widgets.download(
            "Explanation (JSON)",
            lambda: as_json(asked, case, code),
            f"{name}.json",
            "application/json",
            icon=":material/data_object:",
        )


def web_page(line: str, drawn: Sequence[Any], code: Sequence[str]) -> str:
    """Write headings, sentences and figures as one web page that needs nothing else."""
    body, first = [], True
    for each in drawn:
        if not isinstance(each, drawing.Shown):
            body.append(each)
            continue
        if isinstance(each.drawn, str):
            body += [each.drawn, _table(each.table)]
            continue
        figure = go.Figure(each.drawn).update_layout(template="plotly_white")
        # The app's theme makes room for names beside the axes; here the figure must.
        figure.update_xaxes(automargin=True).update_yaxes(automargin=True)
        picture = plotly.io.to_html(
            figure, include_plotlyjs=first, full_html=False, config={"displayModeBar": False}
        )
        first = False
        body.append(f'<figure role="img" aria-label="{html.escape(each.alt)}">{picture}</figure>')
        body.append(_table(each.table))
    lines = html.escape("\n".join(code))
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            f"<title>{html.escape(line)}</title><style>{_STYLE}</style>{markup.STYLE}</head><body>",
            f"<h1>Why this prediction?</h1><p>{html.escape(line)}</p>",
            *body,
            f"<h2>Python code</h2><pre>{lines}</pre>",
            f"<p>LabelRank Lab, labelrank_core {labelrank_core.__version__}</p></body></html>",
        ]
    )


def _table(table: pd.DataFrame) -> str:
    shown = table.head(_MOST_TABLE_ROWS).to_html(
        index=False, border=0, float_format="{:.4g}".format
    )
    return f'<details class="wide"><summary>Table</summary>{shown}</details>'


def as_json(asked: Query, case: Case, code: Sequence[str]) -> str:
    """Write an explanation as JSON: data, method, features, prediction and steps."""
    dataset, choice = asked.dataset, asked.choice
    features = dataset.schema.frame(case.x[None]).iloc[0]
    whole = {
        "data": {
            "name": dataset.name,
            "fingerprint": dataset.fingerprint,
            "row": asked.row + 1,
        },
        "method": {
            "title": choice.algorithm.title,
            "parameters": dict(choice.params),
            "scaled": choice.scaled,
            "tfidf": choice.tfidf,
        },
        "features": [
            {"name": name, "value": value if isinstance(value, str) else float(value)}
            for name, value in features.items()
        ],
        "changed_by_hand": [dataset.feature_names[j] for j in sorted(asked.edits)],
        **case.explanation.as_dict(dataset.label_names),
        "labelrank_core": labelrank_core.__version__,
        "python": "\n".join(code),
    }
    return json.dumps(whole, ensure_ascii=False, indent=1)
