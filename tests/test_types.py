"""What type checkers see of the package: a program of a user passes mypy's strictest rules."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = ROOT / "tests" / "typed_program.py"
# Others have no types: scikit-learn, and pandas without stubs.
MYPY = ["-m", "mypy", "--strict", "--follow-imports=silent", "--config-file="]
MYPY += ["--disable-error-code=import-untyped"]
# These need another estimator.
WRAPPERS = ("ConformalLabelRanker", "RiskControlledLabelSets")


def checked(program, folder):
    """Check a program as in an empty folder, with the package installed."""
    command = [sys.executable, *MYPY, "--cache-dir", folder / "cache", program]
    variables = {**os.environ, "MYPYPATH": str(ROOT)}
    return subprocess.run(
        command, cwd=folder, env=variables, capture_output=True, text=True, timeout=300, check=False
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("types")


def test_a_program_of_a_user_passes_strict_rules(folder):
    done = checked(PROGRAM, folder)
    assert done.returncode == 0, done.stdout
    code = PROGRAM.read_text(encoding="utf-8")
    # Types are those that the program asserts: a wrong one is an error.
    wrong = folder / "wrong.py"
    wrong.write_text(code.replace("(near, KNeighborsLabelRanker)", "(near, PairwiseLabelRanker)"))
    done = checked(wrong, folder)
    assert re.findall(r"error: .*\[([\w-]+)\]", done.stdout) == ["assert-type"]


def test_every_fit_returns_its_class(folder):
    stub = (ROOT / "labelrank_core" / "__init__.pyi").read_text(encoding="utf-8")
    names = re.findall(r'"(\w+(?:Classifier|Ranker|Forest|LabelSets))",', stub)
    assert len(names) > 35
    lines = ["from typing import assert_type", f"from labelrank_core import {', '.join(names)}"]
    for name in names:
        needs = "LogLinearRanker()" if name in WRAPPERS else ""
        lines.append(f"assert_type({name}({needs}).fit([[0.0]], [[1, 2]]), {name})")
    program = folder / "every_fit.py"
    program.write_text("\n".join(lines), encoding="utf-8")
    done = checked(program, folder)
    assert done.returncode == 0, done.stdout


def test_it_runs():
    variables = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-W", "error", PROGRAM], env=variables, timeout=300, check=True)
