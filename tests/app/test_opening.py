"""Tables and other parts are drawn once somebody opens them, and nothing is lost by closing."""

import pytest

from tests import parts_open
from tests.app.visits import ran, scroll_to, session

PREDICT = "pages/predict/page.py"


@pytest.fixture
def app(monkeypatch):
    parts_open.set_open(monkeypatch, parts_open.as_visited)
    return session(PREDICT, data="drinks")


def toggled(app, key, is_now_open):
    app.session_state[key] = is_now_open
    return ran(app.run())


def test_a_table_is_drawn_once_it_is_open(app):
    assert not app.dataframe
    app = toggled(app, "beside-predict-neighbors-table", True)
    (table,) = app.dataframe
    assert {"row", "distance", "ranking"} < set(table.value.columns)
    assert not toggled(app, "beside-predict-neighbors-table", False).dataframe


def test_cases_are_offered_once_they_are_asked_for(app):
    (table,) = ran(app.button(key="browse_cases").click().run()).dataframe
    assert table.value.columns[0] == "row"


def test_values_that_were_changed_stay_so_when_they_are_out_of_sight(app):
    app = scroll_to(app, "What if")
    first = len(app.slider)
    app = toggled(app, "changing", True)
    assert len(app.slider) == first + 2
    temperature = next(each for each in app.slider if "temperature" in each.label)
    new = float(temperature.min)
    app = ran(temperature.set_value(new).run())
    app = toggled(app, "changing", False)
    assert len(app.slider) == first
    assert f"→ {new:g}" in app.info[0].value
    app = toggled(app, "changing", True)
    assert new in [each.value for each in app.slider]
