"""A bound on attempts, such as wrong codes, for one client and for all of them together."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

# Clients that have not tried for long are forgotten; their bucket is full again by then.
_MOST_CLIENTS = 1024


@dataclass
class Bucket:
    """Tokens that attempts take, and that come back with time, up to a number."""

    size: float
    per_second: float
    tokens: float
    time: float

    def refill(self, now: float) -> None:
        """Add the tokens of the time since the last call."""
        gained = (now - self.time) * self.per_second
        self.tokens, self.time = min(self.size, self.tokens + gained), now


class Limiter:
    """Allows some attempts at once, and then as many a minute, for a client and in all."""

    def __init__(self, per_client: int, in_all: int, clock: Callable[[], float]) -> None:
        """Take the numbers of attempts at once and a minute, and a clock in seconds."""
        self._per_client, self._clock = per_client, clock
        self._all = Bucket(in_all, in_all / 60, in_all, clock())
        self._clients: OrderedDict[str, Bucket] = OrderedDict()
        self._lock = Lock()

    def allows(self, client: str) -> bool:
        """Tell whether a client may try now."""
        with self._lock:
            return self._bucket(client).tokens >= 1 and self._all.tokens >= 1

    def take_token(self, client: str) -> None:
        """Take a token of a client, and one of all."""
        with self._lock:
            self._bucket(client).tokens -= 1
            self._all.tokens -= 1

    def _bucket(self, client: str) -> Bucket:
        now = self._clock()
        self._all.refill(now)
        bucket = self._clients.pop(client, None)
        if bucket is None:
            bucket = Bucket(self._per_client, self._per_client / 60, self._per_client, now)
        bucket.refill(now)
        self._clients[client] = bucket
        if len(self._clients) > _MOST_CLIENTS:
            self._clients.popitem(last=False)
        return bucket
