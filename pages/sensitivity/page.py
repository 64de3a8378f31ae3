"""Sensitivity of the method to its settings on these data, as in the papers' figures."""

import streamlit as st

from labelrank_core.data.held_out import HeldOutCases
from labelrank_core.data.splits import smallest_training
from labelrank_core.evaluation.sensitivity.sweep import fitting_measures
from labelrank_core.methods import tie_labels
from labelrank_core.metrics import shown_measures
from pages.sensitivity import choices, measurement, result
from pages.sensitivity.comparison import SettingComparison
from pages.ui import session
from pages.ui.choose.measures import choose_measure
from pages.ui.render import widgets
from pages.ui.render.measured import render_measured_on
from pages.ui.wording import snippets

dataset = session.dataset()

title_slot = widgets.render_title("Sensitivity", "How much do the settings matter?")
widgets.need_features(dataset)
headline_slot = st.container(key="headline")
with st.container(horizontal=True, gap="medium", key="sensitivity_of"):
    figure = choices.choose_figure(dataset, session.choice())
    fitting = [measure.key for measure in fitting_measures(dataset, session.choice())]
    ties = tie_labels(dataset, session.choice())
    measure = choose_measure(shown_measures(fitting, ties=ties), "judged_by")
    folds = choices.choose_folds(dataset)
choices.render_other_figures(session.choice().algorithm, dataset, figure)
choice = session.choice().within(smallest_training(folds))
folds = measurement.choose_tests(dataset, choice, figure, folds)
with title_slot:
    render_measured_on(HeldOutCases.of_folds(folds))
sensitivity = measurement.figure_values(dataset, choice, figure, folds, measure.key)
result.need_values(sensitivity, measure)
comparison = SettingComparison.of(sensitivity, choice, figure, measure)
with headline_slot:
    result.render_headline(sensitivity, figure, measure, comparison)
result.render_means(sensitivity, figure, measure, comparison)
result.render_picture(sensitivity, choice, figure, measure, comparison)
result.render_reading_guide(sensitivity, figure, folds, measure, comparison)
with st.container(horizontal=True):
    result.render_button(choice, comparison)
    widgets.render_csv_download(
        "Every fold (CSV)", sensitivity.frame(), f"{dataset.name}-{figure.key}.csv"
    )
widgets.render_python_code(snippets.sensitivity(dataset, choice, figure, folds, measure.key))
