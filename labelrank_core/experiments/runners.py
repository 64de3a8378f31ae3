"""Names of the programs that run experiments, and whether one of them has ended."""

import os
import socket
from pathlib import Path
from secrets import token_hex

_SEPARATOR = "|"


def new_runner() -> str:
    """Return a name for this program that no other has: machine, process id, its start, a token."""
    pid = os.getpid()
    return _SEPARATOR.join([_machine(), str(pid), _start_time(pid) or "", token_hex(4)])


def has_ended(runner: str) -> bool:
    """Tell whether a runner's program has ended, even by a kill; False where nobody can know."""
    parts = runner.split(_SEPARATOR)
    if len(parts) != 4 or parts[0] != _machine() or not parts[2]:
        return False
    return _start_time(int(parts[1])) != parts[2]


def _machine() -> str:
    """Return the name of this machine since it was started; that of a container is its own."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        boot = ""
    return f"{socket.gethostname()} {boot}".replace(_SEPARATOR, " ")


def _start_time(pid: int) -> str | None:
    """Return when a process started, in ticks since the boot; None: it has ended, or no Linux."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    # The name of the program, in parentheses, may hold anything.
    state, *fields = stat.rpartition(")")[2].split()
    return None if state in "ZX" else fields[18]
