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
from pages.ui.render.measured import render_other_cases
from pages.ui.wording import measure_text, snippets

dataset = session.dataset()

widgets.render_title("Sensitivity", "How much do the settings matter?")
widgets.need_features(dataset)
figure = choices.choose_figure(dataset, session.choice())
headline_slot = st.container(key="headline")
picture_slot = st.container(key="sensitivity_picture")
with st.expander("Measure, folds and CSV"):
    with st.container(horizontal=True, gap="medium", key="sensitivity_of"):
        fitting = [measure.key for measure in fitting_measures(dataset, session.choice())]
        ties = tie_labels(dataset, session.choice())
        measure = choose_measure(shown_measures(fitting, ties=ties), "judged_by")
        folds = choices.choose_folds(dataset)
    choice = session.choice().within(smallest_training(folds))
    folds = measurement.choose_tests(dataset, choice, figure, folds)
    download_slot = st.container()
with picture_slot:
    sensitivity = measurement.figure_values(dataset, choice, figure, folds, measure.key)
    result.need_values(sensitivity, measure)
comparison = SettingComparison.of(sensitivity, choice, figure, measure)
with headline_slot:
    result.render_headline(sensitivity, figure, measure, comparison)
    result.render_button(choice, comparison)
with picture_slot:
    counted = measure_text.counted_of(measure, is_strict=not choice.predicts_ties)
    result.render_means(sensitivity, figure, measure, comparison, counted)
    result.render_reading_guide(sensitivity, figure, folds, measure, comparison)
    cases = HeldOutCases.of_folds(folds)
    result.render_picture(sensitivity, choice, figure, measure, comparison, cases)
    if len(folds) > 1:
        render_other_cases("evaluate", "How good? tests one split: slightly other numbers")
with download_slot:
    widgets.render_csv_download(
        "Every fold (CSV)", sensitivity.frame(), f"{dataset.name}-{figure.key}.csv"
    )
widgets.render_python_code(snippets.sensitivity(dataset, choice, figure, folds, measure.key))
