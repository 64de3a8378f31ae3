"""Moves of many visitors go on one after another, in the order in which they came."""

from threading import Event, Thread

import pytest

from pages.ui import compute
from pages.ui.workers import turns
from pages.ui.workers.turns import Turns

LONG = 60


class Visitor:
    """A run in a thread of its own that ends when it is told to."""

    def __init__(self, moves):
        self.moves, self.goes_on, self.may_end = moves, Event(), Event()
        self.gives_way, self.gave_way = Event(), Event()
        self.thread = Thread(target=self.run)
        came = len(moves._queue)
        self.thread.start()
        # Until it stands in the queue, so that the next comes after it.
        while len(moves._queue) == came and not self.goes_on.is_set():
            self.thread.join(0.001)

    def run(self):
        with self.moves.wait():
            self.goes_on.set()
            self.gives_way.wait(LONG)
            self.moves.give_way()
            self.gave_way.set()
            self.may_end.wait(LONG)

    def end(self):
        self.gives_way.set()
        self.may_end.set()
        self.thread.join(LONG)
        assert not self.thread.is_alive()


def test_runs_go_on_in_the_order_in_which_they_came():
    moves = Turns(LONG)
    visitors = [Visitor(moves) for _ in range(4)]
    for place, visitor in enumerate(visitors):
        assert visitor.goes_on.wait(LONG)
        assert not any(later.goes_on.is_set() for later in visitors[place + 1 :])
        visitor.end()
    assert not moves._queue


def test_a_run_that_gives_way_lets_the_next_go_on_before_it_ends():
    moves = Turns(LONG)
    slow, quick, last = (Visitor(moves) for _ in range(3))
    assert slow.goes_on.wait(LONG)
    slow.gives_way.set()
    assert slow.gave_way.wait(LONG)
    assert quick.goes_on.wait(LONG)
    # That the slow one ends says nothing about the one that now goes on.
    slow.end()
    assert not last.goes_on.is_set()
    quick.end()
    assert last.goes_on.wait(LONG)
    last.end()


def test_nobody_waits_for_longer_than_the_patience():
    moves = Turns(0.01)
    first, second = Visitor(moves), Visitor(moves)
    assert first.goes_on.wait(LONG)
    assert second.goes_on.wait(LONG)
    first.end()
    second.end()
    assert not moves._queue


def test_a_run_that_fails_leaves_its_turn():
    moves = Turns(LONG)
    with pytest.raises(ZeroDivisionError), moves.wait():
        raise ZeroDivisionError
    assert not moves._queue


@pytest.mark.parametrize(("seconds", "others_wait"), [(0.1, True), (1.0, False)])
def test_work_that_one_notices_holds_up_nobody_else(seconds, others_wait):
    def waiting():
        return bool(turns.MOVES._queue)

    with turns.MOVES.wait():
        assert waiting()
        key = compute.digest("turns", seconds)
        assert compute.once(key, "Working", waiting, seconds=seconds) is others_wait
