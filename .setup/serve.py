"""The app's server, for the Python in `.venv`: `st.App` behind a guard, on a bound of visitors."""

import argparse
import os
import signal
import socket
import sys
import tempfile
import threading
import webbrowser
from pathlib import Path

import streamlit as st
import uvicorn
from streamlit import config

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / ".setup"))

import hosting  # noqa: E402
from descriptors import PER_SESSION, WANTED, BoundedProtocol, Room, raise_limit  # noqa: E402

# From here on the app's modules are found, by every thread, and those of this folder are not.
sys.path[0] = str(ROOT)
HOST = "127.0.0.1"
_PING_SECONDS = 30
_MOST_WAITING = 128


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("script", type=Path)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--browser", action="store_true", help="open the default browser")
    parser.add_argument("--allow-host", action="append", default=[])
    parser.add_argument("--allow-frame", action="append", default=[])
    options = parser.parse_args()
    os.chdir(ROOT)
    limit = raise_limit()
    BoundedProtocol.room = Room(limit)
    app = st.App(options.script, **hosting.app_arguments(ROOT, options.script, options.allow_frame))
    read_settings()
    if options.allow_host:
        hosts = config.get_option("server.allowedHosts")
        config.set_option("server.allowedHosts", [*hosts, *options.allow_host])
    if limit is not None and limit < WANTED:
        say_limit(limit)
        # A session that has lost its connection would keep three of them for two minutes.
        config.set_option("server.disconnectedSessionTTL", 0)
    listener = socket.create_server((HOST, options.port), backlog=_MOST_WAITING)
    if options.browser:
        # The connection waits until the server takes it.
        url = f"http://{HOST}:{options.port}"
        threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            host=HOST,
            port=options.port,
            http=BoundedProtocol,
            ws="websockets-sansio",
            ws_ping_interval=_PING_SECONDS,
            ws_ping_timeout=_PING_SECONDS,
            ws_max_size=config.get_option("server.maxMessageSize") * 1_000_000,
            ws_per_message_deflate=False,
            # As many are taken at once.
            backlog=_MOST_WAITING if limit is None else min(_MOST_WAITING, limit // 16),
            log_level="warning",
            access_log=False,
            use_colors=False,
            # Open pages are not waited for.
            timeout_graceful_shutdown=1,
        )
    )
    # uvicorn raises the signals that have ended it once more.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: sys.exit(0))
    server.run(sockets=[listener])


def read_settings():
    """Read `.streamlit/config.toml`; what a user has set for other apps in `~` does not hold."""
    names = ("HOME", "USERPROFILE")
    values = {name: os.environ.get(name) for name in names}
    with tempfile.TemporaryDirectory() as empty:
        os.environ.update(dict.fromkeys(names, empty))
        config.get_config_options(force_reparse=True)
    for name, value in values.items():
        if value is None:
            del os.environ[name]
        else:
            os.environ[name] = value


def say_limit(limit):
    print(
        f"LabelRank Lab: the system allows this program {limit} open files and connections at "
        f"once. {limit // PER_SESSION} visitors at a time fit in; `ulimit -n` with a higher "
        "number allows more.",
        file=sys.stderr,
        flush=True,
    )


main()
