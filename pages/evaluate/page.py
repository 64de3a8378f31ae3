"""How good the method is on the test rows, beside the baselines."""

import streamlit as st

from pages.evaluate import behind, deciding, tables
from pages.ui import evaluations, models, session, widgets

dataset, choice = session.dataset(), session.choice()

widgets.title("Evaluate", "How good is the method on cases it has not seen?")
widgets.need_features(dataset)
split = evaluations.chosen_tests(session.split())
own = evaluations.of_method(dataset, choice, split)
measured = [own, *evaluations.of_baselines(dataset, choice, split)]
fitted = models.fitted(dataset, choice, split)
models.render_messages(fitted, choice)
models.render_few_labels(fitted, choice)
tables.headline(measured, split)
tables.measures(dataset, measured)
tables.definitions(dataset, own)
behind.labels_and_cases(dataset, measured)
st.header("Download", anchor=False)
tables.downloads(dataset, measured)
deciding.decide_for_a_measure(dataset, choice, split)
