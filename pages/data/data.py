"""The data in use, and bringing one's own."""

import streamlit as st

from pages.data import bring, overview
from pages.ui import state

st.title("Data", anchor=False)
in_use, own = st.tabs(["Bring your own", "In use now"])[::-1]
with own:
    bring.upload()
    proposal = state.proposal()
    if proposal is not None:
        bring.confirm(proposal)
with in_use:
    overview.show(state.dataset())
