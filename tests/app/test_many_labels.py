"""Data with more labels than a picture holds: the first ones, the relevant ones, those searched."""

import re

import numpy as np
import pytest

from labelrank_core import Dataset, Task
from pages.ui import session as ui_session
from tests.app.visits import go_to, ran, session

N_LABELS = 40
NAMES = tuple(f"label number {j}" for j in range(N_LABELS))


@pytest.fixture
def app(monkeypatch):
    """A session that has brought data with 40 labels, of which the last is always relevant."""
    rng = np.random.default_rng(0)
    Y = rng.random((60, N_LABELS)) < 0.1
    Y[:, -1] = True
    data = Dataset(
        X=rng.normal(size=(60, 3)), Y=Y.astype(int), task=Task.MULTILABEL,
        feature_names=["a", "b", "c"], label_names=NAMES, name="many",
    )  # fmt: skip
    monkeypatch.setattr(ui_session, "own_data", lambda: {"many (mine)": data})
    opened = session()
    return ran(opened.selectbox(key="data").set_value("many (mine)").run())


def drawn(app, kind):
    """What stands in the ladder, or in the heads of the first table of label sets."""
    bodies = [each.value for each in app.main if type(each).__name__ == "Html"]
    body = next(each for each in bodies if kind in each)
    return re.findall(r"label number \d+(?=</span>)", body)


def widget(widgets, start):
    return next(each for each in widgets if each.key.startswith(start))


def test_the_first_labels_are_drawn_others_found_or_all_shown(app):
    go_to(app, "pages/predict/page.py")
    first = drawn(app, "lr-ladder")
    row = int(app.number_input(key="row").value) - 1
    dataset = ui_session.own_data()["many (mine)"]
    relevant = {NAMES[j] for j in np.flatnonzero(dataset.relevance[row])}
    assert relevant <= set(first)
    assert len(first) in range(15, 16 + len(relevant))
    assert len(drawn(app, "lr-sets")) in range(15, 16 + len(relevant))
    other = next(j for j, name in enumerate(NAMES) if name not in first)
    ran(widget(app.multiselect, "predict-find").set_value([other]).run())
    assert set(drawn(app, "lr-ladder")) == {*first, NAMES[other]}
    assert NAMES[other] in drawn(app, "lr-sets")
    ran(widget(app.toggle, "predict-all").set_value(True).run())
    assert sorted(drawn(app, "lr-ladder")) == sorted(NAMES)
    assert sorted(drawn(app, "lr-sets")) == sorted(NAMES)


@pytest.mark.usefixtures("everything_open")
def test_figures_of_scores_have_a_row_for_each_label_that_is_drawn(app):
    ran(app.selectbox(key="method").set_value("Shared-subspace least squares").run())
    go_to(app, "pages/predict/page.py")
    shown = drawn(app, "lr-dots")
    assert len(shown) < N_LABELS
    bodies = [each.value for each in app.main if type(each).__name__ == "Html"]
    (rows,) = (each for each in bodies if "</ol>" in each and "lr-bars" in each and "◆" in each)
    assert rows.count('<span class="name"><span class="place">') == len(shown)
    # A dot ends the line of each label.
    (plane,) = (each for each in bodies if "lr-plot" in each and "this case" in each)
    assert len(re.findall(r": shared part [+-]", plane)) == len(shown)


def test_few_labels_need_no_search():
    app = session("pages/predict/page.py", data="yeast")
    assert not [each for each in app.multiselect if each.key.startswith("predict-find")]
