"""The core's tests on every Python the package supports, with the oldest and newest dependencies.

python3 tests/run versions                all of them, each in an environment of its own
python3 tests/run versions 3.13 newest    only these

`oldest` takes the oldest of these Pythons and of every dependency the oldest version that
pyproject.toml allows.
`newest` takes the newest of these Pythons that is there and of every dependency the newest
version that pip finds, whatever pyproject.toml allows: what fails with it will fail with the next
upgrade. The others keep to pyproject.toml.
"""

import os
import re
import subprocess
import sys
import tomllib

from tests.environments import ROOT, bootstrap, environment, find_python

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
OLDEST, NEWEST = "oldest", "newest"
NAMES = (*PYTHONS, OLDEST, NEWEST)
TESTS = ("tests/core", "tests/published", "labelrank_core")
# What these tests need of the group of all tests.
TOOLS = re.compile("pytest|hypothesis|narwhals")


def lines(name):
    """What pip installs: what the core needs, all that it can use, and what runs its tests."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        whole = tomllib.load(file)
    extras = whole["project"]["optional-dependencies"]
    found = [*whole["project"]["dependencies"]]
    found += [line for extra in ("formats", "guarantees", "dask") for line in extras[extra]]
    if name == NEWEST:
        found = [re.match(r"[\w.-]+", line)[0] for line in found]
    if name == OLDEST:
        found = [re.sub(r"[>~]=([\d.]+).*", r"==\1.*", line) for line in found]
    return found + [line for line in whole["dependency-groups"]["tests"] if TOOLS.match(line)]


def python_for(name):
    """The version of Python that the tests of this name run with."""
    if name == NEWEST:
        return newest_python()
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
    except bootstrap.SetupError as error:
        return f"not run: {error}"
    print(f"\n== Python {version}: {installed(python)}", flush=True)
    workers = str(min(4, os.cpu_count() or 1))
    command = [str(python), "-m", "pytest", "-p", "no:cacheprovider", "-n", workers]
    command += ["--dist", "worksteal", *TESTS, *arguments]
    variables = dict(os.environ, PYTHONPATH=str(ROOT))
    failed = subprocess.call(command, cwd=str(ROOT), env=variables)
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
