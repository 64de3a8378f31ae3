"""Experiments: several methods on several data sets, fold by fold, run beside the server."""

import streamlit as st

from pages.experiments import new_experiment, run_view
from pages.ui import experiments

st.title("Experiments", anchor=False)
run = experiments.shown()
if run is None:
    new_experiment.draw()
    run_view.list_earlier()
else:
    run_view.draw(run)
