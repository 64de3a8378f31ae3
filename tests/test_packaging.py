"""The wheel installed elsewhere: the library with its samples, the app and its command."""

import http.client
import json
import os
import subprocess
import sys
import time
import tomllib
import zipfile
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
from packaging.pylock import Pylock
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from launch import HOST
from tests.browser.driver import free_port

ROOT = Path(__file__).resolve().parents[1]
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    build = ["wheel", "--no-build-isolation", "--no-deps", "--no-index", "-w", folder, ROOT]
    subprocess.run([*PIP, *build], check=True, timeout=300)
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory):
    """Runs Python away from the checkout, with the wheel installed."""
    target, away = tmp_path_factory.mktemp("target"), tmp_path_factory.mktemp("away")
    install = ["install", "--no-deps", "--no-index", "--target", target, wheel]
    subprocess.run([*PIP, *install], check=True, timeout=300)

    def run(*words):
        variables = {**os.environ, "PYTHONPATH": str(target), "LABELRANK_HOME": str(away / "home")}
        done = subprocess.run(
            [sys.executable, *words],
            cwd=away, env=variables, capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    run.away, run.target = away, target
    return run


def test_the_wheel_holds_the_library_the_samples_the_app_and_nothing_beside_them(wheel):
    with zipfile.ZipFile(wheel) as file:
        names = {Path(name) for name in file.namelist()}
    assert {name.parts[0] for name in names} == {
        "labelrank_core",
        "labelrank_lab",
        wheel.name.removesuffix("-py3-none-any.whl") + ".dist-info",
    }
    samples = {name.name for name in names if name.parts[1] == "sample_data"}
    assert samples >= {path.name for path in (ROOT / "sample_data").glob("*.csv")}
    assert {"index.json", "README.md"} <= samples


def test_the_app_lies_in_the_wheel_as_in_the_checkout(wheel):
    with zipfile.ZipFile(wheel) as file:
        installed = {
            name.removeprefix("labelrank_lab/")
            for name in file.namelist()
            if name.startswith("labelrank_lab/")
        }
    folders = [ROOT / name for name in ("pages", ".streamlit")]
    paths = [ROOT / "app.py", *(path for folder in folders for path in folder.rglob("*.*"))]
    sources = {
        path.relative_to(ROOT).as_posix() for path in paths if "__pycache__" not in path.parts
    }
    assert {name for name in installed if not name.startswith((".setup/", "__"))} == sources
    assert {"__init__.py", "__main__.py", ".setup/serve.py"} <= installed


def test_the_command_serves_the_installed_app(python, tmp_path):
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "labelrank_lab", f"--port={port}", "--no-browser"],
        cwd=tmp_path,
        env={
            **os.environ,
            "PYTHONPATH": str(python.target),
            "LABELRANK_HOME": str(tmp_path / "home"),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        deadline = time.monotonic() + 120
        while (status := answer(port)) is None and time.monotonic() < deadline:
            assert process.poll() is None, process.stdout.read()
            time.sleep(0.1)
        assert status == 200
    finally:
        process.terminate()
        output = process.communicate(timeout=30)[0]
    assert output == f"LabelRank Lab: http://{HOST}:{port}  (Ctrl-C ends it)\n"


def answer(port):
    connection = http.client.HTTPConnection(HOST, port, timeout=10)
    try:
        connection.request("GET", "/_stcore/health")
        return connection.getresponse().status
    except OSError:
        return None
    finally:
        connection.close()


def test_the_command_is_named_and_says_what_the_app_lacks(python):
    entries = (python.target / "bin" / "labelrank-lab").read_text(encoding="utf-8")
    assert "from labelrank_lab.__main__ import main" in entries
    code = (
        "import sys\n"
        "from labelrank_lab import __main__ as command\n"
        "command.find_spec = lambda name: None if name == 'plotly' else name\n"
        "sys.argv[1:] = ['--no-browser']\n"
        "sys.stderr = sys.stdout\n"
        "print(command.main())"
    )
    assert python("-c", code).splitlines() == [
        'LabelRank Lab: plotly is missing; write "[app]" behind the name of the wheel or folder '
        "that you install or run.",
        "1",
    ]


def test_the_lock_has_one_version_within_the_ranges_for_every_supported_python():
    text = (ROOT / "pylock.toml").read_text(encoding="utf-8")
    assert "://" not in text
    lock = Pylock.from_dict(tomllib.loads(text))
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    declared = project["project"]
    assert sorted(lines) == sorted(
        declared["dependencies"] + declared["optional-dependencies"]["app"]
    )
    for line in lines + project["dependency-groups"]["tests"]:
        required = Requirement(line)
        for python in ("3.11", "3.12", "3.13", "3.14"):
            environment = {"python_version": python, "python_full_version": f"{python}.1"}
            environment |= {"dependency_groups": {"tests"}}
            locked = [
                package
                for package in lock.packages
                if package.name == canonicalize_name(required.name)
                and (package.marker is None or package.marker.evaluate(environment, "lock_file"))
            ]
            assert len(locked) == 1, (python, line)
            assert required.specifier.contains(locked[0].version), (python, line)


def test_what_the_locked_packages_need_is_locked():
    lock = Pylock.from_dict(tomllib.loads((ROOT / "pylock.toml").read_text(encoding="utf-8")))
    names = {package.name for package in lock.packages}
    needed = set()
    for name in names:
        # Those of other systems are not installed here.
        with suppress(PackageNotFoundError):
            lines = requires(name) or []
            needed |= {
                canonicalize_name(required.name)
                for required in map(Requirement, lines)
                if required.marker is None or required.marker.evaluate({"extra": ""})
            }
    assert needed <= names


def test_a_sample_is_loaded_from_the_installed_package(python):
    code = (
        "import labelrank_core as lr; print(lr.__file__, lr.__version__); "
        "print(*(lr.load_sample(each.name).n_samples for each in lr.list_samples()))"
    )
    place, counts = python("-c", code).splitlines()
    assert place.startswith(str(python.target))
    index = json.loads((ROOT / "sample_data" / "index.json").read_bytes())
    assert counts.split() == [str(entry["n_samples"]) for entry in index]


def test_an_exported_config_runs_with_the_installed_package(python):
    from labelrank_core.experiments import read_config

    config = {
        "data": ["drinks"],
        "methods": [{"key": "knn"}],
        "protocol": {"n_folds": 2, "stratify": True},
    }
    exported = read_config(json.dumps(config)).to_json()
    (python.away / "config.json").write_text(exported, encoding="utf-8")
    python("-m", "labelrank_core", "run", "config.json", "--csv", "results.csv")
    lines = (python.away / "results.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) > 2
    assert all(line.startswith("drinks,") for line in lines[1:])


def test_the_printed_tables_and_what_was_measured_come_along(python):
    code = (
        "from labelrank_core.papers import find_table, recorded\n"
        "print(len(recorded(find_table('mlknn05', 'I'))), flush=True)\n"
        "import runpy, sys\n"
        "sys.argv[1:] = ['reproduce', 'mlr07']\n"
        "runpy.run_module('labelrank_core', run_name='__main__')"
    )
    count, *said = python("-c", code).splitlines()
    assert count == "20"
    assert "6 within" in "\n".join(said)
