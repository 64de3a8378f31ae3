"""The data in use, and bringing one's own."""

import streamlit as st

from pages.data import bring, export, overview
from pages.ui import parts, state, text

st.title("Data", anchor=False)
own, in_use = st.tabs(["Bring your own", "In use now"], key="data_tab", on_change="rerun")
with own:
    bring.upload()
    proposal = state.proposal()
    if proposal is not None:
        bring.confirm(proposal)
    elif state.dataset() in state.own_data().values():
        st.success(
            f"{text.markdown(state.dataset().name)} is in use.", icon=":material/check_circle:"
        )
        predict, evaluate = st.columns(2)
        parts.way_on(predict, "pages/predict/page.py", "Predict & explain", ":material/search:")
        parts.way_on(evaluate, "pages/evaluate/page.py", "Evaluate", ":material/straighten:")
if in_use.open:
    with in_use:
        export.offer(state.dataset())
        overview.show(state.dataset())
