"""Results of several methods on several data sets, compared by the field's statistics."""

import streamlit as st

from pages.compare import comparison_view
from pages.ui.render import widgets

widgets.render_title(
    "Significance", "Which methods differ significantly in a table of results?", uses_bar=False
)
st.markdown(
    "Paste one line per data set, one column per method. We recompute the ranks and flag what "
    "differs."
)
comparison_view.render_comparison()
