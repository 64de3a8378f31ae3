"""Environments of other Pythons and libraries: how they are made, and what runs in them."""

import os
import subprocess
import sys

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

import bootstrap
from tests import environments, versions

LINES = ["scikit-lr"]


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "scikit-lr"


@pytest.fixture
def commands(folder, monkeypatch):
    """Note the commands that make an environment; `output` is what a failing pip says."""
    done = []

    def call(command, **_):
        done.append("ask" if command[1] == "-c" else command[2])
        if done[-1] == "venv":
            folder.mkdir(exist_ok=True)
        if done[-1] == "pip" and call.output:
            return subprocess.CompletedProcess(command, 1, call.output)
        return subprocess.CompletedProcess(command, 0, bootstrap.VERSION.replace(".", " "))

    call.output, call.done = "", done
    monkeypatch.setattr(bootstrap, "call", call)
    return call


def test_an_environment_is_made_once(folder, commands):
    python = environments.environment(folder, LINES)
    assert commands.done == ["ask", "venv", "pip"]
    assert environments.environment(folder, LINES) == python
    assert commands.done == ["ask", "venv", "pip"]


def test_an_environment_of_the_newest_is_brought_up_to_date(folder, commands):
    environments.environment(folder, LINES, newest=True)
    environments.environment(folder, LINES, newest=True)
    assert commands.done == ["ask", "venv", "pip", "pip"]


def test_a_failed_installation_gives_its_reason_and_is_tried_again(folder, commands):
    commands.output = "ERROR: No matching distribution found for scikit-lr"
    with pytest.raises(bootstrap.SetupError, match="No matching distribution found"):
        environments.environment(folder, LINES)
    commands.output = ""
    commands.done.clear()
    environments.environment(folder, LINES)
    assert commands.done == ["ask", "venv", "pip"]


def test_a_python_that_is_not_there_is_the_reason(folder, commands):
    with pytest.raises(bootstrap.SetupError, match=r"no Python 3\.1 was found"):
        environments.environment(folder, LINES, "3.1")
    assert set(commands.done) == {"ask"}


def test_what_pyenv_keeps_is_a_candidate(tmp_path, monkeypatch):
    python = tmp_path / "versions" / "3.13.7" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.touch()
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    assert str(python) in environments.candidates("3.13")


def test_the_newest_are_the_same_packages_without_bounds():
    bounded, newest = versions.lines("3.12"), versions.lines(versions.NEWEST)
    assert "numpy" in newest
    tools = [line for line in newest if versions.TOOLS.match(line)]
    assert tools == [line for line in bounded if versions.TOOLS.match(line)]
    for line, package in zip(bounded, newest[: -len(tools)], strict=False):
        assert line.startswith(package)
        assert not set("<>=~") & set(package)


def test_the_oldest_are_the_lower_bounds_of_the_same_packages():
    bounded, oldest = versions.lines("3.12"), versions.lines(versions.OLDEST)
    assert "scikit-learn>=1.8,<2" in bounded
    assert "scikit-learn==1.8.*" in oldest
    for line, pinned in zip(bounded, oldest, strict=True):
        if not versions.TOOLS.match(line):
            package, _, version = pinned.partition("==")
            assert line.startswith((f"{package}>={version[:-2]}", f"{package}~={version[:-2]}"))


def test_pyodide_brings_versions_that_the_package_allows():
    bounds = {line.name: line.specifier for line in map(Requirement, versions.lines("3.12"))}
    for package, version in versions.OF_PYODIDE.items():
        assert version in bounds.get(package, SpecifierSet()), package
        assert f"{package}=={version}" in versions.lines(versions.PYODIDE)


@pytest.fixture
def ran(monkeypatch):
    """The Pythons whose tests ran; those of 3.12 fail, and 3.13 is not there."""
    names = []

    def environment(folder, lines, version, *, newest):  # noqa: ARG001
        if version == "3.13":
            raise bootstrap.SetupError("no Python 3.13 was found")
        return f"{version}, newest={newest}"

    def call(command, **_):
        names.append(command[0])
        return int("3.12," in command[0])

    monkeypatch.setattr(versions, "environment", environment)
    monkeypatch.setattr(versions, "newest_python", lambda: "3.11")
    monkeypatch.setattr(versions, "installed", str)
    monkeypatch.setattr(versions, "install_wheel", lambda folder, _: names.append(folder.name))
    monkeypatch.setattr(versions.subprocess, "call", call)
    return names


def test_every_version_runs_and_the_end_says_how_each_did(ran, capsys):
    assert versions.main([]) == 1
    assert ran == [
        *(f"{version}, newest=False" for version in ("3.11", "3.12", "3.14", "3.11")),
        "3.11, newest=True",
        "3.11, newest=False",
        "wheel",
        "{}.{}, newest=False".format(*sys.version_info),
    ]
    said = capsys.readouterr().out
    for line in ("3.11     passed", "3.12     failed", "3.13     not run: no Python 3.13"):
        assert line in said
    assert "oldest   passed" in said
    assert "newest   passed" in said
    assert "pyodide  passed" in said
    assert "wheel    passed" in said


def test_the_wheel_is_tested_where_no_source_lies_beside_it(ran, monkeypatch):
    folders = []

    def call(_, cwd, env):
        folders.append((sorted(os.listdir(cwd)), env["PYTHONPATH"] == cwd))
        return 0

    monkeypatch.setattr(versions.subprocess, "call", call)
    assert versions.main(["wheel"]) == 0
    assert ran == ["wheel"]
    assert folders == [(["pyproject.toml", "tests"], True)]
    assert not {"labelrank_core", "streamlit"} & set(" ".join(versions.lines("wheel")).split())


def test_versions_are_chosen_by_words(ran):
    assert versions.main(["3.11", "newest"]) == 0
    assert ran == ["3.11, newest=False", "3.11, newest=True"]
    assert versions.main(["3.9"]) == 2
