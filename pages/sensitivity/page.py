"""How much the settings of the method matter on these data: the papers' figures."""

import streamlit as st

from labelrank_core.data.splits import smallest_training
from pages.sensitivity import choices, measured, result
from pages.ui import session, snippets, widgets

dataset = session.dataset()

widgets.title("Sensitivity", "How much do the settings of the method matter?")
widgets.need_features(dataset)
figure = choices.figure(session.choice())
left, right = st.columns(2)
with left:
    measure = choices.measure(dataset, session.choice())
with right:
    folds = choices.folds(dataset)
choice = session.choice().within(smallest_training(folds))
folds = measured.chosen_tests(dataset, choice, figure, folds)
found = measured.figure_values(dataset, choice, figure, folds, measure.key)
result.need_values(found, measure)
result.headline(found, choice, figure, measure)
result.picture(found, choice, figure, measure)
result.explain(figure, folds)
widgets.download_csv("Every fold (CSV)", found.frame(), f"{dataset.name}-{figure.key}.csv")
widgets.python_code(snippets.sensitivity(dataset, choice, figure, folds, measure.key))
