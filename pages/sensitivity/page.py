"""How much the settings of the method matter on these data: the papers' figures."""

import streamlit as st

from labelrank_core.data.splits import smallest_training
from pages.sensitivity import varying
from pages.ui import measuring, parts, state

dataset, choice = state.dataset(), state.choice()

st.title("How much do the settings matter?", anchor=False)
parts.need_features(dataset)
figure = varying.choose(choice)
left, right = st.columns(2)
with left:
    measure = varying.choose_measure(dataset, choice)
with right:
    folds = varying.choose_folds(dataset)
choice = choice.within(smallest_training(folds))
folds = varying.measured(folds, measuring.quick_folds(dataset, choice, figure, folds))
found = measuring.sensitivity(dataset, choice, figure, folds, measure.key)
varying.headline(found, choice, figure, measure)
varying.draw(found, choice, figure, measure)
varying.explain(figure, folds)
parts.download_csv("Every fold (CSV)", found.frame(), f"{dataset.name}-{figure.key}.csv")
parts.python_sensitivity(dataset, choice, figure, folds, measure.key)
