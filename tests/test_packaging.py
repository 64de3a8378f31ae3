"""The library installed elsewhere: a wheel with the samples, which runs an exported config."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

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


def test_the_wheel_holds_the_package_the_samples_and_nothing_beside_them(wheel):
    with zipfile.ZipFile(wheel) as file:
        names = {Path(name) for name in file.namelist()}
    assert {name.parts[0] for name in names} == {
        "labelrank_core",
        wheel.name.removesuffix("-py3-none-any.whl") + ".dist-info",
    }
    samples = {name.name for name in names if name.parts[1] == "sample_data"}
    assert samples >= {path.name for path in (ROOT / "sample_data").glob("*.csv")}
    assert {"index.json", "README.md"} <= samples


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
