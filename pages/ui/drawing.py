"""Headings, sentences and figures: shown, and recorded for the report to download."""

import html
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from labelrank_core import Dataset
from labelrank_core.explain.evidence import Text
from pages.ui import markup, state, text

# What this run has drawn since it began to record, in order.
_RECORD: ContextVar[list[Any] | None] = ContextVar("record", default=None)
_LARGE: ContextVar[bool] = ContextVar("large", default=False)
_LARGER = 1.3
_FRAME = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
# Where the head of the page goes: above the choices, which are drawn before it.
_HEAD: ContextVar[Any] = ContextVar("head")


@dataclass(frozen=True, eq=False)
class Shown:
    """A drawing as it was shown, HTML or a figure of Plotly."""

    drawn: Any
    alt: str
    table: pd.DataFrame


def new_page() -> None:
    """Start a run: one thread may draw several pages after each other."""
    _LARGE.set(False)
    _RECORD.set(None)
    st.html(f"{markup.STYLE}<style>{_FRAME}</style>")
    _HEAD.set(st.container())


def head() -> Any:
    """Return the place at the top of the page."""
    return _HEAD.get()


def for_a_projector() -> None:
    """Make the page readable from afar: larger words and pictures, no choices."""
    _LARGE.set(True)
    st.html(
        "<style>.st-key-choices {display: none}"
        " .stMain p, .stMain li, .stMain td, .stMain th {font-size: 1.15rem}"
        " .stMain .lr {font-size: 1.2rem}</style>"
    )


def without_choices() -> None:
    """Hide the choices of data and method on a page that does not use them."""
    st.html(
        "<style>.st-key-choices, .stSidebar [data-testid=stSidebarUserContent] {display: none}"
        " @media (min-width: 800px) {.stSidebar, [data-testid=stExpandSidebarButton]"
        " {display: none}}</style>"
    )


def recorded() -> list[Any]:
    """Return a list to which everything is added that this run draws from now on."""
    record: list[Any] = []
    _RECORD.set(record)
    return record


def _record(what: Any) -> None:
    record = _RECORD.get()
    if record is not None:
        record.append(what)


def heading(words: str) -> None:
    """Write a heading in words of this app, not of a user."""
    _record(f"<h2>{html.escape(words)}</h2>")
    st.header(words, anchor=False)


def say(sentence: Text, dataset: Dataset) -> None:
    """Write a sentence of an explanation."""
    words = text.sentence(sentence, dataset.label_names)
    _record(f"<p>{words}</p>")
    st.html(f"<p style='margin:0'>{words}</p>")


def show(markup: str) -> None:
    """Show a drawing made of HTML."""
    _record(markup)
    st.html(markup)


def picture(markup: str, *, key: str, alt: str, table: pd.DataFrame, caption: str = "") -> None:
    """Show a drawing made of HTML with its words, its caption, its table behind a click."""
    whole = f'<figure class="lr" aria-label="{text.attribute(alt)}">{markup}</figure>'
    _record(Shown(whole, alt, table))
    st.html(whole)
    _below(key, table, caption)


def chart(
    figure: Any,
    *,
    key: str,
    alt: str,
    table: pd.DataFrame,
    caption: str = "",
    on_click: Callable[[int], None] | None = None,
) -> None:
    """Show a figure with its words for those who cannot see it, and its table behind a click."""
    _record(Shown(figure, alt, table))
    if _LARGE.get():
        figure.update_layout(font_size=16, height=_LARGER * figure.layout.height)
        figure.update_xaxes(tickfont_size=15, title_font_size=15)
        figure.update_yaxes(tickfont_size=15, title_font_size=15)
        figure.update_traces(textfont_size=15, selector={"type": "bar"})
    clicks: dict[str, Any] = {}
    if on_click is not None:
        clicks = {"selection_mode": "points", "on_select": lambda: _clicked(key, on_click)}
    st.plotly_chart(figure, key=key, alt=alt, config={"displayModeBar": False}, **clicks)
    _below(key, table, caption)


def _below(key: str, table: pd.DataFrame, caption: str) -> None:
    """Put a caption and the table of a drawing on one line under it."""
    with st.container(horizontal=True, gap="small", key=f"below-{key}"):
        if caption:
            st.caption(caption, width="stretch")
        with st.popover("Table", icon=":material/table:", type="tertiary", key=f"{key}-table"):
            st.dataframe(table, hide_index=True)


def _clicked(key: str, on_click: Callable[[int], None]) -> None:
    points = state.get(key)["selection"]["point_indices"]
    if points:
        on_click(points[-1])
