"""Which method is best for the data in use: a race on the training rows."""

from pages.best_method import race_view
from pages.ui import session
from pages.ui.render import widgets

dataset = session.dataset()
title_slot = widgets.render_title("Best method", "Which method is best for these data?")
widgets.need_features(dataset)
race_view.render_race(dataset, session.choice(), session.split(), title_slot)
