"""Make `.venv` in the project folder and install into it.

Standard library only. The syntax is that of Python 3.6, so that an old Python gets as far as
the sentence that says which one is needed.
"""

import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

from errors import SetupError

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
LOCK = ROOT / "pylock.toml"
# What it is installed for; each adds to those before it and, after the first, is a group in it.
SECTIONS = ("app", "tests", "reference")
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
VERSION = "{}.{}".format(*sys.version_info)


def ensure(purpose):
    """Install what pylock.toml has for a purpose, unless that is done; return the Python."""
    wanted = requirements(purpose)
    if not installed(purpose, wanted):
        with alone():
            # Another run may have done it while this one waited.
            if not installed(purpose, wanted):
                install(purpose, wanted)
    return str(PYTHON)


def requirements(purpose):
    """The lines with which pip installs what pylock.toml has for a purpose, checked by hash.

    The pip that Python brings for new environments may be too old to read the file itself.
    """
    # Not there in a Python that is too old for the rest as well.
    import tomllib

    lock = tomllib.loads(LOCK.read_text(encoding="utf-8"))
    return [line for package in lock["packages"] for line in pinned(package, purpose)]


def pinned(package, purpose):
    """The lines for one package of the lock."""
    marker = package.get("marker", "")
    for name in SECTIONS[1:]:
        # Old versions of pip do not know groups in markers.
        holds = "python_version {} '3'".format(">=" if name == purpose else "<")
        marker = marker.replace(f"'{name}' in dependency_groups", holds)
    files = [*package.get("wheels", []), *([package["sdist"]] if "sdist" in package else [])]
    hashes = sorted(file["hashes"]["sha256"] for file in files)
    head = "{name}=={version}".format(**package) + (marker and f" ; {marker}")
    lines = [head, *(f"    --hash=sha256:{value}" for value in hashes)]
    return [line + " \\" for line in lines[:-1]] + lines[-1:]


def stamp(purpose):
    return VENV / f"installed-for-{purpose}"


def fingerprint(lines):
    return hashlib.sha256(json.dumps([VERSION, lines]).encode()).hexdigest()


def installed(purpose, lines):
    file = stamp(purpose)
    return PYTHON.exists() and file.exists() and file.read_text() == fingerprint(lines)


def unfinished():
    """The mark of an installation that has not come to its end."""
    return VENV / "unfinished"


def install(purpose, lines):
    if unfinished().exists() or not usable():
        make_environment()
    unfinished().touch()
    print("Installing packages into .venv (one or two minutes) ...", flush=True)
    locked = VENV / f"requirements-for-{purpose}.txt"
    locked.write_text("\n".join(lines) + "\n", encoding="utf-8")
    pip = call([str(PYTHON), "-m", "pip", *pip_arguments(locked)])
    # pip has ended by itself, so the environment is whole, even where something is missing in it.
    unfinished().unlink()
    if pip.returncode:
        raise SetupError(pip_reason(pip.stdout))
    stamp(purpose).write_text(fingerprint(lines))


def pip_arguments(locked):
    """Arguments with which pip installs the versions of a file and no others."""
    options = ["--quiet", "--no-input", "--prefer-binary", "--disable-pip-version-check"]
    # As constraints too: what is needed with an extra would be taken in its newest version.
    return ["install", *options, "--constraint", str(locked), "--requirement", str(locked)]


def usable():
    """Whether `.venv` has a working pip and belongs to the Python that runs this."""
    test = "import pip, sys; print('{}.{}'.format(*sys.version_info))"
    if not PYTHON.exists():
        return False
    return call([str(PYTHON), "-c", test]).stdout.split() == [VERSION]


def make_environment():
    need_ensurepip()
    print(f"Making .venv for Python {VERSION} ...", flush=True)
    if VENV.exists():
        shutil.rmtree(str(VENV))
    VENV.mkdir()
    unfinished().touch()
    # Not sys.executable: that one may lie in the folder that was just deleted.
    base = getattr(sys, "_base_executable", sys.executable)
    made = call([base, "-m", "venv", str(VENV)])
    if made.returncode:
        raise SetupError("python -m venv could not make .venv: " + last_line(made.stdout))


def need_ensurepip():
    """Debian and Ubuntu keep a part of Python's venv in a package of its own."""
    if has_ensurepip():
        return
    package = f"python{VERSION}-venv"
    apt_install(package)
    importlib.invalidate_caches()
    if not has_ensurepip():
        raise SetupError(
            "this Python cannot make virtual environments; install that part of it, "
            f"on Debian and Ubuntu with: sudo apt-get install {package}"
        )


def has_ensurepip():
    return importlib.util.find_spec("ensurepip") is not None


def apt_install(package):
    """Install a Debian package, where apt-get is there and the user is root."""
    if not is_root() or not shutil.which("apt-get"):
        return
    print(f"Installing {package} with apt-get ...", flush=True)
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    call(["apt-get", "update"], env=environment)
    call(["apt-get", "install", "-y", "--no-install-recommends", package], env=environment)


def is_root():
    return hasattr(os, "geteuid") and os.geteuid() == 0


def pip_reason(output):
    """One sentence for why pip failed."""
    network = ("Retrying (", "NewConnectionError", "Max retries", "ProxyError", "SSLError")
    if "No space left on device" in output:
        return "the disk is full; make room and start again."
    if any(word in output for word in network):
        return "pip could not reach the package index; check the network and start again."
    errors = [line for line in output.splitlines() if line.startswith("ERROR:")]
    return "pip could not install the packages: " + last_line("\n".join(errors) or output)


def last_line(output):
    lines = output.strip().splitlines()
    return lines[-1] if lines else "it gave no reason."


def call(command, **options):
    """Run a command quietly; its output and errors are in `stdout` of the result."""
    # A child keeps the lock of `alone` even if this process is killed: nobody deletes `.venv`
    # under a pip that is still at work.
    options.update(stdout=subprocess.PIPE, stderr=subprocess.STDOUT, close_fds=os.name == "nt")
    return subprocess.run(command, cwd=str(ROOT), text=True, **options)


@contextmanager
def alone():
    """Let one process at a time install (not on Windows, which lacks fcntl)."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with open(__file__) as file:
        os.set_inheritable(file.fileno(), True)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("Waiting for another installation into .venv ...", flush=True)
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
