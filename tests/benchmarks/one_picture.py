"""The least that an app with a picture does: a slider, a sentence, a table and a bar chart."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

values = np.random.default_rng(0).normal(size=(5000, 20))
k = st.slider("Similar cases (k)", 1, 50, 5)
st.html(f"<p class='summary'>The first {k} of 5000 rows.</p>")
st.dataframe(pd.DataFrame(values[:10] * k))
st.plotly_chart(go.Figure(go.Bar(y=values[:k].mean(axis=0))))
