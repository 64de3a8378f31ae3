"""Short runs of many visitors one after another.

Only one of them can go on at a time anyway, and to change between them at every message costs each
of them a third more.
"""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event, Lock

# As long as somebody else's run may take before one no longer waits for it.
_PATIENCE_SECONDS = 1.0


class Turns:
    """Lets runs go on in the order in which they came; none waits longer than `patience`."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._lock = Lock()
        self._queue: deque[Event] = deque()
        # Of each run's thread: work deep in a run gives way without being handed its turn
        # (`tests/app/test_turns.py`). `tests/benchmarks/crowd.py` measures what turns are worth.
        self._turn: ContextVar[Event | None] = ContextVar("turn", default=None)

    @contextmanager
    def wait(self) -> Iterator[None]:
        """Wait until the runs before this one have ended; the next waits until this one has."""
        turn = Event()
        with self._lock:
            self._queue.append(turn)
            self._queue[0].set()
        turn.wait(self._patience)
        token = self._turn.set(turn)
        try:
            yield
        finally:
            self._turn.reset(token)
            self._leave(turn)

    def give_way(self) -> None:
        """Let the other runs go on: the next work of this one takes a while."""
        turn = self._turn.get()
        if turn is not None:
            self._leave(turn)

    def _leave(self, turn: Event) -> None:
        with self._lock:
            if turn in self._queue:
                self._queue.remove(turn)
            if self._queue:
                self._queue[0].set()


# The turns of all visitors of this server.
MOVES = Turns(_PATIENCE_SECONDS)
