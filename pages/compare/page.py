"""Results of several methods on several data sets, compared by the field's statistics."""

import streamlit as st

from pages.compare import comparing

st.title("Compare results", anchor=False)
st.markdown(
    "Paste a table of results, one line a data set and one column a method. Ranks and statistics "
    "are computed again, and what is printed otherwise is named."
)
comparing.draw()
