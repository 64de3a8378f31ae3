"""The core's tests on every Python the package supports, with the oldest and newest dependencies.

python3 tests/run versions                all of them, each in an environment of its own
python3 tests/run versions 3.13 newest    only these
python3 tests/run versions wheel          those of tests/core, away from the checkout

`oldest` takes the oldest of these Pythons and of every dependency the oldest version that
pyproject.toml allows.
`newest` takes the newest of these Pythons that is there and of every dependency the newest
version that pip finds, whatever pyproject.toml allows: what fails with it will fail with the next
upgrade. The others keep to pyproject.toml. `pyodide` takes the versions that Pyodide 314 brings, on
the newest of these Pythons; its own is 3.14. `wheel` installs the built wheel and what the app
needs in an empty environment and copies only the tests beside it: what the wheel forgets is missed.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from tests.environments import ROOT, bootstrap, environment, find_python, install

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
OLDEST, NEWEST, PYODIDE, WHEEL = "oldest", "newest", "pyodide", "wheel"
NAMES = (*PYTHONS, OLDEST, NEWEST, PYODIDE, WHEEL)
# As pyodide-lock.json of Pyodide 314.0.7 lists them.
OF_PYODIDE = {
    "joblib": "1.5.3",
    "numpy": "2.4.6",
    "pandas": "3.0.2",
    "pyarrow": "22.0.0",
    "scikit-learn": "1.8.0",
    "scipy": "1.18.0",
}
TESTS = ("tests/core", "tests/published")
PACKAGE = "labelrank_core"
# What these tests need of the group of all tests.
TOOLS = re.compile("pytest|hypothesis|narwhals")
NOT_COPIED = shutil.ignore_patterns("__pycache__")


def lines(name):
    """What pip installs: what the core needs, all that it can use, and what runs its tests."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        pyproject = tomllib.load(file)
    tools = [line for line in pyproject["dependency-groups"]["tests"] if TOOLS.match(line)]
    if name == WHEEL:
        return tools
    extras = pyproject["project"]["optional-dependencies"]
    needed = [*pyproject["project"]["dependencies"]]
    needed += [line for extra in ("formats", "guarantees", "dask") for line in extras[extra]]
    if name == NEWEST:
        needed = [re.match(r"[\w.-]+", line)[0] for line in needed]
    if name == OLDEST:
        needed = [re.sub(r"[>~]=([\d.]+).*", r"==\1.*", line) for line in needed]
    if name == PYODIDE:
        tools += [f"{package}=={version}" for package, version in OF_PYODIDE.items()]
    return needed + tools


def python_for(name):
    """The version of Python that the tests of this name run with."""
    if name in (NEWEST, PYODIDE):
        return newest_python()
    if name == WHEEL:
        return "{}.{}".format(*sys.version_info)
    return PYTHONS[0] if name == OLDEST else name


def newest_python():
    """The newest of the Pythons that is there."""
    for version in reversed(PYTHONS):
        try:
            find_python(version)
        except bootstrap.SetupError:
            continue
        return version
    raise bootstrap.SetupError("no Python was found")


def outcome(name, arguments=()):
    """Run the tests and say in a few words how it ended: 'passed', or what else."""
    try:
        version = python_for(name)
        folder = bootstrap.VENV / "versions" / name
        python = environment(folder, lines(name), version, newest=name == NEWEST)
        if name == WHEEL:
            install_wheel(folder, python)
    except bootstrap.SetupError as error:
        return f"not run: {error}"
    print(f"\n== Python {version}: {installed(python)}", flush=True)
    if name != WHEEL:
        return run_tests(python, ROOT, [*TESTS, PACKAGE, *arguments])
    with tempfile.TemporaryDirectory() as away:
        shutil.copytree(ROOT / "tests", Path(away) / "tests", ignore=NOT_COPIED)
        shutil.copy(ROOT / "pyproject.toml", away)
        return run_tests(python, Path(away), [*TESTS, *arguments])


def install_wheel(folder, python):
    """Build the wheel of this checkout and install it with what the app needs."""
    wheels = folder / "wheels"
    shutil.rmtree(wheels, ignore_errors=True)
    build = [str(python), "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(wheels)]
    built = bootstrap.call([*build, str(ROOT)])
    if built.returncode:
        raise bootstrap.SetupError("pip wheel failed: " + bootstrap.last_line(built.stdout))
    (wheel,) = wheels.glob("*.whl")
    install(python, ["--force-reinstall", "--no-deps", str(wheel)])
    install(python, [f"{wheel}[app,dask]"])


def run_tests(python, folder, arguments):
    """Run tests in a folder and say how it ended."""
    workers = str(min(4, os.cpu_count() or 1))
    command = [str(python), "-m", "pytest", "-p", "no:cacheprovider", "-n", workers]
    command += ["--dist", "worksteal", *arguments]
    variables = dict(os.environ, PYTHONPATH=str(folder))
    failed = subprocess.call(command, cwd=str(folder), env=variables)
    return "failed" if failed else "passed"


def installed(python):
    """The versions of all packages in an environment."""
    command = [str(python), "-m", "pip", "list", "--format=freeze", "--disable-pip-version-check"]
    return ", ".join(bootstrap.call(command).stdout.split())


def main(arguments):
    place = arguments.index("--") if "--" in arguments else len(arguments)
    names, rest = arguments[:place] or NAMES, arguments[place + 1 :]
    unknown = [name for name in names if name not in NAMES]
    if unknown:
        print(f"Expected some of {', '.join(NAMES)}, got {', '.join(unknown)}.")
        return 2
    outcomes = {name: outcome(name, rest) for name in names}
    print("\n== Versions")
    for name, words in outcomes.items():
        print(f"{name:<8} {words}")
    return int(set(outcomes.values()) != {"passed"})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
