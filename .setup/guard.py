"""Who may talk to the app, and what they may say: the middleware before all of Streamlit's."""

import logging
import re
import secrets
from ipaddress import ip_address

from starlette.responses import PlainTextResponse
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

# Scripts are left to Streamlit: its components bring their own.
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    # An address holds what is looked at.
    "Referrer-Policy": "no-referrer",
}
# What pages send. All others are for developers: `clear_cache` empties the caches of all visitors.
MESSAGES = {
    "rerun_script",
    "stop_script",
    "file_urls_request",
    "app_heartbeat",
    "backend_operation_request",
}
# Numbers about the server and all its visitors.
CLOSED_PATH = "/_stcore/metrics"
# The key to what a browser brought, as `pages.ui.uploads` reads it. Scripts cannot read it; `Lax`,
# so that it is not replaced where a link from another site is followed.
COOKIE = "labelrank_visitor"
_COOKIE_SECONDS = 86_400
_OWN_COOKIE = re.compile(rf"(?:^|; *){COOKIE}=([\w-]{{43}})(?:;|$)", re.ASCII)
_PROXY_HEADERS = (b"forwarded", b"x-forwarded-for", b"x-real-ip", b"via")
_LOGGER = logging.getLogger("labelrank_lab")


class Guard:
    """Answers hosts in `server.allowedHosts`, sets headers, and lets pages' messages through.

    `on_disconnect` is called on the thread of the event loop whenever a browser has left.
    """

    def __init__(self, app, frame_origins=(), on_disconnect=None):
        self.app = app
        self.on_disconnect = on_disconnect
        self.headers = [
            (name.lower().encode(), value.encode())
            for name, value in headers(frame_origins).items()
        ]

    async def __call__(self, scope, receive, send):
        """Pass a request or a session on, or refuse it."""
        if scope["type"] == "http":
            await self._answer(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._connect(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _answer(self, scope, receive, send):
        async def send_with_headers(message):
            if message["type"] == "http.response.start":
                names = {name for name, _ in self.headers}
                pairs = [
                    pair for pair in message.get("headers", []) if pair[0].lower() not in names
                ]
                pairs += self.headers
                if is_html(pairs):
                    pairs.append((b"set-cookie", visitor_cookie(scope).encode("latin-1")))
                message = {**message, "headers": pairs}
            await send(message)

        host = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
        app = self.app
        if not is_host_allowed(host):
            app = PlainTextResponse("Unknown host.", 400)
        elif scope["path"].rstrip("/") == CLOSED_PATH:
            app = PlainTextResponse("Not found.", 404)
        await app(scope, receive, send_with_headers)

    async def _connect(self, scope, receive, send):
        # Streamlit compares host and origin itself, but lets in who names no origin.
        headers = dict(scope["headers"])
        if b"origin" not in headers and not is_local(scope.get("client"), headers):
            await receive()
            await send({"type": "websocket.close", "code": 1008})  # before it is accepted: 403
            return

        async def receive_allowed():
            while True:
                message = await receive()
                if message["type"] != "websocket.receive" or is_allowed(message.get("bytes")):
                    return message

        try:
            await self.app(scope, receive_allowed, send)
        finally:
            if self.on_disconnect is not None:
                self.on_disconnect()


def headers(frame_origins=()):
    """Return the headers of every answer; pages of these origins may show the app in a frame."""
    ancestors = " ".join(["'self'", *frame_origins])
    policy = f"object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors {ancestors}"
    # What older browsers know allows no origin but the app's own.
    older = {} if frame_origins else {"X-Frame-Options": "SAMEORIGIN"}
    return {**HEADERS, "Content-Security-Policy": policy, **older}


def is_html(headers):
    """Tell whether the headers of an answer announce a page."""
    types = [value for name, value in headers if name.lower() == b"content-type"]
    return any(value.startswith(b"text/html") for value in types)


def visitor_cookie(scope):
    """Write the cookie that names a browser: the one it has, for another day, or a new one."""
    cookies = b"; ".join(value for name, value in scope["headers"] if name == b"cookie")
    match = _OWN_COOKIE.search(cookies.decode("latin-1"))
    key = match[1] if match else secrets.token_urlsafe(32)
    secure = "; Secure" if scope.get("scheme") == "https" else ""
    age = f"Max-Age={_COOKIE_SECONDS}"
    return f"{COOKIE}={key}; Path=/; {age}; HttpOnly; SameSite=Lax{secure}"


def is_local(client, headers):
    """Tell whether a program on this machine connects by itself, not for another by a proxy."""
    if client is None or any(name in headers for name in _PROXY_HEADERS):
        return False
    try:
        return ip_address(client[0]).is_loopback
    except ValueError:
        return False


def is_allowed(data):
    """Tell whether a message is one that pages send; Streamlit refuses what is no message."""
    try:
        kind = BackMsg.FromString(data or b"").WhichOneof("type")
    except Exception:  # noqa: BLE001
        return True
    if kind is not None and kind not in MESSAGES:
        _LOGGER.warning("Refused a message of a client: %s", kind)
        return False
    return True
