"""The data in use, and files of one's own."""

import streamlit as st

from pages.data import bring, export, overview
from pages.ui import session
from pages.ui.render import widgets

_BRING = "Bring your own"

widgets.render_title("Data", "Look at the data, or bring your own.")
dataset = session.dataset()
is_own = dataset in session.own_data().values()
# Who has brought data looks at them first.
titles = [bring.IN_USE, _BRING] if is_own else [_BRING, bring.IN_USE]
tabs = dict(zip(titles, st.tabs(titles, key=bring.TAB, on_change="rerun"), strict=True))
with tabs[_BRING]:
    bring.render_upload()
    proposal = session.proposal()
    if proposal is not None:
        bring.render_proposal(proposal)
if tabs[bring.IN_USE].open:
    with tabs[bring.IN_USE]:
        if is_own:
            bring.render_in_use(dataset)
        overview.render_overview(dataset)
        export.render_export(dataset)
