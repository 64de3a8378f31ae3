"""Which method is best for the data in use: a race on the training rows."""

from pages.best_method import race_view
from pages.ui import session
from pages.ui.render import widgets

dataset = session.dataset()
widgets.render_title("Best method", "Which method suits these data?")
widgets.need_features(dataset)
race_view.render_race(dataset, session.choice(), session.split())
