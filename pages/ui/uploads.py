"""What visitors brought: data sets, found again after a reload, and files that are looked at.

The browser keeps the key to its own data in a cookie; no link and no page shows it. All of it lives
as long as the server: a client can have everything cleared that Streamlit caches.
"""

import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any

from streamlit import runtime

from labelrank_core import Dataset
from labelrank_core.io import Proposal

COOKIE = "labelrank_uploads"
_KEY = re.compile(r"[\w-]{43}", re.ASCII)
# Data are dropped after a day without a visit, and beyond these bytes the oldest first.
_SECONDS, _MOST_BYTES = 86_400.0, 1 << 29
# Proposals of all sessions together take no more; the one used last is kept whatever its size.
_MOST_PROPOSED = 1 << 30

HowRead = Mapping[str, tuple[tuple[str, ...], Mapping[str, Any]]]


@dataclass(frozen=True, eq=False)
class Kept:
    """What one browser brought: data by the names offered, and how they were read."""

    data: Mapping[str, Dataset]
    how_read: HowRead
    n_bytes: int
    at: float


def new_key() -> str:
    """Return a key that cannot be guessed."""
    return secrets.token_urlsafe(32)


class Uploads:
    """What browsers brought, by their keys, bounded in bytes and time."""

    def __init__(self, max_bytes: int = _MOST_BYTES, seconds: float = _SECONDS) -> None:
        self._max_bytes, self._seconds = max_bytes, seconds
        self._kept: OrderedDict[str, Kept] = OrderedDict()
        self._lock = Lock()

    def keep(self, key: str, data: Mapping[str, Dataset], how_read: HowRead, n_bytes: int) -> None:
        """Keep what a browser brought; nothing: forget it."""
        with self._lock:
            self._kept.pop(key, None)
            if data:
                now = time.monotonic()
                self._kept[key] = Kept(dict(data), dict(how_read), n_bytes, now)
            while sum(each.n_bytes for each in self._kept.values()) > self._max_bytes:
                self._kept.popitem(last=False)

    def find(self, key: Any) -> Kept | None:
        """Return what a browser with a key brought, if it is still kept."""
        if not isinstance(key, str) or not _KEY.fullmatch(key):
            return None
        with self._lock:
            oldest = time.monotonic() - self._seconds
            for known in [known for known, each in self._kept.items() if each.at < oldest]:
                del self._kept[known]
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)


def is_connected(session_id: str) -> bool:
    """Tell whether a browser still shows the page of a session."""
    return not runtime.exists() or runtime.get_instance().is_active_session(session_id)


@dataclass(eq=False)
class _StoredProposal:
    session_id: str
    proposal: Proposal
    n_bytes: int


class Proposals:
    """What files that sessions look at seem to hold, bounded in bytes for all of them together.

    A page that asks for one that was dropped looks at its files again.
    """

    def __init__(
        self, max_bytes: int = _MOST_PROPOSED, is_active: Callable[[str], bool] = is_connected
    ) -> None:
        self._max_bytes, self._is_active = max_bytes, is_active
        self._stored: OrderedDict[str, _StoredProposal] = OrderedDict()
        self._lock = Lock()

    @property
    def n_bytes(self) -> int:
        """The bytes of all of them."""
        with self._lock:
            return sum(stored.n_bytes for stored in self._stored.values())

    def add(self, session_id: str, proposal: Proposal) -> str:
        """Store a proposal of a session; return the key to it."""
        key = new_key()
        with self._lock:
            self._stored[key] = _StoredProposal(session_id, proposal, proposal.n_bytes)
            self._drop_some()
        return key

    def find(self, key: str | None) -> Proposal | None:
        """Return a proposal by its key; None if it was dropped."""
        with self._lock:
            stored = self._stored.get(key or "")
            if stored is None:
                return None
            # It grows with what is read of it.
            stored.n_bytes = stored.proposal.n_bytes
            self._stored.move_to_end(key or "")
            self._drop_some()
            return stored.proposal

    def remove(self, key: str | None) -> None:
        """Forget a proposal."""
        with self._lock:
            self._stored.pop(key or "", None)

    def remove_ended(self) -> None:
        """Forget the proposals of sessions whose tab is closed."""
        with self._lock:
            self._drop_some()

    def _drop_some(self) -> None:
        """Drop those of ended sessions, and beyond the bound those not used for longest."""
        for key, stored in list(self._stored.items()):
            if not self._is_active(stored.session_id):
                del self._stored[key]
        n_bytes = sum(stored.n_bytes for stored in self._stored.values())
        while n_bytes > self._max_bytes and len(self._stored) > 1:
            n_bytes -= self._stored.popitem(last=False)[1].n_bytes


UPLOADS, PROPOSALS = Uploads(), Proposals()
