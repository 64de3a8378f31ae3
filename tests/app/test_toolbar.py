"""A moved parameter draws the page alone, as a whole run would draw it, unless more has changed."""

import pytest

from pages.ui import opening, toolbar
from tests.app import visits
from tests.app.visits import facts, ran, sentences, session

PREDICT = "pages/predict/page.py"
# A whole run draws about 30 more, which take a browser and the server as long as the rest.
MOST_DRAWN = 65


@pytest.fixture(autouse=True)
def alone(monkeypatch):
    monkeypatch.setattr(toolbar, "rerun_page", visits.draws_alone)
    monkeypatch.setattr(opening, "is_open", lambda _: False)


def is_whole(app):
    """Tell whether the last run drew the title and the choices, too."""
    assert bool(app.title) == bool(app.sidebar.selectbox)
    return bool(app.title)


def move(app, k):
    return ran(app.slider(key="knn_n_neighbors").set_value(k).run())


@pytest.mark.parametrize("page", [visits.START, PREDICT])
def test_a_move_draws_the_page_alone_and_as_a_whole_run_does(page):
    app = session(page)
    assert is_whole(app)
    before = sentences(app)
    moved = move(app, 9)
    assert not is_whole(moved)
    assert len(list(moved.main)) < MOST_DRAWN
    assert "Similar cases (k) 9" in facts(moved)
    whole = session(page, knn_n_neighbors=9)
    assert "Similar cases (k) 9" in facts(whole)
    changed, *_ = [each for each in sentences(moved) if each.startswith("Similar cases (k) 5 → 9")]
    assert [each for each in sentences(moved) if each != changed] == sentences(whole) != before


def test_the_link_follows_a_move(monkeypatch):
    monkeypatch.setattr(opening, "is_open", lambda _: True)
    (field,) = [each for each in move(session(), 9).text_input if "Opens this" in each.label]
    assert "knn_n_neighbors=9" in field.value


def test_everything_is_drawn_where_more_has_changed():
    app = session()
    row = app.session_state["row"] % 150 + 1
    app.session_state["row"] = row
    moved = move(app, 9)
    assert is_whole(moved)
    assert facts(moved).endswith(f"row {row}")
    assert "Similar cases (k) 9" in facts(moved)


def test_everything_is_drawn_where_the_page_does_not_follow():
    assert is_whole(move(session("pages/evaluate/page.py"), 9))


def test_what_a_link_got_instead_is_not_told_after_a_move():
    app = session(knn_n_neighbors=999)
    assert any("999" in each.value for each in app.info)
    moved = move(app, 9)
    assert not is_whole(moved)
    assert not moved.info
    assert not ran(moved.run()).info
