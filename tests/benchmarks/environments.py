"""Environments of the rivals, each in `.venv/rivals`: made once, then found again."""

import os
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / ".setup")]

import bootstrap  # noqa: E402

# A rival stands on the same ones as the project.
LIBRARIES = re.compile("numpy|scipy|scikit-learn")
FOLDER = bootstrap.VENV / "rivals"


def environment(package, version=None):
    """Return the Python of an environment with the package; `version` is the Python it needs.

    Raises SetupError with the reason where it cannot be made.
    """
    version = version or bootstrap.VERSION
    folder = FOLDER / package
    python = folder / bootstrap.PYTHON.relative_to(bootstrap.VENV)
    wanted = [package, *(line for line in bootstrap.requirements("app") if LIBRARIES.match(line))]
    stamp, content = folder / "installed", bootstrap.fingerprint([version, *wanted])
    if not stamp.exists() or stamp.read_text() != content:
        make(folder, find_python(version))
        install(python, wanted)
        stamp.write_text(content)
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
    kept = sorted(pyenv.glob(f"versions/{version}*/bin/python"))
    on_path = shutil.which(f"python{version}")
    return [sys._base_executable, *([on_path] if on_path else []), *map(str, kept)]


def make(folder, python):
    shutil.rmtree(folder, ignore_errors=True)
    print(f"Making an environment for {folder.name} ...", file=sys.stderr, flush=True)
    made = bootstrap.call([python, "-m", "venv", str(folder)])
    if made.returncode:
        raise bootstrap.SetupError("python -m venv failed: " + bootstrap.last_line(made.stdout))


def install(python, wanted):
    command = [str(python), "-m", "pip", "install", "--quiet", "--no-input", "--prefer-binary"]
    pip = bootstrap.call([*command, "--disable-pip-version-check", *wanted])
    if pip.returncode:
        raise bootstrap.SetupError(bootstrap.pip_reason(pip.stdout))
