"""Experiments: several methods on several data sets, fold by fold, run beside the server."""

from pages.experiments import new_experiment, run_view, runs
from pages.ui import drawing, widgets

widgets.title("Experiments", "Which method is best, over many data sets and folds?")
run = runs.shown()
if run is None:
    new_experiment.form()
    run_view.list_earlier()
else:
    # An experiment has its own data and methods.
    drawing.without_choices()
    run_view.show(run)
