"""The link to a view, and the view in words."""

import html
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from pages.ui import compute, session
from pages.ui.render import assistants
from pages.ui.view import CASES, CHANGED, DATA, PINS, UNBOUND, View, encode_changes, write_rows
from pages.ui.wording import text
from pages.ui.wording.choice_text import TASK_TITLES, method_text

# Some programs cut an address after 2000 characters.
_MAX_UNBOUND_CHARACTERS = 1500
# Whoever is sent a copied link is no teacher by it, neither of the handout nor of a class.
TEACHER, CLASS_KEY = "teacher", "class_key"


def view_text(view: View) -> str:
    """Write a view in one line of Markdown."""
    name, *facts = view_facts(view)
    return " · ".join([text.markdown(name), *facts])


def view_facts(view: View) -> list[str]:
    """Write data, task, method and case in a few words each; the first may hold anything."""
    task = TASK_TITLES[view.dataset.task]
    return [view.dataset.name, task, method_text(view.choice), f"row {view.row + 1}"]


def render_link(url: str, left_out: Sequence[str]) -> None:
    """Show the link that the button Share has copied, and the parts left out of it."""
    if assistants.is_reading():
        return
    st.html(
        '<div class="copied">The link is copied. It opens this page as you see it.</div>'
        '<div class="not-copied">Copy this link. It opens this page as you see it.</div>'
        f'<div class="link">{html.escape(url)}</div>'
        '<details class="embed"><summary>Show it in a page of your own</summary>'
        f'<div class="frame-line">{html.escape(frame_line(url))}</div>'
        "<div>This server must allow it. Whoever runs it starts it with <code>--allow-frame</code> "
        "and the address of that page.</div></details>"
    )
    if left_out:
        st.caption(f"Left out, because the link would be too long: {', '.join(left_out)}.")
    if session.get_state(DATA) in session.own_data():
        st.caption(
            "The link does not hold your own data, your changed values or your pins. Others see a "
            "sample instead."
        )


def frame_line(url: str) -> str:
    """Write the element by which a page shows the picture that a link opens.

    >>> frame_line("http://localhost:8501/?data=iris")[:60]
    '<iframe src="http://localhost:8501/?data=iris&amp;embed=true'
    """
    address = html.escape(with_parameters(url, {"embed": "true"}))
    return (
        f'<iframe src="{address}" title="LabelRank Lab" width="100%" height="700" '
        'loading="lazy" style="border: 0"></iframe>'
    )


def render_source(view: View) -> None:
    """Write a caption below a picture in another page, and a link to all of it."""
    sample = compute.known_sample(view.dataset)
    source = "" if sample is None else f" Source: {text.markdown(sample.source)}."
    url, _ = link(view)
    st.caption(f"{view_text(view)}.{source} [Open in LabelRank Lab]({url})")


def with_parameters(url: str, values: Mapping[str, Any]) -> str:
    """Return a link with other values of some query parameters."""
    base, _, query = url.partition("?")
    return f"{base}?{urlencode({**dict(parse_qsl(query)), **values})}" if values else url


def keys_of_bar(view: View) -> list[str]:
    """List the query parameters that do not belong to a page."""
    return [DATA, TEACHER, CLASS_KEY, *UNBOUND, *view.settings]


def link(view: View) -> tuple[str, list[str]]:
    """Return the address of a view, and the titles of its parts that do not fit into it."""
    dataset, row, name = view.dataset, view.row, session.get_state(DATA)
    own_data = session.own_data()
    edits = encode_changes(dataset, row, session.changed_values(dataset, row))
    query = replace(view, edits=edits, pins=session.pins(dataset)).to_query(name)
    sample_rows = {
        sample: sample_row
        for sample, sample_row in session.rows().items()
        if sample not in (name, *own_data)
    }
    if sample_rows:
        query[CASES] = write_rows(sample_rows)
    if name in own_data:
        query.pop(CHANGED, None)
        query.pop(PINS, None)
    left_out, n_left = [], _MAX_UNBOUND_CHARACTERS
    for key, title in UNBOUND.items():
        if key in query:
            length = len(urlencode({key: query[key]}))
            if length > n_left:
                left_out.append(title)
                del query[key]
            else:
                n_left -= length
    of_bar = keys_of_bar(view)
    of_page = {key: word for key, word in st.query_params.items() if key not in of_bar}
    unbound = {key: query.pop(key) for key in UNBOUND if key in query}
    return f"{st.context.url}?{urlencode({**query, **of_page, **unbound})}", left_out
