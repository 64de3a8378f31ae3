"""Streamlit's command line, for the Python in `.venv`, behind a guard of hosts and headers."""

from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from streamlit.runtime.pages_manager import PagesManager
from streamlit.web.cli import main
from streamlit.web.server.starlette import starlette_app
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

# Scripts are left to Streamlit: its components bring their own.
HEADERS = {
    "Content-Security-Policy": (
        "object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'"
    ),
    "X-Frame-Options": "SAMEORIGIN",
    "X-Content-Type-Options": "nosniff",
    # An address holds what is looked at.
    "Referrer-Policy": "no-referrer",
}
_BYTES = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]


class Guard:
    """Answers only hosts in `server.allowedHosts`, and sets the headers of every answer."""

    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":  # Streamlit looks at the host of a session itself.
            await self.app(scope, receive, send)
            return

        async def guarded(message):
            if message["type"] == "http.response.start":
                names = {name for name, _ in _BYTES}
                own = [each for each in message.get("headers", []) if each[0].lower() not in names]
                message = {**message, "headers": [*own, *_BYTES]}
            await send(message)

        host = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
        app = self.app if is_host_allowed(host) else PlainTextResponse("Unknown host.", 400)
        await app(scope, receive, guarded)


# Beside a folder `pages`, a server's first visitor by a deep link is told 'Page not found',
# because st.navigation has not yet been called to say otherwise.
PagesManager.uses_pages_directory = False

# Before all that Streamlit does itself; its command line has no option for it.
own_middleware = starlette_app.create_streamlit_middleware
starlette_app.create_streamlit_middleware = lambda: [Middleware(Guard), *own_middleware()]

main(prog_name="streamlit")
