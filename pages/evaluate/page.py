"""Measures of the method on the test rows, beside those of the baselines."""

from labelrank_core.methods import tie_labels
from labelrank_core.metrics import shown_measures
from pages.evaluate import breakdown, decision_rules, quality, tables
from pages.ui import session, toolbar
from pages.ui.render import widgets
from pages.ui.results import evaluations, models

dataset, choice = session.dataset(), session.choice()

widgets.render_title("How good?", "Is the method better than simple rules?")
widgets.need_features(dataset)
split = evaluations.choose_tests(session.split())
toolbar.render_few_tests(dataset, len(split.test))
evaluation = evaluations.of_method(dataset, choice, split)
all_evaluations = [evaluation, *evaluations.of_baselines(dataset, choice, split)]
fitted = models.fitted(dataset, choice, split)
models.render_messages(fitted, choice)
models.render_few_labels(fitted, choice)
measures = shown_measures(evaluation.totals, ties=tie_labels(dataset, choice))
quality.render_quality(measures, all_evaluations, split, is_strict=not choice.predicts_ties)
n_measures = len(measures)
title = f"All {n_measures} measures" if n_measures > 1 else "The measure in numbers"
with widgets.expander(title, "measures_open") as is_drawn:
    if is_drawn:
        tables.render_measures(measures, all_evaluations)
        tables.render_definitions(dataset, measures)
key = evaluations.key_of_method(dataset, choice, split)
breakdown.render_labels_and_cases(dataset, measures, all_evaluations, key)
tables.render_downloads(dataset, all_evaluations, key)
decision_rules.render_decisions(dataset, choice, split)
