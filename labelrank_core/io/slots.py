"""Slots for reading files: small files first, and slow ones never in the way of others."""

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from heapq import heapify, heappop, heappush
from threading import Condition

# So often somebody who waits is asked whether it should go on.
TICK_SECONDS = 0.2

# Called while a file waits or is read: whether it waits for others. What it raises ends the work.
OnWait = Callable[[bool], None]


def go_on(_: bool) -> None:
    """Wait as long as it takes."""


class Slots:
    """A number of slots; of those who wait the one with the smallest file is next."""

    def __init__(self, number: int) -> None:
        self._n_free = number
        self._waiting: list[tuple[int, int]] = []
        self._order = itertools.count()
        self._changed = Condition()

    @contextmanager
    def take(self, n_bytes: int, on_wait: OnWait = go_on) -> Iterator[None]:
        """Wait for a slot for a file of a size, and free it in the end."""
        ticket = (n_bytes, next(self._order))
        with self._changed:
            heappush(self._waiting, ticket)
        try:
            while not self._enter(ticket):
                on_wait(True)
        except BaseException:
            with self._changed:
                self._waiting.remove(ticket)
                heapify(self._waiting)
                self._changed.notify_all()
            raise
        try:
            yield
        finally:
            with self._changed:
                self._n_free += 1
                self._changed.notify_all()

    def _enter(self, ticket: tuple[int, int]) -> bool:
        """Take a slot if it is this one's turn within a moment."""

        def is_next() -> bool:
            return self._n_free > 0 and self._waiting[0] == ticket

        with self._changed:
            if not self._changed.wait_for(is_next, TICK_SECONDS):
                return False
            heappop(self._waiting)
            self._n_free -= 1
            self._changed.notify_all()
            return True
