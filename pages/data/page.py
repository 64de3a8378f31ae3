"""The data in use, and files of one's own."""

import streamlit as st

from pages.data import bring, export, overview
from pages.ui import session, widgets

widgets.title("Data", "What is in the data, and how do I use my own?")
upload_tab, in_use_tab = st.tabs(
    ["Bring your own", "In use now"], key="data_tab", on_change="rerun"
)
with upload_tab:
    bring.render_upload()
    proposal = session.proposal()
    if proposal is not None:
        bring.render_proposal(proposal)
    elif session.dataset() in session.own_data().values():
        bring.render_in_use(session.dataset())
if in_use_tab.open:
    with in_use_tab:
        export.render_export(session.dataset())
        overview.render_overview(session.dataset())
