"""The heartbeat of a runner, by which it also learns that it must stop."""

import time
from dataclasses import dataclass
from threading import Event
from typing import Literal

from labelrank_core.experiments.database import StoreError
from labelrank_core.experiments.store import HEARTBEAT_TIMEOUT_SECONDS, Store

PULSE_SECONDS = 1.0


@dataclass(frozen=True)
class Stop:
    """Why a runner must stop before its experiment is done."""

    reason: Literal["cancelled", "deleted", "replaced", "lost"]
    message: str


def pulse(store: Store, name: str, runner: str, over: Event) -> Stop | None:
    """Send heartbeats until `over` is set; return the reason if the runner must stop before."""
    last = time.monotonic()
    while True:
        try:
            if not store.heartbeat(name, runner):
                return None if over.is_set() else _stop(store, name, runner)
            last = time.monotonic()
        except StoreError as error:
            # Other programs consider this one dead by now, and may have begun its work.
            if time.monotonic() - last > HEARTBEAT_TIMEOUT_SECONDS:
                return Stop("lost", str(error))
        if over.wait(PULSE_SECONDS):
            return None


def _stop(store: Store, name: str, runner: str) -> Stop:
    try:
        state = store.status(name).state
    except KeyError:
        return Stop("deleted", "Deleted.")
    if state in ("cancelling", "cancelled"):
        store.end(name, runner, "cancelled")
        return Stop("cancelled", "Cancelled; the same command goes on from here.")
    return Stop("replaced", "Another program runs this experiment now.")
