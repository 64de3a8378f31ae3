"""Environments beside that of the tests, in folders of `.venv`: made once, then found again."""

import os
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / ".setup")]

import bootstrap  # noqa: E402


def environment(folder, lines, version=None, *, newest=False):
    """Return the Python of an environment in which the lines for pip are installed.

    `version` is the Python it needs, else that of the tests; with `newest` what has become newer
    since is installed too. Raises SetupError with the reason where it cannot be made.
    """
    version = version or bootstrap.VERSION
    python = folder / bootstrap.PYTHON.relative_to(bootstrap.VENV)
    stamp, content = folder / "installed", bootstrap.fingerprint([version, *lines])
    if not stamp.exists() or stamp.read_text() != content:
        make(folder, find_python(version))
        install(python, lines)
        stamp.write_text(content)
    elif newest:
        install(python, ["--upgrade", "--upgrade-strategy", "eager", *lines])
    return python


def find_python(version):
    """Return a Python of the version that can make environments."""
    for python in candidates(version):
        try:
            asked = bootstrap.call(
                [python, "-c", "import ensurepip, sys; print(*sys.version_info)"]
            )
        except OSError:
            continue
        if asked.stdout.split()[:2] == version.split("."):
            return python
    raise bootstrap.SetupError(f"no Python {version} was found")


def candidates(version):
    """List this Python, what the PATH has, and the versions that pyenv keeps."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    try:
        kept = sorted(pyenv.glob(f"versions/{version}*/bin/python"))
    except PermissionError:
        # The folder belongs to another user, whose environment this one has been given.
        kept = []
    on_path = shutil.which(f"python{version}")
    return [sys._base_executable, *([on_path] if on_path else []), *map(str, kept)]


def make(folder, python):
    shutil.rmtree(folder, ignore_errors=True)
    sys.stderr.write(f"Making an environment for {folder.name} ...\n")
    made = bootstrap.call([python, "-m", "venv", str(folder)])
    if made.returncode:
        raise bootstrap.SetupError("python -m venv failed: " + bootstrap.last_line(made.stdout))


def install(python, lines):
    command = [str(python), "-m", "pip", "install", "--quiet", "--no-input", "--prefer-binary"]
    pip = bootstrap.call([*command, "--disable-pip-version-check", *lines])
    if pip.returncode:
        raise bootstrap.SetupError(bootstrap.pip_reason(pip.stdout))
