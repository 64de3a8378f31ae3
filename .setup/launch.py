"""Find a free port and become the app's server, in a checkout or installed."""

import argparse
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

from errors import SetupError

ROOT = Path(__file__).resolve().parent.parent
HOST = "127.0.0.1"
PORT = 8501
SITE = "`site FOLDER` instead writes the static site; `site --help` says more."
_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?", re.ASCII)
_HOST_PORT = re.compile(_HOST.pattern + r"(?::[0-9]{1,5})?", re.ASCII)


def start(program, find_python):
    """Read the arguments of `program` and become the server, run by what `find_python` returns.

    With `site` as the first of them, become the command that writes the static site.
    """
    if sys.argv[1:2] == ["site"]:
        return become(site_command(find_python(), sys.argv[2:]))
    options = parse(program, sys.argv[1:])
    python = find_python()
    port = choose_port(options.port)
    show = has_display() and not options.no_browser
    command = server_command(
        python, port, show, hosts=options.allow_host, frames=options.allow_frame
    )
    print(f"LabelRank Lab: http://{HOST}:{port}  (Ctrl-C ends it)", flush=True)
    return become(command)


def become(command):
    """Run a command in place of this program."""
    if os.name == "nt":
        # There, exec would give the prompt back at once and leave the server behind.
        return subprocess.call(command)
    return os.execv(command[0], command)


def site_command(python, arguments):
    """Arguments that write the static site."""
    return [python, "-P", str(ROOT / ".setup" / "site_command.py"), *arguments]


def parse(program, arguments):
    parser = argparse.ArgumentParser(prog=program, description="Start LabelRank Lab.", epilog=SITE)
    parser.add_argument("--port", type=int, help=f"default: {PORT}, or the next free")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    parser.add_argument(
        "--allow-host",
        action="append",
        default=[],
        type=host,
        metavar="HOST",
        help="answer requests for this host too, such as that of a proxy; can be repeated",
    )
    parser.add_argument(
        "--allow-frame",
        action="append",
        default=[],
        type=origin,
        metavar="ORIGIN",
        help="let pages of this origin, such as https://example.org, show the app in a frame",
    )
    return parser.parse_args(arguments)


def host(text):
    """Return the name of a host, or raise ValueError."""
    if not _HOST.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not the name of a host, as in example.org")
    return text


def origin(text):
    """Return an origin, or raise ValueError."""
    scheme, separator, name = text.partition("://")
    if scheme not in ("http", "https") or not separator or not _HOST_PORT.fullmatch(name):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not an origin, as in https://example.org or http://localhost:8000"
        )
    return text


def server_command(python, port, show=False, hosts=(), frames=()):
    """Arguments that start the server; `show` opens the default browser.

    It answers requests for `hosts` too, and pages of the origins in `frames` may show it.
    """
    # -P keeps the modules of this folder out of the app's reach.
    command = [python, "-P", str(ROOT / ".setup" / "serve.py"), str(ROOT / "app.py")]
    allowed = [f"--allow-host={name}" for name in hosts]
    allowed += [f"--allow-frame={name}" for name in frames]
    return [*command, f"--port={port}", *["--browser"] * show, *allowed]


def choose_port(wanted):
    """The wanted port, or without one the first free from 8501."""
    if wanted is not None:
        if not 0 < wanted < 65536 or not is_free(wanted):
            raise SetupError(f"port {wanted} is taken or cannot be used; choose another.")
        return wanted
    for port in range(PORT, PORT + 100):
        if is_free(port):
            return port
    raise SetupError(f"no free port from {PORT} to {PORT + 99}; give one with --port.")


def is_free(port):
    with socket.socket() as probe:
        if os.name != "nt":
            # As the server does: a port that was just closed counts as free.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def has_display():
    if sys.platform in ("darwin", "win32"):
        return "SSH_CONNECTION" not in os.environ
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
