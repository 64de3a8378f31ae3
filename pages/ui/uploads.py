"""Uploads and edits of visitors, restored after a reload, and files being inspected.

The browser keeps the key to its workspace in a cookie that the server sets; no script, link or page
shows it. All of it lives as long as the server: a client can have everything cleared that Streamlit
caches.
"""

import ctypes
import gc
import pickle
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from labelrank_core import Dataset
from labelrank_core.io import Proposal
from pages.ui.view import Value, View

COOKIE = "labelrank_visitor"
_KEY = re.compile(r"[\w-]{43}", re.ASCII)
# Workspaces are dropped after a day without a visit, and beyond these bytes the oldest first.
_SECONDS, _MAX_BYTES = 86_400.0, 1 << 29
# Beside data, a workspace holds at most 50 changed cases and a few pins a data set.
_BYTES_WITHOUT_DATA = 1 << 14
# Proposals of all sessions together take no more; the one used last is kept whatever its size.
_MAX_PROPOSAL_BYTES = 1 << 30
# What browsers that have left had brought: for two minutes a session goes on when its browser comes
# back, but beyond these bytes those that came first end at once.
_MAX_LEFT_BYTES = 1 << 26


@dataclass(frozen=True, eq=False)
class Workspace:
    """The uploads and edits of one browser.

    Data sets by the names offered; by fingerprint, the files and choices they were read with;
    values changed by hand, by fingerprint and row; pins by fingerprint; chosen rows by name.
    """

    data: Mapping[str, Dataset] = field(default_factory=dict)
    how_read: Mapping[str, tuple[tuple[str, ...], Mapping[str, Any]]] = field(default_factory=dict)
    changed: Mapping[tuple[str, int], Mapping[int, Value]] = field(default_factory=dict)
    pins: Mapping[str, tuple[View, ...]] = field(default_factory=dict)
    rows: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to restore."""
        return not (self.data or self.changed or any(self.pins.values()) or self.rows)


@dataclass(eq=False)
class _StoredWorkspace:
    workspace: Workspace
    n_bytes: int
    stored_at: float


def new_key() -> str:
    """Return a key that cannot be guessed."""
    return secrets.token_urlsafe(32)


def is_key(key: Any) -> bool:
    """Tell whether a value has the form of a key."""
    return isinstance(key, str) and _KEY.fullmatch(key) is not None


def size_in_bytes(value: Any) -> int:
    """Measure a result with all arrays it holds, which are not copied for it."""
    arrays: list[pickle.PickleBuffer] = []
    pickled = pickle.dumps(value, protocol=5, buffer_callback=arrays.append)
    return len(pickled) + sum(array.raw().nbytes for array in arrays)


class Workspaces:
    """The workspaces of browsers, by their keys, bounded in bytes and time."""

    def __init__(self, max_bytes: int = _MAX_BYTES, seconds: float = _SECONDS) -> None:
        self._max_bytes, self._seconds = max_bytes, seconds
        self._stored: OrderedDict[str, _StoredWorkspace] = OrderedDict()
        self._sizes: dict[str, int] = {}
        self._lock = Lock()

    def store(self, key: str, workspace: Workspace) -> None:
        """Store the workspace of a browser; an empty one is forgotten."""
        n_bytes = _BYTES_WITHOUT_DATA + sum(map(self._size, workspace.data.values()))
        with self._lock:
            self._stored.pop(key, None)
            if not workspace.is_empty:
                self._stored[key] = _StoredWorkspace(workspace, n_bytes, time.monotonic())
            while sum(stored.n_bytes for stored in self._stored.values()) > self._max_bytes:
                self._stored.popitem(last=False)
            fingerprints = {
                data.fingerprint
                for stored in self._stored.values()
                for data in stored.workspace.data.values()
            }
            self._sizes = {key: n for key, n in self._sizes.items() if key in fingerprints}

    def _size(self, dataset: Dataset) -> int:
        if dataset.fingerprint not in self._sizes:
            self._sizes[dataset.fingerprint] = size_in_bytes(dataset)
        return self._sizes[dataset.fingerprint]

    def find(self, key: Any) -> Workspace | None:
        """Return the workspace of a browser with a key, if it is still stored."""
        if not is_key(key):
            return None
        with self._lock:
            oldest = time.monotonic() - self._seconds
            for old_key in [k for k, stored in self._stored.items() if stored.stored_at < oldest]:
                del self._stored[old_key]
            if key not in self._stored:
                return None
            self._stored.move_to_end(key)
            return self._stored[key].workspace


def session_id() -> str:
    """Return the number of this session, "" in tests without a server.

    Streamlit does not tell it in public; without it nobody could know that the tab is closed whose
    files are looked at (`tests/app/test_bringing.py`).
    """
    context = get_script_run_ctx(suppress_warning=True)
    return "" if context is None else context.session_id


def is_connected(session_id: str) -> bool:
    """Tell whether a browser still shows the page of a session."""
    return not runtime.exists() or runtime.get_instance().is_active_session(session_id)


@dataclass(eq=False)
class _StoredProposal:
    session_id: str
    proposal: Proposal
    n_bytes: int


class Proposals:
    """The proposals of files that sessions inspect, bounded in bytes for all of them together.

    A page that asks for one that was dropped looks at its files again.
    """

    def __init__(
        self, max_bytes: int = _MAX_PROPOSAL_BYTES, is_active: Callable[[str], bool] = is_connected
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


WORKSPACES, PROPOSALS = Workspaces(), Proposals()


def release_left_files() -> bool:
    """Forget the proposals of closed tabs, and end their sessions beyond a bound of file sizes.

    Tell whether any has ended. Must be called on the thread of the server's event loop.
    """
    PROPOSALS.remove_ended()
    server = runtime.get_instance()
    sizes = left_sizes(server)
    ended = oldest_beyond(sizes, _MAX_LEFT_BYTES)
    for session_id in ended:
        server.close_session(session_id)
        # Files of a session that had ended before they came.
        server.uploaded_file_mgr.remove_session_files(session_id)
    return bool(ended)


def left_sizes(server: runtime.Runtime) -> dict[str, int]:
    """Return the bytes of the files of each session without a browser, the first to come first."""
    # Streamlit does not tell in public who has brought how much.
    stored = list(getattr(server.uploaded_file_mgr, "file_storage", {}).items())
    return {
        session_id: sum(len(file.data) for file in list(files.values()))
        for session_id, files in stored
        if not server.is_active_session(session_id)
    }


def oldest_beyond(sizes: Mapping[str, int], max_bytes: int) -> list[str]:
    """Return the first keys, without which the sizes of the others are within a bound."""
    n_bytes, oldest = sum(sizes.values()), []
    for key, size in sizes.items():
        if n_bytes <= max_bytes:
            break
        oldest.append(key)
        n_bytes -= size
    return oldest


def free_memory() -> None:
    """Free large objects that nothing reaches, and give their memory back to the system."""
    gc.collect()
    # glibc keeps blocks of megabytes that are freed, such as uploads, once it has seen larger ones.
    # Other systems have no such function, and Windows no such library.
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
