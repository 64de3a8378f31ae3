"""Signals of the programs that tests start."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def default_sigint() -> Iterator[None]:
    """Start programs that hear Ctrl-C, even where the tests themselves ignore it.

    A program inherits what its parent ignores: `nohup`, `&` in a script and some CI runners ignore
    SIGINT. What the parent handles is back at its default in the child.
    """
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
