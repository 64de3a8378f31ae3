"""The data in use, and bringing one's own."""

import streamlit as st

from pages.data import bring, export, overview
from pages.ui import session, widgets

widgets.title("Data", "What is in the data, and how do I use my own?")
own, in_use = st.tabs(["Bring your own", "In use now"], key="data_tab", on_change="rerun")
with own:
    bring.upload()
    proposal = session.proposal()
    if proposal is not None:
        bring.confirm(proposal)
    elif session.dataset() in session.own_data().values():
        bring.in_use(session.dataset())
if in_use.open:
    with in_use:
        export.offer(session.dataset())
        overview.show(session.dataset())
