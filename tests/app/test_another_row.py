"""The case that is drawn at random is another one."""

from itertools import pairwise

import pytest

from pages.ui import session as ui_session


@pytest.fixture
def chosen(monkeypatch):
    """Rows in the order in which they are chosen, the first one before any draw."""
    rows = [2]
    monkeypatch.setattr(ui_session, "row", lambda: rows[-1])
    monkeypatch.setattr(ui_session, "set_row", rows.append)
    return rows


def test_the_row_in_use_is_never_drawn_and_all_others_are(chosen):
    for _ in range(200):
        ui_session.set_another_row(4)
    assert set(chosen) == set(range(4))
    assert all(before != after for before, after in pairwise(chosen))


def test_a_single_row_stays(chosen):
    ui_session.set_another_row(1)
    assert chosen == [2]
