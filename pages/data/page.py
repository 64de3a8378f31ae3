"""The data in use, and files of one's own."""

import streamlit as st

from pages.data import bring, export, overview
from pages.ui import session
from pages.ui.render import widgets

widgets.render_title("Data", "Look at data, or bring your own.")
dataset = session.dataset()
titles = [bring.IN_USE, bring.YOUR_OWN]
tabs = dict(
    zip(
        titles,
        st.tabs(titles, key=bring.TAB, on_change="rerun", bind="query-params"),
        strict=True,
    )
)
with tabs[bring.YOUR_OWN]:
    bring.render_upload()
    proposal = session.proposal()
    if proposal is not None:
        bring.render_proposal(proposal)
if tabs[bring.IN_USE].open:
    with tabs[bring.IN_USE]:
        if dataset in session.own_data().values():
            bring.render_in_use(dataset)
        overview.render_overview(dataset)
        export.render_export(dataset)
