"""Headings, sentences and figures: shown, or drawn on paper for the report."""

import html
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from labelrank_core import Dataset
from labelrank_core.data.nouns import CASE_AND_LABEL
from labelrank_core.data.schema import number_text
from labelrank_core.explain.evidence import Text
from labelrank_core.explain.render import Picture, markup
from labelrank_core.explain.render.markup.palette import (
    label_color,
    mark_color,
    palette_color,
    plain_colors,
    table_color,
)
from pages.ui import session
from pages.ui.render import assistants, tables
from pages.ui.wording import text
from pages.ui.wording.as_text import text_of

_LARGER = 1.3
# Pixels. No letters of the app are smaller than the first.
_CHART_LETTERS, _LARGE_CHART_LETTERS = 13, 16
_MOST_ROWS = 50
_NOT_BOLD = "<span style='font-weight:400'>"
# The table of a drawing, or what makes it where that takes long.
Table: TypeAlias = pd.DataFrame | Callable[[], pd.DataFrame]


@dataclass
class Output:
    """Where a session draws, which runs one script at a time.

    Parameters
    ----------
    paper : list of str or None
        The parts of a report being drawn; None: the page shows them.
    gathered : list of str or None
        The parts of the next element of a card; None: every part is an element of its own.
    has_large_charts : bool
        Whether charts are read from afar.
    """

    paper: list[str] | None = None
    gathered: list[str] | None = None
    has_large_charts: bool = False


def _output() -> Output:
    return session.live_value("output", Output)


def new_page() -> None:
    """Start a run of a page: nothing of the last one goes on."""
    session.drop_live_value("output")
    session.set_label_colors(())
    session.set_nouns(CASE_AND_LABEL)
    st.html(markup.COLOR_STYLE)


def use_label_colors(dataset: Dataset) -> None:
    """Draw labels from now on in the colours of a data set, where it has some."""
    session.set_label_colors(dataset.label_colors)
    style = markup.label_colors_style(dataset.label_colors)
    st.html(f"{style}<style>{_plot_rules(dataset.label_colors)}</style>")


def use_nouns(dataset: Dataset) -> None:
    """Write sentences from now on with the nouns of a data set for its rows and labels."""
    session.set_nouns(dataset.nouns)


def _plot_rules(colors: Sequence[tuple[str, str]]) -> str:
    """Return rules by which charts follow the theme: they keep the colours of their last run."""
    rules = []
    for label, pair in enumerate(colors):
        for is_dark in (False, True):
            color = mark_color(pair, is_dark=is_dark)
            channels = ", ".join(str(int(color[i : i + 2], 16)) for i in (1, 3, 5))
            rules += [
                f'.js-plotly-plot [style*="{declaration}"] '
                f"{{{declaration.partition(':')[0]}: {label_color(label)} !important}}"
                for declaration in (
                    f"stroke: rgb({channels})",
                    f"fill: rgb({channels})",
                    # As Plotly writes it into texts.
                    f"fill:{color}",
                )
            ]
    return "".join(rules)


def for_a_projector() -> None:
    """Make the words and charts of a page readable from afar."""
    st.html(
        "<style>.stMain :is(p, li, td, th) {font-size: 1.15rem} .stMain .lr {font-size: 1.2rem} "
        "@media (max-width: 640px) {.stMain .lr {font-size: 1rem}} "
        ".stMain :is(input, textarea, [data-baseweb=select] *) {font-size: 1.05rem}</style>"
    )
    _output().has_large_charts = True


def without_frame() -> None:
    """Leave the picture alone, where another page shows it: no menu, no bar, no ways on."""
    st.html(
        "<style>:is([data-testid=stHeader], .st-key-menu, .st-key-evaluate_menu, .st-key-doors), "
        "[data-testid=stLayoutWrapper]:has(> .st-key-bar) {display: none !important} "
        ".stMain .stMainBlockContainer {padding-block: .5rem 1rem}</style>"
    )


def without_main_knob() -> None:
    """Hide the main parameter of the bar on a page that draws one of its own."""
    st.html(
        "<style>.st-key-bar_knob {display: none} .stMain .st-key-bar {min-height: 2.5rem}</style>"
    )


@contextmanager
def on_paper() -> Iterator[list[str]]:
    """Draw on paper instead of the page: a list that gets everything as HTML without scripts."""
    # Reading the session may end the run, which must not happen on the way out.
    output, paper = _output(), list[str]()
    outer, output.paper = output.paper, paper
    try:
        yield paper
    finally:
        output.paper = outer


def is_on_paper() -> bool:
    """Whether a report or handout is being drawn, not the page."""
    return _output().paper is not None


@contextmanager
def card() -> Iterator[None]:
    """Draw a card with a border round it."""
    with st.container(border=True, gap="xsmall"), together():
        yield


