"""File descriptors: as many as the system allows, and visitors refused before none is left."""

import gc
import os
import sys
import time

from uvicorn.protocols.http.h11_impl import H11Protocol

# A visitor takes one for the connection, three for Streamlit's event loop, and up to six for a
# moment while the browser loads the page; many may come at once: enough for 341 visitors.
WANTED = 4096
PER_SESSION = 12
_SECONDS_BETWEEN_COLLECTIONS = 2.0
_BUSY = "The server has too many visitors at the moment. Try again in a few seconds."
_ANSWER = (
    "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nConnection: close\r\n"
    f"Content-Type: text/plain; charset=utf-8\r\nContent-Length: {len(_BUSY)}\r\n\r\n{_BUSY}"
).encode()


def raise_limit():
    """Raise the soft limit to `WANTED` or the hard one; return the limit, None: there is none."""
    if sys.platform == "win32":
        return None
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    is_endless = hard == resource.RLIM_INFINITY
    if soft != resource.RLIM_INFINITY and soft < WANTED:
        try:
            soft = WANTED if is_endless else min(WANTED, hard)
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        except (ValueError, OSError):  # macOS has one more limit, which it does not tell
            soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return None if soft == resource.RLIM_INFINITY else soft


class Room:
    """Knows whether there is room for one more connection or session.

    The system gives what is opened the lowest free number: as many are in use at least. A quarter
    of the limit is kept for files, child programs and what has just been let in. Connections that
    are not sessions take a quarter at most: sessions that have been let in open theirs later, and
    a rush of other connections would leave none for them.
    """

    def __init__(self, limit):
        self._limit = limit
        self._collected = 0.0

    def has_room(self, lowest_free):
        """Tell whether few enough descriptors are in use; free those of lost sessions if not."""
        if self._limit is None or lowest_free < self._limit - self._limit // 4:
            return True
        if time.monotonic() - self._collected > _SECONDS_BETWEEN_COLLECTIONS:
            gc.collect()
            self._collected = time.monotonic()
        return False

    def is_full(self, lowest_free, n_connections):
        """Tell whether not even a refusal can be answered."""
        if self._limit is None:
            return False
        return lowest_free >= self._limit - self._limit // 8 or n_connections > self._limit // 4

    def has_room_for_session(self, n_sessions):
        """Tell whether one more visitor can be let in."""
        if self._limit is not None and n_sessions >= self._limit // PER_SESSION:
            return False
        probe = os.open(os.devnull, os.O_RDONLY)
        os.close(probe)
        return self.has_room(probe)


class BoundedProtocol(H11Protocol):
    """A connection that is refused when few descriptors are left, and closed when it is silent."""

    # Set before the server starts.
    room = Room(None)
    is_refused = False

    def connection_made(self, transport):
        """Take a connection, which must say something within the time of a silent one."""
        super().connection_made(transport)
        self.timeout_keep_alive_task = self.loop.call_later(
            self.timeout_keep_alive, self.timeout_keep_alive_handler
        )
        descriptor = transport.get_extra_info("socket").fileno()
        self.is_refused = not self.room.has_room(descriptor)
        # Sessions are connections of another protocol.
        n_connections = sum(isinstance(other, H11Protocol) for other in self.connections)
        if self.room.is_full(descriptor, n_connections):
            transport.abort()

    def data_received(self, data):
        """Read a request, or refuse it."""
        if self.is_refused:
            self._refuse()
        else:
            super().data_received(data)

    def handle_websocket_upgrade(self, event):
        """Let a session begin, or refuse it."""
        n_sessions = sum(not isinstance(other, H11Protocol) for other in self.connections)
        if self.room.has_room_for_session(n_sessions):
            super().handle_websocket_upgrade(event)
        else:
            self._refuse()

    def _refuse(self):
        self.transport.write(_ANSWER)
        self.transport.close()
