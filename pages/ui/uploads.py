"""Data sets that visitors brought, kept on the server so that a reload finds them again.

The browser keeps the key to its own data in a cookie; no link and no page shows it.
"""

import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any

from labelrank_core import Dataset

COOKIE = "labelrank_uploads"
_KEY = re.compile(r"[\w-]{43}", re.ASCII)
# Data are dropped after a day without a visit, and beyond these bytes the oldest first.
_SECONDS, _MOST_BYTES = 86_400.0, 1 << 29

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