@contextmanager
def together() -> Iterator[None]:
    """Draw consecutive parts as one element: a browser takes as long for each, however small.

    A widget in between has to say so by `before_a_widget`.
    """
    output = _output()
    outer, output.gathered = output.gathered, []
    try:
        yield
        before_a_widget()
    finally:
        output.gathered = outer


def before_a_widget() -> None:
    """Draw the gathered parts, so that a widget stands below them."""
    parts = _output().gathered
    if parts:
        render_at_once(f'<div class="lr-parts">{"".join(parts)}</div>')
        parts.clear()


def _is_written(markup: str) -> bool:
    """Add a drawing to the report or the card being drawn; False if there is none."""
    output = _output()
    for parts in (output.paper, output.gathered):
        if parts is not None:
            parts.append(markup)
            return True
    return False


def render_heading(title: str) -> None:
    """Write a heading in words of this app, not of a user."""
    title = with_nouns(title)
    level = "h2" if _output().paper is None else "h3"
    if not _is_written(f"<{level}>{html.escape(title)}</{level}>"):
        st.header(title, anchor=False)


def with_nouns(sentence: str) -> str:
    """Return a sentence in words of this app with the nouns for rows and labels."""
    return session.nouns().insert(sentence)


def render_sentence(sentence: Text, dataset: Dataset) -> None:
    """Write a sentence of an explanation."""
    sentence_html = sentence.html(dataset.label_names, session.nouns())
    if not _is_written(f"<p>{sentence_html}</p>"):
        render_at_once(f"<p style='margin:0'>{sentence_html}</p>")


def render_markdown(markdown: str, more: str = "") -> None:
    """Write a sentence in Markdown; `more`, in words of this app, in a help."""
    _render_text(st.markdown, "<p>", markdown, more)


def render_caption(markdown: str, more: str = "") -> None:
    """Write a caption in Markdown; `more`, in words of this app, in a help."""
    _render_text(st.caption, '<p class="muted">', markdown, more)


def _render_text(render: Callable[..., Any], opening_tag: str, markdown: str, more: str) -> None:
    more = with_nouns(more)
    is_shown = _output().paper is None
    if is_shown and more:
        before_a_widget()
    elif _is_written(f"{opening_tag}{text.from_markdown(f'{markdown} {more}'.strip())}</p>"):
        return
    render(markdown, help=more or None)


def render_table(frame: pd.DataFrame) -> None:
    """Show a small table."""
    paper = _output().paper
    if paper is not None:
        paper.append(f'<div class="wide">{_cells(frame)}</div>')
        return
    before_a_widget()
    st.dataframe(frame, hide_index=True, height=tables.height(len(frame)))


def render_markup(markup: str) -> None:
    """Show a drawing made of HTML."""
    if not _is_written(markup):
        render_at_once(markup)


def render_at_once(markup: str) -> None:
    """Show a drawing as an element of its own; to an assistant, its text."""
    if not assistants.is_reading():
        st.html(markup)
    elif plain_text := text_of(markup):
        st.text(plain_text)


def render_figure(
    markup: str, *, key: str, alt: str, table: Table, caption: str = "", more: str = ""
) -> None:
    """Show a drawing made of HTML with its words, its caption, its table behind a click.

    An assistant gets no table.
    """
    figure_html = _figure_html(alt, markup)
    paper = _output().paper
    if paper is not None:
        paper.append(figure_html + _caption_and_table_html(table, caption))
        return
    render_markup(figure_html)
    _render_below(key, table, caption, more)


def _figure_html(alt: str, markup: str, look: str = "lr") -> str:
    return f'<figure class="{look}" aria-label="{text.attribute(alt)}">{markup}</figure>'


def _render_stacked(picture: Picture, *, key: str, table: Table) -> None:
    """Show a drawing upon the one behind it, each as an element of its own.

    A browser cleans and styles all HTML of an element anew, so what changes is kept small.
    """
    before_a_widget()
    if assistants.is_reading():
        st.text(picture.alt)
        return
    with st.container(key=f"stacked-{key}"):
        render_at_once(f'<div class="lr">{picture.behind}</div>')
        render_at_once(_figure_html(picture.alt, picture.markup, "lr on-top"))
    _render_below(key, table)


def _render_below(key: str, table: Table, caption: str = "", more: str = "") -> None:
    if assistants.is_reading():
        # The text of the drawing is as good as its table.
        if caption:
            render_caption(caption)
        return
    render_caption_and_table(key, table, caption, more)


def render_picture(picture: Picture, *, key: str, detailed: Table | None = None) -> None:
    """Show a drawing of evidence below its caption, with a more detailed table than its own.

    One without a drawing has its caption alone, or else its table.
    """
    if picture.caption:
        render_markdown(with_nouns(picture.caption))
    key, numbers = f"{key}-{picture.key}", picture.numbers if detailed is None else detailed
    if picture.behind and _output().paper is None:
        _render_stacked(picture, key=key, table=numbers)
    elif picture.markup:
        render_figure(picture.whole_markup, key=key, alt=picture.alt, table=numbers)
    elif not picture.caption:
        render_table(picture.table)


