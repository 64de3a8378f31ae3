"""How good the method is on the test part, beside the baselines."""

import streamlit as st

from pages.evaluate import behind, deciding, tables
from pages.ui import measuring, parts, state

dataset, choice = state.dataset(), state.choice()

st.title("How good is it?", anchor=False)
parts.need_features(dataset)
split = parts.test_part(state.split(), measuring.quick_split(state.split()))
evaluations = measuring.evaluations(dataset, choice, split)
tables.headline(evaluations, split)
tables.show(evaluations)
tables.definitions(evaluations[0])
behind.draw(dataset, evaluations)

st.subheader("Take it along", anchor=False)
left, right = st.columns(2)
with left:
    parts.download_csv(
        "Table of measures (CSV)", tables.measures(evaluations), f"{dataset.name}-measures.csv"
    )
with right:
    parts.download_csv(
        "Predictions of the test part (CSV)",
        tables.predictions(dataset, evaluations[0]),
        f"{dataset.name}-predictions.csv",
    )

deciding.draw(dataset, choice, split)
