"""A moved parameter draws the page alone, as a whole run would draw it, unless more has changed."""

import pytest

from pages.ui.toolbar import bar as toolbar
from tests import parts_open
from tests.app import visits
from tests.app.visits import bar, facts, ran, sentences, session

PREDICT = "pages/predict/page.py"
# A whole run draws about 30 more, which take a browser and the server as long as the rest.
MOST_DRAWN = 65


@pytest.fixture(autouse=True)
def alone(monkeypatch):
    monkeypatch.setattr(toolbar, "rerun_page", visits.draws_alone)
    parts_open.set_open(monkeypatch, parts_open.none)


def is_whole(app):
    """Tell whether the last run drew the choices of the bar, too."""
    return any(box.key == "data" for box in app.selectbox)


def move(app, k):
    return ran(app.slider(key="knn_n_neighbors").set_value(k).run())


def test_a_move_draws_the_page_alone_and_as_a_whole_run_does():
    app = session(PREDICT)
    assert is_whole(app)
    before = sentences(app)
    moved = move(app, 9)
    assert not is_whole(moved)
    assert len(list(moved.main)) < MOST_DRAWN
    assert "Similar cases (k) 9" in facts(moved)
    whole = session(PREDICT, knn_n_neighbors=9)
    assert "Similar cases (k) 9" in facts(whole)
    changed, *_ = [
        each for each in sentences(moved) if each.startswith("Similar flowers (k) 5 → 9")
    ]
    assert [each for each in sentences(moved) if each != changed] == sentences(whole) != before


def test_the_buttons_and_the_link_follow_a_move():
    moved = bar(move(session(), 9))
    assert moved["method"] == "k-NN label ranking · k 9"
    assert "knn_n_neighbors=9" in moved["link"]


@pytest.mark.parametrize(
    ("link", "says"),
    [
        (
            {"data": "election", "row": 16},
            ["German election 2009", "Hamburg", "k-NN label ranking · k 5"],
        ),
        (
            {"data": "iris", "row": 7, "method": "Label-ranking random forest"},
            ["Iris flowers", "row 7", "Label-ranking random forest · Trees 50"],
        ),
        (
            {"data": "iris", "row": 7, "method": "Label-ranking tree (LRT)"},
            [
                "Iris flowers",
                "row 7",
                "Label-ranking tree (LRT) · Depth of the trees: no limit",
            ],
        ),
    ],
)
def test_the_buttons_say_what_is_chosen(link, says):
    shown = bar(session(**link))
    assert [shown[name] for name in ("data", "case", "method")] == says


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
