"""Whose file is read next: the smallest, and never one that somebody has given up."""

import threading

import pytest

from labelrank_core.io import slots
from labelrank_core.io.slots import Slots


class GivenUpError(Exception):
    pass


def test_the_smallest_file_that_waits_is_next():
    order, waiting, one = [], threading.Semaphore(0), Slots(1)

    def work(size):
        is_new = True

        def on_wait(waits):
            nonlocal is_new
            assert waits
            if is_new:
                waiting.release()
            is_new = False

        with one.take(size, on_wait):
            order.append(size)

    threads = [threading.Thread(target=work, args=(size,)) for size in (5, 30, 20, 24)]
    with one.take(0):
        for thread in threads:
            thread.start()
        for _ in threads:
            assert waiting.acquire(timeout=30)
    for thread in threads:
        thread.join(30)
    assert order == [5, 20, 24, 30]


def test_who_gives_up_leaves_the_queue_and_the_place(monkeypatch):
    monkeypatch.setattr(slots, "TICK_SECONDS", 0.01)
    one = Slots(1)

    def give_up(_):
        raise GivenUpError

    with one.take(9), pytest.raises(GivenUpError), one.take(1, give_up):
        pass
    with pytest.raises(GivenUpError), one.take(1):
        raise GivenUpError
    entered = []
    with one.take(2, give_up):
        entered.append(2)
    assert entered == [2]