def render_chart(
    figure: Any,
    *,
    key: str,
    alt: str,
    table: Table,
    caption: str = "",
    more: str = "",
    on_click: Callable[[int], None] | None = None,
) -> None:
    """Show a figure of Plotly with its words for those who cannot see it; its table by a click.

    `more` is said in a help behind the caption. A report has no figures of Plotly.
    """
    _set_letters(figure)
    _as_text(figure)
    figure = _in_label_colors(figure)
    clicks: dict[str, Any] = {}
    if on_click is not None:
        clicks = {"selection_mode": "points", "on_select": lambda: _clicked(key, on_click)}
    before_a_widget()
    if assistants.is_reading():
        st.text(alt)
    else:
        st.plotly_chart(figure, key=key, alt=alt, config={"displayModeBar": False}, **clicks)
    render_caption_and_table(key, table, caption, more)


def _set_letters(figure: go.Figure) -> None:
    """Set the size of all letters of a figure: the theme's own are too small to be read well."""
    size = _CHART_LETTERS
    if _output().has_large_charts:
        size = _LARGE_CHART_LETTERS
        figure.update_layout(height=_LARGER * figure.layout.height)
    figure.update_layout(font_size=size, legend_font_size=size)
    figure.update_xaxes(tickfont_size=size, title_font_size=size)
    figure.update_yaxes(tickfont_size=size, title_font_size=size)
    figure.update_traces(textfont_size=size, selector={"type": "bar"})
    figure.update_traces(colorbar_tickfont_size=size, selector={"type": "heatmap"})


def _in_label_colors(figure: go.Figure) -> go.Figure:
    """Return a figure with plain colours for the theme of the page: Plotly reads no properties."""
    figure_json = figure.to_json()
    is_dark = st.context.theme.type == "dark"
    plain_json = plain_colors(figure_json, session.label_colors(), is_dark=is_dark)
    return figure if plain_json == figure_json else go.Figure(json.loads(plain_json))


def table_colors(n_labels: int) -> list[str]:
    """Return the colours of the labels in use, for a table in the theme of the page."""
    colors = session.label_colors()
    is_dark = st.context.theme.type == "dark"
    return [
        table_color(colors[label][is_dark] if colors else palette_color(label))
        for label in range(n_labels)
    ]


def _as_text(figure: go.Figure) -> None:
    """Write a figure's title, which explains its colours, like text: Streamlit makes it bold."""
    title = figure.layout.title
    if title.text and not title.text.startswith(_NOT_BOLD):
        title.text = f"{_NOT_BOLD}{title.text}</span>"
        title.font.family = '"Source Sans", sans-serif'


def render_caption_and_table(key: str, table: Table, caption: str, more: str = "") -> None:
    """Put a caption and the table of a drawing on one line under it."""
    parts = _output().gathered
    if parts is not None and not more:
        if not parts and not caption:
            # There is no line of words to stand beside.
            render_table_popover(f"alone-{key}", table)
            return
        # The style sheet lifts the button beside the caption.
        parts.append(f'<p class="muted under">{text.from_markdown(caption)}</p>')
        before_a_widget()
        render_table_popover(f"beside-{key}", table)
        return
    before_a_widget()
    with st.container(horizontal=True, gap="small", key=f"below-{key}"):
        if caption:
            st.caption(caption, width="stretch", help=more or None)
        render_table_popover(key, table)


def render_table_popover(key: str, table: Table) -> None:
    """Offer the table of a drawing behind a click."""
    popover = st.popover(
        "Table", icon=":material/table:", type="tertiary", key=f"{key}-table", on_change="rerun"
    )
    if popover.open:
        popover.dataframe(_frame(table), hide_index=True)


def _frame(table: Table) -> pd.DataFrame:
    return table() if callable(table) else table


def _caption_and_table_html(table: Table, caption: str) -> str:
    """Return caption and table of a drawing as HTML, the table to open where there are scripts."""
    cells = _cells(_frame(table).head(_MOST_ROWS))
    caption_html = f'<p class="muted">{text.from_markdown(caption)}</p>' if caption else ""
    return (
        f'{caption_html}<details><summary>Table</summary><div class="wide">{cells}</div></details>'
    )


def _cells(table: pd.DataFrame) -> str:
    return table.to_html(index=False, border=0, float_format=number_text)


def _clicked(key: str, on_click: Callable[[int], None]) -> None:
    points = session.get_state(key)["selection"]["point_indices"]
    if points:
        on_click(points[-1])
