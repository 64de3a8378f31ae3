"""Experiments: several methods on several data sets, fold by fold, run beside the server."""

from pages.experiments import new_experiment, run_view, runs
from pages.ui.render import widgets

run = runs.current_run()
# An experiment has its own data and methods.
widgets.render_title(
    "Experiments",
    "Which method is best, over many data sets and folds?",
)
if run is None:
    new_experiment.render_form()
    run_view.render_earlier()
else:
    run_view.render_run(run)
    widgets.scroll_to_top(key=f"to_top_{run}", height=1)
